"""Who said the same about an item: one dot a person, so that a row shows where people differ."""

from __future__ import annotations

from collections import Counter
from typing import Any
from uuid import UUID

from annotation.finding import Page, find_items
from annotation.votes import ItemFacts, read_facts

Dots = dict[UUID, tuple[str, ...]]


def find_with_dots(session: Any, store: Any, **query: Any) -> tuple[Page, Dots]:
    """A page of items, and for each the dots of those who answered."""
    found = find_items(session, **query)
    protocol = store.protocol
    compared = frozenset(name for name in protocol.value_names if protocol.scale_of(name) not in ("text", "none"))
    facts = read_facts(session, protocol, [row.id for row in found.rows if row.answers])
    return found, {one.item: dots_of(one, compared) for one in facts}


def dots_of(facts: ItemFacts, compared: frozenset[str]) -> tuple[str, ...]:
    """``same`` as what most people answered to all questions that can be compared, or ``other``, by person."""
    said: dict[UUID, dict[str, str | None]] = {}
    for slot, votes in facts.votes.items():
        if slot.question in compared:
            for vote in votes:
                said.setdefault(vote.person, {})[str(slot)] = vote.text
    answers = [tuple(sorted(given.items(), key=lambda pair: pair[0])) for given in said.values()]
    if not answers:
        return ()
    most = Counter(answers).most_common(1)[0][0]
    return tuple("same" if one == most else "other" for one in answers)
