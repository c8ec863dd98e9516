"""A project of multiple-choice questions whose options come from the items, for tests of preflight."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from sqlalchemy import update

from annotation import items, people, protocol, tasks
from annotation.items import CandidateItem
from annotation.store.opening import create
from annotation.store.project import Store
from annotation.store.tables import Item
from exports import release
from exports.preflight import Finding

PROTOCOL = """\
id: quiz
version: 1
title: A quiz
fields:
  - {name: question, kind: text, required: true}
  - {name: options, kind: candidates, label: Options}
  - {name: picture, kind: image}
  - {name: topic, kind: tag}
  - {name: origin, kind: text, private: true}
questions:
  - {name: answer, type: choice, text: Which is right?, options_from: options, required: false}
  - {name: words, type: text, text: In your words?, required: false}
workflow: {stages: [annotate], people_per_item: 1}
gold:
  answer: {rule: majority}
  words: {rule: first}
export: {scorer: {metric: accuracy, question: answer}, splits: {dev: 0.3, test: 0.7}}
"""
WORDS = ("amber basin cedar delta ember fjord grove heath inlet jetty knoll larch marsh north ocean prairie quarry "
         "ridge stone tundra upland valley willow yarrow zephyr").split()


@dataclass(slots=True)
class Row:
    """``right``: the place of the right option; None = nobody answers that. ``words``: a text answer."""

    question: str
    options: Sequence[str] = ()
    right: int | None = None
    words: str | None = None
    cluster: str | None = None
    picture: bytes | None = None
    topic: str | None = None
    origin: str | None = None
    key: str = ""
    fields: dict[str, Any] = field(default_factory=dict)


def make(folder: Path, rows: Sequence[Row], *, text: str = PROTOCOL) -> Store:
    """The project, every item answered by one person."""
    store = create(folder / "Quiz.goldsmith", protocol=protocol.loads(text), title="Quiz", owner="owner-noether")
    with store.write() as session:
        owner = people.find(session, "owner-noether").id
        people.add(session, "ana-lovelace", name="Ada Lovelace", roles=["annotator"], by=owner)
        known, made = {}, []
        for n, row in enumerate(rows):
            row.key = row.key or f"q{n:03d}"
            fields: dict[str, Any] = {"question": row.question}
            if row.options:
                fields["options"] = [{"id": f"c{k}", "text": text} for k, text in enumerate(row.options, 1)]
            if row.topic:
                fields["topic"] = row.topic
            media: tuple[tuple[str, str, str | None, str], ...] = ()
            if row.picture is not None:
                put = store.media.put(row.picture, name="p")
                known[put.sha256] = put
                fields["picture"] = {"sha256": put.sha256, "path": "p"}
                media = (("picture", "", put.sha256, "p"),)
            made.append(CandidateItem(key=row.key, fields=fields, media=media,
                                      secret={"origin": row.origin} if row.origin else {}))
        items.upsert(session, made, by=owner, media=known)
        for row in rows:
            if row.cluster:
                session.execute(update(Item).where(Item.key == row.key).values(cluster=row.cluster))
    by_key = {row.key: row for row in rows}
    with store.write() as session:
        ana = people.find(session, "ana-lovelace").id
        while (task := tasks.next_task(session, ana)) is not None:
            row = by_key[task.key]
            said: dict[str, Any] = {}
            if row.right is not None:
                said["answer"] = {"v": f"c{row.right + 1}"}
            if row.words is not None:
                said["words"] = {"v": row.words}
            tasks.submit(session, task.id, said, active_ms=1000)
    return store


def found(store: Store) -> dict[str, Finding]:
    """What preflight finds, by code (parts of one finding together would clash: there are none here)."""
    with store.read() as session:
        return {one.code: one for one in release.examine(session)}


def sentence(rng: random.Random, n: int = 14) -> str:
    return " ".join(rng.choices(WORDS, k=n)).capitalize() + "?"


def fair(n: int = 40, *, seed: int = 3, size: int = 4) -> list[Row]:
    """Questions in which nothing gives the answer away: lengths, places and style are drawn."""
    rng = random.Random(seed)
    rows = []
    for i in range(n):
        options = [" ".join(rng.choices(WORDS, k=rng.randint(2, 5))) + f" {rng.choice(WORDS)}" for _ in range(size)]
        rows.append(Row(sentence(rng), options, i % size))
    return rows


def picture(seed: int, *, size: tuple[int, int] = (160, 120), quality: int | None = None, noise: int = 0,
            exif: Image.Exif | None = None) -> bytes:
    """A picture of soft patches; the same seed is the same picture at any size and quality."""
    rng = np.random.default_rng(seed)
    image = Image.fromarray(rng.integers(0, 255, (6, 8, 3), dtype=np.uint8)).resize(size, Image.Resampling.BICUBIC)
    if noise:
        spread = np.random.default_rng(seed + 1).integers(-noise, noise + 1, (size[1], size[0], 3))
        image = Image.fromarray(np.clip(np.asarray(image) + spread, 0, 255).astype(np.uint8))
    out = io.BytesIO()
    more: dict[str, Any] = {} if exif is None else {"exif": exif}
    if quality is None:
        image.save(out, "PNG", **more)
    else:
        image.save(out, "JPEG", quality=quality, **more)
    return out.getvalue()
