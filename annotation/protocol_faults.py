"""Faults of a protocol that its shape cannot show: names that lead nowhere, rules that do not fit."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.protocol_fault_form import form_faults
from annotation.protocol_fault_names import Found
from annotation.protocol_fault_use import use_faults
from annotation.protocol_fault_values import value_faults
from annotation.protocol_models import Protocol

__all__ = ["Found", "find_faults"]


def find_faults(protocol: Protocol) -> Iterator[Found]:
    """Every such fault; the later parts are looked at only where the form itself is sound."""
    form = list(form_faults(protocol))
    yield from form
    if not any(not found.warning for found in form):
        yield from value_faults(protocol)
        yield from use_faults(protocol)
