"""Writes a release as a gold bundle: a folder that anybody can read, check and score without this program."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.collecting import no_collecting
from annotation.errors import N_, Refused, Unknown
from annotation.store.project import store_of
from annotation.store.tables import Release
from exports import frozen as frozen_release
from exports.commitments import secret
from exports.fixed_files import FACT, fixed_files, packed
from exports.frozen import Frozen
from exports.manifest import FileEntry, checksums, manifest
from exports.placing import emptied, placed
from exports.ranges import Lost, made_by, processes_for
from exports.rows import Rows, line
from exports.sinks import Sinks, line_rows
from exports.taking import PRIVATE, PUBLIC, SALTS, Taken
from exports.tombstones import gone_from

EVERY = 500  # items between two looks at progress and cancel
LINES, PRIVATE_LINES = "public/lines.jsonl", "private/lines.jsonl"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Written:
    """``files``: every file of the bundle."""

    out: str
    release: str
    items: int
    manifest_sha256: str
    files: tuple[FileEntry, ...]


def finished(session: Session, frozen: Frozen) -> tuple[Frozen, str]:
    """A drawn release with the files that are kept with it, and the hash of its manifest; nothing is written."""
    return _Maker(session, frozen, None).make()


def manifest_sha256(session: Session, frozen: Frozen) -> str:
    """The hash of the manifest that ``frozen`` gives, without writing a file."""
    return finished(session, frozen)[1]


def write_bundle(session: Session, out: str | Path, *, version: str | None = None, private: bool = False,
                 progress: Progress | None = None, cancelled: Callable[[], bool] | None = None,
                 processes: int | None = None) -> Written:
    """Write the release ``version`` (the newest, if None) to ``out``, a new or empty folder.

    It is made as OUT.part and renamed, so that no half bundle stands under its name. Two calls give the same bytes.
    ``private``: with private/, which never goes into a public archive. ``progress(done, of)`` counts items. Refused
    where the folder holds something, where the release cannot be rebuilt as it was drawn, and soon after
    ``cancelled()``. ``processes`` make the lines; None: a few, where the release is big, there are
    processors, and a new process would not run a script of somebody's again (without ``if __name__ == "__main__"``).
    """
    frozen = frozen_release.read(session, chosen(session, version))
    with placed(out) as part:
        said: Any = {"private": private, "progress": progress, "cancelled": cancelled}
        try:
            maker = _Maker(session, frozen, part, **said, processes=processes_for(session, frozen, processes))
            _, drawn = maker.make()
        except Lost:
            emptied(part)
            maker = _Maker(session, frozen, part, **said)
            _, drawn = maker.make()
        stored = session.scalars(select(Release.manifest_sha256).where(Release.version == frozen.version)).one()
        if drawn != stored:
            raise Refused(N_("the release {version} cannot be rebuilt as it was drawn; run verify on the project"),
                          code="manifest_hash", version=frozen.version)
    return Written(str(out), frozen.version, len(frozen.items), drawn, tuple(sorted(
        maker.files, key=lambda one: one.path)))


def chosen(session: Session, version: str | None) -> str:
    """The version that was asked for, or the newest; Unknown where there is none."""
    known = frozen_release.versions(session)
    if version is None and not known:
        raise Unknown(N_("There is no release yet"))
    return known[-1] if version is None else version


class _Maker:
    """Makes one bundle: the rows item by item into all files at once, then what follows from them."""

    def __init__(self, session: Session, frozen: Frozen, folder: Path | None, *, private: bool = False,
                 progress: Progress | None = None, cancelled: Callable[[], bool] | None = None,
                 processes: int = 1) -> None:
        self.session, self.frozen, self.folder, self.private = session, frozen, folder, private
        self.progress, self.cancelled, self.processes = progress, cancelled, processes
        self.rows = Rows(session, frozen)
        self.taken, self.gone = Taken(), gone_from(session, frozen)
        self.files: list[FileEntry] = []

    def make(self) -> tuple[Frozen, str]:
        with no_collecting(), Sinks(self.folder, bytes.fromhex(self.frozen.salt), self.gone) as sinks:
            self._walk(sinks)
            sums, tally = self.taken.sums, self.taken.tally
            hours, baseline = sums.hours(), sums.baseline()
            for person in sorted(self.frozen.people.values(), key=lambda one: one.pseudonym):
                sinks["public/annotators.jsonl"].row({
                    "annotator": person.pseudonym, "kind": person.kind, "roles": list(person.roles),
                    "items": sums.worked_on(person.pseudonym)})
            for path, rows in (("public/hours.jsonl", hours), ("public/baseline.jsonl", baseline)):
                for row in rows:
                    sinks[path].row(row)
            protocol = self.rows.protocol
            sinks.add("public/protocol.yaml").text(protocol.text.encode())
            if protocol.model is not None:
                sinks.add("public/model.json").text(line(protocol.model.model_dump(mode="json")))
            fixed = fixed_files(self.frozen, protocol, tally, hours, baseline)
            for path in sorted(fixed):
                sinks.add(path, by_line=path != "scorer.pyz").text(fixed[path])
            secrets = sinks.paths("private/")
            for target, paths in ((LINES, sinks.paths(None)), (PRIVATE_LINES, secrets)):
                listed = sinks.add(target, written=self.private or target == LINES)
                for row in line_rows(sinks.lines(paths)):
                    listed.row(row)
        head = manifest(self.frozen, protocol, tally,
                        [*(sinks[path].entry() for path in sinks.paths(None)), *self._pictures()],
                        {path: sinks[path].commitment or "" for path in PRIVATE})
        drawn = hashlib.sha256(head).hexdigest()
        if self.folder is not None:
            self.files += [sinks[path].given() for path in (
                *sinks.paths(None), *(sinks.paths("private/") if self.private else ()))]
            self._put("manifest.json", head)
            self._put("SHA256SUMS", checksums({one.path: one.sha256 for one in self.files}))
        return replace(self.frozen, facts={**self.frozen.facts, FACT: packed(fixed)}
                       if FACT not in self.frozen.facts else self.frozen.facts), drawn

    def _walk(self, sinks: Sinks) -> None:
        for path in (*PUBLIC, "public/annotators.jsonl", "public/hours.jsonl", "public/baseline.jsonl"):
            sinks.add(path)
        salts = {path: secret(self.frozen.salt, "file", path) for path in PRIVATE}
        for path in PRIVATE:
            sinks.add(path, salt=salts[path], written=self.private)
        sinks.add(SALTS, written=self.private)
        for path in sorted(salts):
            sinks[SALTS].row({"id": None, "element": None, "question": None, "path": path, "salt": salts[path]})
        of = len(self.frozen.items)
        if self.processes > 1:
            self._walk_with_others(sinks, of)
        else:
            for done, rows in enumerate(self.rows.walk()):
                if done % EVERY == 0:
                    self._look(done, of)
                self.taken.take(sinks.__getitem__, self.rows, self.gone, rows)
        self._look(of, of)

    def _walk_with_others(self, sinks: Sinks, of: int) -> None:
        done = 0
        self._look(done, of)
        with closing(made_by(self.processes, self.session, self.frozen, self.gone, self._stop)) as ranges:
            for made in ranges:
                self.taken.add(made.taken)
                self.rows.read_media(made.media)
                for path, lines in made.lines.items():
                    sinks[path].add(lines, made.rows[path])
                done += made.items
                self._look(done, of)

    def _look(self, done: int, of: int) -> None:
        self._stop()
        if self.progress is not None:
            self.progress(done, of)

    def _stop(self) -> None:
        if self.cancelled is not None and self.cancelled():
            raise Refused(N_("the export was stopped; nothing was written"), code="cancelled")

    def _put(self, path: str, data: bytes) -> None:
        assert self.folder is not None
        (self.folder / path).write_bytes(data)
        self.files.append(FileEntry(path, hashlib.sha256(data).hexdigest(), len(data), None))

    def _pictures(self) -> list[FileEntry]:
        """Every picture as drawn, and copied where there is a folder, but for those of items that were taken out.

        Refused where its bytes are not what they were.
        """
        media, entries = store_of(self.session).media, []
        for sha256 in sorted(self.rows.media):
            entry = FileEntry(self.rows.path_of(sha256), sha256, self.rows.media[sha256].bytes, None)
            entries.append(entry)
            if self.folder is None or (self.gone.items and sha256 not in self.taken.shown):
                continue
            if not media.exists(sha256):
                raise Refused(N_("a picture of the release is not in the project any more ({sha256})"),
                              code="missing_media", sha256=sha256[:12])
            data = media.path(sha256).read_bytes()
            if hashlib.sha256(data).hexdigest() != sha256:
                raise Refused(N_("a picture of the release has changed in the project ({sha256})"), code="hash",
                              sha256=sha256[:12])
            (self.folder / entry.path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / entry.path).write_bytes(data)
            self.files.append(entry)
        return entries
