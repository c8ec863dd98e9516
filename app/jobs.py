"""The only place with a thread: one for the store, in order; a few for long reads and file work.

``run`` gives a function a session on the store thread and brings its result back to the GUI thread; ``work``
gives a function ``progress(done, of)`` and ``cancelled()`` on the pool. Results travel by one queued signal to a
bound slot; what belongs to a closed page is dropped.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, Slot

from annotation.done import Done
from annotation.errors import N_, Refused

Then = Callable[[Any], None]


@dataclass(slots=True)
class _Result:
    owner: QObject | None
    then: Then | None
    failed: Then | None
    value: Any = None
    error: BaseException | None = None
    wrote: bool = False
    loose: bool = False  # written, and not waited for
    news: bool = False  # progress of work that goes on
    remember: str = ""  # "done", "undone" or "redone": on which list the way back goes


class Work:
    """A long job: ``cancel`` asks it to stop; it does so at its next look at ``cancelled()``."""

    def __init__(self, jobs: Jobs, progressed: Callable[[int, int], None] | None, owner: QObject | None) -> None:
        self._jobs, self._progressed, self._owner = jobs, progressed, owner
        self._stop = threading.Event()
        self._last = 0.0

    def cancel(self) -> None:
        self._stop.set()

    def cancelled(self) -> bool:
        """For the function on the pool; parks while the jobs are held."""
        self._jobs._gate.wait()
        return self._stop.is_set()

    def progress(self, done: int, of: int) -> None:
        """For the function on the pool; at most twenty times a second reach the window."""
        self._jobs._gate.wait()
        now = time.monotonic()
        if self._progressed is not None and (now - self._last > 0.05 or done >= of):
            self._last = now
            told = self._progressed
            self._jobs._back.emit(_Result(self._owner, lambda count: told(*count), None, (done, of), news=True))


class Jobs(QObject):
    """Work for one open store. ``changed`` carries what was touched, for whoever shows it."""

    changed = Signal(frozenset)
    undo_changed = Signal()
    saved = Signal(object)         # the moment (datetime, UTC) after a write reached the disk
    waiting_changed = Signal(int)  # writes that are not on disk yet
    refused = Signal(object)       # a Refused that nobody took with ``failed``
    crashed = Signal(object)       # an exception that is a bug
    idle = Signal()                # the last result that was out has come back
    _back = Signal(object)

    def __init__(self, store: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store = store
        self.person: UUID | None = None
        self._undo: list[Done] = []
        self._redo: list[Done] = []
        self._waiting = 0
        self._out = 0
        self._is_closed = False
        self._running: set[Work] = set()
        self._unfinished: set[Future[None]] = set()
        self._gate = threading.Event()
        self._gate.set()
        self._store_thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="work")
        self._back.connect(self._take, Qt.ConnectionType.QueuedConnection)

    # --- short: one session, in order -----------------------------------------------------------------------

    def run(self, owner: QObject | None, fn: Callable[..., Any], *args: Any, then: Then | None = None,
            failed: Then | None = None, writes: bool = True, undoable: bool = True, **named: Any) -> None:
        """Call ``fn(session, *args, **named)`` in one transaction on the store thread, then ``then(result)`` here.

        A Done goes to the undo list (if ``undoable``) and its ``touched`` to ``changed``. ``failed`` gets a
        Refused; without it the window shows the sentence. Anything else is a bug and is reported as one.
        """
        result = _Result(owner, then, failed, wrote=writes, remember="done" if undoable else "")
        self._submit(result, fn, args, named)

    def claim(self, owner: QObject | None, fn: Callable[..., Any], *args: Any, then: Then | None = None,
              failed: Then | None = None, **named: Any) -> None:
        """As ``run``, for what is not undone and not missed where the power fails: claiming, and giving back."""
        self._submit(_Result(owner, then, failed, wrote=True, loose=True), fn, args, named)

    def read(self, owner: QObject | None, fn: Callable[..., Any], *args: Any, then: Then | None = None,
             failed: Then | None = None, **named: Any) -> None:
        """As ``run``, for a function that only reads."""
        self._submit(_Result(owner, then, failed), fn, args, named)

    def _submit(self, result: _Result, fn: Callable[..., Any], args: tuple, named: dict[str, Any]) -> None:
        if self._is_closed:
            return
        self._out += 1
        if result.wrote:
            self._count(1)
        self._put(self._store_thread, self._call, result, fn, args, named)

    def _put(self, pool: ThreadPoolExecutor, call: Callable[..., None], *args: Any) -> None:
        future = pool.submit(call, *args)
        self._unfinished.add(future)
        future.add_done_callback(self._unfinished.discard)

    def _call(self, result: _Result, fn: Callable[..., Any], args: tuple, named: dict[str, Any]) -> None:
        if result.wrote or not self._is_closed:
            try:
                with (self.store.write_loosely() if result.loose else self.store.write() if result.wrote
                      else self.store.read()) as session:
                    result.value = fn(session, *args, **named)
            except Exception as error:
                result.error = error
        self._send(result)

    # --- long: progress and cancel --------------------------------------------------------------------------

    def work(self, owner: QObject | None, fn: Callable[..., Any], *, then: Then | None = None,
             failed: Then | None = None, progressed: Callable[[int, int], None] | None = None) -> Work:
        """Call ``fn(progress, cancelled)`` on the pool: long reads and file work beside the store's thread."""
        return self._start(self._pool, _Result(owner, then, failed), fn, progressed)

    def store_work(self, owner: QObject | None, fn: Callable[..., Any], *, then: Then | None = None,
                   failed: Then | None = None, progressed: Callable[[int, int], None] | None = None) -> Work:
        """The same on the store's thread, for long work that writes (an import): other writes wait their turn."""
        if not self._is_closed:
            self._count(1)
        return self._start(self._store_thread, _Result(owner, then, failed, wrote=True, remember="done"), fn,
                           progressed)

    def _start(self, pool: ThreadPoolExecutor, result: _Result, fn: Callable[..., Any],
               progressed: Callable[[int, int], None] | None) -> Work:
        work = Work(self, progressed, result.owner)
        if self._is_closed:
            work.cancel()
            return work
        self._out += 1
        self._running.add(work)

        def call() -> None:
            self._gate.wait()
            try:
                result.value = fn(work.progress, work.cancelled)
            except Exception as error:
                result.error = error
            self._running.discard(work)
            self._send(result)

        self._put(pool, call)
        return work

    def hold(self) -> None:
        """Park every long job (a timed trial is running)."""
        self._gate.clear()

    def release(self) -> None:
        self._gate.set()

    # --- back on the GUI thread -----------------------------------------------------------------------------

    def _send(self, result: _Result) -> None:
        if shiboken6.isValid(self):  # closing may have been forced
            self._back.emit(result)

    @Slot(object)
    def _take(self, result: _Result) -> None:
        self._out -= not result.news
        if result.wrote:
            self._count(-1)
        elif self._is_closed:
            return  # a read that was broken off, or came too late
        error = result.error
        if error is None and result.wrote and not result.loose:
            self.saved.emit(datetime.now(UTC))
        if error is None and isinstance(result.value, Done):
            self._remember(result)
        alive = result.owner is None or shiboken6.isValid(result.owner)
        if error is not None:
            self._tell(result, error, alive)
        elif alive and result.then is not None:
            result.then(result.value)
        if error is None and isinstance(result.value, Done) and result.value.touched:
            self.changed.emit(result.value.touched)
        if not self._out:
            self.idle.emit()

    @property
    def is_idle(self) -> bool:
        """Nothing runs, and every result has been shown."""
        return not self._out

    def _tell(self, result: _Result, error: BaseException, alive: bool) -> None:
        bug = not isinstance(error, Refused)
        if bug:
            self.crashed.emit(error)
            error = Refused(N_("This did not work, and the fault is in Goldsmith. Nothing was changed."), code="bug")
        if alive and result.failed is not None:
            result.failed(error)
        elif alive and not bug:
            self.refused.emit(error)

    def _count(self, step: int) -> None:
        self._waiting += step
        self.waiting_changed.emit(self._waiting)

    # --- undo of what was submitted -------------------------------------------------------------------------

    def _remember(self, result: _Result) -> None:
        done = result.value
        if not result.remember or done.undo is None:
            return
        if result.remember == "done":
            self._undo.append(done)
            self._redo.clear()
        elif result.remember == "undone":
            self._redo.append(done)
        else:
            self._undo.append(done)
        self.undo_changed.emit()

    @property
    def undo_label(self) -> str:
        """What the menu says after "Undo", or ""."""
        return self._undo[-1].label if self._undo else ""

    @property
    def redo_label(self) -> str:
        return self._redo[-1].label if self._redo else ""

    def undo(self, then: Then | None = None) -> bool:
        """Take the last operation back; False where there is none."""
        return self._reverse(self._undo, "undone", then)

    def redo(self, then: Then | None = None) -> bool:
        return self._reverse(self._redo, "redone", then)

    def _reverse(self, operations: list[Done], remember: str, then: Then | None) -> bool:
        if not operations:
            return False
        done = operations.pop()
        self.undo_changed.emit()

        def put_back(error: Refused) -> None:
            operations.append(done)
            self.undo_changed.emit()
            self.refused.emit(error)

        self._submit(_Result(self, then, put_back, wrote=True, remember=remember), _apply, (done, self.person), {})
        return True

    def recall(self) -> None:
        """What this person did last, before the program was started: it can be taken back as if it were just now."""
        person = self.person
        if person is not None and not self.store.read_only:
            self.read(self, _recent, person, then=lambda done: self._recalled(person, done),
                      failed=lambda _refused: None)

    def _recalled(self, person: UUID, done: tuple[Done, ...]) -> None:
        if person == self.person:  # nobody else has sat down meanwhile
            known = [one.undo for one in self._undo + self._redo]
            self._undo[:0] = [one for one in done if one.undo not in known]  # what was done since stays on top
            self.undo_changed.emit()

    def forget(self) -> None:
        """Another person sits down: what the last one did is not theirs to take back."""
        self._undo.clear()
        self._redo.clear()
        self.undo_changed.emit()

    def close(self) -> None:
        """Stop long jobs at their next look, and wait: what was submitted reaches the disk.

        What is asked for afterwards (a timer or a late signal of a page that goes away) is dropped.
        """
        self._is_closed = True
        self.release()
        for work in tuple(self._running):
            work.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)
        while wait(tuple(self._unfinished), timeout=0.02).not_done:
            self.store.stop_reads()  # again and again: a read may be many statements
        self._pool.shutdown(wait=True)
        self._store_thread.shutdown(wait=True)


def _recent(session: Any, person: UUID) -> tuple[Done, ...]:
    from annotation import undo  # brings SQLAlchemy, as in _apply
    from annotation.store.project import has_studies

    if has_studies(session):
        import studies.recalling  # noqa: F401 - how their deeds are taken back; other projects never load it

    return undo.recent(session, person, session.info["store"].device)


def _apply(session: Any, done: Done, person: UUID | None) -> Done:
    # Imported when first needed: it brings SQLAlchemy, and the window is painted before that is loaded.
    from annotation import undo

    assert done.undo is not None and person is not None  # nobody's deeds are not kept
    back = undo.apply(session, done.undo, person=person)
    return Done(done.label, back.touched, back.undo, back.value)
