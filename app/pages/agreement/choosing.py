"""Another coefficient for the question that is shown: metric, level, weights and interval, where it suits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QWidget

from annotation.agreement.catalogue import metrics
from app import theme
from app.pages.agreement import names
from app.pages.agreement.reading import INTERVALS, Asked
from app.parts.buttons import CapButton
from app.parts.field import Choice
from app.parts.text import label

# The levels that the answers of a question can be read on.
_LEVELS = {
    "nominal": ("nominal",), "ordinal": ("ordinal", "nominal", "interval"),
    "interval": ("interval", "ordinal", "nominal", "ratio", "circular"), "set": ("masi", "jaccard", "nominal"),
}
LETTERS = 18  # of a value that are seen
# Metrics that are rows of the registry for the command line, and of no use as the number of a question.
_ELSEWHERE = frozenset({"mcnemar"})


def metrics_for(scale: str) -> tuple[str, ...]:
    """The metrics that suit a question of this scale, in the order they were declared; alpha first."""
    numbers = scale in ("ordinal", "interval")
    found = [name for name in metrics if name not in _ELSEWHERE and (numbers or not metrics[name].needs_numbers)
             and (None in metrics[name].builds or levels_for(name, scale))]
    return tuple(sorted(found, key=lambda name: (name != "krippendorff_alpha", name != "percent_agreement")))


def levels_for(metric: str, scale: str) -> tuple[str, ...]:
    """The levels of a metric that suit a question; () where it has none."""
    builds = metrics[metric].builds
    return tuple(name for name in _LEVELS.get(scale, ("nominal",)) if name in builds)


def weights_for(metric: str, scale: str) -> tuple[str, ...]:
    """The weights of a metric, its own first; nominal answers have no order to weigh by."""
    return metrics[metric].weights if scale in ("ordinal", "interval") else ()


def intervals_for(metric: str) -> tuple[str, ...]:
    """The intervals that a metric has: the closed form where there is one, Krippendorff's own for alpha."""
    if metric not in metrics:
        return ()
    return tuple(name for name in INTERVALS if (name != "analytic" or metrics[metric].analytic is not None)
                 and (name != "krippendorff" or metric == "krippendorff_alpha"))


class ChoiceBar(QWidget):
    """``chosen`` carries the new Asked; ``undone``: as the protocol says, for the question that is shown;
    ``by_chosen``: the field to cut its items by ("": none)."""

    chosen = Signal(object)
    undone = Signal(str)
    by_chosen = Signal(str)

    def __init__(self, protocol: Any, fields: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._protocol = protocol
        self._asked: Asked | None = None
        self._metric = Choice(self.tr("Coefficient"))
        self._level = Choice(self.tr("Level of measurement"))
        self._weights = Choice(self.tr("Weights"))
        self._interval = Choice(self.tr("Interval"))
        self._by = Choice(self.tr("Slices by"), [*fields, ("", self.tr("No slices"))] if fields else ())
        self._by.setObjectName("agreement:by")
        self._by.activated.connect(self._by_pressed)
        self._back = CapButton(self.tr("As the protocol says"), kind="link")
        self._back.clicked.connect(self._undo)
        self._fields = (self._metric, self._interval, self._level, self._weights, self._by)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.space("m"))
        self._grid.setVerticalSpacing(theme.space("xs"))
        self._heads = []
        for field in self._fields:
            head = label(field.accessibleName(), "label", "ink2")
            head.setBuddy(field)
            self._heads.append(head)
            field.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            field.setMinimumContentsLength(LETTERS)
            if field is not self._by:
                field.activated.connect(self._pressed)
        self._grid.setColumnStretch(2, 1)
        self._lay()

    def _lay(self) -> None:
        """Two fields a line, those that suit the question."""
        shown = [n for n, field in enumerate(self._fields) if field.count()]
        for part in (*self._heads, *self._fields, self._back):
            self._grid.removeWidget(part)
        for n, (head, field) in enumerate(zip(self._heads, self._fields, strict=True)):
            if n in shown:
                at = shown.index(n)
                self._grid.addWidget(head, 2 * (at // 2), at % 2)
                self._grid.addWidget(field, 2 * (at // 2) + 1, at % 2)
            for part in (head, field):
                if part.parentWidget() is not None:
                    part.setVisible(n in shown)
        at = len(shown)  # in the free place, or below
        self._grid.addWidget(self._back, 2 * (at // 2) + 1, at % 2)
        self._shown = shown

    def by(self) -> str:
        return self._by.value()

    def set_by(self, by: str) -> None:
        self._by.set_value(by)

    def show_asked(self, asked: Asked, level: str | None, weights: str | None) -> None:
        """The choices of a row; ``level`` and ``weights`` are what it was computed with."""
        if self._busy():
            return  # a list is open: do not change it under somebody's hands
        self._asked = asked
        scale = self._protocol.scale_of(asked.question)
        offered = metrics_for(scale)
        listed = offered if asked.metric in offered else (asked.metric, *offered)
        _fill(self._metric, [(name, names.metric_name(name)) for name in listed], asked.metric)
        known = asked.metric in metrics
        levels = levels_for(asked.metric, scale) if known else ()
        _fill(self._level, [(name, names.level(name)) for name in levels], level or "")
        offered = weights_for(asked.metric, scale) if known else ()
        _fill(self._weights, [(name, names.weights(name)) for name in offered], weights or "")
        _fill(self._interval, [(name, names.interval_kind(name)) for name in intervals_for(asked.metric)],
              asked.interval or INTERVALS[0])
        if self._shown != [n for n, field in enumerate(self._fields) if field.count()]:
            self._lay()
        self._back.setVisible(asked.chosen)

    def _busy(self) -> bool:
        return any(field.view().isVisible() for field in self._fields)

    @Slot(int)
    def _pressed(self, _at: int) -> None:
        asked, field = self._asked, self.sender()
        if asked is None:
            return
        if field is self._metric:
            if self._metric.value() == asked.metric:
                return
            metric = self._metric.value()
            kept = asked.interval if asked.interval in intervals_for(metric) else None
            made = Asked(asked.question, metric, interval=kept, chosen=True)
        else:
            made = replace(asked, level=self._level.value() or None, weights=self._weights.value() or None,
                           interval=self._interval.value() or None, chosen=True)
            if replace(made, chosen=asked.chosen) == asked:
                return
        self.chosen.emit(made)

    @Slot(int)
    def _by_pressed(self, _at: int) -> None:
        self.by_chosen.emit(self.by())

    @Slot()
    def _undo(self) -> None:
        if self._asked is not None:
            self.undone.emit(self._asked.question)


def _fill(field: Choice, options: Sequence[tuple[str, str]], value: str) -> None:
    if [(field.itemData(n), field.itemText(n)) for n in range(field.count())] != list(options):
        field.set_options(options)
    if options:
        field.set_value(value)
