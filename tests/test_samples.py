"""The samples and the shared real files come in by their recipes; the pictures are those that the script draws."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops
from sqlalchemy import select

from annotation import importing, people, protocol
from annotation.store import opening
from annotation.store.tables import Item, ItemVersion
from tests.render_samples import SAMPLES, pictures, render

SHARED = Path(os.environ.get("GOLDSMITH_SHARED") or Path(__file__).resolve().parent.parent.parent / "shared") / "data"
TRUST = "trustjudge/filtered_selected_answers_with_category.jsonl"
OWN = [
    ("cancer-myth-verify", "cancer-myth-verify", "cancer-myth-verify/questions.json", 12),
    ("cancer-myth-score", "cancer-myth-score", "cancer-myth-score/answers.json", 12),
    ("vlm-geoprivacy", "vlm-geoprivacy", "vlm-geoprivacy/annotations.json", 8),
    ("preference-pair", "preference-pair", "preference-pair/pairs.json", 6),
    ("preference-pair", "preference-pair", "preference-pair/texts.jsonl", 4),
    ("preference-pair", "editreward-pairs", "preference-pair/pairs.json", 6),
    ("trustjudge", "trustjudge", "trustjudge/answers.jsonl", 16),
    ("trustjudge", "trustjudge-answers", "trustjudge/answers.jsonl", 16),
    ("qa-check", "qa-check", "qa-check/pairs.jsonl", 10),
    ("stare", "stare", "stare/stare.jsonl", 28),
]
REAL = [
    ("qa-check", "mt-bench", "mt-bench/question.jsonl", 30, 50),
    ("trustjudge", "trustjudge-answers", TRUST, 110, 0),
    ("trustjudge", "trustjudge", TRUST, 110, 0),
    ("preference-pair", "editreward-pairs", "editreward/valid_dataset_1.first40.json", 40, 0),
    ("preference-pair", "preference-pair", "editreward/valid_dataset_1.first40.json", 40, 0),
]


def brought_in(folder: Path, name: str, recipe: str, file: Path,
               **with_files: Path) -> tuple[importing.ImportReport, dict[str, dict[str, Any]]]:
    """The report, and the public fields of every item, by key, as they stand in a new project."""
    store = opening.create(folder / "p.goldsmith", protocol=protocol.load(protocol.find(name)), title=None, owner="o")
    with store:
        with store.read() as session:
            by = people.find(session, "o").id
        report = importing.import_file(store, file, recipe=recipe, with_files=with_files, by=by,
                                       refused=folder / "refused.jsonl")
        with store.read() as session:
            found = select(Item.key, ItemVersion.fields_json).join(ItemVersion, ItemVersion.item == Item.id)
            rows = session.execute(found)
            return report, {key: fields if isinstance(fields, dict) else json.loads(fields) for key, fields in rows}


@pytest.mark.parametrize(("name", "recipe", "file", "count"), OWN)
def test_a_sample_comes_in_whole(tmp_path: Path, name: str, recipe: str, file: str, count: int) -> None:
    report, rows = brought_in(tmp_path, name, recipe, SAMPLES / file)
    assert (report.accepted, report.refused, len(rows), report.missing) == (count, 0, count, ())
    private = {field.name for field in protocol.load(protocol.find(name)).fields if field.private}
    assert not any(private & set(fields) for fields in rows.values())
    if name == "qa-check":
        assert rows["qa-10"]["answer"] == "None"


def test_a_question_without_a_correction_is_read_with_the_fact_beside_the_myth(tmp_path: Path) -> None:
    records = json.loads((SAMPLES / "cancer-myth-verify/questions.json").read_text())
    for record in records:
        del record["correction"]
    (tmp_path / "released.json").write_text(json.dumps(records))
    _report, rows = brought_in(tmp_path, "cancer-myth-verify", "cancer-myth-verify", tmp_path / "released.json")
    assert {fields["correction"] for fields in rows.values()} == {r["source_info"]["fact"] for r in records}


@pytest.mark.parametrize(("name", "recipe", "file", "count", "refused"), REAL)
def test_a_released_file_comes_in_unchanged(tmp_path: Path, name: str, recipe: str, file: str, count: int,
                                            refused: int) -> None:
    if not (SHARED / file).exists():
        pytest.skip(f"{SHARED / file} is not here")
    answers = {"answers": SHARED / "mt-bench/reference_answer.gpt-4.jsonl"} if recipe == "mt-bench" else {}
    report, _rows = brought_in(tmp_path, name, recipe, SHARED / file, **answers)
    assert (report.accepted, report.refused) == (count, refused)


def test_the_pictures_of_the_samples_are_those_that_the_script_draws() -> None:
    drawn = pictures()
    assert {str(path.relative_to(SAMPLES)) for path in SAMPLES.rglob("*.png")} == set(drawn)
    for path, scene in drawn.items():
        with Image.open(SAMPLES / path) as stored:
            difference = ImageChops.difference(stored.convert("RGB"), render(scene))
            # Text is drawn by the font of the Pillow at hand, so a few points may differ.
            changed = sum(1 for point in difference.convert("L").tobytes() if point > 40)
        assert changed < 1500, f"{path} is another one: python -m tests.render_samples draws them anew"
