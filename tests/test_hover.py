"""What can be pressed is painted anew as the pointer comes and goes, by one attribute of Qt."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.parts.buttons import CapButton
from app.parts.option import CapRow
from app.parts.tabs import Tabs


class Paints(QObject):
    """Counts the paint events of a widget."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.n = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        self.n += event.type() == QEvent.Type.Paint
        return False


def _tab(parent: QWidget) -> QWidget:
    return Tabs("sections", ("One", "Two"), parent)


@pytest.mark.parametrize("make", [lambda parent: CapButton("Send", parent=parent), _tab,
                                  lambda parent: CapRow("3", name="three", parent=parent)],
                         ids=["button", "tab", "point of a scale"])
def test_the_pointer_that_comes_or_goes_paints_it_anew(qtbot, make) -> None:
    home = QWidget()
    qtbot.addWidget(home)
    column = QVBoxLayout(home)
    made, beside = make(home), QLabel("beside", home)
    column.addWidget(beside)
    column.addWidget(made)
    home.show()
    qtbot.waitExposed(home)
    watched = made.findChildren(QWidget)[1] if isinstance(made, Tabs) else made
    QTest.mouseMove(beside)
    qtbot.wait(30)
    paints = Paints(watched)
    QTest.mouseMove(watched, QPoint(5, 5))
    qtbot.waitUntil(lambda: paints.n >= 1)
    before = paints.n
    QTest.mouseMove(beside)
    qtbot.waitUntil(lambda: paints.n > before)
