"""Placing: trials one after another, each with a look whether the rest still fits, taken back at a dead end."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from studies.chance import Stream
from studies.order_room import Room

# A draw at random is tested this often before all kinds of trial are gone through.
DRAWS = 12
NOISES = 1021


class Placing:
    """The search of one order, begun anew as often as is wanted.

    A state from which every way was gone in vain is dead, and no later try enters it again; so where there is no
    order, the tries together show it.
    """

    def __init__(self, room: Room, chance: Stream) -> None:
        self.room, self.chance = room, chance
        self.looks = 0
        self.furthest: list[int] = []
        self._dead: set[int] = set()
        self._noises: list[float] = []
        self._noise_at = 0

    def run(self, most: int, *, way: int, begun: Sequence[int] = (),
            remember: bool = True) -> bool:
        """Search within ``most`` looks; whether it came to an end, with an order in ``room`` or with nothing.

        ``way`` 0 draws the next trial evenly from what is left, so that every order that keeps the rules can come;
        the others prefer what has least room left. ``begun`` is not taken back. ``remember`` what is dead: that
        takes its time.
        """
        room, dead = self.room, self._dead
        room.clear(marked=remember)
        self.furthest = []
        if not all(map(room.place, begun)):
            return False
        most += self.looks
        open_ = [self._open(way)]
        while len(room.row) < room.total and self.looks < most:
            for kind in open_[-1]:
                self.looks += 1
                if room.place(kind):
                    if not remember or room.marks[-1] not in dead:
                        open_.append(self._open(way))
                        break
                    room.take_back()
            else:
                if remember:
                    dead.add(room.marks[-1])
                open_.pop()
                if len(room.row) > len(self.furthest):
                    self.furthest = list(room.row)
                if len(room.row) == len(begun):
                    return not begun
                room.take_back()
        if len(room.row) > len(self.furthest):
            self.furthest = list(room.row)
        return len(room.row) == room.total

    def _open(self, way: int) -> Iterator[int]:
        """The kinds that may come next, one after another."""
        if len(self.room.row) == self.room.total:
            return iter(())
        return self._pressed(way) if way else self._drawn()

    def _drawn(self) -> Iterator[int]:
        room, tried = self.room, set[int]()
        kinds = room.kinds_in[room.segment_at[len(room.row)]]
        upto = list(accumulate(room.left[kind] for kind in kinds))
        for _ in range(DRAWS):
            kind = kinds[bisect_right(upto, self.chance.below(upto[-1]))]
            if kind not in tried:
                tried.add(kind)
                yield kind
        fitting = [kind for kind in room.fitting() if kind not in tried]
        self.looks += len(fitting) // 4
        yield from self.chance.shuffled(fitting)

    def _pressed(self, way: int) -> Iterator[int]:
        if not self._noises:
            self._noises = [1 + self.chance.below(1000) / 4000 for _ in range(NOISES)]
        fitting = self.room.fitting()
        self.looks += len(fitting) // 4
        start = self._noise_at
        self._noise_at = (start + len(fitting)) % NOISES
        noises = [self._noises[(start + n) % NOISES] for n in range(len(fitting))]
        pressures = self.room.pressures(fitting, way)
        if way & 1:                                         # not always the one with least room
            pressures = [pressure * noise for pressure, noise in zip(pressures, noises, strict=True)]
        found = sorted(zip(pressures, noises, range(len(fitting)), strict=True), reverse=True)
        return (fitting[n] for _, _, n in found)
