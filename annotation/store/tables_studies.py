"""Tables of timed studies."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, Integer
from sqlalchemy.orm import Mapped, mapped_column

from annotation.store.tables_base import A, Base, M, key, ref


class StudyVersion(Base):
    __tablename__ = "study_version"
    __table_args__ = (A,)
    hash: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
    release: Mapped[UUID | None] = ref("release.id")
    at: Mapped[datetime]


class Sitting(Base):
    __tablename__ = "sitting"
    __table_args__ = (M,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    study: Mapped[str] = ref("study_version.hash")
    participant: Mapped[UUID] = ref("person.id")
    list_no: Mapped[int] = mapped_column(Integer)
    seed: Mapped[int]
    plan_json: Mapped[Any]
    checks_json: Mapped[Any | None]
    state: Mapped[str]
    at: Mapped[datetime]


class Trial(Base):
    __tablename__ = "trial"
    __table_args__ = (Index(None, "sitting"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    sitting: Mapped[UUID] = ref("sitting.id")
    block: Mapped[int] = mapped_column(Integer)
    position: Mapped[int] = mapped_column(Integer)
    item_version: Mapped[UUID] = ref("item_version.id")
    condition: Mapped[str]
    order_json: Mapped[Any | None]
    response_json: Mapped[Any | None]
    outcome: Mapped[str]
    onset_us: Mapped[int | None]
    rt_us: Mapped[int | None]
    rt_receipt_us: Mapped[int | None]
    quality_json: Mapped[Any | None]
    at: Mapped[datetime]


class SittingEvent(Base):
    __tablename__ = "sitting_event"
    __table_args__ = (A,)
    sitting: Mapped[UUID] = key("sitting.id")
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str]
    at_us: Mapped[int]
    data_json: Mapped[Any | None]
