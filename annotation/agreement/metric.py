"""What a metric is: its name, how it is built from patterns at each level, and whom and what it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from annotation.agreement.ratings import Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Statistic
from annotation.errors import N_, Refused
from annotation.registry import Registry

Build = Callable[[Patterns, Scale], Statistic]


@dataclass(frozen=True, slots=True)
class Analytic:
    """A closed-form interval, and its standard error where there is one; ``method`` names it wherever it goes."""

    se: float | None
    low: float
    high: float
    method: str


@dataclass(frozen=True, slots=True)
class Metric:
    """``builds`` by level (one entry None where the metric has no level); ``constant``: what no variation means.

    ``ordered``: patterns say who gave which value (``collapse``). ``least``: units with fewer values stay out.
    ``people``: fewest and most people. ``weights``: those it takes, the first by default; () for none.
    ``needs_numbers``: the values must have numbers although there is no level. ``why``: what in the data makes the
    value undefined, in words; where it finds nothing, ``constant`` is the reason. ``bounds``: between which the value
    lies, for the jackknife's interval (None: it has no upper end, as a mean difference).
    """

    name: str
    builds: Mapping[str | None, Build]
    constant: str | None = None
    ordered: bool = False
    least: int = 2
    people: tuple[int, int | None] = (2, None)
    weights: tuple[str, ...] = ()
    needs_numbers: bool = False
    analytic: Callable[[Patterns, Scale], Analytic | None] | None = None
    why: Callable[[Patterns, Scale], str | None] | None = None
    bounds: tuple[float, float] | None = (-1.0, 1.0)


metrics: Registry[Metric] = Registry("metric")


def weights_for(metric: Metric, weights: str | None) -> str | None:
    """The weights to compute with: as asked, else the metric's own; Refused where it does not take them."""
    if not metric.weights:
        if weights not in (None, "unweighted"):
            raise Refused(N_("{metric} takes no weights"), code="bad_value", metric=metric.name)
        return None
    chosen = weights or metric.weights[0]
    if chosen not in metric.weights:
        raise Refused(N_("{metric} has no weights '{weights}'. There are: {known}."), code="unknown",
                      metric=metric.name, weights=chosen, known=", ".join(metric.weights))
    return chosen
