"""One coefficient in a plain sentence, and what to be careful about. No threshold is applied: scales have a source."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.agreement.beside import Share
from annotation.agreement.result import Result
from annotation.agreement.two_answers import Caution
from app import figures
from app.pages.agreement import names

MOST_LISTED = 7  # answers
# Coefficients whose chance agreement grows with prevalence.
_BY_PREVALENCE = frozenset({"krippendorff_alpha", "cohen_kappa", "fleiss_kappa", "scott_pi", "conger_kappa",
                            "light_kappa"})
# Notes of the engine that say for whom a number is, and not that it misleads.
_OF_PEOPLE = ("the interval is for", "the circle has")


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside a coefficient. ``shares``: how often each answer was given; ``specific``: of the answers that
    meet it, the share that is equal, in their order; ``percent``: agreeing pairs; ``paradox``: the sentence where
    prevalence makes a kappa low; ``per_item``: median of the answers to an item; ``mean`` and ``spread`` of numbers."""

    shares: tuple[Share, ...] = ()
    specific: tuple[float | None, ...] = ()
    percent: Result | None = None
    paradox: Caution | None = None
    per_item: float = 0.0
    mean: float | None = None
    spread: float | None = None

    @property
    def most(self) -> Share | None:
        return max(self.shares, key=lambda one: one.answers, default=None)


def _tr(text: str) -> str:
    return QCoreApplication.translate("agreement", text)


def meaning(result: Result) -> str:
    """What the value says, in one short sentence; "" for a metric that speaks for itself."""
    value, metric = result.value, result.metric
    if value is None:
        return _sentence(result.reason or "")
    if names.corrects_chance(metric):
        if value >= 1.0:
            return _tr("People never differ")
        gap = 100.0 * (1.0 - value)
        if gap >= 100.0:
            return _tr("Differences are as frequent as by chance, or more so")
        return _tr("Differences are {n} % of what chance would give").format(n=_round(gap))
    if metric == "percent_agreement":
        return _tr("Of 100 pairs of answers to an item {n} are equal").format(n=_round(100.0 * value))
    if metric.startswith("icc"):
        return _tr("{n} % of the variance of the answers lies between items").format(n=_round(max(0.0, 100.0 * value)))
    if metric == "kendall_w":
        return _tr("1 is one and the same order, 0 is no common order")
    if metric in ("pearson", "spearman", "kendall_tau_b"):
        return _tr("How far answers rise together; not whether they are equal")
    if metric == "mae":
        return _tr("Two people’s numbers differ by {n} on average").format(n=figures.value(value))
    return ""


def _round(number: float) -> str:
    """No false 0 or 100: what is close to an end keeps a decimal."""
    return f"{number:.0f}" if 1.0 <= number <= 99.0 or number in (0.0, 100.0) else f"{number:.1f}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def given(protocol: Any, result: Result, beside: Beside) -> str:
    """How often each answer was given, or the mean of numbers: what a coefficient is read by."""
    if not beside.shares:
        return ""
    parts = []
    if beside.mean is not None:
        spread = "" if beside.spread is None else _tr(", standard deviation {sd}").format(
            sd=figures.value(beside.spread))
        parts.append(_tr("Mean of the answers {mean}{spread}.").format(mean=figures.value(beside.mean), spread=spread))
    if beside.mean is None or len(beside.shares) <= MOST_LISTED:
        ordered = beside.shares if beside.mean is not None else sorted(beside.shares, key=lambda one: -one.answers)
        each = "{answer} {n} %" if beside.mean is None else "{answer} ({n} %)"  # a number beside a number
        listed = ", ".join(each.format(answer=names.said(protocol, result.question, one.label),
                                       n=_round(100 * one.share)) for one in ordered[:MOST_LISTED])
        rest = len(beside.shares) - MOST_LISTED
        more = _tr(" and {n} more").format(n=rest) if rest > 0 else ""
        parts.append(_tr("Answers: {listed}{more}.").format(listed=listed, more=more))
        if beside.mean is None and 2 <= len(beside.specific) <= MOST_LISTED:
            both = sorted(zip(beside.shares, beside.specific, strict=True), key=lambda one: -one[0].answers)
            parts.append(_tr("Agreement on each: {listed}.").format(listed=", ".join(
                f"{names.said(protocol, result.question, one.label)} {_round(100 * same)} %" for one, same in both
                if same is not None)))
    return " ".join(parts)


def cautions(protocol: Any, result: Result, beside: Beside) -> list[str]:
    """What would mislead: the paradox of prevalence, and what the engine notes (answers too rare for an interval)."""
    found = []
    if is_paradox(result, beside):
        assert beside.paradox is not None
        template, values = beside.paradox.template, dict(beside.paradox.values)
        for name in ("answer", "other"):
            if name in values:
                values[name] = f"“{names.said(protocol, result.question, values[name])}”"
        found.append(QCoreApplication.translate("annotation", template).format(**values) + " "
                     + _tr("This is the paradox of kappa (Feinstein & Cicchetti 1990): report both."))
    found += [f"{_sentence(_worded(protocol, result, beside, one))}." for one in _notes(result)
              if not one.startswith(_OF_PEOPLE)]
    return found


def _worded(protocol: Any, result: Result, beside: Beside, note: str) -> str:
    """A note with the answers that it names by the words that people chose them by."""
    for one in beside.shares:
        note = note.replace(f"'{one.label}'", f"“{names.said(protocol, result.question, one.label)}”")
    return note


def is_paradox(result: Result, beside: Beside) -> bool:
    """Whether prevalence makes the value: what evenly used answers would give lies above its interval."""
    if (beside.paradox is None or "even" not in beside.paradox.values or result.ci is None
            or result.metric not in _BY_PREVALENCE or result.level not in (None, "nominal")):
        return False
    return float(beside.paradox.values["even"]) > result.ci[1]


def scale(result: Result) -> str:
    """A scale that others read such a coefficient by, with its source; "" where there is none of one's own."""
    if result.value is None:
        return ""
    if result.metric == "krippendorff_alpha" and result.level not in ("masi", "jaccard"):
        return _tr("Krippendorff (2018) relies on α from 0.800 and draws tentative conclusions from 0.667; "
                   "how much is enough depends on what the gold is used for, and is for you to argue.")
    if result.metric.startswith("icc"):
        return _tr("Koo & Li (2016) read the interval, not the value: below 0.5 poor, to 0.75 moderate, to 0.9 good, "
                   "above excellent.")
    return ""


def people(result: Result) -> str:
    """For whom an interval speaks, where the people are few."""
    return " ".join(f"{_sentence(one)}." for one in _notes(result) if one.startswith(_OF_PEOPLE))


def _notes(result: Result) -> list[str]:
    """The notes of the engine one by one: a note may itself have a half stop."""
    return re.split(r"; (?=the interval is for|the circle has|there are \d|this interval|the closed form)",
                    result.note) if result.note else []
