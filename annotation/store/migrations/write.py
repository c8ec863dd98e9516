"""Writes the first migration anew from the tables: ``python -m annotation.store.migrations.write``.

Allowed until the first version that others have; from then on ``alembic revision --autogenerate`` adds a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from alembic.autogenerate import produce_migrations, render_python_code
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from annotation.store import types
from annotation.store.tables import Base
from annotation.store.tables_base import for_postgres

FILE = Path(__file__).parent / "versions" / "0001_first.py"
HEAD = '''"""All tables of the first schema. Written by annotation.store.migrations.write; see there."""
# ruff: noqa: E501

import sqlalchemy as sa
from alembic import op

from annotation.store.triggers import guard
from annotation.store.types import Id, Json, When

revision = "0001"
down_revision = None


def upgrade() -> None:
'''


def first() -> str:
    """The text of the first migration as the tables are now."""
    for_postgres()
    with create_engine("sqlite://").connect() as connection:
        context = MigrationContext.configure(connection, opts={"target_metadata": Base.metadata})
        made = produce_migrations(context, Base.metadata)
        assert made.upgrade_ops is not None
        code = render_python_code(made.upgrade_ops, render_item=_render, migration_context=context)
    return HEAD + "\n".join(_packed(code.splitlines())) + "\n    guard(op.get_bind())\n"


def _packed(rendered: list[str]) -> Iterator[str]:
    """Statements at four spaces, their arguments filled into long lines at eight."""
    line = ""
    for part in (part.strip() for part in rendered):
        if part.startswith("op."):
            yield from (["    " + part] if part.endswith(")") else [])
            line = "" if part.endswith(")") else "    " + part
        elif part.startswith(")"):
            yield line.rstrip(", ") + ")"
            line = ""
        elif part and not part.startswith(("#", "info=")):
            if len(line) + len(part) > 180:
                yield line.rstrip()
                line = "       "
            line += (" " if not line.endswith("(") else "") + part


def _render(kind: str, thing: Any, context: Any) -> Any:
    return f"{type(thing).__name__}()" if kind == "type" and type(thing).__module__ == types.__name__ else False


if __name__ == "__main__":
    FILE.write_text(first(), encoding="utf-8")
