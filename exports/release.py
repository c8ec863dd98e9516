"""Draws a release: gold, public ids, pseudonyms, splits and all else that a bundle says, once and for all."""

from __future__ import annotations

import hashlib
import re
import secrets
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import trail
from annotation.answers import Slot
from annotation.canonical import check_text
from annotation.errors import N_, Refused
from annotation.gold import GoldView
from annotation.gold_item import settle
from annotation.gold_recount import require_counted
from annotation.protocol import Protocol
from annotation.store.ids import new_id
from annotation.store.project import meta, protocol_now, store_of
from annotation.store.tables import (
    Adjudication,
    AnswerRow,
    Item,
    ItemMedia,
    ItemTag,
    ItemVersion,
    Person,
    PersonRole,
    Release,
    ReleaseItem,
    Revision,
    Round,
)
from annotation.store.types import now
from annotation.version import VERSION
from annotation.votes import read_facts
from exports import bundle, errata, frozen, preflight
from exports.about import last_about
from exports.frozen import Frozen, FrozenGold, FrozenItem, FrozenPerson
from exports.holding import held_back, in_the_bundle, inside, judged
from exports.kept import kept_values
from exports.preflight import Finding
from exports.preflight.finding import of_kind
from exports.rows_said import signed_by

FINAL = re.compile(r"(0|[1-9]\d{0,8})(\.(0|[1-9]\d{0,8})){1,2}([-+][0-9A-Za-z.-]{1,40})?")
DRAFT = re.compile(r"0\.(0|[1-9]\d*)")
ROLES = ("annotator", "verifier", "adjudicator", "physician")
CHUNK = 400
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ReleaseReport:
    """``manifest_sha256`` is "" where findings stopped the release and nothing was written."""

    version: str
    kind: str
    manifest_sha256: str
    items: int
    values: int
    findings: tuple[Finding, ...]


def draw(session: Session, version: str | None = None, *, by: UUID, note: str = "", leave_out_open: bool = False,
         strict: bool = False, about: Mapping[str, Any] | None = None,
         examined: Sequence[Finding] | None = None, progress: Progress | None = None,
         cancelled: Callable[[], bool] | None = None) -> ReleaseReport:
    """A draft 0.N of every item with gold, or the final release ``version``.

    A final release is stopped by what is bad and neither settled nor waived; items that wait for somebody may be held
    back (``leave_out_open``), missing pictures always stop it. ``strict``: what is to be warned of stops it too.
    ``about``: what people state of the data set (None: what the last release says).
    ``examined``: what ``examine`` has found already. Raises Refused for a version that is taken or no version, where
    gold rests on people's error rates that are out of date, and where it was cancelled.
    """
    protocol = protocol_now(session)
    require_counted(session)
    note = check_text(note.strip())
    kind = "draft" if version is None else "final"
    version = next_draft(session) if version is None else _checked(session, version)
    values, waiting = held_back(session, kept_values(session, protocol), preflight.look(session, protocol),
                                final=kind == "final", leave_out_open=leave_out_open)
    if examined is None:
        examined = preflight.examine(session, protocol, values, progress=progress, cancelled=cancelled)
    findings = judged(session, [*waiting, *inside(examined, values)], final=kind == "final", strict=strict)
    if any(one.state == "stops" for one in findings):
        return ReleaseReport(version, kind, "", len(values), sum(map(len, values.values())), findings)
    public = _public_ids(session, values)
    drawn = _freeze(session, protocol, version=version, kind=kind, values=values, public=public,
                    about=last_about(session) if about is None else about)
    carried = errata.carried(session, drawn)
    if carried.unexplained:
        untold = [of_kind("unexplained_change", carried.unexplained)]
        findings = (*findings, *judged(session, untold, final=kind == "final", strict=strict))
        if any(one.state == "stops" for one in findings):
            return ReleaseReport(version, kind, "", len(values), sum(map(len, values.values())), findings)
    ids = {some[0].key: public[item] for item, some in values.items()}
    held = {item.public_id for item in drawn.items if item.split in protocol.export.held_out}
    drawn = replace(drawn, facts={**drawn.facts, **carried.facts,
                                  **in_the_bundle(session, findings, ids, drawn.people, held)})
    drawn, manifest_sha256 = bundle.finished(session, drawn)
    release = new_id()
    frozen.write(session, drawn, release=release, manifest_sha256=manifest_sha256, by=by, note=note)
    trail.record(session, "release", person=by, ids={"release": release, "kind": kind},
                 payload={"version": version, "manifest_sha256": manifest_sha256})
    return ReleaseReport(version, kind, manifest_sha256, len(drawn.items),
                         sum(len(item.gold) for item in drawn.items), findings)


def examine(session: Session, *, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None
            ) -> tuple[Finding, ...]:
    """All that preflight finds in the items that a draft would hold, and what waits, held against the waivers."""
    protocol = protocol_now(session)
    values, waiting = held_back(session, kept_values(session, protocol), preflight.look(session, protocol),
                                final=False, leave_out_open=False)
    found = preflight.examine(session, protocol, values, progress=progress, cancelled=cancelled)
    return judged(session, [*waiting, *found], final=True, strict=False)


def newest(session: Session) -> str | None:
    """The version drawn last, or None."""
    known = frozen.versions(session)
    return known[-1] if known else None


def next_draft(session: Session) -> str:
    drafts = [int(one.partition(".")[2]) for one in frozen.versions(session) if DRAFT.fullmatch(one)]
    return f"0.{max(drafts, default=0) + 1}"


def _checked(session: Session, version: str) -> str:
    if not FINAL.fullmatch(version):
        raise Refused(N_("'{version}' is no version; write it as 1.0 or 1.2.3"), code="bad_value", version=version[:80])
    if DRAFT.fullmatch(version):
        raise Refused(N_("{version} is the name of a draft; a final release has a version as 1.0"), code="bad_value",
                      version=version)
    if version in frozen.versions(session):
        raise Refused(N_("there is a release {version} already"), code="exists", version=version)
    return version


# --- drawing -------------------------------------------------------------------------------------

def _freeze(session: Session, protocol: Protocol, *, version: str, kind: str, values: Mapping[UUID, list[GoldView]],
            public: Mapping[UUID, str], about: Mapping[str, Any]) -> Frozen:
    canary = _canary(session)
    items, people = [], set()
    for chunk in _chunks(sorted(values)):
        made, workers = _items(session, protocol, chunk, values, public, canary)
        items += made
        people |= workers
    return Frozen(
        version=version, kind=kind, protocol=protocol.hash, salt=secrets.token_hex(32),
        created=now().replace(microsecond=0),
        facts={
            "name": meta(session).get("title", protocol.title), "tool": {"name": "goldsmith", "version": VERSION},
            "about": dict(about), "canary": canary,
            "rounds": {id.hex: name for id, name in session.execute(select(Round.id, Round.name))},
        },
        items=tuple(sorted(items, key=lambda item: item.public_id)), people=_pseudonyms(session, people))


def _items(session: Session, protocol: Protocol, chunk: Sequence[UUID], values: Mapping[UUID, list[GoldView]],
           public: Mapping[UUID, str], canary: str) -> tuple[list[FrozenItem], set[UUID]]:
    rows = {row.id: row for row in session.execute(
        select(Item.id, Item.current, Item.cluster, ItemVersion.fields_json)
        .join(ItemVersion, ItemVersion.id == Item.current).where(Item.id.in_(chunk)))}
    private = {field.name for field in protocol.fields if field.private}
    tags: dict[UUID, dict[str, Any]] = {}
    for item, field, value in session.execute(
            select(ItemTag.item, ItemTag.field, ItemTag.value).where(ItemTag.item.in_(chunk))
            .order_by(ItemTag.item, ItemTag.field, ItemTag.value)):
        if field not in private:
            tags.setdefault(item, {}).setdefault(field, []).append(value)
    media: dict[UUID, list[dict[str, Any]]] = {}
    there = store_of(session).media
    for version, field, element, sha256 in session.execute(
            select(ItemMedia.item_version, ItemMedia.field, ItemMedia.element, ItemMedia.sha256)
            .where(ItemMedia.item_version.in_([row.current for row in rows.values()]))
            .order_by(ItemMedia.item_version, ItemMedia.field, ItemMedia.element)):
        if field not in private:
            kept = sha256 if sha256 is not None and there.exists(sha256) else None
            media.setdefault(version, []).append({"field": field, "element": element, "sha256": kept})
    revisions, workers = _revisions(session, chunk)
    decisions = _decisions(session, protocol, chunk)
    signoffs = signed_by(session, [row.current for row in rows.values()])
    workers |= {by for some in decisions.values() for _, by in some.values()}
    workers |= {by for some in signoffs.values() for _, by in some}
    return [FrozenItem(
        item_version=rows[item].current, public_id=public[item], cluster=rows[item].cluster,
        split=split_of(protocol.export.splits, rows[item].cluster or public[item], canary),
        slices={field: some[0] if len(some) == 1 else some for field, some in tags.get(item, {}).items()},
        media=tuple(media.get(rows[item].current, ())),
        sources={"revisions": revisions.get(item, {}),
                 "adjudications": {id: before for id, (before, _) in decisions.get(item, {}).items()},
                 "signoffs": [id for id, _ in signoffs.get(rows[item].current, ())]},
        gold=tuple(_gold(view) for view in values[item])) for item in chunk], workers


def _gold(view: GoldView) -> FrozenGold:
    agreement = None if view.agreement is None else {
        "metric": "percent_agreement", "level": "nominal", "value": view.agreement, "n": view.n}
    return FrozenGold(view.element, view.question, view.answer, {
        "rule": view.rule, "n": view.n, "agreement": agreement, "standing": view.standing, "signed": view.signed})


def _revisions(session: Session, chunk: Sequence[UUID]) -> tuple[dict[UUID, dict[str, bool]], set[UUID]]:
    """The standing revisions per item, each with whether it counts, and the people who gave them."""
    found: dict[UUID, dict[str, bool]] = {}
    people = set()
    for item, revision, counts, person in session.execute(
            select(AnswerRow.item, AnswerRow.revision, AnswerRow.counts, Revision.person)
            .join(Revision, Revision.id == AnswerRow.revision).where(AnswerRow.item.in_(chunk)).distinct()):
        found.setdefault(item, {})[revision.hex] = bool(counts)
        people.add(person)
    return found, people


def _decisions(session: Session, protocol: Protocol, chunk: Sequence[UUID]
               ) -> dict[UUID, dict[str, tuple[Any, UUID]]]:
    """The standing adjudications per item: (what gold would be without them, who decided)."""
    by = {id: person for id, person in session.execute(
        select(Adjudication.id, Adjudication.by).where(Adjudication.item.in_(chunk)))}
    found: dict[UUID, dict[str, tuple[Any, UUID]]] = {}
    for facts in read_facts(session, protocol, list(chunk)):
        if facts.adjudicated:
            without = settle(protocol, facts.fields, facts.votes, adjudicated={}, repaired=facts.repaired,
                             models=facts.models).values
            found[facts.item] = {one.row.hex: (_answer_at(without, slot), by[one.row])
                                 for slot, one in facts.adjudicated.items()}
    return found


def _answer_at(values: Mapping[Slot, Any], slot: Slot) -> Any:
    return dict(values[slot].answer) if slot in values else None


def _public_ids(session: Session, items: Iterable[UUID]) -> dict[UUID, str]:
    """The id that an item had in earlier releases; a new one is drawn for the others.

    A letter comes first, so that no program takes an id for a number.
    """
    kept = {item: public for item, public in session.execute(
        select(ItemVersion.item, ReleaseItem.public_id).join(ItemVersion, ItemVersion.id == ReleaseItem.item_version))}
    taken = set(kept.values())
    found = {}
    for item in items:
        found[item] = kept.get(item) or _fresh(taken)
        taken.add(found[item])
    return found


def _fresh(taken: set[str]) -> str:
    while (drawn := "g" + secrets.token_hex(8)[1:]) in taken:
        pass
    return drawn


def _canary(session: Session) -> str:
    """One string for the data set: that of the first release, else a new one."""
    first = session.scalars(select(Release.facts_json).order_by(Release.created, Release.id).limit(1)).first()
    return first["canary"] if first is not None else f"goldsmith canary GUID {uuid.UUID(bytes=secrets.token_bytes(16))}"


def split_of(splits: Mapping[str, float], unit: str, canary: str) -> str:
    """The split of a cluster (of an item, where it has none): the same in every release of this data set.

    By a hash against the cumulated shares, so that a new item never moves an old one.
    """
    drawn = int.from_bytes(hashlib.sha256(f"{canary}\x1f{unit}".encode()).digest()[:8], "big") / 2**64
    total, below = sum(splits.values()), 0.0
    for name, share in splits.items():
        below += share / total
        if drawn < below:
            return name
    return list(splits)[-1]


def _pseudonyms(session: Session, people: Iterable[UUID]) -> dict[UUID, FrozenPerson]:
    """annotator-01, .. in an order drawn for this release: the same person has another number in the next."""
    drawn = sorted(people)
    secrets.SystemRandom().shuffle(drawn)
    kinds = {person: kind for person, kind in session.execute(select(Person.id, Person.kind))}
    roles: dict[UUID, set[str]] = {}
    for person, role in session.execute(select(PersonRole.person, PersonRole.role)):
        roles.setdefault(person, set()).add(role)
    width = max(2, len(str(len(drawn))))
    return {person: FrozenPerson(f"annotator-{n:0{width}d}", kinds[person],
                                 tuple(role for role in ROLES if role in roles.get(person, ())))
            for n, person in enumerate(drawn, 1)}


def _chunks(items: Sequence[UUID]) -> Iterable[list[UUID]]:
    return (list(items[start : start + CHUNK]) for start in range(0, len(items), CHUNK))
