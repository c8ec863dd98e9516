"""Writers refuse what their readers would change without a word, and name the item; nothing is left half made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from exports.writers.dangers import excel_makes
from tests import writer_worlds as worlds
from tests.writer_worlds import OTHERS, export, refused

LONG = "x" * 32_767


def options(**texts: str) -> dict[str, Any]:
    return {"choices": {"good": [{"id": id, "text": text} for id, text in texts.items()]}}


REFUSALS: list[tuple[str, tuple[Any, ...], dict[str, Any], set[str], str]] = [
    ("a text that pandas reads as missing", ("fine", "None"), {}, {"csv", "tsv"}, "missing"),
    ("a text that Excel reads as an error", ("fine", "#N/A"), {}, {"csv", "tsv"}, "k1"),
    ("a blank text", ("fine", "  "), {}, {"csv", "tsv", "excel-csv"}, "blank"),
    ("a key that looks like a number", ("a", "b"), {"key": "007"}, {"csv", "tsv"}, "007"),
    ("a column of nothing but numbers", ("12", "1e3"), {}, {"csv", "tsv"}, "number"),
    ("a column of nothing but dates", ("2026-11-30", "2026-12-01T10:00:00Z"), {}, {"csv", "tsv", "jsonl"},
     "date"),
    ("a cell too long for Excel", ("fine", LONG), {}, {"excel-csv"}, "32,767"),
    ("a cell too long for readers of CSV", ("fine", "y" * 131_073), {}, {"csv", "tsv", "excel-csv"}, "k1"),
    ("a line end within a text", ("fine", "a\u2028b"), {}, {"tsv"}, "line end"),
    ("a text where a number belongs", ("fine",), {"fields": {"size": "3"}}, set(OTHERS) - {"inspect"}, "size"),
    ("a number that is not kept exactly", ("fine",), {"fields": {"size": 2**53 + 1}}, set(OTHERS) - {"inspect"},
     "exactly"),
    ("a picture that is missing", ("fine",), {"fields": {"photo": {"sha256": None, "path": None}}}, set(OTHERS),
     "picture"),
    ("an option that is blank", ("fine",), options(yes="Yes", no=" "), {"inspect"}, "blank"),
    ("two options with one text", ("fine",), options(yes="x", no="x "), {"inspect"}, "two options"),
    ("more options than letters", ("fine",), options(yes="o", **{f"n{n}": f"o {n}" for n in range(26)}), {"inspect"},
     "27"),
    ("an option that is another's letter", ("fine",), options(yes="B", no="C"), {"inspect"}, "could mean both"),
    ("gold that is no option", ("fine",), options(no="No"), {"inspect"}, "none of its"),
]


@pytest.mark.parametrize(("notes", "more", "which", "words"), [case[1:] for case in REFUSALS],
                         ids=[case[0] for case in REFUSALS])
def test_a_format_refuses_what_its_readers_would_change_and_names_the_item(
        tmp_path: Path, notes: tuple[Any, ...], more: dict[str, Any], which: set[str], words: str) -> None:
    key = more.get("key")
    bundle = worlds.noted(tmp_path / "made", *notes, **{name: value for name, value in more.items() if name != "key"})
    if key is not None:
        bundle = worlds.by_hand(tmp_path / "keyed", worlds.TEXTS, [{"fields": {"note": "a"}, "key": key}], [])
    for name in OTHERS:
        if name in which:
            fault = refused(name, bundle, tmp_path / name)
            assert words in str(fault) and "g000" in str(fault) and fault.where.item, (name, str(fault))
        elif not (name == "inspect" and key is not None):
            export(name, bundle, tmp_path / name)


@pytest.mark.parametrize(("line", "code"), [
    (b'{"id":"g0","fields":{"note":"\\ud83d"}}\n', "not_unicode"),
    (b'{"id":"g0","fields":{"size":NaN}}\n', "not_finite"),
    (b'{"id":"g0","id":"g1"}\n', "duplicate_key"), (b'{"id":"g0"}\n{"id":"G0"}\n', "duplicate_id"),
    ('{"id":"größe"}\n'.encode("latin-1"), "not_unicode")])
def test_lines_that_are_no_strict_json_reach_no_writer(tmp_path: Path, line: bytes, code: str) -> None:
    bundle = worlds.by_hand(tmp_path / "made", worlds.TEXTS, [], [], raw={"public/items.jsonl": line})
    for name in OTHERS:
        assert refused(name, bundle, tmp_path / name).code == code


def test_a_column_of_two_kinds_is_refused(tmp_path: Path) -> None:
    columns = "export: {columns: {id: item.key, mixed: gold.score|item.note}}\n"
    bundle = worlds.noted(tmp_path / "made", "a", text=worlds.TEXTS + columns)
    for name in ("jsonl", "csv", "parquet", "hf"):
        assert "mixes number, text" in str(refused(name, bundle, tmp_path / name))


@pytest.mark.parametrize(("text", "made"), [
    ("007", "another number"), ("1e3", "another number"), ("12345678901234567", "another number"),
    ("1.50", "another number"),
    ("MAR1", "a date"), ("2026-11-30", "a date"), ("3/4", "a date"), ("10:30", "a date"), ("TRUE", "a truth value"),
    ("5 %", "an amount"), ("12", None), ("-1.5", None), ("abc", None), ("1. point", None), ("", None)])
def test_what_excel_makes_of_a_cell(text: str, made: str | None) -> None:
    assert excel_makes(text) == made


