"""Bundles of one small project in many states, each made by the program's own verbs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from annotation import items, people, retracting, signing, tasks
from annotation.answers import Slot
from annotation.items import CandidateItem
from annotation.store.tables import Round
from exports import errata, waivers
from exports.bundle import write_bundle
from exports.release import draw
from tests import small_project as small

HELD = small.PROTOCOL.replace("splits: {dev: 0.3, test: 0.7}", "splits: {dev: 0.5, test: 0.5}\n  held_out: [test]")
MODEL = small.PROTOCOL + 'model: {prompt: "{question}", system: Be brief., extract: letter}\n'
PUBLIC = small.PROTOCOL.replace("export:\n", "export:\n  free_text: public\n")
MEANS = small.PROTOCOL.replace("score: {rule: median}", "score: {rule: mean}")
SIGNED = (small.PROTOCOL.replace("stages: [annotate, adjudicate]", "stages: [annotate, sign]")
          .replace("adjudicate: {when: no_value}", "sign: {role: physician}"))
ABOUT = {"licence": "CC-BY-4.0", "authors": ["Grete Hermann", "Emmy Ä. Noether"], "doi": "10.1234/x",
         "intended_use": "Tests: of \"everything\"", "pay": "20 EUR an hour"}


def held_text(share: float) -> str:
    return small.PROTOCOL.replace("splits: {dev: 0.3, test: 0.7}",
                                  f"splits: {{dev: {share}, test: {1 - share}}}\n  held_out: [test]")


class Made:
    """A project on its way to a bundle."""

    def __init__(self, folder: Path, text: str = small.PROTOCOL, **how: Any) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.store = folder, small.make(folder, text=text, **how)

    def answer(self, **how: Any) -> Made:
        small.answer_all(self.store, **how)
        return self

    def adjudicate(self, key: str = "key-01", value: str = "no") -> Made:
        with self.store.write() as session:
            small.adjudicate(session, key, {Slot("verdict"): {"v": value}})
        return self

    def draw(self, version: str | None = "1.0", **how: Any) -> Made:
        with self.store.write() as session:
            report = draw(session, version, by=small.owner_of(session), **how)
            assert report.manifest_sha256, report.findings
        return self

    def do(self, change: Callable[[Any], object]) -> Made:
        with self.store.write() as session:
            change(session)
        return self

    def write(self, *, private: bool = False, version: str | None = None) -> Path:
        """The bundle, written twice: the same bytes both times."""
        with self.store.read() as session:
            for name in ("again", "bundle"):
                write_bundle(session, self.folder / name, private=private, version=version)
        self.store.close()
        assert small.tree(self.folder / "again") == small.tree(self.folder / "bundle")
        shutil.rmtree(self.folder / "again")
        return self.folder / "bundle"


def _later(made: Made) -> Made:
    """Another name and another answer after the release: neither is in it."""
    def change(session: Any) -> None:
        person = people.find(session, small.HANDLES[0])
        tasks_of = tasks.mine(session, person.id)
        answers = {**small.said("key-02", 0), "verdict": {"v": "no"}}
        task = next(one for one in tasks_of if one.key == "key-02")
        tasks.submit(session, task.task, answers)
    return made.do(change)


def _second(made: Made) -> Made:
    made.do(lambda session: errata.note(session, "key-01", "The second look says so.", by=small.owner_of(session)))
    return made.adjudicate().draw("1.1")


def _waived(made: Made) -> Made:
    made.do(lambda session: waivers.waive(session, "unlicensed_media", ["key-00"], reason="It is a red square.",
                                          by=small.owner_of(session)))
    return made.draw()


def _without_item(session: Any) -> None:
    retracting.retract_item(session, small.item_of(session, "key-00"), by=small.owner_of(session), reason="asked to")


def _without_person(session: Any) -> None:
    retracting.retract_person(session, people.find(session, small.HANDLES[1]).id, by=small.owner_of(session),
                              reason="asked to")


def _signed(made: Made) -> Made:
    def sign(session: Any) -> None:
        people.add(session, "doc-hermann", name="Grete Hermann", roles=["physician"], by=small.owner_of(session))
        doc = people.find(session, "doc-hermann").id
        for due in signing.signing_queue(session, doc):
            signing.sign(session, due.item, by=doc, name_entered="Grete Hermann")
    return made.answer().do(sign).draw()


def _changed_text(made: Made) -> Made:
    """An item got another text after it was answered, and its old answers stand beside the new text."""
    def change(session: Any) -> None:
        items.upsert(session, [CandidateItem(
            key="key-02", folded="key-02", fields={"question": "Another question?", "topic": "even", "responses": [
                {"id": "c1", "text": "a answer 2"}, {"id": "c9", "text": "a new answer"}]},
            secret={"generator": small.SECRET})], by=small.owner_of(session))
    return made.answer().do(change).draw(None)


def _round_named(made: Made) -> Made:
    made.do(lambda session: session.query(Round).update({"name": "first \u2028 round"}))
    return made.answer().draw()


STATES: dict[str, Callable[[Path], Path]] = {
    "a draft": lambda f: Made(f).answer().draw(None).write(),
    "a final release": lambda f: Made(f).answer().adjudicate().draw().write(),
    "with private fields": lambda f: Made(f).answer().adjudicate().draw().write(private=True),
    "one item": lambda f: Made(f, n=1).answer().draw().write(),
    "a missing picture": lambda f: Made(f, missing_picture=True).answer().draw(None).write(),
    "half held out": lambda f: Made(f, held_text(0.5)).answer().adjudicate().draw().write(),
    "half held out, private": lambda f: Made(f, held_text(0.5)).answer().adjudicate().draw().write(private=True),
    "all held out": lambda f: Made(f, held_text(0.0)).answer().draw().write(private=True),
    "free text public": lambda f: Made(f, PUBLIC).answer().adjudicate().draw(None).write(),
    "what models are asked": lambda f: Made(f, MODEL).answer().draw().write(),
    "means": lambda f: Made(f, MEANS).answer().draw().write(private=True),
    "half answered": lambda f: Made(f).answer(besides=("key-03", "key-04")).draw(None).write(),
    "open items left out": lambda f: Made(f).answer(besides=("key-03",)).draw(leave_out_open=True).write(),
    "later answers": lambda f: _later(Made(f).answer().draw()).write(),
    "a second release": lambda f: _second(Made(f).answer().draw()).write(),
    "the first of two": lambda f: _second(Made(f).answer().draw()).write(version="1.0"),
    "a waiver": lambda f: _waived(Made(f).answer()).write(),
    "an item taken out": lambda f: Made(f).answer().adjudicate().draw().do(_without_item).write(private=True),
    "a person taken out": lambda f: Made(f).answer().adjudicate().draw().do(_without_person).write(),
    "held out and taken out": lambda f: Made(f, held_text(0.4)).answer().draw().do(_without_item).do(
        _without_person).write(private=True),
    "signed": lambda f: _signed(Made(f, SIGNED)).write(),
    "a changed text": lambda f: _changed_text(Made(f)).write(),
    "what people state": lambda f: Made(f).answer().draw(about=ABOUT).write(),
    "a strange name of a round": lambda f: _round_named(Made(f)).write(),
}
