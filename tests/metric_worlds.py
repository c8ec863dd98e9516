"""A small bundle for every metric, with what the constants are worth in it, worked out by hand.

A metric that is added to the scorer needs an entry here; tests/test_metrics.py says which has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class World:
    """``constants``: the value of each constant baseline; ``people``: the answers of people to each item."""

    gold: list[Any]
    items: Rows = field(default_factory=list)
    settings: Mapping[str, Any] = field(default_factory=dict)
    constants: Mapping[str, float | None] = field(default_factory=dict)
    asks: bool = True
    people: list[list[Any]] = field(default_factory=list)

    def annotations(self) -> Rows:
        return [{"id": f"i{n}", "question": "q", "annotator": f"p{person}", "answer": value}
                for n, said in enumerate(self.people) for person, value in enumerate(said)]

    def bundle(self) -> tuple[Rows, Rows]:
        """Items and gold rows."""
        items = [{"id": f"i{n}", **(self.items[n] if self.items else {})} for n in range(len(self.gold))]
        rows = [{"id": f"i{n}", "question": "q", "answer": value} for n, value in enumerate(self.gold)]
        return items, rows if self.asks else []


def options(*names: str, **facts: Any) -> dict[str, Any]:
    return {"choices": {"q": [{"id": one, "text": f"the {one}"} for one in names]}, "slices": facts}


def sides(**facts: Any) -> dict[str, Any]:
    return {"candidates": ["l", "r"], "choices": {"q": [{"id": "tie", "text": "Tie"}]}, "slices": facts}


def among(n: int, **facts: Any) -> dict[str, Any]:
    return {"candidates": [f"c{place}" for place in range(n)], **facts}


def letters(no: str, yes: str, **facts: Any) -> dict[str, Any]:
    pair = sorted([(no, "no"), (yes, "yes")])
    return {"choices": {"q": [{"id": id, "text": text} for id, text in pair]}, "slices": facts}


NUMBERS = [2, 4, 8]
LEG = {"camera": "c1", "interval": [0, 10]}

WORLDS: dict[str, World] = {
    "accuracy": World(["a", "a", "b"], [options("a", "b", "c")] * 3, constants={"a": 2 / 3, "b": 1 / 3, "c": 0.0}),
    # a: F1 2*2/(2+3), b: 0 -> mean of a and b 0.4; b: 2*1/(1+3) = 0.5 -> 0.25; c: three classes of 0.
    "macro_f1": World(["a", "a", "b"], [options("a", "b", "c")] * 3, constants={"a": 0.4, "b": 0.25, "c": 0.0}),
    "f1": World(["a", "a", "b"], [options("a", "b", "c")] * 3, {"positive": "a"},
                constants={"a": 0.8, "b": 0.0, "c": 0.0}),
    "disclosure": World(["n", "n", "s"], [options("n", "s", "f")] * 3, constants={"n": 2 / 3, "s": 1 / 3, "f": 0.0}),
    "disclosure_upstream": World(["n", "n", "s"], [options("n", "s", "f")] * 3,
                                 constants={"n": 2 / 3, "s": 1 / 3, "f": 0.0}),
    "presupposition": World([None] * 2, constants={"-1": -1.0, "0": 0.0, "1": 1.0}, asks=False),
    "pairs": World(["l", "l", "r", "tie"], [sides()] * 4, constants={"left": 0.5, "right": 0.25, "tie": 0.25}),
    "circular": World(["a", "a", "a"], [
        options("a", "b", group="1", rotation=0), options("b", "a", group="1", rotation=1),
        options("a", "none of the above", group="2", rotation=0)],
        constants={"a": 1.0, "b": 0.0, "none of the above": 0.0}),
    # 2 of 4 and 8: off by 1/2 and 3/4; 4 of 2: off by 1, of 8: 1/2; 8 of 2 and 4: off by 3 and 1.
    "mra": World(NUMBERS, constants={"2": 11 / 30, "4": 11 / 30, "8": 10 / 30}),
    "mra_lt": World(NUMBERS, constants={"2": 10 / 30, "4": 10 / 30, "8": 10 / 30}),
    "rmse": World(NUMBERS, constants={"2": (40 / 3) ** 0.5, "4": (20 / 3) ** 0.5, "8": (52 / 3) ** 0.5}),
    "mae": World(NUMBERS, constants={"2": 8 / 3, "4": 2.0, "8": 10 / 3}),
    "median_ae": World(NUMBERS, constants={"2": 2.0, "4": 2.0, "8": 4.0}),
    "relative_accuracy": World(NUMBERS, settings={"within": 0.5}, constants={"2": 2 / 3, "4": 2 / 3, "8": 1 / 3}),
    "delta_accuracy": World(NUMBERS, constants={"2": 2 / 3, "4": 1.0, "8": 2 / 3}),
    "st_iou": World([LEG, [LEG, {"camera": "c2", "interval": "00:01-00:02.5"}]]),
    # -1: right on the clean one, wrong on both faulty: F1 of 0 and 1; 0: half of the faulty, no clean one.
    "steps": World([-1, [False, True], 2], constants={"-1": 0.0, "0": 0.0}),
    "last_correct_step": World([["one", "two"], 3]),
    "typed_answer": World([3, 2.5, "Rome", "a b c d", [1, 2], ["x"]],
                          [{"slices": {"answer_type": one}} for one in (
                              "numeric_exact", "numeric_approximate", "string_exact", "string_approximate",
                              "list_exact", "list_approximate")]),
    "best_of_n": World(["c0", "c0", ["c1"]], [among(4), among(2), among(2)],
                       constants={"A": 2 / 3, "B": 1 / 3, "C": 0.0, "D": 0.0, "all_equal": (0.25 + 0.5 + 0.5) / 3}),
    "rb2_ties": World([["c0"], ["c0", "c1"]], [among(3, key="ref:1"), among(4, key="tied:1")],
                      constants={"all_equal": 0.0}),
    "rewardbench2": World(["c0"] * 5 + [["c0"], ["c0", "c1"]], [
        *(among(4, slices={"subset": one}) for one in ("Factuality", "Precise IF", "Math", "Safety", "Focus")),
        among(3, key="ref:1", slices={"subset": "Ties"}), among(4, key="tied:1", slices={"subset": "Ties"})],
        constants={"all_equal": 5 * 0.25 / 6}),
    # A: right on c0 > c1 twice, of five pairs (two, and three of the ranking). All equal: the one tie is right.
    "editreward": World(["c0", "both_bad", ["c2", "c0", "c1"]], [among(2), among(2), among(3)],
                        constants={"A": 2 / 5, "B": 1 / 5, "C": 2 / 5, "all_equal": 1 / 5}),
    "editreward_verdicts": World(["l", "tie", "l", "r", "l"], [
        sides(group="1"), sides(group="2"), *[sides(group="3")] * 3],
        constants={"left": 1 / 3, "right": 0.0, "tie": 1 / 3}),
    "consistent_accuracy": World(["l", "r", "l", "l"], [sides(group=one) for one in "1122"],
                                 constants={"left": 0.5, "right": 0.0, "tie": 0.0}),
    "conflict_ratio": World(["tie"] * 3, [sides()] * 3, constants={"left": 1.0, "right": 1.0, "tie": 0.0}),
    "non_transitivity": World(["tie"] * 3, [
        {"candidates": list(pair), "slices": {"group": "1"}} for pair in ("ab", "bc", "ac")],
        constants={"left": 0.0, "right": 0.0, "tie": 0.0}),
    # Nets: the mean of two cells; always A is yes and then no: F1 of 2/3 (one of two is yes) and of 0.
    "stare": World(["A", "B", "A", "B", "b"], [
        letters("B", "A", task="nets", setting="without"), letters("B", "A", task="nets", setting="without"),
        letters("A", "B", task="nets", setting="with"), letters("A", "B", task="nets", setting="with"),
        options("a", "b", task="2D", setting="with")],
        constants={"A": ((2 / 3 + 0.0) / 2 + 0.0) / 2, "B": ((0.0 + 2 / 3) / 2 + 0.0) / 2, "a": 0.0, "b": 0.5}),
}
