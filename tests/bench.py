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

from annotation import finding, people, tasks
from annotation.store.opening import open_store
from tests import bench_world

Row = dict[str, Any]


@contextmanager
def timed(into: list[float]) -> Iterator[None]:
    begun = time.perf_counter()
    yield
    into.append(1000 * (time.perf_counter() - begun))


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
        self.path = folder / "Bench.goldsmith"
        file = folder / "items.jsonl"
        bench_world.write_items(file, n)
        begun = time.perf_counter()
        lines = sum(1 for line in file.open(encoding="utf-8") if json.loads(line))
        self.parse_s = time.perf_counter() - begun
        with bench_world.begin(folder) as store:
            begun = time.perf_counter()
            assert bench_world.bring_in(store, file) == lines == n
            self.import_s = time.perf_counter() - begun
            self.answers = bench_world.answer_in_bulk(store)


def bench_import(world: World) -> list[Row]:
    rate = world.n / world.import_s
    return [row("import", "items a second, JSONL", world.n, rate, "items/s", 30_000, most=False,
                beside=f"reading the same file with json alone: {world.n / world.parse_s:,.0f} items/s")]


def bench_next(world: World) -> list[Row]:
    """The next task near the end of a queue and in its middle; each is given back undone, then skipped on."""
    rows = []
    with open_store(world.path) as store:
        for handle, where in (("p1", "near the end of the queue"), ("p4", "in the middle of the queue")):
            times: list[float] = []
            with store.write() as session:
                person = people.find(session, handle).id
            held = None
            for _ in range(301):
                with timed(times), store.write() as session:
                    view = tasks.next_task(session, person, besides=held)
                assert view is not None
                with store.write() as session:
                    tasks.submit(session, view.id, {"verdict": {"v": "yes"}})
            first, rest = times[0], times[1:]
            rows.append(row("next", f"next task p99, {where}", len(rest), quantile(rest, 0.99), "ms", 10,
                            beside=f"median {quantile(rest, 0.5):.2f} ms; first of a walk without a cursor "
                                   f"{first:.0f} ms"))
    return rows


def bench_submit(world: World) -> list[Row]:
    times: list[float] = []
    plain: list[float] = []
    with open_store(world.path) as store, sqlite3.connect(world.folder / "plain.db", isolation_level=None) as beside:
        beside.execute("pragma journal_mode=wal")
        beside.execute("pragma synchronous=full")
        beside.execute("create table t(id integer primary key, body text)")
        with store.write() as session:
            person = people.find(session, "p2").id
        for _ in range(500):
            with store.write() as session:
                view = tasks.next_task(session, person)
            assert view is not None
            with timed(times), store.write() as session:
                tasks.submit(session, view.id, {"verdict": {"v": "no"}}, active_ms=900, wall_ms=1000)
            with timed(plain):
                beside.execute("begin immediate")
                beside.execute("insert into t(body) values (?)", ("x" * 400,))
                beside.execute("commit")
    return [row("submit", "submit p99, synchronous FULL", len(times), quantile(times, 0.99), "ms", 40,
                beside=f"median {quantile(times, 0.5):.2f} ms; one insert alone, FULL: median "
                       f"{quantile(plain, 0.5):.2f}, p99 {quantile(plain, 0.99):.2f} ms")]


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


_PLAIN_WINDOW = """
import time; begun = time.perf_counter()
from PySide6.QtWidgets import QApplication, QWidget
app = QApplication([]); w = QWidget(); w.resize(1280, 800); w.show(); app.processEvents()
print(round(1000 * (time.perf_counter() - begun)))
"""


def bench_start(world: World) -> list[Row]:
    """From the start of the process until the window is painted and, with the project read, usable."""
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "GOLDSMITH_HOME": str(world.folder / "home")}
    times: list[float] = []
    painted: list[float] = []
    for _ in range(5):
        begun = time.perf_counter()
        done = subprocess.run([sys.executable, "-m", "app", str(world.path), "--as", "p1", "--quit-after-first-paint"],
                              env=env, capture_output=True, text=True, check=True)
        times.append(time.perf_counter() - begun)
        painted.append(float(done.stdout.split()[2]))
    bare = [float(subprocess.run([sys.executable, "-c", _PLAIN_WINDOW], env=env, capture_output=True, text=True,
                                 check=True).stdout) for _ in range(3)]
    return [row("start", "window usable, warm", 5, quantile(times, 0.5), "s", 1.2,
                beside=f"painted at {quantile(painted, 0.5):.0f} ms; a bare Qt window: {quantile(bare, 0.5):.0f} ms; "
                       "includes closing again")]


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


BENCHES: dict[str, Callable[[World], list[Row]]] = {
    "import": bench_import, "items": bench_items, "start": bench_start, "memory": bench_memory, "next": bench_next,
    "submit": bench_submit,
}


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
        world = World(Path(folder), n)
        for name in names or BENCHES:
            try:
                rows += BENCHES[name](world)
            except (AssertionError, subprocess.CalledProcessError) as fault:
                failed.append(name)
                print(f"{name}: could not run: {fault}", file=sys.stderr)
    if as_json:
        print(json.dumps({"ok": not failed, "items": n, "answers": world.answers, "benches": rows}, indent=1))
    else:
        print(f"{n:,} items, {world.answers:,} answers")
        for one in rows:
            print(f"{one['name']:<8} {one['metric']:<46} {one['value']:>10,.2f} {one['unit']:<8} "
                  f"target {one['target']:,} {'met' if one['met'] else 'NOT MET'}   ({one['beside']})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
