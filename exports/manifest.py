"""What stands at the head of a bundle: the manifest, the card, the licence and the list of checksums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.protocol import Protocol
from exports.frozen import Frozen
from exports.rows import line, moment

SCHEMA = "gold-bundle/1.0"


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of a bundle; ``rows`` is None where a file has no rows."""

    path: str
    sha256: str
    bytes: int
    rows: int | None


def manifest(frozen: Frozen, protocol: Protocol, files: Iterable[FileEntry]) -> bytes:
    """The manifest's bytes; ``files``: all files but the manifest, the checksums and private ones."""
    splits = Counter(item.split for item in frozen.items)
    return line({
        "schema": SCHEMA, "name": frozen.facts["name"], "version": frozen.version, "kind": frozen.kind,
        "licence": frozen.facts["licence"], "tool": frozen.facts["tool"], "created": moment(frozen.created),
        "protocol": {"id": protocol.id, "version": protocol.version, "sha256": protocol.hash,
                     "form_hash": protocol.form_hash},
        "splits": dict(splits), "scorer": scorers(frozen, protocol),
        "files": [{"path": one.path, "sha256": one.sha256, "bytes": one.bytes, "rows": one.rows}
                  for one in sorted(files, key=lambda one: one.path)],
        "canary": frozen.facts["canary"],
        **{name: frozen.facts[name] for name in ("waivers", "errata") if name in frozen.facts},
    })


def scorers(frozen: Frozen, protocol: Protocol) -> list[dict[str, Any]]:
    """The protocol's metrics with question and settings; a bare name takes the one question with gold, if it is one."""
    questions = {one.question for item in frozen.items for one in item.gold}
    only = next(iter(questions)) if len(questions) == 1 else None
    return [{"metric": spec.metric,
             "question": spec.question or (None if spec.metric == "presupposition" else only),
             **({"settings": dict(spec.settings)} if spec.settings else {})}
            for spec in protocol.scorers()]


def checksums(files: Mapping[str, str]) -> bytes:
    """SHA256SUMS: ``HEX  PATH`` for every file of the bundle but this one, by path."""
    return "".join(f"{files[path]}  {path}\n" for path in sorted(files)).encode()


def licence(frozen: Frozen) -> bytes:
    """The licence file: what the project states, and no more."""
    stated = frozen.facts["licence"]
    if stated:
        return f"{stated}\n".encode()
    return (b"No licence is stated.\n\nWhoever made this data set has not said under which terms it may be used. Ask "
            b"them before you\ncopy, share or train on it. Nothing is granted by this file.\n")


GAP = "**Not stated.**"


def card(frozen: Frozen, protocol: Protocol) -> bytes:
    """CARD.md from facts alone; what the program cannot know is marked as not stated."""
    values = [one for item in frozen.items for one in item.gold]
    standing = Counter((one.question, str(one.about["standing"])) for one in values)
    kinds = Counter(person.kind for person in frozen.people.values())
    lines = [
        f"# {_plain(frozen.facts['name'])} {frozen.version}", "",
        f"A {frozen.kind} release of {moment(frozen.created)}, made with {frozen.facts['tool']['name']} "
        f"{frozen.facts['tool']['version']}.", "",
        "## What it holds", "",
        f"- Items: {len(frozen.items)}",
        *(f"- Split {name}: {n} items" for name, n in sorted(Counter(i.split for i in frozen.items).items())),
        f"- Gold values: {len(values)}",
        f"- People and machines who answered or decided: {sum(kinds.values())} "
        f"({', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items())) or 'none'})",
        f"- Missing pictures: {sum(m['sha256'] is None for i in frozen.items for m in i.media)}", "",
        "## How it was made", "",
        f"Protocol {protocol.id}, version {protocol.version}: {_plain(protocol.title)}. The whole protocol stands in "
        "`public/protocol.yaml`. Source of the protocol: " + (_plain(protocol.source) or GAP),
        "", f"People per item: {protocol.workflow.people_per_item}. Stages: {', '.join(protocol.workflow.stages)}.", "",
        "| question | standing | values |", "|---|---|---|",
        *(f"| {question} | {kind} | {n} |" for (question, kind), n in sorted(standing.items())), "",
        *(["Findings at the release:", "", *(f"- {one['code']}: {one['n']}" for one in frozen.facts["findings"]), ""]
          if frozen.facts["findings"] else []),
        "## What nobody has said yet", "",
        f"- Licence: {_plain(frozen.facts['licence'] or '') or GAP}",
        f"- Where the items come from, and whose consent covers them: {GAP}",
        f"- Intended use, and uses to avoid: {GAP}",
        f"- Who the people are and how they were paid: {GAP}", "",
        "## Privacy", "",
        "People appear under pseudonyms drawn for this release. Free text of people is "
        + ("included." if protocol.export.free_text == "public" else "withheld.")
        + " Names in the texts of items were not searched for.", "",
        "## Canary", "", "Benchmark data must not appear in training corpora.", "", f"    {frozen.facts['canary']}", "",
    ]
    return "\n".join(lines).encode()


def _plain(text: str) -> str:
    return " ".join(text.split())
