# SPDX-License-Identifier: Apache-2.0
"""Reads a file of predictions (JSON lines): its shape, its ids, and that no row stands twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.errors import N_, Refused, Where
from exports.scorer.gold_side import GoldSide
from exports.scorer.lines import json_lines, read_bytes, sha256_of

SAYS = ("answer", "response", "scores", "judge_score", "refused")
TEXTS = ("question", "element", "rater", "condition", "judge", "prompt_hash")


@dataclass(frozen=True, slots=True)
class Predictions:
    """Rows by public id, in the order of the file."""

    file: str | None
    sha256: str | None
    by_id: Mapping[str, list[Mapping[str, Any]]]

    def of(self, id: str, question: str | None, element: str | None) -> list[Mapping[str, Any]]:
        """The rows for one unit; of a whole item (``question`` None) those that a judge was asked about."""
        rows = self.by_id.get(id, [])
        if question is None:
            return [row for row in rows if "judge_score" in row or row.get("refused")] or rows
        return [row for row in rows if row["question"] == question and row["element"] == element]


def read_predictions(path: Path, side: GoldSide, scored: Iterable[str | None]) -> Predictions:
    """The predictions of ``path`` for a bundle; ``scored``: the questions that are scored.

    Ids are the bundle's public ids or its keys, one kind in a file. A row without ``question`` is for
    the one question scored. Refused, with file, line and key: what is not JSON, unknown ids, questions
    and elements, rows that stand twice, and rows that say nothing.
    """
    data, file = read_bytes(path), str(path)
    rows = [(line, _shape(dict(row), line, file)) for line, row in json_lines(data, file)]
    public = _public_ids(rows, side, file)
    questions = tuple(dict.fromkeys(question for question in scored if question is not None))
    elements: dict[tuple[str, str], set[str | None]] = {}
    for gold in side.gold:
        elements.setdefault((gold["id"], gold["question"]), set()).add(gold.get("element"))
    known = side.questions
    seen: dict[tuple[Any, ...], int] = {}
    by_id: dict[str, list[Mapping[str, Any]]] = {}
    for line, row in rows:
        where = Where(file=file, line=line, item=row["id"])
        row = {"question": None, "element": None, **row, "id": public[row["id"]]}
        if row["question"] is None and questions:
            row["question"] = _only(questions, row, line, where)
        elif row["question"] is not None and row["question"] not in known:
            raise Refused(N_("line {line}: the bundle has no question '{name}'; it has: {known}"), code="unknown_id",
                          line=line, name=row["question"], known=", ".join(sorted(known)),
                          where=_with(where, "question", row["question"]))
        allowed = elements.get((row["id"], row["question"]))
        if row["question"] in questions and allowed and row["element"] not in allowed and (
                row["element"] is not None or None not in allowed):
            raise Refused(N_("line {line}: the item {id} has no element '{element}' for {question}"),
                          code="unknown_id", line=line, id=row["id"], element=row["element"],
                          question=row["question"], where=_with(where, "element", row["element"]))
        same = (row["id"], *(row.get(key) for key in ("question", "element", "rater", "condition", "epoch")))
        if same in seen:
            raise Refused(N_("line {line}: the item {id} was answered already in line {first} (same question, element, "
                             "rater, condition and epoch)"), code="duplicate_key", line=line, id=where.item,
                          first=seen[same], where=_with(where, "id", where.item))
        seen[same] = line
        by_id.setdefault(row["id"], []).append(row)
    return Predictions(file, sha256_of(data), by_id)


def _shape(row: dict[str, Any], line: int, file: str) -> dict[str, Any]:
    """Every key that is read has its type; keys that are not read may stand in the file."""
    if not isinstance(row.get("id"), str) or not row["id"]:
        raise Refused(N_("line {line} has no 'id' (a text)"), code="missing_value" if "id" not in row else "bad_type",
                      line=line, where=Where(file=file, line=line, key="id", value=_short(row.get("id"))))
    wanted: dict[str, tuple[type, ...]] = {
        **dict.fromkeys(TEXTS, (str,)), "epoch": (int, str), "seconds": (int, float), "refused": (bool,),
        "scores": (list, dict)}
    for key, kinds in wanted.items():
        value = row.get(key)
        if value is not None and (not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds)):
            raise Refused(N_("line {line}: '{key}' is not a {kind}"), code="bad_type", line=line, key=key,
                          kind=_words(kinds), where=Where(file=file, line=line, key=key, value=_short(value)))
    if not any(key in row for key in SAYS):
        raise Refused(N_("line {line} says nothing: it has none of {keys}"), code="missing_value", line=line,
                      keys=", ".join(SAYS), where=Where(file=file, line=line, key="answer", item=row["id"]))
    return row


def _words(kinds: tuple[type, ...]) -> str:
    names = {str: "text", int: "whole number", float: "number", bool: "true or false", list: "list", dict: "mapping"}
    return " or ".join(names[kind] for kind in kinds)


def _short(value: Any) -> str | None:
    return None if value is None else str(value)[:80]


def _with(where: Where, key: str, value: Any) -> Where:
    return Where(file=where.file, line=where.line, item=where.item, key=key, value=_short(value))


def _only(questions: tuple[str, ...], row: Mapping[str, Any], line: int, where: Where) -> str | None:
    if len(questions) == 1:
        return questions[0]
    if "judge_score" in row:
        return None
    raise Refused(N_("line {line} names no question, and several are scored: {known}"), code="missing_value",
                  line=line, known=", ".join(questions), where=_with(where, "question", None))


def _public_ids(rows: list[tuple[int, dict[str, Any]]], side: GoldSide, file: str) -> Mapping[str, str]:
    """From each id of the file to the public id; all are public ids, or all are keys."""
    given = dict.fromkeys(row["id"] for _, row in rows)
    same = {id: id for id in side.items}
    for table in (same, side.keys):
        if all(id in table for id in given):
            return table
    first = next(iter(given))
    table, other = (side.keys, same) if first in side.keys and first not in same else (same, side.keys)
    line, unknown = next((line, row["id"]) for line, row in rows if row["id"] not in table)
    where = Where(file=file, line=line, key="id", value=unknown[:80], item=unknown[:80])
    if unknown in other:
        raise Refused(N_("line {line}: '{id}' is a {this}, but the file began with {that}; use one of them"),
                      code="unknown_id", line=line, id=unknown, this="key" if other is side.keys else "public id",
                      that="keys" if table is side.keys else "public ids", where=where)
    raise Refused(N_("line {line}: the bundle has no item '{id}'"), code="unknown_id", line=line, id=unknown[:80],
                  where=where)
