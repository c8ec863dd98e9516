"""Studies in the store, on both engines: what is added, who is given which list, who counts and who does not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from annotation import doctor, gold, judgements, people, status, tasks, undo
from annotation.done import Undo
from annotation.errors import NotAllowed, Refused, Unknown
from annotation.store.opening import open_store
from annotation.store.tables import Event as Line
from annotation.store.tables import Sitting
from studies import checking, keeping, participants, showing, sittings
from studies.plan import Plan
from studies.reading import StudyError
from tests import study_world as world
from tests.study_world import a_store, a_study, view  # noqa: F401 - fixtures


def counts(store, study):
    with store.read() as session:
        return sittings.counts(session, study)


# --- studies -------------------------------------------------------------------------------------

def test_a_study_is_kept_as_it_was_written_and_is_found_by_its_hash(store, study):
    with store.read() as session:
        assert sittings.load(session, study).text == world.STUDY
        assert sittings.load(session, study[:8]).hash == study
        (seen,) = sittings.studies(session)
        assert (seen.id, seen.version, seen.title, seen.wanted, seen.completed, seen.registered) == (
            "with-help", 1, "With and without help", 4, 0, False)
        with pytest.raises(Unknown, match="no study"):
            sittings.load(session, "0" * 64)
    before = store.content_sha256()
    assert world.add(store) == study and store.content_sha256() == before, "the same text again changes nothing"


def test_a_study_with_faults_or_of_another_protocol_is_not_added(store):
    before = store.content_sha256()
    with pytest.raises(StudyError) as fault:
        world.add(store, world.STUDY.replace("question: fits", "question: fit").replace("shows: [text]", "shows: [t]"))
    assert len(fault.value.faults) == 2, "all faults at once"
    with pytest.raises(StudyError, match="protocol"):
        world.add(store, world.STUDY.replace("protocol: puzzles", "protocol: others"))
    with pytest.raises(Unknown, match=r"no release '3\.0'"):
        world.add(store, release="3.0")
    assert store.content_sha256() == before


def test_only_who_has_the_right_adds_begins_ends_and_registers(store, study):
    opened = world.begin(store, study)
    with store.read() as session:
        ana, sitter = world.who(session, "ana"), participants.find(session, opened.participant)
    for person in (ana, sitter):
        for attempt in (lambda s, by: keeping.add(s, world.STUDY, by=by), lambda s, by: keeping.begin(s, study, by=by),
                        lambda s, by: keeping.end(s, opened.id, "aborted", by=by),
                        lambda s, by: keeping.withdraw(s, opened.participant, by=by, reason="x"),
                        lambda s, by: participants.make(s, by=by), lambda s, by: keeping.remove(s, study, by=by)):
            with pytest.raises(NotAllowed), store.write() as session:
                attempt(session, person)


def test_adding_a_study_is_taken_back_while_nobody_has_sat_for_it(store, study, place):
    with store.write() as session:
        done = keeping.add(session, world.STUDY.replace("version: 1\ntitle: With", "version: 2\ntitle: With"),
                           by=world.who(session))
        back = undo.apply(session, done.undo, person=world.who(session))
        assert [one.version for one in sittings.studies(session)] == [1]
        undo.apply(session, back.undo, person=world.who(session))
        assert sorted(one.version for one in sittings.studies(session)) == [1, 2]
    world.begin(store, done.value, pilot=True)
    with store.write() as session, pytest.raises(Refused, match="somebody has sat"):
        undo.apply(session, done.undo, person=world.who(session))


def test_each_operation_leaves_its_line_in_the_trail(store, study, place):
    opened = world.sit(store, study)
    with store.write() as session:
        keeping.withdraw(session, opened.participant, by=world.who(session), reason="changed her mind")
        lines = session.execute(select(Line.verb, Line.ids_json).order_by(Line.seq)).all()
    verbs = [line.verb for line in lines if "study" in line.verb or "sitting" in line.verb or "partic" in line.verb]
    assert verbs == ["study_add", "participant_add", "sitting_begin", "sitting_end", "sitting_end",
                     "participant_withdraw"]
    with store.read() as session:
        assert not doctor.doctor(store)["faults"] and not checking.faults(session)
        assert "mind" not in str([line.ids_json for line in lines]), "the trail holds no text"


# --- items ---------------------------------------------------------------------------------------

def test_items_bring_their_right_answer_and_nothing_else_that_is_private(store, study):
    with store.read() as session:
        found = sittings.items(session, sittings.load(session, study))
    assert [one.key for one in found] == [f"a{i:04d}" for i in range(8)] + ["try-1", "try-2"], "not what is left out"
    first = found[0]
    assert (first.correct, first.options, first.conditions) == ("yes", ("yes", "no"), ("bare", "helped"))
    assert first.facets == {"kind": "solid", "use": "main"}


def test_an_item_whose_right_answer_is_no_option_is_named(store, study):
    with store.write() as session:
        world.items.upsert(session, [world.CandidateItem(
            key="bad", fields={"text": "t", "kind": "flat", "use": "main"}, secret={"right": "perhaps"})],
            by=world.who(session))
    with store.read() as session, pytest.raises(Refused, match="'bad': the right answer is 'perhaps'"):
        sittings.items(session, sittings.load(session, study))


def test_items_that_change_after_the_first_sitting_would_make_the_lists_others(store, study):
    world.begin(store, study, pilot=True)
    with store.write() as session:
        world.add_items(session, ["new"], by=world.who(session))
    world.begin(store, study)
    with store.write() as session:
        world.add_items(session, ["newer"], by=world.who(session))
    with pytest.raises(Refused, match="have changed since the first sitting"):
        world.begin(store, study)


# --- sittings ------------------------------------------------------------------------------------

def test_lists_go_to_the_least_filled_and_a_broken_off_sitting_frees_its_place(store, study, place):
    first, second = world.sit(store, study), world.begin(store, study)
    assert [(one.plan.list_no, one.plan.number) for one in (first, second)] == [(0, 0), (1, 1)]
    world.end(store, second.id, "aborted", "felt  unwell")
    third = world.begin(store, study)
    assert (third.plan.list_no, third.plan.number) == (1, 1), "the place of the one who broke off"
    world.sit(store, study)  # list 1 again, of which nobody is sure yet
    fifth = world.begin(store, study)
    assert (fifth.plan.list_no, fifth.plan.number) == (0, 2)
    n = counts(store, study)
    assert (n.completed, n.open, n.aborted, n.by_list) == (2, 2, 1, {0: (1, 1), 1: (1, 1)})
    assert view(store, study, 1).reason == "felt unwell"


def test_places_are_given_again_so_that_everything_counterbalanced_stays_so(store, study):
    ended = [world.sit(store, study, state="excluded" if n in (1, 2) else "completed") for n in range(6)]
    kept = [one for n, one in enumerate(ended) if n not in (1, 2)]
    assert sorted(one.plan.number for one in kept) == [0, 1, 2, 3]


@pytest.mark.postgres
def test_machines_that_begin_at_once_on_a_server_are_given_different_places(postgres_url):
    url = postgres_url + "?schema=gold_p"
    with world.make(url) as store:
        study = world.add(store)

    def begin_two(_):
        with open_store(url) as store:
            return [world.begin(store, study) for _ in range(2)]

    with ThreadPoolExecutor(3) as pool:
        begun = [one for two in pool.map(begin_two, range(3)) for one in two]
    assert sorted(one.plan.number for one in begun) == list(range(6))
    assert len({one.participant for one in begun}) == 6


def test_a_pilot_takes_no_place_and_is_counted_apart(store, study):
    pilots = [world.sit(store, study, pilot=True) for _ in range(3)]
    assert [one.plan.list_no for one in pilots] == [0, 1, 0] and all(one.plan.pilot for one in pilots)
    assert world.begin(store, study).plan.number == 0
    n = counts(store, study)
    assert (n.pilots, n.completed, n.open) == (3, 0, 1)
    assert not view(store, study).in_results


def test_a_sitting_can_be_drawn_again_from_its_study_and_number(store, study):
    first = world.begin(store, study)
    world.end(store, first.id, "aborted")
    second = world.begin(store, study)
    assert second.plan == first.plan and second.participant != first.participant
    with store.read() as session:
        opened = sittings.open_sitting(session, first.id)
        assert opened.plan == first.plan and opened.state == "aborted" and opened.study.hash == study
        assert Plan.from_json(session.scalar(select(Sitting.plan_json).where(Sitting.id == first.id))) == first.plan


def test_a_language_that_the_study_does_not_have_is_refused(store, study):
    assert world.begin(store, study).plan.language == "en"
    assert world.begin(store, study, language="de").plan.language == "de"
    with pytest.raises(Unknown, match="not written in 'fr'; there is: en, de"):
        world.begin(store, study, language="fr")


def test_a_sitting_is_complete_only_when_all_was_shown(store, study):
    opened = world.begin(store, study)
    for seq, fact in enumerate(world.whole(opened)[:-4]):
        world.append(store, opened.id, seq, fact)
    with pytest.raises(Refused, match="2 planned trials have not been shown"):
        world.end(store, opened.id, "completed")
    seen = view(store, study)
    assert (seen.state, seen.done, seen.planned) == ("open", 6, 8)
    world.end(store, opened.id, "aborted", "no time")
    world.end(store, opened.id, "aborted", "no time")  # said again, since nobody heard the answer
    for state in ("completed", "open"):
        with pytest.raises(Refused, match="cannot become"):
            world.end(store, opened.id, state)


def test_the_end_of_a_sitting_is_taken_back_unless_its_place_is_gone(store, study):
    opened = world.sit(store, study)
    with store.write() as session:
        done = keeping.end(session, opened.id, "excluded", "looked away", by=world.who(session))
        again = undo.apply(session, done.undo, person=world.who(session))
    assert view(store, study).in_results
    with store.write() as session:
        undo.apply(session, again.undo, person=world.who(session))
    assert view(store, study).state == "excluded"
    world.begin(store, study)
    with store.write() as session, pytest.raises(Refused, match="place of this sitting was given"):
        undo.apply(session, done.undo, person=world.who(session))
    with store.read() as session:
        assert not checking.faults(session)


# --- participants --------------------------------------------------------------------------------

def test_participants_have_opaque_handles_that_are_never_given_twice(store, study, place):
    with store.write() as session:
        by = world.who(session)
        made = [participants.make(session, by=by), participants.make(session, by=by, handle="p007"),
                participants.make(session, by=by)]
        assert made == ["p001", "p007", "p008"]
        for taken in ("P007", "ana"):
            with pytest.raises(Refused, match="already"):
                participants.make(session, by=by, handle=taken)
        with pytest.raises(Refused, match="no handle"):
            participants.make(session, by=by, handle="Ana Lovelace")
        with pytest.raises(Refused, match="works in this project"):
            keeping.begin(session, study, participant="ana", by=by)
        with pytest.raises(Unknown, match="no person 'p099'"):
            keeping.begin(session, study, participant="p099", by=by)


def test_participants_disturb_nothing_else(store, study, place):
    with store.write() as session:
        ana = world.who(session, "ana")
        tasks.submit(session, tasks.next_task(session, ana).id, {"fits": {"v": "yes"}}, active_ms=900)
        before = _said(session)
    opened = world.sit(store, study)
    with store.read() as session:
        assert _said(session) == before
        sitter = participants.find(session, opened.participant)
        assert people.by_id(session, sitter).roles == () and people.stages(session, sitter) == ()
        with pytest.raises(NotAllowed, match="sits for studies"):
            people.acting(session, opened.participant)
        with pytest.raises(Unknown) as fault:
            people.find(session, "nobody")
        assert opened.participant not in str(fault.value)
    with store.write() as session:
        owner = world.who(session, "demo")
        with pytest.raises(Refused, match="cannot work here"):
            people.set_roles(session, opened.participant, add=["annotator"], by=owner)
        with pytest.raises(Refused, match="already"):
            people.add(session, opened.participant, by=owner)


def _said(session):
    """All that is told of people, work, agreement and gold."""
    said = status.status(session)
    said.pop("content_sha256")
    rows = judgements.judgements(session, "fits")
    return (said, people.people(session), people.vacant_roles(session), gold.count_missing(session),
            people.stages(session, world.who(session, "demo")), len(rows.ratings.unit))


def test_who_has_seen_a_study_does_not_count_in_it_again(store, study):
    opened = world.begin(store, study)
    with pytest.raises(Refused, match="not over"):
        world.begin(store, study, participant=opened.participant)
    world.end(store, opened.id, "aborted", "the fire alarm, before anything was shown")
    again = world.begin(store, study, participant=opened.participant)
    facts = world.whole(again)
    for seq, fact in enumerate(facts[:6 + 2]):
        world.append(store, again.id, seq, fact)
    world.end(store, again.id, "aborted")
    newer = world.add(store, world.STUDY.replace("version: 1", "version: 2"))
    for version in (study, newer):
        with pytest.raises(Refused, match="has seen trials"):
            world.begin(store, version, participant=opened.participant)
    assert world.begin(store, study, participant=opened.participant, pilot=True).plan.pilot


def test_a_participant_who_withdraws_is_in_no_result_and_the_counts_stay_true(store, study):
    opened = world.sit(store, study)
    rows = len(world.facts(store, opened.id))
    with store.write() as session:
        with pytest.raises(Refused, match="say why"):
            keeping.withdraw(session, opened.participant, by=world.who(session), reason=" ")
        done = keeping.withdraw(session, opened.participant, by=world.who(session), reason="asked to be left out")
    seen, n = view(store, study), counts(store, study)
    assert (seen.state, seen.in_results, seen.reason) == ("withdrawn", False, "asked to be left out")
    assert (n.completed, n.withdrawn, n.by_list[0]) == (0, 1, (0, 0))
    assert len(world.facts(store, opened.id)) == rows, "nothing people did is deleted"
    with pytest.raises(Unknown, match="does not take part any more"):
        world.begin(store, study, participant=opened.participant)
    assert world.begin(store, study).plan.number == 0
    with store.write() as session, pytest.raises(Refused, match="was given"):
        undo.apply(session, done.undo, person=world.who(session))


def test_two_texts_of_one_study_and_version_cannot_both_be_here(store, study):
    other = world.STUDY.replace("people: 4", "people: 5")
    with pytest.raises(Refused, match="another text of 'with-help' with version 1"):
        world.add(store, other)
    with store.write() as session:
        keeping.remove(session, study, by=world.who(session))
    newer = world.add(store, other)
    with pytest.raises(Refused, match="give one of them another version"), store.write() as session:
        undo.apply(session, Undo("add_study_again", (study,)), person=world.who(session))
    with store.read() as session:
        assert [view.hash for view in sittings.studies(session)] == [newer]


def test_who_broke_off_is_told_that_it_is_final_and_not_only_that_nothing_is_open(store, study):
    off = world.begin(store, study)
    world.end(store, off.id, "aborted")
    with store.read() as session, pytest.raises(Refused, match="was broken off, which is final"):
        showing.resume(session, study, participant=off.participant)
    with store.read() as session, pytest.raises(Refused, match="Nobody's sitting is open"):
        showing.resume(session, study)


def test_a_reason_is_kept_whole_or_not_at_all(store, study):
    opened = world.begin(store, study)
    with pytest.raises(Refused, match="the reason has 2001 characters, and at most 2000 can be kept"):
        world.end(store, opened.id, "excluded", "a" * 2001)
    assert view(store, study).state == "open"
    world.end(store, opened.id, "excluded", "a" * 2000)
    assert view(store, study).reason == "a" * 2000
