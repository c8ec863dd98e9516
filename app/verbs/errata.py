"""goldsmith errata: say why an item of a release is another, before the next is drawn."""

from __future__ import annotations

import argparse

from sqlalchemy.orm import Session

from app.cli import Call, Outcome
from app.verbs import project
from exports import errata


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("item", nargs="?", metavar="KEY", help="without it, what was said is listed")
    parser.add_argument("--why", default="", help="it is published with the next release")
    parser.add_argument("--release", metavar="VERSION", help="which is corrected; the newest final one, if left out")
    parser.add_argument("--cancel", metavar="ERRATUM", help="take words back, by their id")


def run(call: Call) -> Outcome:
    args = call.args
    if args.item is None and args.cancel is None:
        with project.reading(call, "release") as (_, session):
            return _listed(session)
    with project.writing(call) as (_, session, by):
        if args.cancel is not None:
            errata.take_back(session, project.an_id(args.cancel), by=by.id)
        else:
            errata.note(session, args.item, args.why, by=by.id, release=args.release)
        return _listed(session)


def _listed(session: Session) -> Outcome:
    found = [{"id": one.id.hex, "release": one.release, "item": one.key, "why": one.why, "by": one.by,
              "at": one.at.strftime("%Y-%m-%dT%H:%M:%SZ")} for one in errata.standing(session)]
    lines = [f"{one['id']} {one['release']} {one['item']}, {one['by']}: {one['why']}" for one in found]
    return Outcome({"errata": found}, lines or ["no erratum is noted"])
