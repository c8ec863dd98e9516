"""A second look at a finished plan: whether it keeps what the study's file says. Shares nothing with the search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from studies.model import Study
from studies.plan import Plan, PlannedTrial


def faults(plan: Plan, study: Study) -> tuple[str, ...]:
    """Every broken promise of ``plan`` as a sentence; () where it keeps them all.

    Rules of the order hold over the trials in earnest as shown, across breaks; attention checks do not count. What
    has no value is never the same as anything.
    """
    main = [trial for block in plan.blocks if block.kind == "main" for trial in block.trials if trial.kind == "main"]
    return (*_once(plan, study), *_runs(main, study), *_distances(main, study), *_blocks(plan, study),
            *_attention(plan, study), *_trials(plan, study))


def _value(trial: PlannedTrial, of: str) -> str | None:
    if of == "condition":
        return trial.condition
    if of == "correct":
        return None if trial.correct_position is None else str(trial.correct_position)
    return trial.facets.get(of)


def _once(plan: Plan, study: Study) -> Iterator[str]:
    trials = [trial for _, _, trial in plan.each()]
    for item, count in Counter(trial.item for trial in trials).items():
        if count > 1:
            yield f"the item {item} is shown {count} times"
    if study.family:
        families = Counter(trial.facets.get(study.family) for trial in trials if trial.kind == "main")
        yield from (f"the family {name} is shown {count} times" for name, count in families.items()
                    if name is not None and count > 1)
    names = {condition.name for condition in study.conditions}
    seen = {trial.condition for trial in trials}
    if not seen <= names:
        yield f"there are conditions that the study does not have: {sorted(seen - names)}"
    if study.vary == "between" and len(seen) > 1:
        yield f"one person has the conditions {sorted(seen)}"


def _runs(main: list[PlannedTrial], study: Study) -> Iterator[str]:
    for rule in study.order.max_run:
        for value, run in groupby(main, key=lambda trial: _value(trial, rule.of)):
            length = len(list(run))
            if value is not None and length > rule.most:
                yield f"max_run {rule.most} of {rule.of}: '{value}' comes {length} times in a row"


def _distances(main: list[PlannedTrial], study: Study) -> Iterator[str]:
    for rule in study.order.min_distance:
        last: dict[str, int] = {}
        for place, trial in enumerate(main):
            value = _value(trial, rule.of)
            if value is None:
                continue
            if value in last and place - last[value] < rule.least:
                yield f"min_distance {rule.least} of {rule.of}: '{value}' comes again after {place - last[value]}"
            last[value] = place


def _blocks(plan: Plan, study: Study) -> Iterator[str]:
    kinds = [block.kind for block in plan.blocks]
    if kinds != sorted(kinds, reverse=True) or kinds.count("practice") > 1:
        yield "practice does not stand once, before all else"
    if study.practice and (not kinds or kinds[0] != "practice"):
        yield "there is no practice"
    elif study.practice and len(plan.blocks[0].trials) != study.practice.items:
        yield f"practice has {len(plan.blocks[0].trials)} trials"
    for block in plan.blocks:
        if not block.trials or {trial.kind == "practice" for trial in block.trials} != {block.kind == "practice"}:
            yield f"the block {block.name} is empty or mixes practice with earnest"
    main = [[trial for trial in block.trials if trial.kind == "main"] for block in plan.blocks if block.kind == "main"]
    if study.order.conditions == "blocked":
        yield from _one_stretch("condition", [[trial.condition for trial in block] for block in main])
    if study.blocks.by:
        # Of conditions in blocks each has its own blocks of a value.
        blocked = study.order.conditions == "blocked"
        for name in dict.fromkeys(trial.condition for block in main for trial in block) if blocked else ("",):
            yield from _one_stretch(study.blocks.by, [
                [trial.facets.get(study.blocks.by, "") for trial in block] for block in main
                if not name or any(trial.condition == name for trial in block)])
    if not any(main):
        yield "there are no trials in earnest"
    elif study.order.conditions == "mixed" and not study.blocks.by:
        sizes = [len(block) for block in main]
        if max(sizes) - min(sizes) > 1 or len(sizes) != min(study.blocks.count, sum(sizes)):
            yield f"the blocks have {sizes} trials"


def _one_stretch(of: str, blocks: list[list[str]]) -> Iterator[str]:
    mixed = [block for block in blocks if len(set(block)) != 1]
    if mixed:
        yield f"{len(mixed)} blocks mix values of {of}"
    stretches = Counter(value for value, _ in groupby(block[0] for block in blocks if block))
    yield from (f"'{value}' of {of} comes back after other blocks" for value, count in stretches.items() if count > 1)


def _attention(plan: Plan, study: Study) -> Iterator[str]:
    shown = [trial.kind for block in plan.blocks if block.kind == "main" for trial in block.trials]
    if study.attention is None:
        if "attention" in shown:
            yield "there are attention checks that the study does not have"
        return
    every, wanted = study.attention.every, []
    total = shown.count("main")
    for number in range(1, total + 1):
        wanted.append("main")
        if number % every == 0 and number < total:
            wanted.append("attention")
    if shown != wanted:
        yield f"attention checks do not stand after every {every} trials"


def _trials(plan: Plan, study: Study) -> Iterator[str]:
    least, most = (seconds * 1_000_000 for seconds in study.trial.gap)
    key_sets = {trial.keys for _, _, trial in plan.each()}
    for block, place, trial in plan.each():
        where = f"trial {place + 1} of block {block + 1}"
        if len(set(trial.options)) != len(trial.options) or len(trial.options) < 2:
            yield f"{where} has not two different options or more"
        if len(trial.keys) != len(trial.options) or len(set(trial.keys)) != len(trial.keys):
            yield f"{where} has {len(trial.keys)} keys for {len(trial.options)} options"
        if not any(trial.keys == keys[: len(trial.keys)] for keys in study.answers.keys):
            yield f"{where} has keys that are in no set"
        if trial.correct is not None and trial.correct not in trial.options:
            yield f"{where} does not show its right answer"
        if not isinstance(trial.gap_us, int) or not least - 1 <= trial.gap_us <= most + 1:
            yield f"{where} has a gap of {trial.gap_us} microseconds"
        if abs(trial.fixation_us - study.trial.fixation * 1_000_000) > 1:
            yield f"{where} has a fixation of {trial.fixation_us} microseconds"
    if key_sets and not any(all(keys == chosen[: len(keys)] for keys in key_sets) for chosen in study.answers.keys):
        yield "keys come from more than one set"
