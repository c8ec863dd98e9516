"""One machine beside several people: its agreement with them, theirs with each other, and the difference of the two.

Every number is a function of how often the two members of a pair gave which two answers, so units that look the same
are counted together and a resample of units is one product with a sparse table. What is drawn is the unit with
everybody's answers to it: the difference between machine and people is paired.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.agreement.intervals import Interval, acceleration, bca
from annotation.agreement.ratings import Floats, Ints, Ratings
from annotation.agreement.two_raters import DENSE, METRICS, Cells, Sums, Table

BLOCK = 2_000_000  # numbers per array of a block of resamples
KINDS = 512        # more kinds of units than this: the acceleration is taken from an even sample of them
PEOPLE, EACH_OTHER, DIFFERENCE = "people", "people_each_other", "difference"


@dataclass(frozen=True, slots=True)
class Beside:
    """One number. ``against``: a place of a person, the name of a reference, or people, people_each_other, difference.

    ``people``: mean over people of the machine's agreement with each, ``people_each_other``: mean over their pairs,
    both weighted by items in common, on the items that the machine answered; ``difference``: the first less the
    second. ``n``: units that both of the pair answered, summed over pairs.
    """

    against: int | str
    metric: str
    value: float | None
    ci: tuple[float, float] | None
    n: int
    reason: str | None


def compare(ratings: Ratings, machine: int, people: Sequence[int], references: Mapping[str, Ints], *,
            metrics: Sequence[str], level: str, replicates: int = 2_000, seed: int = 0,
            cancelled: Callable[[], bool] | None = None) -> tuple[Beside, ...]:
    """``machine``, ``people``: places in ``ratings.person``. ``references``: a code per unit, -1 where it has none.

    For levels above nominal codes stand in the order of their numbers. Costs the answers times the people per unit,
    once, and that again per draw where no two units look alike.
    """
    table, pairs = _table(ratings, machine, people, references, level)
    named = [metric for metric in metrics if metric in METRICS]
    at = np.array([pair.of for pair in pairs], dtype=np.int64)
    weights = np.array([pair.n for pair in pairs], dtype=np.float64)

    def quantities(counts: Floats) -> Floats:
        """(b, K) -> (b, Q): per metric the pairs with the machine, then people, each other, difference."""
        sums, out = table.sums(counts), []
        for metric in named:
            values = METRICS[metric](sums, level)
            common = np.where(np.isfinite(values), sums.n, 0.0)
            filled = np.where(np.isfinite(values), values, 0.0)
            ours, theirs = (_mean(filled[:, at == kind], common[:, at == kind]) for kind in (0, 1))
            out += [values[:, at != 1], ours[:, None], theirs[:, None], (ours - theirs)[:, None]]
        return np.concatenate(out, axis=1) if out else np.zeros((len(counts), 0))

    point = quantities(table.count[None])[0]
    found = _intervals(quantities, table, point, replicates=replicates, seed=seed, cancelled=cancelled)
    shown = [(pair.against, int(pair.n)) for pair in pairs if pair.of != 1]
    ours, theirs = int(weights[at == 0].sum()), int(weights[at == 1].sum())
    shown += [(PEOPLE, ours), (EACH_OTHER, theirs), (DIFFERENCE, min(ours, theirs))]
    out = []
    for m, metric in enumerate(named):
        for k, (against, n) in enumerate(shown):
            q = m * len(shown) + k
            value = float(point[q]) if np.isfinite(point[q]) else None
            out.append(Beside(against, metric, value, None if value is None else found[q].pair, n,
                              _why(n, table, metric) if value is None else found[q].reason))
    return tuple(out)


def _mean(values: Floats, common: Floats) -> Floats:
    total = common.sum(axis=1)
    return np.where(total > 0, (values * common).sum(axis=1) / np.where(total > 0, total, 1.0), np.nan)


def _why(n: int, table: Table, metric: str) -> str:
    if n == 0:
        return "no item was answered by both"
    if isinstance(table, Sums) and metric in ("cohen_kappa", "krippendorff_alpha"):
        return f"more than {DENSE} different answers are too many for this measure here"
    return "one of the two always gave the same answer, or both the same one: nothing is left to compare"


@dataclass(frozen=True, slots=True)
class _Pair:
    """``of``: 0 machine and a person, 1 two people, 2 machine and a reference; ``n``: units in common."""

    of: int
    against: int | str
    n: int


def _table(ratings: Ratings, machine: int, people: Sequence[int], references: Mapping[str, Ints], level: str
           ) -> tuple[Table, list[_Pair]]:
    given = np.flatnonzero(ratings.code >= 0)
    width = int(ratings.person.max()) + 1 if len(ratings.person) else 1
    _, first = np.unique(ratings.unit[given] * width + ratings.person[given], return_index=True)
    rows = given[first]  # by unit, then person; of two answers of one person the first
    unit, person, code = ratings.unit[rows], ratings.person[rows], ratings.code[rows]
    own = np.full(ratings.n_units, -1, dtype=np.int64)
    own[unit[person == machine]] = code[person == machine]
    kept = np.isin(person, np.array(people, dtype=np.int64)) & (own[unit] >= 0)
    unit, person, code = unit[kept], person[kept], code[kept]
    parts = [(unit, np.zeros_like(unit), person, np.full_like(unit, -1), own[unit], code)]
    for ahead in range(1, int(np.bincount(unit).max()) if len(unit) else 1):
        same = np.flatnonzero(unit[ahead:] == unit[:-ahead])
        parts.append((unit[same], np.ones_like(same), person[same], person[same + ahead], code[same],
                      code[same + ahead]))
    names = list(references)
    for place, name in enumerate(names):
        both = np.flatnonzero((references[name] >= 0) & (own >= 0))
        parts.append((both, np.full_like(both, 2), np.full_like(both, place), np.full_like(both, -1), own[both],
                      references[name][both]))
    unit, of, one, other, a, b = (np.concatenate(column) for column in zip(*parts, strict=True))
    size = max(width, len(names), 1) + 1
    keys, pair, n = np.unique((of * size + one) * size + other + 1, return_inverse=True, return_counts=True)
    pairs = []
    for key, count in zip(keys.tolist(), n.tolist(), strict=True):
        kind, place = key // size // size, key // size % size
        pairs.append(_Pair(kind, names[place] if kind == 2 else place, count))
    block = unit if ratings.block is None else ratings.block[unit]
    numbers = np.array([np.nan if x is None else x for x in ratings.numbers] or [np.nan] * len(ratings.labels))
    make = Cells.of if len(ratings.labels) <= DENSE else Sums.of
    return make(block, pair, a, b, len(pairs), len(ratings.labels), numbers), pairs


def _intervals(quantities: Callable[[Floats], Floats], table: Table, point: Floats, *, replicates: int, seed: int,
               cancelled: Callable[[], bool] | None) -> list[Interval]:
    def nothing(why: str) -> list[Interval]:
        return [Interval(None, None, f"no interval: {why}")] * len(point)

    total = int(table.count.sum())
    if not replicates:
        return nothing("no resamples were asked for")
    if total < 2:
        return nothing("one item only")
    rng, draws = np.random.default_rng(seed), []
    step = max(1, BLOCK // max(table.width, len(table.count)))
    for start in range(0, replicates, step):
        if cancelled is not None and cancelled():
            return nothing("stopped before all resamples were drawn")
        draws.append(quantities(_drawn(rng, table.count, total, min(step, replicates - start))))
    drawn = np.concatenate(draws)
    kinds = np.arange(len(table.count))
    if len(kinds) > KINDS:
        kinds = np.linspace(0, len(kinds) - 1, KINDS).astype(np.int64)
    left = []
    for start in range(0, len(kinds), step):
        part = kinds[start:start + step]
        counts = np.repeat(table.count[None], len(part), axis=0)
        counts[np.arange(len(part)), part] -= 1.0
        left.append(quantities(counts))
    out_of, times = np.concatenate(left), table.count[kinds]
    times = times * (total / times.sum())
    return [bca(float(point[q]), drawn[:, q], accel=acceleration(out_of[:, q], times))
            if np.isfinite(point[q]) else Interval(None, None) for q in range(len(point))]


def _drawn(rng: Any, count: Floats, total: int, draws: int) -> Floats:
    if 4 * len(count) < total or len(count) < 64:
        return rng.multinomial(total, count / total, size=draws).astype(np.float64)
    # Hardly anything repeats: counting random places is faster than as many conditional binomials.
    owner = np.repeat(np.arange(len(count)), count.astype(np.int64))
    return np.stack([np.bincount(owner[rng.integers(0, total, total)], minlength=len(count))
                     for _ in range(draws)]).astype(np.float64)
