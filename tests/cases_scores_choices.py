"""Cases of the scorer about choices: accuracy, circular, F1, levels of disclosure, STARE."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.scored_case import Case, Rows, answers, golds, renamed, scored

WRONG = "no option at all"


def _options(names: Sequence[str]) -> dict[str, list[dict[str, str]]]:
    return {"q": [{"id": name, "text": f"option {name}"} for name in names]}


def _names(case: Case) -> list[str]:
    """The options of a case: ``options``, else everything that gold and answers name."""
    if "options" in case:
        return [str(one) for one in case["options"]]
    said = [value for value in (*case["gold"], *case["pred"]) if value is not None and not isinstance(value, dict)]
    return sorted({str(one) for value in said for one in (value if isinstance(value, list) else [value])})


def _choices(metric: str, case: Case, settings: dict[str, Any] | None = None) -> dict[str, Any]:
    if any(isinstance(one, (int, float)) for one in case["gold"]):
        items: Rows = [{"id": f"i{n}"} for n in range(len(case["gold"]))]
    else:
        items = [{"id": f"i{n}", "choices": _options(_names(case))} for n in range(len(case["gold"]))]
    return scored(metric, "q", items, golds(case["gold"]), answers(case["pred"]), settings)


def _circular(case: Case) -> dict[str, Any]:
    """``rotations``: for each question whether each rotation was right, null where it was not answered."""
    items: Rows = []
    gold: Rows = []
    given: Rows = []
    for name, rotations in case["rotations"].items():
        n = len(rotations)
        for place, right in enumerate(rotations):
            id = f"i{len(items)}"
            order = [f"c{(place + k) % n}" for k in range(n)]
            items.append({"id": id, "slices": {"group": name, "rotation": place},
                          "choices": {"q": [{"id": one, "text": one.upper()} for one in order]}})
            gold.append({"id": id, "question": "q", "answer": "c0"})
            if right is not None:
                given.append({"id": id, "answer": "c0" if right else "c1" if n > 1 else WRONG})
    return renamed(scored("circular", "q", items, gold, given), {"accuracy": "circular"})


def _f1(case: Case) -> dict[str, Any]:
    settings = {"positive": case["positive"]} if "positive" in case else {}
    found = _choices("f1" if case["metric"] == "f1" and "positive" in case else "macro_f1", case, settings)
    return renamed(found, {"f1": "macro_f1"})


def _disclosure(case: Case) -> dict[str, Any]:
    most = max(one for one in (*case["gold"], *case["pred"]) if isinstance(one, int))
    names = [f"level{n}" for n in range(max(case.get("levels", 0), 1 + most))]
    intent = case.get("sharing_intent", [None] * len(case["gold"]))
    items = [{"id": f"i{n}", "choices": {"q": [{"id": name, "text": name.upper()} for name in names]},
              "slices": {} if intent[n] is None else {"sharing_intent": intent[n]}} for n in range(len(case["gold"]))]
    said = [names[one] if isinstance(one, int) else one for one in case["pred"]]
    found = scored(case["metric"], "q", items, golds([names[one] for one in case["gold"]]), answers(said))
    return renamed(found, {"accuracy": "exact", "violation": "abstention_violation"})


def _stare(case: Case) -> dict[str, Any]:
    """``rows``: task, cell, options as {letter: text}, gold and pred as letters."""
    rows = case["rows"]
    items = [{"id": f"i{n}", "slices": {"task": row["task"], "setting": row.get("cell", "")},
              "choices": {"q": [{"id": id, "text": text} for id, text in row["options"].items()]}}
             for n, row in enumerate(rows)]
    return scored("stare", "q", items, golds([row["gold"] for row in rows]), answers([row.get("pred") for row in rows]))


METRICS: dict[str, Callable[[Case], dict[str, Any]]] = {
    **dict.fromkeys(("mcq_accuracy", "accuracy"), lambda case: _choices("accuracy", case)),
    "circular": _circular,
    **dict.fromkeys(("macro_f1", "f1"), _f1),
    **dict.fromkeys(("disclosure", "disclosure_upstream"), _disclosure),
    "stare": _stare,
}
