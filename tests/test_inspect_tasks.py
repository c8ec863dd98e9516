"""Tasks for Inspect AI: letters, orders, pictures, and how the task file reads an answer, without Inspect."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from tests import writer_worlds as worlds
from tests.writer_worlds import export, gold


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("Gold für «alle» & mehr")
    return {"choice": worlds.choice(folder / "choice"), "pairs": worlds.pairs(folder / "pairs")}


def samples(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{name}-test.jsonl").read_bytes().split(b"\n") if line]


def test_a_target_is_the_letter_of_the_gold_in_the_order_stored_with_its_item(
        bundles: dict[str, Path], tmp_path: Path) -> None:
    export("inspect", bundles["choice"], tmp_path / "out")
    found = samples(tmp_path / "out", "gold_place")
    wanted = gold(bundles["choice"])
    texts = dict(zip(("l", "r", "i", "no"), worlds.OPTIONS, strict=True))
    for sample in found:
        order = sample["metadata"]["order"]
        assert order["ABCD".index(sample["target"])] == wanted[sample["metadata"]["key"]]
        assert sample["choices"] == [texts[one] for one in order] and order[-1] == "no"
        assert (tmp_path / "out" / sample["input"][1]["content"][1]["image"]).is_file()
        shown = sample["input"][1]["content"][0]["text"]
        assert f"{sample['target']}) {texts[wanted[sample['metadata']['key']]]}" in shown
    assert len({tuple(sample["metadata"]["order"]) for sample in found}) > 1


def test_leaving_out_an_item_leaves_every_other_order_as_it_is(tmp_path: Path) -> None:
    text = worlds.TEXTS.replace("text: Good?,", "text: Good?, shuffle: per_item,")
    choices = {"good": [{"id": "yes", "text": "Yes"}, *({"id": f"n{n}", "text": f"No {n}"} for n in range(5))]}
    for name, n in (("all", 20), ("some", 8)):
        made = worlds.noted(tmp_path / f"{name} made", *["a"] * n, text=text, choices=choices)
        export("inspect", made, tmp_path / name)
    whole = {one["id"]: one for one in samples(tmp_path / "all", "gold_good")}
    assert all(whole[one["id"]] == one for one in samples(tmp_path / "some", "gold_good"))
    assert len({one["target"] for one in whole.values()}) > 3


def test_the_task_file_is_plain_python_of_our_own_with_one_task_a_question(
        bundles: dict[str, Path], tmp_path: Path) -> None:
    export("inspect", bundles["pairs"], tmp_path / "out")
    code = (tmp_path / "out" / "gold_tasks.py").read_text(encoding="utf-8")
    assert code.startswith("# SPDX-License-Identifier: Apache-2.0\n") and "{{" not in code
    tasks = [node.name for node in ast.parse(code).body if isinstance(node, ast.FunctionDef) and node.decorator_list
             and isinstance(node.decorator_list[0], ast.Name)]
    assert tasks == ["gold_best"]
    assert {sample["target"] for sample in samples(tmp_path / "out", "gold_best")} == {"A", "B", "tie"}


def reading() -> dict[str, Any]:
    """The task file's functions that read an answer, without Inspect."""
    template = Path(__file__).parent.parent / "resources" / "writers" / "inspect_tasks.py.txt"
    wanted = {"tidy", "final", "letter_of", "letters_of", "number_of"}
    tree = ast.parse(template.read_text(encoding="utf-8").replace("{{tasks}}", ""))
    tree.body = [node for node in tree.body if isinstance(node, (ast.Import, ast.Assign))
                 or (isinstance(node, ast.ImportFrom) and not str(node.module).startswith("inspect_ai"))
                 or (isinstance(node, ast.FunctionDef) and node.name in wanted)]
    found: dict[str, Any] = {"__file__": __file__}
    exec(compile(tree, "gold_tasks.py", "exec"), found)
    return found


@pytest.mark.parametrize(("said", "letter"), [
    ("B", "B"), ("(b)", None), ("**B**", "B"), ("B. blue, deep", "B"), ("B. red", None), ("blue, deep", "B"),
    ("D", None),
    ("Well.\nANSWER: C", "C"), ("Answer: A\nAnswer: B", "B"), ("A or B", None), ("", None), ("Größe", "C"),
    ("Gro\u0308ße", "C"), ("red", "A")])
def test_the_task_reads_a_letter_or_an_exact_text_and_nothing_else(said: str, letter: str | None) -> None:
    read = reading()
    assert read["letter_of"](read["final"](said), ["red", "blue, deep", "Größe"]) == letter


def test_the_task_reads_numbers_exactly_and_several_letters_as_a_set() -> None:
    read = reading()
    texts = ("1.10", "-2 m", "1e2", "1,5", "nan", "inf", "about 3", "1e999")
    assert [str(read["number_of"](text, "m")) for text in texts] == ["11/10", "-2", "100", *["None"] * 5]
    options = ["red", "blue", "all of it"]
    assert [read["letters_of"](text, options) for text in ("A, C", "B", "none", "A and B", "all of it", "A, X")] == [
        {"A", "C"}, {"B"}, frozenset(), {"A", "B"}, {"C"}, None]


