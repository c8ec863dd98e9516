"""Other programs read what the writers wrote, offline: Inspect AI runs the tasks, ``datasets`` loads the folder.

Each framework has an environment of its own below ``.venv``, made here on demand; runs have no network. A system that
knows the gold must reach the metric's best, one that avoids it the worst, and one that always says the same what our
own scorer gives for it, with the same standard error over clusters.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from exports.scorer.score import score
from exports.writers import writers
from tests import writer_worlds
from tests.small_bundle import predictions

VENV = Path(__file__).resolve().parent.parent / ".venv"
FRAMEWORKS = {"inspect_ai": ("peers-inspect", ("inspect_ai==0.3.285",)),
              "datasets": ("peers-datasets", ("datasets==5.2.0", "pillow"))}
FOLDER = "Prüfung für «alle» & mehr"  # spaces and umlauts in the path of every picture

# Loaded by Python itself at its start: nothing but sockets of this machine's own can be opened.
_NO_NETWORK = """
import socket
def _closed(self, address, *more):
    if self.family == getattr(socket, "AF_UNIX", None):
        return _connect(self, address, *more)
    raise OSError("the network is closed for this run: %r" % (address,))
_connect = socket.socket.connect
socket.socket.connect = _closed
socket.socket.connect_ex = _closed
"""
_REPLAY = """
import json
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver

@solver
def replay(file):
    said = json.load(open(file, encoding="utf-8"))
    async def solve(state, generate):
        state.output = ModelOutput.from_content("none", said[str(state.sample_id)])
        return state
    return solve
"""
_LOAD = """
import json, sys
from datasets import get_dataset_config_names, load_dataset
folder, out = sys.argv[1], {}
def sizes(value):
    if isinstance(value, dict):
        return [size for one in value.values() for size in sizes(one)]
    if isinstance(value, list):
        return [size for one in value for size in sizes(one)]
    return [value.size] if hasattr(value, "getexif") else []
for config in get_dataset_config_names(folder):
    data = load_dataset(folder, config)
    out[config] = {split: {"rows": rows.num_rows, "features": {k: str(v) for k, v in rows.features.items()},
                           "first": [str(rows[0][k])[:60] if rows.num_rows else None for k in rows.features][:2],
                           "sizes": [size for row in rows for value in row.values() for size in sizes(value)]}
                   for split, rows in data.items()}
print("RESULT" + json.dumps(out))
"""


def python_of(framework: str) -> Path | None:
    """The interpreter of a framework's environment, made where there is none; None where it cannot be made."""
    name, packages = FRAMEWORKS[framework]
    places = (VENV / name / "bin" / "python", VENV / name / "Scripts" / "python.exe")
    done = VENV / name / "made"
    if not done.exists():
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        if subprocess.run([sys.executable, "-m", "venv", str(VENV / name)], **quiet).returncode:
            return None
        python = next(place for place in places if place.exists())
        if subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages], **quiet).returncode:
            return None
        done.touch()
    return next((place for place in places if place.exists()), None)


def compare() -> Iterator[dict[str, Any]]:
    """One row per framework, bundle and system: what was expected, what the framework said."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "closed").mkdir()
        (folder / "closed" / "sitecustomize.py").write_text(_NO_NETWORK, encoding="utf-8")
        for kind, make in writer_worlds.MADE.items():
            bundle = make(folder / kind)
            yield from _inspect(folder, kind, bundle)
            yield from _datasets(folder, kind, bundle)


# --- Inspect AI ----------------------------------------------------------------------------------

def _inspect(folder: Path, kind: str, bundle: Path) -> Iterator[dict[str, Any]]:
    python = python_of("inspect_ai")
    for metric in ("accuracy", "mra") if kind == "number" else (None,):
        if metric is not None:
            _name_metric(bundle, metric)
        out = folder / FOLDER / f"{kind} {metric or ''}".strip()
        out.parent.mkdir(exist_ok=True)
        writers["inspect"].from_bundle(bundle, out)
        task = json.loads((out / "export.json").read_text(encoding="utf-8"))["tasks"][0]
        samples = [json.loads(line) for line in (out / f"{task['name']}-test.jsonl").read_bytes().split(b"\n") if line]
        for system, said in _systems(kind, samples).items():
            row = {"framework": "inspect_ai", "data": f"{kind} {metric or ''}".strip(), "system": system}
            if python is None:
                yield {**row, "expected": None, "found": None, "why": "could not be installed"}
                continue
            wanted = _expected(bundle, system, samples, said, kind)
            yield {**row, **wanted, **_evaluated(folder, python, out, task["name"], said)}


def _name_metric(bundle: Path, metric: str) -> None:
    """The bundle with another metric in its manifest, as a protocol may name it."""
    path = bundle / "manifest.json"
    head = json.loads(path.read_text(encoding="utf-8"))
    head["scorer"] = [{**one, "metric": metric} for one in head["scorer"]]
    path.write_text(json.dumps(head), encoding="utf-8")


def _systems(kind: str, samples: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """What each system says to each sample: texts, bare letters and labelled letters in turn."""
    letters = "ABCDEFGH"
    found: dict[str, dict[str, str]] = {"oracle": {}, "anti-oracle": {}, "constant": {}, "constant 2": {},
                                        "refuses": {}}
    for n, sample in enumerate(samples):
        target, id = sample["target"], sample["id"]
        wrong = {"choice": next(one for one in "ABCD" if one != target), "number": "1000000",
                 "pairs": "A" if target != "A" else "B"}[kind]
        right = sample["choices"][letters.index(target)] if kind == "choice" and n % 3 == 0 else target
        forms = (right, f"So it is.\nANSWER: {target}", f"{target}." if kind != "number" else f"{target} m")
        found["oracle"][id] = forms[n % 3]
        found["anti-oracle"][id] = (wrong, f"ANSWER: {wrong}")[n % 2]
        found["constant"][id] = {"choice": "A", "number": "3.5", "pairs": "A"}[kind]
        found["constant 2"][id] = {"choice": "none of these", "number": "3.3", "pairs": "tie"}[kind]
        found["refuses"][id] = "I would rather not say."
    return found


def _expected(bundle: Path, system: str, samples: list[dict[str, Any]], said: Mapping[str, str],
              kind: str) -> dict[str, Any]:
    """Our own score of the same answers; best and worst as the metric has them."""
    rows = []
    for sample in samples:
        order, text = sample["metadata"]["order"], said[sample["id"]].split("ANSWER: ")[-1].removesuffix(".")
        answer: Any = text.removesuffix(" m")
        if kind != "number" and len(text) == 1:
            answer = order["ABCDEFGH".index(text)]
        if kind == "number" and system != "refuses":
            answer = float(answer)
        rows.append({"id": sample["id"], "answer": answer})
    report = score(bundle, {"system": predictions(bundle.parent / "said.jsonl", rows)})
    metric = report["systems"][0]["metrics"][0]
    value = metric["value"]
    best = {"oracle": metric["best"], "anti-oracle": metric["worst"], "refuses": 0.0}
    return {"expected": best.get(system, value), "ours": value}


def _stderr(values: list[tuple[str, float]]) -> float:
    """Standard error of a mean over clusters: sqrt(G / (G - 1) * sum of squared cluster sums of residuals) / n."""
    mean = sum(value for _, value in values) / len(values)
    sums: dict[str, float] = {}
    for cluster, value in values:
        sums[cluster] = sums.get(cluster, 0.0) + value - mean
    return math.sqrt(len(sums) / (len(sums) - 1) * sum(one * one for one in sums.values())) / len(values)


def _evaluated(folder: Path, python: Path, out: Path, task: str, said: Mapping[str, str]) -> dict[str, Any]:
    work = Path(tempfile.mkdtemp(dir=folder))
    (work / "said.json").write_text(json.dumps(said), encoding="utf-8")
    (work / "replay.py").write_text(_REPLAY, encoding="utf-8")
    begun = time.perf_counter()
    done = subprocess.run(
        [str(python), "-m", "inspect_ai", "eval", f"{out / 'gold_tasks.py'}@{task}", "--model", "none", "--solver",
         f"{work / 'replay.py'}@replay", "-S", f"file={work / 'said.json'}", "--log-format", "json", "--log-dir",
         str(work / "logs"), "--display", "plain"],
        capture_output=True, text=True, env=_closed(folder), cwd=work)
    logs = sorted((work / "logs").glob("*.json"))
    if done.returncode or not logs:
        return {"found": None, "why": (done.stderr or done.stdout)[-400:]}
    log = json.loads(logs[0].read_text(encoding="utf-8"))
    if log["status"] != "success":
        return {"found": None, "why": str(log.get("error"))[-400:]}
    told = {name: one["value"] for name, one in log["results"]["scores"][0]["metrics"].items()}
    values = [(one["metadata"]["cluster"], next(iter(one["scores"].values()))["value"]) for one in log["samples"]]
    readings = [next(iter(one["scores"].values()))["metadata"]["reading"] for one in log["samples"]]
    return {"found": told.get("accuracy", told.get("mean")), "stderr": told["stderr"],
            "stderr_formula": _stderr(values), "n": len(values), "unparsable": readings.count("unparsable"),
            "seconds": time.perf_counter() - begun}


def _closed(folder: Path) -> dict[str, str]:
    """The environment of a run without a network, and with all that it keeps below ``folder``."""
    kept = ("PATH", "LANG", "SYSTEMROOT", "TEMP", "TMPDIR")
    keep = {name: value for name, value in os.environ.items() if name in kept}
    return {**keep, "PYTHONPATH": str(folder / "closed"), "HOME": str(folder), "HF_HUB_OFFLINE": "1",
            "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(folder / "hf"), "PYTHONUTF8": "1"}


# --- datasets ------------------------------------------------------------------------------------

def _datasets(folder: Path, kind: str, bundle: Path) -> Iterator[dict[str, Any]]:
    python = python_of("datasets")
    out = folder / FOLDER / f"{kind} hf"
    written = writers["hf"].from_bundle(bundle, out)
    row: dict[str, Any] = {"framework": "datasets", "data": kind, "system": "hf folder"}
    if python is None:
        yield {**row, "expected": None, "found": None, "why": "could not be installed"}
        return
    begun = time.perf_counter()
    done = subprocess.run([str(python), "-c", _LOAD, str(out)], capture_output=True, text=True, env=_closed(folder))
    told = next((line for line in done.stdout.splitlines() if line.startswith("RESULT")), None)
    if told is None:
        yield {**row, "expected": None, "found": None, "why": done.stderr[-400:]}
        return
    found = json.loads(told.removeprefix("RESULT"))
    rows = sum(split["rows"] for config in found.values() for split in config.values())
    yield {**row, "expected": written.read_back, "found": rows, "configs": sorted(found), "n": rows,
           "pictures": sum(len(split["sizes"]) for config in found.values() for split in config.values()),
           "features": found["items"]["test"]["features"], "seconds": time.perf_counter() - begun}


def agrees(row: Mapping[str, Any]) -> bool:
    """Whether the framework said what was expected, and its standard error is that of the formula."""
    if row["found"] is None or row["expected"] is None:
        return False
    near = abs(row["found"] - row["expected"]) < 1e-9 and abs(row["found"] - row.get("ours", row["found"])) < 1e-9
    return near and ("stderr" not in row or abs(row["stderr"] - row["stderr_formula"]) < 1e-9)


def told(row: Mapping[str, Any]) -> str:
    """One line for people."""
    head = f"{row['framework']:<11} {row['data']:<16} {row['system']:<12}"
    if row["found"] is None:
        return f"{head} {row.get('why', '')}"
    more = (f"standard error {row['stderr']:.6f}, by the formula {row['stderr_formula']:.6f}, "
            f"{row['unparsable']} of {row['n']} unparsable" if "stderr" in row else
            f"configs {', '.join(row['configs'])}; {row['pictures']} pictures opened")
    return (f"{head} {'ok  ' if agrees(row) else 'FAIL'} expected {row['expected']:.6g}, said {row['found']:.6g}; "
            f"{more}; {row['seconds']:.1f} s")
