"""Many rows at once: on SQLite straight to the driver, which is three times as fast as an insert per type."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Table, Text, column, insert
from sqlalchemy import table as light

from annotation.store.tables import Base
from annotation.store.types import EPOCH, Id, Json, When

_MICRO = timedelta(microseconds=1)


def insert_rows(connection: Connection, target: type[Base], names: Sequence[str],
                rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert ``rows`` (one value per name). Ids may be UUID or 16 bytes, JSON columns must be canonical text
    already, times may be datetime or microseconds. Columns that are not named get no default but the table's own.
    """
    if not rows:
        return
    table = Base.metadata.tables[target.__tablename__]
    if connection.dialect.name == "sqlite":
        plain = [(place, _PLAIN[kind]) for place, kind in enumerate(_kinds(table, tuple(names)))
                 if kind and not isinstance(rows[0][place], _READY[kind])]
        if plain:
            rows = [_bound(row, plain) for row in rows]
        marks = ", ".join("?" * len(names))
        columns = ", ".join(f'"{name}"' for name in names)
        connection.exec_driver_sql(f'INSERT INTO "{table.name}" ({columns}) VALUES ({marks})', list(rows))
        return
    kinds = _kinds(table, tuple(names))
    connection.execute(insert(_untyped(table, tuple(names))), [
        {name: UUID(bytes=value) if kind == "id" and isinstance(value, bytes) else
         EPOCH + value * _MICRO if kind == "when" and isinstance(value, int) else value
         for name, kind, value in zip(names, kinds, row, strict=True)} for row in rows])


def _bound(row: tuple[Any, ...], plain: list[tuple[int, Any]]) -> tuple[Any, ...]:
    new = list(row)
    for place, how in plain:
        new[place] = how(new[place])
    return tuple(new)


_PLAIN = {"id": lambda value: value if value is None or isinstance(value, bytes) else value.bytes,
          "when": lambda value: value if value is None or isinstance(value, int) else (value - EPOCH) // _MICRO}
_READY = {"id": bytes, "when": int}


@cache
def _kinds(table: Table, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("id" if isinstance(table.c[name].type, Id) else "when" if isinstance(table.c[name].type, When) else ""
                 for name in names)


@cache
def _untyped(table: Table, names: tuple[str, ...]) -> Any:
    """The same table with its JSON columns as text."""
    return light(table.name, *(column(name, Text if isinstance(table.c[name].type, Json) else table.c[name].type)
                               for name in names))
