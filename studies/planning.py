"""From a list to the plan of one sitting: options and keys, order, blocks, gaps; all drawn before it begins."""

from __future__ import annotations

from studies.chance import Stream
from studies.design_parts import Assigned, Design
from studies.model import Study
from studies.plan import GENERATOR, Block, Kind, Plan, PlannedTrial


def plan_for(study: Study, design: Design, *, list_no: int, number: int, seed: int, pilot: bool, language: str) -> Plan:
    """The plan of the ``number``-th sitting (from 0), which is given list ``list_no``; the same for the same seed."""
    gaps = Stream(seed, "gaps")

    def trial(one: Assigned, kind: Kind) -> PlannedTrial:
        item = design.items[one.item_index]
        keys = study.answers.keys[number % len(study.answers.keys)][: len(item.options)]
        gap = gaps.between(*(round(seconds * 1_000_000) for seconds in study.trial.gap))
        return PlannedTrial(item.item, item.version, item.key, one.condition, kind, item.options, keys, item.correct,
                            round(study.trial.fixation * 1_000_000), gap, dict(item.facets))

    main = tuple(trial(one, "main") for one in Stream(seed, "order").shuffled(design.lists[list_no]))
    blocks = [Block("main", "main", main)]
    if study.practice:
        practice = tuple(trial(one, "practice") for one in design.practice[list_no])
        blocks.insert(0, Block("practice", "practice", practice))
    return Plan(GENERATOR, study.hash, list_no, len(design.lists), number, seed, pilot, language, tuple(blocks))
