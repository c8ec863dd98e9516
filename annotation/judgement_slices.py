"""Slices of the judgements of a question: by what an item is, by when and under what it was answered, by whom."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy import JSON, BigInteger, Select, Text, cast, func, select, type_coerce
from sqlalchemy.orm import Session

from annotation.agreement.ratings import Ints
from annotation.errors import N_, Refused, Unknown
from annotation.judgement_cache import Held
from annotation.judgement_query import raw
from annotation.judgement_rows import fetched, places_of, read_parts
from annotation.judgement_view import Judgements, view
from annotation.protocol import Protocol
from annotation.store.tables import Item, ItemTag, ItemVersion, Person, PersonRole, ProtocolVersion, Revision
from annotation.store.types import EPOCH

BY_REVISION = ("week", "protocol")  # answers to one item may fall into several of these slices
BY_PERSON = "person-group"
OTHERS = (*BY_REVISION, BY_PERSON)
METADATA = ("number", "text", "markdown")  # kinds of fields with one value
MACHINES = "machine"
MOST = 1_000  # slices

WEEK = 7 * 24 * 3600 * 1_000_000    # in microseconds, as times are stored
MONDAY = 4 * 24 * 3600 * 1_000_000  # the first Monday came so long after the epoch


def check_by(protocol: Protocol, by: str) -> None:
    """Unknown, with what there is, unless slices can be made by ``by``; private fields are none."""
    if by in OTHERS or any(f.name == by and not f.private and f.kind in ("tag", *METADATA) for f in protocol.fields):
        return
    tags = ", ".join(f.name for f in protocol.fields if f.kind == "tag" and not f.private) or "none"
    fields = [f.name for f in protocol.fields if f.kind in METADATA and not f.private]
    raise Unknown(N_("'{field}' is not a tag of this protocol. Its tags are: {known}. There are also: {others}."),
                  field=by, known=tags, others=", ".join([*fields, *OTHERS]))


def is_tag(protocol: Protocol, by: str) -> bool:
    return by not in OTHERS and any(f.name == by and f.kind == "tag" for f in protocol.fields)


def item_slices(session: Session, kept: Held, protocol: Protocol, found: Judgements, by: str) -> dict[str, Ints]:
    """Units by the value of a tag or of another public field of their items; in none, where an item has no value.

    Refused where no answered item has one, and where a field has so many values that it makes no slices.
    """
    tag = is_tag(protocol, by)
    ids, values = kept.lastingly(("slices", by), lambda: _tags(session, by) if tag else _fields(session, by))
    names = sorted(set(values))
    rank = {name: n for n, name in enumerate(names)}
    value_of = np.fromiter((rank[value] for value in values), dtype=np.int64, count=len(values))
    units, places = places_of(found.units.rows, ids)
    if len(found.units) and not len(units):
        raise Refused(N_("No answered item carries the tag {field}") if tag
                      else N_("No answered item has a value of the field {field}"), code="bad_value", field=by)
    value = value_of[places]
    order = np.lexsort((units, value))
    ends = np.searchsorted(value[order], np.arange(len(names) + 1))
    there = [n for n in range(len(names)) if ends[n] < ends[n + 1]]
    if len(there) > MOST:
        raise Refused(N_("{field} has {n} different values; at most {most} slices are made"), code="bad_value",
                      field=by, n=len(there), most=MOST)
    return {names[n]: units[order[ends[n]:ends[n + 1]]] for n in there}


def answer_slices(session: Session, kept: Held, protocol: Protocol, found: Judgements, by: str, *,
                  stages: Sequence[str]) -> dict[str, Judgements]:
    """The answers of each week (ISO, UTC), each version of the protocol or each group of people, as judgements of their
    own: answers are compared within a slice only. A person with two roles is in two groups, a machine in the machines'.
    """
    question = found.ratings.question
    if by == BY_PERSON:
        groups = _groups(session)
        parts = {name: kept.rows.of_people(people) for name, people in groups.items()}
    elif by == "week":
        number = (type_coerce(Revision.at, BigInteger) - MONDAY) // WEEK
        parts = {_week(int(n)): rows for n, rows in read_parts(session, protocol, question, number).items()}
    else:
        names = {row.hash: f"{row.id} {row.version}" for row in session.execute(
            select(ProtocolVersion.hash, ProtocolVersion.id, ProtocolVersion.version))}
        parts = {}
        for hash, rows in sorted(read_parts(session, protocol, question, Revision.protocol).items()):
            name = names[hash]  # two texts may bear one version
            parts[name if name not in parts else f"{name} {hash[:8]}"] = rows
    if len(parts) > MOST:
        raise Refused(N_("{field} has {n} different values; at most {most} slices are made"), code="bad_value",
                      field=by, n=len(parts), most=MOST)
    views = {name: view(rows, protocol, question, stages=stages, clusters=kept.clusters)
             for name, rows in parts.items()}
    return {name: part for name, part in sorted(views.items()) if len(part.ratings.unit)}


def _tags(session: Session, field: str) -> tuple[bytes, tuple[str, ...]]:
    return _joined(session, select(raw(session, ItemTag.item), ItemTag.value).where(ItemTag.field == field))


def _fields(session: Session, field: str) -> tuple[bytes, tuple[str, ...]]:
    """The field of every item as it stands now, as text."""
    if session.get_bind().dialect.name == "sqlite":
        value = func.json_extract(type_coerce(ItemVersion.fields_json, Text), f'$."{field}"')
    else:
        value = func.json_extract_path_text(cast(type_coerce(ItemVersion.fields_json, Text), JSON), field)
    ids, values = _joined(session, select(raw(session, Item.id), value).select_from(Item).join(
        ItemVersion, ItemVersion.id == Item.current).where(value.is_not(None)))
    return ids, tuple(map(_text, values))


def _joined(session: Session, query: Select[Any]) -> tuple[bytes, tuple[str, ...]]:
    ids, values = [], []
    for chunk in fetched(session, query):
        ids.append(b"".join(item for item, _ in chunk))
        values += [value for _, value in chunk]
    return b"".join(ids), tuple(values)


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _week(number: int) -> str:
    year, week, _ = (EPOCH + timedelta(microseconds=MONDAY + number * WEEK)).isocalendar()
    return f"{year}-W{week:02d}"


def _groups(session: Session) -> dict[str, set[UUID]]:
    groups: dict[str, set[UUID]] = {}
    for person, kind, role in session.execute(select(Person.id, Person.kind, PersonRole.role).outerjoin(
            PersonRole, PersonRole.person == Person.id)):
        name = MACHINES if kind == "machine" else role
        if name is not None:
            groups.setdefault(name, set()).add(person)
    return groups
