"""Places: which list and number a sitting is given, and when its place is free again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.errors import N_, Refused
from annotation.store.tables import Meta, Sitting, StudyVersion, Trial
from studies import sittings
from studies.design import least_filled
from studies.design_parts import FIRST_GENERATOR, GENERATOR
from studies.model import Study
from studies.sittings import HELD, REGISTERED


@dataclass(frozen=True, slots=True)
class Begun:
    """A sitting that was begun. ``number`` stands for its place, which is taken while ``holds`` is true."""

    state: str
    list_no: int
    number: int
    pilot: bool
    pool_sha256: str
    design: str

    @property
    def holds(self) -> bool:
        return self.state in HELD and not self.pilot


def lock(session: Session, study: Study) -> None:
    """Two machines that begin at once on a server are given one place after the other, not the same."""
    if session.get_bind().dialect.name != "sqlite":
        session.execute(select(StudyVersion.hash).where(StudyVersion.hash == study.hash)
                        .with_for_update(key_share=True))


def begun(session: Session, study: Study) -> tuple[Begun, ...]:
    """Every sitting for this version of a study."""
    return tuple(Begun(row.state, row.list_no, row.checks_json["number"], row.checks_json["pilot"],
                       row.checks_json["pool_sha256"], row.checks_json.get("design", FIRST_GENERATOR))
                 for row in session.execute(select(Sitting.state, Sitting.list_no, Sitting.checks_json)
                                            .where(Sitting.study == study.hash)))


def generator(session: Session, study: Study, before: Sequence[Begun]) -> str:
    """What draws the lists: as for the first sitting that counts, else as registered, else as new studies have it."""
    if used := [one.design for one in before if not one.pilot]:
        return used[0]
    registered = session.scalar(select(Meta.value).where(Meta.key == REGISTERED + study.hash))
    return str(canonical.loads(registered)["generators"][0]) if registered else GENERATOR


def next_place(before: Sequence[Begun], lists: int, *, pilot: bool) -> tuple[int, int]:
    """The list and the number of whoever comes next; ``number % lists`` is the list.

    The list is the one that fewest have completed or are sitting for, the number the first free one of that list: so
    what goes by the number stays balanced, too, where people broke off. Pilots take the lists in turn.
    """
    if pilot:
        number = sum(one.pilot for one in before)
        return number % lists, number
    completed, open_ = [0] * lists, [0] * lists
    for one in before:
        if one.holds:
            (completed if one.state == "completed" else open_)[one.list_no] += 1
    list_no = least_filled(completed, open_)
    held, number = {one.number for one in before if one.holds}, list_no
    while number in held:
        number += lists
    return list_no, number


def seed_of(study: Study, number: int, *, pilot: bool) -> int:
    """The seed of a sitting follows from the study's, so that every plan can be drawn again."""
    said = f"{study.seed}/{'pilot' if pilot else 'main'}/{number}"
    return int.from_bytes(hashlib.sha256(said.encode()).digest()[:4]) & 0x7FFF_FFFF


def check_not_seen(session: Session, study: Study, person: UUID, handle: str, *, pilot: bool) -> None:
    """Refused where this person has a sitting under way, or (but for a pilot) has seen trials of any version."""
    for row in session.execute(select(Sitting.id, Sitting.study, Sitting.state, Sitting.checks_json)
                               .where(Sitting.participant == person).order_by(Sitting.at)):
        if sittings.load(session, row.study).id != study.id:
            continue
        if row.state == "open" and row.checks_json["pilot"] == pilot:
            raise Refused(N_("'{handle}' has a sitting that is not over: go on with it, or end it"), code="open",
                          handle=handle)
        seen = session.execute(select(Trial.id).where(
            Trial.sitting == row.id, Trial.block.in_(row.checks_json["main_blocks"])).limit(1)).first()
        if seen is not None and not pilot:
            raise Refused(N_("'{handle}' has seen trials of this study already and would not count"), code="seen",
                          handle=handle)
