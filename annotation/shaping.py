"""From one record of a file to candidate items: joined, exploded, paired, keyed, every field checked."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from annotation import canonical, recipes
from annotation.errors import N_, Refused, Where
from annotation.fields import Field, check_fields, kinds
from annotation.form import check_item
from annotation.items import CandidateItem, fold, normal
from annotation.pictures import Pictures
from annotation.plans import Numbered, Plan, Row, by_name, expanded, made_by, plan_of
from annotation.protocol_models import Protocol
from annotation.reading.record import Record, Source
from annotation.recipes import MISSING, Recipe, Template

KEY_NAMES = ("key", "id", "item", "item_id", "qid", "question_id", "uid", "uuid", "index")
KEY_LIMIT = 300


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """Why a row does not come in, and the record it was made from."""

    fault: Refused
    record: Record

    def as_json(self) -> dict[str, Any]:
        """The refusal as the report and the file of refused rows show it."""
        where = asdict(self.fault.where)
        return {**{name: where[name] for name in ("file", "line", "column", "key")}, "value": _shown(where["value"]),
                "item": _shown(where["item"]), "code": self.fault.code, "message": str(self.fault)}


class Shaper:
    """Makes candidate items of one source's records. ``partners`` are the join file's records by key."""

    def __init__(self, protocol: Protocol, source: Source, pictures: Pictures, *, recipe: Recipe | None = None,
                 partners: Mapping[str, Any] | None = None, key_name: str | None = None) -> None:
        self.protocol, self.source, self.pictures, self.recipe = protocol, source, pictures, recipe
        self.partners = partners or {}
        self.seen: dict[str, int] = {}
        self.columns: set[str] = set(source.columns or ())
        self.rows_made = 0
        self._key_name = key_name
        self._folded = ""  # of the key looked at last
        self._fields = protocol.fields
        self._private = frozenset(field.name for field in protocol.fields if field.private)
        self._media = tuple(field for field in protocol.fields if kinds[field.kind].media)
        self._lists = frozenset(field.name for field in protocol.fields if kinds[field.kind].elements)
        self._tags = tuple(field.name for field in protocol.fields if field.kind == "tag" and not field.private)
        self._plans = tuple(plan_of(one) for one in recipe.sets) if recipe else ()
        if not recipe:
            self._plans = (self._plan_by_name(),)

    # --- columns ---

    def check_columns(self) -> None:
        """Refuse a table whose header lacks what is needed, before its first row."""
        if self.source.columns is not None:
            self._missing_columns(required_only=self.recipe is None)

    def check_seen(self) -> None:
        """Refuse the file where a needed key never occurred in any record; ask after the last one."""
        if self.columns:
            self._missing_columns(required_only=self.recipe is None)

    def unused(self) -> list[str]:
        """Names of the file's columns that nothing was made of."""
        used = {first for plan in self._plans for first in plan.used}
        used |= {parts[0] for plan in self._plans if plan.key for choices in plan.key.choices for parts in choices}
        used |= {plan.explode[0] for plan in self._plans if plan.explode}
        if self.recipe and self.recipe.join:
            used |= {recipes.parts_of(self.recipe.join.on)[0], self.recipe.join.with_}
        return sorted(self.columns - used - {self._key_name or ""})

    def _missing_columns(self, *, required_only: bool) -> None:
        for plan in self._plans:
            made = made_by(plan)
            joined = {self.recipe.join.with_} if self.recipe and self.recipe.join else set()
            wanted = {name: firsts for name, firsts in plan.first.items()
                      if name not in plan.optional and (not required_only or self.protocol.field(name).required)}
            if plan.explode:
                wanted["explode"] = (plan.explode[0],)
            for firsts in wanted.values():
                if not any(first in self.columns | made | joined or any(
                        column.startswith(f"{first}.") for column in self.columns) for first in firsts):
                    self._refuse_column(firsts[0])
            for choices in plan.key.choices if plan.key else ():
                if not any(parts[0] in self.columns | made | joined | {"n", "row"} for parts in choices):
                    self._refuse_column(choices[0][0])
        if self.recipe and self.recipe.join:
            first = recipes.parts_of(self.recipe.join.on)[0]
            if first not in self.columns:
                self._refuse_column(first)

    def _refuse_column(self, name: str) -> None:
        known = sorted(self.columns)
        hint = "" if self.recipe else N_(" Call the columns like the fields, or choose a recipe that says which column "
                                             "is which (docs/recipes.md).")
        raise Refused(N_("'{file}' has no '{name}'. It has: {known}.{hint}"), code="missing_column",
                      where=Where(file=self.source.file, line=1, key=name), file=self.source.file, name=name,
                      known=", ".join(known[:30]) + (", .." if len(known) > 30 else ""), hint=hint)

    # --- rows ---

    def rows(self, record: Record) -> Iterator[CandidateItem | RefusedRow]:
        """Every candidate item of ``record``, or why there is none."""
        if record.fault is not None:
            yield self._refused(record.fault, record)
            return
        value = record.value
        if not isinstance(value, dict):
            yield self._refused(Refused(N_("the record is {kind}, not an object with named values"), code="bad_type",
                                        where=Where(value=str(value)[:80]), kind=_kind_in_words(value)), record)
            return
        if self.source.columns is None:
            self.columns.update(value)
        if not self.rows_made and self.recipe is None and self.source.columns is None:
            self._plans = (self._plan_by_name(),)
        try:
            value = self._joined(value)
        except Refused as fault:
            yield self._refused(fault, record)
            return
        for plan in self._plans:
            if plan.explode is None:
                yield self._row(plan, value, 1, record)
                continue
            n = 0
            try:
                for row in expanded(plan, value, record.number):
                    n += 1
                    yield self._row(plan, row, n, record)
            except Refused as fault:
                yield self._refused(fault, record)

    def _joined(self, value: dict[str, Any]) -> dict[str, Any]:
        join = self.recipe.join if self.recipe else None
        if join is None:
            return value
        key = recipes.key_text(recipes.read(value, recipes.parts_of(join.on)))
        if key is not None and key in self.partners:
            return {**value, join.with_: self.partners[key]}
        if join.unmatched == "keep":
            return value
        raise Refused(N_("'{name}' has no record with {right} = {key}"), code="no_partner",
                      where=Where(key=join.on, value=key, item=key), name=join.with_, right=join.right, key=key)

    def _row(self, plan: Plan, row: Row, n: int, record: Record) -> CandidateItem | RefusedRow:
        self.rows_made += 1
        key: str | None = None
        values: dict[str, Any] = {}
        try:
            if plan.key is not None:
                named = Numbered(row, n, record.number) if plan.numbered else row
                key = self._key(plan.key.fill(named), record)
            for name, get in plan.getters:
                value = get(row)
                if value is MISSING or value is None:
                    continue
                if value.__class__ is not str:
                    value = self._embedded(value)
                elif not self.source.typed and name in self._lists and value[:1] == "[":
                    value = _cell_as_list(name, value)
                values[name] = value
            checked = check_fields(self._fields, values)
            check_item(self.protocol, checked)
            if key is None:
                key = self._key(_content_key(checked), record)
            refs = self._resolve(checked, plan.root) if self._media else ()
        except Refused as fault:
            return self._refused(_said_better(fault, values, self.source.encoding).at(item=key), record, plan)
        secret = {name: checked.pop(name) for name in self._private if name in checked} if self._private else {}
        self.seen[self._folded] = record.line or record.number
        tags = tuple((name, checked[name]) for name in self._tags if name in checked)
        return CandidateItem(key, checked, secret, tags, refs, self.source.file, record.line or record.number, record,
                             self._folded)

    def _key(self, text: str, record: Record) -> str:
        key = normal(text)
        if not key:
            raise Refused(N_("the key is empty"), code="missing_value", where=Where(key=self._key_name))
        canonical.check_text(key)
        if len(key) > KEY_LIMIT:
            raise Refused(N_("the key is longer than {limit} characters"), code="too_long", limit=KEY_LIMIT,
                          where=Where(key=self._key_name, value=key[:80]))
        if not key.isprintable() and any(unicodedata.category(letter) in ("Cc", "Zl", "Zp") for letter in key):
            raise Refused(N_("the key holds a line break or another character that cannot be shown"), code="bad_value",
                          where=Where(key=self._key_name, value=key[:80]))
        self._folded = fold(key)
        first = self.seen.get(self._folded)
        if first is not None:
            raise Refused(N_("the key '{key}' stands in line {first} already (capitals do not count)"),
                          code="duplicate_key", where=Where(key=self._key_name, value=key[:80], item=key), key=key,
                          first=first)
        return key

    def _resolve(self, checked: dict[str, Any], root: str) -> tuple[tuple[str, str, str | None, str], ...]:
        """Put the pictures that ``checked`` names into the project; fills their references in place."""
        refs = []
        for field in self._media:
            value = checked.get(field.name)
            for element, holder, name in _places(checked, field, value):
                ref = holder[name]
                try:
                    if ref["sha256"] is None or ref["sha256"] not in self.pictures.refs:
                        holder[name] = ref = self.pictures.find(ref["path"], root=root)
                except Refused as fault:
                    raise fault.at(key=field.name, value=ref["path"][:80]) from None
                refs.append((field.name, element, ref["sha256"], ref["path"]))
        return tuple(refs)

    def _embedded(self, value: Any) -> Any:
        """Pictures that parquet files carry as ``{"bytes", "path"}`` become references."""
        if isinstance(value, bytes):
            return self.pictures.embedded(value, "picture")
        if isinstance(value, dict) and isinstance(value.get("bytes"), bytes):
            return self.pictures.embedded(value["bytes"], value.get("path") or "picture")
        if isinstance(value, list) and value and not isinstance(value[0], str):
            return [self._embedded(one) for one in value]
        return value

    def _refused(self, fault: Refused, record: Record, plan: Plan | None = None) -> RefusedRow:
        column = record.column
        key = fault.where.key
        if plan is not None and key is not None:
            firsts = plan.first.get(key) or (key,)
            key = next((first for first in firsts if first in self.columns), firsts[0])
        if self.source.columns is not None and key in self.source.columns:
            column = self.source.columns.index(key) + 1
        value = fault.where.value
        if value is None and key is not None and isinstance(record.value, dict):
            found = record.value.get(key)
            value = None if found is None else str(found)
        # The key is the name in the file, which is what has to be mended, and not the field's.
        fault.where = replace(fault.where, key=key)
        fault.at(file=self.source.file, line=record.line, column=column, value=_shown(value))
        return RefusedRow(fault, record)

    # --- without a recipe ---

    def _plan_by_name(self) -> Plan:
        """Keys equal to the protocol's field names, a key from the usual names; a folder fills the image field."""
        plain: dict[str, list[str]] = {}  # "Patient Question" is the field patient_question, where no other is
        for column in self.columns:
            plain.setdefault(column.lower().replace(" ", "_"), []).append(column)
        names = {field.name: plain[field.name][0] if field.name not in self.columns
                 and len(plain.get(field.name, ())) == 1 else field.name for field in self._fields}
        key: Template | None = None
        if self.source.format == "images":
            names.update(_image_field(self.protocol))
            key = Template("{path}")
            self._key_name = "path"
        else:
            if self._key_name is None:
                lowered = {column.lower(): column for column in sorted(self.columns, reverse=True)}
                self._key_name = next((lowered[name] for name in KEY_NAMES if name in lowered), None)
            if self._key_name is not None:
                key = Template("{" + self._key_name + "}")
                key.choices = (((self._key_name,),),)
        return Plan(None, False, key, tuple((name, by_name(column)) for name, column in names.items()),
                     {name: (column,) for name, column in names.items()}, frozenset(), frozenset(names.values()), ".")


def _places(checked: dict[str, Any], field: Field, value: Any) -> Iterator[tuple[str, dict[str, Any], str]]:
    """(element id, holder, name in it) of every media reference in a checked value."""
    if isinstance(value, dict):
        yield "", checked, field.name
    elif isinstance(value, list):
        for element in value:
            for name in ("image", "figure"):
                if name in element:
                    yield element["id"], element, name


def _image_field(protocol: Protocol) -> dict[str, str]:
    pictures = [field for field in protocol.fields if field.kind in ("image", "images") and not field.private]
    chosen = [field for field in pictures if field.required] or pictures
    if len(chosen) != 1:
        raise Refused(N_("the protocol has {n} picture fields; a recipe must say which one the folder fills"),
                      code="missing_column", n=len(chosen))
    return {chosen[0].name: "path"}


def _content_key(checked: dict[str, Any]) -> str:
    """The key of an item whose file has none: its contents, so that the order of the rows does not matter."""
    return "h" + hashlib.sha256(canonical.dumps(checked).encode()).hexdigest()[:16]


def _cell_as_list(name: str, text: str) -> Any:
    try:
        return canonical.loads(text)
    except ValueError:
        raise Refused(N_("'{field}': the cell begins like a JSON list but is none"), code="bad_type",
                      where=Where(key=name, value=text[:80]), field=name) from None


def _kind_in_words(value: Any) -> str:
    words = {list: N_("a list"), str: N_("a text"), int: N_("a number"), float: N_("a number"),
             bool: N_("true or false")}
    return words.get(type(value), N_("nothing"))


def _said_better(fault: Refused, values: Mapping[str, Any], encoding: str | None) -> Refused:
    """A NaN inside a value of a wrong type, a broken byte inside a text: that is what the person wants to know; and
    in which field it stands."""
    name = fault.where.key
    value = values.get(name) if name is not None else None
    if fault.code == "not_unicode" and isinstance(value, str):
        broken = _BROKEN.search(value)
        if broken is not None:
            return Refused(N_("'{field}': the byte 0x{byte} is no letter in {encoding}; say --encoding, or mend it"),
                           code="not_unicode", where=fault.where, field=name,
                           byte=f"{ord(broken[0]) - 0xDC00:02X}", encoding=encoding)
    better = fault
    if fault.code == "bad_type" and value is not None:
        try:
            canonical.dumps(value)
        except Refused as deeper:
            better = deeper
    if name is None or f"'{name}'" in str(better):
        return better
    return Refused(N_("'{field}': {why}"), code=better.code, where=fault.where, field=name, why=str(better))


# A byte that could not be decoded, as reading.encoding hands it on.
_BROKEN = re.compile("[\udc80-\udcff]")
_HALF = re.compile("[\ud800-\udfff\x00]")


def _shown(value: str | None) -> str | None:
    """At most 80 characters that any file can hold."""
    return None if value is None else _HALF.sub("\ufffd", value[:80])
