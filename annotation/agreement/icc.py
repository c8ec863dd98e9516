"""Intraclass correlation in six forms, with F test and interval.

Shrout and Fleiss (1979), Psychological Bulletin 86, 420-428; McGraw and Wong (1996), Psychological Methods 1,
30-46 (their names: ICC(1), ICC(A,1), ICC(C,1), ICC(k), ICC(A,k), ICC(C,k)). Mean squares: between items (MSR),
between people (MSC), residual (MSE); one-way: between and within items. Every value is a function of sums over
items, so one matrix product evaluates thousands of resamples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from annotation.agreement.columns import columns_of, complete_rows, why_incomplete
from annotation.agreement.metric import Analytic, Metric, metrics
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Linear, divide
from annotation.errors import N_, Unknown

FORMS = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")
NO_VARIATION = "the items do not differ in what people gave them, so there is no share of variance to report"
_OTHER_NAMES = {"(1)": "(1,1)", "(k)": "(1,k)", "(a,1)": "(2,1)", "(c,1)": "(3,1)", "(a,k)": "(2,k)", "(c,k)": "(3,k)",
                "1": "(1,1)", "2": "(2,1)", "3": "(3,1)", "1k": "(1,k)", "2k": "(2,k)", "3k": "(3,k)"}


@dataclass(frozen=True, slots=True)
class Icc:
    """``value`` and the interval are None where undefined; then ``reason`` says why. ``f`` tests ICC = 0."""

    form: str
    value: float | None
    f: float | None = None
    df1: int = 0
    df2: int = 0
    p: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Squares:
    """Mean squares of n items by k people: ``rows`` between items, ``columns`` between people, ``rest`` the residual,
    ``within`` inside items. Floats, or arrays over resamples.
    """

    n: Floats
    k: Floats
    rows: Floats
    columns: Floats
    rest: Floats
    within: Floats
    tiny: Floats  # what counts as no variance: rounding

    def value(self, form: str) -> Floats:
        """The coefficient; NaN where nothing varies between what it compares."""
        kind, many = form[4], form[6] == "k"
        rest = self.within if kind == "1" else self.rest
        extra = (self.columns - self.rest) / np.maximum(self.n, 1.0) if kind == "2" else np.zeros_like(rest)
        below = self.rows + extra if many else self.rows + (self.k - 1.0) * rest + self.k * extra
        return divide(self.rows - rest, below, least=self.tiny)


def form_of(name: str) -> str:
    """One of ``FORMS`` for any usual name: ICC(2,1), ICC(A,1), ICC2k, icc_3_k, ICC(2,4). Unknown for another."""
    text = name.replace(" ", "").lower().removeprefix("icc").removeprefix("_").replace("_", ",")
    if text.count(",") == 1 and not text.startswith("("):
        text = f"({text})"
    if text.startswith("(") and "," in text:
        kind, number = text.strip("()").split(",")
        text = f"({kind},{number if number == '1' else 'k'})"
    found = f"ICC{_OTHER_NAMES.get(text, text)}"
    if found not in FORMS:
        raise Unknown(N_("There is no form '{name}'. There are: {known}."), name=name, known=", ".join(FORMS))
    return found


def two_way(patterns: Patterns, scale: Scale, form: str) -> Linear:
    """ICC(2,.) and ICC(3,.) over items that all people judged. K x (people + 3) numbers are kept."""
    found = columns_of(patterns, scale)
    k = float(found.people)
    x, sums = found.x, found.x.sum(axis=1)
    features = np.column_stack([np.ones(len(x)), (x * x).sum(axis=1), sums * sums / k, x]) * found.complete[:, None]
    return Linear(features, lambda total: _two_way(total, k).value(form))


def _two_way(sums: Floats, k: float) -> Squares:
    n, squares, rows, columns = sums[:, 0], sums[:, 1], sums[:, 2], sums[:, 3:]
    some = np.maximum(n, 1.0)
    middle = columns.sum(axis=1) ** 2 / (some * k)
    ssr, ssc = rows - middle, (columns * columns).sum(axis=1) / some - middle
    sse = np.maximum(squares - rows - ssc, 0.0)
    free = np.where(n > 1.0, n - 1.0, np.nan)
    return Squares(n, np.full(len(n), k), ssr / free, ssc / (k - 1.0), sse / (free * (k - 1.0)),
                   np.maximum(squares - rows, 0.0) / (some * (k - 1.0)), 1e-12 * squares / (some * k))


def one_way(patterns: Patterns, scale: Scale, form: str) -> Linear:
    """ICC(1,.): who judged does not matter, and items may have unequal numbers of answers.

    k is then (N - sum m^2 / N) / (n - 1), as in the analysis of variance with unequal groups (Shrout and Fleiss
    assume equal ones, for which it is m).
    """
    found, m = columns_of(patterns, scale), patterns.size.astype(np.float64)
    total = found.x.sum(axis=1)
    features = np.column_stack([np.ones(len(m)), m, m * m, total, total * total / m, (found.x**2).sum(axis=1)])
    return Linear(features, lambda sums: _one_way(sums).value(form))


def _one_way(sums: Floats) -> Squares:
    n, size, size2, total, rows, squares = sums.T
    some = np.maximum(size, 1.0)
    free = np.where(n > 1.0, n - 1.0, np.nan)
    inside = np.where(size > n, size - n, np.nan)
    none = np.zeros(len(n))
    return Squares(n, (size - size2 / some) / free, (rows - total * total / some) / free, none, none,
                   np.maximum(squares - rows, 0.0) / inside, 1e-12 * squares / some)


def icc(table: Floats, form: str, *, level: float = 0.95) -> Icc:
    """The coefficient of (items, people), NaN where missing (such items stay out), with F, p and interval.

    Interval: F distribution for the one-way and consistency forms, Satterthwaite's degrees of freedom for
    absolute agreement; ICC(A,k) by the Spearman-Brown formula on the limits of ICC(A,1).
    """
    form, x = form_of(form), complete_rows(table)
    n, k = x.shape
    if k < 2:
        return Icc(form, None, reason="one person alone")
    if n < 2:
        return Icc(form, None, reason="fewer than two items were judged by all people")
    x = x - x.mean()
    means = x.sum(axis=1)
    sums = np.concatenate([[float(n), (x * x).sum(), (means * means).sum() / k], x.sum(axis=0)])
    return _tested(_two_way(sums[None], float(k)), form, level)


def _tested(found: Squares, form: str, level: float) -> Icc:
    from scipy import stats  # heavy, and the value alone does not need it

    value = float(found.value(form)[0])
    if not np.isfinite(value):
        return Icc(form, None, reason=NO_VARIATION)
    n, k = int(found.n[0]), int(found.k[0])
    kind, many = form[4], form[6] == "k"
    msr, msc, mse = float(found.rows[0]), float(found.columns[0]), float(found.rest[0])
    rest = float(found.within[0]) if kind == "1" else mse
    df1, df2 = n - 1, n * (k - 1) if kind == "1" else (n - 1) * (k - 1)
    if rest <= float(found.tiny[0]):
        return Icc(form, value, df1=df1, df2=df2,
                   reason="no interval: nothing is left beside the difference of the items, so F is infinite")
    f, tail = msr / rest, 0.5 - level / 2.0
    if kind != "2":
        below, above = f / stats.f.isf(tail, df1, df2), f * stats.f.isf(tail, df2, df1)
        limits = [1.0 - 1.0 / one for one in (below, above)] if many else [
            (one - 1.0) / (one + k - 1.0) for one in (below, above)]
    else:
        single = float(found.value("ICC(2,1)")[0])
        limits = _absolute(n, k, msr, msc, mse, single, tail)
        if many:
            limits = [k * one / (1.0 + (k - 1.0) * one) for one in limits]
    return Icc(form, value, f, df1, df2, float(stats.f.sf(f, df1, df2)), float(limits[0]), float(limits[1]))


def _absolute(n: int, k: int, msr: float, msc: float, mse: float, value: float, tail: float) -> list[float]:
    """Limits of ICC(A,1): McGraw and Wong (1996), table 7."""
    from scipy import stats  # heavy, and the value alone does not need it

    # a and b times n (1 - value), so that a value of 1 needs no case of its own.
    a, b = k * value, n * (1.0 - value) + k * value * (n - 1.0)
    df = (a * msc + b * mse) ** 2 / ((a * msc) ** 2 / (k - 1.0) + (b * mse) ** 2 / ((n - 1.0) * (k - 1.0)))
    one, other = stats.f.isf(tail, n - 1, df), stats.f.isf(tail, df, n - 1)
    shared = k * msc + (k * n - k - n) * mse
    return [n * (msr - one * mse) / (one * shared + n * msr), n * (other * msr - mse) / (shared + n * other * msr)]


def _analytic(form: str) -> Callable[[Patterns, Scale], Analytic | None]:
    def interval(patterns: Patterns, scale: Scale) -> Analytic | None:
        if form[4] == "1" and (patterns.size != patterns.size[0]).any():
            return None  # the F distribution wants equal numbers of answers
        found = columns_of(patterns, scale)
        rows = np.repeat(found.x[found.complete], patterns.count[found.complete], axis=0)
        tested = icc(rows, form)
        if tested.low is None or tested.high is None:
            return None
        return Analytic(None, tested.low, tested.high, "analytic_f_mcgraw_wong")
    return interval


def _add(name: str, form: str) -> None:
    single = form[4] == "1"
    metrics.add(name, Metric(
        name, {None: (lambda patterns, scale: one_way(patterns, scale, form)) if single
               else (lambda patterns, scale: two_way(patterns, scale, form))},
        NO_VARIATION, ordered=not single, needs_numbers=True, analytic=_analytic(form),
        # The forms of single people lie above -1 / (k - 1); those of means have no lower end.
        why=None if single else why_incomplete, bounds=(-1.0, 1.0) if form[6] == "1" else None))


_add("icc", "ICC(2,1)")  # absolute agreement of single people: what another person's answer is worth
for _form in FORMS:
    _add(f"icc_{_form[4]}_{_form[6]}", _form)
