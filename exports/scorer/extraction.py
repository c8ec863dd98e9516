# SPDX-License-Identifier: Apache-2.0
"""Reads an answer off what a system printed, by rules that were declared and stand in the report.

``exact``        the text as it is (the value of an option or its exact text)
``last-line``    the last line that is not blank, without "Answer:" before it
``regex:..``     the last match of a pattern; its first group, if it has one
``letter``       the letter of an option: the text is one ("B", "(b)", "**B**."), or it ends on ``\\boxed{B}``, or says
                 "answer: B" (the last time counts), or begins "B) ..". A is the first option in the declared order;
                 options that are called by letters keep their names
``index0`` ``index1``   the place of an option, counted from 0 or from 1

Rules are applied one after the other. Where one finds nothing, or a letter or place beyond the options, the answer is
unparsable; both are counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.errors import N_, Refused, Unknown
from exports.scorer.metric import TIES, Row, Unit, said
from exports.scorer.patterns import last_match, last_matches

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NAMES = "exact, letter, last-line, index0, index1, regex:PATTERN"

_WRAP = r"[\s*_`\"'(\[{<]*"
_ALONE = re.compile(_WRAP + r"([A-Za-z])[\s*_`\"')\]}>.:]*")
_SEVERAL = re.compile(_WRAP + r"([A-Za-z](?:\s*(?:,|;|/|&|\band\b)\s*[A-Za-z])+)[\s*_`\"')\]}>.:]*")
_BOXED = re.compile(r"\\boxed\{\s*(?:\\(?:text|mathrm|textbf)\{)?\s*\(?([A-Za-z])\)?\s*\}")
_SAID = re.compile(
    r"(?:answer|choice|option)(?:\s+is)?\s*[:=]?\s*" + _WRAP
    + r"((?-i:[A-Z])(?:\s*(?:,|;|/|&|\band\b)\s*(?-i:[A-Z])\b)*)(?![\w'])"
    + r"(?=\s*$|\s*[*_`\"')\]}>.,:;!]|\s*\n|\s+(?:because|since|as|due)\b)", re.IGNORECASE | re.MULTILINE)
_LEADING = re.compile(r"\s*[*_]*\(?([A-Z])[).:][*_]*(?:\s|$)")
_LABEL = re.compile(r"\s*[*_#>]*\s*(?:final\s+)?answer(?:\s+is)?\s*[:=]\s*[*_]*\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Read:
    """What was found: ``value`` None with ``why`` "nothing" or "beyond" (the options)."""

    value: Any = None
    why: str | None = None


NOTHING, BEYOND = Read(why="nothing"), Read(why="beyond")
Rule = Callable[[Unit, Row, Any], Read]


def rules_of(names: Sequence[str]) -> tuple[Rule, ...]:
    """Raises Unknown for a rule that there is not, Refused for a pattern that cannot be read."""
    return tuple(_rule(name) for name in names if name != "exact")


def extracted(rules: Sequence[Rule], unit: Unit, row: Row) -> tuple[Row | None, str | None]:
    """The row with the answer that the rules find; None and why where they find none.

    A refusal, and a row that gives scores or a judge's score and no text, stay as they are.
    """
    answer = said(row)
    if not rules or row.get("refused") or answer is None:
        return row, None
    found: list[Any] = []
    for one in answer if isinstance(answer, list) else [answer]:
        read = _through(rules, unit, row, one)
        if read.why is not None:
            return None, read.why
        found += read.value if isinstance(read.value, list) else [read.value]
    as_list = isinstance(answer, list) or isinstance(unit.gold, list) or len(found) != 1
    return {**row, "answer": found if as_list else found[0], "response": None}, None


def search(rules: Sequence[Rule], asked: Iterable[tuple[Unit, Row]], file: str | None) -> None:
    """What the patterns among the rules find in all that is answered, before it is asked for one by one; Refused where
    one of them does not come to an end.
    """
    patterns = [(place, rule) for place, rule in enumerate(rules) if isinstance(rule, Pattern)]
    if patterns:
        answers = list(asked)
        for place, rule in patterns:
            texts: dict[str, str] = {}
            for unit, row in answers:
                answer = None if row.get("refused") else said(row)
                for one in answer if isinstance(answer, list) else [answer]:
                    text = _through(rules[:place], unit, row, one).value
                    if isinstance(text, str):
                        texts.setdefault(text, unit.id)
            rule.found = last_matches(rule.pattern, texts, file)


def _through(rules: Sequence[Rule], unit: Unit, row: Row, answer: Any) -> Read:
    """What one rule after the other makes of an answer."""
    for rule in rules:
        read = rule(unit, row, answer)
        if read.why is not None:
            return read
        answer = read.value
    return Read(answer)


def _rule(name: str) -> Rule:
    if name == "letter":
        return _letter
    if name == "last-line":
        return _last_line
    if name in ("index0", "index1"):
        return lambda unit, row, said: _place(unit, row, said, int(name[-1]))
    if name.startswith("regex:"):
        return Pattern(name.removeprefix("regex:"))
    raise Unknown(N_("There is no rule '{name}' for reading answers. There are: {known}."), name=name[:80], known=NAMES)


class Pattern:
    """A rule that is a pattern; ``found`` is what it found in texts that were searched already."""

    def __init__(self, text: str) -> None:
        try:
            self.pattern = re.compile(text)
        except re.error as fault:
            raise Refused(N_("the pattern '{pattern}' cannot be read: {why}"), code="bad_value", pattern=text[:80],
                          why=str(fault)) from None
        self.found: dict[str, str | None] = {}

    def __call__(self, unit: Unit, row: Row, said: Any) -> Read:
        if not isinstance(said, str):
            return NOTHING
        text = self.found[said] if said in self.found else last_match(self.pattern, said)
        return Read(text) if text else NOTHING


def _last_line(unit: Unit, row: Row, said: Any) -> Read:
    lines = [line for line in said.splitlines() if line.strip()] if isinstance(said, str) else []
    text = _LABEL.sub("", lines[-1], count=1).strip().strip("*_").strip() if lines else ""
    return Read(text) if text else NOTHING


def shown(unit: Unit, row: Row) -> tuple[str, ...]:
    """The options as letters and places mean them: in the order that the row says was shown, else as declared."""
    order = row.get("order")
    if isinstance(order, list) and order and all(isinstance(one, str) for one in order):
        return tuple(order)
    options = tuple(one for one in unit.options if one not in TIES)
    if unit.candidates and (not options or set(options) & set(unit.candidates)):
        return unit.candidates
    return options or unit.options  # of a question with options of its own, asked about an item that has candidates


def lettered(unit: Unit) -> bool:
    """Whether the options are called by letters themselves."""
    return bool(unit.options) and all(len(one) == 1 and one.upper() in LETTERS for one in unit.options)


def letters_in(text: str) -> list[str]:
    """The letters that a text gives as its answer, in capitals; none where it gives none."""
    alone = _ALONE.fullmatch(text) or _SEVERAL.fullmatch(text)
    if alone is None:
        alone = _last(_BOXED, text) or _last(_SAID, text) or _LEADING.match(text)
    return [] if alone is None else re.findall(r"[A-Z]", re.sub(r"\band\b", ",", alone.group(1)).upper())


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = None
    for one in pattern.finditer(text):
        found = one
    return found


def _letter(unit: Unit, row: Row, said: Any) -> Read:
    if not isinstance(said, str):
        return NOTHING
    if said.strip().casefold() == "tie" and set(TIES) & set(unit.options):
        return Read("tie")
    letters = letters_in(said)
    if not letters:
        return NOTHING
    if lettered(unit) and "order" not in row:
        names = {one.upper(): one for one in unit.options}
    else:
        names = dict(zip(LETTERS, shown(unit, row), strict=False))
    if any(letter not in names for letter in letters):
        return BEYOND
    found = [names[letter] for letter in letters]
    if len(found) > 1 and not isinstance(unit.gold, list):
        return Read(found[0]) if len(set(found)) == 1 else NOTHING
    return Read(found if isinstance(unit.gold, list) else found[0])


def as_place(said: Any) -> int | None:
    """A whole number, or a text that is one; else None."""
    if isinstance(said, int) and not isinstance(said, bool):
        return said
    if isinstance(said, float) and said == int(said):
        return int(said)
    text = said.strip() if isinstance(said, str) else ""
    return int(text) if re.fullmatch(r"-?[0-9]{1,6}", text, re.ASCII) else None


def _place(unit: Unit, row: Row, said: Any, first: int) -> Read:
    number = as_place(said)
    if number is None:
        return NOTHING
    options = shown(unit, row)
    place = number - first
    return Read(options[place]) if 0 <= place < len(options) else BEYOND
