"""goldsmith stale: items whose text changed after something was said of it; keep what was said, or ask again."""

from __future__ import annotations

import argparse

from sqlalchemy import select

from annotation import finding, stale
from annotation.errors import N_
from annotation.store.tables import Item
from app.cli import Call, Outcome, Usage
from app.verbs import project
from app.verbs.numbered import numbered

_STALE = select(Item.key).where(Item.state == "stale").order_by(Item.key_fold)


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("--item", action="append", default=[], metavar="KEY", help="may be given several times")
    parser.add_argument("--all", action="store_true", help="every stale item")
    deeds = parser.add_mutually_exclusive_group()
    deeds.add_argument("--still-valid", action="store_true", help="what was said of the old text holds for the new one")
    deeds.add_argument("--ask-again", action="store_true", help="whoever said it gets the item again")
    parser.add_argument("--reason", default="", help="kept in the project")


def run(call: Call) -> Outcome:
    args = call.args
    settles = args.still_valid or args.ask_again
    if settles and bool(args.item) == args.all:
        raise Usage(N_("name items (--item KEY) or --all, and not both"))
    if not settles:
        if args.item or args.all:
            raise Usage(N_("say what becomes of them: --still-valid or --ask-again"))
        with project.reading(call, "see_items") as (_, session):
            left = list(session.scalars(_STALE))
        return Outcome({"stale": left, "settled": [], "asked": 0}, [*left, numbered(len(left), "stale item")])
    asked = 0
    with project.writing(call) as (_, session, by):
        keys = list(dict.fromkeys(args.item)) or list(session.scalars(_STALE))
        for key in keys:
            deed = stale.still_valid if args.still_valid else stale.ask_again
            done = deed(session, finding.item_of_key(session, key), by=by.id, reason=args.reason)
            asked += done.value if args.ask_again else 0
        left = list(session.scalars(_STALE))
    said = (f"asked again: {numbered(len(keys), 'item')}, {numbered(asked, 'answer')}" if args.ask_again
            else f"still valid: {numbered(len(keys), 'item')}")
    return Outcome({"stale": left, "settled": keys, "asked": asked}, [said])
