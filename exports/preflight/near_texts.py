"""Finds texts that are nearly the same among very many, without comparing each with each.

Each text becomes the set of its runs of five characters (letters and digits, folded). Sets are sketched by
one-permutation MinHash (Li, Owen & Zhang 2012, "One Permutation Hashing"; empty bins take a neighbour's value as in
Shrivastava & Li 2014), sketches are looked up by bands (Broder 1997; Indyk & Motwani 1998), and what falls together
is compared exactly. Only numpy.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

RUN = 5            # characters to a shingle
LEAST = 30         # shorter texts (folded) are like each other by chance
BINS, BANDS = 128, 32
SIMILAR = 0.85     # Jaccard similarity of the sets of shingles
_SLACK = 0.07      # two standard errors of a sketch of 128 bins there
MOST_COMPARED = 400_000
_CHUNK, _PAIRS = 4000, 2000
_EMPTY = np.uint32(0xFFFFFFFF)
_WORD = re.compile(r"\w+")

Ints = NDArray[np.int64]
Step = Callable[[int], None]


def folded(text: str) -> str:
    """Words alone, in lower case and one Unicode form, with single spaces."""
    plain = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_WORD.findall(plain))


def near_texts(texts: Sequence[str], *, apart: Sequence[int] | None = None, similar: float = SIMILAR,
               step: Step | None = None) -> list[tuple[int, int, float]]:
    """Pairs of texts with a Jaccard similarity of at least ``similar``, as (first, second, similarity).

    Enough pairs to link each group of alike texts, not all pairs of a group. ``texts`` are folded (``folded``);
    texts that are equal are left to whoever looks for equal ones, and those shorter than LEAST are passed over.
    ``apart``: a number per text; texts with the same number above 0 are never paired. ``step`` is told how many
    texts more were read, and may raise.
    """
    wanted = np.array([n for n, text in enumerate(texts) if len(text) >= LEAST], dtype=np.int64)
    if len(wanted) < 2:
        return []
    group = np.zeros(len(texts), np.int64) if apart is None else np.asarray(apart, dtype=np.int64)
    sketches = np.concatenate([_sketch([texts[n] for n in _part(wanted, start, step)])
                               for start in range(0, len(wanted), _CHUNK)])
    parent = np.arange(len(wanted))
    found: list[tuple[int, int, float]] = []
    compared = 0
    seen: set[int] = set()
    for band in range(BANDS):
        first, second = _together(sketches, band, group[wanted])
        keep = (group[wanted[first]] != group[wanted[second]]) | (group[wanted[first]] == 0)
        root = _roots(parent)
        keep &= root[first] != root[second]
        first, second = first[keep], second[keep]
        keep = (sketches[first] == sketches[second]).mean(axis=1) >= similar - _SLACK
        low, high = np.minimum(first, second)[keep], np.maximum(first, second)[keep]
        codes = np.unique(low * len(wanted) + high)
        codes = codes[[int(code) not in seen for code in codes]] if len(codes) else codes
        seen.update(codes.tolist())
        for start in range(0, len(codes), _PAIRS):
            if compared >= MOST_COMPARED:
                return found
            some = codes[start:start + _PAIRS]
            compared += len(some)
            if step is not None:
                step(0)
            low, high = some // len(wanted), some % len(wanted)
            for a, b, value in zip(low, high, _jaccard(texts, wanted[low], wanted[high]), strict=True):
                if similar <= value:
                    _join(parent, int(a), int(b))
                    found.append((int(wanted[a]), int(wanted[b]), float(value)))
    return found


def _part(wanted: Ints, start: int, step: Step | None) -> Ints:
    some = wanted[start:start + _CHUNK]
    if step is not None:
        step(len(some))
    return some


def shingles(texts: Sequence[str]) -> tuple[Ints, NDArray[np.uint64]]:
    """Every run of RUN characters as (place of its text, hash), repeats included."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    owner = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    n = len(codes) - RUN + 1
    if n <= 0:
        return np.empty(0, np.int64), np.empty(0, np.uint64)
    hashed = np.zeros(n, np.uint64)
    for k in range(RUN):
        hashed = hashed * np.uint64(0x100000001B3) + codes[k:k + n]
    whole = owner[:n] == owner[RUN - 1:]
    return owner[:n][whole], _mixed(hashed[whole])


def _mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A well-stirred hash of 64 bits (the finishing steps of SplitMix64; Steele, Lea & Flood 2014)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _sketch(texts: Sequence[str]) -> NDArray[np.uint32]:
    """(len(texts), BINS): the least hash in each bin of the hash space."""
    owner, hashed = shingles(texts)
    bins = (hashed >> np.uint64(57)).astype(np.int64)
    value = ((hashed << np.uint64(7)) >> np.uint64(32)).astype(np.uint32)
    flat = np.full(len(texts) * BINS, _EMPTY, np.uint32)
    np.minimum.at(flat, owner * BINS + bins, value)
    out = flat.reshape(len(texts), BINS)
    empty = out == _EMPTY
    rows = np.nonzero(empty.any(axis=1))[0]
    filled = out[rows]
    for shift in range(1, BINS):
        bare = filled == _EMPTY
        if not bare.any():
            break
        moved = np.roll(out[rows], -shift, axis=1)
        give = bare & (moved != _EMPTY)
        filled[give] = moved[give] + np.uint32(shift * 2654435761 % 2**32)
    out[rows] = filled
    return out


def _together(sketches: NDArray[np.uint32], band: int, group: Ints) -> tuple[Ints, Ints]:
    """Neighbours among the texts whose sketches are equal in this band, those of one group side by side."""
    width = BINS // BANDS
    hashed = np.full(len(sketches), 0x9E3779B97F4A7C15, np.uint64)
    for k in range(width):
        hashed = _mixed(hashed ^ sketches[:, band * width + k].astype(np.uint64)) + np.uint64(band + 1)
    by = np.lexsort((group, hashed))
    same = np.nonzero(hashed[by][1:] == hashed[by][:-1])[0]
    return by[same], by[same + 1]


def _roots(parent: Ints) -> Ints:
    while True:
        up = parent[parent]
        if np.array_equal(up, parent):
            return parent
        parent[:] = up


def _join(parent: Ints, a: int, b: int) -> None:
    while parent[a] != a:
        a = int(parent[a])
    while parent[b] != b:
        b = int(parent[b])
    parent[max(a, b)] = min(a, b)


def _jaccard(texts: Sequence[str], first: Ints, second: Ints) -> NDArray[np.float64]:
    """The exact similarity of each pair."""
    used, place = np.unique(np.concatenate([first, second]), return_inverse=True)
    owner, hashed = shingles([texts[n] for n in used])
    by = np.lexsort((hashed, owner))
    owner, hashed = owner[by], hashed[by]
    fresh = np.ones(len(owner), bool)
    fresh[1:] = (owner[1:] != owner[:-1]) | (hashed[1:] != hashed[:-1])
    owner, hashed = owner[fresh], hashed[fresh]
    size = np.bincount(owner, minlength=len(used))
    start = np.concatenate([[0], np.cumsum(size)])[:-1]
    sides = [_listed(hashed, start[side], size[side]) for side in (place[:len(first)], place[len(first):])]
    # The number of the pair in the high bits, the hash in the others: one sort puts what is common side by side.
    key = np.sort(np.concatenate([(pair.astype(np.uint64) << np.uint64(52)) | (value >> np.uint64(12))
                                  for pair, value in sides]))
    common = key[1:][key[1:] == key[:-1]] >> np.uint64(52)
    shared = np.bincount(common.astype(np.int64), minlength=len(first))
    total = size[place[:len(first)]] + size[place[len(first):]] - shared
    return shared / np.maximum(total, 1)


def _listed(values: NDArray[np.uint64], start: Ints, size: Ints) -> tuple[Ints, NDArray[np.uint64]]:
    """The slices ``values[start:start + size]`` one after the other, each value with the number of its slice."""
    pair = np.repeat(np.arange(len(start)), size)
    inside = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
    return pair, values[np.repeat(start, size) + inside]
