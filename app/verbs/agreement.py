"""goldsmith agreement: how far people agree, per question and slice, with an interval."""

from __future__ import annotations

import argparse

from annotation import judgements
from annotation.agreement.result import Result
from app.cli import Call, Outcome
from app.verbs import agreement_raters, project


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("--question", action="append", default=[], metavar="Q")
    parser.add_argument("--metric")
    parser.add_argument("--level", choices=("nominal", "ordinal", "interval", "ratio", "circular"))
    parser.add_argument("--by", metavar="FIELD", help="also per value of this tag field")
    parser.add_argument("--replicates", type=_count, default=10_000)
    parser.add_argument("--seed", type=_count, default=0)
    agreement_raters.arguments(parser)


def _count(word: str) -> int:
    number = int(word)
    if not 0 <= number <= 10**9:
        raise argparse.ArgumentTypeError(f"{word} is not a whole number from 0 to 1,000,000,000")
    return number


def run(call: Call) -> Outcome:
    args = call.args
    if agreement_raters.is_asked(args):
        return agreement_raters.run(call)
    with project.reading(call, "see_agreement") as (_, session):
        results = judgements.agreement(session, tuple(args.question), metric=args.metric, level=args.level, by=args.by,
                                       replicates=args.replicates, seed=args.seed)
    return Outcome({"results": [r.to_dict() for r in results]}, [_line(r) for r in results])


def _line(result: Result) -> str:
    """One result: name, slice, value with its interval and its method, n; or the reason why there is no value."""
    name = " ".join(part for part in (result.question, result.metric, result.level) if part)
    if result.by:
        name += f" [{result.by['field']} = {result.by['value']}]"
    counts = f"{result.n_items:,} items, {result.n_people:,} people"
    if result.value is None:
        return f"{name}: undefined: {result.reason} ({counts})"
    interval = (f", {result.ci_level:.0%} interval {result.ci[0]:.3f} to {result.ci[1]:.3f} ({result.ci_method})"
                if result.ci else f", no interval: {result.reason}")
    return f"{name}: {result.value:.3f}{interval} ({counts})"
