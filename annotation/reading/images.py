"""Reads a folder of images as records, one per picture, in natural order (img2 before img10)."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.errors import N_, Refused, Where
from annotation.reading.record import Record

ENDINGS = frozenset(".jpg .jpeg .jpe .png .webp .gif .bmp .tif .tiff .heic .heif .avif .jp2".split())
MAGIC = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF87a", b"GIF89a", b"BM", b"II*\x00", b"MM\x00*")
MOST_FILES = 200_000


def natural(name: str) -> list[Any]:
    """A sort key that takes digits as numbers."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part.casefold()) for part in re.split(r"(\d+)", name)
            if part]


def found(folder: Path) -> list[str]:
    """Paths (with /) below ``folder`` of everything that is or claims to be a picture; links are not followed, and
    no other disk or device is entered. Refused for more than a folder of pictures (a home, a whole disk).
    """
    paths = []
    seen = 0
    for base, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and not os.path.ismount(Path(base, name))]
        seen += len(names)
        if seen > MOST_FILES:
            raise Refused(N_("the folder '{file}' holds more than {n} files; choose the folder of the pictures alone"),
                          code="bad_value", where=Where(file=folder.name), file=folder.name or str(folder),
                          n=f"{MOST_FILES:,}")
        for name in names:
            path = Path(base, name)
            if not name.startswith(".") and (path.suffix.lower() in ENDINGS or _is_picture(path)):
                paths.append(path.relative_to(folder).as_posix())
    return sorted(paths, key=lambda path: ([natural(part) for part in path.split("/")], path))


def records(folder: Path, paths: list[str]) -> Iterator[Record]:
    for number, path in enumerate(paths, 1):
        name = path.rsplit("/", 1)[-1]
        yield Record(number, {"path": path, "name": name, "stem": name.rsplit(".", 1)[0],
                              "folder": path.rpartition("/")[0]}, number)


def _is_picture(path: Path) -> bool:
    try:
        if not stat.S_ISREG(path.lstat().st_mode):  # a pipe without a writer would be waited for
            return False
        with path.open("rb") as stream:
            head = stream.read(16)
    except OSError:
        return False
    return head.startswith(MAGIC) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP")
