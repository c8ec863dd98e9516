"""The look of Markdown in our type: faces of headings and code, and the room above paragraphs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat

from app import theme


def set_faces(document: QTextDocument, heading: Callable[[int], QFont]) -> None:
    """``heading(level)`` gives the font of a heading, set in the weight of strong text; code gets our mono font."""
    block = document.begin()
    while block.isValid():
        level = block.blockFormat().headingLevel()
        if level:
            cursor, face = QTextCursor(block), QTextCharFormat()
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            font = heading(level)
            font.setWeight(theme.font("strong").weight())
            face.setFont(font)
            face.setProperty(QTextFormat.Property.FontSizeAdjustment, 0)
            cursor.mergeCharFormat(face)
        at = block.begin()
        while not at.atEnd():
            run = at.fragment()
            if run.charFormat().fontFixedPitch():
                part, face = QTextCursor(document), QTextCharFormat()
                part.setPosition(run.position())
                part.setPosition(run.position() + run.length(), QTextCursor.MoveMode.KeepAnchor)
                face.setFontFamilies(theme.font("code").families())
                part.mergeCharFormat(face)
            at += 1
        block = block.next()


def set_gaps(document: QTextDocument, *, above_heading: str = "m") -> None:
    """Room above a paragraph and a heading (a space token); the points of a list stand close."""
    block = document.begin().next()
    while block.isValid():
        close = block.textList() is not None and block.previous().textList() is block.textList()
        form = block.blockFormat()
        form.setTopMargin(theme.space("xxs" if close else above_heading if form.headingLevel() else "s"))
        form.setBottomMargin(0)
        QTextCursor(block).setBlockFormat(form)
        block = block.next()
