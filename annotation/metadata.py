"""Removes what tells where a picture was taken, without re-encoding a single pixel.

JPEG segments, PNG chunks and WebP chunks are rewritten. From EXIF the GPS part is cut out and all else
(orientation, camera, times) stays; XMP and IPTC blocks go as a whole where they hold a place. The bytes of the
compressed picture and its colour profile are copied as they are.
"""

from __future__ import annotations

import re
import struct
import zlib

from annotation.errors import N_, Refused
from annotation.places import XMP_PLACE, carries_place, exif, exif_names, iptc, photoshop, plain

_XMP_SEGMENT = b"http://ns.adobe.com/xap/1.0/\x00"
_XMP_MORE = b"http://ns.adobe.com/xmp/extension/\x00"


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
    if carries_place(data):
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
        new, names = exif(body[6:])
        return (body if not names else None if new is None else body[:6] + new), names
    if marker == 0xE1 and body.startswith(_XMP_SEGMENT):
        return (None, ["XMP location"]) if XMP_PLACE.search(plain(body)) else (body, [])
    if marker == 0xE1 and body.startswith(_XMP_MORE):
        # One part of a long XMP text cannot be judged alone (a name may be cut in two): it goes.
        return None, ["XMP location"]
    if marker == 0xED and body.startswith(b"Photoshop 3.0\x00"):
        new = photoshop(body[14:])
        return (body, []) if new is None else (body[:14] + new if new else None, ["IPTC location"])
    return body, []


def _after_picture(data: bytes, at: int) -> tuple[bytes, list[str]]:
    """The compressed picture from its first scan on. Pictures that follow the end (multi-picture format,
    motion photographs) may carry EXIF of their own: they are cut off where they hold a place."""
    end = _end_of_picture(data, at)
    if end < len(data) and carries_place(data[end:]):
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
    if rest and carries_place(rest):
        removed.append("appended data with a position")
        rest = b""
    kept.append(rest)
    return (b"".join(kept), _once(removed)) if removed else (data, ())


def _png_chunk(kind: bytes, body: bytes) -> tuple[bytes | None, list[str]]:
    if kind == b"eXIf":
        new, names = exif(body.removeprefix(b"Exif\x00\x00"))
        return (body if not names else new), names
    if kind in (b"tEXt", b"zTXt", b"iTXt"):
        name, text = _png_text(kind, body)
        if name.startswith(b"Raw profile type") and any(word in name for word in (b"exif", b"APP1")):
            raw = _hex_profile(text)
            names = ["EXIF GPS"] if raw is None or exif_names(raw) or XMP_PLACE.search(plain(raw)) else []
            return (None if names else body), names
        if name.startswith(b"Raw profile type") and any(word in name for word in (b"iptc", b"8bim")):
            raw = _hex_profile(text)
            found = raw is None or photoshop(raw) is not None or iptc(raw) is not raw
            return (None, ["IPTC location"]) if found else (body, [])
        if name == b"XML:com.adobe.xmp" or name == b"Raw profile type xmp":
            raw = _hex_profile(text) or text if name.startswith(b"Raw") else text
            return (None, ["XMP location"]) if XMP_PLACE.search(plain(raw)) else (body, [])
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
            new, names = exif(body[len(prefix):])
            new = body if not names else None if new is None else prefix + new
            removed += names
        elif kind == b"XMP " and XMP_PLACE.search(plain(body)):
            new = None
            removed.append("XMP location")
        if new is not None:
            chunks.append((kind, new))
        at += 8 + size + size % 2
    rest = data[at:]
    if rest and carries_place(rest):
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


def _once(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
