"""The form of one item: what is asked, what is open, what clashes, what is derived; and drafts with their undo."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import form, protocol
from annotation.answers import Slot, get, walk
from annotation.draft import Draft
from annotation.errors import AnswerError, NotFinished, Refused
from annotation.fields import check_fields
from annotation.protocol import Protocol

VERIFY = protocol.load(protocol.find("cancer-myth-verify"))
GEO = protocol.load(protocol.find("vlm-geoprivacy"))
PAIRS = protocol.load(protocol.find("preference-pair"))
TRUST = protocol.load(protocol.find("trustjudge"))
QA = protocol.load(protocol.find("qa-check"))
ITEM = {"question": "Q", "assumption": "A", "correction": "C", "category": "other"}
GROUPED = protocol.loads("""
id: grouped
version: 1
title: Grouped
fields: [{name: q, kind: text}, {name: replies, kind: candidates, shuffle: per_item}]
questions:
  - {name: overall_ok, type: choice, text: All right?, options: [{value: "yes"}, {value: "no"}]}
  - group: reply
    for_each: replies
    questions:
      - {name: one, type: scale, text: One, min: 1, max: 4, na: {}}
      - {name: two, type: scale, text: Two, min: 1, max: 4}
      - {name: why, type: text, text: Why so low?, show_if: {one: ["1"]}, required: false}
  - {name: tie, type: choice, text: Tie?, options: [{value: a}, {value: b}], show_if: {item.replies.count: ["2"]}}
checks:
  - {if: {one: ["4"]}, then: {two: ["2", "3", "4"]}, say: Four and one do not go together.}
derive:
  total: {sum: {of: [one, two]}}
  best: {compare: {of: total, across: replies, good_from: 6}}
  order: {rank: {of: total, across: replies}}
  average: {mean: {of: [one, two], across: replies}}
  heavy: {weighted: {of: {one: 3, two: 1}}}
  fours: {count: {of: [one, two], values: ["4"], across: replies}}
  any_four: {any: {of: [one], values: ["4"], across: replies}}
  all_four: {all: {of: [one], values: ["4"], across: replies}}
""")
TWO = check_fields(GROUPED.fields, {"q": "x", "replies": ["first", {"id": "m", "text": "second"}]})


def v(value: Any) -> dict[str, Any]:
    return {"v": value}


def names(slots: tuple[Slot, ...]) -> list[str]:
    return [str(slot) for slot in slots]


# --- the worked example ---

@pytest.mark.parametrize(("is_false", "sound", "outcome"), [
    ("yes", "yes", "keep"), ("yes", "repair", "keep"), ("yes", "no", "reject"), ("yes", None, None),
    ("no", None, "no_false_presupposition"), ("unsure", None, "reject"), (None, None, None),
])
def test_the_outcome_table_of_the_example(is_false: str | None, sound: str | None, outcome: str | None) -> None:
    answers = {name: v(value) for name, value in (("is_false", is_false), ("sound", sound)) if value}
    assert form.derived(VERIFY, ITEM, answers).get("outcome") == (None if outcome is None else v(outcome))


def test_questions_come_and_go_with_the_answers_they_hang_on() -> None:
    assert names(form.visible_slots(VERIFY, ITEM, {})) == ["is_false", "note"]
    assert names(form.visible_slots(VERIFY, ITEM, {"is_false": v("yes"), "sound": v("repair")})) == [
        "is_false", "sound", "repaired", "note"]
    stale = {"is_false": v("no"), "sound": v("repair"), "repaired": v("D")}
    assert form.clean(VERIFY, ITEM, stale) == {"is_false": v("no")}


def test_a_repair_that_changes_nothing_is_still_open() -> None:
    answers = {"is_false": v("yes"), "sound": v("repair"), "repaired": v("C")}
    assert names(form.missing(VERIFY, ITEM, answers)) == ["repaired"]
    with pytest.raises(NotFinished) as caught:
        form.check_answers(VERIFY, ITEM, answers)
    assert caught.value.slots == ("repaired",)


def test_a_broken_check_blocks_and_says_why_but_not_while_a_question_is_open() -> None:
    letters = dict(zip(("q1", "q2", "q3", "q4", "q5", "q6", "q7"), "BAACBBC", strict=True))
    answers = {name: v(letter) for name, letter in letters.items()}
    assert form.conflicts(GEO, {}, {"q4": v("C")}) == ()
    (conflict,) = form.conflicts(GEO, {}, answers)
    assert names(conflict.slots) == ["q4", "q5"] and conflict.level == "block"
    with pytest.raises(AnswerError, match="Questions 4 and 5 disagree"):
        form.check_answers(GEO, {}, answers)
    assert form.check_answers(GEO, {}, {**answers, "q5": v("C")})["q5"] == v("C")


def test_show_if_looks_at_the_item() -> None:
    assert names(form.visible_slots(TRUST, {"pass": "rating"}, {})) == ["rating"]
    assert names(form.visible_slots(TRUST, {"pass": "pair"}, {})) == ["preference"]
    with pytest.raises(NotFinished):
        form.check_answers(TRUST, {"pass": "pair"}, {"rating": v(3)})


def test_a_verdict_needs_the_flags_and_the_reason_that_its_protocol_wants() -> None:
    item = {"question": "q", "answer": "a"}
    assert names(form.missing(QA, item, {"verdict": v("reject")})) == ["verdict"]
    whole = {"verdict": {"v": "reject", "flags": ["wording", "wrong"], "reason": "no"}}
    assert form.check_answers(QA, item, whole) == {
        "verdict": {"v": "reject", "flags": ["wrong", "wording"], "reason": "no"}}


def test_an_item_whose_question_could_not_be_answered_is_refused() -> None:
    for replies in ([], ["x"], ["x", "y", "z"]):
        item = check_fields(TRUST.fields, {"question": "q", "pass": "pair", "responses": replies})
        with pytest.raises(Refused, match=r"needs 2$"):
            form.check_item(TRUST, item)
    form.check_item(TRUST, {"question": "q", "pass": "rating", "answer": "a"})


# --- groups ---

def test_a_group_asks_once_for_every_element_by_its_id() -> None:
    assert names(form.all_slots(GROUPED, TWO)) == [
        "overall_ok", "c1/one", "c1/two", "c1/why", "m/one", "m/two", "m/why", "tie"]
    assert "c1/why" not in names(form.visible_slots(GROUPED, TWO, {"one": {"m": v(1)}}))
    assert "m/why" in names(form.visible_slots(GROUPED, TWO, {"one": {"m": v(1)}}))
    three = check_fields(GROUPED.fields, {"replies": ["a", "b", "c"]})
    assert Slot("tie") not in form.visible_slots(GROUPED, three, {})


def test_what_is_derived_from_a_group() -> None:
    answers = {"overall_ok": v("yes"), "tie": v("a"), "one": {"c1": v(4), "m": v(2)}, "two": {"c1": v(4), "m": v(3)}}
    assert form.derived(GROUPED, TWO, answers) == {
        "total": {"c1": v(8), "m": v(5)}, "best": v("c1"), "order": v([["c1"], ["m"]]), "average": v(3.25),
        "heavy": {"c1": v(4), "m": v(2.25)}, "fours": v(2), "any_four": v("yes"), "all_four": v("no")}
    tied = {**answers, "one": {"c1": v(3), "m": v(3)}, "two": {"c1": v(3), "m": v(3)}}
    assert form.derived(GROUPED, TWO, tied)["best"] == v("both_good")
    low = {**answers, "one": {"c1": v(2), "m": v(2)}, "two": {"c1": v(3), "m": v(3)}}
    assert form.derived(GROUPED, TWO, low)["best"] == v("both_bad")


def test_an_open_or_inapplicable_part_leaves_what_hangs_on_it_without_a_value() -> None:
    answers = {"one": {"c1": v(4), "m": {"na": True}}, "two": {"c1": v(4), "m": v(3)}}
    found = form.derived(GROUPED, TWO, answers)
    assert found["total"] == {"c1": v(8)} and "best" not in found and found["average"] == v(3.666666667)
    assert "average" not in form.derived(GROUPED, TWO, {"one": {"c1": v(4)}})


def test_a_check_of_a_group_speaks_of_its_element() -> None:
    (conflict,) = form.conflicts(GROUPED, TWO, {"one": {"c1": v(4), "m": v(4)}, "two": {"c1": v(1), "m": v(3)}})
    assert names(conflict.slots) == ["c1/one", "c1/two"]


# --- order ---

def test_the_order_is_a_fact_about_the_seed() -> None:
    item = check_fields(PAIRS.fields, {"prompt": "p", "candidates": ["x", "y"]})
    orders = [form.display_order(PAIRS, item, seed=f"item{n}person")["candidates"]["candidates"] for n in range(400)]
    assert form.display_order(PAIRS, item, seed="item7person")["candidates"]["candidates"] == orders[7]
    assert 160 < sum(order == ["c1", "c2"] for order in orders) < 240


def test_what_is_shuffled_per_item_is_the_same_for_everybody() -> None:
    first = form.display_order(GROUPED, TWO, seed="i1p1", item_seed="i1")
    assert first == form.display_order(GROUPED, TWO, seed="i1p2", item_seed="i1")
    orders = {tuple(form.display_order(GROUPED, TWO, seed="x", item_seed=f"i{n}")["candidates"]["replies"])
              for n in range(20)}
    assert orders == {("c1", "m"), ("m", "c1")}


def test_a_draft_walks_through_a_group_in_the_order_shown() -> None:
    draft = Draft(GROUPED, TWO, order={"options": {}, "candidates": {"replies": ["m", "c1"]}})
    assert names(draft.missing) == ["overall_ok", "m/one", "m/two", "c1/one", "c1/two", "tie"]


# --- drafts ---

def test_an_answer_that_its_question_refuses_changes_nothing() -> None:
    draft = Draft(VERIFY, ITEM)
    with pytest.raises(AnswerError, match="'maybe' is none of yes, no, unsure"):
        draft.answer(Slot("is_false"), v("maybe"))
    with pytest.raises(AnswerError, match="not asked"):
        draft.answer(Slot("is_false", "c1"), v("yes"))
    assert draft.answers == {} and not draft.can_undo


def test_answers_out_of_sight_come_back_with_their_question() -> None:
    draft = Draft(VERIFY, ITEM)
    draft.answer(Slot("is_false"), v("yes"))
    draft.answer(Slot("sound"), v("no"))
    draft.answer(Slot("is_false"), v("no"))
    assert draft.answers == {"is_false": v("no")} and draft.can_submit
    draft.answer(Slot("is_false"), v("yes"))
    assert draft.answers == {"is_false": v("yes"), "sound": v("no")}


def test_typing_in_one_box_is_one_step() -> None:
    draft = Draft(VERIFY, ITEM)
    draft.answer(Slot("is_false"), v("no"))
    for text in ("H", "He", "Hey"):
        draft.answer(Slot("note"), v(text), typing=True)
    draft.undo()
    assert draft.answers == {"is_false": v("no")}
    draft.redo()
    assert draft.get(Slot("note")) == v("Hey")


CASES: list[tuple[Protocol, dict[str, Any]]] = [
    (VERIFY, ITEM), (GEO, {}), (GROUPED, TWO), (QA, {"question": "q", "answer": "a"}),
    (PAIRS, check_fields(PAIRS.fields, {"prompt": "p", "candidates": ["x", "y"]})),
    (TRUST, {"pass": "rating"}),
]


@st.composite
def steps(draw: st.DrawFn) -> tuple[Protocol, dict[str, Any], list[tuple[Slot, dict[str, Any] | None]]]:
    """A protocol, an item, and a walk of answers that mostly make sense."""
    made, fields = draw(st.sampled_from(CASES))
    slots = form.all_slots(made, fields)
    walk_: list[tuple[Slot, dict[str, Any] | None]] = []
    for slot in draw(st.lists(st.sampled_from(slots), max_size=14)):
        question = made.question(slot.question)
        known = [option.value for option in question.options_for(fields)]
        values = st.sampled_from(known) if known else st.sampled_from(["words", "C", "a", "more words"])
        value: Any = draw(st.one_of(st.none(), values))
        if value is not None and question.scale == "interval":
            value = None if value == "na" else int(value)
        walk_.append((slot, None if value is None else v(value)))
    return made, fields, walk_


@given(steps())
def test_undo_after_an_answer_is_identity(case: Any) -> None:
    made, fields, walk_ = case
    draft = Draft(made, fields)
    for slot, answer in walk_:
        before, visible = draft.answers, draft.visible
        draft.answer(slot, answer)
        after = draft.answers
        if after != before:
            draft.undo()
            assert (draft.answers, draft.visible) == (before, visible)
            draft.redo()
            assert draft.answers == after
    while draft.can_undo:
        draft.undo()
    assert draft.answers == {}


@given(steps())
def test_no_visible_slot_has_a_false_show_if_and_no_answer_stands_unseen(case: Any) -> None:
    made, fields, walk_ = case
    draft = Draft(made, fields)
    for slot, answer in walk_:
        draft.answer(slot, answer)
        assert {found for found, _answer in walk(draft.answers)} <= set(draft.visible)
        for shown in draft.visible:
            for name, values in made.question(shown.question).show_if.items():
                if name.startswith("item."):
                    continue
                inner = Slot(name, shown.element if made.group_of(name) else None)
                found = get(draft.answers, inner)
                assert found is not None and made.question(name).values_of(found) & set(values)


@given(steps())
def test_checked_answers_check_again_to_themselves(case: Any) -> None:
    made, fields, walk_ = case
    draft = Draft(made, fields)
    for slot, answer in walk_:
        draft.answer(slot, answer)
    try:
        checked = form.check_answers(made, fields, draft.answers)
    except Refused:
        assert not draft.can_submit
        return
    assert draft.can_submit
    assert form.check_answers(made, fields, checked) == checked == form.clean(made, fields, checked)
