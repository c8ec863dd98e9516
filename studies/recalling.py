"""How deeds of studies are taken back after a restart, by the verbs of the trail; added to those of annotation."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from annotation.done import Undo
from annotation.recalling import Ids, Recalled, recalled
from annotation.store.project import meta
from annotation.store.tables import Person, Sitting
from studies import keeping as _keeping  # noqa: F401 - the operations that these name
from studies.sittings import REGISTERED, REMOVED


def _add(session: Session, ids: Ids) -> Undo | None:
    """Only while nobody has sat for it, and it is not registered: from then on it stays."""
    study, known = ids["study"], meta(session)
    if REMOVED + study in known or REGISTERED + study in known:
        return None
    if session.scalar(select(exists().where(Sitting.study == study))):
        return None
    return Undo("remove_study", (study,))


def _remove(session: Session, ids: Ids) -> Undo | None:
    return Undo("add_study_again", (ids["study"],)) if REMOVED + ids["study"] in meta(session) else None


def _end(session: Session, ids: Ids) -> Undo | None:
    before = _state_before(session, ids["sitting"], ids["state"], deed=True)
    return Undo("sitting_back", (ids["sitting"], before)) if before is not None else None


def _withdraw(session: Session, ids: Ids) -> Undo | None:
    if session.scalar(select(Person.active).where(Person.id == UUID(ids["person"]))):
        return None
    back: list[str] = []
    for sitting in ids["sittings"]:
        before = _state_before(session, sitting, "withdrawn", deed=False)
        if before is None:
            return None
        back += [sitting, before]
    return Undo("participant_back", (ids["person"], *back))


def _state_before(session: Session, sitting: str, state: str, *, deed: bool) -> str | None:
    """What it was before it came into this state by a deed of its own, or with others; None where it is not so now."""
    row = session.execute(select(Sitting.state, Sitting.checks_json).where(Sitting.id == UUID(sitting))).one_or_none()
    if row is None or row.state != state or not row.checks_json["ends"]:
        return None
    *earlier, last = row.checks_json["ends"]
    if last["state"] != state or bool(last.get("deed")) != deed:
        return None
    return str(earlier[-1]["state"]) if earlier else "open"


recalled.add("study_add", Recalled("Add study", _add))
recalled.add("study_remove", Recalled("Remove study", _remove))
recalled.add("sitting_end", Recalled("End sitting", _end))
recalled.add("participant_withdraw", Recalled("Withdraw participant", _withdraw))
