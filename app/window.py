"""The shell: menus, rail, page stack, status line; it knows no page but by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QEvent, Signal, Slot
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QMenu, QStackedWidget, QVBoxLayout, QWidget

from annotation.errors import Refused, StoreLocked
from app import theme
from app.actions import CommandAction, add_actions, refresh
from app.commands import MENUS, command
from app.context import Context
from app.dropping import is_predictions, local_files
from app.going import GROUPS, ICONS, PLACES, Going
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.jobs import Jobs
from app.keys import KeyHelp, help_rows
from app.page import Page
from app.palette import Palette, Row
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.focus import stops
from app.parts.overlay import Overlay
from app.parts.rail import RailRow
from app.parts.status import StatusLine
from app.parts.surface import Surface
from app.settings import Settings

if TYPE_CHECKING:
    from app.project import Opened

_T = QT_TRANSLATE_NOOP
_TITLES = {place.name: place.title for place in PLACES}
_MENU_TITLES = {
    "File": _T("commands", "&File"), "Edit": _T("commands", "&Edit"), "Item": _T("commands", "&Item"),
    "View": _T("commands", "&View"), "Go": _T("commands", "&Go"), "Help": _T("commands", "&Help"),
}


class Window(Going, QMainWindow):
    """Shown empty first; ``attach`` gives it a project. The ``asked`` signals are answered by app.gui."""

    painted = Signal()
    ready = Signal()                  # the first page of a project has been filled
    open_asked = Signal()
    new_asked = Signal()
    project_asked = Signal(str)
    person_asked = Signal()

    def __init__(self, settings: Settings, bugs: Callable[[object], None]) -> None:
        super().__init__()
        self._settings, self._bugs = settings, bugs
        self._opened: Opened | None = None
        self._jobs: Jobs | None = None
        self._context: Context | None = None
        self._pages: dict[str, Page] = {}
        self._stale: dict[str, frozenset[str]] = {}
        self._overlay: Overlay | None = None
        self._was_painted = False
        self.setWindowTitle("Goldsmith")
        self.setAcceptDrops(True)
        self._build()
        self._actions = add_actions(self)
        self._fill_menus()
        self._find.follow(self._actions["app.palette"], text=self.tr("Find a command"))
        theme.look.changed.connect(self._restyled)
        settings.changed.connect(self._setting_changed)
        self._restore()
        self._restyled()

    # --- building -------------------------------------------------------------------------------------------

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
        self._bar = self.menuBar()  # kept: with the wrapper of the bar go those of its menus
        self._bar.setCornerWidget(self._find)
        self._menus: dict[str, QMenu] = {name: self._bar.addMenu(translate(_MENU_TITLES[name])) for name in MENUS}

    def _fill_menus(self) -> None:
        """Window commands first in File, View, Go, Help; the page's own first in Item."""
        page = self.page()
        for name, menu in self._menus.items():
            menu.clear()
            own = [a for a in self._actions.values() if a.command.menu == name and a.isVisible()]
            theirs = [a for a in (page.actions_by_id.values() if page else ()) if a.command.menu == name]
            first, second = (theirs, own) if name == "Item" else (own, theirs)
            menu.addActions(first)
            if first and second:
                menu.addSeparator()
            menu.addActions(second)
            menu.menuAction().setVisible(bool(own or theirs))

    def _restore(self) -> None:
        least = theme.breakpoint("min_window")
        self.setMinimumSize(*least)
        self.resize(1280, 800)
        kept = self._settings.get("geometry")
        if isinstance(kept, QByteArray) and not kept.isEmpty():
            self.restoreGeometry(kept)

    # --- a project comes and goes ---------------------------------------------------------------------------

    def attach(self, opened: Opened) -> None:
        """Show a project; whatever was open before is closed."""
        if self._jobs is None or self._opened is None or self._opened.store is not opened.store:
            self.detach()
            jobs = Jobs(opened.store, self)
            jobs.changed.connect(self._changed)
            jobs.undo_changed.connect(self.update_commands)
            jobs.refused.connect(self._refused)
            jobs.crashed.connect(self._bugs)
            jobs.saved.connect(self._status.set_saved)
            jobs.waiting_changed.connect(self._status.set_waiting)
            self._jobs = jobs
        else:
            self._drop_pages()
            self._jobs.forget()
        self._opened = opened
        self._jobs.person = opened.person.id
        self._context = Context(opened.store, self._jobs, opened.person, self._settings, self.go, self._status.say,
                                self.project_asked.emit, opened.project, opened.title)
        self._settings.remember_project(opened.project)
        self._settings.set("persons", {**self._settings.get("persons"), opened.project: opened.person.handle})
        self.setWindowTitle(f"{opened.title} - Goldsmith")
        self._status.set_waiting(0)
        self._status.fault(opened.note)
        for name, row in self._rows.items():
            row.setVisible(self.sees(name))
        for place in PLACES:
            self._actions[f"go.{place.name}"].setVisible(self.sees(place.name))
        self._restyled()
        self.go("home")
        self._read_counts()

    def opened(self) -> Opened | None:
        """The project that is open."""
        return self._opened

    def detach(self) -> None:
        """Close what is open: pages save, what was submitted reaches the disk, the store is closed."""
        self._drop_pages()
        if self._jobs is not None:
            self._jobs.close()
            self._jobs.deleteLater()
        if self._opened is not None:
            self._opened.store.close()
        self._jobs = self._opened = self._context = None

    def _drop_pages(self) -> None:
        for page in self._pages.values():
            page.closing()
            self._stack.removeWidget(page)
            page.deleteLater()
        self._pages.clear()
        self._stale.clear()

    def show_nothing(self, title: str, text: str) -> None:
        """No project could be opened: why, and the ways on."""
        self._nothing.say(title, text)
        buttons = [CapButton("").follow(self._actions["file.open"]), CapButton("").follow(self._actions["file.new"]),
                   CapButton("", kind="flat").follow(self._actions["file.demo"])]
        buttons[0].set_kind("primary")
        self._nothing.set_buttons(buttons)
        self._stack.setCurrentWidget(self._nothing)
        buttons[0].setFocus()

    # --- pages ----------------------------------------------------------------------------------------------

    def sees(self, page: str) -> bool:
        return self._opened is not None and page in self._opened.pages and find_spec(f"app.pages.{page}") is not None

    def seen_pages(self) -> list[str]:
        """The pages of this person, in the order of their keys."""
        return [place.name for place in PLACES if self.sees(place.name)]

    def jobs(self) -> Jobs | None:
        return self._jobs

    def page(self) -> Page | None:
        """The page that is shown."""
        shown = self._stack.currentWidget()
        return shown if isinstance(shown, Page) else None

    def go(self, page: str, **where: Any) -> None:
        """Bring a page to the front, building it if it is new; ``where`` says what to show on it."""
        if not self.sees(page) or self._context is None:
            return
        before = self.page()
        made = self._pages.get(page)
        if made is None:
            made = self._pages[page] = _page_class(page)(self._context)
            made.bind()
            made.draft_changed.connect(self.update_commands)
            self._stack.addWidget(made)
        if before is not None and before is not made:
            before.left()
        self._status.say("")
        self._stack.setCurrentWidget(made)
        shared = {place.name: place.group for place in PLACES}
        current = page if page in self._rows else shared[page]
        for name, row in self._rows.items():
            row.setChecked(name == current)
        self._status.set_shows_saved(not getattr(made, "shows_saved", False))
        self._hide_status()
        if made is not before:
            made.focus_first()
        made.opened(**where)
        touched = self._stale.pop(page, None)
        if touched:
            made.refresh(touched)
        self._fill_menus()
        self.update_commands()

    def update_commands(self) -> None:
        """Ask all commands anew; the menu says what undo would take back."""
        jobs, page = self._jobs, self.page()
        undo, redo = self._actions["edit.undo"], self._actions["edit.redo"]
        undo.setText(self.tr("Undo {what}").format(what=jobs.undo_label)
                     if jobs and jobs.undo_label and not (page and page.can_undo_draft()) else self.tr("Undo"))
        redo.setText(self.tr("Redo {what}").format(what=jobs.redo_label)
                     if jobs and jobs.redo_label and not (page and page.can_redo_draft()) else self.tr("Redo"))
        refresh(self._actions.values())
        if page is not None:
            page.update_commands()

    @Slot(frozenset)
    def _changed(self, touched: frozenset[str]) -> None:
        shown = self.page()
        for name, page in self._pages.items():
            if page is shown:
                page.refresh(touched)
            else:
                self._stale[name] = self._stale.get(name, frozenset()) | touched
        self._read_counts()
        self.update_commands()

    @Slot(object)
    def _refused(self, refused: Refused) -> None:
        page = self.page()
        if isinstance(refused, StoreLocked):
            self._status.fault(str(refused))
        elif page is not None:
            page.say(refused)

    def _read_counts(self) -> None:
        if self._jobs is not None and self._context is not None:
            # Imported here: the window is painted before SQLAlchemy is loaded.
            from app.counts import waiting_counts

            self._jobs.read(self, waiting_counts, self._context.person.id, then=self._show_counts,
                            failed=lambda _refused: None)

    def _show_counts(self, counts: dict[str, int]) -> None:
        for name, row in self._rows.items():
            row.set_count(counts.get(name, 0))
        self.ready.emit()

    @Slot()
    def _rail_pressed(self) -> None:
        name = self.sender().objectName().partition(":")[2]
        self.go(name)

    # --- look -----------------------------------------------------------------------------------------------

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
        if self._opened is not None:
            roles = ", ".join(self._opened.person.roles)
            self._status.set_where(self._opened.title, f"{self._opened.person.shown}, {roles}")
        self._hide_status()

    def _hide_status(self) -> None:
        page = self.page()
        self._status.setVisible(not (theme.is_large() and page is not None and page.hides_status))

    @Slot(str)
    def _setting_changed(self, name: str) -> None:
        if name in ("theme", "text_size"):
            app = QApplication.instance()
            assert isinstance(app, QApplication)
            theme.apply(app, self._settings.get("theme"), self._settings.get("text_size") / 100)
        elif name == "slim_rail":
            self._restyled()

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

    # --- commands -------------------------------------------------------------------------------------------

    @property
    def has_project(self) -> bool:
        return self._opened is not None

    @command("file.open", _T("commands", "Open a project"), menu="File", keys="Ctrl+O", icon="open")
    def ask_open(self) -> None:
        self.open_asked.emit()

    @command("file.new", _T("commands", "New project"), menu="File", keys="Ctrl+Shift+N", icon="add")
    def ask_new(self) -> None:
        self.new_asked.emit()

    @command("file.demo", _T("commands", "Open the demo project"), menu="File", icon="open")
    def ask_demo(self) -> None:
        self.project_asked.emit("")

    @command("people.switch", _T("commands", "Another person sits down"), menu="File", keys="Ctrl+Shift+U",
             when="has_project", icon="person", group="looking")
    def switch_person(self) -> None:
        self.person_asked.emit()

    @command("file.close", _T("commands", "Close Goldsmith"), menu="File", keys="Ctrl+Q", icon="x", group="looking")
    def leave(self) -> None:
        self.close()

    @command("edit.undo", _T("commands", "Undo"), menu="Edit", keys="Ctrl+Z", when="can_undo")
    def undo(self) -> None:
        page = self.page()
        if page is not None and page.can_undo_draft():
            page.undo_draft()
        elif self._jobs is not None:
            self._jobs.undo(self._took_back)

    @command("edit.redo", _T("commands", "Redo"), menu="Edit", keys="Ctrl+Shift+Z", when="can_redo")
    def redo(self) -> None:
        page = self.page()
        if page is not None and page.can_redo_draft():
            page.redo_draft()
        elif self._jobs is not None:
            self._jobs.redo(self._took_back)

    def _took_back(self, done: Any) -> None:
        page = self.page()
        took_back = getattr(page, "took_back", None)
        if callable(took_back):
            took_back(done)

    @property
    def can_undo(self) -> bool:
        page = self.page()
        return bool((page and page.can_undo_draft()) or (self._jobs and self._jobs.undo_label))

    @property
    def can_redo(self) -> bool:
        page = self.page()
        return bool((page and page.can_redo_draft()) or (self._jobs and self._jobs.redo_label))

    @command("view.larger", _T("commands", "Larger text"), menu="View", keys="Ctrl++", icon="text_size")
    def larger(self) -> None:
        self._settings.set("text_size", min(200, self._settings.get("text_size") // 10 * 10 + 10))

    @command("view.smaller", _T("commands", "Smaller text"), menu="View", keys="Ctrl+-", icon="text_size")
    def smaller(self) -> None:
        self._settings.set("text_size", max(85, -(-self._settings.get("text_size") // 10) * 10 - 10))

    @command("view.rail", _T("commands", "Rail: names or icons"), menu="View", keys="Ctrl+B", icon="columns")
    def toggle_rail(self) -> None:
        self._settings.set("slim_rail", not self._settings.get("slim_rail"))

    @command("view.theme", _T("commands", "Next theme: light, dark, high contrast"), menu="View", icon="theme")
    def next_theme(self) -> None:
        order = ("light", "dark", "contrast")
        at = order.index(theme.look.theme)
        self._settings.set("theme", order[(at + 1) % len(order)])

    @command("view.full", _T("commands", "Full screen"), menu="View", keys="F11", icon="full_screen")
    def full_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    @command("view.part", _T("commands", "From part to part"), menu="View", keys="F6", icon="next", group="moving")
    def next_part(self) -> None:
        """Item, answers, foot, rail, and round again."""
        page = self.page()
        parts = [*(page.parts() if page else []), self._rail]
        now = QApplication.focusWidget()
        inside = [n for n, part in enumerate(parts) if now is not None and (part is now or part.isAncestorOf(now))]
        at = inside[-1] if inside else -1
        for step in range(1, len(parts) + 1):
            part = parts[(at + step) % len(parts)]
            target = part if part.focusPolicy() else next(iter(stops(part)), None)
            if target is not None and target.isVisible():
                target.setFocus()
                return

    @command("app.palette", _T("commands", "Find a command"), menu="Help", keys="Ctrl+Shift+P", icon="search")
    def find_command(self) -> None:
        actions = [a for a in self.all_actions() if a.isVisible() and a.isEnabled()
                   and a.objectName() != "app.palette"]
        rows = [Row(a.text().replace("&", ""), a.trigger, a.command.menu,
                    a.shortcut().toString(QKeySequence.SequenceFormat.PortableText), a.icon_name or "arrow-right")
                for a in actions]
        self.show_overlay(Palette(self, rows, name=self.tr("Find a command"), hint=self.tr("Find a command")))

    @command("app.shortcuts", _T("commands", "Keys on this page"), menu="Help", keys="F1", icon="help")
    def show_keys(self) -> None:
        page = self.page()
        self.show_overlay(KeyHelp(self, help_rows(self.all_actions(), page.help_rows() if page else ())))

    def all_actions(self) -> list[CommandAction]:
        """The page's commands, then the window's."""
        page = self.page()
        return [*(page.actions_by_id.values() if page else ()), *self._actions.values()]

    def show_overlay(self, overlay: Overlay) -> None:
        if self._overlay is not None:
            self._overlay.close_overlay()
        self._overlay = overlay
        overlay.closed.connect(self._overlay_closed)
        overlay.open()

    @Slot()
    def _overlay_closed(self) -> None:
        self._overlay = None

    # --- from outside ---------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if local_files(event.mimeData()) and self._opened is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = local_files(event.mimeData())
        projects = [file for file in files if file.suffix == ".goldsmith"]
        if projects:
            self.project_asked.emit(str(projects[0]))
        elif files and all(is_predictions(file) for file in files) and self.sees("score"):
            self.go("score", files=[str(file) for file in files])
        elif files and self.sees("items"):
            self.go("items", file=str(files[0]))

    def closeEvent(self, event: QCloseEvent) -> None:
        self._settings.set("geometry", self.saveGeometry())
        self.detach()
        self._settings.save()
        super().closeEvent(event)


def _page_class(name: str) -> type[Page]:
    """The page of a module of app.pages; imported when it is first opened, so that the start stays fast."""
    module = import_module(f"app.pages.{name}")
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Page) and value.name == name:
            return value
    raise LookupError(f"app.pages.{name} has no page of this name")


def actions_of(window: Window) -> list[QAction]:
    """Every action that a key can reach now; two of them must not share one."""
    return [action for action in window.all_actions() if action.isVisible()]
