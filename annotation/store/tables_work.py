"""Tables of work: stages, tasks, drafts, revisions and the answers that stand."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, Integer, text
from sqlalchemy.orm import Mapped, mapped_column

from annotation.store.tables_base import A, Base, C, M, key, one_of, ref

# --- who does what -------------------------------------------------------------------------------

class Round(Base):
    __tablename__ = "round"
    __table_args__ = (one_of("kind", "training", "pilot", "main", "recheck", "baseline"), M)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    at: Mapped[datetime]


class ItemStage(Base):
    """The kept result of ``workflow.due``: how many slots are wanted and open at a stage.

    The partial index makes "the next task" one index walk, which reads nothing but the index. ``priority`` is
    negated (``-priority``) so that the index is read forwards.
    """

    __tablename__ = "item_stage"
    __table_args__ = (
        one_of("state", "waiting", "open", "done", "locked"),
        Index("ix_item_stage_open", "stage", "order_key", "rnd", "item", "round",
              sqlite_where=text("open > 0")), C,
    )
    item: Mapped[UUID] = key("item.id")
    stage: Mapped[str] = mapped_column(primary_key=True)
    round: Mapped[UUID] = key("round.id")
    protocol: Mapped[str] = ref("protocol_version.hash")
    want: Mapped[int] = mapped_column(Integer)
    open: Mapped[int] = mapped_column(Integer)
    state: Mapped[str]
    order_key: Mapped[int] = mapped_column(Integer, default=0)
    rnd: Mapped[int]


class Task(Base):
    """One person's turn at one item at one stage; the database refuses the k+1st slot."""

    __tablename__ = "task"
    __table_args__ = (
        one_of("state", "claimed", "submitted", "skipped", "expired", "withdrawn"),
        Index("uq_task_slot", "item", "stage", "round", "slot", unique=True,
              sqlite_where=text("state in ('claimed','submitted')")),
        Index("uq_task_person", "item", "stage", "round", "person", "repeat_no", unique=True,
              sqlite_where=text("state in ('claimed','submitted')")),
        Index("ix_task_lease", "lease_until", sqlite_where=text("state = 'claimed'")),
        # Without statistics SQLite takes the index with more equal columns: "one person's task at this item" must
        # find two of them here, or it reads all tasks of the person. The other holds all that the queue asks.
        Index("ix_task_item", "item", "person", "stage"),
        Index("ix_task_person_state", "person", "stage", "state", "round", "item"), M,
    )
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item: Mapped[UUID] = ref("item.id")
    item_version: Mapped[UUID] = ref("item_version.id")
    stage: Mapped[str]
    round: Mapped[UUID] = ref("round.id")
    slot: Mapped[int] = mapped_column(Integer)
    person: Mapped[UUID] = ref("person.id")
    protocol: Mapped[str] = ref("protocol_version.hash")
    form: Mapped[str | None]
    state: Mapped[str] = mapped_column(default="claimed")
    order_json: Mapped[Any | None]
    repeat_of: Mapped[UUID | None]
    repeat_no: Mapped[int] = mapped_column(Integer, default=0)
    lease_until: Mapped[datetime | None]
    active_ms: Mapped[int] = mapped_column(default=0)
    wall_ms: Mapped[int] = mapped_column(default=0)
    gaps_json: Mapped[Any | None]
    at: Mapped[datetime]


class TaskCursor(Base):
    """How far a person's walk through the open items of a stage has come.

    ``behind_json`` lists items (hex ids) whose slots reopened behind that place: they are looked at
    first, so that a give-back costs one look-up and not a second walk.
    """

    __tablename__ = "task_cursor"
    __table_args__ = (M,)
    person: Mapped[UUID] = key("person.id")
    stage: Mapped[str] = mapped_column(primary_key=True)
    order_key: Mapped[int] = mapped_column(Integer)
    rnd: Mapped[int]
    item: Mapped[UUID]
    behind_json: Mapped[Any]


class Assignment(Base):
    """Who may (``only`` false) or alone shall (``only`` true) work on an item; takes no slot."""

    __tablename__ = "assignment"
    __table_args__ = (Index(None, "item", "stage", "person"), Index(None, "person", "stage", "item"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item: Mapped[UUID] = ref("item.id")
    stage: Mapped[str]
    round: Mapped[UUID] = ref("round.id")
    person: Mapped[UUID] = ref("person.id")
    only: Mapped[bool] = mapped_column(default=False)
    by: Mapped[UUID] = ref("person.id")
    at: Mapped[datetime]
    cancels: Mapped[UUID | None]


class NamedSample(Base):
    __tablename__ = "named_sample"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    seed: Mapped[int]
    rule_json: Mapped[Any]
    items_json: Mapped[Any]
    by: Mapped[UUID] = ref("person.id")
    at: Mapped[datetime]


class GuidelineSeen(Base):
    __tablename__ = "guideline_seen"
    __table_args__ = (A,)
    person: Mapped[UUID] = key("person.id")
    guideline_hash: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]


class Suggestion(Base):
    __tablename__ = "suggestion"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item_version: Mapped[UUID] = ref("item_version.id")
    question: Mapped[str]
    element: Mapped[str] = mapped_column(default="")
    value_json: Mapped[Any]
    score: Mapped[float | None]
    source: Mapped[str]
    at: Mapped[datetime]


class Attestation(Base):
    __tablename__ = "attestation"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    person: Mapped[UUID] = ref("person.id")
    kind: Mapped[str]
    value_json: Mapped[Any]
    at: Mapped[datetime]


# --- answers -------------------------------------------------------------------------------------

class DraftRow(Base):
    __tablename__ = "draft"
    __table_args__ = (M,)
    task: Mapped[UUID] = key("task.id")
    answers_json: Mapped[Any]
    at: Mapped[datetime]


class Revision(Base):
    """One saved set of answers, never changed. ``shown``: nothing, standing or all (independence)."""

    __tablename__ = "revision"
    __table_args__ = (one_of("shown", "nothing", "standing", "all"),
                      Index(None, "task"), Index(None, "person", "at"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    task: Mapped[UUID] = ref("task.id")
    item_version: Mapped[UUID] = ref("item_version.id")
    person: Mapped[UUID] = ref("person.id")
    stage: Mapped[str]
    protocol: Mapped[str] = ref("protocol_version.hash")
    guideline_hash: Mapped[str]
    answers_json: Mapped[Any]
    answers_sha256: Mapped[str]
    shown: Mapped[str] = mapped_column(default="nothing")
    basis_json: Mapped[Any | None]
    after_reveal: Mapped[bool] = mapped_column(default=False)
    supersedes: Mapped[UUID | None]
    active_ms: Mapped[int] = mapped_column(default=0)
    wall_ms: Mapped[int] = mapped_column(default=0)
    device: Mapped[UUID] = ref("device.id")
    app_version: Mapped[str]
    at: Mapped[datetime]


class Withdrawal(Base):
    __tablename__ = "withdrawal"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    revision: Mapped[UUID] = ref("revision.id", unique=True)
    person: Mapped[UUID] = ref("person.id")
    reason: Mapped[str]
    at: Mapped[datetime]


class Skip(Base):
    __tablename__ = "skip"
    __table_args__ = (Index(None, "task"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    task: Mapped[UUID] = ref("task.id")
    person: Mapped[UUID] = ref("person.id")
    reason: Mapped[str]
    at: Mapped[datetime]


class AnswerRow(Base):
    """Every standing answer as a row of its own; agreement and gold read this, and only this.

    Derived values (``derive``) have rows too. ``element`` is "" outside groups. ``value_text`` is the
    canonical text of the value (an option's value as it is; lists and objects as canonical JSON),
    ``value_num`` the number where the question has one (scale, number; for a level the position of
    its option from 0). ``counts``: whether the answer is independent and enters agreement.
    """

    __tablename__ = "answer"
    __table_args__ = (Index(None, "question", "stage", "counts", "item"), Index(None, "revision"), C)
    item: Mapped[UUID] = key("item.id")
    element: Mapped[str] = mapped_column(primary_key=True, default="")
    question: Mapped[str] = mapped_column(primary_key=True)
    stage: Mapped[str] = mapped_column(primary_key=True)
    person: Mapped[UUID] = key("person.id")
    repeat_no: Mapped[int] = mapped_column(Integer, primary_key=True, default=0)
    revision: Mapped[UUID] = ref("revision.id")
    form_hash: Mapped[str]
    value_text: Mapped[str | None]
    value_num: Mapped[float | None]
    na: Mapped[bool] = mapped_column(default=False)
    counts: Mapped[bool] = mapped_column(default=True)
