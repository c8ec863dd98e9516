"""Pictures that look alike, and pictures that still tell when, where and by whom they were taken."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.store.project import store_of
from exports.preflight.corpus import Corpus
from exports.preflight.finding import Found, Work, checks, kind
from exports.preflight.near_pictures import Looked, look_at, near_pictures

SHOWN = 100

kind("picture_place", "bad", "identifying", "1 item has a picture that carries a position",
     "{n} items have pictures that carry a position")
kind("near_picture", "warn", "duplicated", "1 item has a picture that looks like another item's",
     "{n} items have pictures that look like those of other items")
kind("picture_metadata", "warn", "identifying", "1 item has a picture with metadata of a camera, a time or a person",
     "{n} items have pictures with metadata of a camera, a time or a person")


@checks.register("pictures")
def pictures(corpus: Corpus, work: Work) -> Iterator[Found]:
    """Each picture is read once in the life of the program: its name is the hash of its bytes."""
    holders: dict[str, list[int]] = {}
    for at, entry in enumerate(corpus.entries):
        for _, _, sha256 in entry.media:
            holders.setdefault(sha256, []).append(at)
    seen = _looked(corpus, list(holders), work)
    placed = {at for sha256, one in seen.items() if one.place for at in holders[sha256]}
    yield Found("picture_place", placed)
    told = [sha256 for sha256, one in seen.items() if one.told]
    names = sorted({name for sha256 in told for name in seen[sha256].told})
    yield Found("picture_metadata", {at for sha256 in told for at in holders[sha256]}, {"names": names[:SHOWN]})
    yield from _alike(corpus, holders, seen)


def _looked(corpus: Corpus, wanted: list[str], work: Work) -> dict[str, Looked]:
    media = store_of(corpus.session).media
    known: dict[str, Looked] = store_of(corpus.session).memory.setdefault("preflight pictures", {})
    each, left = len(corpus) / max(1, len(wanted)), 0.0
    for sha256 in wanted:
        if sha256 not in known and media.exists(sha256):
            known[sha256] = look_at(media.path(sha256).read_bytes())
        left += each
        if left >= 1:
            work.step(int(left))
            left -= int(left)
    return {sha256: known[sha256] for sha256 in wanted if sha256 in known}


def _alike(corpus: Corpus, holders: dict[str, list[int]], seen: dict[str, Looked]) -> Iterator[Found]:
    """Pictures of one item, or of one cluster, may well look alike."""
    some = [(sha256, one.look) for sha256, one in seen.items() if one.look is not None]
    items: set[int] = set()
    pairs: list[list[object]] = []
    for first, second, bits in near_pictures([look for _, look in some]):
        for a in holders[some[first][0]]:
            for b in holders[some[second][0]]:
                one, other = corpus.entries[a], corpus.entries[b]
                if a != b and (one.cluster is None or one.cluster != other.cluster):
                    items |= {a, b}
                    if len(pairs) < SHOWN:
                        pairs.append([one.key, other.key, bits])
    yield Found("near_picture", items, {"pairs": pairs, "bits_of": 128})
