"""Preferences in words, tables and plots: the columns of the measures, strengths, circles, what is taken away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.rating_preferences import PreferenceReport, StrengthTable
from app import figures
from app.pages.agreement import figure, names
from app.pages.agreement.figure import Figure, of_share
from app.pages.agreement.preference_rows import LOG_ODDS, Measure, measures
from app.pages.agreement.sections import Taken
from app.parts.table import Cell, Column
from app.plots.comparisons import worths
from app.plots.forest import Forest
from app.plots.grid import Cell as GridCell
from app.plots.grid import Grid


def _tr(text: str) -> str:
    return QCoreApplication.translate("agreement", text)


def model_name(model: str) -> str:
    return {"bradley_terry": "Bradley–Terry", "davidson": "Davidson"}.get(model, model)


def judged_by(kind: str) -> str:
    return _tr("machines") if kind == "machine" else _tr("people")


def measure_columns(tr: Callable[[str], str]) -> list[Column]:
    def dot(row: Measure) -> Cell:
        if row.kind == LOG_ODDS and row.figure.value is not None:
            return Cell(tr("log odds, 0 is no effect"), ink="ink2")
        return figure.dot_cell(row.figure)

    def n(row: Measure) -> Cell:
        return Cell(figure.of_n(row.figure) if row.figure.value is not None else figures.NONE)

    return [
        Column("measure", tr("Measure"), least=200, most=800, cell=lambda row: Cell(
            row.title, below=row.sentence, tip="\n".join(filter(None, (row.title, row.sentence))))),
        Column("dot", tr("Value and interval"), kind="interval", width=180, rank=2, cell=dot),
        Column("value", tr("Value"), kind="number", width=64, cell=lambda row: figure.value_cell(
            Figure(row.figure.value, None, row.figure.n, "", row.figure.reason, row.figure.count))),
        Column("ci", tr("95 % interval"), kind="number", width=120, rank=1,
               cell=lambda row: figure.interval_cell(row.figure)),
        Column("n", tr("Of"), kind="number", width=96, rank=3, cell=n),
    ]


def sentence(protocol: Any, report: PreferenceReport) -> str:
    """Whom judges prefer, and whether the place had a say."""
    question = names.question(protocol, report.question)
    if not report.judgements:
        return _tr("On “{question}” no pair was judged yet.").format(question=question)
    text = _tr("On “{question}” {n} pairs were judged by {who}, {ties} as ties.").format(
        question=question, n=figures.count(report.judgements), who=judged_by(report.kind),
        ties=figures.count(report.ties))
    table = next((one for one in report.strengths if one.rows and one.rows[0].worth is not None), None)
    if table is not None and len(table.rows) > 1:
        best, last = table.rows[0], table.rows[-1]
        text += " " + _tr("Preferred most is {best}, worth {most}, least {last}, {least}.").format(
            best=best.name, most=figures.with_interval(best.worth, best.worth_ci), last=last.name,
            least=figures.with_interval(last.worth, last.worth_ci))
    holds = measures(report)[0].holds_nothing
    if holds is not None:
        first = report.position.first
        text += " " + (_tr("What stood first won {figure}: the interval holds half.") if holds else
                       _tr("What stood first won {figure}: the interval leaves out half.")).format(
            figure=figures.with_interval(first.value, first.ci))
    return text


def method(report: PreferenceReport) -> str:
    parts = [_tr("95 % intervals: Wilson for shares of pairs; for conflicts and sets a BCa bootstrap over what one "
                 "judge said about one item; Wald for effects (log odds).")]
    table = next((one for one in report.strengths if one.rows), None)
    if table is not None:
        parts.append(_tr("Strengths: {method}; named by {fields}.").format(
            method=figure.method(table.ci_method, replicates=table.replicates, seed=table.seed),
            fields=report.named_by or figures.NONE))
    if report.repeats:
        parts.append(_tr("{n} repeats enter the comparison of orders alone.").format(n=figures.count(report.repeats)))
    if report.order_unknown:
        parts.append(_tr("Of {n} judgements nobody knows what stood first.").format(
            n=figures.count(report.order_unknown)))
    if report.left_out:
        parts.append(_tr("{n} answers have no value or are about a candidate who is gone.").format(
            n=figures.count(report.left_out)))
    return " ".join(parts)


def details(row: Measure) -> str:
    """A measure in full: the sentence, the figure with its interval, whether that holds "no effect"."""
    if row.figure.value is None:
        return _tr("Undefined: {reason}.").format(reason=row.figure.reason or figures.NONE)
    text = f"{row.sentence} " if row.sentence else ""
    scale = _tr(" (log odds)") if row.kind == LOG_ODDS else ""
    text += f"{figures.value(row.figure.value)}{scale}"
    if row.figure.ci is not None:
        text += _tr(", 95 % interval {ends} ({method})").format(ends=figures.interval(row.figure.ci),
                                                              method=figure.short(row.figure.method))
        if row.holds_nothing is not None:
            text += _tr(", which holds {nothing}") if row.holds_nothing else _tr(", which leaves out {nothing}")
            text = text.format(nothing=f"{row.nothing:g}")
    elif row.figure.reason:
        text += f"; {row.figure.reason}"
    return text + "."


# --- plots --------------------------------------------------------------------------------------------------

def strength_rows(report: PreferenceReport) -> list[tuple[StrengthTable, str]]:
    """Table and name of each row of the plot of strengths, in its order."""
    return [(table, one.name) for table in report.strengths for one in table.rows]


def strengths(report: PreferenceReport) -> tuple[Forest | None, str]:
    """The worths by both models, or why there are none."""
    rows = [figure.row_of(one.name, Figure(one.worth, one.worth_ci, one.judgements, table.ci_method,
                                           table.reason or ""), group=_group(table))
            for table in report.strengths for one in table.rows]
    if not rows:
        reason = next((table.reason for table in report.strengths if table.reason), None) or figures.NONE
        return None, _tr("Strengths: {reason}.").format(reason=reason.partition(" (--")[0])
    size = max(len(table.rows) for table in report.strengths)
    return worths(_tr("Strengths"), rows, note=_tr("worths add up to 1; dashed: all alike"), equal=1 / size), ""


def _group(table: StrengthTable) -> str:
    if table.model == "davidson":
        tie = "" if table.tie is None else _tr(", ties ν {tie}").format(tie=figures.with_interval(
            table.tie, table.tie_ci))
        return f"{model_name(table.model)}{tie}"
    return _tr("{model}, {n} ties left out").format(model=model_name(table.model), n=table.ties_left_out)


def by_person(report: PreferenceReport, row: Measure) -> tuple[Forest | None, str]:
    """One measure, judge by judge, or why it is not told apart."""
    title = _tr("{measure}, judge by judge").format(measure=row.title)
    if row.of_person is None:
        return None, _tr("{measure}: it is told of all judges together.").format(measure=row.title)
    rows = [figure.row_of(_tr("All"), row.figure, stands_out=True)]
    rows += [figure.row_of(one.handle, row.of_person(one)) for one in report.people]
    if all(one.value is None for one in rows):
        return None, f"{title}: {row.figure.reason or figures.NONE}."
    share = row.kind != LOG_ODDS
    note = figure.short(row.figure.method) if share else _tr("log odds, {method}").format(
        method=figure.short(row.figure.method))
    return Forest(title, tuple(rows), note, reference=row.nothing, low=0.0 if share else None,
                  high=1.0 if share else None), ""


def circles(report: PreferenceReport) -> tuple[Grid | None, str]:
    """Per judge and size of set the share of sets that contradict themselves."""
    if all(one.bad.value is None for one in report.violations):
        reason = next((one.bad.reason or one.reason for one in report.violations if one.bad.reason or one.reason), "")
        return None, _tr("Circles: {reason}.").format(reason=reason or figures.NONE)
    sizes = [n for n, one in enumerate(report.violations) if one.bad.value is not None]
    heads = tuple(_tr("sets of {k}").format(k=report.violations[n].k) for n in sizes)
    lines = [(_tr("All"), report.violations), *((one.handle, one.violations) for one in report.people)]
    cells = []
    for handle, found in lines:
        shares = [of_share(found[n].bad) for n in sizes]
        cells.append(tuple(GridCell(one.value, one.n, one.ci, one.reason,
                                    words=f"{handle}, {head}: {figure.said(one)}")
                           for head, one in zip(heads, shares, strict=True)))
    return Grid(_tr("Sets that contradict themselves"), tuple(handle for handle, _ in lines), heads, tuple(cells),
                _tr("share of sets"), low=0.0, high=1.0), ""


def kinds(report: PreferenceReport) -> tuple[Grid | None, str]:
    """Bad sets by TrustJudge's kinds, beside their triads by ties, which do not hang on how things are named."""
    known = [one for one in report.violations if one.bad.value is not None]
    if not known:
        return None, ""
    heads = (_tr("bad sets"), _tr("circle"), _tr("equality"), _tr("no tie"), _tr("one tie"), _tr("two ties"))
    cells = []
    for one in known:
        counts = (one.bad.count, one.circular, one.equality, *one.by_ties)
        most = max(1, *counts)
        cells.append(tuple(GridCell(count, below="", shade=count / most, words=_tr("sets of {k}, {kind}: {n}").format(
            k=one.k, kind=head, n=figures.count(count))) for head, count in zip(heads, counts, strict=True)))
    return Grid(_tr("Kinds of contradiction"), tuple(_tr("sets of {k}").format(k=one.k) for one in known), heads,
                tuple(cells), _tr("and triads by ties"), kind="counted", low=0.0, high=1.0), ""


# --- what is taken away -------------------------------------------------------------------------------------

def taken(protocol: Any, reports: Sequence[PreferenceReport], shown: PreferenceReport) -> Taken:
    """The table of the report that is shown; the CSV holds every report with its judges and strengths."""
    head = (_tr("Measure"), _tr("Value"), _tr("95 % interval"), _tr("Method"), _tr("Of"))
    lines = [(row.title, figures.value(row.figure.value), figures.interval(row.figure.ci) if row.figure.ci else
              row.figure.reason or figures.NONE, figure.short(row.figure.method) if row.figure.ci else "",
              figure.of_n(row.figure)) for row in measures(shown)]
    lines += [(f"{model_name(table.model)}: {one.name}", figures.value(one.worth), figures.interval(one.worth_ci),
               figure.short(table.ci_method), figure.of_n(Figure(None, n=one.judgements)))
              for table in shown.strengths for one in table.rows]
    note = _tr("“{question}”, judged by {who}. {method}").format(
        question=names.question(protocol, shown.question), who=judged_by(shown.kind), method=method(shown))
    numbers: list[tuple[object, ...]] = []
    for report in reports:
        rows = measures(report)
        numbers += [(report.question, report.kind, "", row.name, *row.figure.numbers()) for row in rows]
        numbers += [(report.question, report.kind, one.handle, row.name, *row.of_person(one).numbers())
                    for one in report.people for row in rows if row.of_person is not None]
        for table in report.strengths:
            numbers += [(report.question, report.kind, one.name, f"{table.model}:worth", one.worth,
                         *(one.worth_ci or (None, None)), one.judgements, None, table.ci_method, table.reason)
                        for one in table.rows]
    csv = figures.as_csv(("question", "judged_by", "judge_or_candidate", "measure", *figure.HEAD), numbers)
    return Taken(figure.markdown(head, lines, note), figure.latex(head, lines, note), csv, "preferences.csv")
