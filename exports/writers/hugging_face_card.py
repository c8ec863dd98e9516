"""The card of a Hugging Face folder: a head that its readers parse, then the bundle's own card."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from annotation.errors import N_, Refused
from exports.writers.source import Source

# Licence ids that the hub knows, of those that data sets commonly state; any other becomes "other" with its name.
LICENCES = frozenset({
    "apache-2.0", "mit", "cc0-1.0", "cc-by-4.0", "cc-by-sa-4.0", "cc-by-nc-4.0", "cc-by-nd-4.0", "cc-by-nc-sa-4.0",
    "cc-by-nc-nd-4.0", "cc-by-3.0", "cc-by-sa-3.0", "odbl", "odc-by", "pddl", "gpl-3.0", "cdla-permissive-2.0"})

Place = tuple[str, str, tuple[str, ...]]  # a config, its folder, its splits


def head(source: Source, configs: Sequence[Place]) -> dict[str, Any]:
    """What stands between the lines of three dashes."""
    stated = source.manifest.get("licence")
    known = str(stated or "").strip().lower()
    licence: dict[str, Any] = {"license": known} if known in LICENCES else {
        "license": "other", "license_name": re.sub(r"[^a-z0-9.-]+", "-", known).strip("-") or "not-stated",
        "license_link": "LICENSE"}
    machine = any(row.get("kind") == "machine" for row in source.annotators())
    return {
        **licence, "pretty_name": str(source.manifest["name"]),
        "annotations_creators": ["expert-generated", *(["machine-generated"] if machine else [])],
        "configs": [{
            "config_name": name, **({"default": True} if name == "items" else {}),
            "data_files": [{"split": split, "path": f"{folder}/{split}-*"} for split in splits]}
            for name, folder, splits in configs],
    }


def card(source: Source, configs: Sequence[Place], cannot: Sequence[str]) -> bytes:
    """README.md; facts only, gaps are marked as in the bundle's card."""
    yaml, out = YAML(), io.StringIO()
    yaml.width = 4096
    yaml.dump(head(source, configs), out)
    body = source.text("CARD.md").decode()
    named = "\n".join(f'- `{name}`: `load_dataset(FOLDER, "{name}")`, files in `{folder}/`'
                      for name, folder, _ in configs)
    lost = "\n".join(f"- {one}" for one in cannot)
    return (f"---\n{out.getvalue()}---\n\n{body.rstrip()}\n\n## In this folder\n\n{named}\n\nEvery config but `items` "
            f"joins with it on `item_id`. Made from the bundle whose manifest has the SHA-256\n"
            f"`{source.manifest_sha256}`.\n\n"
            f"What only the bundle holds:\n\n{lost}\n").encode()


def check(path: Path, configs: Sequence[Place]) -> None:
    """Refused where the head of the card does not say these configs to a YAML reader."""
    said = YAML(typ="safe").load(path.read_text(encoding="utf-8").split("\n---\n", 1)[0].removeprefix("---\n"))
    found = [(one["config_name"], [data["split"] for data in one["data_files"]]) for one in said["configs"]]
    if found != [(name, list(splits)) for name, _, splits in configs]:
        raise Refused(N_("the head of README.md was read back and says other configs"), code="read_back")
