"""Code to read: mono text with line numbers; lines with faults are marked."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from app import theme


class _Gutter(QWidget):
    def __init__(self, view: CodeView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self) -> QSize:
        return QSize(self._view.gutter_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._view.paint_gutter(self, event)


class CodeView(QPlainTextEdit):
    """Read-only; ``go_to`` shows a line, ``mark`` marks the lines of faults and warnings."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._marked: dict[int, str] = {}
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setProperty("ringed", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)  # Qt leaves it out above and below once it is scrolled
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse
                                     | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self._gutter = _Gutter(self)
        self.blockCountChanged.connect(self._fit)
        self.updateRequest.connect(self._scrolled)
        self.restyle()

    def restyle(self) -> None:
        theme.dress(self, "code", "ink")
        self._fit()
        self.mark(self._marked)

    def gutter_width(self) -> int:
        digits = max(2, len(str(self.blockCount())))
        return theme.metrics("code").horizontalAdvance("0") * digits + theme.space("l") + theme.space("s")

    def mark(self, lines: dict[int, str]) -> None:
        """``lines``: line number from 1 -> "bad" or "warn"."""
        self._marked = dict(lines)
        made = []
        for line, kind in lines.items():
            block = self.document().findBlockByNumber(line - 1)
            if block.isValid():
                selection = QTextEdit.ExtraSelection()
                selection.cursor = QTextCursor(block)
                selection.format.setBackground(theme.color(f"{kind}_tint"))
                selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
                made.append(selection)
        self.setExtraSelections(made)

    def go_to(self, line: int) -> None:
        block = self.document().findBlockByNumber(max(0, line - 1))
        self.setTextCursor(QTextCursor(block))
        self.centerCursor()

    def marked(self) -> Iterable[int]:
        return self._marked.keys()

    def paint_gutter(self, gutter: QWidget, event: QPaintEvent) -> None:
        painter = QPainter(gutter)
        painter.fillRect(event.rect(), theme.color("page"))
        painter.setFont(theme.font("code"))
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        tall = theme.metrics("code").height()
        while block.isValid() and top <= event.rect().bottom():
            if block.isVisible():
                kind = self._marked.get(block.blockNumber() + 1)
                painter.setPen(theme.color(kind or "ink2"))
                painter.drawText(QRect(0, round(top), gutter.width() - theme.space("l"), tall),
                                 Qt.AlignmentFlag.AlignRight, str(block.blockNumber() + 1))
            top += self.blockBoundingRect(block).height()
            block = block.next()

    def _fit(self) -> None:
        wide, inner, edge = self.gutter_width(), self.contentsRect(), theme.space("xs")
        room = max(0, inner.height() - edge)
        rest = room % self.line_height()
        self.setViewportMargins(wide, edge, edge, rest)  # ends at a whole line
        self._gutter.setGeometry(inner.left(), inner.top() + edge, wide, room - rest)

    def line_height(self) -> int:
        """Of a line as it is set, which may be a pixel more than the font says."""
        first = self.document().firstBlock()
        tall = self.blockBoundingRect(first).height()  # sets the block, too
        return max(1, round(tall / max(1, first.layout().lineCount())))

    def _scrolled(self, rect: QRect, dy: int) -> None:
        if dy:
            self._gutter.scroll(0, dy)
        else:
            self._gutter.update(0, rect.y(), self._gutter.width(), rect.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
