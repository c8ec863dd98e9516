"""Scores in words: who answered, what is measured, the sentence above the table, a fault with its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.errors import Refused
from app import figures
from app.i18n import QT_TRANSLATE_NOOP, begun, translate
from app.pages.score.reading import System

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
    """The name of a system; a baseline by what it does, people by what is made of them."""
    if one.kind == "people" and one.figure.get("people"):
        return _tr("{name}, {n} people").format(name=one.name, n=len(one.figure["people"]))
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


def slice_reason(one: Mapping[str, Any]) -> str:
    """Why a slice has no number."""
    return translate(one["reason"], "annotation") if one.get("reason") else figures.NONE


def status(name: str) -> str:
    return {"missing": _tr("no answer"), "refused": _tr("refused"), "unparsable": _tr("cannot be read")}.get(name, name)


def sentence(rows: Sequence[System]) -> str:
    """Who leads, with intervals, how people do, and what a constant answer reaches."""
    files = [one for one in rows if one.kind == "file" and one.figure["value"] is not None]
    people = [one for one in rows if one.kind == "people" and one.figure["value"] is not None]
    if not files and not people:
        return _tr("Only baselines so far: add a file of predictions.") if all(
            one.is_baseline for one in rows) else _tr("None of these predictions can be scored.")
    text, said = "", (files or people)[0]
    name = headline(said.figure["metric"])
    name = name if name[:2].isupper() else name[:1].lower() + name[1:]  # PCS, but accuracy
    if people:
        text = _tr("{people}: people answer {figure}").format(people=people[0].name, figure=figures.with_interval(
            people[0].figure["value"], people[0].figure["ci"]))
    if files:
        first = files[0]
        one = _tr("{system} reaches {metric} {figure}").format(
            system=first.name, metric=name, figure=figures.with_interval(first.figure["value"], first.figure["ci"]))
        text = f"{text}; {one}" if text else one
        if people and first.figure["ci"] and people[0].figure["ci"]:
            text += _tr(", and the two intervals overlap") if figures.overlap(
                first.figure["ci"], people[0].figure["ci"]) else _tr(", and the two intervals do not touch")
        if len(files) > 1:
            text += _tr("; {system} follows with {figure}").format(
                system=files[1].name, figure=figures.with_interval(files[1].figure["value"], files[1].figure["ci"]))
    constants = [one for one in rows if one.name.startswith("constant:") and one.is_baseline
                 and one.figure["value"] is not None]
    if constants and said.figure["question"] is not None:
        text += _tr(". Always answering “{value}” reaches {figure}").format(
            value=_constant(constants[0]), figure=figures.value(constants[0].figure["value"]))
    return text + "."


_METHODS = {
    "wilson": "Wilson", "wilson_effective_n": QT_TRANSLATE_NOOP("score", "Wilson with the effective n of clusters"),
    "cluster_robust_t": QT_TRANSLATE_NOOP("score", "cluster-robust t"),
    "bootstrap_bca_items": QT_TRANSLATE_NOOP("score", "BCa bootstrap over items"),
    "bootstrap_bca_clusters": QT_TRANSLATE_NOOP("score", "BCa bootstrap over clusters of items"),
    "bootstrap_crossed": QT_TRANSLATE_NOOP("score", "bootstrap over people and items"),
    "paired_bootstrap_items": QT_TRANSLATE_NOOP("score", "paired BCa bootstrap over items"),
    "paired_bootstrap_clusters": QT_TRANSLATE_NOOP("score", "paired BCa bootstrap over clusters of items"),
}


def method_name(name: str | None) -> str:
    """A method of an interval in words; "" for none."""
    return _tr(_METHODS.get(name, name.replace("_", " "))) if name else ""


def test(name: str | None) -> str:
    return {"mcnemar_exact": _tr("exact McNemar"), "bootstrap": _tr("paired bootstrap")}.get(name or "", name or "")


def p_value(p: float | None) -> str:
    if p is None:
        return figures.NONE
    return "< 0.001" if p < 0.001 else figures.value(p, 3)


def method(rows: Sequence[System], settings: Mapping[str, Any]) -> str:
    """How the intervals were made, how answers were read, and that there is one scorer."""
    names = list(dict.fromkeys(one.figure["ci_method"] for one in rows if one.figure["ci"] is not None))
    if not names:
        return _tr("No intervals: there is nothing to draw from.")
    said = _tr(" and ").join(map(method_name, names))
    if any("bootstrap" in name for name in names):
        said = _tr("{methods}, {n} draws, seed {seed}").format(
            methods=said, n=figures.count(settings["replicates"]), seed=settings["seed"])
    text = _tr("95 % intervals: {methods}. The same scorer for people, models and baselines.").format(methods=said)
    if settings["extract"] != ["exact"]:
        text += " " + _tr("Answers were read by: {rules}.").format(rules=", ".join(settings["extract"]))
    return text


def finding(one: Mapping[str, Any]) -> str:
    """A comparison as a sentence."""
    if one["difference"] is None:
        return _tr("No value over what both answered.")
    text = _tr("{first} {one}, {second} {other}, over the {n} that both answered: a difference of {figure}.").format(
        first=one["first"], second=one["second"], n=figures.count(one["n"]),
        one=figures.value(one.get("first_value", one.get("system_value"))),
        other=figures.value(one.get("second_value", one.get("people_value"))),
        figure=figures.with_interval(one["difference"], one["ci"]))
    p = one["p_holm"] if one["p_holm"] is not None else one["p"]
    if p is not None:
        text += " " + _tr("p {p} by {test}, after Holm’s correction.").format(p=p_value(p), test=test(one["p_method"]))
    could = one.get("detectable")
    if p is not None and p >= 0.05 and could:
        text += " " + _tr("A difference of {could} would have been found in 8 of 10 such samples.").format(
            could=figures.value(could))
    return text


def versions(found: Mapping[str, Any]) -> str:
    """How the gold of two versions differs, and whether anybody's rank does."""
    gold, moved = found["gold"], found["rank_changes"]
    changed = (_tr("none differs") if not gold["changed"] else _tr("1 differs") if gold["changed"] == 1 else
               _tr("{n} differ").format(n=figures.count(gold["changed"])))
    text = _tr("Against {bundle}: of the {common} gold values that both have, {changed}").format(
        bundle=found["bundle"], common=figures.count(gold["common"]), changed=changed)
    text += _tr("; {here} stand only here, {there} only there").format(
        here=figures.count(gold["only_here"]), there=figures.count(gold["only_there"])) if (
            gold["only_here"] or gold["only_there"]) else ""
    return f"{text}. " + (_tr("No system changes its rank.") if not moved else _tr(
        "1 system changes its rank.") if moved == 1 else _tr("{n} systems change their rank.").format(
            n=figures.count(moved)))


def version_change(one: Mapping[str, Any]) -> str:
    """What one system gains or loses by the gold alone, as a sentence."""
    if one["common_change"] is None:
        return _tr("{system} has no value over what both versions have.").format(system=one["system"])
    return _tr("{system}: {before} there, {after} here. Over the {n} values that both have, the gold alone changes it "
               "by {figure}.").format(
        system=one["system"], before=figures.value(one["before"]), after=figures.value(one["after"]),
        n=figures.count(one["n_common"]), figure=figures.with_interval(one["common_change"], one["ci"]))


def fault(refused: Refused, file: str = "") -> str:
    """A refusal with file, line, column and key, each once."""
    template, where = translate(refused.template, "annotation"), refused.where
    said = template.format(**refused.values)
    text = said.removeprefix(f"line {where.line}: ")  # the place says it
    place = [Path(where.file or file).name] if (where.file or file) else []
    for word, value in ((_tr("line"), where.line), (_tr("column"), where.column), (_tr("key"), where.key)):
        if value is not None and f"{word} {value}" not in text:
            place.append(f"{word} {value}")
    return f"{', '.join(place)}: {text}" if place and place != [""] else begun(text, template)
