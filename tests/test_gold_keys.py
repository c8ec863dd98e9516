"""The keys of the page Gold where their deed is not possible: they say why, and what was typed stays."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from annotation import adjudicating, people
from annotation.answers import Slot
from annotation.store.opening import open_store
from exports import outlook
from tests.rating_world import item_of
from tests.results_world import CTRL, SHIFT, go, key, make, texts, type_into
from tests.windows import opened

RELEASE, WITHOUT, EXPORT = ((Qt.Key.Key_Return, CTRL), (Qt.Key.Key_Return, CTRL | SHIFT), (Qt.Key.Key_E, CTRL | SHIFT))


@pytest.fixture
def project(tmp_path):
    """One in which nothing waits: what ana and ben differ on is decided."""
    path = make(tmp_path)
    with open_store(path) as store, store.write() as session:
        adjudicating.adjudicate(session, item_of(session, "a2"), {Slot("colour"): {"v": "red"}},
                                by=people.find(session, "demo").id, reason="seen again")
    return path


def drawn(project):
    with open_store(project, read_only=True) as store, store.read() as session:
        return [(one.version, one.kind) for one in outlook.releases(session)]


def test_leaving_out_where_nothing_waits_says_so_and_what_makes_the_release(project):
    with opened(project) as window:
        page = go(window, Qt.Key.Key_7)
        key(window, WITHOUT)
        assert page.said() == "Only a final release leaves out what waits. Enter its version first, such as 1.0."
        type_into(window, "gold:version", "1.0")
        key(window, WITHOUT)
        assert page.said() == "Nothing waits that could be left out. Ctrl Return makes release 1.0."
        assert texts(window, "gold:releases") == []
        key(window, (Qt.Key.Key_Enter, CTRL))
        assert "Release 1.0 is drawn" in page.said()
    assert drawn(project) == [("1.0", "final")]


def test_a_release_that_is_held_up_says_by_what(tmp_path):
    with opened(make(tmp_path, all_of_them=False)) as window:
        page = go(window, Qt.Key.Key_7)
        type_into(window, "gold:version", "1.0")
        key(window, RELEASE)
        assert page.said() == window.findChild(QWidget, "gold:way").text() != ""
        assert "Settle them or leave them out." in page.said()
        key(window, WITHOUT)
        assert "Release 1.0 is drawn" in page.said()


def test_a_project_without_gold_says_that_there_is_nothing(tmp_path):
    with opened(make(tmp_path, said=False)) as window:
        page = go(window, Qt.Key.Key_7)
        for pressed in (RELEASE, EXPORT):
            key(window, pressed)
            assert page.said(), pressed
            page.hush()


def test_exporting_with_a_version_typed_keeps_it_and_says_that_a_draft_was_drawn(project, tmp_path):
    with opened(project) as window:
        page = go(window, Qt.Key.Key_7)
        type_into(window, "gold:version", "1.0")
        type_into(window, "gold:note", "the first")
        type_into(window, "gold:path", str(tmp_path / "out"))
        key(window, EXPORT)
        assert page.said() == ("What is exported is a draft, 0.1. Release 1.0 is not drawn yet. Ctrl Return makes it.")
        assert "Release 0.1" in window.findChild(QWidget, "gold:written").text()
        assert [window.findChild(QLineEdit, name).text() for name in ("gold:version", "gold:note")] == [
            "1.0", "the first"]
        key(window, RELEASE)
        assert "Release 1.0 is drawn" in page.said()
    assert sorted(drawn(project)) == [("0.1", "draft"), ("1.0", "final")]
    assert json.loads((tmp_path / "out/manifest.json").read_text("utf-8"))["version"] == "0.1"
