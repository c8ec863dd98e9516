"""Claims, drafts, submits, skips and taking back, on both engines."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta

import pytest
from sqlalchemy import select, update
from sqlalchemy import text as sql

from annotation import assign, doctor, notes, people, tasks, trail, undo
from annotation.done import Undo
from annotation.errors import AnswerError, NotAllowed, NotFinished, Refused, Unknown
from annotation.store.ids import new_id
from annotation.store.opening import open_store
from annotation.store.tables import AnswerRow, DraftRow, Revision, Skip, Task, Withdrawal
from annotation.store.types import now
from tests import worlds
from tests.worlds import answer, kept, say, take, who


@pytest.fixture
def store(place):
    with worlds.make(place) as made:
        yield made
        report = doctor.doctor(made)
        assert report["faults"] == []


def count(store, table) -> int:
    with store.read() as session:
        return len(session.execute(select(table)).all())


# --- claiming ------------------------------------------------------------------------------------

def test_people_get_the_items_in_order_each_once_and_no_more_than_k_people_an_item(store):
    got = {}
    for handle in ("ana", "ben", "cem"):
        got[handle] = []
        while (task := take(store, handle)) is not None:
            got[handle].append(task.key)
            with store.write() as session:
                tasks.submit(session, task.id, say("red"))
    assert got == {"ana": ["a0", "a1", "a2", "a3"], "ben": ["a0", "a1", "a2", "a3"], "cem": []}


def test_the_same_task_comes_again_until_it_is_answered_and_one_ahead_is_another(store):
    first = take(store, "ana")
    assert take(store, "ana").id == first.id
    with store.write() as session:
        ahead = tasks.next_task(session, who(session, "ana"), besides=first.id)
        again = tasks.next_task(session, who(session, "ana"), besides=first.id)
    assert (first.key, ahead.key) == ("a0", "a1") and again.id == ahead.id
    with store.write() as session:
        tasks.give_back(session, ahead.id)
    assert kept(store, "a1")["annotate"] == (2, 2, "open")
    assert count(store, Task) == 1


def test_looking_claims_nothing(store):
    task = take(store, "ana")
    before = store.content_sha256()
    with store.read() as session:
        view = tasks.open_task(session, task.id)
    assert (view.key, view.fields["text"], view.answers, view.standing, view.shown) == (
        "a0", "text of a0", {}, None, "nothing")
    assert store.content_sha256() == before


def test_a_lease_that_is_over_frees_the_slot_for_others_and_keeps_the_draft(store):
    task = take(store, "ana")
    with store.write() as session:
        tasks.save_draft(session, task.id, say("blue"))
        session.execute(update(Task).values(lease_until=now() - timedelta(seconds=1)))
    assert take(store, "ben").key == "a0"  # this swept ana's claim
    assert kept(store, "a0")["annotate"] == (2, 1, "open")
    again = take(store, "ana")
    assert (again.id, again.answers) == (task.id, say("blue"))


def test_a_draft_comes_back_only_while_there_is_a_place(store):
    task = take(store, "ana")
    with store.write() as session:
        tasks.save_draft(session, task.id, say("blue"))
        session.execute(update(Task).values(lease_until=now() - timedelta(seconds=1)))
    answer(store, "ben")
    answer(store, "cem")
    with pytest.raises(Refused, match="others have taken this place"), store.write() as session:
        tasks.save_draft(session, task.id, say("red"))
    assert take(store, "ana").key == "a1"
    with store.read() as session:
        assert session.execute(select(DraftRow.answers_json)).scalar_one() == say("blue")


def test_who_has_no_role_gets_no_task(store):
    with store.write() as session:
        people.set_roles(session, "cem", add=["researcher"], remove=["annotator"], by=who(session, "demo"))
    assert take(store, "cem") is None
    with pytest.raises(NotAllowed, match="may not work at the stage annotate"):
        take(store, "cem", "annotate")


def test_an_owner_alone_stands_in_for_the_roles_that_nobody_has(place):
    with worlds.make(place, roles={"eva": ["physician"]}) as store:
        assert take(store, "demo").key == "a0"
        with store.write() as session:
            people.add(session, "ana", roles=["annotator"], by=who(session, "demo"))
        assert take(store, "demo") is None and take(store, "ana").key == "a0"


# --- drafts and submits --------------------------------------------------------------------------

def test_a_draft_is_there_after_a_restart(place):
    with worlds.make(place) as store:
        task = take(store, "ana")
        with store.write() as session:
            tasks.save_draft(session, task.id, {"colour": {"v": "blue"}, "why": {"v": "schön"}})
    with open_store(place) as store:
        assert take(store, "ana").answers == {"colour": {"v": "blue"}, "why": {"v": "schön"}}


def test_a_submit_writes_revision_rows_progress_and_trail_together(store):
    done = answer(store, "ana", "blue")
    with store.read() as session:
        row = session.execute(select(Revision)).scalar_one()
        assert (row.id, row.shown, row.after_reveal, row.supersedes, row.active_ms) == (
            done.value, "nothing", False, None, 1000)
        assert row.device == store.device and len(row.answers_sha256) == 64
        cell = session.execute(select(AnswerRow)).scalar_one()
        assert (cell.question, cell.element, cell.value_text, cell.counts, cell.revision) == (
            "colour", "", "blue", True, done.value)
        assert tasks.progress(session, who(session, "ana"), "annotate") == (1, 4)
        assert [(w.stage, w.items) for w in tasks.waiting(session, who(session, "ana"))] == [("annotate", 3)]
        [mine] = tasks.mine(session, who(session, "ana"))
        assert (mine.key, mine.answers, mine.withdrawn) == ("a0", say("blue"), False)
        assert tasks.mine(session, who(session, "ana"), search="nothing like it") == ()
        assert session.execute(select(DraftRow)).first() is None
    assert done.undo == Undo("withdraw_submit", (done.value.hex,))


def test_a_submit_with_a_known_id_changes_nothing(store):
    task, made = take(store, "ana"), new_id()
    with store.write() as session:
        tasks.submit(session, task.id, say("red"), revision=made)
    before = store.content_sha256()
    with store.write() as session:
        assert tasks.submit(session, task.id, say("red"), revision=made).value == made
    assert store.content_sha256() == before
    other = take(store, "ana")
    with pytest.raises(Refused, match="belongs to another answer"), store.write() as session:
        tasks.submit(session, other.id, say("red"), revision=made)


@pytest.mark.parametrize(("answers", "fault"), [
    ({}, NotFinished), ({"colour": {"v": "green"}}, AnswerError), ({"shape": {"v": "round"}}, AnswerError)])
def test_answers_that_do_not_fit_are_refused_whole(store, answers, fault):
    task = take(store, "ana")
    before = store.content_sha256()
    with pytest.raises(fault), store.write() as session:
        tasks.submit(session, task.id, answers)
    assert store.content_sha256() == before


def test_answers_to_questions_that_are_not_shown_are_dropped(store):
    task = take(store, "ana")
    with store.write() as session:
        tasks.submit(session, task.id, {**say("red"), "why": {"v": "left over"}})
    with store.read() as session:
        assert session.execute(select(Revision.answers_json)).scalar_one() == say("red")


def test_a_changed_answer_supersedes_and_the_old_one_stays(store):
    first = answer(store, "ana", "red")
    with store.write() as session:
        view = tasks.reopen(session, first.value, person=who(session, "ana"))
        assert (view.answers, view.revision) == (say("red"), first.value)
        second = tasks.submit(session, view.id, say("blue"))
    with store.read() as session:
        rows = session.execute(select(Revision.id, Revision.supersedes).order_by(Revision.id)).all()
        assert rows == [(first.value, None), (second.value, first.value)]
        assert session.execute(select(AnswerRow.value_text)).scalars().all() == ["blue"]
        assert [m.revision for m in tasks.mine(session, who(session, "ana"))] == [second.value]
    with pytest.raises(NotAllowed), store.write() as session:
        tasks.reopen(session, second.value, person=who(session, "ben"))


def test_a_change_after_the_agreement_was_shown_counts_no_more(store):
    first = answer(store, "ana", "red")
    with store.write() as session:
        trail.reveal(session, who(session, "ana"))
        tasks.submit(session, tasks.reopen(session, first.value, person=who(session, "ana")).id, say("blue"))
    answer(store, "ana", "red")  # a first answer to another item is still independent
    with store.read() as session:
        rows = session.execute(select(Revision.after_reveal, AnswerRow.counts).join(
            AnswerRow, AnswerRow.revision == Revision.id).order_by(Revision.id)).all()
    assert rows == [(True, False), (False, True)]


# --- skips ---------------------------------------------------------------------------------------

def test_a_skip_frees_the_place_and_the_item_does_not_come_back_to_that_person(store):
    task = take(store, "ana")
    with store.write() as session:
        done = tasks.skip(session, task.id, reason="not_my_field")
    assert kept(store, "a0")["annotate"] == (2, 2, "open")
    assert take(store, "ana").key == "a1"
    with store.read() as session:
        [view] = [p for p in people.people(session) if p.handle == "ana"]
        assert (view.submitted, view.skipped) == (0, 1)
    with store.write() as session:
        undo.apply(session, done.undo, person=who(session, "ana"))
    assert {take(store, "ana").key for _ in range(2)} <= {"a0", "a1"}
    assert kept(store, "a0")["annotate"] == (2, 1, "open")


def test_a_skip_needs_one_of_the_protocols_reasons(store):
    task = take(store, "ana")
    with pytest.raises(Unknown, match="not_my_field"), store.write() as session:
        tasks.skip(session, task.id, reason="bored")
    assert count(store, Skip) == 0


def test_an_item_that_reopens_behind_somebody_comes_to_him_next(store):
    first = answer(store, "ana")
    answer(store, "ben")
    answer(store, "cem")  # a0 was full, so this is a1
    assert take(store, "cem").key == "a2"
    with store.write() as session:
        tasks.withdraw(session, first.value, person=who(session, "ana"), reason="wrong glasses")
        tasks.give_back(session, tasks.next_task(session, who(session, "cem")).id)
    assert take(store, "cem").key == "a0"
    assert take(store, "ana").key == "a1"  # who withdrew is not asked again


# --- taking back ---------------------------------------------------------------------------------

def test_undoing_a_submit_gives_the_draft_back_even_after_a_restart(place):
    with worlds.make(place) as store:
        done = answer(store, "ana", "blue")
    with open_store(place) as store:
        with store.write() as session:
            back = undo.apply(session, done.undo, person=who(session, "ana"))
        task = take(store, "ana")
        assert (task.key, task.answers, task.revision) == ("a0", say("blue"), None)
        assert count(store, AnswerRow) == 0 and count(store, Withdrawal) == 1 and count(store, Revision) == 1
        with store.write() as session:
            undo.apply(session, back.undo, person=who(session, "ana"))
        assert count(store, AnswerRow) == 1
        assert doctor.doctor(store)["faults"] == []


def test_undoing_a_change_lets_the_answer_before_stand_again(store):
    first = answer(store, "ana", "red")
    with store.write() as session:
        ana = who(session, "ana")
        done = tasks.submit(session, tasks.reopen(session, first.value, person=ana).id, say("blue"))
        with pytest.raises(Refused, match="take the change back first"):
            undo.apply(session, first.undo, person=ana)
        undo.apply(session, done.undo, person=ana)
        assert session.execute(select(AnswerRow.value_text, AnswerRow.revision)).all() == [("red", first.value)]
        assert tasks.reopen(session, first.value, person=ana).answers == say("blue")  # as a draft


def test_an_undo_is_refused_for_others_and_twice(store):
    done = answer(store, "ana")
    with pytest.raises(NotAllowed), store.write() as session:
        undo.apply(session, done.undo, person=who(session, "ben"))
    with store.write() as session:
        undo.apply(session, done.undo, person=who(session, "ana"))
    with pytest.raises(Refused, match="withdrawn already"), store.write() as session:
        undo.apply(session, done.undo, person=who(session, "ana"))


def test_an_undo_is_refused_once_somebody_verified(place):
    flow = "stages: [annotate, verify], people_per_item: 1, verify: {shows: nothing}"
    with worlds.make(place, worlds.text(flow), roles={"ana": ["annotator"], "vera": ["verifier"]}) as store:
        done = answer(store, "ana")
        answer(store, "vera")
        with pytest.raises(Refused, match="verified since"), store.write() as session:
            undo.apply(session, done.undo, person=who(session, "ana"))


def test_withdrawing_can_be_undone_and_belongs_to_the_answerer_or_a_keeper(store):
    done = answer(store, "ana", "blue")
    with pytest.raises(NotAllowed), store.write() as session:
        tasks.withdraw(session, done.value, person=who(session, "ben"))
    with store.write() as session:
        gone = tasks.withdraw(session, done.value, person=who(session, "demo"), reason="test run")
        assert tasks.mine(session, who(session, "ana"))[0].withdrawn
    assert count(store, AnswerRow) == 0
    with store.write() as session:
        undo.apply(session, gone.undo, person=who(session, "demo"))
        assert session.execute(select(AnswerRow.value_text)).scalars().all() == ["blue"]


def test_an_unknown_undo_is_answered_with_the_nearest(store):
    with pytest.raises(Unknown, match="withdraw_submit"), store.write() as session:
        undo.apply(session, Undo("withdraw_submits", ()), person=who(session, "ana"))


# --- assignments ---------------------------------------------------------------------------------

def test_assigned_items_come_first_and_reserved_ones_come_to_nobody_else(store):
    with store.write() as session:
        demo, ana, ben = who(session, "demo"), who(session, "ana"), who(session, "ben")
        items = assign.find_keys(session, ["a3", "a2"])
        made = assign.assign(session, items[:1], to=[ana], by=demo).value
        assert (made.assigned, made.already, made.people) == (1, 0, {"ana": 1})
        assert assign.assign(session, items[:1], to=[ana], by=demo).value.already == 1
        only = assign.assign(session, items[1:], to=[ben], by=demo, only=True)
    keys = [worlds.take(store, "ana").key]
    answer(store, "ana")
    for _ in range(2):
        keys.append(take(store, "ana").key)
        answer(store, "ana")
    assert keys == ["a3", "a0", "a1"] and take(store, "ana") is None
    assert take(store, "ben").key == "a2"
    with store.write() as session:
        undo.apply(session, only.undo, person=who(session, "demo"))
    assert take(store, "ana").key == "a2"


def test_assigning_is_for_those_who_may_and_to_those_who_can(store):
    with store.write() as session:
        demo, ana = who(session, "demo"), who(session, "ana")
        with pytest.raises(NotAllowed):
            assign.assign(session, None, to=[ana], by=ana)
        with pytest.raises(Refused, match="give the role first"):
            assign.assign(session, None, to=[demo], by=demo)
        with pytest.raises(Unknown, match="no item 'zz'"):
            assign.find_keys(session, ["a0", "zz"])
        assert assign.assign(session, None, to=[ana], by=demo).value.assigned == 4
        gone = assign.cancel(session, None, to=[ana], by=demo)
        assert gone.value.people == {"ana": 4} and assign.load(session) == {}
        undo.apply(session, gone.undo, person=demo)
        assert assign.load(session) == {ana: 4}


# --- verify --------------------------------------------------------------------------------------

def test_a_blind_verifier_sees_nothing_and_has_not_answered_the_item(place):
    flow = "stages: [annotate, verify], people_per_item: 1, verify: {shows: nothing}"
    roles = {"ana": ["annotator", "verifier"], "vera": ["verifier"]}
    with worlds.make(place, worlds.text(flow), n=1, roles=roles) as store:
        answer(store, "ana", "red", stage="annotate")
        assert take(store, "ana", "verify") is None
        task = take(store, "vera")
        assert (task.stage, task.standing, task.shown) == ("verify", None, "nothing")
        answer(store, "vera", "blue")
        with store.read() as session:
            assert session.execute(select(AnswerRow.stage, AnswerRow.counts).order_by(AnswerRow.stage)).all() == [
                ("annotate", True), ("verify", True)]
        assert doctor.doctor(store)["faults"] == []


def test_a_verifier_who_is_shown_the_standing_value_leaves_a_basis_and_does_not_count(place):
    flow = "stages: [annotate, verify], people_per_item: 1, verify: {shows: standing}"
    roles = {"ana": ["annotator"], "vera": ["verifier"]}
    with worlds.make(place, worlds.text(flow), n=1, roles=roles) as store:
        first = answer(store, "ana", "red")
        task = take(store, "vera")
        assert (task.standing, task.shown) == (say("red"), "standing")
        answer(store, "vera", "blue")
        with store.read() as session:
            row = session.execute(select(Revision).where(Revision.stage == "verify")).scalar_one()
            assert (row.shown, row.basis_json) == ("standing", [first.value.hex])
            assert not session.execute(select(AnswerRow.counts).where(AnswerRow.stage == "verify")).scalar_one()
        assert doctor.doctor(store)["faults"] == []


def test_only_flagged_items_are_verified_where_the_protocol_says_so(place):
    flow = "stages: [annotate, verify], people_per_item: 1, verify: {only: flagged}"
    with worlds.make(place, worlds.text(flow), n=2, roles={"ana": ["annotator"], "vera": ["verifier"]}) as store:
        answer(store, "ana")
        answer(store, "ana")
        assert take(store, "vera") is None
        with store.write() as session:
            done = notes.flag(session, worlds.item(session, "a1"), person=who(session, "ana"), text="odd")
        assert take(store, "vera").key == "a1"
        with store.write() as session:
            tasks.give_back(session, tasks.next_task(session, who(session, "vera")).id)
            undo.apply(session, done.undo, person=who(session, "ana"))
        assert take(store, "vera") is None
        assert doctor.doctor(store)["faults"] == []


# --- two programs at once ------------------------------------------------------------------------

CLAIMER = """
import sys
from annotation import people, tasks
from annotation.store.opening import open_store
store = open_store(sys.argv[1])
got = []
with store.read() as session:
    me = people.find(session, sys.argv[2]).id
while True:
    with store.write() as session:
        task = tasks.next_task(session, me)
        if task is None:
            break
        tasks.submit(session, task.id, {"colour": {"v": "red"}})
    got.append(task.key)
print(*got)
"""


def test_three_programs_on_a_server_never_share_a_place(postgres_url):
    url = postgres_url + "?schema=gold_p"
    with worlds.make(url, n=12) as store:
        running = [subprocess.Popen([sys.executable, "-c", CLAIMER, url, handle], stdout=subprocess.PIPE, text=True)
                   for handle in ("ana", "ben", "cem")]
        got = [program.communicate(timeout=120)[0].split() for program in running]
        assert [program.returncode for program in running] == [0, 0, 0]
        assert sorted(key for keys in got for key in keys) == sorted(f"a{i}" for i in range(12) for _ in range(2))
        report = doctor.doctor(store)
        assert report["faults"] == []
        with store.read() as session:
            assert session.execute(sql("SELECT count(*) FROM item_stage WHERE state = 'done'")).scalar() == 12
