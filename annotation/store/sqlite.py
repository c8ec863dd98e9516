"""SQLite engines: pragmas, transactions, and its faults as sentences. Used by ``opening`` and ``backup`` only."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from annotation.errors import N_, Refused, StoreLocked

NO_WAL = N_("this drive has no shared memory: the project is locked for one program and slower")
HEADER = b"SQLite format 3\0"
BUSY_MS = 5000
LOOSE = "loose"  # execution option: this commit need not be on the disk when it returns
Fault = sqlite3.Error  # what a statement outside SQLAlchemy raises


def engine(file: Path, *, writes: bool, frozen: bool = False, vfs: str | None = None, shared: bool = True) -> Engine:
    """An engine for one project file. ``writes``: transactions begin IMMEDIATE; else it can only read.

    ``frozen``: the folder cannot be written, so no side file can be made. ``shared`` false: exclusive
    lock and one connection (no WAL to be had).
    """
    query = "&".join(["mode=rw" if file.exists() else "mode=rwc", *([f"vfs={vfs}"] if vfs else []),
                      *(["immutable=1"] if frozen else [])])
    address = file.resolve().as_uri() + "?" + query
    size = {"pool_size": 8, "max_overflow": 8} if shared else {"pool_size": 1, "max_overflow": 0}

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(address, uri=True, timeout=BUSY_MS / 1000, check_same_thread=False, isolation_level=None)

    made = create_engine("sqlite://", creator=connect, poolclass=QueuePool, **size)

    @event.listens_for(made, "connect")
    def prepare(raw: sqlite3.Connection, record: Any) -> None:
        raw.execute("PRAGMA foreign_keys = ON")
        raw.execute("PRAGMA recursive_triggers = ON")  # else INSERT OR REPLACE walks past the delete triggers
        raw.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        raw.execute("PRAGMA synchronous = FULL")
        raw.execute("PRAGMA cache_size = -32000")
        if writes and not shared:
            raw.execute("PRAGMA locking_mode = EXCLUSIVE")
            raw.execute("PRAGMA journal_mode = DELETE")
        elif writes:
            raw.execute("PRAGMA journal_mode = WAL")
        else:
            raw.execute("PRAGMA query_only = ON")

    @event.listens_for(made, "begin")
    def begin(connection: Connection) -> None:
        if writes and shared:  # with a write-ahead log only: there NORMAL can lose what came last, and spoil nothing
            wanted = "NORMAL" if connection.get_execution_options().get(LOOSE) else "FULL"
            if connection.info.get("synchronous", "FULL") != wanted:
                connection.exec_driver_sql(f"PRAGMA synchronous = {wanted}")
                connection.info["synchronous"] = wanted
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return made


def has_wal(connection: Connection) -> bool:
    """Whether this file is and can be used with a write-ahead log (a network drive cannot)."""
    return bool(connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal")


def check_header(file: Path, *, project: str) -> None:
    """Refuse an empty file and one that is no SQLite database before SQLite touches it."""
    try:
        with file.open("rb") as source:
            head = source.read(len(HEADER))
    except OSError as fault:
        raise Refused(N_("{project} cannot be read ({reason})"), code="unreadable", project=project,
                      reason=fault.strerror) from None
    if head != HEADER:
        raise Refused(N_("{project} is not a Goldsmith project (its {file} is empty)") if not head
                      else N_("{project} is not a Goldsmith project (its {file} is no database)"),
                      code="not_a_project", project=project, file=file.name)


def copy_aside(file: Path) -> Path:
    """A copy of the database beside it, made before its schema is changed."""
    n = 1
    while (copy := file.with_name(f"{file.stem}.before-upgrade-{n}{file.suffix}")).exists():
        n += 1
    source, target = sqlite3.connect(file), sqlite3.connect(copy)
    try:
        source.backup(target)
    finally:
        source.close()
        target.close()
    return copy


def vacuum_into(made: Engine, target: Path) -> None:
    """A compact, consistent copy of the whole database as a new file."""
    raw = made.raw_connection()
    try:
        cursor = raw.cursor()
        cursor.execute("PRAGMA query_only = OFF")
        cursor.execute("VACUUM INTO ?", (str(target),))
    finally:
        raw.invalidate()  # its query_only was lifted
        raw.close()


def stop(raw: Any) -> None:
    """Break off the statement that runs on a connection; from any thread."""
    raw.interrupt()


def integrity(connection: Connection) -> list[str]:
    """SQLite's own complaints about the file and its foreign keys; empty when there are none."""
    found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(20)")]
    orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(20)
    broken = [f"foreign key of {row[0]}" for row in orphans]
    return [line for line in found if line != "ok"] + broken


def refusal_of(fault: DBAPIError) -> Refused | None:
    """The sentence for a fault that the person can act on, or None (then it is a bug)."""
    said = str(fault.orig).lower()
    if said == "interrupted":
        return Refused(N_("the reading was stopped"), code="stopped")
    if "disk is full" in said:
        return Refused(N_("the disk is full; nothing was stored"), code="disk_full")
    if "database is locked" in said or "database table is locked" in said:
        return StoreLocked(N_("another program is writing to this project; try again"))
    if "readonly database" in said or "unable to open database" in said:
        return Refused(N_("the project's folder cannot be written"), code="not_writable")
    if "malformed" in said or "not a database" in said:
        return damaged(None)
    if "disk i/o error" in said:
        return Refused(N_("the drive reports an error while reading or writing the project"), code="drive")
    return None


def damaged(project: str | None) -> Refused:
    if project is None:
        return Refused(N_("the project's database is damaged; take the last backup"), code="damaged")
    return Refused(N_("{project} is damaged; take the last backup"), code="damaged", project=project)


def full_disk(fault: OSError) -> Refused | None:
    if fault.errno in (errno.ENOSPC, errno.EDQUOT):
        return Refused(N_("the disk is full; nothing was stored"), code="disk_full")
    return None


