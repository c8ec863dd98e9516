"""Pictures and other media, put and got by the SHA-256 of their bytes; no machine path is ever stored."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import os
import warnings
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from annotation.errors import N_, Refused

PIXEL_LIMIT = 200_000_000
DECODE_LIMIT = 40_000_000  # above this a picture's header and frame are checked, not every pixel


@dataclass(frozen=True, slots=True)
class MediaRef:
    """One stored file. ``removed`` names the metadata that was taken out before it was put."""

    sha256: str
    source_sha256: str
    mime: str
    bytes: int
    width: int | None
    height: int | None
    removed: tuple[str, ...] = ()


class Media:
    """The media home of one project: a folder ``ab/abcdef..`` beside the database, or a local one of a server."""

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.folder = folder
        self.read_only = read_only
        self._fresh: list[Path] = []

    def path(self, sha256: str) -> Path:
        """Where the bytes lie (whether or not they are there)."""
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
            raise ValueError(f"not a SHA-256: {sha256!r}")
        return self.folder / sha256[:2] / sha256

    def exists(self, sha256: str) -> bool:
        return self.path(sha256).is_file()

    def put(self, source: bytes | Path, *, source_sha256: str | None = None, removed: tuple[str, ...] = (),
            name: str | None = None) -> MediaRef:
        """Check a picture and keep its bytes; ``name`` is what sentences call it.

        Raises Refused (``unreadable_media``) for what is empty, truncated, no picture or too large.
        """
        called = name or (source.name if isinstance(source, Path) else "?")
        try:
            data = source if isinstance(source, bytes) else source.read_bytes()
        except OSError as fault:
            raise unreadable(called, fault.strerror or str(fault)) from None
        mime, width, height = measure(data, name=called)
        sha256 = hashlib.sha256(data).hexdigest()
        self._keep(sha256, data)
        return MediaRef(sha256, source_sha256 or sha256, mime, len(data), width, height, removed)

    def _keep(self, sha256: str, data: bytes) -> None:
        target = self.path(sha256)
        if target.is_file() and target.stat().st_size == len(data):
            return
        part = target.with_name(f"{sha256}.{os.getpid()}.part")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            part.replace(target)
        except OSError as fault:
            _remove(part)
            if fault.errno in (errno.ENOSPC, errno.EDQUOT):
                raise Refused(N_("the disk is full; nothing was stored"), code="disk_full") from None
            raise Refused(N_("the project's media folder cannot be written ({reason})"), code="not_writable",
                          reason=fault.strerror) from None
        self._fresh.append(target)

    def settle(self) -> None:
        """What was put stays: the transaction that names it was committed."""
        self._fresh.clear()

    def drop(self, sha256: str) -> None:
        """Take away one file that was put since the last settling (nothing that counts names it)."""
        target = self.path(sha256)
        if target in self._fresh:
            self._fresh.remove(target)
            _remove(target)

    def discard(self) -> None:
        """Take away what was put since the last settling: its transaction was rolled back."""
        for file in self._fresh:
            _remove(file)
        self._fresh.clear()


def _remove(file: Path) -> None:
    file.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # other media may lie there
        file.parent.rmdir()


def measure(data: bytes, *, name: str) -> tuple[str, int, int]:
    """(mime, width, height) of a picture from its header, with its data checked as far as that is affordable."""
    if not data:
        raise unreadable(name, N_("the file is empty"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our own limit follows
            with Image.open(io.BytesIO(data)) as picture:
                width, height = picture.size
                mime = Image.MIME.get(picture.format or "", "")
                if width * height > PIXEL_LIMIT:
                    raise Refused(N_("'{name}' has {pixels} pixels; at most {limit} are taken"),
                                  code="unreadable_media", name=name, pixels=width * height, limit=PIXEL_LIMIT)
                if picture.format == "JPEG":
                    picture.draft("RGB", (max(1, width // 8), max(1, height // 8)))  # cheap, but reads to the end
                    picture.load()
                elif width * height <= DECODE_LIMIT:
                    picture.load()
                else:
                    picture.verify()
    except UnidentifiedImageError:
        raise unreadable(name, N_("it is no picture of a known kind")) from None
    except Image.DecompressionBombError:
        raise unreadable(name, N_("it has too many pixels")) from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError) as fault:  # what Pillow's readers raise
        raise unreadable(name, str(fault)) from None
    if not mime:
        raise unreadable(name, N_("it is no picture of a known kind"))
    return mime, width, height


def unreadable(name: str, reason: str) -> Refused:
    return Refused(N_("'{name}' cannot be read as a picture: {reason}"), code="unreadable_media", name=name,
                   reason=reason)
