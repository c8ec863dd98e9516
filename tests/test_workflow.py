"""What is due: by examples, and as a law: whatever people do, the kept tables are what the facts give, and it ends."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text

from annotation import caches, notes, review, tasks, trail, undo
from annotation.answers import Slot
from annotation.errors import Refused
from annotation.store.tables import Item, ItemStage
from annotation.workflow import Facts, Plan, due, is_drawn
from tests import worlds
from tests.worlds import answer, kept, say, take, who

FULL = Plan(("annotate", "verify", "adjudicate", "sign"), 2)
BOTH = {"submitted": {"annotate": 2, "verify": 1}}


def said(plan: Plan, **facts) -> dict[str, tuple[int, int, str]]:
    return {d.stage: (d.want, d.open, d.state) for d in due(plan, Facts(rnd=1, **facts))}


@pytest.mark.parametrize(("facts", "wanted"), [
    ({}, {"annotate": (2, 2, "open")}),
    ({"claimed": {"annotate": 1}, "submitted": {"annotate": 1}}, {"annotate": (2, 0, "open")}),
    ({"submitted": {"annotate": 2}}, {"annotate": (2, 0, "done"), "verify": (1, 1, "open")}),
    ({**BOTH, "undecided": True},
     {"annotate": (2, 0, "done"), "verify": (1, 0, "done"), "adjudicate": (1, 1, "open")}),
    (BOTH, {"annotate": (2, 0, "done"), "verify": (1, 0, "done"), "adjudicate": (0, 0, "done"),
            "sign": (1, 1, "open")}),
    ({**BOTH, "adjudicated": True, "signed": True},
     {"annotate": (2, 0, "locked"), "verify": (1, 0, "locked"), "adjudicate": (1, 0, "locked"),
      "sign": (1, 0, "done")}),
    ({"escalated": True, "submitted": {"annotate": 1}},
     {"annotate": (1, 0, "done"), "verify": (0, 0, "done"), "adjudicate": (1, 1, "open")}),
    ({"more": 9}, {"annotate": (4, 4, "open")}),
    ({"active": False}, {}),
])
def test_what_is_due_follows_from_the_facts(facts, wanted):
    assert said(FULL, **facts) == wanted


def test_verification_is_drawn_by_the_items_number_the_same_for_ever():
    plan = Plan(("annotate", "verify"), 1, sample=0.2)
    drawn = {rnd for rnd in range(5000) if is_drawn(rnd, 0.2)}
    assert 900 < len(drawn) < 1100
    assert drawn < {rnd for rnd in range(5000) if is_drawn(rnd, 0.5)}  # a larger share keeps whoever was drawn
    for rnd in range(50):
        found = due(plan, Facts(rnd, submitted={"annotate": 1}))
        assert found[1].want == (1 if rnd in drawn else 0)


# --- with the store ------------------------------------------------------------------------------

ROLES = {"ana": ["annotator"], "ben": ["annotator"], "cem": ["annotator"], "vera": ["verifier"],
         "adi": ["adjudicator"], "eva": ["physician"]}


def test_an_answer_that_routes_asks_one_more_person(place):
    with worlds.make(place, worlds.text("stages: [annotate], people_per_item: 1"), n=1) as store:
        answer(store, "ana", "unsure")
        assert kept(store, "a0")["annotate"] == (2, 1, "open")
        answer(store, "ben", "red")
        assert kept(store, "a0")["annotate"] == (2, 0, "done")


def test_a_skip_that_routes_to_adjudication_ends_the_answering(place):
    flow = "stages: [annotate, adjudicate], people_per_item: 2"
    with worlds.make(place, worlds.text(flow), n=1, roles=ROLES) as store:
        answer(store, "ana", "red")
        task = take(store, "ben")
        with store.write() as session:
            done = tasks.skip(session, task.id, reason="cannot_be_answered")
        assert kept(store, "a0") == {"annotate": (1, 0, "done"), "adjudicate": (1, 1, "open")}
        assert take(store, "cem") is None
        with store.write() as session:
            undo.apply(session, done.undo, person=who(session, "ben"))
        assert kept(store, "a0") == {"annotate": (2, 0, "open")}


def test_a_disagreement_goes_through_adjudication_to_a_signature_that_locks(place):
    flow = "stages: [annotate, adjudicate, sign], people_per_item: 2"
    with worlds.make(place, worlds.text(flow), n=1, roles=ROLES) as store:
        first = answer(store, "ana", "red")
        answer(store, "ben", "blue")
        assert kept(store, "a0")["adjudicate"] == (1, 1, "open")
        with store.write() as session:
            adjudicated = review.adjudicate(session, worlds.item(session, "a0"), {Slot("colour"): {"v": "red"}},
                                            by=who(session, "adi"), reason="seen it")
        assert kept(store, "a0")["sign"] == (1, 1, "open")
        with pytest.raises(Refused, match="adjudicated since"), store.write() as session:
            undo.apply(session, first.undo, person=who(session, "ana"))
        with store.write() as session:
            signed = review.sign(session, worlds.item(session, "a0"), by=who(session, "eva"), name_entered="eva")
        assert {state for _, _, state in kept(store, "a0").values()} == {"locked", "done"}
        for act in (lambda s: tasks.reopen(s, first.value, person=who(s, "ana")),
                    lambda s: tasks.withdraw(s, first.value, person=who(s, "ana")),
                    lambda s: undo.apply(s, adjudicated.undo, person=who(s, "adi"))):
            with pytest.raises(Refused), store.write() as session:
                act(session)
        with store.write() as session:
            undo.apply(session, signed.undo, person=who(session, "eva"))
            undo.apply(session, adjudicated.undo, person=who(session, "adi"))
        assert kept(store, "a0")["adjudicate"] == (1, 1, "open")
        assert_kept(store)


def assert_kept(store) -> None:
    with store.read() as session:
        assert caches.differing(session) == {"answer": 0, "item_stage": 0, "gold": 0, "item_tag": 0}


FLOWS = [
    "stages: [annotate], people_per_item: 2",
    "stages: [annotate, verify, adjudicate, sign], people_per_item: 2, verify: {sample: 0.5, shows: nothing}",
    "stages: [annotate, verify, adjudicate], people_per_item: 2, verify: {only: flagged, shows: standing}",
    "stages: [annotate, verify, adjudicate, sign], people_per_item: 1, verify: {shows: standing}, "
    "adjudicate: {when: any_difference}",
]
WORKERS = ("ana", "ben", "cem", "vera")
VERBS = ("answer", "answer", "answer", "draft", "draft", "skip", "escalate", "give back", "give back", "change",
         "withdraw", "undo", "undo", "flag", "adjudicate", "send back", "sign", "reveal")
STEPS = st.lists(st.tuples(st.sampled_from(VERBS), st.sampled_from(WORKERS), st.sampled_from(("red", "blue", "unsure")),
                           st.integers(0, 5)), min_size=10, max_size=20)


class World:
    """A project and what was done in it; steps that are refused change nothing."""

    def __init__(self, folder: Path, flow: str) -> None:
        self.store = worlds.make(folder / "P.goldsmith", worlds.text(flow), n=3, roles=ROLES)
        self.done: list[tuple[str, object]] = []

    def step(self, verb: str, handle: str, colour: str, n: int) -> None:
        before = self.store.content_sha256()
        try:
            with self.store.write() as session:
                self._do(session, verb, handle, colour, n)
        except Refused:
            assert self.store.content_sha256() == before

    def _do(self, session, verb: str, handle: str, colour: str, n: int) -> None:
        me, items = who(session, handle), session.execute(select(Item.id).order_by(Item.key)).scalars().all()
        item = items[n % len(items)]
        mine = tasks.mine(session, me)
        if verb in ("answer", "draft", "skip", "escalate", "give back"):
            task = tasks.next_task(session, me)
            if task is None:
                return
            if verb == "answer":
                self.done.append((handle, tasks.submit(session, task.id, say(colour)).undo))
            elif verb == "draft":
                tasks.save_draft(session, task.id, say(colour))
            elif verb == "give back":
                tasks.give_back(session, task.id)
            else:
                reason = "later" if verb == "skip" else "cannot_be_answered"
                self.done.append((handle, tasks.skip(session, task.id, reason=reason).undo))
        elif verb == "change" and mine:
            task = tasks.reopen(session, mine[n % len(mine)].revision, person=me)
            self.done.append((handle, tasks.submit(session, task.id, say(colour)).undo))
        elif verb == "withdraw" and mine:
            self.done.append((handle, tasks.withdraw(session, mine[n % len(mine)].revision, person=me).undo))
        elif verb == "undo" and self.done:
            person, back = self.done.pop()
            done = undo.apply(session, back, person=who(session, person))
            if done.undo is not None and n % 2:
                self.done.append((person, done.undo))
        elif verb == "flag":
            self.done.append((handle, notes.flag(session, item, person=me, text="look").undo))
        elif verb == "adjudicate":
            done = review.adjudicate(session, item, {Slot("colour"): say(colour)["colour"]}, by=who(session, "adi"),
                                     reason="so")
            self.done.append(("adi", done.undo))
        elif verb == "send back":
            self.done.append(("adi", review.send_back(session, item, by=who(session, "adi"), reason="again").undo))
        elif verb == "sign":
            self.done.append(("eva", review.sign(session, item, by=who(session, "eva"), name_entered="eva").undo))
        elif verb == "reveal":
            trail.reveal(session, me, item=item if n % 2 else None)

    def finish(self) -> None:
        """Everybody goes on until nobody finds anything: a bounded number of turns."""
        for _ in range(60):
            busy = False
            for handle in WORKERS:
                with self.store.write() as session:
                    while (task := tasks.next_task(session, who(session, handle))) is not None:
                        tasks.submit(session, task.id, say("red"))
                        busy = True
            with self.store.read() as session:
                due_now = session.execute(select(ItemStage.item, ItemStage.stage).where(
                    ItemStage.open > 0, ItemStage.stage.in_(("adjudicate", "sign")))).all()
            for item, stage in due_now:
                with self.store.write() as session:
                    if stage == "adjudicate":
                        review.adjudicate(session, item, {Slot("colour"): {"v": "red"}}, by=who(session, "adi"),
                                          reason="so")
                    else:
                        review.sign(session, item, by=who(session, "eva"), name_entered="eva")
                busy = True
            if not busy:
                return
        raise AssertionError("it does not end")


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(flow=st.sampled_from(FLOWS), steps=STEPS)
def test_whatever_people_do_the_kept_tables_are_what_the_facts_give_and_it_ends(flow, steps):
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), flow)
        try:
            for step in steps:
                world.step(*step)
                assert_kept(world.store)
            world.finish()
            assert_kept(world.store)
            with world.store.read() as session:
                assert trail.verify_chain(session).ok
        finally:
            world.store.close()


def test_rebuilding_mends_whatever_was_spoiled(place):
    flow = "stages: [annotate, adjudicate], people_per_item: 2"
    with worlds.make(place, worlds.text(flow), n=3, roles=ROLES) as store:
        for handle in ("ana", "ben"):
            for _ in range(3):
                answer(store, handle)
        with store.write() as session:
            session.execute(text("UPDATE answer SET value_text = 'blue' WHERE value_text = 'red'"))
            session.execute(text("DELETE FROM gold"))
            session.execute(text("UPDATE item_stage SET open = 1, state = 'open'"))
            session.execute(text("DELETE FROM item_tag"))
        with store.read() as session:
            assert caches.differing(session) == {"answer": 6, "item_stage": 6, "gold": 3, "item_tag": 3}
        with store.write() as session:
            assert caches.rebuild(session) == {"answer": 6, "item_stage": 6, "gold": 3, "item_tag": 3}
        assert_kept(store)
