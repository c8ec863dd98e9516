"""Agreement in words: the names of metrics, the sentence above the numbers, the method, the table to take away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.agreement.result import BCA_CLUSTERS, Result
from app import figures

_METRICS = {"krippendorff_alpha": "Krippendorff\N{RIGHT SINGLE QUOTATION MARK}s α"}


def _tr(text: str) -> str:
    return QCoreApplication.translate("agreement", text)


def metric(result: Result) -> str:
    """"Krippendorff’s α, ordinal", "Percent agreement"."""
    name = _METRICS.get(result.metric, result.metric.replace("_", " ").capitalize())
    return f"{name}, {result.level}" if result.level else name


def question(protocol: Any, name: str) -> str:
    """The question as it is asked; a derived value by its name."""
    if protocol.has_question(name):
        return str(protocol.question(name).text)
    return _tr("{name} (derived)").format(name=name.replace("_", " ").capitalize())


def said(protocol: Any, name: str, value: str) -> str:
    """A value by the words that people chose it by."""
    if protocol.has_question(name):
        for option in getattr(protocol.question(name), "options", None) or ():
            if option.value == value:
                return str(option.label or option.value)
    return value


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
            question=question(protocol, best.question), figure=figures.with_interval(best.value, best.ci),
            n=figures.count(best.n_items), people=best.n_people)
    text = _tr("People agree most on “{best}”, {first}, and least on “{worst}”, {last}.").format(
        best=question(protocol, best.question), first=figures.with_interval(best.value, best.ci),
        worst=question(protocol, worst.question), last=figures.with_interval(worst.value, worst.ci))
    if best.ci is None or worst.ci is None:
        return text
    return text + " " + (_tr("The two intervals overlap.") if figures.overlap(best.ci, worst.ci)
                         else _tr("The two intervals do not touch."))


def _rank(one: Result) -> bool:
    return one.metric == "percent_agreement"


def method(results: Sequence[Result]) -> str:
    """How the intervals were made, and which answers count."""
    shown = next((one for one in results if one.ci is not None), results[0])
    over = _tr("clusters of items") if shown.ci_method == BCA_CLUSTERS else _tr("items")
    return _tr("{level} % intervals: BCa bootstrap over {over}, {draws} draws, seed {seed}.").format(
        level=round(100 * shown.ci_level), over=over, draws=figures.count(shown.replicates), seed=shown.seed)


def blindness() -> str:
    return _tr("Only answers given without sight of others’ count. On one shared machine the program shows nobody "
               "another’s answer; that nobody looks over a shoulder rests on the people.")


def details(result: Result) -> str:
    """One result in words: all its figures, or why it has none."""
    counts = _tr("{n} items, {people} people, {m} judgements").format(
        n=figures.count(result.n_items), people=result.n_people, m=figures.count(result.n_judgements))
    if result.value is None:
        return _tr("{metric} is undefined: {reason}. {counts}.").format(metric=metric(result), reason=result.reason,
                                                                       counts=counts)
    figure = figures.with_interval(result.value, result.ci)
    missing = _tr(", {n} without a value").format(n=figures.count(result.n_missing)) if result.n_missing else ""
    reason = f" {result.reason[:1].upper()}{result.reason[1:]}." if result.ci is None and result.reason else ""
    return f"{metric(result)} {figure}, {counts}{missing}.{reason}"


HEAD = ("question", "metric", "level", "slice", "value", "low", "high", "ci_level", "ci_method", "replicates", "seed",
        "n_items", "n_people", "n_judgements", "n_missing", "reason", "stage", "protocol")


def markdown(protocol: Any, results: Iterable[Result]) -> str:
    """The table as people read it; the reason stands where a value is undefined."""
    rows = [(question(protocol, one.question), metric(one), f"{one.by['field']}: {one.by['value']}" if one.by else "",
             figures.value(one.value), figures.interval(one.ci) if one.ci else one.reason or figures.NONE,
             figures.count(one.n_items), str(one.n_people), figures.count(one.n_judgements)) for one in results]
    head = (_tr("Question"), _tr("Coefficient"), _tr("Slice"), _tr("Value"), _tr("95 % interval"), _tr("Items"),
            _tr("People"), _tr("Judgements"))
    return figures.as_markdown(head, rows)


def csv(results: Iterable[Result]) -> bytes:
    """The numbers as they are, for another program."""
    return figures.as_csv(HEAD, [
        (one.question, one.metric, one.level, f"{one.by['field']}={one.by['value']}" if one.by else None, one.value,
         *(one.ci or (None, None)), one.ci_level, one.ci_method, one.replicates, one.seed, one.n_items, one.n_people,
         one.n_judgements, one.n_missing, one.reason, one.stage, one.protocol) for one in results])
