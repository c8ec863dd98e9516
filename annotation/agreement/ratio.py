"""The distance of Krippendorff's ratio level, between two numbers and, for very many, as scalar products."""

from __future__ import annotations

import numpy as np

from annotation.agreement.ratings import Floats
from annotation.errors import N_, Refused

NEAR = 1e-14  # what the scalar products may leave of any 1 - d2
MOST = 512    # products of more terms than this would be slower than they are worth


def squared_ratio(one: Floats, other: Floats) -> Floats:
    """((c - k) / (c + k))^2 for numbers that are 0 or more; 0 where both are 0."""
    total = one + other
    return np.where(total > 0.0, (one - other) / np.where(total > 0.0, total, 1.0), 0.0) ** 2


def kernel_of_ratios(numbers: Floats) -> Floats:
    """(V, R) with L L' = 1 - d2 for every two of ``numbers`` (V,), R a few dozen.

    1 - d2 = 4 c k / (c + k)^2 = sech^2((log c - log k) / 2), a positive definite and smooth function of the logarithms:
    an incomplete Cholesky factor by the largest rest (Harbrecht et al. 2012) ends after few columns, and what it
    leaves of any entry is bounded by the largest rest on the diagonal. Refused where nearly all numbers are nearly
    equal, as then every digit of the distance would lie in that rest.
    """
    positive = numbers > 0.0
    spread = float(np.std(np.log(numbers[positive]))) if positive.any() else 0.0
    if spread < 1e-3:
        raise Refused(N_("There are {count} different numbers that are all nearly equal: ratio and interval do not "
                         "differ there, and interval can be computed"), code="bad_value", count=len(numbers))
    columns: list[Floats] = []
    rest = np.where(positive, 1.0, 0.0)
    while len(columns) < MOST:
        pivot = int(np.argmax(rest))
        if rest[pivot] <= NEAR:
            break
        column = np.where(positive, 1.0 - squared_ratio(numbers, numbers[pivot]), 0.0)
        for earlier in columns:
            column -= earlier * earlier[pivot]
        column /= np.sqrt(rest[pivot])
        columns.append(column)
        rest = np.maximum(rest - column * column, 0.0)
        rest[pivot] = 0.0
    columns.append(np.where(positive, 0.0, 1.0))  # 0 is like 0 alone
    return np.column_stack(columns)
