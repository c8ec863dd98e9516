"""What preflight wants to know of a picture, from its bytes: how it looks, in 128 bits, and what its metadata tells.

The look is a difference hash in both directions (after Krawetz 2013, "Kind of Like That"): the picture in grey and
very small, one bit for each neighbour that is lighter. Scaling and compression hardly change it.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image

from annotation.places import carries_place

SIDE = 8
ALIKE = 7         # differing bits of 128: with 8 bands of 16 bits one band is then equal for certain
FLAT = 6.0        # grey levels: a picture whose small form varies less has no look of its own
MOST_TOGETHER = 48
_HARMLESS = frozenset({0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x0112, 0x0115, 0x011A, 0x011B, 0x011C, 0x0128, 0x0213,
                       0x8769, 0xA000, 0xA001, 0xA002, 0xA003, 0xA005, 0x9000, 0x9101, 0x9102})
_PNG_TEXTS = frozenset({"author", "comment", "copyright", "creation time", "description", "parameters", "prompt",
                        "software", "source", "title", "workflow", "xml:com.adobe.xmp"})


@dataclass(frozen=True, slots=True)
class Looked:
    """``look``: 16 bytes, None where the picture is flat or cannot be read; ``told``: names of metadata left in it;
    ``place``: whether a position is among them.
    """

    look: bytes | None
    told: tuple[str, ...]
    place: bool


def look_at(data: bytes) -> Looked:
    """Read a picture once."""
    place = carries_place(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a bomb or a broken tag: the decoder at import has judged it
            with Image.open(io.BytesIO(data)) as picture:
                told = _told(picture)
                picture.draft("L", (64, 64))  # JPEG alone: decoded at an eighth of its size
                return Looked(_look(picture), told, place)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return Looked(None, (), place)


def _look(picture: Image.Image) -> bytes | None:
    grey = picture.convert("L").resize((SIDE + 1, SIDE + 1), Image.Resampling.BOX)
    levels = np.asarray(grey, dtype=np.int16)
    if float(levels.std()) < FLAT:
        return None
    across = levels[:SIDE, 1:] > levels[:SIDE, :-1]
    down = levels[1:, :SIDE] > levels[:-1, :SIDE]
    return np.packbits(np.concatenate([across.ravel(), down.ravel()])).tobytes()


def _told(picture: Image.Image) -> tuple[str, ...]:
    exif = picture.getexif()
    tags = {*exif, *exif.get_ifd(ExifTags.IFD.Exif)} - _HARMLESS
    names = {f"EXIF {ExifTags.TAGS.get(tag, hex(tag))}" for tag in tags}
    names |= {f"text {name}" for name, value in picture.info.items()
              if isinstance(name, str) and isinstance(value, (str, bytes)) and name.lower() in _PNG_TEXTS and value}
    return tuple(sorted(names))


def near_pictures(looks: Sequence[bytes]) -> list[tuple[int, int, int]]:
    """Pairs of looks that differ in at most ALIKE of 128 bits, as (first, second, bits).

    All of them, but where very many share 16 bits: there each is compared with its next ones only.
    """
    if len(looks) < 2:
        return []
    bits = np.frombuffer(b"".join(looks), dtype=np.uint8).reshape(len(looks), 16)
    words = bits.view(np.uint64)
    found: dict[tuple[int, int], int] = {}
    for band in range(8):
        value = bits[:, 2 * band].astype(np.uint16) << 8 | bits[:, 2 * band + 1]
        by = np.argsort(value, kind="stable")
        ordered = value[by]
        for gap in range(1, MOST_TOGETHER):
            same = np.nonzero(ordered[gap:] == ordered[:-gap])[0]
            if not len(same):
                break
            first, second = by[same], by[same + gap]
            off = _bits(words, first, second)
            for a, b, n in zip(first[off <= ALIKE], second[off <= ALIKE], off[off <= ALIKE], strict=True):
                found[min(int(a), int(b)), max(int(a), int(b))] = int(n)
    return [(a, b, n) for (a, b), n in sorted(found.items())]


def _bits(words: NDArray[np.uint64], first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.bitwise_count(words[first] ^ words[second]).sum(axis=1, dtype=np.int64)
