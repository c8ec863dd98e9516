"""The checks before a release: a row each, the weighty ones first, with the way to their items."""

from __future__ import annotations

from uuid import UUID

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import figures, theme
from app.pages.gold import words
from app.parts.buttons import CapButton
from app.parts.surface import Surface
from app.parts.text import icon_label, label, number
from exports.outlook import Outlook

_SIGNS = {"bad": "bad", "warn": "warn", "good": "good"}


class Checks(QWidget):
    """``asked`` carries the items of a check whose "Show n" was pressed."""

    asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: dict[str, tuple[UUID, ...]] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def show_outlook(self, protocol: object, outlook: Outlook) -> None:
        focused = next((code for code in self._items if (one := self.findChild(CapButton, f"show:{code}")) is not None
                        and one.hasFocus()), None)
        while self._column.count():
            widget = self._column.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._items = {}
        found = {check.code: check for check in outlook.checks}
        rows = [(check.code, "bad" if check.stops else "warn", check.items) for check in outlook.checks]
        rows += [(code, "good", ()) for code in words.CHECKS
                 if code not in found and words.concerns(protocol, code)]
        for code, weight, items in rows:
            self._items[code] = items
            self._column.addWidget(self._row(code, weight, len(items)))
        if focused is not None and (button := self.findChild(CapButton, f"show:{focused}")) is not None:
            button.setFocus()

    def _row(self, code: str, weight: str, n: int) -> QWidget:
        row = Surface("page", sides="bottom")
        row.setObjectName(f"check:{code}")
        name, said = words.name(code), words.sentence(code, n or int(weight != "good"))
        row.setAccessibleName(f"{name}: {figures.count(n)}. {said}")
        named = label(name, "body", "ink")
        named.setMinimumWidth(theme.wide(112))
        counted = number(figures.count(n))
        counted.setMinimumWidth(theme.wide(40))
        line = QHBoxLayout(row)
        line.setContentsMargins(0, theme.space("xxs"), 0, theme.space("xxs"))
        line.setSpacing(theme.space("m"))
        line.addWidget(icon_label(_SIGNS[weight], weight))
        line.addWidget(named)
        line.addWidget(counted)
        line.addWidget(label(said, "body", "ink2" if weight == "good" else "ink", wrap=True), 1)
        if n:
            show = CapButton(self.tr("Show {n}").format(n=figures.count(n)), kind="link")
            show.setObjectName(f"show:{code}")
            show.setAccessibleName(self.tr("Show {n}: {name}").format(n=figures.count(n), name=name))
            show.clicked.connect(self._pressed)
            line.addWidget(show)
        row.setMinimumHeight(theme.height("table_row", "body"))
        return row

    @Slot()
    def _pressed(self) -> None:
        self.asked.emit(self._items[self.sender().objectName().partition(":")[2]])
