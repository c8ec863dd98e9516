"""A backup: one compact, consistent copy of a project's database, made while others work."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from annotation.errors import N_, Refused
from annotation.store import sqlite
from annotation.store.opening import DATABASE
from annotation.store.project import Store


@dataclass(frozen=True, slots=True)
class Backup:
    file: str
    bytes: int
    sha256: str


def back_up(store: Store, file: str | Path) -> Backup:
    """Write the database (not the media) to ``file``; to use it, put it as project.db beside the media folder.

    Raises Refused where the file exists, cannot be written, or the project is on a server.
    """
    target = Path(file)
    if store.folder is None:
        raise Refused(N_("a project on a server is backed up there (pg_dump)"), code="on_server")
    if target.exists():
        raise Refused(N_("{file} exists already"), code="exists", file=str(target))
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    engine = sqlite.engine(store.folder / DATABASE, writes=False, frozen=store.is_frozen)
    try:
        sqlite.vacuum_into(engine, part)
        part.rename(target)
    except DBAPIError as fault:
        refusal = sqlite.refusal_of(fault)
        raise refusal or fault from None
    except (OSError, sqlite.Fault) as fault:
        raise Refused(N_("{file} cannot be written ({reason})"), code="not_writable", file=str(target),
                      reason=str(fault)) from None
    finally:
        part.unlink(missing_ok=True)
        engine.dispose()
    digest = hashlib.sha256()
    with target.open("rb") as source:
        while block := source.read(1 << 20):
            digest.update(block)
    return Backup(str(target), target.stat().st_size, digest.hexdigest())
