"""Home of who keeps a project: how many queries are open, the way to them, and the number after each answer."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QPlainTextEdit, QTableView

from annotation import finding, notes, people
from annotation.store import opening
from tests.windows import make_project, opened, shown, wait


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path, n=5)


def ask(project: Path, *said: tuple[str, str, str]) -> list[Any]:
    """Queries of (who, item, text)."""
    with opening.open_store(project) as store, store.write() as session:
        return [notes.open_query(session, finding.item_of_key(session, key), person=people.find(session, who).id,
                                 text=text).value for who, key, text in said]


def rows(window: Any) -> list[str]:
    return [one.accessibleName() for one in shown(window.page()) if one.objectName() == "home:queries"]


def press(key: Any, modifiers: Any = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def sentence(window: Any) -> str:
    return window.page()._sentence.text()


def test_home_counts_the_open_queries_of_others_and_says_so_in_the_sentence(project: Path) -> None:
    ask(project, ("ana", "cm-0001", "Which guideline?"), ("ben", "cm-0003", "Is this one item?"),
        ("demo", "cm-0004", "My own."))
    with opened(project) as window:
        assert rows(window) == ["Queries, Answer what people asked about items, 2 open, –"]
        assert sentence(window) == "2 queries wait for an answer"
        assert QApplication.focusWidget().accessibleName() == "See what was asked"


def test_the_row_leads_to_the_items_and_the_number_is_right_after_each_answer(project: Path) -> None:
    ask(project, ("ana", "cm-0001", "Which guideline?"), ("ben", "cm-0003", "Is this one item?"))
    with opened(project) as window:
        press(Qt.Key.Key_1)  # the row's digit
        wait(window)
        table = next(one for one in shown(window.page()) if isinstance(one, QTableView))
        assert window.page().name == "items" and table.model().rowCount() == 2
        for left in (1, 0):
            table.setFocus()
            table.setCurrentIndex(table.model().index(1 - left, 0))
            press(Qt.Key.Key_Return)
            wait(window)
            box = next(one for one in shown(window.page()) if isinstance(one, QPlainTextEdit))
            box.setFocus()
            QTest.keyClicks(box, "The one of 2025.")
            next(one for one in shown(window.page()) if isinstance(one, QAbstractButton)
                 and one.text() == "Answer and close").click()
            wait(window)
            window.go("home")
            wait(window)
            assert [row.partition("items, ")[2] for row in rows(window)] == ["1 open, –"] * left
            assert sentence(window) == ("1 query waits for an answer" if left else "Nothing waits for you")
            window.go("items")
            wait(window)
        window.go("home")
        wait(window)
        press("z", Qt.KeyboardModifier.ControlModifier)  # the answer that closed it is taken back
        wait(window)
        assert [row.partition("items, ")[2] for row in rows(window)] == ["1 open, –"]


def test_a_query_that_is_opened_again_is_counted_again(project: Path) -> None:
    [query] = ask(project, ("ana", "cm-0001", "Which guideline?"))
    with opening.open_store(project) as store, store.write() as session:
        owner, ana = people.find(session, "demo").id, people.find(session, "ana").id
        notes.answer_query(session, query, by=owner, text="That of 2025.", closes=True)
        assert notes.asked_of(session, owner) == ()
        notes.answer_query(session, query, by=ana, text="Which chapter?")
        assert notes.asked_of(session, owner) == (finding.item_of_key(session, "cm-0001"),)


def test_whoever_does_not_see_items_is_told_of_no_queries_of_others(project: Path) -> None:
    ask(project, ("ana", "cm-0001", "Which guideline?"))
    for person in ("ben", "ana", "dr-eva"):
        with opened(project, person=person) as window:
            assert rows(window) == []
