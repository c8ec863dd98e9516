"""A small project made by the real verbs: three people answer ten items with every kind of question."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import UUID

from PIL import Image
from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import adjudicating, items, people, protocol, tasks
from annotation.answers import Slot
from annotation.items import CandidateItem
from annotation.store.opening import create
from annotation.store.project import Store
from annotation.store.tables import Item

PROTOCOL = """\
id: small
version: 3
title: Small and whole
source: made for a test
fields:
  - {name: question, kind: text, label: Question, required: true}
  - {name: responses, kind: candidates, label: Responses}
  - {name: picture, kind: image, label: Picture}
  - {name: topic, kind: tag, label: Topic}
  - {name: generator, kind: text, label: Generator, private: true}
questions:
  - {name: verdict, type: choice, text: Good?, options: [{value: "yes", label: "Yes, good"}, {value: "no"}]}
  - {name: better, type: pairwise, text: Which is better?, on: responses, ties: [tie], strength: 3}
  - {group: each, for_each: responses, questions: [{name: score, type: scale, text: How good?, min: 1, max: 5}]}
  - {name: note, type: text, text: Anything else?, required: false}
derive:
  outcome: {table: [{if: {verdict: ["yes"]}, value: keep}, {otherwise: drop}]}
workflow: {stages: [annotate, adjudicate], people_per_item: 3, blind: true, adjudicate: {when: no_value}}
gold:
  verdict: {rule: majority, min_people: 2}
  better: {rule: majority, min_people: 2}
  score: {rule: median}
  outcome: {from: gold}
export:
  scorer: [{metric: accuracy, question: verdict}, {metric: pairs, question: better}]
  splits: {dev: 0.3, test: 0.7}
"""
HANDLES = ("ana-lovelace", "ben-turing", "cem-hopper")
NAMES = ("Ana Lovelace", "Ben Turing", "Cem Hopper")
SECRET = "generator-model-x"
FREE_TEXT = "as Ana Lovelace told me"


def picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (8, 6), (200, 30, 30)).save(out, "PNG")
    return out.getvalue()


def make(folder: Path, *, n: int = 10, missing_picture: bool = False, text: str = PROTOCOL) -> Store:
    """The project with items and people, nobody's answers yet."""
    store = create(folder / "Small.goldsmith", protocol=protocol.loads(text), title="Small", owner="owner-noether")
    with store.write() as session:
        owner = people.find(session, "owner-noether").id
        for handle, name in zip(HANDLES, NAMES, strict=True):
            people.add(session, handle, name=name, roles=["annotator"], by=owner)
        people.add(session, "dr-curie", name="Marie Curie", roles=["adjudicator"], by=owner)
        put = store.media.put(picture(), name="red.png")
        rows = [CandidateItem(
            key=f"key-{i:02d}", folded=f"key-{i:02d}",
            fields={"question": f"Question {i}?\u2028next line",
                    "responses": [{"id": "c1", "text": f"a answer {i}"}, {"id": "c2", "text": f"other answer {i}"}],
                    "topic": "even" if i % 2 == 0 else "odd",
                    **({"picture": {"sha256": put.sha256, "path": "gen_by_model_y/red.png"}} if i == 0 else {}),
                    **({"picture": {"sha256": None, "path": "gone.png"}} if i == 1 and missing_picture else {})},
            secret={"generator": SECRET}, tags=(("topic", "even" if i % 2 == 0 else "odd"),),
            media=((("picture", "", put.sha256, "gen_by_model_y/red.png"),) if i == 0 else
                   (("picture", "", None, "gone.png"),) if i == 1 and missing_picture else ())) for i in range(n)]
        items.upsert(session, rows, by=owner, media={put.sha256: put})
    return store


def said(key: str, person: int) -> dict[str, Any]:
    """What a person answers: the first two of three always agree, and all three on even items."""
    i = int(key[-2:])
    odd_one_out = person == 2 and i % 2 == 1
    answers: dict[str, Any] = {
        "verdict": {"v": "no" if odd_one_out else "yes"},
        "better": {"v": "tie"} if i % 5 == 4 else {"v": "c2" if odd_one_out else "c1", "strength": 1 + person},
        "score": {"c1": {"v": 2 + person}, "c2": {"v": 3}},
    }
    if person == 0:
        answers["note"] = {"v": FREE_TEXT}
    return answers


def answer_all(store: Store, *, besides: Iterable[str] = (), change: dict[tuple[str, int], dict[str, Any]] | None = None
               ) -> None:
    """Everybody answers every item, but those ``besides``; ``change`` replaces single answers."""
    for number, handle in enumerate(HANDLES):
        with store.write() as session:
            person = people.find(session, handle).id
            while (task := tasks.next_task(session, person)) is not None:
                if task.key in besides:
                    tasks.skip(session, task.id, reason="later")
                    continue
                answers = (change or {}).get((task.key, number), said(task.key, number))
                tasks.submit(session, task.id, answers, active_ms=2500)


def adjudicate(session: Session, key: str, values: dict[Slot, dict[str, Any]]) -> None:
    by = people.find(session, "dr-curie").id
    adjudicating.adjudicate(session, item_of(session, key), values, by=by, reason="I asked Ben Turing")


def item_of(session: Session, key: str) -> UUID:
    return session.scalars(select(Item.id).where(Item.key == key)).one()


def owner_of(session: Session) -> UUID:
    return people.find(session, "owner-noether").id


def tree(folder: Path) -> dict[str, str]:
    """Every file of a folder with its hash."""
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file()}
