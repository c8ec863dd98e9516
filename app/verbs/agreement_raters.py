"""goldsmith agreement --people, --machines, --preferences: who judges how well, and what pairs of candidates say."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.orm import Session

from annotation.adjudicator_check import adjudicator_check
from annotation.agreement.share import Share
from annotation.errors import N_
from annotation.rating_machines import Against, MachineReport, machine_reports
from annotation.rating_people import OnQuestion, PersonReport, people_report
from annotation.rating_predictions import Predicted, read_predictions
from annotation.rating_preferences import PreferenceReport, preference_reports
from app.cli import Call, Outcome, Usage
from app.verbs import project
from app.verbs.numbered import numbered

HEADS = ("people", "people_each_other", "difference", "majority", "gold")
HEAD_WORDS = {"people": "with people", "people_each_other": "people with each other", "difference": "difference",
              "majority": "with the majority", "gold": "with gold"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """What this file adds to ``goldsmith agreement``."""
    parser.add_argument("--people", action="store_true", help="each person: pace, checks, repeats, competence")
    parser.add_argument("--machines", action="store_true", help="each model or judge against people and gold")
    parser.add_argument("--predictions", action="append", default=[], metavar="[NAME=]FILE",
                        help="a machine's answers from a file; with --machines")
    parser.add_argument("--preferences", action="store_true", help="pairs: sides, swaps, circles, conflicts, strengths")
    parser.add_argument("--names", metavar="A,B", help="two fields that name the candidates of a pair across items")
    parser.add_argument("--rating", metavar="Q", help="the question whose ratings the pairs are held against")
    parser.add_argument("--tolerance", type=_gap, default=0.0, metavar="X",
                        help="ratings that differ by less than this are equal (default 0)")


def _gap(word: str) -> float:
    number = float(word)
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"{word} is not a number from 0 on")
    return number


def is_asked(args: argparse.Namespace) -> bool:
    return bool(args.people or args.machines or args.preferences or args.predictions)


def refuse(args: argparse.Namespace) -> None:
    """Usage where a table is measured and what is asked for needs a project."""
    if is_asked(args):
        raise Usage(N_("--people, --machines, --predictions and --preferences are for projects"))


def run(call: Call) -> Outcome:
    """Any of the three together: one key of the JSON for each that was asked for."""
    args = call.args
    data: dict[str, object] = {}
    lines: list[str] = []
    with project.showing(call, "see_people" if args.people else "see_agreement") as (_, session):
        more = {"replicates": args.replicates, "seed": args.seed, "progress": call.progress}
        if args.people:
            people = people_report(session, tuple(args.question), **more)
            data["people"] = [one.to_dict() for one in people]
            lines += [line for one in people for line in _person(one)]
            checks = adjudicator_check(session, tuple(args.question), replicates=args.replicates, seed=args.seed)
            data["adjudicators"] = [one.to_dict() for one in checks]
            lines += [f"adjudicators, {one.question}: same decision {_share(one.same)}" for one in checks]
        if args.machines or args.predictions:
            machines = machine_reports(session, tuple(args.question), by=args.by,
                                       predictions=_predictions(session, args), **more)
            data["machines"] = [one.to_dict() for one in machines]
            lines += [line for one in machines for line in _machine(one)] or ["no machine has answered"]
        if args.preferences:
            names = tuple(part.strip() for part in args.names.split(",")) if args.names else ()
            pairs = preference_reports(session, tuple(args.question), names=names, rating=args.rating,
                                       tolerance=args.tolerance, **more)
            data["preferences"] = [one.to_dict() for one in pairs]
            lines += [line for one in pairs for line in _preferences(one)] or ["the protocol compares no pairs"]
    return Outcome(data, lines)


def _predictions(session: Session, args: argparse.Namespace) -> Iterator[Predicted]:
    for word in args.predictions:
        name, split, file = word.partition("=")
        named = bool(split) and not Path(word).exists()
        yield from read_predictions(session, file if named else word, name=name if named else None,
                                    questions=args.question)


def _person(one: PersonReport) -> list[str]:
    pace = one.pace.speed
    time = "times unknown" if pace.median is None else f"median {pace.median:.1f} s"
    kind = " (machine)" if one.kind == "machine" else ""
    lines = [f"{one.handle}{kind}: {one.answered:,} answered, {one.skipped:,} skipped, {time}"]
    if one.pace.warning:
        lines.append(f"  warning: {one.pace.warning}")
    lines += [f"  {what}: {_share(found)}" for what, found in (
        ("gold checks", one.gold_checks), ("attention", one.attention), ("same answer again", one.repeats)) if found.n]
    return lines + [f"  {_question(found)}" for found in one.questions if found.answers]


def _question(one: OnQuestion) -> str:
    said = [f"{one.question}: {numbered(one.answers, 'answer')}", f"with the others' majority {_share(one.majority)}"]
    if one.competence is not None and one.competence.value is not None:
        said.append(f"competence {one.competence.value:.3f}{_interval(one.competence.ci)} (Dawid-Skene, "
                    f"{one.competence.ci_method})")
    return "; ".join(said)


def _machine(one: MachineReport) -> list[str]:
    where = f" [{one.by['field']} = {one.by['value']}]" if one.by else ""
    alone = f", {one.unmatched:,} answered by nobody else" if one.unmatched else ""
    lines = [f"{one.machine} ({one.source}) {one.question}{where}: {numbered(one.answers, 'item')} compared, "
             f"{numbered(one.people, 'person', 'people')}{alone}"]
    for kind in HEADS:
        found = [row for row in one.against if row.kind == kind]
        if found:
            note = f" ({found[0].note})" if found[0].note else ""
            lines.append(f"  {HEAD_WORDS[kind]}: {', '.join(map(_number, found))}{note}")
    return lines


def _number(one: Against) -> str:
    name = one.metric if one.level is None else f"{one.metric} {one.level}"
    if one.value is None:
        return f"{name} undefined"
    return f"{name} {one.value:.3f}{_interval(one.ci)}"


def _preferences(one: PreferenceReport) -> list[str]:
    lines = [f"{one.question} ({one.kind} judges): {numbered(one.judgements, 'judgement')} of "
             f"{numbered(one.items, 'item')}, {numbered(one.ties, 'tie')}",
             f"  first side won: {_share(one.position.first)}"]
    if one.position.order_effect is not None:
        lines.append(f"  effect of standing first (log odds): {one.position.order_effect:.3f}"
                     f"{_interval(one.position.order_effect_ci)}")
    lines.append(f"  same verdict after a swap: {_share(one.swap.same)}")
    if one.conflicts is not None:
        lines.append(f"  conflicts with {one.rating}: {_share(one.conflicts.ratio)}")
    else:
        lines.append(f"  conflicts with ratings: undefined: {one.no_rating}")
    lines += [f"  violations in sets of {found.k}: {_share(found.bad)} ({found.circular:,} circular, "
              f"{found.equality:,} of equality)" for found in one.violations if found.bad.n or found.k == 3]
    lines.append(f"  longer text won: {_share(one.length.longer)}")
    for table in one.strengths:
        if not table.rows or table.rows[0].worth is None:
            lines.append(f"  {table.model}: undefined: {table.reason}")
            continue
        rows = ", ".join(f"{row.name} {row.worth:.3f}{_interval(row.worth_ci)}" for row in table.rows)
        lines.append(f"  {table.model} ({table.ci_method}): {rows}{'; ' + table.reason if table.reason else ''}")
    return lines


def _share(found: Share) -> str:
    if found.value is None:
        return f"undefined: {found.reason}"
    interval = "" if found.ci is None else f" [{found.ci[0]:.1%}, {found.ci[1]:.1%}]"
    return f"{found.value:.1%}{interval} of {found.n:,}"


def _interval(ci: tuple[float, float] | None) -> str:
    return "" if ci is None else f" [{ci[0]:.3f}, {ci[1]:.3f}]"
