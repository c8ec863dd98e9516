"""Going to an item by its key: one's own answer, what one has begun, a new claim with an order, or why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from sqlalchemy import select

from annotation import assign, doctor, tasks
from annotation.errors import NotAllowed, Refused, Unknown
from annotation.store.tables import Item, Person, Task
from tests import worlds
from tests.desk import CTRL, Desk, answer, make
from tests.worlds import say, take, who

PROTOCOL = """\
id: desk
version: 1
title: A desk
fields:
  - {name: pair, kind: candidates, label: Answers, required: true}
questions:
  - {name: better, type: pairwise, text: Which?, on: pair}
workflow: {stages: [annotate], people_per_item: 2, skip: [{value: unclear}]}
gold: {better: {rule: majority}}
"""


@pytest.fixture
def store(place):
    with worlds.make(place, worlds.text("stages: [annotate, verify], people_per_item: 2, verify: {only: all}"),
                     roles={"ana": ["annotator"], "ben": ["annotator"], "cem": ["annotator", "verifier"]}) as made:
        yield made
        assert doctor.doctor(made)["faults"] == []


def go(store: Any, handle: str, key: str, stage: str = "annotate") -> tasks.TaskView:
    with store.write() as session:
        return tasks.claim_key(session, who(session, handle), key, stage)


def test_an_open_item_is_claimed_out_of_turn_and_the_queue_goes_on_with_the_rest(store):
    assert go(store, "ana", " A2 ").key == "a2"
    assert go(store, "ana", "a2").id == go(store, "ana", "a2").id
    with store.write() as session:
        tasks.submit(session, tasks.claim_key(session, who(session, "ana"), "a2", "annotate").id, say("red"))
    got = []
    while (task := take(store, "ana")) is not None:
        got.append(task.key)
        with store.write() as session:
            tasks.submit(session, task.id, say("red"))
    assert got == ["a0", "a1", "a3"]
    again = go(store, "ana", "a2")
    assert (again.state, again.answers) == ("submitted", say("red"))


def test_why_an_item_is_not_open_is_said(store):
    for handle in ("ana", "ben"):
        with store.write() as session:
            person = who(session, handle)
            tasks.submit(session, tasks.claim_key(session, person, "a0", "annotate").id, say("red"))
    with pytest.raises(Refused, match="others have taken all places"):
        go(store, "cem", "a0")
    with pytest.raises(Unknown, match="no item 'zz'"):
        go(store, "ana", "zz")
    with pytest.raises(NotAllowed, match="may not work at the stage verify"):
        go(store, "ana", "a0", "verify")
    with pytest.raises(Refused, match="has not come to the stage verify"):
        go(store, "cem", "a1", "verify")
    with store.write() as session:
        item = worlds.item(session, "a1")
        assign.assign(session, [item], to=[who(session, "ben")], by=who(session, "demo"), only=True)
    with pytest.raises(Refused, match="assigned to others alone"):
        go(store, "ana", "a1")
    assert go(store, "ben", "a1").key == "a1"
    with store.write() as session:
        cem = who(session, "cem")
        tasks.submit(session, tasks.claim_key(session, cem, "a2", "annotate").id, say("red"))
        tasks.submit(session, tasks.claim_key(session, who(session, "ana"), "a2", "annotate").id, say("red"))
    with pytest.raises(Refused, match="worked on this item at another stage"):
        go(store, "cem", "a2", "verify")
    assert go(store, "cem", "a0", "verify").stage == "verify"


def test_what_was_withdrawn_comes_back_with_its_answers(store):
    with store.write() as session:
        ana = who(session, "ana")
        done = tasks.submit(session, tasks.claim_key(session, ana, "a1", "annotate").id, say("blue"))
        tasks.withdraw(session, done.value, person=ana)
        again = tasks.claim_key(session, ana, "a1", "annotate")
        assert (again.state, again.answers) == ("claimed", say("blue"))


def go_to(desk: Desk, key: str) -> None:
    desk.press("g", CTRL)
    desk.find("work:go_to", QLineEdit)
    desk.keys(key)
    desk.press(Qt.Key.Key_Return)


def test_ctrl_g_claims_the_item_shows_ones_own_answer_or_says_why_not(qtbot, tmp_path: Path) -> None:
    path = make(tmp_path, PROTOCOL, [{"id": f"i{n}", "pair": ["one", "two"]} for n in range(6)])
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        desk.wait(lambda: desk.window.jobs().is_idle)  # one is claimed ahead, too
        [ahead] = [key for key in claimed(desk) if key != first]
        other = next(f"i{n}" for n in range(6) if f"i{n}" not in (first, ahead))
        go_to(desk, other)
        desk.wait(lambda: desk.item == other)
        desk.wait(lambda: desk.window.jobs().is_idle)
        assert sorted(claimed(desk)) == sorted([first, other])
        desk.keys("1\n")
        desk.wait(lambda: desk.item == first)
        desk.wait(lambda: desk.window.jobs().is_idle)
        [ahead] = [key for key in claimed(desk) if key != first]
        go_to(desk, ahead)
        desk.wait(lambda: desk.item == ahead)
        go_to(desk, ahead)  # where one is
        desk.wait(lambda: desk.window.jobs().is_idle and not desk.find("work:go_to").isVisible())
        desk.keys("2\n")
        desk.wait(lambda: desk.item == first)
        assert [key for key, _who, _said in desk.wait_for_revisions(2)] == [other, ahead]
        go_to(desk, other)
        desk.wait(lambda: desk.item == other and len([one for one in ("c1", "c2")
                                                      if desk.find(f"q:better={one}").isChecked()]) == 1)
        go_to(desk, "nowhere")
        desk.wait(lambda: "There is no item 'nowhere'" in desk.texts())
    answer(path, "ben", lambda _task: {"better": {"v": "c1"}})
    with Desk(qtbot, path, "cem") as desk:
        desk.wait(lambda: desk.item not in (None, other, ahead))
        shown = desk.item
        go_to(desk, other)
        desk.wait(lambda: "Others have taken all places at this item" in desk.texts())
        assert desk.item == shown


def claimed(desk: Desk) -> list[str]:
    return [row[0] for row in desk.read(select(Item.key).join(Task, Task.item == Item.id).join(
        Person, Person.id == Task.person).where(Task.state == "claimed", Person.handle == "ana"))]
