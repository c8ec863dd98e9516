"""Registering: what a study is going to do, written down, dated and hashed before the first sitting that counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from annotation import canonical, people, trail
from annotation.done import Done
from annotation.errors import N_, Refused
from annotation.store.project import meta
from annotation.store.tables import Meta, Release, Sitting
from annotation.store.types import now
from annotation.version import VERSION
from studies import places, sittings
from studies.design import design
from studies.model import Study
from studies.picking import items, pool_sha256, release_of
from studies.plan import GENERATOR
from studies.registration_text import markdown
from studies.sittings import REGISTERED

SCHEMA = "goldsmith/registration/1"


@dataclass(frozen=True, slots=True)
class Document:
    """A registration: ``text`` is canonical JSON, ``sha256`` its hash, ``body`` the same as values.

    ``at`` is None where it is not registered but only shown.
    """

    study: str
    at: datetime | None
    body: Mapping[str, Any]
    text: str
    sha256: str

    @property
    def markdown(self) -> str:
        """For people and registries."""
        return markdown(self.body, self.sha256)


@dataclass(frozen=True, slots=True)
class Deviation:
    """What is otherwise than registered; str() gives the English sentence of ``template`` and ``values``."""

    code: str
    template: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template.format(**self.values)


def document(session: Session, study_hash: str, *, at: datetime | None = None) -> Document:
    """What would be registered now. The items are drawn into lists as they will be when sittings begin.

    It holds the keys of the items, never their contents nor a right answer.
    """
    study = sittings.load(session, study_hash)
    pool = items(session, study)
    made = design(study, pool)
    release = session.scalar(select(Release.version).where(Release.id == release_of(session, study)))
    shape = study.model_dump(mode="json", by_alias=True, exclude={"languages"})

    def keys(part: Any) -> list[list[str]]:
        return [[made.items[one.item_index].key, one.condition] for one in part]

    return _document(study.hash, at, {
        "schema": SCHEMA, "registered": None if at is None else at.isoformat().replace("+00:00", "Z"),
        "study": {"id": study.id, "version": study.version, "title": study.title, "hash": study.hash,
                  "text": study.text},
        "target": study.people, "seed": study.seed, "generators": [made.generator, GENERATOR],
        "program": VERSION, "release": release, "items": len(pool), "items_sha256": pool_sha256(pool),
        "exclusion": shape["exclusion"], "analysis": shape["analysis"],
        "design": {name: value for name, value in shape.items()
                   if name not in ("exclusion", "analysis", "people", "seed", "id", "version", "title")},
        "lists": [keys(part) for part in made.lists], "practice": [keys(part) for part in made.practice],
        "attention": [keys(part) for part in made.attention],
        "block_orders": [list(one) for one in made.block_orders]})


def register(session: Session, study_hash: str, *, by: UUID) -> Done:
    """Keep the document and its hash in the chained trail. ``Done.value`` is a Document.

    Refused where it was registered before, and after the first sitting that counts. It cannot be taken back.
    """
    people.require_right(session, by, "study")
    study = sittings.load(session, study_hash)
    places.lock(session, study)
    if registered(session, study.hash) is not None:
        raise Refused(N_("'{title}' is registered already"), code="exists", title=study.title)
    if any(not one.pilot for one in places.begun(session, study)):
        raise Refused(N_("somebody has sat for '{title}' in earnest: it is too late to register it"), code="begun",
                      title=study.title)
    made = document(session, study.hash, at=now())
    session.execute(insert(Meta).values(key=REGISTERED + study.hash, value=made.text))
    trail.record(session, "study_register", person=by, payload=made.body,
                 ids={"study": study.hash, "document_sha256": made.sha256})
    return Done("Register study", frozenset({"studies"}), None, made)


def registered(session: Session, study_hash: str) -> Document | None:
    """The document of this version of a study as it was registered, or None."""
    text = session.scalar(select(Meta.value).where(Meta.key == REGISTERED + study_hash))
    if text is None:
        return None
    body = canonical.loads(text)
    return _document(study_hash, datetime.fromisoformat(body["registered"]), body)


def deviations(session: Session, study_hash: str) -> tuple[Deviation, ...]:
    """In what this version of a study, and what was done with it, differs from what was registered.

    Held against its own registration, else against the last one of an earlier version; () where there is none.
    """
    study = sittings.load(session, study_hash)
    plan = registered(session, study.hash) or _of_another_version(session, study)
    if plan is None or plan.at is None:
        return ()
    return (*_changed(session, study, plan), *_used(session, study, plan, plan.at))


def _changed(session: Session, study: Study, plan: Document) -> list[Deviation]:
    found, body = [], plan.body
    shape = study.model_dump(mode="json", by_alias=True, exclude={"languages"})
    if plan.study != study.hash:
        found.append(Deviation("version", N_("version {then} is registered, and this is version {now}"),
                               {"then": body["study"]["version"], "now": study.version}))
    for code, template, then, now_ in (
            ("seed", N_("the seed is {now}, and {then} is registered"), body["seed"], study.seed),
            ("target", N_("{now} people are wanted, and {then} are registered"), body["target"], study.people)):
        if then != now_:
            found.append(Deviation(code, template, {"then": then, "now": now_}))
    if shape["exclusion"] != body["exclusion"]:
        found.append(Deviation("exclusion", N_("what is excluded is otherwise than registered")))
    if shape["analysis"] != body["analysis"]:
        found.append(Deviation("analysis", N_("the primary analysis is otherwise than registered")))
    other = sorted(name for name, value in body["design"].items() if shape.get(name) != value)
    if other:
        found.append(Deviation("design", N_("otherwise than registered: {names}"), {"names": ", ".join(other)}))
    try:
        pool = pool_sha256(items(session, study))
    except Refused:  # its release or its items are gone
        pool = ""
    if pool != body["items_sha256"]:
        found.append(Deviation("items", N_("the items are not those that were registered")))
    return found


def _used(session: Session, study: Study, plan: Document, at: datetime) -> list[Deviation]:
    found = []
    early = [row.id for row in session.execute(select(Sitting.id, Sitting.study, Sitting.checks_json)
                                               .where(Sitting.at < at))
             if not row.checks_json["pilot"] and sittings.load(session, row.study).id == study.id]
    if early:
        found.append(Deviation("begun_before", N_("1 sitting was begun before it was registered")
                               if len(early) == 1 else N_("{n} sittings were begun before it was registered"),
                               {"n": len(early)}))
    n = sittings.counts(session, study.hash).completed
    if n > plan.body["target"]:
        found.append(Deviation("more_people", N_("{n} people have completed it, and {target} are registered"),
                               {"n": n, "target": plan.body["target"]}))
    return found


def _of_another_version(session: Session, study: Study) -> Document | None:
    """The last registration of a study with the same id."""
    all_ = (registered(session, key.removeprefix(REGISTERED)) for key in meta(session) if key.startswith(REGISTERED))
    return max((one for one in all_ if one is not None and one.body["study"]["id"] == study.id),
               key=lambda one: one.body["registered"], default=None)


def _document(study: str, at: datetime | None, body: Mapping[str, Any]) -> Document:
    return Document(study, at, body, canonical.dumps(body), canonical.sha256(body))
