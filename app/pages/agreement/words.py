"""Agreement in words: the sentence above the numbers, the method behind them, one result with all its figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.agreement.result import Result
from annotation.agreement.second_opinion import Opinion
from app import figures
from app.pages.agreement import names


def _tr(text: str) -> str:
    return QCoreApplication.translate("agreement", text)


def sentence(protocol: Any, results: Sequence[Result]) -> str:
    """On what people agree most and least, with intervals; no scale and no threshold is applied."""
    first: dict[str, Result] = {}
    for one in results:
        if one.value is not None and (one.question not in first or _rank(one) < _rank(first[one.question])):
            first[one.question] = one
    if not first:
        reason = next((one.reason for one in results if one.reason), "")
        return _tr("No coefficient can be computed yet: {reason}.").format(reason=reason)
    kinds = [one.metric for one in first.values()]
    alike = [one for one in first.values() if one.metric == max(kinds, key=kinds.count)]
    alike.sort(key=lambda one: -(one.value or 0.0))
    best, worst = alike[0], alike[-1]
    if best is worst:
        return _tr("On “{question}” agreement is {figure}, from {n} items that {people} people judged.").format(
            question=names.question(protocol, best.question), figure=figures.with_interval(best.value, best.ci),
            n=figures.count(best.n_items), people=best.n_people)
    text = _tr("People agree most on “{best}”, {first}, and least on “{worst}”, {last}.").format(
        best=names.question(protocol, best.question), first=figures.with_interval(best.value, best.ci),
        worst=names.question(protocol, worst.question), last=figures.with_interval(worst.value, worst.ci))
    if best.ci is None or worst.ci is None:
        return text
    return f"{text} {two_ends(best.ci, worst.ci, len(alike))}"


def two_ends(one: tuple[float, float], other: tuple[float, float], among: int) -> str:
    """How two intervals lie that were picked for being the highest and the lowest of ``among``."""
    if figures.overlap(one, other):
        return _tr("The two intervals overlap.")
    if among < 3:
        return _tr("The two intervals do not touch.")
    return _tr("The two intervals do not touch, but these are the ends of {n}: chance alone sets the ends of many "
               "apart.").format(n=figures.count(among))


def _rank(one: Result) -> bool:
    return one.metric == "percent_agreement"


def method(results: Sequence[Result]) -> str:
    """How the intervals were made, method by method where they differ."""
    said = list(dict.fromkeys(of_interval(one) for one in results if one.ci is not None))
    if not said:
        return _tr("No intervals yet.")
    return _tr("{level} % intervals: {methods}.").format(
        level=round(100 * results[0].ci_level), methods="; ".join(said))


def of_interval(result: Result) -> str:
    """"BCa bootstrap over items, 10,000 draws, seed 0"."""
    if not names.is_bootstrap(result.ci_method):
        return names.method(result.ci_method)
    return _tr("{method}, {draws} draws, seed {seed}").format(
        method=names.method(result.ci_method), draws=figures.count(result.replicates), seed=result.seed)


def short_of_interval(result: Result) -> str:
    """"BCa, 10,000 draws": beside the ends of the interval."""
    if result.ci is None:
        return ""
    short = names.short_method(result.ci_method)
    if names.is_bootstrap(result.ci_method):
        return _tr("{method}, {draws} draws").format(method=short, draws=figures.count(result.replicates))
    return short


def blindness() -> str:
    return _tr("Only answers that were given before others’ were seen count. The program shows nobody another’s "
               "answer; that nobody looks over a shoulder at a shared machine, people must see to themselves.")


def details(result: Result) -> str:
    """One result in words: all its figures with the method, or why it has none."""
    counts = _tr("{n} items, {people} people, {m} judgements").format(
        n=figures.count(result.n_items), people=result.n_people, m=figures.count(result.n_judgements))
    if result.value is None:
        return _tr("{metric} is undefined: {reason}. {counts}.").format(
            metric=names.metric(result), reason=result.reason, counts=counts)
    missing = _tr(", {n} without a value").format(n=figures.count(result.n_missing)) if result.n_missing else ""
    reason = f" {result.reason[:1].upper()}{result.reason[1:]}." if result.ci is None and result.reason else ""
    how = "" if result.ci is None else _tr(", {level} % interval {ends} ({method})").format(
        level=round(100 * result.ci_level), ends=figures.interval(result.ci), method=of_interval(result))
    return f"{names.metric(result)} {figures.value(result.value)}{how}; {counts}{missing}.{reason}"


def opinion(found: Opinion) -> str:
    """What another program computes from the same answers, and the difference to ours; or why there is none."""
    if found.program is None:
        return _tr("Second opinion: no other program here computes {metric}.").format(
            metric=names.metric_name(found.metric))
    if found.theirs is None or found.difference is None:
        return _tr("Second opinion of {program}: none; {reason}.").format(
            program=found.program, reason=found.reason or _tr("there is no value to compare with"))
    exact = abs(found.difference) < 1e-9
    difference = _tr("no difference in nine decimals") if exact else _tr("ours differs by {n}").format(
        n=f"{found.difference:.2g}".replace("-", figures.MINUS))
    return _tr("Second opinion of {program}: {value}, {difference}.").format(
        program=found.program, value=figures.value(found.theirs, 6), difference=difference)


def chosen_here(protocol: Any, question: str) -> str:
    """What the protocol asks for where somebody chose something else."""
    specs = [spec for spec in protocol.agreement if spec.question == question]
    if not specs:
        return _tr("Chosen here.")
    wanted = ", ".join(names.metric_name(str(spec.metric)) + (f" ({spec.level})" if spec.level else "")
                       for spec in specs)
    return _tr("Chosen here, for this machine alone; the protocol names {metrics}, and releases carry that. Choose "
               "before looking at the values.").format(metrics=wanted)
