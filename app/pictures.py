"""Pictures of every page on the demo project: each theme, size and text size, and a sheet of each row of them."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

SIZES = ((1280, 720), (2560, 1440))
TEXTS = (100, 200)
OWNER = "demo"
SECTIONS = ("agreement:people", "agreement:preferences", "agreement:machines")  # of the project of pairs
WHO = {"home": "ana", "work": "ana", "answers": "ana", "adjudicate": "dr-eva", "adjudicate:again": "dr-otto"}
# Of the project with releases; a number is a tab.
RELEASED = ("adjudicate:again", *(f"gold:{n}" for n in range(4)), *(f"score:{n}" for n in range(5)))
STUDIES = ("studies:0", "studies:1", "studies:2")
TURN_MS, SOON_MS, PATIENCE_S = 10, 60, 60  # see settle
BESIDES = (("contrast", 1280, 720, 100), ("light", 800, 600, 100), ("dark", 800, 600, 100))


def rows() -> Iterator[tuple[str, int, int, int]]:
    """(theme, width, height, text per cent) of each sheet."""
    for theme in ("light", "dark"):
        for width, height in SIZES:
            for text in TEXTS:
                yield theme, width, height, text
    yield from BESIDES


def take(project: str, folder: Path, *, person: str | None = None, pages: Iterable[str] = (),
         wanted: Iterable[tuple[str, int, int, int]] | None = None,
         where: Mapping[str, Mapping[str, Any]] | None = None) -> list[dict[str, Any]]:
    """Draw the pages of ``project`` ("agreement:people" is a section, "gold:1" a tab) into ``folder``; returns what
    ``pictures.json`` holds. ``where``: what a page is opened with."""
    from app.gui import open_window  # Qt and the store: only when pictures are really drawn
    from app.settings import Settings

    folder.mkdir(parents=True, exist_ok=True)
    window: Any = open_window(project, person=person)
    settings: Settings = window.findChild(Settings)
    drawn: list[dict[str, Any]] = []
    try:
        names = list(pages) or window.seen_pages()
        for theme, width, height, text in wanted or rows():
            settings.set("text_size", text)
            settings.set("theme", theme)
            window.resize(width, height)
            files = []
            for page in names:
                name, _, section = page.partition(":")
                _seat(window, WHO.get(page, WHO.get(name, OWNER)) if person is None else person)
                window.go(name, **((where or {}).get(name, {}) if section.isdigit() else
                                   {"section": section} if section else {}))
                settle(window)
                _turn_to(window, section)
                file = folder / f"{page.replace(':', '-')}-{theme}-{width}x{height}-{text}.png"
                window.grab().save(str(file))
                files.append(file)
                drawn.append({"file": file.name, "page": page, "theme": theme, "width": width, "height": height,
                              "text": text})
            _sheet(files, folder / f"sheet-{theme}-{width}x{height}-{text}.png")
    finally:
        window.close()
    (folder / "pictures.json").write_text(json.dumps(drawn, indent=1) + "\n", "utf-8")
    return drawn


def _turn_to(window: Any, section: str) -> None:
    """A tab by its number, with the items of the first system where there are some; a decision made again."""
    from PySide6.QtWidgets import QAbstractButton, QWidget  # as in take

    if section.isdigit():
        window.page().show_section(int(section))
        if (systems := window.page().findChild(QWidget, "score:results")) is not None and section == "3":
            systems.row_opened.emit(0)
    elif (again := window.page().findChild(QAbstractButton, "adjudicate:again")) is not None:
        again.click()
    settle(window)


def _seat(window: Any, handle: str) -> None:
    """Let the person sit down whose page it is: an annotator works, a physician decides."""
    from app.project import everybody, sit_down  # as in take

    opened = window.opened()
    if opened.person.handle != handle and handle in {view.handle for view in everybody(opened.store)}:
        window.attach(sit_down(opened.store, opened.project, handle))
        settle(window)


def settle(window: Any) -> None:
    """Wait until every result has been shown, laid out and drawn, and what these ask for in turn."""
    from PySide6.QtCore import QEventLoop, QTimer  # as in take

    def soon() -> bool:
        """A shot is on its way that is too short for anybody to notice: a plot is drawn in a moment."""
        return any(timer.isActive() and timer.isSingleShot() and timer.interval() <= SOON_MS
                   for timer in window.findChildren(QTimer))

    end, quiet = time.monotonic() + PATIENCE_S, 0
    while quiet < 2:
        loop = QEventLoop()
        jobs = window.jobs()
        at_work = jobs is not None and not jobs.is_idle
        if at_work:
            jobs.idle.connect(loop.quit)
            QTimer.singleShot(10_000, loop, loop.quit)
            loop.exec()
        QTimer.singleShot(TURN_MS, loop, loop.quit)
        loop.exec()
        quiet = 0 if at_work or soon() else quiet + 1
        if time.monotonic() > end:
            raise TimeoutError(f"the window did not come to rest in {PATIENCE_S} s")


def _sheet(files: list[Path], target: Path) -> None:
    """All pages of one theme and size, four abreast, at a third of their size."""
    from PySide6.QtCore import QPoint, QSize, Qt  # as in take
    from PySide6.QtGui import QImage, QPainter

    across = 4
    first = QImage(str(files[0]))
    cell = QSize(first.width() // 2, first.height() // 2) if first.width() < 2000 else QSize(640, 360)
    gap = 8
    down = -(-len(files) // across)
    sheet = QImage(QSize(across * (cell.width() + gap) + gap, down * (cell.height() + gap) + gap),
                   QImage.Format.Format_RGB32)
    sheet.fill(Qt.GlobalColor.gray)
    painter = QPainter(sheet)
    for n, file in enumerate(files):
        place = QPoint(gap + n % across * (cell.width() + gap), gap + n // across * (cell.height() + gap))
        painter.drawImage(place, QImage(str(file)).scaled(cell, Qt.AspectRatioMode.KeepAspectRatio,
                                                          Qt.TransformationMode.SmoothTransformation))
    painter.end()
    sheet.save(str(target))


def main(argv: list[str]) -> int:
    """``DIR [--project P] [--as H] [--page NAME].. [--only THEME-WxH-TEXT]..``"""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    folder, project, person, pages, only = None, "", None, [], []
    words = iter(argv)
    for word in words:
        if word == "--project":
            project = next(words)
        elif word == "--as":
            person = next(words)
        elif word == "--page":
            pages.append(next(words))
        elif word == "--only":
            theme, size, text = next(words).split("-")
            width, height = size.split("x")
            only.append((theme, int(width), int(height), int(text)))
        elif folder is None:
            folder = Path(word)
    if folder is None:
        print("usage: pictures DIR [--project P] [--as H] [--page NAME].. [--only THEME-WxH-TEXT]..", file=sys.stderr)
        return 2
    home = tempfile.mkdtemp(prefix="goldsmith-pictures-")
    os.environ["GOLDSMITH_HOME"] = home  # the person's own settings are left alone
    try:
        others = False
        if not project:
            from app import lived_in  # brings the store

            project = str(Path(home) / "demo.goldsmith")
            lived_in.make(Path(project))
            others = not pages
        drawn = take(project, folder, person=person, pages=pages, wanted=only or None)
        if others:
            pairs, released = Path(home) / "pairs.goldsmith", Path(home) / "released.goldsmith"
            lived_in.make_pairs(pairs)
            drawn += take(str(pairs), folder / "pairs", pages=SECTIONS, wanted=only or None)
            score = lived_in.make_released(released, Path(home))
            drawn += take(str(released), folder / "released", pages=RELEASED, wanted=only or None,
                          where={"score": score})
            from app import sat_for, stage_pictures  # as the others

            drawn += take(str(sat_for.make(Path(home) / "puzzles")), folder / "studies", pages=STUDIES,
                          wanted=only or None)

            sitting = stage_pictures.take(folder / "sitting", only or rows())
            drawn += sitting
            for look, wide, high, percent in only or rows():
                name = f"{look}-{wide}x{high}-{percent}.png"
                _sheet([folder / one["file"] for one in sitting if one["file"].endswith(name)],
                       folder / "sitting" / f"sheet-{name}")
    finally:
        shutil.rmtree(home, ignore_errors=True)
    print(f"{len(drawn)} pictures in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
