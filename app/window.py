"""The shell: menus, rail, page stack, status line; it knows no page but by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import QApplication

from annotation.errors import Refused, StoreLocked
from app import theme
from app.actions import CommandAction, add_actions, refresh
from app.commands import command
from app.context import Context
from app.dropping import destination, local_files
from app.frame import Frame
from app.going import NAMES, PLACES, Going, page_class
from app.i18n import QT_TRANSLATE_NOOP, sentence
from app.jobs import Jobs
from app.keys import KeyHelp, help_rows
from app.overlaid import Overlaid
from app.page import Page
from app.palette import Palette, Row
from app.parts.buttons import CapButton
from app.settings import Settings
from app.viewing import Viewing

if TYPE_CHECKING:
    from app.project import Opened

_T = QT_TRANSLATE_NOOP


class Window(Going, Viewing, Overlaid, Frame):
    """Shown empty first; ``attach`` gives it a project. The ``asked`` signals are answered by app.gui."""

    ready = Signal()                  # the first page of a project has been filled
    open_asked = Signal()
    new_asked = Signal()
    project_asked = Signal(str)
    person_asked = Signal()

    def __init__(self, settings: Settings, bugs: Callable[[object], None]) -> None:
        super().__init__(settings)
        self._bugs = bugs
        self._jobs: Jobs | None = None
        self._context: Context | None = None
        self._pages: dict[str, Page] = {}
        self._stale: dict[str, frozenset[str]] = {}
        self._actions = add_actions(self)
        self._fill_menus()
        self._find.follow(self._actions["app.palette"], text=self.tr("Find a command"))
        theme.look.changed.connect(self._restyled)
        settings.changed.connect(self._setting_changed)
        self._restore()
        self._restyled()

    # --- building -------------------------------------------------------------------------------------------

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
        self._jobs.recall()

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
        return self._opened is not None and page in self._opened.pages and page in NAMES

    def seen_pages(self) -> list[str]:
        """The pages of this person, in the order of their keys."""
        return [place.name for place in PLACES if self.sees(place.name)]

    def jobs(self) -> Jobs | None:
        return self._jobs

    def go(self, page: str, **where: Any) -> None:
        """Bring a page to the front, building it if it is new; ``where`` says what to show on it."""
        if not self.sees(page) or self._context is None:
            return
        self.close_overlay()
        before = self.page()
        made = self._pages.get(page)
        if made is None:
            made = self._pages[page] = page_class(page)(self._context)
            made.bind()
            made.draft_changed.connect(self.update_commands)
            self._stack.addWidget(made)
        if before is not None and before is not made:
            before.left()
        self._status.say("")
        self._stack.setCurrentWidget(made)
        current = page if page in self._rows else next(place.group for place in PLACES if place.name == page)
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
            self._status.fault(sentence(refused))
        if page is not None:
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

    @Slot(str)
    def _setting_changed(self, name: str) -> None:
        if name in ("theme", "text_size"):
            app = QApplication.instance()
            assert isinstance(app, QApplication)
            theme.apply(app, self._settings.get("theme"), self._settings.get("text_size") / 100)
        elif name == "slim_rail":
            self._restyled()

    # --- commands -------------------------------------------------------------------------------------------

    @command("file.open", _T("commands", "Open a project"), menu="File", keys="Ctrl+O", icon="open", group="looking")
    def ask_open(self) -> None:
        self.open_asked.emit()

    @command("file.new", _T("commands", "New project"), menu="File", keys="Ctrl+Shift+N", icon="add",
             group="looking")
    def ask_new(self) -> None:
        self.new_asked.emit()

    @command("file.demo", _T("commands", "Open the demo project"), menu="File", icon="open")
    def ask_demo(self) -> None:
        self.project_asked.emit("")

    @command("people.switch", _T("commands", "Another person sits down"), menu="File", keys="Ctrl+Shift+U",
             when="opened", icon="person", group="looking")
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

    # --- from outside ---------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if local_files(event.mimeData()) and self._opened is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = local_files(event.mimeData())
        project, page, where = destination(files, self.sees)
        if project:
            self.project_asked.emit(project)
        elif page:
            self.go(page, **where)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._settings.set("geometry", self.saveGeometry())
        self.detach()
        self._settings.save()
        super().closeEvent(event)
