"""goldsmith new: make a project from a protocol of the shelf or of a file."""

from __future__ import annotations

import argparse

from annotation import people, protocol
from annotation.store import opening
from app.cli import Call, Outcome
from app.verbs import project


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("--protocol", required=True, metavar="ID|FILE",
                        help="one of `goldsmith protocols list`, or a YAML file of your own")
    parser.add_argument("--title", help="as people read it")


def run(call: Call) -> Outcome:
    chosen = protocol.load(protocol.find(call.args.protocol))
    owner = people.checked_handle(call.handle or "owner")
    with opening.create(call.args.project, protocol=chosen, title=call.args.title, owner=owner) as store:
        data = {
            "project": call.args.project,
            "protocol": {"id": chosen.id, "version": chosen.version, "hash": chosen.hash,
                         "form_hash": chosen.form_hash},
            "person": owner,
            "content_sha256": store.content_sha256(),
        }
    return Outcome(data, [f"made {call.args.project} with {chosen.id} {chosen.version}; owner {owner}"])
