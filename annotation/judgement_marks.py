"""How far a reader has followed the trail, and which items' answers may have changed since.

Whatever changes answers writes a line of the trail in the same transaction. So what was read together with a mark
holds until the trail goes on, and then needs a second look at the items that its new lines name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session, aliased

from annotation.store.tables import Device, Event

Mark = Mapping[UUID, tuple[int, str]]  # device -> number and hash of its last line

MOST = 2_000  # lines that are followed; after more than that everything is read anew

# Lines without an item that leave answers, items and tags as they are. (What names an item is looked at.)
QUIET = frozenset({
    "create", "reveal", "person_add", "person_active", "person_remove", "person_roles", "assign", "unassign",
    "cancel_assignment",
    "query_answer", "query_close", "query_reopen", "release", "waive", "unwaive", "erratum", "unerratum", "recount",
    "recheck", "unrecheck",
    "import_answers",  # each of its revisions has a line of its own
})


def mark_now(session: Session) -> dict[UUID, tuple[int, str]]:
    """The last line of every device. Read before what it marks: a look too many does no harm."""
    other = aliased(Event)
    last = select(func.max(other.seq)).where(other.device == Device.id).correlate(Device).scalar_subquery()
    rows = session.execute(select(Event.device, Event.seq, Event.hash)
                           .join(Device, and_(Device.id == Event.device, Event.seq == last)))
    return {device: (seq, hash) for device, seq, hash in rows}


def touched_since(session: Session, held: Mark, now: Mark) -> frozenset[UUID] | None:
    """The items named by the lines from ``held`` to ``now``; None where all must be read anew.

    That is so where a line says too little (an import of items), where there are too many, and where the trail does
    not go on from ``held``: it was read in a transaction that was taken back, or this session sees an older state.
    """
    items: set[UUID] = set()
    for device, (seq, hash) in held.items():
        if device not in now or now[device][0] < seq:
            return None
        if now[device][0] == seq and now[device][1] != hash:
            return None
    for device, (last, _) in now.items():
        seq, hash = held.get(device, (0, ""))
        if last == seq:
            continue
        if last - seq > MOST:
            return None
        lines = session.execute(select(Event.seq, Event.hash, Event.verb, Event.ids_json)
                                .where(Event.device == device, Event.seq >= seq).order_by(Event.seq)).all()
        if seq and (lines[0].seq, lines[0].hash) != (seq, hash):
            return None
        for line in lines[1 if seq else 0:]:
            named = _item(line.ids_json)
            if named is not None:
                items.add(named)
            elif line.verb not in QUIET:
                return None
    return frozenset(items)


def _item(ids: Any) -> UUID | None:
    named = ids.get("item") if isinstance(ids, Mapping) else None
    return UUID(named) if isinstance(named, str) else None
