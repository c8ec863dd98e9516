"""Gold in words: the name of each check, its sentence when it holds and when it does not, answers as read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.questions.base import number_text
from app.i18n import QT_TRANSLATE_NOOP

_N = QT_TRANSLATE_NOOP
# code -> (name, what is wrong with one, with several, what is right)
CHECKS: dict[str, tuple[str, str, str, str]] = {
    "missing_media": (_N("gold", "Pictures"), _N("gold", "Has a picture that is not there; it stops a release."),
                      _N("gold", "Have pictures that are not there; they stop a release."),
                      _N("gold", "Every picture is there.")),
    "open_annotation": (_N("gold", "Answers"), _N("gold", "Waits for answers."), _N("gold", "Wait for answers."),
                        _N("gold", "Every item has its answers.")),
    "open_verification": (_N("gold", "Verification"), _N("gold", "Waits for a verifier."),
                          _N("gold", "Wait for a verifier."), _N("gold", "Nothing waits for a verifier.")),
    "open_adjudication": (_N("gold", "Adjudication"), _N("gold", "Waits for an adjudicator."),
                          _N("gold", "Wait for an adjudicator."), _N("gold", "Every difference is settled.")),
    "unsigned": (_N("gold", "Signatures"), _N("gold", "Is not signed."), _N("gold", "Are not signed."),
                 _N("gold", "What needs a signature is signed.")),
    "missing_gold": (_N("gold", "Gold values"), _N("gold", "Lacks a value that the protocol wants."),
                     _N("gold", "Lack a value that the protocol wants."),
                     _N("gold", "No value that the protocol wants is missing.")),
    "no_gold": (_N("gold", "Gold"), _N("gold", "No item has gold yet."), _N("gold", "No item has gold yet."), ""),
    "stale_item": (_N("gold", "Changes"), _N("gold", "Changed after it was answered."),
                   _N("gold", "Changed after they were answered."),
                   _N("gold", "No item changed after it was answered.")),
    "open_query": (_N("gold", "Queries"), _N("gold", "Has an open query."), _N("gold", "Have an open query."),
                   _N("gold", "No query is open.")),
}
_STAGE = {"open_annotation": "annotate", "open_verification": "verify", "open_adjudication": "adjudicate",
          "unsigned": "sign"}
_PICTURED = ("image", "images", "candidates", "steps")
STANDING = {"adjudicated": _N("gold", "adjudicated"), "repair": _N("gold", "repaired"), "rule": _N("gold", "by rule")}
_ICONS = {"adjudicated": "scales", "repair": "edit", "rule": "agree"}


def _tr(text: str) -> str:
    return QCoreApplication.translate("gold", text)


def concerns(protocol: Any, code: str) -> bool:
    """Whether a check says anything about projects of this protocol."""
    if code == "no_gold":
        return False  # shown only where it fails
    if code == "missing_media":
        return any(field.kind in _PICTURED for field in protocol.fields)
    return code not in _STAGE or _STAGE[code] in protocol.workflow.stages


def name(code: str) -> str:
    return _tr(CHECKS[code][0])


def sentence(code: str, n: int) -> str:
    """What is found: ``n`` items, or nothing."""
    _, one, several, right = CHECKS[code]
    return _tr(one if n == 1 else several) if n or not right else _tr(right)


def standing(kind: str) -> tuple[str, str]:
    """``(words, icon)`` of how a value came to stand."""
    return _tr(STANDING.get(kind, kind)), _ICONS.get(kind, "")


def answer(protocol: Any, question: str, given: Mapping[str, Any]) -> str:
    """An answer by the words that it was chosen by."""
    if given.get("na"):
        return _tr("N/A")
    options = getattr(protocol.question(question), "options", None) if protocol.has_question(question) else None
    labels = {option.value: option.label or option.value for option in options or ()}
    found = given.get("v")
    if isinstance(found, list):
        return ", ".join(str(labels.get(one, one)) for one in found)
    text = number_text(found)
    return str(labels.get(text, text)).replace("\n", " ")
