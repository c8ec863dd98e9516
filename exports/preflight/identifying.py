"""What points at a person in texts that would be released: addresses, numbers, and the project's own people.

Patterns only. Names in free text are not searched for: see ``finding.NOT_SEARCHED``.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.store.tables import AnswerRow, Person
from exports.preflight.corpus import Corpus, Entry
from exports.preflight.finding import Found, Work, checks, kind

kind("email", "bad", "identifying", "1 item holds an e-mail address", "{n} items hold e-mail addresses")
kind("own_person", "bad", "identifying", "1 item names somebody who works on this project",
     "{n} items name people who work on this project")
kind("phone", "warn", "identifying", "1 item holds what looks like a telephone number",
     "{n} items hold what looks like telephone numbers")
kind("record_number", "warn", "identifying", "1 item holds what looks like a record or patient number",
     "{n} items hold what looks like record or patient numbers")
kind("ip_address", "warn", "identifying", "1 item holds an IP address", "{n} items hold IP addresses")

EMAIL = re.compile(r"(?<![\w.+-])[\w.+%-]+@((?:[\w-]+\.)+[^\W\d_]{2,24})(?![\w-])")
RESERVED = re.compile(r"(^|\.)(example|invalid|test|localhost)(\.(com|net|org))?$", re.IGNORECASE)  # RFC 2606
PHONE = re.compile(
    r"(?<![\w.,/+-])(?:(?:\+|00)[1-9]\d{0,2}[ ./()-]{0,2}(?:\d[ ./()-]{0,2}){6,12}\d"   # +49 (0)30 123456
    r"|\(?0\d{2,4}\)?[ /-]{1,3}\d(?:[ -]?\d){5,9}"                                       # 030 / 123 456
    r"|\(?[2-9]\d{2}\)?[ .-]\d{3}[ .-]\d{4})(?![\w]|[.,]\d)")                            # (555) 123-4567
RECORD = re.compile(
    r"\b(?:MRN|NHS|SSN|(?:patient|record|chart|case|hospital|insurance|passport|social security)s?"
    r"['’]?s?[ -]?(?:id|no|nr|num|number|#)|(?:fall|patienten|akten|versicherten)[ -]?(?:nr|nummer|id))\b"
    r"[^\w\n]{0,4}(?:is |ist )?(?=[\w/-]*\d[\w/-]*\d[\w/-]*\d)[\w/-]{4,24}", re.IGNORECASE)
US_SSN = re.compile(r"(?<![\w.-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-]|\.\d)")
IPV4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)")
IPV6 = re.compile(r"(?<![\w:.])(?=[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:)[0-9A-Fa-f:]{6,39}(?![\w:])")
_VERSION = re.compile(r"(?:\bv|version|release|section|§)\W{0,2}$", re.IGNORECASE)

# No pattern holds without one of these, and most texts have none.
_WORTH = re.compile(r"@|::|\d\W{0,3}\d")
_WORTH_OF_KEY = re.compile(r"@|::|\d\W{1,3}\d|[a-z]{3}\W{1,3}\d{3}", re.IGNORECASE)


def has_email(text: str) -> bool:
    return "@" in text and any(not RESERVED.search(one[1]) for one in EMAIL.finditer(text))


def has_phone(text: str) -> bool:
    return any(7 <= sum(map(str.isdigit, one[0])) <= 15 for one in PHONE.finditer(text))


def has_record_number(text: str) -> bool:
    return RECORD.search(text) is not None or US_SSN.search(text) is not None


def has_ip_address(text: str) -> bool:
    """Addresses of the open or a private net; not what stands for none or for the machine itself."""
    found = [one[0] for one in IPV4.finditer(text) if not _VERSION.search(text[max(0, one.start() - 12):one.start()])]
    found += [one[0] for one in IPV6.finditer(text)] if "::" in text or text.count(":") >= 7 else []
    return any(map(_is_address, found))


def _is_address(text: str) -> bool:
    try:
        one = ipaddress.ip_address(text)
    except ValueError:
        return False
    return not (one.is_loopback or one.is_unspecified or one.is_multicast)


PATTERNS: dict[str, Callable[[str], bool]] = {
    "email": has_email, "phone": has_phone, "record_number": has_record_number, "ip_address": has_ip_address}


@checks.register("identifying")
def identifying(corpus: Corpus, work: Work) -> Iterator[Found]:
    """Public fields, tags and keys, gold answers, and free text where the protocol publishes it."""
    people = people_pattern(corpus.session)
    said = _published(corpus)
    found: dict[str, set[int]] = {}
    where: dict[str, dict[str, int]] = {}
    for at, entry in enumerate(corpus.entries):
        texts = list(_all_texts(corpus, entry, said))
        whole = "\n".join(text for _, text in texts)
        if _WORTH.search(whole) is None and (people is None or people.search(whole) is None):
            texts = []
        if _WORTH_OF_KEY.search(entry.key) is not None or (people is not None and people.search(entry.key)):
            texts.append(("key", entry.key))
        for place, text in texts:
            codes = [code for code, holds in PATTERNS.items() if holds(text)]
            if people is not None and people.search(text):
                codes.append("own_person")
            for code in codes:
                found.setdefault(code, set()).add(at)
                counted = where.setdefault(code, {})
                counted[place] = counted.get(place, 0) + 1
        if at % 1000 == 999:
            work.step(1000)
    for code, items in found.items():
        yield Found(code, items, {"where": dict(sorted(where[code].items()))})


def _all_texts(corpus: Corpus, entry: Entry, said: dict[object, list[str]]) -> Iterator[tuple[str, str]]:
    yield from corpus.texts(entry)
    for one in corpus.protocol.fields:
        if one.kind == "tag" and not one.private and one.name in entry.fields:
            yield one.name, str(entry.fields[one.name])
    for view in entry.gold:
        value = view.answer.get("v")
        if isinstance(value, str):
            yield f"gold {view.question}", value
    for text in said.get(entry.id, ()):
        yield "free text", text


def _published(corpus: Corpus) -> dict[object, list[str]]:
    """Free text of people by item, where the protocol publishes it."""
    if corpus.protocol.export.free_text != "public":
        return {}
    names = [one.name for one in corpus.protocol.asked if one.scale == "text"]
    found: dict[object, list[str]] = {}
    for item, text in corpus.session.execute(select(AnswerRow.item, AnswerRow.value_text).where(
            AnswerRow.question.in_(names), AnswerRow.value_text.is_not(None))):
        found.setdefault(item, []).append(text or "")
    return found


def people_pattern(session: Session, *, plain: bool = False) -> re.Pattern[str] | None:
    """Full names, addresses, logins and handles that are no plain word of the people of this project.

    With ``plain`` also handles and names of one word: in texts of items these would often be something else.
    """
    wanted = set()
    for handle, name, email in session.execute(select(Person.handle, Person.name, Person.email)):
        wanted |= {one for one in (name or "", email or "") if len(one.split()) > 1 or "@" in one}
        if len(handle) >= 5 and re.search(r"[\d._-]", handle):
            wanted.add(handle)
        if plain:
            wanted |= {one for one in (handle, name or "") if len(one) >= 3}
    if not wanted:
        return None
    words = (r"\s+".join(map(re.escape, one.split())) for one in sorted(wanted, key=lambda one: (-len(one), one)))
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(words)})(?![\w-])", re.IGNORECASE)
