"""What goes into a paper: the table as Markdown and LaTeX, the numbers as CSV, the paragraph on methods."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.agreement.result import Result
from annotation.version import VERSION
from app import figures
from app.pages.agreement import names, words
from app.pages.agreement.meaning import Beside
from app.pages.agreement.reading import Row

HEAD = ("question", "metric", "level", "weights", "slice", "value", "low", "high", "ci_level", "ci_method",
        "replicates", "seed", "n_items", "n_people", "n_judgements", "n_missing", "percent_agreement", "reason",
        "stage", "protocol")


def _tr(text: str) -> str:
    return QCoreApplication.translate("agreement", text)


def _head() -> tuple[str, ...]:
    return (_tr("Question"), _tr("Coefficient"), _tr("Value"), _tr("95 % interval"), _tr("Percent"), _tr("Items"),
            _tr("People"), _tr("Judgements"))


def _cells(protocol: Any, name: str, one: Result, beside: Beside | None) -> tuple[str, ...]:
    percent = beside.percent.value if beside is not None and beside.percent is not None else None
    ends = figures.interval(one.ci) if one.ci else one.reason or figures.NONE
    return (name, names.metric(one), figures.value(one.value), ends,
            figures.NONE if percent is None else figures.value(100 * percent, 1), figures.count(one.n_items),
            str(one.n_people), figures.count(one.n_judgements))


def _lines(protocol: Any, rows: Sequence[Row], slices: Sequence[Result]) -> list[tuple[str, ...]]:
    lines = [_cells(protocol, names.question(protocol, row.result.question), row.result, row.beside) for row in rows]
    return lines + [_cells(protocol, f"{names.question(protocol, one.question)}, {one.by['field']}: {one.by['value']}"
                           if one.by else "", one, None) for one in slices]


def markdown(protocol: Any, rows: Sequence[Row], slices: Sequence[Result] = ()) -> str:
    """The table as people read it, the method below it; the reason stands where a value is undefined."""
    table = figures.as_markdown(_head(), _lines(protocol, rows, slices))
    return f"{table}\n{words.method([row.result for row in rows])}\n"


_ESCAPES = {"\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
            "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", figures.MINUS: "$-$", "α": r"$\alpha$",
            "κ": r"$\kappa$", "π": r"$\pi$", "τ": r"$\tau$", "ρ": r"$\rho$", "“": "``", "”": "''", "’": "'", "–": "--"}


def escaped(text: str) -> str:
    """A text as LaTeX prints it."""
    return "".join(_ESCAPES.get(sign, sign) for sign in text.replace("\n", " "))


def latex(protocol: Any, rows: Sequence[Row], slices: Sequence[Result] = ()) -> str:
    """The same table with booktabs' lines."""
    body = "\n".join(" & ".join(escaped(cell) for cell in line) + r" \\" for line in _lines(protocol, rows, slices))
    head = " & ".join(escaped(cell) for cell in _head())
    note = escaped(words.method([row.result for row in rows]))
    return "\n".join((r"% needs \usepackage{booktabs}", r"\begin{tabular}{llrrrrrr}", r"\toprule", head + r" \\",
                      r"\midrule", body, r"\bottomrule", r"\end{tabular}", rf"\par\footnotesize {note}", ""))


def csv(rows: Sequence[Row], slices: Iterable[Result] = ()) -> bytes:
    """The numbers as they are, for another program."""
    return figures.as_csv(HEAD, [_numbers(row.result, row.beside) for row in rows]
                          + [_numbers(one, None) for one in slices])


def _numbers(one: Result, beside: Beside | None) -> tuple[object, ...]:
    percent = beside.percent.value if beside is not None and beside.percent is not None else None
    cut = f"{one.by['field']}={one.by['value']}" if one.by else None
    return (one.question, one.metric, one.level, one.weights, cut, one.value, *(one.ci or (None, None)), one.ci_level,
            one.ci_method, one.replicates, one.seed, one.n_items, one.n_people, one.n_judgements, one.n_missing,
            percent, one.reason, one.stage, one.protocol)


def methods(protocol: Any, rows: Sequence[Row]) -> str:
    """The paragraph on methods, from the facts of the project; what only its author knows stands in brackets."""
    judged = [row for row in rows if row.result.n_judgements]
    if not judged:
        return ""
    first = max(judged, key=lambda row: row.result.n_items)
    people = max(row.result.n_people for row in judged)
    machines = max(_machines(row.result) for row in judged)
    parts = [_tr("{n} items were judged independently by {who} (median {median} per item; {missing} % of judgements "
                 "missing).").format(
        n=figures.count(first.result.n_items), who=_who(people - machines, machines),
        median=f"{first.beside.per_item:g}", missing=_missing(first.result))]
    parts += [_figure(protocol, row) for row in judged]
    shown = next((row.result for row in judged if row.result.ci is not None), None)
    if shown is not None:
        parts.append(_tr("Intervals: {method}; people taken as fixed.").format(method=words.of_interval(shown)))
    parts.append(_settled(protocol))
    parts.append(_tr("Computed with Goldsmith {version}.").format(version=VERSION))
    return " ".join(part for part in parts if part)


def _machines(result: Result) -> int:
    """How many of those who answered are machines, as the note of a result says it."""
    found = re.search(r"(\w+) of those who answered (?:is a machine|are machines)", result.note or "")
    return 0 if found is None else 1 if found[1] == "one" else int(found[1])


def _who(people: int, machines: int) -> str:
    parts = []
    if people or not machines:
        parts.append(_tr("1 person") if people == 1 else _tr("{n} people").format(n=figures.count(people)))
    if machines:
        parts.append(_tr("1 machine") if machines == 1 else _tr("{n} machines").format(n=figures.count(machines)))
    return _tr(" and ").join(parts)


def _missing(result: Result) -> str:
    asked = result.n_judgements + result.n_missing
    return f"{100 * result.n_missing / asked:.1f}".removesuffix(".0") if asked else "0"


def _figure(protocol: Any, row: Row) -> str:
    one, beside = row.result, row.beside
    question = names.question(protocol, one.question)
    if one.value is None:
        return _tr("On “{question}” {metric} is undefined ({reason}).").format(
            question=question, metric=_named(one), reason=one.reason)
    interval = "" if one.ci is None else _tr(" ({level} % {method} interval {ends}, {n} items)").format(
        level=round(100 * one.ci_level), method=names.short_method(one.ci_method), ends=figures.interval(one.ci),
        n=figures.count(one.n_items))
    text = _tr("On “{question}” {metric} was {value}{interval}").format(
        question=question, metric=_named(one), value=figures.value(one.value), interval=interval)
    if beside.percent is not None and beside.percent.value is not None and one.metric != "percent_agreement":
        text += _tr("; percent agreement {n} %").format(n=f"{100 * beside.percent.value:.0f}")
    if beside.mean is not None:
        text += _tr(", mean answer {mean}").format(mean=figures.value(beside.mean))
    elif beside.most is not None and len(beside.shares) <= 20:
        text += _tr(", most frequent answer {answer} ({n} %)").format(
            answer=names.said(protocol, one.question, beside.most.label), n=f"{100 * beside.most.share:.0f}")
    return text + "."


def _named(one: Result) -> str:
    """"Krippendorff’s α, nominal," in the middle of a sentence."""
    name = names.metric(one)
    return f"{name}," if ", " in name else name


def _settled(protocol: Any) -> str:
    if "adjudicate" in protocol.workflow.stages:
        return _tr("What the rule of the protocol did not decide went to an adjudicator, who saw the answers without "
                   "names.")
    rules = {str(rule.rule) for rule in protocol.gold.values()} if protocol.gold else set()
    if len(rules) == 1:
        return _tr("The standing answer was taken by the rule “{rule}”.").format(rule=rules.pop())
    return _tr("Disagreements were resolved by [how].")

