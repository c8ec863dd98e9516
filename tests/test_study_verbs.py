"""goldsmith study on the command line: a text is checked and kept, registered, sat for, and its trials exported."""

from __future__ import annotations

import json

import pandas
import pytest

from annotation.store.opening import open_store
from app import cli
from tests import study_world as world


@pytest.fixture
def project(tmp_path):
    world.make(tmp_path / "P.goldsmith", n=8).close()
    return str(tmp_path / "P.goldsmith")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "study.yaml"
    path.write_text(world.STUDY, "utf-8")
    return path


def study(capsys, *words):
    code = cli.main(["study", *map(str, words), "--json", "--as", "eve"])
    return code, json.loads(capsys.readouterr().out)


def test_faults_of_a_text_are_told_at_once_with_their_lines(capsys, project, file):
    assert study(capsys, "check", file, "--project", project)[0] == 0
    file.write_text(world.STUDY.replace("deadline: 20", "deadlin: 20").replace("seed: 11", "seed: eleven"), "utf-8")
    code, said = study(capsys, "check", file)
    assert code == 1 and len(said["faults"]) == 2
    assert {world.STUDY.splitlines()[one["line"] - 1].split(":")[0] for one in said["faults"]} == {"trial", "seed"}
    file.write_text(world.STUDY.replace("question: fits", "question: nope"), "utf-8")
    code, said = study(capsys, "check", file, "--project", project)
    assert code == 1 and "nope" in said["faults"][0]["message"]


def test_the_whole_life_of_a_study(capsys, project, file, tmp_path):
    code, said = study(capsys, "add", project, file)
    assert code == 0 and said["version"] == 1
    code, registered = study(capsys, "register", project, "with-help", "--out", tmp_path / "plan.md")
    assert code == 0 and registered["sha256"] in (tmp_path / "plan.md").read_text("utf-8")
    assert study(capsys, "register", project, "with-help")[0] == 3, "once"
    with open_store(project) as store:
        for state in ("completed", "completed", "open"):
            opened = world.begin(store, said["hash"])
            if state == "completed":
                with store.write() as session:
                    for seq, fact in enumerate(world.whole(opened)):
                        world.keeping.append(session, opened.id, seq, fact)
                world.end(store, opened.id, state)
    code, listed = study(capsys, "list", project)
    assert (listed["studies"][0]["completed"], listed["studies"][0]["open"]) == (2, 1)
    assert listed["studies"][0]["registered"]
    assert study(capsys, "end", project, "with-help", "p003", "aborted", "--reason", "a fire alarm")[0] == 0
    code, said = study(capsys, "sittings", project, "with-help")
    assert [(one["state"], one["reason"]) for one in said["sittings"]] == [
        ("completed", ""), ("completed", ""), ("aborted", "a fire alarm")]
    code, found = study(capsys, "results", project, "with-help")
    assert code == 0 and found["trials"] == 16 and found["left_out"] == {"aborted": 1}
    assert cli.main(["study", "results", str(project), "with-help", "--as", "eve"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 people, 16 trials in earnest"
    for line, cell in zip(lines[1:], found["cells"], strict=False):
        assert f"{cell['trials']} trials" in line
        assert line.endswith(f", n {cell['time']['n']}") or cell["time"]["why"] in line
    code, said = study(capsys, "export", project, "with-help", tmp_path / "out")
    assert code == 0 and len(pandas.read_csv(tmp_path / "out" / "trials.csv")) == said["rows"] == 20


def test_an_annotator_may_not(capsys, project, file):
    code = cli.main(["study", "add", project, str(file), "--json", "--as", "ana"])
    said = json.loads(capsys.readouterr().out)
    assert code == 2 and said["error"]["message"]


@pytest.mark.parametrize(("words", "code", "sentence"), [
    (("add", "{project}", "nothing-there"), 3, "is no file, and no study"),
    (("results", "{project}", "nothing-there"), 2, "There is no study"),
    (("export", "{project}", "nothing-there", "out"), 2, "There is no study"),
])
def test_what_is_not_there_is_said(capsys, project, words, code, sentence):
    got, said = study(capsys, *(word.format(project=project) for word in words))
    assert got == code and sentence in said["error"]["message"]
