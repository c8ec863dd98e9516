"""How far two different answers still agree: weights between categories, 1 for equal, 0 for the farthest.

The names are Gwet's (2014, ch. 3; R package irrCAC). ``ordinal`` is his fixed weight by ranks, not Krippendorff's
ordinal metric, which depends on the margins. ``linear`` and ``quadratic`` go by the numbers of the categories where
they have numbers, else by their places, as do ``radical``, ``ratio``, ``circular`` and ``bipolar``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from annotation.agreement.ratings import Floats
from annotation.agreement.scale import Scale
from annotation.errors import N_, Refused, Unknown

UNWEIGHTED = "unweighted"
MOST = 2_000  # more values than this: a table of all pairs of them would be larger than the data


@dataclass(frozen=True, slots=True)
class Weighting:
    """Weights between the V values that occur; ``matrix`` (V, V), None for the identity (no table is made).

    ``categories``: q, with those that were offered and never chosen. ``total``: sum of the weights over all q x q.
    """

    matrix: Floats | None
    categories: int
    total: float

    def spread(self, shares: Floats) -> Floats:
        """``shares`` (..., V) times the weights: the agreement that each value would meet in such shares."""
        return shares if self.matrix is None else shares @ self.matrix

    def between(self, first: Floats, second: Floats) -> Floats:
        """Sum over c, k of first_c w_ck second_k along the last axis."""
        return (self.spread(first) * second).sum(axis=-1)


def _by_gap(gap: Callable[[Floats, Floats], Floats]) -> Callable[[Floats, float | None], Floats]:
    return lambda x, period: _far(gap(x[:, None], x[None, :]))


def _far(distance: Floats) -> Floats:
    """Weights of distances: 1 less the share of the largest one. Without any distance everything is equal."""
    largest = float(distance.max(initial=0.0))
    return 1.0 - distance / largest if largest > 0.0 else np.ones_like(distance)


def _ordinal(x: Floats, period: float | None) -> Floats:
    place = np.arange(len(x), dtype=np.float64)
    steps = np.abs(place[:, None] - place[None, :])
    return _far(steps * (steps + 1.0) / 2.0)


def _ratio(x: Floats, period: float | None) -> Floats:
    if (x < 0).any():
        raise Refused(N_("The ratio weights need answers that are 0 or more, and {value} is below 0"), code="bad_value",
                      value=f"{x.min():g}")
    total = x[:, None] + x[None, :]
    return _far(np.where(total > 0.0, (x[:, None] - x[None, :]) / np.where(total > 0.0, total, 1.0), 0.0) ** 2)


def _circular(x: Floats, period: float | None) -> Floats:
    around = period if period is not None else float(x.max() - x.min()) + 1.0
    return _far(np.sin(np.pi * (x[:, None] - x[None, :]) / around) ** 2)


def _bipolar(x: Floats, period: float | None) -> Floats:
    total, low, high = x[:, None] + x[None, :], float(x.min()), float(x.max())
    room = (total - 2.0 * low) * (2.0 * high - total)  # 0 only where both stand at one end, and then they are equal
    return _far(np.where(room > 0.0, (x[:, None] - x[None, :]) ** 2 / np.where(room > 0.0, room, 1.0), 0.0))


WEIGHTS: dict[str, Callable[[Floats, float | None], Floats]] = {
    UNWEIGHTED: lambda x, period: np.eye(len(x)),
    "linear": _by_gap(lambda a, b: np.abs(a - b)),
    "quadratic": _by_gap(lambda a, b: (a - b) ** 2),
    "ordinal": _ordinal,
    "radical": _by_gap(lambda a, b: np.sqrt(np.abs(a - b))),
    "ratio": _ratio,
    "circular": _circular,
    "bipolar": _bipolar,
}


def weight_matrix(weights: str, numbers: Floats, period: float | None = None) -> Floats:
    """(q, q) weights between categories with these ``numbers`` (q,), which stand in their order.

    Unknown for another name; Refused for ``ratio`` with a number below 0. ``period`` of ``circular``: largest less
    smallest number plus 1 where it is None.
    """
    if weights not in WEIGHTS:
        raise Unknown(N_("There are no weights '{name}'. There are: {known}."), name=weights, known=", ".join(WEIGHTS))
    return WEIGHTS[weights](np.asarray(numbers, dtype=np.float64), period)


def from_disagreement(matrix: Floats) -> Floats:
    """Weights of a table (q, q) of disagreements of one's own: 0 for equal answers, larger is worse."""
    table = np.asarray(matrix, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise Refused(N_("A table of disagreements has as many rows as columns"), code="bad_value")
    if (table < 0).any() or np.diag(table).any() or not np.isfinite(table).all():
        raise Refused(N_("A table of disagreements holds 0 for equal answers and nothing below 0"), code="bad_value")
    return _far(table)


def weighting_of(scale: Scale) -> Weighting:
    """The weights that ``scale.weights`` names, over the offered categories where their places are known."""
    name = scale.weights or UNWEIGHTED
    if name == UNWEIGHTED:
        return Weighting(None, scale.categories, float(scale.categories))
    numbers, place = category_numbers(scale)
    if len(numbers) > MOST:
        raise Refused(N_("{weights} weights need a table of every two of the {count} different answers; that many "
                         "suit krippendorff_alpha with the level interval"), code="bad_value", weights=name,
                      count=len(numbers))
    whole = weight_matrix(name, numbers, scale.period)
    return Weighting(whole[np.ix_(place, place)], len(numbers), float(whole.sum()))


def category_numbers(scale: Scale) -> tuple[Floats, list[int]]:
    """Numbers (q,) of all categories in their order, and the place (V) of each value among them.

    An option that nobody chose is placed by the number it spells, or by its place among the options where the
    chosen ones have their places (but for a constant) as numbers, or by places throughout where one has no number.
    Where its place cannot be known it is left out: then q is what occurs. Refused for words that are no options:
    the alphabet is no order.
    """
    seen = dict(zip(scale.labels, scale.numbers.tolist(), strict=True))
    unseen = [label for label in scale.declared if label not in seen]
    offered = {label: float(n) for n, label in enumerate(scale.declared, 1)}  # ratio weights want 1, 2, ..
    if any(np.isnan(number) for number in seen.values()):
        if not all(label in offered for label in seen):
            raise Refused(N_("The answers are neither numbers nor options in an order, so {weights} weights do not "
                             "suit them; unweighted does"), code="bad_value", weights=scale.weights or UNWEIGHTED)
        seen = {label: offered[label] for label in seen}
    shift = {seen[label] - offered[label] for label in seen if label in offered}
    for label in unseen:
        if len(shift) == 1 and all(label in offered for label in scale.labels):
            seen[label] = offered[label] + next(iter(shift))
        else:
            seen[label] = _spelled(label)
    known = sorted({number for number in seen.values() if not np.isnan(number)})
    return np.array(known), [known.index(seen[label]) for label in scale.labels]


def _spelled(label: str) -> float:
    try:
        return float(label)
    except ValueError:
        return float("nan")
