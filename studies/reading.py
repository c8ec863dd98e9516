"""The door to studies: read a file and tell all its faults, hold it against a protocol, find those of the shelf."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path as FilePath

import resources
from annotation.errors import N_, Fault, ProtocolError, Unknown
from annotation.protocol import Protocol
from annotation.protocol_build import BROKEN, Builder, dotted
from annotation.protocol_fault_names import Found, Path
from annotation.protocol_yaml import read_nodes
from studies.fitting import protocol_faults
from studies.model import Study
from studies.study_faults import study_faults

_TOO_MANY = re.compile(r"^Tuple should have at most (\d+) items? after validation, not \d+$")
SHELF = FilePath(resources.__file__).parent / "studies"


class StudyError(ProtocolError):
    """A study that cannot be used; ``faults`` holds all of them at once."""

    code = "bad_study"


def read_study(text: str, *, file: str = "study.yaml") -> Study:
    """The study in ``text``; StudyError with every fault as ``file:line: path: what``."""
    made, _builder, faults = _read(text, file)
    if made is None or faults:
        raise StudyError(tuple(sorted(dict.fromkeys(faults), key=lambda fault: (fault.line, fault.column))))
    return made


def check_fits(study: Study, protocol: Protocol, *, file: str = "study.yaml") -> tuple[Fault, ...]:
    """What of ``study`` leads nowhere in ``protocol``: questions, fields, kinds, keys too few for the options."""
    return told(study, protocol_faults(study, protocol), file=file)


def told(study: Study, found: Iterable[Found], *, file: str = "study.yaml") -> tuple[Fault, ...]:
    """What was found of a study that can be read, with its places, in the order of the text."""
    _made, builder, _faults = _read(study.text, file)
    return tuple(sorted(_told(builder, file, found), key=lambda fault: (fault.line, fault.column)))


def fault_at(study: Study, path: Path, message: str, *, file: str = "study.yaml") -> StudyError:
    """What is wrong with one place of a study that can be read."""
    _made, builder, _faults = _read(study.text, file)
    return StudyError(tuple(_told(builder, file, [Found(path, message)])))


def shelf() -> tuple[Study, ...]:
    """The studies that come with Goldsmith, by id."""
    return tuple(read_study(path.read_text("utf-8"), file=path.name) for path in _files().values())


def shelf_text(id_: str) -> str:
    """The file of a study of the shelf as it stands; Unknown if there is none."""
    files = _files()
    if id_ not in files:
        raise Unknown(N_("There is no study '{name}'. On the shelf are: {known}."), name=id_, known=", ".join(files))
    return files[id_].read_text("utf-8")


def _files() -> dict[str, FilePath]:
    return {path.stem: path for path in sorted(SHELF.glob("*.yaml"))}


def _read(text: str, file: str) -> tuple[Study | None, Builder, list[Fault]]:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    builder = Builder(file)
    root, faults = read_nodes(text, file)
    if root is None:
        return None, builder, [_said(fault) for fault in faults]
    made = builder.build(root, Study, ())
    faults += builder.faults
    said = [_said(fault) for fault in faults]
    if not isinstance(made, Study) or made is BROKEN:
        return None, builder, said
    made._text = text
    return made, builder, said + _told(builder, file, study_faults(made))


def _told(builder: Builder, file: str, found: Iterable[Found]) -> list[Fault]:
    return [Fault(file, *builder.place(one.path), dotted(one.path) if one.path else "study", one.message)
            for one in found]


def _said(fault: Fault) -> Fault:
    """In the words of studies: the readers of files speak of protocols, and call the whole file one."""
    of_key = fault.message == "wants a text" or fault.message.startswith("is longer")
    path = "study" if fault.path == "protocol" and not of_key else fault.path
    message = fault.message.replace("a protocol is one document", "a study is one document")
    message = message.replace("this is no protocol", "this is no study")
    message = _TOO_MANY.sub(r"takes at most \1", message)
    if message.endswith(" comes later; this version does not have it yet"):
        message = "unknown " + message.removesuffix(" comes later; this version does not have it yet")
    return replace(fault, path=path, message=message)
