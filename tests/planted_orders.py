"""Orders planted for the search: rows that keep one to four rules, as tight as the row, and then shuffled.

``python -m tests.planted_orders [CASES] [SEED]``: the share that is found again and how long that takes, per shape.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

from studies.chance import Stream
from studies.order import find_order
from studies.order_room import Rule, Values

TRIES = 200


@dataclass(frozen=True)
class Planted:
    """``values`` shuffled within each segment; at least one order of each keeps ``rules``."""

    shape: str
    values: list[Values]
    segments: list[list[int]]
    rules: list[Rule]

    def __repr__(self) -> str:
        return f"Planted({self.shape}, {len(self.values)} trials, {', '.join(map(str, self.rules))})"


def planted(number: int, seed: int = 0, *, most: int = 500) -> Planted:
    """The ``number``-th case, of ``most`` trials at most; its shape goes round."""
    shape = list(SHAPES)[number % len(SHAPES)]
    chance = Stream(seed, "planted", shape, number)
    count = chance.between(10, [40, 100, 200, 500][number // len(SHAPES) % 4])
    row: list[Values] = []
    while not row:  # a draw of kinds may hold no row that is long enough
        rules, kinds = SHAPES[shape](chance, min(count, most))
        row = walk(kinds, rules, min(count, most), chance)
    rules = [_tightened(rule, [one[n] for one in row]) for n, rule in enumerate(rules)]
    parts = chance.between(2, 4) if chance.below(4) == 0 else 1
    segments = [list(range(start, end)) for start, end in pairwise(len(row) * n // parts for n in range(parts + 1))]
    values = [row[n] for segment in segments for n in chance.shuffled(segment)]
    return Planted(shape, values, segments, rules)


def walk(kinds: Sequence[Values], rules: Sequence[Rule], length: int, chance: Stream) -> list[Values]:
    """A row of these kinds that keeps the rules, each next one drawn and taken back at a dead end; [] where it fails.

    Kinds are not used up: a walk knows nothing of what is left, which is what makes its order hard to find again.
    """
    weights = [1 + chance.below(4) for _ in kinds]
    longest = max(rule.limit for rule in rules)
    row: list[Values] = []
    open_: list[list[Values]] = []
    for _ in range(4 * length):
        if len(row) == length:
            return row
        if len(open_) == len(row):
            behind = row[-longest:]
            fitting = [(kind, weight) for kind, weight in zip(kinds, weights, strict=True)
                       if follows(behind, kind, rules)]
            mixed = chance.shuffled(kind for kind, weight in fitting for _ in range(weight))
            open_.append(list(dict.fromkeys(mixed)))
        if open_[-1]:
            row.append(open_[-1].pop(0))
        elif row:
            open_.pop()
            row.pop()
        else:
            break
    return []


def follows(behind: Sequence[Values], kind: Values, rules: Sequence[Rule]) -> bool:
    for n, rule in enumerate(rules):
        if kind[n] is None:
            continue
        before = [one[n] for one in behind[-rule.limit if rule.kind == "max_run" else 1 - rule.limit:]]
        if rule.kind == "max_run":
            if len(before) == rule.limit and set(before) == {kind[n]}:
                return False
        elif kind[n] in before:
            return False
    return True


def kept(row: Sequence[Values], rules: Sequence[Rule]) -> bool:
    """Whether this row keeps the rules, looked at trial by trial."""
    return all(follows(row[:place], one, rules) for place, one in enumerate(row))


def _tightened(rule: Rule, row: Sequence[str | None]) -> Rule:
    """The rule with the strictest limit that this row keeps."""
    if rule.kind == "max_run":
        longest, run = 1, 0
        for place, one in enumerate(row):
            run = run + 1 if place and one is not None and one == row[place - 1] else 1
            longest = max(longest, run)
        return replace(rule, limit=longest)
    last: dict[str, int] = {}
    nearest = 100
    for place, value in enumerate(row):
        if value is not None:
            nearest = min(nearest, place - last.get(value, -100))
            last[value] = place
    return replace(rule, limit=max(2, nearest))


def a_rule(kind: str, limit: int, number: int) -> Rule:
    return Rule(kind, f"field{number}", limit, f"order.{kind}.{number}")  # type: ignore[arg-type]


def _some_kinds(chance: Stream, sizes: Sequence[int], least: int, most: int, *, gaps: bool = False) -> list[Values]:
    names = [[str(n) for n in range(size)] for size in sizes]
    every: list[Values] = chance.shuffled(product(*names))
    some = every[: chance.between(min(least, len(every)), min(most, len(every)))]
    return [tuple(None if gaps and not chance.below(6) else one for one in kind) for kind in some]


def _crossed(chance: Stream, count: int) -> tuple[list[Rule], list[Values]]:
    """Three or four fields of which each value goes with each other, and nothing is to spare in any."""
    sizes = [chance.between(2, 4) for _ in range(chance.between(3, 4))]
    rules = [a_rule("max_run", chance.between(1, 2), n) if size == 2 or not chance.below(3) else
             a_rule("min_distance", size - chance.below(2), n) for n, size in enumerate(sizes)]
    return rules, _some_kinds(chance, sizes, 999, 999)


def _sparse(chance: Stream, count: int) -> tuple[list[Rule], list[Values]]:
    """Few of the kinds that there could be: what goes with what is uneven."""
    sizes = [chance.between(2, 8) for _ in range(chance.between(2, 4))]
    rules = [a_rule("max_run", chance.between(1, 2), n) if size == 2 or not chance.below(3) else
             a_rule("min_distance", chance.between(2, max(2, size - 1)), n) for n, size in enumerate(sizes)]
    return rules, _some_kinds(chance, sizes, 6, 24, gaps=not chance.below(3))


def _cycle(chance: Stream, count: int) -> tuple[list[Rule], list[Values]]:
    """One field comes round and round, or almost; two others have to fit in."""
    size = chance.between(3, 8)
    sizes = [size, *(chance.between(2, 5) for _ in range(chance.between(1, 3)))]
    rules = [a_rule("min_distance", chance.between(max(2, size - 2), size), 0),
             *(a_rule("max_run", chance.between(1, 2), n) for n in range(1, len(sizes)))]
    return rules, _some_kinds(chance, sizes, 2 * size, 6 * size)


def _families(chance: Stream, count: int) -> tuple[list[Rule], list[Values]]:
    """Many small families far apart, and runs of a condition, of a right answer and of a task."""
    size = max(4, count // chance.between(3, 8))
    others = [chance.between(2, 4) for _ in range(chance.between(1, 3))]
    rules = [a_rule("min_distance", max(2, min(99, size * chance.between(4, 9) // 10)), 0),
             *(a_rule("max_run", chance.between(1, 2), n) for n in range(1, len(others) + 1))]
    return rules, [(f"kin{n}", *(str(chance.below(other)) for other in others))
                   for n in range(size) for _ in range(3)]


def _edges(chance: Stream, count: int) -> tuple[list[Rule], list[Values]]:
    """A value that comes as often as its runs let it, and two distances beside."""
    sizes = [chance.between(2, 3), *(chance.between(3, 8) for _ in range(chance.between(1, 2)))]
    rules = [a_rule("max_run", chance.between(1, 4), 0),
             *(a_rule("min_distance", chance.between(2, size - 1), n) for n, size in enumerate(sizes[1:], 1))]
    kinds = _some_kinds(chance, sizes, 6, 40)
    return rules, [kind for kind in kinds for _ in range(6 if kind[0] == "0" else 1)]


SHAPES: dict[str, Callable[[Stream, int], tuple[list[Rule], list[Values]]]] = {
    "crossed": _crossed, "sparse": _sparse, "cycle": _cycle, "families": _families, "edges": _edges}


def search(case: Planted, seed: int = 1) -> tuple[bool, bool, float]:
    """(found, called impossible, seconds of the processor)."""
    begun = time.process_time()
    found = find_order(case.values, case.segments, case.rules, chance=Stream(seed, "search"), tries=TRIES)
    took = time.process_time() - begun
    if found.order is not None:
        assert [sorted(part) for part in found.order] == case.segments
        assert kept([case.values[n] for part in found.order for n in part], case.rules)
    return found.order is not None, found.impossible, took


def main(cases: int = 200, seed: int = 0) -> None:
    rows = []
    for number in range(cases):
        case = planted(number, seed)
        found, impossible, took = search(case)
        assert not impossible, case
        rows.append((case.shape, found, took))
        if not found:
            print(f"{number}: {case}, {len(set(case.values))} kinds, {len(case.segments)} segments, {took:.1f} s")
    for shape in (*SHAPES, "all"):
        print(_told(shape, [(found, took) for name, found, took in rows if shape in (name, "all")]))


def _told(shape: str, rows: Iterable[tuple[bool, float]]) -> str:
    times = sorted(took for _, took in rows)
    good = sum(found for found, _ in rows)
    return (f"{shape:9} {good} of {len(times)} found; median {times[len(times) // 2]:.3f} s, "
            f"nine in ten below {times[9 * len(times) // 10]:.2f} s, worst {times[-1]:.2f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
