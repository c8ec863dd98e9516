"""Kills in a study: a program that leads a sitting dies at a named point of a trial, and what it acknowledged is there.

The child shows a real sitting in real windows and answers it by keys. It prints ``ACK <number> <hash>`` when the
program itself was told that a fact is on disk, and sends itself the signal at the wanted point: at that instant, not
some time after.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from annotation import canonical
from annotation.store.opening import open_store
from studies import sittings
from studies.facts import Fact
from studies.trial_run import POINTS

SIGNALS = {"KILL": signal.SIGKILL, "TERM": signal.SIGTERM, "SEGV": signal.SIGSEGV}
STUDY = """\
id: to-be-killed
version: 1
title: To be killed
protocol: puzzles
question: fits
items: {where: {use: [main, practice]}}
correct: {field: right}
conditions:
  - {name: bare, shows: [text]}
  - {name: helped, shows: [text, hint]}
people: 4
blocks: {count: 2}
practice: {where: {use: [practice]}, items: 2}
trial: {fixation: 0.02, gap: [0.02, 0.03], deadline: 20, feedback: 0.02}
answers: {keys: [[f, j]]}
languages:
  en: {consent: Will you?, instructions: [Look.], break: A break., debrief: Thank you.}
seed: 5
"""
AFTER = 2  # the signal comes when a point is reached for this time: one trial at least was finished before
PATIENCE = 120


@dataclass(frozen=True)
class Life:
    """What one process did. ``acknowledged``: number -> hash of the facts that it knew to be on disk."""

    code: int
    acknowledged: dict[int, str]
    points: tuple[str, ...]
    ended: str
    words: str


def live(project: Path, study: str, *, point: str = "", by: str = "KILL", resume: bool = False) -> Life:
    """Let a child sit until it dies at ``point`` (or, with none, until the sitting is over)."""
    command = [sys.executable, "-P", "-m", "tests.study_kills", str(project), study, "--point", point, "--by", by]
    child = subprocess.run(command + ["--resume"] * resume, capture_output=True, text=True, timeout=PATIENCE,
                           stdin=subprocess.DEVNULL, check=False)
    lines = [line.split() for line in child.stdout.splitlines()]
    return Life(child.returncode, {int(line[1]): line[2] for line in lines if line[0] == "ACK"},
                tuple(line[1] for line in lines if line[0] == "AT"),
                next((line[1] for line in lines if line[0] == "ENDED"), ""),
                child.stdout[-500:] + child.stderr[-2000:])


def facts_of(project: Path, study: str) -> tuple[sittings.SittingView, tuple[Fact, ...]]:
    """The only sitting of a study and its facts."""
    with open_store(project) as store, store.read() as session:
        (view,) = sittings.of_study(session, study)
        return view, sittings.facts(session, view.id)


def sha256(fact: Fact) -> str:
    return canonical.sha256(asdict(fact))


def sit(project: Path, study: str, *, point: str, by: str, resume: bool) -> None:
    """The child."""
    from PySide6.QtWidgets import QApplication

    from app import theme
    from app.jobs import Jobs
    from app.stage.kiosk import Stage, Wanted
    from tests.participant import Participant
    from tests.study_world import who

    class TellingJobs(Jobs):
        """Says what is acknowledged, when it is."""

        def run(self, owner: Any, fn: Any, *args: Any, then: Any = None, **more: Any) -> None:
            def told(result: Any) -> None:
                if fn.__name__ == "_append":
                    _sitting, first, facts, _end = args
                    for number, fact in enumerate(facts, first):
                        _say(f"ACK {number} {sha256(fact)}")
                if then is not None:
                    then(result)

            super().run(owner, fn, *args, then=told, **more)

    app = QApplication(sys.argv[:1])
    theme.apply(app)
    seen = 0

    def reached(name: str) -> None:
        nonlocal seen
        _say(f"AT {name}")
        seen += name == point
        if seen == AFTER:
            os.kill(os.getpid(), SIGNALS[by])

    with open_store(project) as store:
        with store.read() as session:
            eve = who(session)
        jobs = TellingJobs(store)
        stage = Stage(jobs, Wanted(study, language="en", resume=resume), by=eve, full_screen=False, method="raster")
        stage.began.connect(lambda runner: runner.reached.connect(reached))
        sitter = Participant(stage)
        stage.ended.connect(app.quit)
        stage.open()
        app.exec()
        jobs.close()
        _say(f"ENDED {sitter.ended}")


def _say(line: str) -> None:
    os.write(1, line.encode() + b"\n")  # one write, so no half line is left behind


def main(argv: Iterable[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("project", type=Path)
    parser.add_argument("study")
    parser.add_argument("--point", default="", choices=("", *POINTS))
    parser.add_argument("--by", default="KILL", choices=SIGNALS)
    parser.add_argument("--resume", action="store_true")
    wish = parser.parse_args(list(argv))
    sit(wish.project, wish.study, point=wish.point, by=wish.by, resume=wish.resume)


if __name__ == "__main__":
    main(sys.argv[1:])
