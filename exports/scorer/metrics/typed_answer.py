# SPDX-License-Identifier: Apache-2.0
"""Typed answers: each scored by the kind it is said to be (KramaBench).

The fact ``answer_type`` (or the one that the setting ``type`` names) is one of: ``numeric_exact`` and ``string_exact``
(0 or 1; numbers within a relative error below 1e-6), ``numeric_approximate`` 1 / (1 + |answer - gold| / |gold|),
``list_exact`` and ``list_approximate`` (F1 of the elements, each matched once), ``string_approximate`` (1 where a
judge, ``judge_score`` 1, calls it a paraphrase; else ROUGE-1 F where BLEU is above 0.2; else 0).
The value is the mean over all items. ``upstream`` leaves out ``list_approximate`` as the released code does.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from annotation.errors import N_
from exports.scorer.metric import (
    REFUSED,
    UNPARSABLE,
    Metric,
    Parts,
    Reply,
    Row,
    Unit,
    given,
    metrics,
    no_constants,
    said,
    tidy,
    unfit,
)
from exports.scorer.numbers import exact
from exports.scorer.words import bleu, rouge_1

KINDS = ("numeric_exact", "numeric_approximate", "string_exact", "string_approximate", "list_exact",
         "list_approximate")
NEAR = Fraction(1, 1_000_000)
LEAST_BLEU = 0.2


def kind(unit: Unit) -> str:
    return str(unit.fact("type", "answer_type"))


def is_same(one: Any, gold: Any) -> bool:
    """Numbers within the relative error, texts after NFC and without space around them."""
    wanted = None if isinstance(gold, str) else exact(gold)
    if wanted is None:
        return tidy(str(one)) == tidy(str(gold)) if not isinstance(one, (list, dict)) else bool(one == gold)
    number = exact(one)
    return number is not None and is_near(number, wanted)


def is_near(number: Fraction, gold: Fraction) -> bool:
    return number == gold or abs(number - gold) < NEAR * abs(gold)


def list_f1(answer: Sequence[Any], gold: Sequence[Any]) -> float:
    """2 matches / (both lengths), every element matched once; two empty lists are equal."""
    left = list(gold)
    hits = 0
    for one in answer:
        place = next((n for n, other in enumerate(left) if is_same(one, other)), None)
        if place is not None:
            hits += 1
            del left[place]
    return 2.0 * hits / (len(answer) + len(gold)) if answer or gold else 1.0


def read(unit: Unit, row: Row) -> Reply:
    """A number, a text or a list after the kind; of an approximate text also what a judge said."""
    if row.get("refused"):
        return REFUSED
    answer = said(row)
    if kind(unit).startswith("numeric"):
        number = exact(answer)
        return UNPARSABLE if number is None else given(number)
    if kind(unit).startswith("list"):
        return given(answer) if isinstance(answer, list) else UNPARSABLE
    if answer is None and row.get("judge_score") is None:
        return UNPARSABLE
    return given((answer if isinstance(answer, str) else "" if answer is None else str(answer), row.get("judge_score")))


def worth(unit: Unit, reply: Reply) -> float:
    if reply.status != "given":
        return 0.0
    if kind(unit).startswith("list"):
        return list_f1(reply.value, unit.gold)
    if kind(unit).startswith("numeric"):
        gold = exact(unit.gold) or Fraction(0)
        if kind(unit) == "numeric_exact":
            return float(is_near(reply.value, gold))
        off = abs(reply.value - gold)
        return float(1 / (1 + off / abs(gold))) if gold else float(off == 0)
    text, judged = reply.value
    if kind(unit) == "string_exact":
        return float(is_same(text, unit.gold))
    if judged == 1:
        return 1.0
    return rouge_1(text, str(unit.gold)) if bleu(text, str(unit.gold)) > LEAST_BLEU else 0.0


def parts(unit: Unit, reply: Reply) -> Parts:
    """``value`` over all; every kind by its name."""
    got = worth(unit, reply)
    counted = float(kind(unit) != "list_approximate")
    return {"value": (got, 1.0), "upstream": (got * counted, counted), kind(unit): (got, 1.0)}


def oracle(unit: Unit) -> Row:
    return {"answer": unit.gold, **({"judge_score": 1} if kind(unit) == "string_approximate" else {})}


def anti(unit: Unit) -> Row:
    """What has nothing in common with gold; of a number that is only approximate, one that is no number."""
    if kind(unit) == "numeric_exact":
        return {"answer": float((exact(unit.gold) or 0) + 1) * 2}
    if kind(unit).startswith("list"):
        return {"answer": [] if unit.gold else ["\N{EMPTY SET}"]}
    return {"answer": "\N{EMPTY SET}"}


def check(units: Sequence[Unit]) -> None:
    """The kind is known and gold is of it."""
    for unit in units:
        fits = (exact(unit.gold) is not None if kind(unit).startswith("numeric")
                else isinstance(unit.gold, list) if kind(unit).startswith("list") else unit.gold is not None)
        if kind(unit) not in KINDS or not fits:
            raise unfit(unit, "typed_answer", N_("its item says no answer type, or it is not of that type"))


metrics.add("typed_answer", Metric(
    name="typed_answer", best=1.0, worst=0.0, headline="value", asks=True, proportion=False, read=read, parts=parts,
    oracle=oracle, anti=anti, constants=no_constants, check=check,
))
