"""goldsmith agreement: how far people agree, in a project or a table; per slice and pair, with a second opinion."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from annotation import judgements, people
from annotation.agreement.difference import Difference, all_slices_differ
from annotation.agreement.pairs import every_pair
from annotation.agreement.ratings import Ratings
from annotation.agreement.report import METHODS
from annotation.agreement.result import Result
from annotation.agreement.second_opinion import Opinion, second_opinion
from annotation.agreement.slices import LEAST
from annotation.agreement.weights import WEIGHTS
from annotation.errors import N_, Refused
from annotation.judgement_slices import OTHERS
from app.cli import Call, Outcome, Usage
from app.verbs import agreement_raters, agreement_table, project
from app.verbs.agreement_words import check_line, difference_line, pair_line, result_line

LEVELS = ("nominal", "ordinal", "interval", "ratio", "circular", "jaccard", "masi")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", nargs="?",
                        help="a folder NAME.goldsmith, or postgresql+psycopg://...; not with --table")
    parser.add_argument("--question", action="append", default=[], metavar="Q",
                        help="this question alone, by its name in the protocol; may be given several times")
    parser.add_argument("--metric", action="append", default=[], metavar="M", help="may be given several times")
    parser.add_argument("--level", choices=LEVELS,
                        help="how two answers differ: only same or not (nominal), by order, by distance ..")
    parser.add_argument("--weights", choices=tuple(WEIGHTS), help="how much a near miss counts, for kappas")
    parser.add_argument("--by", metavar="FIELD", help="also per value of this tag, public field or column, or per "
                        + ", ".join(OTHERS))
    parser.add_argument("--least", type=_count, default=LEAST, metavar="N",
                        help=f"fewest items of a slice that gets an interval (default {LEAST})")
    parser.add_argument("--differences", action="store_true", help="with --by: every two slices, with Holm's p")
    parser.add_argument("--interval", choices=tuple(METHODS), help="default bca, of pairs jackknife")
    parser.add_argument("--replicates", type=_count, default=10_000, help="draws for a bootstrap interval (10000)")
    parser.add_argument("--seed", type=_count, default=0, help="same seed, same draws (0)")
    parser.add_argument("--stage", action="append", choices=judgements.STAGES, help="default both")
    parser.add_argument("--pairs", action="store_true", help="also for every two people")
    parser.add_argument("--check", action="store_true", help="also by another program, with the difference")
    agreement_raters.arguments(parser)
    agreement_table.arguments(parser)


def _count(word: str) -> int:
    number = int(word) if word.isascii() and word.isdigit() else -1
    if not 0 <= number <= 10**9:
        raise argparse.ArgumentTypeError(f"{word} is not a whole number from 0 to 1,000,000,000")
    return number


@dataclass(slots=True)
class Told:
    """What stands beside the results, where it was asked for."""

    pairs: list[dict[str, Any]] = field(default_factory=list)
    checks: list[Opinion] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)

    def data(self, args: argparse.Namespace) -> dict[str, Any]:
        out: dict[str, Any] = {}
        if args.pairs:
            out["pairs"] = self.pairs
        if args.check:
            out["checks"] = [one.to_dict() for one in self.checks]
        if args.differences:
            out["differences"] = [one.to_dict() for one in self.differences]
        return out

    def lines(self) -> list[str]:
        return [*map(difference_line, self.differences), *map(pair_line, self.pairs), *map(check_line, self.checks)]


def run(call: Call) -> Outcome:
    args = call.args
    if (args.project is None) == (args.table is None):
        raise Usage(N_("name a project, or a file with --table. See: goldsmith agreement --help"))
    if args.differences and args.by is None:
        raise Usage(N_("--differences are between the slices of --by"))
    return _of_table(call) if args.table is not None else _of_project(call)


def _of_project(call: Call) -> Outcome:
    args = call.args
    agreement_table.refuse_without_table(args)
    if agreement_raters.is_asked(args):
        return agreement_raters.run(call)
    if args.differences and args.by in OTHERS:
        raise Usage(N_("--differences are between slices of items; '{by}' makes slices of answers"), by=args.by)
    with project.showing(call, "see_agreement") as (_, session):
        results = judgements.agreement(session, tuple(args.question), metric=args.metric, level=args.level,
                                       weights=args.weights, by=args.by, stages=args.stage,
                                       interval=args.interval or "bca", replicates=args.replicates, seed=args.seed,
                                       least=args.least, progress=call.progress)
        told = Told()
        if args.pairs or args.check or args.differences:
            handles = {view.id: view.handle for view in people.people(session)}
            for result in results:
                if result.by is not None:
                    continue
                found = _answers(session, result.question, args)
                try:
                    beside(call, told, found.ratings, [handles.get(one, one.hex) for one in found.people], result)
                except Refused:
                    if result.value is not None:  # else the result has said why
                        raise
    return outcome(args, results, told, {})


def _answers(session: Session, question: str, args: argparse.Namespace) -> judgements.Judgements:
    return judgements.judgements(session, question, stages=args.stage, by=args.by if args.differences else None)


def _of_table(call: Call) -> Outcome:
    args = call.args
    if args.question or args.stage:
        raise Usage(N_("--question and --stage are for projects; a table has --value"))
    agreement_raters.refuse(args)
    table = agreement_table.read(args)
    results = agreement_table.measured(args, table, progress=call.progress)
    told = Told()
    for result in results:
        if result.by is None and (args.pairs or args.check or args.differences):
            if args.differences and not table.ratings.slices:
                raise Usage(N_("--differences are between slices of items, and an item of this table is in several "
                               "slices of '{by}'"), by=args.by)
            beside(call, told, table.ratings, table.people, result)
    for name in table.silent:
        call.say(f"'{name}' gave no value and does not count")
    more = {"table": {"file": table.file, "format": table.format, "rows": table.rows, "items": table.items,
                      "people": list(table.people), "silent": list(table.silent)}}
    return outcome(args, results, told, more)


def beside(call: Call, told: Told, ratings: Ratings, names: Sequence[str], result: Result) -> None:
    """Add what was asked for beside one result of all items."""
    args = call.args
    if args.pairs:
        pairs = every_pair(ratings, result.metric, level=result.level, weights=result.weights,
                           interval=args.interval or "jackknife", replicates=args.replicates, seed=args.seed,
                           progress=call.progress)
        told.pairs += [{"first": names[one.first], "second": names[one.second], **one.result.to_dict()}
                       for one in pairs]
    if args.check:
        told.checks.append(second_opinion(ratings, result))
    if args.differences:
        method = args.interval if args.interval in ("bca", "jackknife") else "bca"
        told.differences += all_slices_differ(ratings, result.metric, field=args.by, level=result.level,
                                              weights=result.weights, interval=method, replicates=args.replicates,
                                              seed=args.seed, least=args.least, progress=call.progress)


def outcome(args: argparse.Namespace, results: Sequence[Result], told: Told, more: dict[str, Any]) -> Outcome:
    shown: Callable[[Result], str] = result_line
    return Outcome({"results": [one.to_dict() for one in results], **told.data(args), **more},
                   [*map(shown, results), *told.lines()])
