"""Agreement: published values, the reference cases, another program, and laws that no data may break."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.agreement import alpha, ordinal, resampling, statistic
from annotation.agreement.beside import answer_shares, units_that_differ
from annotation.agreement.metric import metrics
from annotation.agreement.pairs import every_pair
from annotation.agreement.ratings import Ratings, collapse, ratings_of
from annotation.agreement.report import LATER, find_metric, in_order, measure
from annotation.agreement.slices import measure_slices
from annotation.errors import Refused, Unknown

LEVELS = ("nominal", "ordinal", "interval")

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", example C: 4 observers, 12 units.
EXAMPLE_C: list[list[int | None]] = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]

tables = st.integers(2, 5).flatmap(lambda people: st.lists(
    st.lists(st.one_of(st.none(), st.integers(0, 4)), min_size=people, max_size=people), min_size=1, max_size=25))


def of_table(by_item: list[list[Any]], **more: Any) -> Ratings:
    """Rows are items, columns people."""
    return ratings_of([(u, p, value) for u, row in enumerate(by_item) for p, value in enumerate(row)], **more)


def of_people(by_person: list[list[Any]]) -> Ratings:
    return of_table([list(row) for row in zip(*by_person, strict=True)])


@pytest.mark.parametrize(("level", "printed"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_krippendorffs_example_c_is_the_printed_value(level: str, printed: float) -> None:
    result = measure(of_people(EXAMPLE_C), "krippendorff_alpha", level=level)
    assert result.value == pytest.approx(printed, abs=5e-4)
    # 12 units, of which one has a single value; 7 of 48 cells are empty.
    assert (result.n_items, result.n_people, result.n_judgements, result.n_missing) == (11, 4, 40, 7)


def test_percent_agreement_of_cohens_table_is_the_printed_value() -> None:
    counts = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]  # Cohen (1960), p. 45: 200 subjects, 3 categories
    rows = [[a, b] for a in range(3) for b in range(3) for _ in range(counts[a][b])]
    assert measure(of_table(rows), "percent_agreement").value == pytest.approx(0.70, abs=1e-12)


def test_percent_agreement_weighs_items_alike_however_many_people_judged_them() -> None:
    # Two of three agree: 1 of 3 pairs. Two of two agree: 1 of 1. The mean over items is 2/3, over pairs 2/4.
    assert measure(of_table([["a", "a", "b"], ["c", "c", None]]), "percent_agreement").value == pytest.approx(2 / 3)


@settings(max_examples=150)
@given(tables, st.sampled_from(LEVELS))
def test_alpha_is_that_of_the_krippendorff_package(rows: list[list[int | None]], level: str) -> None:
    import krippendorff  # heavy: 0.2 s

    result = measure(of_table(rows), "krippendorff_alpha", level=level, replicates=0)
    paired = [row for row in rows if sum(v is not None for v in row) >= 2]
    if len({v for row in paired for v in row if v is not None}) < 2:
        assert result.value is None and result.reason
        return
    data = np.array([[math.nan if v is None else v for v in row] for row in rows]).T
    theirs = krippendorff.alpha(reliability_data=data, level_of_measurement=level)
    assert result.value == pytest.approx(theirs, abs=1e-9)


@settings(max_examples=60)
@given(tables, st.sampled_from([("percent_agreement", None), *(("krippendorff_alpha", level) for level in LEVELS)]),
       st.randoms(use_true_random=False))
def test_the_order_of_items_and_the_names_of_people_change_nothing(
        rows: list[list[int | None]], what: tuple[str, str | None], random: Any) -> None:
    metric, level = what
    other = [random.sample(row, len(row)) for row in random.sample(rows, len(rows))]
    one, two = (measure(of_table(table), metric, level=level, replicates=200) for table in (rows, other))
    # People traded answers within items, so how many of them enter may differ.
    assert one.to_dict() == {**two.to_dict(), "n_people": one.n_people}


@settings(max_examples=100)
@given(tables, st.sampled_from([("percent_agreement", None), *(("krippendorff_alpha", level) for level in LEVELS)]))
def test_the_interval_holds_the_value_or_says_why_there_is_none(rows: list[list[int | None]],
                                                                what: tuple[str, str | None]) -> None:
    result = measure(of_table(rows), what[0], level=what[1], replicates=300)
    if result.ci is None:
        assert result.reason
    else:
        assert result.value is not None and result.ci[0] <= result.value <= result.ci[1] <= 1.0
        assert result.reason is None
    json.dumps(result.to_dict(), allow_nan=False)


@settings(max_examples=60)
@given(tables)
def test_a_monotone_change_of_numbers_keeps_ordinal_alpha_and_an_affine_one_interval_alpha(
        rows: list[list[int | None]]) -> None:
    def changed(function: Any) -> Ratings:
        return of_table([[None if v is None else function(v) for v in row] for row in rows])

    def value(ratings: Ratings, level: str) -> float | None:
        return measure(ratings, "krippendorff_alpha", level=level, replicates=0).value

    assert value(changed(lambda v: v**3 + 7), "ordinal") == pytest.approx(value(of_table(rows), "ordinal"), abs=1e-9)
    assert value(changed(lambda v: 1000 - 3.5 * v), "interval") == pytest.approx(
        value(of_table(rows), "interval"), abs=1e-9)


@settings(max_examples=60)
@given(tables, st.sampled_from(LEVELS))
def test_doubling_all_items_multiplies_one_minus_alpha_exactly(rows: list[list[int | None]], level: str) -> None:
    once, twice = (measure(of_table(rows * times), "krippendorff_alpha", level=level, replicates=0) for times in (1, 2))
    assume(once.value is not None)
    n = once.n_judgements
    assert 1 - twice.value == pytest.approx((1 - once.value) * (2 * n - 1) / (2 * n - 2), abs=1e-9)


@settings(max_examples=40)
@given(tables, st.sampled_from(LEVELS))
def test_an_item_judged_by_one_person_changes_neither_alpha_nor_its_interval(rows: list[list[int | None]],
                                                                            level: str) -> None:
    lonely = [9, *[None] * (len(rows[0]) - 1)]
    one, two = (measure(of_table(table), "krippendorff_alpha", level=level, replicates=100)
                for table in (rows, [*rows, lonely]))
    assume(one.value is not None)
    assert (one.value, one.ci) == (two.value, two.ci)


@pytest.mark.parametrize("level", ["ordinal", "nominal"])
def test_the_path_without_a_table_gives_the_same_draws(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    rows = rng.integers(0, 9, (60, 3)).tolist()
    dense = measure(of_table(rows), "krippendorff_alpha", level=level, replicates=100)
    monkeypatch.setattr(statistic, "DENSE", 0)
    monkeypatch.setattr(ordinal, "DENSE", 0)
    sparse = measure(of_table(rows), "krippendorff_alpha", level=level, replicates=100)
    assert sparse.value == pytest.approx(dense.value, abs=1e-12)
    assert sparse.ci == pytest.approx(dense.ci, abs=1e-9)


def test_drawing_patterns_is_drawing_items() -> None:
    """The mean and spread of the draws are those of resampling the items themselves, one by one."""
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 120)
    rows = [[int(t) if rng.random() < 0.7 else int(rng.integers(0, 3)) for _ in range(3)] for t in truth]
    ratings = of_table(rows)
    patterns = collapse(ratings)
    statistic = alpha.alpha_nominal(patterns)
    kinds = resampling.bundle(patterns)
    quick = statistic.evaluate(kinds.spread(kinds.draw(np.random.default_rng(1), 4000)))
    plain = [measure(of_table([rows[i] for i in rng.integers(0, 120, 120)]), "krippendorff_alpha", level="nominal",
                     replicates=0).value for _ in range(600)]
    assert np.mean(quick) == pytest.approx(np.mean(plain), abs=4 * np.std(plain) / math.sqrt(600))
    assert np.std(quick) == pytest.approx(np.std(plain), rel=0.15)


def test_units_of_one_block_are_drawn_together() -> None:
    """Ten copies of each item as a block know no more than the items: the interval stays that of the items."""
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 2, (40, 2)).tolist()
    single = measure(of_table(rows), "percent_agreement", replicates=4000)
    copied = [row for row in rows for _ in range(10)]
    blocks = {unit: unit // 10 for unit in range(len(copied))}
    together = measure(of_table(copied, blocks=blocks), "percent_agreement", replicates=4000)
    apart = measure(of_table(copied), "percent_agreement", replicates=4000)
    assert single.ci is not None and together.ci is not None and apart.ci is not None
    width = single.ci[1] - single.ci[0]
    assert together.ci[1] - together.ci[0] == pytest.approx(width, rel=0.1)
    assert apart.ci[1] - apart.ci[0] < 0.5 * width


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    ratings = of_people(EXAMPLE_C)
    one, two, other = (measure(ratings, "krippendorff_alpha", level="nominal", seed=seed) for seed in (7, 7, 8))
    assert one.ci == two.ci and one.ci != other.ci


def test_many_items_cost_no_table_of_items_by_values() -> None:
    import tracemalloc

    rng = np.random.default_rng(0)
    n, people = 50_000, 3
    codes = rng.integers(0, 101, (n, people))
    ratings = Ratings(unit=np.repeat(np.arange(n), people), person=np.tile(np.arange(people), n), code=codes.ravel(),
                      labels=tuple(map(str, range(101))), numbers=tuple(float(v) for v in range(101)), n_units=n)
    tracemalloc.start()
    result = measure(ratings, "krippendorff_alpha", level="interval", replicates=20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.value is not None and abs(result.value) < 0.02
    assert peak < 60_000_000  # items x categories^2 would be 4 GB


def test_slices_are_measured_one_by_one() -> None:
    ratings = of_table([["a", "a"], ["a", "b"], ["b", "b"], ["b", "a"]])
    halves = {"x": np.array([0, 2]), "y": np.array([1, 3])}
    ratings = Ratings(**{**{name: getattr(ratings, name) for name in ratings.__slots__}, "slices": halves})
    found = {r.by["value"]: r for r in measure_slices(ratings, "percent_agreement", "kind") if r.by}
    assert (found["x"].value, found["y"].value) == (1.0, 0.0)
    assert found["x"].by == {"field": "kind", "value": "x"} and found["x"].n_items == 2


def test_what_is_not_defined_says_so_in_words() -> None:
    same = measure(of_table([["a", "a"], ["a", "a"]]), "krippendorff_alpha", level="nominal")
    alone = measure(of_table([["a"], ["b"]]), "percent_agreement")
    nothing = measure(of_table([[None, None]]), "krippendorff_alpha", level="nominal")
    assert (same.value, alone.value, nothing.value) == (None, None, None)
    assert "always gave the same answer" in str(same.reason)
    assert "same item twice" in str(alone.reason) and "counts as missing" in str(nothing.reason)
    assert measure(of_table([[]]), "krippendorff_alpha", level="nominal").reason == "nobody has answered"


def test_the_text_nan_is_an_answer() -> None:
    assert measure(of_table([["nan", "nan"], ["b", "c"]]), "percent_agreement").value == 0.5


def test_a_metric_that_comes_later_is_refused_by_name_and_an_unknown_one_is_unknown() -> None:
    for name in LATER - set(metrics):
        with pytest.raises(Refused, match="comes later"):
            find_metric(name)
    with pytest.raises(Refused, match="--preferences shows it"):
        find_metric("bradley_terry")
    with pytest.raises(Unknown):
        find_metric("kappa_of_mine")


def test_a_level_that_no_metric_has_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refused, match=r"There are: .*circular.*ratio"):
        measure(of_people(EXAMPLE_C), "krippendorff_alpha", level="logarithmic")


def test_an_order_is_refused_where_answers_have_none() -> None:
    with pytest.raises(Refused, match="no order"):
        measure(of_table([["a", "b"], ["b", "b"]]), "krippendorff_alpha", level="ordinal")


def test_answers_with_equal_numbers_become_one_value() -> None:
    ratings = of_table([[3, 1], [2, 2]])
    shifted = Ratings(**{**{n: getattr(ratings, n) for n in ratings.__slots__}, "numbers": (2.0, 1.0, 2.0)})
    ordered = in_order(shifted)
    assert ordered.numbers == (1.0, 2.0) and sorted(ordered.code.tolist()) == [0, 0, 1, 1]


def test_a_stop_gives_the_value_without_an_interval() -> None:
    result = measure(of_people(EXAMPLE_C), "krippendorff_alpha", level="nominal", cancelled=lambda: True)
    assert result.value is not None and result.ci is None and "stopped" in str(result.reason)


def test_beside_a_coefficient_stand_shares_pairs_and_the_items_that_differ() -> None:
    ratings = of_table([["a", "a", "b"], ["b", "b", None], ["a", "a", "a"], [None, None, "c"]])
    shares = {one.label: (one.answers, one.items, one.is_rare) for one in answer_shares(ratings)}
    assert shares == {"a": (5, 2, True), "b": (3, 2, True), "c": (1, 1, True)}
    pairs = {(pair.first, pair.second): pair.result for pair in every_pair(ratings, "percent_agreement")}
    assert pairs[0, 1].value == 1.0 and pairs[0, 1].n_items == 3
    assert pairs[1, 2].value == 0.5
    assert units_that_differ(ratings).tolist() == [0]


ODD_TABLES: dict[str, list[list[Any]]] = {
    "everybody always says the same": [[1, 1, 1]] * 6,
    "one item": [[1, 2]],
    "one person": [[1], [2]],
    "nothing but gaps": [[None, None]],
    "no rows": [],
    "words": [["a", "b"], ["b", "b"], ["c", "c"]] * 4,
    "all but one alike": [[1, 1, 1]] * 9 + [[1, 1, 2]],
    "two people": [[1, 2], [2, 2], [3, 1], [1, 1]] * 4,
    "forty people": [[(7 * u + p * p) % 3 for p in range(40)] for u in range(8)],
    "somebody who judged nothing": [[1, 2, None], [2, 2, None], [1, 1, None], [3, 1, None]],
}


@pytest.mark.parametrize("name", sorted(metrics))
def test_every_metric_has_a_value_or_a_sentence_on_odd_input(name: str) -> None:
    for rows in ODD_TABLES.values():
        for level in metrics[name].builds:
            for interval in ("bca", "jackknife", "analytic"):
                try:
                    found = measure(of_table(rows), name, level=level, interval=interval, replicates=30)
                except Refused as fault:
                    assert len(str(fault)) > 20
                    continue
                assert (found.value is not None and math.isfinite(found.value)) or found.reason
                assert found.reason or (found.ci is not None and found.ci[0] <= found.ci[1])
                json.dumps(found.to_dict(), allow_nan=False)
