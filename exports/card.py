"""The texts of a bundle for people: card, licence and citation, from facts alone; gaps are marked, never filled."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import Any

from annotation.protocol import Protocol
from exports.about import KEYS
from exports.frozen import Frozen
from exports.rows import ItemRows, moment

GAP = "**Not stated.**"


@dataclass(slots=True)
class Tally:
    """What is counted while the rows go by."""

    items: int = 0
    values: int = 0
    held: set[str] = field(default_factory=set)  # ids of held-out items
    held_values: int = 0
    missing_pictures: int = 0
    splits: Counter[str] = field(default_factory=Counter)
    standing: Counter[tuple[str, str]] = field(default_factory=Counter)  # this and the rest: of public values
    questions: dict[str, None] = field(default_factory=dict)
    agreement: dict[str, array[float]] = field(default_factory=dict)  # by question, in the order of the items
    people: Counter[int] = field(default_factory=Counter)  # how many people answered a value -> values

    def take(self, rows: ItemRows) -> None:
        self.items += 1
        self.splits[rows.item["split"]] += 1
        self.missing_pictures += sum(one["sha256"] is None for one in rows.item["media"])
        self.values += len(rows.gold)
        if rows.held_out:
            self.held.add(rows.item["id"])
            self.held_values += len(rows.gold)
        for row in rows.gold:
            self.questions[row["question"]] = None
        for row in () if rows.held_out else rows.gold:  # what is known of the others would follow from a sum over all
            self.standing[row["question"], row["standing"]] += 1
            self.people[row["n"]] += 1
            if row["agreement"] is not None and row["agreement"]["value"] is not None:
                self.agreement.setdefault(row["question"], array("d")).append(row["agreement"]["value"])

    def add(self, later: Tally) -> None:
        """What was counted of the items that follow."""
        self.items += later.items
        self.values += later.values
        self.held |= later.held
        self.held_values += later.held_values
        self.missing_pictures += later.missing_pictures
        for mine, other in ((self.splits, later.splits), (self.standing, later.standing), (self.people, later.people)):
            mine.update(other)  # type: ignore[arg-type]
        self.questions |= later.questions
        for question, values in later.agreement.items():
            self.agreement.setdefault(question, array("d")).extend(values)


def card(frozen: Frozen, protocol: Protocol, tally: Tally, hours: Iterable[Mapping[str, Any]],
         baseline: Iterable[Mapping[str, Any]]) -> bytes:
    """CARD.md."""
    about = frozen.facts.get("about", {})
    stages: Counter[str] = Counter()
    for row in hours:
        stages[row["stage"]] += round(row["seconds"] * 1000)
    kinds = Counter(person.kind for person in frozen.people.values())
    lines = [
        f"# {_plain(frozen.facts['name'])} {frozen.version}", "",
        f"A {frozen.kind} release of {moment(frozen.created)}, made with {frozen.facts['tool']['name']} "
        f"{frozen.facts['tool']['version']}.", "",
        "## What it holds", "",
        f"- Items: {tally.items}",
        *(f"- Split {name}: {n} items{' (held out)' if name in protocol.export.held_out else ''}"
          for name, n in sorted(tally.splits.items())),
        f"- Gold values: {tally.values}"
        + (f", {tally.held_values} of them held out" if tally.held_values else ""),
        f"- People and machines who answered or decided: {sum(kinds.values())} "
        f"({', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items())) or 'none'})",
        f"- Missing pictures: {tally.missing_pictures}", "",
        *(["Of held-out items no gold, answer or decision is public. `public/commitments.jsonl` fixes their gold: a "
           "later bundle cannot change it unseen. What follows counts public items alone.", ""] if tally.held else []),
        "## How it was made", "",
        f"Protocol {protocol.id}, version {protocol.version}: {_plain(protocol.title)}. The whole protocol stands in "
        "`public/protocol.yaml`. Source of the protocol: " + (_plain(protocol.source) or GAP),
        "", f"People per item: {protocol.workflow.people_per_item}. Stages: {', '.join(protocol.workflow.stages)}.", "",
        "| question | standing | values |", "|---|---|---|",
        *(f"| {question} | {kind} | {n} |" for (question, kind), n in sorted(tally.standing.items())), "",
        *_table("Share of agreeing pairs of people, mean over the values that two or more people answered:",
                ("question", "share", "values"),
                [(name, f"{reduce(add, values, 0.0) / len(values):.3f}", len(values))  # as it was always added up
                 for name, values in sorted(tally.agreement.items())]),
        *_table("Time spent on public items, where it was measured:", ("stage", "hours"),
                [(stage, f"{ms / 3_600_000:.2f}") for stage, ms in sorted(stages.items())]),
        *_table("People against gold. Answers that made the gold agree with it too often; 'apart' are those that did "
                "not make it:", ("question", "answers", "n", "right"),
                [(row["question"], row["answers"], row["n"], f"{row['accuracy']:.3f}") for row in baseline
                 if row["annotator"] is None]),
        *(["Findings at the release:", "", *(f"- {one['code']}: {one['n']}" for one in frozen.facts["findings"]), ""]
          if frozen.facts.get("findings") else []),
        "What models are asked: " + ("`public/model.json`." if protocol.model is not None else GAP), "",
        "## What people say of it", "",
        *(f"- {label}: {_said(about.get(key)) or GAP}" for key, label in KEYS.items()), "",
        "## Privacy", "",
        "People appear under pseudonyms drawn for this release. Free text of people is "
        + ("included." if protocol.export.free_text == "public" else "withheld.")
        + " Names in the texts of items were not searched for.", "",
        "## Scoring", "",
        "    python3 scorer.pyz . NAME=PREDICTIONS.jsonl", "",
        "needs Python and numpy alone. Apache-2.0, whatever the licence of the data.", "",
        "## Canary", "", "Benchmark data must not appear in training corpora.", "", f"    {frozen.facts['canary']}", "",
    ]
    return "\n".join(lines).encode()


def licence(about: Mapping[str, Any]) -> bytes:
    """The licence file: what the project states, and no more."""
    stated = about.get("licence")
    if stated:
        return f"{stated}\n".encode()
    return (b"No licence is stated.\n\nWhoever made this data set has not said under which terms it may be used. Ask "
            b"them before you\ncopy, share or train on it. Nothing is granted by this file.\n")


def citation(frozen: Frozen) -> bytes:
    """CITATION.cff 1.2.0; what nobody has stated is left out, and said in a comment."""
    about = frozen.facts.get("about", {})
    gaps = [key for key in ("authors", "doi", "url", "licence") if not about.get(key)]
    title = f"{_plain(frozen.facts['name'])} {frozen.version}"
    lines = [*([f"# Not stated: {', '.join(gaps)}."] if gaps else []),
             "cff-version: 1.2.0", "message: Please cite this data set as below.", "type: dataset",
             f"title: {_quoted(title)}", f"version: {_quoted(frozen.version)}",
             f"date-released: {frozen.created.strftime('%Y-%m-%d')}",
             "authors:", *(f"  - name: {_quoted(name)}" for name in about.get("authors") or ["Not stated"]),
             *(f"{key}: {_quoted(about[name])}" for key, name in (
                 ("doi", "doi"), ("url", "url"), ("license", "licence")) if about.get(name))]
    return ("\n".join(lines) + "\n").encode()


def _table(title: str, heads: tuple[str, ...], rows: list[tuple[Any, ...]]) -> list[str]:
    if not rows:
        return []
    return [title, "", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}",
            *(f"| {' | '.join(map(str, row))} |" for row in rows), ""]


def _said(value: Any) -> str:
    return ", ".join(map(_plain, value)) if isinstance(value, list) else _plain(value or "")


def _quoted(text: str) -> str:
    return json.dumps(_plain(text), ensure_ascii=False)


def _plain(text: str) -> str:
    return " ".join(str(text).split())
