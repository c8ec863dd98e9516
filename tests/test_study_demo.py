"""The demo of timed studies: made from a seed, ready to run, and scored by the metric of its benchmark."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from annotation import importing, people, protocol
from annotation.errors import Refused
from annotation.store import opening
from app import cli
from studies import keeping, sittings
from studies.order_check import faults
from studies.puzzles import demo
from studies.reading import check_fits, shelf


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, demo.Made]:
    folder = tmp_path_factory.mktemp("demo") / "out"
    return folder, demo.make(folder, per=3, seed=1, scale=0.5)


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_studies_of_the_shelf_fit_the_protocol_they_are_for():
    assert {study.id for study in shelf()} >= {"stare", "untimed-baseline"}
    for study in shelf():
        assert check_fits(study, protocol.load(protocol.find(study.protocol))) == ()
        assert set(study.languages) == {"en", "de"}
        for words in study.languages.values():
            assert words.consent and words.instructions and words.break_ and words.debrief and words.sorry


def test_a_sitting_of_the_demo_sees_each_puzzle_once_half_of_them_with_their_steps(made):
    folder, project = made
    assert (project.items, project.released_rows) == (8 * 3 + 6 + 8, 14 * 3)
    with opening.open_store(folder / "demo.goldsmith") as store:
        with store.read() as session:
            by = people.find(session, "demo").id
        for name, hash_ in project.studies:
            seen = []
            for _ in range(2):
                with store.write() as session:
                    study = sittings.load(session, hash_)
                    plan = keeping.begin(session, hash_, by=by, pilot=False, language="de").value.plan
                assert faults(plan, study) == ()
                main = [trial for _, _, trial in plan.each() if trial.kind == "main"]
                assert len({trial.item for trial in main}) == len(main)
                assert {trial.correct for trial in main} <= set("ABCD")
                seen.append({trial.key: trial.condition for trial in main})
            if name != "stare":
                continue
            assert set(seen[0]) == set(seen[1]) and len(seen[0]) == 6 * 3
            assert all(seen[0][key] != seen[1][key] for key in seen[0]), "what one sees with steps, the other does not"
            assert Counter(seen[0].values()) == {"with": 9, "without": 9}


def test_items_with_both_settings_carry_their_pictures_on_the_way_and_never_the_last(made):
    folder, _ = made
    rows = lines(folder / "items.jsonl")
    both = [row for row in rows if row["setting"] == "both" and row["use"] != "attention"]
    assert {row["category"] for row in both} == {row["category"] for row in rows if row["steps"]}
    for row in both:
        assert "figure" not in row["steps"][-1] and any("figure" in step for step in row["steps"])
        for path in [*row["images"], *(step["figure"] for step in row["steps"] if "figure" in step)]:
            assert (folder / path).is_file()


def test_the_released_file_comes_in_as_it_is_with_tasks_and_settings(made, tmp_path):
    folder, _ = made
    with opening.create(tmp_path / "r.goldsmith", protocol=protocol.load(protocol.find("stare")), title=None,
                        owner="o") as store:
        with store.read() as session:
            by = people.find(session, "o").id
        report = importing.import_file(store, folder / "stare.jsonl", recipe="stare", by=by, strict=True)
        assert (report.accepted, report.unused, report.missing) == (42, (), ())
        with store.read() as session:
            found = sittings.items(session, next(study for study in shelf() if study.id == "stare"))
    assert Counter(one.facets["task"] for one in found) == {"2D": 12, "3D": 12, "nets": 6, "tangram": 6}
    assert Counter(one.conditions for one in found) == {("without",): 18, ("with",): 18}


def test_the_same_seed_makes_the_same_files_and_a_folder_that_holds_something_is_refused(made, tmp_path):
    folder, _ = made
    with pytest.raises(Refused, match="not empty"):
        demo.make(folder, per=1, seed=1)
    demo.make(tmp_path / "again", per=3, seed=1, scale=0.5)
    for name in ("items.jsonl", "stare.jsonl", "images/folding_nets_001_step1.png"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()


def test_answers_of_people_are_scored_as_the_benchmark_does(made, tmp_path, capsys):
    folder, _ = made
    project = folder / "demo.goldsmith"

    def run(*words: object) -> dict:
        capsys.readouterr()
        code = cli.main([*map(str, words), "--json"])
        told = json.loads(capsys.readouterr().out)
        assert code == 0, told
        return told

    run("release", project, "--as", "demo")
    run("export", project, tmp_path / "bundle", "--as", "demo")
    rows = lines(folder / "items.jsonl")
    (tmp_path / "right.jsonl").write_text("".join(json.dumps(
        {"id": row["qid"], "question": "answer", "rater": "p001", "answer": row["answer"]}) + "\n" for row in rows))
    told = run("score", tmp_path / "bundle", tmp_path / "right.jsonl")
    [metric] = [one for one in told["systems"][0]["metrics"] if one["metric"] == "stare"]
    assert metric["value"] == 1.0 and metric["missing"] == 0
    (tmp_path / "first.jsonl").write_text("".join(json.dumps(  # always the letter A: far from right, never unreadable
        {"id": row["qid"], "question": "answer", "answer": "A"}) + "\n" for row in rows))
    told = run("score", tmp_path / "bundle", tmp_path / "first.jsonl")
    [metric] = [one for one in told["systems"][0]["metrics"] if one["metric"] == "stare"]
    assert 0.05 < metric["value"] < 0.7 and metric["unparsable"] == 0
    tasks = {"2D", "3D", "nets", "tangram", "temporal", "perspective"}
    assert {f"task:{task}" for task in tasks} <= set(metric["parts"])


def test_the_demo_is_made_from_the_command_line(tmp_path, capsys):
    code = cli.main(["study", "demo", "--out", str(tmp_path / "d"), "--per", "1", "--seed", "5", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert code == 0 and told["ok"] and told["items"] == 8 + 6 + 8 and told["released_rows"] == 14
    assert [study["id"] for study in told["studies"]] == ["stare", "untimed-baseline"]
    assert cli.main(["study", "demo", "--out", str(tmp_path / "d"), "--json"]) == 3
    assert cli.main(["study", "demo", "--out", str(tmp_path / "e"), "--per", "0", "--json"]) == 2
