"""Signing an item: the exact values are shown, the name is entered again, and the values are locked."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from annotation import canonical, gold, people, stages, staleness, trail
from annotation.answers import Answer, Slot
from annotation.canonical import check_text
from annotation.done import Done, Undo
from annotation.errors import N_, NotAllowed, Refused, Unknown
from annotation.store.ids import new_id
from annotation.store.project import protocol_now
from annotation.store.tables import Gold, Item, ItemStage, ItemVersion, Release, ReleaseItem, SignOff
from annotation.store.types import now
from annotation.votes import read_facts, signature_of

TOUCHED = frozenset({"signatures", "gold", "progress", "items"})
MEANING = N_("I have read this item and its values and stand for them.")
METHOD = "name"  # the name entered again; other methods come with servers
SITTING = "sitting"  # the name was entered at an earlier signature of this sitting, which the trail names


@dataclass(frozen=True, slots=True)
class DueSignature:
    item: UUID
    key: str


@dataclass(frozen=True, slots=True)
class SignValue:
    """One value to be signed, with where it comes from (adjudicated, repair or rule)."""

    slot: Slot
    text: str
    answer: Answer
    rule: str
    standing: str
    n: int


@dataclass(frozen=True, slots=True)
class SignCase:
    """What is signed, as it stands now. ``shown_sha256`` is the hash of the fields and values shown here."""

    item: UUID
    version: UUID
    key: str
    rev: int
    fields: Mapping[str, Any]
    protocol_hash: str
    values: tuple[SignValue, ...]
    missing: tuple[tuple[Slot, str], ...]
    meaning: str
    shown_sha256: str
    gold_sha256: str
    signed: bool


def signing_queue(session: Session, person: UUID, *, limit: int = 500) -> tuple[DueSignature, ...]:
    """Items whose values wait for a signature, in the order of the queue. Raises NotAllowed."""
    people.require_right(session, person, "sign")
    return tuple(DueSignature(item, key) for item, key in session.execute(
        select(ItemStage.item, Item.key).join(Item, Item.id == ItemStage.item)
        .where(ItemStage.stage == "sign", ItemStage.open > 0)
        .order_by(ItemStage.order_key, ItemStage.rnd, ItemStage.item).limit(limit)))


def sign_case(session: Session, item: UUID) -> SignCase:
    """The exact values that a signature would stand for."""
    protocol = protocol_now(session)
    row = session.execute(select(Item.key, Item.current, ItemVersion.rev, ItemVersion.fields_json)
                          .join(ItemVersion, ItemVersion.id == Item.current).where(Item.id == item)).first()
    if row is None:
        raise Unknown(N_("there is no item {item}"), item=item.hex)
    facts = next(read_facts(session, protocol, [item]))
    missing = {} if facts.signed is not None else gold.settled(protocol, facts).missing
    order = {name: n for n, name in enumerate(protocol.value_names)}
    found = sorted(gold.gold(session, item=item), key=lambda g: (order.get(g.question, len(order)), g.element or ""))
    values = tuple(SignValue(
        Slot(g.question, g.element),
        protocol.question(g.question).text if protocol.has_question(g.question) else g.question,
        g.answer, g.rule, g.standing, g.n) for g in found)
    hashed = [(value.slot.element or "", value.slot.question, value.answer) for value in values]
    listed = sorted(hashed, key=lambda one: one[:2])
    return SignCase(
        item, row.current, row.key, row.rev, row.fields_json, protocol.hash, values, tuple(missing.items()), MEANING,
        canonical.sha256({"fields": row.fields_json, "values": [list(one) for one in listed]}),
        gold.values_sha256(hashed), facts.signed is not None)


def sign(session: Session, item: UUID, *, by: UUID, name_entered: str = "", entered_at: UUID | None = None,
         meaning: str = "", shown_sha256: str | None = None) -> Done:
    """Sign the values that stand, and lock them.

    ``name_entered`` must be the person's name or handle; or, where the protocol asks once in a sitting,
    ``entered_at`` is the signature at which it was. ``shown_sha256``: of the case that was on the screen; if the
    values have changed since, nothing is signed. Raises NotAllowed, Refused (wrong name, not due, changed).
    """
    person = people.require_right(session, by, "sign")
    if not person.active:  # set so while his window is open
        raise NotAllowed(N_("'{handle}' does not work in this project any more"), handle=person.handle)
    if entered_at is not None:
        _require_entered(session, entered_at, by)
    elif _plain(name_entered) not in {_plain(person.name), _plain(person.handle)} - {""}:
        raise Refused(N_("'{entered}' is not your name; enter {name} to sign"), code="wrong_name",
                      entered=name_entered.strip()[:80], name=person.shown)
    if signature_of(session, item) is not None:
        raise Refused(N_("this item is signed already"), code="signed")
    case = sign_case(session, item)
    if not session.scalar(select(ItemStage.item).where(ItemStage.item == item, ItemStage.stage == "sign",
                                                       ItemStage.open > 0)):
        raise Refused(N_("this item is not ready to be signed"), code="not_open")
    if shown_sha256 is not None and shown_sha256 != case.shown_sha256:
        raise Refused(N_("the values have changed since they were shown; read them again"), code="changed")
    if not case.values:
        raise Refused(N_("there is no value to sign"), code="missing_value")
    made = new_id()
    session.execute(insert(SignOff).values(
        id=made, item_version=case.version, person=by, kind="sign", meaning=check_text(meaning.strip()) or MEANING,
        shown_sha256=case.shown_sha256, gold_sha256=case.gold_sha256, method=SITTING if entered_at else METHOD,
        cancels=None, reason="", at=now()))
    session.execute(update(Gold).where(Gold.item == item).values(locked=True)
                    .execution_options(synchronize_session=False))
    stages.refresh(session, item)
    trail.record(session, "sign", person=by, ids={"item": item, "sign_off": made,
                                                  **({"entered_at": entered_at} if entered_at else {})},
                 payload={"shown": case.shown_sha256, "gold": case.gold_sha256})
    return Done("Sign", TOUCHED, Undo("unsign", (made.hex,)), made)


def unsign(session: Session, item: UUID, *, by: UUID, reason: str = "") -> Done:
    """Unlock the values: a new row that points to the signature. Releases that hold them stay as they are."""
    people.require_right(session, by, "sign")
    signature = signature_of(session, item)
    if signature is None:
        raise Refused(N_("this item is not signed"), code="not_open")
    signed = session.execute(select(SignOff.item_version, SignOff.shown_sha256, SignOff.gold_sha256)
                             .where(SignOff.id == signature)).one()
    made = new_id()
    session.execute(insert(SignOff).values(
        id=made, item_version=signed.item_version, person=by, kind="unsign", meaning="",
        shown_sha256=signed.shown_sha256, gold_sha256=signed.gold_sha256, method=METHOD, cancels=signature,
        reason=check_text(reason.strip()), at=now()))
    stages.refresh(session, item)
    staleness.refresh(session, item)
    trail.record(session, "unsign", person=by, ids={"item": item, "sign_off": made, "cancels": signature})
    return Done("Take back signature", TOUCHED, None, made)


def undo_sign(session: Session, signature: UUID, *, by: UUID) -> Done:
    """The reverse of ``sign``. Refused where it was taken back already, or a final release holds the item since."""
    row = session.execute(select(SignOff.item_version, SignOff.at, ItemVersion.item).join(
        ItemVersion, ItemVersion.id == SignOff.item_version).where(SignOff.id == signature)).first()
    if row is None or signature_of(session, row.item) != signature:
        raise Refused(N_("this signature does not stand any more"), code="built_on")
    released = session.scalar(select(Release.version).join(ReleaseItem, ReleaseItem.release == Release.id).where(
        ReleaseItem.item_version == row.item_version, Release.kind == "final", Release.created >= row.at).limit(1))
    if released is not None:
        raise Refused(N_("release {version} holds this item as signed; unlock it with a reason instead"),
                      code="built_on", version=released)
    return unsign(session, row.item, by=by)


def _require_entered(session: Session, signature: UUID, by: UUID) -> None:
    """Refused unless the protocol asks once in a sitting and this person entered the name at that signature."""
    if protocol_now(session).workflow.sign.reauthenticate != "sitting":
        raise Refused(N_("here the name is entered at each item"), code="wrong_name")
    if not session.scalar(select(SignOff.id).where(SignOff.id == signature, SignOff.person == by,
                                                   SignOff.kind == "sign", SignOff.method == METHOD)):
        raise Refused(N_("enter your name to sign"), code="wrong_name")


def _plain(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split()).casefold()
