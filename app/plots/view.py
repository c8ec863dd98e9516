"""A plot on a page: drawn off the window's thread, its marks reached by pointer, keys and reader, taken away by menu.

    view = PlotView(context.jobs, context.settings)
    view.marked.connect(self._open_row)              # the index of a row, a cell, a point
    view.show_plot(Forest(self.tr("By slice"), rows, note="α"))
    view.show_plot(None, self.tr("No slice has two judgements yet."))

It asks for the height that its width needs; lay it out in a column that scrolls.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QImage, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from annotation.errors import Refused
from app import theme
from app.i18n import sentence
from app.jobs import Jobs, Work
from app.parts.buttons import CapButton
from app.parts.line import LineInPlace
from app.parts.text import KeyLabel, label
from app.plots import taking
from app.plots.marks import MarkButton, Picture
from app.plots.sheet import Mark, Plot
from app.plots.style import Style, shown
from app.settings import Settings

WAIT_MS = 40      # a window that is pulled larger is not drawn for every pixel


class PlotView(QWidget):
    """Shows one plot. ``marked`` carries the index that was clicked or opened; ``drawn`` comes after each picture."""

    marked = Signal(int)
    drawn = Signal()

    def __init__(self, jobs: Jobs, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._settings = jobs, settings
        self._plot: Plot | None = None
        self._parts: Sequence[Plot] = ()
        self._at, self._asked = 0, 0
        self._work: Work | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(WAIT_MS)
        self._soon.timeout.connect(self._draw)
        self._build()

    def _build(self) -> None:
        self._title, self._note = KeyLabel(), KeyLabel()
        for words, role, ink in ((self._title, "strong", "ink"), (self._note, "caption", "ink2")):
            words.setTextFormat(Qt.TextFormat.PlainText)
            theme.dress(words, role, ink)
            words.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._copy = CapButton(self.tr("Copy"), kind="flat", role="caption")
        self._copy.clicked.connect(self.copy)
        self._save = CapButton(self.tr("Save as"), kind="flat", role="caption")
        self._save.clicked.connect(self._open_menu)
        self._menu = QMenu(self)
        self._menu.addAction(self._action("plot:copy", self.tr("Copy picture"), self.copy))
        for kind, said in (("svg", self.tr("Save picture as SVG")), ("pdf", self.tr("Save picture as PDF")),
                           ("png", self.tr("Save picture as PNG")), ("csv", self.tr("Save numbers as CSV"))):
            self._menu.addAction(self._action(f"plot:{kind}", said, getattr(self, f"save_{kind}")))
        self._picture = Picture()
        self._picture.marked.connect(self.marked)
        self._picture.outgrown.connect(self._later)
        self._none = label("", "body", "ink2", wrap=True)
        self._before = CapButton(self.tr("Before"), kind="flat", role="caption", icon="previous")
        self._next = CapButton(self.tr("Next"), kind="flat", role="caption", icon="next")
        self._where = label("", "caption", "ink2")
        self._before.clicked.connect(self._go_before)
        self._next.clicked.connect(self._go_next)
        self._line = LineInPlace(parent=self)
        head = QHBoxLayout()
        head.setSpacing(theme.space("s"))
        head.addWidget(self._title)
        head.addWidget(self._note)
        head.addStretch(1)
        for button in (self._copy, self._save):
            head.addWidget(button)
        self._turning = QWidget()
        turning = QHBoxLayout(self._turning)
        turning.setContentsMargins(0, 0, 0, 0)
        turning.setSpacing(theme.space("s"))
        for turn in (self._before, self._next, self._where):
            turning.addWidget(turn)
        turning.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("xs"))
        column.addLayout(head)
        for part in (self._none, self._turning, self._picture, self._line):
            column.addWidget(part)
        column.addStretch(1)  # beside something higher the head stays at the top
        self.show_plot(None)

    def _action(self, name: str, words: str, act: Any) -> QAction:
        made = QAction(words, self)
        made.setObjectName(name)
        made.triggered.connect(act)
        return made

    # --- what is shown --------------------------------------------------------------------------------------

    def show_plot(self, plot: Plot | None, instead: str = "") -> None:
        """Draw this plot; with None the sentence ``instead`` stands in its place."""
        if plot is None or plot != self._plot:
            self._at = 0
        self._plot = plot
        self._line.hush()
        self._title.setText(plot.title if plot else "")
        self._note.setText(plot.note if plot else "")
        self._none.setText(instead)
        for part, is_there in ((self._none, plot is None and bool(instead)), (self._picture, plot is not None),
                               (self._copy, plot is not None), (self._save, plot is not None),
                               (self._turning, False)):
            part.setVisible(is_there)
        self._asked += 1  # what is being drawn now is not shown any more
        if plot is None:
            self._picture.show_image(QImage(), ())
            return
        for button, words in ((self._copy, self.tr("Copy: {title}")), (self._save, self.tr("Save as: {title}"))):
            button.setAccessibleName(words.format(title=plot.title))
        self._picture.setAccessibleName(f"{plot.title}, {plot.note}" if plot.note else plot.title)
        self._picture.setAccessibleDescription(self.tr("Arrow keys go from mark to mark, Enter opens what is behind."))
        self._later()

    def plot(self) -> Plot | None:
        return self._plot

    def marks(self) -> list[Mark]:
        """The marks of the part that is shown."""
        return self._picture.marks()

    def mark_buttons(self) -> list[MarkButton]:
        """The same as widgets."""
        return self._picture.buttons()

    def image(self) -> QImage:
        """The picture that is shown, null while there is none yet."""
        return self._picture.image()

    def where(self) -> str:
        """Which part of a long plot is shown, in words; "" where all of it is."""
        return self._where.text() if self._turning.isVisible() else ""

    def said(self) -> str:
        """The sentence under the plot, or ""."""
        return self._line.text()

    # --- drawing --------------------------------------------------------------------------------------------

    @Slot()
    def _later(self) -> None:
        if self._plot is not None:
            self._asked += 1
            self._soon.start()

    def restyle(self) -> None:
        """Theme or text size were changed."""
        self._later()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._later()

    @Slot()
    def _draw(self) -> None:
        width = self._picture.width()
        if self._plot is None or not self.isVisible() or width < 10:
            return  # it is drawn when it is shown
        style, ratio = shown(), self.devicePixelRatioF()
        self._parts = self._plot.parts(style, width)
        self._at = min(self._at, len(self._parts) - 1)
        part = self._parts[self._at]
        self._picture.setFixedHeight(part.height(style, width))
        self._turning.setVisible(len(self._parts) > 1)
        if len(self._parts) > 1:
            self._where.setText(self._plot.where(self._parts, self._at))
            self._before.setEnabled(self._at > 0)
            self._next.setEnabled(self._at < len(self._parts) - 1)
        if self._work is not None:
            self._work.cancel()
        self._asked += 1
        asked = self._asked
        self._work = self._jobs.work(
            self, lambda progress, cancelled: None if cancelled() else _paint(part, style, width, ratio),
            then=lambda made: self._take(asked, made), failed=self._refuse)

    def _take(self, asked: int, made: tuple[QImage, tuple[Mark, ...]] | None) -> None:
        if asked == self._asked and made is not None:
            self._work = None
            self._picture.show_image(*made)
            self.drawn.emit()

    @Slot()
    def _go_before(self) -> None:
        self._turn(-1)

    @Slot()
    def _go_next(self) -> None:
        self._turn(1)

    def _turn(self, step: int) -> None:
        if 0 <= self._at + step < len(self._parts):
            self._at += step
            self._draw()

    # --- keys and menu --------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) and len(self._parts) > 1:
            self._turn(1 if event.key() == Qt.Key.Key_PageDown else -1)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        if self._plot is not None:
            self._menu.popup(event.globalPos())

    @Slot()
    def _open_menu(self) -> None:
        self._menu.popup(self._save.mapToGlobal(QPoint(0, self._save.height())))
        self._menu.setActiveAction(self._menu.actions()[1])

    # --- taking away ----------------------------------------------------------------------------------------

    @Slot()
    def copy(self) -> None:
        """Put the picture on the clipboard, as it is saved: on white, 300 dots an inch."""
        plot = self._plot
        if plot is not None:
            self._jobs.work(self, lambda progress, cancelled: taking.as_image(plot), then=self._copied,
                            failed=self._refuse)

    def _copied(self, image: QImage) -> None:
        QGuiApplication.clipboard().setImage(image)
        self._line.say("good", self.tr("The picture is on the clipboard."))

    @Slot()
    def save_svg(self) -> None:
        self.save("svg")

    @Slot()
    def save_pdf(self) -> None:
        self.save("pdf")

    @Slot()
    def save_png(self) -> None:
        self.save("png")

    @Slot()
    def save_csv(self) -> None:
        self.save("csv")

    def save(self, kind: str) -> None:
        """Ask for a file and write it; an ending of another kind that is typed there is followed."""
        plot = self._plot
        if plot is None:
            return
        offered = Path(self._settings.get("plot_folder")) / taking.file_name(plot, kind)
        words = self.tr("Save numbers") if kind == "csv" else self.tr("Save picture")
        chosen, _ = QFileDialog.getSaveFileName(self, words, str(offered), f"{kind.upper()} (*.{kind})")
        if not chosen:
            return
        file = Path(chosen)
        if file.suffix.lower().removeprefix(".") not in taking.KINDS:
            file = file.with_name(f"{file.name}.{kind}")
        self._settings.set("plot_folder", str(file.parent))
        self._jobs.work(self, lambda progress, cancelled: taking.save(plot, file), then=self._saved,
                        failed=self._refuse)

    def _saved(self, file: Path) -> None:
        self._line.say("good", self.tr("Saved to {file}.").format(file=file))

    def _refuse(self, refused: Refused) -> None:
        self._line.say("bad", sentence(refused))


def _paint(plot: Plot, style: Style, width: int, ratio: float) -> tuple[QImage, tuple[Mark, ...]]:
    """Draw on the pool: an image belongs to no thread."""
    drawing = plot.draw(style, width)
    data, wide, tall = drawing.pixels(ratio)
    image = QImage(data, wide, tall, 4 * wide, QImage.Format.Format_RGBA8888).convertToFormat(
        QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    return image, drawing.marks
