"""The people of a project: adding them, their roles, and who is acting."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session

from annotation import rights, trail
from annotation.canonical import check_text
from annotation.done import Done, Undo
from annotation.errors import N_, NotAllowed, Refused, Unknown
from annotation.store.ids import new_id
from annotation.store.project import protocol_now
from annotation.store.tables import Person, PersonRole, Skip, Task
from annotation.store.types import now

HANDLE = re.compile(r"[\w][\w.\-]{0,63}")
ANSWERING = frozenset({"annotator", "verifier"})


def checked_handle(handle: str) -> str:
    """The handle as it is kept, or Refused."""
    handle = unicodedata.normalize("NFC", handle)
    if not HANDLE.fullmatch(handle):
        raise Refused(N_("'{handle}' is no handle: letters, digits, '.', '-' and '_', at most 64"), code="bad_value",
                      handle=handle)
    return handle


@dataclass(frozen=True, slots=True)
class PersonView:
    """``submitted`` and ``skipped`` count tasks; both are 0 where the view was not made for a list."""

    id: UUID
    handle: str
    name: str
    kind: str
    roles: tuple[str, ...]
    active: bool
    submitted: int = 0
    skipped: int = 0

    @property
    def shown(self) -> str:
        return self.name or self.handle


def add(session: Session, handle: str, *, name: str = "", roles: Iterable[str] = (), kind: str = "human",
        by: UUID) -> Done:
    """A new person. Raises Refused for a handle that is taken or no handle; Unknown for an unknown role.

    Whoever may add people may add those who answer; other roles are an owner's to give (NotAllowed).
    """
    handle = checked_handle(handle)
    wanted = _known(roles)
    require_right(session, by, "people")
    if kind not in ("human", "machine"):
        raise Unknown(N_("There is no kind of person '{kind}'. There are: human, machine."), kind=kind)
    taken = session.execute(select(Person.handle)).scalars()
    if any(other.casefold() == handle.casefold() for other in taken):
        raise Refused(N_("there is a person '{handle}' already"), code="exists", handle=handle)
    if set(wanted) - ANSWERING:
        require_right(session, by, "roles")
    person = new_id()
    name = " ".join(check_text(name).split())
    session.execute(insert(Person).values(id=person, handle=handle, name=name, kind=kind))
    _give(session, person, wanted)
    trail.record(session, "person_add", person=by, ids={"person": person, "roles": list(wanted)})
    return Done("Add person", frozenset({"people"}), Undo("remove_person", (person.hex,)), person)


def set_roles(session: Session, handle: str, *, add: Iterable[str] = (), remove: Iterable[str] = (), by: UUID) -> Done:
    """Give and take roles: an owner's right. The last owner stays one."""
    person = find(session, handle)
    if is_participant(session, person.id):
        raise Refused(N_("'{handle}' sits for studies and cannot work here, too"), code="participant", handle=handle)
    given, taken = _known(add), _known(remove)
    new = (set(person.roles) | set(given)) - set(taken)
    return _change_roles(session, person, new, by=by)


def set_active(session: Session, handle: str, *, active: bool, by: UUID) -> Done:
    """Let somebody work, or not any more; what was answered stays."""
    require_right(session, by, "people")
    person = find(session, handle)
    if not active and "owner" in person.roles and len(_owners(session)) == 1:
        raise Refused(N_("'{handle}' is the only owner"), code="last_owner", handle=handle)
    session.execute(update(Person).where(Person.id == person.id).values(active=active))
    trail.record(session, "person_active", person=by, ids={"person": person.id, "active": active})
    return Done("Change person", frozenset({"people"}),
                Undo("set_active", (person.id.hex, str(int(person.active)))), person.id)


def people(session: Session) -> tuple[PersonView, ...]:
    """Everybody who works here, by handle, with the number of tasks submitted and skipped; no participants."""
    done = dict(session.execute(select(Task.person, func.count()).where(Task.state == "submitted")
                                .group_by(Task.person)).all())
    left = dict(session.execute(select(Skip.person, func.count(Skip.task.distinct())).join(Task, Task.id == Skip.task)
                                .where(Task.state == "skipped").group_by(Skip.person)).all())
    roles = _roles(session)
    return tuple(PersonView(p.id, p.handle, p.name, p.kind, roles.get(p.id, ()), p.active, done.get(p.id, 0),
                            left.get(p.id, 0))
                 for p in session.execute(select(Person).where(_works_here).order_by(Person.handle)).scalars())


def find(session: Session, handle: str) -> PersonView:
    """The person with this handle, or Unknown."""
    return _view(session, Person.handle == unicodedata.normalize("NFC", handle), handle)


def by_id(session: Session, person: UUID) -> PersonView:
    """The person with this id, or Unknown."""
    return _view(session, Person.id == person, person.hex)


def acting(session: Session, handle: str | None) -> PersonView:
    """Who does what comes now: the named person, or the only owner where nobody is named."""
    if handle is not None:
        person = find(session, handle)
        if not person.active:
            raise NotAllowed(N_("'{handle}' does not work in this project any more"), handle=handle)
        if is_participant(session, person.id):
            raise NotAllowed(N_("'{handle}' sits for studies and does not work in this project"), handle=handle)
        return person
    owners = _owners(session)
    if len(owners) != 1:
        raise NotAllowed(N_("this project has {n} owners; say who you are with --as HANDLE"), n=len(owners))
    return by_id(session, owners[0])


def is_participant(session: Session, person: UUID) -> bool:
    """Whether this person is here to sit for studies (``studies.participants``), without any role."""
    return session.execute(select(PersonRole.person).where(
        PersonRole.person == person, PersonRole.role == rights.PARTICIPANT)).first() is not None


def require(person: PersonView, *roles: str) -> None:
    """Raise NotAllowed unless the person has one of these roles."""
    if not set(roles) & set(person.roles):
        raise NotAllowed(N_("'{handle}' may not do this; it takes the role {roles}"), handle=person.handle,
                         roles=" / ".join(roles))


def require_right(session: Session, person: UUID, right: str) -> PersonView:
    """The person, or NotAllowed where none of the roles has this right (rights.RIGHTS)."""
    view = by_id(session, person)
    if not rights.may(view.roles, right, protocol=protocol_now(session)):
        raise NotAllowed(N_("'{handle}' may not do this ({right}); it takes the role {roles}"), handle=view.handle,
                         right=right, roles=" / ".join(rights.roles_for(right, protocol=protocol_now(session))))
    return view


def vacant_roles(session: Session) -> frozenset[str]:
    """Roles that no active person has."""
    held = session.execute(select(PersonRole.role).distinct().join(Person, Person.id == PersonRole.person)
                           .where(Person.active)).scalars()
    return frozenset(rights.ROLES) - set(held)


def stages(session: Session, person: UUID) -> tuple[str, ...]:
    """The stages at which this person may work, in the protocol's order."""
    view = by_id(session, person)
    if not view.active:
        return ()
    vacant = vacant_roles(session) if "owner" in view.roles else ()
    return rights.stages_of(view.roles, protocol_now(session), vacant=vacant)


def pages(session: Session, person: UUID) -> tuple[str, ...]:
    """The pages this person sees."""
    return rights.pages(by_id(session, person).roles, protocol=protocol_now(session))


def undo_add(session: Session, person: UUID, *, by: UUID) -> Done:
    """Take a person out again who has done nothing yet."""
    view = by_id(session, person)
    if session.execute(select(Task.id).where(Task.person == person).limit(1)).first() is not None:
        raise Refused(N_("'{handle}' has begun to work and stays in the list"), code="built_on", handle=view.handle)
    session.execute(delete(PersonRole).where(PersonRole.person == person))
    session.execute(delete(Person).where(Person.id == person))
    trail.record(session, "person_remove", person=by, ids={"person": person})
    return Done("Remove person", frozenset({"people"}), None, person)


def undo_roles(session: Session, person: UUID, roles: tuple[str, ...], *, by: UUID) -> Done:
    """Give back exactly the roles of before."""
    return _change_roles(session, by_id(session, person), set(roles), by=by)


def _change_roles(session: Session, person: PersonView, new: set[str], *, by: UUID) -> Done:
    gone, come = set(person.roles) - new, new - set(person.roles)
    require_right(session, by, "roles")
    if "owner" in gone and _owners(session) == [person.id]:
        raise Refused(N_("'{handle}' is the only owner"), code="last_owner", handle=person.handle)
    session.execute(delete(PersonRole).where(PersonRole.person == person.id, PersonRole.role.in_(gone)))
    _give(session, person.id, come)
    trail.record(session, "person_roles", person=by, ids={"person": person.id, "roles": sorted(new)})
    return Done("Change roles", frozenset({"people"}), Undo("set_roles", (person.id.hex, *person.roles)), person.id)


def _give(session: Session, person: UUID, roles: Iterable[str]) -> None:
    rows = [{"person": person, "role": role, "at": now()} for role in sorted(set(roles))]
    if rows:
        session.execute(insert(PersonRole), rows)


def _known(roles: Iterable[str]) -> tuple[str, ...]:
    wanted = tuple(roles)
    for role in wanted:
        if role not in rights.ROLES:
            raise Unknown(N_("There is no role '{role}'. There are: {known}."), role=role,
                          known=", ".join(rights.ROLES))
    return wanted


def _owners(session: Session) -> list[UUID]:
    return list(session.execute(select(PersonRole.person).join(Person, Person.id == PersonRole.person).where(
        PersonRole.role == "owner", Person.active).order_by(PersonRole.person)).scalars())


def _roles(session: Session) -> dict[UUID, tuple[str, ...]]:
    found: dict[UUID, set[str]] = {}
    for person, role in session.execute(select(PersonRole.person, PersonRole.role)):
        found.setdefault(person, set()).add(role)
    return {person: tuple(role for role in rights.ROLES if role in held) for person, held in found.items()}


def _view(session: Session, where: Any, said: str) -> PersonView:
    rows = session.execute(_one_person.where(where)).all()
    if not rows:
        raise Unknown(N_("There is no person '{handle}'. There are: {known}."), handle=said,
                      known=", ".join(session.execute(
                          select(Person.handle).where(_works_here).order_by(Person.handle)).scalars()))
    one, held = rows[0], {row.role for row in rows}
    return PersonView(one.id, one.handle, one.name, one.kind, tuple(r for r in rights.ROLES if r in held), one.active)


# Who sits for studies is a person for the sake of the rows that point to him, and counted nowhere else.
_works_here = Person.id.not_in(select(PersonRole.person).where(PersonRole.role == rights.PARTICIPANT))
_one_person = select(Person.id, Person.handle, Person.name, Person.kind, Person.active, PersonRole.role).outerjoin(
    PersonRole, PersonRole.person == Person.id)
