"""The door to protocols: load, loads and check a file, and find those of the shelf."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import resources
from annotation.errors import N_, Fault, ProtocolError, Unknown
from annotation.protocol_build import BROKEN, Builder, dotted
from annotation.protocol_faults import find_faults
from annotation.protocol_models import Group, Protocol
from annotation.protocol_yaml import MAX_BYTES, read_nodes

__all__ = ["CheckReport", "Group", "Protocol", "check", "find", "load", "loads", "sample", "shelf"]

SHELF = Path(resources.__file__).parent / "protocols"


@dataclass(frozen=True, slots=True)
class CheckReport:
    """``protocol`` is None where there are faults; warnings alone leave it usable."""

    faults: tuple[Fault, ...]
    warnings: tuple[Fault, ...]
    protocol: Protocol | None


def load(path: str | Path) -> Protocol:
    """The protocol in the file ``path``; ProtocolError with all faults at once."""
    return _sound(check(path))


@lru_cache(maxsize=32)
def loads(text: str, file: str = "protocol.yaml") -> Protocol:
    """The protocol in ``text``; ``file`` is the name that faults are reported under. The same text: the same object."""
    return _sound(check_text(text, file))


def check(path: str | Path) -> CheckReport:
    """Faults and warnings of the file ``path``; one that cannot be read is one fault."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as fault:
        return _one_fault(path.name, 1, f"the file cannot be read: {fault.strerror or fault}")
    if len(raw) > MAX_BYTES:
        return _one_fault(path.name, 1, f"the file is larger than {MAX_BYTES // 1024} KiB; this is no protocol")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _one_fault(path.name, 1, "the file is UTF-16; save it as UTF-8")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = raw.count(b"\n", 0, fault.start) + 1
        return _one_fault(path.name, line, f"the file is not UTF-8 (byte 0x{raw[fault.start]:02X}); save it as UTF-8")
    return check_text(text, path.name)


def check_text(text: str, file: str = "protocol.yaml") -> CheckReport:
    """Faults and warnings of a protocol given as text."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    root, faults = read_nodes(text, file)
    if root is None:
        return CheckReport(tuple(faults), (), None)
    builder = Builder(file)
    made = builder.build(root, Protocol, ())
    faults += builder.faults
    warnings = builder.warnings
    if isinstance(made, Protocol) and made is not BROKEN:
        made._text = text
        for found in find_faults(made):
            line, column = builder.place(found.path)
            fault = Fault(file, line, column, dotted(found.path), found.message)
            (warnings if found.warning else faults).append(fault)
    ordered = tuple(sorted(dict.fromkeys(faults), key=lambda f: (f.line, f.column)))
    return CheckReport(ordered, tuple(sorted(warnings, key=lambda f: (f.line, f.column))),
                       None if faults else made)


def shelf() -> tuple[str, ...]:
    """The ids of the protocols that come with Goldsmith."""
    return tuple(sorted(path.stem for path in SHELF.glob("*.yaml")))


def find(id_or_path: str | Path) -> Path:
    """The file of a shelf id, or the path itself where it is a file; Unknown if there is neither."""
    text = str(id_or_path)
    if text in shelf():
        return SHELF / f"{text}.yaml"
    if Path(text).is_file():
        return Path(text)
    raise Unknown(N_("There is no protocol '{name}'. On the shelf are: {known}."), name=text,
                  known=", ".join(shelf()))


def sample(id_: str) -> Path | None:
    """The folder with the sample of a shelf protocol, if it has one."""
    folder = SHELF.parent / "samples" / id_
    return folder if folder.is_dir() else None


def _sound(report: CheckReport) -> Protocol:
    if report.protocol is None:
        raise ProtocolError(report.faults)
    return report.protocol


def _one_fault(file: str, line: int, message: str) -> CheckReport:
    return CheckReport((Fault(file, line, 1, "file", message),), (), None)
