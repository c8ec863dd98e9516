"""Preferences: made from the settings as they are declared; every change shows at once."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.context import Context
from app.i18n import translate
from app.page import Page
from app.parts.buttons import CapButton
from app.parts.field import Choice
from app.parts.option import OptionButton
from app.parts.sided import scroll_column
from app.parts.surface import Hairline
from app.parts.text import PageHead, label, number
from app.settings import DECLARED, Setting


class _Percent(QWidget):
    """A number with a step down and a step up."""

    def __init__(self, name: str, context: Context, setting: Setting) -> None:
        super().__init__()
        self._context, self._setting = context, setting
        self._shown = number("", "body")
        self._less = CapButton(icon="minus", tip=self.tr("{name}: smaller").format(name=name))
        self._more = CapButton(icon="plus", tip=self.tr("{name}: larger").format(name=name))
        self._less.clicked.connect(self._step_down)
        self._more.clicked.connect(self._step_up)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space("s"))
        for part in (self._less, self._shown, self._more):
            row.addWidget(part)
        self.show_value()

    def show_value(self) -> None:
        value = self._context.settings.get(self._setting.name)
        self._shown.setText(f"{value} %")
        self._shown.setMinimumWidth(theme.metrics("body").horizontalAdvance("200 %") + 2)
        self._less.setEnabled(value > 85)
        self._more.setEnabled(value < 200)

    @Slot()
    def _step_down(self) -> None:
        self._context.settings.set("text_size", max(85, -(-self._context.settings.get("text_size") // 10) * 10 - 10))

    @Slot()
    def _step_up(self) -> None:
        self._context.settings.set("text_size", min(200, self._context.settings.get("text_size") // 10 * 10 + 10))


class PreferencesPage(Page):
    name = "preferences"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._shown: dict[str, QWidget] = {}
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(theme.space("page_left"), theme.space("page_top"), theme.space("page_right"),
                                  theme.space("l"))
        column.setSpacing(0)
        column.addWidget(PageHead(self.tr("Preferences")))
        group = ""
        for setting in DECLARED.values():
            if setting.kind == "state":
                continue
            if setting.group != group:
                group = setting.group
                column.addSpacing(theme.space("xl"))
                column.addWidget(label(translate(group, "settings"), "strong"))
                column.addSpacing(theme.space("xs"))
                column.addWidget(Hairline())
            column.addWidget(self._row(setting))
            column.addWidget(Hairline())
        column.addStretch(1)
        self._inside = inside
        outer = QHBoxLayout(self.body)
        outer.setContentsMargins(0, 0, 0, 0)
        self._scroll = scroll_column(inside)
        outer.addWidget(self._scroll)
        self.restyle()
        context.settings.changed.connect(self._changed)

    def restyle(self) -> None:
        self._inside.setMaximumWidth(max(theme.size("reading_column"), theme.wide(theme.size("reading_column")))
                                     + theme.space("page_left") + theme.space("page_right"))

    def parts(self) -> list[QWidget]:
        return [self._inside]

    def _row(self, setting: Setting) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, theme.space("m"), 0, theme.space("m"))
        row.setSpacing(theme.space("xl"))
        words = QVBoxLayout()
        words.setSpacing(theme.space("xxs"))
        name = translate(setting.label, "settings")
        words.addWidget(label(name, "body", wrap=True))
        if setting.hint:
            words.addWidget(label(translate(setting.hint, "settings"), "caption", "ink2", wrap=True))
        row.addLayout(words, 1)
        control = self._control(setting, name)
        self._shown[setting.name] = control
        row.addWidget(control, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return made

    def _control(self, setting: Setting, name: str) -> QWidget:
        if setting.kind == "choice":
            made = Choice(name, [(value, translate(words, "settings")) for value, words in setting.choices])
            made.setObjectName(f"setting:{setting.name}")
            made.set_value(self.context.settings.get(setting.name))
            made.activated.connect(self._chosen)
            return made
        if setting.kind == "percent":
            return _Percent(name, self.context, setting)
        switch = OptionButton(self.tr("On"), multi=True)
        switch.setObjectName(f"setting:{setting.name}")
        switch.setAccessibleName(name)
        switch.setChecked(self.context.settings.get(setting.name))
        switch.clicked.connect(self._switched)
        return switch

    @Slot()
    def _chosen(self) -> None:
        made = self.sender()
        if isinstance(made, Choice):
            self.context.settings.set(made.objectName().partition(":")[2], made.value())

    @Slot()
    def _switched(self) -> None:
        name = self.sender().objectName().partition(":")[2]
        self.context.settings.set(name, not self.context.settings.get(name))

    @Slot(str)
    def _changed(self, name: str) -> None:
        control = self._shown.get(name)
        value: Any = self.context.settings.get(name) if control is not None else None
        if isinstance(control, Choice):
            control.set_value(value)
        elif isinstance(control, _Percent):
            control.show_value()
        elif isinstance(control, OptionButton):
            control.setChecked(bool(value))
