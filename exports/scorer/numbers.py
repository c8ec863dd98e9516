# SPDX-License-Identifier: Apache-2.0
"""Numbers as they were written: exact fractions, so that 0.4 against 0.5 is off by a fifth and not by a bit more."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from annotation.errors import N_
from exports.scorer.metric import REFUSED, UNPARSABLE, Reply, Row, Unit, given, said, unfit

NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
MOST_CONSTANTS = 20  # distinct gold values; beyond that a constant answer says nothing

# What one of a unit is in metres or seconds; an answer in another unit than the setting ``unit`` is converted.
UNITS: dict[str, tuple[str, Fraction]] = {
    **{name: ("length", Fraction(size)) for name, size in (
        ("mm", "1/1000"), ("cm", "1/100"), ("m", "1"), ("km", "1000"), ("in", "0.0254"), ("ft", "0.3048"))},
    **{name: ("time", Fraction(size)) for name, size in (("ms", "1/1000"), ("s", "1"), ("min", "60"), ("h", "3600"))},
}


def exact(value: Any) -> Fraction | None:
    """A JSON number, or a text that is one number with a decimal point, as the fraction it was written as."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        text = value.strip()
        return Fraction(text) if NUMBER.fullmatch(text) and math.isfinite(float(text)) else None
    if isinstance(value, int):
        return Fraction(value) if abs(value) < 10**300 else None
    if isinstance(value, float) and math.isfinite(value):
        return Fraction(repr(value))
    return None


def measured(value: Any, wanted: str | None) -> Fraction | None:
    """``exact``; where a unit is wanted, also ``"300 cm"`` and ``{"value": 300, "unit": "cm"}``, converted to it."""
    if isinstance(value, Mapping):
        number, name = exact(value.get("value")), value.get("unit")
    elif isinstance(value, str) and wanted is not None:
        found = NUMBER.match(value.strip())
        number = None if found is None else exact(found.group())
        name = None if found is None else value.strip()[found.end():].strip() or wanted
    else:
        number, name = exact(value), wanted
    if number is None or name == wanted:
        return number
    if name not in UNITS or wanted not in UNITS or UNITS[name][0] != UNITS[wanted][0]:
        return None
    return number * UNITS[name][1] / UNITS[wanted][1]


def read(unit: Unit, row: Row) -> Reply:
    """The answer as an exact number, in the setting ``unit`` if there is one."""
    if row.get("refused"):
        return REFUSED
    number = measured(said(row), unit.settings.get("unit"))
    return UNPARSABLE if number is None else given(number)


def gold_of(unit: Unit) -> Fraction:
    """The gold number; gold was checked before."""
    number = measured(unit.gold, unit.settings.get("unit"))
    assert number is not None, unit.id
    return number


def check_numbers(units: Sequence[Unit], metric: str) -> None:
    """Gold is a number."""
    for unit in units:
        if measured(unit.gold, unit.settings.get("unit")) is None:
            raise unfit(unit, metric, N_("it is not a number"))


def check_positive(units: Sequence[Unit], metric: str) -> None:
    """Gold is a number above 0: an error relative to anything else is not defined."""
    check_numbers(units, metric)
    for unit in units:
        if gold_of(unit) <= 0:
            raise unfit(unit, metric, N_("it is not above 0"))


def oracle(unit: Unit) -> Row:
    return {"answer": unit.gold}


def far(unit: Unit) -> Row:
    """A thousand times too much and a thousand more."""
    return {"answer": str(float(abs(gold_of(unit)) * 1000 + 1000))}


def constants(units: Sequence[Unit]) -> Mapping[str, Row]:
    """The values of gold, the lowest first."""
    values = sorted({gold_of(unit) for unit in units})[:MOST_CONSTANTS]
    return {f"{float(value):g}": {"answer": float(value)} for value in values}
