"""goldsmith recheck: send items to a round of looking again, list the rounds, take one back."""

from __future__ import annotations

import argparse
from typing import Any

from sqlalchemy.orm import Session

from annotation import assign, recheck
from annotation.errors import N_
from app.cli import Call, Outcome, Usage
from app.verbs import keys, project
from app.verbs.numbered import numbered


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    keys.arguments(parser)
    parser.add_argument("--why", default="", help="what whoever looks again reads; without items, rounds are listed")
    parser.add_argument("--question", metavar="Q", help="the question that is doubted, by its name in the protocol")
    parser.add_argument("--cancel", metavar="ROUND", help="close the queries of a round that nobody has answered yet")


def run(call: Call) -> Outcome:
    args = call.args
    named = keys.keys_of(args)
    if args.cancel is not None and (named or args.why or args.question):
        raise Usage(N_("--cancel ROUND goes without items, --why and --question"))
    if args.cancel is not None:
        with project.writing(call) as (_, session, by):
            recheck.take_back(session, args.cancel, by=by.id)
            return _listed(session, [f"taken back: {args.cancel}"])
    if not named and (args.why or args.question):
        raise Usage(N_("recheck wants --items KEY or --from FILE"))
    if not named:
        with project.reading(call, "see_items") as (_, session):
            return _listed(session)
    with project.writing(call) as (_, session, by):
        made: recheck.Rechecked = recheck.send(session, assign.find_keys(session, named), by=by.id, why=args.why,
                                               question=args.question, chosen={"verb": "recheck"}).value
        said = (f"{made.name}: {numbered(len(made.items), 'item')} with an open query" if made.items
                else "each of these items is in a recheck round already, and its query is open")
        if made.items and made.already:
            said += f"; {numbered(made.already, 'item')} in a round already"
        return _listed(session, [said], made={"round": made.name or None, "items": len(made.items),
                                              "already": made.already})


def _listed(session: Session, first: list[str] | None = None, made: dict[str, Any] | None = None) -> Outcome:
    rounds = recheck.rounds(session)
    names = assign.keys_of(session, [item for one in rounds for item in one.items])
    found = [{"round": one.name, "by": one.by, "at": one.at.strftime("%Y-%m-%dT%H:%M:%SZ"),
              "items": [names[item] for item in one.items], "open": [names[item] for item in one.open],
              "chosen": dict(one.chosen)} for one in rounds]
    lines = [f"{one['round']}, {one['by']}: {numbered(len(one['items']), 'item')}, {len(one['open']):,} open"
             for one in found]
    return Outcome({"made": made, "rounds": found}, [*(first or ()), *lines] or ["no round was made"])
