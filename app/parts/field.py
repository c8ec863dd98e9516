"""Fields to type in or to choose from, each with its name for readers and a line for its fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.parts.text import icon_label, label


def set_fault(widget: QWidget, fault: bool) -> None:
    """Show a field with the border of a fault, or without."""
    if bool(widget.property("fault")) != fault:
        widget.setProperty("fault", fault)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class Field(QLineEdit):
    """One line of text. ``name`` is what readers say; ``hint`` stands in it while it is empty."""

    def __init__(self, name: str, *, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.restyle()

    def restyle(self) -> None:
        theme.dress(self, "body")
        self.setFixedHeight(theme.height("field", "body"))


class TextField(QPlainTextEdit):
    """Several lines of text; Tab goes on. ``lines`` is its height."""

    def __init__(self, name: str, *, hint: str = "", lines: int = 2, mono: bool = False,
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines, self._mono = lines, mono
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # its lines wrap
        self.document().setDocumentMargin(theme.space("xxs"))
        self.restyle()

    def restyle(self) -> None:
        role = "code" if self._mono else "body"
        theme.dress(self, role)
        self.setMinimumHeight(theme.metrics(role).height() * self._lines + 2 * theme.space("s") + theme.space("xs"))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(theme.wide(240), self.minimumHeight())


class Choice(QComboBox):
    """One of a few values, with the words for each."""

    def __init__(self, name: str, options: Sequence[tuple[str, str]] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.on_return: Callable[[], None] | None = None  # where Return sends a form; else it opens the list
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.set_options(options)
        self.restyle()

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        self.clear()
        for value, words in options:
            self.addItem(words, value)

    def value(self) -> str:
        return str(self.currentData()) if self.currentIndex() >= 0 else ""

    def set_value(self, value: str) -> None:
        self.setCurrentIndex(max(0, self.findData(value)))

    def restyle(self) -> None:
        theme.dress(self, "body")
        self.setFixedHeight(theme.height("field", "body"))

    def wheelEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        event.ignore()  # a wheel that passes over a choice must not change it

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(min(theme.wide(200), self.sizeHint().width()), super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as the longest words with all that stands around them, of which Qt forgets some."""
        hint = super().sizeHint()
        if self.sizeAdjustPolicy() == QComboBox.SizeAdjustPolicy.AdjustToContents:
            option = QStyleOptionComboBox()
            self.initStyleOption(option)
            option.rect = QRect(QPoint(), hint)
            widest = max((self.fontMetrics().horizontalAdvance(self.itemText(n)) for n in range(self.count())),
                         default=0)
            hint.setWidth(hint.width() + max(0, widest + 1 - self._room(option)))
        return hint

    def _room(self, option: QStyleOptionComboBox) -> int:
        """For the words that are shown."""
        return self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option,
                                           QStyle.SubControl.SC_ComboBoxEditField, self).width() - theme.space("xs")

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Words too long for their room end in three dots; the tooltip has them."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter, room = QStylePainter(self), self._room(option)
        option.currentText = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)
        self.setToolTip(self.currentText() if option.currentText != self.currentText() else "")
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()
        side = theme.scaled("icon_tiny")
        box = self.rect()
        box.setLeft(box.right() - side - theme.space("s"))
        box.setWidth(side)
        theme.paint_icon(QPainter(self), box, "caret-down", "ink2" if self.isEnabled() else "ink3")

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            (self.on_return or self.showPopup)()
            return
        super().keyPressEvent(event)


class Labelled(QWidget):
    """A field under its label, with room for a sentence below it."""

    def __init__(self, text: str, field: QWidget, *, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        above = label(text, "label", "ink2")
        above.setBuddy(field)
        self._below = label(hint, "caption", "ink2", wrap=True)
        self._sign = icon_label("bad", "bad", "icon_tiny")
        self._sign.hide()
        self._hint = hint
        if not field.accessibleName():
            field.setAccessibleName(text)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("xs"))
        self.row = QHBoxLayout()
        self.row.setSpacing(theme.space("s"))
        self.row.addWidget(field, 1)
        column.addWidget(above)
        column.addLayout(self.row)
        sentence = QHBoxLayout()
        sentence.setSpacing(theme.space("xs") + theme.space("xxs"))
        sentence.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        sentence.addWidget(self._below, 1)
        column.addLayout(sentence)
        self._below.setVisible(bool(hint))

    def set_fault(self, sentence: str) -> None:
        """Show a fault below the field, or take it away with an empty sentence."""
        set_fault(self.field, bool(sentence))
        self._sign.setVisible(bool(sentence))
        theme.dress(self._below, ink="bad" if sentence else "ink2")
        self._below.setText(sentence or self._hint)
        self._below.setVisible(bool(sentence or self._hint))


def beside(field: Labelled, button: QWidget) -> Labelled:
    """A labelled field with its button at its height; the sentence runs on below both."""
    field.row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
    return field
