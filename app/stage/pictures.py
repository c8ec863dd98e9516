"""Pictures of a trial: read whole or not at all, upright, in sRGB, on white, at the size in which they are shown."""

from __future__ import annotations

import hashlib
import io
import warnings
from pathlib import Path
from typing import Any

from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError
from PySide6.QtGui import QImage

from annotation.errors import N_, Refused

Size = tuple[int, int]
# What Pillow's readers raise for a file that is damaged.
DAMAGED = (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, Image.DecompressionBombError)
_TURNED = {5, 6, 7, 8}  # orientations of a camera held upright
_ORIENTATION = 0x0112
_SRGB = ImageCms.createProfile("sRGB")


class Picture:
    """One file; ``item`` and ``path`` are what sentences call it. Raises Refused where it is not whole."""

    def __init__(self, file: Path | None, *, sha256: str | None, path: str, item: str) -> None:
        self._path, self._item = path, item
        if file is None or not file.is_file():
            raise Refused(N_("'{item}': the picture '{file}' is missing"), code="missing_media", item=item,
                          file=path or sha256 or "?")
        try:
            self._bytes = file.read_bytes()
        except OSError as fault:
            raise self._unreadable(fault.strerror or str(fault)) from None
        if sha256 and hashlib.sha256(self._bytes).hexdigest() != sha256:
            raise Refused(N_("'{item}': the file of the picture '{file}' has changed or is damaged"),
                          code="unreadable_media", item=item, file=path)

    def _unreadable(self, reason: str) -> Refused:
        return Refused(N_("'{item}': the picture '{file}' cannot be read ({reason})"), code="unreadable_media",
                       item=self._item, file=self._path, reason=reason)

    def _open(self) -> Image.Image:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            try:
                return Image.open(io.BytesIO(self._bytes))
            except UnidentifiedImageError:
                raise self._unreadable("no picture of a known kind") from None
            except DAMAGED as fault:
                raise self._unreadable(str(fault)) from None

    def size(self) -> Size:
        """Width and height as it is seen, by its head alone."""
        with self._open() as image:
            width, height = image.size
            return (height, width) if _orientation(image) in _TURNED else (width, height)

    def shown_at(self, size: Size) -> QImage:
        """The whole picture in so many pixels; what is transparent is white, in every theme."""
        with self._open() as image:
            try:
                turned = _orientation(image) in _TURNED
                wanted = (size[1], size[0]) if turned else size
                image.draft("RGB", (2 * wanted[0], 2 * wanted[1]))  # JPEG: decoded at an eighth and so on
                profile = image.info.get("icc_profile")
                made = _plain(image)
                if made.size != wanted:
                    made = made.resize(wanted, Image.Resampling.LANCZOS, reducing_gap=3.0)
                made = _in_srgb(made, profile)
                if made.mode == "RGBA":
                    ground = Image.new("RGB", made.size, (255, 255, 255))
                    ground.paste(made, mask=made.getchannel("A"))
                    made = ground
                made = _upright(made, _orientation(image))
            except DAMAGED as fault:
                raise self._unreadable(str(fault)) from None
        data = made.convert("RGB").tobytes("raw", "BGRX")
        return QImage(data, made.width, made.height, 4 * made.width, QImage.Format.Format_RGB32).copy()


def _orientation(image: Image.Image) -> int:
    return int(image.getexif().get(_ORIENTATION, 1) or 1)


def _upright(image: Image.Image, orientation: int) -> Image.Image:
    image.getexif()[_ORIENTATION] = orientation
    return ImageOps.exif_transpose(image)


def _plain(image: Image.Image) -> Image.Image:
    """Loaded to its end, as RGB, RGBA or CMYK; 16 bits a channel become 8."""
    image.load()
    if image.mode.startswith("I;16") or image.mode == "I":
        return image.convert("I").point(lambda value: value / 257).convert("L").convert("RGB")
    if image.mode in ("RGB", "RGBA", "CMYK"):
        return image
    if "transparency" in image.info or image.mode in ("LA", "PA", "La", "RGBa"):
        return image.convert("RGBA")
    return image.convert("RGB")


def _in_srgb(image: Image.Image, profile: Any) -> Image.Image:
    if not profile:
        return image.convert("RGB") if image.mode == "CMYK" else image
    out = "RGBA" if image.mode == "RGBA" else "RGB"
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        return ImageCms.profileToProfile(image, source, _SRGB, outputMode=out) or image
    except (ImageCms.PyCMSError, OSError):  # a profile that does not fit its picture is left out of account
        return image.convert(out)
