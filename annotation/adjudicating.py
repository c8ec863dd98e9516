"""An adjudicator's verbs: decide, send back for one more person's answer, and take either back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from annotation import answers as answers_of
from annotation import form, gold, stages, staleness, trail
from annotation.adjudication_case import Case, adjudication_case, check_adjudicator
from annotation.answers import Answer, Slot
from annotation.canonical import check_text
from annotation.done import Done, Undo
from annotation.errors import N_, AnswerError, Refused, Unknown
from annotation.protocol import Protocol
from annotation.store.ids import new_id
from annotation.store.project import protocol_now
from annotation.store.tables import Adjudication, Item, ItemVersion, Task
from annotation.store.types import now
from annotation.votes import signature_of

TOUCHED = frozenset({"adjudication", "gold", "progress", "items"})
SEND_BACK = ""  # the question of a row that decides nothing but asks for one more person


def adjudicate(session: Session, item: UUID, values: Mapping[Slot, Answer], *, by: UUID, reason: str = "",
               inputs: Sequence[UUID] | None = None, order: Mapping[str, Any] | None = None) -> Done:
    """Decide slots of an item. The decision stands above every rule until it is taken back.

    ``inputs``: revisions that were shown, from left to right (default: all that stand). ``order``: in which options
    and candidates were shown (``Case.order``); None where no case was shown. Both are kept with the decision, so that
    an effect of the place can be looked for. A slot may be decided again; the last decision stands.
    Slots that stay undecided keep the item in the queue. Raises NotAllowed (role, or own answer),
    Refused (signed, withdrawn, no reason where the protocol wants one), AnswerError (a value its question does
    not take, or values that clash with what stands).
    """
    check_adjudicator(session, by, item)
    protocol = protocol_now(session)
    fields = _fields(session, item)
    _check_open(session, item)
    reason = _reason(protocol, reason)
    if not values:
        raise Refused(N_("nothing was decided"), code="missing_value")
    case = adjudication_case(session, item)
    checked = check_values(protocol, fields, values, standing=case.standing)
    rows = [_decided(case, slot, answer, by=by, reason=reason, inputs=inputs, order=order)
            for slot, answer in checked.items()]
    return _append(session, item, rows, by=by, verb="adjudicate", label="Adjudicate", undo="unadjudicate")


def adjudicate_second(session: Session, item: UUID, values: Mapping[Slot, Answer], *, of: Mapping[Slot, UUID], by: UUID,
                      case: Case, reason: str = "", order: Mapping[str, Any] | None = None) -> Done:
    """Rows beside the decisions ``of`` which stand: they decide nothing and say how far two adjudicators agree.

    ``case``: what was before this person. Who may is checked by ``second_adjudication``, which calls this.
    """
    protocol = protocol_now(session)
    _check_open(session, item)
    reason = _reason(protocol, reason)
    checked = check_values(protocol, _fields(session, item), values, standing=case.standing)
    rows = [{**_decided(case, slot, answer, by=by, reason=reason, inputs=None, order=order), "second_of": of[slot]}
            for slot, answer in checked.items()]
    return _append(session, item, rows, by=by, verb="adjudicate", label="Adjudicate", undo="unadjudicate")


def _decided(case: Case, slot: Slot, answer: Answer, *, by: UUID, reason: str, inputs: Sequence[UUID] | None,
             order: Mapping[str, Any] | None) -> dict[str, Any]:
    seen = [one.revision for one in case.answers] if inputs is None else list(inputs)
    said = {one.revision: one.answers for one in case.answers}
    return {
        "id": new_id(), "item": case.item, "element": slot.element or "", "question": slot.question, "by": by,
        "value_json": dict(answer), "reason": reason, "at": now(),
        "inputs_json": {
            "answers": [{"revision": revision.hex, "answer": answers_of.get(said.get(revision, {}), slot)}
                        for revision in seen],
            "order": None if order is None else dict(order)},
        "second_of": None, "cancels": None,
    }


def check_values(protocol: Protocol, fields: Mapping[str, Any], values: Mapping[Slot, Answer], *,
                 standing: answers_of.Answers) -> dict[Slot, Answer]:
    """The values as they are stored, each checked by its question, and all together against what stands."""
    known = set(form.all_slots(protocol, fields))
    checked: dict[Slot, Answer] = {}
    together = standing
    for slot, answer in values.items():
        if slot in known:
            checked[slot] = protocol.question(slot.question).check(
                answer, fields=fields, element_value=_element(protocol, fields, slot))
            together = answers_of.put(together, slot, checked[slot])
        elif slot.question in protocol.derive:
            checked[slot] = _check_derived(protocol, slot, answer)
        else:
            raise AnswerError(N_("'{slot}' is not asked of this item"), slot=str(slot))
    asked = {name: found for name, found in together.items() if protocol.has_question(name)}
    for conflict in form.conflicts(protocol, fields, asked):
        if conflict.level == "block" and any(slot in checked for slot in conflict.slots):
            raise AnswerError(N_("{sentence}"), sentence=conflict.sentence)
    return checked


def send_back(session: Session, item: UUID, *, by: UUID, reason: str = "") -> Done:
    """Ask one more person, who has not answered the item, instead of deciding: a slot opens at annotate.

    The item waits for that answer and then comes back to adjudication if it is still undecided. Each time asks
    one more, up to twice the people of the protocol. What was decided before stands.
    """
    check_adjudicator(session, by, item)
    _check_open(session, item)
    row = {"id": new_id(), "item": item, "element": "", "question": SEND_BACK, "by": by, "value_json": None,
           "reason": _reason(protocol_now(session), reason), "inputs_json": {}, "second_of": None, "cancels": None,
           "at": now()}
    return _append(session, item, [row], by=by, verb="send_back", label="Send back", undo="unsend_back")


def undo_adjudicate(session: Session, ids: Sequence[UUID], *, by: UUID) -> Done:
    """Cancel decisions (new rows that point to them). Refused where somebody decided again since, or signed."""
    rows = _rows(session, ids)
    item = rows[0].item
    _check_open(session, item)
    for row in rows:
        newer = session.scalar(select(Adjudication.id).where(
            Adjudication.item == item, Adjudication.question == row.question, Adjudication.element == row.element,
            Adjudication.id > row.id, Adjudication.second_of.is_(None) if row.second_of is None
            else Adjudication.second_of == row.second_of).limit(1))
        if newer is not None:
            raise Refused(N_("this was decided again or taken back since"), code="built_on")
    return _append(session, item, [_cancel(row, by) for row in rows], by=by, verb="unadjudicate",
                   label="Take back adjudication", undo="readjudicate", undo_ids=[row.id for row in rows])


def redo_adjudicate(session: Session, ids: Sequence[UUID], *, by: UUID) -> Done:
    """Decide as in rows that were taken back: new rows with the same values and reasons."""
    rows = _rows(session, ids)
    item = rows[0].item
    check_adjudicator(session, by, item)
    _check_open(session, item)
    again = [{"id": new_id(), "item": item, "element": row.element, "question": row.question, "by": by,
              "value_json": row.value_json, "reason": row.reason, "inputs_json": row.inputs_json,
              "second_of": row.second_of, "cancels": None, "at": now()} for row in rows]
    return _append(session, item, again, by=by, verb="adjudicate", label="Adjudicate", undo="unadjudicate")


def decide_again(session: Session, ids: Sequence[UUID], *, by: UUID) -> None:
    """Decisions that were taken back with the answers they rest on stand again as their authors made them."""
    rows = _rows(session, ids)
    authors = {row.id: row.by for row in session.execute(
        select(Adjudication.id, Adjudication.by).where(Adjudication.id.in_(ids)))}
    _append(session, rows[0].item, [
        {"id": new_id(), "item": row.item, "element": row.element, "question": row.question, "by": authors[row.id],
         "value_json": row.value_json, "reason": row.reason, "inputs_json": row.inputs_json,
         "second_of": row.second_of, "cancels": None, "at": now()} for row in rows],
        by=by, verb="decide_again", label="Adjudicate", undo=None)


def undo_send_back(session: Session, ids: Sequence[UUID], *, by: UUID) -> Done:
    """Refused once somebody has begun the answer that was asked for."""
    rows = _rows(session, ids)
    item = rows[0].item
    _check_open(session, item)
    cancelled = session.scalar(select(Adjudication.id).where(Adjudication.cancels == rows[0].id).limit(1))
    begun = session.scalar(select(Task.id).where(
        Task.item == item, Task.stage == "annotate", Task.at > rows[0].at,
        Task.state.in_(("claimed", "submitted"))).limit(1))
    if cancelled is not None or begun is not None:
        raise Refused(N_("somebody has begun to answer this item again"), code="built_on")
    return _append(session, item, [_cancel(row, by) for row in rows], by=by, verb="unsend_back",
                   label="Take back sending back", undo=None)


def _append(session: Session, item: UUID, rows: list[dict[str, Any]], *, by: UUID, verb: str, label: str,
            undo: str | None, undo_ids: Sequence[UUID] | None = None) -> Done:
    session.execute(insert(Adjudication), rows)
    made = [row["id"] for row in rows]
    stages.refresh(session, item)  # gold with it
    staleness.refresh(session, item)
    trail.record(session, verb, person=by, ids={"item": item, "adjudications": made},
                 payload=[[row["id"].hex, gold.values_sha256([(row["element"], row["question"], row["value_json"])])]
                          for row in rows])
    back = None if undo is None else Undo(undo, tuple(one.hex for one in undo_ids or made))
    return Done(label, TOUCHED, back, tuple(made))


def _cancel(row: Any, by: UUID) -> dict[str, Any]:
    return {"id": new_id(), "item": row.item, "element": row.element, "question": row.question, "by": by,
            "value_json": None, "reason": "", "inputs_json": {}, "second_of": None, "cancels": row.id, "at": now()}


def _rows(session: Session, ids: Sequence[UUID]) -> list[Any]:
    rows = list(session.execute(select(
        Adjudication.id, Adjudication.item, Adjudication.element, Adjudication.question, Adjudication.value_json,
        Adjudication.reason, Adjudication.inputs_json, Adjudication.second_of, Adjudication.at)
        .where(Adjudication.id.in_(ids)).order_by(Adjudication.id)))
    if not rows:
        raise Unknown(N_("there is no such decision"))
    return rows


def _fields(session: Session, item: UUID) -> Any:
    found = session.execute(select(ItemVersion.fields_json).join(Item, Item.current == ItemVersion.id)
                            .where(Item.id == item)).first()
    if found is None:
        raise Unknown(N_("there is no item {item}"), item=item.hex)
    return found[0]


def _check_open(session: Session, item: UUID) -> None:
    if session.scalar(select(Item.state).where(Item.id == item)) == "withdrawn":
        raise Refused(N_("this item was withdrawn"), code="withdrawn")
    if signature_of(session, item) is not None:
        raise Refused(N_("this item is signed; it must be unlocked first"), code="signed")


def _reason(protocol: Protocol, reason: str) -> str:
    reason = check_text(reason.strip())
    if not reason and protocol.workflow.adjudicate.reason == "required":
        raise Refused(N_("this protocol wants a reason with every decision"), code="missing_value")
    return reason


def _element(protocol: Protocol, fields: Mapping[str, Any], slot: Slot) -> Any:
    group = protocol.group_of(slot.question)
    if group is None:
        return None
    return next((one.value for one in form.elements(protocol, fields, group.for_each) if one.id == slot.element), None)


def _check_derived(protocol: Protocol, slot: Slot, answer: Answer) -> Answer:
    """A computed value that people's answers leave open may be decided itself."""
    options = protocol.options_of(slot.question)
    value = answer.get("v")
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if (options and value not in options) or (protocol.scale_of(slot.question) == "interval" and not is_number):
        raise AnswerError(N_("'{name}': '{value}' is none of its values"), name=str(slot), value=str(value)[:80])
    if value is None:
        raise AnswerError(N_("'{name}': the answer is empty"), name=str(slot), code="missing_value")
    return {"v": value}
