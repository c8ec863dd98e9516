"""Adjudicating and signing through real tasks, and how each is taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from annotation import gold, people, review, tasks, trail, undo
from annotation.answers import Slot
from annotation.canonical import sha256
from annotation.errors import AnswerError, NotAllowed, Refused
from annotation.store.project import Store
from annotation.store.tables import Adjudication, Event, ItemStage, SignOff
from tests import small_project
from tests.small_project import HANDLES, item_of

TEXT = (small_project.PROTOCOL
        .replace("stages: [annotate, adjudicate]", "stages: [annotate, adjudicate, sign]")
        .replace("adjudicate: {when: no_value}", "adjudicate: {when: no_value, reason: required}")
        .replace("gold:\n", "gold:\n  mended: {rule: adjudicated}\n")
        .replace("  - {name: note,", "  - {name: mended, type: edit, text: Mend it, on: question, required: false, "
                                     "show_if: {verdict: [\"no\"]}}\n  - {name: note,"))
VERDICT = Slot("verdict")


def split(key: str, person: int) -> dict[str, Any]:
    """Two people who differ about the verdict and about the pair."""
    return {**small_project.said(key, person), "verdict": {"v": ("yes", "no")[person % 2]},
            "better": {"v": ("c1", "c2")[person % 2], "strength": 1}}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Two people per item; on key-00 they differ about verdict and pair, on the others they agree."""
    with small_project.make(tmp_path, n=3, text=TEXT.replace("people_per_item: 3", "people_per_item: 2")) as made:
        with made.write() as session:
            owner = small_project.owner_of(session)
            people.add(session, "dr-eva", name="Eva  Marín", roles=["physician"], by=owner)
        for number, handle in enumerate(HANDLES[:2]):
            with made.write() as session:
                person = people.find(session, handle).id
                while (task := tasks.next_task(session, person)) is not None:
                    answers = split(task.key, number) if task.key == "key-00" else {
                        **small_project.said(task.key, 0), "verdict": {"v": "yes"}}
                    answers.pop("note", None)
                    tasks.submit(session, task.id, answers, active_ms=1000 * (number + 1))
        yield made


def who(session: Session, handle: str) -> UUID:
    return people.find(session, handle).id


def decide(session: Session, values: dict[Slot, Any] | None = None, *, key: str = "key-00", reason: str = "I looked",
           handle: str = "dr-curie") -> Any:
    return review.adjudicate(session, item_of(session, key), values or {VERDICT: {"v": "yes"}},
                             by=who(session, handle), reason=reason)


def stage_of(session: Session, key: str, stage: str) -> str | None:
    return session.scalar(select(ItemStage.state).where(ItemStage.item == item_of(session, key),
                                                        ItemStage.stage == stage))


def verdict_of(session: Session, key: str = "key-00") -> Any:
    return {g.question: (g.answer["v"], g.standing) for g in gold.gold(session, item=item_of(session, key))
            }.get("verdict")


def test_only_what_the_rules_leave_open_waits(store: Store) -> None:
    with store.read() as session:
        waiting = review.adjudication_queue(session, who(session, "dr-curie"))
        assert [(one.key, one.people) for one in waiting] == [("key-00", 2)]
        assert VERDICT in waiting[0].slots and Slot("outcome") not in waiting[0].slots


def test_a_case_hides_who_answered_and_marks_what_differs(store: Store) -> None:
    with store.read() as session:
        case = review.adjudication_case(session, item_of(session, "key-00"))
        rows = {row.slot: row for row in case.rows}
    assert [one.n for one in case.answers] == [1, 2] and case.reason_required
    assert not rows[VERDICT].agrees and rows[VERDICT].due and rows[VERDICT].odd == ()
    assert rows[Slot("score", "c2")].agrees and not rows[Slot("score", "c2")].due
    assert {cell["v"] for cell in rows[VERDICT].cells if cell} == {"yes", "no"}
    assert "no majority" in str(rows[VERDICT].why) and rows[VERDICT].standing is None
    assert "ana-lovelace" not in repr(case) and "Ana" not in repr(case)


def test_the_place_of_a_person_differs_from_item_to_item_but_not_from_look_to_look(tmp_path: Path) -> None:
    with small_project.make(tmp_path, n=12) as store:
        small_project.answer_all(store)
        with store.read() as session:
            def places() -> list[list[bool]]:
                cases = [review.adjudication_case(session, item_of(session, f"key-{i:02d}")) for i in range(12)]
                return [["note" in one.answers for one in case.answers] for case in cases]  # only Ana writes notes
            assert places() == places()
            assert len({row.index(True) for row in places()}) > 1


def test_a_decision_stands_above_the_rules_and_can_be_taken_back_and_given_again(store: Store) -> None:
    with store.write() as session:
        done = decide(session)
        assert verdict_of(session) == ("yes", "adjudicated")
        assert stage_of(session, "key-00", "adjudicate") == "open"  # the pair is still open
    with store.write() as session:
        back = undo.apply(session, done.undo, person=who(session, "dr-curie"))
        assert verdict_of(session) is None
        again = undo.apply(session, back.undo, person=who(session, "dr-curie"))
        assert verdict_of(session) == ("yes", "adjudicated")
        assert session.scalar(select(func.count()).select_from(Adjudication)) == 3  # nothing is ever taken away
        assert again.undo is not None and trail.verify_chain(session).ok


def test_deciding_all_that_is_due_closes_the_stage(store: Store) -> None:
    with store.write() as session:
        due = review.adjudication_case(session, item_of(session, "key-00")).due
        decide(session, {slot: {"v": {"verdict": "yes", "better": "tie"}.get(slot.question, 3)} for slot in due})
        assert stage_of(session, "key-00", "adjudicate") == "done"
        assert stage_of(session, "key-00", "sign") == "open"
        assert review.adjudication_queue(session, who(session, "dr-curie")) == ()


def test_a_later_decision_stands_and_bars_the_undo_of_the_first(store: Store) -> None:
    with store.write() as session:
        first = decide(session)
        second = decide(session, {VERDICT: {"v": "no"}})
        assert verdict_of(session) == ("no", "adjudicated")
        with pytest.raises(Refused, match="decided again"):
            undo.apply(session, first.undo, person=who(session, "dr-curie"))
        undo.apply(session, second.undo, person=who(session, "dr-curie"))
        assert verdict_of(session) == ("yes", "adjudicated")


def test_a_decision_keeps_what_was_seen_and_the_trail_says_who(store: Store) -> None:
    with store.write() as session:
        decide(session)
        row = session.execute(select(Adjudication.inputs_json, Adjudication.reason)).one()
        assert sorted(one["answer"]["v"] for one in row.inputs_json["answers"]) == ["no", "yes"]
        assert row.reason == "I looked"
        assert session.scalar(select(Event.person).where(Event.verb == "adjudicate")) == who(session, "dr-curie")


def test_each_adjudicator_has_an_order_of_ones_own_which_is_kept_with_the_decision(store: Store) -> None:
    with store.write() as session:
        owner = small_project.owner_of(session)
        orders = []
        for n in range(12):
            people.add(session, f"judge-{n}", roles=["adjudicator"], by=owner)
            person = who(session, f"judge-{n}")
            case = review.open_case(session, item_of(session, "key-00"), person=person)
            again = review.open_case(session, item_of(session, "key-00"), person=person)
            assert case.order == again.order
            orders.append(tuple(case.order["candidates"]["responses"]))
        assert set(orders) == {("c1", "c2"), ("c2", "c1")}
        assert review.adjudication_case(session, item_of(session, "key-00")).order == {}
        shown = review.open_case(session, item_of(session, "key-00"), person=who(session, "dr-curie"))
        done = review.adjudicate(session, shown.item, {VERDICT: {"v": "no"}}, by=who(session, "dr-curie"),
                                 reason="I looked", order=shown.order)
        assert done.undo is not None
        back = undo.apply(session, done.undo, person=who(session, "dr-curie"))
        assert back.undo is not None
        undo.apply(session, back.undo, person=who(session, "dr-curie"))
        kept = [row.inputs_json for row in session.execute(select(Adjudication.inputs_json).order_by(Adjudication.id))]
        assert [one.get("order") for one in kept] == [shown.order, None, shown.order]
        assert [one.slot.element for one in shown.rows if one.slot.question == "score"] == \
            list(shown.order["candidates"]["responses"])


@pytest.mark.parametrize(("what", "error", "words"), [
    (lambda s: decide(s, reason="  "), Refused, "wants a reason"),
    (lambda s: decide(s, {VERDICT: {"v": "perhaps"}}), AnswerError, "none of yes, no"),
    (lambda s: decide(s, {Slot("score", "c9"): {"v": 3}}), AnswerError, "not asked"),
    (lambda s: decide(s, {Slot("outcome"): {"v": "maybe"}}), AnswerError, "none of its values"),
    (lambda s: decide(s, handle="ana-lovelace"), NotAllowed, "may not do this"),
])
def test_what_is_no_decision_is_refused_in_words(store: Store, what: Callable[[Session], Any],
                                                  error: type[Refused], words: str) -> None:
    with pytest.raises(error, match=words), store.write() as session:
        what(session)
    with store.read() as session:
        assert session.scalar(select(func.count()).select_from(Adjudication)) == 0


def test_who_answered_an_item_does_not_adjudicate_it(store: Store) -> None:
    with store.write() as session:
        people.set_roles(session, "ana-lovelace", add=["adjudicator"], by=small_project.owner_of(session))
        assert review.adjudication_queue(session, who(session, "ana-lovelace")) == ()
        with pytest.raises(NotAllowed, match="has answered this item"):
            decide(session, handle="ana-lovelace")


def test_sending_back_asks_one_more_person_and_then_the_majority_decides(store: Store) -> None:
    with store.write() as session:
        sent = review.send_back(session, item_of(session, "key-00"), by=who(session, "dr-curie"), reason="one more")
        assert review.adjudication_queue(session, who(session, "dr-curie")) == ()
        undone = undo.apply(session, sent.undo, person=who(session, "dr-curie"))
        assert undone.label and stage_of(session, "key-00", "adjudicate") == "open"
        sent = review.send_back(session, item_of(session, "key-00"), by=who(session, "dr-curie"), reason="one more")
        cem = who(session, "cem-hopper")
        task = tasks.next_task(session, cem)
        assert task is not None and task.key == "key-00"
        with pytest.raises(Refused, match="begun to answer"):
            undo.apply(session, sent.undo, person=who(session, "dr-curie"))
        tasks.submit(session, task.id, split("key-00", 0))
        assert verdict_of(session) == ("yes", "rule")


def test_whoever_opened_a_case_has_seen_others_answers(store: Store) -> None:
    with store.write() as session:
        eva, item = who(session, "dr-curie"), item_of(session, "key-00")
        assert not review.revealed(session, eva, item)
        review.open_case(session, item, person=eva)
        assert review.revealed(session, eva, item) and not review.revealed(session, eva, item_of(session, "key-01"))
        assert not review.revealed(session, who(session, "ana-lovelace"), item)


# --- signing ---------------------------------------------------------------------------------------

def sign(session: Session, key: str = "key-02", **more: Any) -> Any:
    return review.sign(session, item_of(session, key), by=who(session, "dr-eva"),
                       **{"name_entered": "eva marín", **more})


def test_a_signature_locks_exactly_what_was_shown(store: Store) -> None:
    with store.write() as session:
        item, eva = item_of(session, "key-02"), who(session, "dr-eva")
        assert "key-02" in {one.key for one in review.signing_queue(session, eva)}
        case = review.sign_case(session, item)
        assert case.shown_sha256 == sha256({"fields": dict(case.fields), "values": [
            [g.element or "", g.question, g.answer] for g in sorted(gold.gold(session, item=item),
                                                                    key=lambda g: (g.element or "", g.question))]})
        sign(session, shown_sha256=case.shown_sha256)
        assert all(g.signed for g in gold.gold(session, item=item)) and review.sign_case(session, item).signed
        assert stage_of(session, "key-02", "sign") == "done" and stage_of(session, "key-02", "annotate") == "locked"
        row = session.execute(select(SignOff.shown_sha256, SignOff.gold_sha256, SignOff.method)).one()
        assert (row.shown_sha256, row.gold_sha256, row.method) == (case.shown_sha256, case.gold_sha256, "name")
        assert gold.count_differing(session) == 0
        with pytest.raises(Refused, match="signed"):
            decide(session, key="key-02")


@pytest.mark.parametrize(("what", "error", "words"), [
    (lambda s: sign(s, name_entered="Eva"), Refused, "not your name"),
    (lambda s: sign(s, name_entered=" "), Refused, "not your name"),
    (lambda s: sign(s, "key-00"), Refused, "not ready"),
    (lambda s: sign(s, shown_sha256="0" * 64), Refused, "have changed"),
    (lambda s: review.sign(s, item_of(s, "key-02"), by=who(s, "dr-curie"), name_entered="Marie Curie"), NotAllowed,
     "may not do this"),
])
def test_what_is_no_signature_is_refused_in_words(store: Store, what: Callable[[Session], Any],
                                                   error: type[Refused], words: str) -> None:
    with pytest.raises(error, match=words), store.write() as session:
        what(session)


def test_a_signature_is_taken_back_by_a_new_row_and_can_be_given_again(store: Store) -> None:
    with store.write() as session:
        done = sign(session, name_entered="dr-eva")
        with pytest.raises(Refused, match="signed already"):
            sign(session)
        undo.apply(session, done.undo, person=who(session, "dr-eva"))
        assert not any(g.signed for g in gold.gold(session))
        assert stage_of(session, "key-02", "sign") == "open"
        with pytest.raises(Refused, match="does not stand"):
            undo.apply(session, done.undo, person=who(session, "dr-eva"))
        sign(session)
        review.unsign(session, item_of(session, "key-02"), by=who(session, "dr-eva"), reason="new guideline")
        assert [row.kind for row in session.execute(select(SignOff.kind).order_by(SignOff.id))] == [
            "sign", "unsign", "sign", "unsign"]
        assert trail.verify_chain(session).ok
