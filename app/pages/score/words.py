"""Scores in words: who answered, what is measured, the sentence above the table, a fault with its place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from annotation.errors import Refused
from app import figures
from app.i18n import translate
from app.pages.score.reading import System
from exports.scorer.estimate import REPLICATES, SEED

_HEADLINES = {"presupposition": "PCS", "disclosure": "Exact", "pairs": "Strict", "accuracy": "Accuracy"}
_PARTS = {"pcs": "PCS", "pcr": "PCR", "pcr_worst_case": "PCR, worst case", "pcs_worst_case": "PCS, worst case",
          "no_gold_ties_half_credit": "No gold ties, half credit"}


def _tr(text: str) -> str:
    return QCoreApplication.translate("score", text)


def headline(metric: str) -> str:
    return _HEADLINES.get(metric, metric.replace("_", " ").capitalize())


def metric(name: str, question: str | None) -> str:
    said = name.replace("_", " ").capitalize()
    return _tr("{metric} of {question}").format(metric=said, question=question) if question else said


def part(name: str) -> str:
    return _PARTS.get(name, name.replace("_", " ").capitalize())


def system(one: System) -> str:
    """The name of a system; a baseline by what it does."""
    if not one.is_baseline:
        return one.name
    if one.name == "oracle":
        return _tr("Always right")
    if one.name == "anti-oracle":
        return _tr("Always wrong")
    return _tr("Always “{value}”").format(value=_constant(one))


def _constant(one: System) -> str:
    value = one.name.partition(":")[2]
    return figures.MINUS + value[1:] if value[:1] == "-" and value[1:].isdigit() else value


def reason(one: System) -> str:
    """Why a system has no value."""
    figure = one.figure
    if not figure["n"]:
        return _tr("nothing to score")
    if figure["missing"] + figure["refused"] + figure["unparsable"] >= figure["n"]:
        return _tr("no answer can be scored")
    return _tr("no item of this kind")


def sentence(rows: Sequence[System]) -> str:
    """Who leads, with intervals, and what a constant answer reaches."""
    files = [one for one in rows if not one.is_baseline and one.figure["value"] is not None]
    if not files:
        return _tr("Only baselines so far: add a file of predictions.") if not any(
            not one.is_baseline for one in rows) else _tr("None of these predictions can be scored.")
    first = files[0]
    name = headline(first.figure["metric"])
    text = _tr("{system} reaches {metric} {figure}").format(
        system=first.name, metric=name, figure=figures.with_interval(first.figure["value"], first.figure["ci"]))
    if len(files) > 1:
        second = files[1]
        text += _tr("; {system} follows with {figure}").format(
            system=second.name, figure=figures.with_interval(second.figure["value"], second.figure["ci"]))
        if first.figure["ci"] and second.figure["ci"]:
            text += _tr(", and the two intervals overlap") if figures.overlap(
                first.figure["ci"], second.figure["ci"]) else _tr(", and the two intervals do not touch")
    constants = [one for one in rows if one.name.startswith("constant:") and one.is_baseline
                 and one.figure["value"] is not None]
    if constants and first.figure["question"] is not None:
        text += _tr(". Always answering “{value}” reaches {figure}").format(
            value=_constant(constants[0]), figure=figures.value(constants[0].figure["value"]))
    return text + "."


def method(rows: Sequence[System]) -> str:
    """How the intervals were made, and what counts as wrong."""
    methods = {one.figure["ci_method"] for one in rows if one.figure["ci"] is not None}
    said = []
    if "wilson" in methods:
        said.append(_tr("Wilson"))
    if "bootstrap_bca_clusters" in methods or "bootstrap_bca_items" in methods:
        over = _tr("clusters of items") if "bootstrap_bca_clusters" in methods else _tr("items")
        said.append(_tr("BCa bootstrap over {over}, {n} draws, seed {seed}").format(
            over=over, n=figures.count(REPLICATES), seed=SEED))
    if not said:
        return _tr("No intervals: there is nothing to draw from.")
    return _tr("95 % intervals: {methods}. The same scorer for people, models and baselines.").format(
        methods=_tr(" and ").join(said))


def fault(refused: Refused, file: str = "") -> str:
    """A refusal with file, line, column and key, each once."""
    text, where = translate(refused.template, "annotation").format(**refused.values), refused.where
    text = text.removeprefix(f"line {where.line}: ")  # the place says it
    place = [Path(where.file or file).name] if (where.file or file) else []
    for word, value in ((_tr("line"), where.line), (_tr("column"), where.column), (_tr("key"), where.key)):
        if value is not None and f"{word} {value}" not in text:
            place.append(f"{word} {value}")
    return f"{', '.join(place)}: {text}" if place and place != [""] else text
