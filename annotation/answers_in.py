"""Brings in answers that were given elsewhere: a table of item, person, question, answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from annotation import claims, people, rights, trail
from annotation.answer_rows import Group, answers_of, grouped, times_of
from annotation.errors import N_, NotFinished, Refused, Unknown, Where
from annotation.items import fold
from annotation.protocol import Protocol
from annotation.reading.opening import open_source
from annotation.refused_rows import RefusedFile, file_sha256
from annotation.rows_taken import Tally
from annotation.store.ids import new_id
from annotation.store.project import Store, protocol_now
from annotation.store.tables import ImportRun, Item, ItemVersion, Round, Task
from annotation.store.types import now
from annotation.submitting import submit
from annotation.workflow import ANSWERING

_ROLE = {"annotate": "annotator", "verify": "verifier"}


@dataclass(frozen=True, slots=True)
class AnswersReport:
    """``rows`` = accepted + refused; ``revisions`` counts the accepted (item, person) groups."""

    rows: int
    accepted: int
    refused: int
    refusals: tuple[dict[str, Any], ...]
    revisions: int
    refused_file: str | None

    def as_json(self) -> dict[str, Any]:
        return {"rows": self.rows, "accepted": self.accepted, "refused": self.refused,
                "refusals": list(self.refusals), "revisions": self.revisions, "refused_file": self.refused_file}


def import_answers(store: Store, file: str | Path, *, stage: str = "annotate", round: str = "main",
                   add_people: bool = False, strict: bool = False, refused: str | Path | None = None, by: UUID,
                   progress: Callable[[int, int], None] | None = None) -> AnswersReport:
    """One revision for each (item, person) in ``file`` (CSV, TSV, JSONL, parquet), in one transaction.

    Columns: item (key), person (handle), question, answer; optional element, na, seconds, at. A group is
    refused whole where a value is bad or a required question is missing. Where rows of a group differ in
    ``seconds`` or ``at``, the largest and the latest count. Raises Refused, with nothing changed, where
    the file cannot be read, a column is missing, nothing is accepted, or a row is refused under ``strict``.
    """
    path = Path(file)
    with ExitStack() as stack:
        source = stack.enter_context(open_source(path))
        groups, bad = grouped(source)
        target = stack.enter_context(RefusedFile(path, Path(refused) if refused else None))
        session = stack.enter_context(store.write())
        people.require_right(session, by, "import")
        protocol = protocol_now(session)
        _check_stage(session, protocol, stage, round)
        tally = Tally(target, source.file, source.columns or ())
        for row, fault in bad:
            tally.rows += 1
            tally.refuse(row, fault, item=None)
        known = items_of_keys(session, {fold(group.item) for group in groups})
        handles = {view.handle: view for view in people.people(session)}
        for n, group in enumerate(groups):
            tally.rows += len(group.rows)
            _bring_in(session, protocol, group, tally, stage=stage, known=known, handles=handles,
                      add=by if add_people else None)
            if progress is not None and n % 100 == 0:
                progress(n, len(groups))
        tally.settle(strict=strict)
        target.write()
        _remember(session, tally, path, by)
    return AnswersReport(tally.rows, tally.accepted, tally.refused, tuple(tally.refusals), tally.revisions,
                         str(target.path) if tally.refused else None)


def _check_stage(session: Session, protocol: Protocol, stage: str, round: str) -> None:
    answering = [name for name in protocol.workflow.stages if name in ANSWERING]
    if stage not in answering:
        raise Unknown(N_("There is no stage '{stage}' at which people answer. There are: {known}."), stage=stage,
                      known=", ".join(answering))
    rounds = list(session.execute(select(Round.name)).scalars())
    if round not in rounds:
        raise Unknown(N_("There is no round '{round}'. There are: {known}."), round=round, known=", ".join(rounds))


def items_of_keys(session: Session, folds: set[str]) -> dict[str, tuple[UUID, str, Mapping[str, Any]]]:
    """(id, state, public fields) by folded key of the items that the file names."""
    found: dict[str, tuple[UUID, str, Mapping[str, Any]]] = {}
    wanted = sorted(folds)
    for start in range(0, len(wanted), 1000):
        for key_fold, item, state, fields in session.execute(
                select(Item.key_fold, Item.id, Item.state, ItemVersion.fields_json)
                .join(ItemVersion, ItemVersion.id == Item.current)
                .where(Item.key_fold.in_(wanted[start:start + 1000]))):
            found[key_fold] = (item, state, fields)
    return found


def _bring_in(session: Session, protocol: Protocol, group: Group, tally: Tally, *, stage: str,
              known: Mapping[str, tuple[UUID, str, Mapping[str, Any]]], handles: dict[str, people.PersonView],
              add: UUID | None) -> None:
    """One group as one revision, or every row of it refused; what was begun for a refused one is undone."""
    try:
        with session.begin_nested():
            item = known.get(fold(group.item))
            if item is None or item[1] == "withdrawn":
                raise Refused(N_("there is no item '{item}'"), code="unknown_item",
                              where=Where(key="item", value=group.item[:80]), item=group.item)
            person = _person(session, protocol, group.person, handles, stage, add)
            answers = answers_of(protocol, item[2], group)
            task = _task(session, protocol, item[0], person, stage)
            ms, at = times_of(group)
            submit(session, task, answers, active_ms=ms, wall_ms=ms, at=at)
    except Refused as fault:
        group.refuse(_placed(fault))
        tally.refuse_all(group)
        return
    handles[person.handle] = person
    tally.accepted += len(group.rows)
    tally.revisions += 1


def _placed(fault: Refused) -> Refused:
    """A refusal of the store with the code that files of answers have for it."""
    if isinstance(fault, NotFinished):
        fault.at(key=fault.slots[0] if fault.slots else None)
    if fault.code in ("taken", "not_open", "signed"):
        fault.code = "already_answered"
    return fault


def _person(session: Session, protocol: Protocol, handle: str, handles: Mapping[str, people.PersonView], stage: str,
            add: UUID | None) -> people.PersonView:
    where = Where(key="person", value=handle[:80])
    found = handles.get(handle)
    if found is None and add is None:
        raise Refused(N_("there is no person '{handle}' (--add-people makes annotators of them)"),
                      code="unknown_person", where=where, handle=handle)
    if found is None and add is not None:
        try:
            people.add(session, handle, roles=(_ROLE[stage],), by=add)
        except Refused as fault:
            raise Refused(N_("{why}"), code="unknown_person", where=where, why=str(fault)) from None
        return people.find(session, handle)
    assert found is not None
    if not rights.may(found.roles, stage, protocol=protocol):
        raise Refused(N_("'{handle}' may not work at the stage {stage}; give the role first"), code="unknown_person",
                      where=where, handle=handle, stage=stage)
    return found


def _task(session: Session, protocol: Protocol, item: UUID, person: people.PersonView, stage: str) -> UUID:
    """A claimed task for exactly this person and item."""
    where = Where(key="person", value=person.handle)
    stages_of_person = set(session.execute(select(Task.stage).where(
        Task.item == item, Task.person == person.id, Task.state == "submitted")).scalars())
    if stage in stages_of_person:
        raise Refused(N_("'{handle}' has answered this item already"), code="already_answered", where=where,
                      handle=person.handle)
    if stages_of_person and not protocol.workflow.allow_self:
        raise Refused(N_("'{handle}' has answered this item at another stage"), code="already_answered", where=where,
                      handle=person.handle)
    task = claims.claim_item(session, person.id, stage, item)
    if task is None:
        raise Refused(N_("no place is open at the stage {stage} of this item"), code="already_answered", where=where,
                      stage=stage)
    return task


def _remember(session: Session, tally: Tally, path: Path, by: UUID) -> None:
    run, sha256 = new_id(), file_sha256(path)
    counts = {"rows": tally.rows, "accepted": tally.accepted, "refused": tally.refused, "revisions": tally.revisions}
    session.execute(insert(ImportRun).values(
        id=run, file=path.name, sha256=sha256, recipe=None, counts_json={"answers": counts},
        refused_json=[{**refusal, "value": None, "message": None} for refusal in tally.refusals], at=now(), by=by))
    trail.record(session, "import_answers", person=by, ids={"run": run}, payload={"file": sha256, "counts": counts})
