"""What every test stands on: nothing of the person's is touched, nothing is left running, nothing goes unsaid."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from pytestqt.qtbot import QtBot

from tests import kept
from tests.postgres import Cluster, find_programs

ROOT = Path(__file__).resolve().parent.parent

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Set before any test file is imported, so that no import can see the person's own.
_home = tempfile.mkdtemp(prefix="goldsmith-home-")
os.environ["GOLDSMITH_HOME"] = _home
os.environ["XDG_CONFIG_HOME"] = _home  # Qt's dialogs remember folders there

# Files with few tests that take long. They begin first, or one process would wait for the other at the end.
LONG = ("test_reliability.py", "test_tour.py", "test_house.py", "test_workflow.py", "test_work_fit.py", "test_dev.py",
        "test_gui.py", "test_real_input_by_keys.py", "test_real_pictures_by_keys.py")

hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("ci")


def pytest_unconfigure() -> None:
    kept.forget()
    shutil.rmtree(_home, ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name not in LONG)
    if os.environ["QT_QPA_PLATFORM"] == "offscreen":
        no_screen = pytest.mark.skip(reason="needs a screen: Xvfb, as `python3 dev.py test` starts it")
        for item in items:
            if item.get_closest_marker("xvfb"):
                item.add_marker(no_screen)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data and cases that stands beside the repository."""
    folder = Path(os.environ.get("GOLDSMITH_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        pytest.skip("the folder of shared data is not here (it is looked for at $GOLDSMITH_SHARED, else ../shared)")
    return folder


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Cluster]:
    """A PostgreSQL server of this run's own, without fsync; stopped and removed at the end."""
    if find_programs() is None:
        pytest.skip("PostgreSQL's server programs are not installed (Debian: apt-get install postgresql)")
    with Cluster() as cluster:
        yield cluster


@pytest.fixture
def postgres_url(postgres_cluster: Cluster) -> Iterator[str]:
    """``postgresql+psycopg://..`` of a new, empty database; room for any number of schemas."""
    url = postgres_cluster.new_database()
    yield url
    postgres_cluster.drop_database(url)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where a project can be made: a folder, and on a server; a test that takes this runs on both."""
    if request.param == "sqlite":
        return tmp_path / "P.goldsmith"
    return str(request.getfixturevalue("postgres_url")) + "?schema=gold_p"


class PatientBot(QtBot):
    """The plug-in's, but its waits end after a time that is a fault on a busy machine too (its own: 1 to 5 s)."""

    PATIENCE_MS = 30_000

    def waitUntil(self, callback: Any, *, timeout: int = PATIENCE_MS) -> None:  # noqa: N802 - the plug-in's name
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:  # noqa: N802
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitSignals(self, signals: Any, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:  # noqa: N802
        return super().waitSignals(signals, timeout=timeout, **more)

    def waitExposed(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:  # noqa: N802
        return super().waitExposed(widget, timeout=timeout)

    def waitActive(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:  # noqa: N802
        return super().waitActive(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: Any, request: pytest.FixtureRequest) -> PatientBot:
    return PatientBot(request)


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture(autouse=True, scope="module")
def _settings_as_new() -> Iterator[None]:
    """What one file of tests chose (a text size, a theme) is not chosen in the next."""
    yield
    if "PySide6.QtCore" in sys.modules:
        from PySide6.QtCore import QSettings  # tests without Qt do not load it

        for file in Path(_home).rglob("settings.ini"):
            QSettings(str(file), QSettings.Format.IniFormat).clear()


@pytest.fixture(autouse=True)
def _no_unexpected_warning_in_the_log(request: pytest.FixtureRequest) -> Iterator[None]:
    listener = _Listener()
    logging.getLogger().addHandler(listener)
    yield
    logging.getLogger().removeHandler(listener)
    words = [word for mark in request.node.iter_markers("logs") for word in mark.args]
    lines = [f"{record.name}: {record.getMessage()}" for record in listener.records]
    unexpected = [line for line in lines if not any(word in line for word in words)]
    assert not unexpected, "unexpected lines in the log:\n" + "\n".join(unexpected)


@pytest.fixture(autouse=True)
def _no_thread_left_running() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    until = time.monotonic() + 5
    while left := _ours(set(threading.enumerate()) - before):
        if time.monotonic() > until:
            raise AssertionError("threads left running: " + ", ".join(thread.name for thread in left))
        left[0].join(0.05)


def _ours(threads: set[threading.Thread]) -> list[threading.Thread]:
    """Not those that Qt or a C library made and Python only saw passing by."""
    return [thread for thread in threads if thread.is_alive() and not isinstance(thread, threading._DummyThread)]
