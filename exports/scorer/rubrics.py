# SPDX-License-Identifier: Apache-2.0
"""Weighted rubrics of one or two levels: ``{criterion: weight}`` or ``{dimension: {"weight": w, "criteria": {..}}}``.

The weights of the criteria of a dimension sum to 1, and so do those of the dimensions: S = sum_d w_d sum_i w_ci s_ci.
Marks have the same shape: ``{criterion: mark}`` or ``{dimension: {criterion: mark}}``; a list of marks is their mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exports.scorer.judging import on_scale
from exports.scorer.metric import Unit, is_number

Rubric = tuple[tuple[str | None, str, float], ...]  # dimension (None on one level), criterion, weight
NEAR = 1e-6


def flat(value: Any) -> Rubric | None:
    """The rubric as a list of criteria with their whole weight; None where it is none, or weights do not sum to 1."""
    if not isinstance(value, Mapping) or not value:
        return None
    if all(is_number(weight) for weight in value.values()):
        return tuple((None, str(name), float(weight)) for name, weight in value.items()) if _sum_to_one(value) else None
    found: list[tuple[str | None, str, float]] = []
    for name, dimension in value.items():
        weight, criteria = (dimension.get("weight"), dimension.get("criteria")) if isinstance(
            dimension, Mapping) else (None, None)
        if not is_number(weight) or not isinstance(criteria, Mapping) or not _sum_to_one(criteria):
            return None
        found += [(str(name), str(one), float(weight * share)) for one, share in criteria.items()]
    return tuple(found) if _sum_to_one({name: one["weight"] for name, one in value.items()}) else None


def _sum_to_one(weights: Mapping[Any, Any]) -> bool:
    values = list(weights.values())
    return all(is_number(one) and one >= 0 for one in values) and abs(sum(values) - 1.0) <= NEAR


def of(unit: Unit) -> Any:
    """The rubric of a unit: the setting ``rubric`` itself, or the fact that it names (``rubric``)."""
    setting = unit.settings.get("rubric", "rubric")
    return setting if isinstance(setting, Mapping) else unit.facts.get(str(setting))


def weighted(rubric: Rubric, marks: Any, low: float, high: float) -> float | None:
    """The weighted mean of the marks, on their scale; None where a criterion has no mark that can be read."""
    if not isinstance(marks, Mapping):
        return None
    total = 0.0
    for dimension, criterion, weight in rubric:
        inner = marks if dimension is None else marks.get(dimension)
        mark = on_scale(inner.get(criterion), low, high) if isinstance(inner, Mapping) else None
        if mark is None:
            return None
        total += weight * mark
    return min(high, max(low, total))  # weights sum to 1 only to the last digits


def marked(rubric: Rubric, mark: float) -> dict[str, Any]:
    """The same mark for every criterion."""
    found: dict[str, Any] = {}
    for dimension, criterion, _ in rubric:
        (found if dimension is None else found.setdefault(dimension, {}))[criterion] = mark
    return found
