"""Intervals of alpha by every method, for slices and for differences: by hand, item by item, and by what must hold."""

from __future__ import annotations

import json
import math
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.agreement import ordinal, resampling
from annotation.agreement.difference import (
    all_slices_differ,
    metrics_differ,
    people_differ,
    slices_differ,
)
from annotation.agreement.intervals import bca, bca_p
from annotation.agreement.ratings import Ratings, collapse, patterns_of_counts
from annotation.agreement.report import instant, measure, measure_patterns, prepare
from annotation.agreement.resampling import few
from annotation.agreement.scale import Scale
from annotation.agreement.slices import measure_slices
from annotation.agreement.student import t_quantile
from annotation.errors import Refused
from tests.test_agreement import EXAMPLE_C, of_people
from tests.test_levels_of_alpha import LEVELS, of_table, tables

ALPHA = "krippendorff_alpha"


def judged(items: int, *, seed: int = 0, agree: float = 0.7, values: int = 4, people: int = 3) -> list[list[Any]]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, values, (items, 1))
    return np.where(rng.random((items, people)) < agree, truth, rng.integers(0, values, (items, people))).tolist()


def large(items: int, values: int = 5, people: int = 3) -> Ratings:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, values, (items, 1))
    codes = np.where(rng.random((items, people)) < 0.7, truth, rng.integers(0, values, (items, people)))
    return Ratings(unit=np.repeat(np.arange(items), people), person=np.tile(np.arange(people), items),
                   code=codes.ravel(), labels=tuple(map(str, range(values))),
                   numbers=tuple(map(float, range(values))), n_units=items)


# The jackknife

@settings(max_examples=60)
@given(tables, st.sampled_from(LEVELS))
def test_the_jackknife_leaves_out_item_by_item(rows: list[list[int | None]], level: str) -> None:
    found = instant(of_table(rows), ALPHA, level=level)
    paired = [row for row in rows if sum(v is not None for v in row) >= 2]
    assume(found.value is not None and len(paired) > 1)
    period = replace(of_table(rows), period=float(max(v for r in paired for v in r if v is not None)
                                                  - min(v for r in paired for v in r if v is not None) + 1))
    without = []
    for place in range(len(paired)):
        part = of_table(paired[:place] + paired[place + 1:])
        without.append(measure(replace(part, period=period.period), ALPHA, level=level, interval="none").value)
    if any(one is None for one in without):
        assert found.ci is None and found.reason
        return
    n = len(without)
    se = math.sqrt((n - 1) / n * sum((one - sum(without) / n) ** 2 for one in without))
    assert (found.se or 0.0) == pytest.approx(se, abs=1e-7)
    if found.ci is not None and -1 < found.value < 1:
        from scipy.stats import t  # heavy: 0.5 s

        half = t.ppf(0.975, n - 1) * se / (1 - found.value**2)
        assert found.ci == pytest.approx([math.tanh(math.atanh(found.value) + x) for x in (-half, half)], abs=1e-6)


def test_the_jackknife_leaves_out_whole_clusters() -> None:
    rows, block = judged(60), [unit // 5 for unit in range(60)]
    ratings = replace(of_table(rows, blocks=dict(enumerate(block))), clustered=True)
    found = instant(ratings, ALPHA, level="nominal")
    without = [measure(of_table([row for row, b in zip(rows, block, strict=True) if b != out]), ALPHA, level="nominal",
                       interval="none").value or 0.0 for out in range(12)]
    assert found.se == pytest.approx(math.sqrt(11 / 12 * np.sum((np.array(without) - np.mean(without)) ** 2)), abs=1e-9)
    assert found.ci_method == "jackknife_z_clusters" and found.replicates == 0
    assert "clusters" not in str(found.note)


def test_from_few_clusters_the_bootstrap_takes_wider_tails_and_from_very_few_says_so() -> None:
    """The tails of Student's t for the number of clusters (``few``); measured in docs/statistics.md."""
    assert few(10**6, 0.95) == pytest.approx(1.959964, abs=1e-4)
    assert few(5, 0.95) == pytest.approx(2.776445 * math.sqrt(5 / 4), abs=1e-5)
    rows = judged(60)
    made = {n: measure(replace(of_table(rows, blocks={unit: unit % n for unit in range(60)}), clustered=True), ALPHA,
                       level="nominal") for n in (4, 20)}
    assert "4 clusters" in str(made[4].note) and "clusters" not in str(made[20].note)
    alone = measure(of_table(rows), ALPHA, level="nominal")
    one_each = measure(replace(of_table(rows, blocks={unit: unit for unit in range(60)}), clustered=True), ALPHA,
                       level="nominal")
    assert alone.ci is not None and one_each.ci is not None
    assert one_each.ci[0] <= alone.ci[0] + 0.01 and one_each.ci[1] >= alone.ci[1] - 0.01


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_with_thousands_of_kinds_a_derivative_or_a_sample_stands_for_the_jackknife(
        level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = large(4_000, values=60)
    exact = instant(ratings, ALPHA, level=level)
    monkeypatch.setattr(resampling, "STEPS", 100_000 if level == "ordinal" else 10)
    monkeypatch.setattr(resampling, "EXACT", 500)
    monkeypatch.setattr(resampling, "SAMPLED", 500)
    other = instant(ratings, ALPHA, level=level)
    assert exact.se is not None and other.se == pytest.approx(exact.se, rel=0.1)
    assert other.value == exact.value


# Percentile, analytic, Krippendorff's

def test_krippendorffs_bootstrap_is_that_of_other_programs_and_says_how_narrow_it_is() -> None:
    # R icr 0.6.6 and evalica 0.4.2 on Krippendorff (2011), example C, nominal: .5724 to .8503.
    found = measure(of_people(EXAMPLE_C), ALPHA, level="nominal", interval="krippendorff", replicates=50_000)
    assert found.ci == pytest.approx((0.5724, 0.8503), abs=0.011)
    assert found.ci_method == "bootstrap_krippendorff" and "83 to 87 %" in str(found.note)
    items = measure(of_people(EXAMPLE_C), ALPHA, level="nominal", interval="percentile", replicates=20_000)
    assert items.ci == pytest.approx((0.418, 1.0), abs=0.02)  # R icr 0.6.6, bootstrap over items
    assert items.ci_method == "bootstrap_percentile_items"
    with pytest.raises(Refused, match="not for percent_agreement"):
        measure(of_people(EXAMPLE_C), "percent_agreement", interval="krippendorff")


def test_an_interval_that_a_metric_has_not_and_one_that_nobody_has_are_refused() -> None:
    with pytest.raises(Refused, match="There are: bca"):
        measure(of_people(EXAMPLE_C), ALPHA, level="nominal", interval="bayes")
    with pytest.raises(Refused, match="no interval in closed form"):
        measure(of_people(EXAMPLE_C), ALPHA, level="nominal", interval="analytic")
    with pytest.raises(Refused, match="between 0 and 1"):
        measure(of_people(EXAMPLE_C), ALPHA, level="nominal", ci_level=95)


@settings(max_examples=60)
@given(tables, st.sampled_from(LEVELS), st.sampled_from(["bca", "percentile", "jackknife", "krippendorff", "none"]))
def test_every_interval_lies_within_bounds_or_there_is_a_reason(rows: list[list[int | None]], level: str,
                                                               interval: str) -> None:
    found = measure(of_table(rows), ALPHA, level=level, interval=interval, replicates=200)
    json.dumps(found.to_dict(), allow_nan=False)
    if found.ci is None:
        assert found.reason
        return
    assert found.value is not None and found.ci[0] <= found.ci[1] <= 1.0 and found.reason is None
    assert interval in ("percentile", "krippendorff") or found.ci[0] <= found.value <= found.ci[1]
    assert found.se is not None and found.se > 0.0


def test_a_wider_level_of_confidence_is_a_wider_interval() -> None:
    ratings = of_table(judged(80))
    for interval in ("bca", "percentile", "jackknife"):
        wide, narrow = (measure(ratings, ALPHA, level="nominal", interval=interval, ci_level=level)
                        for level in (0.99, 0.8))
        assert wide.ci is not None and narrow.ci is not None
        assert wide.ci[0] < narrow.ci[0] < narrow.ci[1] < wide.ci[1] and wide.ci_level == 0.99


# Notes

def test_where_intervals_do_not_hold_it_is_said() -> None:
    rare = measure(of_table([["no"] * 3] * 27 + [["yes", "no", "no"], ["yes"] * 3]), ALPHA, level="nominal")
    assert "2 of 29 items carry another answer than 'no'" in str(rare.note)
    skewed = measure(of_table([["no"] * 3] * 52 + [["yes", "yes", "no"]] * 5), ALPHA, level="nominal")
    assert "94% of the answers are 'no'" in str(skewed.note)
    assert "for these 3 people" in str(skewed.note)
    plain = measure(of_table(judged(60, people=7)), ALPHA, level="nominal")
    assert plain.note is None


# Counts that come from elsewhere

@settings(max_examples=60)
@given(tables, st.sampled_from(LEVELS), st.randoms(use_true_random=False))
def test_patterns_counted_elsewhere_give_the_same_result(rows: list[list[int | None]], level: str, random: Any) -> None:
    ratings = of_table(rows)
    patterns = collapse(ratings)
    direct = measure(ratings, ALPHA, level=level, replicates=150)
    shuffled = [random.sample(row, len(row)) for row in random.sample(rows, len(rows))]
    labels = sorted({v for row in rows for v in row if v is not None}, reverse=True)  # codes against their order
    cells = np.array([[-1 if v is None else labels.index(v) for v in row] for row in shuffled], dtype=np.int64)
    counted = patterns_of_counts(cells, np.ones(len(cells), dtype=np.int64))
    used = [labels[code] for code in counted.used]
    scale = Scale(tuple(map(str, used)), np.array(used, dtype=np.float64), level=level)
    there = measure_patterns(counted, scale, ALPHA, people=direct.n_people, missing=direct.n_missing, replicates=150)
    assert counted.count.sum() == patterns.count.sum()
    if level == "nominal":  # other codes, other order of patterns, other draws
        assert there.value == (None if direct.value is None else pytest.approx(direct.value, abs=1e-12))
    elif direct.n_items:
        assert there.to_dict() == direct.to_dict()


# Slices

def sliced(rows: list[list[Any]], parts: int) -> Ratings:
    ratings = of_table(rows)
    return replace(ratings, slices={f"part {part}": np.arange(part, len(rows), parts) for part in range(parts)})


@pytest.mark.parametrize("interval", ["bca", "percentile", "jackknife", "none", "krippendorff"])
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_slices_at_once_are_slices_one_by_one(level: str, interval: str) -> None:
    rows = [[None if (u + p) % 9 == 0 else v for p, v in enumerate(row)] for u, row in enumerate(judged(150))]
    ratings = sliced(rows, 4)
    for found in measure_slices(ratings, ALPHA, "part", level=level, interval=interval, replicates=200):
        assert found.by is not None
        alone = measure(ratings.of_units(ratings.slices[found.by["value"]]), ALPHA, level=level, interval=interval,
                        replicates=200)
        assert found.to_dict() == {**alone.to_dict(), "by": found.by}


def test_a_small_slice_has_a_value_and_no_interval_and_an_empty_one_a_reason() -> None:
    ratings = of_table(judged(60))
    ratings = replace(ratings, slices={"few": np.arange(10), "many": np.arange(10, 60), "none": np.arange(0)})
    found = {one.by["value"]: one for one in measure_slices(ratings, ALPHA, "t", level="nominal", replicates=100)
             if one.by}
    assert found["few"].value is not None and found["few"].ci is None
    assert found["few"].reason == "no interval: fewer than 20 items"
    assert found["many"].ci is not None
    assert found["none"].value is None and found["none"].reason == "nobody has answered"


def test_slices_of_clustered_items_and_of_ordered_patterns_are_measured_too() -> None:
    rows = judged(120, people=2)
    ratings = of_table(rows, blocks={unit: unit // 4 for unit in range(120)})
    ratings = replace(ratings, clustered=True, slices={"a": np.arange(60), "b": np.arange(60, 120)})
    for found in measure_slices(ratings, ALPHA, "t", level="nominal", replicates=200):
        assert found.by is not None and found.ci_method == "bootstrap_bca_clusters"
        alone = measure(ratings.of_units(ratings.slices[found.by["value"]]), ALPHA, level="nominal", replicates=200)
        assert (found.value, found.ci) == (alone.value, alone.ci)
    tau = measure_slices(replace(ratings, block=None, clustered=False), "kendall_tau_b", "t", replicates=50)
    assert all(one.value is not None for one in tau)


# Differences

def test_two_slices_that_differ_are_told_apart_and_two_alike_are_not() -> None:
    rows = judged(200, agree=0.9) + judged(200, seed=1, agree=0.5) + judged(200, seed=2, agree=0.9)
    ratings = replace(of_table(rows), slices={"a": np.arange(200), "b": np.arange(200, 400), "c": np.arange(400, 600)})
    apart = slices_differ(ratings, ALPHA, "a", "b", level="nominal", replicates=2000)
    alike = slices_differ(ratings, ALPHA, "a", "c", level="nominal", replicates=2000)
    assert not apart.paired and apart.ci is not None and apart.ci[0] > 0 and apart.p is not None and apart.p < 0.005
    assert alike.ci is not None and alike.ci[0] < 0 < alike.ci[1] and alike.p is not None and alike.p > 0.05
    first, second = (measure(ratings.of_units(ratings.slices[name]), ALPHA, level="nominal", replicates=4000)
                     for name in "ab")
    assert apart.value == pytest.approx(first.value - second.value)
    assert apart.se == pytest.approx(math.hypot(first.se, second.se), rel=0.06)
    every = all_slices_differ(ratings, ALPHA, field="t", level="nominal", replicates=500)
    assert [(one.first.by["value"], one.second.by["value"]) for one in every] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert all(one.p_holm >= one.p for one in every)


def test_people_and_metrics_on_the_same_items_are_drawn_together() -> None:
    rows = [[a, a if u % 10 else (a + 1) % 4, b] for u, (a, b) in enumerate(judged(300, agree=0.8, people=2))]
    ratings = of_table(rows)
    paired = people_differ(ratings, ALPHA, (0, 1), (0, 2), level="nominal", replicates=3000)
    assert paired.paired and paired.value is not None and paired.value > 0.1 and paired.p is not None
    assert paired.p < 0.05 and paired.ci_method == "bootstrap_bca_difference_paired"
    quick = people_differ(ratings, ALPHA, (0, 1), (0, 2), level="nominal", interval="jackknife")
    assert quick.se == pytest.approx(paired.se, rel=0.1) and quick.p is not None and quick.p < 0.05
    other = metrics_differ(ratings, (ALPHA, "nominal"), (ALPHA, "interval"), replicates=500)
    assert other.paired and other.first.level == "nominal" and other.second.level == "interval"
    same = metrics_differ(ratings, (ALPHA, "nominal"), (ALPHA, "nominal"), replicates=500)
    assert same.value == 0.0 and same.ci is None and "same value" in str(same.reason) and same.p is None
    json.dumps(paired.to_dict(), allow_nan=False)


def test_slices_that_share_clusters_are_drawn_together() -> None:
    ratings = of_table(judged(200), blocks={unit: unit // 4 for unit in range(200)})
    ratings = replace(ratings, clustered=True, slices={"even": np.arange(0, 200, 2), "odd": np.arange(1, 200, 2)})
    found = slices_differ(ratings, ALPHA, "even", "odd", level="nominal", replicates=500)
    assert found.paired and found.ci is not None


def test_a_difference_without_a_value_on_one_side_says_why() -> None:
    ratings = replace(of_table([["a", "a"]] * 30 + judged(30, people=2)),
                      slices={"same": np.arange(30), "other": np.arange(30, 60)})
    found = slices_differ(ratings, ALPHA, "same", "other", level="nominal")
    assert found.value is None and "always gave the same answer" in str(found.reason)
    few = slices_differ(replace(ratings, slices={"a": np.arange(30, 40), "b": np.arange(40, 60)}), ALPHA, "a", "b",
                        level="nominal")
    assert few.value is not None and few.ci is None and "fewer than 20 items" in str(few.reason)


@settings(max_examples=80)
@given(st.floats(-2, 2), st.floats(-0.1, 0.1), st.integers(0, 50))
def test_the_p_of_a_bootstrap_is_below_5_percent_exactly_where_the_interval_leaves_0_out(point: float, accel: float,
                                                                                         seed: int) -> None:
    draws = np.random.default_rng(seed).normal(point + 0.1, 1.0, 4000)
    interval, p = bca(point, draws, accel=accel), bca_p(point, draws, accel=accel)
    assert interval.pair is not None and p is not None
    assume(abs(p - 0.05) > 0.005)
    assert (p < 0.05) == (not interval.pair[0] <= 0.0 <= interval.pair[1])


# Cost

def test_ten_times_the_items_cost_the_draws_nothing() -> None:
    """In processor time of the draws alone, which do not know how many items there are; the least of three."""
    def cost(items: int) -> float:
        prepared = prepare(large(items), ALPHA, level="nominal")
        best = math.inf
        for _ in range(3):
            begun = time.process_time()
            resampling.bootstrap(prepared.statistic, prepared.patterns, replicates=4000, seed=0)
            best = min(best, time.process_time() - begun)
        return best

    assert cost(200_000) < 2.0 * cost(20_000)


def test_a_slider_takes_little_memory_and_stops_when_it_is_told_to() -> None:
    import tracemalloc

    ratings = large(60_000, values=101)
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 3

    for level in ("interval", "ordinal"):
        asked.clear()
        tracemalloc.start()
        found = measure(ratings, ALPHA, level=level, cancelled=stop)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert found.value is not None and found.ci is None and "stopped" in str(found.reason) and len(asked) == 4
        assert peak < 150_000_000  # 200,000 x 3 take thrice that; a table of items x values^2 would be 5 GB


@pytest.mark.parametrize("freedom", [1.0, 4.0, 99.0, 100.0, 199.0, 5000.0, 1e6])
def test_quantiles_of_student_are_scipys(freedom: float) -> None:
    from scipy.stats import t  # heavy: 0.5 s

    for p in (0.6, 0.9, 0.975, 0.995):
        assert t_quantile(p, freedom) == pytest.approx(float(t.ppf(p, freedom)), rel=1e-8)


@settings(max_examples=40)
@given(tables)
def test_the_derivative_of_ordinal_alpha_is_that_of_small_steps(rows: list[list[int | None]]) -> None:
    patterns = collapse(of_table(rows * 2))
    assume(patterns.values > 1)
    weights = patterns.count.astype(np.float64)
    for kind in (ordinal.OrdinalDense, ordinal.OrdinalSparse, ordinal.OrdinalPairs):
        found = kind(patterns)
        steps = np.eye(len(weights)) * 1e-4
        numeric = (found.evaluate(weights + steps) - found.evaluate(weights - steps)) / 2e-4
        assert found.slope(weights) == pytest.approx(numeric, abs=1e-5)


def test_an_item_may_be_in_several_slices() -> None:
    ratings = of_table(judged(90))
    ratings = replace(ratings, slices={"first": np.arange(60), "last": np.arange(30, 90), "all": np.arange(90)})
    found = {one.by["value"]: one for one in measure_slices(ratings, ALPHA, "t", level="nominal", replicates=100)
             if one.by}
    assert {name: one.n_items for name, one in found.items()} == {"first": 60, "last": 60, "all": 90}
    assert found["all"].value == measure(ratings, ALPHA, level="nominal", interval="none").value
    both = slices_differ(ratings, ALPHA, "first", "last", level="nominal", replicates=200)
    assert both.paired and both.ci is not None


@pytest.mark.parametrize("interval", ["bca", "jackknife", "percentile", "krippendorff"])
@pytest.mark.parametrize("level", ["masi", "jaccard"])
def test_sets_have_every_interval_too(level: str, interval: str) -> None:
    names = ['["a"]', '["a", "b"]', '["b"]', "[]"]
    found = measure(of_table([[names[v] for v in row] for row in judged(60)]), ALPHA, level=level, interval=interval,
                    replicates=300)
    assert found.ci is not None and found.value is not None and found.ci[0] < found.value < found.ci[1]
