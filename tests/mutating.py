"""Single changes to a bundle, drawn from a seed; each tells what has to be named."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exports.rows import line
from tests import small_project as small


@dataclass(frozen=True)
class Mutation:
    """``file`` is to be named, with a line of ``lines`` (from, to) or the ``id`` where there are such."""

    kind: str
    file: str
    lines: tuple[int, int] | None = None
    id: str | None = None

    def is_named_by(self, faults: Any) -> bool:
        return any(fault.file == self.file and (
            self.lines is None or (fault.line is not None and self.lines[0] <= fault.line <= self.lines[1])
            or (self.id is not None and fault.id == self.id)) for fault in faults)


@contextmanager
def kept(bundle: Path) -> Iterator[None]:
    """Whatever happens to the bundle inside is undone afterwards."""
    before = {path: path.read_bytes() for path in bundle.rglob("*") if path.is_file()}
    try:
        yield
    finally:
        for path in bundle.rglob("*"):
            if path.is_file() and path not in before:
                path.unlink()
        for path in sorted(bundle.rglob("*"), reverse=True):
            if path.is_dir() and not any(path.iterdir()) and path.name == "private":
                path.rmdir()
        for path, data in before.items():
            if not path.exists() or path.read_bytes() != data:
                path.write_bytes(data)


def mutate(bundle: Path, seed: int) -> Mutation:
    """One change of one kind at one place."""
    dice = random.Random(seed)
    while True:
        done = dice.choice(KINDS)(bundle, dice)
        if done is not None:
            return done


def hash_again(bundle: Path) -> None:
    """SHA256SUMS fits again; the manifest stays."""
    sums = {path: sha for path, sha in small.tree(bundle).items() if path != "SHA256SUMS"}
    (bundle / "SHA256SUMS").write_text("".join(f"{sums[path]}  {path}\n" for path in sorted(sums)))


def files(bundle: Path, *, text: bool = False, least: int = 1) -> list[str]:
    names = [path.relative_to(bundle).as_posix() for path in sorted(bundle.rglob("*")) if path.is_file()]
    return [name for name in names if (bundle / name).stat().st_size >= least and not (
        text and (name.startswith("public/media") or name == "scorer.pyz"))]


def lines_of(data: bytes) -> list[bytes]:
    return data.split(b"\n")[:-1] if data.endswith(b"\n") else data.split(b"\n")


def placed(name: str, data: bytes, at: int, kind: str, *, more: int = 0) -> Mutation:
    """The change stands at byte ``at``."""
    if name.startswith("public/media") or name == "scorer.pyz":
        return Mutation(kind, name)
    number = data.count(b"\n", 0, at) + 1
    return Mutation(kind, name, (number, number + more), id_of(lines_of(data)[min(number, len(lines_of(data))) - 1]))


def id_of(raw: bytes) -> str | None:
    try:
        row = json.loads(raw)
    except ValueError:
        return None
    return (row.get("id") or row.get("annotator")) if isinstance(row, dict) else None


def flip_bit(bundle: Path, dice: random.Random) -> Mutation | None:
    name = dice.choice(files(bundle))
    data = bytearray((bundle / name).read_bytes())
    at = dice.randrange(len(data))
    told = placed(name, bytes(data), at, "a bit flipped", more=1)
    data[at] ^= 1 << dice.randrange(8)
    (bundle / name).write_bytes(data)
    return told


def drop_byte(bundle: Path, dice: random.Random) -> Mutation | None:
    name = dice.choice(files(bundle))
    data = (bundle / name).read_bytes()
    at = dice.randrange(len(data))
    (bundle / name).write_bytes(data[:at] + data[at + 1:])
    return placed(name, data, at, "a byte dropped", more=1)


def add_byte(bundle: Path, dice: random.Random) -> Mutation | None:
    name = dice.choice(files(bundle))
    data = (bundle / name).read_bytes()
    at = dice.randrange(len(data) + 1)
    (bundle / name).write_bytes(data[:at] + bytes([dice.randrange(256)]) + data[at:])
    return placed(name, data, at, "a byte added", more=1)


def cut_off(bundle: Path, dice: random.Random) -> Mutation | None:
    name = dice.choice(files(bundle, least=2))
    data = (bundle / name).read_bytes()
    at = dice.randrange(1, len(data))
    (bundle / name).write_bytes(data[:at])
    return placed(name, data, at, "cut off", more=1)


def swap_lines(bundle: Path, dice: random.Random) -> Mutation | None:
    name = dice.choice(files(bundle, text=True))
    lines = lines_of((bundle / name).read_bytes())
    if len(lines) < 2:
        return None
    one, other = sorted(dice.sample(range(len(lines)), 2))
    if lines[one] == lines[other]:
        return None
    told = Mutation("lines swapped", name, (one + 1, other + 1), id_of(lines[one]))
    lines[one], lines[other] = lines[other], lines[one]
    (bundle / name).write_bytes(b"\n".join(lines) + b"\n")
    return told


def drop_line(bundle: Path, dice: random.Random) -> Mutation | None:
    name = dice.choice(files(bundle, text=True))
    lines = lines_of((bundle / name).read_bytes())
    at = dice.randrange(len(lines))
    told = Mutation("a line dropped", name, (at + 1, at + 1), id_of(lines[at]))
    same = at
    while same and lines[same - 1] == lines[at]:  # equal lines before it: which one is missing cannot be told
        same -= 1
    rest = [*lines[:at], *lines[at + 1:]]
    (bundle / name).write_bytes(b"".join(one + b"\n" for one in rest))
    if name == "SHA256SUMS":  # the file that is not listed any more is named
        return Mutation(told.kind, lines[at].decode().split("  ", 1)[1])
    if name == "manifest.json":
        return Mutation(told.kind, name)
    return Mutation(told.kind, name, (same + 1, at + 2), told.id)


def double_line(bundle: Path, dice: random.Random) -> Mutation | None:
    name = dice.choice(files(bundle, text=True))
    lines = lines_of((bundle / name).read_bytes())
    at = dice.randrange(len(lines))
    (bundle / name).write_bytes(b"".join(one + b"\n" for one in (*lines[:at + 1], *lines[at:])))
    if name == "manifest.json":
        return Mutation("a line doubled", name)
    same = at
    while same and lines[same - 1] == lines[at]:
        same -= 1
    return Mutation("a line doubled", name, (same + 1, at + 3), id_of(lines[at]))


def edit_value(bundle: Path, dice: random.Random) -> Mutation | None:
    """One value of one row becomes another of its kind, canonically."""
    name = dice.choice([one for one in files(bundle, text=True) if one.endswith(".jsonl")])
    lines = lines_of((bundle / name).read_bytes())
    at = dice.randrange(len(lines))
    row = json.loads(lines[at])
    place, key = _deep(row, dice)
    before = place[key]
    place[key] = _other(before, dice)
    lines[at] = line(row)[:-1]
    (bundle / name).write_bytes(b"".join(one + b"\n" for one in lines))
    return Mutation("a value edited", name, (at + 1, at + 1), row["id"] if isinstance(row.get("id"), str) else None)


def edit_and_rehash(bundle: Path, dice: random.Random) -> Mutation | None:
    """The same, with checksums that fit."""
    told = edit_value(bundle, dice)
    hash_again(bundle)
    return told and Mutation("a value edited, SHA256SUMS made to fit", told.file, told.lines, told.id)


def swap_and_rehash(bundle: Path, dice: random.Random) -> Mutation | None:
    told = dice.choice((swap_lines, drop_line, flip_bit))(bundle, dice)
    if told is None or (told.file in ("SHA256SUMS", "manifest.json")) or not (bundle / told.file).read_bytes():
        return None if told is None else told
    hash_again(bundle)
    return Mutation(told.kind + ", SHA256SUMS made to fit", told.file, told.lines, told.id)


def edit_head(bundle: Path, dice: random.Random) -> Mutation | None:
    head = json.loads((bundle / "manifest.json").read_text())
    place, key = _deep(head, dice)
    place[key] = _other(place[key], dice)
    (bundle / "manifest.json").write_bytes(line(head))
    return Mutation("the manifest edited", "manifest.json")


def _deep(value: Any, dice: random.Random) -> tuple[Any, Any]:
    """A place somewhere in a JSON value: (container, key)."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = dice.choice(keys)
        inner = value[key]
        if isinstance(inner, (dict, list)) and inner and dice.random() < 0.8:
            value = inner
        else:
            return value, key


def _other(value: Any, dice: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + dice.choice((-1, 1, 7))
    if isinstance(value, float):
        return value + 0.25
    if isinstance(value, str):
        at = dice.randrange(len(value) + 1)
        return value[:at] + dice.choice("a0Zé7") + value[at:]
    if value is None:
        return dice.choice(("x", 1, False))
    return None


def drop_file(bundle: Path, dice: random.Random) -> Mutation | None:
    name = dice.choice(files(bundle, least=0))
    (bundle / name).unlink()
    return Mutation("a file dropped", name)


def add_file(bundle: Path, dice: random.Random) -> Mutation | None:
    name = dice.choice(("notes.txt", "public/more.jsonl", "public/media/" + "0" * 64 + ".png", "schema/x.json",
                        "private/notes.md", ".hidden", "public/gold.jsonl.bak"))
    (bundle / name).parent.mkdir(exist_ok=True)
    (bundle / name).write_bytes(dice.randbytes(dice.randrange(20)))
    return Mutation("a file added", name)


def rename_picture(bundle: Path, dice: random.Random) -> Mutation | None:
    there = files(bundle)
    pictures = [name for name in there if name.startswith("public/media/")]
    if not pictures:
        return None
    name = dice.choice(pictures)
    (bundle / name).rename(bundle / "public/media" / (hashlib.sha256(dice.randbytes(4)).hexdigest() + ".png"))
    return Mutation("a picture renamed", name)


def empty_file(bundle: Path, dice: random.Random) -> Mutation | None:
    name = dice.choice(files(bundle))
    (bundle / name).write_bytes(b"")
    return Mutation("a file emptied", name)


KINDS: tuple[Callable[[Path, random.Random], Mutation | None], ...] = (
    flip_bit, flip_bit, drop_byte, add_byte, cut_off, swap_lines, drop_line, double_line, edit_value, edit_value,
    edit_and_rehash, edit_and_rehash, swap_and_rehash, edit_head, drop_file, add_file, rename_picture, empty_file)
