"""What a recipe makes of a value: another one, a word of it, lettered options out of a text, numbered marks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import plans, recipes
from annotation.errors import ProtocolError
from annotation.recipes import MISSING
from annotation.text_parts import lettered, numbered, word_of

NETS = "<image>\nDoes it fold? <image>\nStep 1 <image>\n<image> <image>\n\nA. no\nB. yes\n"


def made(source: str, row: dict[str, Any]) -> Any:
    """What the field ``f`` becomes of a row."""
    recipe = recipes.loads(f"id: r\nfor: p\nsets:\n  - fields:\n      f: {source}\n")
    return dict(plans.plan_of(recipe.sets[0]).getters)["f"](row)


def test_lettered_last_lines_become_options_and_leave_the_text():
    assert lettered(NETS) == (NETS[:NETS.index("\n\nA.")], [{"id": "A", "text": "no"}, {"id": "B", "text": "yes"}])
    assert made("{path: q, part: options}", {"q": NETS})[1] == {"id": "B", "text": "yes"}
    assert made("{path: q, part: text, mark: <image>}", {"q": NETS}) == "Does it fold? [2]\nStep 1 [3]"
    assert made("{path: q, part: text}", {"q": "Why?\n(A) x\n(B) y"}) == "Why?"


@pytest.mark.parametrize("text", ["Plan B.\nno letter", "A. alone", "B. b\nC. c", "A. a\nthen\nB. b", "", "A.\nB."])
def test_a_text_without_a_whole_row_of_letters_at_its_end_stays_as_it_is(text):
    assert lettered(text) == (text, [])
    assert made("{path: q, part: options}", {"q": text}) is MISSING


@given(st.lists(st.from_regex(r"[a-z]{1,5}( [a-z]{1,5})?", fullmatch=True), min_size=2, max_size=6))
def test_options_that_were_written_below_a_text_are_found_again(options):
    lines = [f"{chr(ord('A') + n)}. {text}" for n, text in enumerate(options)]
    text, found = lettered("\n".join(["What is it?", *lines]))
    assert text == "What is it?" and [one["text"] for one in found] == options


def test_marks_are_numbered_and_lines_of_marks_alone_go():
    assert numbered("<image> <image>\nA <image> and <image>", "<image>") == "A [3] and [4]"
    assert numbered("<image> <image> <image>", "<image>") == ""


def test_a_word_is_found_between_other_signs_and_never_within_a_word():
    assert word_of("2steps_Easy_all_81", ("hard", "easy")) == "easy"
    assert word_of("uneasy", ("easy",)) is None
    assert made("{path: o, words: [easy, hard]}", {"o": "3steps_hard_no_1"}) == "hard"


def test_a_value_is_mapped_and_what_is_not_there_is_taken_from_elsewhere():
    source = ("{path: kind, map: {a: Alpha, n: [{id: x, text: X}, {id: y, text: Y}]}, "
              "or: {path: other, or: {value: none}}}")
    assert made(source, {"kind": "a"}) == "Alpha"
    assert made(source, {"kind": "n"}) == [{"id": "x", "text": "X"}, {"id": "y", "text": "Y"}]
    assert made(source, {"kind": "z", "other": "o"}) == "o"
    assert made(source, {}) == "none"
    assert made("{path: q, part: text, mark: <image>, or: {value: Look.}}", {"q": "<image>"}) == "Look."
    first, second = (made(source, {"kind": "n"}) for _ in range(2))
    assert first is not second, "what one item is given must not change with another"


@pytest.mark.parametrize(("source", "words"), [
    ("{path: a, value: b}", "needs value, list or path"), ("{value: a, or: {value: b}}", "or needs a path"),
    ("{path: a, words: [b], part: text}", "either words or part"), ("{path: a, mark: x}", "mark needs part: text"),
    ("{map: {a: b}}", "needs value, list or path")])
def test_a_source_that_says_two_things_is_refused(source, words):
    with pytest.raises(ProtocolError) as fault:
        made(source, {})
    assert words in str(fault.value)


def test_a_file_may_lack_a_column_that_something_else_stands_in_for():
    recipe = recipes.loads("id: r\nfor: p\nsets:\n  - fields: {f: {path: a, or: {path: b}}, g: {path: c}}\n")
    plan = plans.plan_of(recipe.sets[0])
    assert plan.optional == {"f"} and plan.used == {"a", "b", "c"} and plan.first["g"] == ("c",)
