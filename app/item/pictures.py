"""Decoded pictures: read beside the GUI thread, bounded in memory, kept for the item and the next one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QImage, QImageReader

from annotation.errors import N_, Refused

MOST_PIXELS = 120_000_000  # a 100-megapixel picture and a margin; four bytes each
KEPT_BYTES = 384 * 1024 * 1024


def decode(path: Path) -> QImage:
    """The picture upright (its stored orientation applied), or Refused with a sentence."""
    QImageReader.setAllocationLimit(MOST_PIXELS * 4 // (1024 * 1024))
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isValid() and size.width() * size.height() > MOST_PIXELS:
        raise Refused(N_("the picture has {width} x {height} pixels, more than can be shown"),
                      code="unreadable_media", width=size.width(), height=size.height())
    image = reader.read()
    if image.isNull():
        raise Refused(N_("the picture cannot be read"), code="unreadable_media")
    for key in image.textKeys():
        image.setText(key, "")  # nothing written in the file may be shown by accident
    return image


class Pictures(QObject):
    """``ask`` answers on the GUI thread with a QImage, or with the sentence why there is none."""

    def __init__(self, jobs: Any, media: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._media = jobs, media
        self._kept: OrderedDict[str, QImage] = OrderedDict()
        self._waiting: dict[str, list[tuple[QObject, Callable[[Any], None]]]] = {}

    def ask(self, owner: QObject, sha256: str, then: Callable[[Any], None]) -> None:
        kept = self._kept.get(sha256)
        if kept is not None:
            self._kept.move_to_end(sha256)
            then(kept)
            return
        asked = self._waiting.setdefault(sha256, [])
        asked.append((owner, then))
        if len(asked) == 1:
            media = self._media

            def read(_progress: Any, _cancelled: Any) -> QImage:
                return decode(media.path(sha256))

            self._jobs.work(self, read, then=lambda image: self._arrive(sha256, image),
                            failed=lambda fault: self._tell(sha256, str(fault)))

    def fetch_ahead(self, fields: Mapping[str, Any]) -> None:
        """Decode what the next item will show."""
        for sha256 in media_of(fields):
            if sha256 not in self._kept:
                self.ask(self, sha256, lambda _image: None)

    def _arrive(self, sha256: str, image: QImage) -> None:
        self._kept[sha256] = image
        while len(self._kept) > 1 and sum(kept.sizeInBytes() for kept in self._kept.values()) > KEPT_BYTES:
            self._kept.popitem(last=False)
        self._tell(sha256, image)

    def _tell(self, sha256: str, image: Any) -> None:
        for owner, then in self._waiting.pop(sha256, []):
            if shiboken6.isValid(owner):
                then(image)


def media_of(value: Any) -> Iterator[str]:
    """Every picture named somewhere in an item's fields."""
    if isinstance(value, Mapping):
        if isinstance(value.get("sha256"), str):
            yield value["sha256"]
        else:
            for inner in value.values():
                yield from media_of(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from media_of(inner)
