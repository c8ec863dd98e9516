"""The lines that goldsmith agreement prints without --json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.agreement.difference import Difference
from annotation.agreement.result import Result
from annotation.agreement.second_opinion import Opinion
from app.verbs.numbered import numbered


def name_of(result: Result) -> str:
    weights = result.weights if result.weights not in (None, "unweighted") else None
    name = " ".join(part for part in (result.question, result.metric, result.level, weights) if part)
    return f"{name} [{result.by['field']} = {result.by['value']}]" if result.by else name


def result_line(result: Result) -> str:
    """One result: name, slice, value with its interval and its method, n; or the reason why there is no value."""
    counts = f"{numbered(result.n_items, 'item')}, {numbered(result.n_people, 'person', 'people')}"
    if result.value is None:
        return f"{name_of(result)}: undefined: {result.reason} ({counts})"
    interval = (f", {result.ci_level:.0%} interval {result.ci[0]:.3f} to {result.ci[1]:.3f} ({result.ci_method})"
                if result.ci else f", no interval: {str(result.reason).removeprefix('no interval: ')}")
    note = f"; {result.note}" if result.note else ""
    return f"{name_of(result)}: {result.value:.3f}{interval} ({counts}){note}"


def pair_line(pair: Mapping[str, Any]) -> str:
    value = f"{pair['value']:.3f}" if pair["value"] is not None else f"undefined: {pair['reason']}"
    interval = f", {pair['ci_level']:.0%} interval {pair['ci'][0]:.3f} to {pair['ci'][1]:.3f}" if pair["ci"] else ""
    return f"  {pair['first']} and {pair['second']}, {pair['metric']}: {value}{interval} " \
           f"({numbered(pair['n_items'], 'item')})"


def check_line(opinion: Opinion) -> str:
    name = " ".join(part for part in (opinion.question, opinion.metric, opinion.level, opinion.weights) if part)
    if opinion.theirs is None:
        return f"  {name}: no second opinion: {opinion.reason}"
    told = "undefined here" if opinion.difference is None else f"difference {opinion.difference:.1e}"
    return f"  {name}: {opinion.program} says {opinion.theirs:.6f}, {told}"


def difference_line(found: Difference) -> str:
    sides = " less ".join(str(side.by["value"]) if side.by else "?" for side in (found.first, found.second))
    if found.value is None:
        return f"  {sides}: undefined: {found.reason}"
    interval = f", {found.ci_level:.0%} interval {found.ci[0]:.3f} to {found.ci[1]:.3f}" if found.ci else ""
    p = f", p {found.p:.3g}" if found.p is not None else ""
    holm = f" (Holm {found.p_holm:.3g})" if found.p_holm is not None else ""
    return f"  {found.first.metric} of {sides}: {found.value:+.3f}{interval}{p}{holm}"
