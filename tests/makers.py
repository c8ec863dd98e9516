"""Makes the files of bad inputs that no text can show: pictures, long lines, damaged and newer projects."""

from __future__ import annotations

import io
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from PIL import Image

MAKERS: dict[str, Callable[[Path], None]] = {}
LONG = 200 * 1024 * 1024


def maker(make: Callable[[Path], None]) -> Callable[[Path], None]:
    MAKERS[make.__name__] = make
    return make


def _long(path: Path, before: bytes, after: bytes) -> None:
    with path.open("wb") as out:
        out.write(before)
        block = b"x" * (1 << 20)
        for _ in range(LONG // len(block)):
            out.write(block)
        out.write(after)


@maker
def long_line(path: Path) -> None:
    _long(path, b'{"id": "long", "question": "', b'"}\n')


@maker
def long_element(path: Path) -> None:
    _long(path, b'[{"id": "long", "question": "', b'"}]\n')


@maker
def long_cell(path: Path) -> None:
    _long(path, b'id,question\nlong,"', b'"\n')


@maker
def long_text(path: Path) -> None:
    path.write_text('{"id": "long", "question": "' + "x" * 2_000_000 + '"}\n')


@maker
def deep(path: Path) -> None:
    path.write_text('{"id": "deep", "question": ' + "[" * 3000 + "]" * 3000 + "}\n")


@maker
def long_number(path: Path) -> None:
    path.write_text('{"id": ' + "9" * 5000 + ', "question": "one"}\n')


@maker
def many_rows(path: Path) -> None:
    path.write_text("".join(f'{{"id": "m{n}", "question": "{n} and so on"}}\n' for n in range(30_000)))


def picture(format: str = "PNG", **more: object) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (16, 12), (200, 30, 30)).save(out, format, **more)
    return out.getvalue()


@maker
def png(path: Path) -> None:
    path.write_bytes(picture())


@maker
def large_png(path: Path) -> None:
    """1.2 MB that cannot be packed further."""
    Image.frombytes("RGB", (800, 500), os.urandom(800 * 500 * 3)).save(path, "PNG")


@maker
def cut_png(path: Path) -> None:
    large_png(path)
    path.write_bytes(path.read_bytes()[:500_000])


@maker
def cut_jpeg(path: Path) -> None:
    path.write_bytes(picture("JPEG")[:400])


@maker
def bomb(path: Path) -> None:
    """50 kB that unpack to 400 million pixels."""
    Image.new("1", (20_000, 20_000)).save(path, "PNG")


@maker
def tiff_with_position(path: Path) -> None:
    exif = Image.Exif()
    exif[271] = "Goldsmith"
    exif.get_ifd(0x8825).update({1: "N", 2: (48.0, 51.0, 29.9)})
    path.write_bytes(exif.tobytes()[6:])


@maker
def link_out(path: Path) -> None:
    outside = path.parent.parent / "outside.png"
    png(outside)
    path.symlink_to(outside)


@maker
def fifo(path: Path) -> None:
    os.mkfifo(path)


@maker
def folder(path: Path) -> None:
    path.mkdir()


@maker
def closed_folder(path: Path) -> None:
    """Nobody but root writes here."""
    path.mkdir()
    path.chmod(0o555)


@maker
def closed_file(path: Path) -> None:
    """Nobody but root reads this."""
    path.write_text('{"id": "c", "question": "one"}\n')
    path.chmod(0o200)


@maker
def deep_yaml(path: Path) -> None:
    """A list in a list in a list, and so on."""
    path.write_text("licence: " + "[" * 3000)


@maker
def unreadable_folder(path: Path) -> None:
    """Nobody but root sees what is in it."""
    path.chmod(0o300)


@maker
def read_only(path: Path) -> None:
    """A project of which everything may be read and nothing written."""
    for place in [path, *path.rglob("*")]:
        place.chmod(0o555 if place.is_dir() else 0o444)


@maker
def newer(path: Path) -> None:
    _sql(path, "UPDATE alembic_version SET version_num = '9999'")


@maker
def foreign(path: Path) -> None:
    """A database, but no project."""
    (path / "project.db").unlink()
    _sql(path, "CREATE TABLE something (a)")


@maker
def damaged(path: Path) -> None:
    data = (path / "project.db").read_bytes()
    (path / "project.db").write_bytes(data[:5000] + b"\xff" * 3000 + data[8000:12000])


@maker
def no_database(path: Path) -> None:
    (path / "project.db").write_text("this is a letter, not a database")


def _sql(project: Path, statement: str) -> None:
    with sqlite3.connect(project / "project.db") as connection:
        connection.execute(statement)
    connection.close()
