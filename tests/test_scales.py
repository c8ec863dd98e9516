"""Numbers, ranks and small tests: printed values, other programs, and the same value on counts as on repeated rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.agreement import intervals, tau
from annotation.agreement.catalogue import metrics
from annotation.agreement.correlation import pearson, spearman
from annotation.agreement.cronbach import cronbach_alpha, cronbach_interval
from annotation.agreement.distance import limits_of_agreement
from annotation.agreement.icc import FORMS, form_of, icc
from annotation.agreement.metric import Analytic
from annotation.agreement.ranks import kendall_w
from annotation.agreement.ratings import Patterns, Ratings, collapse, ratings_of
from annotation.agreement.report import in_order, measure, scale_of
from annotation.agreement.scale import Scale
from annotation.agreement.tau import kendall_tau_b
from annotation.errors import Refused, Unknown
from tests.cases_scales import STATISTICS

SCALES = ("icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k", "cronbach_alpha", "kendall_w", "mae",
          "mard", "mean_relative_difference")
OF_TWO = ("pearson", "spearman", "kendall_tau_b")
# Shrout and Fleiss (1979), table 2: 6 targets, 4 judges.
JUDGES = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float)

tables = st.integers(2, 5).flatmap(lambda people: st.lists(
    st.lists(st.integers(0, 5), min_size=people, max_size=people), min_size=2, max_size=25))
pairs_of_numbers = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=40)
calm = settings(derandomize=True, deadline=None, max_examples=150)


def of_table(table: Any) -> Ratings:
    """Rows are items, columns people; None is missing."""
    return ratings_of([(item, person, value) for item, row in enumerate(table) for person, value in enumerate(row)])


def value_of(table: Any, metric: str) -> float | None:
    return measure(of_table(table), metric, replicates=0).value


def _analytic(name: str, patterns: Patterns, scale: Scale) -> Analytic:
    analytic = metrics[name].analytic
    found = None if analytic is None else analytic(patterns, scale)
    assert found is not None
    return found


def test_icc_of_shrout_and_fleiss_are_the_printed_values() -> None:
    printed = dict(zip(FORMS, (0.17, 0.29, 0.71, 0.44, 0.62, 0.91), strict=True))
    for form, value in printed.items():
        assert icc(JUDGES, form).value == pytest.approx(value, abs=0.005)
        assert value_of(JUDGES.tolist(), f"icc_{form[4]}_{form[6]}") == pytest.approx(icc(JUDGES, form).value)
    assert cronbach_alpha(JUDGES) == pytest.approx(0.91, abs=0.005)
    assert value_of(JUDGES.tolist(), "icc") == value_of(JUDGES.tolist(), "icc_2_1")


@pytest.mark.parametrize(("name", "form"), [
    ("ICC(A,1)", "ICC(2,1)"), ("ICC2k", "ICC(2,k)"), ("icc_3_k", "ICC(3,k)"), ("ICC(2,4)", "ICC(2,k)"),
    ("ICC(k)", "ICC(1,k)"), ("ICC1", "ICC(1,1)"), ("icc(c, K)", "ICC(3,k)")])
def test_a_form_of_icc_goes_by_any_of_its_usual_names(name: str, form: str) -> None:
    assert form_of(name) == form
    with pytest.raises(Unknown, match="There is no form"):
        form_of("ICC(4,1)")


@calm
@given(tables, st.integers(0, 1_000))
def test_icc_with_f_p_and_interval_is_that_of_pingouin(rows: list[list[int]], seed: int) -> None:
    pandas, pingouin = pytest.importorskip("pandas"), pytest.importorskip("pingouin")
    table = np.array(rows, dtype=float) + np.random.default_rng(seed).normal(0, 0.5, (len(rows), len(rows[0])))
    if len(table) < 5:
        return  # pingouin wants five items
    frame = pandas.DataFrame([(i, p, x) for i, row in enumerate(table) for p, x in enumerate(row)], columns=list("ipx"))
    theirs = pingouin.intraclass_corr(frame, "i", "p", "x").set_index("Type")
    for row in theirs.itertuples():
        found = icc(table, row.Index)
        assert found.value == pytest.approx(row.ICC, abs=1e-9)
        assert (found.f, found.p) == (pytest.approx(row.F, rel=1e-7), pytest.approx(row.pval, abs=1e-9))
        assert (found.df1, found.df2) == (row.df1, row.df2)
        limits = theirs.loc[row.Index, "CI95"]
        assert [found.low, found.high] == pytest.approx(list(limits), abs=0.0051)  # it rounds to two decimals
    assert cronbach_alpha(table) == pytest.approx(pingouin.cronbach_alpha(pandas.DataFrame(table))[0], abs=1e-9)
    low, high = pingouin.cronbach_alpha(pandas.DataFrame(table))[1]
    feldt = cronbach_interval(table)
    assert [feldt.low, feldt.high] == pytest.approx([low, high], abs=0.0006)


@calm
@given(pairs_of_numbers)
def test_correlations_of_two_people_are_those_of_scipy(rows: list[tuple[int, int]]) -> None:
    from scipy import stats

    table = np.array(rows, dtype=float)
    varies = len(set(table[:, 0])) > 1 and len(set(table[:, 1])) > 1
    for ours, theirs, name in ((pearson, stats.pearsonr, "pearson"), (spearman, stats.spearmanr, "spearman"),
                               (kendall_tau_b, stats.kendalltau, "kendall_tau_b")):
        if varies:
            expected = theirs(table[:, 0], table[:, 1]).statistic
            assert ours(table) == pytest.approx(expected, abs=1e-12)
            assert value_of(rows, name) == pytest.approx(expected, abs=1e-12)
        else:
            assert ours(table) is None
            result = measure(of_table(rows), name, replicates=0)
            assert result.value is None and "always gave the same answer" in str(result.reason)


def test_closed_form_intervals_of_correlations_and_icc_go_with_their_metrics() -> None:
    from scipy import stats

    rows = JUDGES[:, :2].tolist()
    ratings = in_order(of_table(rows))
    patterns = collapse(ratings, ordered=True)
    scale = scale_of(ratings, patterns, None)
    found = {name: _analytic(name, patterns, scale) for name in ("pearson", "spearman", "icc_2_1")}
    theirs = stats.pearsonr(JUDGES[:, 0], JUDGES[:, 1]).confidence_interval()
    assert (found["pearson"].low, found["pearson"].high) == (pytest.approx(theirs.low), pytest.approx(theirs.high))
    assert found["spearman"].low < (spearman(JUDGES[:, :2]) or 0.0) < found["spearman"].high
    assert found["icc_2_1"].low == pytest.approx(icc(JUDGES[:, :2], "ICC(2,1)").low)
    assert len({one.method for one in found.values()}) == 3


@calm
@given(pairs_of_numbers)
def test_tau_by_merging_is_tau_by_all_pairs(rows: list[tuple[int, int]]) -> None:
    by_pairs = kendall_tau_b(np.array(rows, dtype=float))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tau, "MATRIX", 0)
        assert kendall_tau_b(np.array(rows, dtype=float)) == (None if by_pairs is None else pytest.approx(by_pairs))


@calm
@given(tables)
def test_kendalls_w_of_untied_ranks_is_the_mean_spearman(rows: list[list[int]]) -> None:
    rng = np.random.default_rng(len(rows))
    table = np.column_stack([rng.permutation(len(rows)) for _ in rows[0]]).astype(float)
    found = kendall_w(table)
    pairs = [spearman(table[:, [i, j]]) for i in range(table.shape[1]) for j in range(i)]
    assert found.mean_spearman == pytest.approx(np.mean([one or 0.0 for one in pairs]), abs=1e-9)
    assert found.value == pytest.approx(kendall_w(table, tie_correction=False).value)


def test_kendalls_w_is_the_friedman_test_of_scipy() -> None:
    from scipy import stats

    found = kendall_w(JUDGES)
    friedman = stats.friedmanchisquare(*JUDGES)
    assert (found.chi2, found.p) == (pytest.approx(friedman.statistic), pytest.approx(friedman.pvalue))
    assert value_of(JUDGES.tolist(), "kendall_w") == pytest.approx(found.value)


@pytest.mark.parametrize("metric", SCALES + OF_TWO)
@settings(derandomize=True, deadline=None, max_examples=40)
@given(tables, st.integers(0, 1_000))
def test_a_value_on_counts_of_patterns_is_the_value_of_the_repeated_items(metric: str, rows: list[list[int]],
                                                                          seed: int) -> None:
    rows = [row[:2] for row in rows] if metric in OF_TWO else rows
    ratings = in_order(of_table(rows))
    found = metrics[metric]
    patterns = collapse(ratings, least=found.least, ordered=found.ordered)
    weights = np.random.default_rng(seed).integers(0, 4, (3, len(patterns.count))).astype(float)
    drawn = found.builds[None](patterns, scale_of(ratings, patterns, None)).evaluate(weights)
    numbers = np.array([float(x or 0) for x in ratings.numbers])[patterns.used]
    for row, counts in enumerate(weights):
        repeated = np.repeat(numbers[patterns.cells], counts.astype(int), axis=0)
        expected = value_of(repeated.tolist(), metric) if len(repeated) else None
        assert (math.isnan(drawn[row]) and expected is None) or drawn[row] == pytest.approx(expected, abs=1e-9)


def test_icc_of_one_way_takes_items_with_unequal_numbers_of_answers() -> None:
    from scipy import stats

    groups = [[1.0, 2.0], [5.0, 6.0, 4.0], [9.0, 8.0], [2.0, 2.0, 3.0, 1.0]]
    rows = [[*group, *[None] * (4 - len(group))] for group in groups]
    f = stats.f_oneway(*groups).statistic
    n, sizes = sum(map(len, groups)), [len(group) for group in groups]
    k = (n - sum(m * m for m in sizes) / n) / (len(groups) - 1)
    assert value_of(rows, "icc_1_1") == pytest.approx((f - 1.0) / (f + k - 1.0))


def test_distances_are_those_counted_by_hand() -> None:
    rows = [[1, 3, None], [2, 2, 5], [None, 0, 0]]
    # Pairs: |1-3| = 2; 0, 3, 3; 0. Items: 2, 2, 0.
    assert value_of(rows, "mae") == pytest.approx(4.0 / 3.0)
    assert value_of(rows, "mard") == pytest.approx(8.0 / 5.0)
    # 2 / 2; (0 + 3 / 3.5 + 3 / 3.5) / 3; 0 of two zeros.
    assert value_of(rows, "mean_relative_difference") == pytest.approx((1.0 + 2.0 * 3.0 / 3.5 / 3.0) / 3.0)
    limits = limits_of_agreement(np.array([[1.0, 2.0], [2.0, 5.0], [3.0, 5.0]]))
    assert limits is not None
    assert (limits.bias, limits.high) == (pytest.approx(2.0), pytest.approx(2.0 + 1.959963984540054))


@pytest.mark.parametrize("metric", SCALES)
@pytest.mark.parametrize(("rows", "said"), [
    ([[1], [2], [3]], "same item twice"), ([[None, None]], "counts as missing"),
    ([[1, None], [None, 2]], "same item twice")])
def test_without_a_common_item_there_is_a_reason_in_words(metric: str, rows: Any, said: str) -> None:
    result = measure(of_table(rows), metric, replicates=50)
    assert result.value is None and result.ci is None and said in str(result.reason)


@pytest.mark.parametrize("metric", [name for name in SCALES if name not in ("mae", "mard", "mean_relative_difference")])
@pytest.mark.parametrize("rows", [[[2, 2], [2, 2], [2, 2]], [[0.1, 0.1, 0.1]] * 7, [[1, 2]]])
def test_without_variation_there_is_a_reason_and_no_number(metric: str, rows: Any) -> None:
    result = measure(of_table(rows), metric, replicates=50)
    assert result.value is None and result.reason


@pytest.mark.parametrize("metric", ["icc", "cronbach_alpha", "kendall_w"])
def test_three_people_who_never_meet_on_one_item_are_told_so(metric: str) -> None:
    result = measure(of_table([[1, 2, None], [None, 3, 4], [5, None, 6]]), metric, replicates=50)
    assert result.value is None and "all of these people" in str(result.reason)


@pytest.mark.parametrize("metric", OF_TWO)
def test_a_correlation_of_three_people_refers_to_pairs(metric: str) -> None:
    result = measure(of_table([[1, 2, 3], [2, 3, 5]]), metric, replicates=0)
    assert result.value is None and "pair" in str(result.reason)


@pytest.mark.parametrize("metric", SCALES + OF_TWO)
def test_words_without_an_order_are_refused(metric: str) -> None:
    with pytest.raises(Refused, match="neither numbers nor in an order"):
        measure(of_table([["a", "b"], ["b", "b"]]), metric)


@pytest.mark.parametrize("metric", [*SCALES, *OF_TWO])
def test_an_interval_over_sliders_holds_the_value_and_comes_from_the_seed(metric: str) -> None:
    rng = np.random.default_rng(7)
    truth = rng.uniform(0, 100, 120)
    rows = np.round(np.column_stack([truth + rng.normal(0, 12, 120) for _ in range(2 if metric in OF_TWO else 3)]), 3)
    one, again = (measure(of_table(rows.tolist()), metric, replicates=300, seed=3) for _ in range(2))
    assert one == again and one.ci is not None and one.value is not None
    assert one.ci[0] <= one.value <= one.ci[1]


@pytest.mark.parametrize("metric", [*SCALES, *OF_TWO])
def test_the_instant_interval_holds_the_value_whatever_its_units(metric: str) -> None:
    rng = np.random.default_rng(8)
    truth = rng.uniform(0, 100, 80)
    rows = np.round(np.column_stack([truth + rng.normal(0, 12, 80) for _ in range(2 if metric in OF_TWO else 3)]), 1)
    result = measure(of_table(rows.tolist()), metric, interval="jackknife")
    assert result.ci is not None and result.value is not None and result.ci[0] < result.value < result.ci[1]


def test_tau_of_many_different_pairs_needs_no_table_of_all_pairs() -> None:
    from scipy import stats

    rng = np.random.default_rng(1)
    table = np.round(rng.normal(size=(20_000, 1)) + rng.normal(size=(20_000, 2)), 2)
    assert kendall_tau_b(table) == pytest.approx(stats.kendalltau(table[:, 0], table[:, 1]).statistic, abs=1e-12)


@calm
@given(tables, st.floats(0.5, 20.0), st.floats(-50.0, 50.0))
def test_scales_of_measurement_do_not_change_what_is_free_of_units(rows: list[list[int]], times: float,
                                                                    plus: float) -> None:
    for metric in ("icc_1_1", "icc_2_1", "icc_3_k", "cronbach_alpha", "kendall_w"):
        moved = [[x * times + plus for x in row] for row in rows]
        one, other = value_of(rows, metric), value_of(moved, metric)
        assert (one is None and other is None) or other == pytest.approx(one, abs=1e-7)


@pytest.mark.parametrize(("b", "c"), [(150, 86), (121, 59), (1, 0), (7, 7), (3, 12)])
def test_mcnemar_is_that_of_statsmodels(b: int, c: int) -> None:
    tables_of = pytest.importorskip("statsmodels.stats.contingency_tables")
    for continuity in (False, True):
        theirs = tables_of.mcnemar([[10, b], [c, 10]], exact=False, correction=continuity)
        ours = intervals.mcnemar_chi2(b, c, continuity=continuity)
        if b != c:  # equal counts: it says (0 - 1)^2, Edwards' correction never passes 0
            assert ours == pytest.approx(theirs.statistic)
            assert intervals.chi2_one_p(ours or 0.0) == pytest.approx(theirs.pvalue)
    assert intervals.mcnemar_chi2(0, 0) is None


def test_cases_are_read_in_other_shapes_too() -> None:
    by_judge = {"format": "rankings", "rows": "judges", "cols": "items", "ranks": [[1, 3, 2], [1, 2, 3], [2, 3, 1]]}
    by_item = {"format": "rankings", "rows": "items", "ranks": [[1, 1, 2], [3, 2, 3], [2, 3, 1]]}
    assert STATISTICS["kendall_w"](by_judge, {}) == pytest.approx(STATISTICS["kendall_w"](by_item, {}))
    pairs = {"format": "ratings", "values": [["no", "yes", "no", "no"], ["yes", "no", "yes", "no"]]}
    assert STATISTICS["mcnemar_chi2"](pairs, {}) == pytest.approx(1.0 / 3.0)
    several = {"format": "proportions", "fields": ["n", "x"], "rows": [[10, 5], [20, 1]]}
    assert STATISTICS["wilson_ci95"](several, {})[0] == pytest.approx(intervals.wilson(5, 10))


def test_items_that_a_metric_of_whole_columns_leaves_out_are_said() -> None:
    table = [(f"i{n}", who, n % 4 + k) for n in range(30) for k, who in enumerate("abc") if (n, who) != (7, "b")]
    found = measure(ratings_of(table), "icc", interval="none")
    assert found.n_items == 30 and found.note == "of 30 items 1 without an answer of everybody are left out"
    assert measure(ratings_of(table), "krippendorff_alpha", level="interval", interval="none").note is None
