"""How many items a person may still claim: the quick counts agree with a look at every item, whatever was done."""

from __future__ import annotations

import tempfile
from pathlib import Path
from uuid import UUID

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from annotation import assign, people, queue, queue_rules, tasks
from annotation.store.project import protocol_now
from annotation.store.tables import ItemStage, Task
from annotation.workflow import ANSWERING
from tests import worlds
from tests.test_workflow import FLOWS, WORKERS, World
from tests.worlds import answer, say, take, who

VERBS = ("answer", "answer", "answer", "draft", "skip", "give back", "let both go", "let both go", "withdraw", "undo",
         "assign", "cancel", "add")
STEPS = st.lists(st.tuples(st.sampled_from(VERBS), st.sampled_from(WORKERS), st.sampled_from(("red", "blue")),
                           st.integers(0, 5)), min_size=10, max_size=20)


class Desk(World):
    """What changes a queue besides: a turn claimed ahead and both given back, orders, new items."""

    def __init__(self, folder: Path, flow: str) -> None:
        super().__init__(folder, flow)
        self.added: list[int] = []

    def _do(self, session: Session, verb: str, handle: str, colour: str, n: int) -> None:
        me, owner = who(session, handle), who(session, "demo")
        if verb == "let both go":
            first = tasks.next_task(session, me)
            ahead = tasks.next_task(session, me, besides=first.id) if first is not None else None
            for one in (first, ahead):
                if one is not None:
                    tasks.give_back(session, one.id)
        elif verb == "add":
            worlds.add_items(session, [f"new {len(self.added)}"], by=owner)
            self.added.append(n)
        elif verb in ("assign", "cancel"):
            chosen = session.execute(select(ItemStage.item).distinct().order_by(ItemStage.item)).scalars().all()[n % 3:]
            if verb == "assign":
                assign.assign(session, chosen, to=[me], by=owner, only=n > 3)
            else:
                assign.cancel(session, chosen, to=[me], by=owner)
        else:
            super()._do(session, verb, handle, colour, n)


def looked_at_one_by_one(session: Session, person: UUID, stage: str) -> int:
    """The walk's own conditions, from the first item to the last."""
    query = queue_rules.from_start(allow_self=protocol_now(session).workflow.allow_self, sqlite=False)  # built once
    return len(session.execute(query, {"person": person, "stage": stage, "limit": 1000}).all())


def assert_counts(store) -> None:
    with store.read() as session:
        allow_self = protocol_now(session).workflow.allow_self
        for handle in WORKERS:
            person = who(session, handle)
            for stage in people.stages(session, person):
                if stage in ANSWERING:
                    known = looked_at_one_by_one(session, person, stage)
                    assert queue.count(session, person, stage, allow_self=allow_self) == known
                    assert queue.count_anew(session, person, stage, allow_self=allow_self) == known


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(flow=st.sampled_from(FLOWS), steps=STEPS)
def test_near_the_end_of_a_queue_the_count_is_exact_whatever_was_done(flow, steps):
    with tempfile.TemporaryDirectory() as folder:
        world = Desk(Path(folder), flow)
        try:
            for step in steps:
                world.step(*step)
                assert_counts(world.store)
            world.finish()
            assert_counts(world.store)
        finally:
            world.store.close()


def test_a_long_queue_is_counted_once_and_grows_shorter_with_each_answer(place, monkeypatch):
    monkeypatch.setattr(queue, "NEAR", 2)
    looks = []
    along = queue._along
    monkeypatch.setattr(queue, "_along", lambda *args, **named: looks.append(1) or along(*args, **named))
    with worlds.make(place, n=9) as store:
        left = []
        for _ in range(9):
            task = take(store, "ana")
            with store.write() as session:
                tasks.submit(session, task.id, say("red"))
            with store.read() as session:
                left.append(queue.count(session, who(session, "ana"), "annotate", allow_self=False))
        assert left == [8, 7, 6, 5, 4, 3, 2, 1, 0]
        assert len(looks) == 4  # in the beginning, and for each of the last
        with store.write() as session:
            worlds.add_items(session, [f"more {n}" for n in range(5)], by=who(session, "demo"))
        with store.read() as session:
            assert queue.count(session, who(session, "ana"), "annotate", allow_self=False) == 5


def test_what_was_given_back_comes_first_again(place):
    with worlds.make(place) as store:
        shown = take(store, "ana")
        with store.write() as session:
            ahead = tasks.next_task(session, who(session, "ana"), besides=shown.id)
            tasks.give_back(session, shown.id)
            tasks.give_back(session, ahead.id)
        assert take(store, "ana").key == shown.key


def test_items_that_opened_unnoticed_are_found_at_the_end_of_the_walk(place):
    with worlds.make(place, n=6) as store:
        while (task := take(store, "ana")) is not None:
            with store.write() as session:
                tasks.submit(session, task.id, say("red"))
        with store.write() as session:  # as if ana had never had these two, and no walk had been told
            gone = session.execute(select(Task.id).where(Task.item.in_(
                [worlds.item(session, "a1"), worlds.item(session, "a3")]))).scalars().all()
            session.execute(update(Task).where(Task.id.in_(gone)).values(state="expired"))
        with store.read() as session:
            assert queue.count(session, who(session, "ana"), "annotate", allow_self=False) == 2
        assert take(store, "ana").key == "a1"
        with store.read() as session:
            assert queue.count(session, who(session, "ana"), "annotate", allow_self=False) == 1


def test_progress_is_what_was_submitted_and_the_rest_of_the_queue(place):
    with worlds.make(place) as store:
        answer(store, "ana")
        take(store, "ana")
        with store.read() as session:
            assert tasks.progress(session, who(session, "ana"), "annotate") == (1, 4)
            assert tasks.progress(session, who(session, "ben"), "annotate") == (0, 4)
            assert [row.items for row in tasks.waiting(session, who(session, "ana"))] == [3]
