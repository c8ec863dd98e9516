"""Where things stand on Work: the item, the guideline, and the answers beside it, below it or in a bar."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QScrollArea, QSplitter, QVBoxLayout, QWidget

from app import theme
from app.form import Form
from app.item.guideline import GuidelineDrawer
from app.item.head import ItemHead
from app.item.view import ItemView
from app.pages.work.ask import Ask
from app.pages.work.foot import Foot
from app.pages.work.signing import SignPanel
from app.parts.cover import Cover
from app.parts.focus import move_last
from app.parts.scroll import scroll_area
from app.parts.surface import Surface


class AnswerPanel(Surface):
    """The questions or the values to sign, then what the page asks itself, then the foot."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("panel", sides="left", parent=parent)
        self.form = Form()
        self.sign = SignPanel()
        self.foot = Foot()
        self.ask = Ask()
        inner = QWidget()
        self._inner = QVBoxLayout(inner)
        self._inner.addWidget(self.form)
        self._inner.addWidget(self.sign)
        inner.installEventFilter(self)
        self.area: QScrollArea = scroll_area(inner, fill="panel")
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self._beside = QHBoxLayout()
        self._beside.setSpacing(0)
        self._beside.addWidget(self.area, 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(self._beside, 1)
        self._column.addWidget(self.ask)
        self._column.addWidget(self.foot)
        self.set_mode("side")

    def set_mode(self, mode: str) -> None:
        """``side``, ``below`` or ``bar``."""
        self.set_sides("")  # the handle of the splitter is the hairline
        left = theme.space("xl") if mode == "side" else theme.space("page_left")
        top = theme.space("page_top") if mode == "side" else theme.space("s") + 2
        below = {"side": theme.space("l"), "bar": theme.space("m")}.get(mode, 0)
        # The open question of a folded form stands in by 8, so that its options line up with the folded rows.
        self._inner.setContentsMargins(left, top, theme.space("page_top"), below)
        self._column.removeWidget(self.foot)
        self._beside.removeWidget(self.foot)
        if mode == "bar":
            self._beside.addWidget(self.foot, 0, Qt.AlignmentFlag.AlignTop)
        else:
            self._column.addWidget(self.foot)
        self.foot.set_mode({"side": "two", "below": "one", "bar": "bar"}[mode])

    def show_current(self) -> None:
        """Bring the question that has the focus into sight, or where one signs."""
        question = self.form.shown_question if self.sign.isHidden() else self.sign.stop()
        for part in (None if self.sign.isHidden() else self.sign.button, question):
            if part is not None:
                self.area.ensureWidgetVisible(part, 0, theme.space("m"))

    def eventFilter(self, _inner: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        focus = QApplication.focusWidget()
        if event.type() == QEvent.Type.Resize and focus is not None and (
                self.form.isAncestorOf(focus) or self.sign.isAncestorOf(focus)):
            self.show_current()  # what has just been opened has its place only now
        return False

    def content_height(self, width: int) -> int:
        """The height at which nothing has to scroll."""
        inner = self.area.widget()
        wanted = inner.heightForWidth(width) if inner.hasHeightForWidth() else inner.sizeHint().height()
        foot = 0 if self._column.indexOf(self.foot) < 0 else self.foot.sizeHint().height()
        ask = 0 if self.ask.isHidden() else self.ask.sizeHint().height()
        return max(wanted, inner.sizeHint().height() if wanted < 0 else wanted) + foot + ask + 2


class WorkBody(QWidget):
    """Beside the item from 960 pixels on, below it in narrow windows and with large text (one question at a time),
    in a bar under a pair."""

    panel_dragged = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.head = ItemHead()
        self.item = ItemView()
        self.drawer = GuidelineDrawer()
        self.drawer.hide()
        self.panel = AnswerPanel()
        self.cover = Cover(self)
        self._panel_width = 0
        self._stage = "annotate"
        left = QWidget()
        row = QHBoxLayout(left)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.item, 1)
        row.addWidget(self.drawer)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setHandleWidth(1)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(left)
        self._split.addWidget(self.panel)
        self._split.setStretchFactor(0, 1)
        self._split.setStretchFactor(1, 0)
        self._split.splitterMoved.connect(self._dragged)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._split, 1)
        self.cover.raise_()
        self.form.rearranged.connect(self._question_changed)

    @property
    def form(self) -> Form:
        return self.panel.form

    def set_stage(self, stage: str) -> None:
        self._stage = stage
        self.panel.sign.setVisible(stage == "sign")
        self.form.setVisible(stage != "sign")
        self.panel.foot.set_stage(stage)

    def order_tab(self) -> None:
        """Tab goes from the item to the questions, to what else the answers have, to Submit, and then out."""
        foot = self.panel.foot
        move_last(self.panel, [*self.form.in_order, self.panel.sign, self.panel.ask, foot.skip, foot.flag, foot.query,
                               foot.submit])

    def set_panel_width(self, width: int) -> None:
        """As it was dragged; 0 as designed."""
        self._panel_width = width
        self.arrange()

    # --- arranging ------------------------------------------------------------------------------------------

    @property
    def mode(self) -> str:
        window = self.window().width()
        if window < theme.breakpoint("answers_below_item_below") or theme.is_large():
            return "below"
        return "bar" if self.form.wants_bar and self._stage != "sign" else "side"

    def arrange(self) -> None:
        """Put everything where it belongs at this size; called when the item, its questions or the room change."""
        mode = self.mode
        self.panel.set_mode(mode)
        self.form.set_layout({"side": "list", "bar": "bar"}.get(mode, "single" if theme.is_large() else "list"))
        narrow = mode == "below"
        drawer = theme.wide(theme.size("side_column")) + theme.space("xxl")
        self.drawer.setFixedWidth(self.width() if narrow else drawer)
        self.item.setVisible(not (narrow and not self.drawer.isHidden()))
        if mode == "side":
            self._split.setOrientation(Qt.Orientation.Horizontal)
            width = self._panel_width or theme.wide(theme.size(
                "answer_panel_long" if self.item.fills or self.form.folds else "answer_panel"))
            width = max(theme.size("answer_panel_min"), min(width, self.width() // 2))
            self.panel.setMinimumWidth(theme.size("answer_panel_min"))
            self.panel.setMaximumWidth(self.width() // 2)
            self.panel.setMinimumHeight(0)
            self.panel.setMaximumHeight(16777215)
            self._split.setSizes([self.width() - width - 1, width])
        else:
            self._split.setOrientation(Qt.Orientation.Vertical)
            self.panel.setMinimumWidth(0)
            self.panel.setMaximumWidth(16777215)
            room = self.height() - self.head.height()
            inner = self.width() - (self.panel.foot.sizeHint().width() if mode == "bar" else 0)
            wanted = min(self.panel.content_height(inner), room // 2)
            self.panel.setFixedHeight(max(wanted, theme.height("button") * 3))
            self._split.setSizes([room - wanted, wanted])

    def _question_changed(self) -> None:
        if self.mode == "below":
            self.arrange()
        else:
            self.panel.show_current()

    def _dragged(self, _at: int, _index: int) -> None:
        if self._split.orientation() == Qt.Orientation.Horizontal:
            self._panel_width = self.panel.width()
            self.panel_dragged.emit(self._panel_width)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.cover.setGeometry(self.rect())
        self.arrange()

    def restyle(self) -> None:
        self.arrange()
        QTimer.singleShot(0, self, self.arrange)  # once what is in it has its new size too
