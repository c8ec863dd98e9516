"""Small bundles of one kind of question each, made by the real verbs: a choice, a number and a preference."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image
from sqlalchemy import update

from annotation import items, people, protocol, tasks
from annotation.items import CandidateItem
from annotation.store.opening import create
from annotation.store.tables import Item
from exports import release
from exports.bundle import write_bundle

OPTIONS = ("left, of it", "right; of it", "Größer «innen»", "none of these")
CHOICE = """\
id: where
version: 1
title: Where is it
fields:
  - {name: question, kind: text, required: true}
  - {name: photo, kind: image}
  - {name: room, kind: tag}
questions:
  - name: place
    type: choice
    text: Where is it?
    shuffle: per_item
    options: [{value: l, label: "left, of it"}, {value: r, label: "right; of it"}, {value: i, label: "Größer «innen»"},
              {value: "no", label: none of these}]
workflow: {stages: [annotate], people_per_item: 1}
gold: {place: {rule: majority, min_people: 1}}
export:
  columns: {id: item.key, question: item.question, photo: item.photo, answer: gold.place}
  scorer: {metric: accuracy, question: place}
model:
  system: You look at one photo.
  prompt: "{question}\\n\\n{options}\\n\\nReply with the letter alone."
  media_order: [photo]
  option_format: "{letter}) {text}"
"""
NUMBER = """\
id: far
version: 1
title: How far is it
fields:
  - {name: question, kind: text, required: true}
  - {name: views, kind: images}
questions:
  - {name: distance, type: number, text: How far?, unit: m, decimals: 2, min: 0}
workflow: {stages: [annotate], people_per_item: 1}
gold: {distance: {rule: median, min_people: 1}}
export: {scorer: {metric: accuracy, question: distance}}
"""
PAIRS = """\
id: better
version: 1
title: Which is better
fields:
  - {name: prompt, kind: text, required: true}
  - {name: answers, kind: candidates, required: true}
questions:
  - {name: best, type: pairwise, text: Which is better?, on: answers, ties: [both_good, both_bad], strength: 3}
workflow: {stages: [annotate], people_per_item: 1}
gold: {best: {rule: majority, min_people: 1}}
export:
  columns: {key: item.key, prompt: item.prompt, answers: item.answers, preferred: gold.best}
  scorer: {metric: pairs, question: best}
"""


def picture(shade: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (9, 7), (shade % 256, 40, 90)).save(out, "PNG")
    return out.getvalue()


def bundle(folder: Path, text: str, rows: Sequence[Mapping[str, Any]], *, private: bool = False,
           final: bool = True) -> Path:
    """``rows``: {key, fields, answers, pictures {(field, element): bytes}, cluster}; one person answers them."""
    folder.mkdir(parents=True, exist_ok=True)
    store = create(folder / "World.goldsmith", protocol=protocol.loads(text), title="Würfel & Co", owner="owner")
    with store:
        with store.write() as session:
            owner = people.find(session, "owner").id
            people.add(session, "ana", name="Ana", roles=["annotator"], by=owner)
            media: dict[str, Any] = {}
            candidates = []
            for row in rows:
                places = []
                fields = {name: [dict(one) if isinstance(one, Mapping) else one for one in value]
                          if isinstance(value, list) else value for name, value in row["fields"].items()}
                for (field, element), data in (row.get("pictures") or {}).items():
                    put = store.media.put(data, name=f"{row['key']}.png") if data is not None else None
                    place = {"sha256": put and put.sha256, "path": f"{row['key']}.png"}
                    places.append((field, element, place["sha256"], place["path"]))
                    if put is not None:
                        media[put.sha256] = put
                    if element:
                        next(one for one in fields[field] if one["id"] == element)["image"] = place
                    else:
                        fields[field] = place
                candidates.append(CandidateItem(key=row["key"], fields=fields, media=tuple(places),
                                                secret=row.get("secret") or {}))
            items.upsert(session, candidates, by=owner, media=media)
            for row in rows:
                if row.get("cluster"):
                    session.execute(update(Item).where(Item.key == row["key"]).values(cluster=row["cluster"]))
        said = {row["key"]: row["answers"] for row in rows}
        with store.write() as session:
            ana = people.find(session, "ana").id
            while (task := tasks.next_task(session, ana)) is not None:
                tasks.submit(session, task.id, said[task.key], active_ms=1000)
        with store.write() as session:
            version = release.draw(session, "1.0" if final else None, by=people.find(session, "owner").id).version
        with store.read() as session:
            write_bundle(session, folder / "bundle", version=version, private=private)
    return folder / "bundle"


def choice(folder: Path, n: int = 12) -> Path:
    values = ("l", "r", "i", "no", "l")
    return bundle(folder, CHOICE, [{
        "key": f"k{i:02d}", "fields": {"question": f"Frage {i}: wo – genau?\u2028Zeile", "room": f"room {i % 3}"},
        "pictures": {("photo", ""): picture(i)}, "cluster": f"scene-{i % 4}",
        "answers": {"place": {"v": values[i % 5]}}} for i in range(n)])


def number(folder: Path, n: int = 10) -> Path:
    return bundle(folder, NUMBER, [{
        "key": f"k{i:02d}", "fields": {"question": f"How far is {i}?", "views": [
            {"id": "1", "name": "front"}, {"id": "2", "name": "back"}]},
        "pictures": {("views", "1"): picture(i), ("views", "2"): picture(i + 50)}, "cluster": f"scene-{i // 3}",
        "answers": {"distance": {"v": 1.5 + i // 2}}} for i in range(n)])


def pairs(folder: Path, n: int = 10) -> Path:
    values = ("c1", "c2", "both_good", "c1", "both_bad")
    return bundle(folder, PAIRS, [{
        "key": f"k{i:02d}", "fields": {"prompt": f"Prompt {i}", "answers": [
            {"id": "c1", "text": f"one {i}"}, {"id": "c2", "text": f"two {i}"}]},
        "pictures": {("answers", "c1"): picture(i)}, "cluster": f"scene-{i // 2}",
        "answers": {"best": {"v": values[i % 5], **({"strength": 2} if values[i % 5][0] == "c" else {})}}}
        for i in range(n)])


MADE = {"choice": choice, "number": number, "pairs": pairs}
