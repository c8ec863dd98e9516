"""The order in which the options of each trial stand, so that no place holds the right answer more often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from studies.chance import Stream
from studies.design_parts import Assigned, StudyItem


def option_orders(assigned: Sequence[Assigned], items: Sequence[StudyItem], order: str, *, turn: int, chance: Stream
                  ) -> list[tuple[str, ...]]:
    """For each trial the values of its options as shown.

    ``as_given``: as the item has them. ``shuffled``: drawn for each trial. ``balanced``: the right answer stands at
    each place equally often (by at most 1), in the list, in each condition of it and, as ``turn`` rises from
    person to person, for each item; the others are drawn. Where no right answer is known, all options move on.
    """
    if order == "as_given":
        return [items[one.item_index].options for one in assigned]
    if order == "shuffled":
        return [tuple(chance.shuffled(items[one.item_index].options)) for one in assigned]
    found: dict[int, tuple[str, ...]] = {}
    # Condition by condition, each in the order of the list (which is that of strata); trials with as many options
    # are counted on through.
    counted: Counter[tuple[int, bool]] = Counter()
    for n in sorted(range(len(assigned)), key=lambda n: (assigned[n].condition, n)):
        item = items[assigned[n].item_index]
        size, known = len(item.options), item.correct is not None
        place = (counted[size, known] + turn) % size
        counted[size, known] += 1
        found[n] = _placed(item, place, chance)
    return [found[n] for n in range(len(assigned))]


def _placed(item: StudyItem, place: int, chance: Stream) -> tuple[str, ...]:
    if item.correct is None:
        return (*item.options[place:], *item.options[:place])
    others = chance.shuffled(option for option in item.options if option != item.correct)
    return (*others[:place], item.correct, *others[place:])
