"""The doctor: is the file whole, does the chain hold, do the derived tables say what the facts say?"""

from __future__ import annotations

import platform
import sqlite3
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from annotation import caches, canonical, trail
from annotation.caches import Progress
from annotation.store import sqlite
from annotation.store.content import content_sha256
from annotation.store.project import Store
from annotation.store.tables import Revision


def machine() -> dict[str, Any]:
    """The versions that matter, and what is wrong with them."""
    try:
        qt: str | None = version("PySide6")
    except PackageNotFoundError:
        qt = None
    faults = []
    if qt is not None and qt.startswith("6.12.0") and sys.version_info < (3, 12):
        faults.append({"code": "broken_qt", "message": "PySide6 6.12.0 aborts on Python before 3.12"})
    if sqlite3.sqlite_version_info < (3, 35):
        faults.append({"code": "old_sqlite", "message": f"SQLite {sqlite3.sqlite_version} is older than 3.35"})
    return {"python": platform.python_version(), "qt": qt, "sqlite": sqlite3.sqlite_version, "faults": faults}


def doctor(store: Store | None, rebuild: bool = False, *, progress: Progress | None = None) -> dict[str, Any]:
    """The keys of ``goldsmith doctor --json``; with ``rebuild`` the derived tables are written anew first
    (``rebuilt`` then says how many rows were wrong).
    """
    report = machine()
    if store is None:
        return report
    if rebuild:
        with store.write() as session:
            report["rebuilt"] = caches.rebuild(session, progress=progress)
    with store.read() as session:
        report.update(_examine(session, progress))
    faults = report["faults"]
    faults += [{"code": "integrity", "message": line} for line in report.pop("complaints")]
    faults += [{"code": "chain", "message": f"event {seq} of device {device.hex}: {what}"}
               for device, seq, what in report.pop("broken")]
    faults += [{"code": "cache", "message": f"{n} rows of {table} are not what the facts give; run doctor --rebuild"}
               for table, n in report["caches"].items() if n]
    return report


def _examine(session: Session, progress: Progress | None) -> dict[str, Any]:
    connection = session.connection()
    complaints = sqlite.integrity(connection) if connection.dialect.name == "sqlite" else []
    complaints += _changed_answers(session)
    chain = trail.verify_chain(session)
    return {
        "integrity": "faults" if complaints else "ok",
        "events": {"n": chain.n, "chain": "ok" if chain.ok else "broken"},
        "caches": caches.differing(session, progress=progress),
        "revisions": session.execute(select(func.count()).select_from(Revision)).scalar_one(),
        "content_sha256": content_sha256(connection),
        "complaints": complaints, "broken": chain.faults,
    }


def _changed_answers(session: Session) -> list[str]:
    """Revisions whose answers no longer have the hash that was stored with them."""
    rows = session.execute(select(Revision.id, Revision.answers_json, Revision.answers_sha256)
                           .execution_options(yield_per=5000))
    return [f"the answers of revision {row.id.hex} were changed" for row in rows
            if canonical.sha256(row.answers_json) != row.answers_sha256]
