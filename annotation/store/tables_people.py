"""Tables of the project itself: facts, devices, people, protocols, the trail."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from annotation.store.tables_base import A, Base, M, key, one_of, ref

# --- who and where -------------------------------------------------------------------------------

class Meta(Base):
    """Facts of the project: title, schema version, the protocol in use (hash)."""

    __tablename__ = "meta"
    __table_args__ = (M,)
    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]


class Device(Base):
    __tablename__ = "device"
    __table_args__ = (M,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    os: Mapped[str]
    first_seen: Mapped[datetime]


class Person(Base):
    """The only place with a name: erasing a person empties this row and nothing else."""

    __tablename__ = "person"
    __table_args__ = (one_of("kind", "human", "machine"), M)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    handle: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str] = mapped_column(default="")
    email: Mapped[str] = mapped_column(default="")
    login: Mapped[str | None] = mapped_column(unique=True)
    kind: Mapped[str] = mapped_column(default="human")
    active: Mapped[bool] = mapped_column(default=True)
    erased_at: Mapped[datetime | None]


class PersonRole(Base):
    __tablename__ = "person_role"
    __table_args__ = (M,)
    person: Mapped[UUID] = key("person.id")
    role: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]


# --- what is asked -------------------------------------------------------------------------------

class ProtocolVersion(Base):
    __tablename__ = "protocol_version"
    __table_args__ = (A,)
    hash: Mapped[str] = mapped_column(primary_key=True)
    form_hash: Mapped[str]
    id: Mapped[str]
    version: Mapped[int]
    text: Mapped[str]
    at: Mapped[datetime]
    by: Mapped[UUID] = ref("person.id")


class ProtocolChange(Base):
    __tablename__ = "protocol_change"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    from_hash: Mapped[str] = ref("protocol_version.hash")
    to_hash: Mapped[str] = ref("protocol_version.hash")
    map_json: Mapped[Any]
    at: Mapped[datetime]
    by: Mapped[UUID] = ref("person.id")


# --- the trail -----------------------------------------------------------------------------------

class Event(Base):
    """One line of the audit trail: ids and hashes only, chained per device."""

    __tablename__ = "event"
    __table_args__ = (Index("ix_event_reveal", "person", "payload_sha256", sqlite_where=text("verb = 'reveal'")), A)
    device: Mapped[UUID] = key("device.id")
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime]
    person: Mapped[UUID | None] = ref("person.id")
    verb: Mapped[str]
    ids_json: Mapped[Any]
    payload_sha256: Mapped[str]
    prev_hash: Mapped[str]
    hash: Mapped[str]
