"""The bench of bundles: the big project's gold released, written, and checked, with the memory that it takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Each in a process of its own, so that its peak of memory is its own too.
_RUN = """
import json, os, resource, sys, time
from annotation import people
from annotation.store.opening import open_store
from exports import bundle, release
from exports.verify import verify
project, out, what = sys.argv[1:]
begun = time.perf_counter()
busy = sum(os.times()[:4])
if what == "draw":
    with open_store(project) as store, store.write() as session:
        items = release.draw(session, None, by=people.find(session, "owner").id, examined=()).items
elif what == "write":
    with open_store(project, read_only=True) as store, store.read() as session:
        items = bundle.write_bundle(session, out).items
else:
    report = verify(out)
    assert not report.faults, report.faults[:3]
    items = report.rows
spent = {"s": time.perf_counter() - begun, "cpu_s": sum(os.times()[:4]) - busy, "n": items}
own = int([l for l in open("/proc/self/status") if l.startswith("VmHWM")][0].split()[1])
spent["peak_mb"] = max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) // 1024  # of the largest process
print(json.dumps(spent))
"""


def rows(world: Any, row: Callable[..., dict[str, Any]]) -> list[dict[str, Any]]:
    """Drawn once (without preflight), written, verified."""
    out = Path(world.folder) / "bundle"
    spent = {what: _run(world.path, out, what) for what in ("draw", "write", "verify")}
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    drawn, written, checked = spent["draw"], spent["write"], spent["verify"]
    return [
        row("bundle", "a release drawn (preflight apart)", drawn["n"], drawn["s"], "s", 90,
            beside=f"on a processor {drawn['cpu_s']:.1f} s"),
        row("bundle", "peak resident while drawing", drawn["n"], drawn["peak_mb"], "MB", 500,
            beside="gold and public ids; what is drawn lies on disk"),
        row("bundle", "gold items with all answers to a bundle", written["n"], written["s"], "s", 20,
            beside=f"on a processor {written['cpu_s']:.1f} s; {size / 1e6:,.0f} MB written"),
        row("bundle", "peak resident while writing", written["n"], written["peak_mb"], "MB", 500,
            beside="the largest of the processes; rows pass by, the hashes of lines are kept"),
        row("bundle", "a bundle verified, rows", checked["n"], checked["s"], "s", 180,
            beside=f"on a processor {checked['cpu_s']:.1f} s"),
        row("bundle", "peak resident while verifying, rows", checked["n"], checked["peak_mb"], "MB", 200,
            beside="rows pass by; eight bytes of each are kept")]


def _run(project: Path, out: Path, what: str) -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", _RUN, str(project), str(out), what], capture_output=True, text=True,
                          check=True, env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)})
    return json.loads(done.stdout.splitlines()[-1])
