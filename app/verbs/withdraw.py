"""goldsmith withdraw: take items, or all answers of a person, out for good; releases keep counts and hashes."""

from __future__ import annotations

import argparse

from sqlalchemy import select

from annotation import people, retracting
from annotation.errors import N_, Unknown
from annotation.store.tables import Item
from app.cli import Call, Outcome, Usage
from app.verbs import project
from app.verbs.numbered import numbered
from exports.published import published


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("--item", action="append", default=[], metavar="KEY", help="may be given several times")
    parser.add_argument("--person", metavar="H", help="all answers of the person with this handle")
    parser.add_argument("--reason", default="", help="it is published in place of what is taken out")


def run(call: Call) -> Outcome:
    args = call.args
    if bool(args.item) == bool(args.person):
        raise Usage(N_("name items (--item KEY) or a person (--person H), and not both"))
    with project.writing(call) as (_, session, by):
        reason = published(session, args.reason)
        found = retracting.Retracted(0, ())
        if args.person:
            found = retracting.retract_person(session, people.find(session, args.person).id, by=by.id,
                                              reason=reason).value
        known = dict(session.execute(select(Item.key, Item.id).where(Item.key.in_(args.item))).all())
        for key in args.item:
            if key not in known:
                raise Unknown(N_("there is no item '{key}'"), key=key)
            retracting.retract_item(session, known[key], by=by.id, reason=reason)
    lines = [f"taken out: {numbered(len(args.item), 'item')}, {numbered(found.answers, 'answer')}"]
    lines += [f"signed, so that answers there count until it is unlocked: {', '.join(found.signed)}"] if found.signed \
        else []
    return Outcome({"items": len(args.item), "answers": found.answers, "signed": list(found.signed)}, lines)
