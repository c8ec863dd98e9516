"""The one place with threads: order, results on the GUI thread, closed pages, undo, progress, hold."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget
from sqlalchemy import text

from annotation import people
from annotation.done import Done
from annotation.errors import N_, Refused
from annotation.store import opening
from app.jobs import Jobs
from tests.windows import make_project


class Recorder:
    """A store whose sessions are lists of what was done in them; commits what left without a fault."""

    def __init__(self) -> None:
        self.kept: list[str] = []

    @contextmanager
    def write(self):
        session: list[str] = []
        yield session
        self.kept += session

    @contextmanager
    def read(self):
        yield self.kept

    def stop_reads(self) -> None:
        pass


@pytest.fixture
def store():
    return Recorder()


@pytest.fixture
def jobs(store, qapp):
    made = Jobs(store)
    yield made
    made.close()
    made.deleteLater()


def test_operations_run_in_the_order_they_were_asked_for(jobs, store, qtbot):
    for n in range(20):
        jobs.run(None, lambda session, n=n: session.append(str(n)))
    qtbot.waitUntil(lambda: jobs.is_idle)
    assert store.kept == [str(n) for n in range(20)]


def test_results_come_back_on_the_gui_thread(jobs, qtbot):
    owner, seen = QObject(), []
    jobs.run(owner, lambda _session: threading.current_thread().name,
             then=lambda name: seen.append((name, threading.current_thread() is threading.main_thread())))
    qtbot.waitUntil(lambda: bool(seen))
    assert seen[0][0].startswith("store") and seen[0][1]


def test_a_late_result_for_a_closed_page_is_dropped(jobs, store, qtbot):
    page, seen, gate = QWidget(), [], threading.Event()

    def slow(session):
        gate.wait(5)
        session.append("kept")

    jobs.run(page, slow, then=seen.append)
    page.deleteLater()
    QApplication.sendPostedEvents(page, 0)
    QApplication.processEvents()
    gate.set()
    qtbot.waitUntil(lambda: jobs.is_idle)
    assert seen == []
    assert store.kept == ["kept"]


def test_a_refusal_goes_to_the_page_and_keeps_nothing(jobs, store, qtbot):
    said = []

    def refuse(session):
        session.append("half")
        raise Refused(N_("no {what}"), what="room")

    jobs.run(QObject(), refuse, failed=said.append)
    qtbot.waitUntil(lambda: bool(said))
    assert str(said[0]) == "no room"
    assert store.kept == []


def test_a_refusal_that_nobody_takes_is_told_to_the_window(jobs, qtbot):
    with qtbot.waitSignal(jobs.refused) as told:
        jobs.run(None, lambda _session: (_ for _ in ()).throw(Refused(N_("not now"))))
    assert str(told.args[0]) == "not now"


def test_a_bug_is_reported_and_the_page_hears_of_it(jobs, qtbot):
    said, bugs = [], []
    jobs.crashed.connect(bugs.append)
    jobs.run(QObject(), lambda _session: 1 / 0, failed=said.append)
    qtbot.waitUntil(lambda: bool(said))
    assert isinstance(bugs[0], ZeroDivisionError)
    assert said[0].code == "bug"


def test_what_was_touched_is_told(jobs, qtbot):
    with qtbot.waitSignal(jobs.changed) as told:
        jobs.run(None, lambda _session: Done("Submit", frozenset({"answers"})))
    assert told.args[0] == frozenset({"answers"})


def test_close_waits_until_all_is_written(qapp):
    store = Recorder()
    jobs = Jobs(store)

    def slow(session, n):
        time.sleep(0.01)
        session.append(n)

    for n in range(10):
        jobs.run(None, slow, n)
    jobs.close()
    assert store.kept == list(range(10))


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def test_close_breaks_off_reads_and_lets_writes_end(tmp_path, qtbot):
    with opening.open_store(make_project(tmp_path)) as store:
        jobs = Jobs(store)
        told, crashes, ran = [], [], []
        jobs.refused.connect(told.append)
        jobs.crashed.connect(crashes.append)
        with store.read() as session:
            by = people.find(session, "demo").id
        reading = threading.Event()

        def look(progress, cancelled):
            with store.read() as session:
                reading.set()
                return session.execute(text(ENDLESS)).scalar()

        def write(session):
            for n in range(30):
                people.add(session, f"new{n}", by=by)
                assert store.protocol.id  # a look aside within the write
                time.sleep(0.01)

        jobs.work(None, look, then=ran.append)
        jobs.run(None, write, failed=told.append)
        jobs.read(None, lambda session: session.execute(text(ENDLESS)).scalar(), then=ran.append)
        assert reading.wait(5)
        begun = time.monotonic()
        jobs.close()
        assert time.monotonic() - begun < 10
        qtbot.wait(20)
        assert (told, crashes, ran) == ([], [], [])
        with store.read() as session:
            assert len(people.people(session)) >= 30
        jobs.deleteLater()


def test_what_is_asked_for_after_the_end_is_dropped(qapp):
    store = Recorder()
    jobs = Jobs(store)
    jobs.run(None, lambda session: session.append("before"))
    jobs.close()
    jobs.run(None, lambda session: session.append("after"))
    jobs.read(None, lambda session: session.append("after"))
    assert jobs.work(None, lambda _progress, _cancelled: store.kept.append("after")).cancelled()
    assert jobs.store_work(None, lambda _progress, _cancelled: store.kept.append("after")).cancelled()
    jobs.close()
    assert store.kept == ["before"]


def test_long_work_tells_progress_and_can_be_cancelled(jobs, qtbot):
    seen, ended = [], []

    def count(progress, cancelled):
        n = 0
        while not cancelled():
            n += 1
            progress(n, 1_000_000)
            time.sleep(0.001)
        return "stopped"

    work = jobs.work(QObject(), count, then=ended.append, progressed=lambda done, of: seen.append((done, of)))
    qtbot.waitUntil(lambda: len(seen) > 2)
    work.cancel()
    qtbot.waitUntil(lambda: bool(ended))
    assert ended == ["stopped"]
    assert seen == sorted(seen)


def test_held_jobs_stand_still_until_they_are_released(jobs, qtbot):
    steps, ended = [], []

    def step(progress, _cancelled):
        for n in range(200):
            steps.append(n)
            progress(n, 200)
            time.sleep(0.001)

    jobs.hold()
    jobs.work(QObject(), step, then=ended.append)
    time.sleep(0.05)
    assert steps == []
    jobs.release()
    qtbot.waitUntil(lambda: bool(ended))
    assert len(steps) == 200


def test_undo_and_redo_take_real_operations_back(tmp_path, qtbot):
    with opening.open_store(make_project(tmp_path)) as store:
        jobs = Jobs(store)
        try:
            with store.read() as session:
                jobs.person = by = people.find(session, "demo").id

            def roles() -> tuple[str, ...]:
                with store.read() as session:
                    return people.find(session, "ana").roles

            jobs.run(None, people.set_roles, "ana", add=("researcher",), by=by)
            qtbot.waitUntil(lambda: jobs.undo_label == "Change roles")
            assert roles() == ("annotator", "researcher")
            assert jobs.undo()
            qtbot.waitUntil(lambda: jobs.redo_label == "Change roles" and jobs.is_idle)
            assert (roles(), jobs.undo_label) == (("annotator",), "")
            assert jobs.redo()
            qtbot.waitUntil(lambda: jobs.undo_label == "Change roles" and jobs.is_idle)
            assert (roles(), jobs.redo_label) == (("annotator", "researcher"), "")
            assert not jobs.redo()
        finally:
            jobs.close()
            jobs.deleteLater()
