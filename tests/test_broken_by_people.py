"""People who try what their roles do not include, by the command line and below the windows."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from annotation import people
from annotation.errors import NotAllowed
from app import cli
from tests import worlds

ITEMS = "id,question,answer\nk1,one,1\nk2,two,2\n"
ANSWERS = "item,person,question,answer\n" + "".join(
    f"{key},{who},verdict,keep\n" for key in ("k1", "k2") for who in ("ana", "ben", "cem"))


@pytest.fixture()
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    made = tmp_path / "P.goldsmith"
    (tmp_path / "items.csv").write_text(ITEMS)
    (tmp_path / "answers.csv").write_text(ANSWERS)
    for words in (["new", made, "--protocol", "qa-check"], ["import", made, tmp_path / "items.csv"],
                  ["answers", made, tmp_path / "answers.csv", "--add-people"],
                  ["people", made, "add", "exp", "--role", "experimenter"], ["release", made]):
        assert cli.main([*map(str, words), "--as", "me"]) == 0
    capsys.readouterr()
    return made


@pytest.mark.parametrize("words", [
    ["agreement", "{project}"], ["gold", "{project}"], ["export", "{project}", "{dir}/out"],
    ["export", "{project}", "{dir}/out", "--private"], ["backup", "{project}", "{dir}/copy.db"],
    ["doctor", "{project}", "--rebuild"], ["release", "{project}"], ["people", "{project}", "add", "zed"]])
def test_an_annotator_sees_and_takes_nothing_of_others_by_the_command_line(
        project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    told = [word.format(project=project, dir=tmp_path) for word in words]
    assert cli.main([*told, "--as", "ana", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "not_allowed"
    assert not (tmp_path / "out").exists() and not (tmp_path / "copy.db").exists()
    assert cli.main([*told, "--as", "me"]) == 0


@pytest.mark.parametrize("verb", ["status", "agreement", "gold", "people", "doctor"])
def test_a_handle_that_does_not_exist_reads_nothing(project: Path, verb: str,
                                                    capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([verb, str(project), "--as", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err


def test_only_an_owner_gives_roles(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["role", "exp", "--add", "researcher"], ["role", "exp", "--remove", "experimenter"],
                  ["add", "zed", "--role", "physician"], ["add", "zed", "--role", "researcher"]):
        assert cli.main(["people", str(project), *words, "--as", "exp"]) == 2
    assert cli.main(["people", str(project), "add", "dan", "--role", "annotator", "--as", "exp"]) == 0
    capsys.readouterr()


def test_only_who_may_change_people_makes_somebody_inactive(tmp_path: Path) -> None:
    with worlds.make(tmp_path / "P.goldsmith") as store, store.write() as session, pytest.raises(NotAllowed):
        people.set_active(session, "ben", active=False, by=worlds.who(session, "ana"))


@pytest.mark.parametrize("words", [
    "people {project} add zed --name {bad}", "release {project} --note {bad}",
    "new {dir}/{bad}.goldsmith --protocol qa-check", "new {dir}/N --protocol qa-check --title {bad}",
    "assign {project} --to ana --items {bad}", "import {project} {dir}/{bad}.csv",
    "import {project} {dir}/items.csv --encoding {bad}", "backup {project} {dir}/{bad}.db"])
def test_words_that_are_no_utf_8_are_told_and_not_a_bug(
        project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str) -> None:
    bad = os.fsdecode(b"K\xe4se")
    told = [word.format(project=project, dir=tmp_path, bad=bad) for word in words.split()]
    assert cli.main([*told, "--json"]) == 2
    said = capsys.readouterr()
    assert json.loads(said.out)["error"]["code"] == "usage" and "UTF-8" in said.err


def test_who_makes_a_project_has_a_handle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["new", str(tmp_path / "P.goldsmith"), "--protocol", "qa-check", "--as", "two words"]) == 3
    assert not (tmp_path / "P.goldsmith").exists() and "no handle" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--replicates", "--seed"])
def test_a_number_below_zero_is_a_usage_fault(project: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["agreement", str(project), option, "-5"]) == 2
    assert option in capsys.readouterr().err
