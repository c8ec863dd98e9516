# SPDX-License-Identifier: Apache-2.0
"""Reads a file of predictions: its shape, its ids, and that no row stands twice."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from sys import intern
from typing import Any

from annotation.errors import N_, Refused, Where
from exports.scorer.gold_side import GoldSide
from exports.scorer.lines import read_bytes, sha256_of
from exports.scorer.metric import SHORT, Unit
from exports.scorer.options import Reader
from exports.scorer.readers import rows_in

SAYS = ("answer", "response", "scores", "judge_score", "refused")
TEXTS = ("question", "element", "rater", "condition", "judge", "prompt_hash", "tier")
KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(TEXTS, (str,)), "epoch": (int, str), "seconds": (int, float), "refused": (bool,),
    "scores": (list, dict), "order": (list,)}
_NO_ROWS: list[Mapping[str, Any]] = []


@dataclass(frozen=True, slots=True)
class Predictions:
    """Rows by public id, in the order of the file. ``people``: whether raters answer; ``outside``: rows passed over
    because they are for items of another version of the bundle.
    """

    file: str | None
    sha256: str | None
    by_id: Mapping[str, list[Mapping[str, Any]]]
    people: bool = False
    outside: int = 0

    def of(self, unit: Unit) -> list[Mapping[str, Any]]:
        """The rows for one unit; of a whole item (without a question) those that a judge was asked about."""
        rows, question, element = self.by_id.get(unit.id, _NO_ROWS), unit.question, unit.element
        if len(rows) == 1 and rows[0]["question"] == question and rows[0]["element"] == element:
            return rows
        if question is None:
            return [row for row in rows if "judge_score" in row or row.get("refused")] or rows
        return [row for row in rows if row["question"] == question and row["element"] == element]


def read_predictions(path: Path, side: GoldSide, scored: Iterable[str | None], *,
                     readers: Mapping[str, Reader] | None = None, elsewhere: Collection[str] = ()) -> Predictions:
    """The predictions of ``path`` for a bundle; ``scored``: the questions that are scored.

    Ids are the bundle's public ids or its keys, one kind in a file; those of ``elsewhere`` (another version of the
    bundle) and of items that were taken out may stand there too and are passed over. A row without ``question`` is
    for the one question scored.
    Refused, with file, line and key: what cannot be read, unknown ids, questions and elements, rows that stand twice,
    rows that say nothing, and people and models in one file.
    """
    data, file = read_bytes(path), str(path)
    shapes: set[tuple[Any, ...]] = set()
    numbered = [(line, _shape(row, line, file, shapes)) for line, row in rows_in(path, data, readers or {})]
    sha256 = sha256_of(data)
    del data
    if not numbered:
        raise Refused(N_("{file} holds no predictions"), code="empty", file=file, where=Where(file=file))
    keys = {key for shape in shapes for key in shape}
    people = "rater" in keys and _people(numbered, file)
    if "epoch" in keys:
        _epochs(numbered, file)
    public = _public_ids(numbered, side, file, {*elsewhere, *side.gone} if side.gone else elsewhere)
    questions = tuple(dict.fromkeys(question for question in scored if question is not None))
    rest = _Rest(side, questions, file)
    seen: set[tuple[Any, ...]] = set()
    by_id: dict[str, list[Mapping[str, Any]]] = {}
    outside = 0
    for line, row in numbered:
        given = row["id"]
        row["id"] = id = public.get(given)
        if id is None:
            outside += 1
            continue
        rest.settle(row, line, given)
        rows = by_id.get(id)
        if rows is None:
            by_id[id] = [row]
            continue
        if len(rows) == 1:
            seen.add(_same(rows[0]))
        if _same(row) in seen:
            first = next(number for number, other in numbered if other["id"] == id and _same(other) == _same(row))
            raise Refused(N_("line {line}: the item {id} was answered already in line {first} (same question, element, "
                             "rater, condition and epoch)"), code="duplicate_key", line=line, id=given, first=first,
                          where=Where(file=file, line=line, item=given, key="id", value=given[:80]))
        seen.add(_same(row))
        rows.append(row)
    return Predictions(file, sha256, by_id, people, outside)


def _same(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """What no two rows of a file have in common."""
    return (row["id"], row["question"], row["element"], row.get("rater"), row.get("condition"), row.get("epoch"))


class _Rest:
    """Fills in question and element of each row, and refuses those that the bundle does not have."""

    def __init__(self, side: GoldSide, questions: tuple[str, ...], file: str) -> None:
        self._questions, self._file = questions, file
        self._known = {question: question for question in side.questions}  # one text for each, however many rows
        self._elements: dict[tuple[str, str | None], set[str | None]] = {}
        self._golden: dict[str | None, set[str]] = {question: set() for question in side.gold_questions}
        for gold in side.gold:
            if gold["element"] is None:
                self._golden[gold["question"]].add(gold["id"])
            else:
                self._elements.setdefault((gold["id"], gold["question"]), set()).add(gold["element"])

    def settle(self, row: dict[str, Any], line: int, given: str) -> None:
        question = row.setdefault("question", None)
        element = row.setdefault("element", None)
        answer = row.get("answer")
        if type(answer) is str and len(answer) < SHORT:
            row["answer"] = intern(answer)  # most answers are the same few texts
        if question is None and self._questions:
            row["question"] = question = _only(self._questions, row, line, self._where(line, given, "question", None))
        elif question in self._known:
            row["question"] = self._known[question]
        elif question is not None:
            raise Refused(N_("line {line}: the bundle has no question '{name}'; it has: {known}"), code="unknown_id",
                          line=line, name=question, known=", ".join(sorted(self._known)),
                          where=self._where(line, given, "question", question))
        golden = row["id"] in self._golden.get(question, ())
        if element is None and golden:
            return
        allowed = self._elements.get((row["id"], question), ())
        if question in self._questions and (allowed or golden) and element not in allowed:
            raise Refused(N_("line {line}: the item {id} has no element '{element}' for {question}"),
                          code="unknown_id", line=line, id=row["id"], element=element, question=question,
                          where=self._where(line, given, "element", element))

    def _where(self, line: int, given: str, key: str, value: Any) -> Where:
        return Where(file=self._file, line=line, item=given, key=key, value=_short(value))


def _shape(row: dict[str, Any], line: int, file: str, shapes: set[tuple[Any, ...]]) -> dict[str, Any]:
    """Every key that is read has its type; keys that are not read may stand in the file. ``shapes`` are keys with
    types that were right before: most rows of a file are alike.
    """
    shape = (*row, *map(type, row.values()))
    if shape in shapes and row["id"]:
        return row
    if not isinstance(row.get("id"), str) or not row["id"]:
        raise Refused(N_("line {line} has no 'id' (a text)"), code="missing_value" if "id" not in row else "bad_type",
                      line=line, where=Where(file=file, line=line, key="id", value=_short(row.get("id"))))
    for key, value in row.items():
        if value is not None and (kinds := KINDS.get(key)) and (
                not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds)):
            raise Refused(N_("line {line}: '{key}' is not a {kind}"), code="bad_type", line=line, key=key,
                          kind=_words(kinds), where=Where(file=file, line=line, key=key, value=_short(value)))
    if not any(key in row for key in SAYS):
        raise Refused(N_("line {line} says nothing: it has none of {keys}"), code="missing_value", line=line,
                      keys=", ".join(SAYS), where=Where(file=file, line=line, key="answer", item=row["id"]))
    shapes.add(shape)
    return row


def _words(kinds: tuple[type, ...]) -> str:
    names = {str: "text", int: "whole number", float: "number", bool: "true or false", list: "list", dict: "mapping"}
    return " or ".join(names[kind] for kind in kinds)


def _short(value: Any) -> str | None:
    return None if value is None else str(value)[:80]


def _people(numbered: list[tuple[int, dict[str, Any]]], file: str) -> bool:
    """Whether raters answer. Rows without a rater are one model's, so one file holds either."""
    named = sum(row.get("rater") is not None for _, row in numbered)
    if 0 < named < len(numbered):
        line, row = next((line, row) for line, row in numbered if row.get("rater") is None)
        raise Refused(N_("line {line} names no rater, and others do; people and a model are two files"),
                      code="missing_value", line=line, where=Where(file=file, line=line, key="rater", item=row["id"]))
    return named > 0


def _epochs(numbered: list[tuple[int, dict[str, Any]]], file: str) -> None:
    """An epoch that is a number is one however it is written: ``"1"``, as cells of a table are, is 1.

    Refused where a rater, under one condition, names the epoch of some rows alone: the others would count as a run of
    their own, in which nearly everything is missing.
    """
    with_it: dict[tuple[Any, ...], bool] = {}
    for line, row in numbered:
        epoch = row.get("epoch")
        if isinstance(epoch, str) and re.fullmatch("0|[1-9][0-9]{0,17}", epoch):
            row["epoch"] = int(epoch)
        one = (row.get("rater"), row.get("condition"), row.get("question"))
        if with_it.setdefault(one, epoch is not None) != (epoch is not None):
            raise Refused(N_("line {line} names no epoch and others do, or the other way round; runs are told apart by "
                             "their epoch"), code="missing_value", line=line,
                          where=Where(file=file, line=line, key="epoch", item=row["id"]))


def _only(questions: tuple[str, ...], row: Mapping[str, Any], line: int, where: Where) -> str | None:
    if len(questions) == 1:
        return questions[0]
    if "judge_score" in row:
        return None
    raise Refused(N_("line {line} names no question, and several are scored: {known}"), code="missing_value",
                  line=line, known=", ".join(questions), where=where)


def _public_ids(rows: list[tuple[int, dict[str, Any]]], side: GoldSide, file: str,
                elsewhere: Collection[str]) -> Mapping[str, str]:
    """From each id of the file to the public id; all are public ids, or all are keys."""
    given = dict.fromkeys(row["id"] for _, row in rows)
    same = dict(zip(side.items, side.items, strict=True))
    known = {public: sum(map(table.__contains__, given)) for public, table in ((True, same), (False, side.keys))}
    # Those of which more are here come first: to another version of the bundle both may be known.
    for table in (same, side.keys) if known[True] >= known[False] else (side.keys, same):
        if known[table is same] == len(given) or all(id in table or id in elsewhere for id in given):
            return table
    first = next(iter(given))
    table, other = (side.keys, same) if first in side.keys and first not in same else (same, side.keys)
    line, unknown = next((line, row["id"]) for line, row in rows
                         if row["id"] not in table and row["id"] not in elsewhere)
    where = Where(file=file, line=line, key="id", value=unknown[:80], item=unknown[:80])
    if unknown in other:
        raise Refused(N_("line {line}: '{id}' is a {this}, but the file began with {that}; use one of them"),
                      code="unknown_id", line=line, id=unknown, this="key" if other is side.keys else "public id",
                      that="keys" if table is side.keys else "public ids", where=where)
    if side.gone and table is side.keys:
        raise Refused(N_("line {line}: the bundle has no item '{id}'; items were taken out ({n}), and their keys with "
                         "them: leave out the line, or use public ids"), code="unknown_id", line=line,
                      id=unknown[:80], n=len(side.gone), where=where)
    raise Refused(N_("line {line}: the bundle has no item '{id}'"), code="unknown_id", line=line, id=unknown[:80],
                  where=where)
