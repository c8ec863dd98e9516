"""Projects of any protocol with any number of items, made by the fewest means, for tests of work and review."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from annotation import canonical, people, protocol, stages, tasks
from annotation.done import Done
from annotation.store.ids import new_id
from annotation.store.opening import create
from annotation.store.project import Store
from annotation.store.tables import Item, ItemStage, ItemTag, ItemVersion
from annotation.store.types import now

FIELDS = "  - {name: text, kind: text, label: Text, required: true}\n  - {name: topic, kind: tag}\n"
QUESTIONS = """\
  - name: colour
    type: choice
    text: Which colour?
    options: [{value: red}, {value: blue}, {value: unsure, routes: another}]
  - {name: why, type: text, text: Why?, required: false, show_if: {colour: [blue]}}
"""


def text(workflow: str = "stages: [annotate], people_per_item: 2", *, gold: str = "{rule: majority}",
         questions: str = QUESTIONS) -> str:
    return (f"id: world\nversion: 1\ntitle: A world\nfields:\n{FIELDS}questions:\n{questions}"
            f"workflow: {{{workflow}}}\ngold: {{colour: {gold}}}\n")


def make(place: Path | str, said: str | None = None, *, n: int = 4, roles: Mapping[str, Iterable[str]] | None = None
         ) -> Store:
    """A project with ``n`` items a0, a1, .. (rnd in that order) and people; ana, ben, cem annotate by default."""
    store = create(place, protocol=protocol.loads(said or text()), title="A world", owner="demo")
    with store.write() as session:
        owner = people.find(session, "demo").id
        for handle, held in (roles or {one: ["annotator"] for one in ("ana", "ben", "cem")}).items():
            people.add(session, handle, roles=held, by=owner)
        add_items(session, [f"a{i}" for i in range(n)], by=owner)
    return store


def add_items(session: Session, keys: Iterable[str], *, by: UUID) -> None:
    there = len(session.execute(select(Item.id)).all())
    for number, key in enumerate(keys, there):
        item, version = new_id(), new_id()
        fields = {"text": f"text of {key}", "topic": "even" if number % 2 == 0 else "odd"}
        session.execute(insert(Item).values(id=item, key=key, key_fold=key.casefold(), rnd=number * 1000,
                                            current=version))
        session.execute(insert(ItemVersion).values(id=version, item=item, rev=1, fields_json=fields,
                                                   sha256=canonical.sha256(fields), at=now(), by=by))
        session.execute(insert(ItemTag).values(item=item, field="topic", value=fields["topic"]))
        stages.refresh(session, item)


def who(session: Session, handle: str) -> UUID:
    return people.find(session, handle).id


def item(session: Session, key: str) -> UUID:
    return session.execute(select(Item.id).where(Item.key == key)).scalar_one()


def take(store: Store, handle: str, stage: str | None = None) -> tasks.TaskView | None:
    with store.write() as session:
        return tasks.next_task(session, who(session, handle), stage=stage)


def say(colour: str) -> dict[str, Any]:
    return {"colour": {"v": colour}}


def answer(store: Store, handle: str, colour: str = "red", *, stage: str | None = None) -> Done:
    """The person's next item, answered."""
    with store.write() as session:
        task = tasks.next_task(session, who(session, handle), stage=stage)
        assert task is not None
        return tasks.submit(session, task.id, say(colour), active_ms=1000)


def kept(store: Store, key: str) -> dict[str, tuple[int, int, str]]:
    """(want, open, state) by stage, of one item."""
    with store.read() as session:
        rows = session.execute(select(ItemStage.stage, ItemStage.want, ItemStage.open, ItemStage.state)
                               .where(ItemStage.item == item(session, key)))
        return {row.stage: (row.want, row.open, row.state) for row in rows}
