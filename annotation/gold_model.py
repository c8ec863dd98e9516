"""People's error rates as the project keeps them between two counts: one row of ``meta`` for each question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.gold_posterior import GoldModel
from annotation.protocol_models import Protocol
from annotation.store.tables import Meta

PREFIX = "gold_model/"


def with_models(protocol: Protocol) -> tuple[str, ...]:
    """The questions and derived values whose gold rule reads error rates."""
    return tuple(name for name, rule in protocol.gold.items() if "dawid_skene" in (rule.rule, rule.else_))


def read_models(session: Session, protocol: Protocol) -> Mapping[str, GoldModel]:
    """The models that were counted, of the questions that the protocol has such a rule for."""
    names = with_models(protocol)
    if not names:
        return {}
    keys = {_key(protocol, name): name for name in names}
    rows = session.execute(select(Meta.key, Meta.value).where(Meta.key.in_(keys))).all()
    return {keys[key]: _of_json(canonical.loads(text)) for key, text in rows}


def write_model(session: Session, protocol: Protocol, name: str, model: GoldModel) -> None:
    """Put it in place of the one before."""
    key, text = _key(protocol, name), canonical.dumps(as_json(model))
    done = session.execute(update(Meta).where(Meta.key == key).values(value=text))
    if done.rowcount == 0:  # type: ignore[attr-defined]
        session.execute(insert(Meta).values(key=key, value=text))


def as_json(model: GoldModel) -> dict[str, Any]:
    """Plain JSON; people by id, never by name."""
    return asdict(model)


def _key(protocol: Protocol, name: str) -> str:
    """Answers of another form mean something else, so its error rates are others."""
    return f"{PREFIX}{protocol.form_hash}/{name}"


def _of_json(found: Mapping[str, Any]) -> GoldModel:
    people = {person: tuple(tuple(row) for row in rows) for person, rows in found["people"].items()}
    return GoldModel(tuple(found["classes"]), tuple(found["shares"]), people, found["na_is_class"], found["answers"],
                     found["newest"], found["reason"])
