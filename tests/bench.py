"""Figures of speed beside their targets, each with something to compare it with from the same run.

``python3 dev.py bench [NAME] [--json]``; these machines are shared and noisy, so this is no test.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from annotation import finding, gold, judgements, own, people, queue, status, tasks
from annotation.store.opening import open_store
from tests import bench_agreement, bench_score, bench_timing, bench_world
from tests.bench_bundle import rows as bench_bundle_rows

Row = dict[str, Any]


@contextmanager
def timed(into: list[float], busy: list[float] | None = None) -> Iterator[None]:
    """Milliseconds, and those of this thread on a processor: on a machine with other work they are far less."""
    begun, at_work = time.perf_counter(), time.thread_time()
    yield
    into.append(1000 * (time.perf_counter() - begun))
    if busy is not None:
        busy.append(1000 * (time.thread_time() - at_work))


def quantile(times: list[float], share: float) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def row(name: str, metric: str, n: int, value: float, unit: str, target: float, *, most: bool = True,
        beside: str = "") -> Row:
    met = value <= target if most else value >= target
    return {"name": name, "metric": metric, "n": n, "value": round(value, 3), "unit": unit, "target": target,
            "met": met, "beside": beside}


class World:
    """The project on disk; made once for all benches of a run (and the figure of its import kept)."""

    def __init__(self, folder: Path, n: int) -> None:
        self.folder, self.n = folder, n
        made = time.process_time()
        self.path = folder / "Bench.goldsmith"
        file = folder / "items.jsonl"
        bench_world.write_items(file, n)
        begun = time.perf_counter()
        lines = sum(1 for line in file.open(encoding="utf-8") if json.loads(line))
        self.parse_s = time.perf_counter() - begun
        with bench_world.begin(folder) as store:
            begun, busy = time.perf_counter(), time.process_time()
            assert bench_world.bring_in(store, file) == lines == n
            self.import_s, self.import_cpu_s = time.perf_counter() - begun, time.process_time() - busy
            self.answers = bench_world.answer_in_bulk(store)
        self.made_cpu_s = time.process_time() - made


def bench_import(world: World) -> list[Row]:
    rate = world.n / world.import_s
    return [row("import", "items a second, JSONL", world.n, rate, "items/s", 30_000, most=False,
                beside=f"in a second of processor time {world.n / world.import_cpu_s:,.0f}; the same file read with "
                       f"json alone: {world.n / world.parse_s:,.0f}")]


def bench_next(world: World) -> list[Row]:
    """The next task near the end of a queue and in its middle, each answered before the next."""
    rows = []
    with open_store(world.path) as store:
        for handle, where in (("p1", "near the end of the queue"), ("p4", "in the middle of the queue")):
            times: list[float] = []
            busy: list[float] = []
            beside = _Insert(world.folder)
            with store.read() as session:
                person = people.find(session, handle).id
            for _ in range(min(301, world.n // 25)):
                beside.once()
                with timed(times, busy), store.write_loosely() as session:  # as the Work page claims
                    view = tasks.next_task(session, person)
                assert view is not None
                with store.write() as session:
                    tasks.submit(session, view.id, {"verdict": {"v": "yes"}})
            rows.append(_quantiles("next", f"next task p99, {where}", times[1:], busy[1:], 10,
                                   f"the first {times[0]:.0f} ms; {beside.said()}"))
        times, busy = [], []
        with store.write() as session:
            queue.rewind(session)
        with timed(times, busy), store.write() as session:
            assert tasks.next_task(session, people.find(session, "p2").id) is not None
        rows.append(row("next", "first task after an import (the walk begins anew)", 1, times[0], "ms", 1000,
                        beside=f"on a processor {busy[0]:.0f} ms"))
    return rows


class _Insert:
    """One row into a table of its own, synchronous FULL: what the drive takes for any commit."""

    def __init__(self, folder: Path) -> None:
        self.times: list[float] = []
        self._plain = sqlite3.connect(folder / "plain.db", isolation_level=None)
        for line in ("pragma journal_mode=wal", "pragma synchronous=full",
                     "create table if not exists t(id integer primary key, body text)"):
            self._plain.execute(line)

    def once(self) -> None:
        with timed(self.times):
            self._plain.execute("begin immediate")
            self._plain.execute("insert into t(body) values (?)", ("x" * 400,))
            self._plain.execute("commit")

    def said(self) -> str:
        self._plain.close()
        return (f"one insert alone, FULL: median {quantile(self.times, 0.5):.2f}, "
                f"p99 {quantile(self.times, 0.99):.2f} ms")


def _quantiles(name: str, metric: str, times: list[float], busy: list[float], target: float, more: str) -> Row:
    return row(name, metric, len(times), quantile(times, 0.99), "ms", target, beside=(
        f"median {quantile(times, 0.5):.2f} ms; on a processor: median {quantile(busy, 0.5):.2f}, "
        f"p99 {quantile(busy, 0.99):.2f} ms; {more}"))


def bench_submit(world: World) -> list[Row]:
    times: list[float] = []
    busy: list[float] = []
    beside = _Insert(world.folder)
    with open_store(world.path) as store:
        with store.read() as session:
            person = people.find(session, "p2").id
        for _ in range(min(500, world.n // 25)):
            with store.write() as session:
                view = tasks.next_task(session, person)
            assert view is not None
            with timed(times, busy), store.write() as session:
                tasks.submit(session, view.id, {"verdict": {"v": "no"}}, active_ms=900, wall_ms=1000)
            beside.once()
    return [_quantiles("submit", "submit p99, synchronous FULL", times, busy, 40, beside.said())]


def bench_items(world: World) -> list[Row]:
    rows = []
    kinds: tuple[tuple[str, dict[str, Any]], ...] = (
        ("opens", {}), ("by text", {"text": "number 77"}), ("by tag", {"tag": ("topic", "topic 3")}),
        ("by open stage", {"stage": "annotate", "stage_state": "open"}), ("sorted by state", {"sort": "state"}))
    with open_store(world.path, read_only=True) as store:
        for name, wanted in kinds:
            times: list[float] = []
            for _ in range(5):
                with timed(times), store.read() as session:
                    total = finding.find_items(session, limit=100, **wanted).total
            rows.append(row("items", f"Items page {name}", total, quantile(times, 0.5), "ms", 300,
                            beside=f"slowest of 5: {max(times):.0f} ms"))
    return rows


def bench_reads(world: World) -> list[Row]:
    """What the pages read on opening, each in a store that remembers nothing."""
    with open_store(world.path, read_only=True) as store:
        with store.read() as session:
            ids = {handle: people.find(session, handle).id for handle in ("p1", "p4")}
        kinds: tuple[tuple[str, float, Callable[[Any], Any]], ...] = (
            ("what waits, near the end", 500, lambda session: own.waiting(session, ids["p1"])),
            ("what waits, in the middle", 500, lambda session: own.waiting(session, ids["p4"])),
            ("one's own answers", 300, lambda session: tasks.mine(session, ids["p1"])),
            ("stages", 500, lambda session: status.stages(session, store.protocol)),
            ("people", 300, people.people), ("gold values", 300, lambda session: gold.gold(session, limit=2000)),
            ("gold that is missing, counted", 500, gold.count_missing),
            ("agreement with its interval", 1_000, judgements.agreement),
            ("status", 5_000, status.status))
        rows = []
        for name, target, read in kinds:
            times: list[float] = []
            busy: list[float] = []
            for _ in range(3):
                store.memory.clear()
                with timed(times, busy), store.read() as session:
                    read(session)
            rows.append(row("reads", name, 3, quantile(times, 0.5), "ms", target,
                            beside=f"on a processor {quantile(busy, 0.5):.0f} ms"))
    return rows


def bench_live(world: World) -> list[Row]:
    """Agreement of a question, with its interval, after each submit in the same program; beside reading all anew."""
    times: list[float] = []
    busy: list[float] = []
    anew: list[float] = []
    with open_store(world.path) as store:
        with store.read() as session:
            person = people.find(session, "p4").id
            with timed(anew):
                judgements.agreement(session)
        for _ in range(min(40, world.n // 25)):
            with store.write() as session:
                view = tasks.next_task(session, person)
                assert view is not None
                tasks.submit(session, view.id, {"verdict": {"v": "yes"}})
            with timed(times, busy), store.read() as session:
                judgements.agreement(session)
    return [row("live", "agreement with its interval, after each submit", len(times), quantile(times, 0.5), "ms", 100,
                beside=f"on a processor {quantile(busy, 0.5):.0f} ms; all read anew: {anew[0]:,.0f} ms")]


_PLAIN_WINDOW = """
import time; begun = time.perf_counter()
from PySide6.QtWidgets import QApplication, QWidget
app = QApplication([]); w = QWidget(); w.resize(1280, 800); w.show(); app.processEvents()
print(round(1000 * (time.perf_counter() - begun)))
"""


_USABLE = """
import resource, sys, time
from app import gui
painted = []
app = gui._application()
program = gui.Program(app)

def ready():
    spent = resource.getrusage(resource.RUSAGE_SELF)
    print(painted[0], time.perf_counter() - gui._begun(), spent.ru_utime + spent.ru_stime)
    program.window.close()
    app.exit(0)

program.window.painted.connect(lambda: painted.append(time.perf_counter() - gui._begun()))
program.window.ready.connect(ready)
sys.stdout = sys.stderr
gui.gc.disable()
program.start(sys.argv[1], "p1", quits=False)
sys.stdout = sys.__stdout__
app.exec()
"""


def bench_start(world: World) -> list[Row]:
    """From the start of the process until Home shows what waits and the keys work; then until it is closed again."""
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "GOLDSMITH_HOME": str(world.folder / "home")}
    usable: list[tuple[float, ...]] = []
    closed: list[float] = []
    for _ in range(6):
        begun = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", _USABLE, str(world.path)], env=env, capture_output=True,
                              text=True, check=True)
        closed.append(time.perf_counter() - begun)
        usable.append(tuple(map(float, done.stdout.splitlines()[-1].split())))
    bare = [float(subprocess.run([sys.executable, "-c", _PLAIN_WINDOW], env=env, capture_output=True, text=True,
                                 check=True).stdout) for _ in range(3)]
    painted, ready, busy = zip(*usable[1:], strict=True)  # the first one is not warm
    return [row("start", "window usable, warm", 5, quantile(list(ready), 0.5), "s", 1.2,
                beside=f"on a processor {quantile(list(busy), 0.5):.2f} s; painted at "
                       f"{1000 * quantile(list(painted), 0.5):.0f} ms, a bare Qt window: {quantile(bare, 0.5):.0f} ms; "
                       f"closed again at {quantile(closed[1:], 0.5):.2f} s")]


_MEMORY = """
import sys
from PySide6.QtCore import QTimer, Qt
from PySide6.QtTest import QTest
from app import gui
w = gui.open_window(sys.argv[1], person="p1")
for key in (Qt.Key.Key_2, Qt.Key.Key_1, Qt.Key.Key_3, Qt.Key.Key_2):
    QTest.keyClick(w, key, Qt.KeyboardModifier.AltModifier); QTest.qWait(700)
w.close()
peak = [l for l in open("/proc/self/status") if l.startswith("VmHWM")][0].split()[1]
print(int(peak) // 1024)
"""


def bench_memory(world: World) -> list[Row]:
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "GOLDSMITH_HOME": str(world.folder / "home")}
    done = subprocess.run([sys.executable, "-c", _MEMORY, str(world.path)], env=env, capture_output=True, text=True,
                          check=True)
    bare = subprocess.run([sys.executable, "-c", _PLAIN_WINDOW.replace(
        "print(round", "print([l for l in open('/proc/self/status') if l.startswith('VmHWM')][0].split()[1]); (round")],
        env=env, capture_output=True, text=True, check=True)
    return [row("memory", "peak resident, window on the project, four pages", 1, float(done.stdout.split()[-1]), "MB",
                350, beside=f"a bare Qt window: {int(bare.stdout.split()[0]) // 1024} MB")]


def bench_statistics(_: World | None) -> list[Row]:
    return bench_agreement.rows(row)


def bench_bundle(world: World) -> list[Row]:
    return bench_bundle_rows(world, row)


def bench_scores(_: World | None) -> list[Row]:
    return bench_score.rows(row)


def bench_timings(_: World | None) -> list[Row]:
    return bench_timing.rows(row)


BENCHES: dict[str, Callable[[Any], list[Row]]] = {
    "import": bench_import, "items": bench_items, "reads": bench_reads, "start": bench_start, "memory": bench_memory,
    "next": bench_next, "submit": bench_submit, "live": bench_live, "agreement": bench_statistics,
    "score": bench_scores,
    "bundle": bench_bundle, "timing": bench_timings,
}
WORLDLESS = frozenset({"agreement", "score", "timing"})  # those that need no project on disk


def main(argv: list[str]) -> int:
    as_json = "--json" in argv
    names = [word for word in argv if word != "--json"]
    if unknown := [name for name in names if name not in BENCHES]:
        print(f"{unknown[0]}: no such bench; there are {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    n = int(os.environ.get("GOLDSMITH_BENCH_ITEMS", bench_world.ITEMS))
    failed: list[str] = []
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="goldsmith-bench-") as folder:
        world: World | None = None
        for name in names or BENCHES:
            if world is None and name not in WORLDLESS:
                world = World(Path(folder), n)
            try:
                rows += BENCHES[name](world)
            except (AssertionError, subprocess.CalledProcessError) as fault:
                failed.append(name)
                print(f"{name}: could not run: {fault}", file=sys.stderr)
    if as_json:
        print(json.dumps({"ok": not failed, "items": n, "answers": world and world.answers,
                          "made_in_cpu_s": world and round(world.made_cpu_s, 1), "benches": rows}, indent=1))
    else:
        if world is not None:
            print(f"{n:,} items, {world.answers:,} answers; made in {world.made_cpu_s:.0f} s on a processor")
        for one in rows:
            print(f"{one['name']:<9} {one['metric']:<56} {one['value']:>10,.2f} {one['unit']:<8} "
                  f"target {one['target']:,} {'met' if one['met'] else 'NOT MET'}   ({one['beside']})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
