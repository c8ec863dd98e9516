"""Question types and field kinds: what they take, in which form it is stored, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import fields as kinds
from annotation.errors import AnswerError, Refused
from annotation.fields import Field, check_fields
from annotation.protocol_later import FIELD_KINDS, QUESTION_TYPES
from annotation.questions import Question, question_types

OPTIONS = [{"value": "a"}, {"value": "b", "label": "Bee", "key": "B"}, {"value": "c"}]
ITEM = {"body": "old", "two": [{"id": "c1", "text": "x"}, {"id": "m7", "text": "y"}]}


def made(kind: str, **keys: Any) -> Question:
    return question_types[kind].model_validate({"name": "q", "type": kind, "text": "Q?", **keys})


CHOICE = made("choice", options=OPTIONS)
FROM_ITEM = made("choice", options_from="two")
MANY = made("multichoice", options=OPTIONS, max=2)
LEVEL = made("level", options=OPTIONS)
SCALE = made("scale", min=-1, max=1, na={"label": "None"})
HALF = made("scale", min=0, max=1, step=0.1)
NUMBER = made("number", min=0, max=100, decimals=2)
TEXT = made("text", max_chars=5, size="short")
EDIT = made("edit", on="body")
PAIR = made("pairwise", on="two", ties=["both_good"], strength=3)
VERDICT = made("verdict", flags=[{"value": "w"}, {"value": "z"}])
STRICT = made("verdict", flags=[{"value": "w"}, {"value": "z"}], flags_on=["reject"], reason_on=["reject"])


@pytest.mark.parametrize(("question", "answer", "stored"), [
    (CHOICE, {"v": "b"}, {"v": "b"}),
    (FROM_ITEM, {"v": "m7"}, {"v": "m7"}),
    (MANY, {"v": ["c", "a"]}, {"v": ["a", "c"]}),
    (MANY, {"v": []}, {"v": []}),
    (LEVEL, {"v": "c"}, {"v": "c"}),
    (SCALE, {"v": -1.0}, {"v": -1}),
    (SCALE, {"na": True}, {"na": True}),
    (HALF, {"v": 0.30000000000000004}, {"v": 0.3}),
    (NUMBER, {"v": 12.25}, {"v": 12.25}),
    (NUMBER, {"v": 12.0}, {"v": 12}),
    (TEXT, {"v": "None"}, {"v": "None"}),
    (EDIT, {"v": "new\ntext"}, {"v": "new\ntext"}),
    (PAIR, {"v": "m7", "strength": 3}, {"v": "m7", "strength": 3}),
    (PAIR, {"v": "both_good"}, {"v": "both_good"}),
    (VERDICT, {"v": "repair", "flags": ["z", "w"], "reason": ""}, {"v": "repair", "flags": ["w", "z"]}),
])
def test_an_answer_is_stored_in_one_form(question: Question, answer: dict[str, Any], stored: dict[str, Any]) -> None:
    checked = question.check(answer, fields=ITEM)
    assert checked == stored and question.check(checked, fields=ITEM) == checked


@pytest.mark.parametrize(("question", "answer", "words"), [
    (CHOICE, {"v": "d"}, "'d' is none of a, b, c"),
    (CHOICE, {"v": 1}, "is not a text"),
    (CHOICE, {"v": "a", "note": "x"}, "has no 'note'"),
    (CHOICE, {"na": True}, "does not allow N/A"),
    (CHOICE, {"v": None}, "is empty"),
    (CHOICE, {}, "is empty"),
    (FROM_ITEM, {"v": "c2"}, "none of c1, m7"),
    (MANY, {"v": "a"}, "is not a list"),
    (MANY, {"v": ["a", "a"]}, "twice"),
    (MANY, {"v": ["a", "b", "c"]}, "at most 2"),
    (SCALE, {"v": 2}, "no point of the scale"),
    (SCALE, {"v": 0.5}, "no point of the scale"),
    (SCALE, {"v": True}, "is not a number"),
    (SCALE, {"v": "1"}, "is not a number"),
    (SCALE, {"v": float("nan")}, "finite"),
    (NUMBER, {"v": 101}, "above 100"),
    (NUMBER, {"v": -0.01}, "below 0"),
    (NUMBER, {"v": 1.005}, "more than 2 decimals"),
    (NUMBER, {"v": float("inf")}, "finite"),
    (TEXT, {"v": "123456"}, "longer than 5"),
    (TEXT, {"v": "a\nb"}, "one line"),
    (TEXT, {"v": "   "}, "is empty"),
    (TEXT, {"v": "\ud800"}, "lone surrogate"),
    (TEXT, {"v": "a\x00"}, "U.0000"),
    (PAIR, {"v": "tie"}, "none of c1, m7, both_good"),
    (PAIR, {"v": "left"}, "none of"),
    (PAIR, {"v": "c1", "strength": 4}, "from 1 to 3"),
    (PAIR, {"v": "both_good", "strength": 1}, "no strength"),
    (VERDICT, {"v": "keep", "flags": ["w"]}, "no flags"),
    (VERDICT, {"v": "reject", "flags": ["x"]}, "is no flag"),
    (VERDICT, {"v": "reject", "flags": "w"}, "a list"),
])
def test_a_bad_answer_is_refused_with_a_sentence(question: Question, answer: dict[str, Any], words: str) -> None:
    with pytest.raises(AnswerError, match=words):
        question.check(answer, fields=ITEM)


@pytest.mark.parametrize(("question", "answer", "words"), [
    (CHOICE, None, "no answer yet"),
    (made("multichoice", options=OPTIONS, min=2), {"v": ["a"]}, "at least 2"),
    (STRICT, None, "no answer yet"),
    (STRICT, {"v": "reject", "reason": "why"}, "what is wrong"),
    (STRICT, {"v": "reject", "flags": ["w"]}, "the reason"),
    (EDIT, None, "as it was: change it."),
    (made("edit", on="body", show_if={"other": ["no"]}), {"v": "old"}, "answer otherwise above"),
])
def test_what_is_still_wanted_is_said_and_not_that_nothing_was_answered(
        question: Question, answer: dict[str, Any] | None, words: str) -> None:
    assert not question.is_given(answer, fields=ITEM)
    assert words in str(question.wanted(answer))


def test_digits_choose_options_and_a_letter_stands_where_the_protocol_gives_one() -> None:
    assert [(o.value, o.label, o.key) for o in CHOICE.options_for({})] == [("a", "A", "1"), ("b", "Bee", "B"),
                                                                       ("c", "C", "3")]
    assert [(o.value, o.key) for o in CHOICE.options_for({}, order=["c", "b", "a"])] == [("c", "1"), ("b", "B"),
                                                                                      ("a", "3")]
    assert [o.value for o in SCALE.options_for({})] == ["-1", "0", "1", "na"]
    assert [(o.value, o.label) for o in PAIR.options_for(ITEM, order=["m7", "c1"])] == [
        ("m7", "Left is better"), ("c1", "Right is better"), ("both_good", "Both good")]


def test_text_and_number_forms() -> None:
    assert (LEVEL.text_form({"v": "b"}), LEVEL.number_form({"v": "b"})) == ("b", 1.0)
    assert (SCALE.text_form({"v": -1}), SCALE.number_form({"v": -1})) == ("-1", -1.0)
    assert (SCALE.text_form({"na": True}), SCALE.number_form({"na": True})) == ("", None)
    assert (MANY.text_form({"v": ["a", "ü"]}), MANY.number_form({"v": ["a"]})) == ('["a","ü"]', None)
    assert HALF.values_of({"v": 0.3}) == {"0.3"} and MANY.values_of({"v": ["a", "c"]}) == {"a", "c"}
    assert {q.scale for q in (CHOICE, MANY, LEVEL, SCALE, NUMBER, TEXT, EDIT, PAIR, VERDICT)} == {
        "nominal", "set", "ordinal", "interval", "text"}


def test_no_name_is_both_here_and_later() -> None:
    assert not set(question_types) & QUESTION_TYPES and not set(kinds.kinds) & FIELD_KINDS


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
                    max_leaves=5))
def test_nothing_that_json_can_hold_breaks_a_question_or_a_field(value: Any) -> None:
    for question in (CHOICE, FROM_ITEM, MANY, LEVEL, SCALE, HALF, NUMBER, TEXT, EDIT, PAIR, VERDICT):
        for answer in ({"v": value}, value, {"v": "repair", "flags": value}, {"v": "c1", "strength": value}):
            try:
                question.check(answer, fields=ITEM)
            except AnswerError as fault:
                assert str(fault)
    for kind in kinds.kinds:
        field = Field.model_validate({"name": "f", "kind": kind})
        try:
            checked = check_fields([field], {"f": value})
        except Refused as fault:
            assert str(fault) and fault.where.key == "f"
        else:
            assert check_fields([field], checked) == checked


def checked(kind: str, value: Any) -> Any:
    return check_fields([Field.model_validate({"name": "f", "kind": kind, "required": True})], {"f": value})["f"]


def test_field_values_are_brought_into_their_stored_form() -> None:
    assert checked("candidates", ["a", {"id": 7, "image": "x.png"}]) == [
        {"id": "c1", "text": "a"}, {"id": "7", "image": {"sha256": None, "path": "x.png"}}]
    assert checked("steps", ["a", {"text": "b", "figure": "f.png"}]) == [
        {"id": "1", "text": "a"}, {"id": "2", "text": "b", "figure": {"sha256": None, "path": "f.png"}}]
    assert checked("images", ["v/front.png", {"name": "back", "image": "b.png"}]) == [
        {"id": "1", "name": "front", "image": {"sha256": None, "path": "v/front.png"}},
        {"id": "2", "name": "back", "image": {"sha256": None, "path": "b.png"}}]
    assert (checked("number", "007"), checked("number", "1e3"), checked("number", 2.5)) == (7, 1000.0, 2.5)
    assert (checked("text", "None"), checked("text", "007"), checked("tag", 12)) == ("None", "007", "12")


@pytest.mark.parametrize(("kind", "value", "code"), [
    ("text", None, "missing_value"), ("text", "", "missing_value"), ("candidates", [], "missing_value"),
    ("text", 5, "bad_type"), ("number", "x", "bad_type"), ("number", float("nan"), "not_finite"),
    ("number", "1e999", "not_finite"), ("candidates", "x", "bad_type"), ("candidates", [None], "bad_type"),
    ("candidates", [{"id": "v", "text": "x"}, "y"], "bad_type"),
    ("candidates", [{"id": "tie", "text": "x"}], "bad_type"),
    ("candidates", [{"id": "c2", "text": "x"}, "y"], "duplicate_key"), ("text", "a\x00", "not_unicode"),
    ("text", "x" * 1_000_001, "too_long"), ("table", 'a,"b', "bad_value"), ("tag", "a\nb", "bad_value"),
    ("image", {"sha256": "zz", "path": "x"}, "bad_type"),
])
def test_a_bad_field_value_is_refused_with_its_code(kind: str, value: Any, code: str) -> None:
    with pytest.raises(Refused) as caught:
        checked(kind, value)
    assert (caught.value.code, caught.value.where.key) == (code, "f")
