"""The schema's version: making it, reading it, and bringing an older project up to it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from annotation.errors import N_, Refused, StoreTooNew
from annotation.store.tables import Base
from annotation.store.triggers import guard

REVISIONS = ("0001",)  # of migrations/versions, oldest first
HEAD = REVISIONS[-1]


def make(connection: Connection) -> None:
    """All tables of the newest schema at once; a test holds that the migrations give the same."""
    Base.metadata.create_all(connection)
    guard(connection)
    connection.exec_driver_sql(
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
        "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))")
    connection.execute(text("INSERT INTO alembic_version (version_num) VALUES (:head)"), {"head": HEAD})


def version(connection: Connection) -> str | None:
    """The revision a database stands at, or None where it is not a project's."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def check(connection: Connection, *, project: str) -> bool:
    """Whether the schema is the newest; raises StoreTooNew, or Refused where this is no project."""
    found = version(connection)
    if found is None:
        raise Refused(N_("{project} is not a Goldsmith project"), code="not_a_project", project=project)
    if found not in REVISIONS:
        raise StoreTooNew(N_("{project} was written by a newer Goldsmith (schema {found}, this program knows {head})"),
                          project=project, found=found, head=HEAD)
    return found == HEAD


def upgrade(connection: Connection, *, to: str = HEAD) -> None:
    """Run the migrations from the version found up to ``to``."""
    # Imported here: alembic costs 340 ms and is needed only when a schema changes.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)
