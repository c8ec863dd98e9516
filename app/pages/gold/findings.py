"""What preflight found before a release: a row each, the weighty first, with the way to its items and its waiver."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import figures, theme
from app.pages.gold import words
from app.pages.gold.waiving import WaiveForm
from app.parts.boxes import clear
from app.parts.buttons import CapButton
from app.parts.surface import Surface
from app.parts.text import icon_label, label, number
from exports.preflight import NOT_SEARCHED, Finding, kinds

PICTURED = ("image", "images", "candidates", "steps")
_SIGNS = {"bad": "bad", "warn": "warn", "info": "info", "good": "good"}


class Findings(QWidget):
    """``asked`` carries the keys of a finding's items, ``waived`` (code, keys, reason), ``taken_back`` a waiver."""

    asked = Signal(object)
    waived = Signal(str, object, str)
    taken_back = Signal(str)

    def __init__(self, protocol: Any, *, may_waive: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._protocol, self._may_waive = protocol, may_waive
        self._shown: dict[str, Finding] = {}
        self._forms: dict[str, WaiveForm] = {}
        self._rows = QWidget()
        self._column = QVBoxLayout(self._rows)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._note = label("", "caption", "ink2", wrap=True)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(theme.space("s"))
        outer.addWidget(self._rows)
        outer.addWidget(self._note)

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Rows anew; what has the focus keeps it where its row is still there."""
        focused = next((one.objectName() for one in self.findChildren(CapButton) if one.hasFocus()), "")
        typing = next(((code, form.reason()) for code, form in self._forms.items() if not form.isHidden()), None)
        clear(self._column)
        self._shown, self._forms = {}, {}
        for finding in sorted(findings, key=lambda one: one.state == "waived"):
            self._add(finding)
        found = {one.theme for one in findings}
        for theme_name in self._themes():
            if theme_name not in found:
                self._column.addWidget(self._good(theme_name))
        self._note.setText(self.tr(NOT_SEARCHED))
        if typing is not None and typing[0] in self._forms:
            self._forms[typing[0]].open(typing[1])
        elif focused and (again := self.findChild(CapButton, focused)) is not None:
            again.setFocus()

    def refuse(self, code: str, text: str) -> None:
        """Say under the reason of a finding why it was not waived."""
        if code in self._forms:
            self._forms[code].refuse(text)

    def _themes(self) -> Iterable[str]:
        pictured = any(field.kind in PICTURED for field in self._protocol.fields)
        return (one for one in words.THEMES if pictured or one != "unlicensed")

    # --- rows -----------------------------------------------------------------------------------------------

    def _add(self, finding: Finding) -> None:
        name = finding.code if finding.waiver is None else f"{finding.code}:{finding.waiver['id']}"
        self._shown[name] = finding
        said = words.sentence(finding)
        if finding.waiver is not None:
            said = self.tr("{what} Waived by {by} on {day}: {reason}").format(
                what=said, by=finding.waiver["by"], day=finding.waiver["day"], reason=finding.waiver["reason"])
        buttons = []
        n = len(finding.items)
        if n:
            buttons.append(self._button(f"show:{name}", self.tr("Show {n}").format(n=figures.count(n)), finding))
        if self._may_waive and finding.waiver is not None:
            buttons.append(self._button(f"back:{name}", self.tr("Take back"), finding))
        elif self._may_waive and finding.severity != "info" and n and kinds[finding.code].can_waive:
            buttons.append(self._button(f"waive:{name}", self.tr("Waive"), finding))
        sign = "info" if finding.waiver is not None else finding.severity
        self._column.addWidget(_row(f"check:{name}", sign, words.name(finding.code), n, said,
                                    words.theme_name(finding.theme), buttons))
        if finding.waiver is None:
            form = WaiveForm(finding.code, parent=self._rows)
            form.given.connect(self._given)
            self._forms[name] = form
            self._column.addWidget(form)

    def _good(self, theme_name: str) -> QWidget:
        return _row(f"check:{theme_name}", "good", words.theme_name(theme_name), 0, words.nothing(theme_name), "", [])

    def _button(self, name: str, text: str, finding: Finding) -> CapButton:
        made = CapButton(text, kind="link")
        made.setObjectName(name)
        made.setAccessibleName(f"{text}: {words.name(finding.code)}")
        made.clicked.connect(self._pressed)
        return made

    @Slot()
    def _pressed(self) -> None:
        deed, _, name = self.sender().objectName().partition(":")
        finding = self._shown[name]
        if deed == "show":
            self.asked.emit(finding.items)
        elif deed == "back" and finding.waiver is not None:
            self.taken_back.emit(finding.waiver["id"])
        elif deed == "waive":
            for code, form in self._forms.items():
                if code == name:
                    form.open("")
                else:
                    form.close_form()

    @Slot(str, str)
    def _given(self, code: str, reason: str) -> None:
        self.waived.emit(code, self._shown[code].items, reason)


def _row(name: str, sign: str, title: str, n: int, said: str, theme_name: str, buttons: Sequence[CapButton]) -> QWidget:
    row = Surface("page", sides="bottom")
    row.setObjectName(name)
    row.setAccessibleName(f"{title}: {figures.count(n)}. {said}")
    named = QWidget()
    named.setFixedWidth(theme.wide(152))
    names = QVBoxLayout(named)
    names.setContentsMargins(0, 0, 0, 0)
    names.setSpacing(0)
    names.addStretch(1)
    names.addWidget(label(title, "body", "ink", wrap=True))
    if theme_name:
        names.addWidget(label(theme_name, "caption", "ink2"))
    names.addStretch(1)
    counted = number(figures.count(n))
    counted.setMinimumWidth(theme.wide(40))
    line = QHBoxLayout(row)
    line.setContentsMargins(0, theme.space("xs"), 0, theme.space("xs"))
    line.setSpacing(theme.space("m"))
    line.addWidget(icon_label(_SIGNS[sign], sign))
    line.addWidget(named)
    line.addWidget(counted)
    line.addWidget(label(said, "body", "ink2" if sign == "good" else "ink", wrap=True), 1)
    for button in buttons:
        line.addWidget(button)
    row.setMinimumHeight(theme.height("table_row", "body"))
    return row
