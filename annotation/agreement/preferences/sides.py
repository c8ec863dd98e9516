"""What the place does: the share won by what stands first, the model's order effect, and judgements of both orders."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from annotation.agreement.intervals import Interval, normal_quantile
from annotation.agreement.preferences.comparisons import Comparisons, table_of
from annotation.agreement.preferences.strength_intervals import strength_intervals
from annotation.agreement.preferences.strengths import Strengths, fit
from annotation.agreement.share import Share, clustered_share, share


@dataclass(frozen=True, slots=True)
class PositionBias:
    """``first``: share of decided pairs won by what stood first. It is 1/2 in expectation only if sides were drawn;
    the order effect allows for who stood there.

    ``order_effect``: g, the log odds that standing first adds, with its interval; None with a ``reason``.
    """

    first: Share
    ties: int
    order_effect: float | None
    order_effect_se: float | None
    order_effect_ci: tuple[float, float] | None
    ci_method: str
    model: str
    reason: str | None = None


def position_bias(comparisons: Comparisons, *, model: str = "bradley_terry", prior_sd: float | None = None,
                  by_person: bool = False, replicates: int = 0, seed: int = 0, level: float = 0.95) -> PositionBias:
    """The raw share (Wilson), and g of the model with ``replicates`` = 0: Wald's interval, else a BCa bootstrap.

    ``by_person`` draws people for the share and in the bootstrap: right where each judged many pairs.
    """
    ties, people = int((comparisons.outcome == 0).sum()), len(comparisons.people)
    won, nothing = comparisons.outcome == 1, "no pair was decided"
    if by_person:
        first = clustered_share(np.bincount(comparisons.person[won], minlength=people),
                                np.bincount(comparisons.person[comparisons.outcome != 0], minlength=people),
                                nothing=nothing, level=level, seed=seed)
    else:
        first = share(int(won.sum()), len(comparisons) - ties, level=level, nothing=nothing)
    found = Interval(None, None)
    fitted: Strengths
    if replicates:
        fitted, drawn = strength_intervals(comparisons, model, order_effect=True, prior_sd=prior_sd,
                                           by_person=by_person, replicates=replicates, seed=seed, level=level)
        method, found = drawn.method, drawn.order_effect or found
    else:
        fitted, method = fit(table_of(comparisons), model, order_effect=True, prior_sd=prior_sd), "wald"
        if fitted.order_effect is not None and fitted.order_effect_se is not None:
            half = normal_quantile(0.5 + level / 2.0) * fitted.order_effect_se
            found = Interval(fitted.order_effect - half, fitted.order_effect + half)
    return PositionBias(first, ties, fitted.order_effect, fitted.order_effect_se, found.pair, method, model,
                        fitted.reason or found.reason)


@dataclass(frozen=True, slots=True)
class SwapConsistency:
    """Pairs that one person judged about one item in both orders. ``same``: share with the same verdict both times.

    ``both_first``: each time what stood first won; ``both_second``: each time what stood second; ``tie_once``: decided
    in one order only; ``same_decided``, ``same_tied``: what ``same`` consists of. ``first_of_moved``: share of
    ``both_first`` among the pairs whose winner moved with the place: 1/2 is inconsistency without a favourite side.
    """

    same: Share
    same_decided: int
    same_tied: int
    both_first: int
    both_second: int
    tie_once: int
    first_of_moved: Share
    reason: str | None = None


def swap_consistency(comparisons: Comparisons) -> SwapConsistency:
    """The last judgement in each order counts (in the order of the rows); pairs judged in one order are left out."""
    low, high = np.minimum(comparisons.first, comparisons.second), np.maximum(comparisons.first, comparisons.second)
    n = max(1, len(comparisons.names))
    key = ((comparisons.person * max(1, len(comparisons.items)) + comparisons.item) * n + low) * n + high
    straight = comparisons.first == low
    kept = []
    for side in (straight, ~straight):
        last = np.flatnonzero(side)[::-1]
        keys, at = np.unique(key[last], return_index=True)
        kept.append((keys, comparisons.outcome[last][at]))
    (one_keys, one), (other_keys, other) = kept
    _, a, b = np.intersect1d(one_keys, other_keys, assume_unique=True, return_indices=True)
    one, other = one[a], other[b]
    decided, tied = int(((one == -other) & (one != 0)).sum()), int(((one == 0) & (other == 0)).sum())
    first, second = int(((one == 1) & (other == 1)).sum()), int(((one == -1) & (other == -1)).sum())
    nothing = "nobody judged the same pair in both orders"
    return SwapConsistency(
        same=share(decided + tied, len(one), nothing=nothing), same_decided=decided, same_tied=tied, both_first=first,
        both_second=second, tie_once=len(one) - decided - tied - first - second,
        first_of_moved=share(first, first + second, nothing=nothing if not len(one) else
                             "in no pair the winner moved with the place"),
        reason=None if len(one) else nothing)


def swap_consistency_by_person(comparisons: Comparisons) -> dict[str, SwapConsistency]:
    """``swap_consistency`` for each person who judged pairs, in the order of ``people``."""
    return {name: swap_consistency(comparisons.rows(comparisons.person == place))
            for place, name in enumerate(comparisons.people) if (comparisons.person == place).any()}


def turned(comparisons: Comparisons) -> Comparisons:
    """The same judgements as if every pair had been shown the other way round (for tests of an order effect)."""
    return replace(comparisons, first=comparisons.second, second=comparisons.first, outcome=-comparisons.outcome)
