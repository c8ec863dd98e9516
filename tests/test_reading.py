"""Files of every kind become records with the place where they stand; what is broken is said, not guessed."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from annotation.errors import Refused, Unknown
from annotation.reading import csv_, json_, jsonl, record
from annotation.reading.encoding import detect
from annotation.reading.images import natural
from annotation.reading.opening import open_source
from annotation.reading.record import Record


def read(path: Path, **options: Any) -> list[Record]:
    with open_source(path, **options) as source:
        return list(source.records)


def written(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def refusal(path: Path, **options: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        read(path, **options)
    return refused.value


# --- JSON -----------------------------------------------------------------------------------------

@given(st.lists(st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
                             lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)),
       st.sampled_from([None, 0, 3]), st.integers(1, 40))
def test_any_array_is_read_as_the_standard_library_reads_it_whatever_the_window(values, indent, window):
    text = json.dumps(values, indent=indent, ensure_ascii=False)
    before = json_.CHUNK
    json_.CHUNK = window
    try:
        found = list(json_.records(io.StringIO(text), "f.json", ()))
    finally:
        json_.CHUNK = before
    assert [one.value for one in found] == values
    for one in found:
        lines = text.split("\n")
        rest = "\n".join([lines[one.line - 1][one.column - 1:], *lines[one.line:]])
        assert json.JSONDecoder().raw_decode(rest)[0] == one.value


@pytest.mark.parametrize(("text", "line", "column", "words"), [
    ('[{"a": 1},\n {"a": "x', 2, 10, "ends in the middle"),
    ('[{"a": 1},\n {"a": 2}', 2, 10, "ends too early"),
    ('[{"a": 1},\n {"a": 2},]', 2, 11, "a value is missing"),
    ('[{"a": 1}\n {"a": 2}]', 2, 2, "']' is missing"),
    ('[{"a": 1 "b": 2}]', 1, 10, "a comma or a closing bracket"),
    ("[{'a': 1}]", 1, 3, "a name in double quotes"),
    ('[{"a": 1}] [', 1, 12, "more text follows"),
    ('[{"a": "tab\there"}]', 1, 12, "a line break or control character"),
])
def test_broken_json_is_refused_with_line_and_column(tmp_path, text, line, column, words):
    fault = refusal(written(tmp_path, "f.json", text))
    assert (fault.where.file, fault.where.line, fault.where.column) == ("f.json", line, column)
    assert words in str(fault)


def test_records_are_picked_out_of_a_nested_file(tmp_path):
    file = written(tmp_path, "f.json", json.dumps(
        {"meta": {"items": [0]}, "data": [{"items": [{"a": 1}, {"a": 2}]}, {"none": 1}, {"items": [{"a": 3}]}]}))
    assert [one.value for one in read(file, pick="data.items")] == [{"a": 1}, {"a": 2}, {"a": 3}]
    assert [one.value for one in read(file, pick="data.2.items")] == [{"a": 3}]
    assert refusal(file, pick="data.rows").code == "missing_column"


def test_one_object_is_one_record(tmp_path):
    assert [one.value for one in read(written(tmp_path, "f.json", '{\n"a": 1\n}'))] == [{"a": 1}]


def test_a_name_that_stands_twice_and_a_value_nested_too_deep_are_faults_of_their_record(tmp_path):
    lines = '{"a": 1, "a": 2}', "[" * 100_000, '{"n": ' + "9" * 5000 + "}"
    found = read(written(tmp_path, "f.jsonl", "\n".join(lines)))
    assert [("twice" in str(one.fault), one.line) for one in found] == [(True, 1), (False, 2), (False, 3)]
    assert "nested too deep" in str(found[1].fault) and "digits" in str(found[2].fault)


def test_memory_does_not_grow_with_the_file(tmp_path):
    row = json.dumps({"text": "x" * 1000})
    file = written(tmp_path, "f.json", "[" + ",\n".join([row] * 20_000) + "]")
    tracemalloc.start()
    with open_source(file) as source:
        assert sum(1 for _ in source.records) == 20_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000 < file.stat().st_size


# --- lines ----------------------------------------------------------------------------------------

def test_every_line_that_cannot_be_read_is_named_and_the_others_are_read(tmp_path):
    found = read(written(tmp_path, "f.jsonl", '{"a": 1}\r\n\n{"a": }\n{"a": "\u2028"}\n{"a"\n7\n{"a": 2}'))
    assert [(one.number, one.line, one.column, one.fault is None) for one in found] == [
        (1, 1, 1, True), (2, 3, 7, False), (3, 4, 1, True), (4, 5, 5, False), (5, 6, 1, True), (6, 7, 1, True)]
    assert found[2].value == {"a": "\u2028"}


def test_a_line_over_the_limit_is_refused_and_the_next_one_read(tmp_path, monkeypatch):
    monkeypatch.setattr(jsonl, "RECORD_LIMIT", 1000)
    found = read(written(tmp_path, "f.jsonl", '{"a": "' + "x" * 5000 + '"}\n{"a": 2}\n'))
    assert [(one.line, one.fault.code if one.fault else one.value) for one in found] == [(1, "too_long"), (2, {"a": 2})]
    assert len(found[0].value) <= 1000


@pytest.mark.parametrize(("name", "text"), [("f.json", '[{"a": "%s"}]'), ("f.csv", "a,b\n%s,1\n"),
                                            ("g.csv", 'a,b\n"%s\n",1\n')])
def test_too_long_a_record_ends_other_files(tmp_path, monkeypatch, name, text):
    for module in (json_, csv_, record):
        monkeypatch.setattr(module, "RECORD_LIMIT", 1000)
    monkeypatch.setattr(json_, "CHUNK", 100)
    assert refusal(written(tmp_path, name, text % ("x" * 5000))).code == "too_long"
    csv.field_size_limit(131_072)


def test_json_lines_under_another_name_and_an_array_under_theirs_are_known_by_their_contents(tmp_path):
    assert len(read(written(tmp_path, "f.json", '{"a": 1}\n{"a": 2}\n'))) == 2
    assert len(read(written(tmp_path, "f.jsonl", '[{"a": 1},\n{"a": 2}]'))) == 2
    assert len(read(written(tmp_path, "f.csv", '[{"a": 1},\n{"a": 2}]'))) == 2


# --- tables ---------------------------------------------------------------------------------------

def test_cells_stay_as_they_are_written(tmp_path):
    file = written(tmp_path, "f.csv", 'id,text\n007,None\n1e3,NA\n" 2","a ""b"",\nsecond line"\n')
    assert [one.value for one in read(file)] == [{"id": "007", "text": "None"}, {"id": "1e3", "text": "NA"},
                                                 {"id": " 2", "text": 'a "b",\nsecond line'}]
    assert [one.line for one in read(file)] == [2, 3, 4]


def test_rows_with_more_or_fewer_cells_are_refused_with_their_line(tmp_path):
    found = read(written(tmp_path, "f.csv", 'a,b\n"x\ny",1\n2\n3,4,5\n\n6,7\n'))
    assert [(one.line, one.column, str(one.fault) if one.fault else None) for one in found] == [
        (2, 1, None), (4, 2, "the row has 1 cells, the header has 2"), (5, 3, "the row has 3 cells, the header has 2"),
        (7, 1, None)]


def test_a_quote_that_never_ends_and_a_header_with_one_name_twice_are_refused(tmp_path):
    assert refusal(written(tmp_path, "f.csv", 'a,b\n1,2\n"3,4\n5,6\n')).where.line == 3
    assert refusal(written(tmp_path, "f.csv", "a,b,a\n1,2,3\n")).where.key == "a"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_told_from_the_rows_and_not_from_a_quoted_header(tmp_path, delimiter):
    other = ";" if delimiter != ";" else ","
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerows([[f"a{other}{other}{other}", "b"], [f"1{other}5", "x"], ["2", f"y{other}z"]])
    with open_source(written(tmp_path, "f.csv", out.getvalue())) as source:
        assert source.delimiter == delimiter and len(list(source.records)) == 2
    with open_source(written(tmp_path, "g.csv", f"sep={delimiter}\na{delimiter}b\n1{delimiter}2\n")) as source:
        assert source.columns == ("a", "b") and [one.value for one in source.records] == [{"a": "1", "b": "2"}]


_CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\ufeff"), max_size=12)


@given(st.lists(st.tuples(_CELL, _CELL, _CELL), min_size=1, max_size=6),
       st.sampled_from([",", ";", "\t", "|"]), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_any_table_that_the_standard_library_writes_comes_back(tmp_path_factory, rows, delimiter, encoding):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([["a", "b", "c"], *rows])
    file = tmp_path_factory.mktemp("csv") / "f.csv"
    file.write_bytes(out.getvalue().encode(encoding))
    with open_source(file, delimiter=delimiter) as source:
        assert [tuple(one.value.values()) for one in source.records] == [row for row in rows if any(row)]


def test_rows_without_any_text_below_a_table_are_no_records(tmp_path):
    with open_source(written(tmp_path, "f.csv", "a;b\r\n1;2\r\n;\r\n3;4\r\n;\r\n;\r\n")) as source:
        assert [(one.number, one.line, one.value["a"]) for one in source.records] == [(1, 2, "1"), (2, 4, "3")]


# --- encodings ------------------------------------------------------------------------------------

TEXTS = {
    "utf-8": "Où est né l'élève?",
    "cp1252": "id;q\n1;Où est né l'élève français à Noël?\n2;Señor Müller “größer”\n",
    "cp949": "질문,답\n수도는 어디?,서울\n안녕하세요 반갑습니다\n",
    "cp1251": "Привет, как дела? Это вопрос о том, что случилось.",
    "cp932": "質問,答え\n日本の首都はどこですか,東京です\nこんにちは,さようなら",
    "gb18030": "问题,答案\n中国的首都是哪里,北京\n你好世界,再见",
    "utf-16": "id,é\n1,2\n", "utf-16-le": "id,text\n1,é\n", "utf-8-sig": "é", "utf-32": "é",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_encodings_are_told(tmp_path, encoding):
    assert detect(written(tmp_path, "f.csv", TEXTS[encoding].encode(encoding))) == encoding


def test_the_byte_order_mark_is_dropped_in_every_format(tmp_path):
    for name, text in (("f.json", '[{"a": 1}]'), ("f.jsonl", '{"a": 1}\n'), ("f.csv", "a\n1\n")):
        assert list(read(written(tmp_path, name, b"\xef\xbb\xbf" + text.encode()))[0].value) == ["a"]
        assert list(read(tmp_path / name, encoding_name="utf-8")[0].value) == ["a"]


def test_a_broken_byte_among_good_utf_8_does_not_turn_the_file_into_another_encoding(tmp_path):
    file = written(tmp_path, "f.jsonl", '{"a": "éèê"}\n{"a": "'.encode() + b"\xe9" + b'"}\n')
    assert detect(file) == "utf-8"
    assert [one.value["a"] for one in read(file)] == ["éèê", "\udce9"]


def test_an_encoding_that_is_none_and_a_file_that_is_no_text_are_said(tmp_path):
    with pytest.raises(Unknown, match="no encoding 'klingon'"):
        read(written(tmp_path, "f.csv", "a\n1\n"), encoding_name="klingon")
    with pytest.raises(Unknown, match="no encoding 'base64'"):
        read(tmp_path / "f.csv", encoding_name="base64")
    assert refusal(written(tmp_path, "f.csv", bytes(range(256)) * 20)).code == "not_unicode"
    assert refusal(written(tmp_path, "g.csv", "a\né\n"), encoding_name="utf-16").code == "not_unicode"


# --- what is no file of records -------------------------------------------------------------------

@pytest.mark.parametrize(("name", "data", "words"), [
    ("f.json", b"", "is empty"), ("f.json", b" \n", "is empty"), ("f.xlsx", b"PK\x03\x04rest", "workbook"),
    ("f.jsonl.gz", b"\x1f\x8b\x08rest", "compressed"), ("f.parquet", b"no parquet", "no readable parquet"),
    ("f.parquet", b"PAR1garbage", "no readable parquet"), ("f.csv", b"\xff\xd8\xff\xe0", "is a picture"),
])
def test_other_things_are_refused_with_a_sentence(tmp_path, name, data, words):
    assert words in str(refusal(written(tmp_path, name, data)))


def test_a_missing_file_and_an_empty_folder_are_refused(tmp_path):
    assert refusal(tmp_path / "none.json").code == "no_file"
    assert refusal(tmp_path / "no\0ne.json").code == "no_file"
    assert "no pictures" in str(refusal(tmp_path))


def test_a_folder_of_pictures_is_read_in_natural_order(tmp_path):
    for name in ("img10.png", "img2.png", "sub/a.jpg", "notes.txt", ".hidden.png", "bare"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        if name.endswith("txt"):
            path.write_text("no picture")
        else:
            Image.new("RGB", (2, 2)).save(path, "PNG")
    assert [one.value["path"] for one in read(tmp_path)] == ["bare", "img2.png", "img10.png", "sub/a.jpg"]
    assert sorted(["a10", "a9", "B1", "a"], key=natural) == ["a", "a9", "a10", "B1"]


def test_parquet_is_read_in_batches_with_null_as_null(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"id": list(range(2500)), "text": [None if n % 2 else "None" for n in range(2500)]})
    pq.write_table(table, tmp_path / "f.parquet")
    with open_source(tmp_path / "f.parquet") as source:
        found = list(source.records)
        assert (source.size, source.position(), source.columns) == (2500, 2500, ("id", "text"))
    assert [one.value["text"] for one in found[:2]] == ["None", None] and found[-1].number == 2500
