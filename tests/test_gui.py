"""The windowed program from outside: start, quit after the first paint, faults at the start, bugs and their report."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from annotation.errors import N_, Refused
from app import gui
from app.errors import BugBox, Bugs, report_of
from app.home import home
from app.palette import Row, rank
from tests.windows import make_project

ROOT = Path(__file__).resolve().parent.parent


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "GOLDSMITH_HOME": str(folder / "home")}
    return subprocess.run([sys.executable, "-m", "app", *words], cwd=ROOT, env=env, capture_output=True, text=True,
                          timeout=120, check=False)


def test_the_window_is_painted_and_the_program_ends(tmp_path):
    ended = run(str(make_project(tmp_path)), "--as", "demo", "--quit-after-first-paint", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert re.fullmatch(r"painted in \d+ ms\n", ended.stdout)


def test_without_a_project_the_demo_opens_and_is_remembered(tmp_path):
    ended = run("--quit-after-first-paint", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "home" / "demo.goldsmith" / "project.db").is_file()
    assert "demo.goldsmith" in (tmp_path / "home" / "settings.ini").read_text("utf-8")


def test_a_project_that_is_none_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "empty.goldsmith").mkdir()
    ended = run(str(tmp_path / "empty.goldsmith"), "--quit-after-first-paint", folder=tmp_path)
    assert ended.returncode == 3
    assert "is not a Goldsmith project" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_bindings_that_crash_are_refused_at_the_start(monkeypatch):
    monkeypatch.setattr(gui.PySide6, "__version_info__", (6, 12, 0, "", ""))
    monkeypatch.setattr(gui.sys, "version_info", (3, 11, 7))
    with pytest.raises(Refused, match=r"PySide6 6\.12\.0 crashes"):
        gui.main("nowhere")


# --- bugs ---------------------------------------------------------------------------------------------------------

@pytest.fixture
def bugs(qapp):
    made = Bugs()
    made.install()
    yield made
    made.remove()
    box = shown_box()
    if box is not None:
        box.reject()
    made.deleteLater()


def shown_box() -> BugBox | None:
    return next((w for w in QApplication.topLevelWidgets() if isinstance(w, BugBox) and w.isVisible()), None)


@pytest.mark.logs("bug: ZeroDivisionError")
def test_a_bug_in_another_thread_writes_a_report_and_offers_to_copy_it(bugs, qtbot):
    before = set((home() / "reports").glob("*.txt"))
    worker = threading.Thread(target=lambda: 1 / 0)
    worker.start()
    worker.join()
    qtbot.waitUntil(lambda: shown_box() is not None)
    [written] = set((home() / "reports").glob("*.txt")) - before
    shown_box()._copy()
    assert QGuiApplication.clipboard().text() == written.read_text("utf-8")
    assert "ZeroDivisionError" in written.read_text("utf-8")


def test_a_refusal_that_reached_the_top_is_told_and_is_no_bug(bugs, qtbot):
    with qtbot.waitSignal(bugs.told) as told:
        sys.excepthook(Refused, Refused(N_("no {what}"), what="room"), None)
    assert told.args == ["No room"]
    assert shown_box() is None


def test_a_report_says_versions_and_place_and_no_values():
    try:
        secret = "an answer of somebody"
        raise KeyError(len(secret))
    except KeyError as error:
        text = report_of(error)
    assert "Goldsmith" in text and "PySide6" in text and "test_gui.py" in text
    assert "somebody" not in text.replace('secret = "an answer of somebody"', "")


# --- the palette ----------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("typed", "text", "expected"), [
    ("", "Submit and go on", 0), ("sub", "Submit and go on", 0), ("go", "Submit and go on", 1),
    ("s g", "Submit and go on", 1), ("mit", "Submit and go on", 2), ("sbmt", "Submit and go on", 3),
    ("zebra", "Submit and go on", None)])
def test_the_palette_ranks_beginnings_before_insides(typed, text, expected):
    assert rank(typed, Row(text, lambda: None)) == expected
