"""Items in strata, and balanced parts of them: whoever sees a part only sees as much of each stratum as of the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from studies.chance import Stream


@dataclass(slots=True)
class Stratum:
    """A tree with one level a field; its leaves hold units (numbers) in a drawn order, taken round and round."""

    size: int
    inner: list[Stratum] = field(default_factory=list)
    units: list[int] = field(default_factory=list)
    taken: int = 0

    def take(self, amount: int) -> list[int]:
        """The next ``amount`` units (at most ``size``), stratum after stratum."""
        amount = min(amount, self.size)
        start = self.taken
        self.taken += amount
        if not self.inner:
            return [self.units[(start + n) % self.size] for n in range(amount)]
        parts = shares([one.size for one in self.inner], amount, [one.taken for one in self.inner])
        return [unit for one, part in zip(self.inner, parts, strict=True) for unit in one.take(part)]


def stratify(paths: Mapping[int, tuple[str, ...]], seed: int, *, above: tuple[str, ...] = ()) -> Stratum:
    """The tree of these units by their values; each leaf is drawn by a stream of its own."""
    if not paths or not next(iter(paths.values())):
        order = Stream(seed, "stratum", *above).shuffled(sorted(paths))
        return Stratum(len(paths), units=order)
    groups: dict[str, dict[int, tuple[str, ...]]] = {}
    for unit, path in paths.items():
        groups.setdefault(path[0], {})[unit] = path[1:]
    inner = [stratify(groups[value], seed, above=(*above, value)) for value in sorted(groups)]
    return Stratum(len(paths), inner)


def shares(sizes: Sequence[int], amount: int, taken: Sequence[int]) -> list[int]:
    """``amount`` in parts that differ by at most 1, none above its size; what is left goes to the least taken."""
    parts = [0] * len(sizes)
    left = min(amount, sum(sizes))
    while left:
        room = [n for n, size in enumerate(sizes) if parts[n] < size]
        each = left // len(room)
        if not each:
            for n in sorted(room, key=lambda n: (taken[n], n))[:left]:
                parts[n] += 1
            break
        for n in room:
            step = min(each, sizes[n] - parts[n])
            parts[n] += step
            left -= step
    return parts


def parts(paths: Mapping[int, tuple[str, ...]], seed: int, amount: int | None, *, least: int = 1) -> list[list[int]]:
    """So many parts that every unit stands in one (``least`` or more); one part with all where ``amount`` is None."""
    tree = stratify(paths, seed)
    wanted = tree.size if amount is None else amount
    found: list[list[int]] = []
    missing = set(paths)
    while missing or len(found) < least:
        found.append(tree.take(wanted))
        missing.difference_update(found[-1])
    return found
