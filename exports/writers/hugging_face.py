"""The format "hf": a Hugging Face data set folder with card, a config for items, one a family, and annotations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation import canonical
from annotation.errors import N_, Refused
from exports.manifest import FileEntry
from exports.writers import hugging_face_card as card
from exports.writers import typed
from exports.writers.columns import ELEMENTS, Column, columns_of, gold_kind, rows_of
from exports.writers.registry import Format, Made, writers
from exports.writers.source import REPORT, Row, Source, listed, put
from exports.writers.tables import beside, cannot_of, differs

CANNOT = (
    "decisions of adjudicators: only the bundle has them",
    "whole numbers as such: numbers are 64-bit floats, exact up to 2**53",
    "checksums of every row, and the scorer",
)
HEAD = (Column("item_id", (), "text"), Column("item_key", (), "text"), Column("cluster", (), "text"),
        Column("slices", (), "json"), Column("canary", (), "text"))
PLACE = (Column("item_id", (), "text"), Column("question", (), "text"), Column("element", (), "text"))
ANNOTATIONS = (*PLACE, *(Column(name, (), "text") for name in ("stage", "round", "annotator", "answer", "answer_json")),
               Column("answer_number", (), "number"),
               *(Column(name, (), "flag") for name in ("na", "withheld", "counts")),
               Column("beside", (), "json"), Column("day", (), "text"), Column("seconds", (), "number"),
               Column("shown_order", (), "texts"))
FAMILIES = {"text": "choice", "texts": "choices", "number": "number", "json": "structure"}
BESIDE = ("strength", "flags", "reason")


def make(source: Source, folder: Path) -> Made:
    files: list[FileEntry] = []
    configs = _configs(source)
    for config in configs:
        schema, features = _schema(config), _features(config.columns)
        for split in config.splits(source):
            rows = (_embedded(source, config.columns, row) for row in config.rows(source, split))
            n = typed.write(folder / config.path(split), schema, rows, features=features)
            files.append(listed(folder, config.path(split), rows=n))
    cannot = cannot_of(source, _item_columns(source), gold=False)
    files.append(put(folder, "README.md", card.card(source, _places(source, configs), [*CANNOT, *cannot])))
    files.append(put(folder, "LICENSE", source.text("LICENSE")))
    files.append(put(folder, REPORT, source.report(
        "hf", configs={config.name: [column.name for column in config.columns] for config in configs},
        columns=[one.said() for one in _item_columns(source)], cannot=[*CANNOT, *cannot])))
    return Made(tuple(files), len(source.kept), cannot, source.left_out)


def read_back(source: Source, folder: Path) -> int:
    """Every row and every picture's bytes again, and the head of the card."""
    configs = _configs(source)
    card.check(folder / "README.md", _places(source, configs))
    compared = 0
    for config in configs:
        for split in config.splits(source):
            found = typed.read(folder / config.path(split), [column.name for column in config.columns])
            n = 0
            for row in config.rows(source, split):
                wanted = _embedded(source, config.columns, row)
                differs(config.path(split), [{"id": row["item_id"]}], [wanted], [next(found, None)])
                n += 1
            if next(found, None) is not None:
                raise Refused(N_("{file} was read back with more rows than the bundle has"), code="read_back",
                              file=config.path(split))
            compared += n
    return compared


class _Config:
    """One config: its columns, where its files lie, and its rows."""

    def __init__(self, name: str, columns: tuple[Column, ...]) -> None:
        self.name, self.columns = name, columns

    @property
    def folder(self) -> str:
        return "data" if self.name == "items" else self.name

    def path(self, split: str) -> str:
        return f"{self.folder}/{split}-00000-of-00001.parquet"

    def splits(self, source: Source) -> tuple[str, ...]:
        """Those with rows: ``datasets`` loads none of a config that has an empty split."""
        return tuple(split for split in source.splits if next(self.rows(source, split), None) is not None)

    def rows(self, source: Source, split: str) -> Iterator[dict[str, Any]]:
        items = tuple(item for item in source.kept if item["split"] == split)
        if self.name == "items":
            yield from _item_rows(source, self.columns, items)
        elif self.name == "annotations":
            yield from _annotation_rows(source, {item["id"] for item in items})
        else:
            yield from (row for item in items for row in _gold_rows(source, self.name, item))


def _configs(source: Source) -> list[_Config]:
    kinds = {question: gold_kind(source.protocol, question) for (_, question) in source.gold}
    families = sorted({family(source, question) for question in kinds})
    found = [_Config("items", (*HEAD, *_item_columns(source)))]
    for name in families:
        answer = next(kind for question, kind in kinds.items() if family(source, question) == name)
        found.append(_Config(name, (
            *PLACE, Column("text", (), "text"), Column("choices", (), "candidates"), Column("answer", (), answer),
            Column("answer_index", (), "number"), *(Column(one, (), "flag") for one in ("na", "signed")),
            Column("rule", (), "text"), Column("standing", (), "text"), Column("n", (), "number"),
            Column("agreement", (), "json"), Column("beside", (), "json"))))
    whole = [config for config in (*found, _Config("annotations", ANNOTATIONS)) if config.splits(source)]
    if not whole:
        raise Refused(N_("nothing of this release is left to write; datasets loads no empty folder"), code="no_gold")
    return whole


def _places(source: Source, configs: list[_Config]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(config.name, config.folder, config.splits(source)) for config in configs]


def family(source: Source, question: str) -> str:
    """The config of a question's gold: choice, choices, number, pairs, text or structure."""
    kind = gold_kind(source.protocol, question)
    scorers = {one.question: one.metric for one in source.protocol.scorers()}
    if scorers.get(question) == "pairs" or _is_pair(source, question):
        return "pairs"
    if kind == "text" and source.protocol.scale_of(question) == "text":
        return "text"
    return FAMILIES[kind]


def _is_pair(source: Source, question: str) -> bool:
    derive = source.protocol.derive.get(question)
    if derive is not None:
        return derive.compare is not None
    return source.protocol.has_question(question) and source.protocol.question(question).type == "pairwise"  # type: ignore[attr-defined]


def _item_columns(source: Source) -> tuple[Column, ...]:
    """The protocol's columns; one that would hide a key of the config is refused."""
    columns = columns_of(source)
    taken = {column.name for column in HEAD}
    return tuple(Column(f"{one.name}_", one.sources, one.kind, one.each) if one.name in taken else one
                 for one in columns)


def _item_rows(source: Source, columns: tuple[Column, ...], items: tuple[Row, ...]) -> Iterator[dict[str, Any]]:
    own = columns[len(HEAD):]
    for item, row in rows_of(source, own, items):
        yield {"item_id": item["id"], "item_key": item["key"], "cluster": item["cluster"], "slices": item["slices"],
               "canary": item["canary"], **row}


def _gold_rows(source: Source, name: str, item: Row) -> Iterator[dict[str, Any]]:
    for (id, question), rows in sorted((place, rows) for place, rows in _of_item(source, item).items()):
        if family(source, question) != name:
            continue
        choices = item["choices"].get(question) or []
        ids = [one["id"] for one in choices]
        for row in rows:
            answer = None if row.get("na") else row["answer"]
            yield {
                "item_id": id, "question": question, "element": row["element"], "text": _asked(source, question),
                "choices": [{"id": one["id"], "text": one["text"], "image": None} for one in choices],
                "answer": answer,
                "answer_index": float(ids.index(answer)) if isinstance(answer, str) and answer in ids else None,
                "na": bool(row.get("na")), "signed": bool(row.get("signed")), "rule": row.get("rule"),
                "standing": row.get("standing"), "n": row.get("n"), "agreement": row.get("agreement"),
                "beside": _beside(row)}


def _of_item(source: Source, item: Row) -> dict[tuple[str, str], tuple[Row, ...]]:
    names = (*source.protocol.value_names,)
    return {(item["id"], name): source.gold[item["id"], name] for name in names if (item["id"], name) in source.gold}


def _asked(source: Source, question: str) -> str | None:
    return source.protocol.question(question).text if source.protocol.has_question(question) else None


def _annotation_rows(source: Source, ids: set[str]) -> Iterator[dict[str, Any]]:
    for row in source.annotations():
        if row["id"] not in ids:
            continue
        answer = row["answer"]
        number = isinstance(answer, (int, float)) and not isinstance(answer, bool)
        yield {"item_id": row["id"],
               **{key: row[key] for key in ("question", "element", "stage", "round", "annotator")},
               "answer": answer if isinstance(answer, str) else None,
               "answer_json": None if answer is None or isinstance(answer, str) or number else canonical.dumps(answer),
               "answer_number": float(answer) if number else None,
               "na": bool(row["na"]), "withheld": bool(row["withheld"]), "counts": bool(row["counts"]),
               "beside": _beside(row), "day": row["day"], "seconds": row["seconds"],
               "shown_order": row["shown_order"]}


def _beside(row: Row) -> dict[str, Any] | None:
    """What stands beside a value: strength, flags, reason."""
    return {key: row[key] for key in BESIDE if row.get(key) is not None} or None


# --- pictures ------------------------------------------------------------------------------------

def _schema(config: _Config) -> Any:
    import pyarrow as pa

    return pa.schema([(column.name, typed.arrow_type(column, embedded=True)) for column in config.columns])


def _features(columns: tuple[Column, ...]) -> dict[str, Any]:
    """Only the columns with pictures: ``datasets`` finds out the others from their types."""
    found: dict[str, Any] = {}
    for column in columns:
        if column.kind == "image":
            found[column.name] = {"_type": "Image"}
        elif column.kind in ELEMENTS and column.sources and not column.each:
            *plain, last = ELEMENTS[column.kind]
            found[column.name] = {"_type": "List", "feature": {
                **{name: {"dtype": "string", "_type": "Value"} for name in plain}, last: {"_type": "Image"}}}
    return found


def _embedded(source: Source, columns: tuple[Column, ...], row: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for column in columns:
        value = row[column.name]
        if column.kind == "image" and value is not None:
            value = _picture(source, value)
        elif column.kind in ELEMENTS and value is not None:
            last = ELEMENTS[column.kind][-1]
            value = [{**one, last: one[last] and _picture(source, one[last])} for one in value]
        shown[column.name] = typed.as_stored(column, value)
    return shown


def _picture(source: Source, path: str) -> dict[str, Any]:
    return {"bytes": source.picture(path), "path": beside(path).rsplit("/", 1)[-1]}


writers.add("hf", Format("hf", "a Hugging Face folder: card, parquet with pictures, annotations", CANNOT, make,
                         read_back))
