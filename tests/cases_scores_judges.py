"""Cases of the scorer about judges and reward models: pairs, best of n, RewardBench 2, EditReward, TrustJudge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from exports.scorer.metrics.consistent_accuracy import differences
from exports.scorer.metrics.non_transitivity import kind
from tests.scored_case import Case, Rows, answers, golds, renamed, scored

SIDES = {"A": "c0", "B": "c1", "tie": "tie", 1: "c0", -1: "c1", 0: "tie"}
SIGNS = {">": 1, "=": 0, "<": -1, 1: 1, 0: 0, -1: -1}


def _pair_items(n: int) -> Rows:
    return [{"id": f"i{k}", "candidates": ["c0", "c1"], "choices": {"q": [{"id": "tie", "text": "Tie"}]}}
            for k in range(n)]


def _pairs(case: Case) -> dict[str, Any]:
    gold = [SIDES[one] for one in case["gold"]]
    said = [SIDES.get(one, one) if isinstance(one, (str, int)) else one for one in case["pred"]]
    return renamed(scored("pairs", "q", _pair_items(len(gold)), golds(gold), answers(said)), {"accuracy": "strict"})


def _candidates(n: int) -> list[str]:
    return [f"c{place}" for place in range(n)]


def _best_of_n(case: Case) -> dict[str, Any]:
    """``scores``: a list for every item, null where it was not answered (then ``n`` says of how many)."""
    rows = case["scores"]
    index = case["correct_index"] if isinstance(case["correct_index"], list) else [case["correct_index"]] * len(rows)
    items = [{"id": f"i{n}", "candidates": _candidates(len(row) if row else case.get("n", 4))}
             for n, row in enumerate(rows)]
    return scored("best_of_n", "q", items, golds([f"c{one}" for one in index]), answers(rows, "scores"))


def _ties_rows(kinds: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, int, int, list[float] | None]]:
    """(name, how many are right, of how many, scores) of each prompt, right ones first."""
    return [(f"{name}:{number}", len(one["correct"]), len(one["correct"]) + len(one["wrong"]),
             None if None in (*one["correct"], *one["wrong"]) else [*one["correct"], *one["wrong"]])
            for name in ("ref", "tied") for number, one in kinds.get(name, {}).items()]


def _rb2_ties(case: Case) -> dict[str, Any]:
    rows = _ties_rows(case)
    items = [{"id": f"i{n}", "key": name, "candidates": _candidates(of)} for n, (name, _, of, _) in enumerate(rows)]
    return scored("rb2_ties", "q", items, golds([_candidates(right) for _, right, _, _ in rows]),
                  answers([scores for *_, scores in rows], "scores"))


def _rewardbench2(case: Case) -> dict[str, Any]:
    """``subsets``: {name: scores of each item, the right one first}; ``ref`` and ``tied`` as in rb2_ties."""
    rows = [(f"{name}-{n}", name, 1, len(scores), scores) for name, some in case["subsets"].items()
            for n, scores in enumerate(some)]
    rows += [(name, "Ties", right, of, scores) for name, right, of, scores in _ties_rows(case)]
    items = [{"id": f"i{n}", "key": key, "slices": {"subset": subset}, "candidates": _candidates(of)}
             for n, (key, subset, _, of, _) in enumerate(rows)]
    return scored("rewardbench2", "q", items, golds([_candidates(row[2]) for row in rows]),
                  answers([row[4] for row in rows], "scores"))


def _editreward(case: Case) -> dict[str, Any]:
    """``human`` (1, -1, 0), ``model`` (differences); or ``groups``: ``ranking`` (places, best first), ``scores``."""
    if "human" in case:
        gold: list[Any] = [SIDES[one] for one in case["human"]]
        said = [None if one is None else [one, 0] for one in case["model"]]
        return scored("editreward", "q", _pair_items(len(gold)), golds(gold), answers(said, "scores"))
    groups = case["groups"]
    items = [{"id": f"i{n}", "candidates": _candidates(len(group["ranking"]))} for n, group in enumerate(groups)]
    gold = [[f"c{one}" for one in group["ranking"]] for group in groups]
    return scored("editreward", "q", items, golds(gold), answers([group["scores"] for group in groups], "scores"))


def _grouped(case: Case) -> dict[str, Any]:
    """``groups``: gold and pred verdicts of the pairs (or the two orders) of each group, facts of it beside."""
    metric = {"shelf_life": "consistent_accuracy"}.get(case["metric"], case["metric"])
    items: Rows = []
    gold: list[Any] = []
    said: list[Any] = []
    for name, group in enumerate(case["groups"]):
        facts = {key: value for key, value in group.items() if key not in ("gold", "pred")}
        for one, other in zip(group["gold"], group["pred"], strict=True):
            items.append({**_pair_items(1)[0], "id": f"i{len(items)}", "slices": {"group": str(name), **facts}})
            gold.append(SIDES[one])
            said.append(SIDES.get(other))
    found = scored(metric, "q", items, golds(gold), answers(said))
    return renamed(found, {"consistent_accuracy": "consistent"})


def _shelf_life(case: Case) -> dict[str, Any]:
    """``weak`` and ``strong``: the accuracies of the two judges; or ``groups``, the verdicts of one."""
    return _grouped(case) if "groups" in case else dict(differences(case.get("weak", {}), case.get("strong", {})))


def _conflict(case: Case) -> dict[str, Any]:
    """``pairs``: (score of x, score of y, verdict), the verdict a number or one for each order."""
    rows: Rows = []
    for n, (one, other, verdict) in enumerate(case["pairs"]):
        orders = verdict if isinstance(verdict, list) else [verdict]
        if None not in (one, other, *orders):
            rows.append({"id": f"i{n}", "scores": [one, other], "answer": [SIDES[side] for side in orders]})
    n = len(case["pairs"])
    settings = {"delta": case["delta"]} if "delta" in case else None
    return scored("conflict_ratio", "q", _pair_items(n), golds(["tie"] * n), rows, settings)


def _triples(case: Case) -> dict[str, Any]:
    """The kinds of all 27 relations of three things, or of ``triples`` (a?b, b?c, a?c)."""
    triples = [[SIGNS[one] for one in three] for three in case.get("triples", product((1, 0, -1), repeat=3))]
    found = Counter(kind(*three) for three in triples)
    return {**{name: found[name] for name in ("consistent", "circular", "equality")}, "of": len(triples)}


def _non_transitivity(case: Case) -> dict[str, Any]:
    """``verdicts``: (x, y, verdict) of each pair, a list or by group; ``k`` says which size is the ``ratio``."""
    groups = case["verdicts"] if isinstance(case["verdicts"], dict) else {"only": case["verdicts"]}
    rows: list[tuple[str, Sequence[Any]]] = [(name, row) for name, some in groups.items() for row in some]
    items = [{"id": f"i{n}", "candidates": [str(row[0]), str(row[1])], "slices": {"group": name}}
             for n, (name, row) in enumerate(rows)]
    said = [None if row[2] is None else {1: "left", -1: "right", 0: "tie"}[SIGNS[row[2]]] for _, row in rows]
    found = scored("non_transitivity", "q", items, golds(["tie"] * len(rows)), answers(said))
    size = case.get("k", 3)
    return renamed(found, {"ratio": f"ntr_{size}", "skipped": f"skipped_{size}", "circular": f"circular_{size}",
                           "equality": f"equality_{size}"})


METRICS: dict[str, Callable[[Case], dict[str, Any]]] = {
    "pairs": _pairs, "best_of_n": _best_of_n, "rb2_ties": _rb2_ties, "rewardbench2": _rewardbench2,
    **dict.fromkeys(("editreward", "editreward_ties"), _editreward),
    **dict.fromkeys(("editreward_verdicts", "consistent_accuracy"), _grouped),
    "shelf_life": _shelf_life,
    **dict.fromkeys(("conflict_ratio", "score_comparison_conflict"), _conflict),
    "transitive_triples": _triples,
    **dict.fromkeys(("non_transitivity", "ntr"), _non_transitivity),
}
