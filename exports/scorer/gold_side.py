# SPDX-License-Identifier: Apache-2.0
"""The gold side of a score: what a bundle folder says is to be answered, and by which metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from sys import intern
from typing import Any

from annotation.errors import N_, Refused, Unknown, Where
from exports.scorer.alike import Alike
from exports.scorer.held_out import PRIVATE_GOLD, committed_bytes
from exports.scorer.lines import is_listed, json_file, json_lines, listing, read_bytes, sha256_of
from exports.scorer.metric import SHORT, TIES, Metric, Unit, metrics
from exports.scorer.people import ANNOTATIONS, Annotations, Fields, Item

ITEMS, GOLD = "public/items.jsonl", "public/gold.jsonl"
_TEXTS = {str}


@dataclass(frozen=True, slots=True)
class GoldSide:
    """``items`` by public id, ``keys`` from key to public id, ``gold`` rows with the keys that are read.

    ``scorers`` are (metric, question, settings): what the manifest says is to be computed.
    """

    name: str
    manifest_sha256: str
    items: Mapping[str, Item]
    keys: Mapping[str, str]
    gold: tuple[Mapping[str, Any], ...]
    scorers: tuple[tuple[str, str | None, Mapping[str, Any]], ...]
    gone: frozenset[str] = frozenset()  # public ids of items that were taken out since the release

    @property
    def gold_questions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row["question"] for row in self.gold))

    @property
    def questions(self) -> frozenset[str]:
        """Every question that the bundle knows: with gold, or with choices."""
        choices = {id(item.choices): item.choices for item in self.items.values()}  # most items share theirs
        return frozenset(self.gold_questions).union(*choices.values())


def read_bundle(folder: Path, *, held_out: bool = False) -> GoldSide:
    """Items and gold of a bundle; Refused where these files are not the ones that its manifest lists.

    ``held_out``: the gold that is kept back, in place of the public one.
    """
    if not (folder / "manifest.json").is_file():
        raise Refused(N_("{name} is no bundle: it holds no manifest.json"), code="no_file", name=folder.name,
                      where=Where(file=str(folder)))
    manifest, manifest_bytes = json_file(folder / "manifest.json")
    listed = {entry["path"]: listing(entry) for entry in _of(manifest, "files", list, folder / "manifest.json")
              if isinstance(entry, dict) and {"path", "sha256"} <= entry.keys()}
    gone: set[str] = set()
    rows = _items(_listed_bytes(folder / ITEMS, ITEMS, listed), folder / ITEMS, gone,
                  Annotations(folder, listed.get(ANNOTATIONS)), Fields(lambda: _fields(folder / ITEMS, listed)))
    items = {item.id: item for item in rows}
    gold = _gold(_listed_bytes(folder / GOLD, GOLD, listed), folder / GOLD, GOLD, gone)
    if held_out:
        gold = _gold(committed_bytes(folder, manifest), folder / PRIVATE_GOLD, PRIVATE_GOLD, gone)
    for row in gold:
        if row["id"] not in items:
            raise Refused(N_("the gold names the item '{id}', which the bundle does not hold"), code="unknown_id",
                          id=row["id"], where=Where(file=GOLD, key=row["id"]))
        row["id"] = items[row["id"]].id  # the same text, once in memory
    return GoldSide(
        name=" ".join(str(manifest[key]) for key in ("name", "version") if manifest.get(key)) or folder.name,
        manifest_sha256=sha256_of(manifest_bytes),
        items=items,
        keys={item.key: item.id for item in rows if isinstance(item.key, str)},
        gold=tuple(gold),
        scorers=tuple((entry["metric"], entry.get("question"), entry.get("settings") or {})
                      for entry in _of(manifest, "scorer", list, folder / "manifest.json")),
        gone=frozenset(gone - items.keys()),
    )


def _of(record: Mapping[str, Any], key: str, kind: type, path: Path) -> Any:
    if not isinstance(record.get(key), kind):
        raise Refused(N_("{file} lacks '{key}'"), code="bad_field", file=path.name, key=key,
                      where=Where(file=str(path), key=key))
    return record[key]


def _listed_bytes(path: Path, name: str, listed: Mapping[str, str]) -> bytes:
    data = read_bytes(path)
    if not is_listed(data, listed.get(name, "")):
        raise Refused(N_("{file} is not the file that the manifest lists; run verify"), code="hash", file=name,
                      where=Where(file=str(path)))
    return data


def _items(data: bytes, path: Path, gone: set[str], annotations: Annotations, fields: Fields) -> list[Item]:
    """What is read of each item: the rest of a large bundle would fill the memory. Equal choices and tags are one."""
    rows: list[Item] = []
    same: dict[Any, Any] = {}
    tags: dict[Any, dict[str, Any]] = {}
    last: Any = None
    for line, row in _lines(data, path, gone):
        id, choices, slices = row.get("id"), row.get("choices"), row.get("slices")
        if type(id) is not str or type(choices) is not dict or type(slices) is not dict:
            raise _lacks(row, {"id": str, "choices": dict, "slices": dict}, line, path, ITEMS)
        if choices != last:
            last = same.setdefault(_fingerprint(choices), choices)
        rows.append(Item(id, row, last, _shared(slices, tags), annotations, fields))
    return rows


def _fields(path: Path, listed: Mapping[str, str]) -> dict[str, Any]:
    """The fields of every item, from the file that the manifest lists."""
    return {row["id"]: row.get("fields") for _, row in _lines(_listed_bytes(path, ITEMS, listed), path, set())}


def _gold(data: bytes, path: Path, name: str, gone: set[str]) -> list[dict[str, Any]]:
    """What is read of each row of gold; equal short answers are one text."""
    rows: list[dict[str, Any]] = []
    for line, row in _lines(data, path, gone, Alike(_kept)):
        if type(row.get("id")) is not str or type(row.get("question")) is not str:
            raise _lacks(row, {"id": str, "question": str}, line, path, name)
        rows.append(row)
    return rows


def _kept(row: dict[str, Any]) -> dict[str, Any]:
    """What is read of a row of gold."""
    if "tombstone" in row:
        return row
    question, answer = row.get("question"), row.get("answer")
    return {"id": row.get("id"), "question": intern(question) if type(question) is str else question,
            "element": row.get("element"),
            "answer": intern(answer) if type(answer) is str and len(answer) < SHORT else answer, "na": row.get("na")}


def _lines(data: bytes, path: Path, gone: set[str],
           alike: Alike | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows without those that were taken out since the release, which are neither asked nor scored."""
    if not data:
        return  # a release without any gold is empty, not broken
    for line, row in json_lines(data, str(path), listed=True, alike=alike):
        if "tombstone" in row:
            gone.add(str(row.get("id")))
        else:
            yield line, row


def _lacks(row: Mapping[str, Any], wanted: Mapping[str, type], line: int, path: Path, name: str) -> Refused:
    key = next(key for key, kind in wanted.items() if not isinstance(row.get(key), kind))
    return Refused(N_("line {line} of {file} lacks '{key}'"), code="bad_field", line=line, file=name, key=key,
                   where=Where(file=str(path), line=line, key=key))


def _shared(tags: dict[str, Any], same: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    """These tags, or equal ones met before; only texts are remembered, since 1 and true are equal and two tags."""
    place = (*tags, *tags.values())
    try:
        found = same.get(place)
    except TypeError:  # a list of tags
        return tags
    if found is None and {*map(type, place)} <= _TEXTS:
        same[place] = tags
    return tags if found is None else found


def _fingerprint(choices: Mapping[str, Any]) -> Any:
    """Equal for choices that are equal, so that 200,000 items share one list of options."""
    return tuple([(name, *[(one.get("id"), one.get("text")) for one in listed]) for name, listed in choices.items()])


def asked_of(side: GoldSide, metric: str | None) -> tuple[tuple[Metric, str | None, Mapping[str, Any]], ...]:
    """The metrics to compute with questions and settings: the bundle's own, or the one named.

    A metric that needs a question and names none takes the one that the bundle is scored by, else the only one with
    gold.
    """
    wanted = side.scorers
    if metric is not None:
        metrics[metric]
        wanted = tuple(entry for entry in side.scorers if entry[0] == metric) or ((metric, None, {}),)
    if not wanted:
        raise Unknown(N_("The bundle names no metric; name one with --metric"), code="no_metric")
    found = []
    scored = {question for _, question, _ in side.scorers if question is not None}
    for name, question, settings in wanted:
        one = metrics[name]
        if one.asks and question is None:
            if len(scored) == 1:
                question = next(iter(scored))
            elif len(side.gold_questions) != 1:
                raise Unknown(N_("{metric} needs one question; gold has: {known}"), metric=name,
                              known=", ".join(side.gold_questions) or "none")
            else:
                question = side.gold_questions[0]
        found.append((one, question if one.asks else None, settings))
    return tuple(found)


def units_of(side: GoldSide, metric: Metric, question: str | None, settings: Mapping[str, Any]) -> list[Unit]:
    """What ``metric`` scores: every item, or every gold answer of ``question`` that is not N/A.

    Raises Refused where the metric cannot score the gold.
    """
    offered: dict[tuple[int, str | None], tuple[tuple[str, str], ...]] = {}
    if metric.asks:
        units = [_unit(row, side.items[row["id"]], settings, offered) for row in side.gold
                 if row["question"] == question and not row["na"]]
    else:
        units = [_unit({"id": id, "question": None, "element": None, "answer": None}, item, settings, offered)
                 for id, item in side.items.items()]
    if metric.check is not None:
        metric.check(units)
    return units


def _unit(row: Mapping[str, Any], item: Item, settings: Mapping[str, Any],
          offered: dict[tuple[int, str | None], tuple[tuple[str, str], ...]]) -> Unit:
    """``offered`` remembers the options of each question by the identity of its choices; equal choices are one."""
    question = row["question"]
    place = (id(item.choices), question)
    choices = offered.get(place)
    if choices is None:
        listed = item.choices.get(question, ())
        choices = offered[place] = tuple((str(one["id"]), str(one.get("text") or "")) for one in listed)
    candidates: tuple[str, ...] = ()
    if item.candidates:
        candidates = tuple(str(one) for one in item.candidates)
        own = {value for value, _ in choices} - set(TIES)
        # A question that compares one list of candidates of several names them in its choices.
        candidates = tuple(one for one in candidates if one in own) if own & set(candidates) else candidates
    # In the order of the fields: names would take a fifth longer.
    return Unit(row["id"], question, row["element"], row["answer"], choices, candidates, item.cluster,
                item.slices, item, settings)
