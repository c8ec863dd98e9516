"""The look of Markdown in our type: faces of headings and code, lines of code that break, room above paragraphs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from app import theme

HANGS = 2  # letters that the rest of a broken line of code stands further in than the line
DEEPEST = 24  # letters; code further in than that leaves too little room for its own words


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
        at, code = block.begin(), _is_code(block)
        while not at.atEnd():
            run = at.fragment()
            if code or run.charFormat().fontFixedPitch():
                part, face = QTextCursor(document), QTextCharFormat()
                part.setPosition(run.position())
                part.setPosition(run.position() + run.length(), QTextCursor.MoveMode.KeepAnchor)
                face.setFontFamilies(theme.font("code").families())
                face.setFontFixedPitch(True)
                part.mergeCharFormat(face)
            at += 1
        block = block.next()


def set_gaps(document: QTextDocument, *, above_heading: str = "m") -> None:
    """Room above a paragraph and a heading (a space token); the points of a list and the lines of code stand close."""
    block = document.begin().next()
    while block.isValid():
        close = block.textList() is not None and block.previous().textList() is block.textList()
        form = block.blockFormat()
        form.setTopMargin(0 if _is_code(block) and _is_code(block.previous()) else
                          theme.space("xxs" if close else above_heading if form.headingLevel() else "s"))
        form.setBottomMargin(0)
        QTextCursor(block).setBlockFormat(form)
        block = block.next()


def break_code(document: QTextDocument) -> None:
    """Let a line of code that is longer than its room go on below, further in than it begins: all of it is seen."""
    wide, block = _letter(document), document.begin()
    while block.isValid():
        if _is_code(block):
            inside = len(block.text()) - len(block.text().lstrip(" "))  # Qt has made spaces of the tabs
            deep, form = min(DEEPEST, inside) + HANGS, block.blockFormat()
            form.setNonBreakableLines(False)
            form.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            form.setLeftMargin(form.leftMargin() + deep * wide)
            form.setTextIndent(-deep * wide)
            cursor = QTextCursor(block)
            cursor.setBlockFormat(form)
            if inside:  # no break behind them; who copies the line gets them as they were
                cursor.setPosition(block.position() + inside, QTextCursor.MoveMode.KeepAnchor)
                cursor.insertText("\u00a0" * inside, cursor.charFormat())
        block = block.next()


def paint_breaks(painter: QPainter, document: QTextDocument) -> None:
    """A small arrow before what goes on of a broken line of code, so that it is not read as a line of its own."""
    wide, layout, block = _letter(document), document.documentLayout(), document.begin()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = painter.pen()
    pen.setColor(theme.color("ink2"))
    pen.setWidthF(max(1.0, wide / 8))
    painter.setPen(pen)
    while block.isValid():
        lines = block.layout()
        if lines.lineCount() > 1 and _is_code(block):
            place = layout.blockBoundingRect(block).topLeft()
            for n in range(1, lines.lineCount()):
                line = lines.lineAt(n)
                end = place + QPointF(line.x() - wide * 0.4, line.y() + line.ascent() - wide * 0.5)
                path = QPainterPath(end + QPointF(-wide, -wide))
                path.lineTo(end + QPointF(-wide, 0))
                path.lineTo(end)
                path.moveTo(end + QPointF(-wide * 0.35, -wide * 0.35))
                path.lineTo(end)
                path.lineTo(end + QPointF(-wide * 0.35, wide * 0.35))
                painter.drawPath(path)
        block = block.next()
    painter.restore()


def _is_code(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeLanguage)


def _letter(document: QTextDocument) -> float:
    """How wide a letter of code is in this document."""
    return QFontMetricsF(theme.font_at("code", document.defaultFont().pixelSize())).horizontalAdvance("0")
