"""What stands beside a kappa: prevalence, bias, agreement on each answer, and the sentence about the paradox."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.agreement.ratings import collapse
from annotation.agreement.report import measure
from annotation.agreement.two_answers import pairs_of, paradox, specific_agreement, two_answers
from annotation.errors import Refused
from tests.test_chance import BALANCED, PARADOX, of_counts, of_rows, value

counts = st.lists(st.integers(0, 30), min_size=4, max_size=4).filter(any)


def test_the_indices_of_feinsteins_table_are_the_known_ones() -> None:
    found = two_answers(PARADOX)
    assert (found.prevalence, found.bias, found.pabak) == pytest.approx((0.75, 0.05, 0.70))
    assert (found.positive, found.negative) == pytest.approx((0.914286, 0.4), abs=1e-6)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(counts)
def test_the_metrics_are_the_indices_of_the_table(given_counts: list[int]) -> None:
    table = np.array(given_counts, float).reshape(2, 2)
    ratings = replace(of_counts(table), declared=("0", "1"))
    found = two_answers(table)
    for name, expected in (("prevalence_index", found.prevalence), ("bias_index", found.bias), ("pabak", found.pabak),
                           ("positive_agreement", found.positive), ("negative_agreement", found.negative)):
        got = value(ratings, name)
        assert got == (None if expected is None else pytest.approx(expected, abs=1e-12)), name
    assert value(ratings, "bennett_s_brennan_prediger") == pytest.approx(found.pabak, abs=1e-12)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(2, 5).flatmap(lambda people: st.lists(st.lists(
    st.sampled_from([None, 0, 1]), min_size=people, max_size=people), min_size=2, max_size=20)))
def test_agreement_on_an_answer_counts_its_pairs_whoever_gave_it(rows: list[list[int | None]]) -> None:
    patterns = collapse(of_rows(rows))
    if not len(patterns.count):
        return
    table = pairs_of(patterns)
    assert table.sum() * 2.0 == pytest.approx(float(patterns.size @ patterns.count))
    if patterns.values == 2:
        assert value(of_rows(rows), "positive_agreement") == pytest.approx(specific_agreement(table)[0], abs=1e-9)


def test_more_than_two_answers_are_refused_with_the_way_out() -> None:
    with pytest.raises(Refused, match="each against the rest"):
        measure(of_rows([[1, 2], [3, 3]]), "positive_agreement", replicates=0)
    with pytest.raises(Refused, match="each against the rest"):
        two_answers(np.ones((3, 3)))


def test_an_answer_that_nobody_gave_has_no_agreement() -> None:
    found = measure(replace(of_rows([["no", "no"], ["no", "no"]]), declared=("yes", "no")), "positive_agreement")
    assert found.value is None and found.reason == "nobody gave this answer"


def test_the_paradox_is_told_with_its_numbers_where_answers_are_uneven_and_not_where_they_are_even() -> None:
    said = str(paradox(PARADOX, ("ill", "well")))
    assert "88 % of the answers are ill" in said and "prevalence index 0.75" in said
    assert "85 % agreement" in said and "kappa is 0.32" in said and "0.70 (PABAK)" in said
    assert "on ill: 91 %, on well: 40 %" in said
    assert paradox(BALANCED, ("ill", "well")) is None


def test_the_paradox_of_more_than_two_answers_names_the_other_yardstick() -> None:
    table = np.diag([90.0, 1, 1]) + np.array([[0, 3, 2], [2, 0, 0], [1, 0, 0]])
    said = str(paradox(table, ("a", "b", "c")))
    assert "94 % of the answers are a" in said and "Brennan-Prediger" in said and "PABAK" not in said


def test_where_everybody_gave_one_answer_the_sentence_says_that_nothing_can_be_said() -> None:
    assert "always answered no" in str(paradox(np.array([[0.0, 0], [0, 9]]), ("yes", "no")))
    assert paradox(np.zeros((2, 2)), ("yes", "no")) is None


def test_a_caution_keeps_its_template_for_translation() -> None:
    found = paradox(PARADOX, ("{x}", "well"))
    assert found is not None and "{answer}" in found.template and "{x}" in str(found)
