"""A share of something with its Wilson interval, and plain summaries of one person's work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.agreement.intervals import quantile, wilson


@dataclass(frozen=True, slots=True)
class Share:
    """``count`` of ``n``. ``value`` and ``ci`` (Wilson, without continuity) are None for n = 0; ``reason`` says why."""

    value: float | None
    ci: tuple[float, float] | None
    count: int
    n: int
    level: float = 0.95
    reason: str | None = None


def share(count: int, n: int, *, nothing: str = "there is nothing to take a share of", level: float = 0.95) -> Share:
    """``count / n`` with the interval of Wilson (1927); ``nothing`` is the reason where n = 0."""
    if n == 0:
        return Share(None, None, 0, 0, level, nothing)
    return Share(count / n, wilson(count, n, level=level), count, n, level)


def accuracy_of(given: Sequence[object], expected: Sequence[object], *, level: float = 0.95) -> Share:
    """Share of answers equal to what was expected (gold or attention items); a None on either side does not count.

    The interval takes the answers as independent of each other.
    """
    pairs = [(one, other) for one, other in zip(given, expected, strict=True) if one is not None and other is not None]
    return share(sum(one == other for one, other in pairs), len(pairs), level=level,
                 nothing="no answer stands beside an expected one")


@dataclass(frozen=True, slots=True)
class Speed:
    """Seconds per task: median and quartiles (type 7), None where no time is known."""

    n: int
    median: float | None
    lower: float | None
    upper: float | None
    reason: str | None = None


def speed_of(seconds: Iterable[float | None]) -> Speed:
    """Median and quartiles: a task left open over lunch moves a mean, not a median. None is a time nobody knows."""
    known = np.sort(np.array([one for one in seconds if one is not None], dtype=np.float64))
    if not len(known):
        return Speed(0, None, None, None, "no time is known")
    return Speed(len(known), quantile(known, 0.5), quantile(known, 0.25), quantile(known, 0.75))
