"""goldsmith gold: the answers that stand, by which rule, and which are missing and why."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from annotation import gold
from annotation.errors import N_, Unknown
from app.cli import Call, Outcome
from app.verbs import project


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("--question", metavar="Q")


def plain(answer: Mapping[str, Any]) -> dict[str, Any]:
    """A stored answer as the bundle writes it: the value as ``answer``, what stands beside it under its own name."""
    return {"answer": answer.get("v"), **{name: value for name, value in answer.items() if name != "v"}}


def run(call: Call) -> Outcome:
    with project.reading(call, "see_items") as (store, session):
        if call.args.question is not None and call.args.question not in store.protocol.value_names:
            raise Unknown(N_("There is no question '{name}'. There are: {known}."), name=call.args.question,
                          known=", ".join(store.protocol.value_names))
        values = gold.gold(session, call.args.question)
        missing = gold.missing(session, call.args.question)
    data = {
        "gold": [{"item": g.key, "element": g.element, "question": g.question, **plain(g.answer), "rule": g.rule,
                  "n": g.n, "standing": g.standing, "signed": g.signed} for g in values],
        "missing": [{"item": m.key, "element": m.element, "question": m.question, "why": m.why} for m in missing],
    }
    return Outcome(data, [f"{len(values):,} gold values; {len(missing):,} missing"])
