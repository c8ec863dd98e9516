"""Words of a trial: a text set in a role and a size factor, measured and drawn without a widget."""

from __future__ import annotations

import unicodedata
from typing import Any

from PySide6.QtCore import QRectF, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QImage,
    QPainter,
    QPalette,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTable,
    QTextTableFormat,
)

from app import theme
from app.parts.markdown import break_code, paint_breaks, set_faces, set_gaps
from app.viewers.table import read_rows

_MARKDOWN = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
LEAST_PX = {"display": 16, "reading": 12, "caption": 11}  # no text of a trial is set smaller


def sized(role: str, factor: float) -> QFont:
    """The font of a role at a factor of its size, not below its floor."""
    full = theme.text_px(role)
    return theme.font_at(role, max(min(LEAST_PX.get(role, 11), full), round(full * factor)))


def least_factor() -> float:
    """The factor at which a text to be read reaches its floor."""
    return min(1.0, LEAST_PX["reading"] / theme.text_px("reading"))


def is_right_to_left(text: str) -> bool:
    """By the first letter that has a direction."""
    for letter in text:
        direction = unicodedata.bidirectional(letter)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False


class Words(QTextDocument):
    """``kind``: text, markdown or table (CSV); ``close``: lines as near as the font sets them.

    Never loads anything; every paragraph has its own direction.
    """

    def __init__(self, text: str, role: str = "reading", factor: float = 1.0, *, kind: str = "text",
                 ink: str = "ink", close: bool = False) -> None:
        super().__init__()
        self._ink = ink
        self._heights: dict[int, float] = {}
        self.setUndoRedoEnabled(False)
        self.setDocumentMargin(0)
        self.setDefaultFont(sized(role, factor))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setDefaultTextOption(option)
        if kind == "markdown":
            self.setMarkdown(text, _MARKDOWN)
            set_faces(self, lambda level: sized("title" if level == 1 else "reading", factor))
        elif kind == "table":
            self._fill_table(text)
        else:
            self.setPlainText(text)
        if kind != "table" and not close:
            theme.set_lines(self, role)
        if kind == "markdown":
            set_gaps(self, above_heading="s")
            break_code(self)

    def height_at(self, width: float) -> float:
        whole = max(1, int(width))
        if whole not in self._heights:
            self.setTextWidth(whole)
            self._heights[whole] = self.size().height()
        return self._heights[whole]

    def natural_width(self) -> float:
        """In as few lines as it has of its own."""
        self.setTextWidth(-1)
        return self.idealWidth() + 1

    def fits_words(self, width: float) -> bool:
        """Whether no word has to be broken in so narrow a column."""
        option = self.defaultTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        self.setDefaultTextOption(option)
        self.setTextWidth(max(1, int(width)))
        fits = self.idealWidth() <= max(1, int(width)) + 1
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setDefaultTextOption(option)
        return fits

    def paint(self, painter: QPainter, x: float, y: float, width: float) -> None:
        self.setTextWidth(max(1, int(width)))
        context = QAbstractTextDocumentLayout.PaintContext()
        palette = QPalette(theme.palette())
        palette.setColor(QPalette.ColorRole.Text, theme.color(self._ink))
        context.palette = palette
        painter.save()
        painter.translate(x, y)
        painter.setClipRect(QRectF(-2, -2, width + 4, self.size().height() + 4))
        self.documentLayout().draw(painter, context)
        paint_breaks(painter, self)
        painter.restore()

    def loadResource(self, _kind: int, _name: QUrl) -> QImage:  # noqa: N802 - Qt's name
        """A picture of nothing: told that there is none, Qt would open the file itself."""
        nothing = QImage(1, 1, QImage.Format.Format_ARGB32)
        nothing.fill(0)
        return nothing

    # --- Markdown and tables --------------------------------------------------------------------------------

    def _fill_table(self, text: str) -> None:
        head, rows = read_rows(text)
        if not head:
            return
        form = QTextTableFormat()
        form.setCellPadding(theme.space("xs"))
        form.setCellSpacing(0)
        form.setBorder(theme.border("hairline"))
        form.setBorderCollapse(True)
        form.setBorderBrush(theme.color("line"))
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setWidth(QTextLength())
        table: QTextTable = QTextCursor(self).insertTable(1 + len(rows), len(head), form)
        bold = QTextCharFormat()
        bold.setFontWeight(theme.font("strong").weight())
        for r, row in enumerate([head, *rows]):
            for c, cell in enumerate(row[: len(head)]):
                table.cellAt(r, c).firstCursorPosition().insertText(cell, *_face(bold, r == 0))


def _face(bold: QTextCharFormat, head: bool) -> tuple[Any, ...]:
    return (bold,) if head else ()
