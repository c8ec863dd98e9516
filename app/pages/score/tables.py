"""The tables of the page Score: who answered, the slices of one system, and what its answers did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app import figures
from app.pages.score import words
from app.pages.score.reading import System
from app.parts.table import Cell, Column


def system_columns(tr: Any) -> list[Column]:
    def name(one: System) -> Cell:
        return Cell(words.system(one), icon="equals" if one.is_baseline else "cpu", tip=one.file or one.name,
                    ink="ink2" if one.is_baseline else "ink", strong=not one.is_baseline)

    def counted(key: str) -> Any:
        return lambda one: Cell(figures.count(one.figure[key])) if one.figure[key] else Cell(figures.NONE, ink="ink2")

    return [
        Column("system", tr("Who answered"), cell=name),
        Column("interval", tr("Score and interval"), kind="interval", width=240, rank=3, cell=lambda one: dot(
            one.figure["value"], one.figure["ci"], words.reason(one))),
        Column("value", tr("Score"), kind="number", width=80, cell=lambda one: number(
            one.figure["value"], words.reason(one))),
        Column("ci", tr("95 % interval"), kind="number", width=120, rank=1,
               cell=lambda one: between(one.figure["ci"], one.figure["ci_method"]) if one.figure["ci"] is not None
               or not one.is_baseline else Cell(tr("exact"), ink="ink2")),
        Column("n", tr("n"), kind="number", width=56, rank=2, cell=lambda one: figures.count(one.figure["n"])),
        Column("missing", tr("Missing"), kind="number", width=72, rank=4, cell=counted("missing")),
        Column("refused", tr("Refused"), kind="number", width=72, rank=5, cell=counted("refused")),
        Column("unparsable", tr("Unreadable"), kind="number", width=88, rank=6, cell=counted("unparsable")),
    ]


def slice_columns(tr: Any) -> list[Column]:
    return [
        Column("slice", tr("Slice"), least=120, cell=lambda one: one["value"] if one["value"] is not None else Cell(
            tr("without a value"), ink="ink2")),
        Column("interval", tr("Score and interval"), kind="interval", width=176, rank=2,
               cell=lambda one: dot(one["value_of"], one["ci"], figures.NONE)),
        Column("value", tr("Score"), kind="number", width=64, cell=lambda one: number(one["value_of"], figures.NONE)),
        Column("ci", tr("95 % interval"), kind="number", width=120, rank=1, cell=lambda one: between(one["ci"], "")),
        Column("n", tr("n"), kind="number", width=48, rank=3, cell=lambda one: figures.count(one["n"])),
    ]


def part_columns(tr: Any) -> list[Column]:
    return [
        Column("part", tr("Part"), least=120, cell=lambda row: words.part(row[0])),
        Column("value", tr("Value"), kind="number", width=96, cell=lambda row: part_value(row[1])),
    ]


def parts_of(figure: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return list(figure["parts"].items())


def part_value(value: Any) -> Cell:
    if isinstance(value, int):
        return Cell(figures.count(value), strong=True)
    return Cell(figures.value(value), strong=value is not None, ink="ink" if value is not None else "ink2")


def dot(value: float | None, ci: Any, reason: str) -> Cell:
    if value is None:
        return Cell(reason, ink="ink2")
    return Cell(interval=(value, *(ci or (None, None))), tip=figures.with_interval(value, ci))


def number(value: float | None, reason: str) -> Cell:
    if value is None:
        return Cell(figures.NONE, ink="ink2", tip=reason)
    return Cell(figures.value(value), strong=True, tip=figures.value(value, 6))


def between(ci: Any, method: str | None) -> Cell:
    if ci is None:
        return Cell(figures.NONE, ink="ink2")
    return Cell(figures.interval(ci), tip=f"{figures.interval(ci, 6)} {method or ''}".strip())
