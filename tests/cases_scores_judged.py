"""Cases of the scorer where a judge or people spoke: presupposition, claims, rubrics, agents, plots, soft labels.

Every case may hold whole prediction rows (``rows``, null for a missing one) with ``gold``, ``facts`` (per item),
``settings``, ``options`` and ``people`` (answers of people, a list per item). Beside that each has a short form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from exports.scorer.metric import metrics
from tests.scored_case import Case, Rows, golds, scored

SETTINGS = ("settings", "scale", "k", "turns", "rubric", "match", "partial", "main_claims", "ignore_keys", "multiply",
            "level", "range")  # these may stand in the case itself


def _case(metric: str, short: Callable[[Case], Sequence[Any]]) -> Callable[[Case], dict[str, Any]]:
    def compute(case: Case) -> dict[str, Any]:
        said = case["rows"] if "rows" in case else short(case)
        rows: Rows = [{"id": f"i{n}", "epoch": epoch, **row} for n, some in enumerate(said)
                      for epoch, row in enumerate(some if isinstance(some, list) else [some]) if row is not None]
        settings = {**case.get("settings", {}), **{key: case[key] for key in SETTINGS[1:] if key in case}}
        asks, n = metrics[metric].asks, len(said)
        items = [{"id": f"i{k}", "slices": _facts(case, k), "choices": _choices(case) if asks else {}}
                 for k in range(n)]
        people = [{"id": f"i{k}", "question": "q", "annotator": f"p{person}", "answer": answer}
                  for k, some in enumerate(case.get("people", ())) for person, answer in enumerate(some)
                  if answer is not None]
        gold = golds(case.get("gold") or [_most(some) for some in case.get("people", ())]) if asks else []
        return scored(metric, "q" if asks else None, items, gold, rows, settings, people)
    return compute


def _facts(case: Case, place: int) -> dict[str, Any]:
    facts = dict(case["facts"][place]) if "facts" in case else {}
    for many, one in (("nfp", "nfp"), ("tasks", "task"), ("servers", "servers"), ("categories", "category"),
                      ("notes", "notes"), ("rubrics", "rubric")):
        if many in case:
            facts[one] = case[many][place]
    return facts


def _choices(case: Case) -> dict[str, Any]:
    names = case.get("options") or sorted({one for some in case.get("people", ()) for one in some
                                           if isinstance(one, str)})
    return {"q": [{"id": one, "text": f"the option {one}"} for one in names]} if names else {}


def _most(answers: Sequence[Any]) -> Any:
    given = [one for one in answers if one is not None]
    return max(given, key=given.count) if given else None


def _said(key: str) -> Callable[[Any], Any]:
    return lambda value: value if value is None or value == {"refused": True} else {key: value}


def _judge(case: Case) -> list[Any]:
    """``scores``: what the judge said, null where it failed."""
    people = case.get("human", [None] * len(case["scores"]))
    return [{"response": "an answer", "judge_score": one, "human_score": human}
            for one, human in zip(case["scores"], people, strict=True)]


def _claims(case: Case) -> list[Any]:
    """``supported`` and ``covered`` of each item (either null: the judge failed); or ``pred`` with match exact."""
    if "pred" in case:
        return [_said("answer")(one) for one in case["pred"]]
    covered = case.get("covered", [None] * len(case["supported"]))
    return [{"judge_score": {"supported": one, "covered": other}}
            for one, other in zip(case["supported"], covered, strict=True)]


def _claims_case(case: Case) -> dict[str, Any]:
    gold = case.get("gold") or [[f"claim {n}" for n in range(len(one or ()))] for one in case.get("covered", ())]
    return _case("claims", _claims)({**case, "gold": gold})


def _gated(case: Case) -> list[Any]:
    """``pred`` and ``ratings`` of each item."""
    return [None if one is None else {"answer": one, "judge_score": judge}
            for one, judge in zip(case["pred"], case["ratings"], strict=True)]


def _mcp(case: Case) -> list[Any]:
    """``calls`` and ``marks`` of each task."""
    return [None if one is None else {"response": "done", "calls": one, "judge_score": marks}
            for one, marks in zip(case["calls"], case["marks"], strict=True)]


def _plots(case: Case) -> list[Any]:
    """``ran``, ``task`` and ``visual`` of each plot."""
    return [None if ran is None else {"response": "code", "ran": ran, "judge_score": {"task": task, "visual": visual}}
            for ran, task, visual in zip(case["ran"], case["task"], case["visual"], strict=True)]


def _trials(case: Case) -> list[Any]:
    """``trials``: of each unit a list of {"notes", "turns"}."""
    return [[{"judge_score": one} for one in some] for some in case["trials"]]


def _pred(case: Case) -> list[Any]:
    """``pred``: an option or number, or a mapping or list of probabilities."""
    return [_said("scores")(one) if isinstance(one, (list, dict)) else _said("answer")(one) for one in case["pred"]]


METRICS: dict[str, Callable[[Case], dict[str, Any]]] = {
    **{name: _case(name, _judge) for name in ("presupposition", "judged", "judged_corrected", "rubric", "pqr",
                                              "sc_arena")},
    "claims": _claims_case,
    "claims_at_k": _case("claims_at_k", lambda case: [{"judge_score": {"supported": one}} for one in
                                                      case["supported"]]),
    "claims_gated": _case("claims_gated", _gated),
    "mcp_bench": _case("mcp_bench", _mcp),
    **{name: _case(name, _plots) for name in ("visplot", "visplot_task", "visplot_visual")},
    "ted": _case("ted", _trials),
    **{name: _case(name, _pred) for name in ("soft_brier", "soft_cross_entropy", "soft_f1", "people_agreement",
                                             "text_match")},
}
