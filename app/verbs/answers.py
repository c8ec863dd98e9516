"""goldsmith answers: answers that were given elsewhere, as CSV or JSONL."""

from __future__ import annotations

import argparse

from annotation import answers_in, people
from annotation.store.opening import open_store
from app.cli import Call, Outcome
from app.verbs.refusals import refusal_lines


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--stage", default="annotate")
    parser.add_argument("--round", default="main")
    parser.add_argument("--add-people", action="store_true", help="make annotators of unknown handles")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--refused", metavar="FILE")


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
