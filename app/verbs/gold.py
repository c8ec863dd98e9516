"""goldsmith gold: the answers that stand, by which rule, and which are missing and why."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from annotation import gold, gold_recount
from annotation.errors import N_, Unknown
from annotation.gold import GoldView
from annotation.gold_gaps import Missing
from app.cli import Call, Outcome
from app.verbs import project
from app.verbs.numbered import numbered

SHOWN = 20  # lines of each kind in the text


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("--question", metavar="Q", help="this question alone, by its name in the protocol")
    parser.add_argument("--recount", action="store_true",
                        help="count people's error rates anew, and the gold of the rule dawid_skene")


def plain(answer: Mapping[str, Any]) -> dict[str, Any]:
    """A stored answer as the bundle writes it: the value as ``answer``, what stands beside it under its own name."""
    return {"answer": answer.get("v"), **{name: value for name, value in answer.items() if name != "v"}}


def run(call: Call) -> Outcome:
    told = _recount(call) if call.args.recount else {}
    with project.showing(call, "see_items") as (store, session):
        if call.args.question is not None and call.args.question not in store.protocol.value_names:
            raise Unknown(N_("There is no question '{name}'. There are: {known}."), name=call.args.question,
                          known=", ".join(store.protocol.value_names))
        values = gold.gold(session, call.args.question)
        missing = gold.missing(session, call.args.question)
    data = {
        "gold": [{"item": g.key, "element": g.element, "question": g.question, **plain(g.answer), "rule": g.rule,
                  "n": g.n, "standing": g.standing, "signed": g.signed} for g in values],
        "missing": [{"item": m.key, "element": m.element, "question": m.question, "why": m.why} for m in missing],
        **told,
    }
    lines = [*(f"{one['question']}: error rates of {numbered(one['people'], 'person', 'people')} from "
               f"{numbered(one['answers'], 'answer')}"
               + (f"; undefined: {one['reason']}" if one["reason"] else "") for one in told.get("recount", ())),
             f"{len(values):,} gold values; {len(missing):,} missing",
             *_first([_value_line(one) for one in values[:SHOWN]], len(values)),
             *_first([_missing_line(one) for one in missing[:SHOWN]], len(missing))]
    return Outcome(data, lines)


def _recount(call: Call) -> dict[str, Any]:
    with project.writing(call) as (_, session, by):
        made: gold_recount.Recount = gold_recount.recount(session, by=by.id, progress=call.progress).value
    return {"recount": [asdict(one) for one in made.questions], "changed": made.changed}


def _first(lines: list[str], of: int) -> list[str]:
    return lines if of == len(lines) else [*lines, f".. and {of - len(lines):,} more (--json has all)"]


def _slot(one: GoldView | Missing) -> str:
    return f"{one.key} {one.element + '/' if one.element else ''}{one.question}"


def _value_line(value: GoldView) -> str:
    said = str(value.answer.get("v", "N/A"))
    said = f"{said[:60]}.." if len(said) > 62 else said
    how = ", ".join(dict.fromkeys((value.standing, value.rule)))  # a decision is both
    return f"{_slot(value)}: {said}  ({how}, n {value.n})"


def _missing_line(missing: Missing) -> str:
    return f"{_slot(missing)}: missing, {missing.why}"
