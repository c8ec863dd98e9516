"""Showing: all that it takes to show a sitting, read at once before it begins or goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import people
from annotation.errors import N_, Refused, Unknown
from annotation.protocol import Protocol
from annotation.store.tables import ItemVersion
from studies import keeping, participants, sittings
from studies.facts import Fact
from studies.picking import protocol_of, release_of
from studies.sittings import OpenSitting, SittingView, StudyView

CHUNK = 500  # ids in one question to the database


@dataclass(frozen=True, slots=True)
class AtHand:
    """``fields``: what each item version of the plan shows, by its id in hex; what is private is not among it."""

    sitting: OpenSitting
    protocol: Protocol
    facts: tuple[Fact, ...]
    fields: Mapping[str, Mapping[str, Any]]


def at_hand(session: Session, sitting: UUID) -> AtHand:
    """Everything about one sitting; Unknown where there is none."""
    opened = sittings.open_sitting(session, sitting)
    wanted = [UUID(version) for version in {trial.version for _, _, trial in opened.plan.each()}]
    fields: dict[str, Mapping[str, Any]] = {}
    for at in range(0, len(wanted), CHUNK):
        for version, values in session.execute(select(ItemVersion.id, ItemVersion.fields_json).where(
                ItemVersion.id.in_(wanted[at:at + CHUNK]))):
            fields[version.hex] = values
    return AtHand(opened, protocol_of(session, release_of(session, opened.study)), sittings.facts(session, sitting),
                  fields)


def find_study(session: Session, named: str) -> StudyView:
    """The study with this id (the newest version of it) or the first digits of this hash; Unknown where none is."""
    known = sittings.studies(session)
    for view in sorted(known, key=lambda view: (view.version, view.at), reverse=True):
        if view.id == named:
            return view
    if len(named) >= 8:
        found = [view for view in known if view.hash.startswith(named.lower())]
        if len(found) == 1:
            return found[0]
    raise Unknown(N_("There is no study '{name}' in this project; there is: {known}"), name=named,
                  known=", ".join(dict.fromkeys(view.id for view in known)) or "none")


def begin(session: Session, study: str, *, by: UUID, participant: str | None = None, pilot: bool = False,
          language: str = "") -> AtHand:
    """Begin a sitting for somebody: a participant who is known, a new one of this handle, or a new one."""
    if participant is not None:
        try:
            people.find(session, participant)
        except Unknown:
            participants.make(session, by=by, handle=participant)
    begun = keeping.begin(session, study, participant=participant, by=by, pilot=pilot, language=language).value
    return at_hand(session, begun.id)


def resume(session: Session, study: str, *, participant: str | None = None) -> AtHand:
    """Go on with the sitting that is open: this participant's, or the only one there is."""
    theirs = [view for view in sittings.of_study(session, study) if participant in (None, view.participant)]
    waiting = [view for view in theirs if view.state == "open"]
    if not waiting and participant is not None and theirs and theirs[-1].state == "aborted":
        raise Refused(N_("The sitting of '{handle}' was broken off, which is final: its place in the list is free for "
                         "somebody else. Begin one for another participant."), code="ended", handle=participant)
    if not waiting:
        raise Refused(N_("Nobody's sitting is open: begin one without --resume") if participant is None else
                      N_("'{handle}' has no open sitting of this study: begin one without --resume"),
                      code="nothing_open", handle=participant or "")
    if len(waiting) > 1:
        raise Refused(N_("{n} sittings are open; say whose: --participant {first}"), code="many_open", n=len(waiting),
                      first=waiting[0].participant)
    return at_hand(session, waiting[0].id)


def waiting(session: Session, study: str) -> tuple[SittingView, ...]:
    """The sittings that somebody can go on with."""
    return tuple(view for view in sittings.of_study(session, study) if view.state == "open")
