"""Assignments: who may, or alone shall, work on an item. They take no slot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session, aliased

from annotation import people, queue, rights, trail
from annotation.done import Done, Undo
from annotation.errors import N_, Refused, Unknown
from annotation.store.ids import new_id
from annotation.store.project import main_round, protocol_now
from annotation.store.tables import Assignment, Item
from annotation.store.types import now
from annotation.workflow import ANSWERING

TOUCHED = frozenset({"assignments", "items", "progress"})
CHUNK = 400


@dataclass(frozen=True, slots=True)
class Assigned:
    """``made``: ids of the new rows; ``already``: pairs that stood before; ``people``: new rows by handle."""

    made: tuple[UUID, ...]
    already: int
    people: Mapping[str, int]

    @property
    def assigned(self) -> int:
        return len(self.made)


def find_keys(session: Session, keys: Iterable[str]) -> tuple[UUID, ...]:
    """The items with these keys, in their order; Unknown names the first key that no item has."""
    wanted = list(dict.fromkeys(keys))
    found: dict[str, UUID] = {}
    for start in range(0, len(wanted), CHUNK):
        rows = session.execute(select(Item.key, Item.id).where(Item.key.in_(wanted[start:start + CHUNK])))
        found.update({row.key: row.id for row in rows})
    for key in wanted:
        if key not in found:
            raise Unknown(N_("there is no item '{key}'"), key=key)
    return tuple(found[key] for key in wanted)


def keys_of(session: Session, items: Iterable[UUID]) -> dict[UUID, str]:
    """The keys of these items."""
    wanted, found = list(dict.fromkeys(items)), {}
    for start in range(0, len(wanted), CHUNK):
        found.update({row.id: row.key for row in session.execute(
            select(Item.id, Item.key).where(Item.id.in_(wanted[start:start + CHUNK])))})
    return found


def assign(session: Session, items: Sequence[UUID] | None, *, to: Sequence[UUID], by: UUID, stage: str = "annotate",
           only: bool = False) -> Done:
    """Assign items (None: all that are not withdrawn) to each of these people.

    ``only``: nobody else gets these items at this stage. ``Done.value`` is an Assigned. Raises NotAllowed,
    and Refused where the protocol has no such stage or a person may not work at it.
    """
    people.require_right(session, by, "assign")
    views = _workers(session, to, stage)
    chosen = _all_items(session) if items is None else list(dict.fromkeys(items))
    round, at = main_round(session), now()
    rows: list[dict[str, Any]] = []
    counts, already = dict.fromkeys((v.handle for v in views), 0), 0
    for view in views:
        standing = {item: is_only for item, is_only in standing_of(session, view.id, stage)}
        for item in chosen:
            if item in standing and (standing[item] or not only):
                already += 1
                continue
            rows.append({"id": new_id(), "item": item, "stage": stage, "round": round, "person": view.id,
                         "only": only, "by": by, "at": at})
            counts[view.handle] += 1
    return _append(session, rows, by=by, stage=stage, label="Assign", undo="unassign",
                   value=Assigned(tuple(row["id"] for row in rows), already, counts), everybody=only)


def cancel(session: Session, items: Sequence[UUID] | None, *, to: Sequence[UUID], by: UUID,
           stage: str = "annotate") -> Done:
    """Cancel the standing assignments of these items (None: all) to these people. Work begun stays theirs."""
    people.require_right(session, by, "assign")
    views = [people.by_id(session, person) for person in to]
    chosen = None if items is None else set(items)
    found = [(row, view) for view in views for row in _standing_rows(session, view.id, stage)
             if chosen is None or row.item in chosen]
    counts = dict.fromkeys((v.handle for v in views), 0)
    for _, view in found:
        counts[view.handle] += 1
    rows = [_cancelling(row, by) for row, _ in found]
    return _append(session, rows, by=by, stage=stage, label="Cancel assignment", undo="assign_again",
                   value=Assigned(tuple(row["id"] for row in rows), 0, counts), everybody=True,
                   undo_ids=tuple(row.id for row, _ in found))


def undo_assign(session: Session, ids: Sequence[UUID], *, by: UUID) -> Done:
    """Cancel exactly these assignments; Refused where one of them is cancelled already."""
    rows = _rows(session, ids)
    return _append(session, [_cancelling(row, by) for row in rows], by=by, stage=rows[0].stage, label="Unassign",
                   undo="assign_again", value=None, everybody=True, undo_ids=tuple(ids))


def redo_assign(session: Session, ids: Sequence[UUID], *, by: UUID) -> Done:
    """Assign again as in rows that were cancelled."""
    rows = list(session.execute(_columns.where(Assignment.id.in_(list(ids)))))
    again = [{"id": new_id(), "item": row.item, "stage": row.stage, "round": row.round, "person": row.person,
              "only": row.only, "by": by, "at": now()} for row in rows]
    return _append(session, again, by=by, stage=rows[0].stage, label="Assign", undo="unassign", value=None,
                   everybody=True)


def standing_of(session: Session, person: UUID, stage: str) -> tuple[tuple[UUID, bool], ...]:
    """(item, only) of the standing assignments of a person at a stage."""
    found: dict[UUID, bool] = {}
    for row in _standing_rows(session, person, stage):
        found[row.item] = found.get(row.item, False) or row.only
    return tuple(found.items())


def load(session: Session, stage: str = "annotate") -> Mapping[UUID, int]:
    """How many items are assigned to each person at a stage."""
    other = aliased(Assignment)
    return dict(session.execute(
        select(Assignment.person, func.count(Assignment.item.distinct())).where(
            Assignment.stage == stage, Assignment.cancels.is_(None),
            ~select(other.id).where(other.cancels == Assignment.id).exists()).group_by(Assignment.person)).all())


_columns = select(Assignment.id, Assignment.item, Assignment.stage, Assignment.round, Assignment.person,
                  Assignment.only)


def _workers(session: Session, to: Sequence[UUID], stage: str) -> list[people.PersonView]:
    protocol = protocol_now(session)
    if stage not in protocol.workflow.stages or stage not in ANSWERING:
        raise Refused(N_("nothing can be assigned at the stage {stage}"), code="bad_value", stage=stage)
    views = [people.by_id(session, person) for person in dict.fromkeys(to)]
    for view in views:
        if not rights.may(view.roles, stage, protocol=protocol):
            raise Refused(N_("'{handle}' may not work at the stage {stage}; give the role first"),
                          code="unknown_person", handle=view.handle, stage=stage)
    return views


def _all_items(session: Session) -> list[UUID]:
    return list(session.execute(select(Item.id).where(Item.state != "withdrawn").order_by(Item.id)).scalars())


def _standing_rows(session: Session, person: UUID, stage: str) -> Sequence[Any]:
    other = aliased(Assignment)
    return session.execute(_columns.where(
        Assignment.person == person, Assignment.stage == stage, Assignment.cancels.is_(None),
        ~select(other.id).where(other.cancels == Assignment.id).exists()).order_by(Assignment.id)).all()


def _rows(session: Session, ids: Sequence[UUID]) -> Sequence[Any]:
    other = aliased(Assignment)
    found: list[Any] = []
    for start in range(0, len(ids), CHUNK):
        found += session.execute(_columns.where(
            Assignment.id.in_(list(ids[start:start + CHUNK])),
            ~select(other.id).where(other.cancels == Assignment.id).exists())).all()
    if len(found) != len(ids):
        raise Refused(N_("these assignments were changed since"), code="built_on")
    return found


def _cancelling(row: Any, by: UUID) -> dict[str, Any]:
    return {"id": new_id(), "item": row.item, "stage": row.stage, "round": row.round, "person": row.person,
            "only": row.only, "by": by, "at": now(), "cancels": row.id}


def _append(session: Session, rows: list[dict[str, Any]], *, by: UUID, stage: str, label: str, undo: str,
            value: Assigned | None, everybody: bool, undo_ids: tuple[UUID, ...] | None = None) -> Done:
    """Write the rows; walks begin anew, for everybody where others gain or lose items by it."""
    if not rows:
        return Done(label, TOUCHED, None, value)
    session.execute(insert(Assignment), rows)
    if everybody:
        queue.rewind(session, stage=stage)
    else:
        for person in {row["person"] for row in rows}:
            queue.rewind(session, stage=stage, person=person)
    made = tuple(row["id"] for row in rows)
    trail.record(session, label.lower().replace(" ", "_"), person=by, ids={"assignments": list(made)})
    return Done(label, TOUCHED, Undo(undo, tuple(one.hex for one in undo_ids or made)), value)
