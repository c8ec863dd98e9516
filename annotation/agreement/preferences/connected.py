"""Whether strengths can be told from these comparisons at all, and the sentence that says why not."""

from __future__ import annotations

import numpy as np

from annotation.agreement.preferences.comparisons import Floats, Ints, PairTable


def why_not_finite(table: PairTable, counts: Floats) -> str | None:
    """None where the strengths have a finite, unique estimate (Ford 1957): everybody reaches everybody by wins.

    A tie reaches both ways. ``counts`` (P, 3): the table's counts as the model uses them.
    """
    # Kept out of the start of the program: scipy.sparse costs more than 100 ms.
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    n = len(table.names)
    up = counts[:, 0] + counts[:, 1] > 0
    down = counts[:, 2] + counts[:, 1] > 0
    winner = np.r_[table.first[up], table.second[down]]
    loser = np.r_[table.second[up], table.first[down]]
    graph = coo_matrix((np.ones(len(winner)), (winner, loser)), shape=(n, n)).tocsr()
    islands, island = connected_components(graph, directed=False)
    if islands > 1:
        groups = sorted((np.flatnonzero(island == k) for k in range(islands)), key=lambda group: int(group[0]))
        return (f"the comparisons fall into {islands} groups that were never decided against each other: "
                + " | ".join(_listed(table.names, group) for group in groups[:3]) + (" | .." if islands > 3 else ""))
    parts, part = connected_components(graph, directed=True, connection="strong")
    if parts == 1:
        return None
    crossing = part[winner] != part[loser]
    beaten = set(part[loser[crossing]].tolist())
    above = [k for k in range(parts) if k not in beaten]
    best = min((np.flatnonzero(part == k) for k in above), key=lambda group: (len(group), int(group[0])))
    return (f"the strengths have no finite estimate: {_listed(table.names, best)} never lost to any of the others; "
            "state a prior, or collect more comparisons")


def _listed(names: tuple[str, ...], group: Ints) -> str:
    shown = ", ".join(names[k] for k in group[:5])
    return shown if len(group) <= 5 else f"{shown} and {len(group) - 5} more"


def all_reach_all(n: int, first: Ints, second: Ints, counts: Floats) -> np.ndarray:
    """For many tables at once, ``counts`` (b, P, 3) -> (b,) bool: is the graph of wins strongly connected?"""
    edges = np.zeros((len(counts), n, n), dtype=np.float32)
    edges[:, first, second] += counts[:, :, 0] + counts[:, :, 1] > 0
    edges[:, second, first] += counts[:, :, 2] + counts[:, :, 1] > 0
    good = np.ones(len(counts), dtype=bool)
    for graph in (edges, edges.transpose(0, 2, 1)):
        reached = np.zeros((len(counts), 1, n), dtype=np.float32)
        reached[:, :, 0] = 1.0
        before = 0.0
        while reached.sum() > before:
            before = float(reached.sum(dtype=np.float64))
            reached = np.minimum(1.0, reached + np.matmul(reached, graph))
        good &= reached.min(axis=(1, 2)) > 0
    return good
