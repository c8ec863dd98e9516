"""Gold in words: the name and the sentence of each finding, what is right where nothing is found, answers as read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.questions.base import number_text
from app.i18n import QT_TRANSLATE_NOOP
from exports.preflight import Finding

_N = QT_TRANSLATE_NOOP
NAMES: dict[str, str] = {
    "no_gold": _N("gold", "Gold"), "missing_media": _N("gold", "Pictures"), "open_annotation": _N("gold", "Answers"),
    "open_verification": _N("gold", "Verification"), "open_adjudication": _N("gold", "Adjudication"),
    "unsigned": _N("gold", "Signatures"), "missing_gold": _N("gold", "Gold values"),
    "stale_item": _N("gold", "Changes"), "open_query": _N("gold", "Queries"),
    "unexplained_change": _N("gold", "Unexplained changes"),
    "low_agreement": _N("gold", "Low agreement"), "single_answer": _N("gold", "Single answers"),
    "one_person_each": _N("gold", "Single answers"), "flagged": _N("gold", "Flags"),
    "duplicate": _N("gold", "Duplicates"), "duplicate_conflict": _N("gold", "Duplicates that differ"),
    "near_text": _N("gold", "Near-duplicate texts"), "near_picture": _N("gold", "Near-duplicate pictures"),
    "answer_in_question": _N("gold", "Answer in the question"), "longest_option": _N("gold", "Longest option"),
    "answer_position": _N("gold", "Place of the answer"), "option_style": _N("gold", "Style of options"),
    "distractor_overlap": _N("gold", "Wrong options"), "longer_preferred": _N("gold", "Longer preferred"),
    "split_cluster": _N("gold", "Clusters"), "split_picture": _N("gold", "Pictures in splits"),
    "email": _N("gold", "E-mail addresses"), "own_person": _N("gold", "People of the project"),
    "picture_place": _N("gold", "Places in pictures"), "phone": _N("gold", "Telephone numbers"),
    "record_number": _N("gold", "Record numbers"), "ip_address": _N("gold", "IP addresses"),
    "picture_metadata": _N("gold", "Metadata of pictures"), "unlicensed_media": _N("gold", "Licences"),
}
THEMES: dict[str, tuple[str, str]] = {
    "missing": (_N("gold", "Missing"), _N("gold", "Every item has what the protocol wants.")),
    "weak": (_N("gold", "Weak"), _N("gold", "No value is weak, flagged or asked about.")),
    "duplicated": (_N("gold", "Duplicated"), _N("gold", "No two items are the same, or nearly.")),
    "leaking": (_N("gold", "Leaking"), _N("gold", "No answer is given away by words, place, length or style.")),
    "identifying": (_N("gold", "Identifying"),
                    _N("gold", "No address, telephone or record number, full name of the project’s people or place in "
                               "a picture was found.")),
    "unlicensed": (_N("gold", "Licences"), _N("gold", "Every picture states its licence.")),
}
# What waits for somebody is said with its verb; of the rest the engine's sentence is shown.
_WAITS: dict[str, tuple[str, str]] = {
    "missing_media": (_N("gold", "Has a picture that is not there; it stops a release."),
                      _N("gold", "Have pictures that are not there; they stop a release.")),
    "open_annotation": (_N("gold", "Waits for answers."), _N("gold", "Wait for answers.")),
    "open_verification": (_N("gold", "Waits for a verifier."), _N("gold", "Wait for a verifier.")),
    "open_adjudication": (_N("gold", "Waits for an adjudicator."), _N("gold", "Wait for an adjudicator.")),
    "unsigned": (_N("gold", "Is not signed."), _N("gold", "Are not signed.")),
    "missing_gold": (_N("gold", "Lacks a value that the protocol wants."),
                     _N("gold", "Lack a value that the protocol wants.")),
    "no_gold": (_N("gold", "No item has gold yet."), _N("gold", "No item has gold yet.")),
    "stale_item": (_N("gold", "Changed after it was answered."), _N("gold", "Changed after they were answered.")),
    "open_query": (_N("gold", "Has an open query."), _N("gold", "Have an open query.")),
}
STANDING = {"adjudicated": _N("gold", "adjudicated"), "repair": _N("gold", "repaired"), "rule": _N("gold", "by rule")}
_ICONS = {"adjudicated": "scales", "repair": "edit", "rule": "agree"}
CHANGES = {
    "added": _N("gold", "added"), "removed": _N("gold", "removed"), "gold": _N("gold", "gold"),
    "contents": _N("gold", "contents"), "split": _N("gold", "split"), "slices": _N("gold", "tags"),
    "pictures": _N("gold", "pictures"), "same": _N("gold", "the same"), "adjudication": _N("gold", "adjudication"),
    "answers": _N("gold", "answers"), "protocol": _N("gold", "protocol"), "withdrawn": _N("gold", "taken out"),
    "left_out": _N("gold", "left out"),
}


def _tr(text: str) -> str:
    return QCoreApplication.translate("gold", text)


def name(code: str) -> str:
    return _tr(NAMES.get(code, code.replace("_", " ").capitalize()))


def theme_name(theme: str) -> str:
    return _tr(THEMES[theme][0]) if theme in THEMES else _tr("Changes")


def nothing(theme: str) -> str:
    """What is right where a theme has no finding."""
    return _tr(THEMES[theme][1])


def sentence(finding: Finding) -> str:
    n = len(finding.items)
    if finding.code in _WAITS:
        return _tr(_WAITS[finding.code][n != 1])
    text = re.sub(r"^[\d,]+ items? ", "", _tr(finding.message))  # how many stands in a column of its own
    return f"{text[:1].upper()}{text[1:]}."


def changed(what: Sequence[str]) -> str:
    return ", ".join(_tr(CHANGES.get(one, one)) for one in what)


def standing(kind: str) -> tuple[str, str]:
    """``(words, icon)`` of how a value came to stand."""
    return _tr(STANDING.get(kind, kind)), _ICONS.get(kind, "")


def answer(protocol: Any, question: str, given: Mapping[str, Any] | None) -> str:
    """An answer by the words that it was chosen by; "nothing" where there is none."""
    if given is None:
        return _tr("nothing")
    if given.get("na"):
        return _tr("N/A")
    options = getattr(protocol.question(question), "options", None) if protocol.has_question(question) else None
    labels = {option.value: option.label or option.value for option in options or ()}
    found = given.get("v")
    if isinstance(found, list):
        return ", ".join(str(labels.get(one, one)) for one in found)
    text = number_text(found)
    return str(labels.get(text, text)).replace("\n", " ")
