"""Whether each gold value of a bundle follows from what the bundle itself says: answers, decisions, other gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from annotation import answers as answers_of
from annotation import canonical
from annotation.answers import Slot
from annotation.derive import derived
from annotation.errors import Refused
from annotation.gold_rules import Vote, apply_rule, rules
from annotation.protocol import Protocol
from annotation.protocol_parts import GoldRule
from annotation.votes import vote_of
from exports.faults import Fault, Faults

Row = Mapping[str, Any]
Place = tuple[str, str | None]  # question, element


@dataclass(slots=True)
class Said:
    """The rows of one item that gold may rest on, by place."""

    annotations: dict[Place, list[Row]] = field(default_factory=dict)
    adjudications: dict[Place, list[Row]] = field(default_factory=dict)
    values: dict[Place, tuple[str, int, Row]] = field(default_factory=dict)  # file, line, row
    gone: dict[Place, set[str]] = field(default_factory=dict)

    def annotation(self, row: Row) -> None:
        self.annotations.setdefault(_place(row), []).append(row)

    def adjudication(self, row: Row) -> None:
        self.adjudications.setdefault(_place(row), []).append(row)

    def lost(self, row: Row) -> None:
        """A row that was taken out: what it said is not known, and who said it counts on."""
        mine = self.gone.setdefault(_place(row), set())
        if row.get("counts") and row.get("annotator"):
            mine.add(row["annotator"])

    def gold(self, file: str, line: int, row: Row) -> None:
        self.values[_place(row)] = (file, line, row)


def check_gold(protocol: Protocol, item: Row, said: Said, faults: Faults) -> None:
    """``gold_not_supported`` for each value that nothing supports, ``count`` where n is not the number of people."""
    gold = {Slot(question, element): row for (question, element), (_, _, row) in said.values.items()}
    for place, (file, line, row) in said.values.items():
        why = None if _rests_on_gone(place, row, said) else _why_not(protocol, item, place, row, said, gold)
        if why is not None:
            faults[f"gold of {file}"].append(Fault("gold_not_supported", file, f"{place[0]}: {why}", line, item["id"]))
        people = {one["annotator"] for one in said.annotations.get(place, ()) if one["counts"]}
        people |= said.gone.get(place, set())
        if row["rule"] != "gold" and row["n"] != len(people):
            faults[f"gold of {file}"].append(Fault(
                "count", file, f"{place[0]}: n is {row['n']}, but {len(people)} people answered", line, item["id"]))


def _rests_on_gone(place: Place, row: Row, said: Said) -> bool:
    """Whether something that this value may rest on was taken out; gold computed from gold needs no answers."""
    return row["rule"] != "gold" and place in said.gone


def _why_not(protocol: Protocol, item: Row, place: Place, row: Row, said: Said, gold: Mapping[Slot, Row]) -> str | None:
    """None where the value is supported."""
    if row["rule"] == "gold":
        return _from_gold(protocol, item, place, row, gold)
    if row["standing"] == "adjudicated":
        decided = any(_same(one, row) for one in said.adjudications.get(place, ()))
        return None if decided else "no adjudication says so"
    answered = said.annotations.get(place, ())
    if row["standing"] == "repair":
        repaired = any(one["stage"] == "verify" and (_is_kept_back(one) or _same(one, row)) for one in answered)
        return None if repaired else "no verifier says so"
    if place in said.adjudications:
        return "an adjudication stands and the rule does not count"
    return _by_rule(protocol, item, row, [one for one in answered if one["counts"]])


def _is_kept_back(annotation: Row) -> bool:
    """Whether the answer itself is kept back, and not its reason alone."""
    return bool(annotation.get("withheld")) and annotation["answer"] is None


def _by_rule(protocol: Protocol, item: Row, row: Row, answered: list[Row]) -> str | None:
    if row["rule"] not in rules:
        return f"there is no rule '{row['rule']}'"
    if not answered:
        return "nobody answered"
    if any(_is_kept_back(one) for one in answered):
        return None  # free text that is kept back: that people answered is all that can be seen
    if row["rule"] in ("first", "dawid_skene"):  # the bundle has days and not times, and not all answers of a project
        return None if any(_same(one, row) for one in answered) else "nobody answered so"
    slot = Slot(row["question"], row["element"])
    stated = protocol.gold.get(slot.question)
    if stated is None or row["rule"] not in (stated.rule, stated.else_):
        return f"the protocol has no rule {row['rule']} for it"
    rule = _rule(row["rule"], stated.min_people)
    try:
        votes = [_vote(protocol, slot, one) for one in answered]
        result = apply_rule(rule, votes, protocol.options_of(slot.question))
    except (Refused, KeyError, TypeError, ValueError, AttributeError):  # an answer of a kind that the question has not
        return "the answers cannot be read"
    if result.answer is None:
        return f"{row['rule']} gives no value: {result.why}"
    same = _is_equal(result.answer.get("v"), row["answer"])
    return None if same and bool(result.answer.get("na")) == bool(row.get("na")) else (
        f"{row['rule']} over the answers gives {'N/A' if result.answer.get('na') else result.answer['v']}")


@lru_cache(maxsize=1000)
def _rule(name: str, min_people: int | None) -> GoldRule:
    return GoldRule.model_validate({"rule": name, "min_people": min_people})


def _vote(protocol: Protocol, slot: Slot, row: Row) -> Vote:
    answer = {"na": True} if row.get("na") else {"v": row["answer"]}
    return vote_of(protocol, slot, answer, row["annotator"], None)


def _from_gold(protocol: Protocol, item: Row, place: Place, row: Row, gold: Mapping[Slot, Row]) -> str | None:
    """A value computed from gold: computed again from the gold rows of the item."""
    question, element = place
    spec = protocol.derive.get(question)
    if spec is None:
        return "the protocol does not derive it"
    private = {f"item.{one.name}" for one in protocol.fields if one.private}
    if spec.table is not None and any(private & set(one.if_ or {}) for one in spec.table):
        return None  # it hangs on a field that does not leave the project
    answers: dict[str, Any] = {}
    for slot, one in gold.items():
        if one["rule"] != "gold":
            answers = answers_of.put(answers, slot, {"na": True} if one.get("na") else {"v": one["answer"]})
    try:
        found = answers_of.get(derived(protocol, item["fields"], answers), Slot(question, element))
    except (Refused, KeyError, TypeError, ValueError, AttributeError):  # gold of a kind that the operation cannot take
        found = None
    if found is None:
        return "the gold answers it is computed from give no value"
    same = _is_equal(found.get("v"), row["answer"])
    return None if same else f"computed from gold it is {found.get('v')}"


def _same(one: Row, other: Row) -> bool:
    return _is_equal(one["answer"], other["answer"]) and bool(one.get("na")) == bool(other.get("na"))


def _is_equal(one: Any, other: Any) -> bool:
    if type(one) is str and type(other) is str:
        return one == other
    return canonical.dumps(one) == canonical.dumps(other)


def _place(row: Row) -> Place:
    return row["question"], row["element"]
