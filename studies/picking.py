"""Picking: the items of a study, from a release or from the project, with what design and exports go by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.errors import N_, Refused, Unknown, Where
from annotation.protocol import Protocol
from annotation.questions.choice import OfOptions
from annotation.store.project import protocol_by, protocol_now
from annotation.store.tables import Item, ItemSecret, ItemVersion, Release, ReleaseGold, ReleaseItem, StudyVersion
from studies.design_parts import StudyItem, conditions_of, facet_names, matches
from studies.model import Study


def items(session: Session, study: Study) -> tuple[StudyItem, ...]:
    """The items this study is made of, by key; those that fit no condition, and withdrawn ones, are left out.

    Private fields are read for the right answer alone. Raises Unknown for a release or question that is not there,
    Refused for an item whose right answer is none of its options.
    """
    release = release_of(session, study)
    question = _question(protocol_of(session, release), study)
    names = facet_names(study)
    wanted = tuple(dict.fromkeys((*names, *study.items.where)))
    gold = _gold(session, release, study)
    found = []
    for item, version, key, fields, hidden in _rows(session, release, private=_private(study)):
        values = {name: text for name in wanted if (text := _text(fields.get(name))) is not None}
        conditions = conditions_of(study, values)
        if not conditions or not matches(values, study.items.where):
            continue
        options = tuple(option.value for option in question.options_for(fields))
        correct = gold.get(version) if study.correct is None or study.correct.field is None else _text(
            fields.get(study.correct.field, hidden.get(study.correct.field)))
        if correct is not None and correct not in options:
            raise Refused(N_("item '{key}': the right answer is '{value}', which is none of its options ({options})"),
                          code="bad_value", where=Where(item=key), key=key, value=correct[:80],
                          options=", ".join(options))
        found.append(StudyItem(item=item.hex, version=version.hex, key=key,
                               facets={name: values[name] for name in names if name in values}, options=options,
                               correct=correct, conditions=conditions))
    if not found:
        raise Refused(N_("no item fits this study"), code="no_items")
    return tuple(found)


def pool_sha256(found: Iterable[StudyItem]) -> str:
    """Which items, versions and right answers a study was drawn from, as one hash."""
    return canonical.sha256([[one.key, one.version, list(one.options), one.correct, list(one.conditions)]
                             for one in found])


def release_of(session: Session, study: Study) -> UUID | None:
    """The release that the study was added with, else the one its file names, else None (the project as it is)."""
    kept = session.scalar(select(StudyVersion.release).where(StudyVersion.hash == study.hash))
    return kept or find_release(session, study.items.release)


def find_release(session: Session, version: str | None) -> UUID | None:
    """The id of the release with this version; None for "" or None, Unknown where there is none."""
    if not version:
        return None
    found = session.scalar(select(Release.id).where(Release.version == version))
    if found is None:
        raise Unknown(N_("there is no release '{version}'"), version=version)
    return found


def protocol_of(session: Session, release: UUID | None) -> Protocol:
    """The protocol under which the items of a study are shown: the release's, else the one in use."""
    if release is None:
        return protocol_now(session)
    return protocol_by(session, session.scalars(select(Release.protocol).where(Release.id == release)).one())


def _question(protocol: Protocol, study: Study) -> OfOptions:
    if not protocol.has_question(study.question):
        raise Unknown(N_("The protocol has no question '{name}'"), name=study.question)
    question = protocol.question(study.question)
    if not isinstance(question, OfOptions):
        raise Refused(N_("'{name}' has no options; a study asks a choice or a level"), code="bad_value",
                      name=study.question)
    return question


def _private(study: Study) -> bool:
    return study.correct is not None and study.correct.field is not None


def _rows(session: Session, release: UUID | None, *, private: bool
          ) -> Iterator[tuple[UUID, UUID, str, Mapping[str, Any], Mapping[str, Any]]]:
    """(item, version, key, public fields, private fields or {}), by key."""
    columns = (Item.id, ItemVersion.id, Item.key, ItemVersion.fields_json)
    query = select(*columns, ItemSecret.fields_json).outerjoin(ItemSecret, ItemSecret.item_version == ItemVersion.id) \
        if private else select(*columns)
    query = query.join(Item, Item.id == ItemVersion.item).where(Item.state != "withdrawn")
    query = (query.where(ItemVersion.id == Item.current) if release is None else
             query.join(ReleaseItem, ReleaseItem.item_version == ItemVersion.id).where(ReleaseItem.release == release))
    for row in sorted(session.execute(query), key=lambda row: row[2]):  # one order on every database
        yield row[0], row[1], row[2], row[3], (row[4] or {}) if private else {}


def _gold(session: Session, release: UUID | None, study: Study) -> dict[UUID, str]:
    if study.correct is None or not study.correct.gold:
        return {}
    if release is None:
        raise Refused(N_("the right answers are to come from gold: name the release under items"), code="no_release")
    rows = session.execute(select(ReleaseGold.item_version, ReleaseGold.value_json).where(
        ReleaseGold.release == release, ReleaseGold.question == study.question, ReleaseGold.element == ""))
    return {version: str(value["v"]) for version, value in rows if "v" in value}


def _text(value: Any) -> str | None:
    """A field's value as a study's file writes it."""
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, str) else canonical.dumps(value)
