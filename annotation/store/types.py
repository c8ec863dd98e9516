"""Column types that mean the same on SQLite and PostgreSQL: ids, times, canonical JSON."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, LargeBinary, Text, Uuid, type_coerce
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import Session
from sqlalchemy.types import TypeDecorator, TypeEngine

from annotation import canonical

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now() -> datetime:
    """The present, UTC, to the microsecond."""
    return datetime.now(UTC)


class Id(TypeDecorator[UUID]):
    """A UUID: 16 bytes as BLOB on SQLite, ``uuid`` on PostgreSQL."""

    impl = LargeBinary(16)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(Uuid() if dialect.name == "postgresql" else LargeBinary(16))

    def process_bind_param(self, value: UUID | None, dialect: Dialect) -> Any:
        return value if value is None or dialect.name == "postgresql" else value.bytes

    def process_result_value(self, value: Any, dialect: Dialect) -> UUID | None:
        return value if value is None or isinstance(value, UUID) else UUID(bytes=bytes(value))


class When(TypeDecorator[datetime]):
    """An aware datetime, kept as integer microseconds UTC."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else (value - EPOCH) // timedelta(microseconds=1)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        return None if value is None else EPOCH + timedelta(microseconds=value)


class Json(TypeDecorator[Any]):
    """Any JSON value as canonical text on both databases (never JSONB: these bytes are hashed)."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else canonical.dumps(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else canonical.loads(value)


def as_stored(session: Session, column: Any) -> Any:
    """A column of ids as the driver gives them (bytes on SQLite), for reads of so many rows that making a UUID of
    each would take longer than the query.
    """
    return type_coerce(column, LargeBinary) if session.get_bind().dialect.name == "sqlite" else column


def storing(session: Session) -> Callable[[UUID], Any]:
    """Makes of an id what the driver gives."""
    return _bytes_of if session.get_bind().dialect.name == "sqlite" else lambda id: id


_bytes_of = attrgetter("bytes")


def as_uuid(raw: Any) -> UUID:
    """The id that the driver gave."""
    return raw if isinstance(raw, UUID) else UUID(bytes=raw)
