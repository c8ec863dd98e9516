"""Pictures of every screen of a sitting and of the self-test, in each theme, size and text size."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app import theme
from app.stage.screens.base import WordScreen
from app.stage.screens.fault import FaultScreen
from app.stage.screens.language import LanguageScreen
from app.stage.screens.leave import LeaveScreen
from app.stage.screens.measured import MeasuredScreen
from app.stage.steps import Around, steps_of
from app.stage.view import Choice, TrialView
from app.stage.words_window import WordsWindow
from studies.plan import Block, Plan, PlannedTrial
from studies.reading import read_study
from studies.sitting import Screen

STUDY = """\
id: turned-shapes
version: 1
title: Turned shapes
protocol: shapes
question: same
correct: {field: right}
conditions:
  - {name: bare, shows: [picture]}
  - {name: steps, shows: [picture, steps]}
blocks: {count: 2}
practice: {where: {use: [practice]}, items: 4, correct: 3}
trial: {deadline: 60, confidence: {text: How sure are you?, levels: [Guessed, Not sure, Rather sure, Certain]}}
answers: {keys: [[f, j]]}
languages:
  en:
    consent: |
      ## What this is about
      We ask how people see shapes that were turned in space. You see pictures and answer by a key; it takes about
      **26 minutes**, with a break in the middle.

      ## What is kept
      Your answers and their times, and what you say about yourself, under a number and never under your name. They
      are published with the study, so that others can check it.

      ## You are free
      You may stop at any time with **Esc** pressed twice, without a reason and without any loss.
    instructions:
      - |
        You see two shapes. The second is either the **first one turned**, or **another one**.

        - Answer as soon as you are sure: be quick, but be right.
        - A cross stands where the shapes will be. Look at it.
        - Nothing is timed on pages like this one.
      - Sit so that you see the whole screen, and put your fingers on the keys.
    debrief: |
      We wanted to know whether pictures of the steps in between make it faster, or only more certain. Half of the
      trials had them.
demographics:
  - {name: age, text: How old are you?, kind: number, minimum: 18, maximum: 120}
  - {name: hand, text: Which hand do you write with?, kind: choice, options: [The left, The right, Either]}
calibration: {card: true, distance: true}
"""
_TABLE = [("Frames timed", "300"), ("Rate that the screen claims", "60.0 Hz"), ("Rate that was measured", "59.9 Hz"),
          ("From frame to frame", "16.68 ms, SD 0.09"), ("Late frames", "0 of 300"),
          ("Frames and the screen", "synchronised"), ("How onsets are taken", "gl_swap_finish"),
          ("Keys pressed through", "the X server"), ("Keys pressed, lost", "100, 0"),
          ("Error of their time, by stamp", "0.3 ms, SD 0.6, 95 % at most 1.8, all at most 4.5"),
          ("Error of their time, by receipt", "1.5 ms, SD 1.3, 95 % at most 4.0, all at most 15.4")]
_FULL = "the disk is full; nothing was stored"


def _around() -> Around:
    study = read_study(STUDY)
    trial = PlannedTrial("0" * 32, "1" * 32, "shape-1", "bare", "main", ("yes", "no"), ("f", "j"), "yes", 500_000,
                         500_000, {})
    blocks = (Block("practice", "practice", (trial,) * 4), Block("1", "main", (trial,) * 36),
              Block("2", "main", (trial,) * 36))
    view = TrialView("shape-1", "Is it the same shape?", (), (Choice("yes", "Yes, turned", "f"),
                                                              Choice("no", "No, another", "j")), (frozenset(),))
    return Around(study, Plan("", study.hash, 0, 2, 1, 1, True, "en", blocks), "en", (view,), 36, 72)


def screens() -> dict[str, Callable[[], WordScreen]]:
    """Every screen of words, by a name for its file."""
    around = _around()
    ended = {"state": "completed", "reason": "", "over": True}
    due = {
        "consent": Screen("consent"), "instructions": Screen("instructions"),
        "practice": Screen("practice_begin", 0, data={"try": 1, "tries": 3}),
        "not-yet": Screen("practice_verdict", 0, fact="practice_again", data={
            "passed": False, "correct": 2, "of": 4, "wanted": 3, "try": 1, "tries": 3}),
        "passed": Screen("practice_verdict", 0, fact="practice_passed", data={
            "passed": True, "correct": 4, "of": 4, "wanted": 3, "try": 1, "tries": 3}),
        "block": Screen("block_begin", 1, data={"number": 1, "of": 2}),
        "right": Screen("feedback", 0, 0, data={"correct": True, "outcome": "answered"}),
        "wrong": Screen("feedback", 0, 0, data={"correct": False, "outcome": "answered"}),
        "late": Screen("feedback", 0, 0, data={"correct": False, "outcome": "timeout"}),
        "confidence": Screen("confidence", 1, 0, data={"text": "How sure are you?", "levels":
                                                       around.study.trial.confidence.levels}),  # type: ignore[union-attr]
        "break": Screen("break", 2, data={"least": 0, "most": None}),
        "break-least": Screen("break", 2, data={"least": 60, "most": 300}),
        "resume": Screen("resume", data={"why": "again"}), "paused": Screen("resume", data={"why": "paused"}),
        "debrief": Screen("debrief"), "goodbye": Screen("goodbye", data=ended),
        "stopped": Screen("goodbye", data={"state": "aborted", "reason": "", "over": True}),
        "sorry": Screen("sorry", data={"state": "excluded", "reason": "practice_failed", "over": True})}
    made = {name: steps_of(screen, around)[0].make for name, screen in due.items()}
    for kind in ("calibration", "demographics"):
        for n, step in enumerate(steps_of(Screen(kind), around), 1):  # type: ignore[arg-type]
            made[f"{kind}-{n}"] = step.make
    return {
        "language": lambda: LanguageScreen(("en", "de", "fr")), **made, "leave": LeaveScreen,
        "leave-experimenter": lambda: LeaveScreen(by_experimenter=True),
        "not-kept": lambda: FaultScreen("This could not be saved", _FULL, "Please call whoever leads the study. What "
                                        "was saved before is safe.", again="Try again"),
        "self-test": lambda: MeasuredScreen("Frames come with the screen: an onset is known to one frame. Times of "
                                            "keys are good: the mean error is 0.3 ms, and 95 % are off by at most "
                                            "1.8 ms.", _TABLE, good=True)}


def take(folder: Path, wanted: Iterable[tuple[str, int, int, int]]) -> list[dict[str, Any]]:
    """Draw them into ``folder``; returns what ``pictures.json`` holds of them."""
    folder.mkdir(parents=True, exist_ok=True)
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    drawn = []
    for look, width, height, text in wanted:
        theme.apply(app, look, text / 100)
        for name, make in screens().items():
            window = WordsWindow(pilot=True)
            window.resize(width, height)
            window.show()
            window.show_screen(make(), lambda _: None)
            _settle(window)
            if name == "instructions":
                window.screen_shown().go_on()  # type: ignore[union-attr]
                _settle(window)
            file = folder / f"{name}-{look}-{width}x{height}-{text}.png"
            window.grab().save(str(file))
            drawn.append({"file": f"{folder.name}/{file.name}", "page": f"sitting:{name}", "theme": look,
                          "width": width, "height": height, "text": text})
            window.close_for_good()
            window.deleteLater()
    return drawn


def _settle(window: WordsWindow) -> None:
    loop = QEventLoop()
    QTimer.singleShot(30, loop, loop.quit)
    loop.exec()
    window.update()
