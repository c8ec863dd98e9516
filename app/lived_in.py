"""The demo project as it looks after a morning's work: for pictures of pages that have something to show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation import notes, people, tasks
from annotation.answers import Answers
from annotation.store import opening
from app import demo

ANNOTATORS = ("ana", "ben", "cem")
# One word an item: what ana, ben and cem say. k sound, r needs a repair, u unsound, n the assumption is not false.
VOTES = ("kkk", "kkk", "kku", "kkn", "nnn", "kru", "kkk", "nkn", "uuk", "kkk", "ruk", "kkk")
REPAIRED = "Ask the care team before changing anything."
LEFT_OPEN = {"ana": 3, "ben": 1, "cem": 1}  # so that something waits
SECONDS = (31, 24, 58, 44, 19, 73, 27, 36, 52, 22, 41, 30)


def make(path: Path) -> None:
    """A demo project at ``path`` with answers of three people, a flag, and a query that was answered."""
    demo.make(path)
    with opening.open_store(path) as store:
        for n, handle in enumerate(ANNOTATORS):
            with store.read() as session:
                person = people.find(session, handle).id
            for _ in range(len(VOTES) - LEFT_OPEN[handle]):
                with store.write() as session:
                    _answer_next(session, person, n)
        with store.write() as session:
            ana, owner = people.find(session, "ana").id, people.find(session, demo.OWNER).id
            [mine, *_] = tasks.mine(session, ana, limit=1)
            asked = notes.open_query(session, mine.item, person=ana, text="Does “adjuvant” mean after surgery here?")
            notes.answer_query(session, asked.value, by=owner, text="Yes, after surgery; the guideline says so now.",
                               closes=True)
            notes.flag(session, mine.item, person=ana, text="The wording is hard to follow.")


def _answer_next(session: Any, person: Any, n: int) -> None:
    task = tasks.next_task(session, person)
    if task is None:
        return
    at = int("".join(c for c in task.key if c.isdigit()) or 1) - 1
    answers = answers_of(VOTES[at % len(VOTES)][n])
    tasks.submit(session, task.id, answers, active_ms=1000 * (SECONDS[at % len(SECONDS)] + 4 * n),
                 wall_ms=1300 * (SECONDS[at % len(SECONDS)] + 4 * n))


def answers_of(said: str) -> Answers:
    """One person's answers to the questions of cancer-myth-verify, from one letter of VOTES."""
    if said == "n":
        return {"is_false": {"v": "no"}}
    given = {"is_false": {"v": "yes"}, "sound": {"v": {"k": "yes", "r": "repair", "u": "no"}[said]}}
    return {**given, "repaired": {"v": REPAIRED}} if said == "r" else given
