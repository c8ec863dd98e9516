"""goldsmith import: candidate items from a file or a folder of images."""

from __future__ import annotations

import argparse

from annotation import importing, people
from annotation.errors import N_
from annotation.store.opening import open_store
from app.cli import Call, Outcome, Usage
from app.verbs import project
from app.verbs.refusals import refusal_lines


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("file", metavar="FILE|FOLDER", help="JSON, JSONL, CSV, TSV or parquet, or a folder of images")
    parser.add_argument("--recipe", metavar="ID|FILE",
                        help="says which column is which; without it columns have the fields' names")
    parser.add_argument("--with", dest="with_files", action="append", default=[], metavar="NAME=FILE",
                        help="a second file that the recipe asks for by NAME")
    parser.add_argument("--encoding", help="of the text, such as utf-8 or cp1252; found out if left out")
    parser.add_argument("--delimiter", help="what is between columns; found out if left out")
    parser.add_argument("--strict", action="store_true", help="refuse the whole file if one row is refused")
    parser.add_argument("--dry-run", action="store_true", help="say what would happen, change nothing")
    parser.add_argument("--refused", metavar="FILE", help="where refused rows go (default FILE.refused.jsonl)")


def run(call: Call) -> Outcome:
    args = call.args
    with_files = {}
    for pair in args.with_files:
        name, sign, file = pair.partition("=")
        if not (name and sign and file):
            raise Usage(N_("--with wants NAME=FILE, not '{pair}'"), pair=pair)
        with_files[name] = file
    with open_store(args.project) as store:
        with store.read() as session:
            by = people.acting(session, call.handle)
        report = importing.import_file(
            store, args.file, recipe=args.recipe, with_files=with_files, encoding=args.encoding,
            delimiter=args.delimiter, strict=args.strict, dry_run=args.dry_run, refused=args.refused,
            by=by.id, progress=call.progress,
        )
    data = report.as_json()
    lines = [f"{data['rows']:,} rows: {data['new']:,} new, {data['updated']:,} updated, "
             f"{data['unchanged']:,} unchanged, {data['refused']:,} refused"]
    lines += refusal_lines(data)
    if data["unused"]:
        lines.append(f"not used: {', '.join(data['unused'])}")
    if data["dry_run"]:
        lines.append("a trial: nothing was changed")
    missing, stripped = data["media"]["missing"], data["media"]["stripped"]
    if missing:
        lines.append(f"{len(missing):,} pictures are missing; their items show a placeholder")
    if stripped:
        lines.append(f"position data was removed from {len(stripped):,} pictures")
    return Outcome(data, lines, faults=bool(data["refused"]))
