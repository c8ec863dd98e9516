"""The fields of an item: tags to the head, texts in the reading column, pictures and pairs over all the room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.parts.scroll import Curtain, scroll_area
from app.parts.surface import Hairline, Surface
from app.viewers import PictureSource, Viewer, viewers

SHORT = 60  # letters of an option
PINNED_LINES = 4


class _Column(QWidget):
    """Viewers one below the other, at most as wide as the reading column; says when they may want another height."""

    laid_out = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = QVBoxLayout(self)
        self._row.setSpacing(theme.space("xl"))
        self._row.addStretch(1)
        self.set_margins(theme.space("page_top"))

    def set_margins(self, top: int, bottom: int | None = None) -> None:
        self._top = top
        self._bottom = theme.space("l") if bottom is None else bottom
        self._fit()

    def put(self, shown: list[Viewer]) -> None:
        while self._row.count() > 1:
            taken = self._row.takeAt(0)
            if taken is not None and (widget := taken.widget()) is not None and widget not in shown:
                widget.hide()
        for n, viewer in enumerate(shown):
            moves = viewer.parentWidget() is not self
            self._row.insertWidget(n, viewer)
            if moves:
                theme.dress_again(viewer)
            viewer.show()  # it may come from the other column, which has let go of it

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def restyle(self) -> None:
        self._fit()

    def event(self, event: QEvent) -> bool:
        taken = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.laid_out.emit()
        return taken

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        """With the margins of that width: the layout has those of the width that it stands in now."""
        return self._row.heightForWidth(width - self._right_at(width) + self._row.contentsMargins().right())

    def _right_at(self, width: int) -> int:
        spare = width - theme.space("page_left") - theme.wide(theme.size("reading_column"))
        return max(theme.space("page_right"), spare)

    def _fit(self) -> None:
        self._row.setContentsMargins(theme.space("page_left"), self._top, self._right_at(self.width()), self._bottom)


class ItemView(Surface):
    """``show_item`` fills it; viewers are made once per protocol and filled again for every item."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("page", parent=parent)
        self._protocol: Any = None
        self._viewers: dict[str, Viewer] = {}
        self._pinned, self._scrolled = _Column(), _Column()
        for each in (self._pinned, self._scrolled):
            each.laid_out.connect(self._fit_pinned)  # also where a text is set in another font after all else
        self._pinned_area = scroll_area(self._pinned)
        self._pinned_area.setAccessibleName(self.tr("Pinned part of the item"))
        self._scrolled_area = scroll_area(self._scrolled)
        self._scrolled_area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._scrolled_area.setAccessibleName(self.tr("Item"))
        self._curtains = [Curtain(self._scrolled_area), Curtain(self._pinned_area)]
        self._line = Hairline()
        self._whole = QWidget()
        self._whole_row = QHBoxLayout(self._whole)
        self._whole_row.setContentsMargins(0, 0, 0, 0)
        self._whole_row.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pinned_area)
        column.addWidget(self._line)
        column.addWidget(self._scrolled_area, 1)
        column.addWidget(self._whole, 1)
        self._shown: list[Viewer] = []

    # --- what is shown --------------------------------------------------------------------------------------

    def show_item(self, protocol: Any, fields: Mapping[str, Any], order: Mapping[str, Any] | None = None,
                  media: PictureSource | None = None) -> list[Viewer]:
        """Show an item's public fields; returns the chips for the head."""
        self._set_protocol(protocol)
        orders = (order or {}).get("candidates") or {}
        self._shown = []
        for field in protocol.fields:
            if field.private:
                continue
            viewer = self._viewers[field.name]
            if fields.get(field.name) is None or _stands_in_question(protocol, field.name, fields[field.name]):
                viewer.hide()
                continue
            viewer.set_order(tuple(orders.get(field.name, ())))
            viewer.show_field(field, fields[field.name], media)
            viewer.show()
            self._shown.append(viewer)
        self._arrange()
        self._scrolled_area.verticalScrollBar().setValue(0)
        self._pinned_area.verticalScrollBar().setValue(0)
        return [viewer for viewer in self._shown if viewer.place == "head"]

    def _set_protocol(self, protocol: Any) -> None:
        if protocol is self._protocol:
            return
        for viewer in self._viewers.values():
            viewer.hide()
            viewer.deleteLater()
        while self._whole_row.count():
            self._whole_row.takeAt(0)
        self._protocol = protocol
        self._viewers = {field.name: viewers[field.kind](self) for field in protocol.fields if not field.private}

    def show_chosen(self, field: str, element: str | None) -> None:
        """Say at the element itself which one is chosen."""
        if field in self._viewers:
            self._viewers[field].show_chosen(element)

    @property
    def viewers(self) -> Mapping[str, Viewer]:
        return self._viewers

    @property
    def fills(self) -> bool:
        """Whether a picture or a pair takes all the room."""
        return any(viewer.place == "fill" for viewer in self._shown)

    def height_wanted(self, width: int) -> int:
        """The height at which nothing has to scroll; only for texts."""
        return sum(max(0, column.heightForWidth(width)) for column, area in
                   ((self._pinned, self._pinned_area), (self._scrolled, self._scrolled_area)) if not area.isHidden())

    @property
    def cut(self) -> int:
        """How much room at the foot is empty because the line that begins there would be cut."""
        return sum(curtain.height() for curtain in self._curtains if curtain.isVisible())

    # --- where it stands ------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        column = [viewer for viewer in self._shown if viewer.place == "column"]
        fill = [viewer for viewer in self._shown if viewer.place == "fill"]
        pins = [field.name for field in self._protocol.fields if field.pin] if self._protocol else []
        if fill:
            pinned, rest = column, []
        elif theme.is_large() or self.height() < theme.wide(theme.size("side_column")):
            pinned, rest = [], column
        else:
            pinned = [self._viewers[name] for name in pins if self._viewers[name] in column]
            rest = [viewer for viewer in column if viewer not in pinned]
            if not rest:
                pinned, rest = [], pinned
        self._pinned.put(pinned)
        self._scrolled.put(rest)
        while self._whole_row.count():
            self._whole_row.takeAt(0)
        for viewer in fill:
            moves = viewer.parentWidget() is not self._whole
            self._whole_row.addWidget(viewer, max(1, viewer.abreast))
            if moves:
                theme.dress_again(viewer)
        self._pinned_area.setVisible(bool(pinned))
        self._line.setVisible(bool(pinned) and bool(fill))
        self._scrolled_area.setVisible(not fill)
        self._whole.setVisible(bool(fill))
        self._pinned.set_margins(theme.space("m") if fill else theme.space("page_top"),
                                 theme.space("m") if fill else theme.space("s"))
        self._scrolled.set_margins(theme.space("l") if pinned else theme.space("page_top"))
        self._fit_pinned()

    def _fit_pinned(self) -> None:
        """As high as its texts, at most four lines of each and two fifths of the room, unless the rest leaves it more;
        then it scrolls. Above a picture or a pair neither may be more."""
        if self._pinned_area.isHidden():
            return
        wanted = self._pinned.heightForWidth(self.width())
        if wanted < 0:
            wanted = self._pinned.sizeHint().height()
        line = theme.metrics("reading").height() * theme.line_percent("reading") // 100
        most = PINNED_LINES * line + theme.metrics("label").height() + 2 * theme.space("m") + theme.space("s")
        share = self.height() * 2 // 5
        if self.fills:  # with large text a picture needs its room
            most = min(most, share)
        else:
            most = max(most, share, self.height() - max(0, self._scrolled.heightForWidth(self.width())))
        self._pinned_area.setFixedHeight(min(wanted, most))
        self._pinned_area.setFocusPolicy(Qt.FocusPolicy.StrongFocus if wanted > most else Qt.FocusPolicy.NoFocus)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        if self._protocol is not None:
            self._arrange()

    def restyle(self) -> None:
        if self._protocol is not None:
            self._arrange()

    # --- keys -----------------------------------------------------------------------------------------------

    def main_area(self) -> QWidget:
        """What takes the focus when somebody comes to the item."""
        if self.fills:
            viewer = next(viewer for viewer in self._shown if viewer.place == "fill")
            first = viewer.focusProxy() or next(
                (child for child in viewer.findChildren(QWidget) if child.focusPolicy() & Qt.FocusPolicy.TabFocus
                 and child.isVisibleTo(viewer)), viewer)
            return first
        return self._scrolled_area

    def scroll_page(self, pages: int) -> None:
        """Go through the item by pages while the focus is at the answers."""
        if self.fills:
            for viewer in self._shown:
                scroll = getattr(viewer, "scroll_page", None)
                if callable(scroll):
                    scroll(pages)
        else:
            _scroll(self._scrolled_area, pages)


def _stands_in_question(protocol: Any, name: str, elements: Any) -> bool:
    """Whether these are a question's options and so short that its buttons say all of them."""
    return any(getattr(question, "options_from", None) == name for question in protocol.asked) and all(
        set(element) == {"id", "text"} and len(element["text"]) <= SHORT for element in elements)


def _scroll(area: QScrollArea, pages: int) -> None:
    bar = area.verticalScrollBar()
    bar.setValue(bar.value() + pages * max(1, bar.pageStep() - theme.space("xxl")))
