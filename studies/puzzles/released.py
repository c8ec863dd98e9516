"""Puzzles as rows of STARE's released file, and as rows of one item that is shown with or without its steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from annotation import canonical
from studies.puzzles.drawing import small
from studies.puzzles.making import ENDING
from studies.puzzles.puzzle import MARK, Picture, Puzzle, numbered

FOLDER = "images"
Row = dict[str, Any]


def qid(category: str, n: int) -> str:
    """``folding_nets_vsim_001``; n from 0."""
    return f"{category.lower()}_{n + 1:03d}"


def released(puzzle: Puzzle, name: str, *, simulated: bool = False, stem: str = "") -> tuple[Row, dict[str, Picture]]:
    """The row in the released shape, and its pictures by their path. ``simulated``: with all pictures of the steps.

    ``stem``: how the names of the pictures begin, where it is not the row's own name.
    """
    pictures: Sequence[Picture] = puzzle.pictures
    if simulated and puzzle.simulated:
        text, pictures = _marks(len(puzzle.simulated)), puzzle.simulated
    elif not puzzle.question:
        text = _marks(len(pictures))
    elif simulated:
        text, pictures = _with_steps(puzzle)
    elif len(pictures) == 1:
        text = f"{MARK}\n{puzzle.question}"
    else:
        text = f"{MARK}\n{puzzle.question}\n{_marks(len(pictures) - 1)}"
    if any(letter != words for letter, words in puzzle.options):
        text += "".join(f"\n{letter}. {words}" for letter, words in puzzle.options)
    files = {f"{FOLDER}/{stem or name}_{picture.name if stem else picture.name.removesuffix('_steps')}.png": picture
             for picture in pictures}
    return {"qid": name, "question": text, "images": list(files), "answer": puzzle.answer,
            "other_info": f"{puzzle.origin}_{'all' if simulated else 'no'}_{int(name.rpartition('_')[2])}",
            "category": puzzle.category + (ENDING if simulated else "")}, files


def _marks(count: int) -> str:
    return " ".join([MARK] * count)


def _with_steps(puzzle: Puzzle) -> tuple[str, list[Picture]]:
    """The question with each step on its line, and the picture of the step behind it."""
    pictures = [puzzle.pictures[0], *(step.picture for step in puzzle.steps if step.picture)]
    said = numbered(puzzle.steps)
    plain = "\n".join(said)
    told = "\n".join(f"{line} {MARK}" if step.picture else line for line, step in zip(said, puzzle.steps, strict=True))
    text = puzzle.question.replace(plain, told) if plain in puzzle.question else f"{puzzle.question}\n\n{told}"
    text = f"{MARK}\n{text}"
    if len(puzzle.pictures) > 1:
        text += f"\n{_marks(len(puzzle.pictures) - 1)}"
        pictures += puzzle.pictures[1:]
    return text, pictures


def either_way(puzzle: Puzzle, name: str, *, use: str = "main") -> tuple[Row, dict[str, Picture]]:
    """The row of an item that can be shown with its steps and without, for a study of both; its pictures by path."""
    row, files = released(puzzle, name)
    steps: list[Row] = []
    for step in puzzle.steps:
        said: Row = {"text": step.text}
        if step.picture:
            said["figure"] = f"{FOLDER}/{name}_{step.picture.name}.png"
            files[said["figure"]] = step.picture
        steps.append(said)
    setting = "both" if steps or use == "attention" else "without"
    return {**row, "steps": steps, "task": puzzle.task, "setting": setting, "use": use}, files


def write(folder: Path, file: str, rows: Iterable[tuple[Row, dict[str, Picture]]], *, scale: float) -> Iterator[Row]:
    """Write ``file`` as JSON lines and the pictures beside it; yields each row when its pictures are there."""
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    with (folder / file).open("w", encoding="utf-8", newline="\n") as target:
        for row, files in rows:
            for path, picture in files.items():
                if not (folder / path).exists():
                    small(picture.draw(scale)).save(folder / path, optimize=True)
            target.write(canonical.dumps(row) + "\n")
            yield row
