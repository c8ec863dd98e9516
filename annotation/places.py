"""Places inside EXIF, IPTC and XMP blocks: seen, and blanked without moving anything else."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

# Names of XMP and IPTC that tell a place: exif:GPS*, photoshop:City, Iptc4xmpCore:Location, LocationCreated, ...
XMP_PLACE = re.compile(
    rb"GPS[A-Z]|Latitude|Longitude|:(?:City|State|Country|CountryCode|Location|Sublocation|LocationCreated|LocationShown"
    rb"|ProvinceState|GeoLocation)\b|geo:lat|geo:long|HasExtendedXMP", re.IGNORECASE)
_IPTC_PLACE = frozenset({26, 27, 90, 92, 95, 100, 101, 103})  # record 2: content location, city, .., country
_GPS_IFD = 0x8825
_XMP_TAG, _IPTC_TAG, _PHOTOSHOP_TAG = 0x02BC, 0x83BB, 0x8649
_MAKER_NOTE = 0x927C
_WIDTH = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}


_UNREADABLE = "EXIF (unreadable)"


class _Broken(Exception):
    """A structure that does not hold together; its owner is dropped whole, which tells nothing."""


def photoshop(blocks: bytes) -> bytes | None:
    """Photoshop's resources without IPTC places; None where there was nothing to remove."""
    kept, at, changed = [], 0, False
    while at + 12 <= len(blocks) and blocks[at:at + 4] == b"8BIM":
        kind = int.from_bytes(blocks[at + 4:at + 6], "big")
        name = 1 + blocks[at + 6]
        start = at + 6 + name + name % 2
        size = int.from_bytes(blocks[start:start + 4], "big")
        end = start + 4 + size + size % 2
        body = blocks[start + 4:start + 4 + size]
        new: bytes | None = body
        if kind == 0x0404:
            new = iptc(body)
        elif kind == 0x0424 and XMP_PLACE.search(plain(body)):
            new = None
        elif kind in (0x0422, 0x0423) and carries_place(body):
            new = None
        if new is body:
            kept.append(blocks[at:end])
        else:
            changed = True
            if new:
                kept.append(blocks[at:start] + struct.pack(">I", len(new)) + new + b"\x00" * (len(new) % 2))
        at = end
    return b"".join(kept) if changed else None


def iptc(body: bytes) -> bytes:
    """IPTC records without those that name a place; ``body`` itself where there are none."""
    kept, at, changed = [], 0, False
    while at + 5 <= len(body) and body[at] == 0x1C:
        record, dataset, size = body[at + 1], body[at + 2], int.from_bytes(body[at + 3:at + 5], "big")
        start = at + 5
        if size & 0x8000:  # an extended length follows
            width = size & 0x7FFF
            size, start = int.from_bytes(body[start:start + width], "big"), start + width
        if record == 2 and dataset in _IPTC_PLACE:
            changed = True
        else:
            kept.append(body[at:start + size])
        at = start + size
    return b"".join(kept) if changed else body


def exif(tiff: bytes) -> tuple[bytes | None, list[str]]:
    """EXIF with its places blanked, or None (drop it whole) where it is too broken to be judged."""
    try:
        return _blanked(tiff)
    except _Broken:
        return None, [_UNREADABLE]


def exif_names(tiff: bytes) -> list[str]:
    return exif(tiff)[1]


def _blanked(tiff: bytes) -> tuple[bytes, list[str]]:
    """Blank the GPS directory and embedded XMP and IPTC with places, in place: no offset in the rest moves.

    A GPS directory's entry is taken out of its parent by closing the gap in the list of entries and
    lowering their number; the bytes of the directory and of its values are set to zero.
    """
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None or len(tiff) < 8:
        raise _Broken
    out, names, seen = bytearray(tiff), [], set()
    todo = [_number(tiff, 4, 4, order)]
    while todo:
        ifd = todo.pop()
        if ifd == 0 or ifd in seen:
            continue
        seen.add(ifd)
        gone = []
        count, entries = _entries(tiff, ifd, order)
        for place, (tag, kind, n, value_at) in enumerate(entries):
            size = _WIDTH.get(kind, 1) * n
            value_at = value_at if size <= 4 else _number(tiff, value_at, 4, order)
            body = tiff[value_at:value_at + size]
            if tag == _GPS_IFD:
                names.append("EXIF GPS")
                _blank_directory(out, tiff, _number(tiff, value_at, 4, order), order)
                gone.append(place)
            elif tag in (0x8769, 0xA005, 0x014A) and kind in (3, 4, 13):
                todo += [_number(tiff, value_at + 4 * i, 4, order) for i in range(min(n, 16))]
            elif (tag == _XMP_TAG and XMP_PLACE.search(plain(body))) or \
                    (tag == _IPTC_TAG and iptc(body) is not body) or \
                    (tag == _PHOTOSHOP_TAG and photoshop(body) is not None):
                names.append("XMP location" if tag == _XMP_TAG else "IPTC location")
                out[value_at:value_at + len(body)] = bytes(len(body))
                gone.append(place)
            elif tag == _MAKER_NOTE and XMP_PLACE.search(body):
                names.append("maker note with a position")
                out[value_at:value_at + len(body)] = bytes(len(body))
                gone.append(place)
        follows = ifd + 2 + 12 * count
        if follows + 4 <= len(tiff):
            todo.append(_number(tiff, follows, 4, order))
        if gone:
            _close_gap(out, tiff, ifd, count, gone, order)
    return bytes(out), list(dict.fromkeys(names))


def _entries(tiff: bytes, ifd: int, order: str) -> tuple[int, list[tuple[int, int, int, int]]]:
    count = _number(tiff, ifd, 2, order)
    if ifd + 2 + 12 * count > len(tiff):
        raise _Broken
    return count, [(_number(tiff, at, 2, order), _number(tiff, at + 2, 2, order), _number(tiff, at + 4, 4, order),
                    at + 8) for at in range(ifd + 2, ifd + 2 + 12 * count, 12)]


def _blank_directory(out: bytearray, tiff: bytes, ifd: int, order: str) -> None:
    count, entries = _entries(tiff, ifd, order)
    for _, kind, n, value_at in entries:
        size = _WIDTH.get(kind, 1) * n
        if size > 4:
            start = _number(tiff, value_at, 4, order)
            out[start:start + size] = bytes(len(out[start:start + size]))
    out[ifd:ifd + 6 + 12 * count] = bytes(len(out[ifd:ifd + 6 + 12 * count]))


def _close_gap(out: bytearray, tiff: bytes, ifd: int, count: int, gone: list[int], order: str) -> None:
    start, end = ifd + 2, ifd + 2 + 12 * count
    kept = b"".join(bytes(out[start + 12 * i:start + 12 * i + 12]) for i in range(count) if i not in gone)
    follows = bytes(tiff[end:end + 4])
    out[ifd:start] = struct.pack(order + "H", count - len(gone))
    new = kept + follows
    out[start:end + len(follows)] = new + bytes(end + len(follows) - start - len(new))


def _number(data: bytes, at: int, width: int, order: str) -> int:
    if at < 0 or at + width > len(data):
        raise _Broken
    return int.from_bytes(data[at:at + width], "little" if order == "<" else "big")


def carries_place(data: bytes) -> bool:
    """Whether any EXIF, XMP or nested JPEG in ``data`` holds a place; used where nothing can be rewritten.

    TIFF headers are looked for everywhere: HEIC and AVIF keep EXIF with or without its prefix. A header
    that leads nowhere is chance.
    """
    headers = (at for mark in (b"II*\x00", b"MM\x00*") for at in _finds(data, mark))
    if any(set(exif_names(data[at:] if at == 0 else data[at:at + 65536])) - {_UNREADABLE} for at in headers):
        return True
    return any(XMP_PLACE.search(plain(data[at:at + (1 << 20)])) is not None for at in _finds(data, b"<x:xmpmeta"))


def _finds(data: bytes, wanted: bytes) -> Iterator[int]:
    at = data.find(wanted)
    while at >= 0:
        yield at
        at = data.find(wanted, at + 1)


def plain(text: bytes) -> bytes:
    """XMP may be UTF-16 or UTF-32; without zero bytes the names can be looked for in all of them."""
    return text.replace(b"\x00", b"") if b"\x00" in text else text
