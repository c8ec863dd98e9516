"""What the page Agreement reads, off the window's thread: coefficients, slices, disputed items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from annotation import judgements, status
from annotation.agreement.result import Result
from annotation.disputed import Dispute, disputed
from annotation.errors import Refused

REPLICATES, SEED = 10_000, 0


@dataclass(frozen=True, slots=True)
class AgreementView:
    """``whole``: a row for each question and metric; ``slices``: of each, one per value of the tag ``by``.

    ``no_slices`` says why there are none. ``items``: how many items there are at all.
    """

    whole: tuple[Result, ...]
    slices: tuple[Result, ...]
    by: str
    no_slices: Refused | None
    items: int
    seconds: float

    def slices_of(self, result: Result) -> list[Result]:
        return [one for one in self.slices if same(one, result)]

    @property
    def has_value(self) -> bool:
        return any(one.value is not None for one in self.whole)

    @property
    def is_judged(self) -> bool:
        """Whether anybody judged anything twice."""
        return any(one.n_judgements for one in self.whole)


def same(one: Result, other: Result) -> bool:
    """Whether two results are of one question, metric and level."""
    return (one.question, one.metric, one.level) == (other.question, other.metric, other.level)


def read_agreement(store: Any, by: str, *, progress: Callable[[int, int], None], cancelled: Callable[[], bool]
                   ) -> AgreementView | None:
    """All that the protocol asks for; None where it was cancelled on the way."""
    begun = perf_counter()
    with store.read() as session:
        refused = None
        try:
            found = judgements.agreement(session, by=by or None, replicates=REPLICATES, seed=SEED, progress=progress,
                                         cancelled=cancelled)
        except Refused as fault:
            if not by:
                raise
            refused = fault
            found = judgements.agreement(session, replicates=REPLICATES, seed=SEED, progress=progress,
                                         cancelled=cancelled)
        total = status.items(session)["total"]
    if cancelled():
        return None
    return AgreementView(tuple(one for one in found if one.by is None), tuple(one for one in found if one.by), by,
                         refused, total, perf_counter() - begun)


def read_disputed(session: Any, question: str, by: str, value: str | None) -> Dispute:
    """The items of one question (of one slice with ``value``) on which people differ."""
    found = judgements.judgements(session, question, by=by if value is not None else None)
    return disputed(session, found, by=value)
