"""Facts of sittings: each is kept once, in its order, on disk when it is acknowledged, and guarded from then on."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import psycopg
import pytest
from sqlalchemy import event, func, select, text

from annotation import gold, judgements
from annotation.errors import Refused, Unknown
from annotation.store import opening, triggers
from annotation.store.backup import back_up
from annotation.store.content import hashed_tables
from annotation.store.tables import SittingEvent, Trial
from studies import checking, fact_rows, keeping, registering, sittings
from studies.facts import Event, TrialRecord
from tests import study_world as world
from tests.study_world import a_store, a_study, view  # noqa: F401 - fixtures

TABLES = {"study_version", "sitting", "trial", "sitting_event"}


def test_facts_come_back_as_they_were_in_their_order(store, study, place):
    opened = world.begin(store, study)
    said = world.whole(opened)
    said[3:3] = [world.trial(opened, 0, 0, outcome="timeout", response=None, rt_us=None, rt_receipt_us=None),
                 Event("focus_lost", 22, {"block": 0}), Event("practice_again", 23)]
    said[6] = world.trial(opened, 0, 0, attempt=2, quality={"flags": ["focus_lost"], "screens_us": [5, 6],
                                                           "confidence": 3, "note": "Ünïcode ✓"})
    for seq, fact in enumerate(said):
        world.append(store, opened.id, seq, fact)
    assert list(world.facts(store, opened.id)) == said
    assert view(store, study).flags == ("focus_lost",)


def test_the_same_fact_may_come_again_and_another_under_its_number_is_refused(store, study, place):
    opened = world.begin(store, study)
    said = world.whole(opened)
    for seq, fact in enumerate(said[:6]):
        world.append(store, opened.id, seq, fact)
    before = store.content_sha256()
    for seq, fact in enumerate(said[:6]):
        world.append(store, opened.id, seq, fact)
    assert store.content_sha256() == before
    trial = said[3]
    for seq, other in ((0, Event("started", 1)), (0, trial), (3, replace(trial, rt_us=1)),
                       (3, replace(trial, attempt=2)), (3, replace(trial, quality={})), (3, Event("consent", 10)),
                       (1, Event("consent", 11))):
        with pytest.raises(Refused, match=f"something else was kept as number {seq}"):
            world.append(store, opened.id, seq, other)
    with pytest.raises(Refused, match="number 7 of this sitting does not follow"):
        world.append(store, opened.id, 7, said[7])
    with pytest.raises(Refused, match="showing 1 of this trial"):
        world.append(store, opened.id, 6, trial)
    with pytest.raises(Refused, match="no trial 99 in block 1"):
        world.append(store, opened.id, 6, replace(trial, block=1, position=99))
    with store.write() as session, pytest.raises(Unknown, match="no sitting"):
        keeping.append(session, fact_rows.trial_id(opened.id, 0), 0, said[0])
    assert store.content_sha256() == before


@pytest.mark.parametrize("bad", [
    Event("gone_fishing", 1), TrialRecord(0, 0, 1, "gone"), TrialRecord(0, 0, 0, "timeout"),
    TrialRecord(0, 0, 1, "answered", "yes", 1, -1, 5), TrialRecord(0, 0, 1, "answered"),
    TrialRecord(0, 0, 1, "answered", "perhaps", 1, 1, 1), TrialRecord(-1, 0, 1, "timeout"),
    Event("debrief", 1, {"comment": "a" * 2001}), Event("demographics", 1, {"hobby": "a" * 2001})])
def test_a_fact_that_no_sitting_can_hold_is_a_fault_of_the_program(store, study, bad):
    opened = world.begin(store, study)
    with pytest.raises(ValueError):
        world.append(store, opened.id, 0, bad)
    assert not world.facts(store, opened.id)


def test_after_the_end_nothing_is_added_but_what_was_kept_may_come_again(store, study):
    opened = world.sit(store, study)
    said = world.whole(opened)
    world.append(store, opened.id, len(said) - 1, said[-1])
    with pytest.raises(Refused, match="has ended"):
        world.append(store, opened.id, len(said), Event("note", 50))


@pytest.mark.parametrize("n", [100, pytest.param(2000, marks=pytest.mark.slow)])
def test_trials_with_a_commit_each_are_on_disk_when_they_are_acknowledged(tmp_path, n):
    """psychopy#1562, #890, PR#7437: data that is only written at the end, or lost on the way."""
    with world.make(tmp_path / "P.goldsmith", n=n) as store:
        opened = world.begin(store, world.add(store, world.STUDY.replace("strata: [kind]\n", "")))
        positions = range(len(opened.plan.blocks[1].trials))
        synced = []
        event.listen(store._writing, "commit", synced.append)
        said = [world.trial(opened, 1, position) for position in positions]
        for seq, fact in enumerate(said):
            world.append(store, opened.id, seq, fact)
            if seq % 9 == 0:
                assert _rows_seen_from_outside(store, opened.id) == seq + 1
        assert len(said) == len(synced) == n
        with store.read() as session:
            assert session.execute(text("PRAGMA synchronous")).scalar_one() == 2, "FULL: a commit waits for the drive"
            assert session.scalar(select(func.count(Trial.id.distinct()))) == n
        with opening.open_store(tmp_path / "P.goldsmith", read_only=True) as other:
            assert list(world.facts(other, opened.id)) == said


@pytest.mark.postgres
def test_what_is_acknowledged_is_seen_by_every_other_connection_to_the_server(postgres_url):
    with world.make(postgres_url + "?schema=gold_p") as store:
        opened = world.begin(store, world.add(store))
        for seq, fact in enumerate(world.whole(opened)):
            world.append(store, opened.id, seq, fact)
            with psycopg.connect(postgres_url.replace("+psycopg", "")) as other:
                count = "SELECT (SELECT count(*) FROM gold_p.trial) + (SELECT count(*) FROM gold_p.sitting_event)"
                assert other.execute(count).fetchone() == (seq + 1,)


def _rows_seen_from_outside(store, sitting):
    connection = sqlite3.connect(f"file:{store.folder / 'project.db'}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT count(*) FROM trial WHERE sitting = ?", (sitting.bytes,)).fetchone()[0]
    finally:
        connection.close()


# --- what guards them ----------------------------------------------------------------------------

def test_trials_events_and_studies_cannot_be_changed_and_are_in_the_content_hash(store, study, place):
    world.sit(store, study)
    before = store.content_sha256()
    assert {table.name for table in hashed_tables()} >= TABLES
    assert set(triggers.append_only()) & TABLES == TABLES - {"sitting"}
    for statement in ("UPDATE trial SET rt_us = 1", "DELETE FROM trial", "DELETE FROM sitting_event",
                      "UPDATE sitting_event SET kind = 'note'", "UPDATE study_version SET text = ''"):
        with pytest.raises(Exception, match="append-only"), store.write() as session:
            session.execute(text(statement))
    assert store.content_sha256() == before
    with store.write() as session:
        session.execute(text("UPDATE sitting SET state = 'aborted'"))
    assert store.content_sha256() != before


def test_a_backup_holds_the_sittings(tmp_path):
    with world.make(tmp_path / "P.goldsmith") as store:
        opened = world.sit(store, world.add(store))
        back_up(store, tmp_path / "copy.db")
        said = world.facts(store, opened.id)
        hash = store.content_sha256()
    (tmp_path / "Q.goldsmith" / "media").mkdir(parents=True)
    (tmp_path / "copy.db").rename(tmp_path / "Q.goldsmith" / "project.db")
    with opening.open_store(tmp_path / "Q.goldsmith", read_only=True) as copy:
        assert world.facts(copy, opened.id) == said and copy.content_sha256() == hash


TAMPERED = {
    "is not in its plan": "UPDATE trial SET position = 99 WHERE position = 0 AND block = 1",
    "two rows for showing 1": "UPDATE trial SET position = 1 WHERE position = 0 AND block = 1",
    "another item or condition": "UPDATE trial SET condition = 'other' WHERE position = 0 AND block = 1",
    "have a gap": "DELETE FROM sitting_event WHERE seq = 2",
    "not what it was when it ended": "UPDATE trial SET rt_us = 7 WHERE position = 3",
    "and the trail says completed": "UPDATE sitting SET state = 'excluded'",
    "not the one that it began with": "UPDATE sitting SET plan_json = replace(plan_json, 'bare', 'helped')",
    "of study": "UPDATE meta SET value = replace(value, 'bare', 'helped') WHERE key LIKE 'study.registered.%'",
}


@pytest.mark.parametrize("what", TAMPERED)
def test_doctor_sees_what_somebody_changed_behind_the_programs_back(tmp_path, what):
    with world.make(tmp_path / "P.goldsmith") as store:
        study = world.add(store)
        with store.write() as session:
            registering.register(session, study, by=world.who(session))
        world.sit(store, study)
        with store.read() as session:
            assert checking.faults(session) == []
        with store.write() as session:
            for trigger in ("keep_trial_update", "keep_sitting_event_delete"):
                session.execute(text(f"DROP TRIGGER {trigger}"))
            session.execute(text(TAMPERED[what]))
        with store.read() as session:
            found = checking.faults(session)
        assert any(what in fault["message"] for fault in found) and {fault["code"] for fault in found} == {"study"}


def test_study_answers_are_trials_and_never_gold(store, study):
    world.sit(store, study)
    with store.read() as session:
        assert session.scalar(select(func.count()).select_from(Trial)) == 10
        assert session.scalar(select(func.count()).select_from(SittingEvent)) == 6
        assert gold.gold(session) == () and len(judgements.judgements(session, "fits").ratings.unit) == 0


# --- cases from the field ------------------------------------------------------------------------

def test_a_second_sitting_of_a_participant_never_overwrites_the_first(store, study):
    """psychopy PR#6916, #2348, psiTurk PR#51: files of one name overwritten, or appended to, by the next visit."""
    first = world.sit(store, study, pilot=True)
    said = world.facts(store, first.id)
    world.sit(store, study, pilot=True, participant=first.participant)
    assert world.facts(store, first.id) == said


def test_a_repeated_block_keeps_every_showing(store, study):
    """psychopy#114: an inner loop that runs again overwrites its own data."""
    opened = world.begin(store, study)
    showings = [world.trial(opened, 0, 0, attempt=n, rt_us=n) for n in (1, 2, 3)]
    for seq, fact in enumerate(showings):
        world.append(store, opened.id, seq, fact)
    assert list(world.facts(store, opened.id)) == showings


def test_what_is_first_said_late_in_a_sitting_is_kept(store, study):
    """OpenSesame#325: a variable that is set after the header was written never reaches the file."""
    opened = world.begin(store, study)
    world.append(store, opened.id, 0, world.trial(opened, 0, 0, quality={"flags": []}))
    world.append(store, opened.id, 1, world.trial(opened, 0, 1, quality={"flags": [], "confidence": 4}))
    assert world.facts(store, opened.id)[1].quality["confidence"] == 4


def test_a_trial_without_answer_still_knows_its_item_condition_and_right_answer(store, study):
    """FrACT10#35: trials that ran out of time stored null in place of the true alternative."""
    opened = world.begin(store, study)
    late = world.trial(opened, 1, 0, outcome="timeout", response=None, rt_us=None, rt_receipt_us=None)
    world.append(store, opened.id, 0, late)
    planned = opened.plan.trial(1, 0)
    with store.read() as session:
        row = session.execute(select(Trial)).scalar_one()
        assert (row.item_version.hex, row.condition) == (planned.version, planned.condition)
        assert row.order_json == {"options": list(planned.options), "keys": list(planned.keys)}
        assert sittings.open_sitting(session, opened.id).plan.trial(1, 0).correct == planned.correct is not None
        assert (row.response_json, row.rt_us, row.outcome) == (None, None, "timeout")


def test_a_sitting_that_the_machine_ended_is_never_told_as_a_success(store, study):
    """OpenSesame#480: a hard crash was reported as success."""
    opened = world.begin(store, study)
    for seq, fact in enumerate(world.whole(opened)[:7]):
        world.append(store, opened.id, seq, fact)
    assert (view(store, study).state, view(store, study).in_results) == ("open", False)
    assert not view(store, study).in_results


def test_a_word_with_quotes_commas_and_line_ends_is_kept_as_it_was_said(store, study):
    """psychopy#7718, psychojs#28: a comment with a comma or a quote shifts every column after it."""
    opened = world.begin(store, study)
    said = Event("debrief", 5, {"comment": 'He said "yes, no"\nnew\tline; ,,', "wrong": ""})
    world.append(store, opened.id, 0, said)
    assert world.facts(store, opened.id) == (said,)
