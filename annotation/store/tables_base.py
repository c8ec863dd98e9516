"""What all tables share: names of constraints, column types, the three kinds.

Kinds, given by ``info={"kind": ..}`` of each table: ``A`` append-only (guarded by triggers), ``M`` mutable,
``C`` cache (derived, rebuilt by ``doctor``, never edited by hand).
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Float, ForeignKey, LargeBinary, MetaData, Text
from sqlalchemy.orm import DeclarativeBase, mapped_column

from annotation.store.types import Id, Json, When

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s", "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s", "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {UUID: Id, datetime: When, str: Text, int: BigInteger, bool: Boolean, float: Float,
                           bytes: LargeBinary, Any: Json}


def key(target: str) -> Any:
    """A primary key that is also a foreign key."""
    return mapped_column(ForeignKey(target), primary_key=True)


def ref(target: str, **more: Any) -> Any:
    return mapped_column(ForeignKey(target), **more)


def one_of(column: str, *values: str) -> CheckConstraint:
    """The check that a column holds one of these words, named after it.

    Written with OR: of a list with more than two values SQLite makes a table anew for every row that is inserted,
    which takes as long as the insert itself.
    """
    return CheckConstraint(" or ".join(f"{column} = '{value}'" for value in values), name=column)


A, M, C = ({"info": {"kind": kind}} for kind in "AMC")


def for_postgres() -> None:
    """Give PostgreSQL the conditions of partial indexes too. Named in the tables for both engines, they would load
    its dialect into every start of the program.
    """
    for table in Base.metadata.tables.values():
        for index in table.indexes:
            where = index.dialect_options["sqlite"]["where"]
            if where is not None:
                index.dialect_options["postgresql"]["where"] = where
