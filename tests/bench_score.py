"""``python3 dev.py bench score``: a bundle of 200,000 gold items, scored with 2,000 draws of clusters; its memory."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.small_bundle import predictions, write

Row = dict[str, Any]
N, A_CLUSTER = 200_000, 10
CANARY = "benchmark data must not appear in training corpora, canary 6ba7b810-9dad-11d1-80b4-00c04fd430c8"

_SCORE = """
import json, resource, sys, time
from exports.scorer.score import score
begun, busy = time.perf_counter(), time.process_time()
found = score(sys.argv[1], dict(one.split("=", 1) for one in sys.argv[2:]))
took, busy = time.perf_counter() - begun, time.process_time() - busy
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "darwin" else 1)  # KB
if sys.platform == "linux":  # there a new process begins with the peak of the one that began it
    peak = int([one for one in open("/proc/self/status") if one.startswith("VmHWM")][0].split()[1])
peak /= 1024
one = found["systems"][0]["metrics"][0]
print(json.dumps([took, busy, peak, one["value"], one["ci"], one["ci_method"]]))
"""


def make(folder: Path, n: int = N) -> tuple[Path, Path, Path]:
    """A bundle with rows as the program writes them, and two files of predictions right in 7 and 6 of 10."""
    rng = random.Random(1)
    options = [{"id": "yes", "text": "Yes"}, {"id": "no", "text": "No"}]
    items = [{"id": f"g{i:015x}", "key": f"item-{i:06d}", "rev": 1, "split": "test", "cluster": f"c{i // A_CLUSTER}",
              "slices": {"topic": f"topic {i % 12}"}, "canary": CANARY, "choices": {"verdict": options}, "media": [],
              "fields": {"question": f"Is statement {i} about the thing with number {i * 7919 % 104729} true, given "
                                     "what stands in the second paragraph of the report?"}} for i in range(n)]
    answers = [rng.choice(("yes", "no")) for _ in items]
    agreement = {"metric": "percent_agreement", "level": "nominal", "value": 1.0, "n": 4}
    gold = [{"id": item["id"], "rev": 1, "question": "verdict", "answer": answer, "na": False, "rule": "majority",
             "n": 4, "agreement": agreement, "standing": "rule", "signed": False, "protocol": "bench 1",
             "frozen_at": "2026-11-30T10:00:00Z", "nonce": f"{rng.getrandbits(128):032x}"}
            for item, answer in zip(items, answers, strict=True)]
    bundle = write(folder / "bundle", items, gold, [("accuracy", "verdict")])
    files = []
    for name, hardness in (("one", 0.7), ("two", 0.6)):
        drawn = random.Random(name)
        easy = [drawn.betavariate(4 * hardness, 4 - 4 * hardness) for _ in range(n // A_CLUSTER + 1)]
        rows = [{"id": item["id"], "question": "verdict",
                 "answer": answer if drawn.random() < easy[i // A_CLUSTER] else "no" if answer == "yes" else "yes"}
                for i, (item, answer) in enumerate(zip(items, answers, strict=True))]
        files.append(predictions(folder / f"{name}.jsonl", rows))
    return bundle, files[0], files[1]


def measure(bundle: Path, files: list[Path]) -> list[Any]:
    """Seconds, seconds on a processor, MB, value, interval and method, in a process of its own."""
    done = subprocess.run([sys.executable, "-c", _SCORE, str(bundle), *(f"{file.stem}={file}" for file in files)],
                          capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    found: list[Any] = json.loads(done.stdout)
    return found


def plain_json(bundle: Path, file: Path) -> float:
    """Seconds on a processor that json alone takes to read the same files, line by line, and keep nothing."""
    begun = time.process_time()
    for path in (bundle / "public/items.jsonl", bundle / "public/gold.jsonl", file):
        for line in path.open("rb"):
            json.loads(line)
    return time.process_time() - begun


def rows(row: Callable[..., Row]) -> list[Row]:
    n = int(os.environ.get("GOLDSMITH_BENCH_ITEMS", N))
    with tempfile.TemporaryDirectory(prefix="goldsmith-score-") as folder:
        bundle, one, two = make(Path(folder), n)
        took, busy, peak, value, ci, method = measure(bundle, [one])
        alone = plain_json(bundle, one)
        both, both_busy, *_ = measure(bundle, [one, two])
    words = f"{value:.3f} [{ci[0]:.3f}, {ci[1]:.3f}] by {method}; on a processor {busy:.2f} s, of which json " \
            f"alone takes {alone:.2f} s to read the files"
    return [row("score", f"one file, 2,000 draws of {n // A_CLUSTER:,} clusters, 12 slices", n, took, "s", 5.0,
                beside=words),
            row("score", "the same with a second file, and the two compared", n, both, "s", 10.0,
                beside=f"on a processor {both_busy:.2f} s"),
            row("score", "one file: memory", n, peak, "MB", 1500.0)]
