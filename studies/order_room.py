"""Room: counts that tell early that what is left cannot be placed any more (pigeonhole bounds)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol


class Limit(Protocol):
    """What a rule of the order has."""

    @property
    def kind(self) -> str: ...

    @property
    def limit(self) -> int: ...


def run_room(others: int, most: int) -> int:
    """How many of one value fit among ``others`` with at most ``most`` in a row: a run before, between and after."""
    return (others + 1) * most


def distance_need(count: int, ties: int, least: int) -> int:
    """How many trials it takes to place ``ties`` values ``count`` times each, ``least`` apart.

    All but the last of each begin a stretch of ``least`` in which no such value comes twice (the bound of task
    scheduling with a pause; it is exact where nothing else binds).
    """
    return (count - 1) * least + ties


class Room:
    """What is left of one segment, counted by each rule's values; ``size`` trials in all."""

    def __init__(self, rules: Sequence[Limit], values: Sequence[tuple[str | None, ...]]) -> None:
        self.rules = rules
        self.size = len(values)
        self.counts = [Counter(value for one in values if (value := one[n]) is not None) for n in range(len(rules))]
        # How many values there are with so many left, and the highest such number: kept up, never searched for.
        self.having: list[list[int]] = []
        self.highest: list[int] = []
        for counts in self.counts:
            top = max(counts.values(), default=0)
            having = [0] * (top + 1)
            for count in counts.values():
                having[count] += 1
            self.having.append(having)
            self.highest.append(top)

    def take(self, values: tuple[str | None, ...]) -> None:
        self.size -= 1
        for n, value in enumerate(values):
            if value is None:
                continue
            counts, having = self.counts[n], self.having[n]
            count = counts[value]
            counts[value] = count - 1
            having[count] -= 1
            having[count - 1] += 1
            if count == self.highest[n] and not having[count]:
                self.highest[n] = count - 1

    def give_back(self, values: tuple[str | None, ...]) -> None:
        self.size += 1
        for n, value in enumerate(values):
            if value is None:
                continue
            counts, having = self.counts[n], self.having[n]
            count = counts[value]
            counts[value] = count + 1
            having[count] -= 1
            having[count + 1] += 1
            self.highest[n] = max(self.highest[n], count + 1)

    def enough(self, said: Sequence[tuple[str | None, ...]]) -> bool:
        """Whether, after ``said``, no bound of any rule forbids the rest; False is certain, True is not."""
        for n, rule in enumerate(self.rules):
            highest = self.highest[n]
            if rule.kind == "max_run":
                if highest > run_room(self.size - highest, rule.limit):
                    return False
                value = said[-1][n] if said else None
                if value is not None:
                    left, run = self.counts[n][value], 0
                    while run < min(rule.limit, len(said)) and said[-1 - run][n] == value:
                        run += 1
                    if left > run_room(self.size - left, rule.limit) - run:
                        return False
            elif highest:
                if distance_need(highest, self.having[n][highest], rule.limit) > self.size:
                    return False
                for ago in range(1, min(rule.limit, len(said) + 1)):
                    value = said[-ago][n]
                    left = self.counts[n][value] if value is not None else 0
                    if left and rule.limit - ago + distance_need(left, 1, rule.limit) > self.size:
                        return False
        return True

    def pressure(self, values: tuple[str | None, ...]) -> float:
        """How near the tightest of these values is to having no room left; 1 is the edge."""
        worst = 0.0
        for n, rule in enumerate(self.rules):
            value = values[n]
            if value is None:
                continue
            left = self.counts[n][value]
            if rule.kind == "max_run":
                worst = max(worst, left / run_room(self.size - left, rule.limit))
            else:
                worst = max(worst, distance_need(left, self.having[n][left], rule.limit) / max(1, self.size))
        return worst
