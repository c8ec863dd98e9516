"""What the checks read: the items that would be released, their public contents, their gold and their pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.gold import GoldView
from annotation.protocol import Protocol
from annotation.store.tables import Item, ItemMedia, ItemVersion

TEXTS = ("text", "markdown", "table")
LISTS = ("candidates", "steps")


@dataclass(slots=True)
class Entry:
    """One item; ``media``: (field, element, sha256) of the pictures of its newest version."""

    id: UUID
    key: str
    cluster: str | None
    fields: Mapping[str, Any]
    gold: Sequence[GoldView]
    media: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass(slots=True)
class Corpus:
    session: Session
    protocol: Protocol
    entries: list[Entry]

    def __len__(self) -> int:
        return len(self.entries)

    def texts(self, entry: Entry) -> Iterator[tuple[str, str]]:
        """Every public text with the name of its field; private fields never leave with a release."""
        for one in self.protocol.fields:
            value = entry.fields.get(one.name)
            if one.private or value is None:
                continue
            if one.kind in TEXTS:
                yield one.name, value
            elif one.kind in LISTS:
                for element in value:
                    if element.get("text"):
                        yield one.name, element["text"]

    def prose(self, entry: Entry) -> str:
        """All public texts as one."""
        return "\n".join(text for _, text in self.texts(entry))


def read_corpus(session: Session, protocol: Protocol, values: Mapping[UUID, Sequence[GoldView]], *,
                step: Callable[[int], None] | None = None) -> Corpus:
    """The items that ``values`` (gold by item) names, by key."""
    entries: dict[UUID, Entry] = {}
    versions: dict[UUID, Entry] = {}
    query = (select(Item.id, Item.key, Item.cluster, Item.current, ItemVersion.fields_json)
             .join(ItemVersion, ItemVersion.id == Item.current).where(Item.kind == "item").order_by(Item.key))
    for n, row in enumerate(session.execute(query.execution_options(yield_per=2000))):
        if row.id in values:
            entries[row.id] = versions[row.current] = Entry(row.id, row.key, row.cluster, row.fields_json,
                                                            values[row.id])
        if step is not None and n % 2000 == 1999:
            step(0)
    private = {one.name for one in protocol.fields if one.private}
    for version, name, element, sha256 in session.execute(
            select(ItemMedia.item_version, ItemMedia.field, ItemMedia.element, ItemMedia.sha256)
            .where(ItemMedia.sha256.is_not(None))):
        if sha256 is not None and version in versions and name not in private:
            versions[version].media.append((name, element, sha256))
    return Corpus(session, protocol, list(entries.values()))
