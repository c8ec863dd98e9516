"""The commands by which the page Agreement gives away what its current section has: tables, numbers, a paragraph."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from app.commands import command
from app.i18n import QT_TRANSLATE_NOOP
from app.page import Page
from app.pages.agreement.sections import SectionView

_T = QT_TRANSLATE_NOOP


class GivingPage(Page):
    """A page of sections; ``has_numbers`` says whether the current one can give anything."""

    def current_view(self) -> SectionView:
        """The section that is looked at."""
        raise AssertionError("a page of sections knows its current one")

    @property
    def has_numbers(self) -> bool:
        return False

    def _copy(self, text: str) -> None:
        if text:
            QGuiApplication.clipboard().setText(text)
            self.context.status(self.tr("copied"))

    @command("agreement.copy", _T("commands", "Copy the table as Markdown"), menu="Edit", keys="Ctrl+Shift+C",
             when="has_numbers", icon="copy")
    @Slot()
    def copy_table(self) -> None:
        if self.has_numbers:
            self._copy(self.current_view().taken().markdown)

    @command("agreement.copy_latex", _T("commands", "Copy the table as LaTeX"), menu="Edit", keys="Ctrl+Shift+L",
             when="has_numbers", icon="copy")
    @Slot()
    def copy_latex(self) -> None:
        if self.has_numbers:
            self._copy(self.current_view().taken().latex)

    @command("agreement.copy_methods", _T("commands", "Copy the paragraph on methods"), menu="Edit",
             keys="Ctrl+Shift+M", when="has_numbers", icon="copy")
    @Slot()
    def copy_methods(self) -> None:
        if self.has_numbers:
            self._copy(self.current_view().taken().methods)

    @command("agreement.save", _T("commands", "Save the numbers as CSV"), menu="File", keys="Ctrl+S",
             when="has_numbers", icon="export")
    @Slot()
    def save_numbers(self) -> None:
        if not self.has_numbers:
            return
        taken = self.current_view().taken()
        file, _ = QFileDialog.getSaveFileName(self, self.tr("Save numbers"), taken.file, "CSV (*.csv)")
        if not file:
            return
        try:
            Path(file).write_bytes(taken.csv)
        except OSError as fault:
            self.say(self.tr("{file} cannot be written: {why}").format(file=file, why=fault.strerror))
            return
        self.say(self.tr("Saved to {file}.").format(file=file), kind="good")
