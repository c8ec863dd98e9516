"""The gold of one item, pure: for each slot the adjudicated value, else a verified repair, else the rule's value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from annotation import answers as answers_of
from annotation import form
from annotation.answers import Answer, Slot
from annotation.gold_posterior import GoldModel
from annotation.gold_rules import GoldResult, GoldValue, ItemGold, Vote, apply_rule, share_of_agreeing_pairs
from annotation.protocol import Protocol
from annotation.protocol_parts import Derive

Votes = Mapping[Slot, Sequence[Vote]]
Models = Mapping[str, GoldModel]
NO_MODELS: Models = {}


@dataclass(frozen=True, slots=True)
class Decided:
    """A value that somebody set: an adjudicator, or a verifier who saw the standing value. ``row``: where it stands."""

    answer: Answer
    row: UUID


def settle(protocol: Protocol, fields: Mapping[str, Any], votes: Votes, *, adjudicated: Mapping[Slot, Decided],
           repaired: Mapping[Slot, Decided], models: Models = NO_MODELS) -> ItemGold:
    """All gold of one item. ``votes``: answers that count, by slot, in the order of time. ``models``: people's error
    rates by question, where its rule reads them.

    A question is due for gold only where the form would ask it of somebody who gave the gold answers: what
    ``show_if`` hides has none. A verifier's answer counts as a repair only where it differs from the rule's value.
    Questions without a gold rule get none, but their most frequent answer decides what they show.
    """
    values: dict[Slot, GoldValue] = {}
    missing: dict[Slot, str] = {}
    waiting: set[Slot] = set()
    shown: dict[str, Any] = {}  # the answers that decide what is visible
    seen: set[Slot] = set()
    while True:
        fresh = [slot for slot in form.visible_slots(protocol, fields, shown) if slot not in seen]
        if not fresh:
            break
        for slot in fresh:
            seen.add(slot)
            found = _decide(protocol, slot, votes.get(slot, ()), adjudicated.get(slot), repaired.get(slot), models)
            if isinstance(found, GoldValue):
                shown = answers_of.put(shown, slot, found.answer)
                if slot.question in protocol.gold:
                    values[slot] = found
            elif slot.question in protocol.gold and (votes.get(slot) or protocol.question(slot.question).required):
                missing[slot] = found.why or ""
                waiting |= {slot} if found.waits else set()
    computed = _derive(protocol, fields, votes, adjudicated, repaired, models, values, missing, waiting)
    ruled = [slot for slot in votes if slot.question in protocol.gold and (slot in values or slot in missing)]
    return ItemGold(
        values, missing, computed=computed, waiting=frozenset(waiting),
        differing=frozenset(slot for slot in ruled if len({vote.key for vote in votes[slot]}) > 1),
        routed=frozenset(slot for slot in ruled if _is_routed(protocol, fields, slot, votes[slot])),
    )


def same_value(one: Answer, other: Answer) -> bool:
    """Whether two answers say the same (a strength or a reason beside the value is not compared)."""
    return one.get("v") == other.get("v") and bool(one.get("na")) == bool(other.get("na"))


def _decide(protocol: Protocol, slot: Slot, votes: Sequence[Vote], adjudicated: Decided | None,
            repaired: Decided | None, models: Models) -> GoldValue | GoldResult:
    people = len({vote.person for vote in votes})
    agreement = share_of_agreeing_pairs(votes)
    if adjudicated is not None:
        return GoldValue(adjudicated.answer, "adjudicated", people, "adjudicated", agreement,
                         {"adjudication": adjudicated.row.hex})
    rule = protocol.gold.get(slot.question)
    if rule is not None and rule.rule is not None:
        # Only a union reads the options, and making them costs more than all the rest.
        options = protocol.options_of(slot.question) if "union" in (rule.rule, rule.else_) else ()
        result = apply_rule(rule, votes, options, model=models.get(slot.question))
    else:
        result = _most_frequent(votes)
    if repaired is not None and (result.answer is None or not same_value(result.answer, repaired.answer)):
        return GoldValue(repaired.answer, "repair", people, "repair", agreement, {"revision": repaired.row.hex})
    if result.answer is None:
        return result
    rows = sorted({vote.revision.hex for vote in votes if vote.revision is not None})
    origin: dict[str, Any] = {"revisions": rows}
    if result.probability is not None:
        origin["probability"] = result.probability
    return GoldValue(result.answer, result.rule, result.n, "rule", agreement, origin)


def _most_frequent(votes: Sequence[Vote]) -> GoldResult:
    if not votes:
        return GoldResult(None, 0, "nobody has answered")
    key = Counter(vote.key for vote in votes).most_common(1)[0][0]
    return GoldResult(next(vote.answer for vote in votes if vote.key == key), len(votes))


def _derive(protocol: Protocol, fields: Mapping[str, Any], votes: Votes, adjudicated: Mapping[Slot, Decided],
            repaired: Mapping[Slot, Decided], models: Models, values: dict[Slot, GoldValue],
            missing: dict[Slot, str], waiting: set[Slot]) -> frozenset[str]:
    """Gold of derived values, put into ``values``, ``missing``, ``waiting``; returns the names computed from gold."""
    gold: dict[str, Any] = {}
    for slot, value in values.items():
        gold = answers_of.put(gold, slot, value.answer)
    derived = form.derived(protocol, fields, gold)
    computed = set()
    for name, derive in protocol.derive.items():
        rule = protocol.gold.get(name)
        if rule is None:
            continue
        inputs = inputs_of(protocol, derive)
        if rule.from_ is None:
            slots = [slot for slot in dict.fromkeys((*votes, *adjudicated, *repaired)) if slot.question == name]
            for slot in slots or [Slot(name)]:
                found = _decide(protocol, slot, votes.get(slot, ()), adjudicated.get(slot), repaired.get(slot), models)
                if isinstance(found, GoldValue):
                    values[slot] = found
                elif votes.get(slot) or any(other.question in inputs for other in (*values, *missing)):
                    missing[slot] = found.why or ""
                    waiting |= {slot} if found.waits else set()
            continue
        computed.add(name)
        waits = sorted({slot.question for slot in missing if slot.question in inputs})
        if waits:
            missing[Slot(name)] = f"waits for {', '.join(waits)}"
            continue
        used = [value for slot, value in values.items() if slot.question in inputs]
        if not used:  # nothing that it is computed from is asked of this item
            continue
        found_slots = list(answers_of.walk({name: derived[name]})) if name in derived else []
        for slot, answer in found_slots:
            kinds = {value.standing for value in used}
            standing = next((kind for kind in ("adjudicated", "repair") if kind in kinds), "rule")
            values[slot] = GoldValue(answer, "gold", min(v.n for v in used), standing, None, {"from": sorted(inputs)})
        if not found_slots:
            missing[Slot(name)] = "the gold answers it is computed from give no value"
    return frozenset(computed)


def inputs_of(protocol: Protocol, derive: Derive) -> frozenset[str]:
    """Names of the questions that a derived value is computed from, through other derived values too."""
    if derive.table is not None:
        named = {name for row in derive.table for name in (row.if_ or {})}
    else:
        of = getattr(derive, derive.operation).of
        named = {of} if isinstance(of, str) else set(of)
    deeper = [inputs_of(protocol, protocol.derive[name]) for name in named if name in protocol.derive]
    return frozenset(named).union(*deeper)


def _is_routed(protocol: Protocol, fields: Mapping[str, Any], slot: Slot, votes: Sequence[Vote]) -> bool:
    """Whether somebody chose an option that the protocol sends to adjudication."""
    if not protocol.has_question(slot.question):
        return False
    routes = {option.value for option in protocol.question(slot.question).options_for(fields)
              if option.routes == "adjudicate"}
    return bool(routes) and any(vote.answer.get("v") in routes for vote in votes)
