"""Home, People, Protocol and Preferences by keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit

from annotation import people
from app import lived_in, theme
from app.parts.line import LineInPlace
from tests.windows import make_project, opened, wait


@pytest.fixture
def window(tmp_path, qapp):
    with opened(make_project(tmp_path)) as made:
        made.activateWindow()
        QTest.qWaitForWindowActive(made)
        yield made


def open_page(window, name: str):
    window.go(name)
    wait(window)
    return window.page()


def said_in(widget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def type_in(words: str) -> None:
    QTest.keyClicks(QApplication.focusWidget(), words)


def press(key, with_=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(QApplication.focusWidget(), key, with_)


def roles(window, handle: str) -> tuple[str, ...]:
    with window.opened().store.read() as session:
        return people.find(session, handle).roles


# --- home -----------------------------------------------------------------------------------------------------------

def test_home_says_in_one_sentence_what_waits_and_a_digit_begins_it(tmp_path, qapp):
    lived_in.make(tmp_path / "Demo.goldsmith")
    with opened(tmp_path / "Demo.goldsmith", person="ana") as window:
        window.activateWindow()
        QTest.qWaitForWindowActive(window)
        home = window.page()
        words = said_in(home)
        assert "3 items, about 2 minutes at your pace" in words
        assert "Yes, after surgery; the guideline says so now." in words
        QTest.keyClick(home, Qt.Key.Key_1)
        wait(window)
        assert window.page().name == "work"


def test_home_of_an_empty_project_leads_to_the_import(tmp_path, qapp):
    with opened(make_project(tmp_path, n=0)) as window:
        assert "No items yet" in said_in(window.page())
        assert "Bring items in" in [b.text() for b in window.page().findChildren(QAbstractButton) if b.isVisible()]


def test_home_of_an_owner_for_whom_nothing_waits_leads_to_those_who_have_the_work(tmp_path, qapp):
    with opened(make_project(tmp_path, n=2)) as window:
        window.activateWindow()
        QTest.qWaitForWindowActive(window)
        words = [b.text() for b in window.page().findChildren(QAbstractButton) if b.isVisible()]
        assert "Another person sits down" in words and "See my answers" not in words
        QTest.keyClick(window.page(), Qt.Key.Key_Return)
        wait(window)
        assert "Who sits down?" in [b.placeholderText() for b in window.findChildren(QLineEdit) if b.isVisible()]
        QTest.keyClick(window, Qt.Key.Key_Escape)


# --- people -----------------------------------------------------------------------------------------------------------

def test_a_person_is_added_by_keys_and_a_taken_handle_is_said_below_the_field(window):
    page = open_page(window, "people")
    QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    type_in("ana")
    press(Qt.Key.Key_Return)
    wait(window)
    assert "There is a person 'ana' already" in said_in(page)
    QApplication.focusWidget().selectAll()
    type_in("zoe")
    press(Qt.Key.Key_Tab)
    type_in("Zoe Unal")
    press(Qt.Key.Key_Return)
    wait(window)
    assert roles(window, "zoe") == ("annotator",)
    QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    type_in("dua")
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Tab, Qt.Key.Key_Down, Qt.Key.Key_Return):  # Return in the roles adds too
        press(key)
    wait(window)
    assert roles(window, "dua") == ("verifier",)
    assert "7 people" in page._head._label.accessibleName()


def test_roles_are_given_and_taken_with_space_and_undo_puts_them_back(window):
    page = open_page(window, "people")
    page._table.setFocus()
    press(Qt.Key.Key_Down)  # ben
    page._roles["verifier"].setFocus()
    press(Qt.Key.Key_Space)
    wait(window)
    assert roles(window, "ben") == ("annotator", "verifier")
    assert page._roles["verifier"].isChecked()
    window.undo()
    wait(window)
    assert roles(window, "ben") == ("annotator",)


def test_assigning_all_items_says_how_many(window):
    page = open_page(window, "people")
    page._assign.setFocus()
    press(Qt.Key.Key_Return)
    wait(window)
    assert page.said() == "12 assigned, 0 stood already. Ctrl Z takes it back."


# --- protocol ---------------------------------------------------------------------------------------------------------

def test_the_protocol_in_use_is_shown_with_its_form(window):
    page = open_page(window, "protocol")
    assert page._code.toPlainText().startswith("id: cancer-myth-verify")
    assert "Is the assumption false?" in said_in(page)
    assert "The check found no fault." in said_in(page)


def test_faults_of_a_file_stand_below_with_their_lines(window, tmp_path):
    page = open_page(window, "protocol")
    text = page._code.toPlainText().replace("type: choice", "type: choise", 1)
    line = 1 + text[: text.index("choise")].count("\n")
    file = tmp_path / "broken.yaml"
    file.write_text(text, "utf-8")
    page._check(str(file))
    wait(window)
    [first, *_] = [one for one in page.findChildren(LineInPlace) if one.isVisible()]
    assert first.text().startswith(f"Line {line}, questions.0.type")
    assert line in set(page._code.marked())
    QTest.keyClick(window, Qt.Key.Key_F5)
    wait(window)
    assert any(one.text().startswith(f"Line {line}") for one in page.findChildren(LineInPlace) if one.isVisible())


# --- preferences ------------------------------------------------------------------------------------------------------

def test_every_setting_is_on_the_page_and_changes_at_once(window):
    window._settings.set("theme", "system")
    page = open_page(window, "preferences")
    page._shown["theme"].setFocus()
    press(Qt.Key.Key_Down)  # as the system -> light
    press(Qt.Key.Key_Down)  # -> dark
    try:
        assert theme.look.theme == "dark"
        assert window._settings.get("theme") == "dark"
        page._shown["text_size"]._more.setFocus()
        press(Qt.Key.Key_Return)
        assert theme.scale() == 1.1
        page._shown["slim_rail"].setFocus()
        press(Qt.Key.Key_Space)
        assert window._rail.width() == 56
    finally:
        for name, value in (("theme", "light"), ("text_size", 100), ("slim_rail", False)):
            window._settings.set(name, value)
