"""A project with a small timed study: items with a private right answer, seen bare or with help."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from PIL import Image

from annotation import items, people, protocol
from annotation.items import CandidateItem
from annotation.store.opening import create
from annotation.store.project import Store
from studies import keeping, sittings
from studies.facts import Event, Fact, TrialRecord
from studies.sittings import OpenSitting, SittingView

PROTOCOL = """\
id: puzzles
version: 1
title: Puzzles
fields:
  - {name: text, kind: text, label: Text, required: true}
  - {name: hint, kind: text, label: Hint}
  - {name: kind, kind: tag, label: Kind}
  - {name: use, kind: tag, label: Use}
  - {name: right, kind: tag, label: Right answer, private: true}
questions:
  - {name: fits, type: choice, text: Does it fit?, options: [{value: "yes"}, {value: "no"}]}
workflow: {stages: [annotate], people_per_item: 2, blind: true}
gold: {fits: {rule: majority}}
"""
STUDY = """\
id: with-help
version: 1
title: With and without help
protocol: puzzles
question: fits
items: {where: {use: [main, practice]}}
correct: {field: right}
conditions:
  - {name: bare, shows: [text]}
  - {name: helped, shows: [text, hint]}
strata: [kind]
task: kind
people: 4
practice: {where: {use: [practice]}, items: 2, correct: 1}
trial: {fixation: 0.1, gap: [0.1, 0.2], deadline: 20}
answers: {keys: [[f, j], [j, f]]}
languages:
  en: {consent: Will you?, instructions: [Look., Answer.], debrief: Thank you.}
  de: {consent: Wollen Sie?, instructions: [Schauen.], debrief: Danke.}
exclusion: {rt: cutoffs, lowest: 0.2, highest: 20}
analysis: {compare: [bare, helped]}
seed: 11
"""


# With pictures, where "helped" shows one of its own and one that all items share, and "bare" shows none.
PICTURED = STUDY.replace("shows: [text, hint]", "shows: [text, drawn, hint]")


def make_pictured(place: Path | str, *, n: int = 8) -> Store:
    """The same items, but each comes with pictures."""
    text = PROTOCOL.replace("  - {name: hint", "  - {name: drawn, kind: images}\n  - {name: hint")
    store = create(place, protocol=protocol.loads(text), title="Puzzles", owner="demo")
    with store.write() as session:
        owner = people.find(session, "demo").id
        people.add(session, "eve", roles=["experimenter"], by=owner)
        shared = store.media.put(_png("#2040c0"), name="shared.png")
        for i in range(n + 2):
            own = store.media.put(_png((200, 20 * i, 30)), name="own.png")
            use = "main" if i < n else "practice"
            items.upsert(session, [CandidateItem(
                key=f"p{i:04d}", secret={"right": "yes" if i % 4 < 2 else "no"}, tags=(("use", use),),
                fields={"text": f"text {i}", "hint": "a hint", "kind": "flat" if i % 2 else "solid", "use": use,
                        "drawn": [{"id": f"d{m}", "name": "", "image": {"sha256": one.sha256, "path": "x.png"}}
                                  for m, one in enumerate((own, shared))]},
                media=tuple(("drawn", f"d{m}", one.sha256, "x.png") for m, one in enumerate((own, shared))))],
                by=owner, media={one.sha256: one for one in (own, shared)})
    return store


def _png(colour: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (8, 6), colour).save(out, "PNG")
    return out.getvalue()


def make(place: Path | str, *, n: int = 8) -> Store:
    """``n`` items in earnest, two for practice, one that no study takes; ana annotates, eve is an experimenter."""
    store = create(place, protocol=protocol.loads(PROTOCOL), title="Puzzles", owner="demo")
    with store.write() as session:
        owner = people.find(session, "demo").id
        people.add(session, "ana", roles=["annotator"], by=owner)
        people.add(session, "eve", roles=["experimenter"], by=owner)
        add_items(session, [f"a{i:04d}" for i in range(n)], by=owner)
        add_items(session, ["try-1", "try-2"], by=owner, use="practice")
        add_items(session, ["left-out"], by=owner, use="other")
    return store


@pytest.fixture(name="store")
def a_store(request, tmp_path):
    """A folder; a test that takes ``place``, too, runs on a server as well."""
    where = request.getfixturevalue("place") if "place" in request.fixturenames else tmp_path / "P.goldsmith"
    with make(where) as made:
        yield made


@pytest.fixture(name="study")
def a_study(store):
    """The hash of the study, kept in ``store``."""
    return add(store)


def add_items(session: Any, keys: Iterable[str], *, by: UUID, use: str = "main") -> None:
    items.upsert(session, [CandidateItem(
        key=key, fields={"text": f"text of {key}", "hint": f"hint to {key}", "kind": "flat" if n % 2 else "solid",
                         "use": use},
        secret={"right": "yes" if n % 4 < 2 else "no"}, tags=(("kind", "flat" if n % 2 else "solid"), ("use", use)))
        for n, key in enumerate(keys)], by=by)


def who(session: Any, handle: str = "eve") -> UUID:
    return people.find(session, handle).id


def add(store: Store, text: str = STUDY, **more: Any) -> str:
    with store.write() as session:
        return keeping.add(session, text, by=who(session), **more).value


def begin(store: Store, study: str, **more: Any) -> OpenSitting:
    with store.write() as session:
        return keeping.begin(session, study, by=who(session), **more).value


def append(store: Store, sitting: UUID, seq: int, fact: Fact) -> None:
    """One fact in one transaction: what a runner does before it shows the next screen."""
    with store.write() as session:
        keeping.append(session, sitting, seq, fact)


def end(store: Store, sitting: UUID, state: str, reason: str = "") -> None:
    with store.write() as session:
        keeping.end(session, sitting, state, reason)


def trial(opened: OpenSitting, block: int, position: int, *, attempt: int = 1, **more: Any) -> TrialRecord:
    """A trial answered with its first option after a second."""
    said = {"outcome": "answered", "response": opened.plan.trial(block, position).options[0], "onset_us": 5_000_000,
            "rt_us": 1_000_000 + position, "rt_receipt_us": 1_001_000 + position,
            "quality": {"key_time_source": "event", "flags": []}, **more}
    return TrialRecord(block, position, attempt, **said)


def whole(opened: OpenSitting) -> list[Fact]:
    """Everything of a sitting without trouble."""
    found: list[Fact] = [Event("started", 0, {"again": False}), Event("consent", 10)]
    for number, block in enumerate(opened.plan.blocks):
        found.append(Event("block_begun", 20, {"block": number}))
        found += [trial(opened, number, position) for position in range(len(block.trials))]
    return [*found, Event("debrief", 30, {"comment": ""}), Event("ended", 40)]


def sit(store: Store, study: str, *, state: str = "completed", **more: Any) -> OpenSitting:
    """Somebody sits for the whole of it."""
    opened = begin(store, study, **more)
    with store.write() as session:
        for seq, fact in enumerate(whole(opened)):
            keeping.append(session, opened.id, seq, fact)
    end(store, opened.id, state)
    return opened


def view(store: Store, study: str, number: int = 0) -> SittingView:
    """One of the sittings, in the order in which they were begun."""
    with store.read() as session:
        return sittings.of_study(session, study)[number]


def facts(store: Store, sitting: UUID) -> tuple[Fact, ...]:
    with store.read() as session:
        return sittings.facts(session, sitting)
