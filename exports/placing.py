"""Puts a new folder in place at once: made under OUT.part and renamed, so that no half export stands under its name."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation.errors import N_, Refused, Where


@contextmanager
def placed(out: str | Path) -> Iterator[Path]:
    """The folder OUT.part to write into; it becomes ``out`` at the end, or goes where anything is raised.

    Refused where ``out`` is no new or empty folder, or cannot be written.
    """
    target = new_or_empty(Path(out))
    part = target.with_name(target.name + ".part")
    try:
        part.mkdir()
        try:
            yield part
            if target.exists():
                target.rmdir()  # empty, as was seen above; a rename onto it would fail on Windows
            part.rename(target)
        finally:
            shutil.rmtree(part, ignore_errors=True)  # gone already where all went well
    except OSError as fault:
        raise unwritable(target, fault) from None


def emptied(folder: Path) -> None:
    """Take away all that a first try has put into ``folder``."""
    for one in folder.iterdir():
        shutil.rmtree(one) if one.is_dir() else one.unlink()


def new_or_empty(target: Path) -> Path:
    """``target``, or Refused where something stands there already."""
    part = target.with_name(target.name + ".part") if target.name else target
    where = Where(file=str(target))
    if not target.name:
        raise Refused(N_("'{out}' is no name for a folder"), code="bad_value", out=str(target), where=where)
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise Refused(N_("{out} is not a folder"), code="exists", out=str(target), where=where)
    if target.is_dir() and any(target.iterdir()):
        raise Refused(N_("{out} is not empty"), code="exists", out=str(target), where=where)
    if not target.parent.is_dir():
        raise Refused(N_("the folder {folder} does not exist"), code="not_found", folder=str(target.parent),
                      where=where)
    if part.exists():
        raise Refused(N_("{part} is left over from an export that did not end; take it away first"), code="exists",
                      part=str(part), where=where)
    return target


def unwritable(target: Path, fault: OSError) -> Refused:
    """The sentence for a folder that cannot be written."""
    if fault.errno in (errno.ENOSPC, errno.EDQUOT):
        return Refused(N_("the disk is full; nothing was written"), code="disk_full", where=Where(file=str(target)))
    return Refused(N_("{out} cannot be written: {why}"), code="not_writable", out=str(target),
                   why=fault.strerror or "unknown", where=Where(file=str(target)))
