"""Mending: an order that breaks a few rules is made whole by exchanges, where placing one by one has failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from studies.chance import Stream

# How many partners are looked at for a trial that stands wrong, and how often the best is taken though it is worse.
PARTNERS = 40
WORSE_ONE_IN = 80


class Limit(Protocol):
    """What a rule of the order has."""

    @property
    def kind(self) -> str: ...

    @property
    def limit(self) -> int: ...


def mend(segments: Sequence[Sequence[int]], values: Sequence[tuple[str | None, ...]], rules: Sequence[Limit], *,
         chance: Stream, most_looks: int) -> tuple[list[list[int]] | None, int]:
    """The segments, each with its own trials in an order that keeps the rules (None: not found), and the looks taken.

    Local search by least conflicts (Minton et al. 1992): a trial that breaks a rule changes places with that one of
    some trials of its segment with which the fewest rules are broken.
    """
    row = [trial for segment in segments for trial in segment]
    ends: list[tuple[int, int]] = []
    for segment in segments:
        start = ends[-1][1] if ends else 0
        ends.append((start, start + len(segment)))
    within = [end for end in ends for _ in range(end[1] - end[0])]
    looks = 0
    while looks < most_looks:
        wrong = [place for place in range(len(row)) if broken(row, place, values, rules)]
        looks += len(row) // 4 + 1
        if not wrong:
            return [row[start:end] for start, end in ends], looks
        for place in chance.shuffled(wrong):
            before = broken(row, place, values, rules)
            if before:
                looks += _exchange(row, place, before, within[place], values, rules, chance)
    return None, looks


def _exchange(row: list[int], place: int, before: int, within: tuple[int, int],
              values: Sequence[tuple[str | None, ...]], rules: Sequence[Limit], chance: Stream) -> int:
    """Put the trial at ``place`` where it breaks least; how many places were looked at."""
    start, end = within
    best: tuple[int, int] | None = None
    for _ in range(min(PARTNERS, end - start)):
        other = start + chance.below(end - start)
        if values[row[other]] == values[row[place]]:
            continue
        there = broken(row, other, values, rules)
        row[place], row[other] = row[other], row[place]
        change = broken(row, place, values, rules) + broken(row, other, values, rules) - before - there
        row[place], row[other] = row[other], row[place]
        if best is None or change < best[0]:
            best = change, other
    # What neither helps nor harms is taken, too, and now and then what harms: else one small knot would hold for ever.
    if best is not None and (best[0] <= 0 or not chance.below(WORSE_ONE_IN)):
        row[place], row[best[1]] = row[best[1]], row[place]
    return min(PARTNERS, end - start)


def broken(row: Sequence[int], place: int, values: Sequence[tuple[str | None, ...]], rules: Sequence[Limit]) -> int:
    """How far the rules are broken by what stands at ``place``."""
    found = 0
    here = values[row[place]]
    for n, rule in enumerate(rules):
        value = here[n]
        if value is None:
            continue
        if rule.kind == "max_run":
            first = last = place
            while first and values[row[first - 1]][n] == value:
                first -= 1
            while last + 1 < len(row) and values[row[last + 1]][n] == value:
                last += 1
            found += max(0, last - first + 1 - rule.limit)
        else:
            for other in range(max(0, place - rule.limit + 1), min(len(row), place + rule.limit)):
                if other != place and values[row[other]][n] == value:
                    found += 1
    return found
