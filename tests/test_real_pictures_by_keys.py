"""Real pairs of pictures that are not there: placeholders, sides shuffled, null missing, a final release stopped.

All 40 rows of the file and two typed ones are answered by three people with key presses.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import resources
from tests.desk import Desk
from tests.driver import (
    ANNOTATORS,
    OWNER,
    CommandLine,
    answer_items,
    decide_cases,
    digit_of,
    make_project,
    names_that_begin,
    say_pace,
    side_of,
    text_of,
)
from tests.outcome import (
    agrees,
    bundle_of,
    decided_in_order,
    headline,
    lines,
    orders,
    plan_of,
    sides,
    without_majority,
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


TIES = ("both_good", "both_bad")
# path1 is always the preferred picture; so say most, and whoever decides.
PREFERENCES = (("c1", "c1", "c1"), ("c1", "c1", "c2"), ("c1", "c1", "c1"), ("c1", "c2", "both_good"),
               ("both_bad", "c1", "c1"), ("c1", "c1", "c1"), ("c1", "c1", "c1"), ("c2", "c1", "c1"))
TYPED = [{"prompt": "None", "choice_dist": "None", "model1": "None", "model2": "M2"},
         {"prompt": "null", "choice_dist": None, "model1": None, "model2": "M2"}]
MISSING = "The picture {} is missing"


def import_pictures(run: CommandLine, project: Path, file: Path) -> dict[str, dict[str, Any]]:
    """The 40 rows and two typed ones; key -> row as it stands in its file."""
    rows = json.loads(file.read_text("utf-8"))
    folder = project.parent
    report = run("import", project, file, "--recipe", "editreward-pairs", "--as", OWNER)
    assert (report["records"], report["rows"], report["new"], report["refused"]) == (40, 40, 40, 0)
    paths = [row[name] for row in rows for name in ("path_src", "path1", "path2")]
    assert sorted(report["media"]["missing"], key=lambda one: one["path"]) == [
        {"path": path, "items": 1} for path in sorted(set(paths))], "each is listed once"

    # choice_dist is null in every row. As a tag it is missing: with it, nothing about the items changes.
    recipe = (Path(resources.__file__).parent / "recipes/editreward-pairs.yaml").read_text("utf-8")
    (folder / "tagged.yaml").write_text(f"{recipe.rstrip()}\n    tags: {{category: choice_dist}}\n", "utf-8")
    report = run("import", project, file, "--recipe", folder / "tagged.yaml", "--as", OWNER)
    assert (report["new"], report["updated"], report["unchanged"]) == (0, 0, 40)

    typed = [{**row, "path_src": "one/source.png", "path1": f"one/{n}a.png", "path2": f"one/{n}b.png"}
             for n, row in enumerate(TYPED, 1)]
    (folder / "typed.json").write_text(json.dumps(typed), "utf-8")
    (folder / "typed.yaml").write_text(
        (folder / "tagged.yaml").read_text("utf-8").replace('"{row}"', '"typed-{row}"'), "utf-8")
    report = run("import", project, folder / "typed.json", "--recipe", folder / "typed.yaml", "--as", OWNER)
    assert report["new"] == 2
    assert {"path": "one/source.png", "items": 2} in report["media"]["missing"] and \
        len(report["media"]["missing"]) == 5
    return {**{str(n): row for n, row in enumerate(rows, 1)},
            **{f"typed-{n}": row for n, row in enumerate(typed, 1)}}


def look_at_placeholders(desk: Desk, row: Mapping[str, Any]) -> str:
    """The names of the missing pictures are read where they would stand; the side of path1."""
    shown = {name.split(":")[0]: name for name in names_that_begin(desk, "")
             if name.split(":")[0] in ("Source image", "Answers A", "Answers B") and ": " in name}
    side = "left" if row["path1"] in shown["Answers A"] else "right"
    first, second = ("A", "B") if side == "left" else ("B", "A")
    assert shown == {"Source image": f"Source image: {MISSING.format(row['path_src'])}",
                     f"Answers {first}": f"Answers {first}: {MISSING.format(row['path1'])}",
                     f"Answers {second}": f"Answers {second}: {MISSING.format(row['path2'])}"}
    return side


def test_pairs_of_missing_pictures_are_shuffled_and_null_is_not_the_text_none(qtbot, run, shared: Path, tmp_path: Path
                                                                              ) -> None:
    project, out = tmp_path / "pictures.goldsmith", tmp_path / "out"
    make_project(run, project, "preference-pair")
    rows = import_pictures(run, project, shared / "data/editreward/valid_dataset_1.first40.json")
    plan = plan_of(PREFERENCES, list(rows))
    seen: dict[tuple[str, str], str] = {}

    def script(person: str) -> Callable[[Desk, str], None]:
        def answer(desk: Desk, key: str) -> None:
            seen[key, person] = look_at_placeholders(desk, rows[key])
            assert seen[key, person] == side_of(desk, "better", "c1")
            assert text_of(desk, "Prompt") == rows[key]["prompt"]
            desk.keys(digit_of(desk, "better", plan[person][key], ties=TIES))
            desk.keys("\n" if plan[person][key] in TIES else "8\n")  # 8: clearly
        return answer

    say_pace(project.stem, [answer_items(qtbot, project, person, list(rows), script(person)) for person in ANNOTATORS])
    assert orders(project, "candidates") == {
        turn: ["c1", "c2"] if side == "left" else ["c2", "c1"] for turn, side in seen.items()}
    assert 0.3 < list(seen.values()).count("left") / len(seen) < 0.7
    undecided = without_majority(plan)
    assert len(undecided) == 5
    placed: dict[str, str] = {}

    def preferred(desk: Desk, key: str) -> str:
        desk.wait(lambda: names_that_begin(desk, "Source image: "))
        placed[key] = "A" if look_at_placeholders(desk, rows[key]) == "left" else "B"
        return f"Which answer is better?: {placed[key]} is better"

    decide_cases(qtbot, project, undecided, preferred)
    assert decided_in_order(project, "candidates") == {
        key: ["c1", "c2"] if letter == "A" else ["c2", "c1"] for key, letter in placed.items()}
    agrees(run, project, "better", plan, level="nominal")

    stopped = run("release", project, "1.0", "--as", OWNER, exit=1)
    [finding] = [one for one in stopped["findings"] if one["severity"] == "bad"]
    assert (finding["code"], sorted(finding["items"])) == ("missing_media", sorted(rows))
    assert run("status", project)["releases"] == []
    draft = run("release", project, "--as", OWNER)
    said = [one["code"] for one in draft["findings"] if one["severity"] == "bad"]
    assert (draft["kind"], said) == ("draft", ["missing_media"])
    bundle = bundle_of(run, project, out, draft, "--private")
    assert sorted(media["sha256"] or "missing" for media in bundle.items["1"]["media"]) == ["missing"] * 3

    secrets = {bundle.keys[row["id"]]: row["fields"] for row in lines(out / "private/items.jsonl")}
    assert {key: (item["fields"]["prompt"], item["slices"].get("category"), secrets[key].get("model1"))
            for key, item in bundle.items.items()} == {
        key: (row["prompt"], row["choice_dist"], row["model1"]) for key, row in rows.items()}
    assert "model1" in secrets["typed-1"] and "model1" not in secrets["typed-2"]

    scores = headline(run("score", out, "--baselines"), "pairs", "better")
    assert scores == pytest.approx(sides(bundle, "better", TIES))
    assert scores["constant:left"] + scores["constant:right"] == pytest.approx(1)
    assert 0.15 < scores["constant:left"] < 0.85, "42 pairs: 4.5 standard deviations to each side of one half"
