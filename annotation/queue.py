"""The walk to a person's next item: one index, one cursor per person and stage, and what reopened behind it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Select, delete, insert, select, update
from sqlalchemy.orm import Session

from annotation import queue_rules as rules
from annotation.store.project import main_round, store_of
from annotation.store.tables import Assignment, ItemStage, TaskCursor

BEHIND_LIMIT = 64  # more than this behind a cursor: the walk begins anew
NEAR = 1000        # so many items left are counted one by one
ALL = 2**31 - 1
FRESH_S = 300.0    # how long a count of more than that is good
COUNTED = "queue"  # the name under which the store remembers such counts
ASSIGNED = "assigned:"


@dataclass(frozen=True, slots=True)
class Candidate:
    """``ahead``: found by walking on from the cursor, which follows when the item is claimed."""

    item: UUID
    order_key: int
    rnd: int
    ahead: bool = False

    @property
    def place(self) -> tuple[int, int, UUID]:
        return (self.order_key, self.rnd, self.item)


def candidates(session: Session, person: UUID, stage: str, *, allow_self: bool, limit: int = 5) -> list[Candidate]:
    """The next items that this person may claim at this stage, best first: what is assigned to him, what
    reopened behind his cursor, what comes after it. An empty list is an empty queue.
    """
    who = _who(session, person, stage)
    if found := _assigned(session, who, allow_self=allow_self, limit=limit):
        return found
    cursor = _cursor(session, person, stage)
    if cursor is not None and cursor.behind_json:
        ids = [UUID(item) for item in cursor.behind_json]
        found = _run(session, rules.among(allow_self=allow_self), {**who, "ids": ids}, limit=len(ids))
        _keep(session, person, stage, behind=[c.item.hex for c in found])
        if found:
            return found[:limit]
    if cursor is None:
        return _run(session, rules.whole(session, allow_self=allow_self), who, limit=limit, ahead=True)
    place = _bound((cursor.order_key, cursor.rnd, cursor.item))
    found = _run(session, rules.after(allow_self=allow_self), {**who, **place}, limit=limit, ahead=True)
    if found:
        return found
    # Nothing ahead: look once from the start, in case something reopened unnoticed.
    found = _run(session, rules.whole(session, allow_self=allow_self), who, limit=BEHIND_LIMIT)
    _keep(session, person, stage, behind=[c.item.hex for c in found])
    return found[:limit]


def find(session: Session, person: UUID, stage: str, item: UUID, *, allow_self: bool) -> Candidate | None:
    """This very item, if it is open for this person."""
    who = {**_who(session, person, stage), "ids": [item]}
    found = _run(session, rules.among(allow_self=allow_self), who, limit=1)
    return found[0] if found else None


def is_reserved(session: Session, person: UUID, stage: str, item: UUID) -> bool:
    """Whether the item is assigned to others alone."""
    standing = session.execute(select(Assignment.person, Assignment.only).where(
        Assignment.item == item, Assignment.stage == stage, rules.standing(Assignment))).all()
    return any(row.only for row in standing) and all(row.person != person for row in standing)


def count(session: Session, person: UUID, stage: str, *, allow_self: bool) -> int:
    """How many items this person may still claim at this stage.

    Near the end (a thousand left, or fewer) they are counted one by one, along the cursor. Before that all that is
    left is counted, which takes a tenth of a second at 200,000 items x 600,000 answers: the number is good for some
    minutes, less what the person took since.
    """
    cursor = _cursor(session, person, stage)
    who = _who(session, person, stage)
    given = session.execute(rules.given, who).scalar_one()
    memory: dict[Any, tuple[float, int, int]] = store_of(session).memory
    kept = memory.get((COUNTED, stage, person))
    if kept is not None and time.monotonic() - kept[0] < FRESH_S and (left := kept[1] - given + kept[2]) > NEAR:
        return left
    left = 0 if cursor is None else _along(session, who, cursor, allow_self=allow_self)
    left = left or count_anew(session, person, stage, allow_self=allow_self)
    if left > NEAR:
        memory[COUNTED, stage, person] = (time.monotonic(), left, given)
    return left


def count_anew(session: Session, person: UUID, stage: str, *, allow_self: bool) -> int:
    """The same, counted item by item along the whole queue."""
    query = rules.number(rules.whole(session, allow_self=allow_self))
    return int(session.execute(query, {**_who(session, person, stage), "limit": ALL}).scalar_one())


def _along(session: Session, who: dict[str, Any], cursor: Any, *, allow_self: bool) -> int:
    """How many items stand ahead of a cursor or on the list behind it; 0 says that one must look from the start."""
    place = _bound((cursor.order_key, cursor.rnd, cursor.item))
    ahead = session.execute(rules.number(rules.after(allow_self=allow_self)),
                            {**who, **place, "limit": NEAR + 1}).scalar_one()
    if ahead > NEAR:
        ahead = session.execute(rules.number(rules.rest(session, allow_self=allow_self)),
                                {**who, **place, "limit": ALL}).scalar_one()
    ids = [UUID(item) for item in cursor.behind_json]
    behind = sum(c.place < (cursor.order_key, cursor.rnd, cursor.item) for c in _run(
        session, rules.among(allow_self=allow_self), {**who, "ids": ids}, limit=len(ids)))
    return int(ahead) + behind


def claimed(session: Session, person: UUID, stage: str, chosen: Candidate) -> None:
    """Move the person's cursor to the item just claimed (or take the item off the list behind it)."""
    if chosen.ahead:
        _keep(session, person, stage, place=chosen.place)
        return
    cursor = _cursor(session, person, stage)
    if cursor is not None and chosen.item.hex in cursor.behind_json:
        _keep(session, person, stage, behind=[i for i in cursor.behind_json if i != chosen.item.hex])


def reopened(session: Session, item: UUID, stage: str, *, person: UUID | None = None) -> None:
    """A slot of this item is free (again): whoever (or the one who) walked past it looks there first."""
    row = session.execute(select(ItemStage.order_key, ItemStage.rnd).where(
        ItemStage.item == item, ItemStage.stage == stage)).first()
    if row is None:
        return
    place = (row.order_key, row.rnd, item)
    cursors = _cursors if person is None else _cursors.where(TaskCursor.person == person)
    for cursor in session.execute(cursors.where(TaskCursor.stage == stage).with_for_update(key_share=True)).all():
        if (cursor.order_key, cursor.rnd, cursor.item) > place and item.hex not in cursor.behind_json:
            if len(cursor.behind_json) >= BEHIND_LIMIT:
                _forget(session, cursor.person, stage)
            else:
                _keep(session, cursor.person, stage, behind=[*cursor.behind_json, item.hex])
    for cursor in session.execute(cursors.where(TaskCursor.stage == ASSIGNED + stage)).all():
        if cursor.item > item:
            _forget(session, cursor.person, ASSIGNED + stage)


def rewind(session: Session, *, stage: str | None = None, person: UUID | None = None) -> None:
    """Let walks begin anew: after an import, and when assignments change."""
    query = delete(TaskCursor)
    if stage is not None:
        query = query.where(TaskCursor.stage.in_([stage, ASSIGNED + stage]))
    if person is not None:
        query = query.where(TaskCursor.person == person)
    session.execute(query)
    memory = store_of(session).memory
    for key in [key for key in memory if key[0] == COUNTED]:
        del memory[key]


_cursors = select(TaskCursor.person, TaskCursor.order_key, TaskCursor.rnd, TaskCursor.item, TaskCursor.behind_json)
def _who(session: Session, person: UUID, stage: str) -> dict[str, Any]:
    return {"person": person, "stage": stage, "round": main_round(session)}


def _bound(place: tuple[int, int, UUID]) -> dict[str, Any]:
    return {"order_key": place[0], "rnd": place[1], "item": place[2]}


def _assigned(session: Session, who: dict[str, Any], *, allow_self: bool, limit: int) -> list[Candidate]:
    """Open items assigned to the person, along the index of assignments, with a cursor of its own."""
    if session.execute(rules.any_assignment, who).first() is None:
        return []
    key = ASSIGNED + who["stage"]
    cursor = _cursor(session, who["person"], key)
    start = cursor.item if cursor else UUID(int=0)
    found = _run(session, rules.along_assignments(allow_self=allow_self), {**who, "item": start}, limit=limit)
    if found:
        _keep(session, who["person"], key, place=(0, 0, found[0].item))
    return found


def _run(session: Session, query: Select[UUID, int, int], bound: dict[str, Any], *, limit: int, ahead: bool = False
         ) -> list[Candidate]:
    return [Candidate(*row, ahead=ahead) for row in session.execute(query, {**bound, "limit": limit})]


def _cursor(session: Session, person: UUID, stage: str) -> Any:
    return session.execute(_cursors.where(TaskCursor.person == person, TaskCursor.stage == stage)).first()


def _keep(session: Session, person: UUID, stage: str, *, place: tuple[int, int, UUID] | None = None,
          behind: list[str] | None = None) -> None:
    new: dict[str, Any] = {} if place is None else _bound(place)
    if behind is not None:
        new["behind_json"] = behind
    there = session.execute(update(TaskCursor).where(TaskCursor.person == person, TaskCursor.stage == stage)
                            .values(**new).execution_options(synchronize_session=False))
    if there.rowcount == 0 and place is not None:  # type: ignore[attr-defined]
        session.execute(insert(TaskCursor).values(
            person=person, stage=stage, behind_json=behind or [], **_bound(place)))


def _forget(session: Session, person: UUID, stage: str) -> None:
    session.execute(delete(TaskCursor).where(TaskCursor.person == person, TaskCursor.stage == stage))
