"""The search for an order that keeps every rule: constructive, with a look ahead, back-tracking and bounded tries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from studies.chance import Stream
from studies.model_parts import Order
from studies.order_mending import mend
from studies.order_room import Room

# Trials looked at before the search gives up, whatever ``tries`` says: one or two seconds of a slow machine.
MOST_LOOKS = 200_000
# So many tries place one by one alone; after that, what they leave is mended.
PLACED_ALONE = 2
# A draw at random is tested this often before all kinds of trial are gone through.
DRAWS = 12

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

    ``values[trial][rule]`` is what the rule goes by; None is never the same as anything. The first of every three
    tries draws the next trial evenly from what is left, so that every order that keeps the rules can come; the
    others prefer what has least room left, which is found sooner where the rules are tight. Tries grow longer;
    one that came to its end without an order has shown that there is none. After the first few, the row that came
    furthest is mended by exchanges.
    """
    left, attempt = most_looks, 0
    while attempt < tries and left > 0:
        search = _Search(values, segments, rules, chance, tight=attempt % 3)
        attempt += 1
        ended = search.run(min(left, (8 * len(values) + 500) * (1 + attempt // 3)))
        if search.complete:
            return Found(search.in_segments(), attempt)
        if ended:
            return Found(None, attempt, impossible=True)
        left -= search.looks
        if attempt > PLACED_ALONE:
            mended, looks = mend(search.deepest(), values, rules, chance=chance,
                                 most_looks=min(left, 20 * len(values) + 2000))
            if mended is not None:
                return Found(mended, attempt)
            left -= looks
    return Found(None, attempt)


class _Search:
    """One try. A kind is a set of trials that the rules do not tell apart; a step places one of a kind."""

    def __init__(self, values: Sequence[Values], segments: Sequence[Sequence[int]], rules: Sequence[Rule],
                 chance: Stream, *, tight: int) -> None:
        self.chance, self.tight, self.rules = chance, tight, rules
        self.looks = 0
        self.segments = segments
        self.kinds: list[Values] = []
        self.left: list[list[list[int]]] = []       # per segment, per kind of it: the trials still to be placed
        self.kinds_in: list[list[int]] = []         # per segment, per kind of it: its number in ``kinds``
        self.rooms: list[Room] = []
        for segment in segments:
            groups: dict[Values, list[int]] = {}
            for trial in chance.shuffled(segment):
                groups.setdefault(values[trial], []).append(trial)
            self.kinds_in.append(list(range(len(self.kinds), len(self.kinds) + len(groups))))
            self.kinds += groups
            self.left.append(list(groups.values()))
            self.rooms.append(Room(rules, [values[trial] for trial in segment]))
        self.segment_at = [n for n, segment in enumerate(segments) for _ in segment]
        self.order: list[tuple[int, int]] = []      # (kind within its segment, trial)
        self.said: list[Values] = []                # the values of what is placed
        self.furthest: list[list[int]] = [[] for _ in segments]
        self.most_placed = 0
        # Per rule: how long the run is at each place, or at which places each value stands.
        self.runs: list[list[int]] = [[] for _ in rules]
        self.places: list[dict[str, list[int]]] = [{} for _ in rules]

    @property
    def complete(self) -> bool:
        return len(self.order) == len(self.segment_at)

    def run(self, most: int) -> bool:
        """Search within ``most`` looks; whether it came to an end: complete, or with nothing left to try."""
        tried: list[set[int]] = [set()]
        while not self.complete:
            chosen = self._choose(tried[-1])
            if chosen is not None:
                tried[-1].add(chosen)
                tried.append(set())
            elif self.order:
                if len(self.order) > self.most_placed:
                    self.furthest, self.most_placed = self.in_segments(), len(self.order)
                self._take_back()
                tried.pop()
            else:
                return True
            if self.looks > most:
                return False
        return True

    def in_segments(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.segments]
        for place, (_, trial) in enumerate(self.order):
            found[self.segment_at[place]].append(trial)
        return found

    def deepest(self) -> list[list[int]]:
        """The longest row that came to a dead end, and after it what was left of each segment."""
        return [[*placed, *self.chance.shuffled(sorted(set(segment) - set(placed)))]
                for placed, segment in zip(self.furthest, self.segments, strict=True)]

    def _choose(self, tried: set[int]) -> int | None:
        """Place one of a kind that keeps the rules and leaves room for the rest; its number, or None at a dead end."""
        segment = self.segment_at[len(self.order)]
        left = self.left[segment]
        room = self.rooms[segment]
        if not self.tight:
            total = room.size
            for _ in range(DRAWS):
                kind = self._drawn(left, total)
                if kind not in tried and self._place(segment, kind):
                    return kind
        open_ = [kind for kind, trials in enumerate(left) if trials and kind not in tried]
        open_ = self.chance.shuffled(open_)
        if self.tight:
            names = self.kinds_in[segment]
            open_.sort(key=lambda kind: -room.pressure(self.kinds[names[kind]]))
            if self.tight == 1 and len(open_) > 1 and self.chance.below(3) == 0:  # not always the tightest one
                other = self.chance.below(len(open_))
                open_[0], open_[other] = open_[other], open_[0]
        return next((kind for kind in open_ if self._place(segment, kind)), None)

    def _drawn(self, left: list[list[int]], total: int) -> int:
        at = self.chance.below(total)
        for kind, trials in enumerate(left):
            at -= len(trials)
            if at < 0:
                return kind
        raise ValueError("more is left than there is")

    def _place(self, segment: int, kind: int) -> bool:
        self.looks += 1
        values = self.kinds[self.kinds_in[segment][kind]]
        if not self._keeps(values):
            return False
        room = self.rooms[segment]
        room.take(values)
        self.said.append(values)
        if not room.enough(self.said):
            self.said.pop()
            room.give_back(values)
            return False
        here = len(self.order)
        for n, value in enumerate(values):
            self.runs[n].append(self.runs[n][-1] + 1 if here and self.said[-2][n] == value else 1)
            if value is not None:
                self.places[n].setdefault(value, []).append(here)
        self.order.append((kind, self.left[segment][kind].pop()))
        return True

    def _take_back(self) -> None:
        kind, trial = self.order.pop()
        segment = self.segment_at[len(self.order)]
        self.left[segment][kind].append(trial)
        values = self.said.pop()
        self.rooms[segment].give_back(values)
        for n, value in enumerate(values):
            self.runs[n].pop()
            if value is not None:
                self.places[n][value].pop()

    def _keeps(self, values: Values) -> bool:
        """Whether a trial with these values may come next."""
        here = len(self.order)
        for n, rule in enumerate(self.rules):
            value = values[n]
            if value is None:
                continue
            if rule.kind == "max_run":
                if here and self.said[-1][n] == value and self.runs[n][-1] >= rule.limit:
                    return False
            else:
                places = self.places[n].get(value)
                if places and here - places[-1] < rule.limit:
                    return False
        return True
