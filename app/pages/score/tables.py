"""The tables of the page Score: who answered, the slices of one system, and what its answers did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app import figures
from app.pages.score import words
from app.pages.score.differing import Differing
from app.pages.score.reading import System
from app.parts.table import Cell, Column


def system_columns(tr: Any) -> list[Column]:
    def name(one: System) -> Cell:
        icon = "equals" if one.is_baseline else "user" if one.is_people else "cpu"
        return Cell(words.system(one), icon=icon, tip=one.file or one.name, strong=not one.is_baseline,
                    ink="ink2" if one.is_baseline else "accent_ink" if one.is_people else "ink",
                    tone="accent_ink" if one.is_people else "ink2")

    def counted(key: str) -> Any:
        return lambda one: Cell(figures.count(one.figure[key]), ink="ink" if one.figure[key] else "ink2")

    return [
        Column("system", tr("Who answered"), most=480, cell=name),
        Column("interval", tr("Score and interval"), kind="interval", width=240, rank=3, cell=lambda one: dot(
            one.figure["value"], one.figure["ci"], words.reason(one), people=one.is_people)),
        Column("value", tr("Score"), kind="number", width=80, cell=lambda one: number(
            one.figure["value"], words.reason(one))),
        Column("ci", tr("95 % interval"), kind="number", width=120, rank=1,
               cell=lambda one: between(one.figure["ci"], words.method_name(one.figure["ci_method"]),
                                        one.figure["ci_reason"]) if one.figure["ci"] is not None
               or not one.is_baseline else Cell(tr("exact"), ink="ink2")),
        Column("n", tr("n"), kind="number", width=56, rank=2, cell=lambda one: figures.count(one.figure["n"])),
        Column("missing", tr("Missing"), kind="number", width=72, rank=4, cell=counted("missing")),
        Column("refused", tr("Refused"), kind="number", width=72, rank=5, cell=counted("refused")),
        Column("unparsable", tr("Unreadable"), kind="number", width=88, rank=6, cell=counted("unparsable")),
    ]


def slice_columns(tr: Any) -> list[Column]:
    return [
        Column("slice", tr("Slice"), least=120, most=480, cell=lambda one: one["value"] if one["value"] is not None
               else Cell(tr("without a value"), ink="ink2")),
        Column("interval", tr("Score and interval"), kind="interval", width=176, rank=2,
               cell=lambda one: dot(one["value_of"], one["ci"], words.slice_reason(one))),
        Column("value", tr("Score"), kind="number", width=64,
               cell=lambda one: number(one["value_of"], words.slice_reason(one))),
        Column("ci", tr("95 % interval"), kind="number", width=120, rank=1, cell=lambda one: between(one["ci"], "")),
        Column("n", tr("n"), kind="number", width=48, rank=3, cell=lambda one: figures.count(one["n"])),
    ]


def part_columns(tr: Any) -> list[Column]:
    return [
        Column("part", tr("Part"), least=120, most=320, cell=lambda row: words.part(row[0])),
        Column("value", tr("Value"), kind="number", width=96, cell=lambda row: part_value(row[1])),
    ]


def comparison_columns(tr: Any) -> list[Column]:
    def p(one: Mapping[str, Any]) -> Cell:
        value = one["p_holm"] if one["p_holm"] is not None else one["p"]
        if value is None:
            return Cell(figures.NONE, ink="ink2")
        tip = tr("{method}; before Holm\u2019s correction {p}").format(method=words.test(one["p_method"]),
                                                                    p=words.p_value(one["p"]))
        return Cell(words.p_value(value), strong=value < 0.05, tip=tip)

    def alone(one: Mapping[str, Any]) -> Cell:
        counts = one["mcnemar"]
        return Cell(figures.NONE, ink="ink2") if counts is None else Cell(
            f"{figures.count(counts['first_only'])} : {figures.count(counts['second_only'])}")

    return [
        Column("pair", tr("Who"), least=160, most=480, cell=lambda one: Cell(
            f"{one['first']} {figures.MINUS} {one['second']}", strong=True)),
        Column("interval", tr("Difference and interval"), kind="interval", width=200, rank=2,
               cell=lambda one: dot(one["difference"], one["ci"], figures.NONE)),
        Column("difference", tr("Difference"), kind="number", width=88, cell=lambda one: number(
            one["difference"], figures.NONE)),
        Column("ci", tr("95 % interval"), kind="number", width=128, rank=1,
               cell=lambda one: between(one["ci"], words.method_name(one["ci_method"]), one["ci_reason"])),
        Column("p", tr("p (Holm)"), kind="number", width=72, cell=p),
        Column("alone", tr("Right alone"), kind="number", width=88, rank=3, cell=alone),
        Column("n", tr("n"), kind="number", width=56, rank=4, cell=lambda one: figures.count(one["n"])),
    ]


def version_columns(tr: Any) -> list[Column]:
    def rank(one: Mapping[str, Any]) -> Cell:
        before, after = one["rank_before"], one["rank_after"]
        if before is None or after is None:
            return Cell(figures.NONE, ink="ink2")
        return Cell(tr("{before} to {after}").format(before=before, after=after) if before != after else str(after),
                    strong=before != after)

    return [
        Column("system", tr("Who answered"), least=120, most=480, cell=lambda one: Cell(one["system"], strong=True)),
        Column("interval", tr("Change and interval"), kind="interval", width=200, rank=3,
               cell=lambda one: dot(one["common_change"], one["ci"], figures.NONE)),
        Column("common", tr("By the gold"), kind="number", width=96, cell=lambda one: number(
            one["common_change"], figures.NONE)),
        Column("ci", tr("95 % interval"), kind="number", width=128, rank=1,
               cell=lambda one: between(one["ci"], words.method_name(one["ci_method"]), one["ci_reason"])),
        Column("n", tr("n"), kind="number", width=56, rank=4, cell=lambda one: figures.count(one["n_common"])),
        Column("before", tr("There"), kind="number", width=72, rank=5, cell=lambda one: number(
            one["before"], figures.NONE)),
        Column("after", tr("Here"), kind="number", width=72, rank=6, cell=lambda one: number(
            one["after"], figures.NONE)),
        Column("rank", tr("Rank"), kind="number", width=72, rank=2, cell=rank),
    ]


def differing_columns(tr: Any) -> list[Column]:
    def answer(one: Differing) -> Cell:
        if one.status != "given":
            return Cell(words.status(one.status), ink="ink2", icon="warning", tone="warn", tip=one.answer)
        return Cell(one.answer, tip=one.answer)

    def agreed(one: Differing) -> Cell:
        if one.agreement is None:
            return Cell(figures.NONE, ink="ink2")
        return Cell(figures.value(one.agreement), tip=tr("share of pairs of people who agree"))

    return [
        Column("check", "", kind="check", width=36),
        Column("item", tr("Item"), width=128, cell=lambda one: Cell(
            (one.key or one.id) + (f" · {one.element}" if one.element else ""), strong=True, tip=one.id)),
        Column("gold", tr("Gold, by people"), least=120,
               cell=lambda one: Cell(one.gold, ink="accent_ink", tip=one.gold)),
        Column("answer", tr("What it answered"), least=120, cell=answer),
        Column("runs", tr("Runs"), kind="number", width=64, rank=3, cell=lambda one: tr("{n} of {all}").format(
            n=one.runs, all=one.of) if one.of > 1 else figures.NONE),
        Column("agreement", tr("Agreed"), kind="number", width=72, rank=1, cell=agreed),
        Column("n", tr("People"), kind="number", width=64, rank=2,
               cell=lambda one: figures.NONE if one.n is None else str(one.n)),
    ]


def parts_of(figure: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return list(figure["parts"].items())


def part_value(value: Any) -> Cell:
    if isinstance(value, int):
        return Cell(figures.count(value), strong=True)
    return Cell(figures.value(value), strong=value is not None, ink="ink" if value is not None else "ink2")


def dot(value: float | None, ci: Any, reason: str, *, people: bool = False) -> Cell:
    if value is None:
        return Cell(reason, ink="ink2")
    return Cell(interval=(value, *(ci or (None, None))), tip=figures.with_interval(value, ci),
                tone="accent_ink" if people else "ink2")


def number(value: float | None, reason: str) -> Cell:
    if value is None:
        return Cell(figures.NONE, ink="ink2", tip=reason)
    return Cell(figures.value(value), strong=True, tip=figures.value(value, 6))


def between(ci: Any, method: str, reason: str | None = None) -> Cell:
    if ci is None:
        return Cell(figures.NONE, ink="ink2", tip=reason or figures.NONE)
    return Cell(figures.interval(ci), tip=f"{figures.interval(ci, 6)} {method or ''}".strip())
