"""The tour: every step through the windows, then compared with what another process reports."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before Qt: the tour wants no screen

from annotation import protocol
from annotation.errors import N_, Refused, Unknown
from app import demo
from app.tour import acts, plan
from app.tour.check import Steps, ask
from app.tour.hands import PAGES, Hands

VERSION = "1.0"
THEMES = ("light", "dark")
NOTE = "simulated: these scores come from no model"


def tour(out: str | Path, *, without: str | None = None, say: Callable[[str], None]) -> dict[str, Any]:
    """Do the whole job in the new folder ``out``; returns what ``tour --json`` prints (see docs/cli.md)."""
    if without is not None and without not in plan.ANNOTATORS:
        raise Unknown(N_("The tour has no annotator '{name}'. It has: {known}."), name=without,
                      known=", ".join(plan.ANNOTATORS))
    folder = _new_folder(Path(out))
    begun = time.monotonic()
    before = os.environ.get("GOLDSMITH_HOME")
    os.environ["GOLDSMITH_HOME"] = str(folder / "home")  # the person's own settings are left alone
    try:
        steps = _Tour(folder, without, say).run()
    finally:
        if before is None:
            del os.environ["GOLDSMITH_HOME"]
        else:
            os.environ["GOLDSMITH_HOME"] = before
    data = {"seconds": round(time.monotonic() - begun, 1), "steps": steps.rows, "failed": steps.failed}
    (folder / "tour.json").write_text(json.dumps(
        {"ok": not steps.failed, "schema": "goldsmith/tour/1", **data}, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return data


def _new_folder(folder: Path) -> Path:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(N_("{folder} is not empty; the tour wants a new or empty folder"), code="exists", folder=folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise Refused(N_("{folder} cannot be made: {why}"), code="unwritable", folder=folder,
                      why=fault.strerror or "unknown") from None
    return folder.resolve()


class _Tour:
    def __init__(self, folder: Path, without: str | None, say: Callable[[str], None]) -> None:
        self.folder, self.without = folder, without
        self.project, self.bundle = folder / "demo.goldsmith", folder / "bundle"
        self.predictions = [folder / "predictions" / f"{name}.jsonl" for name in ("careful", "hasty")]
        self.steps = Steps(say)
        self.keys: list[str] = []
        self.verified: frozenset[int] = frozenset()
        self.manifest = ""

    def run(self) -> Steps:
        self.set_up()
        self.answer()
        self.agree()
        self.adjudicate()
        self.sign()
        self.release()
        self.verify()
        self.score()
        self.draw_pages()
        return self.steps

    def compare(self, name: str, expected: Any, reported: Callable[[dict[str, Any]], Any], *words: str) -> None:
        answer = ask(*words)
        self.steps.compare(name, expected, answer["error"]["message"] if "error" in answer else reported(answer),
                           list(words))

    def status(self, name: str, expected: Any, reported: Callable[[dict[str, Any]], Any]) -> None:
        self.compare(name, expected, reported, "status", str(self.project))

    # --- the steps, in order ----------------------------------------------------------------------------------

    def set_up(self) -> None:
        demo.begin(self.project)
        self.status("new", {"protocol": demo.PROTOCOL, "items": 0},
                    lambda a: {"protocol": a["protocol"]["id"], "items": a["items"]["total"]})
        demo.bring_in(self.project)
        self.status("import", len(plan.VOTES), lambda a: a["items"]["active"])
        demo.invite(self.project)
        self.status("people", sorted([*plan.ANNOTATORS, plan.PHYSICIAN, plan.OWNER]),
                    lambda a: sorted(p["handle"] for p in a["people"]))
        self.keys = sorted(demo.keys())

    def answer(self) -> None:
        for n, person in enumerate(plan.ANNOTATORS):
            said = {key: plan.VOTES[at][n] for at, key in enumerate(self.keys)}
            acts.answer_all(self.project, person, said, presses=person != self.without)
            self.status(f"answers:{person}", len(said), lambda a, person=person: next(
                p["submitted"] for p in a["people"] if p["handle"] == person))

    def agree(self) -> None:
        self.compare("agreement", {name: plan.alpha(name) for name in ("is_false", "sound")},
                     lambda a: {r["question"]: r["value"] for r in a["results"]},
                     "agreement", str(self.project), "--question", "is_false", "--question", "sound",
                     "--metric", "krippendorff_alpha", "--level", "nominal")

    def adjudicate(self) -> None:
        """The physician verifies what was drawn, then decides; the owner decides what she has answered herself."""
        said = {key: plan.PHYSICIAN_SAYS[at] for at, key in enumerate(self.keys)}
        self.verified = frozenset(map(self.keys.index, acts.answer_all(self.project, plan.PHYSICIAN, said)))
        due = {self.keys[at] for at in range(len(self.keys)) if plan.undecided(at, verified=self.verified)}
        asked = protocol.load(protocol.find(demo.PROTOCOL)).question("sound")
        labels = {option.value: f"{asked.text}: {option.label}" for option in asked.options_for({})}
        wanted = {key: labels[said[key].sound or ""] for key in due}
        hers = {key: words for key, words in wanted.items() if self.keys.index(key) not in self.verified}
        acts.adjudicate_all(self.project, plan.PHYSICIAN, hers)
        if len(hers) < len(wanted):
            acts.adjudicate_all(self.project, plan.OWNER, wanted)
        self.status("adjudicate", {"due": 0, "done": len(due), "verified": len(self.verified)},
                    lambda a: {**a["adjudication"], "verified": a["stages"]["verify"]["judgements"]})

    def sign(self) -> None:
        acts.sign_all(self.project, plan.PHYSICIAN)
        self.status("sign", len(self.keys), lambda a: a["signed"])

    def release(self) -> None:
        acts.release_and_export(self.project, plan.OWNER, VERSION, self.bundle)
        answer = ask("status", str(self.project))
        if answer.get("releases"):
            self.manifest = answer["releases"][-1]["manifest_sha256"]
        self.status("release", [{"version": VERSION, "kind": "final"}],
                    lambda a: [{"version": r["version"], "kind": r["kind"]} for r in a["releases"]])

    def verify(self) -> None:
        kept = sum(1 for at in range(len(self.keys)) if plan.is_kept(at, verified=self.verified))
        self.compare("verify", {"faults": 0, "items": kept},
                     lambda a: {"faults": len(a["faults"]), "items": len(self._public_ids())},
                     "verify", str(self.bundle), "--manifest-sha256", self.manifest)

    def score(self) -> None:
        ids = self._public_ids()
        expected = {}
        self.predictions[0].parent.mkdir(exist_ok=True)
        for file in self.predictions:
            scores = plan.judged(ids, careful=file.stem == "careful")
            rows = [{"id": key, "judge": NOTE, "judge_score": score} for key, score in scores.items()]
            file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
            expected[file.stem] = plan.pcs(scores) if scores else None
        words = ("score", str(self.bundle), *(f"{file.stem}={file}" for file in self.predictions), "--baselines")
        self.compare("score", expected, self._keep_scores, *words)

    def _keep_scores(self, answer: dict[str, Any]) -> dict[str, Any]:
        (self.folder / "scores.json").write_text(json.dumps(answer, ensure_ascii=False, indent=1) + "\n", "utf-8")
        return {system["system"]: system["metrics"][0]["value"] for system in answer["systems"]
                if system["system"] in ("careful", "hasty")}

    def draw_pages(self) -> None:
        folder = self.folder / "pages"
        folder.mkdir(exist_ok=True)
        shown = False
        with Hands(self.project, plan.OWNER) as hands:
            shown = acts.show_scores(hands, self.bundle, self.predictions)
            for theme in THEMES:
                hands.dress(theme)
                for page in PAGES:
                    hands.go(page)
                    hands.draw(folder / f"{page}-{theme}.png")
        expected = {"pictures": len(THEMES) * len(PAGES), "scores shown": True}
        drawn = sum(1 for file in folder.glob("*.png") if file.stat().st_size > 0)
        self.steps.compare("pages", expected, {"pictures": drawn, "scores shown": shown}, ["pages"])

    def _public_ids(self) -> list[str]:
        file = self.bundle / "public" / "items.jsonl"
        if not file.exists():
            return []
        return [json.loads(line)["id"] for line in file.read_text("utf-8").splitlines()]

