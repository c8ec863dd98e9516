"""``python3 dev.py peers``: the same table through our engine and through other programs: values, times, ratios; and
other frameworks reading what the writers wrote (peers_frameworks). ``--only statistics|frameworks|studies`` runs
one of them (studies: the official validator of BIDS reads what was exported).

krippendorff, nltk, statsmodels and scikit-learn stand in the development lock. irrCAC pins an old scipy, so it gets
an environment of its own below ``.venv`` (made here once); where that cannot be made, its row says so.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from annotation.agreement.ratings import Ratings
from annotation.agreement.report import measure
from tests import peers_frameworks, peers_studies

IRRCAC = "irrCAC==0.4.4"
APART = Path(__file__).resolve().parent.parent / ".venv" / "peers"
PEOPLE, CATEGORIES = 3, 5
SHARES, SKILL = (0.35, 0.25, 0.2, 0.12, 0.08), 0.7


def matrix(n: int, *, missing: float = 0.0, seed: int = 1) -> np.ndarray:
    """(people, items) of whole numbers from 0, NaN where missing; alpha is about 0.49 (see tests/coverage.py)."""
    rng = np.random.default_rng(seed)
    ends = np.cumsum(SHARES)
    true = np.searchsorted(ends, rng.random(n))
    said = np.where(rng.random((PEOPLE, n)) < SKILL, true, np.searchsorted(ends, rng.random((PEOPLE, n))))
    table = np.minimum(said, CATEGORIES - 1).astype(np.float64)
    table[rng.random(table.shape) < missing] = np.nan
    return table


def as_ratings(table: np.ndarray) -> Ratings:
    people, n = table.shape
    code = np.where(np.isnan(table), -1, np.nan_to_num(table)).astype(np.int64)
    return Ratings(unit=np.tile(np.arange(n), people), person=np.repeat(np.arange(people), n), code=code.ravel(),
                   labels=tuple(map(str, range(CATEGORIES))), numbers=tuple(map(float, range(CATEGORIES))), n_units=n,
                   declared=tuple(map(str, range(CATEGORIES))))


def ours(table: np.ndarray, metric: str, level: str | None = None) -> float | None:
    return measure(as_ratings(table), metric, level=level, interval="none").value


def krippendorff_alpha(table: np.ndarray, level: str) -> float:
    import krippendorff
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement=level))


def nltk_alpha(table: np.ndarray) -> float:
    from nltk.metrics.agreement import AnnotationTask
    rows = [(str(person), str(item), int(value)) for person, row in enumerate(table) for item, value in enumerate(row)
            if value == value]
    return float(AnnotationTask(data=rows).alpha())


def statsmodels_fleiss(table: np.ndarray) -> float:
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
    return float(fleiss_kappa(aggregate_raters(table.T.astype(int), CATEGORIES)[0]))


def sklearn_cohen(table: np.ndarray) -> float:
    from sklearn.metrics import cohen_kappa_score
    return float(cohen_kappa_score(table[0].astype(int), table[1].astype(int), labels=list(range(CATEGORIES))))


_IRRCAC = """
import json, sys, time
import numpy as np, pandas as pd
from irrCAC.raw import CAC
table = pd.DataFrame(np.load(sys.argv[1]).T)
cac, out = CAC(table), {}
for name in ("krippendorff", "fleiss", "gwet"):
    begun = time.perf_counter()
    out[name] = [float(getattr(cac, name)()["est"]["coefficient_value"]), time.perf_counter() - begun]
print(json.dumps(out))
"""


def irrcac(table: np.ndarray) -> dict[str, tuple[float, float]] | None:
    """(value rounded to five digits by that program, seconds) by coefficient, from another process; None without it."""
    python = next((p for p in (APART / "bin" / "python", APART / "Scripts" / "python.exe") if p.exists()), None)
    if python is None:
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        made = subprocess.run([sys.executable, "-m", "venv", str(APART)], **quiet).returncode
        python = next((p for p in (APART / "bin" / "python", APART / "Scripts" / "python.exe") if p.exists()), None)
        if made or python is None or subprocess.run(
                [str(python), "-m", "pip", "install", "--quiet", "--only-binary", ":all:", IRRCAC], **quiet).returncode:
            return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "table.npy")
        np.save(file, table)
        done = subprocess.run([str(python), "-c", _IRRCAC, str(file)], capture_output=True, text=True)
    return {name: tuple(found) for name, found in json.loads(done.stdout).items()} if done.returncode == 0 else None


def timed(function: Callable[..., Any], *args: Any, times: int = 3) -> tuple[Any, float]:
    """The value and the median of the seconds."""
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        value = function(*args)
        took.append(time.perf_counter() - begun)
    return value, sorted(took)[len(took) // 2]


def _row(metric: str, data: str, program: str, theirs: tuple[float, float] | None,
         mine: tuple[float, float]) -> dict[str, Any]:
    row = {"metric": metric, "data": data, "program": program, "ours": mine[0], "ours_s": mine[1], "theirs": None,
           "theirs_s": None, "difference": None, "ratio": None}
    if theirs is not None:
        row |= {"theirs": theirs[0], "theirs_s": theirs[1], "difference": abs(theirs[0] - mine[0]),
                "ratio": theirs[1] / mine[1]}
    return row


def compare(n: int) -> Iterator[dict[str, Any]]:
    """One row per coefficient and program; ``ratio`` = its time over ours, ``difference`` of the values."""
    for missing in (0.0, 0.1):
        table = matrix(n, missing=missing)
        data = f"{PEOPLE} x {n:,} x {CATEGORIES}" + (", 10 % missing" if missing else "")
        for level in ("nominal", "ordinal", "interval"):
            mine = timed(ours, table, "krippendorff_alpha", level)
            yield _row(f"alpha {level}", data, "krippendorff", timed(krippendorff_alpha, table, level), mine)
            if level == "nominal":
                yield _row("alpha nominal", data, "nltk", timed(nltk_alpha, table, times=1), mine)
        apart = irrcac(table)
        for name, metric, at in (("krippendorff", "krippendorff_alpha", "nominal"), ("fleiss", "fleiss_kappa", None),
                                 ("gwet", "gwet_ac1", None)):
            yield _row(metric, data, "irrCAC" if apart else "irrCAC (could not be installed)",
                       apart[name] if apart else None, timed(ours, table, metric, at))
        if not missing:
            yield _row("fleiss_kappa", data, "statsmodels", timed(statsmodels_fleiss, table),
                       timed(ours, table, "fleiss_kappa"))
            yield _row("cohen_kappa", data, "scikit-learn", timed(sklearn_cohen, table[:2]),
                       timed(ours, table[:2], "cohen_kappa"))


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="dev.py peers", description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=200_000)
    parser.add_argument("--only", choices=("statistics", "frameworks", "studies"))
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    rows = list(compare(args.items)) if args.only in (None, "statistics") else []
    read = [{**row, "agrees": peers_frameworks.agrees(row)} for row in peers_frameworks.compare()
            ] if args.only in (None, "frameworks") else []
    checked = list(peers_studies.rows()) if args.only in (None, "studies") else []
    if args.json:
        print(json.dumps({"rows": rows, "frameworks": read, "studies": checked}))
    else:
        print("\n".join([*map(told, rows), *map(peers_frameworks.told, read),
                         *map(peers_studies.told, checked)]))
    return 0 if all(row["agrees"] for row in read) and all(row["ok"] for row in checked) else 1


def told(row: dict[str, Any]) -> str:
    """One line for people."""
    if row["theirs"] is None:
        return f"{row['metric']:<20} {row['data']:<34} {row['program']}"
    return (f"{row['metric']:<20} {row['data']:<34} {row['program']:<13} {row['theirs']:.6f} in "
            f"{row['theirs_s']:.3f} s; ours {row['ours']:.6f} in {row['ours_s']:.4f} s: {row['ratio']:,.0f} times; "
            f"difference {row['difference']:.1e}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
