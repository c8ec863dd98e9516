"""Our coefficients against independent programs on random tables: holes, one category, unequal raters, strings."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

from annotation.agreement.ratings import Ratings, ratings_of
from annotation.agreement.report import measure

MANY = settings(max_examples=300)
NAMES = ("alpha", "ß", "nan", "none", "3", " ")


@st.composite
def tables(draw: Any, *, people: int = 50, items: int = 25, least: int = 1, most: int = 6, holes: bool = True,
           values: Any = None) -> np.ndarray:
    """(people, items) of small whole numbers, NaN where missing: a few bytes of seed stand for the whole table."""
    m, n, v = (draw(st.integers(*span)) for span in ((2, people), (1, items), (least, most)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    skill, gone = draw(st.sampled_from((0.0, 0.5, 0.9, 1.0))), draw(st.sampled_from((0.0, 0.1, 0.5))) if holes else 0.0
    true = rng.integers(0, v, n)
    said = np.where(rng.random((m, n)) < skill, true, rng.integers(0, v, (m, n))).astype(float)
    said[rng.random((m, n)) < gone] = np.nan
    return said


def as_ratings(table: np.ndarray, *, names: tuple[Any, ...] | None = None, declared: tuple[str, ...] = ()) -> Ratings:
    rows = [(item, person, None if math.isnan(value) else value if names is None else names[int(value)])
            for person, row in enumerate(table.tolist()) for item, value in enumerate(row)]
    return replace(ratings_of(rows), declared=declared)


def value(ratings: Ratings, metric: str, **options: Any) -> float | None:
    result = measure(ratings, metric, interval="none", **options)
    assert (result.value is None) == (result.reason is not None and "no interval" not in result.reason), result
    assert result.value is None or math.isfinite(result.value)
    return result.value


def theirs(table: np.ndarray, level: str) -> float | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = float(krippendorff.alpha(reliability_data=table, level_of_measurement=level))
        except ValueError:
            return None
    return found if math.isfinite(found) else None


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@MANY
@given(table=tables())
def test_alpha_is_that_of_the_krippendorff_package(level, table):
    ours, other = value(as_ratings(table), "krippendorff_alpha", level=level), theirs(table, level)
    if other is None:
        assert ours is None
    else:
        assert ours == pytest.approx(other, abs=1e-9)


@MANY
@given(table=tables())
def test_alpha_of_names_is_alpha_of_their_numbers(table):
    named = value(as_ratings(table, names=NAMES), "krippendorff_alpha", level="nominal")
    assert named == pytest.approx(value(as_ratings(table), "krippendorff_alpha", level="nominal"), abs=1e-12)


@MANY
@given(table=tables(holes=False, least=2, items=40, people=12))
def test_fleiss_kappa_is_that_of_statsmodels(table):
    assume(len(np.unique(table)) > 1)
    other = float(fleiss_kappa(aggregate_raters(table.T.astype(int))[0]))
    assert value(as_ratings(table), "fleiss_kappa") == pytest.approx(other, abs=1e-9)


@pytest.mark.parametrize("weights", ["unweighted", "linear", "quadratic"])
@MANY
@given(table=tables(people=2, holes=False, least=2, items=40))
def test_cohen_kappa_is_that_of_scikit_learn(weights, table):
    seen = sorted(set(table.ravel().tolist()))
    assume(len(seen) > 1 and np.ptp(table[0]) + np.ptp(table[1]) > 0)
    assume(seen == list(range(int(seen[0]), int(seen[-1]) + 1)))  # that program weighs by rank, ours by value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = float(cohen_kappa_score(*table.astype(int), labels=[int(v) for v in seen],
                                        weights=None if weights == "unweighted" else weights))
    ours = value(as_ratings(table), "cohen_kappa", weights=weights)
    assert (ours is None and math.isnan(other)) or ours == pytest.approx(other, abs=1e-9)


@MANY
@given(table=tables(people=2, holes=False, least=2, most=4, items=60))
def test_the_standard_error_of_cohen_kappa_is_that_of_statsmodels(table):
    seen = sorted(set(table.ravel().tolist()))
    assume(len(seen) > 1)
    counts = np.array([[np.sum((table[0] == a) & (table[1] == b)) for b in seen] for a in seen])
    other = cohens_kappa(counts)
    assume(math.isfinite(other.kappa) and other.std_kappa > 1e-6 and -1 < other.kappa < 0.999)
    result = measure(as_ratings(table), "cohen_kappa", interval="analytic")
    assert result.ci is not None
    assert result.ci == pytest.approx((other.kappa_low, other.kappa_upp), abs=1e-6)


@MANY
@given(table=tables(people=2, holes=False, least=2, most=6, items=40))
def test_pearson_and_spearman_are_those_of_scipy(table):
    assume(table.shape[1] > 2 and np.ptp(table[0]) > 0 and np.ptp(table[1]) > 0)
    assert value(as_ratings(table), "pearson") == pytest.approx(float(stats.pearsonr(*table)[0]), abs=1e-9)
    assert value(as_ratings(table), "spearman") == pytest.approx(float(stats.spearmanr(*table)[0]), abs=1e-9)
    assert value(as_ratings(table), "kendall_tau_b") == pytest.approx(float(stats.kendalltau(*table)[0]), abs=1e-9)


INVARIANT = [("krippendorff_alpha", {"level": "nominal"}), ("krippendorff_alpha", {"level": "ordinal"}),
             ("krippendorff_alpha", {"level": "interval"}), ("percent_agreement", {}), ("fleiss_kappa", {}),
             ("gwet_ac1", {}), ("bennett_s_brennan_prediger", {}), ("conger_kappa", {}), ("scott_pi", {})]


@pytest.mark.parametrize(("metric", "options"), INVARIANT)
@MANY
@given(table=tables(people=8), seed=st.integers(0, 1000))
def test_who_is_who_and_what_came_first_changes_nothing(metric, options, table, seed):
    rng = np.random.default_rng(seed)
    other = table[rng.permutation(len(table))][:, rng.permutation(table.shape[1])]
    assert value(as_ratings(other), metric, **options) == pytest.approx(
        value(as_ratings(table), metric, **options), abs=1e-9)


@pytest.mark.parametrize("metric", ["krippendorff_alpha", "fleiss_kappa", "gwet_ac1", "percent_agreement",
                                    "bennett_s_brennan_prediger", "conger_kappa"])
@MANY
@given(table=tables(people=6, most=5), seed=st.integers(0, 1000))
def test_renaming_the_categories_changes_nothing_where_they_have_no_order(metric, table, seed):
    names = tuple(f"c{n}" for n in np.random.default_rng(seed).permutation(6))
    options = {"level": "nominal"} if metric == "krippendorff_alpha" else {}
    assert value(as_ratings(table, names=names), metric, **options) == pytest.approx(
        value(as_ratings(table, names=NAMES), metric, **options), abs=1e-9)
