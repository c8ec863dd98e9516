"""From commands to QActions: object name = id, keys, tooltip, icon; pressed, they call the marked method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from app import theme
from app.commands import Command, commands_of
from app.i18n import translate


class CommandAction(QAction):
    """One command of one owner (its parent), asked anew whether it can be done each time it is refreshed."""

    def __init__(self, command: Command, owner: QWidget) -> None:
        super().__init__(owner)
        self.command = command
        self.setObjectName(command.id)
        self.setText(translate(command.text))
        # F-keys and Ctrl go to the window: a page that is not shown has no keys, since it is not visible.
        self.setShortcuts(_sequences(command.keys))
        self.setIconVisibleInMenu(False)
        icon = command.icon or command.id.rpartition(".")[2]
        self.icon_name = icon if theme.has_icon(icon) else ""
        keys = self.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.setToolTip(f"{self.text()} ({keys})" if keys else self.text())
        self.triggered.connect(self._run)
        # An action that is off has no keys: these stand in for them, and say why it is off.
        for refusal in [QShortcut(key, owner) for key in self.shortcuts()] if command.why else ():
            refusal.activated.connect(self._say_why)
            refusal.setEnabled(not self.isEnabled())
            self.enabledChanged.connect(lambda on, refusal=refusal: refusal.setEnabled(not on))

    @Slot()
    def _run(self) -> None:
        owner = self.parent()
        if can(owner, self.command):
            getattr(owner, self.command.method)()

    @Slot()
    def _say_why(self) -> None:
        owner: Any = self.parent()
        why = claim(owner, self.command.why)
        if why:
            owner.say(why, kind="info")

    def refresh(self) -> None:
        self.setEnabled(can(self.parent(), self.command))


def can(owner: object, command: Command) -> bool:
    """Whether the owner says that the command can be done now."""
    return not command.when or bool(claim(owner, command.when))


def claim(owner: object, name: str) -> Any:
    """What an attribute or a method of the owner says."""
    found = getattr(owner, name)
    return found() if callable(found) else found


def add_actions(owner: QWidget) -> dict[str, CommandAction]:
    """Bind every command that the owner's class declares; the owner's keys work while it is shown."""
    made: dict[str, CommandAction] = {}
    for command in commands_of(owner):
        action = CommandAction(command, owner)
        owner.addAction(action)
        made[command.id] = action
    refresh(made.values())
    return made


def refresh(actions: Iterable[CommandAction]) -> None:
    for action in actions:
        action.refresh()


def clashes(actions: Iterable[QAction]) -> list[str]:
    """Keys that two of these actions share; there should be none on one page."""
    seen = Counter(key.toString() for action in actions for key in action.shortcuts())
    return sorted(key for key, times in seen.items() if times > 1)


def _sequences(keys: str) -> list[QKeySequence]:
    if not keys:
        return []
    made = [QKeySequence(keys)]
    if keys.endswith("Return"):  # the numeric pad says Enter
        made.append(QKeySequence(keys[: -len("Return")] + "Enter"))
    if keys == "Ctrl++":  # the key of + without Shift
        made.append(QKeySequence("Ctrl+="))
    return made
