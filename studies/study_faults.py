"""Faults of a study's file that its shape cannot show: rules that contradict each other or lack what they need."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.protocol_fault_names import Found, Path, twice, unknown
from studies.design_parts import CONDITION, CORRECT
from studies.model import Study

# What a screen of a trial can show beside single fields.
SCREEN_WORDS = ("question", "fields", "options")


def study_faults(study: Study) -> Iterator[Found]:
    """Every such fault."""
    yield from _pools(study)
    yield from _order(study)
    yield from _trial(study)
    yield from _right_answers(study)
    yield from _rules(study)
    yield from _people(study)


def _pools(study: Study) -> Iterator[Found]:
    wheres: list[tuple[Path, dict[str, tuple[str, ...]]]] = [(("items", "where"), study.items.where)]
    wheres += [(("conditions", n, "where"), condition.where) for n, condition in enumerate(study.conditions)]
    for name, part in (("practice", study.practice), ("attention", study.attention)):
        if part is not None:
            wheres.append(((name, "where"), part.where))
            if not part.where:
                yield Found((name, "where"), "takes every item; name a field and the values that are kept for this")
    for path, where in wheres:
        for field, values in where.items():
            if not values:
                yield Found((*path, field), "the list of values is empty")
    yield from twice(((("conditions", n, "name"), one.name) for n, one in enumerate(study.conditions)), "condition")
    for n, condition in enumerate(study.conditions):
        yield from twice(((("conditions", n, "shows", m), name) for m, name in enumerate(condition.shows)), "field")
    yield from twice(((("strata", n), name) for n, name in enumerate(study.strata)), "field")


def _order(study: Study) -> Iterator[Found]:
    blocked = study.order.conditions == "blocked"
    if blocked and study.vary == "between":
        yield Found(("order", "conditions"), "with vary: between a person has one condition; there is nothing to block")
    single = {CONDITION: "conditions are blocked" if blocked else
              "a person has one condition" if study.vary == "between" or len(study.conditions) == 1 else ""}
    if study.blocks.by:
        single[study.blocks.by] = "there is a block for each of its values"
    for kind, names in (("max_run", [rule.of for rule in study.order.max_run]),
                        ("min_distance", [rule.of for rule in study.order.min_distance])):
        for n, name in enumerate(names):
            if single.get(name):
                yield Found(("order", kind, n), f"'{name}' cannot change from trial to trial: {single[name]}")
        yield from twice(((("order", kind, n, "of"), name) for n, name in enumerate(names)), "rule for")
    if study.blocks.break_most is not None and study.blocks.break_most < study.blocks.break_least:
        yield Found(("blocks", "break_most"), "is less than break_least")
    if study.blocks.by and study.blocks.count > 1:
        yield Found(("blocks", "count"), f"blocks are made by '{study.blocks.by}'; leave count out")


def _trial(study: Study) -> Iterator[Found]:
    spec = study.trial
    fields = tuple(dict.fromkeys(name for condition in study.conditions for name in condition.shows))
    shown: set[str] = set()
    for n, screen in enumerate(spec.reveal):
        for m, name in enumerate(screen.shows):
            path: Path = ("trial", "reveal", n, "shows", m)
            if name not in (*SCREEN_WORDS, *fields):
                yield Found(path, unknown("part of a screen", name, (*SCREEN_WORDS, *fields)))
            elif name in shown or (name in fields and "fields" in shown):
                yield Found(path, f"'{name}' already stands on this screen or an earlier one; screens add up")
            shown.add(name)
    if spec.reveal and spec.reveal[-1].seconds is not None:
        yield Found(("trial", "reveal", len(spec.reveal) - 1, "seconds"),
                    "the last screen stays until the answer; how long that may take is trial.deadline")
    timed = [screen.seconds for screen in spec.reveal[(spec.clock or len(spec.reveal)) - 1:-1]]
    least = sum(seconds or 0 for seconds in timed)
    if spec.deadline is not None and timed and least >= spec.deadline:
        yield Found(("trial", "deadline"), "ends the trial before its last screen, which comes "
                    f"{least:g} seconds after the onset of screen {spec.clock}")
    by_space = any(screen.seconds is None for screen in spec.reveal[:-1])
    for n, keys in enumerate(study.answers.keys):
        if by_space and "space" in keys:
            yield Found(("answers", "keys", n), "Space turns the screens of reveal and cannot be an answer, too")
    if spec.reveal and "options" not in shown:
        yield Found(("trial", "reveal"), "no screen shows the options")
    if spec.deadline is not None and spec.too_fast >= spec.deadline:
        yield Found(("trial", "too_fast"), "must be below the deadline")


def _right_answers(study: Study) -> Iterator[Found]:
    if study.correct is not None:
        return
    wanted: list[tuple[Path, bool]] = [
        (("practice", "correct"), bool(study.practice and study.practice.correct)),
        (("attention", "allowed"), bool(study.attention and study.attention.allowed is not None)),
        (("trial", "feedback"), study.trial.feedback > 0),
        (("exclusion", "accuracy_below"), study.exclusion.accuracy_below is not None),
        (("analysis", "outcome"), study.analysis.outcome == "accuracy"),
        *((("order", "max_run", n, "of"), rule.of == CORRECT) for n, rule in enumerate(study.order.max_run)),
        *((("order", "min_distance", n, "of"), rule.of == CORRECT)
          for n, rule in enumerate(study.order.min_distance)),
        *((("strata", n), name == CORRECT) for n, name in enumerate(study.strata)),
    ]
    for path, said in wanted:
        if said:
            yield Found(path, "needs the right answers; say under correct where they stand")


def _rules(study: Study) -> Iterator[Found]:
    rule = study.exclusion
    if rule.rt == "cutoffs" and rule.lowest is None and rule.highest is None:
        yield Found(("exclusion", "rt"), "cutoffs needs lowest or highest")
    for name in ("lowest", "highest"):
        if rule.rt == "none" and getattr(rule, name) is not None:
            yield Found(("exclusion", name), "leaves nothing out while rt is none; write rt: cutoffs")
    if rule.log and rule.rt not in ("sd", "mad"):
        yield Found(("exclusion", "log"), "goes with rt: sd or rt: mad")
    if rule.lowest is not None and rule.highest is not None and rule.lowest >= rule.highest:
        yield Found(("exclusion", "highest"), "must be above lowest")
    names = [condition.name for condition in study.conditions]
    for n, name in enumerate(study.analysis.compare or ()):
        if name not in names:
            yield Found(("analysis", "compare", n), unknown("condition", name, names))
    if study.analysis.compare and len(set(study.analysis.compare)) < 2:
        yield Found(("analysis", "compare"), "compares a condition with itself")


def _people(study: Study) -> Iterator[Found]:
    yield from twice(((("demographics", n, "name"), one.name) for n, one in enumerate(study.demographics)), "question")
    if study.trial.confidence:
        yield from twice(((("trial", "confidence", "levels", n), level)
                          for n, level in enumerate(study.trial.confidence.levels)), "level")
    for n, one in enumerate(study.demographics):
        path: Path = ("demographics", n)
        yield from twice((((*path, "options", m), option) for m, option in enumerate(one.options)), "option")
        if one.kind == "choice" and len(set(one.options)) < 2:
            yield Found((*path, "kind"), "a choice needs two different options or more")
        if one.kind != "choice" and one.options:
            yield Found((*path, "options"), "only a choice has options")
        if one.kind != "number" and (one.minimum is not None or one.maximum is not None):
            yield Found(path, "only a number has minimum and maximum")
        if one.minimum is not None and one.maximum is not None and one.minimum > one.maximum:
            yield Found((*path, "maximum"), "is less than minimum")
