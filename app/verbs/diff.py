"""goldsmith diff: what changed between two releases, and why."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from app.cli import Call, Outcome
from app.verbs import project
from app.verbs.gold import plain
from exports import errata, frozen
from exports.changes import Change, GoldChange, compare

SHOWN = 40  # items in the text


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("before", metavar="V1", help="the older release")
    parser.add_argument("after", metavar="V2", help="the newer release")


def run(call: Call) -> Outcome:
    with project.reading(call, "export") as (_, session):
        found = compare(session, frozen.read(session, call.args.before), frozen.read(session, call.args.after))
        why: dict[Any, list[str]] = {}
        for one in errata.standing(session, call.args.before):
            why.setdefault(one.item, []).append(one.why)
    changes = [{"id": one.id, "key": one.key, "what": list(one.what), "causes": list(one.causes),
                "gold": [_gold(value) for value in one.gold], "why": why.get(one.item, [])} for one in found.changes]
    counts = found.counts()
    lines = [f"{found.before} -> {found.after}: " + ", ".join(f"{n:,} {what}" for what, n in counts.items() if n)]
    lines += [_line(change, one["why"]) for change, one in zip(found.changes[:SHOWN], changes, strict=False)]
    lines += [f".. and {len(changes) - SHOWN:,} more (--json has all)"] if len(changes) > SHOWN else []
    return Outcome({"before": found.before, "after": found.after, "counts": counts, "changes": changes}, lines)


def _gold(one: GoldChange) -> dict[str, Any]:
    return {"element": one.element, "question": one.question, "before": _answer(one.before),
            "after": _answer(one.after), "standing": one.standing}


def _answer(answer: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if answer is None else plain(answer)


def _line(one: Change, why: Any) -> str:
    gold = "; ".join(f"{value.element + '/' if value.element else ''}{value.question} {_said(value.before)} -> "
                     f"{_said(value.after)}" for value in one.gold) if "removed" not in one.what else ""
    said = f"{one.key}: {', '.join(one.what)}" + (f" ({', '.join(one.causes)})" if one.causes else "")
    return said + (f": {gold}" if gold else "") + (f" - {' '.join(why)}" if why else "")


def _said(answer: Mapping[str, Any] | None) -> str:
    text = "nothing" if answer is None else "N/A" if answer.get("na") else str(answer.get("v"))
    return text if len(text) <= 40 else f"{text[:38]}.."
