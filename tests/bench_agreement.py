"""``python3 dev.py bench agreement``: coefficients with intervals beside other programs on the same tables."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from annotation.agreement.ratings import Ratings, collapse
from annotation.agreement.report import measure, measure_patterns, prepare
from annotation.agreement.slices import measure_slices
from tests import peers

Row = dict[str, Any]
Make = Callable[..., Row]
N, REPLICATES, SLICES = 200_000, 10_000, 1000


def rows(row: Make) -> list[Row]:
    table = peers.matrix(N)
    return [*_whole(row, table), *_growth(row, table), *_slices(row), *_slider(row), *_others(row, table)]


def _median(function: Callable[[], Any], times: int = 5) -> tuple[float, Any]:
    took, value = [], None
    for _ in range(times):
        begun = time.perf_counter()
        value = function()
        took.append(time.perf_counter() - begun)
    return sorted(took)[len(took) // 2], value


def _whole(row: Make, table: np.ndarray) -> list[Row]:
    """From arrays of judgements to alpha with its BCa interval; a resample with the krippendorff package beside it."""
    ratings, found = peers.as_ratings(table), []
    rng = np.random.default_rng(1)
    for level in ("nominal", "ordinal", "interval"):
        took, result = _median(lambda level=level: measure(ratings, "krippendorff_alpha", level=level,
                                                           replicates=REPLICATES))
        naive, _ = _median(lambda level=level: peers.krippendorff_alpha(table[:, rng.integers(0, N, N)], level), 3)
        found.append(row("agreement", f"alpha {level}, BCa of {REPLICATES:,} draws, 3 x {N:,} x 5", N, took, "s", 0.3,
                         beside=f"{result.value:.3f} [{result.ci[0]:.3f}, {result.ci[1]:.3f}]; resampling items with "
                                f"the krippendorff package: {naive:.2f} s a draw (median of 3), "
                                f"{naive * REPLICATES:,.0f} s for all (extrapolated): "
                                f"{naive * REPLICATES / took:,.0f} times"))
    return found


def _growth(row: Make, table: np.ndarray) -> list[Row]:
    """The same after counting, at ten times the items: what is left depends on patterns alone."""
    took = {}
    for times in (1, 10):
        ratings = peers.as_ratings(np.tile(table, times))
        counted = collapse(ratings)
        scale = prepare(ratings, "krippendorff_alpha", level="nominal").scale
        took[times], _ = _median(lambda counted=counted, scale=scale: measure_patterns(
            counted, scale, "krippendorff_alpha", people=peers.PEOPLE, replicates=REPLICATES))
    return [row("agreement", "alpha at 2,000,000 items over 200,000, after counting", 10 * N, took[10] / took[1],
                "times", 2, beside=f"{took[10]:.3f} s and {took[1]:.3f} s")]


def _slices(row: Make) -> list[Row]:
    table = peers.matrix(N)
    ratings = peers.as_ratings(table)
    units = np.random.default_rng(2).permutation(N).reshape(SLICES, -1)
    sliced = Ratings(unit=ratings.unit, person=ratings.person, code=ratings.code, labels=ratings.labels,
                     numbers=ratings.numbers, n_units=N, slices={f"s{n:04d}": part for n, part in enumerate(units)})
    first, found = _median(lambda: measure_slices(sliced, "krippendorff_alpha", "part", level="nominal",
                                                  interval="jackknife"), 3)
    assert len(found) == SLICES and all(one.ci is not None for one in found)
    second, found = _median(lambda: measure_slices(sliced, "krippendorff_alpha", "part", level="nominal",
                                                   interval="bca", replicates=1000), 1)
    assert len(found) == SLICES
    return [row("agreement", f"{SLICES:,} slices of {N // SLICES}, jackknife", SLICES, first, "s", 0.5),
            row("agreement", f"{SLICES:,} slices of {N // SLICES}, 1,000 draws each", SLICES, second, "s", 5.0)]


_SLIDER = """
import resource, sys, time
import numpy as np
from annotation.agreement.ratings import Ratings
from annotation.agreement.report import measure
n, level = 200_000, sys.argv[1]
rng = np.random.default_rng(1)
said = np.clip(rng.normal(50, 25, n)[None] + rng.normal(0, 8, (3, n)), 0, 100).round().astype(np.int64)
ratings = Ratings(unit=np.tile(np.arange(n), 3), person=np.repeat(np.arange(3), n), code=said.ravel(),
                  labels=tuple(map(str, range(101))), numbers=tuple(map(float, range(101))), n_units=n)
begun = time.perf_counter()
result = measure(ratings, "krippendorff_alpha", level=level, replicates=int(sys.argv[2]))
assert result.ci is not None, result.reason
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 if sys.platform == "darwin" else 1024)
print(time.perf_counter() - begun, peak)
"""


def _slider(row: Make) -> list[Row]:
    """Numbers from 0 to 100, where hardly an item answers like another: in a process of its own, for its memory."""
    found = []
    for level, draws, target in (("interval", 10_000, 20.0), ("ordinal", 1_000, 20.0)):
        done = subprocess.run([sys.executable, "-c", _SLIDER, level, str(draws)], capture_output=True, text=True,
                              check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
        took, peak = map(float, done.stdout.split())
        name = f"slider 0-100, alpha {level}, {draws:,} draws"
        found.append(row("agreement", f"{name}: memory", N, peak / 1000, "GB", 1.0))
        found.append(row("agreement", f"{name}: time", N, took, "s", target))
    found.append(row("agreement", "slider 0-100: stops after it is told to", N, _stops(), "s", 1.0))
    return found


def _stops() -> float:
    rng = np.random.default_rng(1)
    ratings = Ratings(unit=np.tile(np.arange(N), 3), person=np.repeat(np.arange(3), N),
                      code=rng.integers(0, 101, 3 * N), labels=tuple(map(str, range(101))),
                      numbers=tuple(map(float, range(101))), n_units=N)
    told: list[float] = []
    started = threading.Event()
    timer = threading.Timer(1.0, lambda: told.append(time.perf_counter()))

    def cancelled() -> bool:
        if not started.is_set():
            started.set()
            timer.start()
        return bool(told)

    result = measure(ratings, "krippendorff_alpha", level="ordinal", replicates=100_000, cancelled=cancelled)
    assert told and result.ci is None
    return time.perf_counter() - told[0]


def _others(row: Make, table: np.ndarray) -> list[Row]:
    """One value without an interval: how many times longer other programs take."""
    mine, value = _median(lambda: measure(peers.as_ratings(table), "krippendorff_alpha", level="nominal",
                                          interval="none").value)
    found = []
    for name, function, times in (("krippendorff", lambda: peers.krippendorff_alpha(table, "nominal"), 3),
                                  ("nltk", lambda: peers.nltk_alpha(table), 1)):
        took, other = _median(function, times)
        found.append(row("agreement", f"alpha nominal by {name} over ours", N, took / mine, "times", 1, most=False,
                         beside=f"{took:.3f} s and {mine:.4f} s; values differ by {abs(other - value):.1e}"))
    apart = peers.irrcac(table)
    if apart is not None:
        other, took = apart["krippendorff"]
        found.append(row("agreement", "alpha nominal by irrCAC over ours", N, took / mine, "times", 1, most=False,
                         beside=f"{took:.3f} s and {mine:.4f} s; values differ by {abs(other - value):.1e}, printed "
                                "to five digits there"))
    return found
