"""Blocks in an order that keeps the rules, or the name of the rule that cannot be kept and of what makes it so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice, pairwise

from annotation.errors import N_, Refused, Where
from studies.chance import Stream
from studies.order import Found, find_order
from studies.order_room import Rule, Values, distance_need, run_room

# Blocks are first dealt, so that conditions and strata are alike in all; where that finds no order, one is cut.
DEALT = 4
DEALT_LOOKS = 20_000
_ALONE = N_("No order of these blocks keeps {rule}, where {count} of {trials} trials have '{value}'")
_NONE_AT_ALL = N_("No order keeps {rules} together, nor was one found without any one of {all}: loosen two or more")
_NONE_FOUND = N_("No order was found in {tries} tries that keeps {rules} together, nor without any one of these: "
                 "loosen two or more")
_NOT_TOGETHER = N_("No order keeps {rules} together. There is one without {rule}, where {count} of {trials} trials "
                   "have '{value}': loosen {loosen}")
_NOT_FOUND = N_("No order was found in {tries} tries that keeps {rules} together. There is one without {rule}, where "
                "{count} of {trials} trials have '{value}': loosen {loosen}")
# What is spent to learn which rules are to blame, for each set of them, and how many sets are looked at.
BLAME_LOOKS, BLAME_TRIES, MOST_SETS = 20_000, 200, 20
# What is spent before it is asked whether some of the rules are impossible together.
FIRST_LOOKS = 40_000


def arrange(values: Sequence[Values], groups: Sequence[Sequence[int]], rules: Sequence[Rule], *, count: int,
            chance: Stream, tries: int) -> list[list[int]]:
    """Blocks of trials: each group, one after the other, in ``count`` blocks of nearly equal length.

    ``groups``: trials by number, in the order in which they are dealt to blocks. Raises Refused naming the rule.
    """
    check_room(values, groups, rules)
    for _ in range(DEALT if count > 1 else 0):
        dealt = [block for group in groups for block in deal(group, count)]
        found = find_order(values, dealt, rules, chance=chance, tries=max(1, tries // 10), most_looks=DEALT_LOOKS).order
        if found is not None:
            return found
    whole = find_order(values, groups, rules, chance=chance, tries=tries, most_looks=FIRST_LOOKS)
    together = None if whole.order else _impossible(values, groups, rules, whole, chance)
    if whole.order is None and together is None:
        whole = find_order(values, groups, rules, chance=chance, tries=tries)
    if whole.order is None:
        raise _blame(values, groups, rules, whole, together, chance)
    return [block for group in whole.order for block in cut(group, count)]


def deal(group: Sequence[int], count: int) -> list[list[int]]:
    """Nearly equal blocks, dealt like cards: what stands together in ``group`` comes to different blocks."""
    return [block for n in range(count) if (block := list(group[n::count]))]


def cut(group: Sequence[int], count: int) -> list[list[int]]:
    """Nearly equal blocks, one piece after the other; the first ones are longer."""
    each, longer = divmod(len(group), count)
    ends = [n * each + min(n, longer) for n in range(count + 1)]
    return [list(group[start:end]) for start, end in pairwise(ends) if end > start]


def check_room(values: Sequence[Values], groups: Sequence[Sequence[int]], rules: Sequence[Rule]) -> None:
    """Refused where counting alone shows that a rule cannot be kept within a group."""
    for n, rule in enumerate(rules):
        for group in groups:
            counts = Counter(value for trial in group if (value := values[trial][n]) is not None)
            if not counts:
                continue
            value, most = max(counts.items(), key=lambda pair: (pair[1], pair[0]))
            said = {"rule": str(rule), "value": value, "count": most, "trials": len(group)}
            place = Where(key=rule.path, value=value)
            if rule.kind == "max_run":
                others = len(group) - most
                if most > run_room(others, rule.limit):
                    raise Refused(
                        N_("No order keeps {rule}: {count} of {trials} trials have '{value}', and the {others} others "
                           "make room for {room}"), code="no_order", where=place, others=others,
                        room=run_room(others, rule.limit), **said)
            else:
                ties = sum(1 for count in counts.values() if count == most)
                need = distance_need(most, ties, rule.limit)
                if most > 1 and need > len(group):
                    raise Refused(
                        N_("No order keeps {rule}: {count} trials have '{value}', more than any other value or as "
                           "many; that takes {need} trials, and there are {trials}"),
                        code="no_order", where=place, need=need, **said)


def _impossible(values: Sequence[Values], groups: Sequence[Sequence[int]], rules: Sequence[Rule], found: Found,
                chance: Stream) -> tuple[int, ...] | None:
    """The fewest rules, by number, that are shown to be impossible together; None where nothing is shown."""
    every = range(len(rules))
    sets = (some for size in range(1, len(rules)) for some in combinations(every, size))
    for some in islice(sets, MOST_SETS):
        if _within(values, groups, rules, some, chance).impossible:
            return some
    return tuple(every) if found.impossible else None


def _blame(values: Sequence[Values], groups: Sequence[Sequence[int]], rules: Sequence[Rule], found: Found,
           shown: tuple[int, ...] | None, chance: Stream) -> Refused:
    """The refusal after a search in vain: what cannot be kept together, and the rules each of which is one too many."""
    every = range(len(rules))
    impossible = found.impossible or shown is not None
    together = shown or tuple(every)
    guilty = [n for n in together
              if _within(values, groups, rules, [m for m in every if m != n], chance).order is not None]
    said: dict[str, object] = {"tries": found.tries, "rules": ", ".join(str(rules[n]) for n in together),
                               "all": ", ".join(map(str, rules))}
    if not guilty and len(together) > 1:
        return Refused(_NONE_AT_ALL if impossible else _NONE_FOUND, code="no_order",
                       where=Where(key="order"), **said)
    n = (guilty or together)[0]
    counts = Counter(value for one in values if (value := one[n]) is not None)
    value, count = max(counts.items(), key=lambda pair: (pair[1], pair[0]))
    sentence = _NOT_FOUND if not impossible else _NOT_TOGETHER if len(together) > 1 else _ALONE
    return Refused(sentence, code="no_order",
                   where=Where(key=rules[n].path, value=value), rule=str(rules[n]), count=count, trials=len(values),
                   value=value, loosen=" or ".join(str(rules[one]) for one in guilty), **said)


def _within(values: Sequence[Values], groups: Sequence[Sequence[int]], rules: Sequence[Rule], some: Sequence[int],
            chance: Stream) -> Found:
    """A short search that keeps only ``some`` of the rules."""
    return find_order([tuple(one[n] for n in some) for one in values], groups, [rules[n] for n in some],
                      chance=chance, tries=BLAME_TRIES, most_looks=BLAME_LOOKS)
