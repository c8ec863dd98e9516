"""Gold: the rules one by one, what stands for an item, and the table kept in line with the facts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete, update

from annotation import gold, judgements, people, protocol, tasks, withdrawing
from annotation.answers import Slot
from annotation.errors import Refused, Unknown
from annotation.gold_item import Decided, settle
from annotation.gold_rules import Vote, apply_rule, share_of_agreeing_pairs, undecided
from annotation.protocol import find, load
from annotation.protocol_parts import GoldRule
from annotation.store.project import Store
from annotation.store.tables import AnswerRow, Gold
from annotation.votes import read_facts
from tests import small_project

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


# --- in a project ---------------------------------------------------------------------------------

@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with small_project.make(tmp_path) as made:
        small_project.answer_all(made)
        yield made


def test_gold_of_a_project_is_what_its_people_said(store: Store) -> None:
    with store.read() as session:
        found = {(g.key, g.question, g.element): g for g in gold.gold(session)}
        assert gold.missing(session) == ()
    assert found["key-00", "verdict", None].answer == {"v": "yes"}
    assert found["key-00", "verdict", None].agreement == 1.0
    odd = found["key-01", "verdict", None]
    assert (odd.answer, odd.n, odd.standing, odd.signed) == ({"v": "yes"}, 3, "rule", False)
    assert odd.agreement == pytest.approx(1 / 3)
    assert found["key-00", "score", "c1"].answer == {"v": 3}
    assert found["key-00", "outcome", None].answer == {"v": "keep"}


def test_judgements_are_the_stored_answers_and_agreement_their_numbers(store: Store) -> None:
    with store.read() as session:
        found = judgements.judgements(session, "verdict", by="topic")
        assert found.stages == ("annotate",) and len(found.units) == 10 and len(found.people) == 3
        assert {value: len(found.items_of(by=value)) for value in ("even", "odd")} == {"even": 5, "odd": 5}
        whole, even, odd = judgements.agreement(session, ["verdict"], metric="percent_agreement", by="topic",
                                                replicates=100)
        scores = judgements.agreement(session, ["score"], metric="krippendorff_alpha", replicates=100)
    # Five items with all pairs equal, five with one of three.
    assert whole.value == pytest.approx((5 + 5 / 3) / 10)
    assert (even.value, odd.value) == (1.0, pytest.approx(1 / 3))
    assert (odd.by, odd.stage, odd.protocol) == ({"field": "topic", "value": "odd"}, "annotate", "small 3")
    # A group: 20 elements of 10 items, drawn item by item.
    assert scores[0].n_items == 20 and scores[0].level == "interval"
    assert scores[0].ci_method == "bootstrap_bca_items"


def test_an_unknown_question_or_tag_is_unknown_and_a_later_metric_is_refused(store: Store) -> None:
    with store.read() as session:
        with pytest.raises(Unknown, match="verdikt"):
            judgements.agreement(session, ["verdikt"])
        with pytest.raises(Unknown, match="not a tag"):
            judgements.agreement(session, by="question")
        with pytest.raises(Refused, match="comes later"):
            judgements.agreement(session, ["verdict"], metric="gwet_ac1")


def test_a_withdrawn_answer_leaves_gold_and_agreement(store: Store) -> None:
    with store.write() as session:
        cem = people.find(session, "cem-hopper").id
        for mine in tasks.mine(session, cem):
            withdrawing.withdraw(session, mine.revision, person=cem, reason="was tired")
    with store.read() as session:
        assert {g.agreement for g in gold.gold(session, "verdict")} == {1.0}
        assert judgements.agreement(session, ["verdict"], metric="percent_agreement")[0].n_people == 2


def test_what_is_missing_is_what_settling_every_item_anew_says(tmp_path: Path) -> None:
    """The short cut for untouched and for complete items must not change the list."""
    text = small_project.PROTOCOL.replace("gold:\n", "gold:\n  note: {rule: adjudicated}\n").replace(
        "text: How good?,", "text: How good?, show_if: {verdict: [\"yes\"]},")
    answers = {("key-01", 0): {**small_project.said("key-01", 0), "verdict": {"v": "no"}},
               ("key-04", 0): small_project.said("key-04", 1), ("key-02", 0): small_project.said("key-02", 1),
               ("key-03", 2): {**small_project.said("key-03", 2), "verdict": {"v": "no"}}}
    for change in answers.values():  # the group is asked of those who say yes
        if change["verdict"]["v"] == "no":
            change.pop("score")
    with small_project.make(tmp_path, n=10, text=text) as made:
        odd = {(f"key-{i:02d}", 2): {name: one for name, one in small_project.said(f"key-{i:02d}", 2).items()
                                     if name != "score"} for i in (5, 7, 9)}
        small_project.answer_all(made, besides=("key-06",), change={**odd, **answers})
        with made.write() as session:
            first = people.find(session, "ana-lovelace").id
            mine = next(one for one in tasks.mine(session, first) if one.key == "key-08")
            withdrawing.withdraw(session, mine.revision, person=first)
        with made.read() as session:
            proto = made.protocol
            items = [small_project.item_of(session, f"key-{i:02d}") for i in range(10)]
            slow = [(facts.key, slot.question, slot.element, why) for facts in read_facts(session, proto, items)
                    for slot, why in gold.settled(proto, facts).missing.items()]
            quick = [(one.key, one.question, one.element, one.why) for one in gold.missing(session)]
    assert not {key for key, *_ in quick} & {"key-02", "key-04"}
    assert sorted(quick, key=str) == sorted(slow, key=str)
    assert {key for key, *_ in quick} >= {"key-00", "key-06"}


def test_doctor_finds_rows_that_are_not_what_the_facts_give_and_mends_them(store: Store) -> None:
    with store.write() as session:
        assert gold.count_differing(session) == 0
        before = gold.gold(session)
        first = small_project.item_of(session, "key-00")
        session.execute(update(Gold).where(Gold.item == first, Gold.question == "verdict").values(n=99))
        session.execute(delete(Gold).where(Gold.item == small_project.item_of(session, "key-01")))
        assert gold.count_differing(session) == 1 + 5
        assert gold.rebuild(session) == 6
        assert gold.count_differing(session) == 0 and gold.gold(session) == before


def test_what_does_not_count_is_neither_a_judgement_nor_a_vote(store: Store) -> None:
    with store.write() as session:
        item = small_project.item_of(session, "key-00")
        session.execute(update(AnswerRow).where(AnswerRow.item == item).values(counts=False))
        assert len(judgements.judgements(session, "verdict").units) == 9
        assert gold.refresh(session, item).values == 0
        assert gold.undecided_slots(session, item) == (
            Slot("verdict"), Slot("better"), Slot("score", "c1"), Slot("score", "c2"))
