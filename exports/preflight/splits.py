"""What the splits of a release would part although it belongs together."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from exports.preflight.corpus import Corpus
from exports.preflight.finding import Found, Work, checks, kind

SHOWN = 100

kind("split_cluster", "warn", "leaking", "1 item stands in a cluster whose name another cluster repeats",
     "{n} items stand in clusters whose names differ only in capitals or spaces; the splits part them")
kind("split_picture", "warn", "leaking", "1 item shares a picture with an item of no or another cluster",
     "{n} items share a picture and no cluster; the splits can part them")


@checks.register("splits")
def splits(corpus: Corpus, work: Work) -> Iterator[Found]:
    """A release keeps every cluster in one split; what is alike and in no cluster together may be parted.

    Nothing where there is one split alone.
    """
    if len(corpus.protocol.export.splits) < 2:
        return
    names: dict[str, set[str]] = {}
    pictures: dict[str, list[int]] = {}
    for at, entry in enumerate(corpus.entries):
        if entry.cluster is not None:
            names.setdefault(_folded(entry.cluster), set()).add(entry.cluster)
        for sha256 in {sha256 for *_, sha256 in entry.media}:
            pictures.setdefault(sha256, []).append(at)
    twice = {name for some in names.values() if len(some) > 1 for name in some}
    yield Found("split_cluster", [at for at, one in enumerate(corpus.entries) if one.cluster in twice],
                {"clusters": len(twice)})
    parted = [some for some in pictures.values() if len(some) > 1 and not _together(corpus, some)]
    yield Found("split_picture", {at for some in parted for at in some},
                {"groups": [[corpus.entries[at].key for at in some[:SHOWN]] for some in parted[:SHOWN]]})
    work.step(len(corpus))


def _together(corpus: Corpus, some: list[int]) -> bool:
    clusters = {corpus.entries[at].cluster for at in some}
    return len(clusters) == 1 and None not in clusters


def _folded(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())
