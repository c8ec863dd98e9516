"""CHANGELOG.md of a bundle: the final releases from the newest back, each with its errata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_WORDS = {"same": "the same", "added": "added", "removed": "removed", "gold": "with other gold",
          "contents": "with other contents", "split": "in another split", "slices": "in other slices",
          "pictures": "with other pictures"}


def changelog(facts: Mapping[str, Any]) -> bytes:
    """The file's bytes, from what the release keeps of its history."""
    lines = ["# Changes", ""]
    for entry in reversed(facts.get("history", ())):
        lines += [f"## {entry['version']} ({entry['day']})", "", f"{entry['items']} items, {entry['values']} values."]
        since = entry["since"]
        if since is not None:
            parts = [f"{since[what]} {words}" for what, words in _WORDS.items() if since[what]]
            lines += ["", f"Since {since['version']}: {', '.join(parts) or 'nothing changed'}."]
        errata = [one for one in facts.get("errata", ()) if one["to"] == entry["version"]]
        lines += ["", *(f"- `{one['id']}`: {', '.join(_WORDS[what] for what in one['what'])}"
                        f"{' (' + ', '.join(one['questions']) + ')' if one['questions'] else ''}"
                        f"{', through ' + ', '.join(one['causes']).replace('_', ' ') if one['causes'] else ''}: "
                        f"{one['why'] or 'nobody has said why'}" for one in errata), *([""] if errata else [])]
    return "\n".join(lines).rstrip("\n").encode() + b"\n"
