"""PostgreSQL engines: one schema per project, and the server's faults as sentences. Used by ``opening`` only."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from annotation.errors import N_, Refused, StoreLocked
from annotation.store.tables_base import for_postgres

DEFAULT_SCHEMA = "goldsmith"


def is_url(target: str | Path) -> bool:
    return isinstance(target, str) and target.startswith(("postgresql://", "postgresql+psycopg://"))


def engine(url: str) -> tuple[Engine, str]:
    """(engine whose search path is the project's schema, the schema's name)."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise Refused(N_("'{url}' is no address of a server"), code="bad_value", url=url) from None
    query = dict(parsed.query)
    name = str(query.pop("schema", DEFAULT_SCHEMA))
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", name):
        raise Refused(N_("'{name}' is no name of a schema (small letters, digits and _)"), code="bad_value", name=name)
    for_postgres()
    parsed = parsed.set(drivername="postgresql+psycopg", query=query)
    return create_engine(parsed, pool_pre_ping=True, connect_args={"options": f"-csearch_path={name}"}), name


def make_schema(connection: Connection, name: str) -> None:
    connection.exec_driver_sql(f'CREATE SCHEMA IF NOT EXISTS "{name}"')


def said(url: str) -> str:
    """The address as sentences show it: without a password."""
    return make_url(url).render_as_string(hide_password=True)


def stop(raw: Any) -> None:
    """Break off the statement that runs on a connection; from any thread."""
    raw.cancel()


def refusal_of(fault: DBAPIError) -> Refused | None:
    """The sentence for a fault that the person can act on, or None (then it is a bug)."""
    if type(fault.orig).__name__ == "QueryCanceled":
        return Refused(N_("the reading was stopped"), code="stopped")
    if fault.connection_invalidated or type(fault.orig).__name__ in ("OperationalError", "ConnectionTimeout"):
        return Refused(N_("the server does not answer ({reason})"), code="no_server",
                       reason=" ".join(str(fault.orig).split())[:200])
    if type(fault.orig).__name__ in ("DeadlockDetected", "SerializationFailure", "LockNotAvailable"):
        return StoreLocked(N_("another program is writing to the same rows; try again"))
    if type(fault.orig).__name__ == "DiskFull":
        return Refused(N_("the server's disk is full; nothing was stored"), code="disk_full")
    if type(fault.orig).__name__ == "InsufficientPrivilege":
        return Refused(N_("the server does not allow this"), code="not_allowed")
    return None
