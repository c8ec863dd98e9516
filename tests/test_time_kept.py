"""The time at a task counts on after an undo, a change, a restart, a skip taken back: all of it, nothing twice."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton
from sqlalchemy import select

from annotation import people, rating_rows, tasks, today, undo
from annotation.store.tables import DraftRow, Item, Revision, Skip, Task
from annotation.store.types import now
from tests.desk import ALT, CTRL, Desk, make

PROTOCOL = """\
id: desk
version: 1
title: A desk
guidelines: Choose.
fields:
  - {name: text, kind: text, label: Text, required: true}
questions:
  - {name: q, type: choice, text: Which?, options: [{value: red}, {value: blue}]}
workflow: {stages: [annotate], people_per_item: 3, idle_limit_s: 600, skip: [{value: unclear}]}
"""


class Hands:
    """A desk at which time passes only where a test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._ms = 1_000_000
        monkeypatch.setattr("app.item.clock.time", SimpleNamespace(monotonic_ns=lambda: self._ms * 1_000_000))

    def spend(self, ms: int) -> None:
        self._ms += ms


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    return Hands(monkeypatch)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make(tmp_path, PROTOCOL, [{"id": f"i{n}", "text": f"text {n}"} for n in range(4)])


def times(desk: Desk, item: str) -> tuple[int, int]:
    """(the last revision's, the task's) milliseconds of what was said of an item."""
    rows = desk.read(select(Revision.active_ms, Task.active_ms).join(Task, Task.id == Revision.task)
                     .join(Item, Item.id == Task.item).where(Item.key == item).order_by(Revision.id.desc()))
    return tuple(rows[0])


def count(desk: Desk) -> int:
    return len(desk.read(select(Revision.id)))


def settle(desk: Desk, *, after: str) -> None:
    """What was submitted or skipped is in the store, the window knows it, and another item is on the screen."""
    desk.wait_for_item(other_than=after)
    desk.wait(lambda: desk.window.jobs().is_idle)


def take_back(desk: Desk, item: str) -> None:
    settle(desk, after=item)
    desk.press("z", CTRL)
    desk.wait(lambda: desk.item == item and desk.find("q:q=red", QAbstractButton).isChecked())


def test_a_submit_that_is_taken_back_keeps_its_time_for_the_next_one(qtbot: Any, path: Path, hands: Hands) -> None:
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        hands.spend(14_000)
        desk.keys("1\n")
        desk.wait_for_item(other_than=first)
        desk.wait_for_revisions(1)
        take_back(desk, first)
        assert "0:14" in desk.texts(), "the head shows what is counted on"
        hands.spend(2_000)
        desk.keys("\n")
        desk.wait(lambda: count(desk) == 2)
        assert times(desk, first) == (16_000, 16_000)
        with desk.window.opened().store.read() as session:
            me = people.find(session, "ana").id
            assert [one.active_ms for one in tasks.mine(session, me)] == [16_000]
            assert rating_rows.seconds_per_task(session) == {me: [16.0]}
            midnight = now().replace(hour=0, minute=0, second=0, microsecond=0)
            assert today.today(session, me, since=midnight).active_ms == 16_000
        desk.go("answers")
        desk.wait(lambda: "Today 1 answer, 16 s at work" in desk.texts())


def test_a_submit_taken_back_and_given_again_by_redo_counts_its_time_once(qtbot: Any, path: Path, hands: Hands) -> None:
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        hands.spend(9_000)
        desk.keys("1\n")
        desk.wait_for_revisions(1)
        take_back(desk, first)
        desk.press("z", CTRL | Qt.KeyboardModifier.ShiftModifier)
        desk.wait(lambda: count(desk) == 2)
        assert times(desk, first) == (9_000, 9_000)


def test_an_answer_opened_again_adds_to_its_time_and_a_mere_look_adds_nothing(
        qtbot: Any, path: Path, hands: Hands) -> None:
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        hands.spend(5_000)
        desk.keys("1\n")
        desk.wait_for_revisions(1)
        settle(desk, after=first)
        desk.press(Qt.Key.Key_Left, ALT)
        desk.wait(lambda: desk.item == first)
        hands.spend(60_000)
        desk.keys("\n")  # looked at, unchanged
        settle(desk, after=first)
        desk.press(Qt.Key.Key_Left, ALT)
        desk.wait(lambda: desk.item == first)
        hands.spend(3_000)
        desk.keys("2\n")
        desk.wait(lambda: count(desk) == 2)
        assert times(desk, first) == (8_000, 8_000)
        with desk.window.opened().store.read() as session:
            midnight = now().replace(hour=0, minute=0, second=0, microsecond=0)
            spent = today.today(session, people.find(session, "ana").id, since=midnight)
        assert (spent.answered, spent.active_ms, spent.median_ms) == (1, 8_000, 8_000)


def test_what_was_read_before_one_looked_back_counts_on(qtbot: Any, path: Path, hands: Hands) -> None:
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        desk.keys("1\n")
        second = desk.wait_for_item(other_than=first)
        desk.wait_for_revisions(1)
        settle(desk, after=first)
        hands.spend(8_000)
        desk.press(Qt.Key.Key_Left, ALT)
        desk.wait(lambda: desk.item == first)
        hands.spend(50_000)
        desk.keys("\n")
        desk.wait(lambda: desk.item == second)
        assert "0:08" in desk.texts()
        hands.spend(2_000)
        desk.keys("1\n")
        desk.wait_for_revisions(2)
        assert times(desk, second) == (10_000, 10_000) and times(desk, first) == (0, 0)


def test_an_answer_withdrawn_and_opened_again_by_its_key_counts_on(qtbot: Any, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk, desk.window.opened().store.write() as session:
        me = people.find(session, "ana").id
        task = tasks.next_task(session, me)
        assert task is not None
        first = tasks.submit(session, task.id, {"q": {"v": "red"}}, active_ms=5_000)
        tasks.withdraw(session, first.value, person=me)
        again = tasks.claim_key(session, me, task.key, "annotate")
        assert (again.id, again.active_ms) == (task.id, 5_000)
        tasks.submit(session, again.id, {"q": {"v": "blue"}}, active_ms=3_000)
        assert [one.active_ms for one in tasks.mine(session, me)] == [8_000]


def test_a_draft_taken_up_after_a_restart_counts_on(qtbot: Any, path: Path, hands: Hands) -> None:
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        hands.spend(7_000)
        desk.keys("1")
        desk.wait(lambda: first in desk.drafts())
    with Desk(qtbot, path, "ana") as desk:
        assert desk.wait_for_item() == first
        hands.spend(4_000)
        desk.keys("\n")
        desk.wait_for_revisions(1)
        assert times(desk, first) == (11_000, 11_000)


def test_the_time_before_a_skip_that_is_taken_back_counts_on(qtbot: Any, path: Path, hands: Hands) -> None:
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        hands.spend(6_000)
        desk.keys("1")
        desk.wait(lambda: desk.read(select(DraftRow.task)))
        desk.press("k", CTRL)
        desk.wait(lambda: "Why do you skip this item?" in desk.texts())
        desk.press("1")
        desk.wait_for_item(other_than=first)
        desk.wait(lambda: desk.read(select(Skip.id)))
        take_back(desk, first)
        hands.spend(1_000)
        desk.keys("\n")
        desk.wait_for_revisions(1)
        assert times(desk, first) == (7_000, 7_000)


def test_what_was_spent_yesterday_is_not_of_today(qtbot: Any, path: Path, hands: Hands) -> None:
    with Desk(qtbot, path, "ana") as desk, desk.window.opened().store.write() as session:
        me = people.find(session, "ana").id
        task = tasks.next_task(session, me)
        assert task is not None
        first = tasks.submit(session, task.id, {"q": {"v": "red"}}, active_ms=5_000, wall_ms=6_000)
        moment = now()
        assert first.undo is not None
        undo.apply(session, first.undo, person=me)
        tasks.submit(session, task.id, {"q": {"v": "blue"}}, active_ms=2_000, wall_ms=2_500)
        spent = today.today(session, me, since=moment)
        assert (spent.answered, spent.active_ms, spent.wall_ms) == (1, 2_000, 2_500)
