"""Alpha at every level: another program, a second way to compute it, and laws that no data may break."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.agreement import alpha, ordinal, ratio, statistic
from annotation.agreement.ratings import Ratings, collapse, ratings_of
from annotation.agreement.report import measure
from annotation.agreement.result import Result
from annotation.errors import Refused

LEVELS = ("nominal", "ordinal", "interval", "ratio", "circular")

tables = st.integers(2, 6).flatmap(lambda people: st.lists(
    st.lists(st.one_of(st.none(), st.integers(0, 6)), min_size=people, max_size=people), min_size=1, max_size=20))


def of_table(by_item: list[list[Any]], **more: Any) -> Ratings:
    """Rows are items, columns people."""
    return ratings_of([(u, p, value) for u, row in enumerate(by_item) for p, value in enumerate(row)], **more)


def with_period(ratings: Ratings, period: float) -> Ratings:
    return Ratings(**{**{name: getattr(ratings, name) for name in ratings.__slots__}, "period": period})


def value_of(rows: list[list[Any]], level: str, period: float | None = None) -> float | None:
    ratings = of_table(rows)
    if period is not None:
        ratings = with_period(ratings, period)
    return measure(ratings, "krippendorff_alpha", level=level, interval="none").value


def by_pairs(rows: list[list[Any]], level: str) -> float | None:
    """Alpha as the definition reads: over all pairs within items, and over all pairs of pairable values."""
    paired = [[v for v in row if v is not None] for row in rows]
    paired = [row for row in paired if len(row) >= 2]
    values = [v for row in paired for v in row]
    n = len(values)
    if not n:
        return None
    below = {v: sum(w < v for w in values) + sum(w == v for w in values) / 2 for v in set(values)}
    around = max(values) - min(values) + 1

    def apart(a: float, b: float) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "ordinal":
            return (below[a] - below[b]) ** 2
        if level == "interval":
            return (a - b) ** 2
        if level == "ratio":
            return ((a - b) / (a + b)) ** 2 if a + b else 0.0
        return math.sin(math.pi * (a - b) / around) ** 2

    observed = sum(apart(a, b) / (len(row) - 1) for row in paired for i, a in enumerate(row)
                   for j, b in enumerate(row) if i != j) / n
    expected = sum(apart(a, b) for a in values for b in values) / (n * (n - 1))
    return None if expected < 1e-14 else 1 - observed / expected


@settings(max_examples=150)
@given(tables, st.sampled_from(LEVELS))
def test_alpha_is_what_its_definition_says_over_all_pairs(rows: list[list[int | None]], level: str) -> None:
    ours, theirs = value_of(rows, level), by_pairs(rows, level)
    assert ours == (None if theirs is None else pytest.approx(theirs, abs=1e-9))


@settings(max_examples=80)
@given(tables)
def test_alpha_on_ratios_is_that_of_the_krippendorff_package(rows: list[list[int | None]]) -> None:
    import krippendorff  # heavy: 0.2 s

    rows = [[None if v is None else v + 1 for v in row] for row in rows]  # the package divides 0 by 0
    paired = [row for row in rows if sum(v is not None for v in row) >= 2]
    assume(len({v for row in paired for v in row if v is not None}) >= 2)
    data = np.array([[math.nan if v is None else v for v in row] for row in rows]).T
    assert value_of(rows, "ratio") == pytest.approx(
        krippendorff.alpha(reliability_data=data, level_of_measurement="ratio"), abs=1e-9)


@settings(max_examples=60)
@given(tables, st.integers(-3, 3), st.sampled_from([7.0, 12.0, 24.0]))
def test_whole_turns_and_a_shift_of_all_change_nothing_on_a_circle(rows: list[list[int | None]], turns: int,
                                                                   period: float) -> None:
    def moved(by: float) -> list[list[float | None]]:
        return [[None if v is None else v + by for v in row] for row in rows]

    plain = value_of(rows, "circular", period)
    same = None if plain is None else pytest.approx(plain, abs=1e-9)
    assert value_of(moved(turns * period), "circular", period) == same
    assert value_of(moved(2.5), "circular", period) == same


@settings(max_examples=60)
@given(tables, st.sampled_from([0.001, 0.5, 3.0, 1e6]))
def test_a_change_of_unit_changes_nothing_on_ratios(rows: list[list[int | None]], unit: float) -> None:
    scaled = [[None if v is None else v * unit for v in row] for row in rows]
    plain = value_of(rows, "ratio")
    assert value_of(scaled, "ratio") == (None if plain is None else pytest.approx(plain, abs=1e-9))


@settings(max_examples=60)
@given(tables, st.sampled_from(LEVELS), st.permutations(range(6)))
def test_names_of_people_change_nothing_at_any_level(rows: list[list[int | None]], level: str,
                                                     order: list[int]) -> None:
    order = [place for place in order if place < len(rows[0])]
    assert value_of([[row[place] for place in order] for row in rows], level) == value_of(rows, level)


@settings(max_examples=40)
@given(tables, st.permutations(range(7)))
def test_new_names_for_categories_change_nothing_at_the_nominal_level(rows: list[list[int | None]],
                                                                      names: list[int]) -> None:
    renamed = [[None if v is None else f"c{names[v]}" for v in row] for row in rows]
    plain = value_of(rows, "nominal")
    assert value_of(renamed, "nominal") == (None if plain is None else pytest.approx(plain, abs=1e-12))


def test_a_number_below_0_is_refused_on_ratios_and_two_zeros_agree() -> None:
    with pytest.raises(Refused, match="0 or more, and -1 was answered"):
        measure(of_table([[-1, 1], [1, 1], [2, 3]]), "krippendorff_alpha", level="ratio")
    assert value_of([[0, 0], [0, 0], [1, 1]], "ratio") == 1.0


def test_the_period_is_said_and_must_be_more_than_0() -> None:
    rows = [[0, 1], [2, 2], [3, 3], [6, 0]]
    by_itself: Result = measure(of_table(rows), "krippendorff_alpha", level="circular", interval="none")
    assert "a period of 7 (the largest less the smallest value, plus 1)" in str(by_itself.note)
    declared = measure(with_period(of_table(rows), 24.0), "krippendorff_alpha", level="circular", interval="none")
    assert "a period of 24 (as declared)" in str(declared.note)
    with pytest.raises(Refused, match="more than 0"):
        measure(with_period(of_table(rows), 0.0), "krippendorff_alpha", level="circular")


@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio", "circular"])
def test_words_have_none_of_the_levels_that_count(level: str) -> None:
    with pytest.raises(Refused, match="nominal does"):
        measure(of_table([["a", "b"], ["b", "b"]]), "krippendorff_alpha", level=level)


def test_distances_of_ones_own_give_alpha_by_hand() -> None:
    # Artstein and Poesio (2008), p. 568: 100 utterances, disagreement with the third category counts half; .8156.
    counts = [[46, 0, 0], [6, 32, 6], [0, 0, 10]]
    patterns = collapse(of_table([[a, b] for a in range(3) for b in range(3) for _ in range(counts[a][b])]))
    cost = np.array([[0.0, 1.0, 0.5], [1.0, 0.0, 0.5], [0.5, 0.5, 0.0]])
    found = alpha.alpha_with(patterns, cost).evaluate(patterns.count.astype(np.float64)[None])
    assert float(found[0]) == pytest.approx(0.8156, abs=5e-5)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "ratio"])
def test_large_tables_give_the_same_draws_by_another_way(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    ratings = of_table((rng.integers(0, 30, (60, 1)) + rng.integers(0, 9, (60, 3))).tolist())
    dense = measure(ratings, "krippendorff_alpha", level=level, replicates=100)
    monkeypatch.setattr(statistic, "DENSE", 0)
    monkeypatch.setattr(ordinal, "DENSE", 0)
    monkeypatch.setattr(alpha, "KEPT", 0)
    pairs = measure(ratings, "krippendorff_alpha", level=level, replicates=100)
    monkeypatch.setattr(ordinal, "PAIRED", 0)
    cells = measure(ratings, "krippendorff_alpha", level=level, replicates=100)
    for other in (pairs, cells):
        assert other.value == pytest.approx(dense.value, abs=1e-12)
        assert other.ci == pytest.approx(dense.ci, abs=1e-9)


@settings(max_examples=30)
@given(st.lists(st.floats(1e-6, 1e6), min_size=2, max_size=40))
def test_scalar_products_stand_for_distances_of_ratios(numbers: list[float]) -> None:
    x = np.unique(np.array([0.0, *numbers]))
    assume(np.std(np.log(x[1:])) > 1e-2)
    products = ratio.kernel_of_ratios(x)
    assert 1.0 - products @ products.T == pytest.approx(ratio.squared_ratio(x[:, None], x[None, :]), abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_ten_thousand_categories_have_a_value_and_an_interval(level: str) -> None:
    rng = np.random.default_rng(1)
    truth = rng.permutation(10_000) + 1
    rows = np.stack([truth, np.where(rng.random(10_000) < 0.5, truth, rng.permutation(truth)), truth], axis=1)
    ratings = Ratings(unit=np.repeat(np.arange(10_000), 3), person=np.tile(np.arange(3), 10_000), code=rows.ravel() - 1,
                      labels=tuple(map(str, range(1, 10_001))), numbers=tuple(map(float, range(1, 10_001))),
                      n_units=10_000)
    result = measure(ratings, "krippendorff_alpha", level=level, replicates=20, interval="percentile")
    assert result.value is not None and 0.5 < result.value < 0.8 and result.ci is not None


def test_ten_thousand_nearly_equal_numbers_on_ratios_are_refused_in_a_sentence() -> None:
    numbers = 1.0 + np.arange(2_000) * 1e-7
    with pytest.raises(Refused, match="interval can be computed"):
        measure(of_table([[a, b] for a, b in zip(numbers.tolist(), numbers[::-1].tolist(), strict=True)]),
                "krippendorff_alpha", level="ratio")


@settings(max_examples=60)
@given(tables, st.sampled_from([("circular", "circular"), ("ratio", "ratio"), ("interval", "quadratic"),
                                ("nominal", "unweighted")]))
def test_alpha_is_gwets_form_of_it_where_distances_do_not_depend_on_the_margins(rows: list[list[int | None]],
                                                                                names: tuple[str, str]) -> None:
    # Gwet (2014), ch. 3: the same coefficient from weights, written and tested apart.
    rows = [row for row in rows if sum(v is not None for v in row) >= 2]
    assume(rows)
    ours = value_of(rows, names[0])
    theirs = measure(of_table(rows), "krippendorff_alpha_gwet_weights", weights=names[1], interval="none").value
    assert theirs == (None if ours is None else pytest.approx(ours, abs=1e-9))


@settings(max_examples=60)
@given(tables, st.sampled_from(LEVELS))
def test_twice_the_items_bring_one_less_alpha_nearer_by_a_known_factor(rows: list[list[int | None]],
                                                                      level: str) -> None:
    once, twice = value_of(rows, level), value_of(rows * 2, level)
    if once is None:
        assert twice is None
        return
    n = sum(sum(v is not None for v in row) for row in rows if sum(v is not None for v in row) >= 2)
    assert twice is not None and 1 - twice == pytest.approx((1 - once) * (2 * n - 1) / (2 * n - 2), abs=1e-9)
