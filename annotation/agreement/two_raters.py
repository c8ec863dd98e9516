"""Measures of two raters for many pairs and many resamples at once: accuracy, kappa, alpha, Pearson, MAE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.ratings import Floats, Ints
from annotation.agreement.statistic import divide

DENSE = 60  # up to so many different answers a pair is kept as its table of answers, else as sums of its numbers


@dataclass(frozen=True, slots=True)
class PairSums:
    """What resamples (b) of pairs (P) add up to. ``n`` (b, P). ``cells`` (b, P, V, V): answers of the two, None where
    only ``moments`` are kept. ``numbers`` (V). ``moments`` (b, P, 7): equal answers, x, y, xx, yy, xy, |x - y|, of
    numbers less a middle.
    """

    n: Floats
    cells: Floats | None
    numbers: Floats
    moments: Floats


@dataclass(frozen=True, slots=True)
class Table:
    """``features`` (K, width), scipy CSR, per kind of what is drawn; ``count`` (K) how often the kind occurs."""

    features: Any
    count: Floats
    pairs: int
    values: int
    numbers: Floats

    @property
    def width(self) -> int:
        return int(self.features.shape[1])

    def sums(self, counts: Floats) -> PairSums:
        raise TypeError(f"{type(self).__name__} lacks sums")


@dataclass(frozen=True, slots=True)
class Cells(Table):
    """A table of answers per pair: (pair * V + a) * V + b."""

    @classmethod
    def of(cls, block: Ints, pair: Ints, a: Ints, b: Ints, pairs: int, values: int, numbers: Floats) -> Cells:
        column = (pair * values + a) * values + b
        features, count = _kinds(block, column, np.ones(len(block)), pairs * values * values)
        return cls(features, count, pairs, values, numbers)

    def sums(self, counts: Floats) -> PairSums:
        v = self.values
        cells = np.ascontiguousarray((self.features.T @ counts.T).T).reshape(len(counts), self.pairs, v, v)
        return PairSums(cells.sum(axis=(2, 3)), cells, self.numbers, np.zeros(0))


@dataclass(frozen=True, slots=True)
class Sums(Table):
    """Seven sums per pair, for answers of many different numbers."""

    @classmethod
    def of(cls, block: Ints, pair: Ints, a: Ints, b: Ints, pairs: int, values: int, numbers: Floats) -> Sums:
        known = numbers[np.isfinite(numbers)]
        middle = float(known.mean()) if len(known) else 0.0
        x, y = np.nan_to_num(numbers[a] - middle), np.nan_to_num(numbers[b] - middle)
        value = np.column_stack([np.ones(len(a)), a == b, x, y, x * x, y * y, x * y, np.abs(x - y)]).astype(np.float64)
        column = pair[:, None] * 8 + np.arange(8)
        features, count = _kinds(np.repeat(block, 8), column.ravel(), value.ravel(), pairs * 8)
        return cls(features, count, pairs, values, numbers)

    def sums(self, counts: Floats) -> PairSums:
        found = np.ascontiguousarray((self.features.T @ counts.T).T).reshape(len(counts), self.pairs, 8)
        return PairSums(found[:, :, 0], None, self.numbers, found[:, :, 1:])


def _kinds(block: Ints, column: Ints, value: Floats, width: int) -> tuple[Any, Floats]:
    """Rows per block, equal rows as one: found by a 64-bit sum of mixed numbers, one per column and value.

    That two different rows fall together has a probability below 2^-24 at a million blocks.
    """
    # Kept out of the start of the program: scipy.sparse costs more than 100 ms.
    from scipy.sparse import csr_matrix

    if not len(block):
        return csr_matrix((0, width)), np.zeros(0)
    order = np.argsort(block, kind="stable")
    block, column, value = block[order], column[order], value[order]
    first = np.flatnonzero(np.r_[True, block[1:] != block[:-1]])
    marks = np.random.default_rng(0).integers(0, 2**63, size=width, dtype=np.uint64)
    keys = _mixed(marks[column] ^ value.view(np.uint64))
    _, at, count = np.unique(np.add.reduceat(keys, first), return_index=True, return_counts=True)
    length = np.diff(np.r_[first, len(block)])[at]
    start = np.r_[0, np.cumsum(length)]
    cells = np.repeat(first[at] - start[:-1], length) + np.arange(start[-1])
    features = csr_matrix((value[cells], column[cells], start), shape=(len(at), width))
    features.sum_duplicates()
    return features, count.astype(np.float64)


def _mixed(key: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each bit of the key reaches every bit (the finaliser of splitmix64; Steele, Lea & Flood 2014).

    A product alone will not do: the bits of small whole floats stand at the top, where a product loses them.
    """
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))


def accuracy(sums: PairSums, level: str) -> Floats:
    """Share of equal answers."""
    equal = np.einsum("bpvv->bp", sums.cells) if sums.cells is not None else sums.moments[:, :, 0]
    return divide(equal, sums.n)


def cohen_kappa(sums: PairSums, level: str) -> Floats:
    """Cohen (1960); above the nominal level with quadratic weights of the numbers (Cohen 1968)."""
    if level == "nominal":
        if sums.cells is None:
            return np.full(sums.n.shape, np.nan)
        chance = np.einsum("bpv,bpv->bp", sums.cells.sum(axis=3), sums.cells.sum(axis=2))
        equal = np.einsum("bpvv->bp", sums.cells)
        return divide(sums.n * equal - chance, sums.n * sums.n - chance)
    n, x, y, xx, yy, xy, _ = _moments(sums)
    apart = xx + yy - 2.0 * xy
    expected = xx + yy - 2.0 * divide(x * y, n)
    return 1.0 - divide(apart, expected, least=1e-12 * (xx + yy))


def krippendorff_alpha(sums: PairSums, level: str) -> Floats:
    """Two values per unit: 1 - (n - 1) D / E over n = 2N values (Krippendorff 2011), on the level of the question."""
    if level == "interval":
        n, x, y, xx, yy, xy, _ = _moments(sums)
        total, square = x + y, xx + yy
        apart = 2.0 * (square - 2.0 * xy)  # each unit's two ordered pairs
        expected = 2.0 * (2.0 * n * square - total * total)
        return 1.0 - divide((2.0 * n - 1.0) * apart, expected, least=1e-12 * n * square)
    if sums.cells is None:
        return np.full(sums.n.shape, np.nan)
    margins, n = sums.cells.sum(axis=3) + sums.cells.sum(axis=2), 2.0 * sums.n
    if level == "nominal":
        apart = 2.0 * (sums.n - np.einsum("bpvv->bp", sums.cells))
        return 1.0 - divide((n - 1.0) * apart, n * n - (margins * margins).sum(axis=2))
    rank = np.cumsum(margins, axis=2) - margins / 2.0 - n[:, :, None] / 2.0
    away = (rank[:, :, :, None] - rank[:, :, None, :]) ** 2
    apart = 2.0 * (sums.cells * away).sum(axis=(2, 3))
    one, two = (margins * rank).sum(axis=2), (margins * rank * rank).sum(axis=2)
    return 1.0 - divide((n - 1.0) * apart, 2.0 * (n * two - one * one), least=1e-12 * n * two)


def pearson(sums: PairSums, level: str) -> Floats:
    """Product-moment correlation of the numbers."""
    n, x, y, xx, yy, xy, _ = _moments(sums)
    sx, sy = n * xx - x * x, n * yy - y * y
    good = (sx > 1e-12 * n * xx) & (sy > 1e-12 * n * yy)
    return divide(n * xy - x * y, np.where(good, np.sqrt(np.where(good, sx * sy, 0.0)), 0.0))


def mae(sums: PairSums, level: str) -> Floats:
    """Mean absolute difference of the numbers, in their unit: 0 is best."""
    n, *_, away = _moments(sums)
    return divide(away, n)


def _moments(sums: PairSums) -> tuple[Floats, ...]:
    """n, x, y, xx, yy, xy, |x - y|, each (b, P), of numbers less their mean, so that squares keep their digits."""
    if sums.cells is None:
        return (sums.n, *np.moveaxis(sums.moments[:, :, 1:], 2, 0))
    known = sums.numbers[np.isfinite(sums.numbers)]
    z = np.nan_to_num(sums.numbers - (known.mean() if len(known) else 0.0))
    rows, columns = sums.cells.sum(axis=3), sums.cells.sum(axis=2)
    return (sums.n, rows @ z, columns @ z, rows @ (z * z), columns @ (z * z),
            np.einsum("bpvw,vw->bp", sums.cells, np.outer(z, z)),
            np.einsum("bpvw,vw->bp", sums.cells, np.abs(z[:, None] - z)))


METRICS: Mapping[str, Callable[[PairSums, str], Floats]] = {
    "accuracy": accuracy, "cohen_kappa": cohen_kappa, "krippendorff_alpha": krippendorff_alpha, "pearson": pearson,
    "mae": mae,
}
