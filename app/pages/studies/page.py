"""The page Studies: one study at a time, its design, its sittings and its results in a row of sections."""

from __future__ import annotations

from collections import Counter
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app import theme
from app.commands import command
from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP
from app.pages.studies import reading
from app.pages.studies.deeds import StudiesDeeds
from app.pages.studies.reading import Seen
from app.pages.studies.results import ResultsPanel
from app.pages.studies.side import StudySide
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.field import Choice
from app.parts.focus import stops
from app.parts.sided import Sided
from app.parts.tabs import Tabs
from app.parts.text import PageHead
from studies.sittings import StudyView

_T = QT_TRANSLATE_NOOP
DESIGN, SITTINGS, RESULTS = range(3)
NEW = "new:"  # and the id of a study that comes with the program
FILE = "file"


class StudiesPage(StudiesDeeds):
    name = "studies"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.setAcceptDrops(True)
        self._at = DESIGN
        self._shelf = reading.from_shelf()
        self._results_of: tuple[str, int, int] | None = None
        self._build()
        self.show_section(DESIGN)
        self._sittings.show_seen(None)
        self._results.show_none()

    def _build(self) -> None:
        self._head = PageHead(self.tr("Studies"), self.context.title)
        self._which = Choice(self.tr("Study"))
        self._which.setObjectName("studies:which")
        self._which.activated.connect(self._chosen)
        self._open = CapButton(self.tr("Open a file"), icon="open", keys="Ctrl+Shift+O")
        self._open.clicked.connect(self.open_file)
        self._head.add(self._which)
        self._head.add(self._open)
        self._tabs = Tabs(self.tr("Sections of this page"), [
            self.tr("Design"), self.tr("Sittings"), self.tr("Results")])
        self._tabs.chosen.connect(self.show_section)
        self._design.edited.connect(self._edited)
        self._sittings.ended.connect(self.end_sitting)
        self._sittings.resumed.connect(self.go_on)
        self._results = ResultsPanel(self.context.jobs, self.context.settings)
        self._side = StudySide(self._format)
        for button, act in ((self._side.keep, self.keep), (self._side.begin, self.begin),
                            (self._side.pilot, self.pilot), (self._side.register, self.register),
                            (self._side.save_registration, self.save_registration), (self._side.export, self.export)):
            button.clicked.connect(act)
        self._sections: list[QWidget] = [self._design, self._sittings, self._results]
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(theme.space("page_left"), theme.space("page_top"), theme.space("page_right"),
                                  theme.space("l"))
        column.setSpacing(theme.space("s"))
        column.addWidget(self._head)
        column.addWidget(self._tabs)
        for section in self._sections:
            column.addWidget(section, 1)
        self._empty = Empty("studies", self.tr("No study yet"), self.tr(
            "A study shows items to people one by one, with a clock, in conditions that differ in what is shown. "
            "Begin with the example, “{title}”, and change its text, or open a file of your own.").format(
                title=self._shelf[0][1]))
        self._empty.set_buttons(self._ways())
        self._views = QStackedWidget()
        self._views.addWidget(Sided(content, self._side))
        self._views.addWidget(self._empty)
        outer = QVBoxLayout(self.body)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._views)

    def _ways(self) -> list[CapButton]:
        example = CapButton(self.tr("Begin with the example"), kind="primary", icon="studies", tip=self._shelf[0][1])
        example.setObjectName("studies:example")
        example.clicked.connect(self._from_shelf)
        file = CapButton(self.tr("Open a file"), icon="open")
        file.clicked.connect(self.open_file)
        return [example, file]

    # --- life -----------------------------------------------------------------------------------------------

    def opened(self, **where: Any) -> None:
        self.restyle()
        text = self.context.settings.get("study_texts").get(self.context.project, "")
        if text and not self._design.text().strip():
            self.begin_text(text)
        self._read()

    def refresh(self, touched: frozenset[str]) -> None:
        if touched & {"studies", "items", "releases", "protocol"}:
            self._read()

    def left(self) -> None:
        self._remember()

    def closing(self) -> None:
        self._remember()

    def _remember(self) -> None:
        """A text that is not kept yet is there again the next time."""
        texts = self.context.settings.get("study_texts")
        texts.pop(self.context.project, None)
        if self._design.is_changed:
            texts[self.context.project] = self._design.text()
        self.context.settings.set("study_texts", texts)

    def parts(self) -> list[QWidget]:
        if self._views.currentIndex():
            return [self._empty]
        return [self._sections[self._at], self._side, self._tabs, self._head]

    def restyle(self) -> None:
        self._sittings.fit(dense=self.context.settings.get("dense_tables"))

    # --- sections -------------------------------------------------------------------------------------------

    @Slot(int)
    def show_section(self, at: int) -> None:
        if not 0 <= at < len(self._sections):
            return
        had_focus = self._sections[self._at].isAncestorOf(self.focusWidget() or self)
        self._at = at
        self._tabs.set_current(at)
        for n, section in enumerate(self._sections):
            section.setVisible(n == at)
        if had_focus and self.isVisible():
            # Not to whatever follows what was hidden; and never to a button that does something.
            next(iter(stops(self._sections[at])), self._tabs.current()).setFocus()
        self._read_results()

    @command("studies.next_section", _T("commands", "The next section"), menu="View", keys="Ctrl+PgDown",
             group="moving", icon="next")
    def next_section(self) -> None:
        self.show_section((self._at + 1) % len(self._sections))

    @command("studies.previous_section", _T("commands", "The section before"), menu="View", keys="Ctrl+PgUp",
             group="moving", icon="previous")
    def previous_section(self) -> None:
        self.show_section((self._at - 1) % len(self._sections))

    # --- which study ----------------------------------------------------------------------------------------

    def _read(self) -> None:
        self.context.jobs.read(self, reading.read_studies, then=self._show_known, failed=self.say)

    def _show_known(self, known: tuple[StudyView, ...]) -> None:
        """Where none was looked at: the newest that people sit for, else the newest; a text being written stays."""
        self._known = known
        if self._hash and self._hash not in {view.hash for view in known}:
            self._hash, self._seen = "", None  # taken out again
        if not self._hash and known and not self._design.is_changed:
            self._hash = next((view for view in known if view.completed or view.open), known[0]).hash
        is_empty = not known and not self._design.text().strip()
        self._views.setCurrentIndex(1 if is_empty else 0)
        self._fill_choice()
        if self._hash:
            self.show_study(self._hash)
        else:
            self._show_state()

    def _fill_choice(self) -> None:
        titles = Counter(title for title, _ in {(view.title, view.id) for view in self._known})
        rows = [(view.hash, self.tr("{title}, version {n}").format(
            title=view.title if titles[view.title] == 1 else f"{view.id}: {view.title}", n=view.version))
                for view in self._known]
        if not self._hash:
            rows.insert(0, (FILE, self.tr("A text that is not kept yet")))
        rows += [(NEW + id, self.tr("New, from: {title}").format(title=title)) for id, title in self._shelf]
        self._which.set_options(rows)
        self._which.set_value(self._hash or FILE)

    @Slot()
    def _chosen(self) -> None:
        value = self._which.value()
        if value.startswith(NEW):
            self.begin_text(reading.text_of(value.removeprefix(NEW)))
        elif value != FILE:
            self.show_study(value)

    @Slot()
    def _from_shelf(self) -> None:
        self.begin_text(reading.text_of(self._shelf[0][0]))

    def begin_text(self, text: str) -> None:
        super().begin_text(text)
        self._sittings.show_seen(None)
        self._results_of = None
        self._results.show_none()
        self._views.setCurrentIndex(0)
        self.show_section(DESIGN)
        self._fill_choice()
        self._show_state()
        self._design.code.setFocus()

    def show_study(self, hash: str) -> None:
        self._hash = hash
        self.context.jobs.read(self, reading.read_one, hash, then=self._show, failed=self.say)

    def _show(self, seen: Seen) -> None:
        if seen.view.hash != self._hash:
            return
        other = self._seen is None or self._seen.view.hash != seen.view.hash
        self._seen = seen
        if other or not self._design.is_changed:
            self._design.show_text(seen.study.text, kept=True)
        if seen.view.hash not in {view.hash for view in self._known}:
            self._read()
        self._which.set_value(self._hash)
        self._sittings.show_seen(seen)
        self._show_state()
        self._read_results()

    # --- showing --------------------------------------------------------------------------------------------

    @Slot()
    def _edited(self) -> None:
        self._show_state()

    def _show_state(self) -> None:
        checked = self._design.checked
        taken = checked is not None and checked.study is not None and self._is_taken(checked.study)
        self._side.show_state(self._seen, checked, is_changed=self._design.is_changed, is_taken=taken,
                              shown=self._design.text())
        self.update_commands()

    def update_commands(self) -> None:
        super().update_commands()
        side = self._side
        for button, can in ((side.keep, self.can_keep), (side.begin, self.can_sit), (side.pilot, self.can_sit),
                            (side.register, self.can_register), (side.export, self.can_export)):
            button.setEnabled(can)

    def _read_results(self) -> None:
        """Read when the section is looked at, and again when somebody has completed a sitting since."""
        seen = self._seen
        if self._at != RESULTS or seen is None:
            return
        counts = seen.counts
        wanted = (seen.view.hash, counts.completed, counts.pilots)
        if wanted == self._results_of:
            return
        self._results_of = wanted
        store = self.context.store
        pilots = not counts.completed and bool(counts.pilots)

        def read(_progress: Any, _cancelled: Any) -> Any:
            with store.read() as session:
                return reading.read_results(session, wanted[0], pilots=pilots)

        self.context.jobs.work(self, read, then=lambda found: self._results.show_results(*found), failed=self.say)

    # --- dropping -------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if self._dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        file = self._dropped(event)
        if file:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.open_path(file)

    def _dropped(self, event: QDropEvent) -> str:
        urls = event.mimeData().urls()
        file = urls[0].toLocalFile() if len(urls) == 1 else ""
        return file if file.endswith((".yaml", ".yml")) else ""
