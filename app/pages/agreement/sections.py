"""What a section of the page Agreement is, and which there are: each is made when it is first looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from uuid import UUID

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP

Progress = Callable[[int, int], None]
Cancelled = Callable[[], bool]
# Runs beside the window with the store; None where it was cancelled on the way.
Read = Callable[[Any, Progress, Cancelled], Any]


@dataclass(frozen=True, slots=True)
class Way:
    """A way on from where there is nothing to show: a button and the page it leads to."""

    words: str
    icon: str
    page: str
    where: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Nothing:
    """Why a section has nothing to show, and at most three ways on, the first of them the next thing to do."""

    title: str
    text: str
    ways: Sequence[Way] = ()


@dataclass(frozen=True, slots=True)
class Taken:
    """What a section gives away: a table for people, a table for LaTeX, numbers for another program (and the name of
    their file), a paragraph on methods if it has one."""

    markdown: str
    latex: str
    csv: bytes
    file: str
    methods: str = ""


class SectionView(QWidget):
    """One section. The page calls ``reads``, runs what it returns one after the other beside the window, and hands
    every result to ``empty`` and, where that is None, to ``show_found``: a quick one first, then the one that takes a
    while. What is shown stays until the new result is there.

    ``read_asked``: something was chosen here that changes what is to be read. ``items_asked``: items (their ids, most
    urgent first) to show on the page Items. ``adjudication_asked``: one item to decide about. ``said``: a sentence for
    the foot of the page (kind, text).
    """

    read_asked = Signal()
    items_asked = Signal(object)
    tag_asked = Signal(str, str)
    adjudication_asked = Signal(object)
    said = Signal(str, str)
    commands_changed = Signal()
    touches = frozenset({"answers", "items", "protocol"})

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context

    def reads(self) -> Sequence[Read]:
        """What to read now; asked for on the window's thread, so that choices are fixed when it begins."""
        raise AssertionError("a section says what it reads")

    def empty(self, found: Any) -> Nothing | None:
        """Why there is nothing to show, or None."""
        return None

    def show_found(self, found: Any) -> None:
        """Show what was read; the same rows stay current."""

    def closing(self) -> None:
        """The window closes: stop what runs."""

    def parts(self) -> list[QWidget]:
        """Where F6 goes in this section, the first takes the focus."""
        return [self]

    def fit(self, *, narrow: bool, dense: bool) -> None:
        """The window has another size or text size."""

    def item_in_hand(self) -> UUID | None:
        """The item that the command "adjudicate" is about, or None."""
        return None

    @property
    def can_give(self) -> bool:
        """Whether there is anything to give away."""
        return False

    def taken(self) -> Taken:
        """What "Copy table", "Save numbers" and their like give away."""
        raise AssertionError("a section that can give says what")


@dataclass(frozen=True, slots=True)
class Section:
    """A section by its name; ``make`` builds its view when it is first looked at."""

    name: str
    title: str
    make: Callable[[Context], SectionView]


def _from(module: str, view: str) -> Callable[[Context], SectionView]:
    def make(context: Context) -> SectionView:
        # Only the section that is looked at is loaded, and what it draws with.
        made: SectionView = getattr(import_module(f"app.pages.agreement.{module}"), view)(context)
        return made
    return make


SECTIONS: tuple[Section, ...] = tuple(
    Section(name, title, _from(name, view)) for name, title, view in (
        ("questions", QT_TRANSLATE_NOOP("agreement", "Questions"), "QuestionsView"),
        ("people", QT_TRANSLATE_NOOP("agreement", "People"), "PeopleView"),
        ("preferences", QT_TRANSLATE_NOOP("agreement", "Preferences"), "PreferencesView"),
        ("machines", QT_TRANSLATE_NOOP("agreement", "Machines"), "MachinesView"),
    ) if find_spec(f"app.pages.agreement.{name}") is not None)
