"""Projects as they look after a morning's work: for pictures of pages that have something to show."""

from __future__ import annotations

import json
import random
import tempfile
from itertools import combinations
from pathlib import Path
from typing import Any

from sqlalchemy import select

from annotation import answers_in, importing, notes, people, protocol, review, tasks
from annotation.answers import Answers, Slot
from annotation.store import opening
from annotation.store.tables import Item
from app import demo
from exports import release
from exports.bundle import write_bundle

ANNOTATORS = ("ana", "ben", "cem")
# One word an item: what ana, ben and cem say. k sound, r needs a repair, u unsound, n the assumption is not false.
VOTES = ("kkk", "kkk", "kku", "kkn", "nnn", "kru", "kkk", "nkn", "urk", "kkk", "ruk", "kkk")
REPAIRED = "Ask the care team before changing anything."
LEFT_OPEN = {"ana": (9, 10, 11), "ben": (11,), "cem": (10,)}  # places in VOTES, so that something waits
SECONDS = (31, 24, 58, 44, 19, 73, 27, 36, 52, 22, 41, 30)


def make(path: Path) -> None:
    """A demo project at ``path`` with answers of three people, a flag, and a query that was answered."""
    demo.make(path)
    with opening.open_store(path) as store:
        for n, handle in enumerate(ANNOTATORS):
            with store.read() as session:
                person = people.find(session, handle).id
            for at, key in enumerate(demo.keys()):
                if at not in LEFT_OPEN[handle]:
                    with store.write() as session:
                        _answer(session, person, key, at, n)
        with store.write() as session:
            ana, owner = people.find(session, "ana").id, people.find(session, demo.OWNER).id
            [mine, *_] = tasks.mine(session, ana, limit=1)
            asked = notes.open_query(session, mine.item, person=ana, text="Does “adjuvant” mean after surgery here?")
            notes.answer_query(session, asked.value, by=owner, text="Yes, after surgery; the guideline says so now.",
                               closes=True)
            notes.flag(session, mine.item, person=ana, text="The wording is hard to follow.")


def _answer(session: Any, person: Any, key: str, at: int, n: int) -> None:
    task = tasks.claim_key(session, person, key, "annotate")
    tasks.submit(session, task.id, answers_of(VOTES[at][n]), active_ms=1000 * (SECONDS[at] + 4 * n),
                 wall_ms=1300 * (SECONDS[at] + 4 * n))


def answers_of(said: str) -> Answers:
    """One person's answers to the questions of cancer-myth-verify, from one letter of VOTES."""
    if said == "n":
        return {"is_false": {"v": "no"}}
    given = {"is_false": {"v": "yes"}, "sound": {"v": {"k": "yes", "r": "repair", "u": "no"}[said]}}
    return {**given, "repaired": {"v": REPAIRED}} if said == "r" else given


# --- releases -------------------------------------------------------------------------------------------------

SECOND = "dr-otto"                               # may decide again what Dr. Eva has decided
SCORED = {"north-large": (1, 1, 0, 1, 1, 1), "east-small": (1, -1, 0, 1, -1, 0)}  # invented systems, judged in turn


def make_released(path: Path, folder: Path) -> dict[str, Any]:
    """As ``make``, then two drafts with a decision between them; what Score opens: a bundle and files in ``folder``."""
    make(path)
    bundle, files = folder / "bundle", [folder / f"{name}.jsonl" for name in SCORED]
    with opening.open_store(path) as store:
        with store.write() as session:
            owner, eva = people.find(session, demo.OWNER).id, people.find(session, "dr-eva").id
            people.add(session, SECOND, name="Dr. Otto", roles=("physician",), by=owner)
            release.draw(session, by=owner, note="Before anything was decided")
        with store.write() as session:
            for due in review.adjudication_queue(session, eva):
                review.adjudicate(session, due.item, {slot: {"v": "yes"} for slot in due.slots}, by=eva,
                                  reason="The guideline says so.")
            [overruled] = session.scalars(select(Item.id).where(Item.key == demo.keys()[0]))
            review.adjudicate(session, overruled, {Slot("sound"): {"v": "no"}}, by=eva, reason="The dose is wrong.")
        with store.write() as session:
            release.draw(session, by=owner)
        with store.read() as session:
            write_bundle(session, bundle)
            write_bundle(session, folder / "bundle-before", version="0.1")
    rows = [json.loads(line) for line in (bundle / "public" / "gold.jsonl").read_text("utf-8").splitlines()]
    for file, scores in zip(files, SCORED.values(), strict=True):
        file.write_text("".join(json.dumps({"id": one, "judge_score": scores[n % len(scores)]}) + "\n"
                                for n, one in enumerate(sorted({row["id"] for row in rows}))), "utf-8")
    return {"bundle": str(bundle), "files": [str(file) for file in files], "other": str(folder / "bundle-before")}


# --- pairs ----------------------------------------------------------------------------------------------------

PAIRS = "trustjudge"
JUDGE = "judge-a"                                # a machine; simulated, and called so
# How good the invented systems are, and how often each judge errs or takes what stands first.
SYSTEMS = {"north": 5, "east": 4, "south": 3, "west": 2}
JUDGES = {"ana": (0.10, 0.0), "ben": (0.15, 0.10), "cem": (0.25, 0.15), JUDGE: (0.20, 0.30)}
PROMPTS = 8


def make_pairs(path: Path) -> None:
    """A project at ``path`` in which three people and a machine, all of them simulated, rate and compare answers."""
    shelf = protocol.find(PAIRS).read_text("utf-8")
    chosen = protocol.loads(shelf.replace("people_per_item: 3", f"people_per_item: {len(JUDGES)}"))
    rows: list[dict[str, Any]] = [
        {"id": f"p{n}-{name}", "question": f"Invented question {n}?", "answer": _text(n, name), "pass": "rating"}
        for n in range(1, PROMPTS + 1) for name in SYSTEMS]
    rows += [{"id": f"p{n}-{one}-{other}", "question": f"Invented question {n}?", "pass": "pair",
              "responses": [{"id": name, "text": _text(n, name)} for name in (one, other)]}
             for n in range(1, PROMPTS + 1) for one, other in combinations(SYSTEMS, 2)]
    with tempfile.TemporaryDirectory() as folder, opening.create(
            path, protocol=chosen, title="Demo: pairs, judged by simulated people", owner=demo.OWNER) as store:
        file = Path(folder) / "pairs.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        with store.read() as session:
            by = people.find(session, demo.OWNER).id
        importing.import_file(store, file, by=by)
        with store.write() as session:
            for handle in JUDGES:
                machine = handle == JUDGE
                people.add(session, handle, name="Simulated judge" if machine else f"{handle.capitalize()} (simulated)",
                           roles=("annotator",), kind="machine" if machine else "human", by=by)
        for handle in ANNOTATORS:
            with store.read() as session:
                person = people.find(session, handle).id
            while True:
                with store.write() as session:
                    task = tasks.next_task(session, person)
                    if task is None:
                        break
                    shown = (task.order or {}).get("candidates", {}).get("responses", ())
                    tasks.submit(session, task.id, _judged(handle, task.key, tuple(shown)),
                                 active_ms=1000 * random.Random(f"{task.key} {handle}").randint(4, 40))
        answers = Path(folder) / "answers.jsonl"
        said = [{"item": row["id"], "person": JUDGE, "question": name, "answer": one["v"]}
                for row in rows for name, one in _judged(JUDGE, str(row["id"]), ()).items()]
        answers.write_text("".join(json.dumps(row) + "\n" for row in said), "utf-8")
        answers_in.import_answers(store, answers, by=by)


def _text(n: int, name: str) -> str:
    return " ".join([f"The invented answer of {name} to question {n}."] * (1 + (n + SYSTEMS[name]) % 4))


def _judged(handle: str, key: str, shown: tuple[str, ...]) -> dict[str, Any]:
    """The answer of one judge: what he holds the systems for, now and then in error or what stands first. Chance is
    the same in every project, whatever order the items come in."""
    rng = random.Random(f"{handle} {key}")
    errs, leans = JUDGES[handle]
    _, *named = key.split("-")
    if len(named) == 1:
        return {"rating": {"v": min(5, max(1, SYSTEMS[named[0]] + (rng.choice((-1, 1)) if rng.random() < 0.4 else 0)))}}
    if shown and rng.random() < leans:
        return {"preference": {"v": shown[0]}}
    better, worse = sorted(named, key=lambda name: -SYSTEMS[name])
    if SYSTEMS[better] - SYSTEMS[worse] == 1 and rng.random() < 0.2:
        return {"preference": {"v": "tie"}}
    return {"preference": {"v": worse if rng.random() < errs else better}}
