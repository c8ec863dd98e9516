"""The project that the benches measure: 200,000 items and 600,000 answers, made by the program's own import
and, for the answers, by rows written in bulk as ``submit`` would write them (cursors and gold included)."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select, text
from sqlalchemy.orm import Session

from annotation import canonical, importing, people, protocol
from annotation.store import bulk
from annotation.store.ids import new_id
from annotation.store.opening import create
from annotation.store.project import Store, main_round
from annotation.store.tables import AnswerRow, Gold, Item, ItemStage, Revision, Task, TaskCursor
from annotation.store.types import EPOCH, now

ITEMS = 200_000
PROTOCOL = """\
id: bench
version: 1
title: A project of the size that the program is made for
fields:
  - {name: question, kind: text, label: Question, required: true}
  - {name: topic, kind: tag}
questions:
  - {name: verdict, type: choice, text: Is it right?, options: [{value: "yes"}, {value: "no"}]}
workflow: {stages: [annotate], people_per_item: 4}
gold: {verdict: {rule: majority, min_people: 2}}
agreement: [{question: verdict, metric: krippendorff_alpha, level: nominal}]
export: {scorer: {metric: accuracy, question: verdict}}
"""
# How many items each person has answered, in the order of the queue: near the end, and in the middle.
ANSWERED = {"p1": 0.95, "p2": 0.95, "p3": 0.95, "p4": 0.15}
EVERY = timedelta(seconds=20)  # between two answers of a person


def write_items(file: Path, n: int) -> None:
    with file.open("w", encoding="utf-8") as out:
        for i in range(n):
            row = {"id": f"item-{i:06d}", "question": f"Is statement {i} about the thing with number "
                   f"{i * 7919 % 104729} true, given what stands in the second paragraph of the report?",
                   "topic": f"topic {i % 12}"}
            out.write(json.dumps(row) + "\n")


def begin(folder: Path) -> Store:
    """The project without items."""
    return create(folder / "Bench.goldsmith", protocol=protocol.loads(PROTOCOL), title="Bench", owner="owner")


def bring_in(store: Store, file: Path) -> int:
    with store.read() as session:
        owner = people.find(session, "owner").id
    return importing.import_file(store, file, by=owner).accepted


def answer_in_bulk(store: Store) -> int:
    """Tasks, revisions and answers of four people, and what follows from them; returns how many answers."""
    with store.write() as session:
        session.connection().exec_driver_sql("PRAGMA cache_size = -500000")  # the indexes of 600,000 rows
        owner = people.find(session, "owner").id
        for handle in ANSWERED:
            people.add(session, handle, roles=["annotator"], by=owner)
        ids = {handle: people.find(session, handle).id for handle in ANSWERED}
        head = {"round": main_round(session), "protocol": store.protocol.hash}
        rows = session.execute(
            select(ItemStage.item, Item.current, ItemStage.order_key, ItemStage.rnd)
            .join(Item, Item.id == ItemStage.item).order_by(ItemStage.order_key, ItemStage.rnd, ItemStage.item)).all()
        queue = [(row.item, row.current) for row in rows]
        total = 0
        for slot, (handle, share) in enumerate(ANSWERED.items(), 1):
            given = int(share * len(queue))
            total += _answers_of(session, store, ids[handle], slot, queue[:given], head)
            last = rows[given - 1]
            session.execute(insert(TaskCursor).values(person=ids[handle], stage="annotate", order_key=last.order_key,
                                                      rnd=last.rnd, item=last.item, behind_json=[]))
        least, most = min(ANSWERED.values()), max(ANSWERED.values())
        done, begun = int(least * len(queue)), int(most * len(queue))
        _set_open(session, [item for item, _ in queue[:done]], 0, "done")
        _set_open(session, [item for item, _ in queue[done:begun]], 1, "open")
        _golden(session, [(item, place) for place, (item, _) in enumerate(queue[:begun], 1)], done)
    return total


def _answers_of(session: Session, store: Store, person: UUID, slot: int, queue: list[tuple[UUID, UUID]],
                head: dict[str, Any]) -> int:
    rows, chosen, device = iter(queue), store.protocol, store.device  # read once: each asks the database
    guideline, form = chosen.guideline_hash, chosen.form_hash
    # As SQLite keeps them: to make bytes of each id and a number of each time takes longer than to write the row.
    by, here, head = person.bytes, device.bytes, {**head, "round": head["round"].bytes}
    texts = {value: (canonical.dumps({"verdict": {"v": value}}), canonical.sha256({"verdict": {"v": value}}))
             for value in ("yes", "no")}
    every = EVERY // timedelta(microseconds=1)
    at = (now() - timedelta(days=1) - EPOCH) // timedelta(microseconds=1) - every * len(queue)
    number = 0
    while chunk := list(islice(rows, 5_000)):
        tasks, revisions, answers = [], [], []
        for item, version in chunk:
            number += 1
            value, at = _said(number, slot), at + every
            task, revision = new_id().bytes, new_id().bytes
            item, version = item.bytes, version.bytes
            said, hashed = texts[value]
            tasks.append({"id": task, "item": item, "item_version": version, "stage": "annotate", "slot": slot,
                          "person": by, "state": "submitted", "repeat_no": 0, "active_ms": 0, "wall_ms": 0,
                          "at": at, **head})
            revisions.append({"id": revision, "task": task, "item_version": version, "person": by,
                              "stage": "annotate", "protocol": head["protocol"],
                              "guideline_hash": guideline, "answers_json": said,
                              "answers_sha256": hashed, "shown": "nothing", "after_reveal": False,
                              "active_ms": 0, "wall_ms": 0, "device": here, "app_version": "bench", "at": at})
            answers.append({"item": item, "element": "", "question": "verdict", "stage": "annotate", "person": by,
                            "repeat_no": 0, "revision": revision, "form_hash": form, "value_text": value, "na": False,
                            "counts": True})
        for table, made in ((Task, tasks), (Revision, revisions), (AnswerRow, answers)):
            bulk.insert_rows(session.connection(), table, tuple(made[0]), [tuple(one.values()) for one in made])
    return number


def _set_open(session: Session, items: list[UUID], free: int, state: str) -> None:
    statement = text("update item_stage set open = :open, state = :state where item = :item")
    session.execute(statement, [{"open": free, "state": state, "item": item.bytes} for item in items])


def _said(place: int, slot: int) -> str:
    """What the person of a slot says of the item at this place of the queue."""
    return "no" if place % (3 + slot) == 0 else "yes"


def _golden(session: Session, items: list[tuple[UUID, int]], four: int) -> None:
    """The majority's answer, where there is one: the first ``four`` items have four answers, the others three."""
    rows, origin = [], canonical.dumps({"revisions": [], "standing": "rule"})
    for item, place in items:
        said = Counter(_said(place, slot) for slot in range(1, 5 if place <= four else 4))
        (value, n), *other = said.most_common()
        if not other or other[0][1] < n:
            rows.append((item.bytes, "", "verdict", canonical.dumps({"v": value}), "majority", said.total(), origin,
                         False))
    bulk.insert_rows(session.connection(), Gold, ("item", "element", "question", "value_json", "rule", "n",
                                                  "from_json", "locked"), rows)
