"""The one result object of every statistic: a value with its interval, its counts and, where undefined, the reason."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

BCA_ITEMS = "bootstrap_bca_items"
BCA_CLUSTERS = "bootstrap_bca_clusters"
PERCENTILE_ITEMS = "bootstrap_percentile_items"
PERCENTILE_CLUSTERS = "bootstrap_percentile_clusters"
JACKKNIFE_ITEMS = "jackknife_z_items"
JACKKNIFE_CLUSTERS = "jackknife_z_clusters"
KRIPPENDORFF = "bootstrap_krippendorff"
NONE = "none"


@dataclass(frozen=True, slots=True)
class Result:
    """``value`` and ``ci`` are None where undefined (never NaN), and then ``reason`` says why in words.

    ``n_items``: units (items; in a group, elements of items) with at least two answers, which alone enter.
    ``n_people``, ``n_judgements``: people and answers that enter. ``n_missing``: places where somebody was asked
    and gave no value (N/A, an empty cell of a table). ``replicates``: resamples asked for (0 where the method draws
    none). ``by``: the slice, ``{"field", "value"}``. ``stage``: stages whose answers were used. ``protocol``: id and
    version. ``se``: standard error by the method of the interval. ``note``: what to know before the number is read,
    in words: where the interval does not hold what it says, what the people and the period are taken to be.
    """

    question: str
    metric: str
    value: float | None
    n_items: int
    n_people: int
    n_judgements: int
    n_missing: int
    element: str | None = None
    level: str | None = None
    weights: str | None = None
    ci: tuple[float, float] | None = None
    ci_level: float = 0.95
    ci_method: str = BCA_ITEMS
    seed: int = 0
    replicates: int = 10_000
    reason: str | None = None
    by: dict[str, str] | None = None
    stage: str | None = None
    protocol: str | None = None
    se: float | None = None
    note: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON; ``ci`` as a list."""
        out = asdict(self)
        out["ci"] = None if self.ci is None else list(self.ci)
        return out
