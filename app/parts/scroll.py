"""A reading view that ends at a whole line and says how much is below."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.parts.caps import KeyCaps
from app.parts.paint import focus_ring
from app.parts.reading import ReadingText
from app.parts.surface import Surface
from app.parts.text import icon_label, label


def scroll_area(inner: QWidget, *, fill: str = "page") -> QScrollArea:
    """A scroll area without a frame on one of our surfaces; scrolls up and down only."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    theme.dress(area, fill=fill)  # also below its scroll bar
    theme.dress(area.viewport(), fill=fill)
    theme.dress(inner, fill=fill)
    area.setWidget(inner)
    return area


def into_sight(part: QWidget) -> None:
    """Scroll the page to what has just been said on it, once that has its place."""
    def look() -> None:
        around = part.parentWidget()
        while around is not None and not isinstance(around, QScrollArea):
            if (layout := around.layout()) is not None:
                layout.activate()
            QCoreApplication.sendPostedEvents(around, QEvent.Type.LayoutRequest.value)
            around = around.parentWidget()
        if around is not None and part.isVisible():
            around.ensureWidgetVisible(part, 0, theme.space("l"))
    QTimer.singleShot(0, part, look)


class Curtain(Surface):
    """Covers the line that the lower edge of a scroll area would cut in two."""

    moved = Signal()

    def __init__(self, area: QScrollArea, fill: str = "page") -> None:
        super().__init__(fill, parent=area.viewport())
        self._area = area
        self.hidden_lines = 0
        bar = area.verticalScrollBar()
        bar.valueChanged.connect(self.fit)
        bar.rangeChanged.connect(lambda *_: self.fit())
        area.viewport().installEventFilter(self)

    def fit(self, *_: int) -> None:
        view, inner = self._area.viewport(), self._area.widget()
        texts = [inner] if isinstance(inner, ReadingText) else inner.findChildren(ReadingText)
        end, cut, self.hidden_lines = view.height(), 0, 0
        for text in texts:
            if text is not inner and not (inner and text.isVisibleTo(inner)):
                continue
            offset = text.mapTo(view, text.rect().topLeft()).y()
            for n, (top, bottom) in enumerate(text.lines()):
                self.hidden_lines += offset + bottom > end + 1
                if offset + top < end - 1 and offset + bottom > end + 1 and offset + top > 0:
                    cut = max(cut, round(end - offset - top))
                if n == 0 and text.heading is not None and offset + bottom > end + 1:
                    above = text.heading.mapTo(view, text.heading.rect().topLeft()).y()
                    cut = max(cut, end - above if 0 < above < end else 0)
        for part in inner.findChildren(QLabel) if inner else ():
            above, tall = part.mapTo(view, part.rect().topLeft()).y(), part.height()
            if 0 < above < end - 1 and above + tall > end + 1 and tall < end // 2 and part.isVisibleTo(self._area):
                cut = max(cut, end - above)
        self.setGeometry(0, view.height() - cut, view.width(), cut)
        self.setVisible(cut > 0)
        self.raise_()
        self.moved.emit()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self.fit()
        return False


class _Ring(QWidget):
    """The focus ring over a scroll area, transparent to the pointer."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        focus_ring(QPainter(self), self.rect())


class ReadingScroll(QWidget):
    """One text in its own scroll view; below it "10 more lines PgDn" or "whole answer shown"."""

    scrolled = Signal(int)

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = ReadingText()
        self._area = scroll_area(self.text)
        self._area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._area.setAccessibleName(name)
        self.setFocusProxy(self._area)
        self._curtain = Curtain(self._area)
        self._curtain.moved.connect(self._look)
        self._caret = icon_label("caret-down", size="icon_tiny")
        self._more = label("", "caption", "ink2")
        self._caps = KeyCaps("PgDown")
        foot = QHBoxLayout()
        foot.setContentsMargins(0, theme.space("xs"), 0, 0)
        foot.setSpacing(theme.space("s"))
        foot.addWidget(self._caret)
        foot.addWidget(self._more)
        foot.addWidget(self._caps)
        foot.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._area, 1)
        column.addLayout(foot)
        self._area.verticalScrollBar().valueChanged.connect(self.scrolled)
        self._area.installEventFilter(self)
        self._ring = _Ring(self._area)
        self._ring.hide()

    def set_name(self, name: str) -> None:
        self._area.setAccessibleName(name)
        self.text.setAccessibleName(name)

    def show_markdown(self, text: str) -> None:
        self.text.show_markdown(text)
        self._area.verticalScrollBar().setValue(0)
        self._curtain.fit()

    def position(self) -> int:
        return self._area.verticalScrollBar().value()

    def scroll_to(self, value: int) -> None:
        self._area.verticalScrollBar().setValue(value)

    def scroll_page(self, pages: int) -> None:
        """Forwards so that the line cut off becomes the first one."""
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.value() + pages * max(1, self._area.viewport().height() - self._curtain.height()))

    def _look(self) -> None:
        bar, more = self._area.verticalScrollBar(), self._curtain.hidden_lines
        self._caret.setVisible(bool(more))
        self._caps.setVisible(bool(more))
        if more:
            self._more.setText(self.tr("1 more line") if more == 1 else self.tr("{n} more lines").format(n=more))
        else:
            self._more.setText(self.tr("whole answer shown") if bar.maximum() == 0 else self.tr("end of the answer"))

    def restyle(self) -> None:
        self._curtain.fit()

    def eventFilter(self, watched: QWidget, event: QKeyEvent) -> bool:  # noqa: N802
        kind = event.type()
        if kind in (event.Type.FocusIn, event.Type.FocusOut, event.Type.Resize):
            self._ring.setGeometry(self._area.rect())
            self._ring.setVisible(kind == event.Type.FocusIn or (kind == event.Type.Resize and self._area.hasFocus()))
        elif kind == event.Type.KeyPress and event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self.scroll_page(1 if event.key() == Qt.Key.Key_PageDown else -1)
            return True
        return False
