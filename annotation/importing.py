"""Brings a file of candidate items into a project: all in one transaction, every refused row said."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from annotation import canonical, items, people, recipes, trail
from annotation.collecting import no_collecting
from annotation.errors import N_, Refused, Unknown, Where
from annotation.items import CandidateItem, Upserted
from annotation.pictures import Pictures
from annotation.reading.opening import open_source
from annotation.reading.record import Record, Source
from annotation.recipes import Recipe
from annotation.refused_rows import RefusedFile, file_sha256
from annotation.shaping import RefusedRow, Shaper
from annotation.store.ids import new_id
from annotation.store.project import Store
from annotation.store.tables import ImportRun
from annotation.store.tables import Recipe as RecipeRow
from annotation.store.types import now

REPORTED = 100
CHUNK = 5000
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What one import did; ``as_json`` has the keys that the command line prints."""

    run: UUID | None
    records: int
    rows: int
    accepted: int
    new: int
    updated: int
    unchanged: int
    stale: int
    refused: int
    refusals: tuple[dict[str, Any], ...]
    refused_file: str | None
    format: str
    encoding: str | None
    delimiter: str | None
    unused: tuple[str, ...]
    stored: int
    missing: tuple[tuple[str, int], ...]
    stripped: tuple[tuple[str, tuple[str, ...]], ...]
    dry_run: bool = False

    def as_json(self) -> dict[str, Any]:
        return {
            "run": self.run.hex if self.run else None, "records": self.records, "rows": self.rows,
            "accepted": self.accepted, "new": self.new, "updated": self.updated, "unchanged": self.unchanged,
            "stale": self.stale, "refused": self.refused, "refusals": list(self.refusals),
            "refused_file": self.refused_file, "format": self.format, "encoding": self.encoding,
            "delimiter": self.delimiter, "unused": list(self.unused), "dry_run": self.dry_run,
            "media": {"stored": self.stored,
                      "missing": [{"path": path, "items": n} for path, n in self.missing],
                      "stripped": [{"file": file, "removed": list(names)} for file, names in self.stripped]},
        }


@dataclass(slots=True)
class _Tally:
    """Counts while rows go by."""

    records: int = 0
    upserted: Upserted = field(default_factory=Upserted)
    refused: int = 0
    refusals: list[dict[str, Any]] = field(default_factory=list)

    @property
    def accepted(self) -> int:
        return self.upserted.new + self.upserted.updated + self.upserted.unchanged


def import_file(store: Store, path: str | Path, *, recipe: str | Path | Recipe | None = None,
                with_files: Mapping[str, str | Path] | None = None, encoding: str | None = None,
                delimiter: str | None = None, strict: bool = False, dry_run: bool = False,
                refused: str | Path | None = None, by: UUID, progress: Progress | None = None,
                cancelled: Callable[[], bool] | None = None) -> ImportReport:
    """Bring the items of ``path`` in. Rows that are refused do not hold up the others, unless ``strict``.

    Raises Refused, with nothing changed on disk, where the file cannot be read, a column is missing,
    nothing is accepted, a row is refused under ``strict``, or ``cancelled()`` said so.
    """
    path = Path(path)
    chosen, text = _recipe(recipe)
    protocol = store.protocol
    if chosen is not None:
        recipes.check_against(chosen, protocol, file=f"{chosen.id}.yaml", text=text)
    partners = _partners(chosen, with_files or {}, encoding)
    with ExitStack() as stack:
        stack.enter_context(no_collecting())
        source = stack.enter_context(open_source(
            path, format=chosen.format if chosen else None, pick=chosen.pick if chosen else None,
            encoding_name=encoding, delimiter=delimiter))
        target = stack.enter_context(RefusedFile(path, Path(refused) if refused else None))
        session = stack.enter_context(store.read() if dry_run else store.write())
        people.require_right(session, by, "import")
        folder = path if path.is_dir() else path.parent
        pictures = Pictures(folder, None if dry_run else store.media)
        shaper = Shaper(protocol, source, pictures, recipe=chosen, partners=partners)
        shaper.check_columns()
        tally = _Tally()
        for rows in _chunks(shaper, source, tally, target, progress, cancelled):
            made = items.plan(session, rows)
            for row, fault in made.counts.refused:
                _refuse(RefusedRow(fault.at(file=source.file, line=row.source_row), row.origin), tally, target)
            if not dry_run:
                items.write(session, made, by=by, media=pictures.refs)
            tally.upserted.add(made.counts)
            turned_away = {id(row) for row, _ in made.counts.refused}
            for row in rows:
                if row.media and id(row) not in turned_away:
                    pictures.accept([{"sha256": sha256, "path": name} for _, _, sha256, name in row.media])
        _decide(shaper, tally, source, strict=strict)
        pictures.drop_unused()
        run = None if dry_run else new_id()
        report = _report(run, tally, source, shaper, pictures, target, dry_run=dry_run)
        if run is not None:
            target.write()
            _remember(session, report, run, path, chosen, text, by)
    return report


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows of a file as they would come in, for a person to look at before an import."""

    format: str
    encoding: str | None
    delimiter: str | None
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    refusals: tuple[dict[str, Any], ...]


def preview(path: str | Path, *, recipe: str | Path | Recipe | None = None, encoding: str | None = None,
            delimiter: str | None = None, limit: int = 20) -> Preview:
    """The first ``limit`` records of ``path`` as read with this encoding and delimiter (detected if None)."""
    chosen, _ = _recipe(recipe)
    with open_source(Path(path), format=chosen.format if chosen else None, pick=chosen.pick if chosen else None,
                     encoding_name=encoding, delimiter=delimiter) as source:
        records = list(islice(source.records, limit))
        columns = source.columns or tuple(dict.fromkeys(
            name for record in records if isinstance(record.value, dict) for name in record.value))
        good = tuple(record.value for record in records if record.fault is None and isinstance(record.value, dict))
        bad = tuple(RefusedRow(record.fault.at(file=source.file, line=record.line, column=record.column), record)
                    .as_json() for record in records if record.fault is not None)
        return Preview(source.format, source.encoding, source.delimiter, columns, good, bad)


# --- the way in -----------------------------------------------------------------------------------

def _recipe(recipe: str | Path | Recipe | None) -> tuple[Recipe | None, str]:
    if recipe is None or isinstance(recipe, Recipe):
        return recipe, ""
    return recipes.load(recipes.find(recipe))


def _partners(recipe: Recipe | None, with_files: Mapping[str, str | Path], encoding: str | None) -> dict[str, Any]:
    """The records of the join file by their key."""
    join = recipe.join if recipe else None
    if extra := sorted(set(with_files) - ({join.with_} if join else set())):
        raise Unknown(N_("The recipe joins no file '{name}' (--with)."), name=extra[0])
    if join is None:
        return {}
    if join.with_ not in with_files:
        raise Refused(N_("the recipe joins a second file: say --with {name}=FILE"), code="no_file", name=join.with_)
    right = recipes.parts_of(join.right)
    found: dict[str, Any] = {}
    with open_source(Path(with_files[join.with_])) as source:
        for record in source.records:
            where = Where(file=source.file, line=record.line, column=record.column, key=join.right)
            if record.fault is not None:
                raise record.fault.at(file=source.file, line=record.line, column=record.column)
            key = recipes.key_text(recipes.read(record.value, right)) if isinstance(record.value, dict) else None
            if not key:
                raise Refused(N_("'{file}', line {line}: '{name}' is missing"), code="missing_value", where=where,
                              file=source.file, line=record.line, name=join.right)
            if key in found:
                raise Refused(N_("'{file}' has two records with {name} = {key}"), code="duplicate_key", where=where,
                              file=source.file, name=join.right, key=key)
            found[key] = record.value
    return found


def _chunks(shaper: Shaper, source: Source, tally: _Tally, target: RefusedFile, progress: Progress | None,
            cancelled: Callable[[], bool] | None) -> Iterator[list[CandidateItem]]:
    chunk: list[CandidateItem] = []
    every = 50 if source.format == "images" else 500
    for record in _unwrapped(source, shaper):
        tally.records += 1
        if tally.records % every == 0:
            if cancelled is not None and cancelled():
                raise Refused(N_("the import was stopped; nothing was changed"), code="cancelled")
            if progress is not None:
                progress(source.position(), source.size)
        for row in shaper.rows(record):
            if isinstance(row, RefusedRow):
                _refuse(row, tally, target)
            else:
                chunk.append(row)
        if len(chunk) >= CHUNK:
            yield chunk
            chunk = []
    yield chunk
    if progress is not None:
        progress(source.size, source.size)


def _unwrapped(source: Source, shaper: Shaper) -> Iterator[Record]:
    """Records; a file of refused rows that was mended is taken as the rows in it (one record once)."""
    last: str | None = None
    for record in source.records:
        value = record.value
        if isinstance(value, dict) and len(value) == 2 and value.keys() == {"error", "row"} \
                and isinstance(value["error"], dict) and "code" in value["error"]:
            same = canonical.sha256(value["row"])
            if same == last:
                continue
            last = same
            came_from = str(value["error"].get("file") or "").lower()
            source.typed = not came_from.endswith((".csv", ".tsv", ".txt"))
            yield Record(record.number, value["row"], record.line, record.column, record.fault)
        else:
            yield record


def _refuse(row: RefusedRow, tally: _Tally, target: RefusedFile) -> None:
    tally.refused += 1
    refusal = row.as_json()
    if len(tally.refusals) < REPORTED:
        tally.refusals.append(refusal)
    target.add(refusal, row.record.value)


def _decide(shaper: Shaper, tally: _Tally, source: Source, *, strict: bool) -> None:
    """Whether the import stands; raises Refused (which rolls it back) where it does not."""
    if tally.records and source.columns is None:
        shaper.check_seen()
    if tally.accepted and not (strict and tally.refused):
        return
    if not tally.refused:
        raise Refused(N_("'{file}' holds no records"), code="bad_value", where=Where(file=source.file),
                      file=source.file)
    first = tally.refusals[0]
    where = Where(**{name: first[name] for name in ("file", "line", "column", "key", "value", "item")})
    raise Refused(
        N_("{refused} of {rows} rows are refused (strict). The first: {first}") if tally.accepted
        else N_("none of the {rows} rows can be taken. The first: {first}"),
        code=first["code"], where=where, refused=tally.refused, rows=tally.refused + tally.accepted,
        first=first["message"])


def _report(run: UUID | None, tally: _Tally, source: Source, shaper: Shaper, pictures: Pictures, target: RefusedFile,
            *, dry_run: bool) -> ImportReport:
    done = tally.upserted
    return ImportReport(
        run=run, records=tally.records, rows=tally.accepted + tally.refused, accepted=tally.accepted, new=done.new,
        updated=done.updated, unchanged=done.unchanged, stale=done.stale, refused=tally.refused,
        refusals=tuple(tally.refusals), refused_file=None if dry_run or not tally.refused else str(target.path),
        format=source.format, encoding=source.encoding, delimiter=source.delimiter, unused=tuple(shaper.unused()),
        stored=len(pictures.refs), missing=tuple(pictures.missing.items()), stripped=tuple(pictures.stripped.items()),
        dry_run=dry_run)


def _remember(session: Session, report: ImportReport, run: UUID, path: Path, recipe: Recipe | None, text: str,
              by: UUID) -> None:
    """The run's own row and one event. Refused values are not kept: they may be what must not come in."""
    recipe_id = None
    if recipe is not None:
        text = text or canonical.dumps(recipe.model_dump(mode="json", by_alias=True, exclude_defaults=True))
        recipe_id = hashlib.sha256(text.encode()).hexdigest()
        if session.execute(select(RecipeRow.id).where(RecipeRow.id == recipe_id)).first() is None:
            session.execute(insert(RecipeRow).values(id=recipe_id, name=recipe.id, text=text, at=now()))
    counts = {name: getattr(report, name) for name in
              ("records", "rows", "accepted", "new", "updated", "unchanged", "stale", "refused")}
    sha256 = file_sha256(path)
    session.execute(insert(ImportRun).values(
        id=run, file=path.name, sha256=sha256, recipe=recipe_id, counts_json=counts,
        refused_json=[{**refusal, "value": None, "message": None} for refusal in report.refusals], at=now(), by=by))
    trail.record(session, "import", person=by, ids={"run": run}, payload={"file": sha256, "counts": counts})
