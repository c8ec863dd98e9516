"""One picture: the canvas and its tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app import theme
from app.parts.buttons import CapButton
from app.parts.surface import Surface
from app.viewers.base import PictureSource, Viewer, label_of, viewers
from app.viewers.canvas import STEP, Canvas


def _tr(text: str) -> str:
    return QCoreApplication.translate("viewers", text)


class ImageTools(QWidget):
    """The row under a canvas: zoom, fit, turn, and the size of the picture."""

    def __init__(self, canvas: Canvas, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._canvas = canvas
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.space("xl"), theme.space("xs"), theme.space("xl"), theme.space("xs"))
        row.setSpacing(theme.space("xs"))
        self.percent = theme.dress(QLabel(), "body", "ink2")
        self.percent.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pixels = theme.dress(QLabel(), "caption", "ink2")
        out = self._tool("zoom_out", _tr("Zoom out"), lambda: canvas.zoom_by(1 / STEP))
        closer = self._tool("zoom_in", _tr("Zoom in"), lambda: canvas.zoom_by(STEP))
        turn = self._tool("rotate", _tr("Turn clockwise"), canvas.turn)
        fit = CapButton(_tr("Fit"), kind="flat", keys="0")
        fit.setToolTip(_tr("Show the whole picture"))
        fit.clicked.connect(canvas.fit)
        self._row, self._least = row, (out, closer, turn)
        self._fit = fit
        for widget in (out, self.percent, closer, fit, turn):
            row.addWidget(widget)
        row.addStretch()
        row.addWidget(self.pixels)
        canvas.view_changed.connect(self._say)
        self.restyle()

    def _tool(self, icon: str, name: str, then: Any) -> CapButton:
        button = CapButton(kind="flat", icon=icon, tip=name)
        button.clicked.connect(then)
        return button

    def restyle(self) -> None:
        self.percent.setFixedWidth(theme.metrics("body").horizontalAdvance("1600 %") + theme.space("s"))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """In a narrow half the words leave first: the pixels, the per cent, then "Fit" (0 stays its key)."""
        super().resizeEvent(event)
        gap = theme.space("xs")
        margin = theme.space("xl") if self.width() > theme.wide(theme.size("answer_panel_min")) else gap
        self._row.setContentsMargins(margin, gap, margin, gap)
        room = self.width() - 2 * margin - sum(one.sizeHint().width() + gap for one in self._least)
        for widget, wide in ((self._fit, self._fit.sizeHint().width()), (self.percent, self.percent.minimumWidth()),
                             (self.pixels, self.pixels.fontMetrics().horizontalAdvance("99999 × 99999 px"))):
            room -= wide + gap
            widget.setVisible(room >= 0)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(1, super().minimumSizeHint().height())

    def _say(self) -> None:
        size = self._canvas.pixel_size
        shown = not size.isEmpty()
        self.percent.setText(f"{round(self._canvas.zoom * 100)} %" if shown else "")
        self.pixels.setText(f"{size.width()} × {size.height()} px" if shown else "")


class PictureView(QWidget):
    """A canvas with its tools below, told what to show by a media reference."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = Canvas(self)
        self.setFocusProxy(self.canvas)
        self._wanted: str | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.canvas, 1)
        bar = Surface("page", sides="top")
        inner = QVBoxLayout(bar)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(ImageTools(self.canvas, bar))
        column.addWidget(bar)

    def show_reference(self, reference: Any, media: PictureSource | None, name: str) -> None:
        """``reference`` is {"sha256", "path"} or None; a missing picture is named by its path."""
        self.canvas.setAccessibleName(name)
        path = str(reference.get("path") or "") if isinstance(reference, Mapping) else ""
        self._wanted = reference.get("sha256") if isinstance(reference, Mapping) else None
        if not self._wanted or media is None:
            missing = _tr("The picture {path} is missing").format(path=path) if path else _tr("There is no picture")
            self.canvas.show_sentence(missing)
            self.canvas.setAccessibleName(f"{name}: {missing}")
            return
        self.canvas.show_sentence("")
        wanted = self._wanted

        def arrived(image: QImage | str) -> None:
            if wanted != self._wanted:
                return  # a later item is shown by now
            if isinstance(image, str):
                self.canvas.show_sentence(f"{path}: {image}" if path else image)
            else:
                self.canvas.show_image(image)

        media.ask(self, wanted, arrived)


@viewers.register("image")
class ImageViewer(Viewer):
    place: ClassVar[str] = "fill"
    takes_keys: ClassVar[bool] = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = PictureView(self)
        self.setFocusProxy(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)

    def show_field(self, field: Any, value: Any, media: PictureSource | None) -> None:
        self.view.show_reference(value, media, label_of(field))
