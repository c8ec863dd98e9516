"""The measures of a pairwise question as rows: each with its interval, its method and one plain sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp

from PySide6.QtCore import QCoreApplication

from annotation.agreement.preferences.conflicts import Conflicts
from annotation.agreement.preferences.sides import PositionBias, SwapConsistency
from annotation.agreement.preferences.triads import Violations
from annotation.rating_preferences import OfPerson, PreferenceReport
from app import figures
from app.pages.agreement.figure import NOTHING, Figure, of_share

SHARE, LOG_ODDS = "share", "log_odds"


def _tr(text: str) -> str:
    return QCoreApplication.translate("agreement", text)


@dataclass(frozen=True, slots=True)
class Measure:
    """``kind`` of the scale; ``nothing``: the value that says "no effect", if one does. ``of_person``: the same
    measure of one judge, None where it is not told apart. ``items``: which items stand behind it."""

    name: str
    title: str
    figure: Figure
    sentence: str
    kind: str = SHARE
    nothing: float | None = None
    of_person: Callable[[OfPerson], Figure] | None = None
    items: str = "all"

    @property
    def holds_nothing(self) -> bool | None:
        """Whether the interval holds "no effect"; None where there is no interval or no such value."""
        if self.figure.ci is None or self.nothing is None:
            return None
        return self.figure.ci[0] <= self.nothing <= self.figure.ci[1]


def measures(report: PreferenceReport) -> tuple[Measure, ...]:
    """Sides, swaps, conflicts, circles by size of set, length."""
    out = [*_sides(report.position), *_swaps(report.swap), *_conflicts(report)]
    out += [_violation(report, at) for at in range(len(report.violations))]
    return (*out, *_length(report))


def _odds(log_odds: float) -> str:
    return figures.value(exp(max(-50.0, min(50.0, log_odds))))


def _effect(one: PositionBias) -> Figure:
    return Figure(one.order_effect, one.order_effect_ci, one.first.n, one.ci_method, one.reason or "")


def _sides(one: PositionBias) -> list[Measure]:
    first, effect = of_share(one.first), _effect(one)
    return [
        Measure("first", _tr("What stood first won"), first, "" if first.value is None else _tr(
            "What stood first won {n} of {all} decided pairs; it would be half if the place had no say.").format(
                n=figures.count(one.first.count), all=figures.count(one.first.n)), nothing=0.5,
            of_person=lambda person: of_share(person.position.first), items="first"),
        Measure("order_effect", _tr("Effect of standing first"), effect, "" if effect.value is None else _tr(
            "Standing first multiplies the odds of winning by {odds}, with who stands there allowed for; 1 is no "
            "effect.").format(odds=_odds(effect.value)), LOG_ODDS, 0.0,
            of_person=lambda person: _effect(person.position), items="first"),
    ]


def _swaps(one: SwapConsistency) -> list[Measure]:
    same, moved = of_share(one.same), of_share(one.first_of_moved)
    return [
        Measure("swap", _tr("Same verdict in both orders"), same, "" if same.value is None else _tr(
            "Of {all} pairs judged in both orders {n} got the same verdict; the first won both times in {first}, the "
            "second in {second}, {once} were decided in one order alone.").format(
                all=figures.count(one.same.n), n=figures.count(one.same.count), first=one.both_first,
                second=one.both_second, once=one.tie_once),
            of_person=lambda person: NOTHING if person.swap is None else of_share(person.swap.same), items="again"),
        Measure("moved", _tr("Moved verdicts that went to the first"), moved, "" if moved.value is None else _tr(
            "Of {all} pairs whose winner moved with the place {n} went to what stood first; half would be carelessness "
            "without a favourite side.").format(all=moved.n, n=moved.count), nothing=0.5,
            of_person=lambda person: NOTHING if person.swap is None else of_share(person.swap.first_of_moved),
            items="again"),
    ]


def _conflicts(report: PreferenceReport) -> list[Measure]:
    if report.conflicts is None:
        return [Measure("conflicts", _tr("Conflicts with ratings"), Figure(None, reason=report.no_rating or ""), "")]
    one = report.conflicts

    def of(name: str) -> Callable[[OfPerson], Figure]:
        return lambda person: NOTHING if person.conflicts is None else of_share(getattr(person.conflicts, name))

    return [
        Measure("conflicts", _tr("Conflicts with ratings"), of_share(one.ratio), _conflict_said(one, report),
                of_person=of("ratio")),
        Measure("reversed", _tr("Reversed, ties left out"), of_share(one.without_ties),
                "" if one.without_ties.value is None else _tr(
                    "Of {all} pairs that both passes decide {n} prefer the lower rated.").format(
                        all=one.without_ties.n, n=one.without_ties.count), of_person=of("without_ties")),
    ]


def _conflict_said(one: Conflicts, report: PreferenceReport) -> str:
    if one.ratio.value is None:
        return ""
    return _tr("In {n} of {all} pairs the preference is not the order of the ratings “{rating}”: {reversed} reversed, "
               "{tied} ties although the ratings differ, {decided} decided although they are equal.").format(
        n=one.ratio.count, all=figures.count(one.ratio.n), rating=report.rating or "", reversed=one.reversed,
        tied=one.unequal_tied, decided=one.equal_decided)


def _violation(report: PreferenceReport, at: int) -> Measure:
    one = report.violations[at]
    bad = of_share(one.bad)
    return Measure(f"ntr_{one.k}", _tr("Sets of {k} that contradict themselves").format(k=one.k),
                   Figure(bad.value, bad.ci, bad.n, bad.method, bad.reason or one.reason or "", bad.count),
                   violation_said(one), of_person=lambda person: of_share(person.violations[at].bad))


def violation_said(one: Violations) -> str:
    """Bad sets by TrustJudge's kinds, and their triads by the number of ties."""
    if one.bad.value is None:
        return ""
    return _tr("{n} of {all} sets of {k} fit no order. By TrustJudge’s kinds {circular} hold a circle and {equality} "
               "break equality; their triads by ties: {none} without, {single} with one, {two} with two.").format(
        n=figures.count(one.bad.count), all=figures.count(one.bad.n), k=one.k, circular=one.circular,
        equality=one.equality, none=one.by_ties[0], single=one.by_ties[1], two=one.by_ties[2])


def _length(report: PreferenceReport) -> list[Measure]:
    one = report.length
    longer = of_share(one.longer)
    slope = Figure(one.slope, one.slope_ci, one.n, "wald", one.reason or "")
    return [
        Measure("longer", _tr("The longer answer won"), longer, "" if longer.value is None else _tr(
            "The longer answer won {n} of {all} decided pairs of unequal length; better answers may be longer.").format(
                n=figures.count(one.longer.count), all=figures.count(one.longer.n)), nothing=0.5),
        Measure("length", _tr("Effect of length"), slope, "" if slope.value is None else _tr(
            "Twice the length multiplies the odds of winning by {odds}, the place held fast; 1 is no effect.").format(
                odds=_odds(slope.value)), LOG_ODDS, 0.0),
    ]
