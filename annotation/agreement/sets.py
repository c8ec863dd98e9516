"""Distances between sets of labels, and Krippendorff's alpha with them.

With J = |A n B| / |A u B| (1 for two empty sets): Jaccard's distance is 1 - J; MASI is 1 - J M with M = 1 equal,
2/3 subset, 1/3 overlap, 0 disjoint (Passonneau 2006). Two older distances go by nearly the same name and give other
numbers: 1 - M alone (Passonneau 2004: 0, 1/3, 2/3, 1), and (1 - J) (1 - M), which DKPro Statistics calls MASI.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Sequence

import numpy as np

from annotation.agreement.metric import Metric, metrics
from annotation.agreement.ratings import Floats, Ints, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Linear, Statistic, divide
from annotation.errors import N_, Refused

DENSE = 4_000_000   # up to so many cells, one table of patterns by sets
KEPT = 4_096        # up to so many distinct sets the matrix of distances is kept (134 MB), beyond it is made in strips
MOST = 20_000       # more distinct sets than this are refused: each resample would take seconds
STRIP = 2_000_000   # distances at a time
LOOKED_UP = 64      # sets smaller than this: distances by their sizes are kept (2 MB)
TABLE = 200_000_000  # most cells of the table of sets by labels

Combine = Callable[[Floats, Floats], Floats]
DISTANCES: dict[str, Combine] = {
    "jaccard": lambda j, m: 1.0 - j,
    "masi": lambda j, m: 1.0 - j * m,
    "masi_2004": lambda j, m: 1.0 - m,
    "masi_dkpro": lambda j, m: (1.0 - j) * (1.0 - m),
}


def combine_of(name: str) -> Combine:
    """The distance by its name; Refused for another."""
    if name not in DISTANCES:
        raise Refused(N_("There is no distance '{name}' of sets. There are: {known}."), code="unknown", name=name,
                      known=", ".join(DISTANCES))
    return DISTANCES[name]


def _compared(shared: Floats, one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """J and M from |A n B|, |A| and |B| (arrays that fit each other)."""
    either = one + other - shared
    j = np.where(either > 0.0, shared / np.where(either > 0.0, either, 1.0), 1.0)
    equal, inside = (shared == one) & (shared == other), (shared == one) | (shared == other)
    # The empty set is a subset of any: of the older distances that is 1/3 or 2/3, of MASI it is 1, as J is 0.
    m = np.where(equal, 1.0, np.where(inside, 2.0 / 3.0, np.where(shared > 0.0, 1.0 / 3.0, 0.0)))
    return j, m


def set_distance(one: Collection[Hashable], other: Collection[Hashable], name: str = "masi") -> float:
    """Distance of two sets, between 0 (equal) and 1."""
    a, b = set(one), set(other)
    j, m = _compared(np.array([float(len(a & b))]), np.array([float(len(a))]), np.array([float(len(b))]))
    return float(combine_of(name)(j, m)[0])


def jaccard_distance(one: Collection[Hashable], other: Collection[Hashable]) -> float:
    return set_distance(one, other, "jaccard")


def masi_distance(one: Collection[Hashable], other: Collection[Hashable]) -> float:
    """Passonneau (2006), as nltk since 3.9; two empty sets are equal (nltk divides by zero)."""
    return set_distance(one, other, "masi")


def set_of(label: str) -> frozenset[str]:
    """The set that a label stands for: a JSON list, else names between ``|`` or ``;``; the empty text: no label."""
    try:
        read = json.loads(label)
    except ValueError:
        read = None
    if isinstance(read, list):
        return frozenset(one if isinstance(one, str) else json.dumps(one, sort_keys=True) for one in read)
    return frozenset(part.strip() for part in label.replace(";", "|").split("|") if part.strip())


class SetAlpha(Statistic):
    """alpha = 1 - D_o / D_e over distinct sets with any of the distances.

    Kept: the table of sets by labels, and up to ``KEPT`` sets the V x V distances; with more, strips of them are
    made anew for each batch of resamples, so that memory does not grow with V^2 (time does).
    """

    def __init__(self, patterns: Patterns, sets: Sequence[Collection[Hashable]], name: str) -> None:
        self.patterns, self.combine = patterns, combine_of(name)
        names = {label: place for place, label in enumerate(dict.fromkeys(x for one in sets for x in one))}
        if len(sets) > MOST or len(sets) * len(names) > TABLE:
            raise Refused(N_("There are {sets} different sets of {labels} labels: too many for a distance between any "
                             "two. The level nominal, or one label at a time, takes them."), code="too_many",
                          sets=len(sets), labels=len(names))
        self.table = np.zeros((len(sets), len(names)), dtype=np.float32)
        for row, one in enumerate(sets):
            self.table[row, [names[label] for label in one]] = 1.0
        self.sizes = self.table.sum(axis=1).astype(np.float64)
        # A distance depends on |A|, |B| and |A n B| alone: looked up where sets are small, which is five times as fast.
        self.largest = int(self.sizes.max(initial=0.0)) + 1
        some = np.arange(float(self.largest)) if self.largest <= LOOKED_UP else np.zeros(0)
        self.known = self.combine(*_compared(some[None, None, :], some[:, None, None], some[None, :, None]))
        self.apart = self._within()
        self.kept: Floats | None = None

    @property
    def width(self) -> int:
        return 2 * self.patterns.values

    def _strip(self, start: int, stop: int) -> Floats:
        """Distances of sets ``start`` to ``stop`` from all."""
        shared = self.table[start:stop] @ self.table.T
        if self.known.size:
            place = shared.astype(np.int32)
            place += (self.sizes[start:stop, None] * self.largest**2).astype(np.int32)
            place += (self.sizes[None, :] * self.largest).astype(np.int32)
            return self.known.ravel().take(place)
        return self.combine(*_compared(shared.astype(np.float64), self.sizes[start:stop, None], self.sizes[None, :]))

    def between(self, one: Ints, other: Ints) -> Floats:
        out = np.empty(len(one))
        step = max(1, STRIP // max(1, self.table.shape[1]))
        for start in range(0, len(one), step):
            a, b = one[start:start + step], other[start:start + step]
            shared = np.einsum("ij,ij->i", self.table[a], self.table[b]).astype(np.float64)
            out[start:start + step] = self.combine(*_compared(shared, self.sizes[a], self.sizes[b]))
        return out

    def _within(self) -> Floats:
        """(K,): sum over i != j of the distances inside a pattern, / (m - 1)."""
        cells, m = self.patterns.cells, self.patterns.size.astype(np.float64)
        apart = np.zeros(len(cells))
        for i in range(1, cells.shape[1]):
            for j in range(i):
                rows = np.flatnonzero((cells[:, i] >= 0) & (cells[:, j] >= 0) & (cells[:, i] != cells[:, j]))
                apart[rows] += 2.0 * self.between(cells[rows, i], cells[rows, j])
        return apart / (m - 1.0)

    def evaluate(self, weights: Floats) -> Floats:
        cells, values = self.patterns.cells, self.patterns.values
        if len(cells) * values <= DENSE:
            counts = weights @ self.patterns.shares()
        else:
            padded = np.where(cells >= 0, cells, values).ravel()
            counts = np.stack([np.bincount(padded, np.repeat(weight, cells.shape[1]), values + 1)[:values]
                               for weight in weights])
        if self.kept is None and values <= KEPT:
            self.kept = np.empty((values, values))
            for start in range(0, values, 256):
                self.kept[start:start + 256] = self._strip(start, min(values, start + 256))
        expected, step = np.zeros(len(weights)), values if self.kept is not None else max(1, STRIP // values)
        for start in range(0, values, step):
            strip = self.kept if self.kept is not None else self._strip(start, min(values, start + step))
            expected += ((strip @ counts.T).T * counts[:, start:start + step]).sum(axis=1)
        n = counts.sum(axis=1)
        return 1.0 - divide((n - 1.0) * (weights @ self.apart), expected, least=1e-12 * n * n)


def alpha_of_sets(name: str) -> Callable[[Patterns, Scale], SetAlpha]:
    """The build of ``krippendorff_alpha`` at the level ``name``; labels are read by ``set_of``."""
    return lambda patterns, scale: SetAlpha(patterns, [set_of(label) for label in scale.labels], name)


def mean_distance(name: str) -> Callable[[Patterns, Scale], Linear]:
    """Mean over items of the mean distance of its pairs of answers: every item weighs the same; 0 is agreement."""

    def build(patterns: Patterns, scale: Scale) -> Linear:
        apart = SetAlpha(patterns, [set_of(label) for label in scale.labels], name).apart / patterns.size
        return Linear(np.column_stack([apart, np.ones(len(apart))]), lambda sums: divide(sums[:, 0], sums[:, 1]))

    return build


for _name in ("masi", "jaccard"):
    metrics.add(f"{_name}_distance", Metric(f"{_name}_distance", {None: mean_distance(_name)}, bounds=(0.0, 1.0)))
