"""The stage without the rest of the program: a sitting, or the self-test, from the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from annotation.errors import N_, Refused
from app import theme
from app.errors import Bugs
from app.jobs import Jobs
from app.project import Opened, open_project
from app.settings import Settings
from app.stage.kiosk import Stage, Wanted
from app.stage.self_test import SelfTest
from studies import sittings


def sit(app: QApplication, project: str, person: str | None, look: str | None,
        wanted: Mapping[str, Any]) -> dict[str, Any]:
    """One sitting; returns who, which, how it ended, and how many trials of how many were done."""
    settings = Settings()
    theme.apply(app, look or settings.get("theme"), settings.get("text_size") / 100)
    opened = open_project(project, person)
    bugs, jobs = Bugs(), Jobs(opened.store)
    bugs.install()
    quits = app.quitOnLastWindowClosed()
    app.setQuitOnLastWindowClosed(False)
    try:
        jobs.person = opened.person.id
        jobs.crashed.connect(bugs.take)
        stage = Stage(jobs, Wanted(**wanted), by=opened.person.id)
        stage.ended.connect(app.quit, Qt.ConnectionType.QueuedConnection)
        stage.open()
        app.exec()
        return _told(opened, stage)
    finally:
        jobs.close()
        opened.store.close()
        bugs.remove()
        app.setQuitOnLastWindowClosed(quits)


def _told(opened: Opened, stage: Stage) -> dict[str, Any]:
    if stage.refused is not None:
        raise stage.refused
    if stage.sitting is None:
        raise Refused(N_("Nobody sat: the window was closed before the sitting began"), code="closed")
    with opened.store.read() as session:
        view = next(one for one in sittings.of_study(session, stage.study) if one.id == stage.sitting)
    return {"study": stage.study, "sitting": view.id.hex, "participant": view.participant, "state": view.state,
            "reason": view.reason, "pilot": view.pilot, "list": view.list_no, "done": view.done,
            "planned": view.planned, "flags": list(view.flags)}


def self_test(app: QApplication, *, frames: int, keys: int, screen: int) -> dict[str, Any]:
    """Frames and keys of this machine: a table, a verdict, and the numbers behind them."""
    theme.apply(app)
    jobs = Jobs(None)
    quits = app.quitOnLastWindowClosed()
    app.setQuitOnLastWindowClosed(False)
    try:
        test = SelfTest(jobs, frames=frames, keys=keys, screen=screen)
        test.finished.connect(app.quit, Qt.ConnectionType.QueuedConnection)
        QTimer.singleShot(0, test, test.start)
        app.exec()
        if test.refused is not None:
            raise test.refused
        return test.told()
    finally:
        jobs.close()
        app.setQuitOnLastWindowClosed(quits)
