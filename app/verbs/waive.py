"""goldsmith waive: take a finding of preflight on, with a reason that travels in the bundle."""

from __future__ import annotations

import argparse
from typing import Any

from sqlalchemy.orm import Session

from annotation.errors import N_, Unknown
from app.cli import Call, Outcome
from app.verbs import project
from app.verbs.numbered import numbered
from exports import release, waivers
from exports.preflight import kinds


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("finding", nargs="?", metavar="FINDING", help="its code; without it, what is waived is listed")
    parser.add_argument("--items", action="append", default=[], metavar="KEY", help="all that it is about, if left out")
    parser.add_argument("--reason", default="", help="it is published with the bundle")
    parser.add_argument("--cancel", metavar="WAIVER", help="take a waiver back, by its id")


def run(call: Call) -> Outcome:
    args = call.args
    if args.finding is None and args.cancel is None:
        with project.reading(call, "release") as (_, session):
            return _listed(session)
    with project.writing(call) as (_, session, by):
        if args.cancel is not None:
            waivers.take_back(session, project.an_id(args.cancel), by=by.id)
        else:
            kinds[args.finding]  # an unknown one is answered before all items are looked at
            items = args.items or [key for one in release.examine(session, progress=call.progress)
                                   if one.code == args.finding and one.state != "waived" for key in one.items]
            if not items:
                raise Unknown(N_("preflight finds no '{finding}' that is not waived"), finding=args.finding)
            waivers.waive(session, args.finding, items, reason=args.reason, by=by.id)
        return _listed(session)


def _listed(session: Session) -> Outcome:
    found: list[dict[str, Any]] = [
        {"id": one.id.hex, "code": one.code, "items": list(one.items), "reason": one.reason, "by": one.by,
         "at": one.at.strftime("%Y-%m-%dT%H:%M:%SZ")} for one in waivers.standing(session)]
    lines = [f"{one['id']} {one['code']} "
             f"({numbered(len(one['items']), 'item')}), {one['by']}: {one['reason']}" for one in found]
    return Outcome({"waivers": found}, lines or ["nothing is waived"])
