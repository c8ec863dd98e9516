"""Kinds of finding, each one row with its weight and its sentence, and a finding with the items it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from annotation.errors import N_, Refused
from annotation.registry import Registry
from exports.preflight.corpus import Corpus

Severity = Literal["bad", "warn", "info"]
Theme = Literal["missing", "weak", "duplicated", "leaking", "identifying", "unlicensed", "changed"]
NOT_SEARCHED = ("Names in texts are not searched for, except full names of the project’s own people; nor is anything "
                "that can be seen in a picture.")


@dataclass(frozen=True, slots=True)
class Kind:
    """``one`` and ``many`` are the sentence for one item and for several (``{n}``), in English.

    ``bad`` stops a final release until it is settled or waived; ``can_waive`` is False where nobody can take that
    on: nothing to release, a picture that is not there.
    """

    code: str
    severity: Severity
    theme: Theme
    one: str
    many: str
    can_waive: bool = True

    def sentence(self, n: int) -> str:
        return (self.one if n == 1 else self.many).format(n=f"{n:,}")


@dataclass(frozen=True, slots=True)
class Finding:
    """``items`` are keys, sorted; ``evidence`` holds keys, numbers and names of fields, never a text or an answer.

    ``state``: ``stops`` a final release, ``left_out`` (the items are held back), ``waived`` or ``noted``.
    ``waiver``: the reason and who took it on, where it is waived.
    """

    code: str
    items: tuple[str, ...]
    message: str
    severity: Severity = "bad"
    theme: Theme = "missing"
    evidence: Mapping[str, Any] = field(default_factory=dict)
    state: str = "noted"
    waiver: Mapping[str, str] | None = None

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return {"code": self.code, "severity": self.severity, "theme": self.theme, "state": self.state,
                "message": self.message, "items": list(self.items), "evidence": dict(self.evidence),
                "waiver": None if self.waiver is None else dict(self.waiver)}


@dataclass(frozen=True, slots=True)
class Found:
    """What a check gives: the code, the places of items in the corpus, and what was seen."""

    code: str
    items: Iterable[int]
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Work:
    """How far the work is and whether it is still wanted; both are plain callables."""

    progress: Callable[[int, int], None] | None = None
    cancelled: Callable[[], bool] | None = None
    done: int = 0
    of: int = 0

    def step(self, n: int = 1) -> None:
        """``n`` units more are done. Raises Refused (cancelled) where nobody waits for the rest."""
        self.done += n
        if self.cancelled is not None and self.cancelled():
            raise Refused(N_("the look at the items was stopped"), code="cancelled")
        if self.progress is not None:
            self.progress(min(self.done, self.of), self.of)


Check = Callable[[Corpus, Work], Iterator[Found]]
kinds: Registry[Kind] = Registry("finding")
checks: Registry[Check] = Registry("check")


def kind(code: str, severity: Severity, theme: Theme, one: str, many: str, *, can_waive: bool = True) -> None:
    """Add one row to the registry."""
    kinds.add(code, Kind(code, severity, theme, one, many, can_waive))


def of_kind(code: str, items: Iterable[str], evidence: Mapping[str, Any] | None = None) -> Finding:
    """A finding with its sentence, from its code and the keys of its items."""
    row, keys = kinds[code], tuple(sorted(set(items)))
    return Finding(code, keys, row.sentence(len(keys)), row.severity, row.theme, dict(evidence or {}))


def order(found: Iterable[Finding]) -> list[Finding]:
    """The weighty first, then in the order of the registry."""
    weights, rank = ("bad", "warn", "info"), {code: n for n, code in enumerate(kinds)}
    return sorted(found, key=lambda one: (weights.index(one.severity), rank[one.code]))
