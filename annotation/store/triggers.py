"""Database triggers that make the append-only tables refuse UPDATE, DELETE, REPLACE and TRUNCATE.

Every migration ends with ``guard`` (Alembic's batch mode drops triggers on SQLite). Whoever holds the
file can still edit it: the event chain is the proof, not the trigger.
"""

from __future__ import annotations

from sqlalchemy import Connection

from annotation.store.tables import Base


def append_only() -> tuple[str, ...]:
    """Names of the append-only tables, sorted."""
    return tuple(sorted(t.name for t in Base.metadata.tables.values() if t.info.get("kind") == "A"))


def guard(connection: Connection) -> None:
    """Create the triggers of every append-only table that exists; runs again without harm."""
    (_guard_postgresql if connection.dialect.name == "postgresql" else _guard_sqlite)(connection)


def _guard_sqlite(connection: Connection) -> None:
    there = {row[0] for row in connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table in append_only():
        if table not in there:
            continue
        for verb in ("UPDATE", "DELETE"):
            name = f"keep_{table}_{verb.lower()}"
            connection.exec_driver_sql(f'DROP TRIGGER IF EXISTS "{name}"')
            connection.exec_driver_sql(
                f'CREATE TRIGGER "{name}" BEFORE {verb} ON "{table}" '
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )


def _guard_postgresql(connection: Connection) -> None:
    connection.exec_driver_sql(
        "CREATE OR REPLACE FUNCTION keep_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is append-only'; END $$"
    )
    there = {row[0] for row in connection.exec_driver_sql(
        "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")}
    for table in append_only():
        if table not in there:
            continue
        for name, when in ((f"keep_{table}_row", "BEFORE UPDATE OR DELETE"), (f"keep_{table}_all", "BEFORE TRUNCATE")):
            each = "STATEMENT" if when.endswith("TRUNCATE") else "ROW"
            connection.exec_driver_sql(f'DROP TRIGGER IF EXISTS "{name}" ON "{table}"')
            connection.exec_driver_sql(
                f'CREATE TRIGGER "{name}" {when} ON "{table}" FOR EACH {each} EXECUTE FUNCTION keep_append_only()'
            )
