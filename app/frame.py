"""The frame of the window: menu bar, rail, the stack of pages, status line, and how they fit its width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QSize, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QMenu, QStackedWidget, QVBoxLayout, QWidget

from app import theme
from app.commands import MENUS
from app.going import GROUPS, ICONS, PLACES
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.page import Page
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.menubar import MenuBar
from app.parts.rail import RailRow
from app.parts.status import StatusLine
from app.parts.surface import Surface
from app.settings import Settings

if TYPE_CHECKING:
    from app.project import Opened

_T = QT_TRANSLATE_NOOP
_MENU_TITLES = {
    "File": _T("commands", "&File"), "Edit": _T("commands", "&Edit"), "Item": _T("commands", "&Item"),
    "View": _T("commands", "&View"), "Go": _T("commands", "&Go"), "Help": _T("commands", "&Help"),
}


class Frame(QMainWindow):
    """What stands around the pages. ``painted`` is emitted once, after the first paint."""

    painted = Signal()

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._opened: Opened | None = None
        self._was_painted = False
        self.setWindowTitle("Goldsmith")
        self.setAcceptDrops(True)
        self._build()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._focus_moved)

    def _rail_pressed(self) -> None:
        raise AssertionError("the window knows where a row leads")

    def page(self) -> Page | None:
        """The page that is shown."""
        shown = self._stack.currentWidget()
        return shown if isinstance(shown, Page) else None

    def _build(self) -> None:
        self._rail = Surface("window", sides="top right")
        self._rail_column = QVBoxLayout(self._rail)
        self._rows: dict[str, RailRow] = {}
        self._rail_column.setSpacing(0)
        self._rail_column.setContentsMargins(0, theme.space("s") + theme.border("hairline"), 0, theme.space("s"))
        for group in GROUPS:
            if group == "foot":
                self._rail_column.addStretch(1)
            for place in PLACES:
                if place.group == group:
                    row = RailRow(translate(place.title), ICONS.get(place.name, place.name))
                    row.setObjectName(f"rail:{place.name}")
                    row.clicked.connect(self._rail_pressed)
                    row.hide()
                    self._rows[place.name] = row
                    self._rail_column.addWidget(row)
            if group in ("do", "look"):
                self._rail_column.addSpacing(theme.space("l"))
        self._stack = QStackedWidget()
        self._status = StatusLine()
        self._nothing = Empty("folder-open", self.tr("Opening"), "")
        self._stack.addWidget(self._nothing)
        stage = Surface("page", sides="top")
        inner = QVBoxLayout(stage)
        inner.setContentsMargins(0, theme.border("hairline"), 0, 0)
        inner.addWidget(self._stack)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self._rail)
        middle.addWidget(stage, 1)
        center = QWidget()
        column = QVBoxLayout(center)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(middle, 1)
        column.addWidget(self._status)
        self.setCentralWidget(center)
        self._find = CapButton("", kind="flat", role="caption")
        self._find.setFocusPolicy(self._find.focusPolicy().NoFocus)  # Ctrl+Shift+P is its key
        self._bar = MenuBar()  # kept: with the wrapper of the bar go those of its menus
        self.setMenuBar(self._bar)
        self._bar.setCornerWidget(self._find)
        self._menus: dict[str, QMenu] = {name: self._bar.addMenu(translate(_MENU_TITLES[name])) for name in MENUS}

    def _restore(self) -> None:
        least = theme.breakpoint("min_window")
        self.setMinimumSize(*least)
        self.resize(QSize(1280, 800).boundedTo(self.screen().availableSize()))
        kept = self._settings.get("geometry")
        if isinstance(kept, QByteArray) and not kept.isEmpty():
            self.restoreGeometry(kept)

    @Slot()
    def _restyled(self) -> None:
        slim = (self._settings.get("slim_rail") or theme.is_large()
                or self.width() < theme.breakpoint("slim_rail_below"))
        wide = theme.size("rail_slim_150") if theme.is_large() else theme.size("rail_slim") if slim else (
            max(theme.size("rail"), round(theme.size("rail") * theme.scale())))
        self._rail.setFixedWidth(wide)
        for row in self._rows.values():
            row.set_slim(slim)
        narrow = self.width() < theme.breakpoint("slim_rail_below") or theme.is_large()
        self._find.setVisible(not narrow)
        self._bar.setFont(theme.font("body"))
        self._bar.setFixedHeight(theme.height("menu_bar", "body"))
        self._find.setFixedHeight(theme.metrics("body").height() + theme.space("s"))  # on the line of the menus
        if self._opened is not None:
            roles = ", ".join(self._opened.person.roles)
            self._status.set_where(self._opened.title, f"{self._opened.person.shown}, {roles}")
        self._hide_status()

    def _hide_status(self) -> None:
        page = self.page()
        self._status.setVisible(not (theme.is_large() and page is not None and page.hides_status))

    @Slot(QWidget, QWidget)
    def _focus_moved(self, old: QWidget | None, now: QWidget | None) -> None:
        """Where what had the focus has gone from the page, Qt hands it on to the rail, or to nothing at all."""
        if old is not None and not old.isVisible() and (now is None or now in self._rows.values()):
            QTimer.singleShot(0, self, self._focus_back)

    @Slot()
    def _focus_back(self) -> None:
        page, at = self.page(), QApplication.focusWidget()
        if page is not None and self.isActiveWindow() and (at is None or at in self._rows.values()):
            page.focus_first()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        edge = theme.breakpoint("slim_rail_below")
        if (event.oldSize().width() < edge) != (event.size().width() < edge):
            self._restyled()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.UpdateRequest and not self._was_painted:
            self._was_painted = True
            self.painted.emit()
        return done
