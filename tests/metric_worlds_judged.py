"""Small bundles for judged metrics and those that look at people's answers, with what constants are worth by hand."""

from __future__ import annotations

import math

from tests.metric_worlds import World, options

RUBRIC = {"goal": {"weight": 0.6, "criteria": {"fits": 0.5, "complete": 0.5}},
          "form": {"weight": 0.4, "criteria": {"clear": 1.0}}}
FLIGHT = {"airline": "AZ", "number": 610}
AB = [options("a", "b")] * 2
NEVER = -math.log(1e-12)  # the cross-entropy of an option that was given no probability

WORLDS: dict[str, World] = {
    "judged": World([None] * 3, settings={"scale": [1, 5]}, constants={"1": 0.0, "5": 1.0}, asks=False),
    # Nobody graded beside the constant judge, so nothing says how wrong it is.
    "judged_corrected": World([None] * 3, constants={"0": None, "1": None}, asks=False),
    "text_match": World(["the Eiffel Tower", ["Rome", "Roma"]]),
    "claims": World([["one", "two"], [["three", "3"]]]),
    "claims_at_k": World([None] * 2, settings={"k": 3}, asks=False),
    "claims_gated": World([[FLIGHT], [[FLIGHT, {"airline": "LH", "number": 1}]]],
                          settings={"main_claims": ["airline"]}),
    "rubric": World([None] * 2, settings={"rubric": RUBRIC}, asks=False),
    "pqr": World([None] * 2, settings={"rubric": {"P": RUBRIC, "Q": {"depth": 0.7, "clear": 0.3}}}, asks=False),
    "mcp_bench": World([None] * 2, [{"slices": {"servers": one}} for one in ("single", "multi")], asks=False),
    "sc_arena": World([None] * 3, [{"slices": {"task": one}} for one in ("type", "type", "qa")],
                      constants={"0": 0.0, "5": 100.0}, asks=False),
    "visplot": World([None] * 2, constants={"not run": 0.0, "0": 1.0}, asks=False),
    "visplot_task": World([None] * 2, constants={"not run": 0.0, "0": 0.0}, asks=False),
    "visplot_visual": World([None] * 2, constants={"not run": 0.0, "0": 0.0}, asks=False),
    "ted": World([None] * 2, [{"fields": {"notes": ["books", "pays"]}}, {"fields": {"notes": 3}}], asks=False),
    # Always a: 0 off on the first item and 1 + 1 on the second. Uniform: 2 times 0.25 on each.
    "soft_brier": World(["a", "b"], AB, people=[["a", "a"], ["b", "b"]],
                        constants={"a": 1.0, "b": 1.0, "uniform": 0.5}),
    "soft_cross_entropy": World(["a", "b"], AB, people=[["a", "a"], ["b", "b"]],
                                constants={"a": NEVER / 2, "b": NEVER / 2, "uniform": math.log(2)}),
    "soft_f1": World(["a", "b"], AB, people=[["a", "a"], ["b", "b"]], constants={"a": 0.5, "b": 0.5, "uniform": 0.5}),
    # Always a: wrong on half of the items, and as often by chance.
    "people_agreement": World(["a", "b"], AB, people=[["a", "a"], ["b", "b"]], constants={"a": 0.0, "b": 0.0}),
}
