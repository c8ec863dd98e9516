"""One number of a report with its interval, its method and the reason where it has none, as the sections show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.agreement.share import Share
from app import figures
from app.pages.agreement import names, paper
from app.parts.table import Cell
from app.plots.forest import Row

HEAD = ("value", "low", "high", "n", "count", "method", "reason")  # of a Figure in a CSV


def _tr(text: str) -> str:
    return QCoreApplication.translate("agreement", text)


@dataclass(frozen=True, slots=True)
class Figure:
    """``count`` of ``n`` where it is a share. ``method`` of the interval; ``reason`` where either is None."""

    value: float | None
    ci: tuple[float, float] | None = None
    n: int | None = None
    method: str = ""
    reason: str = ""
    count: int | None = None

    def numbers(self) -> tuple[object, ...]:
        """The cells of HEAD."""
        return (self.value, *(self.ci or (None, None)), self.n, self.count, self.method or None, self.reason or None)


NOTHING = Figure(None)


def of_share(one: Share | None) -> Figure:
    if one is None:
        return NOTHING
    return Figure(one.value, one.ci, one.n, one.method, one.reason or "", one.count)


def method(name: str, *, replicates: int = 0, seed: int = 0) -> str:
    """A method of an interval in words."""
    words: dict[str, Callable[[], str]] = {
        "wilson": lambda: "Wilson", "wald": lambda: "Wald",
        "bootstrap_bc_items": lambda: _tr("bias-corrected bootstrap over items"),
        "bootstrap_bca_comparisons": lambda: _tr("BCa bootstrap over judgements"),
        "bootstrap_bca_people": lambda: _tr("BCa bootstrap over people"),
    }
    said = words[name]() if name in words else names.method(name)
    if not replicates or not names.is_bootstrap(name):
        return said
    return _tr("{method}, {draws} draws, seed {seed}").format(method=said, draws=figures.count(replicates), seed=seed)


def short(name: str) -> str:
    """"Wilson", "BCa"."""
    words = {"wald": "Wald", "bootstrap_bc_items": _tr("bootstrap")}
    return words.get(name) or names.short_method(name)


def of_n(one: Figure) -> str:
    """"18 of 20", "n 20" or ""."""
    if one.n is None:
        return ""
    if one.count is not None:
        return _tr("{n} of {all}").format(n=figures.count(one.count), all=figures.count(one.n))
    return _tr("n {n}").format(n=figures.count(one.n))


def said(one: Figure) -> str:
    """"0.90 (0.70 to 0.97), 18 of 20", or why there is none."""
    if one.value is None:
        return one.reason or figures.NONE
    return ", ".join(filter(None, (figures.with_interval(one.value, one.ci), of_n(one))))


# --- cells --------------------------------------------------------------------------------------------------

def value_cell(one: Figure) -> Cell:
    """The value over its interval."""
    if one.value is None:
        return Cell(figures.NONE, ink="ink2", tip=one.reason or figures.NONE)
    return Cell(figures.value(one.value), below=figures.interval(one.ci) if one.ci else "", strong=True,
                tip="\n".join(filter(None, (said(one), method(one.method) if one.ci else one.reason))))


def share_cell(one: Figure) -> Cell:
    """The value over what it is a share of; the interval in the tip and in the details of the row."""
    if one.value is None:
        return Cell(figures.NONE, ink="ink2", tip=one.reason or figures.NONE)
    return Cell(figures.value(one.value), below=of_n(one), strong=True, tip=said(one))


def dot_cell(one: Figure, *, stands_out: bool = False) -> Cell:
    if one.value is None:
        return Cell(one.reason or figures.NONE, ink="ink2", tip=one.reason or figures.NONE)
    return Cell(interval=(one.value, *(one.ci or (None, None))), tip=said(one),
                tone="accent_ink" if stands_out else "ink2")


def interval_cell(one: Figure) -> Cell:
    """The ends over the name of the method."""
    if one.ci is None:
        return Cell(figures.NONE, ink="ink2", tip=one.reason or figures.NONE)
    return Cell(figures.interval(one.ci), below=short(one.method), tip=method(one.method))


def row_of(name: str, one: Figure, *, group: str = "", stands_out: bool = False) -> Row:
    """The same in a forest."""
    return Row(name, one.value, one.ci, one.n, one.reason if one.value is None else "", group, stands_out)


# --- what is taken away -------------------------------------------------------------------------------------

def markdown(head: Sequence[str], lines: Sequence[Sequence[str]], note: str) -> str:
    return f"{figures.as_markdown(head, lines)}\n{note}\n"


def latex(head: Sequence[str], lines: Sequence[Sequence[str]], note: str) -> str:
    """The same table with booktabs' lines, words left and the rest right."""
    def line(cells: Sequence[str]) -> str:
        return " & ".join(paper.escaped(cell) for cell in cells) + r" \\"

    columns = "l" + "r" * (len(head) - 1)
    return "\n".join((r"% needs \usepackage{booktabs}", rf"\begin{{tabular}}{{{columns}}}", r"\toprule", line(head),
                      r"\midrule", *map(line, lines), r"\bottomrule", r"\end{tabular}",
                      rf"\par\footnotesize {paper.escaped(note)}", ""))


def ends(found: Sequence[Figure]) -> list[Any]:
    """Every number of theirs, for the scale of a column."""
    return [end for one in found if one.value is not None for end in (one.value, *(one.ci or ()))]
