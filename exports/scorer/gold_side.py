# SPDX-License-Identifier: Apache-2.0
"""The gold side of a score: what a bundle folder says is to be answered, and by which metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.errors import N_, Refused, Unknown, Where
from exports.scorer.held_out import PRIVATE_GOLD, committed_bytes
from exports.scorer.lines import is_listed, json_file, json_lines, listing, read_bytes, sha256_of
from exports.scorer.metric import TIES, Metric, Unit, metrics
from exports.scorer.people import ANNOTATIONS, Annotations, Facts

ITEMS, GOLD = "public/items.jsonl", "public/gold.jsonl"


@dataclass(frozen=True, slots=True)
class GoldSide:
    """``items`` by public id, ``keys`` from key to public id, ``gold`` rows, both with the keys that are read.

    ``scorers`` are (metric, question, settings): what the manifest says is to be computed; ``annotations`` what each
    person answered, read when a metric asks for it.
    """

    name: str
    manifest_sha256: str
    items: Mapping[str, Mapping[str, Any]]
    keys: Mapping[str, str]
    gold: tuple[Mapping[str, Any], ...]
    scorers: tuple[tuple[str, str | None, Mapping[str, Any]], ...]
    annotations: Annotations
    gone: frozenset[str] = frozenset()  # public ids of items that were taken out since the release

    @property
    def gold_questions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row["question"] for row in self.gold))

    @property
    def questions(self) -> frozenset[str]:
        """Every question that the bundle knows: with gold, or with choices."""
        return frozenset(self.gold_questions) | {name for item in self.items.values() for name in item["choices"]}


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
    rows = {path: _rows(_listed_bytes(folder / path, path, listed), folder / path, path, gone)
            for path in (ITEMS, GOLD)}
    if held_out:
        rows[GOLD] = _rows(committed_bytes(folder, manifest), folder / PRIVATE_GOLD, PRIVATE_GOLD, gone)
    items = {row["id"]: row for row in rows[ITEMS]}
    for row in rows[GOLD]:
        if row["id"] not in items:
            raise Refused(N_("the gold names the item '{id}', which the bundle does not hold"), code="unknown_id",
                          id=row["id"], where=Where(file=GOLD, key=row["id"]))
    return GoldSide(
        name=" ".join(str(manifest[key]) for key in ("name", "version") if manifest.get(key)) or folder.name,
        manifest_sha256=sha256_of(manifest_bytes),
        items=items,
        keys={row["key"]: row["id"] for row in rows[ITEMS] if isinstance(row.get("key"), str)},
        gold=tuple(rows[GOLD]),
        scorers=tuple((entry["metric"], entry.get("question"), entry.get("settings") or {})
                      for entry in _of(manifest, "scorer", list, folder / "manifest.json")),
        annotations=Annotations(folder, listed.get(ANNOTATIONS)),
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


def _rows(data: bytes, path: Path, name: str, gone: set[str]) -> list[dict[str, Any]]:
    if not data:
        return []  # a release without any gold is empty, not broken
    rows = []
    wanted = {"id": str, "choices": dict, "slices": dict} if name == ITEMS else {"id": str, "question": str}
    same: dict[Any, Any] = {}
    for line, row in json_lines(data, str(path), listed=True):
        if "tombstone" in row:
            gone.add(str(row.get("id")))
            continue  # taken out since the release: neither asked nor scored
        for key, kind in wanted.items():
            if not isinstance(row.get(key), kind):
                raise Refused(N_("line {line} of {file} lacks '{key}'"), code="bad_field", line=line, file=name,
                              key=key, where=Where(file=str(path), line=line, key=key))
        if name == ITEMS:
            kept = {"id": row["id"], "key": row.get("key"), "cluster": row.get("cluster"), "slices": row["slices"],
                    "fields": row.get("fields"), "candidates": row.get("candidates"),
                    "choices": same.setdefault(_fingerprint(row["choices"]), row["choices"])}
        else:
            kept = {"id": row["id"], "question": row["question"], "element": row.get("element"),
                    "answer": row.get("answer"), "na": row.get("na")}
        rows.append(kept)  # what is not read of a large bundle would fill the memory
    return rows


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
    offered: dict[int, tuple[tuple[str, str], ...]] = {}
    if metric.asks:
        units = [_unit(row, side.items[row["id"]], settings, side.annotations, offered) for row in side.gold
                 if row["question"] == question and not row.get("na")]
    else:
        units = [_unit({"id": id, "question": None}, item, settings, side.annotations, offered)
                 for id, item in side.items.items()]
    if metric.check is not None:
        metric.check(units)
    return units


def _unit(row: Mapping[str, Any], item: Mapping[str, Any], settings: Mapping[str, Any], annotations: Annotations,
          offered: dict[int, tuple[tuple[str, str], ...]]) -> Unit:
    """``offered`` remembers the options of each list by its identity; equal lists are one."""
    listed = item["choices"].get(row["question"], ())
    choices = offered.get(id(listed))
    if choices is None:
        choices = offered[id(listed)] = tuple((str(one["id"]), str(one.get("text") or "")) for one in listed)
    shown = tuple(str(one) for one in item.get("candidates") or ())
    if shown:
        own = {value for value, _ in choices} - set(TIES)
        # A question that compares one list of candidates of several names them in its choices.
        shown = tuple(one for one in shown if one in own) if own & set(shown) else shown
    return Unit(id=row["id"], question=row["question"], element=row.get("element"), gold=row.get("answer"),
                choices=choices, candidates=shown, cluster=item.get("cluster"), slices=item["slices"],
                settings=settings,
                facts=Facts(item, annotations, (row["id"], row.get("element"), row["question"])))
