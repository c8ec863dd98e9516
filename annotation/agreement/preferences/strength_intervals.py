"""Intervals of strengths: the judgements are drawn again, as counts per pair and outcome, or person by person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from annotation.agreement.intervals import Interval, acceleration, bca
from annotation.agreement.preferences.comparisons import Comparisons, Floats, PairTable, tables_by
from annotation.agreement.preferences.connected import all_reach_all
from annotation.agreement.preferences.likelihood import WITH_TIES, Model, newton
from annotation.agreement.preferences.strengths import Strengths, fit, model_of, used_counts

BCA_COMPARISONS = "bootstrap_bca_comparisons"
BCA_PEOPLE = "bootstrap_bca_people"
BLOCK = 2_000_000  # numbers per array
KINDS = 512  # more kinds of comparison than this: the acceleration is taken from an even sample of them

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class StrengthIntervals:
    """One interval per thing, in the order of the fit's names; ``order_effect`` and ``tie`` where the model has them.

    ``log_strength``: against ``reference``, or with mean 0 where there is none; ``worth``: shares of 1.
    """

    log_strength: tuple[Interval, ...]
    worth: tuple[Interval, ...]
    order_effect: Interval | None
    tie: Interval | None
    reference: str | None
    method: str
    replicates: int
    seed: int
    level: float
    reason: str | None = None


def strength_intervals(data: PairTable | Comparisons, model: str = "bradley_terry", *, order_effect: bool = False,
                       prior_sd: float | None = None, reference: str | None = None, by_person: bool = False,
                       replicates: int = 10_000, seed: int = 0, level: float = 0.95,
                       progress: Progress | None = None, cancelled: Callable[[], bool] | None = None
                       ) -> tuple[Strengths, StrengthIntervals]:
    """The fit and its BCa intervals; the same for the same seed.

    Drawing N judgements again is one multinomial draw over the cells (pair, outcome). ``by_person`` draws people with
    all their judgements instead: right where each judged many pairs; it needs ``Comparisons``. A draw whose
    strengths have no finite estimate is undefined; with more than a tenth of them there is no interval, unless a
    prior is stated. Costs a few batched Newton steps per draw: O(n^3 + P), memory bounded by ``BLOCK``.
    """
    if isinstance(data, PairTable):
        if by_person:
            raise ValueError("people are not known in a table of counts")
        table, kinds, times = data, None, data.counts.ravel()
    elif by_person:
        used, person = np.unique(data.person, return_inverse=True)
        table, kinds = tables_by(data, person.astype(np.int64), len(used))
        times = np.ones(len(used))
    else:
        table, cells = tables_by(data, np.zeros(len(data), dtype=np.int64), 1)
        kinds, times = None, cells[0]
    point = fit(table, model, order_effect=order_effect, prior_sd=prior_sd)
    method = BCA_PEOPLE if by_person else BCA_COMPARISONS

    def nothing(reason: str) -> StrengthIntervals:
        none = Interval(None, None, reason)
        every = (none,) * len(table.names)
        return StrengthIntervals(every, every, none if order_effect else None, none if model in WITH_TIES else None,
                                 reference, method, replicates, seed, level, reason)

    if point.parameters is None:
        return point, nothing(f"no interval: {point.reason}")
    if not replicates:
        return point, nothing("no interval: no resamples were asked for")
    if by_person and len(times) < 2:
        return point, nothing("no interval: one person only")
    if not np.allclose(times, np.rint(times)):
        return point, nothing("no interval: the counts are not whole numbers")
    shape = model_of(table, model, order_effect=order_effect, prior_sd=prior_sd)
    at = None if reference is None else point.place(reference)
    refit = _Refit(shape, table, kinds, point.parameters, at)
    rng, n = np.random.default_rng(seed), int(times.sum())
    step = max(1, BLOCK // max(shape.width**2, table.counts.size))
    draws: list[Floats] = []
    for start in range(0, replicates, step):
        if cancelled is not None and cancelled():
            return point, nothing("no interval: stopped before all resamples were drawn")
        size = min(step, replicates - start)
        draws.append(refit(rng.multinomial(n, times / n, size=size).astype(np.float64)))
        if progress is not None:
            progress(min(replicates, start + step), replicates)
    drawn = np.concatenate(draws)
    left_out, weight = _leave_one_out(refit, times, step)
    own = refit.quantities(point.parameters[None])[0]
    made = tuple(bca(float(own[k]), drawn[:, k], accel=acceleration(left_out[:, k], weight), level=level)
                 for k in range(len(own)))
    k = len(table.names)
    return point, StrengthIntervals(
        tuple(_zero(made[j]) if j == at else made[j] for j in range(k)), made[k : 2 * k],
        made[2 * k] if order_effect else None, made[-1] if model in WITH_TIES else None, reference, method, replicates,
        seed, level)


def _zero(_: Interval) -> Interval:
    return Interval(None, None, "no interval: this is the reference, 0 by definition")


@dataclass(frozen=True, slots=True)
class _Refit:
    """Weights of what is drawn (b, T) -> log strengths, worths, order effect, tie parameter (b, Q); NaN: undefined."""

    shape: Model
    table: PairTable
    kinds: Floats | None
    start: Floats
    reference: int | None

    def __call__(self, weights: Floats) -> Floats:
        cells = weights if self.kinds is None else weights @ self.kinds
        raw = cells.reshape(len(cells), -1, 3)
        counts = used_counts(raw, self.shape.name)
        good = np.ones(len(cells), dtype=bool)
        if self.shape.prior_sd is None:
            good &= all_reach_all(self.shape.n, self.table.first, self.table.second, counts)
        if self.shape.name in WITH_TIES:
            good &= raw[:, :, 1].sum(axis=1) > 0
        out = np.full((len(cells), 2 * self.shape.n + 2), np.nan)
        if good.any():
            theta, found = newton(self.shape, counts[good], np.repeat(self.start[None], int(good.sum()), axis=0))
            out[np.flatnonzero(good)[found]] = self.quantities(theta[found])
        return out

    def quantities(self, theta: Floats) -> Floats:
        n = self.shape.n
        b = theta[:, :n] - (theta[:, :n].mean(axis=1, keepdims=True) if self.reference is None else
                            theta[:, [self.reference]])
        worth = np.exp(theta[:, :n] - theta[:, :n].max(axis=1, keepdims=True))
        return np.hstack([b, worth / worth.sum(axis=1, keepdims=True), theta[:, [min(n, self.shape.width - 1)]],
                          np.exp(theta[:, [-1]])])


def _leave_one_out(refit: _Refit, times: Floats, step: int) -> tuple[Floats, Floats]:
    kinds = np.flatnonzero(times > 0)
    chosen = kinds if len(kinds) <= KINDS else kinds[np.linspace(0, len(kinds) - 1, KINDS).astype(np.int64)]
    values = []
    for start in range(0, len(chosen), step):
        part = chosen[start : start + step]
        weights = np.repeat(times[None], len(part), axis=0)
        weights[np.arange(len(part)), part] -= 1.0
        values.append(refit(weights))
    weight = times[chosen]
    return np.concatenate(values), weight * (times.sum() / weight.sum())
