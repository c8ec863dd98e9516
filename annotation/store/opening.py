"""The one door to the database: makes projects, opens them, and alone creates engines or knows sqlite3."""

from __future__ import annotations

import os
import platform
import secrets
import shutil
import unicodedata
from pathlib import Path
from uuid import UUID

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from annotation.errors import N_, Refused, StoreLocked
from annotation.protocol import Protocol
from annotation.store import chain, lock, postgres, schema, sqlite
from annotation.store.device import home, this_device
from annotation.store.ids import new_id
from annotation.store.media import Media
from annotation.store.project import Store
from annotation.store.tables import Device, Meta, Person, PersonRole, ProtocolVersion, Round
from annotation.store.types import now

DATABASE = "project.db"
READ_ONLY = N_("this project was opened for reading only")


def create(target: str | Path, *, protocol: Protocol, title: str | None = None, owner: str = "owner") -> Store:
    """A new project with ``owner`` as its first person; opened for writing.

    A folder is built as NAME.part and renamed, so that nothing half-made stands under its name.
    Raises Refused where something is there already or the place cannot be written.
    """
    if postgres.is_url(target):
        return _create_on_server(str(target), protocol=protocol, title=title, owner=owner)
    folder = Path(target)
    if folder.exists() or folder.is_symlink():
        raise Refused(N_("{project} exists already"), code="exists", project=str(folder))
    if not folder.parent.is_dir():
        raise Refused(N_("the folder {folder} does not exist"), code="not_found", folder=str(folder.parent))
    part = folder.with_name(folder.name + ".part")
    try:
        held = _take_place(part)
    except OSError as fault:
        raise _unwritable(folder.parent, fault) from None
    try:
        _build(part, protocol=protocol, title=title or folder.name.removesuffix(".goldsmith"), owner=owner)
        held.release()
        part.rename(folder)
    except OSError as fault:
        raise _unwritable(folder.parent, fault) from None
    finally:
        held.release()
        shutil.rmtree(part, ignore_errors=True)  # gone already where all went well
    return open_store(folder)


def open_store(target: str | Path, *, read_only: bool = False, vfs: str | None = None) -> Store:
    """Open a project. Where another program writes to it, or its folder cannot be written, the store
    is read-only and ``why_read_only`` says so (``write()`` raises it).

    ``vfs`` names one of SQLite's file layers ("unix-dotfile" for drives without shared memory).
    Raises Refused for what is no project or is damaged, StoreTooNew for a newer schema.
    """
    if postgres.is_url(target):
        return _open_on_server(str(target), read_only=read_only)
    folder = Path(target)
    file = folder / DATABASE
    if not folder.is_dir():
        raise Refused(N_("there is no project {project}"), code="not_found", project=str(folder))
    if not file.is_file():
        raise Refused(N_("{project} is not a Goldsmith project (it holds no {file})"), code="not_a_project",
                      project=str(folder), file=DATABASE)
    why: Refused | None = Refused(READ_ONLY, code="read_only") if read_only else None
    held = None
    writable = os.access(folder, os.W_OK) and os.access(file, os.W_OK)
    if not read_only and not writable:
        why = Refused(N_("{project} cannot be written; it is open for reading only"), code="not_writable",
                      project=str(folder))
    elif not read_only:
        held = _lock(folder)
        if held is None:
            why = StoreLocked(N_("another program writes to {project}; it is open here for reading only"),
                              project=str(folder))
    try:
        note = _bring_up(file, folder=folder, writing=why is None, vfs=vfs)
        reading = sqlite.engine(file, writes=False, frozen=not writable, vfs=vfs, shared=not note)
        writing = sqlite.engine(file, writes=True, vfs=vfs, shared=not note) if why is None else reading
        if why is None and note:
            reading = writing  # an exclusive lock has room for one connection
        store = Store(reading=reading, writing=writing, folder=folder, url=str(folder), device=this_device(),
                      media=Media(folder / "media", read_only=why is not None), refusal_of=sqlite.refusal_of,
                      stop=sqlite.stop, lock=held, why_read_only=why,
                      note=note or (str(why) if why and not read_only else ""))
        if why is None:
            with store.write() as session:
                _meet_device(session, store.device)
        return store
    except BaseException:
        if held is not None:
            held.release()
        raise


def _lock(folder: Path) -> lock.WriteLock | None:
    try:
        return lock.take(folder)
    except OSError as fault:
        raise _unwritable(folder, fault) from None


def _take_place(part: Path) -> lock.WriteLock:
    """The folder to build in, locked; one that a crash left behind is cleared first."""
    part.mkdir(exist_ok=True)
    held = lock.take(part)
    if held is None:
        raise StoreLocked(N_("another program is making {project}"), project=part.name.removesuffix(".part"))
    for old in part.iterdir():
        if old.name != lock.NAME:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    return held


def _build(part: Path, *, protocol: Protocol, title: str, owner: str) -> None:
    (part / "media").mkdir()
    engine = sqlite.engine(part / DATABASE, writes=True)
    try:
        with engine.begin() as connection:
            schema.make(connection)
            _begin(connection, protocol=protocol, title=title, owner=owner)
    except DBAPIError as fault:
        refusal = sqlite.refusal_of(fault)
        if refusal is None:
            raise
        raise refusal from fault
    finally:
        engine.dispose()


def _bring_up(file: Path, *, folder: Path, writing: bool, vfs: str | None) -> str:
    """Check that this is a project of a known schema; upgrade it when writing. Returns a note or ""."""
    sqlite.check_header(file, project=str(folder))
    engine = sqlite.engine(file, writes=False, frozen=not os.access(folder, os.W_OK), vfs=vfs)
    try:
        with engine.connect() as connection:
            newest = schema.check(connection, project=str(folder))
            note = "" if sqlite.has_wal(connection) or not writing else sqlite.NO_WAL
    except DBAPIError as fault:
        raise sqlite.refusal_of(fault) or sqlite.damaged(str(folder)) from fault
    finally:
        engine.dispose()
    if not newest and writing:
        sqlite.copy_aside(file)
        engine = sqlite.engine(file, writes=True, vfs=vfs)
        try:
            with engine.begin() as connection:
                schema.upgrade(connection)
        finally:
            engine.dispose()
    elif not newest:
        raise Refused(N_("{project} has an older schema; open it once for writing to bring it up to date"),
                      code="too_old", project=str(folder))
    return note


def _create_on_server(url: str, *, protocol: Protocol, title: str | None, owner: str) -> Store:
    engine, name = postgres.engine(url)
    try:
        with engine.begin() as connection:
            postgres.make_schema(connection, name)
            if schema.version(connection) is not None:
                raise Refused(N_("{project} exists already"), code="exists", project=postgres.said(url))
            schema.make(connection)
            _begin(connection, protocol=protocol, title=title or name, owner=owner)
    except DBAPIError as fault:
        raise postgres.refusal_of(fault) or fault from None
    finally:
        engine.dispose()
    return open_store(url)


def _open_on_server(url: str, *, read_only: bool) -> Store:
    engine, name = postgres.engine(url)
    try:
        with engine.connect() as connection:
            newest = schema.check(connection, project=postgres.said(url))
    except DBAPIError as fault:
        engine.dispose()
        raise postgres.refusal_of(fault) or fault from None
    except Refused:
        engine.dispose()
        raise
    if not newest:
        engine.dispose()
        raise Refused(N_("{project} has an older schema; a server is brought up to date by its keeper"),
                      code="too_old", project=postgres.said(url))
    store = Store(reading=engine, writing=engine, folder=None, url=url, device=this_device(),
                  media=Media(home() / "media" / name), refusal_of=postgres.refusal_of,
                  stop=postgres.stop,
                  why_read_only=Refused(READ_ONLY, code="read_only") if read_only else None)
    if not read_only:
        with store.write() as session:
            _meet_device(session, store.device)
    return store


def _begin(connection: Connection, *, protocol: Protocol, title: str, owner: str) -> None:
    """The first rows of a project: its owner, protocol, main round and first event."""
    at, person, device = now(), new_id(), this_device()
    with Session(connection) as session:
        session.execute(insert(Person).values(id=person, handle=unicodedata.normalize("NFC", owner)))
        session.execute(insert(PersonRole).values(person=person, role="owner", at=at))
        session.execute(insert(ProtocolVersion).values(
            hash=protocol.hash, form_hash=protocol.form_hash, id=protocol.id, version=protocol.version,
            text=protocol.text, at=at, by=person))
        session.execute(insert(Round).values(id=new_id(), name="main", kind="main", at=at))
        session.execute(insert(Meta), [
            {"key": "title", "value": title}, {"key": "protocol", "value": protocol.hash},
            {"key": "created", "value": at.isoformat()}, {"key": "seed", "value": secrets.token_hex(16)}])
        _meet_device(session, device)
        chain.append(session, device, "create", person=person, ids={"protocol": protocol.hash})
        session.flush()


def _meet_device(session: Session, device: UUID) -> None:
    if session.execute(select(Device.id).where(Device.id == device)).first() is None:
        session.execute(insert(Device).values(id=device, name="", os=platform.system(), first_seen=now()))


def _unwritable(folder: Path, fault: OSError) -> Refused:
    return sqlite.full_disk(fault) or Refused(N_("{folder} cannot be written ({reason})"), code="not_writable",
                                              folder=str(folder), reason=fault.strerror or str(fault))
