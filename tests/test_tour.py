"""The tour does the main job by keys, and notices when one person's keys are missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from app.tour import check, plan
from app.tour.hands import PAGES

STEPS = ["new", "import", "people", "answers:ana", "answers:ben", "answers:cem", "agreement", "adjudicate", "sign",
         "release", "verify", "score", "pages"]


def tour(folder: Path, *more: str) -> tuple[int, dict]:
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "GOLDSMITH_HOME": str(folder / "home")}
    done = subprocess.run([sys.executable, "-m", "app", "tour", "--out", str(folder / "out"), "--json", *more],
                          capture_output=True, text=True, env=env, timeout=600, check=False)
    return done.returncode, json.loads(done.stdout)


def test_the_whole_job_by_keys_agrees_with_what_another_process_reports(tmp_path):
    code, said = tour(tmp_path)
    assert [step["name"] for step in said["steps"]] == STEPS
    assert (code, said["failed"]) == (0, []), said["steps"]
    out = tmp_path / "out"
    assert json.loads((out / "tour.json").read_text("utf-8")) == said
    drawn = {f"{page}-{theme}.png" for page in PAGES for theme in ("light", "dark")}
    assert {file.name for file in (out / "pages").iterdir()} == drawn
    scores = json.loads((out / "scores.json").read_text("utf-8"))
    assert {"careful", "hasty", "oracle", "anti-oracle"} <= {system["system"] for system in scores["systems"]}
    assert all("simulated" in line for file in (out / "predictions").iterdir()
               for line in file.read_text("utf-8").splitlines())


def test_without_anas_keys_the_tour_fails_and_names_the_step(tmp_path):
    code, said = tour(tmp_path, "--without", "ana")
    assert code == 1
    assert said["failed"][0] == "answers:ana"


def test_the_plan_leaves_two_items_to_an_adjudicator_whatever_is_verified():
    for verified in (frozenset(), frozenset({5}), frozenset(range(12))):
        assert [n for n in range(12) if plan.undecided(n, verified=verified)] == [5, 10]


def test_numbers_that_differ_in_the_tenth_place_are_the_same_and_in_the_third_are_not():
    assert check.same({"a": 0.1 + 0.2}, {"a": 0.3})
    assert not check.same({"a": 0.301}, {"a": 0.3})
