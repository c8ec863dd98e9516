"""Blocks in an order that keeps the rules, or the name of the rule that cannot be kept and of what makes it so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from annotation.errors import N_, Refused, Where
from studies.chance import Stream
from studies.order import Found, Rule, Values, find_order
from studies.order_room import distance_need, run_room

# Blocks are first dealt, so that conditions and strata are alike in all; where that finds no order, one is cut.
DEALT = 4
DEALT_LOOKS = 20_000
_NONE_AT_ALL = N_("No order keeps {rules} together, nor was one found without any one of these: loosen two or "
                  "more")
_NONE_FOUND = N_("No order was found in {tries} tries that keeps {rules} together, nor without any one of these: "
                 "loosen two or more")
_NOT_TOGETHER = N_("No order keeps {rules} together. There is one without {rule}, where {count} of {trials} trials "
                   "have '{value}': loosen {loosen}")
_NOT_FOUND = N_("No order was found in {tries} tries that keeps {rules} together. There is one without {rule}, where "
                "{count} of {trials} trials have '{value}': loosen {loosen}")
# What is spent to learn which rule is to blame, for each.
BLAME_LOOKS = 30_000


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
    whole = find_order(values, groups, rules, chance=chance, tries=tries)
    if whole.order is None:
        raise _blame(values, groups, rules, whole, chance)
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


def _blame(values: Sequence[Values], groups: Sequence[Sequence[int]], rules: Sequence[Rule], found: Found,
           chance: Stream) -> Refused:
    """The refusal after a search in vain: the rules without any one of which there is an order, else all of them."""
    guilty = []
    for n, rule in enumerate(rules):
        others = [*rules[:n], *rules[n + 1:]]
        rest = [(*one[:n], *one[n + 1:]) for one in values]
        without = find_order(rest, groups, others, chance=chance, tries=found.tries + 2, most_looks=BLAME_LOOKS)
        if without.order is not None:
            guilty.append((n, rule))
    said: dict[str, object] = {"tries": found.tries, "rules": ", ".join(map(str, rules))}
    if not guilty:
        return Refused(_NONE_AT_ALL if found.impossible else _NONE_FOUND, code="no_order",
                       where=Where(key="order"), **said)
    n, rule = guilty[0]
    counts = Counter(value for one in values if (value := one[n]) is not None)
    value, count = max(counts.items(), key=lambda pair: (pair[1], pair[0]))
    return Refused(_NOT_TOGETHER if found.impossible else _NOT_FOUND, code="no_order",
                   where=Where(key=rule.path, value=value), rule=str(rule), count=count, trials=len(values),
                   value=value, loosen=" or ".join(str(one) for _, one in guilty), **said)
