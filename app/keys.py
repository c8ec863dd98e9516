"""Shortcut help: the keys of this page in three columns, made from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.actions import CommandAction
from app.commands import GROUPS
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.parts.buttons import CapButton
from app.parts.caps import KeyCaps, keys_of
from app.parts.overlay import Overlay
from app.parts.sided import scroll_column
from app.parts.text import label

_HEADS = {"answering": QT_TRANSLATE_NOOP("keys", "Doing"), "moving": QT_TRANSLATE_NOOP("keys", "Moving"),
          "looking": QT_TRANSLATE_NOOP("keys", "Looking")}

HelpRow = tuple[str, list[str], str]


def help_rows(actions: Iterable[CommandAction], more: Iterable[HelpRow] = ()) -> list[HelpRow]:
    """(group, caps, words) of every command that has a key and can be seen; the page's own rows first."""
    rows = list(more)
    for action in actions:
        if not action.shortcut().isEmpty() and action.isVisible():
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.PortableText)
            rows.append((action.command.group, keys_of(keys), action.text().replace("&", "")))
    return rows


class KeyHelp(Overlay):
    """Three columns, or as many as fit."""

    def __init__(self, window: QWidget, rows: Iterable[HelpRow]) -> None:
        super().__init__(window, "")
        self.setAccessibleName(self.tr("Keys on this page"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        by_group = {group: [row for row in rows if row[0] == group] for group in GROUPS}
        head = QHBoxLayout()
        head.addWidget(label(self.tr("Keys on this page"), "title"))
        head.addStretch(1)
        close = CapButton(self.tr("Close"), kind="flat", keys="Esc")
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close.clicked.connect(self.close_overlay)
        head.addWidget(close)
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, theme.space("m"), 0)
        grid.setHorizontalSpacing(theme.space("xl"))
        beside = 1 if theme.is_large() else 3
        for n, group in enumerate(GROUPS):
            grid.addWidget(self._column(translate(_HEADS[group], "keys"), by_group[group]), n // beside, n % beside,
                           Qt.AlignmentFlag.AlignTop)
            grid.setColumnStretch(n % beside, 1)
        self._scroll = scroll_column(inside, "raised")
        self._inside = inside
        column = QVBoxLayout(self.box)
        edge = theme.space("xl")
        column.setContentsMargins(edge + 4, edge - 4, edge, edge - 4)
        column.setSpacing(theme.space("l"))
        column.addLayout(head)
        column.addWidget(self._scroll, 1)
        column.addWidget(label(self.tr("Bare letters and digits belong to the questions; commands always carry "
                                       "Ctrl, Alt or are F-keys."), "caption", "ink2", wrap=True))

    def _column(self, head: str, rows: list[HelpRow]) -> QWidget:
        made = QWidget()
        grid = QGridLayout(made)
        grid.setContentsMargins(0, 0, 0, theme.space("m"))
        grid.setVerticalSpacing(theme.space("s"))
        grid.setHorizontalSpacing(theme.space("s"))
        grid.addWidget(label(head, "strong"), 0, 0, 1, 2)
        grid.setColumnMinimumWidth(0, theme.wide(112))
        grid.setColumnStretch(1, 1)
        for n, (_group, keys, words) in enumerate(rows, 1):
            grid.addWidget(KeyCaps(keys), n, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label(words, "body", "ink", wrap=True), n, 1)
        return made

    def box_rect(self) -> QRect:
        window = self.parentWidget()
        wide = min(theme.wide(theme.size("help")), window.width() - 2 * theme.space("xxl"))
        inner = wide - 3 * theme.space("xl")
        wanted = max(self._inside.layout().totalHeightForWidth(inner), self._inside.sizeHint().height())
        extra = theme.metrics("title").height() + theme.metrics("caption").height() * 2 + 4 * theme.space("xl")
        tall = min(wanted + extra, window.height() - 2 * theme.space("xxl"))
        return QRect((window.width() - wide) // 2, max(theme.space("xxl"), (window.height() - tall) // 3), wide, tall)

    def open(self) -> None:
        super().open()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self._scroll.verticalScrollBar()
        steps = {Qt.Key.Key_Down: bar.singleStep(), Qt.Key.Key_Up: -bar.singleStep(),
                 Qt.Key.Key_PageDown: bar.pageStep(), Qt.Key.Key_PageUp: -bar.pageStep()}
        if event.key() in steps:
            bar.setValue(bar.value() + steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)
