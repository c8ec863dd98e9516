"""Where a project stands, as the verb ``status`` says it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from annotation import gold, notes, people
from annotation.protocol import Protocol
from annotation.store.content import content_sha256
from annotation.store.project import meta, protocol_now
from annotation.store.tables import Adjudication, Gold, Item, ItemStage, Release, Task
from annotation.workflow import ANSWERING

_STANDS = Item.state != "withdrawn"


def status(session: Session) -> dict[str, Any]:
    """The keys of ``goldsmith status --json``; see docs/cli.md."""
    protocol = protocol_now(session)
    by_stage = stages(session, protocol)
    opened, closed = notes.count_queries(session)
    return {
        "title": meta(session)["title"],
        "protocol": protocol_view(protocol),
        "items": items(session),
        "stages": by_stage,
        "people": people_views(session),
        "adjudication": {"due": by_stage.get("adjudicate", {}).get("open", 0), "done": _adjudicated(session)},
        "gold": {"items": _count(session, select(func.count(Gold.item.distinct())).join(Item).where(_STANDS)),
                 "values": _count(session, select(func.count()).select_from(Gold).join(Item).where(_STANDS)),
                 "missing": gold.count_missing(session)},
        "signed": by_stage.get("sign", {}).get("done", 0),
        "flags": notes.count_flags(session),
        "queries": {"open": opened, "closed": closed},
        "releases": [
            {"version": row.version, "kind": row.kind, "at": row.created.isoformat().replace("+00:00", "Z"),
             "manifest_sha256": row.manifest_sha256}
            for row in session.execute(select(Release.version, Release.kind, Release.created, Release.manifest_sha256)
                                       .order_by(Release.created))],
        "content_sha256": content_sha256(session.connection()),
    }


def protocol_view(protocol: Protocol) -> dict[str, Any]:
    return {"id": protocol.id, "version": protocol.version, "title": protocol.title, "hash": protocol.hash,
            "form_hash": protocol.form_hash}


def people_views(session: Session) -> list[dict[str, Any]]:
    return [{"handle": p.handle, "name": p.name, "kind": p.kind, "roles": list(p.roles), "active": p.active,
             "submitted": p.submitted, "skipped": p.skipped} for p in people.people(session)]


def items(session: Session) -> dict[str, int]:
    """``total`` and how many of them are active, stale (changed after answers), withdrawn."""
    found = dict(session.execute(select(Item.state, func.count()).group_by(Item.state)).all())
    return {"total": sum(found.values()), **{state: found.get(state, 0) for state in ("active", "stale", "withdrawn")}}


def stages(session: Session, protocol: Protocol) -> dict[str, dict[str, int]]:
    """Per stage: ``items`` = waiting + open + done (those for which the stage was passed over are left out);
    ``judgements`` = standing answers, at the later stages items decided or signed.
    """
    total = _count(session, select(func.count()).select_from(Item).where(_STANDS))
    kept: dict[str, dict[str, int]] = {}
    none = (ItemStage.want == 0).label("none")
    for stage, state, passed, n in session.execute(
            select(ItemStage.stage, ItemStage.state, none, func.count())
            .group_by(ItemStage.stage, ItemStage.state, none)):
        # An item whose answering was cut short by going to adjudication is done there all the same.
        kind = "passed" if passed and stage != "annotate" else "open" if state == "open" else "done"
        counts = kept.setdefault(stage, {})
        counts[kind] = counts.get(kind, 0) + n
    given: dict[str, int] = {}
    for _, stage, n in session.execute(  # by person too: so it is in the order of an index
            select(Task.person, Task.stage, func.count()).where(Task.state == "submitted")
            .group_by(Task.person, Task.stage)):
        given[stage] = given.get(stage, 0) + n
    views: dict[str, dict[str, int]] = {}
    for stage in protocol.workflow.stages:
        counts = kept.get(stage, {})
        reached = sum(counts.values())
        views[stage] = {"items": total - counts.get("passed", 0), "waiting": total - reached,
                        "open": counts.get("open", 0), "done": counts.get("done", 0),
                        "judgements": given.get(stage, 0) if stage in ANSWERING else
                        _adjudicated(session) if stage == "adjudicate" else counts.get("done", 0)}
    return views


def _adjudicated(session: Session) -> int:
    """Items on which a decision stands."""
    other = aliased(Adjudication)
    return _count(session, select(func.count(Adjudication.item.distinct())).where(
        Adjudication.cancels.is_(None), Adjudication.second_of.is_(None), Adjudication.question != "",
        ~select(other.id).where(other.cancels == Adjudication.id).exists()))


def _count(session: Session, query: Any) -> int:
    return int(session.execute(query).scalar_one())
