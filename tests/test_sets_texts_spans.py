"""Sets, free texts and spans: printed values, other programs, and sums counted character by character."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.agreement import sets, texts
from annotation.agreement.alpha_u import alpha_u, expected_disagreement, observed_disagreement
from annotation.agreement.catalogue import metrics
from annotation.agreement.ratings import Patterns, Ratings, collapse, ratings_of
from annotation.agreement.report import measure, scale_of
from annotation.agreement.spans import Span, interval_iou, marked_of, span_f1
from annotation.agreement.unitizing import lengths, unitizing_alpha
from annotation.errors import Refused

calm = settings(derandomize=True, deadline=None, max_examples=150)
labels = st.frozensets(st.sampled_from("abcd"), max_size=4)
answers = st.text("ab ç.", max_size=9)


def of_table(table: Any) -> Ratings:
    return ratings_of([(item, person, value) for item, row in enumerate(table) for person, value in enumerate(row)])


def alpha_of(rows: Any, name: str) -> float | None:
    """Alpha of rows of sets (items x people)."""
    coded = of_table([[None if one is None else json.dumps(sorted(one)) for one in row] for row in rows])
    return measure(coded, "krippendorff_alpha", level=name, replicates=0).value


# Sets

def test_masi_and_jaccard_of_pairs_are_those_worked_by_hand() -> None:
    assert sets.masi_distance([1, 2], [1, 2, 3, 4]) == pytest.approx(1 - 0.5 * 2 / 3)
    assert sets.masi_distance([1, 2], [2, 3]) == pytest.approx(1 - (1 / 3) ** 2)
    assert sets.jaccard_distance([1, 2], [2, 3]) == pytest.approx(2 / 3)
    assert sets.masi_distance([], []) == sets.jaccard_distance([], []) == 0.0
    assert sets.masi_distance([], [1]) == sets.jaccard_distance([], [1]) == 1.0
    # The two older distances that go by the same name.
    assert sets.set_distance([1], [1, 2], "masi_2004") == pytest.approx(1 / 3)
    assert sets.set_distance([1], [1, 2], "masi_dkpro") == pytest.approx(1 / 2 * 1 / 3)
    with pytest.raises(Refused, match="There is no distance"):
        sets.set_distance([1], [2], "dice")


@calm
@given(labels, labels)
def test_distances_of_sets_are_those_of_nltk(one: frozenset[str], other: frozenset[str]) -> None:
    distance = pytest.importorskip("nltk.metrics.distance")
    if one or other:  # nltk divides by zero otherwise
        assert sets.masi_distance(one, other) == pytest.approx(distance.masi_distance(one, other), abs=1e-12)
        assert sets.jaccard_distance(one, other) == pytest.approx(distance.jaccard_distance(one, other), abs=1e-12)
    assert 0.0 <= sets.masi_distance(one, other) <= 1.0
    assert sets.masi_distance(one, other) == sets.masi_distance(other, one)


@calm
@given(st.lists(st.lists(st.frozensets(st.sampled_from("abc"), min_size=1), min_size=3, max_size=3), min_size=1,
                max_size=12), st.booleans())
def test_alpha_of_sets_is_that_of_nltk_whether_distances_are_kept_or_made_in_strips(
        rows: list[list[frozenset[str]]], in_strips: bool) -> None:
    agreement = pytest.importorskip("nltk.metrics.agreement")
    distance = pytest.importorskip("nltk.metrics.distance")
    with pytest.MonkeyPatch.context() as patched:
        if in_strips:
            patched.setattr(sets, "KEPT", 0)
            patched.setattr(sets, "STRIP", 5)
            patched.setattr(sets, "DENSE", 0)
            patched.setattr(sets, "LOOKED_UP", 0)
        ours = {"masi": alpha_of(rows, "masi"), "jaccard": alpha_of(rows, "jaccard")}
    if len({one for row in rows for one in row}) == 1:
        assert ours == {"masi": None, "jaccard": None}
        return
    task = [(str(p), str(i), one) for i, row in enumerate(rows) for p, one in enumerate(row)]
    for name, of in (("masi", distance.masi_distance), ("jaccard", distance.jaccard_distance)):
        assert ours[name] == pytest.approx(agreement.AnnotationTask(task, of).alpha(), abs=1e-9)


def test_alpha_of_sets_of_one_label_each_is_nominal_alpha() -> None:
    rows = [["a", "a"], ["a", "b"], ["c", None], ["b", "b"], ["c", "c"]]
    nominal = measure(of_table(rows), "krippendorff_alpha", level="nominal", replicates=0).value
    for name in ("masi", "jaccard"):
        assert alpha_of([[None if x is None else [x] for x in row] for row in rows], name) == pytest.approx(nominal)


def test_the_mean_distance_of_sets_weighs_items_alike() -> None:
    rows = [["a|b", "a|b", "b"], ["a", "c", None], ["", "", None]]
    assert measure(of_table(rows), "jaccard_distance", replicates=0).value == pytest.approx((1 / 3 + 1 + 0) / 3)
    assert measure(of_table(rows), "masi_distance", replicates=0).value == pytest.approx((2 * 2 / 3 / 3 + 1) / 3)


def test_a_label_is_read_as_a_set() -> None:
    assert sets.set_of('["a","b c"]') == {"a", "b c"}
    assert sets.set_of("a; b|c") == {"a", "b", "c"}
    assert sets.set_of("") == sets.set_of("[]") == frozenset()
    assert sets.set_of("[1, \"x\"]") == {"1", "x"}


def test_too_many_different_sets_are_refused_before_memory_is_asked_for() -> None:
    many = Patterns(np.array([[0, 1]]), np.array([2]), np.array([1]), sets.MOST + 1, np.array([0]), None)
    with pytest.raises(Refused, match="too many"):
        sets.SetAlpha(many, [frozenset({str(n)}) for n in range(sets.MOST + 1)], "masi")


# Texts

@calm
@given(answers, answers)
def test_edit_distance_is_that_of_nltk(one: str, other: str) -> None:
    theirs = pytest.importorskip("nltk.metrics.distance")
    assert texts.edit_distance(one, other) == theirs.edit_distance(one, other) == texts.edit_distance(other, one)


def test_texts_are_compared_after_normalisation() -> None:
    assert texts.exact(" The  Café, “open”.", "the cafe\u0301 open") == 1.0
    assert texts.exact("C++", "C") == 0.0
    assert texts.token_f1("the red fox", "a red fox") == pytest.approx(2 / 3)
    assert texts.token_f1("no no", "no") == pytest.approx(2 / 3)
    assert texts.token_f1("", "...") == texts.edit_ratio("", "!") == 1.0
    assert texts.words("東京 tower") == ["東", "京", "tower"]
    assert texts.edit_ratio("kitten", "Sitting") == pytest.approx(1 - 3 / 7)


def test_similarity_of_texts_is_the_mean_over_items_of_pairs() -> None:
    rows = [["red fox", "red fox.", "blue fox"], ["one", "two", None], ["alone", None, None]]
    assert measure(of_table(rows), "text_exact", replicates=0).value == pytest.approx((1 / 3 + 0) / 2)
    assert measure(of_table(rows), "token_f1", replicates=0).value == pytest.approx((1 + 0.5 + 0.5) / 3 / 2)
    result = measure(of_table(rows * 20), "edit_ratio", replicates=200)
    assert result.value is not None and result.ci is not None and result.ci[0] <= result.value <= result.ci[1]


def test_texts_of_one_item_are_closer_than_texts_of_two_where_items_tell() -> None:
    told = [[f"item {n} is {n * n}", f"item {n} gives {n * n}"] for n in range(30)]
    same = [["yes it is", "it is so"] for _ in range(30)]
    for rows, closer in ((told, True), (same, False)):
        ratings = of_table(rows)
        patterns = collapse(ratings)
        known = scale_of(ratings, patterns, None).labels
        found = texts.between_items(patterns, known, "token_f1", pairs=400)
        assert found is not None and found == texts.between_items(patterns, known, "token_f1", pairs=400)
        assert (found.closer > 0.9) == closer
        assert found.within == pytest.approx(measure(ratings, "token_f1", replicates=0).value)
    assert texts.between_items(collapse(of_table(told[:1])), ("a", "b"), "token_f1") is None


# Spans

def spans_of(rows: Any) -> list[Span]:
    return [Span(begin, begin + length, name) for begin, length, name in rows]


@st.composite
def stretches(draw: Any) -> tuple[int, list[list[Span]]]:
    """A length, and the spans of two to four observers that do not overlap."""
    length = draw(st.integers(4, 24))
    people = []
    for _ in range(draw(st.integers(2, 4))):
        ends = sorted(draw(st.sets(st.integers(0, length), min_size=2, max_size=7)))
        kept = draw(st.lists(st.sampled_from(["x", "y", None]), min_size=len(ends) - 1, max_size=len(ends) - 1))
        people.append([Span(a, b, name) for a, b, name in zip(ends, ends[1:], kept, strict=False) if name])
    return length, people


@calm
@given(stretches())
def test_lengths_are_those_counted_character_by_character(drawn: tuple[int, list[list[Span]]]) -> None:
    length, people = drawn
    found = lengths(people, ["x", "y"], 0, length)
    value = np.zeros((len(people), length), dtype=int)
    for row, spans in enumerate(people):
        for one in spans:
            value[row, int(one.begin):int(one.end)] = 1 if one.category == "x" else 2
    coincide = np.zeros((3, 3))
    for i in range(len(people)):
        for j in range(len(people)):
            for at in range(length):
                coincide[value[i, at], value[j, at]] += (i != j) / (len(people) - 1)
    assert found.coincide == pytest.approx(coincide)
    assert found.coincide.sum() == pytest.approx(len(people) * length)
    for row, spans in enumerate(people):
        for one in spans:
            others = np.delete(value, row, axis=0)[:, int(one.begin):int(one.end)] > 0
            found.paired[1 if one.category == "x" else 2] -= others.any(axis=0).sum() ** 2
            found.alone[1 if one.category == "x" else 2] -= one.length**2
    assert found.paired == pytest.approx([0, 0, 0]) and found.alone == pytest.approx([(value == 0).sum(), 0, 0])


@calm
@given(stretches(), stretches())
def test_two_items_are_measured_as_one_stretch_of_both(first: Any, second: Any) -> None:
    """Resampling items adds their sums, as if one were laid behind the other."""
    (length, people), (more, others) = first, second
    m = min(len(people), len(others))
    rows = [[_json(people[p], length) for p in range(m)], [_json(others[p], more) for p in range(m)]]
    joined = [[*people[p], *(Span(s.begin + length, s.end + length, s.category) for s in others[p])] for p in range(m)]
    for kind, name in (("u", "unitizing_u_alpha"), ("binary", "unitizing_binary"), ("cu", "unitizing_cu_alpha")):
        result = measure(of_table(rows), name, replicates=0)
        expected = unitizing_alpha(joined, 0, length + more, kind)
        assert (result.value is None and expected is None and result.reason) or result.value == pytest.approx(expected)


def _json(spans: list[Span], length: int) -> str:
    return json.dumps({"length": length, "spans": [[one.begin, one.end, one.category] for one in spans]})


@calm
@given(stretches())
def test_observers_who_mark_the_same_agree_fully_and_names_do_not_matter(drawn: Any) -> None:
    length, people = drawn
    for kind in ("u", "binary", "cu"):
        alike = unitizing_alpha([people[0]] * 3, 0, length, kind)
        assert alike is None or alike == pytest.approx(1.0)
        other_names = {"x": "q", "y": "a"}
        renamed = [[Span(s.begin + 5, s.end + 5, other_names[s.category]) for s in one] for one in people[::-1]]
        one, other = unitizing_alpha(people, 0, length, kind), unitizing_alpha(renamed, 5, length, kind)
        assert (one is None and other is None) or one == pytest.approx(other)


def test_alpha_u_of_krippendorffs_book_is_the_printed_value() -> None:
    # Krippendorff (2004), p. 254: 2 observers, 2 categories, 300 units from 150 on.
    people = [spans_of([(225, 70, "c"), (370, 30, "c"), (180, 60, "k"), (300, 50, "k")]),
              spans_of([(220, 80, "c"), (355, 20, "c"), (400, 20, "c"), (180, 60, "k"), (300, 50, "k")])]
    assert alpha_u(people, 150, 300) == pytest.approx(0.8591, abs=5e-4)
    assert observed_disagreement(people, "c", 150, 300) == pytest.approx(0.0144, abs=5e-5)
    assert expected_disagreement(people, "c", 150, 300) == pytest.approx(0.0532, abs=5e-5)
    assert alpha_u(people, 150, 300, category="k") == 1.0
    with pytest.raises(Refused, match="overlap"):  # in the 2016 family a place has one category: c and k of one cross
        unitizing_alpha(people, 150, 300)


def test_alpha_u_over_items_is_that_of_the_one_item_however_often_it_stands() -> None:
    people = [spans_of([(1, 8, "A")]), spans_of([(2, 1, "A"), (4, 1, "A"), (6, 1, "A")])]
    rows = [[_json(one, 10) for one in people]] * 3
    assert measure(of_table(rows), "krippendorff_alpha_u", replicates=0).value == pytest.approx(-0.7003, abs=1e-4)
    nothing = measure(of_table([[_json([], 10)] * 2]), "krippendorff_alpha_u", replicates=0)
    assert nothing.value is None and nothing.reason


def test_bad_spans_are_refused_in_words() -> None:
    good = spans_of([(0, 2, "a")])
    with pytest.raises(Refused, match="overlap"):
        unitizing_alpha([spans_of([(0, 3, "a"), (2, 3, "b")]), good], 0, 10)
    with pytest.raises(Refused, match="outside"):
        unitizing_alpha([spans_of([(8, 3, "a")]), good], 0, 10)
    with pytest.raises(Refused, match="whole units"):
        alpha_u([spans_of([(0, 1.5, "a")]), good], 0, 10)
    for label in ('{"a": 1}', "[[1]]", '[{"start": 1}]', "nonsense", "[3]"):
        with pytest.raises(Refused):
            marked_of(label)
    with pytest.raises(Refused, match="how long"):
        measure(of_table([["[[0, 2]]", "[[0, 3]]"]]), "unitizing_u_alpha", replicates=0)


def test_f1_and_iou_of_spans_are_those_counted_by_hand() -> None:
    one, other = spans_of([(0, 4, "a"), (6, 2, "b"), (9, 1, "a")]), spans_of([(0, 4, "a"), (7, 2, "b")])
    assert span_f1(one, other) == pytest.approx(2 * 1 / 5)
    assert span_f1(one, other, overlap=True) == pytest.approx(2 * 2 / 5)
    assert interval_iou(one, other) == pytest.approx((1 + 1 / 3 + 0 + 1 + 1 / 3) / 5)
    assert span_f1([], []) is None and span_f1(one, []) == 0.0 and interval_iou([], other) == 0.0
    assert span_f1(one, spans_of([(0, 4, "b")]), overlap=True) == 0.0
    # One long span meets two short ones, but is matched once.
    assert span_f1(spans_of([(0, 9, "")]), spans_of([(0, 2, ""), (5, 2, "")]), overlap=True) == pytest.approx(2 / 3)


def test_spans_of_many_items_are_measured_with_an_interval() -> None:
    rng = np.random.default_rng(2)
    rows = []
    for _ in range(60):
        begin = int(rng.integers(0, 20))
        rows.append([_json([Span(begin + int(d), begin + 5, "x")], 40) for d in rng.integers(0, 3, 3)])
    for name in ("span_f1", "span_f1_overlap", "interval_iou", "unitizing_u_alpha", "unitizing_binary"):
        result = measure(of_table(rows), name, replicates=200)
        assert result.value is not None and (result.ci is not None or "every resample" in str(result.reason)), name
    nothing = measure(of_table([["[]", "[]"], ["", "[]"]]), "span_f1", replicates=10)
    assert nothing.value is None and "nobody marked" in str(nothing.reason)


def test_every_metric_of_this_kind_stands_in_the_registry() -> None:
    assert {"text_exact", "token_f1", "edit_ratio", "span_f1", "span_f1_overlap", "interval_iou", "unitizing_u_alpha",
            "unitizing_binary", "unitizing_cu_alpha", "krippendorff_alpha_u", "masi_distance",
            "jaccard_distance"} <= set(metrics)
