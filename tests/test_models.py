"""Models of people: Dawid-Skene and its relatives, GLAD, competence, shares; against plain likelihoods and laws."""

from __future__ import annotations

import time
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from annotation.agreement.competence.competence import competence
from annotation.agreement.competence.em import Em, estimate
from annotation.agreement.competence.glad import glad, glad_posterior
from annotation.agreement.competence.votes import votes_of
from annotation.agreement.ratings import Ratings, ratings_of
from annotation.agreement.share import accuracy_of, clustered_share, share, speed_of
from annotation.errors import Unknown
from tests.cases_models import STATISTICS, by_pattern
from tests.cases_stats import Undefined


def crowd(*, items=60, people=4, classes=3, seed=0, right=0.75):
    """Labels of people who are right with probability ``right``, each on most items."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, items)
    return [(i, j, int(truth[i]) if rng.random() < right else int(rng.integers(0, classes)))
            for i in range(items) for j in range(people) if rng.random() < 0.9]


def slow_em(rows, steps=2000):
    """Dawid and Skene's equations by loops over dictionaries."""
    items, people, labels = (sorted({row[n] for row in rows}) for n in range(3))
    posterior = {i: {k: sum(r[0] == i and r[2] == k for r in rows) / sum(r[0] == i for r in rows) for k in labels}
                 for i in items}
    loglik = 0.0
    for _ in range(steps):
        share_of = {k: sum(posterior[i][k] for i in items) / len(items) for k in labels}
        counts = dict.fromkeys(product(people, labels, labels), 0.0)
        for i, j, v in rows:
            for k in labels:
                counts[j, k, v] += posterior[i][k]
        rates = {(j, k, v): counts[j, k, v] / (sum(counts[j, k, w] for w in labels) or 1.0) for j, k, v in counts}
        before, loglik = loglik, 0.0
        for i in items:
            joint = {k: share_of[k] * np.prod([rates[j, k, v] for n, j, v in rows if n == i]) for k in labels}
            total = sum(joint.values())
            loglik += np.log(total)
            posterior[i] = {k: joint[k] / total for k in labels}
        if abs(loglik - before) < 1e-12:
            break
    return loglik, posterior, share_of


def test_dawid_and_skene_equal_the_equations_written_as_loops():
    rows = [*crowd(items=25, people=3, seed=3), (0, 0, 1), (0, 0, 2), (3, 1, 0)]  # some people label an item again
    loglik, posterior, shares = slow_em(rows)
    found = estimate(ratings_of(rows))
    assert found.converged and found.reason is None
    assert found.log_likelihood == pytest.approx(loglik, abs=1e-6)
    order = list(dict.fromkeys(row[0] for row in rows))
    np.testing.assert_allclose(found.of_units(), [[posterior[i][k] for k in sorted(shares)] for i in order], atol=1e-4)
    np.testing.assert_allclose(found.marginals, [shares[k] for k in sorted(shares)], atol=1e-4)


def marginal_loglik(rows, shares, confusion):
    """Log of the probability of all labels, summed over every item's classes."""
    total = 0.0
    for item in {row[0] for row in rows}:
        mine = [(j, v) for i, j, v in rows if i == item]
        total += np.log(sum(p * np.prod([confusion(j, k, v) for j, v in mine]) for k, p in enumerate(shares)))
    return total


def test_one_coin_is_the_maximum_of_the_plain_likelihood():
    rows = crowd(items=40, people=3, classes=2, seed=5)

    def down(x):
        p, a = 1 / (1 + np.exp(-x[0])), 1 / (1 + np.exp(-x[1:]))
        return -marginal_loglik(rows, (p, 1 - p), lambda j, k, v: a[j] if k == v else 1 - a[j])

    best = minimize(down, np.array([0.0, 1.0, 1.0, 1.0]), method="BFGS")
    found = estimate(ratings_of(rows), "one_coin")
    assert found.log_likelihood == pytest.approx(-best.fun, abs=1e-5)
    people = list(dict.fromkeys(row[1] for row in rows))
    np.testing.assert_allclose(found.skill, (1 / (1 + np.exp(-best.x[1:])))[people], atol=2e-3)


def test_mace_reaches_a_maximum_of_the_plain_likelihood():
    rows = crowd(items=40, people=3, classes=2, seed=8)

    def down(x):
        p, a, die = 1 / (1 + np.exp(-x[0])), 1 / (1 + np.exp(-x[1:4])), 1 / (1 + np.exp(-x[4:]))
        return -marginal_loglik(rows, (p, 1 - p), lambda j, k, v: a[j] * (k == v) + (1 - a[j]) * (
            die[j] if v == 0 else 1 - die[j]))

    found = estimate(ratings_of(rows), "mace")
    best = minimize(down, np.array([0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]), method="BFGS")
    assert found.log_likelihood == pytest.approx(-best.fun, abs=1e-4)


def test_no_step_lowers_the_likelihood():
    votes = votes_of(ratings_of(crowd(seed=2)))
    for model in ("dawid_skene", "one_coin", "mace"):
        em = Em(votes, model, 0.0)
        path = [em.run(em.shares(), votes.count, tolerance=-1.0, most_steps=n).log_likelihood for n in range(1, 25)]
        assert all(after >= before - 1e-9 for before, after in pairwise(path)), model


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_names_and_order_of_people_items_and_rows_do_not_matter(seed, random):
    rows = crowd(items=30, people=4, seed=seed)
    people, items = list(range(4)), list(range(30))
    random.shuffle(people)
    random.shuffle(items)
    other = [(f"i{items[i]}", f"p{people[j]}", v) for i, j, v in rows]
    random.shuffle(other)
    one, two = estimate(ratings_of(rows)), estimate(ratings_of(other))
    assert two.log_likelihood == pytest.approx(one.log_likelihood, abs=1e-6)
    np.testing.assert_allclose(np.sort(two.skill), np.sort(one.skill), atol=1e-4)


@settings(derandomize=True, deadline=None, max_examples=15)
@given(st.integers(0, 10_000))
def test_items_that_occur_twice_change_no_parameter_and_double_the_likelihood(seed):
    rows = crowd(items=30, seed=seed)
    twice = [*rows, *((f"again {i}", j, v) for i, j, v in rows)]
    one, two = estimate(ratings_of(rows)), estimate(ratings_of(twice))
    assert two.log_likelihood == pytest.approx(2 * one.log_likelihood, abs=1e-5)
    np.testing.assert_allclose(two.confusion, one.confusion, atol=1e-3)


def test_equal_items_are_one_row_and_every_item_finds_its_own():
    rows = [("a", 1, "x"), ("a", 2, "y"), ("b", 2, "y"), ("b", 1, "x"), ("c", 1, "y"), ("c", 2, "x"), ("d", 1, None)]
    votes = votes_of(ratings_of(rows))
    assert sorted(votes.count.tolist()) == [1.0, 2.0]
    assert votes.of_unit[0] == votes.of_unit[1] != votes.of_unit[2] and votes.of_unit[3] == -1
    assert votes.shared() == 3


@pytest.mark.parametrize(("rows", "word"), [
    ([], "nobody"), ([(1, "a", "x"), (2, "a", "y")], "one person"), ([(1, "a", "x"), (2, "b", "y")], "two people"),
    ([(1, "a", "x"), (1, "b", "x")], "same label")])
def test_what_cannot_be_estimated_says_why(rows, word):
    for model in ("dawid_skene", "one_coin", "mace"):
        truth, people = competence(ratings_of(rows), model, replicates=10)
        assert truth.posterior is None and word in truth.reason
        assert all(one.value is None and one.ci is None and one.reason == truth.reason for one in people)
    assert word in glad(ratings_of(rows)).reason


def test_an_unknown_model_is_answered_with_the_known_ones():
    with pytest.raises(Unknown, match="dawid_skene"):
        estimate(ratings_of(crowd()), "magic")


def test_competence_has_an_interval_that_a_seed_repeats_and_that_holds_the_truth():
    data = ratings_of(crowd(items=300, people=5, classes=3, seed=1, right=0.7))
    _, people = competence(data, "one_coin", replicates=200, seed=4)
    assert [one.ci for one in people] == [one.ci for one in competence(data, "one_coin", replicates=200, seed=4)[1]]
    inside = 0
    for one in people:
        low, high = one.ci
        assert low <= one.value <= high and 0.01 < high - low < 0.25 and one.labels > 200
        inside += low <= 0.7 + 0.3 / 3 <= high
    assert inside >= 4


def test_competence_can_be_stopped_and_says_so():
    _, people = competence(ratings_of(crowd()), replicates=50, cancelled=lambda: True)
    assert all(one.ci is None and "stopped" in one.reason for one in people)


def test_restarts_never_end_below_the_first_start():
    data = ratings_of(crowd(items=20, people=3, classes=4, seed=11, right=0.5))
    assert estimate(data, restarts=5).log_likelihood >= estimate(data).log_likelihood


def test_a_step_of_em_goes_with_the_labels_and_makes_no_loop_over_them():
    rng = np.random.default_rng(0)
    n, people = 200_000, 100
    unit, person = np.repeat(np.arange(n), 3), rng.integers(0, people, 3 * n)
    code = (unit % 5 + (rng.random(3 * n) < 0.3)) % 5
    votes = votes_of(Ratings(unit, person, code, tuple("abcde"), (), n))
    em = Em(votes, "dawid_skene", 0.0)
    start = time.perf_counter()
    em.run(em.shares(), votes.count, tolerance=-1.0, most_steps=5)
    step = (time.perf_counter() - start) / 5
    start = time.perf_counter()
    for k in range(5):
        np.bincount(person, weights=(code == k).astype(float), minlength=people)
    assert step < 60 * (time.perf_counter() - start)


def test_glad_finds_who_is_able_and_its_e_step_is_the_closed_form():
    assert glad_posterior([0, 0, 0, 1], 1.0, 2) == pytest.approx([1 / (1 + np.exp(-2)), 1 / (1 + np.exp(2))])
    assert glad_posterior([1, 1, 0], [2.0, 2.0, 0.5], 2, prior=[0.5, 0.5])[1] == pytest.approx(
        1 / (1 + np.exp(-3.5)))
    rng = np.random.default_rng(7)
    truth, able = rng.integers(0, 2, 300), np.array([0.95, 0.9, 0.8, 0.65, 0.5])
    rows = [(i, j, int(truth[i] if rng.random() < able[j] else 1 - truth[i])) for i in range(300) for j in range(5)]
    found = glad(ratings_of(rows))
    assert found.converged and (np.diff(found.ability) < 0).all() and (found.ease > 0).all()
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1.0)
    assert (found.posterior[found.votes.of_unit].argmax(axis=1) == truth).mean() > 0.93


def test_accuracy_share_and_speed():
    found = accuracy_of(["a", "b", None, "c"], ["a", "x", "y", "c"])
    assert (found.count, found.n) == (2, 3) and found.value == pytest.approx(2 / 3)
    assert found.ci == pytest.approx((0.20766, 0.93851), abs=1e-5)
    assert share(0, 0).value is None and share(0, 0).ci is None and share(0, 0).reason
    assert (speed_of([1, None, 3, 2]).median, speed_of([]).median) == (2.0, None) and speed_of([]).reason


def test_a_share_of_things_that_hang_together_is_less_sure_than_wilson_says():
    rng = np.random.default_rng(3)
    counts = np.where(rng.random(40) < 0.5, 10, 0)
    found, plain = clustered_share(counts, np.full(40, 10)), share(int(counts.sum()), 400)
    assert found.value == plain.value and found.method == "bootstrap_bca_clusters"
    assert found.ci[1] - found.ci[0] > 2 * (plain.ci[1] - plain.ci[0])
    assert clustered_share(np.array([2]), np.array([3])).ci is None
    assert clustered_share(np.array([0]), np.array([0])).value is None
    assert "every resample" in clustered_share(np.array([0, 0]), np.array([3, 3])).reason


def test_a_case_with_other_names_and_labels_is_read_as_well():
    rows = [(f"item {i}", "abc"[j], ("yes", "no", "maybe")[v]) for i, j, v in crowd(items=20, people=3)]
    data = {"format": "long", "fields": ["label", "item", "rater"], "rows": [(v, i, j) for i, j, v in rows]}
    assert sum(STATISTICS["ds_class_marginals"](data, {})) == pytest.approx(1.0)
    assert set(STATISTICS["ds_map_labels"](data, {})) <= {"yes", "no", "maybe"}
    assert len(STATISTICS["ds_error_rates"](data, {})) == 9
    found = by_pattern("ds_posterior_item_item 3_item 5")(data, {})
    assert found == STATISTICS["ds_posterior"](data, {"items": ["item 3", "item 5"]}) and len(found) == 2
    wide = {"format": "ratings", "values": [["x", "y", None, "x"], ["x", "x", "y", "y"]], "categories": ["w", "x", "y"]}
    assert STATISTICS["ds_class_marginals"](wide, {})[0] == 0.0
    with pytest.raises(Undefined):
        STATISTICS["ds_loglik"]({"format": "ratings", "values": [["x", "y"]]}, {})
