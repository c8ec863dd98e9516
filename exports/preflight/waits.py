"""What stands in the way of a release: items that wait for somebody, and values and pictures that are not there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import gold
from annotation.protocol import Protocol
from annotation.store.project import store_of
from annotation.store.tables import Item, ItemMedia, ItemStage, Query, QueryMessage
from annotation.store.types import as_stored, as_uuid
from exports.preflight.finding import Finding, kind, of_kind

STAGES = {"annotate": "open_annotation", "verify": "open_verification", "adjudicate": "open_adjudication",
          "sign": "unsigned"}

kind("no_gold", "bad", "missing", "no item has gold", "no item has gold", can_waive=False)
kind("missing_media", "bad", "missing", "1 item has a picture that is not there",
     "{n} items have a picture that is not there", can_waive=False)
kind("open_annotation", "bad", "missing", "1 item waits for answers", "{n} items wait for answers")
kind("open_verification", "bad", "missing", "1 item waits for a verifier", "{n} items wait for a verifier")
kind("open_adjudication", "bad", "weak", "1 item waits for an adjudicator", "{n} items wait for an adjudicator")
kind("unsigned", "bad", "missing", "1 item is not signed", "{n} items are not signed")
kind("missing_gold", "bad", "missing", "1 item lacks a gold value that the protocol wants",
     "{n} items lack a gold value that the protocol wants")
kind("stale_item", "bad", "missing", "1 item changed after it was answered",
     "{n} items changed after they were answered")
kind("open_query", "bad", "weak", "1 item has an open query", "{n} items have an open query")
kind("unexplained_change", "warn", "changed", "1 released item has other gold or is gone, and nobody has said why",
     "{n} released items have other gold or are gone, and nobody has said why")


@dataclass(frozen=True, slots=True)
class Preflight:
    """``open``: per code, the items that wait (left out on demand); ``pictures``: items with a missing picture."""

    keys: dict[UUID, str]
    open: dict[str, frozenset[UUID]]
    pictures: frozenset[UUID]

    @property
    def waiting(self) -> frozenset[UUID]:
        return frozenset().union(*self.open.values())

    def finding(self, code: str, items: Iterable[UUID]) -> Finding:
        return of_kind(code, (self.keys[item] for item in items))


def look(session: Session, protocol: Protocol) -> Preflight:
    """Read what waits, over all items that are not withdrawn."""
    opened = _open_stages(session, protocol)
    keys: dict[UUID, str] = {}
    found: dict[str, set[UUID]] = {}
    for raw, key in session.connection().execute(select(as_stored(session, Item.id), Item.key).where(
            Item.state != "withdrawn", Item.kind == "item")):
        item = as_uuid(raw)
        keys[item] = key
        if raw in opened:
            found.setdefault(STAGES[opened[raw]], set()).add(item)
    del opened
    at_work = set().union(*found.values()) if found else set()
    for missing in gold.missing(session, besides=("open", "waiting")):
        if missing.item in keys and missing.item not in at_work:
            found.setdefault("missing_gold", set()).add(missing.item)
    stale = set(session.scalars(select(Item.id).where(Item.state == "stale")))
    queried = _queried(session)
    for code, items in (("stale_item", stale), ("open_query", queried)):
        if items & keys.keys():
            found[code] = items & keys.keys()
    return Preflight(keys, {code: frozenset(items) for code, items in found.items()},
                     frozenset(_without_pictures(session) & keys.keys()))


def _open_stages(session: Session, protocol: Protocol) -> dict[Any, str]:
    """The first stage that is open, per item (as the driver gives its id)."""
    order: dict[str, int] = {stage: n for n, stage in enumerate(protocol.workflow.stages)}
    first: dict[Any, str] = {}
    for item, stage in session.connection().execute(select(as_stored(session, ItemStage.item), ItemStage.stage).where(
            ItemStage.state.in_(("open", "waiting")))):
        if stage in order and (item not in first or order[stage] < order[first[item]]):
            first[item] = stage
    return first


def _queried(session: Session) -> set[UUID]:
    """Items with a query whose last message does not close it."""
    closed: dict[UUID, bool] = {}
    for query, closes in session.execute(select(QueryMessage.query, QueryMessage.closes).order_by(QueryMessage.id)):
        closed[query] = closes
    return {item for query, item in session.execute(select(Query.id, Query.item))
            if not closed.get(query, False)}


def _without_pictures(session: Session) -> set[UUID]:
    """Items whose newest version names a picture that was never there, or whose file is gone."""
    media = store_of(session).media
    there: dict[str, bool] = {}
    bare = set()
    for item, sha256 in session.execute(select(Item.id, ItemMedia.sha256).join(
            ItemMedia, ItemMedia.item_version == Item.current)):
        if sha256 is not None and sha256 not in there:
            there[sha256] = media.exists(sha256)
        if sha256 is None or not there[sha256]:
            bare.add(item)
    return bare
