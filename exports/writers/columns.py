"""The columns of an export, each with one kind, and the rows that they give: item.key, item.FIELD, gold.VALUE."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from annotation.derive import group_field
from annotation.errors import N_, Refused, Where
from annotation.protocol import Protocol
from annotation.questions import MultichoiceQuestion, NumberQuestion, PairwiseQuestion, ScaleQuestion
from annotation.questions.choice import OfOptions
from annotation.questions.verdict import VerdictQuestion
from exports.writers.source import Row, Source

Kind = Literal["text", "number", "texts", "json", "image", "images", "candidates", "steps", "flag"]
FIELD_KINDS: Mapping[str, Kind] = {"number": "number", "image": "image", "images": "images",
                                   "candidates": "candidates", "steps": "steps"}
# The keys of the elements of a list field, in order; every element has all of them.
ELEMENTS: Mapping[str, tuple[str, ...]] = {"images": ("id", "name", "image"), "candidates": ("id", "text", "image"),
                                           "steps": ("id", "text", "figure")}
LARGEST = 2**53  # whole numbers beyond it are not told apart by most readers


@dataclass(frozen=True, slots=True)
class Column:
    """``sources``: the first that has a value gives it; ``each``: the value is a list of {element, answer}."""

    name: str
    sources: tuple[str, ...]
    kind: Kind
    each: bool = False

    def said(self) -> dict[str, Any]:
        return {"name": self.name, "from": "|".join(self.sources), "kind": self.kind, "each": self.each}


def columns_of(source: Source) -> tuple[Column, ...]:
    """The protocol's ``export.columns``; without any: key, split, public fields, gold values.

    A column whose gold may be N/A is followed by NAME_na (true or false), in releases that hold any N/A.
    """
    protocol = source.protocol
    asked = protocol.export.columns or {
        "key": "item.key", **{field.name: f"item.{field.name}" for field in protocol.fields if not field.private},
        **{(f"gold_{name}" if protocol.has_field(name) or name == "key" else name): f"gold.{name}"
           for name in protocol.gold}}
    with_na = {question for (_, question), rows in source.gold.items() if any(row.get("na") for row in rows)}
    columns: list[Column] = []
    for name, spec in asked.items():
        sources = tuple(part.strip() for part in spec.split("|"))
        columns.append(_column(protocol, name, sources))
        if any(one.startswith("gold.") and one[5:] in with_na for one in sources) and not columns[-1].each:
            columns.append(Column(f"{name}_na", sources, "flag"))
    _once(columns)
    return tuple(columns)


def _once(columns: list[Column]) -> None:
    names = [column.name for column in columns]
    for name in names:
        if names.count(name) > 1:
            raise Refused(N_("the column '{name}' stands twice"), code="duplicate_key", name=name)


def _column(protocol: Protocol, name: str, sources: tuple[str, ...]) -> Column:
    kinds = {_kind(protocol, one) for one in sources}
    if len(kinds) > 1:
        found = ", ".join(sorted(f"{kind} for every element" if each else kind for kind, each in kinds))
        raise Refused(N_("the column '{name}' mixes {kinds}; one column holds one kind of value"), code="bad_type",
                      name=name, kinds=found)
    kind, each = kinds.pop()
    return Column(name, sources, kind, each)


def _kind(protocol: Protocol, source: str) -> tuple[Kind, bool]:
    start, _, name = source.partition(".")
    if start == "item":
        return ("text" if name == "key" else FIELD_KINDS.get(protocol.field(name).kind, "text")), False
    return gold_kind(protocol, name), group_field(protocol, name) is not None


def gold_kind(protocol: Protocol, name: str) -> Kind:
    """The one kind of all gold values of a question or a derived value."""
    if protocol.has_question(name):
        question = protocol.question(name)
        if isinstance(question, MultichoiceQuestion):
            return "texts"
        if isinstance(question, (ScaleQuestion, NumberQuestion)):
            return "number"
        if isinstance(question, (OfOptions, PairwiseQuestion, VerdictQuestion)):
            return "text"
    scale = protocol.scale_of(name)
    return {"interval": "number", "text": "text", "nominal": "text", "ordinal": "text", "set": "texts"}.get(
        scale, "json")  # type: ignore[return-value]


def rows_of(source: Source, columns: tuple[Column, ...],
            items: tuple[Row, ...]) -> Iterator[tuple[Row, dict[str, Any]]]:
    """(item, row) of each item; every row has every column, None where there is no value."""
    for item in items:
        row = {column.name: value_of(source, column, item) for column in columns}
        yield item, row


def value_of(source: Source, column: Column, item: Row) -> Any:
    if column.kind == "flag":
        return any(row.get("na") for one in column.sources if one.startswith("gold.")
                   for row in source.gold.get((item["id"], one[5:]), ()))
    for one in column.sources:
        value = _value(source, column, one, item)
        if value is not None:
            return value
    return None


def _value(source: Source, column: Column, one: str, item: Row) -> Any:
    start, _, name = one.partition(".")
    if start == "gold":
        rows = source.gold.get((item["id"], name), ())
        if column.each:
            return [{"element": row["element"],
                     "answer": None if row.get("na") else _fitting(column, row["answer"], item)}
                    for row in rows] or None
        return None if not rows or rows[0].get("na") else _fitting(column, rows[0]["answer"], item)
    value = item["key"] if name == "key" else item["fields"].get(name)
    if value is None:
        return None
    if column.kind == "image":
        return picture_path(item, name, value)
    if column.kind in ELEMENTS:
        return [_element(item, name, column.kind, element) for element in value]
    return _fitting(column, value, item)


def _element(item: Row, field: str, kind: str, element: Row) -> dict[str, Any]:
    return {key: picture_path(item, field, element[key]) if isinstance(element.get(key), Mapping) else element.get(key)
            for key in ELEMENTS[kind]}


def picture_path(item: Row, field: str, value: Row) -> str:
    """Where the picture lies in the bundle; Refused where a draft was written without it."""
    if not value.get("path"):
        raise of_item(item, N_("a picture of {item} is missing ({field})"), code="missing_media", field=field)
    return str(value["path"])


def _fitting(column: Column, value: Any, item: Row) -> Any:
    """``value`` if it is of the column's kind, else Refused with the item."""
    kind = column.kind
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    good = {"text": isinstance(value, str), "number": is_number, "json": True,
            "texts": isinstance(value, list) and all(isinstance(one, str) for one in value)}[kind]
    if not good:
        raise of_item(item, N_("the column '{column}' holds {kind}, and {item} has {value} there"), code="bad_type",
                      column=column.name, kind=kind, value=repr(value)[:80])
    if is_number and isinstance(value, int) and abs(value) > LARGEST:
        raise of_item(item, N_("the number {value} of {item} is too large for other programs to keep exactly"),
                      code="bad_value", column=column.name, value=value)
    return value


def of_item(item: Row, template: str, *, code: str, **values: Any) -> Refused:
    """A refusal that names the item by id and key: ``{item}`` in the template."""
    return Refused(template, code=code, item=f"{item['id']} ({item['key']})", **values,
                   where=Where(key=values.get("column") or values.get("field"), item=item["id"],
                               value=str(values["value"])[:80] if "value" in values else None))


def picture_paths(columns: tuple[Column, ...], row: Mapping[str, Any]) -> Iterator[str]:
    """Every picture that a row names, by its path in the bundle."""
    for column in columns:
        value = row[column.name]
        if column.kind == "image" and value is not None:
            yield value
        elif column.kind in ELEMENTS and not column.each:
            last = ELEMENTS[column.kind][-1]
            yield from (element[last] for element in value or () if element[last] is not None)
