"""Trials of our own window for the bench of timing: ``python -m tests.timing_ours N quiet|blocked FOLDER``.

Says ``onset`` with its moment for every trial, then ``key`` with the moment by the key's own stamp and the one of its
receipt (whole microseconds of the monotonic clock), or ``lost``.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication

from app import theme
from app.jobs import Jobs
from app.stage.trial_window import TrialWindow
from studies.facts import TrialRecord
from studies.model_parts import TrialSpec
from studies.trial_run import TrialRun
from tests.trial_stage import FOUR, Pictures, picture, planned, view

PATIENCE_S = 1.5      # as the other program waits
BURST, EVERY = 20, 35  # ms: how long the thread is blocked, and how often


class Bench(QObject):
    """One trial after the other until ``n``."""

    def __init__(self, n: int, folder: Path, *, blocked: bool) -> None:
        super().__init__()
        media = Pictures(folder)
        self._left = n
        self._jobs = Jobs(type("Store", (), {"stop_reads": staticmethod(lambda: None)})())
        self._view = view(picture(media.draw(600, 400)), options=FOUR)
        self._window = TrialWindow(QApplication.primaryScreen(), self._jobs, media)
        self._window.opened.connect(self._prepare)
        self._window.preloaded.connect(self._ready)
        self._window.reached.connect(self._reached)
        self._window.ended.connect(self._ended)
        self._run: TrialRun | None = None
        self._blocker = QTimer(self)
        self._blocker.setInterval(EVERY)
        self._blocker.timeout.connect(self._block)
        if blocked:
            self._blocker.start()

    def begin(self) -> None:
        self._window.open()

    @Slot()
    def _prepare(self) -> None:
        self._window.prepare(self._view)

    @Slot(object)
    def _ready(self, _us: object) -> None:
        self._run = TrialRun(planned(self._view, gap=0.02, fixation=0.02), TrialSpec(deadline=PATIENCE_S))
        self._window.run(self._run)

    @Slot(str)
    def _reached(self, point: str) -> None:
        if point == "onset" and self._run is not None:
            print("onset", self._run.onset_us, flush=True)

    @Slot(object)
    def _ended(self, record: TrialRecord) -> None:
        onset = self._run.onset_us if self._run is not None else None
        if record.rt_us is None or record.rt_receipt_us is None or onset is None:
            print("lost", flush=True)
        else:
            print("key", onset + record.rt_us, onset + record.rt_receipt_us, flush=True)
        self._left -= 1
        if self._left:
            self._window.prepare(self._view)
        else:
            self._blocker.stop()
            self._window.close()
            self._jobs.close()
            QApplication.quit()

    @Slot()
    def _block(self) -> None:
        until = time.monotonic() + BURST / 1000
        while time.monotonic() < until:
            pass


def main(argv: list[str]) -> int:
    app = QApplication([])
    theme.apply(app, "light", 1.0)
    bench = Bench(int(argv[0]), Path(argv[2]), blocked=argv[1] == "blocked")
    bench.begin()
    return app.exec()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
