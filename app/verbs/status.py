"""goldsmith status: counts of items, stages, people, adjudication, gold and releases."""

from __future__ import annotations

import argparse

from annotation.status import status
from app.cli import Call, Outcome
from app.verbs import project
from app.verbs.numbered import numbered


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)


def run(call: Call) -> Outcome:
    with project.reading(call) as (_, session):
        data = status(session)
    items, gold = data["items"], data["gold"]
    lines = [f"{data['title']}: {numbered(items['total'], 'item')}, "
             f"{items['stale']:,} stale, {items['withdrawn']:,} withdrawn"]
    lines += [f"  {stage:<11} {n['waiting']:>7,} waiting {n['open']:>7,} open {n['done']:>7,} done "
              f"{n['judgements']:>7,} {'judgement' if n['judgements'] == 1 else 'judgements'}"
              for stage, n in data["stages"].items()]
    lines.append(f"  gold        {numbered(gold['values'], 'value')} of {numbered(gold['items'], 'item')}, "
                 f"{gold['missing']:,} missing; {numbered(data['signed'], 'item')} signed")
    lines += [f"  release     {r['version']} ({r['kind']}) {r['at']}" for r in data["releases"]]
    return Outcome(data, lines)
