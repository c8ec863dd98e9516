"""Undo after a restart: the last operations of a person on a device, read from the trail, taken back by keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from annotation import answers_in, notes, people, review, tasks, undo
from annotation.answers import Slot
from annotation.errors import Refused
from annotation.store import opening
from annotation.store.ids import new_id
from annotation.store.tables import Adjudication, Revision, Withdrawal
from tests.desk import CTRL, Desk, answer, make

PROTOCOL = """\
id: desk
version: 1
title: A desk
fields:
  - {name: text, kind: text, label: Text, required: true}
questions:
  - {name: q, type: choice, text: Which?, options: [{value: red}, {value: blue}]}
workflow:
  stages: [annotate, adjudicate, sign]
  people_per_item: 2
  skip: [{value: unclear}]
  adjudicate: {when: no_value, role: physician}
  sign: {role: physician}
gold: {q: {rule: majority, min_people: 2}}
"""
PEOPLE = {"ana": ("annotator",), "ben": ("annotator",), "dr-eva": ("physician",)}
Q = Slot("q")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make(tmp_path, PROTOCOL, [{"id": f"i{n}", "text": f"door {n}"} for n in range(3)], persons=PEOPLE)


def who(session: Any, handle: str) -> UUID:
    return people.find(session, handle).id


def labels(session: Any, handle: str) -> list[str]:
    return [done.label for done in undo.recent(session, who(session, handle), session.info["store"].device)]


def take_back(session: Any, handle: str) -> None:
    """The last operation, as after a restart."""
    last = undo.recent(session, who(session, handle), session.info["store"].device)[-1]
    assert last.undo is not None
    undo.apply(session, last.undo, person=who(session, handle))


def submit(session: Any, handle: str, value: str) -> UUID:
    task = tasks.next_task(session, who(session, handle))
    assert task is not None
    return tasks.submit(session, task.id, {"q": {"v": value}}).value


def test_what_stands_is_recalled_in_its_order_and_what_was_taken_back_is_not(path: Path) -> None:
    with opening.open_store(path) as store, store.write() as session:
        ana, eva = who(session, "ana"), who(session, "dr-eva")
        first = tasks.open_task(session, session.scalar(select(Revision.task).where(
            Revision.id == submit(session, "ana", "red")))).item
        task = tasks.next_task(session, ana)
        tasks.skip(session, task.id, reason="unclear")
        notes.flag(session, first, person=ana)
        notes.open_query(session, first, person=ana, text="why?")
        assert labels(session, "ana") == ["Submit", "Skip", "Flag", "Query"]
        for left in (["Submit", "Skip", "Flag"], ["Submit", "Skip"], ["Submit"], []):
            take_back(session, "ana")
            assert labels(session, "ana") == left
        assert labels(session, "ben") == []
        revision = submit(session, "ana", "red")
        submit(session, "ben", "blue")
        review.adjudicate(session, first, {Q: {"v": "red"}}, by=eva)
        review.sign(session, first, by=eva, name_entered="dr-eva")
        assert labels(session, "dr-eva") == ["Adjudicate", "Sign"]
        with pytest.raises(Refused, match="signed since"):
            take_back(session, "ana")
        take_back(session, "dr-eva")
        with pytest.raises(Refused, match="adjudicated since"):
            take_back(session, "ana")
        take_back(session, "dr-eva")
        review.send_back(session, first, by=eva)
        assert labels(session, "dr-eva") == ["Send back"]
        take_back(session, "dr-eva")
        assert labels(session, "dr-eva") == []
        tasks.withdraw(session, revision, person=ana)
        assert labels(session, "ana") == ["Withdraw"]
        take_back(session, "ana")
        assert labels(session, "ana") == ["Submit"]


def test_only_this_device_and_no_answers_from_a_file_and_no_more_than_the_limit(path: Path, tmp_path: Path) -> None:
    (tmp_path / "said.csv").write_text("item,person,question,answer\ni2,ben,q,red\n", "utf-8")
    with opening.open_store(path) as store:
        with store.read() as session:
            owner = who(session, "owner")
        answers_in.import_answers(store, tmp_path / "said.csv", by=owner)
        with store.write() as session:
            assert labels(session, "ben") == []
            for _ in range(3):
                submit(session, "ana", "red")
            ana = who(session, "ana")
            assert undo.recent(session, ana, new_id()) == ()
            three = undo.recent(session, ana, store.device)
            assert undo.recent(session, ana, store.device, limit=2) == three[1:]


def undo_text(desk: Desk) -> str:
    return str(next(one.text() for one in desk.window.all_actions() if one.objectName() == "edit.undo"))


def test_after_a_restart_ctrl_z_takes_the_last_answer_back_and_redo_gives_it_again(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        desk.keys("1\n")
        second = desk.wait_for_item(other_than=first)
        desk.keys("2\n")
        desk.wait_for_revisions(2)
    with Desk(qtbot, path, "ben") as desk:
        desk.wait_for_item()
        desk.wait(lambda: desk.window.jobs().is_idle)
        assert undo_text(desk) == "Undo"
    with Desk(qtbot, path, "ana") as desk:
        desk.wait(lambda: desk.item not in (None, first, second))
        desk.wait(lambda: undo_text(desk) == "Undo Submit")
        desk.press("z", CTRL)
        desk.wait(lambda: desk.item == second and undo_text(desk) == "Undo Submit")
        assert desk.find("q:q=blue").isChecked()
        assert [key for key, _who, _said in desk.revisions()] == [first]
        desk.trigger("edit.redo")
        desk.wait(lambda: len(desk.revisions()) == 2 and desk.item != second)
        for back in (second, first):
            desk.press("z", CTRL)  # the draft has nothing to take back: the answer before
            desk.wait(lambda back=back: desk.item == back and desk.window.jobs().is_idle)
        assert desk.revisions() == []
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        desk.wait(lambda: desk.window.jobs().is_idle)
        assert undo_text(desk) == "Undo" and len(desk.read(select(Withdrawal.id))) == 3


def test_what_others_built_on_is_not_taken_back_and_why_is_said(qtbot, path: Path) -> None:
    for handle, value in (("ana", "red"), ("ben", "blue")):
        answer(path, handle, lambda _task, value=value: {"q": {"v": value}})
    with Desk(qtbot, path, "dr-eva", page="adjudicate") as desk:
        last = ""
        for _ in range(3):
            last = desk.wait_for_item(other_than=last)
            desk.keys("1\n")
            desk.wait(lambda last=last: desk.item != last)
    with Desk(qtbot, path, "ana", page="home") as desk:
        desk.wait(lambda: undo_text(desk) == "Undo Submit")
        desk.press("z", CTRL)
        desk.wait(lambda: "This item was adjudicated since" in desk.texts())
        assert len(desk.revisions()) == 6
    with Desk(qtbot, path, "dr-eva", page="adjudicate") as desk:
        desk.wait(lambda: undo_text(desk) == "Undo Adjudicate")
        desk.press("z", CTRL)
        desk.wait(lambda: desk.item == last and len(desk.read(select(Adjudication.id))) == 4)
