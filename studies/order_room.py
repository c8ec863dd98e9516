"""Room: a row that grows trial by trial, and counts that tell early that what is left cannot be placed any more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import fsum
from typing import Literal

from studies.chance import Stream

Values = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """``limit``: how many in a row, or from one to the next. ``path``: its place in the study's file."""

    kind: Literal["max_run", "min_distance"]
    of: str
    limit: int
    path: str

    def __str__(self) -> str:
        return f"{self.kind} {self.limit} of {self.of}"


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
    """The row so far, and what is left of each segment, counted by each rule's values.

    A kind is a set of trials of one segment that the rules do not tell apart; a slot is one value of one rule.
    ``mark`` stands for all that the rest depends on: what is left of each kind, which slots are still closed, and
    the runs that the next trial may go on with. Two rows with one mark can be ended in the same ways.
    """

    def __init__(self, values: Sequence[Values], segments: Sequence[Sequence[int]], rules: Sequence[Rule],
                 chance: Stream) -> None:
        self.limits = [rule.limit for rule in rules]
        self.apart = [rule.kind == "min_distance" for rule in rules]
        self.chance = chance
        self.segment_at = [n for n, segment in enumerate(segments) for _ in segment]
        self.total = len(self.segment_at)
        self.trials: list[list[int]] = []           # per kind
        self.slots: list[tuple[int, ...]] = []      # per kind, per rule; -1 where it has no value
        self.kinds_in: list[list[int]] = []
        numbers: dict[tuple[int, str], int] = {}
        for segment in segments:
            groups: dict[Values, list[int]] = {}
            for trial in segment:
                groups.setdefault(values[trial], []).append(trial)
            self.kinds_in.append(list(range(len(self.trials), len(self.trials) + len(groups))))
            for kind, trials in groups.items():
                self.trials.append(trials)
                self.slots.append(tuple(-1 if value is None else numbers.setdefault((n, value), len(numbers))
                                        for n, value in enumerate(kind)))
        self.ends = list(accumulate(map(len, segments)))
        self.slot_count = len(numbers)
        self.counts = [self._counted(kinds) for kinds in self.kinds_in]
        self.latest = self._latest()
        self._marks: dict[tuple[int, int, int], int] = {}
        self.clear()

    def clear(self, *, marked: bool = True) -> None:
        """Nothing is placed; without marks, which take their time, where nobody asks for them."""
        self._marked = marked
        rules = range(len(self.limits))
        self.row: list[int] = []
        self.left = [len(trials) for trials in self.trials]
        self.free = [0] * self.slot_count           # the first place that is open to the slot again
        self.still = [sum(count[slot] for count in self.counts) for slot in range(self.slot_count)]
        self.last: list[list[int]] = [[-1] for _ in rules]      # per rule: the slot at each place, after a dummy
        self.runs: list[list[int]] = [[0] for _ in rules]
        self._before: list[list[int]] = [[] for _ in rules]     # per rule: what ``free`` was for what was placed
        self.marks = [0]
        for kind, left in enumerate(self.left):
            self.marks[0] ^= self._mark(-1, kind, left)
        self._counts: list[list[int]] = [list(count) for count in self.counts]
        self._highest: list[list[int]] = []
        self._having: list[list[list[int]]] = []
        for segment in range(len(self.counts)):
            highest, having = [], []
            for n in rules:
                mine = {self.slots[kind][n] for kind in self.kinds_in[segment]} - {-1}
                tally = Counter(self.counts[segment][slot] for slot in mine)
                highest.append(max(tally, default=0))
                having.append([tally[count] for count in range(highest[-1] + 1)])
            self._highest.append(highest)
            self._having.append(having)

    def place(self, kind: int) -> bool:
        """Put one of ``kind`` (of which there is one left) next, unless a rule or a bound forbids it."""
        here = len(self.row)
        segment = self.segment_at[here]
        size = self.ends[segment] - here - 1
        counts, highest, having = self._counts[segment], self._highest[segment], self._having[segment]
        limits, apart, slots, runs, free = self.limits, self.apart, self.slots[kind], self.runs, self.free
        latest = self.latest[segment]
        for n, slot in enumerate(slots):
            limit, high = limits[n], highest[n]
            if slot >= 0:
                count = counts[slot]
                ties = having[n][high] - (count == high)
                if not ties:
                    high -= 1
                    ties = having[n][high] + 1
                count -= 1
                if apart[n]:
                    if free[slot] > here or here + count * limit > latest[slot]:
                        return False
                else:
                    run = runs[n][-1] + 1 if self.last[n][-1] == slot else 1
                    if run > limit or count > (size - count + 1) * limit - run:
                        return False
            elif high:
                ties = having[n][high]
            else:
                continue
            if apart[n]:
                if high and (high - 1) * limit + ties > size:
                    return False
            elif high > (size - high + 1) * limit:
                return False
        self._put(kind, here, segment)
        if not size and here + 1 < self.total and not self._opens(segment + 1):
            self.take_back()
            return False
        return True

    def take_back(self) -> None:
        kind = self.row.pop()
        here = len(self.row)
        segment = self.segment_at[here]
        counts, highest, having = self._counts[segment], self._highest[segment], self._having[segment]
        self.left[kind] += 1
        self.marks.pop()
        for n, slot in enumerate(self.slots[kind]):
            self.last[n].pop()
            self.runs[n].pop()
            if slot < 0:
                continue
            if self.apart[n]:
                self.free[slot] = self._before[n].pop()
            self.still[slot] += 1
            count = counts[slot] = counts[slot] + 1
            having[n][count - 1] -= 1
            having[n][count] += 1
            if count > highest[n]:
                highest[n] = count

    def fitting(self) -> list[int]:
        """The kinds of which there is one left that no rule forbids at the next place."""
        here = len(self.row)
        left, free, slots = self.left, self.free, self.slots
        closed = {slots_[-1] for slots_, runs, limit, apart in
                  zip(self.last, self.runs, self.limits, self.apart, strict=True) if not apart and runs[-1] >= limit}
        closed.discard(-1)
        found = []
        for kind in self.kinds_in[self.segment_at[here]]:
            if left[kind]:
                for slot in slots[kind]:
                    if slot >= 0 and (free[slot] > here or slot in closed):
                        break
                else:
                    found.append(kind)
        return found

    def pressures(self, kinds: Sequence[int], way: int) -> list[float]:
        """How near each of ``kinds`` is to having no room left.

        ``way`` 1: by the tightest of its values; 2 and 3: by the sum of fourth powers, 4 and 5: of eighth powers. Only
        products and ``fsum`` are taken: powers, and sums since Python 3.12, are not the same everywhere.
        """
        here = len(self.row)
        segment = self.segment_at[here]
        size = self.ends[segment] - here
        counts, having, latest = self._counts[segment], self._having[segment], self.latest[segment]
        pressed: dict[int, float] = {-1: 0.0}
        for slots in map(self.slots.__getitem__, kinds):
            for n, slot in enumerate(slots):
                if slot in pressed:
                    continue
                count, limit = counts[slot], self.limits[n]
                if self.apart[n]:
                    one = distance_need(count, having[n][count], limit) / max(1, latest[slot] - here + 1)
                else:
                    one = count / run_room(size - count, limit)
                for _ in range(way // 2 + 1 if way > 1 else 0):
                    one *= one
                pressed[slot] = one
        together = max if way == 1 else fsum
        return [together([pressed[slot] for slot in self.slots[kind]]) for kind in kinds]

    def _put(self, kind: int, here: int, segment: int) -> None:
        counts, highest, having = self._counts[segment], self._highest[segment], self._having[segment]
        ended = self._ended(kind, here) if self._marked else 0
        self.left[kind] -= 1
        for n, slot in enumerate(self.slots[kind]):
            last, runs = self.last[n], self.runs[n]
            runs.append(runs[-1] + 1 if slot == last[-1] else 1)
            last.append(slot)
            if slot < 0:
                continue
            self.still[slot] -= 1
            count = counts[slot]
            counts[slot] = count - 1
            having[n][count] -= 1
            having[n][count - 1] += 1
            if count == highest[n] and not having[n][count]:
                highest[n] = count - 1
            if self.apart[n]:
                self._before[n].append(self.free[slot])
                self.free[slot] = here + self.limits[n]
        self.row.append(kind)
        self.marks.append(ended ^ self._begun(kind, here) if self._marked else 0)

    def _ended(self, kind: int, here: int) -> int:
        """The mark without what ends when one of ``kind`` is placed: a slot opens again, a run is over or longer."""
        mark = self.marks[-1] ^ self._mark(-1, kind, self.left[kind])
        for n, last in enumerate(self.last):
            limit = self.limits[n]
            if self.apart[n]:
                if here + 2 > limit and (slot := last[here + 2 - limit]) >= 0 and self.still[slot]:
                    mark ^= self._mark(-2, slot, here + 1)
            elif last[-1] >= 0 and self.still[last[-1]]:
                mark ^= self._mark(n, last[-1], self.runs[n][-1])
        return mark

    def _begun(self, kind: int, here: int) -> int:
        """What begins when one of ``kind`` was placed; a value of which none is left closes nothing."""
        mark = self._mark(-1, kind, self.left[kind])
        for n, slot in enumerate(self.slots[kind]):
            if slot >= 0 and self.still[slot]:
                mark ^= (self._mark(-2, slot, here + self.limits[n]) if self.apart[n] else
                         self._mark(n, slot, self.runs[n][-1]))
        return mark

    def _opens(self, segment: int) -> bool:
        """Whether what the last places hold leaves room for the whole of the next segment."""
        here = len(self.row)
        counts, size = self._counts[segment], self.ends[segment] - here
        for n, limit in enumerate(self.limits):
            if self.apart[n]:
                for slot in self.last[n][max(1, here + 2 - limit):]:
                    if slot >= 0 and counts[slot] and self.free[slot] - here + (counts[slot] - 1) * limit + 1 > size:
                        return False
            elif ((slot := self.last[n][-1]) >= 0
                  and counts[slot] > run_room(size - counts[slot], limit) - self.runs[n][-1]):
                return False
        return True

    def _latest(self) -> list[list[int]]:
        """Per segment and slot: where its last trial there has to stand at the latest, so that the later ones fit."""
        found: list[list[int]] = []
        limit_of = [0] * self.slot_count
        for slots in self.slots:
            for n, slot in enumerate(slots):
                if slot >= 0:
                    limit_of[slot] = self.limits[n]
        next_first = [self.total + limit for limit in limit_of]
        for segment in range(len(self.counts) - 1, -1, -1):
            end = self.ends[segment] - 1
            mine = [min(end, first - limit) for first, limit in zip(next_first, limit_of, strict=True)]
            found.append(mine)
            next_first = [latest - (count - 1) * limit if count else first for latest, first, count, limit
                          in zip(mine, next_first, self.counts[segment], limit_of, strict=True)]
        return found[::-1]

    def _counted(self, kinds: Sequence[int]) -> list[int]:
        found = [0] * self.slot_count
        for kind in kinds:
            for slot in self.slots[kind]:
                if slot >= 0:
                    found[slot] += len(self.trials[kind])
        return found

    def _mark(self, what: int, of: int, value: int) -> int:
        found = self._marks.get((what, of, value))
        if found is None:
            found = self._marks[what, of, value] = self.chance.below(1 << 96)
        return found
