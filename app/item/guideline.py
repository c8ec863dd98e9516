"""The guideline drawer: the protocol's guideline, searchable, there or not there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QTextEdit, QVBoxLayout, QWidget

from app import theme
from app.parts.buttons import CapButton
from app.parts.field import Field
from app.parts.reading import ReadingText
from app.parts.scroll import scroll_area
from app.parts.surface import Surface
from app.parts.text import label


class GuidelineDrawer(Surface):
    """Opens at the side of the item. Enter in the search goes to the next place, Esc closes."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("panel", sides="left", parent=parent)
        self.setObjectName("guideline")
        self.setAccessibleName(self.tr("Guideline"))
        title = label(self.tr("Guideline"), "strong", "ink")
        close = CapButton(kind="flat", icon="remove", tip=self.tr("Close (Esc)"))
        close.clicked.connect(self.closed)
        self.search = Field(self.tr("Search the guideline"), hint=self.tr("Search"))
        self.search.setObjectName("guideline:search")
        self.search.textChanged.connect(lambda _text: self._find(from_start=True))
        self.search.returnPressed.connect(lambda: self._find(from_start=False))
        self.search.installEventFilter(self)
        self.found = label("", "caption", "ink2")
        self._text = ReadingText(role="body")
        self._text.setAccessibleName(self.tr("Text of the guideline"))
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(theme.space("xl"), 0, theme.space("l"), theme.space("l"))
        column.addWidget(self._text)
        column.addStretch(1)
        self._area = scroll_area(inner, fill="panel")
        self._area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._area.setAccessibleName(self.tr("Guideline"))
        self._area.installEventFilter(self)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(title, 1)
        head.addWidget(close)
        top = QVBoxLayout()
        top.setContentsMargins(theme.space("xl"), theme.space("m"), theme.space("l"), theme.space("s"))
        top.setSpacing(theme.space("xs"))
        top.addLayout(head)
        top.addWidget(self.search)
        top.addWidget(self.found)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(top)
        outer.addWidget(self._area, 1)
        self._shown = ""
        self._at = 0

    def show_guideline(self, markdown: str) -> None:
        self._shown = markdown or self.tr("This protocol has no guideline.")
        self._text.show_markdown(self._shown)

    def open(self) -> None:
        self.show()
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def restyle(self) -> None:
        self._find(from_start=True)

    def _find(self, *, from_start: bool) -> None:
        """Mark every place, go to the next one."""
        sought, document = self.search.text().strip(), self._text.document()
        marks, at = [], QTextCursor(document)
        while sought:
            at = document.find(sought, at)
            if at.isNull():
                break
            mark = QTextEdit.ExtraSelection()
            mark.cursor = at  # type: ignore[attr-defined]
            face = QTextCharFormat()
            face.setBackground(theme.color("mark"))
            mark.format = face  # type: ignore[attr-defined]
            marks.append(mark)
        self._text.setExtraSelections(marks)
        self._at = 0 if from_start else (self._at + 1) % max(1, len(marks))
        if not sought:
            self.found.setText("")
        elif not marks:
            self.found.setText(self.tr("Not found"))
        else:
            self.found.setText(self.tr("{n} of {all}").format(n=self._at + 1, all=len(marks)))
            place = self._text.cursorRect(marks[self._at].cursor)  # type: ignore[attr-defined]
            self._area.ensureVisible(0, self._text.y() + place.center().y(), 0, theme.space("xxl") * 2)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.closed.emit()
                return True
            if event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp) and self.search.hasFocus():
                bar = self._area.verticalScrollBar()
                bar.setValue(bar.value() + (1 if event.key() == Qt.Key.Key_PageDown else -1) * bar.pageStep())
                return True
        return False
