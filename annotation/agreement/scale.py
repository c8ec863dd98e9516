"""What a metric knows of the values that are compared, beside how often they occur."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.agreement.ratings import Floats


@dataclass(frozen=True, slots=True)
class Scale:
    """``labels`` (V,) and ``numbers`` (V,; NaN where a value has none) of the values of the patterns.

    For levels above nominal the values stand in the order of their numbers. ``declared``: the options that the
    question offers, in their order; () where it is open. ``period``: of the level circular, None: largest less
    smallest value plus 1.
    """

    labels: tuple[str, ...]
    numbers: Floats
    declared: tuple[str, ...] = ()
    level: str | None = None
    weights: str | None = None
    period: float | None = None

    @property
    def categories(self) -> int:
        """q of Brennan-Prediger and of Gwet's AC1: what was offered, and whatever else was answered."""
        return len({*self.declared, *self.labels}) if self.declared else len(self.labels)
