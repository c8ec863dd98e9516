"""Self-test: how evenly frames come on this screen, and how truly the times of keys are taken on this machine."""

from __future__ import annotations

import platform
import statistics
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot, qVersion
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget

from annotation.errors import N_, Refused
from app.jobs import Jobs
from app.parts.surface import Surface
from app.stage.on_screen import screen_of
from app.stage.press import PostedKeys, XKeys, press_all
from app.stage.screens.measured import MeasuredScreen
from app.stage.steps import tr
from app.stage.trial_window import TrialWindow
from app.stage.words_window import WordsWindow
from studies.facts import Event
from studies.timing import Display, KeyClock, monotonic_us

GOOD_MS, FAIR_MS = 3.0, 15.0  # the mean error of a key's time up to which it is called so
PATHS = {"x": N_("the X server"), "posted": N_("Qt's own events"), "": N_("none")}


class KeyProbe(Surface):
    """A window that only notes when a key arrived, and when its stamp says that it was pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("page", parent=parent)
        self.setAccessibleName(tr("Self-test"))
        self._clock = KeyClock()
        self.heard: list[tuple[int, int, str]] = []  # stamp, receipt, source

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        receipt = monotonic_us()
        if event.key() == Qt.Key.Key_Shift and not event.isAutoRepeat():
            stamped = self._clock.stamp(event.timestamp(), receipt)
            self.heard.append((stamped.at_us, receipt, stamped.source))

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        event.accept()


class SelfTest(QObject):
    """``start``, then ``finished``; ``told`` is the table, the verdict and the numbers, ready for an event."""

    finished = Signal()

    def __init__(self, jobs: Jobs, *, frames: int = 300, keys: int = 100, screen: int = 0, full_screen: bool = True,
                 method: str | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        if not 30 <= frames <= 100_000 or not 10 <= keys <= 10_000:
            raise Refused(N_("Between 30 and 100,000 frames, and between 10 and 10,000 keys"), code="bad_value")
        self._jobs, self._frames, self._keys = jobs, frames, keys
        self._screen, self._full = screen_of(screen), full_screen
        self.refused: Refused | None = None
        self._display: Display | None = None
        self._sent: list[int] = []
        self._path = ""
        self._probe = KeyProbe()
        self._probe.setScreen(self._screen)
        self._probe.setGeometry(self._screen.geometry())
        self._trials = TrialWindow(self._screen, jobs, None, method=method, full_screen=full_screen, parent=self)
        self._trials.opened.connect(self._opened)
        self._trials.warmed.connect(self._warmed)
        self._trials.measured.connect(self._measured)

    @property
    def is_full_screen(self) -> bool:
        return self._full

    def start(self) -> None:
        self._trials.open()

    @Slot()
    def _opened(self) -> None:
        if self._display is None:
            self._trials.warm_up()

    @Slot(object)
    def _warmed(self, _display: Display) -> None:
        self._trials.measure(self._frames)

    @Slot(object)
    def _measured(self, display: Display) -> None:
        self._display = display
        self._trials.close()
        (self._probe.showFullScreen if self._full else self._probe.show)()
        self._probe.activateWindow()
        self._probe.setFocus()
        x = XKeys.open()
        keys = x or PostedKeys(self._probe)
        self._path = "x" if x else "posted"
        self._jobs.work(self, lambda told, cancelled: press_all(keys, self._keys, told, cancelled),
                        then=self._pressed, failed=self._broken)

    def _pressed(self, sent: list[int]) -> None:
        self._sent = sent
        self._probe.close()
        self.finished.emit()

    def _broken(self, error: Refused) -> None:
        self.refused = error
        self._probe.close()
        self.finished.emit()

    def as_event(self) -> Event:
        """What a sitting keeps of it."""
        told = self.told()
        return Event("self_test", monotonic_us(), {name: told[name] for name in ("frames", "keys", "good", "platform")})

    # --- what it says ---------------------------------------------------------------------------------------

    def told(self) -> dict[str, Any]:
        assert self._display is not None
        came = self._probe.heard[:len(self._sent)]
        lost = len(self._sent) - len(came)
        stamps = [(stamp - at) / 1000 for (stamp, _, _), at in zip(came, self._sent, strict=False)] if not lost else []
        receipts = [(seen - at) / 1000 for (_, seen, _), at in zip(came, self._sent, strict=False)] if not lost else []
        by_event = sum(source == "event" for _, _, source in came)
        keys = {"path": self._path, "sent": len(self._sent), "lost": lost, "by_event_stamp": by_event,
                "stamp_ms": spread(stamps), "receipt_ms": spread(receipts)}
        good, verdict = self._verdict(keys)
        return {"frames": {**asdict(self._display), "method": self._trials.method}, "keys": keys, "good": good,
                "verdict": verdict, "table": self._table(keys), "system": platform.platform(), "qt": qVersion(),
                "platform": QGuiApplication.platformName()}

    def _verdict(self, keys: dict[str, Any]) -> tuple[bool, str]:
        assert self._display is not None
        frames = {
            "synchronised": tr("Frames come with the screen: an onset is known to one frame."),
            "not synchronised": tr("Frames do not wait for the screen: it is known when an onset was drawn, not when "
                                   "it was seen."),
            "unstable": tr("Frames come unevenly: close other programs, or set the screen to a fixed rate."),
        }[self._display.verdict]
        mean = keys["stamp_ms"]["mean"]
        good = (self._display.verdict == "synchronised" and not keys["lost"] and mean is not None
                and abs(mean) <= FAIR_MS)
        return good, f"{frames} {heard(keys)}"

    def _table(self, keys: dict[str, Any]) -> list[tuple[str, str]]:
        display = self._display
        assert display is not None
        said = {"synchronised": tr("synchronised"), "not synchronised": tr("not synchronised"),
                "unstable": tr("unstable")}
        return [
            (tr("Frames timed"), f"{display.frames:,}"),
            (tr("Rate that the screen claims"), tr("{hz} Hz").format(hz=f"{display.claimed_hz:.1f}")),
            (tr("Rate that was measured"), tr("{hz} Hz").format(hz=f"{display.measured_hz:.1f}")),
            (tr("From frame to frame"), tr("{ms} ms, SD {sd}").format(ms=f"{display.median_us / 1000:.2f}",
                                                                      sd=f"{display.sd_us / 1000:.2f}")),
            (tr("Late frames"), tr("{n} of {of}").format(n=display.late, of=display.frames)),
            (tr("Frames and the screen"), said[display.verdict]),
            (tr("How onsets are taken"), self._trials.method),
            (tr("Keys pressed through"), tr(PATHS[self._path])),
            (tr("Keys pressed, lost"), f"{keys['sent']}, {keys['lost']}"),
            (tr("Error of their time, by stamp"), _said(keys["stamp_ms"])),
            (tr("Error of their time, by receipt"), _said(keys["receipt_ms"])),
        ]


def heard(keys: dict[str, Any]) -> str:
    """What the times of keys are good for, with the figures that it goes by."""
    errors = keys["stamp_ms"]
    if keys["lost"]:
        return tr("{n} of {of} keys were lost: do not use this machine.").format(n=keys["lost"], of=keys["sent"])
    if errors["mean"] is None:
        return tr("No key was timed.")
    mean = abs(errors["mean"])
    said = (tr("Times of keys are good: the mean error is {mean} ms, and 95 % are off by at most {p95} ms.")
            if mean <= GOOD_MS else
            tr("Times of keys are good enough for answers of a second and more: the mean error is {mean} ms, and 95 % "
               "are off by at most {p95} ms.") if mean <= FAIR_MS else
            tr("Times of keys are far off: the mean error is {mean} ms, and 95 % are off by at most {p95} ms."))
    return said.format(mean=_ms(errors["mean"]), p95=_ms(errors["p95"]))


def spread(errors: Sequence[float]) -> dict[str, float | None]:
    """``p95``: of the errors without their sign, what 95 in 100 of those measured do not exceed."""
    if not errors:
        return {"mean": None, "sd": None, "p95": None, "max": None}
    sizes = sorted(map(abs, errors))
    return {"mean": round(statistics.fmean(errors), 3), "sd": round(statistics.pstdev(errors), 3),
            "p95": round(sizes[-(-95 * len(sizes) // 100) - 1], 3), "max": round(sizes[-1], 3)}


def _ms(value: float) -> str:
    return f"{value:.1f}".replace("-", "−")


def _said(errors: dict[str, float | None]) -> str:
    if errors["mean"] is None:
        return "–"
    return tr("{mean} ms, SD {sd}, 95 % at most {p95}, all at most {most}").format(
        mean=_ms(errors["mean"]), sd=_ms(errors["sd"] or 0.0), p95=_ms(errors["p95"] or 0.0),
        most=_ms(errors["max"] or 0.0))


class ShownTest(QObject):
    """The self-test with its result on the screen, for somebody at a window; ``ended`` once that is closed."""

    ended = Signal(object)  # what ``SelfTest.told`` says, or the Refused that came instead

    def __init__(self, test: SelfTest, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.test = test
        test.setParent(self)
        self.window = WordsWindow()
        test.finished.connect(self._show)

    def start(self) -> None:
        self.test.start()

    @Slot()
    def _show(self) -> None:
        if self.test.refused is not None:
            self.ended.emit(self.test.refused)
            return
        told = self.test.told()
        self.window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        (self.window.showFullScreen if self.test.is_full_screen else self.window.show)()
        self.window.show_screen(MeasuredScreen(told["verdict"], told["table"], good=told["good"]), self._closed)

    @Slot(dict)
    def _closed(self, _said: dict[str, Any]) -> None:
        self.window.close_for_good()
        self.window.deleteLater()
        self.ended.emit(self.test.told())


def open_self_test(jobs: Jobs, *, screen: int = 0, full_screen: bool = True, parent: QObject) -> ShownTest:
    """Measure this machine and show what came of it, over the window of the project."""
    shown = ShownTest(SelfTest(jobs, screen=screen, full_screen=full_screen), parent)
    shown.start()
    return shown
