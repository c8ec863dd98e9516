"""Mending: a row that breaks a few rules is made whole by exchanges, where placing one by one has failed."""

from __future__ import annotations

from collections.abc import Sequence

from studies.chance import Stream
from studies.order_room import Room

# For how many exchanges at least a trial does not go back to where it came from.
HELD = 6
NOTHING = -1


class Mending:
    """Local search by least conflicts (Minton et al. 1992) with a short memory (Glover 1989).

    A trial that breaks a rule changes places with that one of its segment with which the fewest breaks are left; where
    each came from it does not go back to for a while, unless all is then better than ever.
    """

    def __init__(self, room: Room, begun: Sequence[int], chance: Stream) -> None:
        """``begun`` is gone on with to the end of its segment."""
        self.room, self.chance = room, chance
        self.looks = 0
        size, rules = room.ends[room.segment_at[max(0, len(begun) - 1)]], range(len(room.limits))
        self.reach = max(room.limits, default=1)
        self.row = [NOTHING] * size
        self.at = [[NOTHING] * size for _ in rules]         # per rule: the slot at each place
        # How many breaks a slot would make at each place, by what stands around.
        self.breaks = [[0] * size for _ in range(room.slot_count)]
        self._beside: list[list[tuple[int, int]]] = [[(NOTHING, NOTHING)] * size for _ in rules]
        self._fill(begun)
        self.own = [self._cost(place, kind) for place, kind in enumerate(self.row)]

    def run(self, most: int) -> bool:
        """Exchange within ``most`` looks; whether the row keeps the rules now."""
        row, own, chance = self.row, self.own, self.chance
        held: dict[tuple[int, int], int] = {}
        turn = change = best = 0                            # against the beginning
        most += self.looks
        while self.looks < most:
            wrong = [place for place, cost in enumerate(own) if cost]
            if not wrong:
                return True
            turn += 1
            place = wrong[chance.below(len(wrong))]
            other, gain = self._partner(place, held, turn, best - change)
            if other == NOTHING:
                continue
            until = turn + HELD + chance.below(HELD + len(wrong) // 2)
            held[place, row[place]] = held[other, row[other]] = until
            self._exchange(place, other)
            change += gain
            best = min(best, change)
        return False

    def _partner(self, place: int, held: dict[tuple[int, int], int], turn: int, hoped: int) -> tuple[int, int]:
        """With whom the exchange is best, and what it changes; NOTHING where all are held."""
        room, row, own = self.room, self.row, self.own
        segment = room.segment_at[place]
        start, end = room.ends[segment - 1] if segment else 0, room.ends[segment]
        kind = row[place]
        mine = [self.breaks[slot] for slot in room.slots[kind] if slot >= 0]
        here = {other: self._cost(place, other) - own[place] for other in room.kinds_in[segment]}
        self.looks += (end - start) // 40 + len(here) // 20 + 1
        best, found = 1 << 30, [NOTHING]
        for other in range(start, end):
            theirs = row[other]
            if theirs == kind:
                continue
            if -self.reach <= other - place <= self.reach:
                change = self._near_change(place, other)
            else:
                change = here[theirs] - own[other]
                for breaks in mine:
                    change += breaks[other]
            if change > best:
                continue
            if change >= hoped and (held.get((place, theirs), 0) > turn or held.get((other, kind), 0) > turn):
                continue
            if change < best:
                best, found = change, [other]
            else:
                found.append(other)
        return found[self.chance.below(len(found))], best

    def _near_change(self, place: int, other: int) -> int:
        """What an exchange of two changes that may stand in each other's way."""
        change = 0
        for n, limit in enumerate(self.room.limits):
            at = self.at[n]
            one, two = at[place], at[other]
            if one == two:
                continue
            apart = abs(place - other)
            if self.room.apart[n] or apart > limit:
                for slot, here, there in ((one, place, other), (two, other, place)):
                    if slot >= 0:
                        breaks = self.breaks[slot]
                        change += breaks[there] - breaks[here] - (apart < limit)
            else:
                first, last = max(0, min(place, other) - limit), max(place, other) + limit + 1
                change -= _long_runs(at[first:last], limit)
                at[place], at[other] = two, one
                change += _long_runs(at[first:last], limit)
                at[place], at[other] = one, two
        return change

    def _cost(self, place: int, kind: int) -> int:
        found = 0
        for slot in self.room.slots[kind]:
            if slot >= 0:
                found += self.breaks[slot][place]
        return found

    def _exchange(self, place: int, other: int) -> None:
        row = self.row
        kind, theirs = row[place], row[other]
        self._put(place, theirs)
        self._put(other, kind)
        for middle in (place, other):
            for near in range(max(0, middle - self.reach), min(len(row), middle + self.reach + 1)):
                self.own[near] = self._cost(near, row[near])

    def _put(self, place: int, kind: int) -> None:
        self.row[place] = kind
        size = len(self.row)
        for n, slot in enumerate(self.room.slots[kind]):
            limit, before = self.room.limits[n], self.at[n][place]
            if slot == before:
                continue
            self.at[n][place] = slot
            if self.room.apart[n]:
                for one, by in ((before, -1), (slot, 1)):
                    if one >= 0:
                        breaks = self.breaks[one]
                        for near in range(max(0, place - limit + 1), place):
                            breaks[near] += by
                        for near in range(place + 1, min(size, place + limit)):
                            breaks[near] += by
            else:
                for near in range(max(0, place - limit), min(size, place + limit + 1)):
                    self._count_runs(n, near)

    def _count_runs(self, n: int, place: int) -> None:
        """How many stretches that are too long by one each neighbour's slot would make at ``place``."""
        at, limit = self.at[n], self.room.limits[n]
        for slot in self._beside[n][place]:
            if slot >= 0:
                self.breaks[slot][place] = 0
        left = at[place - 1] if place else NOTHING
        right = at[place + 1] if place + 1 < len(at) else NOTHING
        self._beside[n][place] = left, right
        for slot in {left, right}:
            if slot < 0:
                continue
            before = after = 0
            while before < limit and place > before and at[place - 1 - before] == slot:
                before += 1
            while after < limit and place + 1 + after < len(at) and at[place + 1 + after] == slot:
                after += 1
            self.breaks[slot][place] = max(0, before + after + 1 - limit)

    def _fill(self, begun: Sequence[int]) -> None:
        """What was placed, and after it of what is left always that which breaks least, and the most of it first."""
        room = self.room
        left = [len(trials) for trials in room.trials]
        for place in range(len(self.row)):
            if place < len(begun):
                kind = begun[place]
            else:
                kinds = room.kinds_in[room.segment_at[place]]
                self.looks += len(kinds) // 2
                kind = min((one for one in kinds if left[one]),
                           key=lambda one: (self._cost(place, one), -left[one] / len(room.trials[one])))
            left[kind] -= 1
            self._put(place, kind)


def _long_runs(slots: Sequence[int], limit: int) -> int:
    """How many stretches of one slot are too long by one."""
    found = run = 0
    before = NOTHING
    for slot in slots:
        run = run + 1 if slot == before else 1
        before = slot
        if run > limit and slot >= 0:
            found += 1
    return found
