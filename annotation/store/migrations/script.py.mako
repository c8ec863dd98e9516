"""${message}"""

import sqlalchemy as sa
from alembic import op

import annotation.store.types
from annotation.store.triggers import guard

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}
    guard(op.get_bind())
