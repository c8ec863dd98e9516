"""Sentences of the lower floors in the language of the person: a template is translated, then filled."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from annotation.errors import Refused


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802 - the name that lupdate looks for
    """Mark a text for translation; returns it unchanged. (PySide6's own says that it returns any object.)"""
    return text


def translate(text: str, context: str = "commands") -> str:
    """A text marked with QT_TRANSLATE_NOOP(context, ..)."""
    return QCoreApplication.translate(context, text)


def sentence(refused: Refused) -> str:
    """The sentence of a refusal, with its place in a file where it is known."""
    text = QCoreApplication.translate("annotation", refused.template).format(**refused.values)
    where = refused.where
    if where.file and where.file not in text:
        place = ":".join(str(part) for part in (where.file, where.line, where.column) if part is not None)
        return f"{place}: {text}"
    return text
