"""The demo project: twelve invented items, three annotators, a physician and an owner."""

from __future__ import annotations

import os
from pathlib import Path

from annotation import importing, people, protocol
from annotation.store import opening

PROTOCOL = "cancer-myth-verify"
OWNER = "demo"
PEOPLE = (("ana", "", ("annotator",)), ("ben", "", ("annotator",)), ("cem", "", ("annotator",)),
          ("dr-eva", "Dr. Eva", ("verifier", "physician")))


def home() -> Path:
    """The folder of everything that belongs to the person: GOLDSMITH_HOME, or the platform's place."""
    if named := os.environ.get("GOLDSMITH_HOME"):
        return Path(named)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "goldsmith"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "goldsmith"


def ensure() -> Path:
    """The path of the demo project, made at first use."""
    path = home() / "demo.goldsmith"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        make(path)
    return path


def make(path: Path) -> None:
    """A new demo project at ``path``; Refused where one stands already."""
    chosen = protocol.load(protocol.find(PROTOCOL))
    with opening.create(path, protocol=chosen, title="Demo: false presuppositions", owner=OWNER) as store:
        with store.read() as session:
            by = people.find(session, OWNER).id
        importing.import_file(store, protocol.sample_file(PROTOCOL), recipe=PROTOCOL, by=by)
        with store.write() as session:
            for handle, name, roles in PEOPLE:
                people.add(session, handle, name=name, roles=roles, by=by)
