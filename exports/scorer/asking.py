# SPDX-License-Identifier: Apache-2.0
"""Letters and numbers where options were asked for: what they mean is asked, and never guessed.

Nothing of it depends on gold: only on what was answered and on how options are called.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from annotation.errors import N_, Refused, Where
from exports.scorer.extraction import LETTERS, as_place, lettered, shown
from exports.scorer.metric import Reply, Row, Unit, said
from exports.scorer.tally import Run

Said = Sequence[tuple[Unit, Sequence[tuple[Row, Run, Reply]]]]


def ask_in_doubt(answers: Said, *, system: str, file: str, question: str | None) -> None:
    """Refused where more answers are bare letters or whole numbers than could be read as options; and where options
    are called by numbers, and the answers leave out the first and go one past the last. One odd letter where letters
    are the options is only unparsable.
    """
    read = letters = numbers = 0
    places: set[int] = set()
    beyond: set[str] = set()
    most = 0
    for unit, rows in answers:
        for row, _, reply in rows:
            if reply.status == "given":
                read += 1
                continue
            answer = said(row) if reply.status == "unparsable" and unit.choices else None
            if answer is None:
                continue
            parts = _parts(unit, answer)
            texts = [one.strip().strip("().").upper() if isinstance(one, str) else "" for one in parts]
            found = [number for number in map(as_place, parts) if number is not None]
            if all(len(text) == 1 and text in LETTERS for text in texts):
                letters += 1
                beyond |= {text for text in texts
                           if lettered(unit) or LETTERS.index(text) >= len(shown(unit, row))}
            elif len(found) == len(parts):
                numbers += 1
                places |= set(found)
                most = max(most, len(shown(unit, row)))
    where = Where(file=file, key=question)
    if letters > read and (letters > 1 or not beyond):
        raise _letters(where, answers, letters, beyond, system, question)
    if numbers > read:
        raise _numbers(where, places, most, numbers, system, question)
    _shifted(answers, system, where, question)


def _parts(unit: Unit, answer: Any) -> list[Any]:
    """The answer alone; where gold is several options, what its list or its letters with commas name."""
    if not isinstance(unit.gold, list):
        return [answer]
    if isinstance(answer, str) and re.fullmatch(r"\s*[A-Za-z](?:\s*[,;]\s*[A-Za-z])+\s*", answer):
        return re.split(r"[,;]", answer)
    return answer if isinstance(answer, list) and answer else [answer]


def _letters(where: Where, answers: Said, letters: int, beyond: set[str], system: str,
             question: str | None) -> Refused:
    unit = next(unit for unit, _ in answers if unit.choices)
    options = ", ".join(f"'{one}'" for one in unit.options[:6])
    if beyond:
        return Refused(N_("{system}: {n} answers to {question} are letters, among them {letters}, beyond the options "
                          "of their items ({options}); were they made for other options? --extract exact counts them "
                          "as unparsable"), code="bad_value", system=system, n=letters, question=question,
                       letters=", ".join(sorted(beyond)), options=options, where=where)
    return Refused(N_("{system}: {n} answers to {question} are bare letters, but the options are called {options}; "
                      "say what they mean: --extract letter (A is the first option in the declared order), or "
                      "--extract exact, which counts them as unparsable"), code="bad_value", system=system, n=letters,
                   question=question, options=options, where=where)


def _numbers(where: Where, places: set[int], most: int, n: int, system: str, question: str | None) -> Refused:
    low, high = min(places), max(places)
    if low == 0 and high < most:
        seems = N_("0 is among them, so they look counted from 0")
    elif low >= 1 and high == most:
        seems = N_("0 is not among them and {most} is, so they look counted from 1")
    elif low >= 0 and high <= most and not (low == 0 and high == most):
        seems = N_("from which they are counted cannot be seen")
    else:
        seems = N_("there are at most {most} options, so they fit neither")
    return Refused(N_("{system}: {n} answers to {question} are whole numbers from {low} to {high}, where options are "
                      "asked for; {seems}. Say what they mean: --extract index0 or --extract index1"),
                   code="bad_value", system=system, n=n, question=question, low=low, high=high,
                   seems=seems.format(most=most), where=where)


def _shifted(answers: Said, system: str, where: Where, question: str | None) -> None:
    """Options that are numbers in a row (0, 1, 2), answered by numbers that are one more (1, 2, 3)."""
    unit = next((unit for unit, _ in answers if unit.choices), None)
    names = [] if unit is None else [as_place(one) for one in unit.options]
    numbers = [one for one in names if one is not None]
    if len(numbers) < 2 or len(numbers) < len(names) or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return
    said_at = {number for _, rows in answers for row, _, reply in rows if reply.status in ("given", "unparsable")
               for number in [as_place(said(row))] if number is not None}
    for off, first in ((1, numbers[0]), (-1, numbers[-1])):
        past = (numbers[-1] if off == 1 else numbers[0]) + off
        if past in said_at and first not in said_at and said_at <= {one + off for one in numbers}:
            raise Refused(N_("{system}: the options of {question} are {low} to {high}, but {past} is answered and "
                             "{first} never; are the answers counted from another number? --extract exact takes them "
                             "as they are"), code="bad_value", system=system, question=question, low=numbers[0],
                          high=numbers[-1], past=past, first=first, where=where)


def refuse_places_beyond(beyond: int, read: int, rule: str, *, system: str, file: str, question: str | None,
                         most: int) -> None:
    """Refused where the declared count cannot be: more places lie beyond the options than within them."""
    if beyond > read:
        raise Refused(N_("{system}: by --extract {rule}, {n} answers to {question} lie beyond the options (at most "
                         "{most}), and {read} within; are they counted from another number, or made for other "
                         "options?"), code="bad_value", system=system, rule=rule, n=beyond, question=question,
                      most=most, read=read, where=Where(file=file, key=question))
