"""Length bias: whether the longer of two answers wins, and how much a doubling adds to the log odds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from annotation.agreement.intervals import normal_quantile
from annotation.agreement.preferences.comparisons import Comparisons, Floats
from annotation.agreement.share import Share, share


@dataclass(frozen=True, slots=True)
class LengthBias:
    """``longer``: share of decided pairs of unequal length that the longer answer won (Wilson).

    ``slope``: what a doubling of the length ratio adds to the log odds of winning, with the effect of the place
    held fast (``place``: log odds that standing first adds); Wald intervals. ``unknown``: pairs without both lengths.
    """

    longer: Share
    slope: float | None
    slope_se: float | None
    slope_ci: tuple[float, float] | None
    place: float | None
    n: int
    equal: int
    ties: int
    unknown: int
    reason: str | None = None


def length_bias(comparisons: Comparisons, lengths: Mapping[tuple[str, str], float], *,
                level: float = 0.95) -> LengthBias:
    """``lengths``: (item, name) -> length of that answer in any unit (characters, words), above 0.

    Logistic regression of "the first won" on log2(length of the first / of the second) and a constant, over decided
    pairs. It says what goes with length, not what length causes: better answers may be longer.
    """
    ratio = np.array([_log_ratio(lengths.get((comparisons.items[i], comparisons.names[a])),
                                 lengths.get((comparisons.items[i], comparisons.names[b])))
                      for i, a, b in zip(comparisons.item.tolist(), comparisons.first.tolist(),
                                         comparisons.second.tolist(), strict=True)], dtype=np.float64)
    known, decided = np.isfinite(ratio), comparisons.outcome != 0
    x, won = ratio[known & decided], comparisons.outcome[known & decided] > 0
    unequal = x != 0
    longer = share(int(((x > 0) == won)[unequal].sum()), int(unequal.sum()), level=level,
                   nothing="no decided pair has two known, unequal lengths")
    none = LengthBias(longer, None, None, None, None, n=len(x), equal=int((~unequal).sum()),
                      ties=int((known & ~decided).sum()), unknown=int((~known).sum()))
    found = _logistic(x, won)
    if isinstance(found, str):
        return replace(none, reason=found)
    place, slope, se = found
    half = normal_quantile(0.5 + level / 2.0) * se
    return replace(none, slope=slope, slope_se=se, slope_ci=(slope - half, slope + half), place=place)


def _log_ratio(one: float | None, other: float | None) -> float:
    return float(np.log2(one / other)) if one and other and one > 0 and other > 0 else float("nan")


def _logistic(x: Floats, won: np.ndarray) -> tuple[float, float, float] | str:
    """Constant, slope and the slope's SE by Newton; a sentence where the likelihood has no maximum."""
    if not len(x) or x.min() == x.max():
        return "the lengths do not differ from pair to pair, so there is no slope"
    if won.all() or not won.any():
        return "one side won every decided pair, so the slope has no finite estimate"
    for one, other in ((won, ~won), (~won, won)):
        if x[one].min() >= x[other].max():
            return "length alone tells every winner, so the slope has no finite estimate"
    design, y, b = np.column_stack([np.ones(len(x)), x]), won.astype(np.float64), np.zeros(2)

    def loglik(b: Floats) -> float:
        eta = design @ b
        return float((y * eta - np.logaddexp(0.0, eta)).sum())

    information = np.eye(2)
    for _ in range(100):
        p = 1.0 / (1.0 + np.exp(-(design @ b)))
        information = (design * (p * (1.0 - p))[:, None]).T @ design
        step = np.linalg.solve(information, design.T @ (y - p))
        while loglik(b + step) < loglik(b) - 1e-10 * (1 + abs(loglik(b))) and np.abs(step).max() > 1e-12:
            step = step / 2.0
        b = b + step
        if np.abs(step).max() < 1e-10:
            break
    return float(b[0]), float(b[1]), float(np.sqrt(np.linalg.inv(information)[1, 1]))
