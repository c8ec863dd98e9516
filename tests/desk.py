"""A desk to work at in tests: a project from a protocol and rows, a real window, real keys, a look at the store."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QWidget
from sqlalchemy import select

from annotation import importing, people, protocol, tasks
from annotation.store import opening
from annotation.store.tables import DraftRow, Item, Person, Revision, Task, Withdrawal
from app import gui
from tests.kept import made_once

PEOPLE: dict[str, tuple[str, ...]] = {"ana": ("annotator",), "ben": ("annotator",), "cem": ("annotator",)}
NO, CTRL, ALT = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier)
PATIENCE_MS = 30_000
_closed: list[QMainWindow] = []  # kept: a window that Python frees in the middle of a signal takes its menus along


@made_once
def make(folder: Path, text: str, rows: Sequence[Mapping[str, Any]], *, persons: Mapping[str, tuple[str, ...]] = PEOPLE
         ) -> Path:
    """A project of this protocol with these items (their keys are in "id")."""
    source = folder / "items.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return _make(folder / "desk.goldsmith", protocol.loads(text), source, None, persons)


@made_once
def make_from_shelf(folder: Path, name: str, *, persons: Mapping[str, tuple[str, ...]] = PEOPLE) -> Path:
    """A project of a protocol of the shelf with its sample."""
    sample = protocol.sample(name)
    assert sample is not None
    source = next(path for path in sorted(sample.iterdir()) if path.suffix in (".json", ".jsonl", ".csv"))
    return _make(folder / f"{name}.goldsmith", protocol.load(protocol.find(name)), source, name, persons)


def _make(path: Path, chosen: Any, source: Path, recipe: str | None, persons: Mapping[str, tuple[str, ...]]) -> Path:
    with opening.create(path, protocol=chosen, title="Desk", owner="owner") as store:
        with store.read() as session:
            by = people.find(session, "owner").id
        importing.import_file(store, source, recipe=recipe, by=by)
        with store.write() as session:
            for handle, roles in persons.items():
                people.add(session, handle, roles=roles, by=by)
    return path


def answer(path: Path, handle: str, given: Any) -> None:
    """All of a person's turns by the verbs: ``given(task) -> answers``."""
    with opening.open_store(path) as store, store.write() as session:
        person = people.find(session, handle).id
        while (task := tasks.next_task(session, person)) is not None:
            tasks.submit(session, task.id, given(task), active_ms=3000)


class Desk:
    """One person before one window; ``with Desk(..) as desk`` closes it and waits for the disk."""

    def __init__(self, qtbot: Any, path: Path, person: str, *, page: str = "work", size: tuple[int, int] = (1280, 720)
                 ) -> None:
        self.qtbot, self.path = qtbot, path
        self.window: QMainWindow = gui.open_window(str(path), person=person)
        self.window.resize(*size)
        qtbot.waitUntil(self.window.isActiveWindow, timeout=PATIENCE_MS)
        self.go(page)

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.window.close()
        _closed.append(self.window)

    # --- keys -----------------------------------------------------------------------------------------------

    def go(self, page: str) -> None:
        keys = {"home": "1", "work": "2", "answers": "3", "adjudicate": "4"}
        self.press(keys[page], ALT)
        self.wait(lambda: self.page.objectName() == f"page:{page}")

    def press(self, key: Any, modifiers: Qt.KeyboardModifier = NO) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifiers)

    def keys(self, text: str) -> int:
        """Each character a key; "\\t" is Tab, "\\n" is Ctrl+Return. Returns how many."""
        for one in text:
            if one == "\t":
                self.press(Qt.Key.Key_Tab)
            elif one == "\n":
                self.press(Qt.Key.Key_Return, CTRL)
            else:
                self.press(one)
        return len(text)

    def trigger(self, command: str) -> None:
        action = next(one for one in self.window.all_actions() if one.objectName() == command)
        assert action.isEnabled(), command
        action.trigger()

    # --- what is seen ---------------------------------------------------------------------------------------

    @property
    def page(self) -> QWidget:
        return self.window.page()

    def wait(self, claim: Any) -> None:
        self.qtbot.waitUntil(lambda: bool(claim()), timeout=PATIENCE_MS)

    def find(self, name: str, kind: type = QWidget) -> Any:
        found = self.page.findChildren(kind, name)
        assert found, name
        shown = [one for one in found if one.isVisible()]
        return (shown or found)[-1]  # what was replaced just now may not have gone yet

    @property
    def item(self) -> str | None:
        """The key of the item that is shown."""
        label = self.page.findChild(QLabel, "item:key")
        return label.text() if label is not None and label.isVisible() else None

    def wait_for_item(self, *, other_than: str | None = None) -> str:
        self.wait(lambda: self.item is not None and self.item != other_than)
        assert self.item is not None
        return self.item

    def focus(self) -> QWidget:
        focus = QApplication.focusWidget()
        assert focus is not None
        return focus

    def texts(self) -> str:
        """All that labels say now."""
        return "\n".join(label.text() for label in self.page.findChildren(QLabel) if label.isVisible())

    # --- what is stored -------------------------------------------------------------------------------------

    def read(self, statement: Any) -> list[Any]:
        store = self.window.opened().store
        with store.read() as session:
            return list(session.execute(statement).all())

    def revisions(self) -> list[tuple[str, str, dict[str, Any]]]:
        """(item, person, answers) of every answer that was not withdrawn, oldest first."""
        gone = select(Withdrawal.revision)
        return [tuple(row) for row in self.read(
            select(Item.key, Person.handle, Revision.answers_json).join(Task, Task.id == Revision.task)
            .join(Item, Item.id == Task.item).join(Person, Person.id == Revision.person)
            .where(Revision.id.not_in(gone)).order_by(Revision.id))]

    def drafts(self) -> dict[str, dict[str, Any]]:
        return dict(tuple(row) for row in self.read(
            select(Item.key, DraftRow.answers_json).join(Task, Task.id == DraftRow.task)
            .join(Item, Item.id == Task.item)))

    def wait_for_revisions(self, n: int) -> list[tuple[str, str, dict[str, Any]]]:
        self.wait(lambda: len(self.revisions()) == n)
        return self.revisions()
