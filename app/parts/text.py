"""Text in the roles of the type table: labels, numbers, icons beside a text, and the head of a page."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app import theme


def label(text: str = "", role: str = "body", ink: str = "ink", *, wrap: bool = False,
          parent: QWidget | None = None) -> QLabel:
    """A plain-text label in a type role and a colour."""
    made = WrapLabel(text, parent) if wrap else QLabel(text, parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    theme.dress(made, role, ink)
    return made


def number(text: str = "", role: str = "body", ink: str = "ink") -> QLabel:
    """A label for a number: right-aligned, on the right edge of its column."""
    made = label(text, role, ink)
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return made


def icon_label(name: str, tone: str = "ink2", size: str = "icon_small") -> QLabel:
    """An icon that stands beside a text; a decoration to readers, the text says it."""
    made = QLabel()
    made.setProperty("icon_name", name)
    made.setProperty("icon_size", size)
    made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return theme.dress(made, ink=tone)


class WrapLabel(QLabel):
    """A label over several lines, set in the line height of its role, that asks for the height its width needs."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._heights: dict[int, int] = {}  # by width: layouts ask for the same ones again and again
        self._heights_of: tuple[object, ...] = ()
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _set_lines(self, width: int) -> tuple[QTextLayout, int]:
        """The text set in so many pixels, and its height: one line stands as close as in any other label."""
        option = QTextOption(self.alignment() & Qt.AlignmentFlag.AlignHorizontal_Mask)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        lines = QTextLayout(self.text().replace("\n", "\u2028"), self.font())
        lines.setTextOption(option)
        tall, step = self.fontMetrics().height(), theme.line_percent(self.property("text_role") or "body")
        lines.beginLayout()
        n = 0
        while (line := lines.createLine()).isValid():
            line.setLineWidth(max(1, width))
            line.setPosition(QPointF(0, round(n * tall * step / 100)))
            n += 1
        lines.endLayout()
        return lines, round(max(0, n - 1) * tall * step / 100) + tall

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        edge = self.contentsMargins()
        text = self.text()
        if not text:
            return super().heightForWidth(width)
        inside = width - edge.left() - edge.right()
        asked = (text, self.font(), theme.line_percent(self.property("text_role") or "body"))
        if asked != self._heights_of:
            self._heights_of = asked
            self._heights.clear()
        if inside not in self._heights:
            self._heights[inside] = self._set_lines(inside)[1]
        return self._heights[inside] + edge.top() + edge.bottom()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        room = self.contentsRect()
        lines, tall = self._set_lines(room.width())
        spare = 0 if self.alignment() & Qt.AlignmentFlag.AlignTop else max(0, (room.height() - tall) // 2)
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        lines.draw(painter, QPointF(room.left(), room.top() + spare))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        # Layouts beside a stretch give a wrapping label half its height; its own least height settles that.
        needed = self.heightForWidth(self.width())
        if needed > 0 and self.minimumHeight() != needed:
            self.setMinimumHeight(needed)

    def restyle(self) -> None:
        self.setMinimumHeight(0)
        self.updateGeometry()
        needed = self.heightForWidth(self.width())
        if needed > 0:
            self.setMinimumHeight(needed)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(0, self.fontMetrics().height())

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        super().setText(text)
        self.restyle()


class KeyLabel(QLabel):
    """One line that may be longer than its room, as keys of items are: its middle is left out, the tooltip has it."""

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(min(theme.wide(120), self.sizeHint().width()), super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        metrics, room = self.fontMetrics(), self.contentsRect()
        shown = metrics.elidedText(self.text(), Qt.TextElideMode.ElideMiddle, room.width() + 1)
        self.setToolTip(self.text() if shown != self.text() else "")
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)


class PageHead(QWidget):
    """Title and subtitle on one base line; buttons at the right (``add``)."""

    def __init__(self, title: str, subtitle: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._subtitle = title, subtitle
        self._label = QLabel()
        self._label.setTextFormat(Qt.TextFormat.RichText)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(theme.space("s"))
        self._row.addWidget(self._label, 1)
        self.restyle()

    def add(self, widget: QWidget, stretch: int = 0) -> None:
        """``stretch``: how much of the room it shares with the title, which has 1."""
        self._row.addWidget(widget, stretch)

    def set_title(self, title: str, subtitle: str = "") -> None:
        self._title, self._subtitle = title, subtitle
        self.restyle()

    def set_subtitle(self, subtitle: str) -> None:
        self.set_title(self._title, subtitle)

    def restyle(self) -> None:
        theme.dress(self._label, "title", "ink")
        self._label.setAccessibleName(f"{self._title} {self._subtitle}".strip())
        self.setMinimumHeight(theme.height("button", "title"))
        self._label.setMinimumWidth(min(theme.wide(160), theme.metrics("title").horizontalAdvance(self._title) + 1))
        self._fill()

    def _fill(self) -> None:
        """Title and subtitle in one label, so that their base lines agree; the subtitle elides and goes, then the title
        elides."""
        small, ink = theme.text_px("body"), theme.color("ink2").name()
        room = self._label.width()
        title = theme.metrics("title").elidedText(self._title, Qt.TextElideMode.ElideRight, room)
        left = room - theme.metrics("title").horizontalAdvance(title) - theme.metrics("body").horizontalAdvance("   ")
        under = theme.metrics("body").elidedText(self._subtitle, Qt.TextElideMode.ElideRight, max(0, left))
        if 2 * left < theme.metrics("body").horizontalAdvance(self._subtitle):
            under = ""  # less than half of it says nothing
        gap = "&nbsp;&nbsp;" if under else ""
        self._label.setText(f'{escape(title)}<span style="font-size:{small}px; font-weight:400; color:{ink}">{gap}'
                            f"{escape(under)}</span>")
        self._label.setToolTip(self._subtitle if under != self._subtitle else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.layout().activate()
        self._fill()
