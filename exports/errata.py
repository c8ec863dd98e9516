"""Why released gold became another: words noted by people, and the errata that a new release carries.

Released gold never changes. A correction is an erratum and a new version.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.orm import Session, aliased

from annotation import people, trail
from annotation.done import Done
from annotation.errors import N_, Refused, Unknown
from annotation.store.ids import new_id
from annotation.store.tables import Erratum, Item, Person, Release, ReleaseItem
from annotation.store.types import now
from exports import frozen as frozen_release
from exports.changes import Difference, compare
from exports.frozen import DrawnItems, Frozen
from exports.published import published


@dataclass(frozen=True, slots=True)
class ErratumView:
    """``release``: the version that is corrected."""

    id: UUID
    release: str
    item: UUID
    key: str
    why: str
    by: str
    at: datetime


def note(session: Session, key: str, why: str, *, by: UUID, release: str | None = None) -> Done:
    """Say why the item is another than in ``release`` (the newest final one), before the next is drawn.

    Unknown where there is no such release or the item is not in it; Refused without words.
    """
    people.require_right(session, by, "release")
    version = release or last_final(session)
    row = session.execute(select(Release.id).where(Release.version == version)).first() if version else None
    if row is None:
        raise Unknown(N_("there is no final release to correct") if version is None else
                      N_("There is no release {version}. There are: {known}."), version=version,
                      known=", ".join(frozen_release.versions(session)) or "none")
    item = session.scalar(select(Item.id).where(Item.key == key))
    if item is None:
        raise Unknown(N_("there is no item '{key}'"), key=key)
    known = frozen_release.versions_of(session, item)
    if not session.scalar(select(ReleaseItem.public_id).where(ReleaseItem.release == row.id,
                                                              ReleaseItem.item_version.in_(known))):
        raise Refused(N_("the item '{key}' is not in the release {version}"), code="not_released", key=key,
                      version=version)
    made = new_id()
    session.execute(insert(Erratum).values(id=made, from_release=row.id, item=item, why=published(session, why), by=by,
                                           cancels=None, at=now()))
    trail.record(session, "erratum", person=by, ids={"erratum": made, "item": item, "release": row.id})
    return Done("Note erratum", frozenset({"releases"}), None, made)


def take_back(session: Session, erratum: UUID, *, by: UUID) -> Done:
    """The words stand no more; a release that carries them keeps them."""
    people.require_right(session, by, "release")
    row = next((one for one in standing(session) if one.id == erratum), None)
    if row is None:
        raise Unknown(N_("there is no erratum {erratum} that stands"), erratum=erratum.hex)
    origin = session.scalars(select(Erratum.from_release).where(Erratum.id == erratum)).one()
    made = new_id()
    session.execute(insert(Erratum).values(id=made, from_release=origin, item=row.item, why="", by=by,
                                           cancels=erratum, at=now()))
    trail.record(session, "unerratum", person=by, ids={"erratum": erratum})
    return Done("Take back erratum", frozenset({"releases"}), None, made)


def standing(session: Session, release: str | None = None) -> tuple[ErratumView, ...]:
    """What was noted and stands, oldest first; about one release or about all."""
    other = aliased(Erratum)
    query = (select(Erratum.id, Release.version, Erratum.item, Item.key, Erratum.why, Person.handle, Erratum.at)
             .join(Release, Release.id == Erratum.from_release).join(Item, Item.id == Erratum.item)
             .join(Person, Person.id == Erratum.by)
             .where(Erratum.cancels.is_(None), ~select(other.id).where(other.cancels == Erratum.id).exists())
             .order_by(Erratum.id))
    if release is not None:
        query = query.where(Release.version == release)
    return tuple(ErratumView(*row) for row in session.execute(query))


def last_final(session: Session) -> str | None:
    """The version of the final release drawn last."""
    return session.scalars(select(Release.version).where(Release.kind == "final").order_by(
        Release.created.desc(), Release.id.desc()).limit(1)).first()


# --- what a new release carries -------------------------------------------------------------------

@dataclass(frozen=True, slots=True)
class Carried:
    """``facts``: errata and history for the release; ``unexplained``: keys of items whose gold is another or is gone
    and of which nobody has said why.
    """

    facts: dict[str, Any]
    unexplained: tuple[str, ...]


def carried(session: Session, drawn: Frozen) -> Carried:
    """The errata of ``drawn`` against the last final release, after those that this one carries already.

    They name items, questions and causes, never an answer: the two releases hold the values.
    """
    version = last_final(session)
    if version is None:
        return Carried({"errata": [], "history": [_entry(drawn, None)]}, ())
    before = frozen_release.read(session, version)
    found = compare(session, before, drawn)
    why: dict[UUID, list[str]] = {}
    for one in standing(session, version):
        why.setdefault(one.item, []).append(one.why)
    rows = [{"id": one.id, "from": version, "to": drawn.version, "what": list(one.what),
             "questions": sorted({gold.question for gold in one.gold}), "causes": list(one.causes),
             "why": " ".join(why[one.item]) if one.item in why else None}
            for one in found.changes if {"gold", "contents", "removed"} & set(one.what)]
    untold = tuple(one.key for one in found.changes if {"gold", "removed"} & set(one.what) and one.item not in why
                   and "withdrawn" not in one.causes)
    return Carried({"errata": [*before.facts.get("errata", ()), *rows],
                    "history": [*before.facts.get("history", ()), _entry(drawn, found)]}, untold)


def _entry(drawn: Frozen, found: Difference | None) -> dict[str, Any]:
    return {"version": drawn.version, "day": drawn.created.strftime("%Y-%m-%d"), "items": len(drawn.items),
            "values": drawn.items.values if isinstance(drawn.items, DrawnItems) else sum(
                len(one.gold) for one in drawn.items),
            "since": None if found is None else {"version": found.before, **found.counts()}}
