"""What each file of a bundle holds: the one source of its JSON Schemas, of what verify asks of a row, of its order."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

SCHEMA = "gold-bundle/1.0"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
Fragment = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """A file of rows (or, with ``one`` set, of a single object). ``unique``: keys that no two rows share.

    ``stone``: what a tombstone says beside these; None where no row is ever taken out. Rows of a file that may have
    tombstones carry a nonce.
    """

    path: str
    about: str
    keys: Mapping[str, Fragment]
    may: Mapping[str, Fragment] = field(default_factory=dict)
    unique: tuple[str, ...] = ()
    one: bool = False
    stone: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        """``gold`` of public/gold.jsonl, ``private-gold`` of private/gold.jsonl."""
        stem = self.path.rpartition("/")[2].partition(".")[0]
        return f"private-{stem}" if self.path.startswith("private/") else stem

    def schema(self) -> dict[str, Any]:
        """The JSON Schema (2020-12) of one row."""
        body = self.row if self.stone is None else {"anyOf": [self.row, self.tombstone]}
        return {"$schema": DRAFT, "$id": f"urn:{SCHEMA.replace('/', ':')}:{self.name}",
                "title": f"{'' if self.one else 'a line of '}{self.path}", "description": self.about, **body}

    @property
    def row(self) -> dict[str, Any]:
        return _object({**self.keys, **({} if self.stone is None else {"nonce": NONCE})}, self.may)

    @property
    def tombstone(self) -> dict[str, Any]:
        """What stands in place of a row that was taken out: which one it was, and the hash of its line."""
        said = {key: self.keys[key] for key in (*self.unique, *(self.stone or ())) if key != "media"}
        media = {"media": _some(HASH)} if "media" in self.keys else {}
        return _object({**said, **media, "tombstone": HASH, "day": DAY, "why": TEXT},
                       {key: one for key, one in self.keys.items() if key in KEPT})


def _object(keys: Mapping[str, Fragment], may: Mapping[str, Fragment] | None = None, *, more: bool = False
            ) -> dict[str, Any]:
    return {"type": "object", "properties": {**keys, **(may or {})}, "required": sorted(keys),
            "additionalProperties": more}


def _some(fragment: Fragment) -> dict[str, Any]:
    return {"type": "array", "items": fragment}


def _or_null(fragment: Fragment) -> dict[str, Any]:
    return {**fragment, "type": [fragment["type"], "null"]}


TEXT: Fragment = {"type": "string"}
WORD: Fragment = {"type": "string", "minLength": 1}
FLAG: Fragment = {"type": "boolean"}
COUNT: Fragment = {"type": "integer", "minimum": 0}
SHARE: Fragment = {"type": "number", "minimum": 0, "maximum": 1}
ANY: Fragment = {}
THING: Fragment = {"type": "object"}
ID: Fragment = {"type": "string", "pattern": r"^(?![0-9]+$)[A-Za-z0-9._-]{1,64}$"}
HASH: Fragment = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
DAY: Fragment = {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
MOMENT: Fragment = {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"}
SECONDS: Fragment = {"type": "number", "minimum": 0}
NONCE: Fragment = {"type": "string", "pattern": "^[0-9a-f]{32}$"}
# What a tombstone keeps of its row.
KEPT = ("id", "rev", "element", "question", "stage", "round", "annotator", "adjudicator", "signer", "split", "cluster",
        "counts", "answers")
BESIDE = {"strength": {"type": "number"}, "flags": _some(TEXT), "reason": _or_null(TEXT)}  # beside an answer's value
PLACE = {"id": ID, "element": _or_null(TEXT), "question": WORD}
STAGE = {"stage": {"enum": ["annotate", "verify", "adjudicate", "sign", "write", "grade"], "type": "string"}}

ITEM_KEYS = {
    "id": ID, "key": TEXT, "rev": COUNT, "split": WORD, "cluster": _or_null(TEXT), "slices": THING, "fields": THING,
    "choices": {"type": "object", "additionalProperties": _some(_object({"id": TEXT}, {"text": TEXT}))},
    "candidates": _some(TEXT),
    "media": _some(_object(
        {"field": TEXT, "element": _or_null(TEXT), "sha256": _or_null(HASH)},
        {"path": _or_null(TEXT), "w": _or_null(COUNT), "h": _or_null(COUNT), "licence": _or_null(TEXT),
         "source": _or_null(TEXT)})),
    "canary": TEXT}
GOLD_KEYS = {
    **PLACE, "rev": COUNT, "answer": ANY, "na": FLAG, "rule": WORD, "n": COUNT,
    "agreement": _or_null(_object({"metric": TEXT, "level": TEXT, "value": {"type": ["number", "null"]}, "n": COUNT})),
    "standing": WORD, "signed": FLAG, "protocol": HASH, "frozen_at": MOMENT}
ANNOTATION_KEYS = {
    **PLACE, **STAGE, "rev": COUNT, "round": TEXT, "annotator": WORD, "answer": ANY, "na": FLAG, "withheld": FLAG,
    "day": DAY, "seconds": SECONDS, "shown": TEXT, "shown_order": _or_null(_some(TEXT)), "counts": FLAG}
DECISION_KEYS = {
    **PLACE, "adjudicator": WORD, "answer": ANY, "na": FLAG, "reason": _or_null(TEXT), "withheld": FLAG, "day": DAY,
    "inputs": _some(_object({"annotator": TEXT, "answer": ANY}, {"na": FLAG, "withheld": FLAG})),
    "shown_order": _or_null(_some(TEXT)), "gold_before": ANY}
DECISION_BESIDE = {key: value for key, value in BESIDE.items() if key != "reason"}

LINE_KEYS = {"path": WORD, "first": COUNT, "hashes": _some({"type": "string", "pattern": "^[0-9a-f]{16}$"})}

SHAPES: tuple[Shape, ...] = (
    Shape("public/items.jsonl", "An item as released: what is shown, what can be answered, its pictures.",
          ITEM_KEYS, unique=("id",), stone=("split", "media")),
    Shape("public/gold.jsonl", "A gold value, how it came about, and how far people agreed (share of agreeing pairs). "
          "Values of held-out items stand in private/gold.jsonl.", GOLD_KEYS, BESIDE,
          ("id", "element", "question"), stone=()),
    Shape("public/annotations.jsonl", "What one person answered to one question; seconds is the time spent on the "
          "whole item; counts: the answer is independent, and part of agreement and gold.", ANNOTATION_KEYS, BESIDE,
          ("id", "element", "question", "stage", "round", "annotator"), stone=("counts",)),
    Shape("public/adjudications.jsonl", "A decision, on what it was made, and the gold that stood before.",
          DECISION_KEYS, DECISION_BESIDE, ("id", "element", "question"), stone=("adjudicator",)),
    Shape("public/annotators.jsonl", "A person or machine under a pseudonym drawn for this release; items: on how many "
          "public items somebody answered or decided.",
          {"annotator": WORD, "kind": WORD, "roles": _some(TEXT), "items": COUNT}, unique=("annotator",)),
    Shape("public/soft_labels.jsonl", "The distribution of the answers that count, for a gold value: n answers, na of "
          "them N/A and withheld of them kept back; shares are of those that are neither.",
          {**PLACE, "n": COUNT, "na": COUNT, "withheld": COUNT,
           "distribution": _some(_object({"answer": ANY, "n": COUNT, "share": SHARE}))},
          unique=("id", "element", "question"), stone=()),
    Shape("public/hours.jsonl", "How long one person worked at one stage, over all public items of the release; the "
          "sum of what annotations.jsonl says.",
          {"annotator": WORD, **STAGE, "items": COUNT, "seconds": SECONDS, "hours": SECONDS},
          unique=("annotator", "stage"), stone=()),
    Shape("public/baseline.jsonl", "People against gold, for questions with a closed list; annotator null: all of "
          "them. answers: 'gold' = answers that the gold was made of, so that the share is too high; 'apart' = answers "
          "that do not count for gold.",
          {"question": WORD, "annotator": _or_null(TEXT), "answers": {"type": "string", "enum": ["apart", "gold"]},
           "n": COUNT, "correct": COUNT, "accuracy": SHARE}, unique=("question", "annotator", "answers"),
          stone=()),
    Shape("public/signoffs.jsonl", "Who signed the values of an item, and in which words.",
          {"id": ID, "signer": WORD, "day": DAY, "meaning": TEXT, "method": TEXT}, unique=("id", "signer"), stone=()),
    Shape("public/commitments.jsonl", "Of each gold value of a held-out item: the SHA-256 of its salt's 32 bytes and "
          "the 32 bytes of the SHA-256 of its line in private/gold.jsonl (with line feed).",
          {**PLACE, "commitment": HASH}, unique=("id", "element", "question")),
    Shape("public/lines.jsonl", "The first 16 hex digits of the SHA-256 of every line of a file (with its line feed), "
          "from line `first` on, so that a change can be named by its line.",
          LINE_KEYS,
          unique=("path", "first")),
    Shape("private/lines.jsonl", "The same for the files of private/.", LINE_KEYS, unique=("path", "first")),
    Shape("public/model.json", "What models are asked: the protocol's model part.",
          {"prompt": TEXT, "system": TEXT, "option_format": TEXT, "media_order": _some(TEXT), "extract": TEXT,
           "judge_prompt": TEXT}, one=True),
    Shape("private/items.jsonl", "The private fields of an item.",
          {"id": ID, "key": TEXT, "rev": COUNT, "fields": THING, "expected": ANY}, unique=("id",), stone=()),
    Shape("private/gold.jsonl", "A gold value of a held-out item.", GOLD_KEYS, BESIDE,
          ("id", "element", "question"), stone=()),
    Shape("private/annotations.jsonl", "An answer to a held-out item.", ANNOTATION_KEYS, BESIDE,
          ("id", "element", "question", "stage", "round", "annotator"), stone=("counts",)),
    Shape("private/adjudications.jsonl", "A decision about a held-out item.", DECISION_KEYS, DECISION_BESIDE,
          ("id", "element", "question")),
    Shape("private/salts.jsonl", "The 256 bits that a commitment was salted with: of a gold value (path null), or of a "
          "private file, whose commitment stands in the manifest.",
          {"id": _or_null(TEXT), "element": _or_null(TEXT), "question": _or_null(TEXT), "path": _or_null(TEXT),
           "salt": HASH}, unique=("path", "id", "element", "question")),
)
MANIFEST = Shape("manifest.json", "The head of the bundle. It lists every file but itself, SHA256SUMS and private "
                 "files; these it commits to.", {
    "schema": {"type": "string", "const": SCHEMA}, "name": TEXT, "version": WORD,
    "kind": {"type": "string", "enum": ["draft", "final"]}, "licence": _or_null(TEXT), "tool": THING, "created": MOMENT,
    "protocol": _object({"id": TEXT, "version": {}, "sha256": HASH, "form_hash": HASH}),
    "splits": {"type": "object", "additionalProperties": COUNT},
    "scorer": _some(_object({"metric": TEXT, "question": _or_null(TEXT)}, {"settings": THING})),
    "files": _some(_object({"path": WORD, "sha256": HASH, "bytes": COUNT, "rows": _or_null(COUNT)},
                           {"rows_sha256": HASH})), "canary": TEXT,
    "private": _object({
        "held_out": _some(TEXT), "items": COUNT, "values": COUNT,
        "files": _some(_object({"path": WORD, "commitment": HASH}))}),
    "anonymous": _object({}, {"nonce": HASH, "commitment": HASH})},
    {"waivers": _some(THING), "errata": _some(THING), "withdrawn": _some(THING), "tombstones": _some(THING)}, one=True)
# Files whose rows may be taken out after the release: each row carries a nonce, so that its hash tells no answer.
WITH_NONCE = frozenset(shape.path for shape in SHAPES if shape.stone is not None)
BY_PATH: Mapping[str, Shape] = {shape.path: shape for shape in (*SHAPES, MANIFEST)}


def schema_files() -> dict[str, bytes]:
    """``schema/NAME.json`` -> its bytes, as they stand in every bundle and in docs/schema."""
    return {f"schema/{shape.name}.json": (json.dumps(shape.schema(), indent=1, sort_keys=True, ensure_ascii=False)
                                          + "\n").encode() for shape in (*SHAPES, MANIFEST)}


# --- what a row lacks ------------------------------------------------------------------------------

Check = Callable[[Any, str], Iterator[str]]
Test = Callable[[Any], bool]
_KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "object": (dict,),
    "array": (list,), "null": (type(None),)}


def lacking(path: str, row: Any) -> list[str]:
    """The keys of a row that are missing, of another kind than stated, or unknown; [] where all is well."""
    shape = BY_PATH[path]
    is_stone = shape.stone is not None and isinstance(row, dict) and "tombstone" in row
    return list(dict.fromkeys(_check_of(path, is_stone)(row, "")))


def is_shaped(path: str, row: Any) -> bool:
    """Whether ``lacking`` finds nothing in a row that comes from JSON; faster, and without a word on what it is."""
    shape = BY_PATH[path]
    return _test_of(path, shape.stone is not None and isinstance(row, dict) and "tombstone" in row)(row)


@cache
def _test_of(path: str, is_stone: bool) -> Test:
    return _tester(BY_PATH[path].tombstone if is_stone else BY_PATH[path].row)


def _tester(fragment: Fragment) -> Test:
    """Tests the commonest fragments; the others are left to ``_checker``."""
    words, kind = fragment.keys(), fragment.get("type")
    if not words:
        return lambda value: True
    if isinstance(kind, list) and len(kind) == 2 and kind[1] == "null":
        some = _tester({**fragment, "type": kind[0]})
        return lambda value: value is None or some(value)
    if isinstance(kind, str) and words <= {"type", "minLength"} and len(_KINDS[kind]) == 1 and kind != "array":
        only: Any = _KINDS[kind][0]
        length = fragment.get("minLength", 0)
        return (lambda value: type(value) is only and len(value) >= length) if length else (
            lambda value: type(value) is only)
    if kind in ("integer", "number") and words == {"type", "minimum"}:
        kinds, least = _KINDS[kind], fragment["minimum"]
        return lambda value: type(value) in kinds and value >= least
    if kind == "string" and words == {"type", "pattern"}:
        fits = re.compile(fragment["pattern"]).search
        return lambda value: type(value) is str and fits(value) is not None and not value.endswith("\n")
    if kind == "string" and words == {"type", "enum"}:
        allowed = frozenset(fragment["enum"])
        return lambda value: type(value) is str and value in allowed
    if kind == "object" and words <= {"type", "properties", "required", "additionalProperties"}:
        return _object_tester(fragment)
    if kind == "array" and words == {"type", "items"}:
        one = _tester(fragment["items"])
        return lambda value: type(value) is list and all(map(one, value))
    check = _checker(fragment)
    return lambda value: next(check(value, ""), None) is None


def _object_tester(fragment: Fragment) -> Test:
    tests = {key: _tester(one) for key, one in fragment.get("properties", {}).items()}
    needed, more = frozenset(fragment.get("required", ())), fragment.get("additionalProperties", True)
    others = _tester(more) if isinstance(more, Mapping) else None if more is False else lambda value: True

    def test(value: Any) -> bool:
        if type(value) is not dict or not needed <= value.keys():
            return False
        for key, one in value.items():
            found = tests.get(key, others)
            if found is None or not found(one):
                return False
        return True

    return test


@cache
def _check_of(path: str, is_stone: bool) -> Check:
    return _checker(BY_PATH[path].tombstone if is_stone else BY_PATH[path].row)


def _checker(fragment: Fragment) -> Check:
    """A function for the few words of JSON Schema that are used above."""
    named = fragment.get("type", list(_KINDS))
    names = [named] if isinstance(named, str) else list(named)
    kinds = tuple(kind for name in names for kind in _KINDS[name])
    boolean = "boolean" in names
    pattern = re.compile(fragment["pattern"]) if "pattern" in fragment else None
    inner = _checker(fragment["items"]) if "items" in fragment else None
    keys = {key: _checker(one) for key, one in fragment.get("properties", {}).items()}
    needed, more = frozenset(fragment.get("required", ())), fragment.get("additionalProperties", True)
    others = _checker(more) if isinstance(more, Mapping) else None
    least, most, allowed = fragment.get("minimum"), fragment.get("maximum"), fragment.get("enum")
    length, const = fragment.get("minLength", 0), fragment.get("const")

    def check(value: Any, at: str) -> Iterator[str]:
        if not isinstance(value, kinds) or (isinstance(value, bool) and not boolean):
            yield at or "the row"
        elif isinstance(value, str):
            # "$" of Python also fits before a last line feed; that of JSON Schema does not
            if (len(value) < length or (pattern is not None and (value.endswith("\n") or not pattern.search(value)))
                    or (allowed is not None and value not in allowed) or (const is not None and value != const)):
                yield at
        elif isinstance(value, dict):
            for key in sorted(needed - value.keys()):
                yield f"{at}.{key}".lstrip(".")
            for key, one in value.items():
                deeper = keys.get(key, others)
                if deeper is not None:
                    yield from deeper(one, f"{at}.{key}".lstrip("."))
                elif more is False:
                    yield f"{at}.{key}".lstrip(".")
        elif isinstance(value, list):
            for n, one in enumerate(value if inner is not None else ()):
                yield from inner(one, f"{at}.{n}")  # type: ignore[misc]
        elif value is not None and not isinstance(value, bool) and (
                (least is not None and value < least) or (most is not None and value > most)):
            yield at

    return check


if __name__ == "__main__":  # python -m exports.shapes docs/schema
    for _path, _data in schema_files().items():
        Path(sys.argv[1], _path.removeprefix("schema/")).write_bytes(_data)
