"""Gold: the rules one by one, what stands for an item, and the table kept in line with the facts."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import protocol
from annotation.answers import Slot
from annotation.gold_item import Decided, settle
from annotation.gold_rules import Vote, apply_rule, share_of_agreeing_pairs, undecided
from annotation.protocol import find, load
from annotation.protocol_parts import GoldRule

PEOPLE = [uuid4() for _ in range(7)]
MYTH = load(find("cancer-myth-verify"))
FIELDS = {"question": "Why does sugar feed cancer?", "assumption": "Sugar feeds cancer", "correction": "It does not."}


def votes(*values: Any) -> list[Vote]:
    """One person per value; "NA" is N/A; a pair is (level, its position)."""
    out = []
    for person, value in zip(PEOPLE, values, strict=False):
        if value == "NA":
            out.append(Vote(person, {"na": True}))
        elif isinstance(value, tuple):
            out.append(Vote(person, {"v": value[0]}, value[0], float(value[1])))
        elif isinstance(value, dict):
            out.append(Vote(person, value, str(value["v"])))
        else:
            number = float(value) if isinstance(value, (int, float)) else None
            out.append(Vote(person, {"v": value}, None, number))
    return out


def rule(name: str, **more: Any) -> GoldRule:
    return GoldRule.model_validate({"rule": name, **more})


@pytest.mark.parametrize(("name", "given_", "answer"), [
    ("majority", ["yes", "yes", "no"], {"v": "yes"}),
    ("majority", ["yes", "no"], None),
    ("majority", ["a", "a", "b", "c"], None),  # two of four are no majority
    ("majority", ["NA", "NA", "a"], {"na": True}),
    ("majority", [["x"], ["x"], ["x", "y"]], {"v": ["x"]}),
    ("unanimous", ["a", "a"], {"v": "a"}),
    ("unanimous", ["a", "a", "b"], None),
    ("mean", [1, 2, 4.5], {"v": 2.5}),
    ("mean", [3, "NA", 5], {"v": 4}),
    ("mean", ["NA", "NA", 5], {"na": True}),
    ("median", [5, 1, 2], {"v": 2}),
    ("median", [1, 2], {"v": 1.5}),
    ("median", [("low", 0), ("high", 2), ("high", 2)], {"v": "high"}),
    ("median", [("low", 0), ("high", 2)], None),
    ("union", [["b"], ["a", "b"]], {"v": ["a", "b"]}),
    ("union", [[], []], {"v": []}),
    ("first", ["b", "a"], {"v": "b"}),
    ("adjudicated", ["a", "a"], None),
    ("majority", [], None),
])
def test_each_rule_gives_what_it_says(name: str, given_: list[Any], answer: Any) -> None:
    result = apply_rule(rule(name), votes(*given_), ("a", "b"))
    assert result.answer == answer
    assert (result.why is None) == (answer is not None)
    assert result.n == len(given_)


def test_too_few_people_give_no_value_and_else_speaks_where_nobody_adjudicated() -> None:
    few = apply_rule(rule("majority", min_people=2), votes("a"))
    assert few.answer is None and "wants 2" in str(few.why)
    assert apply_rule(rule("adjudicated", **{"else": "union"}), votes(["a"], ["b"])).answer == {"v": ["a", "b"]}


def test_a_strength_that_people_do_not_share_is_left_out() -> None:
    same = votes({"v": "c1", "strength": 2}, {"v": "c1", "strength": 2}, {"v": "c2", "strength": 1})
    other = votes({"v": "c1", "strength": 2}, {"v": "c1", "strength": 3})
    assert apply_rule(rule("majority"), same).answer == {"v": "c1", "strength": 2}
    assert apply_rule(rule("majority"), other).answer == {"v": "c1"}


def test_agreeing_pairs_leave_out_na() -> None:
    assert share_of_agreeing_pairs(votes("a", "a", "b", "NA")) == pytest.approx(1 / 3)
    assert share_of_agreeing_pairs(votes("a")) is None


@given(st.lists(st.sampled_from(["a", "b", "c", "NA"]), max_size=7), st.randoms(use_true_random=False),
       st.sampled_from(["majority", "unanimous", "union", "mean", "median"]))
def test_who_said_it_and_in_which_order_changes_no_rule_but_first(said: list[str], random: Any, name: str) -> None:
    one = apply_rule(rule(name), votes(*said), ("a", "b", "c"))
    other = apply_rule(rule(name), votes(*random.sample(said, len(said))), ("a", "b", "c"))
    assert (one.answer, one.n) == (other.answer, other.n)


# --- one item -------------------------------------------------------------------------------------

def myth(*answers: dict[str, str], adjudicated: dict[str, Any] | None = None,
         repaired: dict[str, Any] | None = None) -> Any:
    """The gold of a cancer-myth item: each argument is what one person answered."""
    by_slot: dict[Slot, list[Vote]] = {}
    for person, given_ in zip(PEOPLE, answers, strict=False):
        for name, value in given_.items():
            by_slot.setdefault(Slot(name), []).append(Vote(person, {"v": value}, value))

    def decided(values: dict[str, Any] | None) -> dict[Slot, Decided]:
        return {Slot(name): Decided({"v": value}, uuid4()) for name, value in (values or {}).items()}

    return settle(MYTH, FIELDS, by_slot, adjudicated=decided(adjudicated), repaired=decided(repaired))


def values(found: Any) -> dict[str, Any]:
    return {str(slot): value.answer.get("v") for slot, value in found.values.items()}


GOOD = {"is_false": "yes", "sound": "yes"}


def test_what_the_form_would_not_ask_has_no_gold_and_is_not_missing() -> None:
    found = myth({"is_false": "no"}, {"is_false": "no"}, GOOD)
    assert values(found) == {"is_false": "no", "outcome": "no_false_presupposition"}
    assert not found.missing and not undecided(found, when="no_value")


def test_a_value_computed_from_gold_waits_for_what_it_is_computed_from() -> None:
    """Otherwise the row 'otherwise' of its table would speak too early."""
    found = myth(GOOD, {"is_false": "no"}, {"is_false": "unsure"})
    assert values(found) == {}
    assert "no majority" in found.missing[Slot("is_false")]
    assert found.missing[Slot("outcome")] == "waits for is_false"
    assert undecided(found, when="no_value") == (Slot("is_false"),)


def test_a_text_that_only_an_adjudicator_may_set_is_due_as_soon_as_the_form_asks_for_it() -> None:
    mend = {"is_false": "yes", "sound": "repair", "repaired": "It does not, and here is why."}
    found = myth(mend, mend, GOOD)
    assert values(found) == {"is_false": "yes", "sound": "repair", "outcome": "keep"}
    assert undecided(found, when="no_value") == (Slot("repaired"),)
    done = myth(mend, mend, GOOD, adjudicated={"repaired": "Mended."})
    assert values(done)["repaired"] == "Mended." and values(done)["outcome"] == "keep"
    assert not undecided(done, when="no_value")


def test_a_decision_opens_what_nobody_was_asked() -> None:
    found = myth({"is_false": "no"}, {"is_false": "unsure"}, adjudicated={"is_false": "yes"})
    assert found.missing[Slot("sound")] == "nobody has answered"
    assert undecided(found, when="no_value") == (Slot("sound"),)


def test_adjudicated_stands_above_a_repair_and_a_repair_above_the_rule() -> None:
    ruled = myth(GOOD, GOOD, GOOD)
    mended = myth(GOOD, GOOD, GOOD, repaired={"is_false": "no"})
    decided = myth(GOOD, GOOD, GOOD, repaired={"is_false": "no"}, adjudicated={"is_false": "yes"})
    assert [found.values[Slot("is_false")].standing for found in (ruled, mended, decided)] == [
        "rule", "repair", "adjudicated"]
    assert [values(found)["outcome"] for found in (ruled, mended, decided)] == [
        "keep", "no_false_presupposition", "keep"]
    assert decided.values[Slot("outcome")].standing == "adjudicated"


def test_a_verifier_who_says_the_same_repairs_nothing() -> None:
    found = myth(GOOD, GOOD, GOOD, repaired={"is_false": "yes", "sound": "yes"})
    assert {value.standing for value in found.values.values()} == {"rule"}


def test_any_difference_is_due_until_it_is_adjudicated() -> None:
    split = myth(GOOD, GOOD, {"is_false": "no"})
    assert undecided(split, when="no_value") == ()
    assert undecided(split, when="any_difference") == (Slot("is_false"),)
    settled = myth(GOOD, GOOD, {"is_false": "no"}, adjudicated={"is_false": "yes"})
    assert undecided(settled, when="any_difference") == ()


def test_an_optional_question_that_nobody_answered_is_not_missing() -> None:
    text = MYTH.text.replace("gold:\n", "gold:\n  note: {rule: adjudicated}\n")
    proto = protocol.loads(text)
    found = settle(proto, FIELDS, {Slot("is_false"): votes("no", "no")}, adjudicated={}, repaired={})
    assert Slot("note") not in found.missing


@pytest.mark.parametrize("name", protocol.shelf())
def test_every_protocol_of_the_shelf_says_what_an_untouched_item_misses(name: str) -> None:
    proto = load(find(name))
    found = settle(proto, {}, {}, adjudicated={}, repaired={})
    assert not found.values and set(found.missing.values()) <= {
        "nobody has answered", "the protocol wants an adjudicated value",
        *(why for why in found.missing.values() if why.startswith("waits for"))}
