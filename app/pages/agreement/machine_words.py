"""Machines beside people in words, tables and plots, and what is taken away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.rating_machines import MachineReport
from app import figures
from app.pages.agreement import figure, names
from app.pages.agreement.machine_reading import Machines, figure_of
from app.pages.agreement.sections import Taken
from app.parts.table import Cell, Column
from app.plots.comparisons import differences
from app.plots.forest import Forest, Row

KINDS = ("people", "people_each_other", "difference", "majority", "gold")


def _tr(text: str) -> str:
    return QCoreApplication.translate("agreement", text)


def metric_name(metric: str) -> str:
    return _tr("Accuracy") if metric == "accuracy" else names.metric_name(metric)


def kind_name(kind: str) -> str:
    words = {"people": _tr("with people"), "people_each_other": _tr("people with each other"),
             "difference": _tr("difference"), "majority": _tr("with the majority"), "gold": _tr("with gold")}
    return words[kind]


def is_worse(metric: str, difference: float) -> bool:
    """Whether a difference is to the machine's disadvantage: of an error above 0, else below."""
    return difference > 0 if metric == "mae" else difference < 0


def origin(report: MachineReport, found: Machines) -> str:
    parts = [_tr("simulated")] if report.machine in found.simulated else []
    return ", ".join([*parts, _tr("from a file") if report.source == "file" else _tr("in the project")])


def called(report: MachineReport, found: Machines | None) -> str:
    """"judge-a", "judge-a (simulated)"."""
    if found is None or report.machine not in found.simulated:
        return report.machine
    return _tr("{machine} (simulated)").format(machine=report.machine)


def machine_columns(protocol: Any, tr: Callable[[str], str], found: Callable[[], Machines | None],
                    metric: Callable[[], str]) -> list[Column]:
    def machine(row: MachineReport) -> Cell:
        known, question = found(), names.question(protocol, row.question)
        tip = "" if known is None else f"\n{origin(row, known)}"
        name = called(row, known)
        return Cell(name, below=question, strong=True, icon="model", tip=f"{name}\n{question}{tip}")

    def of(kind: str) -> Callable[[MachineReport], Cell]:
        return lambda row: figure.value_cell(figure_of(row, metric(), kind))

    return [
        Column("machine", tr("Machine and question"), least=200, most=480, cell=machine),
        Column("answers", tr("Answers"), kind="number", width=72, rank=6, cell=lambda row: figures.count(row.answers)),
        Column("people", tr("With people"), kind="number", width=112, rank=2, cell=of("people")),
        Column("each", tr("Each other"), kind="number", width=112, rank=1, cell=of("people_each_other")),
        Column("dot", tr("Difference"), kind="interval", width=176, rank=3,
               cell=lambda row: figure.dot_cell(figure_of(row, metric(), "difference"))),
        Column("difference", tr("Difference"), kind="number", width=120, cell=of("difference")),
        Column("majority", tr("Majority"), kind="number", width=112, rank=4, cell=of("majority")),
        Column("gold", tr("Gold"), kind="number", width=112, rank=5, cell=of("gold")),
    ]


def sentence(protocol: Any, found: Machines, metric: str) -> str:
    """The machine that comes closest to people, and how it stands to their agreement with each other."""
    told = [(row, one) for row in found.reports if (one := figure_of(row, metric, "people")).value is not None]
    if not told:
        reason = next((one.reason for row in found.reports if (one := figure_of(row, metric, "people")).reason), "")
        return _tr("No machine can be compared with people yet: {reason}.").format(
            reason=reason or _tr("nobody answered what a machine answered"))
    low = metric == "mae"
    row, one = min(told, key=lambda pair: (pair[1].value or 0.0) * (1 if low else -1))
    other, gap = figure_of(row, metric, "people_each_other"), figure_of(row, metric, "difference")
    text = _tr("{machine} comes closest to people, on “{question}”: {metric} {value}").format(
        machine=called(row, found), question=names.question(protocol, row.question), metric=metric_name(metric),
        value=figures.with_interval(one.value, one.ci))
    if other.value is None or gap.value is None:
        return text + "."
    text += _tr("; people with each other {value}.").format(value=figures.with_interval(other.value, other.ci))
    if gap.ci is None:
        return text
    difference = figures.with_interval(gap.value, gap.ci)
    if gap.ci[0] <= 0.0 <= gap.ci[1]:
        return text + " " + _tr("The interval of the difference, {figure}, holds 0.").format(figure=difference)
    return text + " " + (_tr("It agrees less with people than they do: {figure}.") if is_worse(metric, gap.value) else
                         _tr("It agrees more with people than they do with each other: {figure}.")).format(
        figure=difference)


def method(found: Machines, metric: str) -> str:
    if not found.reports:
        return ""
    one = found.reports[0]
    text = _tr("95 % intervals: {method}; machine and people are drawn together, so the difference is paired.").format(
        method=figure.method(one.ci_method, replicates=one.replicates, seed=one.seed))
    text += " " + _tr("In the plots people with each other are the dashed line with its band.")
    if metric == "mae":
        text += " " + _tr("MAE is an error: above 0 the machine is further from people than they are from each other.")
    if any(against.note for row in found.reports for against in row.against):
        text += " " + _tr("Some gold was made with the machine’s own answers.")
    if found.simulated & {row.machine for row in found.reports}:
        text += " " + _tr("What is called simulated comes from no model.")
    return text


def details(protocol: Any, row: MachineReport, found: Machines, metric: str) -> str:
    parts = [_tr("{origin}; {n} answers compared with {people} people.").format(
        origin=origin(row, found).capitalize(), n=figures.count(row.answers), people=row.people)]
    if row.unmatched:
        parts.append(_tr("{n} more answers are to what nobody else answered.").format(n=figures.count(row.unmatched)))
    parts += [f"{kind_name(kind).capitalize()}: {figure.said(figure_of(row, metric, kind))}." for kind in KINDS]
    notes = {one.note for one in row.against if one.note and one.metric == metric}
    parts += sorted(f"{note.capitalize()}.".replace("'", "’") for note in notes)
    return " ".join(parts)


# --- plots --------------------------------------------------------------------------------------------------

def references(row: MachineReport, metric: str) -> list[tuple[str, str, Row]]:
    """Kind, against and row of the plot of one machine against each."""
    out: list[tuple[str, str, Row]] = [("people", "", figure.row_of(
        _tr("people, on the whole"), figure_of(row, metric, "people"), stands_out=True))]
    for one in row.against:
        if one.metric == metric and one.kind in ("person", "majority", "gold"):
            group = _tr("Each person") if one.kind == "person" else _tr("What stands")
            out.append((one.kind, one.against, figure.row_of(
                one.against if one.kind == "person" else _tr("the majority") if one.kind == "majority" else _tr("gold"),
                figure_of(row, metric, one.kind, one.against), group=group)))
    return out


def against_each(row: MachineReport, found: Machines, metric: str) -> Forest:
    each = figure_of(row, metric, "people_each_other")
    shown = [line for _, _, line in references(row, metric)]
    known = [end for line in shown if line.value is not None for end in (line.value, *(line.ci or ()))]
    return Forest(_tr("{machine} against each").format(machine=called(row, found)), tuple(shown),
                  metric_name(metric),
                  reference=each.value, band=each.ci, low=0.0 if min(known, default=0.0) >= 0 else None,
                  high=None if metric == "mae" else 1.0)


def gaps(row: MachineReport, found: Machines) -> Forest:
    """The difference to people's own agreement by every metric that reads alike (MAE is on the scale of answers)."""
    rows = [figure.row_of(metric_name(metric), figure_of(row, metric, "difference")) for metric in found.metrics()
            if metric != "mae" and any(one.metric == metric for one in row.against)]
    return differences(_tr("Machine less people"), rows, note=_tr("below 0 people agree more"))


def by_slice(row: MachineReport, found: Machines, metric: str) -> Forest | None:
    """The difference in each slice, or None where there are none."""
    own = [one for one in found.slices if (one.machine, one.source, one.question) == (
        row.machine, row.source, row.question)]
    if not own:
        return None
    rows = [figure.row_of(_tr("All items"), figure_of(row, metric, "difference"), stands_out=True)]
    rows += [figure.row_of(one.by["value"] if one.by else "", figure_of(one, metric, "difference")) for one in own]
    return differences(_tr("Difference by slice"), rows, note=metric_name(metric))


# --- what is taken away -------------------------------------------------------------------------------------

def taken(protocol: Any, found: Machines, metric: str) -> Taken:
    """The table by the metric that is shown; the CSV holds all metrics, people and slices."""
    head = (_tr("Machine"), _tr("Origin"), _tr("Question"), *(kind_name(kind).capitalize() for kind in KINDS),
            _tr("Answers"))
    lines = [(row.machine, origin(row, found), names.question(protocol, row.question),
              *(_short(row, metric, kind) for kind in KINDS), figures.count(row.answers)) for row in found.reports]
    note = f"{metric_name(metric)}. {method(found, metric)}"
    numbers = [(row.machine, row.source, "yes" if row.machine in found.simulated else "no", row.question,
                f"{row.by['field']}={row.by['value']}" if row.by else None, one.kind, one.against, one.metric,
                one.level, one.weights, one.value, *(one.ci or (None, None)), one.n, row.ci_method, row.replicates,
                row.seed, one.reason, one.note) for row in (*found.reports, *found.slices) for one in row.against]
    csv = figures.as_csv(("machine", "source", "simulated", "question", "slice", "kind", "against", "metric", "level",
                          "weights", "value", "low", "high", "n", "ci_method", "replicates", "seed", "reason", "note"),
                         numbers)
    return Taken(figure.markdown(head, lines, note), figure.latex(head, lines, note), csv, "machines.csv")


def _short(row: MachineReport, metric: str, kind: str) -> str:
    one = figure_of(row, metric, kind)
    return figures.with_interval(one.value, one.ci) if one.value is not None else one.reason or figures.NONE


def scale(found: Sequence[MachineReport], metric: str) -> tuple[float, float]:
    """The ends of the column of differences, the same on both sides."""
    most = max((abs(end) for row in found for end in figure.ends([figure_of(row, metric, "difference")])), default=0.0)
    ends = next((end for end in (0.2, 0.4, 1.0) if most <= end), None) or float(-(-most // 1))
    return -ends, ends
