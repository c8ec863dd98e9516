"""The Items page by keyboard: search, filter, sort, choose, assign, look at one, bring a file in."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from annotation import assign, notes, people
from app import lived_in
from app.pages.items.model import PAGE
from app.parts.table import CELL
from tests.windows import make_project, opened, wait


@pytest.fixture
def page(tmp_path, qapp):
    with opened(make_project(tmp_path, n=250)) as window:
        window.activateWindow()
        window.go("items")
        wait(window)
        window.page().window_ = window
        yield window.page()


def keys(page) -> list[str]:
    column = [c.name for c in page._listing.model.columns].index("key")
    return [page._listing.model.index(n, column).data() for n in range(page._listing.model.rowCount())]


def press(widget, *pressed, with_=Qt.KeyboardModifier.NoModifier) -> None:
    for key in pressed:
        QTest.keyClick(widget, key, with_)


def said_in(widget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def test_only_the_rows_that_are_looked_at_are_read(page):
    assert page._listing.model.rowCount() == 250
    assert set(page._listing.model._pages) == {0}
    page._listing.table.scrollToBottom()
    page._listing.table.viewport().grab()
    wait(page.window_)
    assert 2 in page._listing.model._pages
    assert page._listing.model.index(249, 1).data() == "cm-0249"
    assert PAGE == 100


def test_typing_into_the_search_narrows_the_table(page):
    QTest.keyClick(page.window_, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(QApplication.focusWidget(), "item 24")
    press(QApplication.focusWidget(), Qt.Key.Key_Return)
    wait(page.window_)
    assert keys(page) == ["cm-0024", *(f"cm-024{n}" for n in range(10))]
    press(QApplication.focusWidget(), Qt.Key.Key_Escape)
    wait(page.window_)
    assert page._listing.model.rowCount() == 250


def test_what_is_not_found_says_so_and_offers_all_items(page):
    page.opened(text="zebra")
    wait(page.window_)
    assert "Nothing found" in said_in(page)


def test_a_filter_from_the_palette_becomes_a_chip(page):
    page.action("items.filter").trigger()
    QTest.keyClicks(QApplication.focusWidget(), "annotate: not")
    press(QApplication.focusWidget(), Qt.Key.Key_Return)
    wait(page.window_)
    assert page._listing.model.rowCount() == 0
    assert page._listing.filters.words() == [("stage", "annotate: not reached")]


def test_the_head_sorts_and_the_other_way_round(page):
    page._listing.sort_by("key", True)
    wait(page.window_)
    assert page._listing.model.index(0, 1).data() == "cm-0249"


def test_space_chooses_and_the_palette_assigns_and_undo_takes_it_back(page, qtbot):
    table, window = page._listing.table, page.window_
    table.setFocus()
    press(table, Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_Space)
    press(table, Qt.Key.Key_Down, with_=Qt.KeyboardModifier.ShiftModifier)
    assert "3 items chosen" in said_in(page)
    page.action("items.assign").trigger()
    wait(window)
    QTest.keyClicks(QApplication.focusWidget(), "ana")
    press(QApplication.focusWidget(), Qt.Key.Key_Return)
    wait(window)
    assert page.said().startswith("3 assigned, 0 stood already")
    assert assigned(window, "ana") == 3
    window.undo()
    wait(window)
    assert assigned(window, "ana") == 0


def assigned(window, handle: str) -> int:
    with window.opened().store.read() as session:
        return assign.load(session, "annotate").get(people.find(session, handle).id, 0)


def test_enter_shows_what_happened_to_an_item_and_escape_closes_it(page):
    table = page._listing.table
    table.setFocus()
    press(table, Qt.Key.Key_Return)
    wait(page.window_)
    assert "demo brought in" in said_in(page._beside)
    press(table, Qt.Key.Key_Escape)
    assert page._beside.isHidden()


def test_a_query_is_answered_by_keys_and_the_keys_stay_on_the_page(page):
    window, table = page.window_, page._listing.table
    item = page._listing.model.row(0).id
    with window.opened().store.write() as session:
        notes.open_query(session, item, person=people.find(session, "ana").id, text="Which one is meant?")
    window.activateWindow()
    table.setFocus()
    press(table, Qt.Key.Key_Return)
    wait(window)
    press(table, Qt.Key.Key_F6)
    QTest.keyClicks(QApplication.focusWidget(), "The first.")
    press(QApplication.focusWidget(), Qt.Key.Key_Tab)
    press(QApplication.focusWidget(), Qt.Key.Key_Return)
    wait(window)
    assert "The first." in said_in(page._beside)
    assert page.isAncestorOf(QApplication.focusWidget())
    press(QApplication.focusWidget(), Qt.Key.Key_Escape)


def test_every_cell_says_its_column_to_a_reader(page):
    row = [page._listing.model.index(0, n) for n in range(page._listing.model.columnCount())]
    spoken = [index.data(Qt.ItemDataRole.AccessibleTextRole) for index in row]
    assert "Key: cm-0000" in spoken
    assert "Answers: 0 answers of 3" in spoken
    assert row[1].data(CELL).strong


def test_a_file_is_read_on_trial_and_only_the_good_rows_come_in(page, tmp_path):
    file = tmp_path / "ümlaut 😀.jsonl"
    rows = [{"id": "n1", "question": "Is it?"}, {"id": "n2"}, {"id": "cm-0001", "question": "Changed?"}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    window = page.window_
    window.go("items", file=str(file))
    wait(window)
    words = said_in(page._bring)
    assert "1 of 3 rows cannot be read yet; nothing has been brought in" in words
    assert "line 2" in words and "question" in words
    assert page._bring._take.text() == "Bring 2 rows in"
    QTest.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    wait(window)
    assert page.said().startswith("1 new, 1 changed, 0 as they were. 1 refused")
    assert page._listing.model.rowCount() == 251
    assert (tmp_path / f"{file.name}.refused.jsonl").exists()


def test_a_file_that_is_nothing_is_refused_in_a_sentence_and_can_be_read_again(page, tmp_path):
    file = tmp_path / "broken.json"
    file.write_text('[{"id": "n1", ', "utf-8")
    window = page.window_
    window.go("items", file=str(file))
    wait(window)
    assert "Nothing has been brought in." in said_in(page._bring)
    assert not page.action("items.take").isEnabled()
    file.write_text('[{"id": "n1", "question": "Is it?"}]', "utf-8")
    QTest.keyClick(window, Qt.Key.Key_F5)
    wait(window)
    assert "1 new, 0 changed, 0 as they are." in said_in(page._bring)


def test_an_empty_project_says_what_to_do_next(tmp_path, qapp):
    with opened(make_project(tmp_path, n=0)) as window:
        window.go("items")
        wait(window)
        assert "No items yet" in said_in(window.page())
        assert "Drop a CSV" in said_in(window.page())


def test_dots_show_who_said_the_same_and_who_did_not(tmp_path, qapp):
    lived_in.make(tmp_path / "Demo.goldsmith")
    with opened(tmp_path / "Demo.goldsmith") as window:
        window.go("items")
        wait(window)
        listing = window.page()._listing
        names = [column.name for column in listing.model.columns]
        shown = {listing.model.row(n).key: tuple(
            listing.model.index(n, names.index(name)).data(CELL) for name in ("answers", "people"))
            for n in range(listing.model.rowCount())}
        assert any(cell.dots == ("same", "same", "same") and people.text == "agree" for cell, people in shown.values())
        differ = [cell.dots for cell, people in shown.values() if people.text in ("differ", "settled")]
        assert differ and all("other" in dots for dots in differ)
        assert any("none" in cell.dots for cell, _ in shown.values())
