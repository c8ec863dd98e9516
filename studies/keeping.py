"""Keeping: studies are added, sittings begun and ended, and every fact of a sitting is kept once and for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from annotation import canonical, people, trail, undo
from annotation.canonical import check_text
from annotation.done import Done, Undo
from annotation.errors import N_, Refused, Unknown
from annotation.store.ids import new_id
from annotation.store.tables import Meta, Person, Sitting, StudyVersion
from annotation.store.types import now
from studies import fact_rows, participants, places, sittings
from studies.design import design, plan_for
from studies.facts import Fact, TrialRecord
from studies.model import Study
from studies.model_parts import FREE_TEXT
from studies.picking import find_release, items, pool_sha256
from studies.project_fit import project_faults
from studies.reading import StudyError, fault_at, read_study
from studies.sittings import HELD, REMOVED, STATES, OpenSitting

TOUCHED = frozenset({"studies"})
# What a sitting may become. What was withdrawn or excluded is out of the results for good, but for an undo.
NEXT = {"open": frozenset(STATES) - {"open"}, "completed": frozenset({"withdrawn", "excluded"}),
         "aborted": frozenset({"withdrawn", "excluded"}), "excluded": frozenset({"withdrawn"}),
         "withdrawn": frozenset()}


def add(session: Session, text: str, *, by: UUID, release: str | None = None, file: str = "study.yaml") -> Done:
    """Keep a study; ``Done.value`` is its hash. Its items come from ``release``, else from what its file says.

    Adding the same text again changes nothing. Raises StudyError with all faults of the text and of what does not
    fit the project (protocol, release, gold), each with ``file``; Unknown for a ``release`` that is not there.
    """
    people.require_right(session, by, "study")
    study = read_study(text, file=file)
    try:
        kept = find_release(session, release or study.items.release)
    except Unknown as error:
        if release:
            raise
        raise fault_at(study, ("items", "release"), str(error), file=file) from None
    if faults := project_faults(session, study, kept, file=file):
        raise StudyError(faults)
    there = session.execute(select(StudyVersion.release).where(StudyVersion.hash == study.hash)).first()
    removed = session.scalar(select(Meta.value).where(Meta.key == REMOVED + study.hash)) is not None
    if there is not None and there.release != kept:
        raise Refused(N_("this study is here already, with other items; give the new one another version"),
                      code="exists")
    if there is not None and not removed:
        return Done("Add study", TOUCHED, None, study.hash)
    _check_name_free(session, study)
    if there is None:
        session.execute(insert(StudyVersion).values(hash=study.hash, text=study.text, release=kept, at=now()))
    session.execute(delete(Meta).where(Meta.key == REMOVED + study.hash))
    trail.record(session, "study_add", person=by, ids={"study": study.hash, "release": kept})
    return Done("Add study", TOUCHED, Undo("remove_study", (study.hash,)), study.hash)


def _check_name_free(session: Session, study: Study) -> None:
    """Refused where another text has this id and version: exports and people could not tell them apart by name."""
    if any((view.id, view.version) == (study.id, study.version) for view in sittings.studies(session)):
        raise Refused(N_("there is another text of '{id}' with version {version} here; give one of them "
                         "another version"), code="exists", id=study.id, version=study.version)


def remove(session: Session, study_hash: str, *, by: UUID) -> Done:
    """Take a study out of the list that nobody has sat for; Refused where somebody has, pilots included."""
    people.require_right(session, by, "study")
    study = sittings.load(session, study_hash)
    if session.execute(select(Sitting.id).where(Sitting.study == study.hash).limit(1)).first() is not None:
        raise Refused(N_("somebody has sat for '{title}', so it stays"), code="built_on", title=study.title)
    if session.scalar(select(Meta.value).where(Meta.key == sittings.REGISTERED + study.hash)) is not None:
        raise Refused(N_("'{title}' is registered, so it stays"), code="built_on", title=study.title)
    session.execute(delete(Meta).where(Meta.key == REMOVED + study.hash))
    session.execute(insert(Meta).values(key=REMOVED + study.hash, value=by.hex))
    trail.record(session, "study_remove", person=by, ids={"study": study.hash})
    return Done("Remove study", TOUCHED, Undo("add_study_again", (study.hash,)), study.hash)


def begin(session: Session, study_hash: str, *, participant: str | None = None, by: UUID, pilot: bool = False,
          language: str = "") -> Done:
    """Begin a sitting: a list is given, the plan drawn and kept. ``Done.value`` is an OpenSitting.

    ``participant``: a handle of ``participants.make`` (None: a new one). The list is the one that fewest people have
    completed or are sitting for; what else is counterbalanced goes by the first free number of that list, so that
    somebody who broke off leaves no hole. Pilots take no place. Refused where this person has seen the study.
    """
    people.require_right(session, by, "study")
    study = sittings.load(session, study_hash)
    places.lock(session, study)
    language = language or next(iter(study.languages))
    if language not in study.languages:
        raise Unknown(N_("this study is not written in '{language}'; there is: {known}"), language=language,
                      known=", ".join(study.languages))
    handle = participants.make(session, by=by) if participant is None else participant
    person = participants.find(session, handle)
    places.check_not_seen(session, study, person, handle, pilot=pilot)
    pool = items(session, study)
    pool_hash = pool_sha256(pool)
    before = places.begun(session, study)
    if not pilot and any(one.pool_sha256 != pool_hash for one in before if not one.pilot):
        raise Refused(N_("the items of this study have changed since the first sitting; add it as a new version, "
                         "best of a release"), code="stale")
    made = design(study, pool, places.generator(session, study, before))
    list_no, number = places.next_place(before, len(made.lists), pilot=pilot)
    seed = places.seed_of(study, number, pilot=pilot)
    plan = plan_for(study, made, list_no=list_no, number=number, seed=seed, pilot=pilot, language=language)
    sitting, drawn = new_id(), plan.to_json()
    main = [n for n, block in enumerate(plan.blocks) if block.kind == "main"]
    session.execute(insert(Sitting).values(
        id=sitting, study=study.hash, participant=person, list_no=list_no, seed=seed, plan_json=drawn, state="open",
        at=now(), checks_json={
            "by": by.hex, "number": number, "pilot": pilot, "language": language, "pool_sha256": pool_hash,
            "design": made.generator,
            "main_blocks": main, "planned": sum(len(plan.blocks[n].trials) for n in main), "ends": []}))
    trail.record(session, "sitting_begin", person=by, payload=drawn,
                 ids={"sitting": sitting, "study": study.hash, "participant": person})
    return Done("Begin sitting", TOUCHED, None, OpenSitting(sitting, plan, study, handle))


def append(session: Session, sitting_id: UUID, seq: int, fact: Fact) -> None:
    """Keep one fact. ``seq`` is the number of facts before it: 0 for the first, then ``len(sittings.facts(..))``.

    The same fact under the same number may come again (its acknowledgement was lost); another one is refused, and
    so is a number that leaves a gap, a second trial of one place and attempt, and anything after the end. ValueError
    for a fact that no sitting can hold.
    """
    said = fact_rows.checked(fact)
    state = _locked_state(session, sitting_id)
    kept = fact_rows.kept_at(session, sitting_id, seq - 1, seq)
    if seq in kept:
        if canonical.dumps(kept[seq]) != canonical.dumps(said):
            raise Refused(N_("something else was kept as number {seq} of this sitting"), code="exists", seq=seq)
        return
    if state != "open":
        raise Refused(N_("this sitting has ended ({state})"), code="ended", state=state)
    if seq != 0 and seq - 1 not in kept:
        raise Refused(N_("number {seq} of this sitting does not follow on what was kept before"), code="gap", seq=seq)
    fact_rows.write(session, sitting_id, seq, fact)


def end(session: Session, sitting_id: UUID, state: str, reason: str = "", *, by: UUID | None = None) -> Done:
    """The sitting is over: completed, aborted, withdrawn or excluded. ``by`` None: whoever began it.

    Only a completed one keeps its place in its list. Completed is refused while a planned trial has not been shown.
    The trail keeps the hash of all that was kept of it, so that nothing can be changed unseen.
    """
    return _end(session, sitting_id, state, reason, by=by, deed=by is not None)


def _end(session: Session, sitting_id: UUID, state: str, reason: str, *, by: UUID | None, deed: bool) -> Done:
    """``deed``: somebody ended this one sitting, which a restart remembers; it did not end by itself or with others."""
    _locked_state(session, sitting_id)
    row = session.execute(select(Sitting.state, Sitting.checks_json).where(Sitting.id == sitting_id)).one()
    by = by or UUID(row.checks_json["by"])
    people.require_right(session, by, "study")
    words = check_text(" ".join(reason.split()))
    if len(words) > FREE_TEXT:
        raise Refused(N_("the reason has {n} characters, and at most {most} can be kept"), code="too_long",
                      n=len(words), most=FREE_TEXT)
    if state == row.state != "open":
        return Done("End sitting", TOUCHED, None, sitting_id)
    if state not in NEXT[row.state]:
        raise Refused(N_("a sitting that is {now} cannot become {state}"), code="bad_value", now=row.state, state=state)
    kept = sittings.facts(session, sitting_id)
    if state == "completed":
        shown = {(one.block, one.position) for one in kept if isinstance(one, TrialRecord)}
        plan = sittings.plan_of(session, sitting_id)
        missing = sum((block, position) not in shown
                      for block, position, _ in plan.each() if plan.blocks[block].kind == "main")
        if missing:
            raise Refused(N_("{n} planned trials have not been shown: this sitting is not complete"),
                          code="missing_value", n=missing)
    _set_state(session, sitting_id, row.checks_json, state, words, by=by, facts=kept, deed=deed)
    return Done("End sitting", TOUCHED, Undo("sitting_back", (sitting_id.hex, row.state)), sitting_id)


def withdraw(session: Session, participant: str, *, by: UUID, reason: str) -> Done:
    """A participant does not want to take part any more: all sittings are withdrawn, and no other can be begun.

    What was kept stays, since rows of people are never deleted, but is in no result and no export. Refused without a
    reason. ``Done.value``: how many sittings.
    """
    people.require_right(session, by, "study")
    person = participants.find(session, participant)
    if not reason.strip():
        raise Refused(N_("say why '{handle}' is withdrawn"), code="missing_value", handle=participant)
    rows = session.execute(select(Sitting.id, Sitting.state).where(
        Sitting.participant == person, Sitting.state != "withdrawn").order_by(Sitting.at)).all()
    for row in rows:
        _end(session, row.id, "withdrawn", reason, by=by, deed=False)
    session.execute(update(Person).where(Person.id == person).values(active=False))
    trail.record(session, "participant_withdraw", person=by, ids={"person": person, "sittings": [r.id for r in rows]})
    back = [word for row in rows for word in (row.id.hex, row.state)]
    return Done("Withdraw participant", TOUCHED, Undo("participant_back", (person.hex, *back)), len(rows))


def go_back(session: Session, sitting_id: UUID, state: str, *, by: UUID) -> Done:
    """Undo of ``end``: the sitting is again what it was; refused where its place was given to somebody else since."""
    people.require_right(session, by, "study")
    row = session.execute(select(Sitting.study, Sitting.state, Sitting.checks_json)
                          .where(Sitting.id == sitting_id)).one()
    study = sittings.load(session, row.study)
    places.lock(session, study)
    if state in HELD and row.state not in HELD and not row.checks_json["pilot"] and any(
            one.holds and one.number == row.checks_json["number"] for one in places.begun(session, study)):
        raise Refused(N_("the place of this sitting was given to somebody else since"), code="built_on")
    _set_state(session, sitting_id, row.checks_json, state, "", by=by, facts=sittings.facts(session, sitting_id))
    return Done("Take back the end of a sitting", TOUCHED, Undo("sitting_back", (sitting_id.hex, row.state)),
                sitting_id)


def _locked_state(session: Session, sitting: UUID) -> str:
    """The state of a sitting; on a server nobody else may append to it until this transaction ends."""
    query = select(Sitting.state).where(Sitting.id == sitting)
    if session.get_bind().dialect.name != "sqlite":
        query = query.with_for_update(key_share=True)
    state = session.scalar(query)
    if state is None:
        raise Unknown(N_("there is no sitting {id}"), id=sitting.hex)
    return state


def _set_state(session: Session, sitting: UUID, checks: dict[str, Any], state: str, reason: str, *, by: UUID,
               facts: Sequence[Fact], deed: bool = False) -> None:
    ending: dict[str, Any] = {"state": state, "reason": reason, "by": by.hex, "at": now().isoformat()}
    if deed:
        ending["deed"] = True
    session.execute(update(Sitting).where(Sitting.id == sitting).values(
        state=state, checks_json={**checks, "ends": [*checks["ends"], ending]}))
    trail.record(session, "sitting_end" if state != "open" else "sitting_reopen", person=by, payload=ending,
                 ids={"sitting": sitting, "state": state, "facts": len(facts),
                      "facts_sha256": fact_rows.facts_sha256(facts)})


def _add_again(session: Session, ids: tuple[str, ...], person: UUID) -> Done:
    people.require_right(session, person, "study")
    _check_name_free(session, sittings.load(session, ids[0]))
    session.execute(delete(Meta).where(Meta.key == REMOVED + ids[0]))
    trail.record(session, "study_add", person=person, ids={"study": ids[0]})
    return Done("Add study", TOUCHED, Undo("remove_study", ids[:1]), ids[0])


def _take_part_again(session: Session, ids: tuple[str, ...], by: UUID) -> Done:
    people.require_right(session, by, "study")
    person = UUID(ids[0])
    session.execute(update(Person).where(Person.id == person).values(active=True))
    trail.record(session, "participant_return", person=by, ids={"person": person})
    for sitting, state in zip(ids[1::2], ids[2::2], strict=True):
        go_back(session, UUID(sitting), state, by=by)
    return Done("Take back a withdrawal", TOUCHED, None, person)


undo.operations.add("participant_back", _take_part_again)
undo.operations.add("remove_study", lambda s, ids, p: remove(s, ids[0], by=p))
undo.operations.add("add_study_again", _add_again)
undo.operations.add("sitting_back", lambda s, ids, p: go_back(s, UUID(ids[0]), ids[1], by=p))
