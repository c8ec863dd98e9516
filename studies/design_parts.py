"""What a design is made of: items as a study sees them, who sees which in what condition, and values of a field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from studies.model import Study

GENERATOR = "goldsmith-design/2"
# The first one began each round of lists one row further down the square; studies begun with it go on with it.
FIRST_GENERATOR = "goldsmith-design/1"
# What rules of the order may go by beside fields: the condition, and the right answer's place as shown; strata can
# go by the right answer, too.
CONDITION, CORRECT = "condition", "correct"


@dataclass(frozen=True, slots=True)
class StudyItem:
    """``item`` and ``version`` are ids in hex, ``key`` the item's name; ``conditions``: those it can be seen in.

    ``facets`` holds the values of the fields that ``facet_names`` lists; one without a value is left out.
    ``options`` are the values of the question's options as given, ``correct`` the right one where it is known.
    """

    item: str
    version: str
    key: str
    facets: dict[str, str]
    options: tuple[str, ...]
    correct: str | None
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Assigned:
    """``item_index`` into ``Design.items``."""

    item_index: int
    condition: str


@dataclass(frozen=True, slots=True)
class Design:
    """Who sees what: each person is given one of ``lists``; ``practice`` and ``attention`` have one part a list.

    Lists come in rounds of ``round_size``: over a round every item of the round's part is seen equally often in
    each condition that it can be seen in. ``block_orders[list]`` is the order of the conditions where they are
    blocked (else empty).
    """

    generator: str
    study: str
    seed: int
    items: tuple[StudyItem, ...]
    lists: tuple[tuple[Assigned, ...], ...]
    practice: tuple[tuple[Assigned, ...], ...]
    attention: tuple[tuple[Assigned, ...], ...]
    round_size: int
    block_orders: tuple[tuple[str, ...], ...]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, for a registration or an export."""
        return asdict(self)


def facet_names(study: Study) -> tuple[str, ...]:
    """The fields that the design, the order, the blocks and the exports of ``study`` go by, each once."""
    rules = [rule.of for rule in study.order.max_run] + [rule.of for rule in study.order.min_distance]
    names = [study.task, study.family, *(name for name in study.strata if name != CORRECT), study.blocks.by,
             *(name for name in rules if name not in (CONDITION, CORRECT))]
    for part in (study.practice, study.attention, *study.conditions):  # only fields: what is called so is one
        names += part.where if part else ()
    return tuple(dict.fromkeys(name for name in names if name))


def matches(values: Mapping[str, str], where: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether every field of ``where`` has one of its values; an empty ``where`` takes everything."""
    return all(values.get(name) in wanted for name, wanted in where.items())


def conditions_of(study: Study, values: Mapping[str, str]) -> tuple[str, ...]:
    """The conditions that an item with these values can be seen in (``where`` of each condition)."""
    return tuple(condition.name for condition in study.conditions if matches(values, condition.where))
