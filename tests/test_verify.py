"""verify: a sound bundle has no fault, and every way of breaking one is found under its name."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.answers import Slot
from annotation.errors import Refused
from exports.bundle import write_bundle
from exports.release import draw
from exports.rows import line
from exports.verify import Report, verify
from tests import small_project as small

Row = dict[str, Any]
Rows = list[Row]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A bundle with a picture, groups, an adjudication, free text withheld, and private fields."""
    folder = tmp_path_factory.mktemp("sound")
    with small.make(folder) as store:
        small.answer_all(store)
        with store.write() as session:
            small.adjudicate(session, "key-01", {Slot("verdict"): {"v": "no"}})
            draw(session, "1.0", by=small.owner_of(session))
        with store.read() as session:
            write_bundle(session, folder / "bundle", private=True)
    yield folder / "bundle"


@pytest.fixture
def bundle(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "bundle"))


def codes(report: Report) -> set[str]:
    return {fault.code for fault in report.faults}


def change_rows(bundle: Path, path: str, change: Callable[[Rows], object]) -> None:
    """Change a file of rows and write it canonically again."""
    rows: Rows = [json.loads(one) for one in (bundle / path).read_bytes().split(b"\n") if one]
    change(rows)
    (bundle / path).write_bytes(b"".join(map(line, rows)))


def hash_again(bundle: Path) -> None:
    """What a careful forger does: counts, hashes, manifest and checksums all fit again."""
    head = json.loads((bundle / "manifest.json").read_text())
    for entry in head["files"]:
        if (bundle / entry["path"]).exists():
            data = (bundle / entry["path"]).read_bytes()
            rows = data.count(b"\n") if entry["rows"] is not None else None
            entry |= {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), "rows": rows}
    (bundle / "manifest.json").write_bytes(line(head))
    sums = {path: sha for path, sha in small.tree(bundle).items() if path != "SHA256SUMS"}
    (bundle / "SHA256SUMS").write_text("".join(f"{sums[path]}  {path}\n" for path in sorted(sums)))


def test_a_sound_bundle_has_no_fault(sound: Path) -> None:
    report = verify(sound)
    assert (report.kind, report.faults) == ("bundle", ())
    assert report.files == len(small.tree(sound)) and report.rows == 10 + 10 + 50 + 160 + 1 + 4 + 50 + 3 + 12 + 4


def test_hashing_again_alone_changes_nothing(bundle: Path) -> None:
    before = small.tree(bundle)
    hash_again(bundle)
    assert small.tree(bundle) == before


def test_the_manifest_that_was_published_is_asked_for(sound: Path) -> None:
    right = small.tree(sound)["manifest.json"]
    assert not verify(sound, manifest_sha256=right.upper()).faults
    [fault] = verify(sound, manifest_sha256="0" * 64).faults
    assert (fault.code, fault.file) == ("manifest_hash", "manifest.json")


EVERY_FILE = ("CARD.md", "LICENSE", "manifest.json", "SHA256SUMS", "public/adjudications.jsonl",
              "public/annotations.jsonl", "public/annotators.jsonl", "public/gold.jsonl", "public/items.jsonl",
              "public/protocol.yaml")


@pytest.mark.parametrize("path", EVERY_FILE)
def test_a_file_that_is_missing_is_named(bundle: Path, path: str) -> None:
    (bundle / path).unlink()
    assert ("missing_file", path) in {(fault.code, fault.file) for fault in verify(bundle).faults}


@pytest.mark.parametrize("path", [path for path in EVERY_FILE if path != "SHA256SUMS"])
def test_a_file_with_one_byte_more_does_not_fit_its_hash(bundle: Path, path: str) -> None:
    (bundle / path).write_bytes((bundle / path).read_bytes() + b" ")
    assert ("hash", path) in {(fault.code, fault.file) for fault in verify(bundle).faults}


def test_a_missing_a_changed_and_a_strange_picture_are_told_apart(bundle: Path) -> None:
    [picture] = (bundle / "public/media").iterdir()
    name = f"public/media/{picture.name}"
    picture.write_bytes(picture.read_bytes() + b"x")
    assert ("hash", name) in {(fault.code, fault.file) for fault in verify(bundle).faults}
    picture.unlink()
    assert ("missing_file", name) in {(fault.code, fault.file) for fault in verify(bundle).faults}


@pytest.mark.parametrize("path", ["notes.txt", "public/more.jsonl", "public/media/" + "0" * 64 + ".png",
                                  "private/more.jsonl"])
def test_a_file_too_many_is_named(bundle: Path, path: str) -> None:
    (bundle / path).parent.mkdir(exist_ok=True)
    (bundle / path).write_bytes(b"{}\n")
    assert ("extra_file", path) in {(fault.code, fault.file) for fault in verify(bundle).faults}


def test_links_and_empty_folders_do_not_belong_into_a_bundle(bundle: Path) -> None:
    (bundle / "public" / "nothing").mkdir()
    (bundle / "public" / "link").symlink_to(bundle / "LICENSE")
    assert {fault.file for fault in verify(bundle).faults if fault.code == "extra_file"} == {
        "public/nothing", "public/link"}


def swap(rows: Rows) -> None:
    rows[0], rows[1] = rows[1], rows[0]


def drop(key: str) -> Callable[[Rows], object]:
    return lambda rows: rows[0].pop(key)


def put(**values: Any) -> Callable[[Rows], object]:
    return lambda rows: rows[0].update(values)


def first(question: str, **values: Any) -> Callable[[Rows], object]:
    """Change the first row of a question, of an item that was not adjudicated: which comes first is chance."""
    return lambda rows: next(row for row in rows if row["question"] == question
                             and row.get("standing") != "adjudicated").update(values)


def of_adjudicated(**values: Any) -> Callable[[Rows], object]:
    return lambda rows: next(row for row in rows if row["standing"] == "adjudicated").update(values)


def turned_votes(rows: Rows) -> None:
    """Where two of three decided, one of them says the opposite: on every such item, for one was adjudicated."""
    for item in {row["id"] for row in rows}:
        votes = [row for row in rows if row["id"] == item and row["question"] == "verdict"]
        if sorted(row["answer"] for row in votes) == ["no", "yes", "yes"]:
            next(row for row in votes if row["answer"] == "yes")["answer"] = "no"


ITEMS, GOLD, SAID = "public/items.jsonl", "public/gold.jsonl", "public/annotations.jsonl"
DECIDED, PEOPLE, PRIVATE = "public/adjudications.jsonl", "public/annotators.jsonl", "private/items.jsonl"
# What a forger may do who then makes all hashes and counts fit again.
FORGED: list[tuple[str, str, Callable[[Rows], object], str]] = [
    ("items without a key", ITEMS, drop("slices"), "bad_field"),
    ("items with a number as id", ITEMS, put(id="123"), "bad_field"),
    ("items out of order", ITEMS, swap, "not_canonical"),
    ("items with one id twice", ITEMS, lambda rows: rows.insert(0, rows[0]), "duplicate_id"),
    ("items less one", ITEMS, lambda rows: rows.pop(), "unknown_id"),
    ("items in another split", ITEMS, put(split="secret"), "count"),
    ("items with another canary", ITEMS, put(canary="none"), "canary"),
    ("items with a strange candidate", ITEMS, lambda rows: rows[0]["candidates"].append("x0"), "unknown_id"),
    ("items with choices of no form", ITEMS, lambda rows: rows[0]["choices"].update(verdict=["yes"]), "bad_field"),
    ("items with a picture from nowhere", ITEMS, lambda rows: rows[0]["media"].append(
        {"field": "picture", "element": None, "sha256": "0" * 64, "path": None}), "missing_file"),
    ("items that lost a picture", ITEMS, lambda rows: rows[0]["media"].append(
        {"field": "picture", "element": None, "sha256": None, "path": None}), "missing_file"),
    ("items without their picture", ITEMS, lambda rows: [row["media"].clear() for row in rows], "extra_file"),
    ("items of one cluster in two splits", ITEMS, lambda rows: [row.update(
        cluster="c", split=("dev", "test")[n % 2]) for n, row in enumerate(rows)], "bad_field"),
    ("gold turned round", GOLD, first("verdict", answer="no"), "gold_not_supported"),
    ("gold turned round, with a decision invented", GOLD, first("verdict", answer="no", standing="adjudicated",
                                                               rule="adjudicated"), "gold_not_supported"),
    ("gold called repaired", GOLD, first("verdict", answer="no", standing="repair", rule="repair"),
     "gold_not_supported"),
    ("gold of a number", GOLD, first("score", answer=5), "gold_not_supported"),
    ("gold by another rule", GOLD, first("score", rule="mean"), "gold_not_supported"),
    ("gold by no rule", GOLD, first("score", rule="wish"), "gold_not_supported"),
    ("gold computed from gold", GOLD, first("outcome", answer="drop"), "gold_not_supported"),
    ("gold that overrules a decision", GOLD, of_adjudicated(standing="rule", rule="majority", answer="yes"),
     "gold_not_supported"),
    ("gold turned against a decision", GOLD, of_adjudicated(answer="yes"), "gold_not_supported"),
    ("gold outside the choices", GOLD, first("verdict", answer="maybe"), "bad_field"),
    ("gold of more people", GOLD, first("verdict", n=30), "count"),
    ("gold of no item", GOLD, lambda rows: rows[-1].update(id="zzz"), "unknown_id"),
    ("gold twice", GOLD, lambda rows: rows.insert(0, rows[0]), "duplicate_id"),
    ("gold of another protocol", GOLD, put(protocol="0" * 64), "bad_field"),
    ("gold of another rev", GOLD, put(rev=9), "bad_field"),
    ("gold without rule", GOLD, drop("rule"), "bad_field"),
    ("gold out of order", GOLD, swap, "not_canonical"),
    ("annotations turned", SAID, turned_votes, "gold_not_supported"),
    ("annotations of nobody known", SAID, put(annotator="annotator-77"), "unknown_id"),
    ("annotations of no item", SAID, lambda rows: rows[-1].update(id="zzz"), "unknown_id"),
    ("annotations twice", SAID, lambda rows: rows.insert(0, rows[0]), "duplicate_id"),
    ("annotations outside the choices", SAID, first("verdict", answer="maybe"), "bad_field"),
    ("annotations that do not count", SAID, lambda rows: [row.update(counts=False) for row in rows],
     "gold_not_supported"),
    ("annotations with an hour", SAID, put(day="2026-11-30T10:00:00Z"), "bad_field"),
    ("annotations all gone", SAID, lambda rows: rows.clear(), "gold_not_supported"),
    ("annotations of text seconds", SAID, put(seconds="2"), "bad_field"),
    ("adjudication turned", DECIDED, put(answer="yes"), "gold_not_supported"),
    ("adjudication gone", DECIDED, lambda rows: rows.clear(), "gold_not_supported"),
    ("adjudication by nobody known", DECIDED, put(adjudicator="dr"), "unknown_id"),
    ("adjudication with strange inputs", DECIDED, put(inputs=[{"annotator": "x", "answer": "no"}]), "unknown_id"),
    ("adjudication of no item", DECIDED, put(id="zzz"), "unknown_id"),
    ("annotators who did more", PEOPLE, put(items=99), "count"),
    ("annotators less one", PEOPLE, lambda rows: rows.pop(0), "unknown_id"),
    ("annotators one more", PEOPLE, lambda rows: rows.append(
        {"annotator": "annotator-99", "kind": "human", "roles": [], "items": 3}), "count"),
    ("annotators twice", PEOPLE, lambda rows: rows.insert(0, rows[0]), "duplicate_id"),
    ("annotators without kind", PEOPLE, drop("kind"), "bad_field"),
    ("private fields of no item", PRIVATE, lambda rows: rows[-1].update(id="zzz"), "unknown_id"),
]


@pytest.mark.parametrize(("what", "path", "change", "code"), FORGED, ids=[row[0] for row in FORGED])
def test_a_change_is_found_even_where_all_hashes_were_made_to_fit(
        bundle: Path, what: str, path: str, change: Callable[[Rows], object], code: str) -> None:
    published = small.tree(bundle)["manifest.json"]
    before = (bundle / path).read_bytes()
    change_rows(bundle, path, change)
    assert (bundle / path).read_bytes() != before, "the change changed nothing"
    assert "hash" in codes(verify(bundle))
    hash_again(bundle)
    report = verify(bundle, manifest_sha256=published)
    assert code in codes(report) and "hash" not in codes(report)
    assert path == PRIVATE or "manifest_hash" in codes(report)


BROKEN: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("cut off", lambda data: data[:-20], "bad_json"),
    ("no JSON", lambda data: b"{]\n" + data, "bad_json"),
    ("NaN", lambda data: b'{"id":NaN}\n' + data, "bad_json"),
    ("a key twice", lambda data: b'{"id":"a","id":"b"}\n' + data, "bad_json"),
    ("half a character", lambda data: b'{"id":"\\ud83d"}\n' + data, "bad_json"),
    ("Latin-1", lambda data: b'{"id":"\xe9"}\n' + data, "bad_json"),
    ("a list", lambda data: b"[]\n" + data, "bad_json"),
    ("an empty line", lambda data: b"\n" + data, "bad_json"),
    ("spaces", lambda data: data.replace(b'":', b'": ', 1), "not_canonical"),
    ("carriage returns", lambda data: data.replace(b"\n", b"\r\n"), "not_canonical"),
    ("a mark of byte order", lambda data: b"\xef\xbb\xbf" + data, "bad_json"),
    ("no line feed at the end", lambda data: data[:-1], "not_canonical"),
]


@pytest.mark.parametrize("path", [ITEMS, GOLD, SAID, DECIDED, PEOPLE, PRIVATE])
@pytest.mark.parametrize(("what", "change", "code"), BROKEN, ids=[row[0] for row in BROKEN])
def test_lines_that_are_not_canonical_json_are_named(
        bundle: Path, path: str, what: str, change: Callable[[bytes], bytes], code: str) -> None:
    (bundle / path).write_bytes(change((bundle / path).read_bytes()))
    assert (code, path) in {(fault.code, fault.file) for fault in verify(bundle).faults}


def test_a_line_separator_that_is_not_escaped_is_not_canonical(bundle: Path) -> None:
    data = (bundle / ITEMS).read_bytes()
    assert b"\\u2028" in data
    (bundle / ITEMS).write_bytes(data.replace(b"\\u2028", "\u2028".encode(), 1))
    [fault] = [fault for fault in verify(bundle).faults if fault.code == "not_canonical"]
    assert (fault.file, fault.line) == (ITEMS, 1)


def entry_of(head: Row, path: str) -> Row:
    return next(entry for entry in head["files"] if entry["path"] == path)


HEADS: list[tuple[str, Callable[[Row], object], str]] = [
    ("no canary", lambda head: head.pop("canary"), "bad_field"),
    ("an empty canary", lambda head: head.update(canary=""), "canary"),
    ("another schema", lambda head: head.update(schema="gold-bundle/9"), "bad_field"),
    ("other splits", lambda head: head.update(splits={"test": 1}), "count"),
    ("other rows", lambda head: entry_of(head, "public/annotations.jsonl").update(rows=1), "count"),
    ("other bytes", lambda head: entry_of(head, "public/annotations.jsonl").update(bytes=1), "count"),
    ("another hash", lambda head: entry_of(head, "public/annotations.jsonl").update(sha256="0" * 64), "hash"),
    ("a file less", lambda head: head["files"].pop(0), "extra_file"),
    ("a file more", lambda head: head["files"].append(
        {"path": "public/x.jsonl", "sha256": "0" * 64, "bytes": 0, "rows": 0}), "missing_file"),
    ("a file twice", lambda head: head["files"].append(head["files"][0]), "duplicate_id"),
    ("a file without a hash", lambda head: head["files"][0].pop("sha256"), "bad_field"),
    ("another protocol", lambda head: head["protocol"].update(sha256="0" * 64), "bad_field"),
]


@pytest.mark.parametrize(("what", "change", "code"), HEADS, ids=[row[0] for row in HEADS])
def test_a_changed_manifest_is_named(bundle: Path, what: str, change: Callable[[Row], object], code: str) -> None:
    head = json.loads((bundle / "manifest.json").read_text())
    change(head)
    (bundle / "manifest.json").write_bytes(line(head))
    assert {code, "hash"} <= codes(verify(bundle))


SUMS: list[tuple[str, Callable[[list[str]], object], str]] = [
    ("a line less", lambda lines: lines.pop(0), "extra_file"),
    ("a line twice", lambda lines: lines.insert(0, lines[0]), "duplicate_id"),
    ("out of order", lambda lines: lines.reverse(), "not_canonical"),
    ("one space", lambda lines: lines.__setitem__(0, lines[0].replace("  ", " ")), "bad_field"),
    ("a file from nowhere", lambda lines: lines.append("0" * 64 + "  zzz"), "missing_file"),
    ("another hash", lambda lines: lines.__setitem__(0, "0" * 64 + lines[0][64:]), "hash"),
]


@pytest.mark.parametrize(("what", "change", "code"), SUMS, ids=[row[0] for row in SUMS])
def test_changed_checksums_are_named(bundle: Path, what: str, change: Callable[[list[str]], object], code: str) -> None:
    lines = (bundle / "SHA256SUMS").read_text().splitlines()
    change(lines)
    (bundle / "SHA256SUMS").write_text("\n".join(lines) + "\n")
    assert code in codes(verify(bundle))


def test_a_protocol_that_cannot_be_read_is_named(bundle: Path) -> None:
    (bundle / "public/protocol.yaml").write_text("id: [")
    hash_again(bundle)
    assert ("bad_field", "public/protocol.yaml") in {(fault.code, fault.file) for fault in verify(bundle).faults}


def test_a_final_release_says_so_and_a_folder_that_is_no_bundle_is_refused(sound: Path, tmp_path: Path) -> None:
    assert json.loads((sound / "manifest.json").read_text())["kind"] == "final"
    with pytest.raises(Refused, match="neither a bundle nor a project"):
        verify(tmp_path)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_single_byte_changed_anywhere_is_a_fault(sound: Path, data: st.DataObject) -> None:
    paths = sorted(path for path in sound.rglob("*") if path.is_file() and path.stat().st_size)
    path = data.draw(st.sampled_from(paths))
    before = path.read_bytes()
    place = data.draw(st.integers(0, len(before) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != before[place]))
    try:
        path.write_bytes(before[:place] + bytes([byte]) + before[place + 1 :])
        assert verify(sound).faults
    finally:
        path.write_bytes(before)


def test_a_sound_project_has_no_fault_and_a_changed_picture_is_named(sound: Path) -> None:
    project = sound.parent / "Small.goldsmith"
    report = verify(project)
    assert (report.kind, report.files, report.faults) == ("project", 1, ())
    assert report.rows > 30
    assert not verify(project, manifest_sha256=small.tree(sound)["manifest.json"]).faults
    assert codes(verify(project, manifest_sha256="0" * 64)) == {"manifest_hash"}
    [picture] = [path for path in (project / "media").rglob("*") if path.is_file()]
    before = picture.read_bytes()
    picture.write_bytes(before + b"x")
    assert codes(verify(project)) == {"hash"}
    picture.unlink()
    assert codes(verify(project)) == {"missing_file"}
    picture.write_bytes(before)


def test_a_project_whose_trail_or_release_was_edited_in_the_file_is_found(tmp_path: Path) -> None:
    with small.make(tmp_path) as store:
        small.answer_all(store)
        with store.write() as session:
            draw(session, "1.0", by=small.owner_of(session))
    project = tmp_path / "Small.goldsmith"
    for statement, code in (
            ("update release_gold set value_json = '{\"v\":\"no\"}' where question = 'verdict'", "manifest_hash"),
            ("update event set verb = 'nothing' where seq = 2", "chain")):
        with closing(sqlite3.connect(project / "project.db")) as file:  # past the program and its triggers
            names = [name for (name,) in file.execute("select name from sqlite_master where type = 'trigger'")]
            for name in names:
                file.execute(f'drop trigger "{name}"')
            file.execute(statement)
            file.commit()
        assert code in codes(verify(project))


def test_an_answer_whose_reason_alone_is_kept_back_is_still_one_of_the_choices(bundle: Path) -> None:
    change_rows(bundle, "public/annotations.jsonl", first("verdict", answer="sell", withheld=True))
    hash_again(bundle)
    assert any("none of the choices" in fault.message for fault in verify(bundle).faults)
