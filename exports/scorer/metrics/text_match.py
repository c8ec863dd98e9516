# SPDX-License-Identifier: Apache-2.0
"""Short texts without a judge: equal, equal but for case, marks and articles, and the F1 of their words.

Gold is a text, or a list of texts of which the best match counts. The measures of SQuAD (arXiv 1606.05250), on runs of
letters and digits in any script; ``token_f1`` is the value, ``normalised`` and ``exact`` stand beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

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
from exports.scorer.words import tokens

ARTICLES = ("a", "an", "the")


def read(unit: Unit, row: Row) -> Reply:
    if row.get("refused"):
        return REFUSED
    answer = said(row)
    return given(tidy(answer)) if isinstance(answer, str) and tidy(answer) else UNPARSABLE


def words(text: str) -> list[str]:
    return [word for word in tokens(text) if word not in ARTICLES]


def token_f1(answer: str, gold: str) -> float:
    """2 shared / (both lengths), words as often as they stand; where one has no word, 1 for equal texts."""
    one, other = Counter(words(answer)), Counter(words(gold))
    if not one or not other:
        return float(tidy(answer) == tidy(gold))
    return 2.0 * (one & other).total() / (one.total() + other.total())


def parts(unit: Unit, reply: Reply) -> Parts:
    if reply.status != "given":
        return {name: (0.0, 1.0) for name in ("token_f1", "normalised", "exact")}
    golds = unit.gold if isinstance(unit.gold, list) else [unit.gold]
    best = max(token_f1(reply.value, gold) for gold in golds)
    alike = any(words(reply.value) == words(gold) and token_f1(reply.value, gold) == 1.0 for gold in golds)
    return {"token_f1": (best, 1.0), "normalised": (float(alike), 1.0),
            "exact": (float(reply.value in [tidy(gold) for gold in golds]), 1.0)}


def check(units: Sequence[Unit]) -> None:
    for unit in units:
        golds = unit.gold if isinstance(unit.gold, list) else [unit.gold]
        if not golds or not all(isinstance(gold, str) and tidy(gold) for gold in golds):
            raise unfit(unit, "text_match", N_("it is no text"))


metrics.add("text_match", Metric(
    name="text_match", best=1.0, worst=0.0, headline="token_f1", asks=True, proportion=False, read=read, parts=parts,
    oracle=lambda unit: {"answer": unit.gold[0] if isinstance(unit.gold, list) else unit.gold},
    anti=lambda unit: {"answer": "\N{EMPTY SET}"}, constants=no_constants, check=check,
))
