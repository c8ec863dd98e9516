"""Work: whoever presses the key of an option that opens a text and goes on typing has typed text, nothing else."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit

from annotation import protocol
from tests.desk import CTRL, NO, Desk, make, make_from_shelf

HEAD = """\
id: desk
version: 1
title: A desk
fields: [{name: text, kind: text, label: Text, required: true}]
workflow: {stages: [annotate], people_per_item: 3}
questions:
"""
FIRST = "  - {name: first, type: choice, text: First?, options: [{value: red, key: r}, {value: blue, key: b}]}\n"
BOTHER = ("  - {name: other, type: choice, text: Other?, required: false, "
          "options: [{value: x, key: x}, {value: y, key: y}]}\n")
TEXT = "x y r b 1 2 3"  # every sign of it is somebody's key


def desk_of(qtbot: Any, folder: Path, questions: str, **more: Any) -> Desk:
    return Desk(qtbot, make(folder, HEAD + questions, [{"id": "i1", "text": "a red door"}]), "ana", **more)


def stored(desk: Desk) -> dict[str, Any]:
    [(_key, _who, answers)] = desk.wait_for_revisions(1)
    return answers


# The ways on the shelf from an option to a text: keys up to the option, then what is typed, then what is stored.
SHELF: dict[str, list[tuple[str, str, dict[str, Any]]]] = {
    "cancer-myth-verify": [("y\t2", " nyu 3", {"is_false": {"v": "yes"}, "sound": {"v": "repair"},
                                              "repaired": " nyu 3"})],
    "qa-check": [("24", "not 12 but 45", {"verdict": {"v": "repair", "flags": ["wrong"]}, "repaired": "not 12 but 45"}),
                 ("346", "a 12 b", {"verdict": {"v": "reject", "flags": ["wrong", "ambiguous"], "reason": "a 12 b"}})],
}


def leads_to_a_text(chosen: Any) -> bool:
    return any(question.type in ("edit", "text") and question.show_if for question in chosen.asked) or any(
        getattr(question, "reason_on", ()) for question in chosen.asked)


def test_every_protocol_of_the_shelf_with_an_option_that_opens_a_text_is_tried() -> None:
    assert set(SHELF) == {name for name in protocol.shelf() if leads_to_a_text(protocol.load(protocol.find(name)))}


@pytest.mark.parametrize(("name", "n"), [(name, n) for name, ways in SHELF.items() for n in range(len(ways))])
def test_on_the_shelf_what_is_typed_after_the_option_is_the_text(qtbot, tmp_path: Path, name: str, n: int) -> None:
    keys, typed, wanted = SHELF[name][n]
    with Desk(qtbot, make_from_shelf(tmp_path, name), "ana") as desk:
        desk.wait_for_item()
        desk.keys(keys + typed + "\n")
        answers = stored(desk)
    mended = answers.get("repaired", {}).get("v")
    assert {**answers, **({"repaired": mended[-len(typed):]} if mended else {})} == wanted


@pytest.mark.parametrize("kind", ["type: text", "type: text, size: short", "type: text, required: false",
                                  "type: edit, on: text"])
def test_the_focus_goes_into_the_text_that_an_option_opens(qtbot, tmp_path: Path, kind: str) -> None:
    questions = f"{FIRST}{BOTHER}  - {{name: why, {kind}, text: Why?, show_if: {{first: [blue]}}}}\n"
    with desk_of(qtbot, tmp_path, questions) as desk:
        desk.wait_for_item()
        desk.keys("b" + TEXT + "\n")
        answers = stored(desk)
        assert answers["why"]["v"].endswith(TEXT)
        assert answers["first"] == {"v": "blue"} and "other" not in answers


def test_a_number_that_an_option_opens_takes_the_digits(qtbot, tmp_path: Path) -> None:
    questions = f"{FIRST}  - {{name: dose, type: number, text: How much?, show_if: {{first: [blue]}}}}\n"
    with desk_of(qtbot, tmp_path, questions) as desk:
        desk.wait_for_item()
        desk.keys("212\n")
        assert stored(desk) == {"first": {"v": "blue"}, "dose": {"v": 12}}


def test_the_text_opens_as_well_by_click_and_by_return(qtbot, tmp_path: Path) -> None:
    questions = f"{FIRST}  - {{name: why, type: text, text: Why?, show_if: {{first: [blue]}}}}\n"
    with desk_of(qtbot, tmp_path, questions) as desk:
        desk.wait_for_item()
        box = desk.find("q:why").findChild(QPlainTextEdit)
        qtbot.mouseClick(desk.find("q:first=blue", QAbstractButton), Qt.MouseButton.LeftButton)
        assert box.hasFocus()
        desk.press(Qt.Key.Key_Escape)
        assert desk.find("q:first=blue").hasFocus(), "Esc goes back to the options"
        desk.press(Qt.Key.Key_Return)
        assert box.hasFocus()


def test_an_answer_from_the_item_leads_into_the_text_too(qtbot, tmp_path: Path) -> None:
    questions = f"{FIRST}  - {{name: why, type: text, text: Why?, show_if: {{first: [blue]}}}}\n"
    with desk_of(qtbot, tmp_path, questions) as desk:
        desk.wait_for_item()
        desk.page.parts()[-1].setFocus()
        desk.keys("2" + TEXT + "\n")
        assert stored(desk)["why"] == {"v": TEXT}


def test_esc_and_another_key_take_the_text_away_again(qtbot, tmp_path: Path) -> None:
    questions = f"{FIRST}  - {{name: why, type: text, text: Why?, show_if: {{first: [blue]}}}}\n"
    with desk_of(qtbot, tmp_path, questions) as desk:
        desk.wait_for_item()
        desk.keys("2")
        desk.press(Qt.Key.Key_Escape)
        desk.keys("1\n")
        assert stored(desk) == {"first": {"v": "red"}}


def test_a_question_that_takes_more_keys_keeps_them_and_the_first_letter_begins_the_text(qtbot, tmp_path: Path) -> None:
    questions = ("  - {name: q, type: multichoice, text: Which?, options: [{value: a}, {value: b}, {value: c}]}\n"
                 f"{BOTHER}  - {{name: which, type: text, text: Which other?, show_if: {{q: [b]}}}}\n")
    with desk_of(qtbot, tmp_path, questions) as desk:
        desk.wait_for_item()
        desk.keys("23" + TEXT)
        desk.press(Qt.Key.Key_Escape)
        desk.keys("1x\n")  # with its text filled, a letter is another question's key again
        assert stored(desk) == {"q": {"v": ["a", "b", "c"]}, "which": {"v": TEXT}, "other": {"v": "x"}}


def test_a_verdict_without_marks_leads_into_its_reason(qtbot, tmp_path: Path) -> None:
    with desk_of(qtbot, tmp_path, "  - {name: q, type: verdict, text: Judge, reason_on: [reject]}\n" + BOTHER) as desk:
        desk.wait_for_item()
        desk.keys("3")
        assert desk.find("q:q=reason", QLineEdit).hasFocus()
        desk.keys(TEXT + "\n")
        assert stored(desk) == {"q": {"v": "reject", "reason": TEXT}}


def test_an_option_that_opens_no_text_leaves_the_focus_where_it_is(qtbot, tmp_path: Path) -> None:
    questions = f"{FIRST}  - {{name: why, type: text, text: Why?, show_if: {{first: [blue]}}}}\n"
    with desk_of(qtbot, tmp_path, questions) as desk:
        desk.wait_for_item()
        desk.keys("1")
        assert desk.find("q:first=red").hasFocus()
        desk.press("z", CTRL)
        assert desk.find("q:first=red").hasFocus(), "an undo leads nowhere"


def test_an_undo_that_takes_the_text_away_leads_back_to_the_options(qtbot, tmp_path: Path) -> None:
    questions = f"{FIRST}  - {{name: why, type: text, text: Why?, show_if: {{first: [blue]}}}}\n"
    with desk_of(qtbot, tmp_path, questions) as desk:
        desk.wait_for_item()
        desk.keys("2abc")
        for _ in range(3):
            desk.press("z", CTRL)
        assert desk.find("q:first").isAncestorOf(desk.focus()), "the focus is on no button of the foot"
        desk.keys("1\n")
        assert stored(desk) == {"first": {"v": "red"}}


def test_the_digit_held_too_long_writes_nothing_into_the_text(qtbot, tmp_path: Path) -> None:
    questions = f"{FIRST}  - {{name: why, type: text, text: Why?, show_if: {{first: [blue]}}}}\n"
    with desk_of(qtbot, tmp_path, questions) as desk:
        desk.wait_for_item()
        desk.keys("2")
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease) * 3:
            QApplication.sendEvent(desk.focus(), QKeyEvent(kind, Qt.Key.Key_2, NO, "2", True))
        desk.keys("22\n")
        assert stored(desk)["why"] == {"v": "22"}


def test_the_text_is_in_sight_in_a_low_window(qtbot, tmp_path: Path) -> None:
    many = "".join(f"  - {{name: n{k}, type: choice, text: 'N{k}?', required: false, options: [{{value: a}}, "
                   f"{{value: b}}]}}\n" for k in range(4))
    questions = f"{FIRST}{many}  - {{name: why, type: text, text: Why?, show_if: {{first: [blue]}}}}\n"
    with desk_of(qtbot, tmp_path, questions, size=(1000, 600)) as desk:
        desk.wait_for_item()
        desk.keys("2")
        box = desk.find("q:why").findChild(QPlainTextEdit)
        assert box.hasFocus()
        desk.wait(lambda: box.visibleRegion().boundingRect() == box.rect())
