"""goldsmith agreement: how far people agree, per question and slice, with an interval."""

from __future__ import annotations

import argparse

from annotation.agreement import report
from app.cli import Call, Outcome
from app.verbs import project


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("--question", action="append", default=[], metavar="Q")
    parser.add_argument("--metric")
    parser.add_argument("--level", choices=("nominal", "ordinal", "interval", "ratio", "circular"))
    parser.add_argument("--by", metavar="FIELD", help="also per value of this tag field")
    parser.add_argument("--replicates", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)


def run(call: Call) -> Outcome:
    args = call.args
    with project.reading(call) as (_, session):
        results = report.of_project(session, questions=tuple(args.question), metric=args.metric, level=args.level,
                                    by=args.by, replicates=args.replicates, seed=args.seed)
    return Outcome({"results": [r.as_json() for r in results]}, [report.sentence(r) for r in results])
