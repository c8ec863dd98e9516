"""goldsmith answers: answers that were given elsewhere, as CSV or JSONL."""

from __future__ import annotations

import argparse

from annotation import answers_in, people
from annotation.store.opening import open_store
from app.cli import Call, Outcome
from app.verbs import project
from app.verbs.refusals import refusal_lines


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("file", metavar="FILE", help="CSV, TSV, JSONL or parquet; docs/cli.md has its columns")
    parser.add_argument("--stage", default="annotate", help="annotate (default) or verify")
    parser.add_argument("--round", default="main", help="main (default), or the name of a round of its own")
    parser.add_argument("--add-people", action="store_true",
                        help="add people whom the project does not know, as annotators")
    parser.add_argument("--strict", action="store_true", help="refuse the whole file if one row is refused")
    parser.add_argument("--refused", metavar="FILE", help="where refused rows go")


def run(call: Call) -> Outcome:
    args = call.args
    with open_store(args.project) as store:
        with store.read() as session:
            by = people.acting(session, call.handle)
        report = answers_in.import_answers(
            store, args.file, stage=args.stage, round=args.round, add_people=args.add_people,
            strict=args.strict, refused=args.refused, by=by.id,
        )
    data = report.as_json()
    lines = [f"{data['rows']:,} rows: {data['accepted']:,} accepted in {data['revisions']:,} revisions, "
             f"{data['refused']:,} refused"]
    lines += refusal_lines(data)
    return Outcome(data, lines, faults=bool(data["refused"]))
