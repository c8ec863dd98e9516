"""One case on the screen: the item, its answers side by side, the queue it came from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar
from uuid import UUID

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from annotation import review, second_adjudication
from annotation.adjudication_case import waiting_for_others
from annotation.draft import Draft
from annotation.review import Case, DueItem
from annotation.second_adjudication import Second
from app import theme
from app.form import Form
from app.i18n import QT_TRANSLATE_NOOP
from app.item.clock import Clock
from app.item.guideline import GuidelineDrawer
from app.item.head import ItemHead
from app.item.pictures import Pictures
from app.item.view import ItemView
from app.page import Page
from app.pages.adjudicate.foot import DecisionFoot
from app.pages.adjudicate.grid import CaseGrid
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.scroll import Curtain, scroll_area
from app.parts.surface import Surface

_T = QT_TRANSLATE_NOOP


class CasePage(Page):
    """The state is one case, the column that is taken, and a draft where values are mended first."""

    name: ClassVar[str] = "adjudicate"
    hides_status: ClassVar[bool] = True

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._queue: Sequence[DueItem | Second] = ()
        self._is_second = False  # what others decided is decided again, without sight of it
        self._case: Case | None = None
        self._protocol: Any = None
        self._taken = 0
        self._draft: Draft | None = None
        self._decided: UUID | None = None
        self._wanted: UUID | None = None
        self._pictures = Pictures(context.jobs, context.store.media, self)
        self._build()

    def _when_items_come(self) -> str:
        if self.context.store.protocol.workflow.adjudicate.when == "no_value":
            return self.tr("Items come here when their answers give no value by the rule of the protocol (a majority "
                           "decides without you), or when somebody asks for it.")
        return self.tr("Items come here when their answers differ, or when somebody asks for it.")

    def _say_empty(self, for_others: int) -> None:
        """An adjudicator who has answered an item cannot decide about it: say so, or nobody knows why it waits."""
        if self.reading_only:  # to open a case is to be seen opening it: the trail keeps that
            self._empty.say(self.tr("Nobody can decide in this window"), self.reading_only)
            return
        text = self._when_items_come()
        if for_others:
            text = self.tr("1 item waits that you have answered yourself: somebody else decides about it.") \
                if for_others == 1 else self.tr("{n} items wait that you have answered yourself: somebody else decides "
                                                "about them.").format(n=for_others)
        self._empty.say(self.tr("Nothing waits for a decision of yours") if for_others
                        else self.tr("Nothing waits for a decision"), text)

    def _build(self) -> None:
        self._head, self._item, self._grid, self._form = ItemHead(), ItemView(), CaseGrid(), Form()
        self._drawer, self._foot_bar = GuidelineDrawer(), DecisionFoot()
        self._drawer.hide()
        self._empty = Empty("scales", self.tr("Nothing waits for a decision"), self._when_items_come())
        self._offer_second(())
        self._rows = scroll_area(self._grid)
        self._rows.verticalScrollBar().valueChanged.connect(self._grid.scrolled_to)
        self._curtain = Curtain(self._rows)
        inner = QWidget()
        form = QVBoxLayout(inner)
        form.setContentsMargins(theme.space("xl"), theme.space("page_top"), theme.space("page_top"), theme.space("l"))
        form.addWidget(self._form)
        self._edit = Surface("panel", sides="left top")
        edit = QVBoxLayout(self._edit)
        edit.setContentsMargins(1, 1, 0, 0)
        edit.addWidget(scroll_area(inner, fill="panel"))
        self._edit.hide()
        middle = QHBoxLayout()
        middle.setSpacing(0)
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(self._item)
        left.addWidget(self._line_above(), 0)
        left.addWidget(self._rows, 1)
        middle.addLayout(left, 1)
        middle.addWidget(self._drawer)
        middle.addWidget(self._edit)
        case = QWidget()
        column = QVBoxLayout(case)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addLayout(middle, 1)
        column.addWidget(self._foot_bar)
        self._stack = QStackedLayout(self.body)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(case)

    def _offer_second(self, found: Sequence[Second]) -> None:
        """Where nothing waits: decide again what others have decided, blind, so that it is known how far one agrees."""
        had_focus = self._empty.isAncestorOf(self.focusWidget() or self)
        home = CapButton(self.tr("Home"), kind="plain", keys="Alt+1")
        home.clicked.connect(lambda: self.context.go("home"))
        buttons = [home]
        if found:
            again = CapButton(self.tr("Decide {n} again, blind").format(n=len(found)), kind="plain", icon="check_again")
            again.setObjectName("adjudicate:again")
            again.clicked.connect(self._begin_second)
            buttons.append(again)
        self._empty.set_buttons(buttons)
        if had_focus:
            home.setFocus()

    def _begin_second(self) -> None:
        self._is_second = True
        self._read()

    @staticmethod
    def _line_above() -> QWidget:
        line = Surface("page", sides="bottom")
        line.setFixedHeight(theme.border("hairline"))
        return line

    @property
    def asked_by(self) -> Any:
        return self._protocol

    def bind(self) -> None:
        if not self.actions_by_id:
            super().bind()
            self._foot_bar.follow(self.action)

    # --- reading --------------------------------------------------------------------------------------------

    def opened(self, *, item: UUID | None = None, **_where: Any) -> None:
        self.hush()
        self._wanted = item
        if self._case is None or item is not None:
            self._read()
        else:
            if self._clock is not None:
                self._clock.go_on()
            self._focus()

    def left(self) -> None:
        if self._clock is not None:
            self._clock.stop()

    def refresh(self, touched: frozenset[str]) -> None:
        if touched & {"adjudication", "gold"} and (self._case is None or self._decided is not None):
            self._decided = None
            self._read()

    def _read(self) -> None:
        queue = second_adjudication.second_queue if self._is_second else review.adjudication_queue
        self.context.jobs.read(self, queue, self.context.person.id, then=self._show_queue)

    def _show_queue(self, queue: Sequence[DueItem | Second]) -> None:
        if self._is_second and (not queue or self._wanted is not None):
            self.hush()
            self._is_second = False  # all were decided again, or somebody sent for another case
            self._read()
            return
        self._queue = queue
        items = [due.item for due in queue]
        asked = self._wanted
        wanted = asked if asked is not None else self._case.item if self._case else None
        self._wanted = None
        if self.reading_only:
            self._show_nothing()
        elif wanted in items:
            self._open(wanted)
        elif asked is not None:  # from another page: a majority has decided, and somebody wants to look at it again
            self._open(asked)
        elif items:
            self._open(items[0])
        else:
            self._show_nothing()

    def _open(self, item: UUID) -> None:
        opened = second_adjudication.open_second if self._is_second else review.open_case
        self.context.jobs.run(self, _open_case, item, opened, person=self.context.person.id, then=self._show,
                              undoable=False)

    def _show_nothing(self) -> None:
        self._case = None
        self._head.run(None)
        self._stack.setCurrentWidget(self._empty)
        self.context.jobs.read(self, waiting_for_others, self.context.person.id, then=self._say_empty)
        if not self.reading_only:
            self.context.jobs.read(self, second_adjudication.second_queue, self.context.person.id,
                                   then=self._offer_second)
        self.update_commands()
        if self.isVisible():
            self.focus_first()

    def _show(self, found: tuple[Case, Any]) -> None:
        self._case, self._protocol = found
        case = self._case
        self._taken, self._draft = 0, None
        self._edit.hide()
        self._head.set_tags(self._item.show_item(self._protocol, case.fields, case.order, self._pictures))
        self._head.show_item(case.key)
        at = next((n for n, due in enumerate(self._queue, 1) if due.item == case.item), 1)
        self._head.show_progress(at, len(self._queue))
        self._clock: Clock | None = Clock(self._protocol.workflow.idle_limit_s * 1000)
        self._head.run(self._clock)
        self._drawer.show_guideline(self._protocol.guidelines)
        self.context.status(self.tr("order drawn for you, recorded") if case.order.get("candidates") else "")
        self._grid.show_case(case, self._protocol)
        if self._is_second:
            self.say(self.tr("A second decision: another adjudicator has decided this, and that decision stands. Yours "
                             "says how far two agree."), kind="info")
        self._foot_bar.begin(reason_required=case.reason_required)
        self._foot_bar.show_taken(0, edited=False)
        self._stack.setCurrentIndex(1)
        self._rows.verticalScrollBar().setValue(0)
        self._fit()
        self._focus()
        self.update_commands()

    _clock: Clock | None = None

    def _focus(self) -> None:
        if self.isVisible():
            self._grid.focus_first()

    def _fit(self) -> None:
        """The words of the item get two fifths of the room, more where the rows leave it; pictures get half."""
        room = max(0, self.height() - self._head.height() - self._foot_bar.height())  # not laid out yet: less than none
        rows = self._grid.heightForWidth(self.width()) if self._grid.hasHeightForWidth() else room
        share = room // 2 if self._item.fills else max(room * 2 // 5, room - rows - theme.space("l"))
        self._item.setFixedHeight(share if self._item.fills else min(share, self._item.height_wanted(self.width())))
        QTimer.singleShot(0, self, self._trim)  # once its lines are laid out
        narrow = theme.is_large() or self.window().width() < theme.breakpoint("answers_below_item_below")
        wide = self.width() if narrow else theme.wide(theme.size("answer_panel"))
        self._edit.setFixedWidth(min(wide, self.width()))
        self._drawer.setFixedWidth(min(wide, self.width()))
        covered = narrow and not (self._edit.isHidden() and self._drawer.isHidden())
        self._rows.setVisible(not covered)
        self._item.setVisible(not covered)

    @Slot()
    def _trim(self) -> None:
        """The room below the item's last whole line goes to the answers."""
        cut = self._item.cut - theme.space("s")
        if cut > 0 and not self._item.fills:
            self._item.setFixedHeight(self._item.height() - cut)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def restyle(self) -> None:
        self._fit()


def _open_case(session: Any, item: UUID, opened: Any, *, person: UUID) -> tuple[Case, Any]:
    case = opened(session, item, person=person)
    return case, session.info["store"].protocol_by(case.protocol_hash)
