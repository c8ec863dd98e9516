"""What a release drawn now would hold and what stands in its way, and the releases that were drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from annotation.protocol import Protocol
from annotation.questions.base import number_text
from annotation.store.project import protocol_now
from annotation.store.tables import Person, Release, ReleaseGold, ReleaseItem
from exports import preflight, release
from exports.kept import kept_answers

ALWAYS = ("no_gold", "missing_media")  # what stops a final release whatever is left out
MOST_VALUES = 8


@dataclass(frozen=True, slots=True)
class Check:
    """One finding with the items that it is about; ``stops``: leaving items out does not help."""

    code: str
    items: tuple[UUID, ...]
    stops: bool


@dataclass(frozen=True, slots=True)
class Outlook:
    """``items`` a draft would hold and ``values`` in them; ``waiting`` items hold a final release up, and ``left``
    are in it once they are left out.

    ``tally``: of ``question`` (the outcome, or the first with few values) how often each value stands.
    """

    items: int
    values: int
    waiting: int
    left: int
    checks: tuple[Check, ...]
    draft: str
    question: str | None
    tally: tuple[tuple[str, int], ...]

    @property
    def stops_final(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.stops)


@dataclass(frozen=True, slots=True)
class ReleaseView:
    version: str
    kind: str
    at: datetime
    by: str
    manifest_sha256: str
    items: int
    values: int
    note: str


def outlook(session: Session) -> Outlook:
    """The same look that ``release.draw`` takes, without drawing."""
    protocol = protocol_now(session)
    found = preflight.look(session, protocol)
    kept, waiting = kept_answers(session, protocol), found.waiting
    bare = tuple(sorted((item for item in kept if item in found.pictures), key=found.keys.__getitem__))
    checks = [Check(code, tuple(items), False) for code, items in found.open.items()]
    checks += [Check("missing_media", bare, True)] if bare else []
    checks += [] if kept else [Check("no_gold", (), True)]
    checks.sort(key=lambda one: (not one.stops, list(preflight.kinds).index(one.code)))
    counted: dict[str, Counter[str]] = {}
    for some in kept.values():
        for name, answer in some:
            if answer.get("v") is not None:
                counted.setdefault(name, Counter())[number_text(answer["v"])] += 1
    question = next((name for name in _outcomes(protocol) if 0 < len(counted.get(name, ())) <= MOST_VALUES), None)
    return Outlook(
        items=len(kept), values=sum(map(len, kept.values())), waiting=len(waiting),
        left=sum(item not in waiting for item in kept), checks=tuple(checks), draft=release.next_draft(session),
        question=question, tally=tuple(counted[question].most_common()) if question is not None else ())


def _outcomes(protocol: Protocol) -> list[str]:
    """Derived values first, then questions, of those that have gold and whose values are few by nature."""
    return [name for name in (*protocol.derive, *(one.name for one in protocol.asked))
            if name in protocol.gold and protocol.scale_of(name) in ("nominal", "ordinal")]


def releases(session: Session) -> tuple[ReleaseView, ...]:
    """Every release, the newest first."""
    items, values = (dict(session.execute(select(table.release, func.count()).group_by(table.release)).all())
                     for table in (ReleaseItem, ReleaseGold))
    rows = session.execute(
        select(Release.id, Release.version, Release.kind, Release.created, Release.manifest_sha256, Release.note,
               Person.handle).join(Person, Person.id == Release.by).order_by(Release.created.desc(), Release.id.desc()))
    return tuple(ReleaseView(row.version, row.kind, row.created, row.handle, row.manifest_sha256,
                             items.get(row.id, 0), values.get(row.id, 0), row.note or "") for row in rows)
