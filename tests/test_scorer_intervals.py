"""Intervals of scores: against statsmodels, scipy and hand-worked figures, and how often they hold the truth."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import proportion_confint

from annotation.agreement.student import t_quantile, t_tail
from exports.scorer.resampling import collapse, draws_of_sums, group_sums
from exports.scorer.robust import robust, robust_se, wilson_at, wilson_effective
from exports.scorer.score import Options, score
from tests.small_bundle import predictions, write

LAW = settings(derandomize=True, deadline=None, max_examples=60)
OPTIONS = {"q": [{"id": "yes", "text": "Yes"}, {"id": "no", "text": "No"}]}


@pytest.mark.parametrize("freedom", [1, 2, 3, 7, 29, 500, 19_999])
def test_quantiles_and_tails_of_t_are_those_of_scipy(freedom: int) -> None:
    for p in (0.001, 0.3, 0.5, 0.8, 0.975, 0.9999):
        assert t_quantile(p, freedom) == pytest.approx(stats.t.ppf(p, freedom), rel=1e-8, abs=1e-12)
    for t in (0.0, 0.3, 2.0, 9.0):
        assert t_tail(t, freedom) == pytest.approx(stats.t.sf(t, freedom), rel=1e-8)


@LAW
@given(st.integers(1, 400), st.floats(0, 1))
def test_wilson_with_a_whole_n_is_that_of_statsmodels(n: int, share: float) -> None:
    k = round(share * n)
    assert wilson_at(k / n, n) == pytest.approx(proportion_confint(k, n, method="wilson"), abs=1e-9)


@LAW
@given(st.lists(st.lists(st.floats(-5, 5), min_size=1, max_size=6), min_size=2, max_size=12))
def test_the_cluster_robust_error_is_that_of_a_regression_on_a_constant(values: list[list[float]]) -> None:
    x = np.concatenate([np.asarray(one) for one in values])
    groups = np.repeat(np.arange(len(values)), [len(one) for one in values])
    sums = group_sums(np.stack([x, np.ones(len(x))], axis=1), groups, len(values))
    fitted = OLS(x, np.ones(len(x))).fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False})
    wanted = float(fitted.bse[0]) * math.sqrt(len(values) / (len(values) - 1))
    assert robust_se(sums) == pytest.approx(wanted, rel=1e-7, abs=1e-9)
    found = robust(sums)
    assert found.ci is not None and found.freedom == len(values) - 1
    half = stats.t.ppf(0.975, len(values) - 1) * wanted
    assert found.ci == pytest.approx((x.mean() - half, x.mean() + half), rel=1e-6, abs=1e-8)


def test_one_cluster_is_unknown_and_not_zero() -> None:
    sums = np.asarray([[3.0, 10.0]])
    for found in (robust(sums), wilson_effective(sums)):
        assert found.ci is None and found.reason == "unknown: one cluster says nothing about others"


def test_the_effective_n_by_hand() -> None:
    """Four clusters of five, two all right, two all wrong: p 1/2, SE^2 = 4/3 * 4 * 2.5^2 / 20^2 = 1/12, n_e = 3."""
    sums = np.asarray([[5.0, 5.0], [5.0, 5.0], [0.0, 5.0], [0.0, 5.0]])
    found = wilson_effective(sums)
    shrunk = 3 * (stats.t.ppf(0.975, 19) / stats.t.ppf(0.975, 3)) ** 2
    assert found.se == pytest.approx(math.sqrt(1 / 12)) and found.effective_n == pytest.approx(shrunk)
    assert found.ci == pytest.approx(proportion_confint(shrunk / 2, shrunk, method="wilson"))


def test_all_right_counts_every_cluster_as_one_answer() -> None:
    found = wilson_effective(np.asarray([[5.0, 5.0]] * 8))
    assert found.ci == pytest.approx(proportion_confint(8, 8, method="wilson"))


@LAW
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4)), min_size=1, max_size=40))
def test_collapsed_sums_are_the_same_sums(pairs: list[tuple[int, int]]) -> None:
    sums = np.asarray(pairs, dtype=float)
    for some in (sums, sums + 0.25):
        rows, counts, inverse = collapse(some)
        assert counts.sum() == len(pairs) and len(np.unique(rows, axis=0)) == len(rows)
        assert np.array_equal(rows[inverse], some)


def test_both_ways_of_drawing_agree_with_each_other_and_with_the_formula() -> None:
    rng = np.random.default_rng(3)
    few = np.stack([rng.integers(0, 2, 400).astype(float), np.ones(400)], axis=1)
    many = np.stack([rng.normal(size=400), np.ones(400)], axis=1)
    for sums in (few, many):
        drawn = draws_of_sums(sums, lambda some: some[:, 0] / some[:, 1], replicates=4000)
        assert drawn.mean() == pytest.approx(sums[:, 0].mean(), abs=0.005)
        assert drawn.std() == pytest.approx(sums[:, 0].std() / 20, rel=0.05)


def test_few_clusters_are_covered_as_promised_where_a_bootstrap_of_clusters_is_too_narrow() -> None:
    """12 clusters of 8 whose shares differ: of 400 samples the interval holds the truth in 95 %, within chance."""
    rng = np.random.default_rng(5)
    held = boot = 0
    for _ in range(400):
        right = rng.binomial(8, rng.beta(2, 2, size=12)).astype(float)
        sums = np.stack([right, np.full(12, 8.0)], axis=1)
        low, high = wilson_effective(sums).ci or (math.nan, math.nan)
        held += low <= 0.5 <= high
        drawn = draws_of_sums(sums, lambda some: some[:, 0] / some[:, 1], replicates=300)
        boot += int(np.quantile(drawn, 0.025) <= 0.5 <= np.quantile(drawn, 0.975))
    assert held / 400 > 0.92 > boot / 400


def bundle(tmp_path: Path, right: list[bool], clusters: list[str | None]) -> tuple[Path, Path]:
    items = [{"id": f"i{n}", "choices": OPTIONS, "cluster": cluster} for n, cluster in enumerate(clusters)]
    folder = write(tmp_path / "b", items, [{"id": f"i{n}", "question": "q", "answer": "yes"} for n in
                                           range(len(right))], [("accuracy", "q")])
    return folder, predictions(tmp_path / "p.jsonl", [{"id": f"i{n}", "answer": "yes" if one else "no"}
                                                      for n, one in enumerate(right)])


def test_the_report_holds_every_interval_that_fits_with_seed_and_draws(tmp_path: Path) -> None:
    folder, file = bundle(tmp_path, [n % 3 > 0 for n in range(120)], [f"c{n // 3}" for n in range(120)])
    found = score(folder, {"s": file}, options=Options(replicates=500, seed=7))
    assert (found["settings"]["replicates"], found["settings"]["seed"], found["settings"]["level"]) == (500, 7, 0.95)
    figure = found["systems"][0]["metrics"][0]
    assert figure["clusters"] == 40
    assert [one["method"] for one in figure["intervals"]] == ["wilson_effective_n", "cluster_robust_t",
                                                             "bootstrap_bca_clusters"]
    # Every cluster has the same share: resamples say nothing, and the report says so and takes Wilson's.
    last = figure["intervals"][-1]
    assert last["ci"] is None and "every resample gives the same value" in last["reason"]
    assert (figure["ci_method"], figure["ci"]) == ("wilson_effective_n", figure["intervals"][0]["ci"])


def test_another_seed_draws_other_resamples_and_the_same_seed_the_same(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    folder, file = bundle(tmp_path, list(rng.random(300) < 0.7), [f"c{n // 5}" for n in range(300)])
    first, again, other = (score(folder, {"s": file}, options=Options(seed=seed))["systems"][0]["metrics"][0]
                           ["intervals"][-1] for seed in (0, 0, 1))
    assert first == again and first["se"] != other["se"]
    assert other["ci"] == pytest.approx(first["ci"], abs=0.02)


def test_resamples_without_a_value_are_counted(tmp_path: Path) -> None:
    """abstention_violation aside, a headline over gold of one kind is undefined where a resample has none of it."""
    items = [{"id": f"i{n}"} for n in range(12)]
    folder = write(tmp_path / "b", items, [], [("presupposition", None)])
    rows = [{"id": f"i{n}", "judge_score": n % 3 - 1 if n < 6 else None} for n in range(12)]
    figure = score(folder, {"s": predictions(tmp_path / "p.jsonl", rows)})["systems"][0]["metrics"][0]
    (last,) = [one for one in figure["intervals"] if one["method"].startswith("bootstrap")]
    assert last["undefined"] == pytest.approx(2000 * 0.5**12, abs=4)
