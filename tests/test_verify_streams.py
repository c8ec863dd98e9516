"""verify reads files side by side: its memory does not grow with the items, and rows out of order cost no fault."""

from __future__ import annotations

import errno
import io
import json
import os
import random
import shutil
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import people
from annotation.errors import Refused
from exports import release
from exports.bundle import write_bundle
from exports.rows import line
from exports.shapes import SHAPES, _checker, _tester, is_shaped, lacking
from exports.sorting import Shelf, Sorter
from exports.verify import verify
from exports.verify_lines import canonical_row
from tests import bench_world
from tests.bundle_states import STATES

FEW, MANY = 300, 1500


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, Path]]:
    """Two bundles of the bench's project, one with five times the items of the other."""
    made = {}
    for n in (FEW, MANY):
        folder = tmp_path_factory.mktemp(str(n))
        bench_world.write_items(folder / "items.jsonl", n)
        with bench_world.begin(folder) as store:
            bench_world.bring_in(store, folder / "items.jsonl")
            bench_world.answer_in_bulk(store)
            with store.write() as session:
                release.draw(session, by=people.find(session, "owner").id, examined=())
            with store.read() as session:
                write_bundle(session, folder / "bundle")
        made[n] = folder / "bundle"
    yield made


def peak(bundle: Path) -> int:
    tracemalloc.start()
    try:
        assert verify(bundle).faults == ()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_grows_by_some_dozen_bytes_an_item(bundles: dict[int, Path]) -> None:
    verify(bundles[FEW])  # what is kept for good is made
    few, many = (peak(bundles[n]) for n in (FEW, MANY))
    assert (many - few) / (MANY - FEW) < 200


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return STATES["half held out, private"](tmp_path_factory.mktemp("sound"))


@pytest.fixture
def bundle(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "bundle"))


@pytest.mark.parametrize("path", ["public/items.jsonl", "public/gold.jsonl", "public/annotations.jsonl",
                                  "public/soft_labels.jsonl", "public/commitments.jsonl", "private/salts.jsonl",
                                  "private/gold.jsonl"])
def test_rows_out_of_order_are_named_and_still_understood(bundle: Path, path: str) -> None:
    lines = (bundle / path).read_bytes().splitlines(keepends=True)
    random.Random(1).shuffle(lines)
    (bundle / path).write_bytes(b"".join(lines))
    faults = [fault for fault in verify(bundle).faults if fault.code not in ("hash", "rows_hash", "line", "commitment")]
    assert {(fault.code, fault.file) for fault in faults} == {("not_canonical", path)}
    assert all("not in order" in fault.message for fault in faults)


def test_the_same_id_in_other_capitals_is_found_wherever_it_stands(bundle: Path) -> None:
    path = bundle / "public/items.jsonl"
    rows = [json.loads(one) for one in path.read_bytes().splitlines()]
    again = {**rows[4], "id": rows[4]["id"].upper()}
    path.write_bytes(b"".join(map(line, [again, *rows])))  # capitals stand before small letters
    assert ("duplicate_id", 6, rows[4]["id"], "the same stands in line 1") in {
        (fault.code, fault.line, fault.id, fault.message) for fault in verify(bundle).faults}


@given(st.lists(st.tuples(st.text(max_size=3), st.integers()), unique=True), st.integers(1, 2000))
def test_what_is_sorted_on_disk_is_sorted(records: list[tuple[str, int]], room: int) -> None:
    sorter = Sorter(room)
    for one in records:
        sorter.add(one)
    assert [*sorter] == sorted(records)


@pytest.mark.parametrize("text", ['{"a":"\\u0041"}', '{"a":1e999}', '{"a":' + "1" * 301 + "}", '{"a":1,"a":1}',
                                  '{"a":NaN}', '{"b":1,"a":1}', '{"a":1.0e0}', '{"a":-0}', '{"a": 1}', "[1]", "1", "",
                                  '{"a":"\u2028"}', "\ufeff{}", "{}\r", "[" * 100_000, '{"a":"\\ud83d"}'])
def test_a_line_is_taken_for_canonical_only_where_it_is(text: str) -> None:
    assert canonical_row(text.encode()) is None
    assert canonical_row(b"\xff") is None and canonical_row(b'{"a":[1.5,"x"],"b":null}') == {"a": [1.5, "x"], "b": None}


@given(st.lists(st.tuples(st.text(max_size=3), st.integers()), unique=True), st.integers(1, 2000))
def test_a_shelf_is_read_as_often_as_one_likes_also_at_the_same_time(records: list[tuple[str, int]], room: int) -> None:
    shelf = Shelf(records, room)
    assert len(shelf) == len(records) and [*zip(shelf, shelf, strict=True)] == [(one, one) for one in sorted(records)]
    assert all(one in shelf for one in records[:3]) and ("none", 1) not in shelf


def test_what_is_on_a_shelf_is_not_in_memory() -> None:
    tracemalloc.start()
    try:
        shelf = Shelf(((f"{n:05d}", "x" * 200) for n in range(20_000)), 100_000)
        assert len(shelf) == 20_000 and tracemalloc.get_traced_memory()[0] < 300_000
    finally:
        tracemalloc.stop()


def test_a_release_of_many_items_is_drawn_by_way_of_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exports.sorting.ROOM", 500)
    assert verify(STATES["half held out, private"](tmp_path)).faults == ()


@pytest.mark.parametrize(("number", "code", "words"), [(errno.ENOSPC, "disk_full", "no room for temporary files"),
                                                       (errno.EACCES, "not_writable", "cannot be written")])
def test_a_disk_without_room_for_temporary_files_is_named(
        bundle: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str, words: str) -> None:
    class Full(io.BytesIO):
        def write(self, data: Any) -> int:
            raise OSError(number, os.strerror(number))

    path = bundle / "public/gold.jsonl"
    path.write_bytes(b"".join(reversed(path.read_bytes().splitlines(keepends=True))))
    monkeypatch.setattr("exports.sorting.ROOM", 500)
    monkeypatch.setattr("exports.sorting.tempfile.TemporaryFile", Full)
    with pytest.raises(Refused, match=words) as refused:
        verify(bundle)
    assert refused.value.code == code
    with pytest.raises(Refused, match=words):
        Shelf([("a" * 600,), ("b",)])


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats(-1, 2) | st.sampled_from(
        ["", "x", "0" * 64, "0" * 16, "2026-01-01", "2026-01-01\n", "12", "annotate", "gold", "human"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(
        st.sampled_from(["id", "text", "annotator", "answer", "n", "share", "metric", "level", "value"]), inner,
        max_size=3), max_leaves=6)


@given(st.data())
def test_a_row_has_its_shape_exactly_where_it_lacks_nothing(data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from(SHAPES))
    known: Any = [*shape.row["properties"], *shape.tombstone["properties"], "strange"]
    row = data.draw(st.dictionaries(st.sampled_from(known), VALUES, max_size=len(known)))
    assert is_shaped(shape.path, row) == (not lacking(shape.path, row))
    for name, fragment in shape.row["properties"].items():  # key by key: most rows lack something else
        value = data.draw(VALUES, label=name)
        assert _tester(fragment)(value) == (next(_checker(fragment)(value, ""), None) is None), (name, value)
