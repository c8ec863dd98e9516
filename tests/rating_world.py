"""Turns that no queue hands out yet: repeats, checks with a known answer, and pairs shown in a chosen order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from annotation import canonical, claims, people, stages, tasks
from annotation.store.ids import new_id
from annotation.store.project import Store, main_round, protocol_now
from annotation.store.tables import Item, ItemSecret, ItemTag, ItemVersion, Task
from annotation.store.types import now


def who(session: Session, handle: str) -> UUID:
    return people.find(session, handle).id


def item_of(session: Session, key: str) -> UUID:
    return session.scalars(select(Item.id).where(Item.key == key)).one()


def add_item(store: Store, key: str, fields: Mapping[str, Any], *, kind: str = "item", secret: Any = None,
             expected: Any = None, tags: Iterable[tuple[str, str]] = (), cluster: str | None = None) -> UUID:
    with store.write() as session:
        by = people.acting(session, None).id
        item, version = new_id(), new_id()
        there = session.scalar(select(func.count()).select_from(Item)) or 0
        session.execute(insert(Item).values(id=item, key=key, key_fold=key.casefold(), rnd=there * 1000, kind=kind,
                                            current=version, cluster=cluster))
        session.execute(insert(ItemVersion).values(id=version, item=item, rev=1, fields_json=dict(fields),
                                                   sha256=canonical.sha256(dict(fields)), at=now(), by=by))
        if secret is not None or expected is not None:
            session.execute(insert(ItemSecret).values(item_version=version, fields_json=secret or {},
                                                      expected_json=expected))
        for field, value in tags:
            session.execute(insert(ItemTag).values(item=item, field=field, value=value))
        stages.refresh(session, item)
        return item


def give(store: Store, handle: str, key: str, answers: Mapping[str, Any], *, ms: int = 0,
         order: Mapping[str, Any] | None = None) -> UUID:
    """The person's answer to this item; ``order``: candidates by field as they stood, else as the store drew it."""
    with store.write() as session:
        task = claims.claim_item(session, who(session, handle), "annotate", item_of(session, key))
        assert task is not None, "no place is open"
        if order is not None:
            session.execute(update(Task).where(Task.id == task).values(order_json={"candidates": dict(order)}))
        revision: UUID = tasks.submit(session, task, answers, active_ms=ms).value
        return revision


def again(store: Store, handle: str, key: str, answers: Mapping[str, Any], *, order: Mapping[str, Any] | None = None,
          number: int = 1) -> None:
    """The same person's same item once more."""
    with store.write() as session:
        person, item, made = who(session, handle), item_of(session, key), new_id()
        version = session.scalars(select(Item.current).where(Item.id == item)).one()
        first = session.scalars(select(Task.id).where(Task.item == item, Task.person == person,
                                                      Task.repeat_no == 0)).first()
        session.execute(insert(Task).values(
            id=made, item=item, item_version=version, stage="annotate", round=main_round(session),
            slot=100 + number + 10 * int.from_bytes(person.bytes[-2:]), person=person,
            protocol=protocol_now(session).hash, state="claimed", repeat_of=first, repeat_no=number,
            order_json=None if order is None else {"candidates": dict(order)}, at=now()))
        tasks.submit(session, made, answers)
