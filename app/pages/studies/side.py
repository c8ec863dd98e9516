"""Beside the sections: what one person sees, how far the study is, what can be done next."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import theme
from app.pages.studies import words
from app.pages.studies.design import Outline
from app.pages.studies.reading import Checked, Seen
from app.parts.boxes import clear
from app.parts.buttons import CapButton
from app.parts.field import Choice, Labelled
from app.parts.line import LineInPlace
from app.parts.surface import Hairline
from app.parts.text import label


class StudySide(QWidget):
    """Buttons are pressed on the page; ``show_state`` says which of them are there."""

    def __init__(self, format: Choice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = label("", "title", wrap=True)
        self._state = label("", "body", "ink2", wrap=True)
        self._state.setObjectName("studies:state")
        self._outline = Outline()
        self.keep = CapButton(self.tr("Keep this study"), kind="primary", icon="saved", keys="Ctrl+S")
        self.begin = CapButton(self.tr("Begin a sitting"), kind="primary", icon="go_on", keys="Ctrl+Return")
        self.pilot = CapButton(self.tr("Try it as a pilot"), icon="show", keys="Ctrl+Shift+Return")
        self.register = CapButton(self.tr("Register"), icon="lock")
        self.save_registration = CapButton(self.tr("Save the registration"), kind="flat", icon="export")
        self.export = CapButton(self.tr("Export"), icon="export", keys="Ctrl+Shift+E")
        for name in ("keep", "begin", "pilot", "register", "save_registration", "export"):
            getattr(self, name).setObjectName(f"studies:{name}")
        self._about_register = label("", "caption", "ink2", wrap=True)
        self._notes = QVBoxLayout()
        self._notes.setSpacing(theme.space("xs"))
        self._format = Labelled(self.tr("Format"), format)
        self._line = Hairline()
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.space("xl"), theme.space("page_top"), theme.space("page_top"), theme.space("l"))
        column.setSpacing(theme.space("s"))
        column.addWidget(self._title)
        column.addWidget(self._state)
        column.addLayout(self._notes)
        column.addWidget(self.keep)
        column.addWidget(self.begin)
        column.addWidget(self.pilot)
        column.addSpacing(theme.space("m"))
        column.addWidget(self._outline)
        column.addSpacing(theme.space("m"))
        column.addWidget(self._line)
        column.addWidget(self.register)
        column.addWidget(self.save_registration)
        column.addWidget(self._about_register)
        column.addSpacing(theme.space("m"))
        column.addWidget(self._format)
        column.addWidget(self.export)
        column.addStretch(1)

    def show_state(self, seen: Seen | None, checked: Checked | None, *, is_changed: bool, is_taken: bool,
                   shown: str) -> None:
        """``is_changed``: the text is other than the one that is kept; ``is_taken``: its id and version are in use."""
        study = checked.study if checked is not None else None
        self._title.setText(study.title if study is not None else seen.view.title if seen is not None else
                            self.tr("A study that is not kept yet"))
        self.keep.setVisible(is_changed)
        self.begin.setVisible(not is_changed and bool(shown.strip()))
        self.pilot.setVisible(not is_changed and bool(shown.strip()))
        clear(self._notes)
        if is_changed:
            self._state.setText(self._changed(seen, is_taken))
        elif seen is not None:
            release = seen.view.release
            self._state.setText(self.tr("Version {n}, items of {where}. {progress}.").format(
                n=seen.view.version, progress=words.progress(seen.counts),
                where=self.tr("release {version}").format(version=release) if release else self.tr("the project")))
        else:
            self._state.setText("")
        kept = seen is not None and not is_changed
        registered = seen.registered if seen is not None else None
        if kept and seen is not None:
            if registered is not None and registered.at is not None:
                self._notes.addWidget(LineInPlace("good", self.tr("Registered on {day}.").format(
                    day=f"{registered.at:%Y-%m-%d}")))
            for one in seen.deviations:
                self._notes.addWidget(LineInPlace("warn", words.deviation(one)))
        self._outline.show_checked(checked)
        self.register.setVisible(kept and registered is None)
        self._about_register.setVisible(kept and registered is None)
        begun = seen is not None and any(not one.pilot for one in seen.sittings)
        self._about_register.setText(self.tr(
            "Somebody has sat for it in earnest, so it is too late to register.") if begun else self.tr(
            "Register before anybody sits for it in earnest: design, lists, seed, exclusion rule, analysis and number "
            "of people are frozen in a dated document."))
        self.save_registration.setVisible(kept and registered is not None)
        self._line.setVisible(kept)
        told = kept and seen is not None and bool(seen.counts.completed or seen.counts.pilots)
        self._format.setVisible(told)  # nothing to export before
        self.export.setVisible(told)

    def _changed(self, seen: Seen | None, is_taken: bool) -> str:
        if is_taken:
            return self.tr("Another text with this id and version is kept already. Give this one another version, so "
                           "that the two can be told apart.")
        if seen is None:
            return self.tr("Not kept yet.")
        return self.tr("Changed, not kept yet. Sittings so far belong to version {n}.").format(n=seen.view.version)
