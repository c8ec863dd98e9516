"""The kill test: a program that saves is killed at a random instant, again and again; what it acknowledged is there.

The child prints ``ACK <revision id, 32 hex>`` after the commit and not before; the parent kills it with a
signal that nothing can catch, opens the project and looks. By hand: ``python3 dev.py reliability --kills 1000``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO
from uuid import UUID

from sqlalchemy import select, text

from annotation import doctor, importing, people, tasks
from annotation.protocol import loads
from annotation.store import opening
from annotation.store.tables import Revision

PROTOCOL = """\
id: kill-test
version: 1
title: Saved is saved
fields:
  - {name: text, kind: text, label: Text, required: true}
questions:
  - {name: colour, type: choice, text: Which colour?, options: [{value: red}, {value: blue}]}
  - {name: why, type: text, text: Why?}
workflow: {stages: [annotate], people_per_item: 2, blind: true}
gold: {colour: {rule: majority, min_people: 2}}
"""
HANDLES = ("ana", "ben", "cem")
ITEMS_PER_KILL = 10
DOCTOR_EVERY = 50  # the whole examination grows with the project; it also follows the last kill


@dataclass
class Report:
    """``found`` of the ``acknowledged`` are there, ``lost`` are not; ``extra`` are there unacknowledged."""

    kills: int = 0
    acknowledged: int = 0
    found: int = 0
    lost: int = 0
    extra: int = 0
    integrity: str = "ok"
    doctor_faults: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.lost and self.extra <= self.kills and self.integrity == "ok" and not self.doctor_faults


def run(kills: int, *, folder: Path, seed: int = 0) -> Report:
    """Kill a child ``kills`` times over one project in ``folder``."""
    project = folder / "kills.goldsmith"
    make(project, n_items=max(60, kills * ITEMS_PER_KILL))
    chance = random.Random(seed)
    report = Report()
    known: set[UUID] = set()
    for _ in range(kills):
        acknowledged = kill_one(project, HANDLES[report.kills % len(HANDLES)], chance)
        report.kills += 1
        whole = report.kills == kills or report.kills % DOCTOR_EVERY == 0
        known |= look(project, report, acknowledged, known, whole=whole)
    return report


def make(project: Path, *, n_items: int) -> None:
    """A project at ``project`` with people and items, by the verbs that people use."""
    file = project.with_name("items.jsonl")
    rows = ({"id": f"item {n}", "text": f"Text {n}"} for n in range(n_items))
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with opening.create(project, protocol=loads(PROTOCOL), title="Kills", owner="owner") as store:
        with store.write() as session:
            owner = people.find(session, "owner").id
            for handle in HANDLES:
                people.add(session, handle, roles=("annotator",), by=owner)
        importing.import_file(store, file, by=owner)


def kill_one(project: Path, handle: str, chance: random.Random) -> set[UUID]:
    """Start a child, kill it some instant after it is ready (at times before), and return what it acknowledged."""
    command = [sys.executable, "-P", "-m", "tests.reliability", "--child", str(project), "--as", handle,
               "--seed", str(chance.randrange(1 << 30))]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    assert child.stdout is not None
    with child.stdout as pipe:
        lines = _read_some(pipe, chance)
        child.kill()
        lines += pipe.read().splitlines()
    code = child.wait()
    assert code not in (0, 1), "the child was to be killed while it worked, but it ended by itself"
    return {UUID(hex=line[4:].decode()) for line in lines if line.startswith(b"ACK ")}


def _read_some(pipe: IO[bytes], chance: random.Random) -> list[bytes]:
    """Wait for an instant at random: after some acknowledged answers, by a part of the time that one takes here.

    At times the child has not even opened the project. Counted in answers and not in seconds, so that a busy machine
    is killed as much at work as an idle one.
    """
    if chance.random() < 0.05:
        time.sleep(chance.uniform(0, 1))
        return []
    assert pipe.readline() == b"READY\n"
    lines: list[bytes] = []
    began = time.monotonic()
    for _ in range(chance.randrange(6)):
        began = time.monotonic()
        lines.append(pipe.readline().rstrip(b"\n"))
    one_takes = time.monotonic() - began if lines else 0.05
    time.sleep(chance.uniform(0, 2 * one_takes))
    return lines


def look(project: Path, report: Report, acknowledged: set[UUID], known: set[UUID], *, whole: bool) -> set[UUID]:
    with opening.open_store(project) as store:
        with store.read() as session:
            there = set(session.scalars(select(Revision.id)))
            integrity = session.execute(text("PRAGMA integrity_check")).scalar_one()
        if whole:
            report.doctor_faults += [str(fault) for fault in doctor.doctor(store)["faults"]]
    fresh = there - known
    extra = fresh - acknowledged
    report.acknowledged += len(acknowledged)
    report.found += len(acknowledged & there)
    report.lost += len(acknowledged - there) + len(known - there)
    report.extra += len(extra)
    if len(extra) > 1:
        report.doctor_faults.append(f"{len(extra)} revisions more than acknowledged after one kill")
    if integrity != "ok":
        report.integrity = integrity
    return fresh


def work(project: Path, handle: str, seed: int) -> None:
    """The child: take a task, save a draft, submit, acknowledge, without end; what is done is answered anew."""
    chance = random.Random(seed)
    with opening.open_store(project) as store:
        with store.read() as session:
            person = people.find(session, handle).id
        _say("READY")
        while True:
            with store.write() as session:
                task = tasks.next_task(session, person)
                if task is None:
                    old = chance.choice(tasks.mine(session, person))
                    task = tasks.reopen(session, old.revision, person=person)
            why = "because " * chance.randrange(1, 50)
            answers = {"colour": {"v": chance.choice(("red", "blue"))}, "why": {"v": why.strip()}}
            if chance.random() < 0.5:
                with store.write() as session:
                    tasks.save_draft(session, task.id, answers)
            with store.write() as session:
                done = tasks.submit(session, task.id, answers, active_ms=1200, wall_ms=1500)
            _say(f"ACK {done.value.hex}")


def _say(line: str) -> None:
    os.write(1, line.encode() + b"\n")  # one write, so no half line is left behind


def main(argv: Iterable[str]) -> int:
    parser = argparse.ArgumentParser(prog="dev.py reliability", description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=30, metavar="N")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--as", dest="handle", help=argparse.SUPPRESS)
    wish = parser.parse_args(list(argv))
    if wish.child:
        work(wish.child, wish.handle, wish.seed)
    if wish.kills < 1:
        parser.error("--kills wants a number above 0")
    with tempfile.TemporaryDirectory(prefix="goldsmith-kills-") as folder:
        report = run(wish.kills, folder=Path(folder), seed=wish.seed)
    if wish.json:
        print(json.dumps(asdict(report)))
    else:
        print(f"{report.kills} kills: {report.acknowledged} acknowledged, {report.lost} lost, {report.extra} more; "
              f"integrity {report.integrity}; {len(report.doctor_faults)} faults of doctor")
        print(*report.doctor_faults, sep="\n", end="")
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
