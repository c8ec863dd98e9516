"""The windowed program: the window is painted first, then the project is opened."""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path
from typing import Any

import PySide6
from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow

from annotation.errors import N_, Refused
from app import log, theme
from app.errors import Bugs
from app.i18n import sentence
from app.palette import Palette, Row
from app.settings import Settings
from app.window import Window

_LOADED = time.perf_counter()
DEMO = ""  # as a project's name: the demo project
# Windows handed out: one that Python frees in the middle of a signal takes its menus along, and the process dies.
_windows: list[QMainWindow] = []


def open_window(project: str | Path, *, person: str | None = None) -> QMainWindow:
    """The window on ``project``, shown, with Home open; for tests and for the tour."""
    program = Program(_application())
    window = program.window
    _windows.append(window)
    window.show()
    program.open(str(project), person)
    return window


def main(project: str | None = None, *, person: str | None = None, theme: str | None = None,
         quit_after_first_paint: bool = False) -> int:
    """Run the program; returns the exit code. Raises Refused where a project named here cannot be opened."""
    _check_bindings()
    gc.disable()  # until the project is there: nothing that is loaded at the start is garbage (a sixth of the time)
    app = _application()
    log.start()
    program = Program(app)
    if theme is not None:
        program.settings.set("theme", theme)
    program.bugs.install()
    try:
        program.start(project, person, quits=quit_after_first_paint)
        code = app.exec()
    finally:
        program.bugs.remove()
        gc.enable()
    if program.refused is not None:
        raise program.refused
    return code


def sit(project: str, *, person: str | None = None, theme: str | None = None, **wanted: Any) -> dict[str, Any]:
    """A sitting of a study, full screen, without the rest of the program; how it ended. Raises Refused where none
    could begin. ``wanted`` as in ``app.stage.kiosk.Wanted``."""
    _check_bindings()
    app = _application()
    log.start()
    from app.stage import alone  # brings the database and all that shows trials

    return alone.sit(app, project, person, theme, wanted)


def self_test(*, frames: int, keys: int, screen: int) -> dict[str, Any]:
    """The timing of this machine, on a full screen of its own."""
    _check_bindings()
    app = _application()
    from app.stage import alone  # as in sit

    return alone.self_test(app, frames=frames, keys=keys, screen=screen)


def _application() -> QApplication:
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("Goldsmith")
    app.setApplicationDisplayName("")
    return app


def _check_bindings() -> None:
    """PySide6 6.12.0 on Python 3.11 drops references it does not own, and crashes after some thousand calls."""
    if PySide6.__version_info__[:3] == (6, 12, 0) and sys.version_info < (3, 12):
        raise Refused(N_("PySide6 6.12.0 crashes on Python {python}; install PySide6 6.11.3 or use Python 3.12"),
                      python=".".join(map(str, sys.version_info[:3])))


class Program(QObject):
    """One window and what it asks for: projects to open, people to sit down."""

    def __init__(self, app: QApplication) -> None:
        super().__init__()
        self.settings = Settings(self)
        theme.apply(app, self.settings.get("theme"), self.settings.get("text_size") / 100)
        self.bugs = Bugs(self)
        self.window = Window(self.settings, self.bugs.take)
        self.setParent(self.window)
        self.window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        self.refused: Refused | None = None
        self._wanted: tuple[str, str | None] = (DEMO, None)
        self._quits = False
        self.window.open_asked.connect(self._ask_open)
        self.window.new_asked.connect(self._ask_new)
        self.window.project_asked.connect(self._open_other)
        self.window.person_asked.connect(self._ask_person)

    # --- start ----------------------------------------------------------------------------------------------

    def start(self, project: str | None, person: str | None, *, quits: bool) -> None:
        """Show the window, and open the project once it is painted."""
        last = self.settings.get("last_project")
        if project is None and last and (last.startswith("postgresql") or Path(last).is_dir()):
            project = last
        self._wanted, self._quits = (project if project is not None else DEMO, person), quits
        self.window.painted.connect(self._painted, Qt.ConnectionType.QueuedConnection)
        self.window.ready.connect(_collect_again)
        QTimer.singleShot(10_000, self, _collect_again)  # whatever becomes of the project
        self.window.show()

    @Slot()
    def _painted(self) -> None:
        print(f"painted in {round(1000 * (time.perf_counter() - _begun()))} ms", flush=True)
        QTimer.singleShot(0, self, self._open_wanted)

    @Slot()
    def _open_wanted(self) -> None:
        try:
            self.open(*self._wanted)
        except Refused as refused:
            if self._quits:
                self.refused = refused
                self.window.close()
                QApplication.exit(refused.exit_code)
                return
            self.window.show_nothing(self.tr("This project could not be opened"), sentence(refused))
            return
        if self._quits:
            QTimer.singleShot(0, self, self._quit)

    @Slot()
    def _quit(self) -> None:
        self.window.close()
        QApplication.exit(0)

    # --- projects and people --------------------------------------------------------------------------------

    def open(self, project: str, person: str | None = None) -> None:
        """Open a project in this window; raises Refused and leaves the window as it was."""
        # Imported after the first paint: SQLAlchemy, pydantic and the reading of protocols cost half a second.
        from app.project import open_project

        path = _demo() if project == DEMO else project
        path = path if path.startswith("postgresql") else os.path.abspath(path)
        self.window.detach()
        self.window.attach(open_project(path, person, remembered=self.settings.get("persons").get(path)))

    @Slot(str)
    def _open_other(self, project: str) -> None:
        try:
            self.open(project)
        except Refused as refused:
            self.window.show_nothing(self.tr("This project could not be opened"), sentence(refused))

    @Slot()
    def _ask_open(self) -> None:
        """Recent projects in a list, and a folder to choose."""
        rows = [Row(Path(path).name, lambda path=path: self._open_other(path), str(Path(path).parent), icon="open")
                for path in self.settings.get("recent_projects")]
        rows.append(Row(self.tr("Choose a folder"), self._choose_folder, icon="folder-open"))
        rows.append(Row(self.tr("The demo project"), lambda: self._open_other(DEMO), icon="open"))
        self.window.show_overlay(Palette(self.window, rows, name=self.tr("Open a project"),
                                         hint=self.tr("Open a project"), icon="open"))

    def _choose_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self.window, self.tr("Open a project"))
        if folder:
            self._open_other(folder)

    @Slot()
    def _ask_new(self) -> None:
        from app.project import shelf  # after the first paint, as in open

        rows = [Row(title, lambda name=name: self._make(name), name, icon="protocol") for name, title in shelf()]
        self.window.show_overlay(Palette(self.window, rows, name=self.tr("New project from a protocol"),
                                         hint=self.tr("New project from a protocol"), icon="add"))

    def _make(self, protocol: str) -> None:
        from app.project import make_project  # after the first paint, as in open

        place, _ = QFileDialog.getSaveFileName(self.window, self.tr("New project"), f"{protocol}.goldsmith")
        if not place:
            return
        try:
            self.open(make_project(place, protocol, "owner"))
        except Refused as refused:
            page = self.window.page()
            if page is not None:
                page.say(refused)
            else:
                self.window.show_nothing(self.tr("This project could not be made"), sentence(refused))

    @Slot()
    def _ask_person(self) -> None:
        from app.project import everybody  # after the first paint, as in open

        opened = self.window.opened()
        if opened is None:
            return
        rows = [Row(view.shown, lambda handle=view.handle: self._sit_down(handle), ", ".join(view.roles), icon="person")
                for view in everybody(opened.store) if view.handle != opened.person.handle]
        here = opened.person  # last, but there: who types the own name must not get whoever else has its letters
        rows.append(Row(here.shown, lambda: None, self.tr("sits here now"), icon="person"))
        self.window.show_overlay(Palette(self.window, rows, name=self.tr("Who sits down?"),
                                         hint=self.tr("Who sits down?"), icon="person"))

    def _sit_down(self, handle: str) -> None:
        from app.project import sit_down  # after the first paint, as in open

        opened = self.window.opened()
        if opened is not None:
            self.window.attach(sit_down(opened.store, opened.project, handle))


def _collect_again() -> None:
    """What is there now stays: later searches for garbage leave it out, and so are short."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _demo() -> str:
    from app import demo  # after the first paint; brings the reading of files besides

    return str(demo.ensure())


def _begun() -> float:
    """When this process began, on the clock of perf_counter; where that is not known, when this file was read."""
    try:
        with open("/proc/self/stat", encoding="ascii") as stat:
            ticks = int(stat.read().rpartition(")")[2].split()[19])
        with open("/proc/uptime", encoding="ascii") as uptime:
            age = float(uptime.read().split()[0]) - ticks / os.sysconf("SC_CLK_TCK")
        return time.perf_counter() - age
    except (OSError, ValueError, AttributeError):
        return _LOADED
