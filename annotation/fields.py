"""Kinds of field a protocol may show, and how a value is checked and brought into its stored form."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field as Key
from pydantic import model_validator

from annotation.canonical import check_text
from annotation.errors import N_, Refused, Where
from annotation.protocol_base import Label, Model, Name
from annotation.questions.base import Shuffle, in_words
from annotation.registry import Registry

Value = Any
Kind = Literal["text", "markdown", "tag", "number", "table", "image", "images", "candidates", "steps"]
MAX_TEXT = 1_000_000
_NUMBER = re.compile(r"^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$")


class Field(Model):
    """``private``: never shown, only in ``private/`` of a bundle. ``pin``: stays in sight while the rest scrolls."""

    name: Name
    kind: Kind
    label: Label = ""
    hint: Label = ""
    required: bool = False
    pin: bool = False
    private: bool = False
    unit: Label = Key("", description="of a number")
    shuffle: Shuffle = Key("never", description="of candidates: the order in which they are shown")

    @model_validator(mode="before")
    @classmethod
    def _label_from_name(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and data.get("name") and not data.get("label"):
            return {**data, "label": in_words(data["name"])}
        return data

    @model_validator(mode="after")
    def _fitting(self) -> Field:
        if self.unit and self.kind != "number":
            raise ValueError("only a number has a unit")
        if self.shuffle != "never" and self.kind != "candidates":
            raise ValueError("only candidates are shuffled")
        if self.private and self.pin:
            raise ValueError("a private field is never shown and cannot be pinned")
        return self

    @property
    def is_list(self) -> bool:
        """Whether the value is a list of elements with ids, over which questions may repeat."""
        return kinds[self.kind].elements


@dataclass(frozen=True, slots=True)
class FieldKind:
    """``check(value, field)`` gives the stored form or raises Refused; ``elements``: the value is a list with ids."""

    check: Callable[[Any, Field], Value]
    elements: bool = False
    media: bool = False


kinds: Registry[FieldKind] = Registry("field kind")


def check_fields(fields: Iterable[Field], values: Mapping[str, Any]) -> dict[str, Value]:
    """The stored form of ``values``: each checked by its kind; None and "" are missing, never the text None."""
    checked: dict[str, Value] = {}
    for field in fields:
        value = values.get(field.name)
        if value is None or value == "" or value == []:
            if field.required:
                raise Refused(N_("'{field}' is missing"), code="missing_value", where=Where(key=field.name),
                              field=field.name)
            continue
        try:
            checked[field.name] = kinds[field.kind].check(value, field)
        except Refused as fault:
            raise fault.at(key=field.name, value=str(value)[:80]) from None
    return checked


def _bad(field: Field, wanted: str, value: Any) -> Refused:
    return Refused(N_("'{field}': {value} is not {wanted}"), code="bad_type", field=field.name, wanted=wanted,
                   value=repr(value)[:80])


def _text(value: Any, field: Field) -> str:
    if not isinstance(value, str):
        raise _bad(field, "a text", value)
    if len(value) > MAX_TEXT:
        raise Refused(N_("'{field}' is longer than {limit} characters"), code="too_long", field=field.name,
                      limit=MAX_TEXT)
    return check_text(value)


def _tag(value: Any, field: Field) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    text = _text(value, field).strip()
    if not text or len(text) > 200 or "\n" in text:
        raise Refused(N_("'{field}': a tag is one line of at most 200 characters"), code="bad_value",
                      field=field.name)
    return text


def _number(value: Any, field: Field) -> int | float:
    if isinstance(value, str) and _NUMBER.match(value.strip()):
        text = value.strip()
        value = float(text) if any(mark in text for mark in ".eE") else int(text)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _bad(field, "a number", value)
    if value != value or value in (float("inf"), float("-inf")):
        raise Refused(N_("'{field}': {value} is not a finite number"), code="not_finite", field=field.name,
                      value=str(value))
    if abs(value) > 1e300:
        raise Refused(N_("'{field}': the number is too large"), code="bad_value", field=field.name)
    return value


def _table(value: Any, field: Field) -> str:
    text = _text(value, field)
    try:
        rows = list(csv.reader(io.StringIO(text), strict=True))
    except csv.Error as fault:
        raise Refused(N_("'{field}' is not CSV: {why}"), code="bad_value", field=field.name, why=str(fault)) from None
    if not any(rows):
        raise Refused(N_("'{field}' is an empty table"), code="bad_value", field=field.name)
    return text


def media_reference(value: Any, field: Field) -> dict[str, Any]:
    """``{"sha256": hex or None, "path": name in the source file}`` of a path or of such a reference."""
    if isinstance(value, str) and value.strip():
        return {"sha256": None, "path": _text(value, field)}
    if isinstance(value, Mapping) and isinstance(value.get("path"), str) and set(value) <= {"sha256", "path"}:
        digest = value.get("sha256")
        if digest is None or (isinstance(digest, str) and re.fullmatch(r"[0-9a-f]{64}", digest)):
            return {"sha256": digest, "path": _text(value["path"], field)}
    raise _bad(field, "the name of a file", value)


def _elements(value: Any, field: Field, *, prefix: str, read: Callable[[Any], dict[str, Any]]) -> list[dict[str, Any]]:
    """A list of elements, each with an id: its own, else ``prefix`` and its position from 1."""
    if not isinstance(value, (list, tuple)) or not value:
        raise _bad(field, "a list", value)
    if len(value) > 1000:
        raise Refused(N_("'{field}' has more than 1000 elements"), code="too_long", field=field.name)
    elements = []
    for position, raw in enumerate(value, 1):
        given = raw.get("id") if isinstance(raw, Mapping) else None
        name = f"{prefix}{position}" if given is None else _element_id(given, field)
        elements.append({"id": name, **read(raw)})
    ids = [element["id"] for element in elements]
    if len(set(ids)) < len(ids):
        twice = next(name for name in ids if ids.count(name) > 1)
        raise Refused(N_("'{field}': two elements have the id '{id}'"), code="duplicate_key", field=field.name,
                      id=twice)
    return elements


def _element_id(value: Any, field: Field) -> str:
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not re.fullmatch(r"[^\s/=\x00-\x1f]{1,100}", text) or text in RESERVED_IDS:
        raise _bad(field, "an element's id (one word without / and =)", value)
    return check_text(text)


# v and na tell an answer from a level of element ids; the ties are answers of pairwise.
RESERVED_IDS = frozenset({"v", "na", "tie", "both_good", "both_bad", "left", "right"})


def _candidates(value: Any, field: Field) -> list[dict[str, Any]]:
    def read(raw: Any) -> dict[str, Any]:
        if isinstance(raw, str):
            return {"text": _text(raw, field)}
        if isinstance(raw, Mapping) and set(raw) <= {"id", "text", "image"}:
            found = {key: raw[key] for key in ("text", "image") if raw.get(key) is not None}
            if "image" in found:
                found["image"] = media_reference(found["image"], field)
            if "text" in found:
                found["text"] = _text(found["text"], field)
            if found:
                return found
        raise _bad(field, "a candidate (a text, or an object with text or image)", raw)

    return _elements(value, field, prefix="c", read=read)


def _steps(value: Any, field: Field) -> list[dict[str, Any]]:
    def read(raw: Any) -> dict[str, Any]:
        if isinstance(raw, str):
            return {"text": _text(raw, field)}
        if isinstance(raw, Mapping) and set(raw) <= {"id", "text", "figure"} and isinstance(raw.get("text"), str):
            step: dict[str, Any] = {"text": _text(raw["text"], field)}
            if raw.get("figure") is not None:
                step["figure"] = media_reference(raw["figure"], field)
            return step
        raise _bad(field, "a step (a text, or an object with text and figure)", raw)

    return _elements(value, field, prefix="", read=read)


def _images(value: Any, field: Field) -> list[dict[str, Any]]:
    def read(raw: Any) -> dict[str, Any]:
        if isinstance(raw, Mapping) and "image" in raw and set(raw) <= {"id", "name", "image"}:
            image = media_reference(raw["image"], field)
            return {"name": _text(raw.get("name") or _stem(image["path"]), field), "image": image}
        image = media_reference(raw, field)
        return {"name": _stem(image["path"]), "image": image}

    return _elements(value, field, prefix="", read=read)


def _stem(path: str) -> str:
    name = re.split(r"[/\\]", path)[-1]
    return name.rsplit(".", 1)[0] or name


kinds.add("text", FieldKind(_text))
kinds.add("markdown", FieldKind(_text))
kinds.add("tag", FieldKind(_tag))
kinds.add("number", FieldKind(_number))
kinds.add("table", FieldKind(_table))
kinds.add("image", FieldKind(media_reference, media=True))
kinds.add("images", FieldKind(_images, elements=True, media=True))
kinds.add("candidates", FieldKind(_candidates, elements=True, media=True))
kinds.add("steps", FieldKind(_steps, elements=True, media=True))
