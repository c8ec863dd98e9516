"""The table of formats, apart from the package so that its members can register."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy.orm import Session

from annotation.errors import N_, Refused
from annotation.registry import Registry
from exports.blind import write_anonymous
from exports.bundle import Progress, write_bundle
from exports.manifest import FileEntry
from exports.placing import new_or_empty, placed
from exports.writers.source import Source, read_source


@dataclass(frozen=True, slots=True)
class Exported:
    """What a writer wrote. ``left_out``: {reason: items or answers}; ``read_back``: rows compared after writing."""

    out: str
    release: str
    items: int
    manifest_sha256: str
    files: tuple[FileEntry, ...]
    cannot: tuple[str, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()
    read_back: int = 0


@dataclass(frozen=True, slots=True)
class Made:
    """What ``make`` put into the folder; ``cannot`` adds what this very release has and the format has no place for."""

    files: tuple[FileEntry, ...]
    items: int
    cannot: tuple[str, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """A format: ``cannot`` says what it has no place for.

    ``make(source, folder)`` writes the files; ``read_back(source, folder)`` reads them again by other means than it
    wrote them, compares every row with the bundle, and returns how many; it raises Refused at the first difference.
    """

    name: str
    about: str
    cannot: tuple[str, ...]
    make: Callable[[Source, Path], Made]
    read_back: Callable[[Source, Path], int]

    def __call__(self, session: Session, out: str | Path, *, version: str | None = None, private: bool = False,
                 progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> Exported:
        """Write the release ``version`` (the newest, if None) of a project, by way of its bundle.

        ``progress(done, of)`` counts the items of the bundle; Refused (cancelled) soon after ``cancelled()``.
        """
        if private:
            raise Refused(N_("only the format bundle carries private fields"), code="bad_value")
        target = new_or_empty(Path(out))
        # Beside OUT, not in the system's temporary folder: pictures may be large, and this disk has to hold them.
        with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as beside:
            write_bundle(session, Path(beside, "bundle"), version=version, progress=progress, cancelled=cancelled)
            return self.from_bundle(Path(beside, "bundle"), target, cancelled=cancelled)

    def from_bundle(self, bundle: str | Path, out: str | Path, *, cancelled: Callable[[], bool] | None = None
                    ) -> Exported:
        """Write a bundle folder in this format; Refused, and nothing written, where something would be lost unseen."""
        source = read_source(Path(bundle))
        with placed(out) as part:
            _look(cancelled)
            made = self.make(source, part)
            _look(cancelled)
            compared = self.read_back(source, part)
        return Exported(str(out), source.version, made.items, source.manifest_sha256,
                        tuple(sorted(made.files, key=lambda one: one.path)), (*self.cannot, *made.cannot),
                        made.left_out, compared)


def _look(cancelled: Callable[[], bool] | None) -> None:
    if cancelled is not None and cancelled():
        raise Refused(N_("the export was stopped; nothing was written"), code="cancelled")


class Writer(Protocol):
    """What every format offers; the result of a call has out, release, items, manifest_sha256 and files."""

    @property
    def name(self) -> str: ...

    @property
    def about(self) -> str: ...

    @property
    def cannot(self) -> tuple[str, ...]: ...

    def __call__(self, session: Session, out: str | Path, *, version: str | None = None, private: bool = False,
                 progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> Any: ...

    def from_bundle(self, bundle: str | Path, out: str | Path) -> Exported: ...


class BundleFormat:
    """The format "bundle": what all others are made from."""

    name = "bundle"
    about = "the gold bundle: everything, with checksums"
    cannot: tuple[str, ...] = ()

    def __call__(self, session: Session, out: str | Path, *, version: str | None = None, private: bool = False,
                 anonymous: bool = False, progress: Progress | None = None,
                 cancelled: Callable[[], bool] | None = None) -> Any:
        if anonymous and private:
            raise Refused(N_("a bundle for double-blind review carries no private fields"), code="bad_value")
        if anonymous:
            return write_anonymous(session, out, version=version, progress=progress, cancelled=cancelled)
        return write_bundle(session, out, version=version, private=private, progress=progress, cancelled=cancelled)

    def from_bundle(self, bundle: str | Path, out: str | Path) -> Exported:
        raise Refused(N_("{bundle} is a bundle already"), code="bad_value", bundle=str(bundle))


writers: Registry[Writer] = Registry("format")
