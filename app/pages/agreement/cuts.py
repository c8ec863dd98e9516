"""By what results can be cut: tags, other public fields of the items, week, version of the protocol, people."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.judgement_slices import OTHERS

_KINDS = ("tag", "number", "text")
WITHOUT = "without-person"  # what if: the answers of everybody but one


def _tr(text: str) -> str:
    return QCoreApplication.translate("agreement", text)


def cuts_of(protocol: Any) -> list[tuple[str, str]]:
    """(name, what it is called), tags first."""
    fields = [field for kind in _KINDS for field in protocol.fields if field.kind == kind and not field.private]
    own = [(field.name, field.label or field.name) for field in fields]
    return own + [(name, other(name)) for name in (*OTHERS, WITHOUT)]


def first_cut(protocol: Any) -> str:
    """The cut that is shown before anybody chooses one: the first tag, or none."""
    return next((field.name for field in protocol.fields if field.kind == "tag" and not field.private), "")


def other(name: str) -> str:
    """A cut that is no field."""
    words = {"week": _tr("Week"), "protocol": _tr("Version of the protocol"), "person-group": _tr("Group of people"),
             WITHOUT: _tr("Leaving one person out")}
    return words.get(name, name.replace("-", " ").capitalize())
