"""Work: every question type is answered by keys, and what was pressed is what is stored."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QWidget

from tests.desk import CTRL, NO, Desk, make

HEAD = """\
id: desk
version: 1
title: A desk
fields:
  - {name: text, kind: text, label: Text, required: true, pin: true}
  - {name: pair, kind: candidates, label: Answers}
"""
PAIR = {"pair": ["first answer", "second answer"]}


def protocol(questions: str, workflow: str = "{stages: [annotate], people_per_item: 3}") -> str:
    return f"{HEAD}questions:\n{questions}\nworkflow: {workflow}\n"


# question, keys, what is stored
TYPES = {
    "choice": ("  - {name: q, type: choice, text: Which?, options: [{value: red}, {value: blue}]}",
               "2\n", {"v": "blue"}),
    "choice by letter": ("  - {name: q, type: choice, text: W, options: [{value: red, key: r}, {value: blue, key: b}]}",
                         "b\n", {"v": "blue"}),
    "multichoice": ("  - {name: q, type: multichoice, text: Which?, options: [{value: a}, {value: b}, {value: c}]}",
                    "3122\n", {"v": ["a", "c"]}),
    "level": ("  - {name: q, type: level, text: How much?, options: [{value: low}, {value: mid}, {value: high}]}",
              "3\n", {"v": "high"}),
    "scale": ("  - {name: q, type: scale, text: How good?, min: 1, max: 5}", "4\n", {"v": 4}),
    "scale below zero": ("  - {name: q, type: scale, text: How good?, min: -1, max: 1}", "1\n", {"v": -1}),
    "scale, not applicable": ("  - {name: q, type: scale, text: How good?, min: 1, max: 5, na: {label: None}}",
                              "6\n", {"na": True}),
    "long scale": ("  - {name: q, type: scale, text: How good?, min: 0, max: 100}", "70\n", {"v": 70}),
    "number": ("  - {name: q, type: number, text: How many?, unit: mg, decimals: 1}", "-2,5\n", {"v": -2.5}),
    "short text": ("  - {name: q, type: text, size: short, text: Name it}", "a door\n", {"v": "a door"}),
    "long text": ("  - {name: q, type: text, text: Say it}", "a door\n", {"v": "a door"}),
    "edit": ("  - {name: q, type: edit, text: Mend it, on: text}", "!\n", {"v": "a red door!"}),
    "verdict": ("  - {name: q, type: verdict, text: Judge, flags: [{value: typo}, {value: wrong}], flags_on: [reject]}",
                "35\n", {"v": "reject", "flags": ["wrong"]}),
}


@pytest.mark.parametrize("name", TYPES)
def test_every_question_type_is_answered_by_keys(qtbot, tmp_path: Path, name: str) -> None:
    question, keys, stored = TYPES[name]
    path = make(tmp_path, protocol(question), [{"id": "i1", "text": "a red door"}])
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        desk.keys(keys)
        [(key, person, answers)] = desk.wait_for_revisions(1)
        assert (key, person, answers) == ("i1", "ana", {"q": stored})


def test_a_pair_is_answered_by_digits_and_the_value_is_the_candidate_not_the_side(qtbot, tmp_path: Path) -> None:
    question = "  - {name: q, type: pairwise, text: Which is better?, on: pair, ties: [tie], strength: 3}"
    path = make(tmp_path, protocol(question), [{"id": f"i{n}", "text": "x", **PAIR} for n in range(6)])
    with Desk(qtbot, path, "ana") as desk:
        shown = {}
        item = None
        for _ in range(6):
            item = desk.wait_for_item(other_than=item)
            half = next(w for w in desk.page.findChildren(QWidget) if w.accessibleName() == "Answers A")
            assert half.isVisible()
            shown[item] = half.toPlainText() if hasattr(half, "toPlainText") else ""
            desk.keys("18\n")  # A, the second strength: keys 7 8 9
        stored = {key: answers["q"] for key, _who, answers in desk.wait_for_revisions(6)}
        texts = {"c1": "first answer", "c2": "second answer"}
        sides = {texts[answer["v"]] for answer in stored.values()}
        assert sides == set(texts.values()), "the sides were never shuffled"
        assert all(answer["strength"] == 2 for answer in stored.values())


def test_a_tie_has_no_strength(qtbot, tmp_path: Path) -> None:
    question = "  - {name: q, type: pairwise, text: Which is better?, on: pair, ties: [tie], strength: 3}"
    path = make(tmp_path, protocol(question), [{"id": "i1", "text": "x", **PAIR}])
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        desk.keys("193\n")  # A by far; then the tie takes the strength away
        [(_key, _who, answers)] = desk.wait_for_revisions(1)
        assert answers == {"q": {"v": "tie"}}


def test_questions_of_a_group_are_answered_element_by_element(qtbot, tmp_path: Path) -> None:
    score = "{name: score, type: scale, text: How good?, min: 1, max: 5}"
    group = f"  - {{group: each, for_each: pair, questions: [{score}]}}"
    path = make(tmp_path, protocol(group), [{"id": "i1", "text": "x", **PAIR}])
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        assert desk.find("q:c1/score").accessibleName() == "How good?"
        desk.keys("4\t2\n")
        [(_key, _who, answers)] = desk.wait_for_revisions(1)
        assert answers == {"score": {"c1": {"v": 4}, "c2": {"v": 2}}}


def test_names_are_those_that_tests_from_outside_look_for(qtbot, tmp_path: Path) -> None:
    questions = """\
  - {name: colour, type: choice, text: Which colour?, options: [{value: red, label: Bright red}, {value: blue}]}
  - {name: note, type: text, text: A note, required: false}"""
    path = make(tmp_path, protocol(questions), [{"id": "i1", "text": "x"}])
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        assert desk.page.objectName() == "page:work"
        assert desk.find("q:colour").accessibleName() == "Which colour?"
        option = desk.find("q:colour=red", QAbstractButton)
        assert option.accessibleName() == "Bright red"
        assert option.hasFocus()


def test_return_in_a_one_line_box_submits_when_all_is_answered(qtbot, tmp_path: Path) -> None:
    questions = """\
  - {name: name, type: text, size: short, text: Name it}
  - {name: colour, type: choice, text: Which colour?, options: [{value: red}, {value: blue}]}"""
    path = make(tmp_path, protocol(questions), [{"id": "i1", "text": "x"}])
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        desk.keys("door")
        desk.press(Qt.Key.Key_Return)
        assert desk.find("q:colour=red").hasFocus(), "Return goes to the question that is open"
        assert "no answer yet" in desk.texts() and not desk.revisions()
        desk.keys("1")
        desk.press(Qt.Key.Key_Backtab)
        desk.press(Qt.Key.Key_Return)
        [(_key, _who, answers)] = desk.wait_for_revisions(1)
        assert answers == {"name": {"v": "door"}, "colour": {"v": "red"}}


def test_tab_goes_on_to_the_questions_that_an_answer_opens(qtbot, tmp_path: Path) -> None:
    questions = """\
  - {name: a, type: choice, text: A?, options: [{value: "yes"}, {value: "no"}]}
  - {name: b, type: choice, text: B?, options: [{value: one}, {value: two}], show_if: {a: ["yes"]}}
  - {name: c, type: choice, text: C?, options: [{value: three}, {value: four}]}"""
    path = make(tmp_path, protocol(questions), [{"id": "i1", "text": "x"}, {"id": "i2", "text": "y"}])
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        desk.keys("1\t2\t1\n")
        desk.wait_for_item(other_than=first)
        assert desk.find("q:a=yes").hasFocus(), "after a submit the focus is on the first open question"
        desk.keys("2\t2\n")
        assert [answers for _k, _w, answers in desk.wait_for_revisions(2)] == [
            {"a": {"v": "yes"}, "b": {"v": "two"}, "c": {"v": "three"}}, {"a": {"v": "no"}, "c": {"v": "four"}}]


def test_an_answer_key_goes_on_where_the_protocol_says_so_and_can_be_taken_back(qtbot, tmp_path: Path) -> None:
    question = "  - {name: q, type: choice, text: Which?, options: [{value: red}, {value: blue}]}"
    workflow = "{stages: [annotate], people_per_item: 3, advance: on_answer}"
    path = make(tmp_path, protocol(question, workflow), [{"id": f"i{n}", "text": "x"} for n in range(3)])
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        desk.press("2")
        desk.wait_for_item(other_than=first)
        desk.wait_for_revisions(1)
        desk.press("z", CTRL)
        desk.wait(lambda: desk.item == first)
        assert desk.find("q:q=blue", QAbstractButton).isChecked(), "the answer is back as a draft"
        assert not desk.revisions()
        desk.press("1", NO)  # a changed answer does not go on by itself
        desk.keys("\n")
        [(key, _who, answers)] = desk.wait_for_revisions(1)
        assert (key, answers) == (first, {"q": {"v": "red"}})


def test_a_number_out_of_range_is_said_under_the_question_and_stops_the_submit(qtbot, tmp_path: Path) -> None:
    question = "  - {name: q, type: number, text: How many?, min: 0, max: 10}"
    path = make(tmp_path, protocol(question), [{"id": "i1", "text": "x"}])
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        desk.keys("12\n")
        assert "'How many?': 12 is above 10" in desk.texts() and not desk.revisions()
        desk.press(Qt.Key.Key_Backspace)
        desk.keys("\n")
        [(_key, _who, answers)] = desk.wait_for_revisions(1)
        assert answers == {"q": {"v": 1}}


def test_answers_that_clash_are_said_under_the_later_question_naming_both(qtbot, tmp_path: Path) -> None:
    questions = """\
  - {name: a, type: choice, text: A?, options: [{value: "yes"}, {value: "no"}]}
  - {name: b, type: choice, text: B?, options: [{value: "yes"}, {value: "no"}]}
checks:
  - {iff: [{a: ["yes"]}, {b: ["yes"]}], level: block, say: Both or neither.}"""
    path = make(tmp_path, protocol(questions), [{"id": "i1", "text": "x"}])
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        desk.keys("1\t2\n")
        assert "Questions 1 and 2: Both or neither." in desk.texts() and not desk.revisions()
        desk.keys("1\n")
        desk.wait_for_revisions(1)


def test_a_verdict_given_in_part_says_which_part_is_wanted(qtbot, tmp_path: Path) -> None:
    path = make(tmp_path, protocol("  - {name: q, type: verdict, text: Judge, flags: [{value: typo}], "
                                   "flags_on: [reject], reason_on: [reject]}"), [{"id": "i1", "text": "a red door"}])
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        desk.press("3")
        desk.trigger("item.submit")
        desk.wait(lambda: "Say what is wrong" in desk.texts())
        desk.press("4")
        desk.trigger("item.submit")
        desk.wait(lambda: "Give the reason in words." in desk.texts())
        assert not desk.revisions()


def test_caps_of_digits_stand_out_in_the_question_alone_that_they_choose_in(qtbot, tmp_path: Path) -> None:
    path = make(tmp_path, protocol("  - {name: q, type: choice, text: W, options: [{value: a, key: Y}, {value: b}]}\n"
                                   "  - {name: r, type: choice, text: W, options: [{value: a, key: J}, {value: b}]}"),
                [{"id": "i1", "text": "a red door"}])

    def works(*names: str) -> list[bool]:
        return [desk.find(name, QAbstractButton).key_works for name in names]

    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        assert works("q:q=b", "q:r=b", "q:r=a") == [True, False, True]  # a letter chooses from anywhere
        desk.press("1")
        desk.press(Qt.Key.Key_Tab)
        assert works("q:q=b", "q:r=b") == [False, True]
