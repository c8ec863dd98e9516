"""What came of a job: stored orders and reasons, a bundle's files, and the figures worked out a second time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from annotation.store import opening
from annotation.store.tables import Adjudication, Item, Person, Task
from tests.driver import ANNOTATORS, OWNER, CommandLine

Plan = Mapping[str, Mapping[str, Any]]  # person -> key -> what he says


def orders(project: Path, field: str) -> dict[tuple[str, str], list[str]]:
    """(item, person) -> the candidates of ``field`` in the order that the store keeps for that turn."""
    with opening.open_store(project, read_only=True) as store, store.read() as session:
        rows = session.execute(select(Item.key, Person.handle, Task.order_json).join(Item, Item.id == Task.item)
                               .join(Person, Person.id == Task.person)).all()
    return {(key, handle): order["candidates"][field] for key, handle, order in rows
            if (order or {}).get("candidates", {}).get(field)}


def decided_in_order(project: Path, field: str) -> dict[str, list[str]]:
    """item -> the candidates of ``field`` in the order that the store keeps with the decision about it."""
    with opening.open_store(project, read_only=True) as store, store.read() as session:
        return {key: inputs["order"]["candidates"][field] for key, inputs in session.execute(
            select(Item.key, Adjudication.inputs_json).join(Item, Item.id == Adjudication.item))}


def reasons(project: Path) -> dict[str, str]:
    """item -> the reason that was typed (a bundle leaves it out: it is free text)."""
    with opening.open_store(project, read_only=True) as store, store.read() as session:
        return {key: reason for key, reason in session.execute(
            select(Item.key, Adjudication.reason).join(Item, Item.id == Adjudication.item))}


def alpha_of(said: Mapping[str, Mapping[str, Any]], level: str) -> float:
    """Krippendorff's alpha of person -> item -> value, by the krippendorff package."""
    import krippendorff
    import numpy as np

    items = sorted({key for answers in said.values() for key in answers})
    values = sorted({value for answers in said.values() for value in answers.values()})
    table = np.array([[values.index(answers[key]) for key in items] for answers in said.values()], dtype=float)
    if level != "nominal":
        table = np.array(values, dtype=float)[table.astype(int)]
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement=level))


def majority(votes: Sequence[str]) -> str | None:
    """The value that more than half give."""
    value, n = Counter(votes).most_common(1)[0]
    return value if 2 * n > len(votes) else None


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


class Bundle:
    """A bundle as its files say: items by key, gold by (key, question)."""

    def __init__(self, folder: Path) -> None:
        self.items = {row["key"]: row for row in lines(folder / "public/items.jsonl")}
        self.keys = keys = {row["id"]: row["key"] for row in self.items.values()}
        self.gold = {(keys[row["id"]], row["question"]): row["answer"] for row in lines(folder / "public/gold.jsonl")}
        self.annotations = [{**row, "key": keys[row["id"]]} for row in lines(folder / "public/annotations.jsonl")]
        self.adjudications = [{**row, "key": keys[row["id"]]} for row in lines(folder / "public/adjudications.jsonl")]

    def by_text(self, question: str, field: str, *, ties: Collection[str]) -> dict[str, Any]:
        """key -> the text of the candidate that the gold names, or the tie."""
        texts = {key: {one["id"]: one["text"] for one in item["fields"].get(field) or ()}
                 for key, item in self.items.items()}
        return {key: answer if answer in ties else texts[key][answer] for key, answer in self.of(question).items()}

    def of(self, question: str) -> dict[str, Any]:
        return {key: answer for (key, name), answer in self.gold.items() if name == question}


def headline(scores: Mapping[str, Any], metric: str, question: str) -> dict[str, float]:
    """system -> the value of one metric on one question."""
    return {system["system"]: row["value"] for system in scores["systems"] for row in system["metrics"]
            if (row["metric"], row["question"]) == (metric, question)}


def plan_of(votes: tuple[tuple[Any, ...], ...], keys: list[str]) -> Plan:
    """``votes``: a row an item, over and over in the order of the keys; a column a person."""
    return {person: {key: votes[n % len(votes)][column] for n, key in enumerate(keys)}
            for column, person in enumerate(ANNOTATORS)}


def votes_on(plan: Plan, key: str) -> list[Any]:
    return [plan[person][key] for person in ANNOTATORS]


def without_majority(plan: Plan) -> list[str]:
    return [key for key in plan[ANNOTATORS[0]] if majority(votes_on(plan, key)) is None]


def bundle_of(run: CommandLine, project: Path, out: Path, made: Mapping[str, Any], *options: str) -> Bundle:
    """A release as a bundle; it verifies, and so does the project."""
    exported = run("export", project, out, "--release", made["version"], *options, "--as", OWNER)
    assert exported["manifest_sha256"] == made["manifest_sha256"]
    for verified in (run("verify", out, "--manifest-sha256", made["manifest_sha256"]), run("verify", project)):
        assert verified["faults"] == []
    return Bundle(out)


def agrees(run: CommandLine, project: Path, question: str, plan: Plan, *, level: str) -> None:
    """The program's alpha is the krippendorff package's alpha of what was typed."""
    [result] = run("agreement", project, "--question", question, "--metric", "krippendorff_alpha", "--level", level,
                   "--replicates", "200")["results"]
    assert result["value"] == pytest.approx(alpha_of(plan, level), abs=1e-12)
    assert result["value"] < 1, "somebody must differ, or nothing is measured"
    count = len(plan[ANNOTATORS[0]])
    assert (result["n_items"], result["n_people"], result["n_judgements"]) == (count, 3, 3 * count)


def shares(gold: Mapping[str, Any], values: tuple[Any, ...]) -> dict[str, float]:
    """What an oracle, its opposite and each constant answer must score."""
    said = list(gold.values())
    return {"oracle": 1.0, "anti-oracle": 0.0,
            **{f"constant:{value}": said.count(value) / len(said) for value in values}}


def sides(bundle: Bundle, question: str, ties: tuple[str, ...]) -> dict[str, float]:
    """The same for pairs: the sides are those of the bundle's public order."""
    said = [answer if answer in ties else "left" if answer == bundle.items[key]["candidates"][0] else "right"
            for key, answer in bundle.of(question).items()]
    return {"oracle": 1.0, "anti-oracle": 0.0,
            **{f"constant:{value}": said.count(value) / len(said) for value in ("left", "right", *ties)}}
