"""Agreement of free answers: equal after normalisation, shared words, and edit distance; no chance correction alone.

Mean over items of the mean similarity of its pairs of answers. What a similarity means only shows beside that of
answers to different items (``between_items``; after Braylan, Alonso and Lease 2022, who compare the two
distributions): prose in one language always shares words.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.agreement.metric import Metric, metrics
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Linear, divide

Similarity = Callable[[str, str], float]
PAIRS = 5_000  # pairs of answers to different items that are compared


def normalised(text: str) -> str:
    """Compatibility forms and case folded, punctuation as space, one space between words, none around.

    Signs (+, <, $) stay: "C" and "C++" differ. Articles stay too, as they are words of one language.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join("".join(" " if unicodedata.category(char).startswith("P") else char for char in folded).split())


def words(text: str) -> list[str]:
    """Words of the normalised text; in scripts without spaces (Han, Kana, Thai ..) each character is one."""
    found: list[str] = []
    for word in normalised(text).split():
        run = ""
        for char in word:
            if _without_spaces(char):
                found += [run, char] if run else [char]
                run = ""
            else:
                run += char
        found += [run] if run else []
    return found


def _without_spaces(char: str) -> bool:
    point = ord(char)
    return (0x0E00 <= point <= 0x0EFF or 0x1000 <= point <= 0x109F or 0x1780 <= point <= 0x17FF
            or 0x3040 <= point <= 0x30FF or 0x3400 <= point <= 0x9FFF or 0x20000 <= point <= 0x3FFFF)


def exact(one: str, other: str) -> float:
    """1 where the normalised texts are equal, else 0."""
    return float(normalised(one) == normalised(other))


def token_f1(one: str, other: str) -> float:
    """Harmonic mean of precision and recall of words, counted with repetition; two texts without words: 1."""
    return _shared(Counter(words(one)), Counter(words(other)))


def _shared(a: Counter[str], b: Counter[str]) -> float:
    total = a.total() + b.total()
    return 1.0 if total == 0 else 2.0 * (a & b).total() / total


def edit_distance(one: str, other: str) -> int:
    """Fewest insertions, deletions and replacements of characters (Levenshtein 1966).

    Bit-parallel with a word as long as the text (Myers 1999, in the form of Hyyrö 2003): len(other) steps, each on
    len(one) bits at once.
    """
    if len(one) > len(other):
        one, other = other, one
    if not one:
        return len(other)
    places: dict[str, int] = {}
    for n, char in enumerate(one):
        places[char] = places.get(char, 0) | (1 << n)
    mask, last = (1 << len(one)) - 1, 1 << (len(one) - 1)
    up, down, score = mask, 0, len(one)  # up, down: where the column rises or falls by one
    for char in other:
        match = places.get(char, 0)
        x = match | down
        diagonal = ((((match & up) + up) ^ up) | x) & mask
        right_up = (down | ~(diagonal | up)) & mask
        right_down = up & diagonal
        if right_up & last:
            score += 1
        elif right_down & last:
            score -= 1
        right_up = ((right_up << 1) | 1) & mask
        right_down = (right_down << 1) & mask
        up = (right_down | ~(diagonal | right_up)) & mask
        down = right_up & diagonal
    return score


def edit_ratio(one: str, other: str) -> float:
    """1 - edit distance / length of the longer, of the normalised texts; two empty ones: 1."""
    return _unchanged(normalised(one), normalised(other))


def _unchanged(a: str, b: str) -> float:
    longer = max(len(a), len(b))
    return 1.0 if longer == 0 else 1.0 - edit_distance(a, b) / longer


SIMILARITIES: dict[str, Similarity] = {"text_exact": exact, "token_f1": token_f1, "edit_ratio": edit_ratio}
# What is done to a text once, and to two of them.
PARTS: dict[str, tuple[Callable[[str], Any], Callable[[Any, Any], float]]] = {
    "text_exact": (normalised, lambda a, b: float(a == b)),
    "token_f1": (lambda text: Counter(words(text)), _shared),
    "edit_ratio": (normalised, _unchanged),
}


def text_similarity(name: str) -> Callable[[Patterns, Scale], Linear]:
    """The build of a metric: each pair of answers to one item is compared once, whatever the number of resamples."""
    def build(patterns: Patterns, scale: Scale) -> Linear:
        m = patterns.size.astype(np.float64)
        share = _alike(patterns, scale.labels, name) / (m * (m - 1.0) / 2.0)
        return Linear(np.column_stack([share, np.ones(len(m))]), lambda sums: divide(sums[:, 0], sums[:, 1]))

    return build


def _alike(patterns: Patterns, labels: Sequence[str], metric: str) -> Floats:
    """(K,): sum of the similarities of a pattern's pairs. Each text is prepared once per pattern; nothing is kept."""
    prepare, compare = PARTS[metric]
    out = np.zeros(len(patterns.size))
    for row, cells in enumerate(patterns.cells.tolist()):
        times = Counter(code for code in cells if code >= 0)
        ready = [(prepare(labels[code]), count) for code, count in times.items()]
        out[row] = sum(count * (count - 1) / 2.0 for _, count in ready) + sum(
            ready[i][1] * ready[j][1] * compare(ready[i][0], ready[j][0]) for i in range(len(ready)) for j in range(i))
    return out


@dataclass(frozen=True, slots=True)
class Beside:
    """``within``: mean similarity of two answers to one item; ``between``: to two different items.

    ``above``: 1 - (1 - within) / (1 - between), an alpha whose expected disagreement is that of ``pairs`` pairs of
    answers drawn from different items; None where these are all alike. ``closer``: how often a pair from one item
    is more alike than a pair from two (ties count half): 0.5 means the item tells nothing.
    """

    within: float
    between: float
    above: float | None
    closer: float
    pairs: int


def between_items(patterns: Patterns, labels: Sequence[str], metric: str, *, pairs: int = PAIRS,
                  seed: int = 0) -> Beside | None:
    """The similarity inside items beside that across them; None with fewer than two items. ``pairs`` are compared
    on each side at most, so that time does not grow with the number of answers squared.
    """
    similarity, n = SIMILARITIES[metric], len(patterns.of_unit)
    if n < 2:
        return None
    rng = np.random.default_rng(seed)
    one, step = rng.integers(0, n, pairs), rng.integers(1, n, pairs)
    across = np.array([similarity(labels[_any(patterns, a, rng)], labels[_any(patterns, b, rng)])
                       for a, b in zip(one, (one + step) % n, strict=True)])
    inside = np.array([similarity(labels[a], labels[b]) for a, b in _pairs_inside(patterns, pairs, rng)])
    within = text_similarity(metric)(patterns, Scale(tuple(labels), np.full(len(labels), np.nan)))
    mean = float(within.evaluate(patterns.count.astype(np.float64)[None])[0])
    apart = float(np.mean(1.0 - across))
    ordered = np.sort(across)
    less = (np.searchsorted(ordered, inside, "left") + np.searchsorted(ordered, inside, "right")) / 2.0
    return Beside(mean, float(across.mean()), None if apart <= 0.0 else 1.0 - (1.0 - mean) / apart,
                  float(less.mean()) / len(across), pairs)


def _any(patterns: Patterns, unit: int, rng: np.random.Generator) -> int:
    cells = patterns.cells[patterns.of_unit[unit]]
    given = cells[cells >= 0]
    return int(given[rng.integers(0, len(given))])


def _pairs_inside(patterns: Patterns, most: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    """A pair of answers from each of at most ``most`` items."""
    units = rng.permutation(len(patterns.of_unit))[:most]
    out = []
    for unit in units:
        cells = patterns.cells[patterns.of_unit[unit]]
        first, second = rng.permutation(cells[cells >= 0])[:2]
        out.append((int(first), int(second)))
    return out


for _name in SIMILARITIES:
    metrics.add(_name, Metric(_name, {None: text_similarity(_name)}, bounds=(0.0, 1.0)))
