"""Flags and queries: what people say about an item beside their answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session, aliased

from annotation import people, stages, trail
from annotation.canonical import check_text
from annotation.done import Done, Undo
from annotation.errors import N_, Refused, Unknown
from annotation.store.ids import new_id
from annotation.store.project import protocol_now
from annotation.store.tables import Flag, Item, Person, Query, QueryMessage
from annotation.store.types import now

LIMIT = 10_000  # characters of one message
FLAGGED = frozenset({"flags", "progress", "items"})
ASKED = frozenset({"queries"})


@dataclass(frozen=True, slots=True)
class FlagView:
    id: UUID
    item: UUID
    key: str
    handle: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Message:
    handle: str
    text: str
    closes: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class QueryView:
    """A question about an item with its answers; ``waits_for_asker``: somebody else wrote last and it is open."""

    id: UUID
    item: UUID
    key: str
    question: str | None
    by: UUID
    handle: str
    at: datetime
    closed: bool
    waits_for_asker: bool
    messages: tuple[Message, ...]


# --- flags ---------------------------------------------------------------------------------------

def flag(session: Session, item: UUID, *, person: UUID, text: str = "") -> Done:
    """Mark an item for others to look at. One standing flag per person and item."""
    people.require_right(session, person, "flag")
    _key(session, item)
    if any(one for one in _standing(session, item) if one[1] == person):
        raise Refused(N_("you have flagged this item already"), code="exists")
    made = _flag_row(session, item, person, text, cancels=None)
    trail.record(session, "flag", person=person, ids={"item": item, "flag": made})
    stages.refresh(session, item)
    return Done("Flag", FLAGGED, Undo("unflag", (made.hex,)), made)


def unflag(session: Session, item: UUID, *, person: UUID) -> Done:
    """Take back one's own flag."""
    mine = [one[0] for one in _standing(session, item) if one[1] == person]
    if not mine:
        raise Refused(N_("you have not flagged this item"), code="not_open")
    return undo_flag(session, mine[-1], by=person)


def undo_flag(session: Session, raised: UUID, *, by: UUID) -> Done:
    """Cancel a flag by a row that points to it; the reverse flags again with the same words."""
    row = session.execute(select(Flag.item, Flag.person, Flag.text).where(Flag.id == raised)).first()
    if row is None or raised not in {one[0] for one in _standing(session, row.item)}:
        raise Refused(N_("this flag does not stand any more"), code="built_on")
    made = _flag_row(session, row.item, by, "", cancels=raised)
    trail.record(session, "unflag", person=by, ids={"item": row.item, "flag": made, "cancels": raised})
    stages.refresh(session, row.item)
    return Done("Take back flag", FLAGGED, Undo("flag_again", (raised.hex,)), made)


def redo_flag(session: Session, raised: UUID, *, by: UUID) -> Done:
    """Flag again as a flag that was taken back."""
    row = session.execute(select(Flag.item, Flag.person, Flag.text).where(Flag.id == raised)).first()
    if row is None:
        raise Unknown(N_("there is no such flag"))
    return flag(session, row.item, person=row.person, text=row.text)


def flags(session: Session, *, item: UUID | None = None, limit: int = 500) -> tuple[FlagView, ...]:
    """Flags that stand, oldest first."""
    other = aliased(Flag)
    query = (select(Flag.id, Flag.item, Item.key, Person.handle, Flag.text, Flag.at)
             .join(Item, Item.id == Flag.item).join(Person, Person.id == Flag.person)
             .where(Flag.cancels.is_(None), ~select(other.id).where(other.cancels == Flag.id).exists())
             .order_by(Flag.id).limit(limit))
    if item is not None:
        query = query.where(Flag.item == item)
    return tuple(FlagView(*row) for row in session.execute(query))


def count_flags(session: Session) -> int:
    """How many items carry a standing flag."""
    other = aliased(Flag)
    return session.scalar(select(func.count(Flag.item.distinct())).where(
        Flag.cancels.is_(None), ~select(other.id).where(other.cancels == Flag.id).exists())) or 0


def _flag_row(session: Session, item: UUID, person: UUID, text: str, *, cancels: UUID | None) -> UUID:
    made = new_id()
    session.execute(insert(Flag).values(id=made, item=item, person=person, text=_text(text), cancels=cancels, at=now()))
    return made


def _standing(session: Session, item: UUID) -> list[tuple[UUID, UUID]]:
    rows = session.execute(select(Flag.id, Flag.person, Flag.cancels).where(Flag.item == item).order_by(Flag.id)).all()
    cancelled = {row.cancels for row in rows if row.cancels is not None}
    return [(row.id, row.person) for row in rows if row.cancels is None and row.id not in cancelled]


# --- queries -------------------------------------------------------------------------------------

def open_query(session: Session, item: UUID, *, person: UUID, text: str, question: str | None = None) -> Done:
    """Ask something about an item, or about one question of its form."""
    people.require_right(session, person, "query")
    _key(session, item)
    if question is not None and question not in protocol_now(session).value_names:
        raise Unknown(N_("The protocol has no question '{name}'"), name=question)
    if not text.strip():
        raise Refused(N_("a query needs words"), code="missing_value")
    made, at = new_id(), now()
    session.execute(insert(Query).values(id=made, item=item, question=question, by=person, at=at))
    _message(session, made, person, text, closes=False)
    trail.record(session, "query_open", person=person, ids={"item": item, "query": made})
    return Done("Query", ASKED, Undo("close_query", (made.hex,)), made)


def answer_query(session: Session, query: UUID, *, by: UUID, text: str = "", closes: bool = False) -> Done:
    """Answer a query, or close it with or without words. A closed one is opened again by a further message."""
    people.require_right(session, by, "query")
    found = session.execute(select(Query.item).where(Query.id == query)).first()
    if found is None:
        raise Unknown(N_("there is no such query"))
    if not text.strip() and not closes:
        raise Refused(N_("an answer needs words"), code="missing_value")
    made = _message(session, query, by, text, closes=closes)
    trail.record(session, "query_close" if closes else "query_answer", person=by,
                 ids={"item": found.item, "query": query, "message": made})
    back = Undo("reopen_query", (query.hex, made.hex)) if closes else None
    return Done("Close query" if closes else "Answer query", ASKED, back, made)


def undo_query(session: Session, query: UUID, *, by: UUID) -> Done:
    """Close a query that nobody has answered yet: the reverse of asking."""
    others = session.scalar(select(func.count()).select_from(QueryMessage).where(QueryMessage.query == query)) or 0
    if others != 1:
        raise Refused(N_("this query was answered since"), code="built_on")
    return answer_query(session, query, by=by, closes=True)


def reopen_query(session: Session, query: UUID, message: UUID, *, by: UUID) -> Done:
    """Open a query again that was closed by this message, where nothing was said since."""
    last = session.scalar(select(QueryMessage.id).where(QueryMessage.query == query)
                          .order_by(QueryMessage.id.desc()).limit(1))
    if last != message:
        raise Refused(N_("something was said in this query since"), code="built_on")
    made = _message(session, query, by, "", closes=False)
    trail.record(session, "query_reopen", person=by, ids={"query": query, "message": made})
    return Done("Open query again", ASKED, None, made)


def queries(session: Session, *, person: UUID | None = None, item: UUID | None = None, only_open: bool = False,
            limit: int = 500) -> tuple[QueryView, ...]:
    """Queries with their messages, newest first; those that ``person`` opened, or all for a keeper of the project."""
    query = (select(Query.id, Query.item, Item.key, Query.question, Query.by, Person.handle, Query.at)
             .join(Item, Item.id == Query.item).join(Person, Person.id == Query.by)
             .order_by(Query.id.desc()).limit(limit))
    if person is not None:
        query = query.where(Query.by == person)
    if item is not None:
        query = query.where(Query.item == item)
    rows = session.execute(query).all()
    messages: dict[UUID, list[tuple[UUID, Message]]] = {}
    for asked, by, handle, text, closes, at in session.execute(
            select(QueryMessage.query, QueryMessage.by, Person.handle, QueryMessage.text, QueryMessage.closes,
                   QueryMessage.at).join(Person, Person.id == QueryMessage.by)
            .where(QueryMessage.query.in_([row.id for row in rows])).order_by(QueryMessage.id)):
        messages.setdefault(asked, []).append((by, Message(handle, text, closes, at)))
    out = []
    for row in rows:
        said = messages.get(row.id, [])
        closed = bool(said) and said[-1][1].closes
        out.append(QueryView(row.id, row.item, row.key, row.question, row.by, row.handle, row.at, closed,
                             bool(said) and not closed and said[-1][0] != row.by, tuple(m for _, m in said)))
    return tuple(one for one in out if not (only_open and one.closed))


def count_queries(session: Session) -> tuple[int, int]:
    """(open, closed): the last message of each decides."""
    newer = aliased(QueryMessage)
    closed = session.scalar(select(func.count()).select_from(QueryMessage).where(
        QueryMessage.closes,
        ~select(newer.id).where(newer.query == QueryMessage.query, newer.id > QueryMessage.id).exists())) or 0
    return (session.scalar(select(func.count()).select_from(Query)) or 0) - closed, closed


def asked_of(session: Session, person: UUID) -> tuple[UUID, ...]:
    """The item of each open query of somebody else, oldest first: what a keeper of the project has to answer."""
    last, newer = aliased(QueryMessage), aliased(QueryMessage)
    closed = select(last.id).where(last.query == Query.id, last.closes, ~select(newer.id).where(
        newer.query == last.query, newer.id > last.id).exists())
    return tuple(session.scalars(select(Query.item).where(Query.by != person, ~closed.exists()).order_by(Query.id)))


def _message(session: Session, query: UUID, by: UUID, text: str, *, closes: bool) -> UUID:
    made = new_id()
    session.execute(insert(QueryMessage).values(id=made, query=query, by=by, text=_text(text), closes=closes, at=now()))
    return made


def _text(text: str) -> str:
    text = check_text(text.strip())
    if len(text) > LIMIT:
        raise Refused(N_("this has {n} characters; at most {limit} can be kept"), code="too_long", n=len(text),
                      limit=LIMIT)
    return text


def _key(session: Session, item: UUID) -> str:
    found = session.scalar(select(Item.key).where(Item.id == item))
    if found is None:
        raise Unknown(N_("there is no item {item}"), item=item.hex)
    return found
