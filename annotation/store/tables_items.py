"""Tables of items, their versions, slices and media, and of what came in and went out."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, Integer, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from annotation.store.tables_base import A, Base, C, M, key, one_of, ref

# --- items and media -----------------------------------------------------------------------------

class Item(Base):
    """``current`` is the id of the newest item_version; ``rnd`` orders the queue within a priority."""

    __tablename__ = "item"
    __table_args__ = (
        one_of("kind", "item", "gold_check", "attention", "practice", "training"),
        one_of("state", "active", "stale", "withdrawn"), M,
    )
    id: Mapped[UUID] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)
    key_fold: Mapped[str] = mapped_column(unique=True)
    cluster: Mapped[str | None]
    kind: Mapped[str] = mapped_column(default="item")
    priority: Mapped[int] = mapped_column(Integer, default=0)
    rnd: Mapped[int]
    current: Mapped[UUID]
    state: Mapped[str] = mapped_column(default="active")
    source_file: Mapped[str | None]
    source_row: Mapped[int | None]


class ItemVersion(Base):
    """Public contents only; private fields stand in item_secret. ``sha256`` covers both."""

    __tablename__ = "item_version"
    __table_args__ = (UniqueConstraint("item", "rev"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item: Mapped[UUID] = ref("item.id")
    rev: Mapped[int] = mapped_column(Integer)
    fields_json: Mapped[Any]
    sha256: Mapped[str]
    at: Mapped[datetime]
    by: Mapped[UUID] = ref("person.id")
    written_in: Mapped[UUID | None]


class ItemSecret(Base):
    """Fields marked private: another table, because row-level security hides rows, not JSON keys."""

    __tablename__ = "item_secret"
    __table_args__ = (A,)
    item_version: Mapped[UUID] = key("item_version.id")
    fields_json: Mapped[Any]
    expected_json: Mapped[Any | None]


class ItemTag(Base):
    __tablename__ = "item_tag"
    __table_args__ = (Index(None, "field", "value", "item"), C)
    item: Mapped[UUID] = key("item.id")
    field: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str] = mapped_column(primary_key=True)


class Media(Base):
    __tablename__ = "media"
    __table_args__ = (A,)
    sha256: Mapped[str] = mapped_column(primary_key=True)
    source_sha256: Mapped[str]
    mime: Mapped[str]
    bytes: Mapped[int]
    width: Mapped[int | None] = mapped_column(Integer)
    height: Mapped[int | None] = mapped_column(Integer)
    duration_ms: Mapped[int | None]
    licence: Mapped[str | None]
    source: Mapped[str | None]
    removed_json: Mapped[Any | None]


class MediaBlob(Base):
    """Chunks of 1 MiB; used on a server only."""

    __tablename__ = "media_blob"
    __table_args__ = (A,)
    sha256: Mapped[str] = key("media.sha256")
    part: Mapped[int] = mapped_column(Integer, primary_key=True)
    data: Mapped[bytes]


class ItemMedia(Base):
    """``sha256`` is None where the picture was missing at import (``path`` says which)."""

    __tablename__ = "item_media"
    __table_args__ = (M,)
    item_version: Mapped[UUID] = key("item_version.id")
    field: Mapped[str] = mapped_column(primary_key=True)
    element: Mapped[str] = mapped_column(primary_key=True, default="")
    sha256: Mapped[str | None] = ref("media.sha256")
    path: Mapped[str | None]


# --- coming in and going out ---------------------------------------------------------------------

class Recipe(Base):
    __tablename__ = "recipe"
    __table_args__ = (M,)
    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    text: Mapped[str]
    at: Mapped[datetime]


class ImportRun(Base):
    __tablename__ = "import_run"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    file: Mapped[str]
    sha256: Mapped[str]
    recipe: Mapped[str | None]
    counts_json: Mapped[Any]
    refused_json: Mapped[Any]
    at: Mapped[datetime]
    by: Mapped[UUID] = ref("person.id")


class Pack(Base):
    __tablename__ = "pack"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    person: Mapped[UUID] = ref("person.id")
    kind: Mapped[str]
    task_ids_json: Mapped[Any]
    sha256: Mapped[str]
    at: Mapped[datetime]
