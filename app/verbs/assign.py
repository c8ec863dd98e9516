"""goldsmith assign: say who may, or alone shall, work on which items."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from annotation import assign, people
from annotation.errors import N_, Refused, Where
from app.cli import Call, Outcome, Usage
from app.verbs import project


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("--to", action="append", required=True, metavar="HANDLE",
                        help="may be given several times")
    parser.add_argument("--items", action="append", default=[], metavar="KEY", help="may be given several times")
    parser.add_argument("--from", dest="file", metavar="FILE", help="a file with one key a line")
    parser.add_argument("--stage", default="annotate", help="annotate (default) or verify")
    parser.add_argument("--only", action="store_true", help="nobody else gets these items")
    parser.add_argument("--cancel", action="store_true", help="take the assignment back")


def run(call: Call) -> Outcome:
    args = call.args
    keys = [*args.items, *(_keys(args.file) if args.file else [])]
    if not keys:
        raise Usage(N_("assign wants --items KEY or --from FILE"))
    with project.writing(call) as (_, session, by):
        to = [people.find(session, handle).id for handle in args.to]
        deed = assign.cancel if args.cancel else partial(assign.assign, only=args.only)
        done = deed(session, assign.find_keys(session, keys), to=to, stage=args.stage, by=by.id)
    made: assign.Assigned = done.value
    data = {"assigned": made.assigned, "already": made.already, "people": dict(made.people)}
    verb = "cancelled" if args.cancel else "assigned"
    return Outcome(data, [f"{made.assigned:,} {verb}, {made.already:,} already were"])


def _keys(file: str) -> list[str]:
    try:
        text = Path(file).read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(N_("{file} is not UTF-8 text"), code="not_unicode", where=Where(file=file), file=file) from None
    except OSError as fault:
        raise Refused(N_("{file} cannot be read: {why}"), code="unreadable", where=Where(file=file), file=file,
                      why=fault.strerror or "unknown") from None
    return [line.strip() for line in text.splitlines() if line.strip()]
