"""Percent agreement corrected for chance from how often each answer is given, whoever gave it, with missing answers.

All are (p_a - p_e) / (1 - p_e), p_a being ``percent_agreement``; pi_c is the mean over items of the share of answer c
among the item's answers, W the weights, T their sum over all q x q categories:

    Fleiss (1971), Scott (1955)     p_e = sum_ck pi_c w_ck pi_k
    Brennan & Prediger (1981)       p_e = T / q^2         (Bennett et al. 1954; Randolph 2005: without weights)
    Gwet (2008) AC1; AC2            p_e = T / (q (q - 1)) sum_c pi_c (1 - pi_c)

q counts the categories that the question offers, whether chosen or not. With missing answers, weights and standard
errors as Gwet (2014), ch. 2-5: an item with a single answer counts in pi. Everything is a sum over patterns.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from annotation.agreement.margins import count_values, mean_of_values, with_margins
from annotation.agreement.metric import Analytic, Build, Metric, metrics
from annotation.agreement.percent import NAMES, item_agreement
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.standard_error import Estimate, linearised
from annotation.agreement.statistic import Statistic, divide
from annotation.agreement.weights import Weighting, weighting_of

NO_PAIRS = "nobody judged the same item twice"
NO_VARIATION = ("everyone always gave the same answer; chance agreement is 1, so the coefficient says nothing; "
                "percent agreement is 100 %")
ONE_CATEGORY = ("there is one category only, nobody could have answered otherwise; with the options of the question "
                "declared the coefficient has a value")

# Shares of the answers (b, V) -> agreement by chance (b,); and for one row of shares (V,) what an answer of each
# kind (V,) adds to it, so that the mean over items is the chance agreement: what Gwet's standard error needs.
Chance = Callable[[Floats, Weighting], Floats]


def by_shares(shares: Floats, weighting: Weighting) -> Floats:
    return weighting.between(shares, shares)


def by_categories(shares: Floats, weighting: Weighting) -> Floats:
    return np.full(len(shares), weighting.total / weighting.categories**2)


def by_chance_answers(shares: Floats, weighting: Weighting) -> Floats:
    return _gwet_factor(weighting) * (shares * (1.0 - shares)).sum(axis=-1)


def _gwet_factor(weighting: Weighting) -> float:
    q = weighting.categories
    return weighting.total / (q * (q - 1.0)) if q > 1 else np.nan


WORTH: dict[Chance, Callable[[Floats, Weighting], Floats] | None] = {
    by_shares: lambda shares, weighting: weighting.spread(shares),
    by_categories: None,
    by_chance_answers: lambda shares, weighting: _gwet_factor(weighting) * (1.0 - shares),
}


def corrected(chance: Chance) -> Build:
    """The statistic (p_a - p_e) / (1 - p_e) with this agreement by chance."""

    def build(patterns: Patterns, scale: Scale) -> Statistic:
        weighting = weighting_of(scale)
        paired = (patterns.size >= 2).astype(np.float64)

        def finish(sums: Floats, totals: Floats) -> Floats:
            observed = divide(sums[:, 0], sums[:, 1])
            expected = chance(totals / np.maximum(sums[:, 2:], 1.0), weighting)
            return divide(observed - expected, 1.0 - expected, least=1e-12)

        features = np.column_stack([item_agreement(patterns, weighting), paired, np.ones(len(paired))])
        return with_margins(features, patterns.cells, 1.0 / np.maximum(patterns.size, 1), patterns.values, finish)

    return build


def estimate(chance: Chance, patterns: Patterns, weighting: Weighting) -> Estimate | None:
    """The same with Gwet's standard error; None where it is undefined."""
    shares, expected = answer_shares(patterns), expected_agreement(patterns, weighting, chance)
    if not np.isfinite(expected):
        return None
    worth = WORTH[chance]
    return linearised(
        item_agreement(patterns, weighting), patterns.count, (patterns.size >= 2).astype(np.float64), chance=expected,
        item_chance=None if worth is None else mean_of_values(patterns.cells, patterns.size, worth(shares, weighting)))


def answer_shares(patterns: Patterns) -> Floats:
    """(V,): mean over items of the share of each answer among the item's answers."""
    totals = count_values(patterns.cells, patterns.count / np.maximum(patterns.size, 1), patterns.values)
    return totals / max(1.0, float(patterns.count.sum()))


def expected_agreement(patterns: Patterns, weighting: Weighting, chance: Chance = by_shares) -> float:
    """p_e for these answers; Fleiss' unless another is asked for. NaN for AC1 with one category."""
    return float(chance(answer_shares(patterns)[None], weighting)[0])


def fleiss_z(patterns: Patterns) -> float | None:
    """Fleiss' kappa over its standard error if all answers were chance (Fleiss, Nee & Landis 1979, eq. 12).

    Needs the same number of answers to every item and no weights; None otherwise, or without variation.
    """
    m, n = int(patterns.size.max(initial=0)), float(patterns.count.sum())
    if m < 2 or (patterns.size != m).any():
        return None
    p = answer_shares(patterns)
    q = 1.0 - p
    spread = float((p * q).sum())
    if spread <= 1e-12:
        return None
    kappa = 1.0 - (1.0 - float((patterns.count * item_agreement(patterns)).sum()) / n) / spread
    variance = 2.0 * (spread**2 - float((p * q * (q - p)).sum())) / (n * m * (m - 1.0) * spread**2)
    return float(kappa / np.sqrt(variance)) if variance > 0.0 else None


def why_unpaired(patterns: Patterns, scale: Scale) -> str | None:
    """Where items with a single answer stay in, there may be no others."""
    return None if (patterns.size >= 2).any() else NO_PAIRS


def _row(name: str, chance: Chance, constant: str, *, weights: tuple[str, ...] = NAMES, least: int = 1,
         most: int | None = None) -> None:
    def analytic(patterns: Patterns, scale: Scale) -> Analytic | None:
        found = estimate(chance, patterns, weighting_of(scale))
        return None if found is None else found.analytic()

    metrics.add(name, Metric(name, {None: corrected(chance)}, constant, least=least, people=(2, most),
                             weights=weights, analytic=analytic, why=why_unpaired))


_row("fleiss_kappa", by_shares, NO_VARIATION)
_row("scott_pi", by_shares, NO_VARIATION, least=2, most=2)
_row("bennett_s_brennan_prediger", by_categories, ONE_CATEGORY)
_row("randolph_kappa_free", by_categories, ONE_CATEGORY, weights=())
_row("gwet_ac1", by_chance_answers, ONE_CATEGORY, weights=())
_row("gwet_ac2", by_chance_answers, ONE_CATEGORY, weights=("quadratic", *(n for n in NAMES if n != "quadratic")))
