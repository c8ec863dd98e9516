"""Store: an open project, with its transactions, media, protocol and content hash."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from annotation.errors import N_, Refused, Unknown
from annotation.protocol import Protocol, loads
from annotation.store.content import content_sha256
from annotation.store.lock import WriteLock
from annotation.store.media import Media
from annotation.store.sqlite import LOOSE
from annotation.store.tables import Meta, ProtocolVersion, Round, StudyVersion


class Store:
    """Made by ``opening.create`` and ``opening.open_store`` only.

    ``read_only`` with ``why_read_only`` (a Refused, raised again by ``write()``) is either wished or
    comes from another program's lock or a folder that cannot be written; ``note`` is a line for the
    status bar or "".
    """

    def __init__(self, *, reading: Engine, writing: Engine, folder: Path | None, url: str, device: UUID, media: Media,
                 refusal_of: Callable[[DBAPIError], Refused | None], stop: Callable[[Any], None],
                 lock: WriteLock | None = None, why_read_only: Refused | None = None, note: str = "") -> None:
        self.folder, self.url, self.device, self.media, self.note = folder, url, device, media, note
        self.why_read_only = why_read_only
        self._reading, self._writing, self._lock, self._refusal_of = reading, writing, lock, refusal_of
        self._loose = writing.execution_options(**{LOOSE: True})
        self._protocols: dict[str, Protocol] = {}
        self._main_round: UUID | None = None
        self.memory: dict[Any, Any] = {}  # what verbs may remember between two looks; never a fact
        self._one_writer = threading.RLock()
        self._stop, self._writer = stop, 0  # who writes now: the thread
        self._reads: list[Any] = []         # connections of the driver that read now
        self._reads_known = threading.Lock()

    @property
    def read_only(self) -> bool:
        return self.why_read_only is not None

    @property
    def is_frozen(self) -> bool:
        """Whether the folder itself cannot be written, not even beside the database."""
        return self.why_read_only is not None and self.why_read_only.code == "not_writable"

    def is_open_to_others(self, session: Session) -> bool:
        """Whether another process can open this project and reads what ``session`` reads, which writes nothing."""
        return self.folder is not None and not self.note and session.get_bind() is self._reading

    def write(self) -> AbstractContextManager[Session]:
        """One writing transaction: committed at the end, nothing of it kept if anything is raised."""
        return self._write(self._writing)

    def write_loosely(self) -> AbstractContextManager[Session]:
        """The same for claims and what else nobody misses: where the power fails, the last of it may be gone.

        It does not wait for the drive, which takes longer than all the rest of a claim.
        """
        return self._write(self._loose)

    @contextmanager
    def _write(self, engine: Engine) -> Iterator[Session]:
        if self.why_read_only is not None:
            raise self.why_read_only
        with self._one_writer, self._plain_faults():
            before, self._writer = self._writer, threading.get_ident()
            try:
                with self._session(engine) as session, session.begin():
                    yield session
            except BaseException:
                self.media.discard()
                raise
            finally:
                self._writer = before
            self.media.settle()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """One consistent view of the project. Raises Refused (code ``stopped``) where ``stop_reads`` was called."""
        with self._plain_faults(), self._session(self._reading) as session, self._stoppable(session):
            yield session

    @contextmanager
    def _stoppable(self, session: Session) -> Iterator[None]:
        if self._writer == threading.get_ident():  # a look aside within a write, which nobody stops
            yield
            return
        raw = session.connection().connection.dbapi_connection
        with self._reads_known:
            self._reads.append(raw)
        try:
            yield
        finally:
            with self._reads_known:
                self._reads.remove(raw)

    def stop_reads(self) -> None:
        """Break off the statement that each read is at now; from any thread. What writes is left alone."""
        with self._reads_known:
            for raw in self._reads:
                self._stop(raw)

    def _session(self, engine: Engine) -> Session:
        return Session(engine, expire_on_commit=False, info={"store": self})

    @contextmanager
    def _plain_faults(self) -> Iterator[None]:
        """A full disk, a lock, a broken file: sentences, not tracebacks."""
        try:
            yield
        except DBAPIError as fault:
            refusal = self._refusal_of(fault)
            if refusal is None:
                raise
            raise refusal from fault

    @property
    def protocol(self) -> Protocol:
        """The protocol in use now."""
        with self.read() as session:
            return protocol_now(session)

    def protocol_by(self, hash: str) -> Protocol:
        """The protocol version with this hash, as stored."""
        if hash not in self._protocols:
            with self.read() as session:
                return protocol_by(session, hash)
        return self._protocols[hash]

    def content_sha256(self) -> str:
        """The hash over all rows but caches and devices."""
        with self._plain_faults(), self._reading.connect() as connection:
            return content_sha256(connection)

    def close(self) -> None:
        """Close all connections and release the write lock. Safe to call twice."""
        self._reading.dispose()
        self._writing.dispose()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


def store_of(session: Session) -> Store:
    """The store a session belongs to."""
    store: Store = session.info["store"]
    return store


def meta(session: Session) -> dict[str, str]:
    """The project's facts: ``title``, ``protocol`` (hash in use), ``created``."""
    return {key: value for key, value in session.execute(select(Meta.key, Meta.value))}


def has_studies(session: Session) -> bool:
    """Whether studies were ever kept here; what knows them is not loaded for a project without any."""
    return session.scalar(select(StudyVersion.hash).limit(1)) is not None


def protocol_now(session: Session) -> Protocol:
    """The protocol in use, looked up once per session."""
    if "protocol" not in session.info:
        session.info["protocol"] = session.execute(select(Meta.value).where(Meta.key == "protocol")).scalar_one()
    return protocol_by(session, session.info["protocol"])


def protocol_by(session: Session, hash: str) -> Protocol:
    """The protocol version with this hash, read through this session and kept by the store."""
    kept = store_of(session)._protocols
    if hash not in kept:
        text = session.execute(select(ProtocolVersion.text).where(ProtocolVersion.hash == hash)).scalar()
        if text is None:
            raise Unknown(N_("this project has no protocol version {hash}"), hash=hash[:12])
        kept[hash] = loads(text)
    return kept[hash]


def main_round(session: Session) -> UUID:
    """The id of the round "main"."""
    store = store_of(session)
    if store._main_round is None:
        store._main_round = session.execute(select(Round.id).where(Round.name == "main")).scalar_one()
    return store._main_round
