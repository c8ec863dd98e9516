"""Writers: each writes the same bytes twice, reads itself back, and its files say what the bundle says."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

from annotation.errors import Refused
from annotation.store.opening import open_store
from exports.writers import writers
from exports.writers.dangers import bare, excel_makes, guarded
from exports.writers.registry import Format, Made
from exports.writers.source import Source
from tests import small_project as small
from tests import writer_worlds as worlds
from tests.writer_worlds import OTHERS, export, gold, refused, rows


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("Gold für «alle» & mehr")
    return {kind: make(folder / kind) for kind, make in worlds.MADE.items()}


# --- every format --------------------------------------------------------------------------------

@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("kind", ["number", "pairs"])
def test_a_format_writes_the_same_bytes_twice_and_reads_all_rows_back(
        bundles: dict[str, Path], tmp_path: Path, name: str, kind: str) -> None:
    one, two = export(name, bundles[kind], tmp_path / "one"), export(name, bundles[kind], tmp_path / "two")
    assert small.tree(tmp_path / "one") == small.tree(tmp_path / "two")
    assert one.items == 10 and one.read_back == two.read_back >= 10 and one.cannot
    assert {entry.path: entry.sha256 for entry in one.files} == small.tree(tmp_path / "one")
    head = json.loads((tmp_path / "one" / "export.json").read_text(encoding="utf-8"))
    assert head["bundle"]["manifest_sha256"] == one.manifest_sha256 and "canary" in head["canary"]
    assert set(one.cannot) == set(head["cannot"])


@pytest.mark.parametrize("name", OTHERS)
def test_a_project_gives_the_same_bytes_as_its_bundle(bundles: dict[str, Path], tmp_path: Path, name: str) -> None:
    project = bundles["pairs"].parent / "World.goldsmith"
    with open_store(project, read_only=True) as store, store.read() as session:
        writers[name](session, tmp_path / "project", version="1.0")
        with pytest.raises(Refused):
            writers[name](session, tmp_path / "private", version="1.0", private=True)
    export(name, bundles["pairs"], tmp_path / "bundle")
    assert small.tree(tmp_path / "project") == small.tree(tmp_path / "bundle")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bundle", "project"]


@pytest.mark.parametrize("name", OTHERS)
def test_a_file_that_comes_out_wrong_is_noticed_before_it_stands_under_its_name(
        bundles: dict[str, Path], tmp_path: Path, name: str) -> None:
    whole = writers[name]
    assert isinstance(whole, Format)

    def spoilt(source: Source, folder: Path) -> Made:
        made = whole.make(source, folder)
        old, new = ('"target":"', '"target":"B","was":"') if name == "inspect" else ("one 3", "one 4")
        for path in folder.rglob("*"):
            if path.suffix == ".parquet" and path.parent.name not in ("annotations", "pairs"):
                table = pq.read_table(path)
                pq.write_table(table.slice(1), path)
            elif path.is_file() and path.suffix in (".jsonl", ".csv", ".tsv"):
                path.write_bytes(path.read_bytes().replace(old.encode(), new.encode()))
        return made

    with pytest.raises(Refused) as fault:
        replace(whole, make=spoilt).from_bundle(bundles["pairs"], tmp_path / "out")
    assert fault.value.code in ("read_back", "bad_json") and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", OTHERS)
def test_a_folder_that_holds_something_is_left_alone(bundles: dict[str, Path], tmp_path: Path, name: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(Refused, match="is not empty"):
        export(name, bundles["pairs"], tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("name", OTHERS)
def test_a_bundle_that_was_changed_is_refused(tmp_path: Path, name: str) -> None:
    bundle = worlds.pairs(tmp_path / "made", 3)
    path = bundle / "public" / "gold.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"n":1', b'"n":2'))
    assert refused(name, bundle, tmp_path / "out").code == "hash"


def test_private_fields_and_answers_held_out_are_in_no_byte_of_any_export(tmp_path: Path) -> None:
    text = worlds.PAIRS.replace("fields:\n", "fields:\n  - {name: maker, kind: text, private: true}\n")
    bundle = worlds.bundle(tmp_path / "made", text, [{
        "key": f"k{i}", "secret": {"maker": "SECRET-MAKER"},
        "fields": {"prompt": f"p {i}", "answers": [{"id": "c1", "text": "a"}, {"id": "c2", "text": "b"}]},
        "answers": {"best": {"v": "c1", "strength": 1}}} for i in range(3)],
        private=True)
    (bundle / "private" / "gold.jsonl").write_text('{"id": "x", "answer": "SECRET-ANSWER"}\n', encoding="utf-8")
    for name in OTHERS:
        export(name, bundle, tmp_path / name)
        for path in (path for path in (tmp_path / name).rglob("*") if path.is_file()):
            shown = str(pq.read_table(path).to_pylist()).encode() if path.suffix == ".parquet" else path.read_bytes()
            assert b"SECRET" not in shown, path


# --- what stands in the files --------------------------------------------------------------------

def test_jsonl_has_the_columns_of_the_protocol_and_no_line_that_a_careless_reader_splits(
        bundles: dict[str, Path], tmp_path: Path) -> None:
    export("jsonl", bundles["choice"], tmp_path / "out")
    data = (tmp_path / "out" / "test.jsonl").read_bytes()
    found = [json.loads(line) for line in data.decode().splitlines()]
    assert all(list(row) == ["answer", "id", "photo", "question"] for row in found)
    assert {row["id"]: row["answer"] for row in found} == gold(bundles["choice"])
    assert all("\u2028" in row["question"] for row in found) and b"\\u2028" in data
    assert all((tmp_path / "out" / row["photo"]).is_file() for row in found)
    assert len(list((tmp_path / "out" / "media").iterdir())) == len({row["photo"] for row in found})


def test_pandas_reads_csv_and_tsv_as_they_were_meant(bundles: dict[str, Path], tmp_path: Path) -> None:
    for name, sep in (("csv", ","), ("tsv", "\t")):
        export(name, bundles["number"], tmp_path / name)
        table = pd.read_csv(tmp_path / name / f"test.{name}", sep=sep)
        assert dict(zip(table["key"], table["distance"], strict=True)) == gold(bundles["number"])
        assert [len(json.loads(cell)) for cell in table["views"]] == [2] * 10
    export("csv", bundles["choice"], tmp_path / "choice")
    table = pd.read_csv(tmp_path / "choice" / "test.csv")
    assert dict(zip(table["id"], table["answer"], strict=True)) == gold(bundles["choice"])


AWKWARD = ("=SUM(A1:A9)", "+49 170", "-", "@cmd", "\ttab", "'quoted", "a\r\nb\rc\nd", 'say "x", y;z', "Größe 🎨 עברית",
           "https://example.org/?a=1,2", " spaces ", "x" * 30_000, "\ufeffmark", "[1, 2]", "{{7*7}}")
GUESSED = ("007", "1-2", "MAR1", "2026-11-30", "TRUE", "#N/A", "12345678901234567", "10:30", "5 %")


@pytest.mark.parametrize("name", ["csv", "excel-csv", "jsonl", "parquet", "hf"])
def test_awkward_texts_come_back_as_they_were(tmp_path: Path, name: str) -> None:
    bundle = worlds.noted(tmp_path / "made", *AWKWARD)
    assert export(name, bundle, tmp_path / "out").read_back >= len(AWKWARD)


def test_excel_gets_a_mark_at_the_head_and_no_cell_that_runs(tmp_path: Path) -> None:
    export("excel-csv", worlds.noted(tmp_path / "made", *AWKWARD, *GUESSED), tmp_path / "out")
    data = (tmp_path / "out" / "test.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf") and b"\r\n" in data
    cells = [row["note"] for row in csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in cells)
    assert [bare(cell) for cell in cells] == [*AWKWARD, *GUESSED] and not any(map(excel_makes, cells))
    assert all(bare(guarded(text)) == text for text in ("", "'", "''=1", "=1", "plain"))
    assert not (tmp_path / "out" / "test.csv").read_bytes().startswith(b"\xef\xbb\xbf\xef\xbb\xbf")


def test_gold_that_is_not_applicable_stays_apart_from_no_gold(tmp_path: Path) -> None:
    def answers(n: int) -> list[dict[str, Any]]:
        return [[{"id": "g0000", "question": "score", "answer": None, "na": True}], [],
                [{"id": "g0002", "question": "score", "answer": 2.5}]][n]

    bundle = worlds.noted(tmp_path / "made", "a", "b", "c", answers=answers)
    export("csv", bundle, tmp_path / "csv")
    table = pd.read_csv(tmp_path / "csv" / "test.csv")
    assert list(table["score_na"]) == [True, False, False] and list(table["score"])[2] == 2.5
    assert export("inspect", bundle, tmp_path / "inspect").left_out == (("na", 1), ("no_gold", 1))


def test_what_the_protocol_does_not_keep_is_left_out_and_counted(tmp_path: Path) -> None:
    text = worlds.TEXTS + "export: {keep: {good: ['yes']}, columns: {id: item.key, note: item.note}}\n"
    bundle = worlds.noted(tmp_path / "made", "a", "b", "c", text=text, answers=lambda n: [
        {"id": f"g{n:04d}", "question": "good", "answer": "no" if n == 1 else "yes"}])
    for name in ("jsonl", "csv", "parquet", "hf"):
        written = export(name, bundle, tmp_path / name)
        assert (written.items, written.left_out) == (2, (("not_kept", 1),))
        assert any("gold that no column" in one for one in written.cannot) == (name != "hf")  # its configs have all
    kept = [json.loads(line)["id"] for line in (tmp_path / "jsonl" / "test.jsonl").read_text().splitlines()]
    assert kept == ["k0", "k2"]


def test_items_whose_gold_is_held_out_all_stay_without_gold(tmp_path: Path) -> None:
    text = worlds.TEXTS + "export: {keep: {good: ['yes']}, splits: {dev: 0.5, test: 0.5}}\n"
    choices = {"good": [{"id": "yes", "text": "Yes"}, {"id": "no", "text": "No"}]}
    bundle = worlds.by_hand(tmp_path / "made", text, [
        {"fields": {"note": f"n{n}"}, "choices": choices, "split": "dev" if n < 2 else "test"} for n in range(4)],
        [{"id": "g0000", "question": "good", "answer": "yes"}, {"id": "g0001", "question": "good", "answer": "no"}],
        held_out=["test"])
    assert export("jsonl", bundle, tmp_path / "jsonl").left_out == (("not_kept", 1),)
    held = [json.loads(line) for line in (tmp_path / "jsonl" / "test.jsonl").read_text().splitlines()]
    assert [(row["key"], row["good"]) for row in held] == [("k2", None), ("k3", None)]
    assert export("inspect", bundle, tmp_path / "inspect").left_out == (("not_kept", 1), ("no_gold", 2))
    assert not (tmp_path / "inspect" / "gold_good-test.jsonl").exists()


def test_parquet_states_types_where_a_column_begins_empty_and_numbers_are_one_type(tmp_path: Path) -> None:
    size = [None] * 1_500 + [2]
    bundle = worlds.by_hand(tmp_path / "made", worlds.TEXTS, [
        {"fields": {} if one is None else {"size": one, "note": "2026-11-30"}} for one in size], [])
    export("parquet", bundle, tmp_path / "out")
    table = pq.read_table(tmp_path / "out" / "test.parquet")
    types = {name: str(table.schema.field(name).type) for name in table.column_names}
    assert types == {"key": "string", "note": "string", "size": "double", "photo": "string", "good": "string",
                     "score": "double"}
    assert table["note"].to_pylist()[-1] == "2026-11-30" and table["note"].null_count == 1_500


def test_the_hugging_face_folder_holds_pictures_and_what_every_person_said(
        bundles: dict[str, Path], tmp_path: Path) -> None:
    export("hf", bundles["choice"], tmp_path / "out")
    head = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert head.startswith("---\nlicense: other\n") and "path: annotations/test-*" in head
    found = pq.read_table(tmp_path / "out" / "data" / "test-00000-of-00001.parquet").to_pylist()
    pictures = {path.name: path.read_bytes() for path in (bundles["choice"] / "public" / "media").iterdir()}
    assert {row["photo"]["path"]: row["photo"]["bytes"] for row in found} == pictures
    said = pq.read_table(tmp_path / "out" / "annotations" / "test-00000-of-00001.parquet").to_pylist()
    assert {(row["item_id"], row["annotator"], row["answer"]) for row in said} == {
        (row["id"], row["annotator"], row["answer"]) for row in rows(bundles["choice"], "annotations")}
    family = pq.read_table(tmp_path / "out" / "choice" / "test-00000-of-00001.parquet").to_pylist()
    assert all(row["choices"][int(row["answer_index"])]["id"] == row["answer"] for row in family)


@pytest.mark.parametrize("name", [name for name in OTHERS if name != "inspect"])
@pytest.mark.parametrize("n", [0, 1])
def test_no_item_and_one_item_are_written(tmp_path: Path, name: str, n: int) -> None:
    bundle = worlds.noted(tmp_path / "made", *["words"] * n)
    if name == "hf" and n == 0:
        assert refused(name, bundle, tmp_path / "out").code == "no_gold"
    else:
        assert export(name, bundle, tmp_path / "out").items == n


def test_a_split_without_items_is_no_split_of_the_hugging_face_folder(tmp_path: Path) -> None:
    text = worlds.TEXTS + "export: {splits: {dev: 0.5, test: 0.5}}\n"
    export("hf", worlds.noted(tmp_path / "made", "a", text=text), tmp_path / "out")
    assert "dev" not in (tmp_path / "out" / "README.md").read_text(encoding="utf-8").split("---")[1]
    assert [path.name for path in (tmp_path / "out" / "data").iterdir()] == ["test-00000-of-00001.parquet"]
    export("csv", worlds.noted(tmp_path / "two", "a", text=text), tmp_path / "csv")
    assert (tmp_path / "csv" / "dev.csv").read_bytes() == b"key,note,size,photo,good,score\n"


# --- the verb ------------------------------------------------------------------------------------

def test_the_verb_writes_from_a_project_and_from_a_bundle(
        bundles: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from app.cli import main
    project = bundles["pairs"].parent / "World.goldsmith"
    for n, source in enumerate((project, bundles["pairs"])):
        assert main(["export", str(source), str(tmp_path / str(n)), "--format", "jsonl", "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["format"], told["items"], told["read_back"], told["left_out"]) == ("jsonl", 10, 10, {})
        assert told["cannot"] and told["release"] == "1.0"
    assert small.tree(tmp_path / "0") == small.tree(tmp_path / "1")
    assert main(["export", str(project), str(tmp_path / "x"), "--format", "exel-csv"]) == 2
    assert "excel-csv" in capsys.readouterr().err
    assert main(["export", str(project), str(tmp_path / "x"), "--format", "csv", "--private"]) == 3
    assert main(["export", str(bundles["pairs"]), str(tmp_path / "x"), "--format", "bundle"]) == 3
    assert main(["export", str(bundles["pairs"]), str(tmp_path / "x"), "--format", "csv", "--release", "1.0"]) == 2


def test_the_manual_says_of_every_format_what_it_cannot_carry() -> None:
    manual = " ".join((Path(__file__).parent.parent / "docs" / "exports.md").read_text(encoding="utf-8").split())
    for name in OTHERS:
        assert f"`{name}`" in manual
        for one in writers[name].cannot:
            assert one in manual, (name, one)
