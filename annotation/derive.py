"""Values computed from one person's answers, or from gold, by operations of a closed list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from annotation.answers import Answer, Answers, Slot, get, put
from annotation.protocol_base import Empty, Values
from annotation.protocol_models import Protocol
from annotation.protocol_parts import Compare, CountOf, Derive, Over, Rank, TableRow, Weighted
from annotation.questions.base import number_text
from annotation.questions.choice import OfOptions
from annotation.questions.pairwise import PairwiseQuestion
from annotation.visible import Fields, View, all_of, elements


def derived(protocol: Protocol, fields: Fields, answers: Answers) -> dict[str, Any]:
    """``{name: {"v": ..}}``; a value of a group's questions has one more level, keyed by element id.

    A value that hangs on a question still open is absent.
    """
    maker = _Maker(protocol, fields, answers)
    for name, spec in protocol.derive.items():
        maker.make(name, spec)
    return maker.made


def group_field(protocol: Protocol, name: str) -> str | None:
    """The list field over which a question or a derived value repeats; None where it stands once."""
    if protocol.has_question(name):
        group = protocol.group_of(name)
        return None if group is None else group.for_each
    spec = protocol.derive.get(name)
    if spec is None:
        return None
    across, names = across_and_names(spec)
    if across is not None:
        return None
    return next((found for inner in names if (found := group_field(protocol, inner)) is not None), None)


def across_and_names(spec: Derive) -> tuple[str | None, tuple[str, ...]]:
    """The list that an operation collapses, and the names that it reads."""
    found: Any = getattr(spec, spec.operation)
    if isinstance(found, tuple):
        return None, tuple(dict.fromkeys(n for row in found for n in (row.if_ or {}) if not n.startswith("item.")))
    names = (found.of,) if isinstance(found.of, str) else tuple(found.of)
    return found.across, names


def chosen_from(protocol: Protocol, name: str) -> str | None:
    """The list field whose element ids are the answers to ``name`` (a question or a derived value), or None."""
    if protocol.has_question(name):
        question = protocol.question(name)
        if isinstance(question, PairwiseQuestion):
            return question.on
        return question.options_from if isinstance(question, OfOptions) else None
    spec = protocol.derive.get(name)
    return across_and_names(spec)[0] if spec is not None and spec.operation in ("compare", "rank") else None


class _Maker:
    def __init__(self, protocol: Protocol, fields: Fields, answers: Answers) -> None:
        self.protocol = protocol
        self.fields = fields
        self.view = View(protocol, fields, answers)
        self.open = frozenset(self.view.missing())
        self.made: dict[str, Any] = {}

    def make(self, name: str, spec: Derive) -> None:
        compute = _OPERATIONS[spec.operation]
        argument = getattr(spec, spec.operation)
        list_field = group_field(self.protocol, name)
        ids = [None] if list_field is None else [e.id for e in elements(self.protocol, self.fields, list_field)]
        for element in ids:
            value = compute(self, argument, element)
            if value is not None:
                self.made = put(self.made, Slot(name, element), {"v": value})

    def slots(self, name: str, element: str | None, across: str | None) -> tuple[Slot, ...]:
        list_field = group_field(self.protocol, name)
        if list_field is None:
            return (Slot(name),)
        if across is None:
            return (Slot(name, element),)
        return tuple(Slot(name, e.id) for e in elements(self.protocol, self.fields, across))

    def answer(self, slot: Slot) -> Answer | None:
        return get(self.made if slot.question in self.protocol.derive else self.view.shown, slot)

    def is_open(self, slot: Slot) -> bool:
        """Whether an answer may still come; a derived value is open when what it reads is open."""
        if slot.question not in self.protocol.derive:
            return slot in self.open
        _across, names = across_and_names(self.protocol.derive[slot.question])
        return any(s.question == n for n in names for s in self.open) and self.answer(slot) is None

    def texts(self, slot: Slot) -> frozenset[str]:
        answer = self.answer(slot)
        if answer is None:
            return frozenset()
        if slot.question in self.protocol.derive:
            return frozenset({number_text(answer["v"])})
        return self.protocol.question(slot.question).values_of(answer)

    def number(self, slot: Slot) -> float | None:
        answer = self.answer(slot)
        if answer is None or answer.get("na"):
            return None
        if slot.question in self.protocol.derive:
            value = answer["v"]
            return float(value) if isinstance(value, (int, float)) else None
        return self.protocol.question(slot.question).number_form(answer)

    def numbers(self, names: tuple[str, ...], element: str | None, across: str | None) -> list[float] | None:
        """The numbers there are (N/A and what is not asked left out); None while one is open."""
        slots = [slot for name in names for slot in self.slots(name, element, across)]
        if any(self.is_open(slot) for slot in slots):
            return None
        return [number for slot in slots if (number := self.number(slot)) is not None]


def _table(maker: _Maker, rows: tuple[TableRow, ...], element: str | None) -> Any:
    for row in rows:
        if row.if_ is None:
            return row.otherwise
        met = all_of(_term(maker, name, wanted, element) for name, wanted in row.if_.items())
        if met is None:
            return None
        if met:
            return row.value
    return None


def _term(maker: _Maker, name: str, wanted: Values | Empty, element: str | None) -> bool | None:
    if name.startswith("item."):
        text = maker.view.item_text(name)
        return (text in (None, "")) is wanted.is_empty if isinstance(wanted, Empty) else text in wanted
    slot = maker.slots(name, element, None)[0]
    if maker.is_open(slot):
        return None
    if isinstance(wanted, Empty):
        return (maker.answer(slot) is None) is wanted.is_empty
    return not maker.texts(slot).isdisjoint(wanted)


def _sum(maker: _Maker, over: Over, element: str | None) -> Any:
    numbers = maker.numbers(over.of, element, over.across)
    expected = sum(len(maker.slots(name, element, over.across)) for name in over.of)
    # A sum with a part missing (N/A) is another quantity: better none than a low one.
    return _tidy(sum(numbers)) if numbers and len(numbers) == expected else None


def _mean(maker: _Maker, over: Over, element: str | None) -> Any:
    numbers = maker.numbers(over.of, element, over.across)
    return _tidy(sum(numbers) / len(numbers)) if numbers else None


def _weighted(maker: _Maker, spec: Weighted, element: str | None) -> Any:
    total = weight_sum = 0.0
    for name, weight in spec.of.items():
        numbers = maker.numbers((name,), element, spec.across)
        if numbers is None:
            return None
        total += weight * sum(numbers)
        weight_sum += weight * len(numbers)
    return _tidy(total / weight_sum) if weight_sum else None


def _scores(maker: _Maker, of: str, across: str) -> list[tuple[str, float]] | None:
    slots = maker.slots(of, None, across)
    if any(maker.is_open(slot) for slot in slots):
        return None
    pairs = [(slot.element, maker.number(slot)) for slot in slots]
    if any(number is None for _id, number in pairs):
        return None
    return [(str(name), float(number or 0)) for name, number in pairs]


def _compare(maker: _Maker, spec: Compare, element: str | None) -> Any:
    scores = _scores(maker, spec.of, spec.across)
    if not scores:
        return None
    best = max(number for _id, number in scores)
    winners = [name for name, number in scores if best - number <= spec.tie_within]
    if len(winners) == 1:
        return winners[0]
    if spec.good_from is None:
        return "tie"
    return "both_good" if best >= spec.good_from else "both_bad"


def _rank(maker: _Maker, spec: Rank, element: str | None) -> Any:
    scores = _scores(maker, spec.of, spec.across)
    if not scores:
        return None
    buckets: list[list[str]] = []
    top = 0.0
    for name, number in sorted(scores, key=lambda pair: -pair[1]):
        if buckets and top - number <= spec.tie_within:
            buckets[-1].append(name)
        else:
            buckets.append([name])
            top = number
    return buckets


def _hits(maker: _Maker, spec: CountOf, element: str | None) -> list[bool] | None:
    slots = [slot for name in spec.of for slot in maker.slots(name, element, spec.across)]
    if any(maker.is_open(slot) for slot in slots):
        return None
    return [not maker.texts(slot).isdisjoint(spec.values) for slot in slots if maker.answer(slot) is not None]


def _count(maker: _Maker, spec: CountOf, element: str | None) -> Any:
    hits = _hits(maker, spec, element)
    return None if hits is None else sum(hits)


def _any(maker: _Maker, spec: CountOf, element: str | None) -> Any:
    hits = _hits(maker, spec, element)
    return None if not hits else "yes" if any(hits) else "no"


def _all(maker: _Maker, spec: CountOf, element: str | None) -> Any:
    hits = _hits(maker, spec, element)
    return None if not hits else "yes" if all(hits) else "no"


def _tidy(value: float) -> int | float:
    """Whole numbers as int; else without the dust of binary fractions."""
    rounded = round(value, 9)
    return int(rounded) if rounded.is_integer() else rounded


_OPERATIONS: Mapping[str, Callable[[_Maker, Any, str | None], Any]] = {
    "table": _table, "sum": _sum, "mean": _mean, "weighted": _weighted, "compare": _compare, "rank": _rank,
    "count": _count, "any": _any, "all": _all,
}
