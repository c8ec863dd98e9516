"""Compose: the frames of a trial, each one image in the pixels of the device, painted before the trial begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from app import theme
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.parts.caps import caps_width, paint_caps
from app.parts.paint import fill_box
from app.stage.choices import Target
from app.stage.flow import Piece, Sizes
from app.stage.layout import Layout, Room, Setting, place, settle
from app.stage.pictures import Picture
from app.stage.view import TrialView

CROSS = 24  # logical pixels
SMALL = QSize(1280, 720)  # of a window that does not fill its screen
_GO_ON = QT_TRANSLATE_NOOP("stage", "Go on")


@dataclass(frozen=True, slots=True)
class Device:
    """The screen: device pixels, and how many of them a logical pixel is."""

    width: int
    height: int
    ratio: float

    @property
    def room(self) -> Room:
        return Room(self.width / self.ratio, self.height / self.ratio)


@dataclass(frozen=True, slots=True)
class Frames:
    """By the names of ``studies.trial_run.Show``. ``targets`` and ``home`` (logical pixels): for the pointer."""

    images: Mapping[str, QImage]
    targets: tuple[Target, ...] = ()
    home: tuple[float, float] | None = None


Decoded = Mapping[tuple[str, int, int], QImage]  # by the picture and its size in device pixels


def fetch(view: TrialView, media: Any) -> dict[str, Picture]:
    """The files of a trial, by their SHA-256, whole; or Refused naming the item and the file."""
    found = {}
    for sha256, path in view.pictures:
        file: Path | None = media.path(sha256) if sha256 else None
        found[sha256 or ""] = Picture(file, sha256=sha256, path=path, item=view.item)
    return found


def lay_out(view: TrialView, sizes: Sizes, device: Device, setting: Setting | None) -> Layout:
    """Places of one trial; ``setting`` None: settled for it alone. Raises Refused where it does not fit."""
    return place(view, sizes, device.room, setting or settle([(view, sizes)], device.room))


def wanted(layout: Layout, device: Device) -> tuple[tuple[str, int, int], ...]:
    """Which pictures are to be decoded, and how large."""
    return tuple((piece.picture, *device_box(piece, device.ratio)[2:]) for piece in layout.pieces if piece.picture)


def decode(view: TrialView, media: Any, wanted: Iterable[tuple[str, int, int]]) -> Decoded:
    """For the pool: nothing of it touches a text. Raises Refused where a file is not whole any more."""
    files = fetch(view, media)
    return {(sha256, width, height): files[sha256].shown_at((width, height))
            for sha256, width, height in dict.fromkeys(wanted)}


def paint(view: TrialView, layout: Layout, decoded: Decoded, device: Device) -> Frames:
    """All screens of a trial, for the window's thread: documents of text are not for others."""
    images = {f"screen:{n}": _screen(view, layout, decoded, device, n) for n in range(1, len(view.screens) + 1)}
    return Frames(images, layout.targets, layout.home)


def frames(view: TrialView, media: Any, device: Device, setting: Setting | None) -> Frames:
    """All of this at once."""
    sizes = {sha256: file.size() for sha256, file in fetch(view, media).items()}
    layout = lay_out(view, sizes, device, setting)
    return paint(view, layout, decode(view, media, wanted(layout, device)), device)


def device_box(piece: Piece, ratio: float) -> tuple[int, int, int, int]:
    """Where a piece stands in whole pixels of the device: x, y, width, height."""
    return (round(piece.x * ratio), round(piece.y * ratio), max(1, round(piece.width * ratio)),
            max(1, round(piece.height * ratio)))


def _screen(view: TrialView, layout: Layout, decoded: Decoded, device: Device, n: int) -> QImage:
    def strokes(painter: QPainter) -> None:
        for piece in layout.pieces:
            if piece.name not in view.screens[n - 1]:
                continue
            if piece.picture:
                x, y, width, height = device_box(piece, device.ratio)
                painter.save()
                painter.resetTransform()
                painter.drawImage(x, y, decoded[piece.picture, width, height])
                painter.restore()
            elif piece.cap:
                _paint_cap(painter, piece)
            elif piece.words:
                piece.words.paint(painter, piece.x, piece.y, piece.width)
        for target in layout.targets if view.pointer and "options" in view.screens[n - 1] else ():
            box = QRectF(target.x, target.y, target.width, target.height).toRect()
            fill_box(painter, box, None, edge="edge")  # what can be pressed has a border
        if n in view.goes_on:
            _paint_foot(painter, device.room)

    return _painted(device, strokes)


def _paint_cap(painter: QPainter, piece: Piece) -> None:
    """On the line of the option's first line, as large as its text asks."""
    keys = [piece.cap]
    factor = min(1.0, piece.width / caps_width(keys))
    painter.save()
    painter.translate(piece.x, piece.y)
    painter.scale(factor, factor)
    paint_caps(painter, 0, piece.height / 2 / factor, keys)
    painter.restore()


def _paint_foot(painter: QPainter, room: Room) -> None:
    """At the foot, always at the same place: the key that brings the next screen."""
    words, keys = translate(_GO_ON, "stage"), ["Space"]
    metrics, gap = theme.metrics("reading"), theme.space("m")
    middle = room.height - theme.space("xxl") - theme.height("option_trial") / 2
    x = (room.width - metrics.horizontalAdvance(words) - gap - caps_width(keys)) / 2
    painter.setFont(theme.font("reading"))
    painter.setPen(theme.color("ink2"))
    painter.drawText(QPointF(x, middle + (metrics.ascent() - metrics.descent()) / 2), words)
    paint_caps(painter, x + metrics.horizontalAdvance(words) + gap, middle, keys)


def blank(device: Device) -> QImage:
    return _painted(device, lambda painter: None)


def fixation(device: Device) -> QImage:
    """A cross in the middle of the screen."""
    def strokes(painter: QPainter) -> None:
        x, y, half = device.room.width / 2, device.room.height / 2, CROSS / 2
        painter.setPen(QPen(theme.color("ink"), theme.border("focus"), Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(QLineF(x - half, y, x + half, y))
        painter.drawLine(QLineF(x, y - half, x, y + half))

    return _painted(device, strokes)


def _painted(device: Device, strokes: Callable[[QPainter], None]) -> QImage:
    image = QImage(device.width, device.height, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.color("page")))
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.scale(device.ratio, device.ratio)
    strokes(painter)
    painter.end()
    return image
