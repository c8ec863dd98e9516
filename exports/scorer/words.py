# SPDX-License-Identifier: Apache-2.0
"""Overlap of short texts: ROUGE-1 and BLEU, for answers that may be put in other words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from exports.scorer.metric import tidy


def tokens(text: str) -> list[str]:
    """Runs of letters and digits, without regard to case."""
    return re.findall(r"\w+", tidy(text).casefold())


def rouge_1(answer: str, gold: str) -> float:
    """F of the shared words, each as often as both have it (Lin 2004); 0 where one has none."""
    one, other = Counter(tokens(answer)), Counter(tokens(gold))
    shared = (one & other).total()
    return 2.0 * shared / (one.total() + other.total()) if shared else 0.0


def bleu(answer: str, gold: str) -> float:
    """Geometric mean of the precisions of 1 to 4 words in a row, with brevity penalty (Papineni et al. 2002).

    Texts shorter than four words are compared up to the length of the shorter one.
    """
    one, other = tokens(answer), tokens(gold)
    order = min(4, len(one), len(other))
    if not order:
        return 0.0
    logs = 0.0
    for n in range(1, order + 1):
        said, wanted = Counter(_runs(one, n)), Counter(_runs(other, n))
        shared = (said & wanted).total()
        if not shared:
            return 0.0
        logs += math.log(shared / said.total()) / order
    return math.exp(logs + min(0.0, 1.0 - len(other) / len(one)))


def _runs(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(words[place:place + n]) for place in range(len(words) - n + 1)]
