"""Texts that common readers change without a word: what pandas, Excel and datasets take for something else."""

from __future__ import annotations

import re
from collections.abc import Iterable

# What pandas.read_csv turns into a missing value by default (pandas documentation, read_csv, na_values).
NA_LIKE = frozenset({
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null"})
EXCEL_ERRORS = frozenset({"#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!"})
FORMULA = "=+-@\t\r"  # a cell that begins so may be run as a formula (OWASP, CSV injection)
LONGEST_CELL = 131_072  # characters; Python's own csv reader stops there
LONGEST_EXCEL = 32_767  # UTF-16 units in one cell of Excel
EXCEL_ROWS = 1_048_576
LINE_ENDS = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")

_NUMBER = re.compile(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*|\s*[-+]?(inf|infinity)\s*", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}(:?\d{2}(:?\d{2}(\.\d+)?)?)?(Z|[-+]\d{2}:?\d{2})?)?")
_MONTH = r"(jan|feb|mar|apr|may|mai|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez)[a-z]*\.?"
_EXCEL_DATE = re.compile(
    rf"\d{{1,4}}[-/.]\d{{1,2}}([-/.]\d{{1,4}})?( \d{{1,2}}:\d{{2}}.*)?|\d{{1,2}}:\d{{2}}(:\d{{2}})?(\.\d+)?( ?[ap]m)?|"
    rf"{_MONTH}[- ]?\d{{1,4}}|\d{{1,2}}[- ]?{_MONTH}([- ]\d{{2,4}})?|\d{{4}}-\d{{2}}-\d{{2}}[ t].*", re.IGNORECASE)
_EXCEL_AMOUNT = re.compile(r"[-+]?[$€£]\s?\d[\d.,]*|[-+]?\d[\d.,]*\s?[$€£%]|\d{1,3}(,\d{3})+(\.\d+)?|\d+ \d+/\d+")


def is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def taken_for(texts: Iterable[str]) -> str | None:
    """What a reader that guesses makes of a column in which every text looks so; None where it stays text."""
    found = list(texts)
    if not found:
        return None
    if all(map(is_number, found)):
        return "numbers"
    if all(_DATE.fullmatch(text) for text in found):
        return "dates"
    if all(text.lower() in ("true", "false") for text in found):
        return "truth values"
    return None


def are_dates(texts: Iterable[str]) -> bool:
    """Whether ``datasets`` makes timestamps of these texts, read from JSON."""
    return taken_for(texts) == "dates"


def excel_makes(text: str) -> str | None:
    """What Excel makes of a cell when it opens the file; None where it stays as it is."""
    bare = text.strip()
    if bare.upper() in ("TRUE", "FALSE", "WAHR", "FALSCH"):
        return "a truth value"
    if bare.upper() in EXCEL_ERRORS:
        return "an error"
    if is_number(text):
        plain = bare.removeprefix("-")
        whole = re.fullmatch(r"0|[1-9]\d{0,14}", plain)
        fraction = len(plain) <= 16 and re.fullmatch(r"(0|[1-9]\d*)\.\d*[1-9]", plain)
        kept = text == bare and (whole or fraction)
        return None if kept else "another number"
    if _EXCEL_DATE.fullmatch(bare):
        return "a date"
    return "an amount" if _EXCEL_AMOUNT.fullmatch(bare) else None


def guarded(text: str) -> str:
    """A cell that Excel neither runs as a formula nor makes a date or number of: with an apostrophe before it.

    A text that begins with an apostrophe gets one too, so that ``bare`` gives every text back.
    """
    return f"'{text}" if text[:1] in tuple(FORMULA + "'") or excel_makes(text) else text


def bare(cell: str) -> str:
    return cell.removeprefix("'")
