"""A participant who sits by himself: presses keys on whatever a sitting shows, and notes what he was shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.jobs import Jobs
from app.stage.kiosk import Stage, Wanted
from app.stage.runner import Runner
from studies.plan import PlannedTrial
from studies.timing import monotonic_us
from tests import study_world as world
from tests.x_keys import Injector

KEYS = {"space": Qt.Key.Key_Space, "return": Qt.Key.Key_Return, "esc": Qt.Key.Key_Escape, "tab": Qt.Key.Key_Tab,
        **{c: getattr(Qt.Key, f"Key_{c.upper()}") for c in "abcdefghijklmnopqrstuvwxyz0123456789"}}
X_NAMES = {"return": "Return", "esc": "Escape", "tab": "Tab"}
APART_US = 120_000  # two keys of an X server, one after the other
TRIALS = {"warm_up", "display_check", "fixation", "preload", "onset", "key_down", "before_ack"}
QUICKEST_MS = 30  # nobody answers in less; the time of a key that Qt's tests press is known to a millisecond or so
Answer = Callable[[PlannedTrial], str]


def right(planned: PlannedTrial) -> str:
    """The key of the right answer."""
    return planned.keys[planned.options.index(planned.correct or planned.options[0])]


class Participant(QObject):
    """``does``: point -> what to press there (names of KEYS), or a call; others are gone through as they come.

    ``points`` are all that were reached, ``pressed`` the keys that answered, in order.
    """

    USUAL = {"consent": ["1"], "instructions": ["space", "space", "space"], "practice_begin": ["space"],
             "block_begin": ["space"], "feedback": ["space"], "break": ["space"], "practice_verdict": ["space"],
             "resume": ["space"] * 4, "confidence": ["2"], "goodbye": ["return"], "sorry": ["return"],
             "cannot_show": ["return"]}

    def __init__(self, stage: Stage, *, answer: Answer = right, does: Mapping[str, Any] | None = None,
                 hands: Injector | None = None) -> None:
        super().__init__()
        self.stage, self._answer, self._hands, self._at_us = stage, answer, hands, 0
        self._does = {**self.USUAL, **(does or {})}
        self.points: list[str] = []
        self.pressed: list[tuple[int, int, str]] = []
        self.ended: str | None = None
        self.runner: Runner | None = None
        stage.began.connect(self._began)
        stage.ended.connect(self._ended)

    def _began(self, runner: Runner) -> None:
        self.runner = runner
        runner.reached.connect(self._reached)

    def _ended(self, state: str) -> None:
        self.ended = state

    def _reached(self, point: str) -> None:
        self.points.append(point)
        QTimer.singleShot(QUICKEST_MS if point == "onset" else 0, self, lambda: self._act(point))

    def _act(self, point: str) -> None:
        if point not in TRIALS and not self.stage.words.isActiveWindow() and self.ended is None:
            QTimer.singleShot(5, self, lambda: self._act(point))  # nobody reads a window that is not in front yet
            return
        does = self._does.get(point)
        if callable(does):
            does(self)
        elif does is not None:
            for key in does:
                self.press(key)
        elif point == "onset":
            self.answer()
        elif point == "debrief":
            self.press("return", Qt.KeyboardModifier.ControlModifier)

    def planned(self) -> PlannedTrial:
        assert self.runner is not None and self.runner.due is not None and self.stage.runner is self.runner
        return self.runner.plan.trial(self.runner.due.block, self.runner.due.position)

    def answer(self, key: str = "") -> None:
        due = self.runner.due
        key = key or self._answer(self.planned())
        self.pressed.append((due.block, due.position, key))
        self.press(key)

    def press(self, key: str, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """On what has the focus: a widget of the words, or the window of the trials; by the X server where there is
        one at hand."""
        if self._hands is not None:
            assert not modifiers, "hands press one key after the other"
            self._at_us = max(monotonic_us() + 1_000, self._at_us + APART_US)
            self._hands.press(X_NAMES.get(key, key), self._at_us)
            return
        window = QGuiApplication.focusWindow()
        focused = QApplication.focusWidget()
        if focused is not None and focused.window().windowHandle() is window:
            QTest.keyClick(focused, KEYS[key], modifiers)
        elif window is not None:
            QTest.keyClick(window, KEYS[key], modifiers)

    def say(self, text: str) -> None:
        if self._hands is not None:
            for letter in text:
                self.press("space" if letter == " " else letter)
            return
        QTest.keyClicks(QApplication.focusWidget(), text)


class House:
    """An open project with the jobs of a window, and sittings one after the other."""

    def __init__(self, place: Path, study: str, make: Callable[[Path], Any]) -> None:
        self.store = make(place)
        self.jobs = Jobs(self.store)
        self.study = world.add(self.store, study)
        with self.store.read() as session:
            self.by = world.who(session)
        self._kept: list[Any] = []

    def stage(self, *, full_screen: bool = False, method: str | None = "raster", frames: int = 30,
              **wanted: Any) -> Stage:
        stage = Stage(self.jobs, Wanted(self.study, **{"language": "en", **wanted}), by=self.by,
                      full_screen=full_screen, method=method, frames=frames)
        self._kept.append(stage)
        return stage

    def sit(self, qtbot: Any, *, answer: Answer = right, does: Mapping[str, Any] | None = None, timeout: int = 60_000,
            hands: Injector | None = None, **wanted: Any) -> Participant:
        """A whole sitting, to its end; the participant tells how it went."""
        stage = self.stage(**wanted)
        sitter = Participant(stage, answer=answer, does=does, hands=hands)
        self._kept.append(sitter)
        stage.open()
        qtbot.waitUntil(lambda: sitter.ended is not None, timeout=timeout)
        return sitter

    def close(self) -> None:
        self.jobs.close()
        self.store.close()
        for one in self._kept:
            one.deleteLater()
        QApplication.sendPostedEvents()

