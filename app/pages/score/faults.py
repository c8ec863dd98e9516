"""A line in place for every file of predictions that was left out: where the fault is, and reading it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import theme
from app.pages.score import words
from app.pages.score.reading import Scored
from app.parts.boxes import clear
from app.parts.line import LineInPlace


class FaultLines(QWidget):
    """Hidden while there is no fault."""

    def __init__(self, again: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._again = again
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.space("xs"))
        self.hide()

    def clear(self) -> None:
        clear(self._column)
        self.hide()

    def show_faults(self, scored: Scored, files: Mapping[str, str]) -> None:
        self.clear()
        for name, refused in scored.faults:
            line = LineInPlace(parent=self)
            line.setObjectName(f"score:fault:{name}")
            self._column.addWidget(line)
            line.say("bad", self.tr("{fault}. The file is not scored.").format(
                fault=words.fault(refused, files.get(name, "")).rstrip(".")), button=self.tr("Read again"), keys="F5",
                act=self._again)
        self.setVisible(bool(scored.faults))
