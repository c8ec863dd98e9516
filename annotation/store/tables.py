"""All tables of a project, as decided before the first line (docs/store.md says why).

Three kinds, given by ``info={"kind": ..}`` of each table: ``A`` append-only (guarded by triggers),
``M`` mutable, ``C`` cache (derived, rebuilt by ``doctor``, never edited by hand).
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from annotation.store.types import Id, Json, When

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s", "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s", "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {UUID: Id, datetime: When, str: Text, int: BigInteger, bool: Boolean, float: Float,
                           bytes: LargeBinary, Any: Json}


def _key(target: str) -> Any:
    """A primary key that is also a foreign key."""
    return mapped_column(ForeignKey(target), primary_key=True)


def _ref(target: str, **more: Any) -> Any:
    return mapped_column(ForeignKey(target), **more)


A, M, C = ({"info": {"kind": kind}} for kind in "AMC")


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
    __table_args__ = (CheckConstraint("kind in ('human','machine')", name="kind"), M)
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
    person: Mapped[UUID] = _key("person.id")
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
    by: Mapped[UUID] = _ref("person.id")


class ProtocolChange(Base):
    __tablename__ = "protocol_change"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    from_hash: Mapped[str] = _ref("protocol_version.hash")
    to_hash: Mapped[str] = _ref("protocol_version.hash")
    map_json: Mapped[Any]
    at: Mapped[datetime]
    by: Mapped[UUID] = _ref("person.id")


# --- items and media -----------------------------------------------------------------------------

class Item(Base):
    """``current`` is the id of the newest item_version; ``rnd`` orders the queue within a priority."""

    __tablename__ = "item"
    __table_args__ = (
        CheckConstraint("kind in ('item','gold_check','attention','practice','training')", name="kind"),
        CheckConstraint("state in ('active','stale','withdrawn')", name="state"), M,
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
    item: Mapped[UUID] = _ref("item.id")
    rev: Mapped[int] = mapped_column(Integer)
    fields_json: Mapped[Any]
    sha256: Mapped[str]
    at: Mapped[datetime]
    by: Mapped[UUID] = _ref("person.id")
    written_in: Mapped[UUID | None]


class ItemSecret(Base):
    """Fields marked private: another table, because row-level security hides rows, not JSON keys."""

    __tablename__ = "item_secret"
    __table_args__ = (A,)
    item_version: Mapped[UUID] = _key("item_version.id")
    fields_json: Mapped[Any]
    expected_json: Mapped[Any | None]


class ItemTag(Base):
    __tablename__ = "item_tag"
    __table_args__ = (Index(None, "field", "value", "item"), C)
    item: Mapped[UUID] = _key("item.id")
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
    sha256: Mapped[str] = _key("media.sha256")
    part: Mapped[int] = mapped_column(Integer, primary_key=True)
    data: Mapped[bytes]


class ItemMedia(Base):
    """``sha256`` is None where the picture was missing at import (``path`` says which)."""

    __tablename__ = "item_media"
    __table_args__ = (M,)
    item_version: Mapped[UUID] = _key("item_version.id")
    field: Mapped[str] = mapped_column(primary_key=True)
    element: Mapped[str] = mapped_column(primary_key=True, default="")
    sha256: Mapped[str | None] = _ref("media.sha256")
    path: Mapped[str | None]


# --- who does what -------------------------------------------------------------------------------

class Round(Base):
    __tablename__ = "round"
    __table_args__ = (CheckConstraint("kind in ('training','pilot','main','recheck','baseline')", name="kind"), M)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    at: Mapped[datetime]


class ItemStage(Base):
    """The kept result of ``workflow.due``: how many slots are wanted and open at a stage.

    The partial index makes "the next task" one index walk. ``priority`` is negated (``-priority``)
    so that the index is read forwards.
    """

    __tablename__ = "item_stage"
    __table_args__ = (
        CheckConstraint("state in ('waiting','open','done','locked')", name="state"),
        Index("ix_item_stage_open", "stage", "order_key", "rnd", "item",
              sqlite_where=text("open > 0"), postgresql_where=text("open > 0")), C,
    )
    item: Mapped[UUID] = _key("item.id")
    stage: Mapped[str] = mapped_column(primary_key=True)
    round: Mapped[UUID] = _key("round.id")
    protocol: Mapped[str] = _ref("protocol_version.hash")
    want: Mapped[int] = mapped_column(Integer)
    open: Mapped[int] = mapped_column(Integer)
    state: Mapped[str]
    order_key: Mapped[int] = mapped_column(Integer, default=0)
    rnd: Mapped[int]


class Task(Base):
    """One person's turn at one item at one stage; the database refuses the k+1st slot."""

    __tablename__ = "task"
    __table_args__ = (
        CheckConstraint("state in ('claimed','submitted','skipped','expired','withdrawn')", name="state"),
        Index("uq_task_slot", "item", "stage", "round", "slot", unique=True,
              sqlite_where=text("state in ('claimed','submitted')"),
              postgresql_where=text("state in ('claimed','submitted')")),
        Index("uq_task_person", "item", "stage", "round", "person", "repeat_no", unique=True,
              sqlite_where=text("state in ('claimed','submitted')"),
              postgresql_where=text("state in ('claimed','submitted')")),
        Index("ix_task_lease", "lease_until", sqlite_where=text("state = 'claimed'"),
              postgresql_where=text("state = 'claimed'")),
        Index("ix_task_person_state", "person", "state", "stage"), Index("ix_task_item", "item", "stage", "person"), M,
    )
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item: Mapped[UUID] = _ref("item.id")
    item_version: Mapped[UUID] = _ref("item_version.id")
    stage: Mapped[str]
    round: Mapped[UUID] = _ref("round.id")
    slot: Mapped[int] = mapped_column(Integer)
    person: Mapped[UUID] = _ref("person.id")
    protocol: Mapped[str] = _ref("protocol_version.hash")
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
    person: Mapped[UUID] = _key("person.id")
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
    item: Mapped[UUID] = _ref("item.id")
    stage: Mapped[str]
    round: Mapped[UUID] = _ref("round.id")
    person: Mapped[UUID] = _ref("person.id")
    only: Mapped[bool] = mapped_column(default=False)
    by: Mapped[UUID] = _ref("person.id")
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
    by: Mapped[UUID] = _ref("person.id")
    at: Mapped[datetime]


class GuidelineSeen(Base):
    __tablename__ = "guideline_seen"
    __table_args__ = (A,)
    person: Mapped[UUID] = _key("person.id")
    guideline_hash: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]


class Suggestion(Base):
    __tablename__ = "suggestion"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item_version: Mapped[UUID] = _ref("item_version.id")
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
    person: Mapped[UUID] = _ref("person.id")
    kind: Mapped[str]
    value_json: Mapped[Any]
    at: Mapped[datetime]


# --- answers -------------------------------------------------------------------------------------

class DraftRow(Base):
    __tablename__ = "draft"
    __table_args__ = (M,)
    task: Mapped[UUID] = _key("task.id")
    answers_json: Mapped[Any]
    at: Mapped[datetime]


class Revision(Base):
    """One saved set of answers, never changed. ``shown``: nothing, standing or all (independence)."""

    __tablename__ = "revision"
    __table_args__ = (CheckConstraint("shown in ('nothing','standing','all')", name="shown"),
                      Index(None, "task"), Index(None, "person", "at"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    task: Mapped[UUID] = _ref("task.id")
    item_version: Mapped[UUID] = _ref("item_version.id")
    person: Mapped[UUID] = _ref("person.id")
    stage: Mapped[str]
    protocol: Mapped[str] = _ref("protocol_version.hash")
    guideline_hash: Mapped[str]
    answers_json: Mapped[Any]
    answers_sha256: Mapped[str]
    shown: Mapped[str] = mapped_column(default="nothing")
    basis_json: Mapped[Any | None]
    after_reveal: Mapped[bool] = mapped_column(default=False)
    supersedes: Mapped[UUID | None]
    active_ms: Mapped[int] = mapped_column(default=0)
    wall_ms: Mapped[int] = mapped_column(default=0)
    device: Mapped[UUID] = _ref("device.id")
    app_version: Mapped[str]
    at: Mapped[datetime]


class Withdrawal(Base):
    __tablename__ = "withdrawal"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    revision: Mapped[UUID] = _ref("revision.id", unique=True)
    person: Mapped[UUID] = _ref("person.id")
    reason: Mapped[str]
    at: Mapped[datetime]


class Skip(Base):
    __tablename__ = "skip"
    __table_args__ = (Index(None, "task"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    task: Mapped[UUID] = _ref("task.id")
    person: Mapped[UUID] = _ref("person.id")
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
    item: Mapped[UUID] = _key("item.id")
    element: Mapped[str] = mapped_column(primary_key=True, default="")
    question: Mapped[str] = mapped_column(primary_key=True)
    stage: Mapped[str] = mapped_column(primary_key=True)
    person: Mapped[UUID] = _key("person.id")
    repeat_no: Mapped[int] = mapped_column(Integer, primary_key=True, default=0)
    revision: Mapped[UUID] = _ref("revision.id")
    form_hash: Mapped[str]
    value_text: Mapped[str | None]
    value_num: Mapped[float | None]
    na: Mapped[bool] = mapped_column(default=False)
    counts: Mapped[bool] = mapped_column(default=True)


# --- review and gold -----------------------------------------------------------------------------

class Adjudication(Base):
    __tablename__ = "adjudication"
    __table_args__ = (Index(None, "item", "question"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item: Mapped[UUID] = _ref("item.id")
    element: Mapped[str] = mapped_column(default="")
    question: Mapped[str]
    by: Mapped[UUID] = _ref("person.id")
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
    item: Mapped[UUID] = _key("item.id")
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
    __table_args__ = (CheckConstraint("kind in ('sign','unsign')", name="kind"), Index(None, "item_version"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item_version: Mapped[UUID] = _ref("item_version.id")
    person: Mapped[UUID] = _ref("person.id")
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
    item: Mapped[UUID] = _ref("item.id")
    question: Mapped[str | None]
    by: Mapped[UUID] = _ref("person.id")
    at: Mapped[datetime]


class QueryMessage(Base):
    __tablename__ = "query_message"
    __table_args__ = (Index(None, "query"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    query: Mapped[UUID] = _ref("query.id")
    by: Mapped[UUID] = _ref("person.id")
    text: Mapped[str]
    closes: Mapped[bool] = mapped_column(default=False)
    at: Mapped[datetime]


class Flag(Base):
    __tablename__ = "flag"
    __table_args__ = (Index(None, "item"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    item: Mapped[UUID] = _ref("item.id")
    person: Mapped[UUID] = _ref("person.id")
    text: Mapped[str]
    cancels: Mapped[UUID | None]
    at: Mapped[datetime]


# --- releases ------------------------------------------------------------------------------------

class Release(Base):
    """``facts_json`` keeps what else a bundle says and may change later: title, tool, licence, canary, findings."""

    __tablename__ = "release"
    __table_args__ = (CheckConstraint("kind in ('draft','final')", name="kind"), A)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    version: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    protocol: Mapped[str] = _ref("protocol_version.hash")
    manifest_sha256: Mapped[str]
    salt: Mapped[str]
    facts_json: Mapped[Any]
    created: Mapped[datetime]
    by: Mapped[UUID] = _ref("person.id")
    note: Mapped[str] = mapped_column(default="")


class ReleaseItem(Base):
    """An item as released; cluster, slices and media stand here because they may change in the project.

    ``sources_json`` names the revisions and adjudications whose rows go into the bundle.
    """

    __tablename__ = "release_item"
    __table_args__ = (UniqueConstraint("release", "public_id"), Index(None, "item_version"), A)
    release: Mapped[UUID] = _key("release.id")
    item_version: Mapped[UUID] = _key("item_version.id")
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
    release: Mapped[UUID] = _key("release.id")
    item_version: Mapped[UUID] = _key("item_version.id")
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
    release: Mapped[UUID] = _key("release.id")
    person: Mapped[UUID] = _key("person.id")
    pseudonym: Mapped[str]
    facts_json: Mapped[Any]


class Waiver(Base):
    __tablename__ = "waiver"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    release: Mapped[UUID] = _ref("release.id")
    finding: Mapped[str]
    items_json: Mapped[Any]
    reason: Mapped[str]
    by: Mapped[UUID] = _ref("person.id")
    at: Mapped[datetime]


class Erratum(Base):
    __tablename__ = "erratum"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    from_release: Mapped[UUID] = _ref("release.id")
    to_release: Mapped[UUID] = _ref("release.id")
    item: Mapped[UUID] = _ref("item.id")
    why: Mapped[str]
    at: Mapped[datetime]


# --- the trail -----------------------------------------------------------------------------------

class Event(Base):
    """One line of the audit trail: ids and hashes only, chained per device."""

    __tablename__ = "event"
    __table_args__ = (Index("ix_event_reveal", "person", "payload_sha256", sqlite_where=text("verb = 'reveal'"),
                            postgresql_where=text("verb = 'reveal'")), A)
    device: Mapped[UUID] = _key("device.id")
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime]
    person: Mapped[UUID | None] = _ref("person.id")
    verb: Mapped[str]
    ids_json: Mapped[Any]
    payload_sha256: Mapped[str]
    prev_hash: Mapped[str]
    hash: Mapped[str]


# --- studies -------------------------------------------------------------------------------------

class StudyVersion(Base):
    __tablename__ = "study_version"
    __table_args__ = (A,)
    hash: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
    release: Mapped[UUID | None] = _ref("release.id")
    at: Mapped[datetime]


class Sitting(Base):
    __tablename__ = "sitting"
    __table_args__ = (M,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    study: Mapped[str] = _ref("study_version.hash")
    participant: Mapped[UUID] = _ref("person.id")
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
    sitting: Mapped[UUID] = _ref("sitting.id")
    block: Mapped[int] = mapped_column(Integer)
    position: Mapped[int] = mapped_column(Integer)
    item_version: Mapped[UUID] = _ref("item_version.id")
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
    sitting: Mapped[UUID] = _key("sitting.id")
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str]
    at_us: Mapped[int]
    data_json: Mapped[Any | None]


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
    by: Mapped[UUID] = _ref("person.id")


class Pack(Base):
    __tablename__ = "pack"
    __table_args__ = (A,)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    person: Mapped[UUID] = _ref("person.id")
    kind: Mapped[str]
    task_ids_json: Mapped[Any]
    sha256: Mapped[str]
    at: Mapped[datetime]
