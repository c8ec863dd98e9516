"""What stands in a bundle in place of rows that were taken out since the release was drawn.

A tombstone says which row it was (item, question, pseudonym), and the SHA-256 of the row's line: counts stay right,
and the manifest's ``rows_sha256`` (over the hashes of all lines) can still be checked. Each row carries a ``nonce``
that goes with it, so that its hash does not tell a guessable answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.store.tables import ItemVersion, Retraction
from exports.frozen import Frozen
from exports.rows import Row
from exports.shapes import KEPT

Said = Mapping[str, str]  # day and why


@dataclass(frozen=True, slots=True)
class Gone:
    """By public id and by pseudonym, what was said."""

    items: Mapping[str, Said] = field(default_factory=dict)
    people: Mapping[str, Said] = field(default_factory=dict)

    def of(self, row: Mapping[str, Any], people: Iterable[str] = ()) -> Said | None:
        """Why this row is not handed out; None where it is. A decision goes with the answers that it names.

        ``people``: on whose answers it rests without naming them.
        """
        named = [row.get("annotator"), row.get("adjudicator"), row.get("signer"), *people,
                 *(one["annotator"] for one in row.get("inputs", ()))]
        return self.items.get(row.get("id", "")) or next(
            (self.people[one] for one in named if one in self.people), None)


def gone_from(session: Session, frozen: Frozen) -> Gone:
    """What was taken out of the project, as this release calls it."""
    rows = session.execute(select(Retraction.item, Retraction.person, Retraction.reason, Retraction.at)).all()
    if not rows:
        return Gone()
    said = {row.item or row.person: {"day": row.at.strftime("%Y-%m-%d"), "why": row.reason} for row in rows}
    wanted = [row.item for row in rows if row.item is not None]
    versions = {id: item for id, item in session.execute(select(ItemVersion.id, ItemVersion.item).where(
        ItemVersion.item.in_(wanted)))}
    return Gone({one.public_id: said[versions[one.item_version]] for one in frozen.items
                 if one.item_version in versions},
                {one.pseudonym: said[person] for person, one in frozen.people.items() if person in said})


def stone(row: Mapping[str, Any], digest: str, said: Said) -> Row:
    """The tombstone of a row; an item's names its pictures, which may be gone too."""
    media = {"media": sorted({one["sha256"] for one in row["media"] if one["sha256"]})} if "media" in row else {}
    return {**{key: row[key] for key in KEPT if key in row}, **media, "tombstone": digest, **said}


BLOCK = 512  # nonces made at once: one hash each would cost more than all others of a row


def nonces(secret: bytes, path: str, first: int = 0) -> Iterator[str]:
    """32 hex digits for each row of a file, from a secret of the release; ``first``: rows that others have made."""
    begun, skipped = divmod(first, BLOCK)
    for block in count(begun):
        made = hashlib.shake_256(secret + f"nonce\x1f{path}\x1f{block}".encode()).hexdigest(16 * BLOCK)
        yield from (made[at:at + 32] for at in range(32 * skipped, len(made), 32))
        skipped = 0
