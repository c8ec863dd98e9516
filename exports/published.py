"""Words that leave with a bundle: reasons of waivers, errata and retractions, checked before they are kept."""

from __future__ import annotations

from sqlalchemy.orm import Session

from annotation.canonical import check_text
from annotation.errors import N_, Refused
from exports.preflight.identifying import PATTERNS, people_pattern

MOST = 2000


def published(session: Session, text: str) -> str:
    """The words as they are kept, or Refused: none, too many, or such as point at a person."""
    words = " ".join(check_text(text).split())
    if not words:
        raise Refused(N_("say why: the reason travels with the bundle"), code="missing_value")
    if len(words) > MOST:
        raise Refused(N_("a reason has at most {limit} characters"), code="too_long", limit=MOST)
    people = people_pattern(session, plain=True)
    if any(holds(words) for holds in PATTERNS.values()) or (people is not None and people.search(words)):
        raise Refused(N_("the reason travels with the bundle and names a person, an address or a telephone or record "
                         "number; say it without"), code="identifying")
    return words
