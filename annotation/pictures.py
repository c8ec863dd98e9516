"""Finds the pictures that a file of items names, takes position data out of them and puts them into the project."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from annotation import metadata
from annotation.errors import N_, Refused
from annotation.store.media import Media, MediaRef, measure, unreadable

FILE_LIMIT = 512 * 1024 * 1024
BARE_ENDINGS = (".jpg", ".jpeg", ".png", ".webp")


@dataclass(slots=True)
class Pictures:
    """One import's pictures. ``media`` None: everything is checked, nothing is kept (a dry run).

    ``used`` counts by SHA-256 how many accepted items name a picture; ``missing`` by path likewise.
    """

    folder: Path
    media: Media | None
    refs: dict[str, MediaRef] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    stripped: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _by_path: dict[tuple[str, str], str | Refused | None] = field(default_factory=dict)

    def find(self, path: str, *, root: str = ".") -> dict[str, Any]:
        """``{"sha256": .. or None where no such file is there, "path": as written}``.

        Raises Refused ``path_outside`` for a path that leaves the folder, ``unreadable_media`` for a file
        that is no whole picture.
        """
        if (root, path) not in self._by_path:
            try:
                self._by_path[root, path] = self._put(path, root)
            except Refused as fault:
                self._by_path[root, path] = fault
        known = self._by_path[root, path]
        if isinstance(known, Refused):
            raise Refused(known.template, code=known.code, **known.values)
        return {"sha256": known, "path": path}

    def embedded(self, data: bytes, name: str) -> dict[str, Any]:
        """The reference of a picture that stands in the file itself (parquet)."""
        return {"sha256": self._keep(data, name), "path": name}

    def accept(self, refs: list[Mapping[str, Any]]) -> None:
        """Count the references of one accepted item."""
        for sha256 in {ref["sha256"] for ref in refs if ref["sha256"]}:
            self.used[sha256] = self.used.get(sha256, 0) + 1
        for path in {ref["path"] for ref in refs if not ref["sha256"]}:
            self.missing[path] = self.missing.get(path, 0) + 1

    def drop_unused(self) -> None:
        """Take away again what only refused rows named."""
        for sha256 in set(self.refs) - set(self.used):
            del self.refs[sha256]
            if self.media is not None:
                self.media.drop(sha256)

    def _put(self, path: str, root: str) -> str | None:
        file = inside(self.folder, root, path)
        try:
            if not file.suffix and not os.path.lexists(file):  # named by its id alone, as in vlm-geoprivacy
                ended = (inside(self.folder, root, path + ending) for ending in BARE_ENDINGS)
                file = next((one for one in ended if os.path.lexists(one)), file)
            mode = os.stat(file).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as fault:
            raise unreadable(path, str(getattr(fault, "strerror", None) or fault)) from None
        if not stat.S_ISREG(mode):
            raise unreadable(path, N_("it is no file"))
        try:
            if file.stat().st_size > FILE_LIMIT:
                raise unreadable(path, N_("the file is larger than 512 MiB"))
            data = file.read_bytes()
        except OSError as fault:
            raise unreadable(path, fault.strerror or str(fault)) from None
        return self._keep(data, path)

    def _keep(self, data: bytes, name: str) -> str:
        if not data:
            raise unreadable(name, N_("the file is empty"))
        try:
            clean, removed = metadata.strip(data)
        except Refused as fault:
            raise Refused(N_("'{name}': {why}"), code="unreadable_media", name=name, why=str(fault)) from None
        source = hashlib.sha256(data).hexdigest()
        if self.media is None:
            mime, width, height = measure(clean, name=name)
            ref = MediaRef(hashlib.sha256(clean).hexdigest(), source, mime, len(clean), width, height, removed)
        else:
            ref = self.media.put(clean, source_sha256=source, removed=removed, name=name)
        self.refs.setdefault(ref.sha256, ref)
        if removed:
            self.stripped[name] = removed
        return ref.sha256


def inside(folder: Path, root: str, path: str) -> Path:
    """``folder/root/path``; Refused (``path_outside``) unless it lies in ``folder/root``, links followed.

    Backslashes separate too (the file may come from Windows), but not where a file has one in its name.
    """
    outside = Refused(N_("'{path}' leads out of the folder of the file"), code="path_outside", path=path[:200])
    base = folder / root
    if _leads_out(root) or _leads_out(path) or "\x00" in path or len(path) > 4096:
        raise outside
    file = base / path
    try:
        if "\\" in path and not os.path.lexists(file):
            file = base / path.replace("\\", "/")
        home, target = os.path.realpath(base), os.path.realpath(file)
        if os.path.commonpath([os.path.realpath(folder), home]) != os.path.realpath(folder):
            raise outside
        if target == home or os.path.commonpath([home, target]) != home:
            raise outside
    except (OSError, ValueError):
        raise outside from None
    return file


def _leads_out(path: str) -> bool:
    windows = PureWindowsPath(path)
    if windows.drive or windows.root or PurePosixPath(path).is_absolute() or path.startswith("~"):
        return True
    depth = 0
    for part in windows.parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return True
    return False
