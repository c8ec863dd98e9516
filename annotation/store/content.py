"""One hash over everything a project holds: "the store is unchanged" means this value."""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Table, Text

from annotation.store.tables import Base

CHUNK = 2000


def hashed_tables() -> tuple[Table, ...]:
    """All append-only and mutable tables but ``device``, by name."""
    return tuple(sorted((t for t in Base.metadata.tables.values()
                         if t.info.get("kind") in ("A", "M") and t.name != "device"), key=lambda t: t.name))


def content_sha256(connection: Connection) -> str:
    """SHA-256 over the rows in key order (the file's own bytes change at a checkpoint, these do not).

    Rows are taken raw from the driver and serialised by ``marshal`` version 2 (a fixed format without
    references): 2 million rows take seconds and no memory.
    """
    whole = hashlib.sha256()
    postgres = connection.dialect.name == "postgresql"
    for table in hashed_tables():
        whole.update(table.name.encode() + b"\0")
        rows: Any = connection.exec_driver_sql(_select(table, postgres=postgres)).cursor
        while chunk := rows.fetchmany(CHUNK):
            whole.update(marshal.dumps(_plain(chunk) if postgres else chunk, 2))
        rows.close()
    return whole.hexdigest()


def _select(table: Table, *, postgres: bool) -> str:
    names = ", ".join(f'"{c.name}"' for c in table.columns)
    # Byte order for texts, so that a server's language does not change the hash.
    order = ", ".join(f'"{c.name}"' + (' COLLATE "C"' if postgres and isinstance(c.type, Text) else "")
                      for c in table.primary_key.columns)
    return f'SELECT {names} FROM "{table.name}" ORDER BY {order}'


def _plain(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """PostgreSQL's values as SQLite gives them: ids as bytes, truth as 0 and 1."""
    return [tuple(v.bytes if isinstance(v, UUID) else int(v) if isinstance(v, bool)
                  else bytes(v) if isinstance(v, memoryview) else v for v in row) for row in rows]
