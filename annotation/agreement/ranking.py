"""Midranks of one column for many resamples at a time, whatever the number of values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.agreement.ratings import Floats, Ints


@dataclass(frozen=True, slots=True)
class Ranking:
    """``order`` (K,): rows by rising value; ``starts`` (V,): where each value begins in it; ``place`` (K,): the value
    of each row.
    """

    order: Ints
    starts: Ints
    place: Ints

    def of(self, weights: Floats) -> tuple[Floats, Floats]:
        """Midranks (b, K) where row k stands weights[., k] times, and sum over ties of t^3 - t (b,)."""
        times = np.add.reduceat(weights[:, self.order], self.starts, axis=1)
        ranks = np.cumsum(times, axis=1) - (times - 1.0) / 2.0
        return ranks[:, self.place], (times**3 - times).sum(axis=1)


def ranking_of(codes: Ints) -> Ranking:
    """``codes`` (K,), K > 0, stand in the order of the values."""
    if not len(codes):
        none = np.zeros(0, dtype=np.int64)
        return Ranking(none, none, none)
    order = np.argsort(codes, kind="stable")
    _, starts = np.unique(codes[order], return_index=True)
    return Ranking(order, starts, np.unique(codes, return_inverse=True)[1])
