"""Items that stand twice: word by word, or with a few words changed."""

from __future__ import annotations

from collections.abc import Iterator

from annotation import canonical
from exports.preflight.corpus import Corpus, Entry
from exports.preflight.finding import Found, Work, checks, kind
from exports.preflight.near_texts import SIMILAR, folded, near_texts

SHOWN = 100

kind("duplicate_conflict", "bad", "duplicated", "1 item has the contents of another item and other gold",
     "{n} items have the contents of other items and other gold")
kind("duplicate", "warn", "duplicated", "1 item has the contents of another item",
     "{n} items have the contents of other items")
kind("near_text", "warn", "duplicated", "1 item is nearly the text of another item",
     "{n} items are nearly the texts of other items")


@checks.register("repeats")
def repeats(corpus: Corpus, work: Work) -> Iterator[Found]:
    """Exact: same texts (but for case, spaces and punctuation) and same pictures. Near: see ``near_texts``; items
    of one cluster may be alike, and one text with other pictures is another item.
    """
    entries = corpus.entries
    texts: list[str] = []
    groups: dict[tuple[str, str], list[int]] = {}
    for at, entry in enumerate(entries):
        text = folded(corpus.prose(entry))
        texts.append(text)
        groups.setdefault((_rest(corpus, entry), text or entry.key), []).append(at)
        if at % 1000 == 999:
            work.step(500)
    same = [some for some in groups.values() if len(some) > 1]
    parted = [some for some in same if len({_gold(entries[at]) for at in some}) > 1]
    evidence = [[entries[at].key for at in some[:SHOWN]] for some in same[:SHOWN]]
    yield Found("duplicate", [at for some in same for at in some], {"groups": evidence})
    yield Found("duplicate_conflict", [at for some in parted for at in some],
                {"groups": [[entries[at].key for at in some[:SHOWN]] for some in parted[:SHOWN]]})
    yield from _near(corpus, texts, [some[0] for some in groups.values()], work)


def _near(corpus: Corpus, texts: list[str], firsts: list[int], work: Work) -> Iterator[Found]:
    """One of each group of equal items is compared; items of one cluster are never paired."""
    entries = corpus.entries
    clusters: dict[str, int] = {}
    by_picture: dict[tuple[str, ...], list[int]] = {}
    for at in firsts:
        by_picture.setdefault(tuple(sorted({sha256 for *_, sha256 in entries[at].media})), []).append(at)
    items: set[int] = set()
    pairs: list[list[object]] = []
    n_pairs = 0
    for some in by_picture.values():
        apart = [clusters.setdefault(entries[at].cluster or "", len(clusters) + 1) if entries[at].cluster else 0
                 for at in some]
        for first, second, value in near_texts([texts[at] for at in some], apart=apart,
                                               step=lambda n: work.step(n // 2)):
            items |= {some[first], some[second]}
            n_pairs += 1
            if len(pairs) < SHOWN:
                pairs.append([entries[some[first]].key, entries[some[second]].key, round(value, 3)])
    yield Found("near_text", items, {"pairs": pairs, "n_pairs": n_pairs, "similar_from": SIMILAR})


def _rest(corpus: Corpus, entry: Entry) -> str:
    """What is shown beside texts: pictures, numbers. Tags are slices, not contents."""
    numbers = [entry.fields.get(one.name) for one in corpus.protocol.fields if one.kind == "number" and not one.private]
    return canonical.dumps([sorted(sha256 for *_, sha256 in entry.media), numbers])


def _gold(entry: Entry) -> str:
    return canonical.dumps(sorted([view.question, view.element or "", view.answer.get("v")] for view in entry.gold
                                  if not isinstance(view.answer.get("v"), list)) if entry.gold else [])
