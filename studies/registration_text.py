"""A registration as Markdown, for people and registries; the JSON beside it is what the hash is of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any


def markdown(body: Mapping[str, Any], sha256: str) -> str:
    """The document ``body`` of ``registering.document`` as text."""
    study, shape = body["study"], body["design"]
    lines = [
        f"# {study['title']}", "",
        f"Study `{study['id']}`, version {study['version']}.", "",
        _row("Registered", body["registered"] or "not yet"),
        _row("SHA-256 of this registration (its canonical JSON)", f"`{sha256}`"),
        _row("SHA-256 of the study's file", f"`{study['hash']}`"),
        _row("Program", f"Goldsmith {body['program']}"),
        "", "## Participants", "",
        _row("Completed sittings wanted", body["target"]),
        _row("Conditions vary", f"{shape['vary']} participants"),
        "", "## Items", "",
        _row("Items", f"{body['items']} of " + (f"release {body['release']}" if body["release"] else "the project")),
        _row("SHA-256 of the items", f"`{body['items_sha256']}`"),
        _row("Strata", ", ".join(shape["strata"]) or "none"),
        _row("Trials in earnest for each participant", _span(body["lists"])),
        "", "## Conditions", "",
        *(_row(one["label"] or one["name"], f"`{one['name']}` shows {', '.join(one['shows'])}")
          for one in shape["conditions"]),
        "", "## Trial", "", *_settings(shape["trial"]),
        "", "## Order", "", *_settings(shape["order"]), *_settings(shape["blocks"]),
        "", "## Exclusion", "", *_settings(body["exclusion"]),
        "", "## Primary analysis", "", *_settings(body["analysis"]),
        "", "## Draw", "",
        _row("Seed", body["seed"]), _row("Generators", ", ".join(body["generators"])),
        _row("Lists", len(body["lists"])), "",
    ]
    for number, part in enumerate(body["lists"]):
        how = ", ".join(f"{n} {name}" for name, n in sorted(Counter(one[1] for one in part).items()))
        lines += [f"### List {number + 1}: {how}", "", "| item | condition |", "|---|---|",
                  *(f"| {_cell(key)} | {condition} |" for key, condition in part), ""]
    return "\n".join(lines)


def _row(name: str, value: object) -> str:
    return f"- {name}: {value}"


def _settings(part: Mapping[str, Any]) -> list[str]:
    return [_row(f"`{name}`", "none" if value in (None, [], "") else value) for name, value in part.items()]


def _span(lists: list[list[list[str]]]) -> str:
    sizes = sorted({len(part) for part in lists})
    return " to ".join(str(n) for n in ([sizes[0]] if len(sizes) == 1 else [sizes[0], sizes[-1]]))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
