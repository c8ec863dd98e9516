"""Items that change while people answer, decide and sign: nothing said of an old text passes for the new one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from annotation import adjudicating, doctor, importing, people, protocol, signing, tasks, undo
from annotation.answers import Slot
from annotation.store.opening import create
from annotation.store.project import Store
from annotation.store.tables import Item, Revision, Task
from exports import bundle, release, verify

TEXT = """\
id: changes
version: 1
title: Changes
fields: [{name: q, kind: text, required: true}, {name: replies, kind: candidates}]
questions:
  - {name: ok, type: choice, text: ok, options: [{value: "y"}, {value: "n"}]}
  - {name: pick, type: choice, text: Which?, options_from: replies, shuffle: per_person, required: false}
  - {name: better, type: pairwise, text: Which?, on: replies, ties: [tie], required: false}
  - {group: each, for_each: replies, questions: [{name: clear, type: scale, text: Clear?, min: 1, max: 3}]}
workflow: {stages: [annotate, adjudicate, sign], people_per_item: 2, sign: {role: physician}}
gold: {ok: {rule: majority}, pick: {rule: majority}, better: {rule: majority}, clear: {rule: median}}
export: {scorer: {metric: accuracy, question: ok}}
"""
OLD = [{"id": "own-1", "text": "one"}, {"id": "own-2", "text": "two"}]
NEW = [{"id": "own-1", "text": "one"}, {"id": "own-3", "text": "three"}]


def row(q: str = "old", replies: list[dict[str, str]] = OLD) -> dict[str, Any]:
    return {"id": "k1", "q": q, "replies": replies}


class Place:
    """A project with one item and the people who work on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store: Store = create(folder / "P.goldsmith", protocol=protocol.loads(TEXT), title="P", owner="owner")
        with self.store.write() as session:
            self.owner = people.find(session, "owner").id
            for handle, role in (("ana", "annotator"), ("ben", "annotator"), ("adj", "adjudicator"),
                                 ("doc", "physician")):
                people.add(session, handle, roles=[role], by=self.owner)
        self.bring(row())

    def bring(self, one: Mapping[str, Any]) -> None:
        source = self.folder / "items.jsonl"
        source.write_text(json.dumps(one) + "\n", "utf-8")
        importing.import_file(self.store, source, by=self.owner)

    def take(self, handle: str) -> tasks.TaskView:
        with self.store.write() as session:
            task = tasks.next_task(session, people.find(session, handle).id)
            assert task is not None
            return task

    def answer(self, handle: str, *, picked: str = "own-2") -> Any:
        task = self.take(handle)
        with self.store.write() as session:
            return tasks.submit(session, task.id, said(picked)).value

    def state(self) -> str:
        with self.store.read() as session:
            return session.scalars(select(Item.state)).one()

    def release(self, version: str | None) -> release.ReleaseReport:
        with self.store.write() as session:
            return release.draw(session, version, by=self.owner)

    def export(self, version: str) -> Path:
        out = self.folder / f"out-{version}"
        with self.store.read() as session:
            bundle.write_bundle(session, out, version=version)
        return out


def said(picked: str) -> dict[str, Any]:
    return {"ok": {"v": "y"}, "pick": {"v": picked}, "better": {"v": picked},
            "clear": {"own-1": {"v": 1}, "own-2": {"v": 3}}}


@pytest.fixture()
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_an_answer_begun_before_the_text_changed_makes_the_item_stale(place: Place) -> None:
    task = place.take("ana")
    place.bring(row("new"))
    with place.store.write() as session:
        tasks.submit(session, task.id, said("own-1"))
    assert place.state() == "stale"
    place.answer("ben")
    found = {finding.code for finding in place.release("1.0").findings}
    assert "stale_item" in found


def test_an_item_is_no_longer_stale_once_its_old_text_is_back(place: Place) -> None:
    place.answer("ana")
    place.bring(row("a wrong file"))
    assert place.state() == "stale"
    place.bring(row())
    assert place.state() == "active"


def test_an_item_is_no_longer_stale_once_the_answers_to_its_old_text_are_withdrawn(place: Place) -> None:
    revision = place.answer("ana")
    place.bring(row("new"))
    with place.store.write() as session:
        done = tasks.withdraw(session, revision, person=place.owner)
    assert done.undo is not None and place.state() == "active"


def test_a_decision_on_the_old_text_leaves_the_item_stale(place: Place) -> None:
    revisions = [place.answer("ana", picked="own-1"), place.answer("ben")]
    with place.store.write() as session:
        item = session.scalars(select(Item.id)).one()
        adjudicating.adjudicate(session, item, {Slot("pick"): {"v": "own-1"}, Slot("better"): {"v": "own-1"}},
                                by=people.find(session, "adj").id, reason="because")
    place.bring(row("new"))
    with place.store.write() as session:
        for revision in revisions:
            tasks.withdraw(session, revision, person=place.owner)
    assert place.state() == "stale"


def test_a_draft_of_items_whose_candidates_went_is_a_bundle_without_faults(place: Place) -> None:
    place.answer("ana")
    place.answer("ben")
    place.bring(row("new", NEW))
    report = place.release(None)
    out = place.export(report.version)
    assert verify.verify(out).faults == ()
    gold = [json.loads(line) for line in (out / "public/gold.jsonl").read_text().splitlines()]
    assert {one["question"] for one in gold} == {"ok", "clear"}  # nobody picked what is there now
    assert doctor.doctor(place.store)["faults"] == []


def test_no_id_of_a_candidate_leaves_the_store_even_where_it_went(place: Place) -> None:
    place.answer("ana")
    place.answer("ben")
    place.bring(row("new", NEW))
    out = place.export(place.release(None).version)
    for path in out.rglob("*.jsonl"):
        assert "own-" not in path.read_text(), path.name


def test_a_signature_is_not_claimed_for_a_text_that_nobody_signed(place: Place) -> None:
    place.answer("ana")
    place.answer("ben")
    with place.store.write() as session:
        item = session.scalars(select(Item.id)).one()
        signing.sign(session, item, by=people.find(session, "doc").id, name_entered="doc")
    place.bring(row("new", NEW))
    out = place.export(place.release(None).version)
    gold = [json.loads(line) for line in (out / "public/gold.jsonl").read_text().splitlines()]
    assert gold and not any(one["signed"] for one in gold)
    assert verify.verify(out).faults == ()


def test_an_answer_whose_withdrawal_is_taken_back_keeps_the_time_it_took(place: Place) -> None:
    task = place.take("ana")
    with place.store.write() as session:
        revision = tasks.submit(session, task.id, said("own-1"), active_ms=7000, wall_ms=9000).value
    with place.store.write() as session:
        done = tasks.withdraw(session, revision, person=place.owner)
    with place.store.write() as session:
        assert done.undo is not None
        undo.apply(session, done.undo, person=place.owner)
    with place.store.read() as session:
        last = session.execute(select(Revision.active_ms, Revision.wall_ms).order_by(Revision.id.desc())).first()
        kept = session.execute(select(Task.active_ms, Task.wall_ms)).one()
    assert last is not None and tuple(last) == tuple(kept) == (7000, 9000)
