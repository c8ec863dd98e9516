"""Verify, adjudicate, sign and look back: by keys, people hidden, and each can be taken back."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QTextBrowser
from sqlalchemy import select

from annotation.store.tables import Adjudication, Item, SignOff, Withdrawal
from app import theme
from tests.desk import CTRL, Desk, answer, make
from tests.driver import column_that_says

PEOPLE = {"ana": ("annotator",), "ben": ("annotator",), "cem": ("annotator",), "dr-eva": ("verifier", "physician")}
PROTOCOL = """\
id: desk
version: 1
title: A desk
fields:
  - {name: text, kind: text, label: Text, required: true}
questions:
  - {name: q, type: choice, text: Which?, options: [{value: red}, {value: blue}, {value: green}]}
  - {name: mended, type: edit, text: Mend it, on: text, show_if: {q: [red]}}
workflow:
  stages: [annotate, %s adjudicate, sign]
  people_per_item: 3
%s  adjudicate: {when: no_value, role: physician, reason: required}
  sign: {role: physician}
gold: {q: {rule: majority, min_people: 2}, mended: {rule: adjudicated}}
"""
PAIRS = """\
id: pairs
version: 1
title: Pairs
fields:
  - {name: pair, kind: candidates, label: Answers, required: true}
questions:
  - {name: better, type: pairwise, text: Which?, on: pair}
workflow:
  stages: [annotate, adjudicate]
  people_per_item: 2
  adjudicate: {when: no_value, role: physician, reason: required}
gold: {better: {rule: majority, min_people: 2}}
"""
ROWS = [{"id": f"i{n}", "text": f"the door number {n}"} for n in range(2)]


def project(folder: Path, said: dict[str, Any], *, verify: str = "") -> Path:
    """Each person gives the same answer to both items."""
    path = make(folder, PROTOCOL % (
        ("verify,", f"  verify: {{only: all, shows: {verify}}}\n") if verify else ("", "")), ROWS, persons=PEOPLE)
    for handle, value in said.items():
        answer(path, handle, value if callable(value) else lambda _task, value=value: value)
    return path


def differing(folder: Path) -> Path:
    return project(folder, {"ana": {"q": {"v": "blue"}}, "ben": {"q": {"v": "green"}}, "cem": lambda task: {
        "q": {"v": "red"}, "mended": {"v": task.fields["text"].replace("the", "a")}}})


def decided(desk: Desk) -> list[tuple[str, str, str, str]]:
    cancelled = {row[0] for row in desk.read(select(Adjudication.cancels)) if row[0] is not None}
    rows = desk.read(select(Adjudication.id, Item.key, Adjudication.question, Adjudication.value_json,
                            Adjudication.reason).join(Item, Item.id == Adjudication.item).order_by(Adjudication.id))
    return [(key, question, (value or {}).get("v"), reason) for made, key, question, value, reason in rows
            if made not in cancelled and value is not None]


def cells(desk: Desk) -> list[QTextBrowser]:
    """What is shown; a grid that was laid out anew goes a moment later."""
    return [cell for cell in desk.page.findChildren(QTextBrowser) if cell.isVisible()]


def column_of(desk: Desk, words: str) -> int:
    """The number of the answer that says this; the order of people is another at every item."""
    for cell in cells(desk):
        if cell.accessibleName().endswith(f": {words}"):
            return int(cell.accessibleName().split()[1].rstrip(":"))
    raise AssertionError(words)


def test_a_digit_takes_a_column_and_the_decision_wants_a_reason(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, differing(tmp_path), "dr-eva", page="adjudicate") as desk:
        first = desk.wait_for_item()
        assert "differ" in desk.texts() and "people hidden" in desk.texts()
        assert not any(name in desk.texts() for name in ("ana", "ben", "cem"))
        blue = column_of(desk, "Blue")
        desk.keys("\n")
        assert "Choose an answer first, by its number." in desk.texts() and not decided(desk)
        desk.press(str(blue))
        assert "Choose an answer first" not in desk.texts()
        assert desk.find(f"answer:{blue}", QAbstractButton).isChecked()
        reason = desk.find("adjudicate:reason", QLineEdit)
        assert reason.hasFocus()
        desk.keys("\n")
        assert "Say why" in desk.texts() and not decided(desk)
        desk.keys("It says so.\n")
        desk.wait_for_item(other_than=first)
        desk.wait(lambda: decided(desk) == [(first, "q", "blue", "It says so.")])
        assert reason.text() == ""


def test_a_text_is_shown_as_a_diff_with_what_was_taken_out_and_put_in(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, differing(tmp_path), "dr-eva", page="adjudicate") as desk:
        desk.wait_for_item()
        cell = next(one for one in cells(desk) if "a the" in one.toPlainText()
                    or "the a" in one.toPlainText())
        faces = {}
        block = cell.document().begin()
        at = block.begin()
        while not at.atEnd():
            run = at.fragment()
            faces[run.text().strip()] = (run.charFormat().fontStrikeOut(), run.charFormat().fontUnderline())
            at += 1
        assert faces["the"] == (True, False) and faces["a"] == (False, True)


def test_what_nobody_was_asked_stands_back_in_its_colour(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, differing(tmp_path), "dr-eva", page="adjudicate") as desk:
        desk.wait_for_item()
        inks = {cell.document().begin().begin().fragment().charFormat().foreground().color().name()
                for cell in cells(desk) if cell.toPlainText() == "not asked"}
        assert inks == {theme.color("ink2").name()} and theme.color("ink2") != theme.color("ink")


def test_an_optional_question_that_was_asked_and_left_empty_says_so(qtbot, tmp_path: Path) -> None:
    text = (PROTOCOL % ("", "")).replace("workflow:", "  - {name: note, type: text, text: Note, required: false}\n"
                                         "workflow:", 1)
    path = make(tmp_path, text, ROWS, persons=PEOPLE)
    for handle, given in (("ana", {"q": {"v": "blue"}, "note": {"v": "Look again."}}), ("ben", {"q": {"v": "green"}}),
                          ("cem", lambda task: {"q": {"v": "red"}, "mended": {"v": task.fields["text"] + "!"}})):
        answer(path, handle, given if callable(given) else lambda _task, given=given: given)
    with Desk(qtbot, path, "dr-eva", page="adjudicate") as desk:
        desk.wait_for_item()
        said = [text.toPlainText() for text in cells(desk)]
        assert said.count("left empty") == 2 and said.count("not asked") == 2  # the note; what is mended, of two
        desk.press(str(column_of(desk, "Look again.")))
        assert desk.find("adjudicate:reason", QLineEdit).hasFocus()


def test_a_decision_is_taken_back_and_the_case_waits_again(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, differing(tmp_path), "dr-eva", page="adjudicate") as desk:
        first = desk.wait_for_item()
        desk.press(str(column_of(desk, "Green")))
        desk.keys("why\n")
        desk.wait(lambda: len(decided(desk)) == 1)
        desk.wait_for_item(other_than=first)
        desk.press("z", CTRL)
        desk.wait(lambda: decided(desk) == [])
        desk.wait_for_item()


def test_values_are_mended_before_they_are_taken(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, differing(tmp_path), "dr-eva", page="adjudicate") as desk:
        first = desk.wait_for_item()
        desk.press(str(column_of(desk, "Red")))
        desk.press(Qt.Key.Key_Escape)  # out of the box of the reason
        desk.press(Qt.Key.Key_F4)
        assert desk.find("q:q=red").hasFocus()
        desk.press(Qt.Key.Key_Tab)
        desk.keys("!")
        desk.find("adjudicate:reason", QLineEdit).setFocus()
        desk.keys("mended\n")
        desk.wait(lambda: len(decided(desk)) == 2)
        assert {(key, question, value) for key, question, value, _reason in decided(desk)} == {
            (first, "q", "red"), (first, "mended", f"a door number {first[1:]}!")}


def test_a_pair_stands_in_an_order_drawn_for_the_adjudicator_and_is_said_by_its_letters(qtbot, tmp_path: Path) -> None:
    path = make(tmp_path, PAIRS, [{"id": f"i{n}", "pair": ["the good one", "the other"]} for n in range(14)],
                persons=PEOPLE)
    answer(path, "ana", lambda _task: {"better": {"v": "c1"}})
    answer(path, "ben", lambda _task: {"better": {"v": "c2"}})
    seen: dict[str, str] = {}
    with Desk(qtbot, path, "dr-eva", page="adjudicate") as desk:
        for _ in range(14):
            key = desk.wait_for_item(other_than=next(reversed(seen), None))
            texts = {one.accessibleName(): one.toPlainText() for one in cells(desk)
                     if one.accessibleName().startswith("Answers ")}
            seen[key] = next(name[-1] for name, words in texts.items() if words == "the good one")
            desk.press(str(column_that_says(desk, f"Which?: {seen[key]} is better")))
            desk.keys("so\n")
        desk.wait(lambda: len(decided(desk)) == 14)
        assert {value for _key, _question, value, _reason in decided(desk)} == {"c1"}
        kept = {key: inputs["order"]["candidates"]["pair"] for key, inputs in desk.read(
            select(Item.key, Adjudication.inputs_json).join(Item, Item.id == Adjudication.item))}
        assert kept == {key: ["c1", "c2"] if letter == "A" else ["c2", "c1"] for key, letter in seen.items()}
        assert set(seen.values()) == {"A", "B"}


def test_send_back_asks_one_more_person(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, differing(tmp_path), "dr-eva", page="adjudicate") as desk:
        first = desk.wait_for_item()
        desk.find("adjudicate:reason", QLineEdit).setFocus()
        desk.keys("unclear")
        desk.trigger("adjudicate.send_back")
        desk.wait_for_item(other_than=first)
        assert [row[0] for row in desk.read(select(Adjudication.reason))] == ["unclear"]


def test_when_nothing_waits_the_page_says_so(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, project(tmp_path, {}), "dr-eva", page="adjudicate") as desk:
        desk.wait(lambda: "Nothing waits for a decision" in desk.texts())
        assert desk.focus().accessibleName() == "Home"


def test_a_signature_wants_ones_own_name_and_moves_to_the_next_item(qtbot, tmp_path: Path) -> None:
    same = {"q": {"v": "blue"}}
    with Desk(qtbot, project(tmp_path, {"ana": same, "ben": same, "cem": same}), "dr-eva") as desk:
        first = desk.wait_for_item()
        assert "What stands for this item" in desk.texts() and "Blue" in desk.texts()
        name = desk.find("sign:name", QLineEdit)
        assert name.hasFocus()
        desk.keys("somebody")
        desk.press(Qt.Key.Key_Return)
        desk.wait(lambda: "'somebody' is not your name" in desk.texts())
        assert not desk.read(select(SignOff.id))
        name.clear()
        desk.keys("dr-eva")
        desk.trigger("item.sign")
        desk.wait_for_item(other_than=first)
        assert len(desk.read(select(SignOff.id))) == 1
        desk.keys("dr-eva\n")  # Ctrl+Return signs too
        desk.wait(lambda: desk.item is None)
        assert len(desk.read(select(SignOff.id))) == 2
        desk.press("z", CTRL)
        desk.wait(lambda: desk.item is not None and len(desk.read(select(SignOff.id))) == 3)


def test_somebody_without_the_protocols_role_has_nothing_to_sign(qtbot, tmp_path: Path) -> None:
    same = {"q": {"v": "blue"}}
    with Desk(qtbot, project(tmp_path, {"ana": same, "ben": same, "cem": same}), "ana") as desk:
        desk.wait(lambda: "Nothing waits for you here" in desk.texts())


@pytest.mark.parametrize("shows", ["nothing", "standing"])
def test_a_verifier_sees_what_stands_only_where_the_protocol_says_so(qtbot, tmp_path: Path, shows: str) -> None:
    same = {"q": {"v": "blue"}}
    with Desk(qtbot, project(tmp_path, {"ana": same, "ben": same, "cem": same}, verify=shows), "dr-eva") as desk:
        first = desk.wait_for_item()
        assert ("Stands now: Blue" in desk.texts()) == (shows == "standing")
        assert not desk.find("q:q=blue", QAbstractButton).isChecked()
        desk.keys("2\n")
        desk.wait_for_item(other_than=first)
        assert len(desk.wait_for_revisions(7)) == 7


def test_my_answers_are_searched_opened_again_and_withdrawn_by_keys(qtbot, tmp_path: Path) -> None:
    path = project(tmp_path, {"ana": {"q": {"v": "blue"}}})
    with Desk(qtbot, path, "ana", page="answers") as desk:
        desk.wait(lambda: "Today 2 answers" in "\n".join(
            label.accessibleName() for label in desk.page.findChildren(QLabel)))
        desk.press("f", CTRL)
        desk.keys("i1")
        desk.press(Qt.Key.Key_Return)
        table = desk.focus()
        desk.wait(lambda: table.model().rowCount() == 1)
        desk.press(Qt.Key.Key_Return)
        desk.wait(lambda: desk.item == "i1")
        assert desk.find("q:q=blue", QAbstractButton).isChecked()
        desk.keys("3\n")
        desk.wait(lambda: desk.revisions()[-1] == ("i1", "ana", {"q": {"v": "green"}}))
        desk.go("answers")
        desk.wait(lambda: desk.page.findChild(type(table)).model().rowCount() == 1)
        desk.page.findChild(type(table)).setFocus()
        desk.trigger("answers.withdraw")
        desk.wait(lambda: len(desk.read(select(Withdrawal.id))) == 2 and desk.window.jobs().undo_label == "Withdraw")
        desk.press("z", CTRL)
        desk.wait(lambda: len([key for key, _who, _answers in desk.revisions() if key == "i1"]) == 1)


def test_after_the_last_item_of_the_stage_chosen_on_home_comes_what_else_waits(qtbot, tmp_path: Path) -> None:
    same = {"q": {"v": "blue"}}
    with Desk(qtbot, project(tmp_path, {"ana": same, "ben": same, "cem": same}, verify="nothing"), "dr-eva",
              page="home") as desk:
        desk.wait(lambda: "Begin" in desk.page.findChild(QAbstractButton).text())
        desk.press("1")
        first = desk.wait_for_item()
        desk.keys("2\n")
        desk.wait_for_item(other_than=first)
        desk.keys("2\n")
        desk.wait(lambda: "What stands for this item" in desk.texts())  # and not "nothing waits" beside a "2"
        desk.press(Qt.Key.Key_Return)
        desk.wait(lambda: "Enter your name, then sign." in desk.texts())
        assert not desk.read(select(SignOff.id))


def test_what_an_adjudicator_has_answered_waits_for_somebody_else_and_the_page_says_so(qtbot, tmp_path: Path) -> None:
    path = project(tmp_path, {"ana": {"q": {"v": "blue"}}, "ben": {"q": {"v": "green"}}, "cem": lambda task: {
        "q": {"v": "red"}, "mended": {"v": task.fields["text"] + "!"}}, "dr-eva": {"q": {"v": "blue"}}},
                   verify="nothing")
    with Desk(qtbot, path, "dr-eva", page="adjudicate") as desk:
        desk.wait(lambda: "2 items wait that you have answered yourself" in desk.texts())
    with Desk(qtbot, path, "owner", page="adjudicate") as desk:
        desk.wait_for_item()
