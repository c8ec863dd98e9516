"""The hash chain of events: one per device, each line holding the hash of the line before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.store.tables import Device, Event
from annotation.store.types import EPOCH, now

GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class ChainReport:
    """``faults`` are (device, seq, what) of the lines that do not fit."""

    n: int
    faults: tuple[tuple[UUID, int, str], ...]

    @property
    def ok(self) -> bool:
        return not self.faults


def plain_ids(ids: Mapping[str, Any]) -> dict[str, Any]:
    """Ids as they stand in an event: UUIDs as 32 hex digits, lists kept."""
    return {k: [_hex(x) for x in v] if isinstance(v, (list, tuple)) else _hex(v) for k, v in ids.items()}


def append(session: Session, device: UUID, verb: str, *, person: UUID | None, ids: Mapping[str, Any],
           payload: Any = None) -> int:
    """Write the next line of ``device``'s chain in this transaction; returns its number, from 1."""
    # Two programs of one machine may write to a server: the device's row is the lock of its chain. Not the
    # whole row's lock: other rows point to it, and two who hold that share would wait for each other.
    if session.get_bind().dialect.name != "sqlite":
        session.execute(select(Device.id).where(Device.id == device).with_for_update(key_share=True))
    last = session.execute(
        select(Event.seq, Event.hash).where(Event.device == device).order_by(Event.seq.desc()).limit(1)).first()
    seq, prev = (last.seq + 1, last.hash) if last else (1, GENESIS)
    at, named = now(), plain_ids(ids)
    payload_sha256 = canonical.sha256(payload)
    session.execute(insert(Event).values(
        device=device, seq=seq, at=at, person=person, verb=verb, ids_json=named, payload_sha256=payload_sha256,
        prev_hash=prev, hash=line_hash(device, seq, at, person, verb, named, payload_sha256, prev)))
    return seq


def line_hash(device: UUID, seq: int, at: datetime, person: UUID | None, verb: str, ids: Mapping[str, Any],
              payload_sha256: str, prev_hash: str) -> str:
    """SHA-256 of the canonical JSON of one line without its own hash."""
    return canonical.sha256({
        "device": device.hex, "seq": seq, "at": (at - EPOCH) // timedelta(microseconds=1),
        "person": person.hex if person else None, "verb": verb, "ids": dict(ids), "payload_sha256": payload_sha256,
        "prev_hash": prev_hash,
    })


def verify(session: Session) -> ChainReport:
    """Recompute every line's hash and its place; streams, so that memory does not grow with the trail."""
    n, faults, device, want, prev = 0, [], None, 1, GENESIS
    columns = select(Event.device, Event.seq, Event.at, Event.person, Event.verb, Event.ids_json,
                     Event.payload_sha256, Event.prev_hash, Event.hash).order_by(Event.device, Event.seq)
    for line in session.execute(columns.execution_options(yield_per=5000)):
        n += 1
        if line.device != device:
            device, want, prev = line.device, 1, GENESIS
        if line.seq != want:
            faults.append((line.device, line.seq, "gap"))
        elif line.prev_hash != prev:
            faults.append((line.device, line.seq, "prev_hash"))
        if line.hash != line_hash(*line[:8]):
            faults.append((line.device, line.seq, "hash"))
        want, prev = line.seq + 1, line.hash
    return ChainReport(n, tuple(faults))


def _hex(value: Any) -> Any:
    return value.hex if isinstance(value, UUID) else value
