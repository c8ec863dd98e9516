"""The search for an order that keeps every rule: placed one by one, mended where that fails, within bounded looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studies.chance import Stream
from studies.model_parts import Order
from studies.order_mending import Mending
from studies.order_placing import Placing
from studies.order_room import Room, Rule, Values

# Trials looked at before the search gives up, whatever ``tries`` says: three or four seconds of a slow machine.
MOST_LOOKS = 250_000
# Ways of choosing the next trial, in turn (``order_placing``).
WAYS = (0, 2, 3, 4, 1, 5)
# The first tries are not mended: what they leave has seldom been placed as far as can be.
PLACED_ALONE = 2


@dataclass(frozen=True, slots=True)
class Found:
    """``order``: per segment, or None; ``impossible``: all orders were gone through, and none keeps the rules."""

    order: list[list[int]] | None
    tries: int
    impossible: bool = False


def rules_of(order: Order) -> tuple[Rule, ...]:
    """The rules of a study's file, in its order."""
    runs = [Rule("max_run", rule.of, rule.most, f"order.max_run.{n}") for n, rule in enumerate(order.max_run)]
    return (*runs, *(Rule("min_distance", rule.of, rule.least, f"order.min_distance.{n}")
                     for n, rule in enumerate(order.min_distance)))


def find_order(values: Sequence[Values], segments: Sequence[Sequence[int]], rules: Sequence[Rule], *, chance: Stream,
               tries: int, most_looks: int = MOST_LOOKS) -> Found:
    """Each segment's trials in an order in which all segments after each other keep ``rules``.

    ``values[trial][rule]`` is what the rule goes by; None is never the same as anything. Tries are of the lengths
    1 1 2 1 1 2 4 .., the first one draws evenly; from the third on, the row that came furthest is mended by exchanges
    and then gone on with. The result follows from the draws alone, never from a clock.
    """
    room = Room(values, segments, rules, chance)
    placing = Placing(room, chance)
    left, attempt = most_looks, 0
    while attempt < tries and left > 0:
        way = WAYS[attempt % len(WAYS)]
        attempt += 1
        most = (4 * room.total + 200) * luby(attempt)
        begun: list[int] = []
        while left > 0:
            placing.looks = 0
            ended = placing.run(min(left, most), way=way, begun=begun, remember=attempt > 1)
            left -= placing.looks
            if ended:
                if len(room.row) == room.total:
                    return Found(_trials(room, room.row, segments, chance), attempt)
                return Found(None, attempt, impossible=True)
            if attempt <= PLACED_ALONE or len(placing.furthest) <= len(begun):
                break
            mending = Mending(room, placing.furthest, chance)
            mended = mending.run(min(left, most))
            left -= mending.looks
            if not mended:
                break
            begun = mending.row
            if len(begun) == room.total:
                return Found(_trials(room, begun, segments, chance), attempt)
    return Found(None, attempt)


def _trials(room: Room, row: Sequence[int], segments: Sequence[Sequence[int]], chance: Stream) -> list[list[int]]:
    """The row of kinds with trials of these, drawn; per segment."""
    left = [chance.shuffled(trials) for trials in room.trials]
    found: list[list[int]] = [[] for _ in segments]
    for place, kind in enumerate(row):
        found[room.segment_at[place]].append(left[kind].pop())
    return found


def luby(turn: int) -> int:
    """1 1 2 1 1 2 4 1 1 2 .. (Luby, Sinclair and Zuckerman 1993): whatever length of a try is best, near to it."""
    power = 1
    while 2 * power - 1 < turn:
        power *= 2
    return power if turn == 2 * power - 1 else luby(turn - power + 1)
