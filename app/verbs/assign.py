"""goldsmith assign: say who may, or alone shall, work on which items."""

from __future__ import annotations

import argparse
from functools import partial

from annotation import assign, people
from annotation.errors import N_
from app.cli import Call, Outcome, Usage
from app.verbs import keys, project


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("--to", action="append", required=True, metavar="HANDLE",
                        help="may be given several times")
    keys.arguments(parser)
    parser.add_argument("--stage", default="annotate", help="annotate (default) or verify")
    parser.add_argument("--only", action="store_true", help="nobody else gets these items")
    parser.add_argument("--cancel", action="store_true", help="take the assignment back")


def run(call: Call) -> Outcome:
    args = call.args
    named = keys.keys_of(args)
    if not named:
        raise Usage(N_("assign wants --items KEY or --from FILE"))
    with project.writing(call) as (_, session, by):
        to = [people.find(session, handle).id for handle in args.to]
        deed = assign.cancel if args.cancel else partial(assign.assign, only=args.only)
        done = deed(session, assign.find_keys(session, named), to=to, stage=args.stage, by=by.id)
    made: assign.Assigned = done.value
    data = {"assigned": made.assigned, "already": made.already, "people": dict(made.people)}
    verb = "cancelled" if args.cancel else "assigned"
    return Outcome(data, [f"{made.assigned:,} {verb}, {made.already:,} already were"])
