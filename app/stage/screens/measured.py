"""What the self-test of this machine has measured: a sentence, and the table behind it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from app import theme
from app.parts.surface import Hairline
from app.parts.text import icon_label, label
from app.stage.screens.base import BROAD, WordScreen


class MeasuredScreen(WordScreen):
    """``completed``: {}. ``table``: what was measured, and how much it was."""

    def __init__(self, verdict: str, table: Sequence[tuple[str, str]], *, good: bool,
                 parent: QWidget | None = None) -> None:
        super().__init__(width=BROAD, parent=parent)
        self._text = "\n".join([verdict, "", *(f"{name}\t{value}" for name, value in table)])
        self.add_heading(self.tr("The timing of this machine"))
        tone = "good" if good else "warn"
        said = QGridLayout()
        said.setHorizontalSpacing(theme.space("s"))
        said.addWidget(icon_label("check-circle" if good else "warning", tone, "icon"), 0, 0, Qt.AlignmentFlag.AlignTop)
        said.addWidget(label(verdict, "reading", "ink", wrap=True), 0, 1)
        said.setColumnStretch(1, 1)
        self.column.addLayout(said)
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.space("xl"))
        grid.setVerticalSpacing(theme.space("xs"))
        for row, (name, value) in enumerate(table):
            grid.addWidget(label(name, "body", "ink2"), 2 * row, 0)
            grid.addWidget(label(value, "body", "ink", wrap=True), 2 * row, 1)
            if row < len(table) - 1:
                grid.addWidget(Hairline(), 2 * row + 1, 0, 1, 2)
        grid.setColumnStretch(1, 1)
        self.column.addLayout(grid)
        self.add_primary(self.tr("Close"), "Return").clicked.connect(self._close)
        self._copy = self.add_button(self.tr("Copy"), kind="flat")
        self._copy.clicked.connect(self._copied)
        self.end_foot()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _copied(self) -> None:
        QGuiApplication.clipboard().setText(self._text)
        self._copy.set_text(self.tr("Copied"))

    @Slot()
    def _close(self) -> None:
        self.complete()
