"""Answers from a file become revisions as answers by keyboard do, one for each item and person, or are refused."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from annotation import importing, judgements, people, protocol, tasks
from annotation.answers_in import AnswersReport, import_answers
from annotation.doctor import doctor
from annotation.errors import NotAllowed, Refused, Unknown
from annotation.store.opening import create
from annotation.store.tables import ImportRun, Item, Person, Revision, Task

PROTOCOL = """\
id: many
version: 1
title: Every kind of question
fields:
  - {name: question, kind: text, required: true}
  - {name: parts, kind: steps}
  - {name: replies, kind: candidates}
questions:
  - {name: ok, type: choice, text: OK?, options: [{value: "1"}, {value: "2"}]}
  - {name: how, type: scale, text: How?, min: 1, max: 5, na: {}}
  - {name: which, type: multichoice, text: Which?, options: [{value: a}, {value: b}], required: false}
  - {name: said, type: text, text: What?, required: false}
  - {name: sure, type: verdict, text: Sure?, required: false, flags: [{value: vague}]}
  - {name: better, type: pairwise, text: Which is better?, on: replies, ties: [tie], strength: 3, required: false}
  - group: each
    for_each: parts
    questions: [{name: right, type: choice, text: Right?, options: [{value: y}, {value: n}]}]
workflow: {stages: [annotate, verify], people_per_item: 2, verify: {only: all}}
gold: {ok: {rule: majority}}
"""


class Desk:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = create(folder / "P.goldsmith", protocol=protocol.loads(PROTOCOL), title="P", owner="o")
        with self.store.write() as session:
            self.by = people.find(session, "o").id
            for name in ("ana", "ben"):
                people.add(session, name, roles=["annotator"], by=self.by)
        (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in (
            {"id": "Item-1", "question": "one", "parts": ["x", "y"], "replies": ["a", "b"]},
            {"id": "2", "question": "two"}, {"id": "3", "question": "three"})))
        importing.import_file(self.store, folder / "items.jsonl", by=self.by)

    def bring(self, rows: list[dict[str, Any]], name: str = "answers.csv", **options: Any) -> AnswersReport:
        path = self.folder / name
        if name.endswith("csv"):
            out = io.StringIO(newline="")
            names = list(dict.fromkeys(name for row in rows for name in row))
            writer = csv.DictWriter(out, names)
            writer.writeheader()
            writer.writerows(rows)
            path.write_text(out.getvalue(), newline="")
        else:
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return import_answers(self.store, path, by=self.by, **options)

    def revisions(self) -> dict[tuple[str, str], Any]:
        with self.store.read() as session:
            return {(key, handle): (answers, ms, at) for key, handle, answers, ms, at in session.execute(
                select(Item.key, Person.handle, Revision.answers_json, Revision.active_ms, Revision.at)
                .join(Task, Task.id == Revision.task).join(Item, Item.id == Task.item)
                .join(Person, Person.id == Revision.person))}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.chdir(tmp_path)
    made = Desk(tmp_path)
    with made.store:
        yield made


def row(item: str, person: str, question: str, answer: Any, **more: Any) -> dict[str, Any]:
    return {"item": item, "person": person, "question": question, "answer": answer, **more}


WHOLE = [("ok", "1", {}), ("how", "4", {}), ("which", '["b", "a"]', {}), ("said", "[1]", {}),
         ("sure", '{"v": "reject", "flags": ["vague"]}', {}), ("better", '{"v": "c2", "strength": 3}', {}),
         ("right", "y", {"element": "1"}), ("right", "n", {"element": "2"})]
KEPT = {"ok": {"v": "1"}, "how": {"v": 4}, "which": {"v": ["a", "b"]}, "said": {"v": "[1]"},
        "sure": {"v": "reject", "flags": ["vague"]}, "better": {"v": "c2", "strength": 3},
        "right": {"1": {"v": "y"}, "2": {"v": "n"}}}


def test_every_kind_of_answer_is_read_from_cells(desk):
    rows = [row("item-1", "ana", question, answer, seconds="12.5", at="2026-01-31T08:00:00Z", **more)
            for question, answer, more in WHOLE]
    report = desk.bring(rows)
    assert (report.rows, report.accepted, report.refused, report.revisions) == (8, 8, 0, 1)
    assert desk.revisions() == {("Item-1", "ana"): (KEPT, 12_500, datetime(2026, 1, 31, 8, tzinfo=UTC))}
    assert doctor(desk.store)["faults"] == []


def test_json_lines_may_hold_the_values_themselves(desk):
    values = {"how": 4, "which": ["b", "a"], "sure": {"v": "reject", "flags": ["vague"]},
              "better": {"v": "c2", "strength": 3}}
    rows = [row("Item-1", "ana", question, values.get(question, answer), **more) for question, answer, more in WHOLE]
    assert desk.bring(rows, "answers.jsonl").accepted == 8
    assert desk.revisions()["Item-1", "ana"][0] == KEPT


def test_answers_of_a_file_count_as_answers_by_keyboard_do(desk):
    desk.bring([row(item, person, question, answer) for item in ("2", "3") for person in ("ana", "ben")
                for question, answer in (("ok", "1" if person == "ana" or item == "2" else "2"), ("how", "3"))])
    with desk.store.read() as session:
        percent, = judgements.agreement(session, ("ok",), metric="percent_agreement", replicates=100)
        assert (percent.value, percent.n_items, percent.n_people, percent.n_judgements) == (0.5, 2, 2, 4)
        assert {order for order in session.execute(select(Task.order_json)).scalars()} == {None}  # none was shown


def test_na_is_an_answer_only_where_the_question_has_it(desk):
    report = desk.bring([row("2", "ana", "ok", "1", na=""), row("2", "ana", "how", "", na="true"),
                         row("3", "ana", "ok", "", na="true"), row("3", "ana", "how", "1", na="")])
    assert desk.revisions()["2", "ana"][0] == {"ok": {"v": "1"}, "how": {"na": True}}
    assert report.revisions == 1 and report.refused == 2


@pytest.mark.parametrize(("rows", "code", "line", "key"), [
    ([("9", "ana", "ok", "1")], "unknown_item", 4, "item"), ([("2", "zoe", "ok", "1")], "unknown_person", 4, "person"),
    ([("2", "o", "ok", "1")], "unknown_person", 4, "person"), ([("2", "ana", "ok", "1")], "missing_value", 4, "how"),
    ([("2", "ana", "ok", "3"), ("2", "ana", "how", "1")], "bad_value", 4, "answer"),
    ([("2", "ana", "ok", "1"), ("2", "ana", "how", "lots")], "bad_type", 5, "answer"),
    ([("2", "ana", "ok", "1"), ("2", "ana", "ok", "2")], "bad_value", 5, "question"),
    ([("2", "ana", "colour", "1")], "bad_value", 4, "question"),
    ([("2", "ana", "right", "y")], "bad_value", 4, "element"), ([("2", "ana", "ok", "")], "missing_value", 4, "answer"),
    ([("2", "", "ok", "1")], "missing_value", 4, "person"),
    ([("3", "ben", "ok", "1")], "already_answered", 4, "person"),
])
def test_a_group_is_refused_whole_with_its_reason_and_the_others_stand(desk, rows, code, line, key):
    good = [row("3", "ben", "ok", "1"), row("3", "ben", "how", "2")]
    if code == "already_answered":
        desk.bring(good)
        good = [row("2", "ben", "ok", "1"), row("2", "ben", "how", "2")]
    report = desk.bring([*good, *(row(*one) for one in rows)], refused=desk.folder / "refused.jsonl")
    assert (report.accepted, report.refused, report.revisions) == (2, len(rows), 1)
    first = report.refusals[0]
    assert (first["code"], first["line"], first["key"]) == (code, line, key)
    lines = [json.loads(text)["row"] for text in (desk.folder / "refused.jsonl").read_text().splitlines()]
    assert sorted(one["answer"] for one in lines) == sorted(one[3] for one in rows)
    with desk.store.read() as session:
        assert all(state == "submitted" for state in session.execute(select(Task.state)).scalars())
    assert doctor(desk.store)["faults"] == []


def test_more_people_than_places_are_refused(desk):
    rows = [row("2", person, question, answer) for person in ("u1", "u2", "u3")
            for question, answer in (("ok", "1"), ("how", "2"))]
    report = desk.bring(rows, add_people=True)
    assert (report.revisions, report.refused) == (2, 2) and report.refusals[0]["code"] == "already_answered"
    with desk.store.read() as session:
        views = {view.handle: view.roles for view in people.people(session)}
    assert views == {"ana": ("annotator",), "ben": ("annotator",), "o": ("owner",), "u1": ("annotator",),
                     "u2": ("annotator",)}


def test_a_task_that_the_person_has_begun_is_taken_up(desk):
    with desk.store.write() as session:
        ana = people.find(session, "ana").id
        task = tasks.next_task(session, ana)
        tasks.save_draft(session, task.id, {"ok": {"v": "2"}})
    rows = [row(task.key, "ana", "ok", "1"), row(task.key, "ana", "how", "1")]
    rows += [row(task.key, "ana", "right", "y", element=n) for n in ("1", "2")] if task.key == "Item-1" else []
    assert desk.bring(rows).revisions == 1
    with desk.store.read() as session:
        assert session.execute(select(Task.id)).scalars().all() == [task.id]


def test_who_annotated_an_item_does_not_verify_it(desk):
    pair = [("ok", "1"), ("how", "2")]
    desk.bring([row("2", person, *one) for person in ("ana", "ben") for one in pair])
    with desk.store.write() as session:
        people.set_roles(session, "ana", add=["verifier"], by=desk.by)
        people.add(session, "vera", roles=["verifier"], by=desk.by)
    report = desk.bring([row("2", person, *one) for person in ("ana", "vera") for one in pair], stage="verify")
    assert report.revisions == 1 and {one["code"] for one in report.refusals} == {"already_answered"}


def test_nothing_is_changed_where_the_file_is_refused(desk):
    before = desk.store.content_sha256(), sorted(desk.folder.iterdir())
    for rows, options, words in (
            ([row("2", "ana", "ok", "1")], {}, "none of the 1 rows"),
            ([row("2", "ana", "ok", "1"), row("3", "ana", "ok", "1"), row("3", "ana", "how", "1")], {"strict": True},
             "1 of 3 rows are refused"),
            ([{"item": "2", "person": "ana", "answer": "1"}], {}, "has no 'question'"),
            ([{"item": "2", "person": "ana", "question": "ok"}], {}, "has no 'answer'")):
        with pytest.raises(Refused, match=words):
            desk.bring(rows, **options)
    (desk.folder / "answers.csv").unlink()
    for options, words in (({"stage": "sign"}, "no stage 'sign'"), ({"round": "second"}, "no round 'second'")):
        with pytest.raises(Unknown, match=words):
            desk.bring([row("2", "ana", "ok", "1")], **options)
    (desk.folder / "answers.csv").unlink()
    assert (desk.store.content_sha256(), sorted(desk.folder.iterdir())) == before


def test_answers_are_brought_in_by_keepers_and_the_run_is_remembered(desk):
    rows = [row("2", "ana", "ok", "1"), row("2", "ana", "how", "2")]
    desk.bring(rows)
    with desk.store.read() as session:
        ana = people.find(session, "ana").id
        assert [counts["answers"]["revisions"] for counts in session.execute(
            select(ImportRun.counts_json)).scalars() if "answers" in counts] == [1]
    with pytest.raises(NotAllowed):
        import_answers(desk.store, desk.folder / "answers.csv", by=ana)
