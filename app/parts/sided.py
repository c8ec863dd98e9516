"""Content with a side column; under it where the window is narrow or the text large."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.parts.surface import Surface


def scroll_column(inside: QWidget, fill: str = "page") -> QScrollArea:
    """A column that scrolls up and down only, as wide as it is given."""
    made = QScrollArea()
    made.setWidgetResizable(True)
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    theme.dress(made, fill=fill)  # also below its scroll bar
    theme.dress(made.viewport(), fill=fill)
    theme.dress(inside, fill=fill)
    inside.setAutoFillBackground(True)
    made.setWidget(inside)
    return made


class Sided(QWidget):
    """``content`` takes the room; ``side`` is a column of the token ``width``. ``content_scrolls`` is off where
    the content is a table that scrolls by itself."""

    def __init__(self, content: QWidget, side: QWidget, *, width: str = "side_column", fill: str = "panel",
                 content_scrolls: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content, self._side, self._width, self._under = content, side, width, False
        self._scrolls, self._left = content_scrolls, 0
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._inside = QWidget()
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(content)
        self._main: QWidget = scroll_column(self._inside) if content_scrolls else self._inside
        self._frame = Surface(fill, sides="left")
        self._around = QVBoxLayout(self._frame)
        self._side_scroll = scroll_column(side, fill)
        self._around.addWidget(self._side_scroll)
        self._box.addWidget(self._main, 1)
        self._box.addWidget(self._frame)
        self.restyle()

    def restyle(self) -> None:
        narrow = theme.breakpoint("answers_below_item_below") - theme.size("rail_slim")
        under = theme.is_large() or self.width() < narrow
        self._box.setDirection(QBoxLayout.Direction.TopToBottom if under else QBoxLayout.Direction.LeftToRight)
        self._frame.set_sides("top" if under else "left")
        thin = theme.border("hairline")  # below the content it begins at the left edge of the page
        self._around.setContentsMargins(theme.space("page_left") - theme.space("xl") if under else thin, thin, 0, 0)
        far = 16777215  # QWIDGETSIZE_MAX
        wide = far if under else theme.scaled(self._width)
        self._frame.setMinimumWidth(0 if under else wide)
        self._frame.setMaximumWidth(wide)
        focused = self._side.focusWidget()  # a widget that moves loses the focus
        had_focus = focused is not None and focused.hasFocus()
        if under and self._scrolls and not self._under:
            self._column.addWidget(self._side_scroll.takeWidget())
            self._left = self._begin_side(theme.space("page_left"))
            theme.dress_again(self._side)
        elif not under and self._under and self._scrolls:
            self._side_scroll.setWidget(self._side)
            self._side.show()
            self._begin_side(self._left)
            theme.dress_again(self._side)
        if had_focus and focused is not None and not focused.hasFocus():
            focused.setFocus()
        self._frame.setVisible(not (under and self._scrolls) and not self._side.isHidden())
        self._frame.setMaximumHeight(max(1, round(self.height() * 0.45)) if under and not self._scrolls else far)
        self._under = under

    def _begin_side(self, left: int) -> int:
        """Under the content the side begins at the left edge of the page. Returns where it began before."""
        layout = self._side.layout()
        if layout is None:
            return left
        margins = layout.contentsMargins()
        layout.setContentsMargins(left, margins.top(), margins.right(), margins.bottom())
        return margins.left()

    def show_side(self, shown: bool) -> None:
        self._side.setVisible(shown)
        self.restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.restyle()
