"""Text to be read: a column that is as high as its words, with the line height of its role."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from app import theme
from app.parts.markdown import break_code, paint_breaks, set_faces, set_gaps

_MARKDOWN = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_HEADINGS = {1: "title", 2: "reading", 3: "reading"}


class ReadingText(QTextBrowser):
    """Plain text, Markdown or our own HTML; never loads anything, never scrolls by itself."""

    def __init__(self, parent: QWidget | None = None, *, role: str = "reading", ink: str = "ink") -> None:
        super().__init__(parent)
        self._role, self._ink = role, ink
        self._shown: tuple[str, Any] = ("text", "")
        self.heading: QWidget | None = None  # what must not stand alone above a text that is cut off
        self._measured, self._heights = QTextDocument(self), dict[int, int]()
        self.setProperty("bare", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.document().setDocumentMargin(0)
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self.verticalScrollBar().setRange(0, 0))
        theme.dress(self, ink=ink)

    # --- what is shown --------------------------------------------------------------------------------------

    def show_text(self, text: str) -> None:
        self._shown = ("text", text)
        self._render()

    def show_markdown(self, text: str) -> None:
        self._shown = ("markdown", text)
        self._render()

    def show_pieces(self, pieces: list[tuple[str, str]]) -> None:
        """Runs of a diff: ``same``, ``out`` (struck, red), ``in`` (underlined, green)."""
        self._shown = ("pieces", pieces)
        self._render()

    def restyle(self) -> None:
        self._render()

    def _render(self) -> None:
        kind, value = self._shown
        document = self.document()
        document.setDefaultFont(theme.font(self._role))
        self.viewport().setAutoFillBackground(False)
        if kind == "markdown":
            document.setMarkdown(value, _MARKDOWN)
            set_faces(document, lambda level: theme.font(_HEADINGS.get(level, "reading")))
        elif kind == "pieces":
            self._write_pieces(value)
        else:
            document.setPlainText(value)
        theme.set_lines(document, self._role)
        if kind == "markdown":
            set_gaps(document)
            break_code(document)
        if kind != "pieces" and self._ink != "ink":  # the style sheet's colour is stronger than the palette's
            cursor, face = QTextCursor(document), QTextCharFormat()
            cursor.select(QTextCursor.SelectionType.Document)
            face.setForeground(theme.color(self._ink))
            cursor.mergeCharFormat(face)
        self._measured, self._heights = document.clone(self), {}
        self.updateGeometry()

    def _write_pieces(self, pieces: list[tuple[str, str]]) -> None:
        self.clear()
        cursor = QTextCursor(self.document())
        plain = QTextCharFormat()
        plain.setForeground(theme.color(self._ink))
        before = ""
        for kind, text in pieces:
            face = QTextCharFormat(plain)
            if (before, kind) == ("out", "in"):
                cursor.insertText(" ", plain)  # only for the eye
            before = kind
            if kind == "out":
                face.setFontStrikeOut(True)
                face.setForeground(theme.color("bad"))
                face.setBackground(theme.color("bad_tint"))
            elif kind == "in":
                face.setFontUnderline(True)
                face.setForeground(theme.color("good"))
                face.setBackground(theme.color("good_tint"))
            cursor.insertText(text, face)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        if self._shown[0] == "markdown":
            painter = QPainter(self.viewport())
            painter.translate(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())
            paint_breaks(painter, self.document())

    # --- its size -------------------------------------------------------------------------------------------

    def height_at(self, width: int) -> int:
        """The height of the text set in so many pixels."""
        if width not in self._heights:
            # Measured on a copy: the shown document tells its widget about every change of its width,
            # and a layout that asks for heights would never come to rest.
            self._measured.setTextWidth(width)
            self._heights[width] = round(self._measured.size().height() + 0.499)
        return self._heights[width]

    def lines(self) -> list[tuple[float, float]]:
        """The upper and lower edge of every line of text, from the top of the column."""
        edges = []
        layout, block = self.document().documentLayout(), self.document().begin()
        while block.isValid():
            top, lines = layout.blockBoundingRect(block).top(), block.layout()
            for n in range(lines.lineCount()):
                line = lines.lineAt(n)
                edges.append((top + line.y(), top + line.y() + line.height()))
            block = block.next()
        return edges

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        return self.height_at(width)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(theme.size("reading_column"), self.height_at(max(1, self.width())))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(1, 1)

    # --- nothing comes from outside -------------------------------------------------------------------------

    def loadResource(self, _kind: int, _name: QUrl) -> QImage:  # noqa: N802
        """A picture of nothing: told that there is none, Qt would open the file itself."""
        nothing = QImage(1, 1, QImage.Format.Format_ARGB32)
        nothing.fill(0)
        return nothing
