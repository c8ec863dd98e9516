"""The three tables of the page Agreement: results, slices, and the items on which people differ."""

from __future__ import annotations

from typing import Any

from annotation.agreement.result import Result
from annotation.disputed import Disputed
from app import figures
from app.pages.agreement import words
from app.parts.table import Cell, Column, RowsModel, Table

MANY = 6  # dots in a cell


def result_columns(protocol: Any, tr: Any) -> list[Column]:
    def name(one: Result) -> Cell:
        text = words.question(protocol, one.question)
        return Cell(text, tip=f"{text}\n{one.question}")

    return [
        Column("question", tr("Question"), cell=name),
        Column("metric", tr("Coefficient"), width=176, cell=words.metric),
        Column("interval", tr("Value and interval"), kind="interval", width=240, rank=3, cell=dot),
        Column("value", tr("Value"), kind="number", width=64, cell=number),
        Column("ci", tr("95 % interval"), kind="number", width=112, rank=1, cell=between),
        Column("items", tr("Items"), kind="number", width=64, rank=2, cell=lambda one: figures.count(one.n_items)),
        Column("people", tr("People"), kind="number", width=64, rank=4, cell=lambda one: str(one.n_people)),
        Column("judgements", tr("Judgements"), kind="number", width=96, rank=5,
               cell=lambda one: figures.count(one.n_judgements)),
    ]


def slice_columns(tr: Any) -> list[Column]:
    return [
        Column("slice", tr("Slice"), least=120, cell=lambda one: Cell(one.by["value"] if one.by else tr("All items"),
                                                          strong=one.by is None)),
        Column("interval", tr("Value and interval"), kind="interval", width=144, rank=2, cell=dot),
        Column("value", tr("Value"), kind="number", width=56, cell=number),
        Column("ci", tr("95 % interval"), kind="number", width=112, rank=1, cell=between),
        Column("items", tr("Items"), kind="number", width=56, rank=3, cell=lambda one: figures.count(one.n_items)),
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
        return ", ".join(f"{votes} {words.said(protocol, question(), value)}" for value, votes in row.votes)

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
    return Cell(interval=(one.value, *(one.ci or (None, None))), tip=figures.with_interval(one.value, one.ci),
                tone="accent_ink" if one.by is None else "ink2")


def number(one: Result) -> Cell:
    if one.value is None:
        return Cell(figures.NONE, ink="ink2", tip=one.reason or "")
    return Cell(figures.value(one.value), strong=True, tip=figures.value(one.value, 6))


def between(one: Result) -> Cell:
    if one.ci is None:
        return Cell(figures.NONE, ink="ink2", tip=one.reason or "")
    return Cell(figures.interval(one.ci), tip=figures.interval(one.ci, 6))


def span_reasons(table: Table, model: RowsModel) -> None:
    """Where a value is undefined its reason takes the room of dot, value and interval."""
    first = [column.name for column in model.columns].index("interval")
    table.clearSpans()
    for n in range(model.rowCount()):
        row = model.row(n)
        if row is not None and row.value is None:
            table.setSpan(n, first, 1, 3)
