"""Items come in whole or not at all; every refused row says why and where; nothing is lost, guessed or left behind."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from sqlalchemy import func, select

from annotation import canonical, importing, items, people, protocol, recipes, tasks
from annotation.doctor import doctor
from annotation.errors import NotAllowed, ProtocolError, Refused, Unknown
from annotation.importing import ImportReport, import_file
from annotation.pictures import inside
from annotation.store.opening import create
from annotation.store.project import Store
from annotation.store.tables import Event, ImportRun, Item, ItemMedia, ItemSecret, ItemTag, ItemVersion, Media
from annotation.store.tables import Recipe as RecipeRow
from tests.test_metadata import saved

PROTOCOL = """\
id: mixed
version: 1
title: Mixed
fields:
  - {name: question, kind: text, required: true}
  - {name: score, kind: number}
  - {name: topic, kind: tag}
  - {name: picture, kind: image}
  - {name: replies, kind: candidates}
  - {name: origin, kind: text, private: true}
questions:
  - {name: ok, type: choice, text: OK?, options: [{value: "yes"}, {value: "no"}]}
workflow: {stages: [annotate], people_per_item: 2}
gold: {ok: {rule: majority}}
"""


class Project:
    """A project in a folder of its own, with an owner who brings items in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store: Store = create(folder / "P.goldsmith", protocol=protocol.loads(PROTOCOL), title="P", owner="o")
        with self.store.write() as session:
            self.by = people.find(session, "o").id
            self.ana: UUID = people.add(session, "ana", roles=["annotator"], by=self.by).value

    def file(self, name: str, content: Any) -> Path:
        """A list becomes JSON lines (or a JSON array in a .json file); texts and bytes are written as they are."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        if isinstance(content, list):
            lines = "".join(json.dumps(row) + "\n" for row in content)
            content = json.dumps(content) if name.endswith(".json") else lines
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def bring(self, content: Any, name: str = "items.jsonl", **options: Any) -> ImportReport:
        path = content if isinstance(content, Path) else self.file(name, content)
        return import_file(self.store, path, by=self.by, **options)

    def contents(self) -> dict[str, dict[str, Any]]:
        """Public fields of every item by key."""
        with self.store.read() as session:
            return {key: fields for key, fields in session.execute(
                select(Item.key, ItemVersion.fields_json).join(ItemVersion, ItemVersion.id == Item.current))}

    def rows(self, *columns: Any) -> list[Any]:
        with self.store.read() as session:
            return [row[0] if len(columns) == 1 else tuple(row) for row in session.execute(select(*columns))]

    def media_files(self) -> int:
        return sum(1 for path in (self.folder / "P.goldsmith/media").rglob("*") if path.is_file())


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.chdir(tmp_path)
    made = Project(tmp_path)
    with made.store:
        yield made


def png(colour: int = 0) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (5, 4), (colour, 0, 0)).save(out, "PNG")
    return out.getvalue()


def said(report: ImportReport) -> list[tuple[Any, ...]]:
    return [(one["line"], one["item"], one["key"], one["code"]) for one in report.refusals]


# --- the way in -----------------------------------------------------------------------------------

def test_counts_add_up_and_the_refused_rows_lie_in_a_file_to_mend(project):
    report = project.bring([
        {"id": 1, "question": "one", "score": 2.5, "topic": "t", "origin": "secret model", "more": 1},
        {"id": 2}, {"id": 3, "question": 7}, {"id": 1, "question": "again"},
        {"id": 4, "question": "None", "score": None}])
    assert (report.records, report.rows, report.accepted, report.new, report.refused) == (5, 5, 2, 2, 3)
    assert said(report) == [(2, "2", "question", "missing_value"), (3, "3", "question", "bad_type"),
                            (4, "1", "id", "duplicate_key")]
    assert report.unused == ("more",)
    assert project.contents() == {"1": {"question": "one", "score": 2.5, "topic": "t"}, "4": {"question": "None"}}
    assert project.rows(ItemSecret.fields_json) == [{"origin": "secret model"}]
    assert project.rows(ItemTag.field, ItemTag.value) == [("topic", "t")]
    lines = [json.loads(line) for line in Path("items.jsonl.refused.jsonl").read_text().splitlines()]
    assert [line["error"]["code"] for line in lines] == ["missing_value", "bad_type", "duplicate_key"]
    assert lines[1]["row"] == {"id": 3, "question": 7}
    mended = [{**line, "row": {**line["row"], "question": "mended"}} for line in lines[:2]]
    again = project.bring(mended, "mended.jsonl")
    assert (again.new, again.refused) == (2, 0) and project.contents()["3"] == {"question": "mended"}
    assert doctor(project.store)["faults"] == []


def test_rows_of_a_table_that_were_mended_are_text_still(project):
    report = project.bring("id,question,score,topic\n1,one,x,\n2,two,3,007\n", "items.csv")
    assert report.encoding == "utf-8" and report.delimiter == ","
    assert [(one["line"], one["column"], one["key"], one["value"]) for one in report.refusals] == [(2, 3, "score", "x")]
    assert project.contents() == {"2": {"question": "two", "score": 3, "topic": "007"}}
    text = Path("items.csv.refused.jsonl").read_text().replace('"score": "x"', '"score": "1.5"')
    assert project.bring(text, "mended.jsonl").new == 1
    assert project.contents()["1"] == {"question": "one", "score": 1.5}


def test_an_upsert_makes_versions_of_what_changed_and_touches_nothing_else(project):
    project.bring([{"id": "a", "question": "one"}, {"id": "b", "question": "two", "topic": "x"},
                   {"id": "c", "question": "three"}])
    with project.store.write() as session:
        task = tasks.next_task(session, project.ana)
        tasks.submit(session, task.id, {"ok": {"v": "yes"}})
    answered = task.key
    changed = [{"id": "a", "question": "one!"}, {"id": "b", "question": "two!", "topic": "y"},
               {"id": "c", "question": "three!"}, {"id": "d", "question": "four"}]
    report = project.bring(changed)
    assert (report.new, report.updated, report.unchanged, report.stale) == (1, 3, 0, 1)
    assert sorted(project.rows(Item.key, Item.state)) == [
        (key, "stale" if key == answered else "active") for key in "abcd"]
    assert sorted(project.rows(ItemVersion.rev)) == [1, 1, 1, 1, 2, 2, 2]
    assert project.rows(ItemTag.value) == ["y"]
    before = project.store.content_sha256()
    assert project.bring(changed, dry_run=True).unchanged == 4
    assert project.store.content_sha256() == before
    assert project.bring(changed).unchanged == 4
    with project.store.read() as session:
        entries = [(one.kind, one.values.get("changed")) for one in items.history(session, task.item)]
    assert [kind for kind, _ in entries] == ["contents", "answer", "contents"] and "question" in entries[2][1]
    assert doctor(project.store)["faults"] == []


def test_keys_are_one_after_nfc_and_case_folding(project):
    report = project.bring([{"id": "Stra\u00dfe", "question": "a"}, {"id": "STRASSE", "question": "b"},
                            {"id": "e\u0301", "question": "c"}, {"id": "\u00e9", "question": "d"},
                            {"id": "  ", "question": "e"},
                            {"id": "a\nb", "question": "f"}, {"id": "x" * 301, "question": "g"},
                            {"id": True, "question": "h"}, {"id": 7.0, "question": "i"}])
    assert [one["code"] for one in report.refusals] == ["duplicate_key", "duplicate_key", "missing_value", "bad_value",
                                                        "too_long", "missing_value"]
    assert sorted(project.contents()) == ["7", "Stra\u00dfe", "\u00e9"]
    other = project.bring([{"id": "stra\u00dfe", "question": "a"}, {"id": "new", "question": "b"}])
    assert said(other) == [(1, "stra\u00dfe", None, "duplicate_key")]


def test_without_a_key_the_contents_are_the_key(project):
    rows = [{"question": "one"}, {"question": "two"}]
    assert project.bring(rows).new == 2
    again = project.bring([{"question": "zero"}, *reversed(rows), {"question": "one"}])
    assert (again.new, again.unchanged) == (1, 2)
    assert [one["code"] for one in again.refusals] == ["duplicate_key"]


@pytest.mark.parametrize(("value", "code"), [
    (float("nan"), "not_finite"), (float("inf"), "not_finite"), ("\ud83d", "not_unicode"), ("a\0b", "not_unicode"),
    (["list"], "bad_type"), ({"a": float("nan")}, "not_finite"), (True, "bad_type"), (None, "missing_value"),
    ("", "missing_value"), ("x" * 1_000_001, "too_long")])
def test_values_that_cannot_be_kept_are_refused(project, value, code):
    report = project.bring([{"id": "good", "question": "one"}, {"id": "bad", "question": value}])
    assert said(report) == [(2, "bad", "question", code)]
    json.loads(json.dumps(report.as_json()), parse_constant=pytest.fail)
    json.dumps(report.as_json(), ensure_ascii=False).encode()


# --- all or nothing -------------------------------------------------------------------------------

def refused(project: Project, content: Any, name: str = "items.jsonl", **options: Any) -> Refused:
    """The refusal of an import after which nothing at all is changed."""
    if not isinstance(content, Path):
        content = project.file(name, content)
    before = project.store.content_sha256(), sorted(project.folder.rglob("*"))
    with pytest.raises(Refused) as fault:
        project.bring(content, **options)
    after = project.store.content_sha256(), sorted(project.folder.rglob("*"))
    assert after == before
    return fault.value


def test_strict_refuses_the_file_for_one_row(project):
    fault = refused(project, [{"id": 1, "question": "one"}, {"id": 2}], strict=True)
    assert fault.exit_code == 3 and fault.code == "missing_value" and fault.where.line == 2
    assert "1 of 2 rows are refused (strict)" in str(fault)


def test_a_file_of_which_nothing_can_be_taken_is_refused(project):
    fault = refused(project, [{"id": 1, "question": 1}, {"id": 2, "question": 2}])
    assert fault.code == "bad_type" and "none of the 2 rows" in str(fault)
    assert "no records" in str(refused(project, [], "empty.json"))


@pytest.mark.parametrize(("header", "question", "score", "unused"), [
    ("ID;Question;SCORE", "one", 2.5, ()),
    ("ID;question;Score;Question", "one", 2.5, ("Question",)),   # the field's own name comes first
    ("ID;question;SCORE;Score", "one", None, ("SCORE", "Score")),  # two that could be meant: none is guessed
])
def test_capitals_of_a_header_do_not_count_where_one_column_alone_can_be_meant(
        project, header, question, score, unused):
    report = project.bring(f"{header}\r\n1;one;2.5{';two' * (header.count(';') - 2)}\r\n;;\r\n", "items.csv")
    assert (report.records, report.new, report.unused) == (1, 1, unused)
    assert project.contents() == {"1": {"question": question} | ({"score": score} if score else {})}


@pytest.mark.parametrize(("name", "content"), [
    ("items.csv", "id,text\n1,one\n"), ("items.jsonl", [{"id": 1, "text": "one"}]),
    ("items.json", [{"id": 1, "text": "one"}])])
def test_a_missing_column_refuses_the_file_and_names_the_known_ones(project, name, content):
    fault = refused(project, content, name)
    assert (fault.code, fault.where.file, fault.where.key) == ("missing_column", name, "question")
    assert "id, text" in str(fault)


def test_a_stopped_import_leaves_nothing(project):
    project.file("pics/a.png", png(1))
    rows = [{"id": n, "question": "q", "picture": "pics/a.png"} for n in range(2000)]
    seen: list[tuple[int, int]] = []
    fault = refused(project, rows, progress=lambda done, of: seen.append((done, of)),
                    cancelled=lambda: len(seen) > 1)
    assert fault.code == "cancelled" and seen[0][0] <= seen[0][1]


def test_a_place_where_the_refused_rows_cannot_be_written_stops_the_import(project):
    fault = refused(project, [{"id": 1, "question": "one"}, {"id": 2}], refused=project.folder / "none/refused.jsonl")
    assert fault.code == "not_writable"
    path = project.file("items.jsonl", [{"id": 1, "question": "one"}, {"id": 2}])
    assert refused(project, path, refused=path).code == "exists"


def test_only_those_who_keep_the_project_bring_items_in(project):
    path = project.file("items.jsonl", [{"id": 1, "question": "one"}])
    with pytest.raises(NotAllowed):
        import_file(project.store, path, by=project.ana)


def test_a_run_is_remembered_without_the_refused_values(project):
    project.bring([{"id": 1, "question": "one"}, {"id": 2, "question": ["a secret"]}])
    assert project.rows(ImportRun.file, ImportRun.counts_json)[0][1]["refused"] == 1
    assert "a secret" not in json.dumps(project.rows(ImportRun.refused_json))
    assert project.rows(Event.verb).count("import") == 1


# --- recipes --------------------------------------------------------------------------------------

def recipe(text: str) -> recipes.Recipe:
    return recipes.loads("id: r\nfor: mixed\n" + text)


def test_a_recipe_maps_paths_constants_and_lists(project):
    chosen = recipe("""pick: data.rows
sets:
  - key: "{meta.id}-{row}"
    fields:
      question: texts.1
      origin: {value: "None"}
      replies: {list: [a, {text: b.text, id: b.id}]}
    tags: {topic: meta.kind}
""")
    content = {"data": {"rows": [{"meta": {"id": 5, "kind": 3}, "texts": ["x", "the question"], "a": "first",
                                  "b": {"text": "second", "id": "B"}}]}}
    report = project.bring(json.dumps(content), "nested.json", recipe=chosen)
    assert report.accepted == 1
    assert project.contents() == {"5-1": {"question": "the question", "topic": "3", "replies": [
        {"id": "c1", "text": "first"}, {"id": "B", "text": "second"}]}}
    assert project.rows(ItemSecret.fields_json) == [{"origin": "None"}]
    assert project.rows(RecipeRow.name) == ["r"]


def test_a_list_explodes_into_items_and_into_all_pairs(project):
    chosen = recipe("""sets:
  - {name: one, explode: answers.text, key: "{id}-{n}", fields: {question: text}}
  - name: two
    explode: answers.text
    pairs: true
    key: "{id}-{a.n}-{b.n}"
    fields: {question: q, replies: {list: [a.text, b.text]}}
""")
    report = project.bring([{"id": "x", "q": "Q", "answers": [{"text": ["a", "b"]}, {"text": ["c"]}]}], recipe=chosen)
    assert (report.records, report.rows, report.accepted) == (1, 6, 6)
    assert sorted(project.contents()) == ["x-1", "x-1-2", "x-1-3", "x-2", "x-2-3", "x-3"]
    assert [one["text"] for one in project.contents()["x-1-3"]["replies"]] == ["a", "c"]


def test_what_cannot_be_exploded_is_refused_once_with_its_record(project):
    chosen = recipe('sets:\n  - {explode: parts, key: "{id}-{n}", fields: {question: parts}}\n')
    report = project.bring([{"id": 1, "parts": ["a", 5]}, {"id": 2, "parts": "no list"}, {"id": 3, "parts": ["b"]},
                            {"id": 4}], recipe=chosen)
    assert said(report) == [(1, "1-2", "parts", "bad_type"), (2, None, "parts", "bad_type"),
                            (4, None, "parts", "missing_value")]
    assert (report.records, report.rows) == (4, 5)


@pytest.mark.parametrize(("unmatched", "accepted"), [("refuse", 1), ("keep", 2)])
def test_two_files_are_joined_on_a_key(project, unmatched, accepted):
    chosen = recipe(f"""join: {{with: second, on: qid, right: id, unmatched: {unmatched}}}
sets: [{{key: qid, fields: {{question: q, origin: second.text}}}}]
""")
    right = project.file("right.csv", "id,text\n1,answer\n9,unused\n")
    left = [{"qid": 1, "q": "one"}, {"qid": 2, "q": "two"}]
    report = project.bring(left, recipe=chosen, with_files={"second": right})
    assert report.accepted == accepted
    assert said(report) == ([(2, "2", "qid", "no_partner")] if unmatched == "refuse" else [])
    assert project.rows(ItemSecret.fields_json) == [{"origin": "answer"}]


def test_a_join_without_its_file_with_another_name_or_with_a_key_twice_is_refused(project):
    chosen = recipe("join: {with: second, on: qid, right: id}\nsets: [{key: qid, fields: {question: q}}]\n")
    left = project.file("left.jsonl", [{"qid": 1, "q": "one"}])
    twice = project.file("right.jsonl", [{"id": 1}, {"id": "1"}])
    assert "--with second=FILE" in str(refused(project, left, recipe=chosen))
    assert refused(project, left, recipe=chosen, with_files={"second": twice}).where.line == 2
    with pytest.raises(Unknown, match="joins no file 'other'"):
        project.bring(left, recipe=chosen, with_files={"second": twice, "other": twice})


@pytest.mark.parametrize(("text", "line", "words"), [
    ("id: r\nfor: mixed\nsets:\n  - {fields: {question: q}, kay: id}\n", 4, "kay"),
    ("id: r\nfor: mixed\nsets: []\n", 3, ""),
    ("id: r\nfor: mixed\nsets:\n  - {fields: {question: q}, pairs: true}\n", 4, "explode"),
    ("id: r\nfor: mixed\nsets:\n  - {fields: {question: {value: a, list: [b]}}}\n", 4, "not both"),
    ("id: r\nfor: mixed\nsets: &a []\n", 3, "anchors"),
])
def test_faults_of_a_recipe_have_file_and_line(text, line, words):
    with pytest.raises(ProtocolError) as fault:
        recipes.loads(text, "r.yaml")
    assert (fault.value.where.file, fault.value.where.line) == ("r.yaml", line)
    assert words in " ".join(map(str, fault.value.faults))


def test_a_recipe_for_fields_that_the_protocol_does_not_have_is_refused(project):
    path = project.file("r.yaml", "id: r\nfor: mixed\nsets:\n  - fields:\n      query: q\n")
    data = project.file("items.jsonl", [{"id": 1, "q": "one"}])
    assert "has no field 'query'" in str(refused(project, data, recipe=path))
    missing = project.file("s.yaml", "id: s\nfor: mixed\nsets:\n  - {key: id, fields: {question: q.text.0}}\n")
    assert refused(project, [{"id": 1, "other": "one"}], recipe=missing).code == "missing_column"


# --- pictures -------------------------------------------------------------------------------------

def test_pictures_come_in_without_their_position_and_missing_ones_are_listed_once(project):
    project.file("pics/photo.jpg", saved("JPEG"))
    report = project.bring([
        {"id": 1, "question": "q", "picture": "pics/photo.jpg"},
        {"id": 2, "question": "q", "picture": "pics\\photo.jpg"},
        {"id": 3, "question": "q", "picture": "gone.png"}, {"id": 4, "question": "q", "picture": "gone.png",
                                                            "replies": [{"image": "gone.png"}, {"text": "t"}]}])
    assert report.accepted == 4 and report.stored == 1
    assert report.missing == (("gone.png", 2),)
    assert ("pics/photo.jpg", ("EXIF GPS",)) in report.stripped
    [row] = project.rows(Media.sha256, Media.source_sha256, Media.mime, Media.width, Media.removed_json)
    assert row[0] != row[1] and row[2:] == ("image/jpeg", 24, ["EXIF GPS"])
    assert project.contents()["1"]["picture"] == {"sha256": row[0], "path": "pics/photo.jpg"}
    assert project.contents()["4"]["replies"][0] == {"id": "c1", "image": {"sha256": None, "path": "gone.png"}}
    assert sorted(project.rows(ItemMedia.field, ItemMedia.element, ItemMedia.path)) == [
        ("picture", "", "gone.png"), ("picture", "", "gone.png"), ("picture", "", "pics/photo.jpg"),
        ("picture", "", "pics\\photo.jpg"), ("replies", "c1", "gone.png")]
    stored = project.store.media.path(row[0]).read_bytes()
    assert not Image.open(io.BytesIO(stored)).getexif().get_ifd(0x8825)


def test_a_picture_is_known_by_its_contents_and_not_by_its_name(project):
    project.file("a.txt", png())
    project.file("b.png", "no picture at all")
    project.file("c.png", b"")
    project.file("d.png", png(3)[:-30])
    (project.folder / "e.png").mkdir()
    report = project.bring([{"id": name, "question": "q", "picture": name} for name in
                            ("a.txt", "b.png", "c.png", "d.png", "e.png")])
    assert said(report) == [(n, name, "picture", "unreadable_media") for n, name in
                            ((2, "b.png"), (3, "c.png"), (4, "d.png"), (5, "e.png"))]


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_unpacked(project):
    bomb = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(bomb, "PNG")
    project.file("bomb.png", bomb.getvalue())
    report = project.bring([{"id": 1, "question": "q"}, {"id": 2, "question": "q", "picture": "bomb.png"}])
    assert said(report) == [(2, "2", "picture", "unreadable_media")] and "pixels" in report.refusals[0]["message"]


def test_paths_that_lead_out_of_the_folder_are_refused(project, tmp_path):
    outside = tmp_path.parent / f"{tmp_path.name}-outside.png"
    outside.write_bytes(png())
    inner = project.folder / "inner"
    inner.mkdir()
    (inner / "link.png").symlink_to(outside)
    (inner / "ok.png").write_bytes(png())
    (inner / "sub").mkdir()
    tricks = [f"../../{outside.name}", str(outside), "link.png", "C:\\photo.png", "C:photo.png",
              "\\\\host\\share\\a.png", "sub/../../x.png", "~/x.png", "..\\x.png", "/etc/passwd", "..", "a\0.png"]
    rows = [{"id": n, "question": "q", "picture": trick} for n, trick in enumerate(tricks)]
    report = project.bring([*rows, {"id": "good", "question": "q", "picture": "sub/../ok.png"}], "inner/items.jsonl")
    assert {one["code"] for one in report.refusals} <= {"path_outside", "not_unicode"}
    assert report.refused == len(tricks) and report.accepted == 1 and report.missing == ()
    outside.unlink()


def test_a_picture_that_only_a_refused_row_names_is_not_kept(project):
    for n in range(3):
        project.file(f"{n}.png", png(n))
    project.file("broken.png", b"\x89PNG\r\n\x1a\n")
    report = project.bring([
        {"id": 1, "question": "q", "picture": "0.png"}, {"id": 1, "question": "q", "picture": "1.png"},
        {"id": 3, "question": "q", "picture": "2.png", "replies": [{"image": "broken.png"}, {"text": "x"}]}])
    assert report.refused == 2 and report.stored == 1
    assert project.media_files() == 1 and len(project.rows(Media.sha256)) == 1


def test_a_folder_of_pictures_becomes_an_item_for_each(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = PROTOCOL.replace("text, required: true", "text").replace("kind: image", "kind: image, required: true")
    (tmp_path / "pics").mkdir()
    for n in (10, 9):
        (tmp_path / f"pics/p{n}.png").write_bytes(png(n))
    (tmp_path / "pics/bad.jpg").write_bytes(b"")
    with create(tmp_path / "P.goldsmith", protocol=protocol.loads(text), title="P", owner="o") as store:
        with store.read() as session:
            by = people.find(session, "o").id
        report = import_file(store, tmp_path / "pics", by=by)
        with store.read() as session:
            keys = session.execute(select(Item.key).order_by(Item.source_row)).scalars().all()
    assert keys == ["p9.png", "p10.png"] and said(report) == [(1, "bad.jpg", "path", "unreadable_media")]


def test_parquet_with_pictures_inside_comes_in(project):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"id": ["a", "b"], "question": ["one", None], "score": [None, 2.0],
                      "picture": [{"bytes": png(7), "path": "x.png"}, {"bytes": png(8), "path": None}]})
    pq.write_table(table, project.folder / "items.parquet")
    report = project.bring(project.folder / "items.parquet")
    assert report.new == 1 and said(report) == [(2, "b", "question", "missing_value")]
    assert project.contents()["a"]["picture"]["path"] == "x.png" and project.media_files() == 1


_PART = st.sampled_from(["..", ".", "a", "b.png", "", "C:", "~", "link", "\\", "sub"])


@settings(max_examples=300)
@given(st.lists(_PART, min_size=1, max_size=6), st.sampled_from(["/", "\\"]))
def test_no_path_ever_reaches_a_file_outside(tmp_path_factory, parts, sign):
    folder = _trap(tmp_path_factory)
    path = sign.join(parts)
    try:
        found = inside(folder, ".", path)
    except Refused as fault:
        assert fault.code == "path_outside"
        return
    assert os.path.realpath(found).startswith(os.path.realpath(folder) + os.sep)


_traps: list[Path] = []


def _trap(factory: pytest.TempPathFactory) -> Path:
    """A folder with a link to its parent in it, made once."""
    if not _traps:
        folder = factory.mktemp("trap") / "inner"
        (folder / "a").mkdir(parents=True)
        (folder / "link").symlink_to(folder.parent)
        _traps.append(folder)
    return _traps[0]


# --- preview --------------------------------------------------------------------------------------

def test_a_preview_shows_rows_with_the_encoding_and_delimiter_that_were_told(project):
    path = project.file("items.csv", "id;question\n1;Où?\n2\n".encode("cp1252"))
    seen = importing.preview(path, limit=5)
    assert (seen.encoding, seen.delimiter, seen.columns) == ("cp1252", ";", ("id", "question"))
    assert seen.rows == ({"id": "1", "question": "Où?"},) and seen.refusals[0]["line"] == 3
    other = importing.preview(path, encoding="cp437", delimiter=",")
    assert other.columns == ("id;question",) and other.rows[0] == {"id;question": "1;O\u2219?"}


# --- finding --------------------------------------------------------------------------------------

def test_items_are_found_by_text_tag_state_and_stage(project):
    project.bring([{"id": f"k{n}", "question": f'say "{n}" 100% _x_' if n == 3 else f"ask {n}", "topic": f"t{n % 2}"}
                   for n in range(5)])
    with project.store.write() as session:
        assert [row.key for row in items.find_items(session, text='"3" 100% _X_').rows] == ["k3"]
        assert items.find_items(session, text="100% -").total == 0
        assert [row.key for row in items.find_items(session, tag=("topic", "t1")).rows] == ["k1", "k3"]
        page = items.find_items(session, sort="key", descending=True, offset=1, limit=2)
        assert (page.total, [row.key for row in page.rows]) == (5, ["k3", "k2"])
        assert page.rows[0].text.startswith("say") and page.rows[0].tags == {"topic": "t1"}
        task = tasks.next_task(session, project.ana)
        tasks.submit(session, task.id, {"ok": {"v": "yes"}})
        assert items.find_items(session, stage="annotate", stage_state="open").total == 5
        assert items.find_items(session, stage="annotate", stage_state="waiting").total == 0
        assert items.find_items(session, ids=[task.item]).rows[0].answers == 1
        assert items.find_items(session, state="stale").total == 0
        with pytest.raises(Unknown):
            items.find_items(session, sort="colour")


def test_the_number_of_rows_stays_the_number_of_items_whatever_is_brought_in_twice(project):
    @settings(max_examples=25)
    @given(st.lists(st.tuples(st.sampled_from("abcDÉ"), st.text(min_size=1, max_size=3)), min_size=1, max_size=8))
    def law(pairs: list[tuple[str, str]]) -> None:
        rows = [{"id": key, "question": text} for key, text in pairs]
        try:
            report = project.bring(rows, refused=project.folder / "refused.jsonl")
        except Refused:
            return
        assert report.rows == len(rows) == report.accepted + report.refused
        assert report.accepted == report.new + report.updated + report.unchanged
        with project.store.read() as session:
            assert session.execute(select(func.count()).select_from(Item)).scalar_one() == len(project.contents())
            assert session.execute(select(func.max(Item.key_fold)).group_by(Item.key_fold)
                                   .having(func.count() > 1)).first() is None

    law()
    assert doctor(project.store)["faults"] == []


# --- both databases -------------------------------------------------------------------------------

def test_import_and_finding_are_the_same_on_both_databases(place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.png").write_bytes(png())
    first = [{"id": f"K{n}", "question": f"Ask {n}", "topic": f"t{n % 2}", "origin": "x", "picture": "a.png"}
             for n in range(6)]
    second = [{**row, "question": row["question"] + "!"} for row in first[:4]] + [{"id": "new", "question": "q"}]
    with create(place, protocol=protocol.loads(PROTOCOL), title="P", owner="o") as store:
        with store.write() as session:
            by = people.find(session, "o").id
            ana = people.add(session, "ana", roles=["annotator"], by=by).value
        counts = []
        for rows in (first, second):
            path = tmp_path / "items.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
            report = import_file(store, path, by=by)
            counts.append((report.new, report.updated, report.unchanged, report.stale, report.refused))
            if rows is first:
                with store.write() as session:
                    task = tasks.next_task(session, ana)
                    while task.key not in ("K0", "K1", "K2", "K3"):
                        tasks.skip(session, task.id, reason="later")
                        task = tasks.next_task(session, ana)
                    tasks.submit(session, task.id, {"ok": {"v": "yes"}})
        with store.read() as session:
            found = items.find_items(session, text="ASK 3", sort="updated", descending=True)
            assert [row.key for row in found.rows] == ["K3"]
            assert items.find_items(session, state="stale").rows[0].key == task.key
            assert items.find_items(session, tag=("topic", "t1"), stage="annotate", stage_state="open").total == 3
            assert [one.kind for one in items.history(session, task.item)] == ["contents", "answer", "contents"]
        assert doctor(store)["faults"] == []
    assert counts == [(6, 0, 0, 0, 0), (1, 4, 0, 1, 0)]


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=30) | st.integers() | st.lists(st.text(max_size=5)),
                       max_size=5))
def test_the_quick_way_to_canonical_json_gives_the_same_bytes(value):
    try:
        wanted = canonical.dumps(value)
    except Refused:  # half a character, which is refused before
        return
    assert items._json(value) == wanted
