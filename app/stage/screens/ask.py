"""One question about the participant: options by digits, a number or a short text; it may always be left out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app import theme
from app.parts.field import Field, set_fault
from app.parts.line import LineInPlace
from app.parts.text import label
from app.stage.screens.base import NARROW, WordScreen
from app.stage.screens.room import Room


class AskScreen(WordScreen):
    """``completed``: {"value": text, number or None}; None where it was left out. ``place`` is "2 of 4", or ""."""

    def __init__(self, text: str, *, kind: str = "text", options: Sequence[str] = (), unit: str = "",
                 minimum: float | None = None, maximum: float | None = None, place: str = "", note: str = "",
                 parent: QWidget | None = None) -> None:
        super().__init__(width=NARROW, parent=parent)
        self._kind, self._least, self._most = kind, minimum, maximum
        self._values = tuple(options)
        self._field: Field | None = None
        self._room: Room | None = None
        if place:
            self.column.addWidget(label(place, "body", "ink2"))
        self.add_heading(text)
        if note:
            self.add_text(note)
        if kind == "choice":
            self.add_options(self._values)
        else:
            self._add_field(text, unit)
        self._fault = LineInPlace("bad")
        self.column.addWidget(self._fault)
        if kind != "choice":
            self.add_primary(self.tr("Go on"), "Return").clicked.connect(self._take)
        out = self.add_button(self.tr("Leave this out"), "0" if kind == "choice" else "", kind="flat")
        out.clicked.connect(self._leave_out)
        self.end_foot()

    def _add_field(self, text: str, unit: str) -> None:
        self._field = Field(text, hint=unit)
        if self._kind == "number":
            self._field.setMaximumWidth(theme.wide(160))
        self.column.addWidget(self._field)
        if self._kind == "text":
            self._room = Room(self._field)
            self._room.grew.connect(self.fit)
            self.column.addWidget(self._room)

    def focus_first(self) -> None:
        if self._field is not None:
            self._field.setFocus()
        elif self.options:
            self.options[0].setFocus()

    def number(self, n: int) -> bool:
        if self._kind == "choice" and n == 10 and len(self._values) < 10:
            self._leave_out()
        elif self._kind == "choice" and n <= len(self._values):
            self.complete({"value": self._values[n - 1]})
        else:
            return False
        return True

    @Slot()
    def _leave_out(self) -> None:
        self.complete({"value": None})

    @Slot()
    def _take(self) -> None:
        assert self._field is not None
        if self._room is not None and self._room.is_over:
            self._field.setFocus()
            return
        said = self._field.text().strip()
        if self._kind != "number" or not said:
            self.complete({"value": said or None})
            return
        number = _number(said)
        fault = self._fault_of(number)
        if fault or number is None:
            self._fault.say("bad", fault)
            self.fit()
            set_fault(self._field, True)
            self._field.selectAll()
            self._field.setFocus()
        else:
            self.complete({"value": int(number) if number.is_integer() else number})

    def _fault_of(self, number: float | None) -> str:
        if number is None:
            return self.tr("Give a number, such as 34, or leave this out.")
        if self._least is not None and number < self._least:
            return self.tr("Give {least} or more, or leave this out.").format(least=f"{self._least:g}")
        if self._most is not None and number > self._most:
            return self.tr("Give {most} or less, or leave this out.").format(most=f"{self._most:g}")
        return ""


def _number(said: str) -> float | None:
    """A number with a dot or a comma; None for anything else, infinities too."""
    try:
        number = float(said.replace(",", "."))
    except ValueError:
        return None
    return number if abs(number) < 1e9 else None
