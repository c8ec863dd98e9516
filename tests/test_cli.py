"""Every verb of the command line, run for real: the keys of its JSON, its exit codes, and what the docs say of it."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import resources
from annotation.store.opening import open_store
from app import cli
from exports import preflight
from tests.conftest import ROOT

SAMPLES = Path(resources.__file__).parent / "samples"
DOCS = (ROOT / "docs/cli.md").read_text("utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| (.+) \| (.+) \|$", DOCS, re.M)
STUDY_DEEDS = ("run", "self-test", "demo", "list", "check", "add", "register", "sittings", "end", "results", "export")
ERROR = {"code", "message", "file", "line", "column", "key", "value"}
HANDLES = ("ana", "ben", "cem")

Run = Callable[..., dict[str, Any]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """``run("status", "P")``: the object on stdout, which is strict JSON and nothing else, at this exit code."""
    monkeypatch.chdir(tmp_path)

    def never(number: str) -> None:
        raise AssertionError(f"{number} is no JSON")

    def made(*words: str | Path, exit: int = 0) -> dict[str, Any]:
        capsys.readouterr()
        code = cli.main([*map(str, words), "--json"])
        out = capsys.readouterr().out
        answer: dict[str, Any] = json.loads(out, parse_constant=never)
        assert code == exit, answer
        assert answer["ok"] is (code == 0)
        if code > 1:
            assert set(answer["error"]) == ERROR and answer["error"]["code"] and answer["error"]["message"]
        else:
            assert answer["schema"] == f"goldsmith/{words[0]}/1"
        return answer

    yield made


@pytest.fixture
def text(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Exit code, stdout and stderr of a command without --json."""
    def made(*words: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        code = cli.main([*map(str, words)])
        caught = capsys.readouterr()
        return code, caught.out, caught.err

    return made


@pytest.fixture
def project(run: Run) -> Path:
    """The sample of qa-check, three annotators, no answers."""
    run("new", "P.goldsmith", "--protocol", "qa-check", "--as", "me")
    run("import", "P.goldsmith", SAMPLES / "qa-check/pairs.jsonl", "--recipe", "qa-check")
    for handle in HANDLES:
        run("people", "P.goldsmith", "add", handle, "--role", "annotator", "--name", handle.title())
    return Path("P.goldsmith")


def answered(run: Run, project: Path) -> list[str]:
    """Everybody keeps every pair; the keys of the items."""
    keys = [json.loads(line)["id"] for line in (SAMPLES / "qa-check/pairs.jsonl").read_text("utf-8").splitlines()]
    lines = ["item,person,question,answer", *(f"{key},{handle},verdict,keep" for key in keys for handle in HANDLES)]
    Path("answers.csv").write_text("\n".join(lines) + "\n", "utf-8")
    assert run("answers", project, "answers.csv")["accepted"] == 3 * len(keys)
    return [str(key) for key in keys]


def keys_of(cell: str) -> set[str]:
    """The keys that a cell of the table names at its top level: ``a, b{c,d}, e[..]`` -> a, b, e."""
    while re.search(r"[\[{][^\[\]{}]*[\]}]", cell):
        cell = re.sub(r"[\[{][^\[\]{}]*[\]}]", "", cell)
    return {name.strip() for name in cell.split(",")}


DOCUMENTED = {verb: [keys_of(part.removeprefix(" with PROJECT also ")) for part in keys.split(";")]
              for verb, _, keys in ROWS}


# --- docs and help ------------------------------------------------------------------------------------------------

def test_the_version_is_the_one_that_is_installed(text):
    code, out, _ = text("--version")
    assert (code, out.strip()) == (0, "goldsmith " + metadata.version("goldsmith"))


def test_the_docs_name_every_verb_and_every_verb_of_the_help_is_in_the_docs(text):
    code, out, _ = text("--help")
    listed = re.findall(r"^  (\w+) ", out, re.M)
    assert code == 0 and listed == list(cli.VERBS) == [verb for verb, _, _ in ROWS]


@pytest.mark.parametrize("verb", list(cli.VERBS))
def test_the_docs_name_every_argument_that_a_verb_takes(verb, capsys):
    said = ""
    for words in [[verb], *([verb, "P", deed] for deed in ("add", "role") if verb == "people"),
                  *([verb, deed] for deed in STUDY_DEEDS if verb == "study")]:
        with pytest.raises(SystemExit) as left:
            cli.main([*words, "--help"])
        assert left.value.code == 0
        said += capsys.readouterr().out
    [arguments] = [arguments for name, arguments, _ in ROWS if name == verb]
    assert set(re.findall(r"--[a-z0-9-]+", said)) - {"--help"} == set(re.findall(r"--[a-z0-9-]+", arguments))


def test_the_commands_of_the_readme_do_what_they_stand_for(run):
    readme = (ROOT / "README.md").read_text("utf-8")
    block = re.findall(r"^ {7}goldsmith (.+)$", readme, re.M)
    *verbs, window = [[word.replace("resources/", f"{ROOT.as_posix()}/resources/") for word in line.split()]
                      for line in block]  # the clone's path may hold a space
    told = {words[0]: run(*words) for words in verbs}
    assert list(told) == ["new", "import", "people"] and window == ["P.goldsmith"] and Path(window[0]).is_dir()
    assert (told["import"]["new"], told["import"]["unused"]) == (10, [])
    assert {"protocols", "verify", "score", "tour"} <= set(re.findall(r"goldsmith ([a-z]+)", readme))


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", *(f"docs/{one.name}" for one in
                                                                    (ROOT / "docs").glob("*.md"))])
def test_links_between_the_docs_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text("utf-8")):
        assert ((ROOT / page).parent / target).exists(), target


# --- each verb ----------------------------------------------------------------------------------------------------

def test_a_project_from_protocol_to_scores_has_the_documented_keys_at_every_verb(run, project):
    told = {"new": run("new", "Q.goldsmith", "--protocol", "qa-check", "--title", "Questions", "--as", "me"),
            "import": run("import", project, SAMPLES / "qa-check/pairs.jsonl", "--recipe", "qa-check"),
            "people": run("people", project)}
    assert (told["import"]["new"], told["import"]["unchanged"], told["import"]["unused"]) == (0, 10, [])
    assert [one["handle"] for one in told["people"]["people"]] == ["ana", "ben", "cem", "me"]
    assert run("people", project, "role", "cem", "--add", "adjudicator")["people"][2]["roles"] == [
        "adjudicator", "annotator"]
    keys = answered(run, project)
    told["status"] = run("status", project)
    assert told["status"]["stages"]["annotate"]["done"] == told["status"]["gold"]["items"] == len(keys) == 10
    told["agreement"] = run("agreement", project)
    assert {one["metric"]: one["value"] for one in told["agreement"]["results"]} == {
        "krippendorff_alpha": None, "percent_agreement": 1.0}  # one value throughout: no agreement by chance to beat
    told["gold"] = run("gold", project, "--question", "verdict")
    assert {one["answer"] for one in told["gold"]["gold"]} == {"keep"} and told["gold"]["missing"] == []
    told["release"] = run("release", project, "1.0", "--note", "first")
    told["export"] = run("export", project, "out", "--release", "1.0")
    told["verify"] = run("verify", "out", "--manifest-sha256", told["release"]["manifest_sha256"])
    Path("all-keep.jsonl").write_text("".join(json.dumps({"id": key, "answer": "Keep"}) + "\n" for key in keys))
    told["score"] = run("score", "out", "mine=all-keep.jsonl", "--baselines", "--out", "scores.json")
    assert run("score", "--baselines", "out", "--seed", "0", "mine=all-keep.jsonl") == told["score"]
    assert json.loads(Path("scores.json").read_text("utf-8")) == told["score"]
    values = {one["system"]: one["metrics"][0]["value"] for one in told["score"]["systems"]}
    assert values["mine"] == values["oracle"] == 1.0 and values["anti-oracle"] == 0.0
    told["backup"] = run("backup", project, "copy.db")
    told["assign"] = run("assign", project, "--to", "ana", "--items", keys[0])
    told["doctor"] = run("doctor", project)
    for verb, answer in told.items():
        wanted = set().union(*DOCUMENTED[verb])
        assert wanted <= set(answer), (verb, wanted - set(answer))
    assert told["doctor"]["content_sha256"] == run("status", project)["content_sha256"]


def test_export_without_a_release_lets_others_write_while_items_are_looked_at(run, project, monkeypatch):
    answered(run, project)
    look, could_write = preflight.examine, []

    def seen(session: Any, *args: Any, **more: Any) -> Any:
        with closing(sqlite3.connect(project / "project.db", timeout=0)) as other:
            try:
                other.execute("begin immediate")
                could_write.append(True)
            except sqlite3.OperationalError:
                could_write.append(False)
        return look(session, *args, **more)

    monkeypatch.setattr(preflight, "examine", seen)
    assert run("export", project, "out")["release"] == "0.1"
    assert could_write == [True]
    assert [one["version"] for one in run("status", project)["releases"]] == ["0.1"]


def test_answers_have_the_documented_keys(run, project):
    first = json.loads((SAMPLES / "qa-check/pairs.jsonl").read_text("utf-8").splitlines()[0])["id"]
    Path("a.jsonl").write_text(json.dumps({"item": first, "person": "dua", "question": "verdict", "answer": "keep"}))
    assert run("answers", project, "a.jsonl", exit=3)["error"]["code"] == "unknown_person"
    told = run("answers", project, "a.jsonl", "--add-people")
    assert DOCUMENTED["answers"][0] <= set(told) and told["revisions"] == 1


def test_protocols_are_listed_shown_and_checked(run):
    for words, wanted in zip((("list",), ("show", "qa-check"), ("check", "good.yaml")), DOCUMENTED["protocols"],
                             strict=True):
        Path("good.yaml").write_text(run("protocols", "show", "qa-check")["text"], "utf-8")
        assert wanted <= set(run("protocols", *words)), words
    Path("bad.yaml").write_text("id: bad\nversion: one\n", "utf-8")
    told = run("protocols", "check", "good.yaml", "bad.yaml", exit=1)
    assert {one["file"] for one in told["faults"]} == {"bad.yaml"}


def test_a_tour_wants_a_new_folder(run, tmp_path):
    """(What it does in one is seen by tests/test_tour.py.)"""
    (tmp_path / "full").mkdir()
    (tmp_path / "full/something").touch()
    assert "full" in run("tour", "--out", "full", exit=3)["error"]["message"]


# --- exit codes ---------------------------------------------------------------------------------------------------

def test_exit_1_is_done_with_faults(run, project):
    Path("some.csv").write_text("id,question,answer\nn1,One?,One.\nn2,,Two.\n", "utf-8")
    told = run("import", project, "some.csv", exit=1)
    assert (told["new"], told["refused"], told["refused_file"]) == (1, 1, "some.csv.refused.jsonl")
    assert {name: told["refusals"][0][name] for name in ("file", "line", "column", "key", "code")} == {
        "file": "some.csv", "line": 3, "column": 2, "key": "question", "code": "missing_value"}
    told = run("release", project, "1.0", exit=1)
    assert told["findings"] and not told["manifest_sha256"]
    assert run("status", project)["releases"] == []


@pytest.mark.parametrize("words", [
    ["statsu"], ["status"], ["new", "R.goldsmith"], ["status", "P.goldsmith", "--twice"],
    ["people", "P.goldsmith", "add", "zoe", "--role", "king"], ["people", "P.goldsmith", "add", "zoe", "--as", "ana"],
    ["people", "P.goldsmith", "add", "zoe", "--as", "nobody"], ["people", "P.goldsmith", "role", "nobody"],
    ["assign", "P.goldsmith", "--to", "ana"], ["assign", "P.goldsmith", "--to", "ana", "--items", "none"],
    ["gold", "P.goldsmith", "--question", "none"],
    ["agreement", "P.goldsmith", "--metric", "luck"], ["protocols", "show", "none"], ["score", "P.goldsmith"],
    ["import", "P.goldsmith", "x.csv", "--recipe", "none"], ["export", "P.goldsmith", "out", "--release", "7.0"]])
def test_exit_2_is_a_command_that_cannot_be_meant(run, project, words):
    before = run("status", project)["content_sha256"]
    run(*words, exit=2)
    assert run("status", project)["content_sha256"] == before


@pytest.mark.parametrize("words", [
    ["new", "P.goldsmith", "--protocol", "qa-check"], ["new", "R.goldsmith", "--protocol", "broken.yaml"],
    ["import", "P.goldsmith", "none.csv"], ["import", "P.goldsmith", "no-question.csv"],
    ["import", "P.goldsmith", "half.csv", "--strict"], ["answers", "P.goldsmith", "none.csv"],
    ["export", "P.goldsmith", "full"], ["backup", "P.goldsmith", "half.csv"], ["status", "none.goldsmith"],
    ["score", "full", "half.csv"], ["verify", "none"]])
def test_exit_3_is_an_input_that_is_refused_with_nothing_changed(run, project, words):
    Path("broken.yaml").write_text("id: [\n", "utf-8")
    Path("no-question.csv").write_text("id,text\n1,one\n", "utf-8")
    Path("half.csv").write_text("id,question,answer\nn1,One?,One.\nn2,,Two.\n", "utf-8")
    Path("full").mkdir()
    Path("full/something").touch()
    before, files = run("status", project)["content_sha256"], sorted(Path().iterdir())
    run(*words, exit=3)
    assert run("status", project)["content_sha256"] == before and sorted(Path().iterdir()) == files


def test_exit_4_is_a_project_that_is_in_use(run, project):
    with open_store(project) as store, store.write():
        program = [sys.executable, "-m", "app", "people", str(project), "add", "zoe", "--json"]
        done = subprocess.run(program, capture_output=True, text=True, encoding="utf-8",
                              env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=60)
    assert done.returncode == 4, done.stderr
    assert json.loads(done.stdout)["error"]["code"] == "locked"


# --- options and streams ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("words", [
    ["--json", "--as", "me", "status", "P.goldsmith"], ["status", "--as=me", "P.goldsmith", "--json"],
    ["--quiet", "status", "--json", "P.goldsmith", "--as", "me"]])
def test_global_options_may_stand_anywhere(project, capsys, words):
    capsys.readouterr()
    assert cli.main(words) == 0
    caught = capsys.readouterr()
    assert json.loads(caught.out)["title"] == "P" and caught.err == ""


def test_a_verb_wins_over_a_path_of_the_same_name(run, project, text):
    project.rename("status")
    assert text("status")[0] == 2
    assert run("status", "./status")["title"] == "P"


def test_a_fault_is_one_sentence_on_stderr_and_an_object_on_stdout(project, text, run):
    Path("no-question.csv").write_text("ID,Text\n1,one\n", "utf-8")
    code, out, err = text("import", project, "no-question.csv")
    assert (code, out) == (3, "") and err.startswith("no-question.csv:1: ") and "ID, Text" in err
    assert "docs/recipes.md" in err and (ROOT / "docs/recipes.md").is_file()


def test_the_text_of_an_import_names_the_place_of_each_refusal_and_what_was_not_used(project, text):
    rows = [f"n{n},{'' if n > 2 else 'One?'},One.,x" for n in range(15)]
    Path("some.csv").write_text("\n".join(["ID,Question,Answer,Score", *rows]) + "\n,,,\n", "utf-8")
    code, out, _ = text("import", project, "some.csv", "--dry-run")
    assert code == 1 and "15 rows: 3 new" in out and "refused: some.csv:5:2: 'question' is missing" in out
    assert ".. and 2 more" in out and "not used: Score" in out and "nothing was changed" in out and "None" not in out
    assert not Path("some.csv.refused.jsonl").exists()
    assert "some.csv.refused.jsonl" in text("import", project, "some.csv")[1]


def test_who_may_not_do_it_is_told_who_may(project, text):
    code, _, err = text("people", project, "add", "zoe", "--as", "ana")
    assert code == 2 and "it takes the role experimenter / researcher / owner" in err


def test_the_text_of_gold_lists_values_and_what_is_missing(run, project, text):
    assert "10 missing" in text("gold", project)[1] and "missing, " in text("gold", project)[1]
    keys = answered(run, project)
    assert f"{keys[0]} verdict: keep  (rule, majority, n 3)" in text("gold", project)[1]


# --- the examples of docs/recipes.md ------------------------------------------------------------------------------

def test_the_examples_of_the_docs_on_files_come_in(run):
    blocks = re.findall(r"```(csv|yaml|json)\n(.*?)```", (ROOT / "docs/recipes.md").read_text("utf-8"), re.S)
    assert [kind for kind, _ in blocks] == ["csv", *["yaml", "json"] * 3]
    Path("items.csv").write_text(blocks[0][1], "utf-8")
    run("new", "A.goldsmith", "--protocol", "qa-check")
    told = run("import", "A.goldsmith", "items.csv")
    assert (told["new"], told["refused"], told["unused"], told["delimiter"]) == (2, 0, ["Reviewer"], ";")
    for n, (recipe, items) in enumerate((blocks[k][1], blocks[k + 1][1]) for k in (1, 3, 5)):
        Path("recipe.yaml").write_text(recipe, "utf-8")
        Path("items.json").write_text(items, "utf-8")
        [wanted] = re.findall(r"^for: (.+)$", recipe, re.M)
        run("new", f"B{n}.goldsmith", "--protocol", wanted)
        told = run("import", f"B{n}.goldsmith", "items.json", "--recipe", "recipe.yaml")
        assert (told["new"], told["refused"], told["unused"]) == ((2, 1, 2)[n], 0, [])


def test_lines_say_one_item_and_a_file_once(project, run, text):
    answered(run, project)
    assert "(1 item, 3 people)" in text("agreement", project, "--metric", "percent_agreement", "--by", "category")[1]
    assert "100.0% [72.2%, 100.0%] of 10" in text("agreement", project, "--people", "--as", "me")[1]
    assert re.fullmatch(r"0 pictures, \d+ events checked, 0 faults\n", text("verify", project)[1])
    assert text("verify", "answers.csv")[2] == "answers.csv is neither a bundle nor a project\n"


def test_a_reason_that_is_published_names_nobody_also_where_the_handle_is_a_plain_word(project, run):
    keys = answered(run, project)
    run("release", project, "1.0")
    refused = run("errata", project, keys[0], "--why", f"{HANDLES[0].title()} was wrong.", exit=3)
    assert refused["error"]["code"] == "identifying"
    run("errata", project, keys[0], "--why", "It was wrong.")


def test_status_counts_no_gold_of_an_item_that_was_taken_out(project, run):
    keys = answered(run, project)
    run("withdraw", project, "--item", keys[0], "--reason", "Its rights ended.")
    assert run("status", project)["gold"] == {"items": len(keys) - 1, "values": len(keys) - 1, "missing": 0}
    assert len(run("gold", project)["gold"]) == len(keys) - 1
