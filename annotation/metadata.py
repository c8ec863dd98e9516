"""Removes what tells where a picture was taken, without re-encoding a single pixel.

JPEG segments, PNG chunks and WebP chunks are rewritten. From EXIF the GPS part is cut out and all else
(orientation, camera, times) stays; XMP and IPTC blocks go as a whole where they hold a place. The bytes of the
compressed picture and its colour profile are copied as they are.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator

from annotation.errors import N_, Refused

# Names of XMP and IPTC that tell a place: exif:GPS*, photoshop:City, Iptc4xmpCore:Location, LocationCreated, ...
_XMP_PLACE = re.compile(
    rb"GPS[A-Z]|Latitude|Longitude|:(?:City|State|Country|CountryCode|Location|Sublocation|LocationCreated|LocationShown"
    rb"|ProvinceState|GeoLocation)\b|geo:lat|geo:long|HasExtendedXMP", re.IGNORECASE)
_IPTC_PLACE = frozenset({26, 27, 90, 92, 95, 100, 101, 103})  # record 2: content location, city, .., country
_XMP_SEGMENT = b"http://ns.adobe.com/xap/1.0/\x00"
_XMP_MORE = b"http://ns.adobe.com/xmp/extension/\x00"
_GPS_IFD = 0x8825
_XMP_TAG, _IPTC_TAG, _PHOTOSHOP_TAG = 0x02BC, 0x83BB, 0x8649
_MAKER_NOTE = 0x927C
_WIDTH = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}


_UNREADABLE = "EXIF (unreadable)"


class _Broken(Exception):
    """A structure that does not hold together; its owner is dropped whole, which tells nothing."""


def strip(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """``data`` without position data, and the names of what was removed, as "EXIF GPS".

    Raises Refused for a picture of another format (TIFF, HEIC, ..) that carries position data.
    """
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data)
    if _carries_place(data):
        raise Refused(N_("the picture carries position data that cannot be taken out of a file of this kind; "
                         "save it as JPEG, PNG or WebP"), code="unreadable_media")
    return data, ()


# --- JPEG ------------------------------------------------------------------------------------------

def _jpeg(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    kept, removed = [data[:2]], []
    at = 2
    while at < len(data):
        if data[at] != 0xFF:
            break  # not a marker: hand the rest on as it is; the decoder judges it
        start = at
        while at < len(data) and data[at] == 0xFF:
            at += 1
        if at >= len(data):
            at = start
            break
        marker = data[at]
        at += 1
        if marker in (0x01, *range(0xD0, 0xD8)):  # markers without a body
            kept.append(data[start:at])
            continue
        if marker in (0xDA, 0xD9):  # the picture itself begins, or the file ends
            at = start
            break
        length = int.from_bytes(data[at:at + 2], "big")
        end = at + length
        if length < 2 or end > len(data):
            at = start
            break
        body = data[at + 2:end]
        new, names = _jpeg_segment(marker, body)
        removed += names
        if new is not None:
            kept.append(data[start:end] if new is body else data[start:at] + struct.pack(">H", len(new) + 2) + new)
        at = end
    rest, names = _after_picture(data, at)
    kept.append(rest)
    removed += names
    return (b"".join(kept), _once(removed)) if removed else (data, ())


def _jpeg_segment(marker: int, body: bytes) -> tuple[bytes | None, list[str]]:
    if marker == 0xE1 and body.startswith(b"Exif\x00"):
        new, names = _exif_or_nothing(body[6:])
        return (body if not names else None if new is None else body[:6] + new), names
    if marker == 0xE1 and body.startswith(_XMP_SEGMENT):
        return (None, ["XMP location"]) if _XMP_PLACE.search(_plain(body)) else (body, [])
    if marker == 0xE1 and body.startswith(_XMP_MORE):
        # One part of a long XMP text cannot be judged alone (a name may be cut in two): it goes.
        return None, ["XMP location"]
    if marker == 0xED and body.startswith(b"Photoshop 3.0\x00"):
        new = _photoshop(body[14:])
        return (body, []) if new is None else (body[:14] + new if new else None, ["IPTC location"])
    return body, []


def _after_picture(data: bytes, at: int) -> tuple[bytes, list[str]]:
    """The compressed picture from its first scan on. Pictures that follow the end (multi-picture format,
    motion photographs) may carry EXIF of their own: they are cut off where they hold a place."""
    end = _end_of_picture(data, at)
    if end < len(data) and _carries_place(data[end:]):
        return data[at:end], ["appended data with a position"]
    return data[at:], []


def _end_of_picture(data: bytes, at: int) -> int:
    """Behind the EOI marker of the first picture; the length of the data where there is none."""
    while True:
        at = data.find(b"\xff", at)
        if at < 0 or at + 1 >= len(data):
            return len(data)
        marker = data[at + 1]
        if marker == 0xD9:
            return at + 2
        if marker in (0x00, 0x01, 0xFF) or 0xD0 <= marker <= 0xD8:
            at += 1 if marker == 0xFF else 2
        else:
            length = int.from_bytes(data[at + 2:at + 4], "big")
            at += 2 + max(length, 2)


def _photoshop(blocks: bytes) -> bytes | None:
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
            new = _iptc(body)
        elif kind == 0x0424 and _XMP_PLACE.search(_plain(body)):
            new = None
        elif kind in (0x0422, 0x0423) and _carries_place(body):
            new = None
        if new is body:
            kept.append(blocks[at:end])
        else:
            changed = True
            if new:
                kept.append(blocks[at:start] + struct.pack(">I", len(new)) + new + b"\x00" * (len(new) % 2))
        at = end
    return b"".join(kept) if changed else None


def _iptc(body: bytes) -> bytes:
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


# --- PNG -------------------------------------------------------------------------------------------

def _png(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    kept, removed = [data[:8]], []
    at = 8
    while at + 12 <= len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        kind, end = data[at + 4:at + 8], at + 12 + size
        if end > len(data):
            break
        body = data[at + 8:at + 8 + size]
        new, names = _png_chunk(kind, body)
        removed += names
        if new is body:
            kept.append(data[at:end])
        elif new is not None:
            kept.append(struct.pack(">I", len(new)) + kind + new + struct.pack(">I", zlib.crc32(kind + new)))
        at = end
        if kind == b"IEND":
            break
    rest = data[at:]
    if rest and _carries_place(rest):
        removed.append("appended data with a position")
        rest = b""
    kept.append(rest)
    return (b"".join(kept), _once(removed)) if removed else (data, ())


def _png_chunk(kind: bytes, body: bytes) -> tuple[bytes | None, list[str]]:
    if kind == b"eXIf":
        new, names = _exif_or_nothing(body.removeprefix(b"Exif\x00\x00"))
        return (body if not names else new), names
    if kind in (b"tEXt", b"zTXt", b"iTXt"):
        name, text = _png_text(kind, body)
        if name.startswith(b"Raw profile type") and any(word in name for word in (b"exif", b"APP1")):
            raw = _hex_profile(text)
            names = ["EXIF GPS"] if raw is None or _exif_names(raw) or _XMP_PLACE.search(_plain(raw)) else []
            return (None if names else body), names
        if name.startswith(b"Raw profile type") and any(word in name for word in (b"iptc", b"8bim")):
            raw = _hex_profile(text)
            found = raw is None or _photoshop(raw) is not None or _iptc(raw) is not raw
            return (None, ["IPTC location"]) if found else (body, [])
        if name == b"XML:com.adobe.xmp" or name == b"Raw profile type xmp":
            raw = _hex_profile(text) or text if name.startswith(b"Raw") else text
            return (None, ["XMP location"]) if _XMP_PLACE.search(_plain(raw)) else (body, [])
        if re.search(rb"gps|latitude|longitude|location|geo:|exif:", name, re.IGNORECASE) or \
                re.search(rb"exif:GPS|GPSL(?:at|ong)itude", text):
            return None, ["PNG text with a position"]
    return body, []


def _png_text(kind: bytes, body: bytes) -> tuple[bytes, bytes]:
    """Keyword and text of a text chunk; a text that cannot be unpacked counts as a place (it is dropped)."""
    name, _, rest = body.partition(b"\x00")
    if kind == b"tEXt":
        return name, rest
    if kind == b"zTXt":
        return name, _unpacked(rest[1:])
    packed, rest = rest[:1] == b"\x01", rest[2:]
    text = rest.split(b"\x00", 2)[-1]
    return name, _unpacked(text) if packed else text


def _unpacked(data: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, 16 << 20)
    except zlib.error:
        return b"exif:GPS"


def _hex_profile(text: bytes) -> bytes | None:
    """The bytes of ImageMagick's "Raw profile": a name, a length, then hex digits. None if it is none."""
    lines = text.strip().split(b"\n", 2)
    try:
        return bytes.fromhex(lines[2].decode("ascii")).removeprefix(b"Exif\x00\x00") if len(lines) == 3 else None
    except ValueError:
        return None


# --- WebP ------------------------------------------------------------------------------------------

def _webp(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    removed: list[str] = []
    chunks: list[tuple[bytes, bytes]] = []
    end = min(len(data), 8 + int.from_bytes(data[4:8], "little"))
    at = 12
    while at + 8 <= end:
        kind, size = data[at:at + 4], int.from_bytes(data[at + 4:at + 8], "little")
        body = data[at + 8:at + 8 + size]
        if len(body) < size:
            break
        new: bytes | None = body
        if kind == b"EXIF":
            prefix = b"Exif\x00\x00" if body.startswith(b"Exif\x00\x00") else b""
            new, names = _exif_or_nothing(body[len(prefix):])
            new = body if not names else None if new is None else prefix + new
            removed += names
        elif kind == b"XMP " and _XMP_PLACE.search(_plain(body)):
            new = None
            removed.append("XMP location")
        if new is not None:
            chunks.append((kind, new))
        at += 8 + size + size % 2
    rest = data[at:]
    if rest and _carries_place(rest):
        removed.append("appended data with a position")
        rest = b""
    if not removed:
        return data, ()
    flags = (0x08 if any(kind == b"EXIF" for kind, _ in chunks) else 0) | \
            (0x04 if any(kind == b"XMP " for kind, _ in chunks) else 0)
    out = b"".join(kind + struct.pack("<I", len(body)) + body + b"\x00" * (len(body) % 2)
                   for kind, body in ((kind, bytes([body[0] & ~0x0C | flags]) + body[1:] if kind == b"VP8X" else body)
                                      for kind, body in chunks))
    return b"RIFF" + struct.pack("<I", len(out) + 4) + b"WEBP" + out + rest, _once(removed)


# --- EXIF (a small TIFF file) ----------------------------------------------------------------------

def _exif_or_nothing(tiff: bytes) -> tuple[bytes | None, list[str]]:
    """EXIF with its places blanked, or None (drop it whole) where it is too broken to be judged."""
    try:
        return _exif(tiff)
    except _Broken:
        return None, [_UNREADABLE]


def _exif_names(tiff: bytes) -> list[str]:
    return _exif_or_nothing(tiff)[1]


def _exif(tiff: bytes) -> tuple[bytes, list[str]]:
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
            elif (tag == _XMP_TAG and _XMP_PLACE.search(_plain(body))) or \
                    (tag == _IPTC_TAG and _iptc(body) is not body) or \
                    (tag == _PHOTOSHOP_TAG and _photoshop(body) is not None):
                names.append("XMP location" if tag == _XMP_TAG else "IPTC location")
                out[value_at:value_at + len(body)] = bytes(len(body))
                gone.append(place)
            elif tag == _MAKER_NOTE and _XMP_PLACE.search(body):
                names.append("maker note with a position")
                out[value_at:value_at + len(body)] = bytes(len(body))
                gone.append(place)
        follows = ifd + 2 + 12 * count
        if follows + 4 <= len(tiff):
            todo.append(_number(tiff, follows, 4, order))
        if gone:
            _close_gap(out, tiff, ifd, count, gone, order)
    return bytes(out), _once_list(names)


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


# --- anything else ---------------------------------------------------------------------------------

def _carries_place(data: bytes) -> bool:
    """Whether any EXIF, XMP or nested JPEG in ``data`` holds a place; used where nothing can be rewritten.

    TIFF headers are looked for everywhere: HEIC and AVIF keep EXIF with or without its prefix. A header
    that leads nowhere is chance.
    """
    headers = (at for mark in (b"II*\x00", b"MM\x00*") for at in _finds(data, mark))
    if any(set(_exif_names(data[at:] if at == 0 else data[at:at + 65536])) - {_UNREADABLE} for at in headers):
        return True
    return any(_XMP_PLACE.search(_plain(data[at:at + (1 << 20)])) is not None for at in _finds(data, b"<x:xmpmeta"))


def _finds(data: bytes, wanted: bytes) -> Iterator[int]:
    at = data.find(wanted)
    while at >= 0:
        yield at
        at = data.find(wanted, at + 1)


def _plain(text: bytes) -> bytes:
    """XMP may be UTF-16 or UTF-32; without zero bytes the names can be looked for in all of them."""
    return text.replace(b"\x00", b"") if b"\x00" in text else text


def _once(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _once_list(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))
