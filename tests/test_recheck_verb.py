"""Rounds of looking again by the command line: made, listed, taken back, and refused in a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation import notes, people
from annotation.store.opening import open_store
from app import cli
from tests.results_world import make

Run = Callable[..., dict[str, Any]]
WHY = "A model and people differ here."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make(tmp_path)


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def made(*words: object, exit: int = 0) -> dict[str, Any]:
        capsys.readouterr()
        code = cli.main(["recheck", str(project), *map(str, words), "--json"])
        answer: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert code == exit, answer
        return answer

    return made


def asked(project: Path) -> dict[str, tuple[str | None, str]]:
    with open_store(project, read_only=True) as store, store.read() as session:
        return {one.key: (one.question, one.messages[0].text) for one in notes.queries(session, only_open=True)}


def test_items_are_sent_to_a_round_listed_and_taken_back(run: Run, project: Path, tmp_path: Path) -> None:
    assert run() == {"ok": True, "schema": "goldsmith/recheck/1", "made": None, "rounds": []}
    (tmp_path / "keys.txt").write_text("a2\n\na3\n", "utf-8")
    found = run("--items", "a1", "--from", tmp_path / "keys.txt", "--why", WHY, "--question", "colour", "--as", "demo")
    assert found["made"] == {"round": "recheck 1", "items": 3, "already": 0}
    [round] = found["rounds"]
    assert (round["round"], round["by"], round["items"], round["open"], round["chosen"]) == (
        "recheck 1", "demo", ["a1", "a2", "a3"], ["a1", "a2", "a3"], {"verb": "recheck"})
    assert asked(project) == dict.fromkeys(("a1", "a2", "a3"), ("colour", WHY))
    again = run("--items", "a1", "--items", "a4", "--why", WHY)
    assert again["made"] == {"round": "recheck 2", "items": 1, "already": 1}
    assert run("--items", "a1", "--why", WHY)["made"] == {"round": None, "items": 0, "already": 1}
    left = run("--cancel", "recheck 1")["rounds"]
    assert {one["round"]: one["open"] for one in left} == {"recheck 2": ["a4"], "recheck 1": []}
    assert set(asked(project)) == {"a4"}
    assert run("--cancel", "recheck 1", exit=3)["error"]["message"] == "this round was taken back already"


def test_a_round_that_somebody_answered_is_not_taken_back(run: Run, project: Path) -> None:
    run("--items", "a1", "--why", WHY)
    with open_store(project) as store, store.write() as session:
        [query] = notes.queries(session, only_open=True)
        notes.answer_query(session, query.id, by=people.find(session, "demo").id, text="I look")
    assert run("--cancel", "recheck 1", exit=3)["error"]["code"] == "built_on"


@pytest.mark.parametrize(("words", "exit", "said"), [
    (("--items", "a1"), 3, "say why these items are to be looked at again"),
    (("--items", "nowhere", "--why", WHY), 2, "there is no item 'nowhere'"),
    (("--items", "a1", "--why", WHY, "--question", "size"), 2, "The protocol has no question 'size'"),
    (("--why", WHY), 2, "recheck wants --items KEY or --from FILE"),
    (("--cancel", "recheck 7"), 2, "There is no recheck round 'recheck 7'. There are: none."),
    (("--cancel", "recheck 1", "--why", WHY), 2, "goes without items"),
    (("--from", "gone.txt", "--why", WHY), 3, "gone.txt cannot be read"),
    (("--items", "a1", "--why", WHY, "--as", "ana"), 2, "ana"),
    (("--as", "ana"), 2, "ana")])
def test_what_cannot_be_done_is_said_and_changes_nothing(
        run: Run, project: Path, words: tuple[str, ...], exit: int, said: str) -> None:
    assert said in run(*words, exit=exit)["error"]["message"]
    assert asked(project) == {} and run()["rounds"] == []


def test_the_lines_say_how_many_are_open(run: Run, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("--items", "a1", "--items", "a2", "--why", WHY)
    assert cli.main(["recheck", str(project)]) == 0
    assert capsys.readouterr().out == "recheck 1, demo: 2 items, 2 open\n"
