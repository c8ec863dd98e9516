"""goldsmith assign: say who may, or alone shall, work on which items."""

from __future__ import annotations

import argparse
from pathlib import Path

from annotation import assign, people
from annotation.errors import N_, Refused, Where
from app.cli import Call, Outcome, Usage
from app.verbs import project


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("--to", action="append", required=True, metavar="HANDLE")
    parser.add_argument("--items", action="append", default=[], metavar="KEY")
    parser.add_argument("--from", dest="file", metavar="FILE", help="a file with one key a line")
    parser.add_argument("--stage", default="annotate")
    parser.add_argument("--only", action="store_true", help="nobody else gets these items")
    parser.add_argument("--cancel", action="store_true", help="take the assignment back")


def run(call: Call) -> Outcome:
    args = call.args
    keys = [*args.items, *(_keys(args.file) if args.file else [])]
    if not keys:
        raise Usage(N_("assign wants --items KEY or --from FILE"))
    with project.writing(call) as (_, session, by):
        people.require_right(session, by.id, "assign")
        to = [people.find(session, handle).id for handle in args.to]
        report = assign.assign(session, keys, to=to, stage=args.stage, only=args.only, cancel=args.cancel, by=by.id)
        handles = {p.id: p.handle for p in people.people(session)}
    counts = {handles[person]: n for person, n in report.people.items()}
    data = {"assigned": report.assigned, "already": report.already, "people": counts}
    return Outcome(data, [f"{report.assigned:,} assigned, {report.already:,} already were"])


def _keys(file: str) -> list[str]:
    try:
        text = Path(file).read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(N_("{file} is not UTF-8 text"), code="not_unicode", where=Where(file=file), file=file) from None
    except OSError as fault:
        raise Refused(N_("{file} cannot be read: {why}"), code="unreadable", where=Where(file=file), file=file,
                      why=fault.strerror or "unknown") from None
    return [line.strip() for line in text.splitlines() if line.strip()]
