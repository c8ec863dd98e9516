"""From people's answers to the value that stands: the gold rules, pure.

``apply_rule`` decides one value from its votes; ``settle`` decides all values of one item, in the
order adjudicated, verified repair, rule; ``undecided`` says what is due for adjudication.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any

from annotation import canonical
from annotation.answers import Answer, Slot
from annotation.gold_posterior import NOT_COUNTED, THRESHOLD, GoldModel, judge
from annotation.gold_votes import NA, Vote, is_mostly_na, share_of_agreeing_pairs, shared
from annotation.protocol_parts import GoldRule
from annotation.registry import Registry

__all__ = ["Decide", "GoldResult", "GoldValue", "ItemGold", "Vote", "apply_rule", "rules", "share_of_agreeing_pairs",
           "undecided"]


@dataclass(frozen=True, slots=True)
class GoldResult:
    """``answer`` is None where the rule gives no value; then ``why`` says it in words. ``n`` = people who answered.

    ``probability``: of the answer, where the rule knows it. ``waits``: no value until gold is recounted, and
    nothing for an adjudicator.
    """

    answer: Answer | None
    n: int
    why: str | None = None
    rule: str = ""
    probability: float | None = None
    waits: bool = False


Decide = Callable[[Sequence[Vote], Sequence[str]], "Answer | str"]  # an answer, or why there is none
rules: Registry[Decide] = Registry("gold rule")


def apply_rule(rule: GoldRule, votes: Sequence[Vote], options: Sequence[str] = (), *, model: GoldModel | None = None
               ) -> GoldResult:
    """The value that ``rule`` gives for ``votes`` (in the order of time). ``options``: declared values, in order.
    ``model``: people's error rates at this question, for the one rule that reads them.

    ``min_people`` counts people who answered, N/A included. ``adjudicated`` gives no value by itself:
    then ``else`` speaks, if the protocol has one.
    """
    name = rule.rule or "adjudicated"
    people = len({vote.person for vote in votes})
    if name == "adjudicated":
        if rule.else_ is None:
            return GoldResult(None, people, "the protocol wants an adjudicated value", name)
        name = rule.else_
    if not votes:
        return GoldResult(None, 0, "nobody has answered", name)
    if people < (rule.min_people or 1):
        return GoldResult(None, people, f"{people} answered, the rule wants {rule.min_people}", name)
    if name == "dawid_skene":  # the one rule that knows more than the votes of its item
        told = judge(model, votes, threshold=THRESHOLD if rule.threshold is None else rule.threshold)
        return GoldResult(told.answer, people, told.why, name, told.probability, told.waits)
    found = rules[name](votes, options)
    if isinstance(found, str):
        return GoldResult(None, people, found, name)
    return GoldResult(found, people, None, name)


def _spread(votes: Sequence[Vote]) -> str:
    counts = Counter("N/A" if vote.answer.get("na") else vote.key for vote in votes)
    return ", ".join(f"{text if len(text) <= 30 else text[:29] + '…'} {n}" for text, n in counts.most_common())


@rules.register("majority")
def decide_by_majority(votes: Sequence[Vote], options: Sequence[str]) -> Answer | str:
    """The value of more than half of the people; a tie, or the largest of many small parts, is no majority."""
    key, count = Counter(vote.key for vote in votes).most_common(1)[0]
    if 2 * count <= len(votes):
        return f"no majority ({_spread(votes)})"
    return shared([vote for vote in votes if vote.key == key])


@rules.register("unanimous")
def decide_unanimously(votes: Sequence[Vote], options: Sequence[str]) -> Answer | str:
    """The value that all gave."""
    if len({vote.key for vote in votes}) > 1:
        return f"not unanimous ({_spread(votes)})"
    return shared(votes)


@rules.register("mean")
def decide_by_mean(votes: Sequence[Vote], options: Sequence[str]) -> Answer | str:
    """The arithmetic mean of the numbers; N/A if more than half said N/A."""
    numbers = [vote.number for vote in votes if vote.number is not None and not vote.answer.get("na")]
    if 2 * len(numbers) < len(votes):
        return NA if is_mostly_na(votes) else "the answers are not numbers"
    return {"v": _whole(fmean(numbers))}


@rules.register("median")
def decide_by_median(votes: Sequence[Vote], options: Sequence[str]) -> Answer | str:
    """The middle answer; of an even number the mean of the two in the middle (named levels: only if these are one)."""
    valued = sorted((vote for vote in votes if vote.number is not None and not vote.answer.get("na")),
                    key=lambda vote: vote.number or 0.0)
    if 2 * len(valued) < len(votes):
        return NA if is_mostly_na(votes) else "the answers have no order"
    low, high = valued[(len(valued) - 1) // 2], valued[len(valued) // 2]
    if isinstance(low.answer.get("v"), str):
        if low.key != high.key:
            return f"the two answers in the middle differ ({_spread(votes)})"
        return {"v": low.answer["v"]}
    return {"v": _whole(median(vote.number or 0.0 for vote in valued))}


@rules.register("union")
def decide_by_union(votes: Sequence[Vote], options: Sequence[str]) -> Answer | str:
    """All that anybody chose: lists without repetition, in option order where options are declared."""
    chosen: dict[str, Any] = {}
    for vote in votes:
        value = vote.answer.get("v")
        for part in value if isinstance(value, list) else [] if value is None else [value]:
            chosen.setdefault(part if isinstance(part, str) else canonical.dumps(part), part)
    if not chosen and all(vote.answer.get("na") for vote in votes):
        return NA
    place = {value: n for n, value in enumerate(options)}
    return {"v": [chosen[key] for key in sorted(chosen, key=lambda key: (place.get(key, len(place)),
                                                                         "" if key in place else key))]}


@rules.register("first")
def decide_by_first(votes: Sequence[Vote], options: Sequence[str]) -> Answer | str:
    """The answer given first."""
    return dict(votes[0].answer)


@rules.register("dawid_skene")
def decide_by_dawid_skene(votes: Sequence[Vote], options: Sequence[str]) -> Answer | str:
    """Without people's error rates nothing is decided; ``apply_rule`` has them (``gold_posterior``)."""
    return NOT_COUNTED


def _whole(number: float) -> int | float:
    """4 and not 4.0, so that a mean of equal whole answers is the same bytes as the answer."""
    return int(number) if number == int(number) else number


# --- one item ------------------------------------------------------------------------------------

@dataclass(frozen=True, slots=True)
class GoldValue:
    """The value that stands for one slot. ``standing`` is adjudicated, repair or rule."""

    answer: Answer
    rule: str
    n: int
    standing: str
    agreement: float | None = None
    origin: Mapping[str, Any] = field(default_factory=dict)  # ids (hex) of the rows it comes from


@dataclass(frozen=True, slots=True)
class ItemGold:
    """One item settled. ``missing``: slots that should have a value, with the reason in words.

    ``differing``: slots with a gold rule on which people differ. ``routed``: slots on which somebody chose an
    option that goes to adjudication. ``computed``: names of values that are computed from gold. ``waiting``: slots
    that miss a value only until gold is recounted.
    """

    values: Mapping[Slot, GoldValue]
    missing: Mapping[Slot, str]
    differing: frozenset[Slot] = frozenset()
    routed: frozenset[Slot] = frozenset()
    computed: frozenset[str] = frozenset()
    waiting: frozenset[Slot] = frozenset()


def undecided(gold: ItemGold, *, when: str) -> tuple[Slot, ...]:
    """What an adjudicator must decide once the answers are in.

    ``when`` no_value: slots without a value, and those routed to adjudication; any_difference: also slots on which
    people differ. Nothing that has been adjudicated, that is computed from gold, or that a recount may decide.
    """
    due = {slot for slot in gold.missing if slot.question not in gold.computed} - gold.waiting | gold.routed
    if when == "any_difference":
        due |= gold.differing
    order = [*gold.values, *gold.missing]
    return tuple(slot for slot in order if slot in due
                 and not (slot in gold.values and gold.values[slot].standing == "adjudicated"))
