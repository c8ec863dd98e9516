"""Which encoding a text file has: its byte order mark, else UTF-8, else the likeliest; and the file opened in it."""

from __future__ import annotations

import codecs
import io
import os
from pathlib import Path

from annotation.errors import N_, Refused, Unknown, Where

BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),  # before UTF-16: its mark begins alike
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)
SAMPLE = 256 * 1024
LIKELY = ("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r", "cp874", "cp949",
          "cp932", "euc_jp", "gb18030", "big5")  # guessed among; any other can be said with --encoding


def detect(path: Path) -> str:
    """The encoding of ``path`` as a Python codec name; raises Refused where no encoding fits.

    The whole file is tried as UTF-8 (0.3 s for 200 MB), because the first letter that is none may
    stand anywhere. A file with more good UTF-8 letters than broken bytes is UTF-8 with faults:
    its broken rows are refused one by one, and the others are not read as something else.
    """
    with path.open("rb") as stream:
        head = stream.read(SAMPLE)
        for mark, name in BOMS:
            if head.startswith(mark):
                return name
        if b"\x00" in head:
            return _wide(head, path)
        decoder = codecs.getincrementaldecoder("utf-8")()
        block, start = head, 0
        while True:
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError:
                return _guess(path, head, start)
            if not block:
                return "utf-8"
            start += len(block)
            block = stream.read(1 << 20)


def open_text(path: Path, encoding: str, *, newline: str | None) -> io.TextIOWrapper:
    """The file as text without its byte order mark; broken bytes become lone surrogates (refused per record)."""
    try:
        b"a".decode(encoding, "replace")  # refuses codecs that are no encodings of text (base64, zlib) too
        name = codecs.lookup(encoding).name
    except LookupError:
        raise Unknown(N_("There is no encoding '{name}'. Known are for example utf-8, cp1252, cp949, shift_jis, "
                         "gb18030, utf-16."), name=encoding) from None
    return path.open("r", encoding="utf-8-sig" if name == "utf-8" else encoding, errors="surrogateescape",
                     newline=newline)


def not_decoded(file: str, encoding: str, *, line: int | None = None) -> Refused:
    """The refusal of a file whose bytes are no text in ``encoding``."""
    return Refused(N_("'{file}' cannot be read as {encoding}; save it as UTF-8 or say --encoding"),
                   code="not_unicode", where=Where(file=file, line=line), file=file, encoding=encoding)


def _wide(head: bytes, path: Path) -> str:
    """UTF-16 or UTF-32 without a mark show zero bytes at regular places; anything else with zeros is no text."""
    cut = head[: len(head) // 4 * 4]
    for name in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        try:
            text = cut.decode(name)
        except UnicodeDecodeError:
            continue
        if text and sum(c.isprintable() or c in "\r\n\t" for c in text) / len(text) > 0.95 and "\x00" not in text \
                and sum(ord(c) < 0x250 for c in text) / len(text) > 0.3:
            return name
    try:
        head.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(N_("'{file}' is not a text file (it holds zero bytes)"), code="not_unicode",
                      where=Where(file=path.name), file=path.name) from None
    return "utf-8"  # text with a stray U+0000: the record that holds it is refused


def _guess(path: Path, head: bytes, bad_at: int) -> str:
    size = os.path.getsize(path)
    with path.open("rb") as stream:
        stream.seek(max(0, min(bad_at, size - SAMPLE)))
        sample = head if bad_at < SAMPLE else head[: SAMPLE // 4] + stream.read(SAMPLE)
    tried = sample.decode("utf-8", errors="surrogateescape")
    broken = sum("\udc80" <= c <= "\udcff" for c in tried)
    good = sum(c > "\x7f" for c in tried) - broken
    if good > broken:
        return "utf-8"
    # charset-normalizer costs about 100 ms to import and is needed for files that are not UTF-8 alone.
    from charset_normalizer import from_bytes

    matches = list(from_bytes(sample, cp_isolation=list(LIKELY)))
    if not matches:
        raise Refused(N_("the encoding of '{file}' could not be told; say it with --encoding"), code="not_unicode",
                      where=Where(file=path.name), file=path.name)
    # Among the one-byte encodings of Europe many fit equally; the commonest is taken, and the preview shows it.
    best = min(matches, key=lambda match: (match.percent_chaos - match.percent_coherence / 4
                                           - (3 if match.encoding == "cp1252" else 0)))
    return "cp1252" if _same(sample, best.encoding, "cp1252") else best.encoding


def _same(sample: bytes, one: str, other: str) -> bool:
    return sample.decode(one, errors="replace") == sample.decode(other, errors="replace")
