"""The demo project: twelve invented items, three annotators, a physician and an owner."""

from __future__ import annotations

import json
from pathlib import Path

from annotation import importing, people, protocol
from annotation.store import opening
from annotation.store.device import home

PROTOCOL = "cancer-myth-verify"
OWNER = "demo"
PEOPLE = (("ana", "", ("annotator",)), ("ben", "", ("annotator",)), ("cem", "", ("annotator",)),
          ("dr-eva", "Dr. Eva", ("verifier", "physician")))


def ensure() -> Path:
    """The path of the demo project, made at first use."""
    path = home() / "demo.goldsmith"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        make(path)
    return path


def _sample() -> Path:
    """The one data file in the folder of the sample."""
    folder = protocol.sample(PROTOCOL)
    assert folder is not None, PROTOCOL
    return next(folder.glob("*.json"))


def make(path: Path) -> None:
    """A new demo project at ``path``; Refused where one stands already."""
    begin(path)
    bring_in(path)
    invite(path)


def keys() -> list[str]:
    """The keys of the items, as the recipe makes them from the sample."""
    return [row["raw_QID"] for row in json.loads(_sample().read_text("utf-8"))]


def begin(path: Path) -> None:
    """The project alone: protocol and owner."""
    chosen = protocol.load(protocol.find(PROTOCOL))
    opening.create(path, protocol=chosen, title="Demo: false presuppositions", owner=OWNER).close()


def bring_in(path: Path) -> None:
    """Its twelve items."""
    with opening.open_store(path) as store:
        with store.read() as session:
            by = people.find(session, OWNER).id
        importing.import_file(store, _sample(), recipe=PROTOCOL, by=by)


def invite(path: Path) -> None:
    """Its annotators and its physician."""
    with opening.open_store(path) as store, store.write() as session:
        by = people.find(session, OWNER).id
        for handle, name, roles in PEOPLE:
            people.add(session, handle, name=name, roles=roles, by=by)
