"""The head of an item: its key, its tags, the guideline; how far, and the time at it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app import theme
from app.item.clock import Clock, read_out
from app.parts.buttons import CapButton
from app.parts.chip import Chip
from app.parts.meter import Meter
from app.parts.surface import Surface
from app.parts.text import KeyLabel, icon_label, label


class ItemHead(Surface):
    """48 high over the item. The clock ticks once a second, its digits only."""

    guideline_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("page", sides="bottom", parent=parent)
        self.key = theme.dress(KeyLabel(), "strong", "ink")
        self.key.setTextFormat(Qt.TextFormat.PlainText)
        self.key.setObjectName("item:key")
        self.key.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.stage = Chip("", kind="info", icon="")
        self.stage.hide()
        self.flag = Chip(self.tr("Flagged"), kind="warn", icon="flag")
        self.flag.hide()
        self._tags = QWidget()
        self._tag_row = QHBoxLayout(self._tags)
        self._tag_row.setContentsMargins(0, 0, 0, 0)
        self._tag_row.setSpacing(theme.space("xs"))
        self.guideline = CapButton(self.tr("Guideline"), kind="flat", keys="F2")
        self.guideline.clicked.connect(self.guideline_asked)
        self.count = label("", "body", "ink2")
        self.meter = Meter(mine=True, width=120)
        self._watch = icon_label("timer", size="icon")
        self.time = label("", "body", "ink2")
        self._clock: Clock | None = None
        self._shows_meter = False
        self._tick = QTimer(self)
        self._tick.setInterval(1000)
        self._tick.timeout.connect(self.show_time)
        row = QHBoxLayout(self)
        side, above = theme.space("page_left"), theme.space("xs")
        row.setContentsMargins(side, above, theme.space("page_right"), above)
        row.setSpacing(theme.space("s"))
        row.addWidget(self.key)
        row.addWidget(self._tags)
        row.addWidget(self.stage)
        row.addWidget(self.flag)
        row.addWidget(self.guideline)
        row.addStretch(1)
        row.addWidget(self.count)
        row.addWidget(self.meter)
        self._watch.setContentsMargins(theme.space("l"), 0, 0, 0)
        row.addWidget(self._watch)
        row.addWidget(self.time)
        self.restyle()

    def set_tags(self, viewers: Sequence[QWidget]) -> None:
        """Chips of the item's tag fields."""
        while self._tag_row.count():
            taken = self._tag_row.takeAt(0)
            widget = taken.widget() if taken is not None else None
            if widget is not None and widget not in viewers:
                widget.hide()
        for viewer in viewers:
            self._tag_row.addWidget(viewer)
        self._fit()

    def show_item(self, key: str, stage: str = "") -> None:
        self.key.setText(key)
        self.stage.set_text(stage)
        self.stage.setVisible(bool(stage))
        self.flag.hide()
        self._fit()

    def show_flag(self, flagged: bool) -> None:
        self.flag.setVisible(flagged)
        self._fit()

    def show_progress(self, done: int, of: int) -> None:
        self.count.setText(self.tr("{done} of {of}").format(done=done, of=of))
        self.meter.set_value(done, of)
        self._shows_meter = of > 0
        self._fit()

    def show_left(self, text: str) -> None:
        """A count in words, where there is no "38 of 120"."""
        self.count.setText(text)
        self._shows_meter = False
        self._fit()

    def run(self, clock: Clock | None) -> None:
        """Show this clock's total time from now on; None shows none."""
        self._clock = clock
        self.show_time()
        self._fit()
        if clock is None:
            self._tick.stop()
        else:
            self._tick.start()

    def show_time(self) -> None:
        self.time.setText(read_out(self._clock.total_ms) if self._clock else "")
        self.time.setAccessibleName(self.tr("Active time {time}").format(time=self.time.text()))

    def restyle(self) -> None:
        self.setFixedHeight(theme.height("item_head"))
        self._watch.setProperty("icon_size", theme.scaled("icon"))
        theme.dress(self._watch)
        self._fit()
        QTimer.singleShot(0, self, self._fit)  # once the tags have their new size too

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """A long key gives way to a third of the room; then what is least needed leaves: the guideline button (F2
        stays), tags, the meter."""
        for widget, wanted in ((self.guideline, True), (self._tags, True), (self.meter, self._shows_meter),
                               (self._watch, self._clock is not None), (self.time, self._clock is not None)):
            widget.setVisible(wanted)
        room = self.width() - theme.space("page_left") - theme.space("page_right") - 2 * theme.space("l")
        shown = (self.key, self._tags, self.stage, self.flag, self.guideline, self.count, self.meter, self._watch,
                 self.time)
        for leaving in (self.guideline, self._tags, self.meter, None):
            used = sum(min(one.sizeHint().width(), room // 3 if one is self.key else room) + theme.space("s")
                       for one in shown if not one.isHidden())
            if leaving is None or (used <= room and not (leaving is self.guideline and theme.is_large())):
                break
            leaving.hide()
