"""Signing: where the protocol says "sitting" the name is asked once, and again of everybody who sits down after."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit
from sqlalchemy import select

from annotation import people, protocol, review
from annotation.errors import Refused
from annotation.store import opening
from annotation.store.tables import Event, Person, SignOff
from app.project import sit_down
from app.settings import Settings
from tests.desk import CTRL, NO, PEOPLE, Desk, answer, make

PROTOCOL = """\
id: desk
version: 1
title: A desk
fields: [{name: text, kind: text, label: Text}]
questions: [{name: q, type: choice, text: Which?, options: [{value: red}, {value: blue}]}]
workflow: {stages: [annotate, sign], people_per_item: 1, sign: {role: physician WHEN}}
gold: {q: {rule: majority, min_people: 1}}
"""
SITTING, ITEM = ", reauthenticate: sitting", ", reauthenticate: item"
DOCTORS = {**PEOPLE, "dr-eva": ("physician",), "dr-max": ("physician",)}


def project(folder: Path, when: str) -> Path:
    path = make(folder, PROTOCOL.replace(" WHEN", when), [{"id": f"i{n}", "text": f"text {n}"} for n in range(4)],
                persons=DOCTORS)
    answer(path, "ana", lambda _task: {"q": {"v": "blue"}})
    return path


def signatures(desk: Desk) -> list[tuple[str, str]]:
    """(who, method) of every signature, oldest first."""
    return [tuple(row) for row in desk.read(select(Person.handle, SignOff.method).join(
        Person, Person.id == SignOff.person).where(SignOff.kind == "sign").order_by(SignOff.id))]


def sign(desk: Desk, keys: str = "") -> str:
    """Sign the item that is shown, by what is typed and Return; returns the key of the next."""
    shown, n = desk.item, len(signatures(desk))
    desk.keys(keys)
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Return)  # once too often: it goes nowhere while the next item is read
    desk.wait(lambda: len(signatures(desk)) == n + 1)
    return desk.wait_for_item(other_than=shown)


def is_asked(desk: Desk) -> bool:
    return desk.find("sign:name", QLineEdit).isVisible()


def test_the_name_is_entered_once_in_a_sitting_and_each_signature_says_how(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, project(tmp_path, SITTING), "dr-eva") as desk:
        desk.wait_for_item()
        assert is_asked(desk) and "It is asked once, until somebody else sits down." in desk.texts()
        sign(desk, "dr-eva")
        assert not is_asked(desk) and "You sign as dr-eva. The name was entered at " in desk.texts()
        assert desk.focus() is desk.find("sign:button")
        sign(desk)
        sign(desk)
        assert signatures(desk) == [("dr-eva", "name"), ("dr-eva", "sitting"), ("dr-eva", "sitting")]
        [first, *_rest] = [row[0] for row in desk.read(select(SignOff.id).order_by(SignOff.id))]
        named = [row[0].get("entered_at") for row in desk.read(
            select(Event.ids_json).where(Event.verb == "sign").order_by(Event.seq))]
        assert named == [None, first.hex, first.hex]


@pytest.mark.parametrize("when", [ITEM, ""])
def test_without_the_word_the_name_is_entered_at_each_item(qtbot, tmp_path: Path, when: str) -> None:
    with Desk(qtbot, project(tmp_path, when), "dr-eva") as desk:
        desk.wait_for_item()
        sign(desk, "dr-eva")
        name = desk.find("sign:name", QLineEdit)
        desk.wait(name.hasFocus)
        assert is_asked(desk) and name.text() == ""
        assert "Enter your name to sign" in desk.texts() and "asked once" not in desk.texts()
        desk.press(Qt.Key.Key_Return)
        assert "Enter your name, then sign." in desk.texts() and len(signatures(desk)) == 1


def test_whoever_sits_down_next_is_asked_and_so_is_who_comes_back(qtbot, tmp_path: Path) -> None:
    path = project(tmp_path, SITTING)
    with Desk(qtbot, path, "dr-eva") as desk:
        desk.wait_for_item()
        sign(desk, "dr-eva")
        assert not is_asked(desk)
        for handle in ("dr-max", "dr-eva"):
            opened = desk.window.opened()
            desk.window.attach(sit_down(opened.store, opened.project, handle))
            desk.go("work")
            desk.wait_for_item()
            assert is_asked(desk), f"{handle} was not asked"
            if handle == "dr-max":
                desk.keys("dr-eva")
                desk.press(Qt.Key.Key_Return)
                desk.wait(lambda: "'dr-eva' is not your name" in desk.texts())
                desk.find("sign:name", QLineEdit).clear()
                sign(desk, handle)
        assert signatures(desk) == [("dr-eva", "name"), ("dr-max", "name")]
    with Desk(qtbot, path, "dr-max") as desk:  # the program begun again
        desk.wait_for_item()
        assert is_asked(desk)


def test_a_signature_taken_back_leaves_the_name_entered(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, project(tmp_path, SITTING), "dr-eva") as desk:
        first = desk.wait_for_item()
        sign(desk, "dr-eva")
        desk.press("z", CTRL)
        desk.wait(lambda: desk.item == first)
        assert not is_asked(desk)
        desk.wait(lambda: desk.focus() is desk.find("sign:button"))
        sign(desk)
        assert [method for _who, method in signatures(desk)] == ["name", "sitting"]


def test_who_does_not_work_here_any_more_signs_nothing_with_the_window_still_open(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, project(tmp_path, SITTING), "dr-eva") as desk:
        desk.wait_for_item()
        sign(desk, "dr-eva")
        with desk.window.opened().store.write() as session:
            people.set_active(session, "dr-eva", active=False, by=people.find(session, "owner").id)
        desk.press(Qt.Key.Key_Return)
        desk.wait(lambda: "does not work in this project any more" in desk.page.said() + desk.texts())
        assert len(signatures(desk)) == 1


@pytest.mark.parametrize("restart", [False, True])
def test_undo_in_the_empty_box_takes_the_signature_back_and_enters_no_name(
        qtbot, tmp_path: Path, restart: bool) -> None:
    path = project(tmp_path, ITEM)
    desk = Desk(qtbot, path, "dr-eva")
    signed = desk.wait_for_item()
    sign(desk, "dr-eva")
    if restart:
        desk.close()
        desk = Desk(qtbot, path, "dr-eva")
        desk.wait_for_item()
    with desk:
        desk.wait(lambda: desk.find("sign:name", QLineEdit).hasFocus())
        desk.press("z", CTRL)
        desk.wait(lambda: desk.read(select(SignOff.kind).where(SignOff.kind == "unsign")))
        assert desk.find("sign:name", QLineEdit).text() == ""
        desk.wait(lambda: desk.item == signed)


def test_a_key_that_is_held_signs_one_item(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, project(tmp_path, SITTING), "dr-eva") as desk:
        desk.wait_for_item()
        shown = sign(desk, "dr-eva")
        for _ in range(5):
            QApplication.sendEvent(desk.focus(), QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, NO, "\r", True))
        assert desk.item == shown and len(signatures(desk)) == 1
        assert not any(desk.window.findChild(QAction, name).autoRepeat() for name in ("item.submit", "item.sign"))


def test_an_earlier_signature_stands_for_the_name_only_where_it_may(tmp_path: Path) -> None:
    def try_to(when: str, at: Any, who: str = "dr-eva") -> None:
        folder = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        with opening.open_store(project(folder, when)) as store, store.write() as session:
            eva, other = people.find(session, "dr-eva").id, people.find(session, who).id
            first, second, *_rest = review.signing_queue(session, eva)
            done = review.sign(session, first.item, by=eva, name_entered="dr-eva")
            review.sign(session, second.item, by=other, entered_at=at(session, done))

    try_to(SITTING, lambda _session, done: done.value)
    with pytest.raises(Refused, match="entered at each item"):
        try_to(ITEM, lambda _session, done: done.value)
    with pytest.raises(Refused, match="enter your name"):
        try_to(SITTING, lambda _session, done: done.value, "dr-max")
    with pytest.raises(Refused, match="enter your name"):
        try_to(SITTING, lambda session, done: people.find(session, "ana").id)


def test_the_shipped_protocol_asks_once_and_the_default_asks_each_time() -> None:
    assert protocol.load(protocol.find("cancer-myth-verify")).workflow.sign.reauthenticate == "sitting"
    assert protocol.loads(PROTOCOL.replace(" WHEN", "")).workflow.sign.reauthenticate == "item"


def test_where_one_signs_is_in_sight_at_large_text(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, project(tmp_path, SITTING), "dr-eva") as desk:
        settings = desk.window.findChild(Settings)
        settings.set("text_size", 200)
        try:
            desk.wait_for_item()
            for keys, name in (("dr-eva", "sign:name"), ("", "sign:button")):
                stop = desk.find(name)
                desk.wait(lambda stop=stop: stop.hasFocus() and all(
                    part.visibleRegion().boundingRect() == part.rect() for part in (stop, desk.find("sign:button"))))
                sign(desk, keys)
        finally:
            settings.set("text_size", 100)
