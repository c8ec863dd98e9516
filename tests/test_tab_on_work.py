"""Work: Tab goes through the questions, then through what else the answers have, to Submit, and then to the rail."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from annotation import protocol
from tests.desk import NO, PEOPLE, Desk, answer, make, make_from_shelf

SHIFT = Qt.KeyboardModifier.ShiftModifier
FOOT = ["Skip", "Flag", "Query", "Submit"]
# The keys of one whole item, and where they go on: the second item has other widgets, made after all else.
ONE = {"cancer-myth-verify": "n\n", "cancer-myth-score": "3\n", "preference-pair": "18\n", "qa-check": "1\n",
       "stare": "1\n", "trustjudge": "1\n", "vlm-geoprivacy": "1\t1\t2\t3\t3\t2\t1\n"}


def place_of(desk: Desk) -> str:
    """Where the focus is: the question, a button of the foot, the rail, or elsewhere."""
    focus: QWidget | None = QApplication.focusWidget()
    foot = desk.page.findChild(QWidget, "work:missing").parentWidget()
    for name, button in (("Skip", foot.skip), ("Flag", foot.flag), ("Query", foot.query), ("Submit", foot.submit)):
        if focus is button:
            return name
    while focus is not None:
        name = focus.objectName()
        if name.startswith("sign:") or (name.startswith("q:") and "=" not in name):
            return name
        if name.startswith("rail:"):
            return "rail"
        focus = focus.parentWidget()
    return "elsewhere"


def walk(desk: Desk, key: Qt.Key = Qt.Key.Key_Tab, modifiers: Qt.KeyboardModifier = NO) -> list[str]:
    """The places on the way to the rail, each once."""
    places = [place_of(desk)]
    for _ in range(60):
        desk.press(key, modifiers)
        if place_of(desk) != places[-1]:
            places.append(place_of(desk))
        if places[-1] == "rail":
            return places
    raise AssertionError(f"Tab does not come to the rail: {places}")


def questions_of(desk: Desk) -> list[str]:
    """The questions that are asked now, from top to bottom."""
    found = [one for one in desk.page.findChildren(QWidget)
             if one.objectName().startswith("q:") and "=" not in one.objectName() and one.parentWidget().isVisible()]
    return [one.objectName() for one in sorted(found, key=lambda one: one.parentWidget().y())]


def test_every_protocol_of_the_shelf_is_walked() -> None:
    assert set(ONE) == set(protocol.shelf())


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("size", [(1280, 720), (900, 700)])
def test_tab_goes_from_the_questions_over_the_other_things_to_submit_and_to_the_rail(
        qtbot, tmp_path: Path, name: str, size: tuple[int, int]) -> None:
    with Desk(qtbot, make_from_shelf(tmp_path, name), "ana", size=size) as desk:
        first = desk.wait_for_item()
        desk.keys(ONE[name])
        desk.wait_for_item(other_than=first)
        assert walk(desk) == [*questions_of(desk), *FOOT, "rail"]


def test_an_opened_text_stands_in_this_order_and_shift_tab_goes_the_same_way_back(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, make_from_shelf(tmp_path, "cancer-myth-verify"), "ana") as desk:
        desk.wait_for_item()
        desk.keys("y\t2")
        assert walk(desk) == ["q:repaired", "q:note", *FOOT, "rail"]
        back = []
        while not back or back[-1] != "q:is_false":
            desk.press(Qt.Key.Key_Tab, SHIFT)
            back.append(place_of(desk))
        assert back == [*reversed(FOOT), "q:note", "q:repaired", "q:sound", "q:is_false"]


def test_the_order_holds_where_later_items_have_other_fields_and_the_same_questions(qtbot, tmp_path: Path) -> None:
    text = """\
id: desk
version: 1
title: A desk
fields: [{name: text, kind: text}, {name: code, kind: table}]
questions: [{name: q, type: choice, text: Which?, options: [{value: red}, {value: blue}]}]
workflow: {stages: [annotate], people_per_item: 3}
"""
    rows = [{"id": "a", "text": "words"}, {"id": "b", "code": "x,y\n1,2"}, {"id": "c", "text": "words"}]
    with Desk(qtbot, make(tmp_path, text, rows), "ana") as desk:
        item = None
        for _ in rows:
            item = desk.wait_for_item(other_than=item)
            assert walk(desk) == ["q:q", *FOOT, "rail"]
            desk.press(Qt.Key.Key_F6)
            desk.keys("1\n")


def test_who_signs_goes_from_the_name_to_the_signature_and_the_foot(qtbot, tmp_path: Path) -> None:
    text = """\
id: desk
version: 1
title: A desk
fields: [{name: text, kind: text}]
questions: [{name: q, type: choice, text: Which?, options: [{value: red}, {value: blue}]}]
workflow: {stages: [annotate, sign], people_per_item: 1, sign: {role: physician}}
gold: {q: {rule: majority, min_people: 1}}
"""
    path = make(tmp_path, text, [{"id": "a", "text": "x"}], persons={**PEOPLE, "eva": ("physician",)})
    answer(path, "ana", lambda _task: {"q": {"v": "red"}})
    with Desk(qtbot, path, "eva") as desk:
        desk.wait_for_item()
        desk.keys("eva")
        assert walk(desk) == ["sign:name", "sign:button", "Flag", "Query", "rail"]
