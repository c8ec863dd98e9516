"""What every page has: a name, a body, a place for one sentence at its foot, and its commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotation.errors import Refused
from app import theme
from app.actions import CommandAction, add_actions, refresh
from app.context import Context
from app.i18n import sentence
from app.parts.focus import stops
from app.parts.line import LineInPlace
from app.parts.surface import Surface


class Page(Surface):
    """A page sets ``name``, builds into ``self.body`` and reads what it shows in ``opened`` and ``refresh``.

    Its commands (methods marked with @command) have keys while it is shown. ``say`` shows one sentence at the
    foot; ``parts`` are the places that F6 goes through, from left to right.
    """

    name: ClassVar[str] = ""
    hides_status: ClassVar[bool] = False      # at large text the status line leaves (Work: saved is in its foot)
    draft_changed = Signal()                  # the page's own undo or redo changed its reach

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__("page", parent=parent)
        self.context = context
        self.setObjectName(f"page:{self.name}")
        self.body = QWidget()
        self._line = LineInPlace()
        self._foot = QWidget()
        foot = QVBoxLayout(self._foot)
        foot.setContentsMargins(theme.space("page_left"), theme.space("s"), theme.space("page_right"),
                                theme.space("l"))
        foot.addWidget(self._line)
        self._foot.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.body, 1)
        column.addWidget(self._foot)
        self.actions_by_id: dict[str, CommandAction] = {}

    # --- life -----------------------------------------------------------------------------------------------

    def bind(self) -> None:
        """Called once by the window after the page is built."""
        if not self.actions_by_id:
            self.actions_by_id = add_actions(self)

    def opened(self, **where: Any) -> None:
        """The page comes to the front; ``where`` says what to show (items of a state, a file to import)."""

    def refresh(self, touched: frozenset[str]) -> None:
        """Something was changed, here or elsewhere; called for the page that is shown, or when it is next."""

    def closing(self) -> None:
        """The window closes, or the person changes: save what is not saved."""

    def left(self) -> None:
        """Another page comes to the front."""

    @property
    def asked_by(self) -> Any:
        """The protocol whose questions are on the page, so that a refusal can call them by their texts; else None."""
        return None

    @property
    def reading_only(self) -> str:
        """Why nothing can be written in this window, or "". Pages that can show nothing then say it in their middle."""
        why = self.context.store.why_read_only
        return sentence(why) if why is not None else ""

    # --- saying ---------------------------------------------------------------------------------------------

    def say(self, what: Refused | str, *, kind: str = "bad", button: str = "", keys: str = "",
            act: Callable[[], None] | None = None) -> None:
        """One sentence at the foot of the page, until ``hush`` or the next."""
        text = sentence(what, self.asked_by) if isinstance(what, Refused) else what
        self._line.say(kind, text, button=button, keys=keys, act=act)
        self._foot.show()

    def said(self) -> str:
        """The sentence that stands at the foot now, or ""."""
        return self._line.text() if not self._foot.isHidden() else ""

    def hush(self) -> None:
        self._line.hush()
        self._foot.hide()

    # --- keys -----------------------------------------------------------------------------------------------

    def action(self, id: str) -> CommandAction:
        """The action of one of this page's commands (``bind`` has made them)."""
        self.bind()
        return self.actions_by_id[id]

    def update_commands(self) -> None:
        """Ask every command anew whether it can be done."""
        refresh(self.actions_by_id.values())

    def parts(self) -> list[QWidget]:
        """Where F6 goes, in order; the first takes the focus when the page opens."""
        return [self]

    def focus_first(self) -> None:
        for part in self.parts():
            target = part if part.focusPolicy() else next(iter(stops(part)), None)
            if target is not None and target.isEnabled():
                target.setFocus()
                return

    def help_rows(self) -> list[tuple[str, list[str], str]]:
        """Rows for the shortcut help beyond the commands: (group, keys, words); forms tell their digits here."""
        return []

    # --- undo inside the page -------------------------------------------------------------------------------

    def can_undo_draft(self) -> bool:
        return False

    def can_redo_draft(self) -> bool:
        return False

    def undo_draft(self) -> None:
        """Take back one step of what is being answered and not submitted."""

    def redo_draft(self) -> None:
        """The reverse."""

