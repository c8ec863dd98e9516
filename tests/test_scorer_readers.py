"""Files of predictions in every form, and how answers are read off texts: declared, reported, asked in doubt."""

from __future__ import annotations

import csv
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from annotation.errors import Refused, Unknown
from exports.packed_logs import log_rows
from exports.parquet_predictions import parquet_rows
from exports.scorer.extraction import extracted, letters_in, rules_of
from exports.scorer.metric import Unit
from exports.scorer.score import Options, score
from tests.small_bundle import predictions, write

NAMES = ("near", "far", "unsure", "none")
ROWS: list[dict[str, Any]] = [{"id": "i0", "answer": "near"}, {"id": "i1", "answer": "The far one"},
                              {"id": "i2", "refused": True}, {"id": "i3", "answer": "a, \"b\"\nc"}]


def bundle(folder: Path, names: tuple[str, ...] = NAMES, n: int = 6) -> Path:
    """Gold is the first option of i0, the second of i1, and so on."""
    choices = {"q": [{"id": one, "text": f"The {one} one"} for one in names]}
    return write(folder, [{"id": f"i{k}", "choices": choices} for k in range(n)],
                 [{"id": f"i{k}", "question": "q", "answer": names[k % len(names)]} for k in range(n)],
                 [("accuracy", "q")])


def figure(folder: Path, file: Path, *extract: str, **readers: Any) -> dict[str, Any]:
    found: dict[str, Any] = score(folder, {"m": file}, options=Options(
        extract=extract, readers={f".{name}": one for name, one in readers.items()}))["systems"][0]["metrics"][0]
    return found


def as_csv(path: Path, rows: list[dict[str, Any]], delimiter: str = ",") -> Path:
    names = list(dict.fromkeys(key for row in rows for key in row))
    with path.open("w", encoding="utf-8-sig", newline="") as out:
        writer = csv.DictWriter(out, names, delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


def as_parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(
        [{key: row.get(key) for key in ("id", "answer", "refused")} for row in rows]), path)
    return path


def test_the_same_rows_score_the_same_as_json_lines_csv_tsv_and_parquet(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "b")
    wanted = figure(folder, predictions(tmp_path / "p.jsonl", ROWS))
    assert (wanted["value"], wanted["missing"], wanted["refused"], wanted["unparsable"]) == (2 / 6, 2, 1, 1)
    files = [as_csv(tmp_path / "p.csv", ROWS), as_csv(tmp_path / "p.tsv", ROWS, "\t"),
             as_parquet(tmp_path / "p.parquet", ROWS)]
    for file in files:
        assert figure(folder, file, parquet=parquet_rows) == wanted, file.name


def test_the_scorer_alone_says_that_it_cannot_read_parquet(tmp_path: Path) -> None:
    folder, file = bundle(tmp_path / "b"), as_parquet(tmp_path / "p.parquet", ROWS)
    with pytest.raises(Refused, match=r"p\.parquet is a parquet file, which the scorer alone cannot read"):
        figure(folder, file)
    with pytest.raises(Refused, match="is a parquet file"):
        figure(folder, file.rename(tmp_path / "p.jsonl"))


def test_cells_hold_lists_scores_and_numbers_as_json(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "b", n=3)
    rows = [{"id": "i0", "scores": "[0.7, 0.1, 0.1, 0.1]", "seconds": "3.5"},
            {"id": "i1", "scores": '{"near": 0.2, "far": 0.9, "unsure": 0, "none": 0}', "seconds": ""}]
    assert figure(folder, as_csv(tmp_path / "p.csv", rows))["parts"]["correct"] == 2


BAD_TABLES = [
    ("a head without id", b"name,answer\ni0,near\n", "no column 'id'; the columns are name, answer", 1),
    ("a column twice", b"id,answer,answer\ni0,near,far\n", "the column 'answer' stands twice", 1),
    ("a row too long", b"id,answer\ni0,near\ni1,far,far\n", "line 3 has 3 cells, and the head has 2", 3),
    ("an open quote", b'id,answer\ni0,"near\n', "line 2 is no row of a table", 2),
    ("Latin-1", b"id,answer\ni0,caf\xe9\n", "line 2 is not UTF-8", 2),
    ("UTF-16", "id,answer\ni0,near\n".encode("utf-16"), "line 1 is not UTF-8", 1),
    ("U+0000", b"id,answer\ni0,a\x00\n", "line 2 holds the character", 2),
    ("NaN in scores", b"id,scores\ni0,\"[NaN, 1]\"\n", "NaN is not a finite number", 2),
    ("a head alone", b"id,answer\n", "holds no predictions", None),
    ("nothing", b"\n", "is empty", None),
]


@pytest.mark.parametrize(("what", "data", "words", "line"), BAD_TABLES, ids=[row[0] for row in BAD_TABLES])
def test_a_bad_table_is_refused_with_its_line(tmp_path: Path, what: str, data: bytes, words: str,
                                              line: int | None) -> None:
    file = tmp_path / "p.csv"
    file.write_bytes(data)
    with pytest.raises(Refused, match=words) as refusal:
        figure(bundle(tmp_path / "b"), file)
    assert (refusal.value.where.file, refusal.value.where.line) == (str(file), line)


def sample(id: str, text: str, epoch: int = 1, **about: Any) -> dict[str, Any]:
    return {"id": id, "epoch": epoch, "target": "A", "metadata": about, "scores": {"choice": {"value": "C"}},
            "output": {"completion": text, "choices": [{"message": {"role": "assistant", "content": text}}]}}


def log(path: Path, samples: list[dict[str, Any]]) -> Path:
    whole = {"version": 2, "status": "success", "eval": {"task": "gold_q"}, "samples": samples}
    if path.suffix == ".json":
        path.write_text(json.dumps(whole).replace('"C"', "NaN"), encoding="utf-8")
        return path
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"eval": {}}))
        for one in samples:
            archive.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
    return path


@pytest.mark.parametrize("ending", ["json", "eval"])
def test_logs_of_inspect_are_read_with_their_epochs_and_the_order_that_was_shown(tmp_path: Path, ending: str) -> None:
    order = ["far", "near", "unsure", "none"]
    samples = [sample("i0", "ANSWER: B", 1, order=order, item="i0", question="q"),
               sample("i0", "I think\nANSWER: A", 2, order=order, item="i0", question="q"),
               sample("i1", "ANSWER: A", 1, order=order, item="i1", question="q"),
               sample("i1", "ANSWER: Z", 2, order=order, item="i1", question="q"),
               {"id": "i2", "epoch": 1, "error": {"message": "out of time"}, "output": {"choices": []}}]
    found = figure(bundle(tmp_path / "b", n=3), log(tmp_path / f"log.{ending}", samples), "letter")
    assert [one["value"] for one in found["runs"]["values"]] == [2 / 3, 0]
    assert (found["missing"], found["unparsable"]) == (1, 1)
    assert found["extraction"] == {"rules": ["letter"], "found": 3, "nothing": 0, "beyond": 1}


def test_elements_and_parts_of_a_message_are_read_from_logs(tmp_path: Path) -> None:
    folder = write(tmp_path / "b", [{"id": "i0", "choices": {"q": [{"id": "near", "text": ""}]}}],
                   [{"id": "i0", "question": "q", "element": e, "answer": "near"} for e in ("1", "2")],
                   [("accuracy", "q")])
    parts = [{"type": "reasoning", "reasoning": "far?"}, {"type": "text", "text": "near"}]
    one = {"id": "i0.1", "epoch": 1, "metadata": {"item": "i0", "element": "1", "question": "q"},
           "output": {"completion": "", "choices": [{"message": {"content": parts}}]}}
    found = figure(folder, log(tmp_path / "log.json", [one]))
    assert (found["parts"]["correct"], found["missing"]) == (1, 1)


def test_a_broken_archive_and_one_of_something_else_are_refused(tmp_path: Path) -> None:
    folder, file = bundle(tmp_path / "b"), tmp_path / "log.eval"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("other.txt", "x")
    with pytest.raises(Refused, match="archive without samples of Inspect"):
        figure(folder, file)
    whole = log(tmp_path / "l.eval", [sample("i0", "near")]).read_bytes()
    file.write_bytes(whole[:len(whole) // 2])
    with pytest.raises(Refused, match="is a broken archive"):
        figure(folder, file)


TEXTS = [
    ("B", "B"), ("b", "B"), ("(b)", "B"), ("**B**.", "B"), ("B)", "B"), (" B:\n", "B"),
    ("The answer is B", "B"), ("Answer: (C) the far one", "C"), ("ANSWER: C", "C"), ("so \\boxed{\\text{D}}.", "D"),
    ("Answer: A. No, wait.\nFinal answer: **B**", "B"), ("B. The far one", "B"), ("The answer is B because it is", "B"),
    ("answer: A and C", "AC"), ("A, C", "AC"),
    ("The answer is a matter of taste", ""), ("I do not know", ""), ("A bird sits there", ""), ("Bad", ""), ("", ""),
    ("The correct answer is unclear", ""), ("answer: Apple", ""),
]


@pytest.mark.parametrize(("text", "letters"), TEXTS)
def test_letters_are_found_where_a_text_gives_one_as_its_answer_and_nowhere_else(text: str, letters: str) -> None:
    assert "".join(letters_in(text)) == letters


UNIT = Unit("i", "q", None, "near", choices=tuple((one, f"The {one} one") for one in NAMES))


@pytest.mark.parametrize(("rules", "text", "answer", "why"), [
    (["exact"], "near", "near", None),
    (["last-line"], "Let me see.\n\n**Answer: far**\n\n", "far", None),
    (["last-line"], " \n", None, "nothing"),
    (["regex:<a>(.*?)</a>"], "<a>near</a> or <a>far</a>", "far", None),
    (["regex:far|near"], "not near but far", "far", None),
    (["regex:<a>(.*?)</a>", "letter"], "<a>(b)</a>", "far", None),
    (["letter"], "E", None, "beyond"),
    (["letter"], "who knows", None, "nothing"),
    (["index0"], "1", "far", None), (["index1"], 1, "near", None),
    (["index0"], 4, None, "beyond"), (["index1"], 0, None, "beyond"), (["index1"], "one", None, "nothing"),
])
def test_declared_rules_are_applied_in_turn(rules: list[str], text: Any, answer: str | None, why: str | None) -> None:
    row, reason = extracted(rules_of(rules), UNIT, {"id": "i", "response": text})
    assert reason == why and (row is None if why else row is not None and row.get("answer", text) == answer)


def test_options_that_are_called_by_letters_keep_their_names() -> None:
    unit = Unit("i", "q", None, "B", choices=(("B", "x"), ("A", "y")))
    assert extracted(rules_of(["letter"]), unit, {"id": "i", "answer": "(b)"})[0] == {
        "id": "i", "answer": "B", "response": None}


@pytest.mark.parametrize(("options", "letters"), [
    (NAMES, NAMES),                           # a question with options of its own
    (("c1", "c2", "tie"), ("c1", "c2")),      # which of the candidates is better
    ((), ("c1", "c2")),                       # a question without options
])
def test_letters_and_places_mean_candidates_only_where_the_options_are_candidates(
        options: tuple[str, ...], letters: tuple[str, ...]) -> None:
    unit = Unit("i", "q", None, letters[0], choices=tuple((one, one) for one in options), candidates=("c1", "c2"))
    for rule, said in (("letter", "ABCD"), ("index0", "0123"), ("index1", "1234")):
        read = [extracted(rules_of([rule]), unit, {"id": "i", "answer": one})[0] for one in said]
        assert [row and row["answer"] for row in read] == [*letters, *[None] * (4 - len(letters))]


def test_an_unknown_rule_and_a_bad_pattern_are_named() -> None:
    with pytest.raises(Unknown, match="no rule 'leter'"):
        rules_of(["leter"])
    with pytest.raises(Refused, match="cannot be read: missing"):
        rules_of(["regex:(a"])


def answers(path: Path, *given: Any) -> Path:
    return predictions(path, [{"id": f"i{n}", "answer": one} for n, one in enumerate(given)])


def test_bare_letters_are_asked_about_and_counted_as_declared(tmp_path: Path) -> None:
    folder, file = bundle(tmp_path / "b"), answers(tmp_path / "p.jsonl", "A", "B", "C", "B")
    with pytest.raises(Refused, match="4 answers to q are bare letters, but the options are called 'near', 'far'"):
        figure(folder, file)
    assert figure(folder, file, "letter")["parts"]["correct"] == 3
    assert figure(folder, file, "exact")["unparsable"] == 4


@pytest.mark.parametrize(("given", "words", "rule"), [
    ((["A"], ["A", "C"]), "2 answers to q are bare letters", "letter"),
    (("A", "A, C"), "2 answers to q are bare letters", "letter"),
    (([0], [0, 2]), "0 is among them, so they look counted from 0", "index0"),
    ((["1"], ["1", "3"]), "whole numbers from 1 to 3", "index1"),
])
def test_letters_and_numbers_are_asked_about_where_several_options_are_right(
        tmp_path: Path, given: tuple[Any, ...], words: str, rule: str) -> None:
    choices = {"q": [{"id": one, "text": f"The {one} one"} for one in NAMES[:3]]}
    folder = write(tmp_path / "b", [{"id": f"i{k}", "choices": choices} for k in range(2)], [
        {"id": "i0", "question": "q", "answer": ["near"]}, {"id": "i1", "question": "q", "answer": ["near", "unsure"]}],
        [("accuracy", "q")])
    file = answers(tmp_path / "p.jsonl", *given)
    with pytest.raises(Refused, match=words):
        figure(folder, file)
    assert figure(folder, file, rule)["value"] == 1 and figure(folder, file, "exact")["unparsable"] == 2


@pytest.mark.parametrize(("given", "words", "rule", "correct"), [
    ((0, 1, 2, 3), "0 is among them, so they look counted from 0", "index0", 4),
    ((1, 2, 3, 4), "0 is not among them and 4 is, so they look counted from 1", "index1", 4),
    (("1", "2", "3", "4"), "look counted from 1", "index1", 4),
    ((1, 2, 3), "from which they are counted cannot be seen", "index1", 3),
    ((7, 9), "at most 4 options, so they fit neither", "exact", 0),
])
def test_numbers_are_asked_about_with_what_they_look_like(
        tmp_path: Path, given: tuple[Any, ...], words: str, rule: str, correct: int) -> None:
    folder, file = bundle(tmp_path / "b"), answers(tmp_path / "p.jsonl", *given)
    with pytest.raises(Refused, match=words):
        figure(folder, file)
    assert figure(folder, file, rule)["parts"]["correct"] == correct


def test_a_declared_count_that_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="by --extract index0, 2 answers to q lie beyond the options"):
        figure(bundle(tmp_path / "b"), answers(tmp_path / "p.jsonl", 4, 4), "index0")


def test_options_that_are_numbers_answered_one_too_high_are_asked_about(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "b", ("0", "1", "2"))
    assert figure(folder, answers(tmp_path / "p.jsonl", "0", "1", "2"))["parts"]["correct"] == 3
    with pytest.raises(Refused, match="options of q are 0 to 2, but 3 is answered and 0 never"):
        figure(folder, answers(tmp_path / "p.jsonl", "1", "2", "3"))
    assert figure(folder, answers(tmp_path / "p.jsonl", "1", "2", "3"), "exact")["unparsable"] == 1


def test_an_odd_letter_among_readable_answers_is_unparsable_and_nothing_more(tmp_path: Path) -> None:
    found = figure(bundle(tmp_path / "b"), answers(tmp_path / "p.jsonl", "near", "far", "E"))
    assert (found["parts"]["correct"], found["unparsable"]) == (2, 1)


def test_letters_beyond_the_options_are_named(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "b", ("A", "B", "C"))
    with pytest.raises(Refused, match="among them D, E, beyond the options of their items"):
        figure(folder, answers(tmp_path / "p.jsonl", "D", "E"))


def zstandard_log(path: Path, samples: list[dict[str, Any]]) -> Path:
    """An archive as Inspect writes it: members packed by method 93, which zipfile of this Python may not know."""
    out, entries = b"", []
    for one in samples:
        name, data = f"samples/{one['id']}_epoch_{one['epoch']}.json".encode(), json.dumps(one).encode()
        packed = pyarrow.compress(data, "zstd", asbytes=True)
        sizes = struct.pack("<HHHIII", 93, 0, 33, zlib.crc32(data), len(packed), len(data))
        entries.append(struct.pack("<4sHHH", b"PK\x01\x02", 63, 63, 0) + sizes
                        + struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, len(out)) + name)
        out += struct.pack("<4sHH", b"PK\x03\x04", 63, 0) + sizes + struct.pack("<HH", len(name), 0) + name + packed
    table = b"".join(entries)
    n = len(entries)
    path.write_bytes(out + table + struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, n, n, len(table), len(out), 0))
    return path


def test_logs_packed_with_zstandard_are_read_by_the_program_and_refused_by_the_scorer_alone(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "b", n=2)
    file = zstandard_log(tmp_path / "log.eval", [sample("i0", "near"), sample("i1", "near")])
    assert figure(folder, file, eval=log_rows)["parts"]["correct"] == 1
    if not hasattr(zipfile, "ZIP_ZSTANDARD"):
        with pytest.raises(Refused, match="packed in a way that the scorer alone cannot read"):
            figure(folder, file)
    broken = file.read_bytes().replace(b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfe", 1)
    file.write_bytes(broken)
    with pytest.raises(Refused, match="cannot be unpacked"):
        figure(folder, file, eval=log_rows)


def test_an_epoch_is_one_however_its_number_is_written(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"id": f"i{n}", "answer": NAMES[n % 4], "epoch": 1} for n in range(6)]
    folder = bundle(tmp_path / "b")
    written = predictions(tmp_path / "p.jsonl", [{**row, "epoch": "1" if n % 2 else 1} for n, row in enumerate(rows)])
    assert figure(folder, written)["value"] == figure(folder, as_csv(tmp_path / "p.csv", rows))["value"] == 1
    with pytest.raises(Refused, match="line 7: the item i0 was answered already in line 1"):
        figure(folder, predictions(tmp_path / "twice.jsonl", [*rows, {**rows[0], "epoch": "1"}]))
    assert figure(folder, predictions(tmp_path / "other.jsonl", [*rows, *({**row, "epoch": "01"} for row in rows)])
                  )["runs"]["n"] == 2


def test_rows_without_an_epoch_beside_rows_with_one_are_refused(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"id": f"i{n}", "answer": "near", "epoch": 1} for n in range(6)]
    folder = bundle(tmp_path / "b")
    with pytest.raises(Refused, match="line 7 names no epoch and others do"):
        figure(folder, predictions(tmp_path / "p.jsonl", [*rows, {"id": "i0", "answer": "near"}]))
    under = [{**row, "condition": "short", "epoch": None} for row in rows]
    assert figure(folder, predictions(tmp_path / "two.jsonl", [*rows, *under]))["missing"] == 0
