"""Preferences: strengths against plain likelihoods, triads against brute force, sides, lengths, conflicts, and laws."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit

from annotation.agreement.preferences.comparisons import comparisons_of, one_each, pair_table, table_of
from annotation.agreement.preferences.conflicts import conflicts, conflicts_by_person
from annotation.agreement.preferences.lengths import length_bias
from annotation.agreement.preferences.likelihood import Model
from annotation.agreement.preferences.sides import position_bias, swap_consistency, swap_consistency_by_person, turned
from annotation.agreement.preferences.strength_intervals import strength_intervals
from annotation.agreement.preferences.strengths import MODELS, fit
from annotation.agreement.preferences.tournament import tournament, tournaments
from annotation.agreement.preferences.triads import violation, violations, violations_by_person
from annotation.errors import Refused, Unknown
from tests.cases_models import STATISTICS
from tests.cases_stats import Undefined

NAMES = "ABCDE"


def plain(model, rows, x, order):
    """Minus the log-likelihood, written down from the models' definitions with strengths p_i."""
    names = sorted({name for row in rows for name in row[:2]})
    p = {name: np.exp(x[n]) for n, name in enumerate(names)}
    home, tie = (np.exp(x[len(names)]) if order else 1.0), np.exp(x[-1])
    total = 0.0
    for a, b, won, lost, tied in rows:
        one, two = p[a] * home, p[b]
        if model == "davidson":
            parts = np.array([one, two, tie * np.sqrt(one * two)])
            chances = parts / parts.sum()
        elif model == "rao_kupper":
            theta = 1.0 + tie
            first, second = one / (one + theta * two), two / (two + theta * one)
            chances = np.array([first, second, max(1e-300, 1 - first - second)])
        else:
            half = tied / 2 if model == "half_wins" else 0.0
            won, lost, tied = won + half, lost + half, 0.0
            chances = np.array([one / (one + two), two / (one + two), 1.0])
        total -= np.array([won, lost, tied]) @ np.log(chances)
    return total + 1e-3 * np.sum(x[: len(names)]) ** 2  # the sum of the log strengths is free: held at 0


def rounds(seed, *, n=4, most=9):
    rng = np.random.default_rng(seed)
    return [(a, b, *(int(x) for x in rng.integers(0, most, 3))) for a, b in permutations(NAMES[:n], 2)]


@pytest.mark.parametrize("order", [False, True])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_fit_is_the_maximum_of_the_plain_likelihood(model, order, seed):
    rows = rounds(seed)
    size = 4 + order + 1
    best = minimize(lambda x: plain(model, rows, x, order), np.zeros(size), method="BFGS", options={"gtol": 1e-6})
    found = fit(pair_table(rows), model, order_effect=order)
    np.testing.assert_allclose([found.log_strength[found.place(name)] for name in NAMES[:4]],
                               best.x[:4] - best.x[:4].mean(), atol=1e-4)
    assert found.log_likelihood == pytest.approx(-best.fun, abs=1e-6)
    if order:
        assert found.order_effect == pytest.approx(best.x[4], abs=1e-4)
    if model == "davidson":
        assert found.tie == pytest.approx(np.exp(best.x[-1]), abs=1e-3)
    if model == "rao_kupper":
        assert found.tie == pytest.approx(1 + np.exp(best.x[-1]), abs=1e-3)


@pytest.mark.parametrize("order", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_gradient_and_information_are_the_derivatives_of_the_likelihood(name, order):
    table = pair_table(rounds(2))
    model = Model(name, 4, table.first, table.second, order, 0.7)
    theta = np.random.default_rng(0).normal(size=(1, model.width)) * 0.5
    theta[0, -1] = abs(theta[0, -1]) + 0.2  # log theta of Rao and Kupper is above 0
    counts = table.counts[None]

    def at(point):
        slopes = model.slopes(point, counts)
        return model.objective(point, slopes)[0], model.gradient(point, slopes)[0], model.information(slopes)[0]

    step = 1e-5
    _, gradient, information = at(theta)
    for k in range(model.width):
        ahead, back = theta.copy(), theta.copy()
        ahead[0, k] += step
        back[0, k] -= step
        up, down = at(ahead), at(back)
        assert gradient[k] == pytest.approx((up[0] - down[0]) / (2 * step), abs=1e-5)
        np.testing.assert_allclose(information[:, k], -(up[1] - down[1]) / (2 * step), atol=1e-5)


def test_standard_errors_are_those_of_statsmodels():
    import statsmodels.api as sm

    rows = rounds(3, n=5)
    names = sorted({row[0] for row in rows})
    design, wins = [], []
    for a, b, won, lost, _ in rows:
        line = np.zeros(5)
        line[names.index(a)], line[names.index(b)] = 1.0, -1.0
        design.append([*line[1:], 1.0])
        wins.append((won, lost))
    peer = sm.GLM(np.array(wins), np.array(design), family=sm.families.Binomial()).fit()
    found = fit(pair_table(rows), order_effect=True)
    order = [found.place(name) for name in names]
    np.testing.assert_allclose(found.against("A")[order][1:], peer.params[:4], atol=1e-7)
    np.testing.assert_allclose(found.standard_errors("A")[order][1:], peer.bse[:4], atol=1e-6)
    assert (found.order_effect, found.order_effect_se) == pytest.approx((peer.params[4], peer.bse[4]), abs=1e-6)


tables = st.lists(st.tuples(st.sampled_from(list(permutations(NAMES[:4], 2))), st.integers(0, 6), st.integers(0, 6),
                            st.integers(0, 4)), min_size=3, max_size=12).map(
    lambda rows: [(*pair, won, lost, tied) for pair, won, lost, tied in rows])


@given(tables, st.sampled_from(MODELS), st.permutations(range(4)))
def test_renaming_and_the_order_of_rows_change_nothing(rows, model, places):
    other = [(f"x{places[NAMES.index(a)]}", f"x{places[NAMES.index(b)]}", *counts) for a, b, *counts in rows][::-1]
    one, two = fit(pair_table(rows), model), fit(pair_table(other), model)
    assert (one.log_strength is None) == (two.log_strength is None)
    assume(one.log_strength is not None)
    for name in one.names:
        assert two.log_strength[two.place(f"x{places[NAMES.index(name)]}")] == pytest.approx(
            one.log_strength[one.place(name)], abs=1e-6)


@given(tables, st.sampled_from(MODELS), st.booleans())
def test_data_twice_keep_the_strengths_and_shrink_the_errors_by_root_two(rows, model, order):
    one = fit(pair_table(rows), model, order_effect=order)
    assume(one.log_strength is not None)
    two = fit(pair_table(rows * 2), model, order_effect=order)
    np.testing.assert_allclose(two.log_strength, one.log_strength, atol=1e-6)
    np.testing.assert_allclose(two.covariance * 2, one.covariance, rtol=1e-4, atol=1e-7)
    assert two.log_likelihood == pytest.approx(2 * one.log_likelihood, abs=1e-6)


@given(tables, st.sampled_from(MODELS))
def test_the_other_side_turns_the_order_effect_and_keeps_the_strengths(rows, model):
    one = fit(pair_table(rows), model, order_effect=True)
    two = fit(pair_table([(b, a, lost, won, tied) for a, b, won, lost, tied in rows]), model, order_effect=True)
    assert (one.order_effect is None) == (two.order_effect is None)
    assume(one.order_effect is not None)
    assert two.order_effect == pytest.approx(-one.order_effect, abs=1e-6)
    for name in one.names:
        assert two.log_strength[two.place(name)] == pytest.approx(one.log_strength[one.place(name)], abs=1e-6)


@given(tables)
def test_strengths_are_finite_exactly_where_everybody_reaches_everybody_by_wins(rows):
    table = pair_table(rows)
    edges = {(a, b) for a, b, won, _, _ in rows if won} | {(b, a) for a, b, _, lost, _ in rows if lost}
    reach = set(edges)
    for middle, first, last in product(table.names, repeat=3):  # Warshall: the middle one is the outer loop
        if (first, middle) in reach and (middle, last) in reach:
            reach.add((first, last))
    whole = len(table.names) > 1 and all(pair in reach for pair in permutations(table.names, 2))
    found = fit(table)
    assert (found.log_strength is not None) == whole
    assert (found.reason is None) == whole


@pytest.mark.parametrize(("rows", "model", "order", "word"), [
    ([], "bradley_terry", False, "fewer than two"),
    ([("a", "b", 0, 0, 5)], "bradley_terry", False, "only ties"),
    ([("a", "b", 3, 0, 0)], "bradley_terry", False, "a never lost"),
    ([("a", "b", 3, 1, 0), ("c", "d", 1, 2, 0)], "bradley_terry", False, "a, b | c, d"),
    ([("a", "b", 3, 1, 0)], "davidson", False, "no ties"),
    ([("a", "b", 0, 0, 4)], "rao_kupper", False, "only ties"),
    ([("a", "b", 1, 0, 1)], "davidson", False, "no maximum"),
    ([("a", "b", 1, 0, 1)], "rao_kupper", False, "no maximum"),
    ([("a", "b", 3, 1, 0)], "bradley_terry", True, "cannot be told from the strengths"),
    ([("a", "b", 3, 0, 0), ("b", "a", 3, 0, 0)], "bradley_terry", True, "no maximum"),
])
def test_what_has_no_estimate_says_why(rows, model, order, word):
    found = fit(pair_table(rows), model, order_effect=order)
    assert found.log_strength is None and found.order_effect is None and found.tie is None
    assert word in found.reason
    assert found.worths() is None
    _, drawn = strength_intervals(pair_table(rows), model, order_effect=order, replicates=10)
    assert all(one.pair is None and word in one.reason for one in drawn.worth)


def test_a_stated_prior_gives_strengths_where_the_data_alone_do_not():
    rows = [("a", "b", 3, 0, 0), ("c", "d", 1, 2, 0)]
    found = fit(pair_table(rows), prior_sd=1.0)
    assert found.prior_sd == 1.0 and found.log_strength[0] > 0 > found.log_strength[1]

    def down(x):
        away = x - x.mean()
        return -(3 * np.log(expit(x[0] - x[1])) + np.log(expit(x[2] - x[3])) + 2 * np.log(expit(x[3] - x[2]))
                 ) + away @ away / 2 + x.mean() ** 2

    np.testing.assert_allclose(found.log_strength, minimize(down, np.zeros(4)).x, atol=1e-4)
    wide = fit(pair_table(rounds(0)), prior_sd=1e4)
    np.testing.assert_allclose(wide.log_strength, fit(pair_table(rounds(0))).log_strength, atol=1e-5)


def test_unknown_names_and_models_and_a_pair_with_itself_are_refused():
    with pytest.raises(Unknown, match="davidson"):
        fit(pair_table(rounds(0)), "elo")
    with pytest.raises(Unknown, match="was not compared"):
        fit(pair_table(rounds(0))).against("Z")
    with pytest.raises(Refused, match="itself"):
        pair_table([("a", "a", 1, 0, 0)])
    with pytest.raises(Refused, match="negative"):
        pair_table([("a", "b", -1, 0, 0)])
    with pytest.raises(Refused, match="outcome"):
        comparisons_of([("a", "b", 2, "p", "i")])


def judgements(seed, *, people=6, items=10, names="ABCD", place=0.0, tie=0.1):
    """Everybody judges some pairs of every item; A is best, and standing first adds ``place`` to the log odds."""
    rng = np.random.default_rng(seed)
    rows = []
    for person, item in product(range(people), range(items)):
        for pair in combinations(range(len(names)), 2):
            a, b = rng.permutation(pair)
            won = rng.random() < expit(0.6 * (b - a) + place)
            outcome = 0 if rng.random() < tie else 1 if won else -1
            rows.append((names[a], names[b], outcome, f"p{person}", f"i{item}"))
    return comparisons_of(rows)


def test_intervals_hold_the_value_repeat_with_the_seed_and_are_near_walds():
    data = judgements(0)
    for model in MODELS:
        found, drawn = strength_intervals(data, model, reference="D", replicates=800, seed=3)
        again = strength_intervals(table_of(data), model, reference="D", replicates=800, seed=3)[1]
        assert drawn == again and drawn.method == "bootstrap_bca_comparisons"
        for n, one in enumerate(drawn.log_strength[:3]):
            assert one.low <= found.against("D")[n] <= one.high
            assert (one.high - one.low) == pytest.approx(2 * 1.96 * found.standard_errors("D")[n], rel=0.25)
        assert drawn.log_strength[3].pair is None and "reference" in drawn.log_strength[3].reason
        assert all(one.low <= worth <= one.high for one, worth in zip(drawn.worth, found.worths(), strict=True))
        assert (drawn.tie is None) == (model in ("bradley_terry", "half_wins"))


def test_drawing_people_is_wider_where_people_differ():
    rows = [("A", "B", 1 if person < 4 else -1, f"p{person}", f"i{n}") for person in range(8) for n in range(20)]
    rows += [("A", "B", -1, f"p{person}", "x") for person in range(4)]
    data = comparisons_of(rows)
    narrow = strength_intervals(data, replicates=500)[1].worth[0]
    wide = strength_intervals(data, by_person=True, replicates=500)[1]
    assert wide.method == "bootstrap_bca_people"
    assert wide.worth[0].high - wide.worth[0].low > 2 * (narrow.high - narrow.low)
    one = data.of_person("p1")
    assert "one person" in strength_intervals(one, by_person=True, replicates=9, prior_sd=1.0)[1].reason


def test_intervals_can_be_stopped():
    _, drawn = strength_intervals(judgements(0), replicates=100, cancelled=lambda: True)
    assert "stopped" in drawn.worth[0].reason


# --- triads -----------------------------------------------------------------------------------------

def fits_an_order(ab, bc, ac):
    """Is there any ranking with ties of three things that gives these relations?"""
    return any((np.sign(a - b), np.sign(b - c), np.sign(a - c)) == (ab, bc, ac)
               for a, b, c in product(range(3), repeat=3))


def test_the_27_outcomes_are_bad_exactly_where_no_order_gives_them():
    kinds = {triad: violation(*triad) for triad in product((1, 0, -1), repeat=3)}
    assert {triad for triad in kinds if not kinds[triad]} == {t for t in kinds if fits_an_order(*t)}
    assert sorted(kinds.values()).count(1) == 6 and sorted(kinds.values()).count(2) == 8
    circles = {(1, 1, -1), (1, 0, -1), (0, 1, -1), (0, -1, 1), (-1, 0, 1), (-1, -1, 1)}  # the table's ">>< >=< .."
    assert {triad for triad in kinds if kinds[triad] == 1} == circles


def random_pairs(seed, *, things=6, gaps=0.1):
    rng = np.random.default_rng(seed)
    return [(NAMES[a] if a < 5 else "F", NAMES[b] if b < 5 else "F", int(rng.integers(-1, 2)), f"p{p}", f"i{i}")
            for p in range(2) for i in range(3) for a, b in combinations(range(things - i), 2) if rng.random() > gaps]


@pytest.mark.parametrize("k", [3, 4, 5])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_k_subsets_are_counted_as_brute_force_counts_them(k, seed):
    rows = random_pairs(seed)
    bad = complete = incomplete = 0
    for key in {row[3:] for row in rows}:
        known = {row[:2]: row[2] for row in rows if row[3:] == key}
        known |= {(b, a): -outcome for (a, b), outcome in known.items()}
        for chosen in combinations(sorted({name for pair in known for name in pair}), k):
            if any(pair not in known for pair in combinations(chosen, 2)):
                incomplete += 1
                continue
            complete += 1
            bad += any(not fits_an_order(known[a, b], known[b, c], known[a, c]) for a, b, c in combinations(chosen, 3))
    found = violations(comparisons_of(rows), k=k)
    assert (found.bad.count, found.bad.n, found.incomplete) == (bad, complete, incomplete)
    people = violations_by_person(comparisons_of(rows), k=k).values()
    assert sum(one.bad.count for one in people) == bad


@given(st.integers(0, 1000), st.permutations("ABCDEF"))
def test_bad_subsets_do_not_depend_on_names(seed, names):
    rows = random_pairs(seed)
    other = [(*(names["ABCDEF".index(name)] for name in row[:2]), *row[2:]) for row in rows]
    one, two = violations(comparisons_of(rows)), violations(comparisons_of(other))
    assert (one.bad, one.by_ties, one.incomplete) == (two.bad, two.by_ties, two.incomplete)


def test_the_share_of_bad_sets_is_drawn_again_by_person_and_item():
    found = violations(comparisons_of(random_pairs(0))).bad
    assert found.method == "bootstrap_bca_clusters" and found.ci[0] < found.value < found.ci[1]
    one = comparisons_of([row for row in random_pairs(0) if row[3:] == ("p0", "i0")])
    assert violations(one).bad.ci is None and "hangs together" in violations(one).bad.reason


def test_nothing_to_look_at_has_no_share_but_a_reason():
    found = violations(comparisons_of([("A", "B", 1, "p", "i")]))
    assert found.bad.value is None and "nobody judged all pairs" in found.reason
    assert violations(comparisons_of([])).bad.value is None
    with pytest.raises(Refused, match="at least 3"):
        violations(comparisons_of([]), k=2)


def test_circles_of_a_tournament_are_counted_as_brute_force_counts_them():
    rng = np.random.default_rng(5)
    for n in (3, 4, 5, 6, 7):
        wins = np.triu(rng.integers(0, 2, (n, n)), 1).astype(float)
        wins += np.tril(1 - wins.T, -1)
        circles = sum(wins[a, b] == wins[b, c] == wins[c, a] for a, b, c in combinations(range(n), 3))
        assert tournament(wins).circles == circles
    ring = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float)
    assert (tournament(ring).circles, tournament(ring).zeta) == (1, 0.0)
    most = np.array([[(b - a) % 5 in (1, 2) for b in range(5)] for a in range(5)], dtype=float)
    assert tournament(most).zeta == 0.0
    assert tournament(np.triu(np.ones((6, 6)), 1)).zeta == 1.0
    assert tournament(np.full((3, 3), 0.5)).circles is None and tournament(ring[:2, :2]).reason


def test_a_tournament_of_each_person_and_item_leaves_ties_without_a_value():
    rows = [("A", "B", 1, "p", "i"), ("B", "C", 1, "p", "i"), ("A", "C", -1, "p", "i"),
            ("A", "B", 1, "q", "i"), ("B", "C", 0, "q", "i"), ("A", "C", 1, "q", "i")]
    found = tournaments(comparisons_of(rows))
    assert found["p", "i"].zeta == 0.0 and found["q", "i"].zeta is None and "ties" in found["q", "i"].reason


# --- sides, lengths, conflicts ----------------------------------------------------------------------

def test_both_orders_are_one_preference_only_if_they_agree():
    rows = [("A", "B", 1, "p", "i"), ("B", "A", -1, "p", "i"), ("A", "B", 1, "p", "j"), ("B", "A", 1, "p", "j"),
            ("B", "C", 0, "p", "i"), ("C", "B", 1, "p", "i")]
    each = one_each(comparisons_of(rows))
    told = {(each.items[i], each.names[a], each.names[b]): o for i, a, b, o in zip(
        each.item, each.first, each.second, each.outcome, strict=True)}
    assert told == {("i", "A", "B"): 1, ("j", "A", "B"): 0, ("i", "B", "C"): 0}


def test_position_bias_finds_the_side_that_helps_and_turning_all_pairs_turns_it():
    data = judgements(4, place=0.5, people=10)
    found, mirror = position_bias(data), position_bias(turned(data))
    assert found.first.ci[0] > 0.5 and found.order_effect_ci[0] < 0.5 < found.order_effect_ci[1]
    assert found.order_effect_ci[0] > 0 and found.ci_method == "wald"
    assert mirror.order_effect == pytest.approx(-found.order_effect, abs=1e-8)
    assert mirror.first.count == found.first.n - found.first.count
    drawn = position_bias(data, by_person=True, replicates=300)
    assert drawn.first.method == "bootstrap_bca_clusters" and drawn.first.value == found.first.value
    assert drawn.ci_method == "bootstrap_bca_people" and drawn.order_effect_ci[0] < found.order_effect
    one = position_bias(comparisons_of([("A", "B", 1, "p", "i")]))
    assert one.order_effect is None and one.reason and one.first.value == 1.0


def test_swapped_pairs_are_sorted_by_what_happened():
    verdicts = {"same": (1, -1), "tied": (0, 0), "first": (1, 1), "second": (-1, -1), "once": (1, 0)}
    rows = [row for item, (one, other) in verdicts.items() for row in (
        ("A", "B", one, "p", item), ("B", "A", other, "p", item))]
    rows += [("A", "B", 1, "p", "alone"), ("A", "B", 1, "q", "same")]
    found = swap_consistency(comparisons_of(rows))
    assert (found.same.count, found.same.n, found.same_decided, found.same_tied) == (2, 5, 1, 1)
    assert (found.both_first, found.both_second, found.tie_once) == (1, 1, 1)
    assert found.first_of_moved.value == 0.5
    assert swap_consistency_by_person(comparisons_of(rows))["q"].same.value is None


def test_length_bias_is_the_logit_of_statsmodels():
    import statsmodels.api as sm

    data = judgements(6)
    rng = np.random.default_rng(1)
    lengths = {(item, name): float(rng.integers(20, 400)) for item in data.items for name in data.names}
    found = length_bias(data, lengths)
    x, y = [], []
    for i, a, b, outcome in zip(data.item, data.first, data.second, data.outcome, strict=True):
        if outcome:
            x.append(np.log2(lengths[data.items[i], data.names[a]] / lengths[data.items[i], data.names[b]]))
            y.append(outcome > 0)
    peer = sm.Logit(np.array(y, dtype=float), sm.add_constant(np.array(x))).fit(disp=0)
    assert (found.place, found.slope) == pytest.approx(tuple(peer.params), abs=1e-6)
    assert found.slope_ci == pytest.approx(tuple(peer.conf_int()[1]), abs=1e-4)
    assert found.longer.count == sum((one > 0) == won for one, won in zip(x, y, strict=True) if one)


def test_length_bias_without_a_slope_says_why():
    data = comparisons_of([("A", "B", 1, "p", f"i{n}") for n in range(4)] + [("B", "A", -1, "p", "x")])
    lengths = {(item, name): 10.0 + n + 5 * (name == "A") for n, item in enumerate(data.items) for name in "AB"}
    found = length_bias(data, lengths)
    assert found.longer.value == 1.0 and found.slope is None and "alone tells" in found.reason
    assert length_bias(data, {}).unknown == 5 and length_bias(data, {}).longer.value is None
    assert "do not differ" in length_bias(data, {(i, n): 3.0 for i in data.items for n in "AB"}).reason


def test_conflicts_are_trustjudges_three_kinds():
    rows = [("A", "B", 1, "p", "agree"), ("A", "B", -1, "p", "against"), ("A", "B", 0, "p", "tied"),
            ("A", "B", 1, "p", "equal"), ("A", "B", 0, "p", "both equal"), ("A", "B", 1, "q", "unrated")]
    scores = {("p", item, name): 4.0 if name == "A" else 3.0
              for item, name in product(("agree", "against", "tied"), "AB")}
    scores |= {("p", item, name): 3.0 for item in ("equal", "both equal") for name in "AB"}
    found = conflicts(comparisons_of(rows), scores)
    assert (found.reversed, found.unequal_tied, found.equal_decided, found.unrated) == (1, 1, 1, 1)
    assert found.ratio.value == 3 / 5 and (found.without_ties.count, found.without_ties.n) == (1, 2)
    loose = conflicts(comparisons_of(rows), scores, tolerance=1.5)  # now every rating is equal to every other
    assert (loose.reversed, loose.unequal_tied, loose.equal_decided) == (0, 0, 3)
    assert conflicts(comparisons_of(rows), scores, tolerance=1.0).ratio == found.ratio  # a gap of 1 is not below 1
    assert conflicts_by_person(comparisons_of(rows), scores)["q"].ratio.value is None


# --- other cases of the same kinds ------------------------------------------------------------------

def test_cases_in_other_words_give_the_same_strengths():
    rows = [["x", "y", 5, 3], ["y", "x", 2, 4], ["y", "z", 6, 1], ["z", "x", 3, 3]]
    data = {"format": "pairwise", "fields": ["home", "away", "home_wins", "away_wins"], "rows": rows}
    single = [[a, b, a] for a, b, won, _ in rows for _ in range(won)]
    single += [[a, b, b] for a, b, _, lost in rows for _ in range(lost)]
    games = {"format": "pairwise", "fields": ["home", "away", "winner"], "rows": single}
    signs = {"format": "pairwise", "fields": ["first", "second", "outcome", "count"],
             "rows": [row for a, b, won, lost in rows for row in ([a, b, ">", won], [a, b, "<", lost])]}
    params = {"reference": "z", "items": ["y", "x"]}
    expected = STATISTICS["bt_log_strength"](data, params)
    for other in (games, signs):
        assert STATISTICS["bt_log_strength"](other, params) == pytest.approx(expected)
        assert STATISTICS["bt_order_effect"](other, {}) == pytest.approx(STATISTICS["bt_order_effect"](data, {}))
    worth = STATISTICS["bt_worth"](data, {"sum": 100})
    assert sum(worth) == pytest.approx(100) and len(worth) == 3
    square = {"format": "tournament", "wins": [[0, 9, 3], [5, 0, 6], [3, 1, 0]], "items": ["x", "y", "z"]}
    assert STATISTICS["bt_log_strength"](square, params) == pytest.approx(expected)
    assert STATISTICS["davidson_nu"]({**data, "fields": [*data["fields"], "draws"], "rows": [
        [*row, 2] for row in rows]}, {}) > 0
    with pytest.raises(Undefined):
        STATISTICS["bt_se"]({"format": "pairwise", "rows": [["x", "y", 5, 0]]}, {})


def test_triads_in_other_columns_are_read_by_their_names():
    rows = [["<", ">", ">"], ["=", "=", "<"]]
    data = {"format": "triads", "fields": ["A_vs_C", "A_vs_B", "B_vs_C"], "rows": rows}
    assert STATISTICS["count_circular"](data, {}) == 1 and STATISTICS["count_equality"](data, {}) == 1
    ring = {"format": "tournament", "wins": [[0, 1, 0], [0, 0, 1], [1, 0, 0]]}
    assert (STATISTICS["kendall_d"](ring, {}), STATISTICS["kendall_zeta"](ring, {})) == (1, 0.0)
