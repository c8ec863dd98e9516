"""Small bundles of one kind of question each, made by the real verbs: a choice, a number and a preference."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import update

from annotation import items, people, protocol, tasks
from annotation.errors import Refused
from annotation.items import CandidateItem
from annotation.store.opening import create
from annotation.store.tables import Item
from exports import release
from exports.bundle import write_bundle
from exports.writers import writers

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


def by_hand(folder: Path, text: str, rows: Sequence[Mapping[str, Any]], gold: Sequence[Mapping[str, Any]], *,
            raw: Mapping[str, bytes] | None = None, held_out: Sequence[str] = ()) -> Path:
    """A bundle that no project would make: what stands in ``rows`` and ``gold``, unchecked; ``raw`` replaces files."""
    items = [{"id": f"g{n:04d}", "key": f"k{n}", "rev": 1, "split": "test", "cluster": None, "slices": {},
              "choices": {}, "candidates": [], "media": [], "canary": "canary-1", "fields": {}, **row}
             for n, row in enumerate(rows)]
    whole = {"public/items.jsonl": items, "public/annotations.jsonl": [], "public/annotators.jsonl": [],
             "public/gold.jsonl": [{"element": None, "na": False, "rule": "majority", "n": 1, "agreement": None,
                                    "standing": "rule", "signed": False, **row} for row in gold]}
    data = {path: "".join(json.dumps(row, sort_keys=True) + "\n" for row in found).encode()
            for path, found in whole.items()}
    data |= {"LICENSE": b"CC-BY-4.0\n", "CARD.md": b"# By hand\n", "public/protocol.yaml": text.encode(),
             **(raw or {})}
    for path, content in data.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    files = [{"path": path, "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), "rows": None}
             for path, content in data.items() if not path.startswith("private/")]
    head = {"schema": "gold-bundle/1.0", "name": "By hand", "version": "1.0", "licence": "CC-BY-4.0",
            "canary": "canary-1", "scorer": [], "files": files, "private": {"held_out": list(held_out)}}
    (folder / "manifest.json").write_text(json.dumps(head), encoding="utf-8")
    return folder


TEXTS = """\
id: texts
version: 1
title: Texts
fields: [{name: note, kind: text}, {name: size, kind: number}, {name: photo, kind: image}]
questions:
  - {name: good, type: choice, text: Good?, options: [{value: "yes"}, {value: "no"}]}
  - {name: score, type: scale, text: How good?, min: 1, max: 5, na: {label: N/A}}
workflow: {stages: [annotate], people_per_item: 1}
gold: {good: {rule: majority, min_people: 1}, score: {rule: median, min_people: 1}}
"""


def noted(folder: Path, *notes: Any, text: str = TEXTS, answers: Callable[[int], list[dict[str, Any]]] | None = None,
          **more: Any) -> Path:
    """A bundle by hand: one item a note, each with gold yes."""
    choices = {"good": [{"id": "yes", "text": "Yes"}, {"id": "no", "text": "No"}]}
    made = answers or (lambda n: [{"id": f"g{n:04d}", "question": "good", "answer": "yes"}])
    return by_hand(folder, text, [{"choices": choices, **more, "fields": {"note": note, **more.get("fields", {})}}
                                  for note in notes],
                          [row for n in range(len(notes)) for row in made(n)])


MADE = {"choice": choice, "number": number, "pairs": pairs}


OTHERS = [name for name in writers if name != "bundle"]


def export(name: str, bundle: Path, out: Path) -> Any:
    return writers[name].from_bundle(bundle, out)


def rows(bundle: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (bundle / "public" / f"{name}.jsonl").read_bytes().split(b"\n") if line]


def gold(bundle: Path) -> dict[str, Any]:
    """{key: answer}, from the bundle's files alone."""
    keys = {row["id"]: row["key"] for row in rows(bundle, "items")}
    return {keys[row["id"]]: row["answer"] for row in rows(bundle, "gold")}


def refused(name: str, bundle: Path, out: Path) -> Refused:
    with pytest.raises(Refused) as fault:
        export(name, bundle, out)
    left = [path.name for path in out.parent.iterdir() if path != bundle and path.name.startswith((out.name, "."))]
    assert left == []  # neither OUT nor anything half made
    return fault.value
