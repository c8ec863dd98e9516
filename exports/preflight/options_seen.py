"""Whether options that differ from item to item give the answer away: by place, by length, by style, by overlap."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from annotation.questions import PairwiseQuestion
from exports.preflight.corpus import Corpus, Entry
from exports.preflight.finding import Found, Work, checks, kind
from exports.preflight.near_texts import folded

LEAST = 20           # items, below which nothing is said of a habit
RARE = 0.001         # chance of so strong a habit where there is none
STRONG = 1.25        # and at least this many times as often as by chance

kind("distractor_overlap", "warn", "leaking", "1 item has a wrong option that says the same as the right one",
     "{n} items have a wrong option that says the same as the right one")
kind("longest_option", "warn", "leaking", "1 item has the longest option as its answer, as too many have",
     "{n} items have the longest option as their answer, more than chance gives")
kind("answer_position", "warn", "leaking", "1 item has its answer where too many have it",
     "{n} items have their answer in a place that has more than its share")
kind("option_style", "warn", "leaking", "1 item has an answer that is written unlike the other options",
     "{n} items have an answer that is written unlike the other options, more than chance gives")
kind("longer_preferred", "info", "leaking", "1 item has the longer candidate as the better one",
     "{n} items have the longer candidate as the better one, more than half")

_DIGIT, _MARKUP = re.compile(r"\d"), re.compile(r"[*_`$\\<]")
STYLES: dict[str, Callable[[str], bool]] = {
    "full stop": lambda text: text.rstrip().endswith("."),
    "capital": lambda text: text.lstrip()[:1].isupper(),
    "digits": lambda text: _DIGIT.search(text) is not None,
    "quotation": lambda text: text.strip()[:1] in "\"'“„«" if text.strip() else False,
    "bracket": lambda text: "(" in text,
    "comma": lambda text: "," in text,
    "markup": lambda text: _MARKUP.search(text) is not None,
    "outer space": lambda text: text != text.strip(),
}


@dataclass(frozen=True, slots=True)
class Offered:
    """One closed question of one item: the texts of its options in their order, and which are gold."""

    at: int
    texts: tuple[str, ...]
    right: frozenset[int]


@checks.register("options")
def options(corpus: Corpus, work: Work) -> Iterator[Found]:
    """Only options that come from the item: of "yes" and "no" everywhere, the one may well be the answer oftener."""
    offered = {name: [one for at, entry in enumerate(corpus.entries) for one in _offered(entry, at, name, field)]
               for name, field in _sources(corpus)}
    twins = {one.at for some in offered.values() for one in some if _has_twin(one)}
    yield Found("distractor_overlap", twins)
    for name, some in offered.items():
        if isinstance(corpus.protocol.question(name), PairwiseQuestion):
            yield from _longest(name, some, "longer_preferred")
            continue
        single = [one for one in some if len(one.right) == 1]
        yield from _longest(name, single, "longest_option")
        yield from _places(name, single)
        yield from _styles(name, single)
    work.step(len(corpus))


def _sources(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Closed questions with gold whose options come from the item, outside groups: (question, field)."""
    for one in corpus.protocol.asked:
        field = one.on if isinstance(one, PairwiseQuestion) else getattr(one, "options_from", None)
        if field and one.name in corpus.protocol.gold and corpus.protocol.group_of(one.name) is None \
                and not corpus.protocol.field(field).private:
            yield one.name, field


def _offered(entry: Entry, at: int, name: str, field: str) -> Iterator[Offered]:
    elements = [one for one in entry.fields.get(field) or () if isinstance(one, dict)]
    ids = [one["id"] for one in elements]
    for view in entry.gold:
        if view.question == name and len(elements) > 1:
            value = view.answer.get("v")
            right = frozenset(ids.index(one) for one in (value if isinstance(value, list) else [value]) if one in ids)
            texts = tuple(one.get("text") or "" for one in elements)
            if right and all(texts):
                yield Offered(at, texts, right)


# --- one item ------------------------------------------------------------------------------------

def _has_twin(one: Offered) -> bool:
    said = [(text, number_of(text), folded(text)) for text in one.texts]
    return any(_same(said[n], other) for n in one.right for at, other in enumerate(said) if at not in one.right)


def same_said(one: str, other: str) -> bool:
    """Whether two options say the same: equal but for case, spaces and punctuation, the same words in another order,
    equal numbers, or the one within the other word by word.
    """
    return _same((one, number_of(one), folded(one)), (other, number_of(other), folded(other)))


Read = tuple[str, Fraction | None, str]  # a text, the number that it is, the text folded


def _same(one: Read, other: Read) -> bool:
    if one[1] is not None or other[1] is not None:
        return one[1] is not None and one[1] == other[1]
    first, second = one[2], other[2]
    if not first or not second:
        return one[0].strip() == other[0].strip()
    if len(first) == len(second) and sorted(first.split()) == sorted(second.split()):
        return first == second or len(first.split()) > 3
    short, long = sorted((first, second), key=len)
    return len(short) >= 8 and len(short) * 2 >= len(long) and f" {short} " in f" {long} " and not _denied(short, long)


_NOT = frozenset("no not never none nor without kein keine nicht non un neither only except".split())


def _denied(short: str, long: str) -> bool:
    return bool((set(long.split()) - set(short.split())) & _NOT)


def number_of(text: str) -> Fraction | None:
    """The number that a text is: 0.5, 1/2 and 50 % are one; 1,000 is a thousand."""
    if len(text) > 60 or _DIGIT.search(text) is None:
        return None
    found = re.fullmatch(r"\s*([-+−]?)\s*(\d{1,3}(?:,\d{3})+|\d+)?(\.\d+)?\s*(?:/\s*(\d+))?\s*(%?)\s*", text)
    if not found or (found[2] is None and found[3] is None) or (found[4] and int(found[4]) == 0):
        return None
    value = Fraction((found[2] or "0").replace(",", "") + (found[3] or ""))
    value /= int(found[4] or 1) * (100 if found[5] else 1)
    return -value if found[1] in ("-", "−") else value


# --- habits over many items ----------------------------------------------------------------------

def _longest(name: str, some: list[Offered], code: str) -> Iterator[Found]:
    """Items without one longest option say nothing and are left out."""
    lengths = [[len(text) for text in one.texts] for one in some]
    clear = [(one, found.index(max(found))) for one, found in zip(some, lengths, strict=True)
             if found.count(max(found)) == 1]
    hit = [one for one, at in clear if at in one.right]
    yield from _habit(code, name, hit, [1 / len(one.texts) for one, _ in clear])


def _styles(name: str, some: list[Offered]) -> Iterator[Found]:
    """Items in which one option alone has a mark, or alone lacks it."""
    for style, holds in STYLES.items():
        odd, hit = [], []
        for one in some:
            marked = [holds(text) for text in one.texts]
            if len(marked) > 2 and (sum(marked) == 1 or sum(marked) == len(marked) - 1):
                alone = marked.index(sum(marked) == 1)
                odd.append(1 / len(marked))
                hit += [one] if alone in one.right else []
        yield from _habit("option_style", name, hit, odd, style=style)


def _habit(code: str, name: str, hit: list[Offered], chances: list[float], **more: Any) -> Iterator[Found]:
    """One-sided, with the normal approximation to a sum of unequal chances and its correction for continuity."""
    n, expected = len(chances), sum(chances)
    spread = sum(one * (1 - one) for one in chances) ** 0.5
    if n < LEAST or not spread or len(hit) < STRONG * expected:
        return
    p = _upper((len(hit) - 0.5 - expected) / spread)
    if p < RARE:
        yield Found(code, {one.at for one in hit}, {
            "question": name, "n": n, "observed": len(hit), "expected": round(expected, 2), "p": p, **more})


def _upper(z: float) -> float:
    from scipy.special import ndtr  # 100 ms to load, and wanted here only

    return float(ndtr(-z))


def _places(name: str, some: list[Offered]) -> Iterator[Found]:
    """Chi-square against equal shares, over items with the same number of options (Pearson 1900)."""
    from scipy.special import chdtrc  # 100 ms to load, and wanted here only

    sizes = Counter(len(one.texts) for one in some)
    counts = {size: Counter(next(iter(one.right)) for one in some if len(one.texts) == size) for size in sizes}
    statistic, freedom, full = 0.0, 0, set()
    for size, n in sizes.items():
        if n >= LEAST and n / size >= 5:
            statistic += sum((counts[size][at] - n / size) ** 2 / (n / size) for at in range(size))
            freedom += size - 1
            full |= {(size, at) for at in range(size) if counts[size][at] > STRONG * n / size}
    p = float(chdtrc(freedom, statistic)) if freedom else 1.0
    if p < RARE and full:
        yield Found("answer_position", {one.at for one in some if (len(one.texts), next(iter(one.right))) in full}, {
            "question": name, "p": p, "chi2": round(statistic, 3), "df": freedom,
            "counts": {str(size): [counts[size][at] for at in range(size)] for size in sorted(sizes)}})
