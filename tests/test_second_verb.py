"""Decisions made again, blind, by the command line: what is listed, shown, taken and refused, and that gold stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation import gold, people, review, trail
from annotation.adjudicator_check import adjudicator_check
from annotation.answers import Slot
from annotation.store.opening import open_store
from app import cli
from tests import worlds
from tests.desk import answer, make
from tests.rating_world import give, item_of

QUESTIONS = ("  - {name: colour, type: choice, text: Which colour?, options: [{value: red}, {value: blue}]}\n"
             "  - {name: size, type: scale, text: How big?, min: 1, max: 5}\n")
TEXT = worlds.text("stages: [annotate, adjudicate], people_per_item: 2", questions=QUESTIONS)
FIRST = {"a0": "red", "a1": "blue", "a2": "red"}
Run = Callable[..., dict[str, Any]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Three items on which two people differ, decided by dr-curie; a3 is open."""
    path = tmp_path / "W.goldsmith"
    with worlds.make(path, TEXT, n=4) as made:
        with made.write() as session:
            for handle in ("dr-curie", "dr-eva"):
                people.add(session, handle, roles=["adjudicator"], by=people.find(session, "demo").id)
        for key in (*FIRST, "a3"):
            give(made, "ana", key, {"colour": {"v": "red"}, "size": {"v": 2}})
            give(made, "ben", key, {"colour": {"v": "blue"}, "size": {"v": 2}})
        for key, colour in FIRST.items():
            with made.write() as session:
                review.adjudicate(session, item_of(session, key), {Slot("colour"): {"v": colour}},
                                  by=people.find(session, "dr-curie").id, reason="the guideline")
    return path


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def made(*words: object, exit: int = 0) -> dict[str, Any]:
        capsys.readouterr()
        code = cli.main(["second", str(project), *map(str, words), "--as", "dr-eva", "--json"])
        answer: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert code == exit, answer
        return answer

    return made


def values(project: Path) -> dict[str, str]:
    with open_store(project, read_only=True) as store, store.read() as session:
        return {one.key: one.answer["v"] for one in gold.gold(session, "colour")}


def decisions(tmp_path: Path, *rows: str) -> Path:
    file = tmp_path / "again.csv"
    file.write_text("\n".join(("item,question,answer,reason", *rows)) + "\n", "utf-8")
    return file


def test_what_another_decided_is_listed_shown_blind_and_decided_again(run: Run, project: Path, tmp_path: Path) -> None:
    before = values(project)
    slots = [{"element": None, "question": "colour"}]
    assert run()["due"] == [{"item": key, "slots": slots} for key in FIRST]
    [first, second] = run("--show", "a0", "--show", "a1")["cases"]
    assert (first["item"], first["slots"], first["reason_required"]) == ("a0", slots, False)
    assert sorted(one["answers"]["colour"]["v"] for one in first["answers"]) == ["blue", "red"]
    assert "guideline" not in json.dumps([first, second])  # the decision is not in it
    found = run(decisions(tmp_path, "a0,colour,red,as I see it", "a1,colour,red,"))
    assert (found["rows"], found["accepted"], found["decisions"], found["refused"]) == (2, 2, 2, 0)
    assert values(project) == before
    assert [one["item"] for one in run()["due"]] == ["a2"]
    with open_store(project, read_only=True) as store, store.read() as session:
        [check] = adjudicator_check(session, replicates=100)
        assert (check.question, check.same.count, check.same.n) == ("colour", 1, 2)


def test_rows_that_cannot_be_taken_are_refused_with_their_line_and_the_others_stand(
        run: Run, tmp_path: Path) -> None:
    run("--show", "a0", "--show", "a1", "--show", "a2")
    file = decisions(tmp_path, "a0,colour,green,", "a1,colour,blue,", "a3,colour,red,", "a1,colour,red,",
                     "a9,colour,red,", "a0,shape,red,", "a2,colour,blue,")
    found = run(file, exit=1)
    said = {(one["line"], one["code"]): one["message"] for one in found["refusals"]}
    assert (found["accepted"], found["refused"], found["decisions"]) == (1, 6, 1)
    assert "green" in said[(2, "bad_value")] and "answered twice" in said[(5, "bad_value")]
    assert "open the case first" in said[(4, "not_open")] and "no item 'a9'" in said[(6, "unknown_item")]
    assert "refused with line 5" in said[(3, "bad_value")]
    assert len(Path(found["refused_file"]).read_text("utf-8").splitlines()) == 6
    assert "size" in run(decisions(tmp_path, "a0,size,2,"), exit=3)["error"]["message"]  # nobody decided that


def test_nothing_is_opened_that_would_not_be_blind(run: Run, project: Path) -> None:
    run("--show", "a3", exit=3)  # nobody has decided it, so that its answers are not shown either
    with open_store(project) as store, store.write() as session:
        eva, item = people.find(session, "dr-eva").id, item_of(session, "a1")
        assert not trail.was_revealed(session, eva, item=item_of(session, "a3"))
        trail.reveal(session, eva, item=item)
    assert "would not be blind" in run("--show", "a1", exit=2)["error"]["message"]
    assert [one["item"] for one in run()["due"]] == ["a0", "a2"]


def test_a_share_is_drawn_once_and_what_makes_no_sense_is_said(run: Run, project: Path,
                                                               capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--share", "0")["due"] == []
    assert run("--share", "1") == run("--share", "1.0")
    for words, said in ((("--share", "2"), "no share from 0 to 1"), (("x.csv", "--show", "a0"), "FILE goes without"),
                        (("--show", "a9"), "no item 'a9'")):
        assert said in run(*words, exit=2)["error"]["message"]
    assert run("gone.csv", exit=3)["error"]["file"] is not None
    assert cli.main(["second", str(project), "--as", "ana"]) == 2  # an annotator may not decide
    assert cli.main(["second", str(project), "--as", "dr-eva"]) == 0
    assert "3 items to decide again" in capsys.readouterr().out
    assert cli.main(["second", str(project), "--show", "a0", "--as", "dr-eva"]) == 0
    out = capsys.readouterr().out
    assert "a0: decide colour" in out and "  colour: " in out and "    1: " in out


VERDICTS = """\
id: desk
version: 1
title: A desk
fields:
  - {name: text, kind: text, label: Text, required: true}
questions:
  - name: fits
    type: verdict
    text: Is the answer right?
    flags: [{value: wrong, label: Answer is wrong}, {value: old, label: Out of date}]
  - {name: note, type: text, text: What do you see?, required: false}
workflow:
  stages: [annotate, adjudicate]
  people_per_item: 2
  adjudicate: {when: any_difference, role: physician}
gold: {fits: {rule: majority, min_people: 2}}
"""


def test_a_case_is_printed_whole_with_its_texts_flags_and_reasons(tmp_path: Path,
                                                                  capsys: pytest.CaptureFixture[str]) -> None:
    text, note = "One line of the item. " * 40 + "\nAnd its last line.", "What I see is this. " * 20 + "End."
    path = make(tmp_path, VERDICTS, [{"id": "i0", "text": text}], persons={
        "ana": ("annotator",), "ben": ("annotator",), "dr-curie": ("physician",), "dr-eva": ("physician",)})
    answer(path, "ana", lambda _task: {"fits": {"v": "reject", "flags": ["wrong", "old"], "reason": "Too high a dose."},
                                       "note": {"v": note}})
    answer(path, "ben", lambda _task: {"fits": {"v": "keep"}})
    with open_store(path) as store, store.write() as session:
        review.adjudicate(session, item_of(session, "i0"), {Slot("fits"): {"v": "keep"}},
                          by=people.find(session, "dr-curie").id, reason="the guideline")
    assert cli.main(["second", str(path), "--show", "i0", "--as", "dr-eva"]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert ".." not in out and f"  text: {text.splitlines()[0]}".rstrip() in [line.rstrip() for line in lines]
    assert "        And its last line." in lines
    assert "  fits: Is the answer right?" in lines and any(line[4:] in ("1: keep", "2: keep") for line in lines)
    at = next(n for n, line in enumerate(lines) if line.endswith(": reject"))
    assert lines[at + 1:at + 3] == ["       flags: wrong, old", "       reason: Too high a dose."]
    assert any(line.endswith(note) for line in lines) and "the guideline" not in out
