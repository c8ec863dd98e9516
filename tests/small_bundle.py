"""Writes a small bundle folder by hand, so that the scorer is tested without the writer of bundles."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("GOLDSMITH_SHARED") or ROOT.parent / "shared")


def write(folder: Path, items: Sequence[Mapping[str, Any]], gold: Sequence[Mapping[str, Any]],
          scorer: Sequence[tuple[str, str | None] | tuple[str, str | None, Mapping[str, Any]]],
          annotations: Sequence[Mapping[str, Any]] = ()) -> Path:
    """A folder with manifest, items and gold; keys that the scorer needs are filled in.

    ``scorer``: metric and question, and the metric's settings where it has some. ``annotations``: answers of people.
    """
    (folder / "public").mkdir(parents=True)
    whole = {
        "public/items.jsonl": [{"key": f"k-{item['id']}", "slices": {}, "choices": {}, "candidates": [],
                                "cluster": None, **item} for item in items],
        "public/gold.jsonl": [{"element": None, **row} for row in gold],
        **({"public/annotations.jsonl": [{"element": None, "counts": True, **row} for row in annotations]}
           if annotations else {}),
    }
    files = []
    for path, rows in whole.items():
        data = "".join(json.dumps(row, sort_keys=True, ensure_ascii=False) + "\n" for row in rows).encode()
        (folder / path).write_bytes(data)
        files.append({"path": path, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), "rows": len(rows)})
    manifest = {"schema": "gold-bundle/1.0", "name": "Small", "version": "1.0", "files": files,
                "scorer": [{"metric": metric, "question": question, **({"settings": more[0]} if more else {})}
                           for metric, question, *more in scorer]}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def predictions(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path
