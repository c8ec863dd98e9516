"""How many keys one item costs in every protocol of the shelf; a number that grows is a regression.

Counted is the way of somebody who knows the form: the option's digit or letter, Tab to the next question, and the
command that submits (two keys held together count as one). What is typed in words is not counted, the Tab to it is.
"""

from pathlib import Path

import pytest

from annotation import protocol
from tests.desk import Desk, make, make_from_shelf

# protocol: (which item is meant, its keys, how many they may be)
SHELF = {
    "cancer-myth-verify": ("a correction that is sound", "y\t1\n", 4),
    "cancer-myth-score": ("an answer that corrects", "3\n", 2),
    "vlm-geoprivacy": ("seven questions", "1\t1\t2\t3\t3\t2\t1\n", 14),
    "preference-pair": ("left, clearly", "18\n", 3),
    "trustjudge": ("either pass", "1\n", 2),
    "qa-check": ("kept as it is", "1\n", 2),
    "stare": ("one of four letters", "1\n", 2),
}
ONE_KEY = """\
id: one-key
version: 1
title: One key
fields: [{name: text, kind: text}]
questions: [{name: q, type: choice, text: Which?, options: [{value: red}, {value: blue}]}]
workflow: {stages: [annotate], people_per_item: 3, advance: on_answer}
"""


def test_every_protocol_of_the_shelf_is_counted() -> None:
    assert set(SHELF) == set(protocol.shelf())


@pytest.mark.parametrize("name", SHELF)
def test_one_item_costs_no_more_keys_than_before(qtbot, tmp_path: Path, name: str) -> None:
    _what, keys, most = SHELF[name]
    path = make_from_shelf(tmp_path, name)
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        pressed = desk.keys(keys)
        desk.wait_for_item(other_than=first)
        [(key, _who, _answers)] = desk.wait_for_revisions(1)
        assert key == first
    assert pressed <= most


def test_a_single_choice_costs_one_key_where_the_answer_goes_on(qtbot, tmp_path: Path) -> None:
    path = make(tmp_path, ONE_KEY, [{"id": "a", "text": "x"}, {"id": "b", "text": "y"}])
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        assert desk.keys("1") == 1
        desk.wait_for_item(other_than=first)
        desk.wait_for_revisions(1)
