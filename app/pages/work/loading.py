"""What the Work page reads on the store's thread: the next turn, one's own earlier answers, how far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from annotation import notes, people, review, tasks
from annotation.errors import N_, Refused, Unknown
from annotation.review import SignCase
from annotation.tasks import TaskView

ANSWERING = ("annotate", "verify")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A task to answer or a case to sign, with the protocol it is read under."""

    view: TaskView | SignCase
    protocol: Any
    stage: str


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside an item: how far this person is, and whether he has flagged it."""

    item: UUID
    done: int
    of: int
    flagged: bool


def next_turn(session: Any, person: UUID, *, stage: str | None = None, besides: UUID | None = None) -> Loaded | None:
    """What this person works on next: a task where one waits, else an item to sign. None: nothing waits."""
    allowed = people.stages(session, person)
    if stage != "sign" and any(name in ANSWERING for name in allowed) and (stage is None or stage in allowed):
        view = tasks.next_task(session, person, stage=stage, besides=besides)
        if view is not None:
            return _loaded(session, view)
    if stage in (None, "sign") and "sign" in allowed:
        return next_signature(session, person, after=besides)
    return None


def claim_ahead(session: Any, person: UUID, *, stage: str, besides: UUID, claimed: list[UUID]) -> Loaded | None:
    """The turn after the one on the screen; its id is noted in ``claimed`` too, for a page that closes meanwhile."""
    found = next_turn(session, person, stage=stage, besides=besides)
    if found is not None and isinstance(found.view, TaskView):
        claimed.append(found.view.id)
    return found


def next_signature(session: Any, person: UUID, *, after: UUID | None = None) -> Loaded | None:
    """The first item that waits for a signature, another than ``after``."""
    for due in review.signing_queue(session, person, limit=2):
        if due.item != after:
            case = review.sign_case(session, due.item)
            return Loaded(case, session.info["store"].protocol_by(case.protocol_hash), "sign")
    return None


def open_taken_back(session: Any, task: UUID) -> Loaded | None:
    """The turn that an undo gave back; None after a redo, whose result is a revision and no task."""
    try:
        return _loaded(session, tasks.open_task(session, task))
    except Unknown:
        return None


def reopen(session: Any, revision: UUID, *, person: UUID) -> Loaded:
    return _loaded(session, tasks.reopen(session, revision, person=person))


def reopen_before(session: Any, person: UUID, *, task: UUID | None) -> Loaded:
    """The answer given before the one that is shown; Refused where there is none."""
    given = [one for one in tasks.mine(session, person) if not one.withdrawn]
    at = next((n for n, one in enumerate(given) if one.task == task), -1)
    if at + 1 >= len(given):
        raise Refused(N_("There is no earlier answer of yours."))
    return reopen(session, given[at + 1].revision, person=person)


def open_key(session: Any, key: str, *, person: UUID, stage: str) -> Loaded:
    """The item with this key, at the stage where one is, else at another of one's own: one's answer to it, or a claim.

    Refused, with the reason at the first of the stages, where it is open at none.
    """
    allowed = people.stages(session, person)
    why: Refused | None = None
    for name in sorted(allowed, key=lambda name: (name != stage, -allowed.index(name))):
        try:
            if name in ANSWERING:
                return _loaded(session, tasks.claim_key(session, person, key, name))
            if name == "sign" and (case := signature_of_key(session, person, key)) is not None:
                return case
        except Refused as refused:
            why = why or refused
    raise why or Refused(N_("there is nothing to do for you at the item '{key}'"), key=key.strip()[:80])


def signature_of_key(session: Any, person: UUID, key: str) -> Loaded | None:
    """The item with this key, if it waits for a signature."""
    for due in review.signing_queue(session, person):
        if due.key.casefold() == key.strip().casefold():
            case = review.sign_case(session, due.item)
            return Loaded(case, session.info["store"].protocol_by(case.protocol_hash), "sign")
    return None


def beside(session: Any, person: UUID, *, stage: str, item: UUID) -> Beside:
    handle = people.by_id(session, person).handle
    flagged = any(flag.handle == handle for flag in notes.flags(session, item=item))
    if stage == "sign":
        left = len(review.signing_queue(session, person))
        return Beside(item, 0, left, flagged)
    done, of = tasks.progress(session, person, stage)
    return Beside(item, done, of, flagged)


def let_go(session: Any, *claimed: UUID) -> None:
    """Give back tasks that were claimed and not begun."""
    for task in claimed:
        tasks.give_back(session, task)


def let_go_listed(session: Any, claimed: list[UUID]) -> None:
    """What is in the list by now, when this runs."""
    let_go(session, *claimed)


def _loaded(session: Any, view: TaskView) -> Loaded:
    return Loaded(view, session.info["store"].protocol_by(view.protocol_hash), view.stage)
