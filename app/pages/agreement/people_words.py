"""The people of a project in words and tables: the row of each, its details, and what is taken away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.rating_people import Pace
from app import figures
from app.pages.agreement import figure, names
from app.pages.agreement.figure import Figure
from app.pages.agreement.people_reading import MEASURES, People, PersonRow
from app.pages.agreement.sections import Taken
from app.pages.agreement.words import two_ends
from app.parts.table import Cell, Column


def _tr(text: str) -> str:
    return QCoreApplication.translate("agreement", text)


def measure_name(measure: str) -> str:
    words = {"majority": _tr("With the others’ majority"), "competence": _tr("Competence (Dawid–Skene)"),
             "repeats": _tr("Same answer when asked again"), "gold_checks": _tr("Gold checks right"),
             "attention": _tr("Attention checks right")}
    return words[measure]


def seconds(number: float | None) -> str:
    """"24 s", "2.4 s", "3 min 20 s"."""
    if number is None:
        return figures.NONE
    if number < 10:
        return _tr("{s} s").format(s=f"{number:.1f}".removesuffix(".0"))
    if number < 120:
        return _tr("{s} s").format(s=f"{number:.0f}")
    minutes, rest = divmod(round(number), 60)
    return _tr("{m} min {s} s").format(m=minutes, s=rest) if rest else _tr("{m} min").format(m=minutes)


def person_columns(tr: Callable[[str], str], is_final: Callable[[], bool]) -> list[Column]:
    def who(row: PersonRow) -> Cell:
        return Cell(row.report.handle, strong=True, below=tr("machine") if row.is_machine else "",
                    icon="model" if row.is_machine else "")

    def pace(row: PersonRow) -> Cell:
        speed, warning = row.report.pace.speed, row.report.pace.warning
        if speed.median is None:
            return Cell(figures.NONE, ink="ink2", tip=speed.reason or figures.NONE)
        between = tr("{low} to {high}").format(low=f"{speed.lower or 0:.0f}", high=f"{speed.upper or 0:.0f}")
        return Cell(seconds(speed.median), below=tr("too fast") if warning else between, strong=True,
                    icon="warn" if warning else "", tone="warn", tip=pace_said(row.report.pace))

    def checks(row: PersonRow) -> Cell:
        shown = row.figure("gold_checks")
        return figure.share_cell(shown if shown.value is not None else row.figure("attention"))

    def able(kind: Callable[[Figure], Cell]) -> Callable[[PersonRow], Cell]:
        def cell(row: PersonRow) -> Cell:
            if row.on is not None and row.on.competence is None and not is_final():
                return Cell(tr("computing"), ink="ink2")
            return kind(row.figure("competence"))
        return cell

    return [
        Column("person", tr("Person"), least=120, most=320, cell=who),
        Column("answered", tr("Answered"), kind="number", width=76, rank=4,
               cell=lambda row: figures.count(row.report.answered)),
        Column("skipped", tr("Skipped"), kind="number", width=70, rank=7,
               cell=lambda row: figures.count(row.report.skipped)),
        Column("pace", tr("Pace"), kind="number", width=84, rank=5, cell=pace),
        Column("checks", tr("Checks"), kind="number", width=84, rank=3, cell=checks),
        Column("repeats", tr("Repeats"), kind="number", width=84, rank=6,
               cell=lambda row: figure.share_cell(row.figure("repeats"))),
        Column("majority", tr("With the majority"), kind="number", width=124, rank=1,
               cell=lambda row: figure.value_cell(row.figure("majority"))),
        Column("dot", tr("Competence"), kind="interval", width=176, rank=2,
               cell=able(lambda one: figure.dot_cell(one))),
        Column("competence", tr("Competence"), kind="number", width=116, cell=able(figure.value_cell)),
    ]


def pace_said(pace: Pace) -> str:
    speed = pace.speed
    if speed.median is None:
        return _tr("Pace: {reason}.").format(reason=speed.reason or figures.NONE)
    text = _tr("Pace: half of {n} turns took less than {median}, a quarter less than {lower}, a quarter more than "
               "{upper}.").format(n=figures.count(speed.n), median=seconds(speed.median), lower=seconds(speed.lower),
                                  upper=seconds(speed.upper))
    if pace.min_seconds > 0:
        text += " " + _tr("Under the {least} that the protocol expects: {fast}.").format(
            least=seconds(pace.min_seconds), fast=figure.said(figure.of_share(pace.too_fast)))
    return text


def details(row: PersonRow) -> str:
    """All figures of a person at the question that is shown, each with its interval."""
    report, on = row.report, row.on
    parts = [_tr("Answered {n}, skipped {skipped}.").format(n=figures.count(report.answered),
                                                            skipped=figures.count(report.skipped)),
             pace_said(report.pace)]
    if on is None:
        parts.append(_tr("Never met this question."))
        return " ".join(parts)
    for measure in MEASURES:
        if row.figure(measure).value is None:
            continue
        parts.append(f"{measure_name(measure)}: {figure.said(row.figure(measure))}.")
        if measure == "repeats" and on.repeats_alpha.value is not None:
            parts.append(_tr("Between first and repeat: {metric} {value}.").format(
                metric=names.metric(on.repeats_alpha),
                value=figures.with_interval(on.repeats_alpha.value, on.repeats_alpha.ci)))
    return " ".join(parts)


def missing(row: PersonRow) -> str:
    """What cannot be said of a person, and why."""
    parts = [f"{measure_name(measure)}: {one.reason}." for measure in MEASURES
             if (one := row.figure(measure)).value is None and one.reason]
    return " ".join(parts)


def sentence(protocol: Any, question: str, rows: Sequence[PersonRow]) -> str:
    """Who says most and who least often what the others' majority says."""
    found = [(row, one) for row in rows
             if not row.is_machine and (one := row.figure("majority")).value is not None]
    if not found:
        return _tr("On “{question}” nobody can be compared with a majority of others yet.").format(
            question=names.question(protocol, question))
    found.sort(key=lambda pair: -(pair[1].value or 0.0))
    (best, most), (_, least) = found[0], found[-1]
    if most.value == least.value:
        return _tr("On “{question}” {who} gave the answer of the others’ majority in {figure} of cases.").format(
            question=names.question(protocol, question), figure=figures.with_interval(most.value, most.ci),
            who=best.report.handle if len(found) == 1 else _tr("everybody"))
    (first, with_most), (last, with_least) = _all_with(most, found), _all_with(least, found)
    text = _tr("On “{question}” {best} gave the answer of the others’ majority most often, {most}, and {worst} least "
               "often, {least}.").format(
        question=names.question(protocol, question), best=first, worst=last, most=with_most, least=with_least)
    if most.ci is None or least.ci is None:
        return text
    return f"{text} {two_ends(most.ci, least.ci, len(found))}"


def _all_with(one: Figure, found: Sequence[tuple[PersonRow, Figure]]) -> tuple[str, str]:
    """The handles of all who reach this value, in order ("ana and cem"), and the value, with its interval where they
    have the same."""
    same = [(row.report.handle, other.ci) for row, other in found if other.value == one.value]
    *others, last = sorted(handle for handle, _ in same)
    who = _tr("{others} and {last}").format(others=", ".join(others), last=last) if others else last
    return who, figures.with_interval(one.value, one.ci if all(ci == one.ci for _, ci in same) else None)


def method(rows: Sequence[PersonRow]) -> str:
    """How the intervals were made, and what competence rests on."""
    able = next((row.on.competence for row in rows if row.on is not None and row.on.competence is not None), None)
    text = _tr("95 % intervals: Wilson for shares.")
    if able is not None and able.value is not None:
        text = _tr("95 % intervals: Wilson for shares; for competence {method}.").format(
            method=figure.method(able.ci_method, replicates=able.replicates, seed=able.seed))
        text += " " + _tr("Competence is the share of right answers under the model of Dawid and Skene (1979), which "
                          "estimates the truth from everybody’s answers, {n} labels in each cell beforehand: people "
                          "who copy each other look better than they are.").format(n=f"{able.smoothing:g}")
    return text


def taken(protocol: Any, found: People, question: str) -> Taken:
    """The table of the question that is shown; the CSV holds every question."""
    head = (_tr("Person"), _tr("Answered"), _tr("Skipped"), _tr("Median seconds"),
            *(measure_name(measure) for measure in MEASURES))
    rows = found.rows(question)
    lines = [(row.report.handle, figures.count(row.report.answered), figures.count(row.report.skipped),
              figures.value(row.report.pace.speed.median, 1),
              *(figure.said(row.figure(measure)) for measure in MEASURES)) for row in rows]
    note = _tr("“{question}”. {method}").format(question=names.question(protocol, question), method=method(rows))
    numbers = []
    for name in found.questions:
        for row in found.rows(name):
            speed = row.report.pace.speed
            numbers += [(row.report.handle, row.report.kind, name, measure, *row.figure(measure).numbers(),
                         row.report.answered, row.report.skipped, speed.median, speed.lower, speed.upper)
                        for measure in MEASURES if row.on is not None]
    csv = figures.as_csv(("person", "kind", "question", "measure", *figure.HEAD, "answered", "skipped",
                          "median_seconds", "lower_seconds", "upper_seconds"), numbers)
    return Taken(figure.markdown(head, lines, note), figure.latex(head, lines, note), csv, "people.csv")
