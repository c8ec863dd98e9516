"""Agreement corrected for chance: printed values, other programs, definitions by loops, and laws no data may break."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.agreement import against, chance, each_answer, gwet_alpha, many_people, percent, two_people
from annotation.agreement.asking import scale_of
from annotation.agreement.metric import metrics
from annotation.agreement.others import with_majority_of_others
from annotation.agreement.ratings import Patterns, Ratings, collapse, ratings_of
from annotation.agreement.report import measure
from annotation.agreement.scale import Scale
from annotation.agreement.standard_error import benchmark_probabilities, best_band
from annotation.agreement.weights import WEIGHTS, Weighting, category_numbers, from_disagreement, weight_matrix
from annotation.errors import Refused
from tests import cases_chance, cases_data

COHEN_1960 = np.array([[88.0, 14, 18], [10, 40, 10], [2, 6, 12]])    # p. 45, 200 subjects
PARADOX = np.array([[80.0, 10], [5, 5]])                             # Feinstein & Cicchetti (1990), 100 patients
BALANCED = np.array([[40.0, 9], [6, 45]])                            # the same with even answers
# Gwet's cac.raw4raters of R's irrCAC: 4 raters, 12 units, answers missing.
RAW = [[1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None], [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, None],
       [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3], [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None]]

cells = st.one_of(st.none(), st.integers(0, 3))
tables = st.integers(2, 5).flatmap(lambda people: st.lists(
    st.lists(cells, min_size=people, max_size=people), min_size=2, max_size=20))
whole = st.integers(2, 5).flatmap(lambda people: st.lists(
    st.lists(st.integers(0, 3), min_size=people, max_size=people), min_size=3, max_size=20))
two = st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=2), min_size=2, max_size=40)
POOLED = {"fleiss_kappa": chance.by_shares, "bennett_s_brennan_prediger": chance.by_categories,
          "gwet_ac2": chance.by_chance_answers}
NAMES = tuple(WEIGHTS)
law = settings(derandomize=True, deadline=None, max_examples=60)


def of_rows(rows: list[list[Any]]) -> Ratings:
    """Rows are items, columns people."""
    return ratings_of([(u, p, value) for u, row in enumerate(rows) for p, value in enumerate(row)])


def of_counts(table: np.ndarray) -> Ratings:
    return of_rows([[a, b] for a, row in enumerate(table.astype(int)) for b, n in enumerate(row) for _ in range(n)])


def value(ratings: Ratings, metric: str, weights: str | None = None) -> float | None:
    return measure(ratings, metric, weights=weights, replicates=0).value


def prepared(ratings: Ratings, metric: str, weights: str = "unweighted") -> tuple[Patterns, Scale]:
    row = metrics[metric]
    patterns = collapse(ratings, least=row.least, ordered=row.ordered)
    return patterns, scale_of(ratings, patterns, None, weights)


# --- printed values ------------------------------------------------------------------------------

def test_cohens_own_table_gives_his_kappa_and_his_largest_possible_one() -> None:
    found = two_people.kappa_of_table(COHEN_1960)
    assert found.value == pytest.approx(0.492, abs=5e-4)
    assert found.expected == pytest.approx(0.41, abs=1e-12)
    assert two_people.kappa_max(COHEN_1960) == pytest.approx(0.831, abs=5e-4)


def test_weighted_kappa_of_cohens_1968_disagreements_is_the_printed_one() -> None:
    matrix = from_disagreement(np.array([[0.0, 1, 3], [1, 0, 6], [3, 6, 0]]))
    assert two_people.kappa_of_table(COHEN_1960, matrix).value == pytest.approx(0.348, abs=5e-4)


@pytest.mark.parametrize(("metric", "weights", "printed", "se"), [
    ("fleiss_kappa", "unweighted", 0.76117, 0.15302), ("gwet_ac1", None, 0.77544, 0.14295),
    ("conger_kappa", "unweighted", 0.76282, 0.14917), ("bennett_s_brennan_prediger", "unweighted", 0.77273, 0.14472),
    ("krippendorff_alpha_gwet_weights", "unweighted", 0.74342, 0.14557),
])
def test_gwets_example_with_missing_answers_is_what_his_program_prints(metric: str, weights: str | None,
                                                                       printed: float, se: float) -> None:
    found = measure(of_rows([list(row) for row in zip(*RAW, strict=True)]), metric, weights=weights,
                    interval="analytic")
    assert found.value == pytest.approx(printed, abs=5e-6)
    assert found.se == pytest.approx(se, abs=5e-6)
    assert found.ci is not None and found.ci[1] == 1.0 and found.ci_method == "analytic_gwet_t"


def test_the_paradox_tables_have_one_percentage_and_two_kappas() -> None:
    assert [round(two_people.kappa_of_table(table).value or 0.0, 2) for table in (PARADOX, BALANCED)] == [0.32, 0.70]


def test_gwets_benchmark_names_the_best_band_that_is_probable_enough() -> None:
    # irrCAC's vignette: AC1 0.775 with standard error 0.143 is "Moderate", by 0.995.
    bands = benchmark_probabilities(0.77544, 0.14295)
    assert best_band(bands) == "moderate"
    assert dict(bands)["moderate"] == pytest.approx(0.99542, abs=1e-5)
    assert dict(bands)["poor"] == pytest.approx(1.0, abs=1e-12)
    with pytest.raises(Refused):
        benchmark_probabilities(1.0, 0.0)


# --- other programs ------------------------------------------------------------------------------

@law
@given(two, st.sampled_from([None, "linear", "quadratic"]))
def test_cohens_kappa_is_scikit_learns(rows: list[list[int]], weights: str | None) -> None:
    from sklearn.metrics import cohen_kappa_score

    first, second = zip(*rows, strict=True)
    assume(len({*first, *second}) > 1)
    expected = cohen_kappa_score(first, second, labels=[0, 1, 2, 3], weights=weights)
    assert value(of_rows(rows), "cohen_kappa", weights) == pytest.approx(expected, abs=1e-9)


@law
@given(two, st.sampled_from([None, "linear", "quadratic"]))
def test_cohens_standard_errors_are_those_of_statsmodels(rows: list[list[int]], weights: str | None) -> None:
    from statsmodels.stats.inter_rater import cohens_kappa

    table = np.zeros((4, 4))
    np.add.at(table, tuple(np.array(rows).T), 1.0)
    matrix = None if weights is None else weight_matrix(weights, np.arange(4.0))
    ours = two_people.kappa_of_table(table, matrix)
    assume(ours.value is not None)
    with np.errstate(all="ignore"):
        theirs = cohens_kappa(table, wt=weights)
    assert ours.value == pytest.approx(float(theirs.kappa), abs=1e-9)
    assert (ours.se or 0.0) ** 2 == pytest.approx(float(theirs.var_kappa), abs=1e-9)
    assert (ours.se_h0 or 0.0) ** 2 == pytest.approx(float(theirs.var_kappa0), abs=1e-9)


@law
@given(whole)
def test_fleiss_and_randolph_are_those_of_statsmodels(rows: list[list[int]]) -> None:
    from statsmodels.stats.inter_rater import fleiss_kappa

    assume(len({x for row in rows for x in row}) > 1)
    counts = np.array([np.bincount(row, minlength=4) for row in rows])
    declared = replace(of_rows(rows), declared=("0", "1", "2", "3"))
    assert value(declared, "fleiss_kappa") == pytest.approx(fleiss_kappa(counts), abs=1e-9)
    assert value(declared, "randolph_kappa_free") == pytest.approx(fleiss_kappa(counts, method="randolph"), abs=1e-9)


# --- definitions by loops ------------------------------------------------------------------------

def by_definition(rows: list[list[Any]], metric: str, weight: np.ndarray, codes: list[Any]) -> float:
    """Slowly, item by item and pair by pair, as the formulas stand in the books."""
    place = {x: n for n, x in enumerate(codes)}
    items = [[place[x] for x in row if x is not None] for row in rows]
    items = [item for item in items if item]
    if metric == "krippendorff_alpha_gwet_weights":
        items = [item for item in items if len(item) > 1]
        total = sum(map(len, items))
        observed = sum(weight[a, b] / (len(item) - 1) for item in items
                       for a, b in itertools.permutations(item, 2)) / total
        every = [x for item in items for x in item]
        expected = sum(weight[a, b] for a, b in itertools.permutations(every, 2)) / (total * (total - 1))
        return 1.0 - (1.0 - observed) / (1.0 - expected)
    pairs = [np.mean([weight[a, b] for a, b in itertools.combinations(item, 2)]) for item in items if len(item) > 1]
    q = len(codes)
    pi = np.mean([np.bincount(item, minlength=q) / len(item) for item in items], axis=0)
    if metric == "conger_kappa":
        people = [[place[x] for x in column if x is not None] for column in zip(*rows, strict=True)]
        expected = np.mean([np.mean([[weight[a, b] for b in other] for a in one])
                            for one, other in itertools.combinations([p for p in people if p], 2)])
    else:
        expected = {"fleiss_kappa": pi @ weight @ pi, "bennett_s_brennan_prediger": weight.sum() / q**2,
                    "gwet_ac2": weight.sum() / (q * (q - 1)) * (pi * (1 - pi)).sum()}[metric]
    return float((np.mean(pairs) - expected) / (1.0 - expected))


@law
@given(tables, st.sampled_from([*POOLED, "conger_kappa", "krippendorff_alpha_gwet_weights"]), st.sampled_from(NAMES))
def test_every_coefficient_is_its_definition_with_any_weights_and_missing_answers(
        rows: list[list[Any]], metric: str, weights: str) -> None:
    kept = [row for row in rows if sum(x is not None for x in row) >= metrics[metric].least]
    codes = sorted({x for row in kept for x in row if x is not None})
    assume(len(codes) > 1 and any(sum(x is not None for x in row) > 1 for row in kept))
    got = value(of_rows(rows), metric, weights)
    with np.errstate(all="ignore"):
        expected = by_definition(rows, metric, weight_matrix(weights, np.array(codes, float)), codes)
    if got is None:
        assert not math.isfinite(expected) or abs(expected) > 1e6
    else:
        assert got == pytest.approx(expected, abs=1e-8, rel=1e-8)


@law
@given(tables, st.sampled_from(["unweighted", "quadratic"]))
def test_light_is_the_mean_of_cohens_kappas(rows: list[list[Any]], weights: str) -> None:
    people = range(len(rows[0]))
    singles = []
    for one, other in itertools.combinations(people, 2):
        both = [[row[one], row[other]] for row in rows if row[one] is not None and row[other] is not None]
        if both:
            # The weights go by all values that occur, not by those of the pair; kappa does not mind.
            singles.append(value(of_rows(both), "cohen_kappa", weights))
    assume(singles)
    got = value(of_rows(rows), "light_kappa", weights)
    if any(single is None for single in singles):
        assert got is None
    else:
        assert got == pytest.approx(float(np.mean(singles)), abs=1e-9)


def test_pair_by_pair_and_sparse_tables_give_the_same_as_dense_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    ratings = of_rows([[int(x) if x < 4 else None for x in row] for row in rng.integers(0, 5, (60, 4))])
    names = ("light_kappa", "percent_agreement_mean_pairwise", "conger_kappa", "fleiss_kappa", "gwet_ac2")
    rows = {name: prepared(ratings, name, "quadratic") for name in names}
    weights = {name: rng.integers(0, 3, (5, len(rows[name][0].count))).astype(float) for name in names}
    dense = {name: metrics[name].builds[None](*rows[name]).evaluate(weights[name]) for name in names}
    monkeypatch.setattr("annotation.agreement.statistic.DENSE", 10)
    monkeypatch.setattr("annotation.agreement.many_people.TABLES", 10)
    for name in names:
        again = metrics[name].builds[None](*rows[name])
        assert type(again).__name__ in ("SparseLinear", "PairByPair")
        np.testing.assert_allclose(again.evaluate(weights[name]), dense[name], atol=1e-12)


# --- standard errors -----------------------------------------------------------------------------

@law
@given(whole, st.sampled_from([*POOLED, "conger_kappa", "percent_agreement", "krippendorff_alpha_gwet_weights"]),
       st.sampled_from(["unweighted", "linear", "ordinal"]))
def test_gwets_error_is_the_infinitesimal_jackknife_where_nothing_is_missing(
        rows: list[list[int]], metric: str, weights: str) -> None:
    """The derivative of the statistic by each item's weight, taken numerically: another way to the same number."""
    assume(len({x for row in rows for x in row}) > 1)
    patterns, scale = prepared(of_rows(rows), metric, weights)
    weighting = percent.weighting_of(scale)
    found = cases_chance.ESTIMATES[metric](patterns, weighting)
    count = patterns.count.astype(float)
    statistic = metrics[metric].builds[None](patterns, scale)
    here = float(statistic.evaluate(count[None])[0])
    assume(found is not None and math.isfinite(here) and abs(here) < 50.0)
    assert found.value == pytest.approx(here, abs=1e-9)
    n, step = count.sum(), 1e-5
    moved = np.concatenate([count + step * np.eye(len(count)), count - step * np.eye(len(count))])
    up, down = np.split(statistic.evaluate(moved), 2)
    slope = n * (up - down) / (2.0 * step)
    slope -= (count * slope).sum() / n  # along the items alone: alpha also knows how many there are
    expected = math.sqrt((count * slope**2).sum() / (n * (n - 1.0)))
    if metric == "krippendorff_alpha_gwet_weights":  # its error leaves 1 - 1/N out
        expected /= 1.0 - 1.0 / (n * patterns.cells.shape[1])
    assert found.se == pytest.approx(expected, abs=1e-5, rel=1e-4)


@law
@given(two, st.sampled_from(["unweighted", "quadratic"]))
def test_cohens_error_is_congers_with_the_other_divisor(rows: list[list[int]], weights: str) -> None:
    patterns, scale = prepared(of_rows(rows), "cohen_kappa", weights)
    ours = two_people.kappa_with_errors(patterns, percent.weighting_of(scale))
    other = many_people.conger_estimate(patterns, percent.weighting_of(scale))
    assume(ours.value is not None and other is not None)
    assert other.value == pytest.approx(ours.value, abs=1e-9)
    assert other.large_sample_se == pytest.approx(ours.se, abs=1e-7)


def test_fleiss_z_counts_in_errors_of_no_agreement() -> None:
    # Where all answers are chance, z has mean 0 and spread 1.
    rng = np.random.default_rng(7)
    zs = []
    for _ in range(400):
        z = chance.fleiss_z(collapse(of_rows(rng.choice(3, (40, 4), p=[0.5, 0.3, 0.2]).tolist()), least=1))
        assert z is not None
        zs.append(z)
    assert abs(float(np.mean(zs))) < 0.2 and 0.85 < float(np.std(zs)) < 1.15
    assert chance.fleiss_z(collapse(of_rows([[1, 1, None], [1, 2, 2]]), least=1)) is None


# --- laws ----------------------------------------------------------------------------------------

@law
@given(tables, st.sampled_from(["fleiss_kappa", "gwet_ac1", "conger_kappa", "light_kappa", "percent_agreement",
                                "percent_vs_majority", "bennett_s_brennan_prediger"]),
       st.randoms(use_true_random=False))
def test_nothing_changes_when_people_items_and_unordered_answers_get_other_names(
        rows: list[list[Any]], metric: str, random: Any) -> None:
    people, items, answers = list(range(len(rows[0]))), list(rows), list(range(4))
    for order in (people, items, answers):
        random.shuffle(order)
    other = [[None if row[p] is None else "wxyz"[answers[row[p]]] for p in people] for row in items]
    one, same = value(of_rows(rows), metric), value(of_rows(other), metric)
    assert (one is None) == (same is None)
    assert one is None or one == pytest.approx(same, abs=1e-9)


@law
@given(two)
def test_with_two_people_conger_and_light_are_cohen_and_fleiss_is_scott(rows: list[list[int]]) -> None:
    ratings = of_rows(rows)
    cohen = value(ratings, "cohen_kappa")
    assert value(ratings, "light_kappa") == cohen or value(ratings, "light_kappa") == pytest.approx(cohen, abs=1e-9)
    assert value(ratings, "conger_kappa") == cohen or value(ratings, "conger_kappa") == pytest.approx(cohen, abs=1e-9)
    assert value(ratings, "scott_pi") == value(ratings, "fleiss_kappa")


@law
@given(tables)
def test_gwets_alpha_is_krippendorffs_nominal_without_weights_and_interval_with_quadratic_ones(
        rows: list[list[Any]]) -> None:
    for weights, level in (("unweighted", "nominal"), ("quadratic", "interval")):
        ours = value(of_rows(rows), "krippendorff_alpha_gwet_weights", weights)
        theirs = measure(of_rows(rows), "krippendorff_alpha", level=level, replicates=0).value
        assert (ours is None) == (theirs is None)
        assert ours is None or ours == pytest.approx(theirs, abs=1e-9)


@law
@given(tables, st.integers(0, 3))
def test_a_category_against_the_rest_is_the_coefficient_of_two_answers(rows: list[list[Any]], code: int) -> None:
    ratings = replace(of_rows(rows), declared=("0", "1", "2", "3"))
    assume(str(code) in ratings.labels)
    counts = np.array([np.bincount([x for x in row if x is not None], minlength=4) for row in rows], float)
    expected = each_answer.fleiss_categories(counts)[code]
    got = value(each_answer.one_against_rest(ratings, ratings.labels.index(str(code))), "fleiss_kappa")
    assert (got is None) == (expected is None)
    assert got is None or got == pytest.approx(expected, abs=1e-9)


@law
@given(tables)
def test_agreement_with_the_majority_is_what_each_person_has_with_it(rows: list[list[Any]]) -> None:
    ratings = of_rows(rows)
    each = with_majority_of_others(ratings)
    got = value(ratings, "percent_vs_majority")
    if got is None:
        assert each.n.sum() == 0
    else:
        assert got == pytest.approx(each.hits.sum() / each.n.sum(), abs=1e-12)


# --- weights -------------------------------------------------------------------------------------

def test_the_weights_are_those_of_gwets_tables() -> None:
    x = np.array([1.0, 2, 3, 4])
    assert weight_matrix("linear", x)[0].tolist() == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert weight_matrix("quadratic", x)[0].tolist() == pytest.approx([1, 8 / 9, 5 / 9, 0])
    assert weight_matrix("ordinal", x)[0].tolist() == pytest.approx([1, 5 / 6, 1 / 2, 0])
    assert weight_matrix("radical", x)[0].tolist() == pytest.approx([1, 1 - 3**-0.5, 1 - (2 / 3) ** 0.5, 0])
    assert weight_matrix("circular", x)[0].tolist() == pytest.approx([1, 0.5, 0, 0.5])  # 4 stands beside 1
    assert weight_matrix("ratio", x)[0].tolist() == pytest.approx([1, 1 - (1 / 9) / 0.36, 1 - 0.25 / 0.36, 0])
    assert weight_matrix("bipolar", x)[1].tolist() == pytest.approx([0.8, 1, 1 - 1 / 9, 1 - 4 / 8])


@pytest.mark.parametrize("weights", NAMES)
def test_weights_are_even_handed_and_lie_between_0_and_1(weights: str) -> None:
    matrix = weight_matrix(weights, np.array([0.0, 1, 2.5, 7]))
    assert (matrix == matrix.T).all() and (np.diag(matrix) == 1.0).all()
    assert matrix.min() >= 0.0 and matrix.max() <= 1.0
    assert weight_matrix(weights, np.array([3.0])).tolist() == [[1.0]]


def test_an_offered_answer_that_nobody_gave_widens_the_weights() -> None:
    rows = [[1, 2], [2, 2], [1, 1], [2, 1]]
    declared = replace(of_rows(rows), declared=("1", "2", "3"))
    assert value(of_rows(rows), "percent_agreement", "linear") == pytest.approx(0.5)
    assert value(declared, "percent_agreement", "linear") == pytest.approx(0.75)
    assert value(declared, "cohen_kappa", "linear") == pytest.approx(value(of_rows(rows), "cohen_kappa", "linear"))


def test_options_have_the_place_that_their_numbers_their_spelling_or_their_order_gives() -> None:
    words = Scale(("low", "high"), np.array([0.0, 2.0]), ("low", "middle", "high"))
    assert category_numbers(words)[0].tolist() == [0.0, 1.0, 2.0] and category_numbers(words)[1] == [0, 2]
    spelled = Scale(("10", "50"), np.array([10.0, 50.0]), ("10", "20", "50"))
    assert category_numbers(spelled)[0].tolist() == [10.0, 20.0, 50.0]
    unknown = Scale(("a", "c"), np.array([1.0, 10.0]), ("a", "b", "c"))
    assert category_numbers(unknown)[0].tolist() == [1.0, 10.0]
    plain = Scale(("a", "c"), np.array([np.nan, np.nan]), ("c", "b", "a"))
    assert category_numbers(plain)[1] == [2, 0]


# --- bad and bare input --------------------------------------------------------------------------

def test_weights_that_do_not_suit_are_refused_in_a_sentence() -> None:
    with pytest.raises(Refused, match="neither numbers nor options"):
        measure(of_rows([["cat", "dog"], ["dog", "dog"]]), "cohen_kappa", weights="linear", replicates=0)
    with pytest.raises(Refused, match="below 0"):
        measure(of_rows([[-1, 1], [1, 1]]), "cohen_kappa", weights="ratio", replicates=0)
    with pytest.raises(Refused, match="5000 different answers"):
        measure(of_rows([[n, n + 1] for n in range(0, 5000, 2)]), "fleiss_kappa", weights="quadratic", replicates=0)
    with pytest.raises(Refused, match="There are: unweighted"):
        measure(of_rows([[1, 2]]), "cohen_kappa", weights="cubic", replicates=0)
    with pytest.raises(Refused):
        from_disagreement(np.array([[1.0, 2.0], [0.0, 0.0]]))


def test_ten_thousand_different_answers_are_counted_without_a_table_of_their_pairs() -> None:
    found = measure(of_rows([[n, n if n % 2 else -n - 1] for n in range(10_000)]), "fleiss_kappa", replicates=20)
    assert found.value == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize("metric", ["fleiss_kappa", "scott_pi", "cohen_kappa", "conger_kappa", "light_kappa",
                                    "krippendorff_alpha_gwet_weights", "gwet_ac1", "gwet_ac2", "randolph_kappa_free"])
def test_without_variation_there_is_no_value_but_a_reason(metric: str) -> None:
    found = measure(of_rows([[1, 1], [1, 1], [1, 1]]), metric)
    assert found.value is None and found.ci is None and found.reason
    assert "answer" in found.reason or "categor" in found.reason


def test_ac1_and_brennan_prediger_are_1_where_others_were_offered_and_nobody_took_them() -> None:
    declared = replace(of_rows([[1, 1], [1, 1]]), declared=("1", "2"))
    assert value(declared, "gwet_ac1") == 1.0 and value(declared, "bennett_s_brennan_prediger") == 1.0
    assert value(declared, "fleiss_kappa") is None


@pytest.mark.parametrize("metric", ["fleiss_kappa", "conger_kappa", "gwet_ac1", "light_kappa", "percent_agreement",
                                    "krippendorff_alpha_gwet_weights"])
def test_where_nobody_judged_the_same_item_the_reason_says_so(metric: str) -> None:
    found = measure(of_rows([[1, None], [None, 2], [2, None]]), metric)
    assert found.value is None and "nobody judged the same item twice" in str(found.reason)


def test_cohens_kappa_of_three_people_is_undefined_and_points_to_the_pairs() -> None:
    found = measure(of_rows([[1, 2, 1], [2, 2, 1]]), "cohen_kappa")
    assert found.value is None and "pair" in str(found.reason)


def test_a_person_without_answers_changes_nothing() -> None:
    rows = [[1, 2, None], [2, 2, None], [1, 1, None], [2, 2, None]]
    for metric in ("conger_kappa", "light_kappa", "cohen_kappa", "gwet_ac1"):
        assert value(of_rows(rows), metric) == value(of_rows([row[:2] for row in rows]), metric)


def test_agreement_with_gold_has_an_interval_over_items() -> None:
    rng = np.random.default_rng(3)
    rows = [["a" if x < 0.8 else "b" for x in row] for row in rng.random((200, 3))]
    found = against.measure_vs_gold(of_rows(rows), np.zeros(200, dtype=np.int64), replicates=2000)
    assert found.value is not None and found.ci is not None and found.ci[0] < found.value < found.ci[1]
    half = 1.96 * float(np.std([np.mean([x == "a" for x in row]) for row in rows])) / 200**0.5
    assert (found.ci[1] - found.ci[0]) / 2 == pytest.approx(half, rel=0.1)


# --- gold ----------------------------------------------------------------------------------------

def test_agreement_with_gold_weighs_items_alike_and_leaves_out_those_without() -> None:
    ratings = of_rows([["a", "a", "b"], ["b", "b", None], ["a", "b", "a"], [None, None, None]])
    gold = np.array([0, 0, -1, 1])  # a, a, none, and gold that nobody answered
    found = against.measure_vs_gold(ratings, gold, replicates=0)
    assert found.value == pytest.approx((2 / 3 + 0) / 2)
    assert (found.n_items, found.n_people, found.n_judgements) == (2, 3, 5)
    nothing = against.measure_vs_gold(ratings, np.full(4, -1))
    assert nothing.value is None and nothing.reason == against.NO_GOLD


# --- cases of other shapes -----------------------------------------------------------------------

SHIPPED = Path(__file__).parent / "cases"


def test_a_case_may_name_its_weights_raters_and_categories_in_any_of_the_known_ways() -> None:
    table = {"format": "contingency_table", "categories": ["lo", "mid", "hi"], "counts": [[5, 2, 0], [1, 6, 1],
                                                                                         [0, 1, 4]]}
    run = cases_chance.STATISTICS["cohen_kappa"]
    linear = run(table, {"weights": "linear"})
    assert linear == pytest.approx(run(table, {"weights": "linear (Gwet)"}), abs=1e-12)
    assert linear == pytest.approx(run(table, {"weights": [[0, 1, 2], [1, 0, 1], [2, 1, 0]]}), abs=1e-12)
    assert linear == pytest.approx(run(table, {"weights": "disagreement: lo vs hi 2, else 1"}), abs=1e-12)
    assert linear == pytest.approx(run(table, {"weights": "custom weights [[1,.5,0],[.5,1,.5],[0,.5,1]]"}), abs=1e-12)
    with pytest.raises(cases_data.Unsupported):
        run(table, {"weights": "by ear"})
    three = {"format": "ratings", "raters": ["ann", "bob", "cy"], "values": [[1, 2, 2, 1], [1, 2, 2, 1], [2, 2, 2, 1]]}
    assert run(three, {"raters": [1, 3]}) == pytest.approx(run(three, {"raters": ["ann", "cy"]}))
    assert run(three, {"raters": [1, 3]}) != pytest.approx(run(three, {"raters": [1, 2]}))
    with pytest.raises(cases_data.Undefined):
        run(three, {})


def test_the_shipped_cases_of_these_coefficients_are_met() -> None:
    met = 0
    for file in sorted(SHIPPED.glob("*.json")):
        case = json.loads(file.read_text("utf-8"))
        for check in case["checks"]:
            if check["statistic"] in cases_chance.STATISTICS:
                got = cases_chance.STATISTICS[check["statistic"]](case["data"], check.get("params") or {})
                assert got == pytest.approx(check["expected"], abs=check["tolerance"]), (file.name, check["statistic"])
                met += 1
    assert met


def test_estimates_know_weightings_that_no_name_has() -> None:
    patterns = collapse(of_rows([list(row) for row in zip(*RAW, strict=True)]))
    own = Weighting(from_disagreement(np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))), 5, 13.0)
    found = gwet_alpha.alpha_estimate(patterns, own)
    assert found is not None and found.value == pytest.approx(0.8003838771593095, abs=1e-9)  # irrCAC, linear
