"""Real released files, unchanged: what comes in, what is refused, and what must not be lost on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from annotation import importing, items, people, protocol
from annotation.importing import ImportReport
from annotation.store.opening import create
from annotation.store.project import Store
from annotation.store.tables import Item, ItemMedia, ItemSecret, ItemTag, ItemVersion


class Project:
    def __init__(self, folder: Path, name: str) -> None:
        self.store: Store = create(folder / f"{name}.goldsmith", protocol=protocol.load(protocol.find(name)),
                                   title=None, owner="o")
        with self.store.read() as session:
            self.by: UUID = people.find(session, "o").id

    def bring(self, path: Path, recipe: str, **options: Any) -> ImportReport:
        return importing.import_file(self.store, path, recipe=recipe, by=self.by, **options)

    def contents(self) -> dict[str, dict[str, Any]]:
        with self.store.read() as session:
            return {key: fields for key, fields in session.execute(
                select(Item.key, ItemVersion.fields_json).join(ItemVersion, ItemVersion.id == Item.current))}


@pytest.fixture
def data(shared: Path) -> Path:
    if not (shared / "data").is_dir():
        pytest.skip(f"{shared / 'data'} is not here")
    return shared / "data"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Project]:
    monkeypatch.chdir(tmp_path)
    made = Project(tmp_path, request.param)
    with made.store:
        yield made


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("project", ["qa-check"], indirect=True)
def test_mt_bench_is_joined_with_its_reference_answers(project, data):
    folder = data / "mt-bench"
    answers = folder / "reference_answer.gpt-4.jsonl"
    report = project.bring(folder / "question.jsonl", "mt-bench", with_files={"answers": answers})
    assert (report.records, report.rows, report.accepted, report.refused) == (80, 80, 30, 50)
    assert {one["code"] for one in report.refusals} == {"no_partner"} and len(report.refusals) == 50
    said = {row["question_id"]: row for row in records(answers)}
    asked = {row["question_id"]: row for row in records(folder / "question.jsonl")}
    assert project.contents() == {str(key): {
        "question": asked[key]["turns"][0], "answer": said[key]["choices"][0]["turns"][0],
        "category": asked[key]["category"]} for key in said}
    lines = [json.loads(line) for line in Path(report.refused_file).read_text().splitlines()]
    assert [line["row"] for line in lines] == [row for key, row in asked.items() if key not in said]
    again = project.bring(folder / "question.jsonl", "mt-bench", with_files={"answers": answers})
    assert (again.unchanged, again.new, again.updated) == (30, 0, 0)


@pytest.mark.parametrize("project", ["trustjudge"], indirect=True)
def test_trustjudge_becomes_ratings_and_pairs(project, data):
    report = project.bring(data / "trustjudge/filtered_selected_answers_with_category.jsonl", "trustjudge-answers")
    assert (report.records, report.rows, report.refused) == (2, 110, 0)
    with project.store.read() as session:
        assert items.find_items(session, tag=("pass", "rating")).total == 20
        assert items.find_items(session, tag=("pass", "pair")).total == 90
    [first, second] = records(data / "trustjudge/filtered_selected_answers_with_category.jsonl")
    texts = [text for answer in second["answers"] for text in answer["text"]]
    found = project.contents()
    assert found[f"{second['question_id']}-3"]["answer"] == texts[2]
    assert [one["text"] for one in found[f"{second['question_id']}-3-9"]["responses"]] == [texts[2], texts[8]]
    assert [one["id"] for one in found[f"{first['question_id']}-1-2"]["responses"]] == ["c1", "c2"]


@pytest.mark.parametrize("project", ["preference-pair"], indirect=True)
def test_editreward_pairs_come_in_with_null_as_missing_and_pictures_listed_once(project, data):
    path = data / "editreward/valid_dataset_1.first40.json"
    report = project.bring(path, "editreward-pairs")
    assert (report.accepted, report.refused) == (40, 0)
    rows = json.loads(path.read_text("utf-8"))
    named = [row[key] for row in rows for key in ("path_src", "path1", "path2")]
    assert dict(report.missing) == {name: sum(name in (row["path_src"], row["path1"], row["path2"]) for row in rows)
                                    for name in named}
    assert len(report.missing) == len(set(named))
    with project.store.read() as session:
        texts = [json.dumps(fields) for table in (ItemVersion, ItemSecret)
                 for fields in session.execute(select(table.fields_json)).scalars()]
        assert not any('"None"' in text or "null" in text.replace('"sha256": null', "") for text in texts)
        assert "None" not in session.execute(select(ItemTag.value)).scalars().all()
        assert session.execute(select(ItemMedia.sha256)).scalars().all() == [None] * 120


@pytest.mark.parametrize("project", ["qa-check"], indirect=True)
def test_a_parquet_file_made_of_mt_bench_gives_the_same_items(project, data, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    asked = records(data / "mt-bench/question.jsonl")
    said = {row["question_id"]: row["choices"][0]["turns"][0]
            for row in records(data / "mt-bench/reference_answer.gpt-4.jsonl")}
    rows = [{"question_id": row["question_id"], "question": row["turns"][0], "answer": said.get(row["question_id"]),
             "category": row["category"]} for row in asked]
    rows[-1]["answer"] = "None"
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "pairs.parquet")
    report = project.bring(tmp_path / "pairs.parquet", "qa-check")
    assert (report.format, report.records) == ("parquet", 80)
    assert report.accepted == 30 + (asked[-1]["question_id"] not in said)
    found = project.contents()
    assert all(found[str(key)]["answer"] == text for key, text in said.items() if key != rows[-1]["question_id"])
    assert found[str(rows[-1]["question_id"])]["answer"] == "None"
    assert {one["code"] for one in report.refusals} == {"missing_value"}
