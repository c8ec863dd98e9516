"""The lines that tell which rows were refused: place, value and why, as an editor can jump to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SHOWN = 10  # in the text; the file of refused rows has all of them


def refusal_lines(report: Mapping[str, Any]) -> list[str]:
    """Lines for ``refusals``, how many more there are, and where the rows were written."""
    lines = [f"refused: {_place(refusal)}{refusal['message']}" for refusal in report["refusals"][:SHOWN]]
    if report["refused"] > SHOWN:
        lines.append(f".. and {report['refused'] - SHOWN:,} more")
    if report.get("refused_file"):
        lines.append(f"the refused rows are in {report['refused_file']}")
    return lines


def _place(refusal: Mapping[str, Any]) -> str:
    place = ":".join(str(refusal[part]) for part in ("file", "line", "column") if refusal[part] is not None)
    if refusal["key"] and refusal["value"] and refusal["value"] not in refusal["message"]:
        return f"{place}: {refusal['key']} = {refusal['value']}: "
    return f"{place}: " if place else ""
