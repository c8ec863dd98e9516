"""Tables of review, gold and releases."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, Integer, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from annotation.store.tables_base import A, Base, C, key, one_of, ref

# --- review and gold -----------------------------------------------------------------------------

class Adjudication(Base):
    """``inputs_json``: what was before the adjudicator, as it stood before him. ``answers``: the answers to this slot
    ``[{"revision", "answer"}]`` from left to right; ``order``: of options and candidates, as a task's order, None where
    no case was shown. Empty where a row decides nothing.
    """

    __tablename__ = "adjudication"
    __table_args__ = (Index(None, "item", "question"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item: Mapped[UUID] = ref("item.id")
    element: Mapped[str] = mapped_column(default="")
    question: Mapped[str]
    by: Mapped[UUID] = ref("person.id")
    value_json: Mapped[Any | None]
    reason: Mapped[str] = mapped_column(default="")
    inputs_json: Mapped[Any]
    second_of: Mapped[UUID | None]
    cancels: Mapped[UUID | None]
    at: Mapped[datetime]


class Gold(Base):
    """``value_json`` is the stored answer object, as ``{"v": "yes"}``; ``from_json`` says from which rows."""

    __tablename__ = "gold"
    __table_args__ = (Index(None, "question"), C)
    item: Mapped[UUID] = key("item.id")
    element: Mapped[str] = mapped_column(primary_key=True, default="")
    question: Mapped[str] = mapped_column(primary_key=True)
    value_json: Mapped[Any]
    rule: Mapped[str]
    n: Mapped[int] = mapped_column(Integer)
    agreement_json: Mapped[Any | None]
    from_json: Mapped[Any]
    locked: Mapped[bool] = mapped_column(default=False)


class SignOff(Base):
    __tablename__ = "sign_off"
    __table_args__ = (one_of("kind", "sign", "unsign"), Index(None, "item_version"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item_version: Mapped[UUID] = ref("item_version.id")
    person: Mapped[UUID] = ref("person.id")
    kind: Mapped[str]
    meaning: Mapped[str]
    shown_sha256: Mapped[str]
    gold_sha256: Mapped[str]
    method: Mapped[str]
    cancels: Mapped[UUID | None]
    reason: Mapped[str] = mapped_column(default="")
    at: Mapped[datetime]


class Query(Base):
    __tablename__ = "query"
    __table_args__ = (Index(None, "item"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item: Mapped[UUID] = ref("item.id")
    question: Mapped[str | None]
    by: Mapped[UUID] = ref("person.id")
    at: Mapped[datetime]


class QueryMessage(Base):
    __tablename__ = "query_message"
    __table_args__ = (Index(None, "query"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    query: Mapped[UUID] = ref("query.id")
    by: Mapped[UUID] = ref("person.id")
    text: Mapped[str]
    closes: Mapped[bool] = mapped_column(default=False)
    at: Mapped[datetime]


class Flag(Base):
    __tablename__ = "flag"
    __table_args__ = (Index(None, "item"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item: Mapped[UUID] = ref("item.id")
    person: Mapped[UUID] = ref("person.id")
    text: Mapped[str]
    cancels: Mapped[UUID | None]
    at: Mapped[datetime]


# --- releases ------------------------------------------------------------------------------------

class Release(Base):
    """``facts_json`` keeps what else a bundle says and may change later: title, tool, licence, canary, findings."""

    __tablename__ = "release"
    __table_args__ = (one_of("kind", "draft", "final"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    version: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    protocol: Mapped[str] = ref("protocol_version.hash")
    manifest_sha256: Mapped[str]
    salt: Mapped[str]
    facts_json: Mapped[Any]
    created: Mapped[datetime]
    by: Mapped[UUID] = ref("person.id")
    note: Mapped[str] = mapped_column(default="")


class ReleaseItem(Base):
    """An item as released; cluster, slices and media stand here because they may change in the project.

    ``sources_json`` names the revisions and adjudications whose rows go into the bundle.
    """

    __tablename__ = "release_item"
    __table_args__ = (UniqueConstraint("release", "public_id"), Index(None, "item_version"), A)
    release: Mapped[UUID] = key("release.id")
    item_version: Mapped[UUID] = key("item_version.id")
    public_id: Mapped[str]
    split: Mapped[str]
    cluster: Mapped[str | None]
    slices_json: Mapped[Any]
    media_json: Mapped[Any]
    sources_json: Mapped[Any]


class ReleaseGold(Base):
    """A released value; ``about_json`` holds its rule, n, agreement, standing and whether it was signed."""

    __tablename__ = "release_gold"
    __table_args__ = (Index(None, "public_id"), A)
    release: Mapped[UUID] = key("release.id")
    item_version: Mapped[UUID] = key("item_version.id")
    element: Mapped[str] = mapped_column(primary_key=True, default="")
    question: Mapped[str] = mapped_column(primary_key=True)
    value_json: Mapped[Any]
    about_json: Mapped[Any]
    split: Mapped[str]
    public_id: Mapped[str]


class ReleasePerson(Base):
    """``facts_json`` holds the kind and the roles that the person had at the release."""

    __tablename__ = "release_person"
    __table_args__ = (UniqueConstraint("release", "pseudonym"), A)
    release: Mapped[UUID] = key("release.id")
    person: Mapped[UUID] = key("person.id")
    pseudonym: Mapped[str]
    facts_json: Mapped[Any]


class Waiver(Base):
    """A finding of preflight that somebody takes on, for these items (ids). A release keeps those that it stood on."""

    __tablename__ = "waiver"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    finding: Mapped[str]
    items_json: Mapped[Any]
    reason: Mapped[str]
    by: Mapped[UUID] = ref("person.id")
    cancels: Mapped[UUID | None] = ref("waiver.id")
    at: Mapped[datetime]


class Erratum(Base):
    """Why an item of a release is or will be another in the next one, in words."""

    __tablename__ = "erratum"
    __table_args__ = (Index(None, "item"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    from_release: Mapped[UUID] = ref("release.id")
    item: Mapped[UUID] = ref("item.id")
    why: Mapped[str]
    by: Mapped[UUID] = ref("person.id")
    cancels: Mapped[UUID | None] = ref("erratum.id")
    at: Mapped[datetime]


class Retraction(Base):
    """An item, or a person's answers, that is handed out no more, in no release; tombstones stand in its place."""

    __tablename__ = "retraction"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item: Mapped[UUID | None] = ref("item.id")
    person: Mapped[UUID | None] = ref("person.id")
    reason: Mapped[str]
    by: Mapped[UUID] = ref("person.id")
    at: Mapped[datetime]
