"""Lists: which items a person sees, and each in which condition, rotated so that all is balanced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

from annotation.errors import N_, Refused
from studies.chance import Stream
from studies.design_parts import CORRECT, FIRST_GENERATOR, GENERATOR, Assigned, Design, StudyItem, matches
from studies.model import Study
from studies.squares import balanced_square, first_row
from studies.strata import parts

# Conditions that only some items can be seen in make rounds longer (the least common multiple of how many each
# item has); beyond this no study could fill one.
MOST_LISTS_A_ROUND = 840
MOST_VARIANTS = 60
# Each rotation of the items meets each order of blocks, unless that takes more lists than this and than people.
MOST_LISTS = 2_000


@dataclass(frozen=True, slots=True)
class _Unit:
    """What a person sees once: an item, or one of a family; ``members[n]`` can be seen in ``conditions[n]``."""

    path: tuple[str, ...]
    conditions: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]

    def seen(self, condition: str, turn: int) -> Assigned:
        members = self.members[self.conditions.index(condition)]
        return Assigned(members[turn % len(members)], condition)


def design(study: Study, items: Sequence[StudyItem], generator: str = GENERATOR) -> Design:
    """The design of ``study`` over ``items``, whatever order they come in; the same for the same seed.

    Within: the j-th unit of a list, counted stratum after stratum, is seen in condition (j + k) modulo the number
    of its conditions in the k-th list of a round; so each stratum, each value of its first field and the whole
    list have conditions that differ by at most 1. Between: the k-th list has condition k throughout.
    ``per_person`` takes equal parts of the strata and gives rounds to part after part, till every item was in one.
    Rounds go on through the orders of blocked conditions, so that as many people as the square has rows show each
    order once.
    """
    pool = tuple(sorted(items, key=lambda one: (one.key, one.item)))
    _check(study, pool)
    if generator not in (FIRST_GENERATOR, GENERATOR):
        raise Refused(N_("The lists of this study were drawn by '{generator}', which this program does not know"),
                      code="newer", generator=generator)
    kept = [_pool_of(study, item) for item in pool]
    units = _units(study, pool, [n for n, kind in enumerate(kept) if kind == "main"])
    rounds = _between(study, units) if study.vary == "between" else _within(study, units, generator)
    practice = Stream(study.seed, "practice").shuffled(n for n, kind in enumerate(kept) if kind == "practice")
    checks = [n for n, kind in enumerate(kept) if kind == "attention"]
    practised, checked = [], []
    for number, assigned in enumerate(rounds.lists):
        only = assigned[0].condition if study.vary == "between" else None
        turn = number % rounds.size
        if study.practice:
            practised.append(_some(study, pool, practice, study.practice.items, turn, only, "practice"))
        if study.attention:
            drawn = Stream(study.seed, "attention", number).shuffled(checks)
            wanted = (len(assigned) - 1) // study.attention.every
            checked.append(_some(study, pool, drawn, wanted, turn, only, "attention"))
    return Design(generator, study.hash, study.seed, pool, rounds.lists,
                  tuple(practised) or ((),) * len(rounds.lists), tuple(checked) or ((),) * len(rounds.lists),
                  rounds.size, rounds.block_orders)


@dataclass(frozen=True, slots=True)
class _Rounds:
    size: int
    lists: tuple[tuple[Assigned, ...], ...]
    block_orders: tuple[tuple[str, ...], ...]


def _within(study: Study, units: list[_Unit], generator: str) -> _Rounds:
    size = lcm(*{len(unit.conditions) for unit in units})
    if size > MOST_LISTS_A_ROUND:
        raise Refused(N_("The conditions fit so different items that one round would take {size} lists; at most {most} "
                         "are made"), size=size, most=MOST_LISTS_A_ROUND)
    names = [condition.name for condition in study.conditions]
    rows = balanced_square(len(names)) if study.order.conditions == "blocked" else ((),)
    each = parts({n: unit.path for n, unit in enumerate(units)}, study.seed, study.per_person)
    lists: list[tuple[Assigned, ...]] = []
    orders: list[tuple[str, ...]] = []
    for again in range(len(rows) * _variants(units)):
        if again and len(lists) + len(each) * size > max(MOST_LISTS, study.people):
            break
        for turn, part in enumerate(each):
            start = turn + again if generator == FIRST_GENERATOR else first_row(len(rows), size, turn + again)
            for rotation in range(size):
                lists.append(_rotated([units[n] for n in part], rotation, again // len(rows) + turn))
                orders.append(tuple(names[n] for n in rows[(rotation + start) % len(rows)]))
    return _Rounds(size, tuple(lists), tuple(orders))


def _rotated(part: list[_Unit], rotation: int, turn: int) -> tuple[Assigned, ...]:
    # Units that fit the same conditions are counted together, so that each such group is balanced by itself.
    counted: Counter[tuple[str, ...]] = Counter()
    found = []
    for unit in part:
        place = counted[unit.conditions] + rotation
        counted[unit.conditions] += 1
        found.append(unit.seen(unit.conditions[place % len(unit.conditions)], turn))
    return tuple(found)


def _between(study: Study, units: list[_Unit]) -> _Rounds:
    names = [condition.name for condition in study.conditions]
    fitting = [{n: unit.path for n, unit in enumerate(units) if name in unit.conditions} for name in names]
    for name, found in zip(names, fitting, strict=True):
        if not found:
            raise Refused(N_("No item can be seen in the condition '{condition}'"), condition=name)
    most = max(len(parts(found, study.seed, study.per_person)) for found in fitting)
    by_condition = [parts(found, study.seed, study.per_person, least=most) for found in fitting]
    lists = [tuple(units[n].seen(name, again + turn) for n in each[turn])
             for again in range(_variants(units)) for turn in range(most)
             for name, each in zip(names, by_condition, strict=True)]
    return _Rounds(len(names), tuple(lists), ((),) * len(lists))


def _variants(units: list[_Unit]) -> int:
    """How many rounds let every member of every family be seen equally often (at least: be seen)."""
    counts = {len(members) for unit in units for members in unit.members}
    return lcm(*counts) if lcm(*counts) <= MOST_VARIANTS else max(counts)


def _units(study: Study, pool: Sequence[StudyItem], main: list[int]) -> list[_Unit]:
    if not main:
        raise Refused(N_("There is no item for the trials in earnest"))
    families: dict[str, list[int]] = {}
    for n in main:
        family = pool[n].facets.get(study.family) if study.family else None
        families.setdefault(f"f {family}" if family is not None else f"i {pool[n].item}", []).append(n)
    found = [_unit(study, pool, members) for members in families.values()]
    if study.per_person is not None and study.per_person > len(found):
        raise Refused(N_("A person is to see {wanted} items; there are {found}"), wanted=study.per_person,
                      found=len(found))
    return found


def _unit(study: Study, pool: Sequence[StudyItem], members: list[int]) -> _Unit:
    paths = {tuple((pool[n].correct if name == CORRECT else pool[n].facets.get(name)) or "" for name in study.strata)
             for n in members}
    if len(paths) > 1:
        one, other = (pool[n].key for n in members[:2])
        raise Refused(N_("'{one}' and '{other}' are of one family and stand in different strata"), one=one, other=other)
    conditions = tuple(c.name for c in study.conditions if any(c.name in pool[n].conditions for n in members))
    return _Unit(paths.pop(), conditions,
                 tuple(tuple(n for n in members if name in pool[n].conditions) for name in conditions))


def _some(study: Study, pool: Sequence[StudyItem], drawn: list[int], wanted: int, turn: int, only: str | None,
          kind: str) -> tuple[Assigned, ...]:
    """``wanted`` of the items drawn for practice or attention, their conditions in rotation."""
    fitting = [n for n in drawn if only is None or only in pool[n].conditions][:wanted]
    if len(fitting) < wanted:
        raise Refused(
            N_("{kind} wants {wanted} items, but only {found} match its 'where' and can be seen in '{condition}'")
            if only else N_("{kind} wants {wanted} items, but only {found} match its 'where'"),
            kind=kind, wanted=wanted, found=len(fitting), condition=only)
    return tuple(Assigned(n, only or pool[n].conditions[(place + turn) % len(pool[n].conditions)])
                 for place, n in enumerate(fitting))


def _pool_of(study: Study, item: StudyItem) -> str:
    if study.practice and matches(item.facets, study.practice.where):
        return "practice"
    return "attention" if study.attention and matches(item.facets, study.attention.where) else "main"


def _check(study: Study, pool: Sequence[StudyItem]) -> None:
    """Refused where an item cannot be shown or answered, by its key."""
    twice = [item for item, count in Counter(one.item for one in pool).items() if count > 1]
    if twice:
        raise Refused(N_("The item '{key}' is there twice"), key=next(one.key for one in pool if one.item == twice[0]))
    known = {condition.name for condition in study.conditions}
    room = min(len(keys) for keys in study.answers.keys)
    for one in pool:
        if not one.conditions or not set(one.conditions) <= known:
            raise Refused(N_("'{key}' fits no condition of the study"), key=one.key)
        if len(set(one.options)) < max(2, len(one.options)):
            raise Refused(N_("'{key}' needs two options or more, all different"), key=one.key)
        if len(one.options) > room:
            raise Refused(N_("'{key}' has {options} options, but a set of keys has {keys}"), key=one.key,
                          options=len(one.options), keys=room)
        if one.correct is not None and one.correct not in one.options:
            raise Refused(N_("The right answer of '{key}' is '{correct}', which is none of its options"), key=one.key,
                          correct=one.correct)
