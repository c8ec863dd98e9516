"""Position data leaves a picture, and nothing else does."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms, PngImagePlugin

from annotation import metadata
from annotation.errors import Refused

GPS = {1: "N", 2: (48.0, 51.0, 29.9), 3: "E", 4: (2.0, 17.0, 40.2)}
XMP = (b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
       b'<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="48,51.5N"/>'
       b'</rdf:RDF></x:xmpmeta>')
HARMLESS_XMP = XMP.replace(b'exif:GPSLatitude="48,51.5N"', b'exif:ColorSpace="1"')
ICC = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
KEPT = ("Make", 271, "Goldsmith"), ("Orientation", 274, 6), ("DateTime", 306, "2026:01:02 03:04:05")


def picture() -> Image.Image:
    made = Image.new("RGB", (24, 16))
    made.putdata([(x * 10, y * 15, (x * y) % 256) for y in range(16) for x in range(24)])
    return made


def exif(*, gps: bool) -> Image.Exif:
    made = Image.Exif()
    for _, tag, value in KEPT:
        made[tag] = value
    made.get_ifd(0x8769)[0x9003] = "2026:01:02 03:04:05"
    if gps:
        made.get_ifd(0x8825).update(GPS)
    return made


def saved(format: str, *, gps: bool = True, **more: object) -> bytes:
    out = io.BytesIO()
    picture().save(out, format, exif=exif(gps=gps), icc_profile=ICC, **more)
    return out.getvalue()


def opened(data: bytes) -> Image.Image:
    made = Image.open(io.BytesIO(data))
    made.load()
    return made


@pytest.mark.parametrize(("format", "more"), [("JPEG", {"quality": 80}), ("PNG", {}), ("WEBP", {"quality": 80}),
                                              ("WEBP", {"lossless": True}), ("JPEG", {"progressive": True})])
def test_the_position_goes_and_all_else_stays(format, more):
    data = saved(format, **more)
    clean, removed = metadata.strip(data)
    before, after = opened(data), opened(clean)
    assert removed == ("EXIF GPS",)
    assert not after.getexif().get_ifd(0x8825) and before.getexif().get_ifd(0x8825)
    assert [after.getexif().get(tag) for _, tag, _ in KEPT] == [value for _, _, value in KEPT]
    assert after.getexif().get_ifd(0x8769)[0x9003] == "2026:01:02 03:04:05"
    assert after.info["icc_profile"] == ICC
    assert after.tobytes() == before.tobytes()
    assert metadata.strip(clean) == (clean, ())
    assert struct.pack(">I", 51) + struct.pack(">I", 1) not in clean  # the minutes of the latitude as a ratio
    assert struct.pack("<I", 51) + struct.pack("<I", 1) not in clean


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP"])
def test_a_picture_without_a_position_is_left_byte_for_byte(format):
    data = saved(format, gps=False)
    assert metadata.strip(data) == (data, ())


@pytest.mark.parametrize("format", ["JPEG", "WEBP"])
def test_xmp_with_a_position_goes_and_xmp_without_stays(format):
    data = saved(format, gps=False, xmp=XMP)
    clean, removed = metadata.strip(data)
    assert removed == ("XMP location",)
    assert b"GPSLatitude" not in clean
    assert opened(clean).tobytes() == opened(data).tobytes()
    assert opened(clean).getexif()[274] == 6
    harmless = saved(format, gps=False, xmp=HARMLESS_XMP)
    assert metadata.strip(harmless) == (harmless, ())


@pytest.mark.parametrize("packed", [False, True])
def test_xmp_and_texts_of_a_png_go_where_they_tell_a_place(packed):
    texts = PngImagePlugin.PngInfo()
    texts.add_itxt("XML:com.adobe.xmp", XMP.decode(), zip=packed)
    texts.add_text("GPSLatitude", "48.85", zip=packed)
    texts.add_text("Title", "a door", zip=packed)
    data = saved("PNG", gps=False, pnginfo=texts)
    clean, removed = metadata.strip(data)
    assert set(removed) == {"XMP location", "PNG text with a position"}
    assert opened(clean).text == {"Title": "a door"}
    assert opened(clean).tobytes() == opened(data).tobytes()


def test_exif_that_imagemagick_hides_in_a_text_goes():
    raw = exif(gps=True).tobytes()
    text = f"\nexif\n{len(raw):8}\n{raw.hex()}\n"
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Raw profile type exif", text, zip=True)
    out = io.BytesIO()
    picture().save(out, "PNG", pnginfo=texts)
    clean, removed = metadata.strip(out.getvalue())
    assert removed == ("EXIF GPS",)
    assert "Raw profile type exif" not in opened(clean).info


def test_iptc_city_and_country_go_and_the_caption_stays():
    records = b"".join(b"\x1c\x02" + bytes([dataset]) + struct.pack(">H", len(text)) + text for dataset, text in
                       ((5, b"A title"), (90, b"Paris"), (101, b"France"), (120, b"A caption")))
    block = b"8BIM\x04\x04\x00\x00" + struct.pack(">I", len(records)) + records + b"\x00" * (len(records) % 2)
    body = b"Photoshop 3.0\x00" + block
    data = saved("JPEG", gps=False)
    data = data[:2] + b"\xff\xed" + struct.pack(">H", len(body) + 2) + body + data[2:]
    clean, removed = metadata.strip(data)
    assert removed == ("IPTC location",)
    assert b"Paris" not in clean and b"France" not in clean and b"A title" in clean and b"A caption" in clean
    assert opened(clean).tobytes() == opened(data).tobytes()


def test_exif_too_broken_to_be_judged_goes_as_a_whole():
    data = saved("JPEG")
    at = data.index(b"Exif\x00\x00") + 6
    broken = data[:at + 4] + b"\xff\xff\xff\x7f" + data[at + 8:]
    clean, removed = metadata.strip(broken)
    assert removed == ("EXIF (unreadable)",)
    assert b"Exif\x00\x00" not in clean
    assert opened(clean).tobytes() == opened(data).tobytes()


def test_a_second_picture_behind_the_first_is_cut_off_where_it_holds_a_position():
    first, second = saved("JPEG", gps=False), saved("JPEG")
    clean, removed = metadata.strip(first + second)
    assert clean == first and removed == ("appended data with a position",)
    assert metadata.strip(first + b"plain tail") == (first + b"plain tail", ())


def test_other_formats_with_a_position_are_refused_with_a_sentence():
    tiff = exif(gps=True).tobytes()[6:]
    assert tiff.startswith(b"MM\x00*")
    for data in (tiff, saved("AVIF")):
        with pytest.raises(Refused, match="position data") as refused:
            metadata.strip(data)
        assert refused.value.code == "unreadable_media"


@pytest.mark.parametrize("format", ["TIFF", "GIF", "BMP", "AVIF"])
def test_other_formats_without_a_position_pass(format):
    out = io.BytesIO()
    picture().save(out, format, exif=exif(gps=False))
    assert metadata.strip(out.getvalue()) == (out.getvalue(), ())


@given(st.binary(max_size=200), st.sampled_from(["JPEG", "PNG", "WEBP"]), st.integers(0, 2000), st.integers(0, 2000))
def test_no_broken_bytes_make_it_fall_over(noise, format, start, length):
    data = _WITH_GPS[format]
    broken = data[:start] + noise + data[start + length:]
    try:
        clean, _ = metadata.strip(broken)
    except Refused:
        return  # no JPEG, PNG or WebP any more, but a position is seen in it
    assert metadata.strip(clean)[0] == clean or metadata.strip(clean)[1]


@given(st.binary(max_size=400))
def test_any_exif_bytes_are_kept_whole_or_lose_their_position(noise):
    body = b"Exif\x00\x00II*\x00\x08\x00\x00\x00" + noise
    data = _PLAIN[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + _PLAIN[2:]
    clean, removed = metadata.strip(data)
    assert (clean == data) == (not removed)
    assert opened(clean).tobytes() == opened(_PLAIN).tobytes()


def test_the_checksum_of_a_rewritten_png_chunk_is_right():
    clean, _ = metadata.strip(saved("PNG"))
    at, kinds = 8, []
    while at < len(clean):
        size = struct.unpack(">I", clean[at:at + 4])[0]
        kind, body = clean[at + 4:at + 8], clean[at + 8:at + 8 + size]
        assert struct.unpack(">I", clean[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
        kinds.append(kind)
        at += 12 + size
    assert b"eXIf" in kinds and kinds[-1] == b"IEND"


_WITH_GPS = {format: saved(format) for format in ("JPEG", "PNG", "WEBP")}
_PLAIN = saved("JPEG", gps=False, quality=70)
