"""The demo of timed studies: a project of puzzles with two studies in it, and the same puzzles as a released file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation import canonical, importing, people, protocol
from annotation.answers_in import import_answers
from annotation.errors import N_, Refused
from annotation.store import opening
from studies import keeping
from studies.puzzles import making, released
from studies.puzzles.puzzle import Picture, Puzzle
from studies.reading import shelf_text

PROTOCOL, OWNER, COMPUTED = "stare", "demo", "computed"
STUDIES = ("stare", "untimed-baseline")
PRACTICE, ATTENTION = 6, 8  # how many of each
SCALE = 2.0  # pictures are sharp on screens of twice as many points
Progress = Callable[[int, int], None]
Puzzles = Mapping[str, Sequence[Puzzle]]
Rows = Iterator[tuple[released.Row, dict[str, Picture]]]


@dataclass(frozen=True, slots=True)
class Made:
    """What was made; ``studies``: id and hash of each."""

    project: Path
    items: int
    released_rows: int
    studies: tuple[tuple[str, str], ...]


def make(folder: Path, *, per: int, seed: int, scale: float = SCALE, progress: Progress | None = None) -> Made:
    """``per`` puzzles of each of eight kinds into ``folder``, which is new or empty; the same seed makes the same ones.

    ``demo.goldsmith``: the project, each puzzle one item with its steps, and the computed answers as those of a person
    called computed. ``items.jsonl``: what it was made of. ``stare.jsonl``: the fourteen categories as the benchmark
    releases them. Both name pictures in ``images``. Raises Refused where the folder holds something.
    """
    if folder.exists() and any(folder.iterdir()):
        raise Refused(N_("'{folder}' is not empty"), code="exists", folder=str(folder))
    bases = {**{base: base + making.ENDING for base in making.SIMULATED}, **{base: base for base in making.PLAIN}}
    puzzles = {base: making.several(category, per, seed=seed) for base, category in bases.items()}
    of = per * (len(making.CATEGORIES) + len(bases)) + PRACTICE + ATTENTION
    done = 0

    def written(file: str, rows: Rows) -> list[released.Row]:
        nonlocal done
        kept = []
        for row in released.write(folder, file, rows, scale=scale):
            done += 1
            if progress:
                progress(done, of)
            kept.append(row)
        return kept

    items = written("items.jsonl", _items(puzzles, seed))
    count = len(written("stare.jsonl", _released(puzzles)))
    project = folder / "demo.goldsmith"
    chosen = protocol.load(protocol.find(PROTOCOL))
    hashes = []
    answers = folder / "computed-answers.jsonl"
    answers.write_text("".join(canonical.dumps({"item": row["qid"], "person": COMPUTED, "question": "answer",
                                                "answer": row["answer"]}) + "\n" for row in items), "utf-8")
    with opening.create(project, protocol=chosen, title="Demo: spatial puzzles, timed", owner=OWNER) as store:
        with store.read() as session:
            by = people.find(session, OWNER).id
        importing.import_file(store, folder / "items.jsonl", recipe=PROTOCOL, by=by, strict=True)
        import_answers(store, answers, by=by, add_people=True, strict=True)
        for name in STUDIES:
            with store.write() as session:
                hashes.append((name, keeping.add(session, shelf_text(name), by=by).value))
    return Made(project, len(items), count, tuple(hashes))


def _items(puzzles: Puzzles, seed: int) -> Rows:
    """Each puzzle once, with its steps; then those for practice and for attention."""
    for base, some in puzzles.items():
        for n, puzzle in enumerate(some):
            yield released.either_way(puzzle, released.qid(base, n))
    for base in making.SIMULATED[:PRACTICE]:
        puzzle = making.make(base + making.ENDING, 0, seed=seed + 1)
        yield released.either_way(puzzle, released.qid(f"practice_{base}", 0), use="practice")
    for n, puzzle in enumerate(making.several("attention", ATTENTION, seed=seed)):
        yield released.either_way(puzzle, released.qid("attention", n), use="attention")


def _released(puzzles: Puzzles) -> Rows:
    """The same puzzles in each of their categories."""
    for category in making.CATEGORIES:
        base = category.removesuffix(making.ENDING)
        for n, puzzle in enumerate(puzzles[base]):
            yield released.released(puzzle, released.qid(category, n), simulated=category != base,
                                    stem=released.qid(base, n))
