"""A project of puzzles for which simulated people have sat: for pictures of the page Studies."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from annotation import people
from annotation.store import opening
from annotation.store.project import Store
from studies import keeping, participants, sittings
from studies.facts import Event, TrialRecord
from studies.puzzles import demo
from studies.sittings import OpenSitting

STUDY, PEOPLE = "stare", 5
SECONDS = {"without": 14.0, "with": 9.0}  # invented, as everything that these people did


def make(folder: Path) -> Path:
    """The demo of puzzles in ``folder``; four simulated people completed the study, the fifth is under way.

    Their handles begin with "simulated", so that nobody takes them for people wherever they are shown.
    """
    demo.make(folder, per=2, seed=1)
    project = folder / "demo.goldsmith"
    with opening.open_store(project) as store:
        with store.read() as session:
            [hash] = [view.hash for view in sittings.studies(session) if view.id == STUDY][:1]
        for n in range(PEOPLE):
            _sit(store, hash, n, whole=n < PEOPLE - 1)
    return project


def _sit(store: Store, hash: str, n: int, *, whole: bool) -> None:
    draw = random.Random(n)
    with store.write() as session:
        [by] = [view.id for view in people.people(session) if "owner" in view.roles][:1]
        handle = participants.make(session, by=by, handle=f"simulated-{n + 1}")
        opened: OpenSitting = keeping.begin(session, hash, participant=handle, by=by, language="en").value
        facts: list[Event | TrialRecord] = [Event("started", 0, {"again": False}), Event("consent", 10)]
        facts += [_answered(opened, draw, block, position) for block, position, _ in opened.plan.each()]
        facts = facts if whole else facts[:len(facts) // 2]
        for seq, fact in enumerate(facts):
            keeping.append(session, opened.id, seq, fact)
        if whole:
            keeping.end(session, opened.id, "completed", by=by)


def _answered(opened: OpenSitting, draw: random.Random, block: int, position: int) -> TrialRecord:
    planned = opened.plan.trial(block, position)
    seconds = max(0.8, draw.gauss(SECONDS.get(planned.condition, 10.0), 2.5))
    right = planned.correct is not None and draw.random() < 0.93
    record = TrialRecord(block, position, 1, "answered", planned.correct if right else planned.options[0], 1_000_000,
                         round(seconds * 1e6), round(seconds * 1e6) + 900, {"key_time_source": "event", "flags": []})
    return replace(record, response=record.response or planned.options[-1])
