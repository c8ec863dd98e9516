"""The tables of the section Questions: its rows, and the items on which people differ."""

from __future__ import annotations

from typing import Any

from annotation.agreement.result import Result
from annotation.disputed import Disputed
from app import figures
from app.pages.agreement import names, words
from app.pages.agreement.meaning import meaning
from app.pages.agreement.reading import Row
from app.parts.table import Cell, Column, RowsModel, Table

MANY = 6  # dots in a cell


def result_columns(protocol: Any, tr: Any) -> list[Column]:
    """Two lines a row: what is asked and what the value says; the interval and its method."""
    def name(row: Row) -> Cell:
        text, said = names.question(protocol, row.result.question), meaning(row.result)
        if row.result.value is None:  # the reason stands where the figures would
            said = ""
        return Cell(text, below=said, tip="\n".join(filter(None, (text, said, row.result.question))))

    def metric(row: Row) -> Cell:
        rest = names.rest_of_metric(row.result)
        below = ", ".join(filter(None, (rest, tr("chosen here") if row.asked.chosen else "")))
        return Cell(names.metric_name(row.result.metric), below=below)

    def percent(row: Row) -> Cell:
        one = row.beside.percent
        if one is None or one.value is None:
            return Cell(figures.NONE, ink="ink2")
        return Cell(figures.value(100 * one.value, 1), tip=tr("Percent agreement: {n} % of pairs of answers to an item "
                                                              "are equal").format(n=figures.value(100 * one.value, 1)))

    return [
        Column("question", tr("Question"), most=640, cell=name),
        Column("metric", tr("Coefficient"), width=144, cell=metric),
        Column("interval", tr("Value and interval"), kind="interval", width=200, rank=3, cell=lambda r: dot(r.result)),
        Column("value", tr("Value"), kind="number", width=60, cell=lambda row: number(row.result)),
        Column("ci", tr("95 % interval"), kind="number", width=128, rank=1, cell=lambda row: between(row.result)),
        Column("percent", tr("Percent"), kind="number", width=68, rank=2, cell=percent),
        Column("items", tr("Items"), kind="number", width=60, rank=3,
               cell=lambda row: figures.count(row.result.n_items)),
        Column("people", tr("People"), kind="number", width=60, rank=4, cell=lambda row: str(row.result.n_people)),
    ]


def dispute_columns(protocol: Any, question: Any, tr: Any) -> list[Column]:
    """``question()`` is the name of the question that is shown."""
    def dots(row: Disputed) -> Cell:
        most = row.votes[0][1]
        shown = [("same" if n == 0 and votes > 1 else "other") for n, (_, votes) in enumerate(row.votes)
                 for _ in range(votes)]
        return Cell(dots=tuple(shown[:MANY]), tip=tr("{most} of {all} gave the most frequent answer").format(
            most=most, all=sum(votes for _, votes in row.votes)))

    def said(row: Disputed) -> str:
        def one(value: str, votes: int) -> str:
            shown = names.said(protocol, question(), value)
            return f"{shown} ({votes}×)" if shown[:1].isdigit() else f"{votes} {shown}"  # a number beside a number

        return ", ".join(one(value, votes) for value, votes in row.votes)

    return [
        Column("key", tr("Item"), width=120, cell=lambda row: Cell(
            row.key if row.element is None else f"{row.key} · {row.element}", strong=True)),
        Column("dots", tr("Answers"), kind="dots", width=112, rank=1, cell=dots),
        Column("votes", tr("What people say"), cell=said),
    ]


def dot(one: Result) -> Cell:
    if one.value is None:
        reason = one.reason or figures.NONE
        return Cell(reason.partition(";")[0], ink="ink2", tip=reason)  # in full in the details of the row
    return Cell(interval=(one.value, *(one.ci or (None, None))), tip=figures.with_interval(one.value, one.ci))


def number(one: Result) -> Cell:
    if one.value is None:
        return Cell(figures.NONE, ink="ink2", tip=one.reason or "")
    return Cell(figures.value(one.value), strong=True, tip=figures.value(one.value, 6))


def between(one: Result) -> Cell:
    """The ends of the interval over the name of its method, which goes wherever the number goes."""
    if one.ci is None:
        return Cell(figures.NONE, ink="ink2", tip=one.reason or "")
    return Cell(figures.interval(one.ci), below=words.short_of_interval(one),
                tip=f"{figures.interval(one.ci, 6)}\n{words.of_interval(one)}")


def span_reasons(table: Table, model: RowsModel) -> None:
    """Where a value is undefined its reason takes the room of dot, value and interval."""
    first = [column.name for column in model.columns].index("interval")
    table.clearSpans()
    for n in range(model.rowCount()):
        row = model.row(n)
        if row is not None and row.result.value is None:
            table.setSpan(n, first, 1, 3)
