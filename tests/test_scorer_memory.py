"""The scorer keeps of a bundle what it needs: fields of items are read when a metric asks for one, and not before."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from annotation.errors import Refused
from exports.scorer import gold_side
from exports.scorer.score import score
from tests.small_bundle import predictions, write

N = 1000
OPTIONS = {"q": [{"id": "yes", "text": "Yes"}, {"id": "no", "text": "No"}]}


def made(folder: Path, metric: str, *, letters: int = 10) -> Path:
    items = [{"id": f"g{n:04d}", "choices": OPTIONS, "fields": {"text": f"{n} " + "x" * letters, "nfp": n % 2 == 1}}
             for n in range(N)]
    gold = [{"id": f"g{n:04d}", "question": "q", "answer": "yes"} for n in range(N)]
    return write(folder / f"{metric}-{letters}", items, gold, [(metric, "q" if metric == "accuracy" else None)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return predictions(tmp_path / "p.jsonl", [
        {"id": f"g{n:04d}", "question": "q", "answer": "yes", "judge_score": 1 if n % 2 else -1} for n in range(N)])


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    read, seen = gold_side._fields, list[Path]()

    def reading(path: Path, *args: Any) -> Any:
        seen.append(path)
        return read(path, *args)

    monkeypatch.setattr(gold_side, "_fields", reading)
    return seen


def test_a_metric_that_asks_for_no_field_leaves_them_on_disk(tmp_path: Path, file: Path, looks: list[Path]) -> None:
    score(made(tmp_path, "accuracy"), {"s": file})
    assert looks == []
    [found] = score(made(tmp_path, "presupposition"), {"s": file})["systems"][0]["metrics"]
    assert len(looks) == 1, "once for all items"
    assert (found["parts"]["pcs"], found["parts"]["nfp_coverage"]) == (-1.0, 1.0), "told apart by their field"


def test_long_texts_of_items_are_not_kept(tmp_path: Path, file: Path) -> None:
    def peak(bundle: Path) -> int:
        score(bundle, {"s": file})
        tracemalloc.start()
        try:
            score(bundle, {"s": file})
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    short, long = (peak(made(tmp_path, "accuracy", letters=letters)) for letters in (10, 2000))
    assert (long - short) / N < 1.2 * 1990, "the bytes of the file, once, and not the texts beside them"


def test_fields_that_changed_since_the_bundle_was_read_are_refused(
        tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle, read = made(tmp_path, "presupposition"), gold_side.units_of

    def changing(*args: Any) -> Any:
        path = bundle / gold_side.ITEMS
        path.write_bytes(path.read_bytes().replace(b'"nfp": false', b'"nfp": true'))
        return read(*args)

    monkeypatch.setattr("exports.scorer.score.units_of", changing)
    with pytest.raises(Refused, match="not the file that the manifest lists"):
        score(bundle, {"s": file})
