"""The format "inspect": a folder with tasks for Inspect AI, samples as JSON lines, pictures beside them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import resources
from annotation.errors import N_, Refused
from annotation.questions.pairwise import TIES
from exports.manifest import FileEntry
from exports.rows import line
from exports.scorer.lines import json_lines, sha256_of
from exports.writers.asking import LETTERS, not_shown
from exports.writers.inspect_samples import SEED, Asked, samples, tasks_of
from exports.writers.registry import Format, Made, writers
from exports.writers.source import REPORT, Source, put

CANNOT = (
    "single answers of people, decisions, rules and agreement: only the bundle and hf have them",
    "what stands beside a gold value (strength, flags, reason)",
    "gold that is N/A",
    "which of two kinds of tie the gold is: a target says tie",
    "an unknown standard error: Inspect says 0 where all samples are of one cluster",
    "checksums of every row; intervals, comparisons and slices as goldsmith score computes them",
)
TASKS = "gold_tasks.py"


def make(source: Source, folder: Path) -> Made:
    asked, cannot = tasks_of(source)
    hidden = not_shown(source.protocol)
    if hidden:
        cannot += (f"fields that the prompt of the protocol does not show: {', '.join(hidden)}",)
    files: list[FileEntry] = []
    pictures: set[str] = set()
    used: dict[Asked, list[str]] = {}
    for one in asked:
        for split in source.splits:
            rows = [sample for _, sample in samples(source, one, split)]
            if not rows:
                continue  # Inspect does not run a task without samples
            used.setdefault(one, []).append(split)
            pictures.update(f"public/media/{name}" for sample in rows for name in _pictures(sample))
            files.append(put(folder, f"{one.name}-{split}.jsonl", b"".join(map(line, rows)), rows=len(rows)))
    if not used:
        raise Refused(N_("nothing of this release can be a task of Inspect: {why}"), code="no_gold",
                      why="; ".join(cannot) or "it has no gold")
    files += [put(folder, "images/" + path.rsplit("/", 1)[-1], source.picture(path)) for path in sorted(pictures)]
    files.append(put(folder, TASKS, _code(source, used)))
    files.append(put(folder, "LICENSE", source.text("LICENSE")))
    files.append(put(folder, REPORT, source.report(
        "inspect", order_seed=SEED, cannot=[*CANNOT, *cannot],
        tasks=[{"name": one.name, "question": one.question, "metric": one.metric, "scorer": one.scorer,
                "splits": splits}
               for one, splits in used.items()])))
    return Made(tuple(files), len(source.kept), tuple(cannot), (*source.left_out, *_without(source, asked)))


def _without(source: Source, asked: tuple[Asked, ...]) -> tuple[tuple[str, int], ...]:
    """Gold that is N/A, and items without any gold for these tasks (held out, or not asked this)."""
    found = [[row for one in asked for row in source.gold.get((item["id"], one.question), ())] for item in source.kept]
    counts = (("na", sum(bool(row.get("na")) for rows in found for row in rows)),
              ("no_gold", sum(not rows for rows in found)))
    return tuple((reason, n) for reason, n in counts if n)


def _pictures(sample: Mapping[str, Any]) -> list[str]:
    return [part["image"].removeprefix("images/") for message in sample["input"]
            if isinstance(message["content"], list) for part in message["content"] if part["type"] == "image"]


def _code(source: Source, used: Mapping[Asked, list[str]]) -> bytes:
    """The task file: our own scorers, and one task a question, by the protocol's names, which are plain words."""
    template = (Path(resources.__file__).parent / "writers" / "inspect_tasks.py.txt").read_text(encoding="utf-8")
    made = [f'@task\ndef {one.name}(split="{_first(splits)}"):\n'
            f'    """{one.question}: {one.kind}, splits {", ".join(splits)}."""\n'
            f'    return gold("{one.name}", split, {one.scorer}())\n' for one, splits in used.items()]
    title = " ".join(f"{source.manifest['name']} {source.version}".split()).replace("\\", "/").replace('"', "'")
    first, splits = next(iter(used.items()))
    for mark, value in (("{{title}}", title), ("{{first}}", first.name), ("{{split}}", _first(splits)),
                        ("{{canary}}", str(source.manifest.get("canary"))), ("{{tasks}}", "\n\n".join(made).rstrip())):
        template = template.replace(mark, value)
    return template.encode()


def _first(splits: list[str]) -> str:
    return "test" if "test" in splits else splits[-1]


def read_back(source: Source, folder: Path) -> int:
    """Each sample leads back to its gold by letter and order; every picture is there with its bytes."""
    asked, _ = tasks_of(source)
    code = ast.parse((folder / TASKS).read_bytes(), TASKS)
    defined = {node.name for node in code.body if isinstance(node, ast.FunctionDef)}
    compared = 0
    for one in asked:
        found: dict[str, Mapping[str, Any]] = {}
        for path in sorted(folder.glob(f"{one.name}-*.jsonl")):
            found |= {row["id"]: row for _, row in json_lines(path.read_bytes(), path.name)}
        wanted = {row["id"] if row["element"] is None else f"{row['id']}.{row['element']}": (item, row)
                  for item in source.kept for row in source.gold.get((item["id"], one.question), ())
                  if not row.get("na")}
        if found.keys() != wanted.keys() or len({id.casefold() for id in found}) < len(found):
            raise _differs(one, sorted(found.keys() ^ wanted.keys())[0] if found.keys() ^ wanted.keys() else "ids")
        if found and one.name not in defined:
            raise _differs(one, TASKS)
        for id, (item, row) in wanted.items():
            if not _same(one, found[id], item, row) or not _shown(folder, found[id]):
                raise _differs(one, id)
        compared += len(found)
    return compared


def _differs(asked: Asked, id: str) -> Refused:
    return Refused(N_("{task} was read back and {id} is not what the bundle says; nothing was kept"), code="read_back",
                   task=asked.name, id=id)


def _same(asked: Asked, sample: Mapping[str, Any], item: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    target, order = sample["target"], sample["metadata"]["order"]
    if asked.kind == "number":
        return float(target) == float(row["answer"])
    ids = [one["id"] for one in item["choices"][asked.question] if asked.kind != "pairs" or one["id"] not in TIES]
    texts = {one["id"]: one["text"] for one in item["choices"][asked.question]}
    if sorted(order) != sorted(ids) or ("choices" in sample and sample["choices"] != [texts[id] for id in order]):
        return False
    if target == "tie" and asked.kind == "pairs":
        return row["answer"] in TIES
    said = [] if target == "none" else [order[LETTERS.index(letter)] for letter in target.split(",")]
    answer = row["answer"]
    return sorted(said) == sorted(answer if isinstance(answer, list) else [answer])


def _shown(folder: Path, sample: Mapping[str, Any]) -> bool:
    return all(sha256_of((folder / "images" / name).read_bytes()) == name.split(".", 1)[0]
               for name in _pictures(sample))


writers.add("inspect", Format("inspect", "tasks for Inspect AI with their own scorers, samples and pictures", CANNOT,
                              make, read_back))
