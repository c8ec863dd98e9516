"""Agreement on one answer against all others: the kappa of every category."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from annotation.agreement.ratings import Floats, Ratings
from annotation.agreement.two_people import kappa_of_table

REST = "other"


def one_against_rest(ratings: Ratings, code: int) -> Ratings:
    """The same answers as two: label ``code``, and any other. Every coefficient and interval applies to it."""
    answer = np.where(ratings.code < 0, -1, np.where(ratings.code == code, 0, 1))
    labels = (ratings.labels[code], REST)
    return replace(ratings, code=answer, labels=labels, numbers=(0.0, 1.0), declared=labels, scale="nominal",
                   period=None)


def table_against_rest(table: Floats, code: int) -> Floats:
    """(2, 2) counts of a table (q, q) of two people: this category and all others."""
    both = float(table[code, code])
    first, second = float(table[code].sum()), float(table[:, code].sum())
    return np.array([[both, first - both], [second - both, float(table.sum()) - first - second + both]])


def cohen_categories(table: Floats) -> tuple[float | None, ...]:
    """Cohen's kappa of each category against the rest, by the people's own margins; None without variation."""
    return tuple(kappa_of_table(table_against_rest(table, code)).value for code in range(len(table)))


def scott_categories(table: Floats) -> tuple[float | None, ...]:
    """The same with pooled margins (Scott 1955; the intraclass kappa of a category)."""
    return tuple(_scott(table_against_rest(table, code)) for code in range(len(table)))


def _scott(table: Floats) -> float | None:
    return kappa_of_table((table + table.T) / 2.0).value  # with equal margins Cohen's chance is Scott's


def fleiss_categories(counts: Floats) -> tuple[float | None, ...]:
    """Fleiss' kappa of each category (Fleiss 1971, eq. 9) of counts (items, categories); None without variation.

    kappa_j = 1 - mean_i x_ij (m_i - x_ij) / (m_i (m_i - 1)) / (p_j q_j), the printed formula where all m_i are equal;
    items with fewer than two answers count in p_j only, as in the whole coefficient.
    """
    m = counts.sum(axis=1)
    kept = counts[m > 0]
    m = m[m > 0]
    if not (m >= 2).any():
        return (None,) * counts.shape[1]
    p = (kept / m[:, None]).mean(axis=0)
    paired = m >= 2
    x, of = kept[paired], m[paired][:, None]
    apart = (x * (of - x) / (of * (of - 1.0))).mean(axis=0)
    return tuple(None if one * (1.0 - one) <= 1e-12 else float(1.0 - gap / (one * (1.0 - one)))
                 for gap, one in zip(apart, p, strict=True))
