"""What is refused is said at a window in the words of the form, and on the command line by the names of the file."""

from __future__ import annotations

import pytest

from annotation import protocol
from annotation.answers import Slot
from annotation.draft import Draft
from annotation.errors import N_, AnswerError, NotFinished, Refused
from annotation.form import check_answers
from app.i18n import sentence

LONG = "How many " + "very " * 30 + "small ones?"
CHOSEN = protocol.loads(f"""\
id: words
version: 1
title: Words
fields:
  - {{name: text, kind: text, label: Text}}
  - {{name: replies, kind: candidates, label: Replies}}
questions:
  - {{name: num, type: number, text: How many?, max: 10}}
  - {{name: tiny, type: number, text: "{LONG}", max: 10}}
  - group: each
    for_each: replies
    questions: [{{name: score, type: scale, text: How good?, min: 1, max: 5}}]
workflow: {{stages: [annotate]}}
""")
FIELDS = {"text": "x", "replies": [{"id": "c1", "text": "one"}, {"id": "c2", "text": "two"}]}


def refusal(slot: Slot, answer: object) -> AnswerError:
    with pytest.raises(AnswerError) as raised:
        Draft(CHOSEN, FIELDS).answer(slot, answer)  # type: ignore[arg-type]
    return raised.value


def test_a_question_is_called_by_its_text_at_a_window_and_by_its_name_elsewhere() -> None:
    refused = refusal(Slot("num"), {"v": 12})
    assert sentence(refused, CHOSEN) == "'How many?': 12 is above 10"
    assert sentence(refused) == str(refused) == "'num': 12 is above 10"
    assert sentence(refusal(Slot("score", "c2"), {"v": 9}), CHOSEN).startswith("'How good?': 9 is no point")
    cut = sentence(refusal(Slot("tiny"), {"v": 12}), CHOSEN)
    assert cut.startswith("'How many very very") and cut.endswith("\u2026': 12 is above 10") and len(cut) < 110


def test_what_is_still_open_is_listed_in_words_too() -> None:
    with pytest.raises(NotFinished) as raised:
        check_answers(CHOSEN, FIELDS, {"tiny": {"v": 1}, "score": {"c1": {"v": 2}}})
    assert sentence(raised.value, CHOSEN) == "Still open: How many?, c2: How good?"
    assert sentence(raised.value) == "Still open: num, c2/score"


def test_other_values_and_names_that_are_no_question_stay_as_they_are() -> None:
    assert sentence(Refused(N_("'{name}' is taken"), name="num"), CHOSEN) == "'num' is taken"
    assert sentence(AnswerError(N_("'{slot}' is not asked of this item"), slot="gone"), CHOSEN) == \
        "'gone' is not asked of this item"


def test_a_refusal_that_begins_a_line_begins_with_a_capital_and_names_keep_their_letters() -> None:
    gone = Refused(N_("there is no item '{item}'"), item="a3")
    assert sentence(gone) == "There is no item 'a3'"
    assert sentence(gone, alone=False) == str(gone) == "there is no item 'a3'"
    assert sentence(Refused(N_("{file} cannot be read: {why}"), file="votes.csv", why="gone")) == \
        "votes.csv cannot be read: gone"
    assert sentence(gone.at(file="votes.csv", line=3)) == "votes.csv:3: there is no item 'a3'"
