"""A stage for tests: trials made of words and drawn pictures, a real window, and what it told."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PIL import Image, ImageDraw
from PySide6.QtGui import QGuiApplication

from app.jobs import Jobs
from app.stage.trial_window import TrialWindow
from app.stage.view import Choice, Part, TrialView
from studies.model_parts import TrialSpec
from studies.plan import PlannedTrial
from studies.trial_run import TrialRun

FOUR = ("On the left pavement", "In front of the bakery", "Behind the parked car", "Under the tower")
LOREM = "The patient is a 64-year-old man who was referred after a rise of PSA. "
PATIENCE_MS = 30_000


class Pictures:
    """A media home: ``put`` keeps bytes by their hash, as the project's does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha256: str) -> Path:
        return self.folder / sha256

    def put(self, data: bytes, name: str = "p.png") -> dict[str, str]:
        sha256 = hashlib.sha256(data).hexdigest()
        self.path(sha256).write_bytes(data)
        return {"sha256": sha256, "path": name}

    def draw(self, width: int, height: int, color: Any = "#3060c0", name: str = "p.png") -> dict[str, str]:
        """A picture of one colour with a mark in the upper left corner."""
        image = Image.new("RGB", (width, height), color)
        ImageDraw.Draw(image).rectangle((0, 0, width // 10, height // 10), fill="#c02020")
        return self.put(encoded(image), name)


def encoded(image: Image.Image, form: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def picture(reference: dict[str, str], name: str = "image", label: str = "") -> Part:
    return Part(name, "image", label, reference)


def pictures(references: Sequence[dict[str, str]], name: str = "images") -> Part:
    return Part(name, "images", "", [{"id": str(n), "name": "", "image": one} for n, one in enumerate(references)])


def text(words: str, name: str = "text", kind: str = "text", label: str = "") -> Part:
    return Part(name, kind, label, words)


def view(*parts: Part, options: Sequence[str] = ("Yes", "No"), keys: Sequence[str] = "123456789",
         question: str = "Where does the nearest person stand?", item: str = "item-1", pointer: bool = False,
         screens: Sequence[set[str]] = (), goes_on: Sequence[int] = ()) -> TrialView:
    everything = {"question", "options", *(part.name for part in parts)}
    choices = tuple(Choice(f"v{n}", option, key) for n, (option, key) in enumerate(zip(options, keys, strict=False)))
    shown = tuple(frozenset(one) for one in screens or (everything,))
    return TrialView(item, question, parts, choices, shown, frozenset(goes_on), pointer)


def planned(shown: TrialView, *, gap: float = 0.0, fixation: float = 0.02) -> PlannedTrial:
    return PlannedTrial("i", "v", shown.item, "c", "main", tuple(choice.value for choice in shown.options),
                        tuple(choice.key for choice in shown.options), None, round(fixation * 1e6),
                        round(gap * 1e6), {})


class Stage:
    """One open window; ``play`` runs a trial up to its onset, ``record`` waits for its end."""

    def __init__(self, qtbot: Any, window: TrialWindow, jobs: Jobs) -> None:
        self.qtbot, self.window, self.jobs = qtbot, window, jobs
        self.records: list[Any] = []
        self.events: list[Any] = []
        self.points: list[str] = []
        self.swaps: list[tuple[str, int]] = []
        window.ended.connect(self.records.append)
        window.marked.connect(self.events.append)
        window.reached.connect(self.points.append)
        window.surface.swapped.connect(self._swapped)

    def _swapped(self, name: str, at_us: int) -> None:
        self.swaps.append((name, at_us))

    def prepare(self, shown: TrialView) -> None:
        with self.qtbot.waitSignal(self.window.preloaded, timeout=PATIENCE_MS):
            self.window.prepare(shown)

    def run(self, shown: TrialView, spec: TrialSpec | None = None, *, gap: float = 0.0, fixation: float = 0.02,
            **more: Any) -> TrialRun:
        run = TrialRun(planned(shown, gap=gap, fixation=fixation), spec or TrialSpec(), screens=len(shown.screens),
                       **more)
        self.window.run(run)
        return run

    def play(self, shown: TrialView, spec: TrialSpec | None = None, **more: Any) -> TrialRun:
        self.prepare(shown)
        with self.qtbot.waitSignal(self.window.reached, timeout=PATIENCE_MS,
                                   check_params_cb=lambda point: point == "onset"):
            run = self.run(shown, spec, **more)
        return run

    def record(self) -> Any:
        self.qtbot.waitUntil(lambda: bool(self.records), timeout=PATIENCE_MS)
        return self.records.pop(0)

    def grab(self) -> Any:
        """What is to be seen in the window now."""
        return QGuiApplication.primaryScreen().grabWindow(self.window.surface.winId()).toImage()


@contextmanager
def stage(qtbot: Any, media: Any, *, method: str | None = None, full_screen: bool = False,
          clocks: Any = None) -> Iterator[Stage]:
    jobs = Jobs(SimpleNamespace(stop_reads=lambda: None))
    window = TrialWindow(QGuiApplication.primaryScreen(), jobs, media, method=method, full_screen=full_screen,
                         clocks=clocks)
    made = Stage(qtbot, window, jobs)
    try:
        with qtbot.waitSignal(window.opened, timeout=PATIENCE_MS):
            window.open()
        yield made
    finally:
        window.close()
        jobs.close()
