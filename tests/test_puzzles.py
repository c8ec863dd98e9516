"""Puzzles: every answer is computed a second time by other means, wrong options are wrong, pictures are drawn alike."""

from __future__ import annotations

import math
from functools import cache
from itertools import product

import numpy as np
import pytest

from annotation.errors import Refused
from annotation.text_parts import lettered
from studies.puzzles import making, motion, nets, perspective, plane, released, space, temporal, tiling
from studies.puzzles.puzzle import DIFFICULTIES, LETTERS, MARK, Puzzle, stream

SEED = 11
BASES = (*making.SIMULATED, *making.PLAIN)


@cache
def some(category: str, count: int = 4) -> list[Puzzle]:
    return making.several(category, count, seed=SEED)


def right(puzzle: Puzzle) -> int:
    return LETTERS.index(puzzle.answer)


def says_yes(puzzle: Puzzle) -> bool:
    return dict(puzzle.options)[puzzle.answer] == "yes"


# --- in the plane: matrices ---------------------------------------------------------------------------------------

def matrix(change: plane.Change) -> np.ndarray:
    if isinstance(change, plane.Move):
        return np.array([[1, 0, change.right], [0, 1, change.up], [0, 0, 1]], float)
    if isinstance(change, plane.Turn):
        angle = math.pi / 2 * change.quarters
        return np.array([[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]])
    if isinstance(change, plane.Mirror):
        return np.diag([-1.0, 1.0, 1.0] if change.vertical else [1.0, -1.0, 1.0])
    return np.diag([float(change.factor), float(change.factor), 1.0])


@pytest.mark.parametrize("category", ["2D_va", "2D_text_instruct", "2D_va_VSim"])
def test_the_shape_afterwards_is_where_the_product_of_the_matrices_takes_its_corners(category):
    for puzzle in some(category, 6):
        facts = puzzle.facts
        whole = np.eye(3)
        for change in facts.changes:
            whole = matrix(change) @ whole
        ends = {tuple(np.round(whole @ [float(x), float(y), 1], 6)[:2]) for x, y in facts.start}
        same = [{(float(x), float(y)) for x, y in option} == ends for option in facts.options]
        assert same == [n == right(puzzle) for n in range(4)]
        for n, one in enumerate(facts.options):
            assert all(plane.difference(one, other) >= 2 for other in facts.options[:n])
            assert all(max(map(abs, corner)) <= plane.REACH for corner in one)


# --- in space: rotation matrices about the gold cube --------------------------------------------------------------

def taken(solid: space.Solid, motions: tuple[space.Motion, ...]) -> np.ndarray:
    cubes = np.array(solid.cubes, float)
    for one in motions:
        if isinstance(one, space.Shift):
            cubes = cubes + one.by * np.eye(3)[one.axis]
            continue
        axis, angle = np.eye(3)[one.axis], math.pi / 2 * one.quarters
        cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
        turn = np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross  # Rodrigues' formula
        cubes = (cubes - cubes[0]) @ turn.T + cubes[0]
    return np.round(cubes).astype(int)


@pytest.mark.parametrize("category", ["3D_va", "3D_text_instruct", "3D_text_instruct_VSim"])
def test_the_solid_afterwards_is_where_rotation_matrices_take_its_cubes(category):
    for puzzle in some(category, 3):
        facts = puzzle.facts
        gold, *others = map(tuple, taken(facts.start, facts.motions).tolist())
        same = [option.cubes[0] == gold and set(option.cubes[1:]) == set(others) for option in facts.options]
        assert same == [n == right(puzzle) for n in range(4)]
        assert len({space.place_of(option) for option in facts.options}) == 4


# --- nets: a die that is rolled over the squares ------------------------------------------------------------------

def is_net_of_a_die(squares: frozenset[tuple[int, int]]) -> bool:
    """Roll a die over the net; it folds if each square is touched by another face of the die."""
    first = min(squares)
    # (below, above, east, west, north, south) of the die as it lies on a square
    lies = {first: (1, 6, 2, 5, 3, 4)}
    todo = [first]
    while todo:
        x, y = todo.pop()
        b, a, e, w, n, s = lies[x, y]
        for there, rolled in (((x + 1, y), (e, w, a, b, n, s)), ((x - 1, y), (w, e, b, a, n, s)),
                              ((x, y + 1), (n, s, e, w, a, b)), ((x, y - 1), (s, n, e, w, b, a))):
            if there in squares and there not in lies:
                lies[there] = rolled
                todo.append(there)
    return len({die[0] for die in lies.values()}) == 6


def test_of_35_figures_of_six_squares_eleven_fold_to_a_cube_and_a_rolling_die_says_the_same():
    figures = list(nets.hexominoes())
    fold = [figure for figure in figures if nets.is_cube(nets.net_of(figure, min(figure)))]
    assert (len(figures), len(fold)) == (35, 11)
    assert fold == [figure for figure in figures if is_net_of_a_die(figure)]
    assert all(nets.is_cube(nets.net_of(figure, first)) == (figure in fold) for figure in figures for first in figure)


@pytest.mark.parametrize("category", ["folding_nets", "folding_nets_VSim"])
def test_whether_a_net_folds_is_what_the_rolling_die_says(category):
    puzzles = some(category, 8)
    assert all(says_yes(puzzle) == is_net_of_a_die(frozenset(puzzle.facts.net.squares)) for puzzle in puzzles)
    assert sum(map(says_yes, puzzles)) == 4, "one of each two"
    assert {len(puzzle.steps) for puzzle in puzzles} == {5}, "the steps do not tell the answer"


# --- boards: every way to lay every piece -------------------------------------------------------------------------

def can_be_filled(board: tiling.Board, pieces: tuple[tiling.Piece, ...]) -> bool:
    """Brute force with bits: all combinations of all places of all pieces."""
    places = []
    for piece in pieces:
        found = set()
        for quarters, dx, dy in product(range(4), range(-5, 9), range(-5, 9)):
            spots = [(x, y) for x, y in piece]
            for _ in range(quarters):
                spots = [(y, -x) for x, y in spots]
            spots = [(x + dx, y + dy) for x, y in spots]
            if all(0 <= x < board.columns and 0 <= y < board.rows for x, y in spots):
                found.add(sum(1 << (y * board.columns + x) for x, y in spots))
        places.append(found)
    reached = {0}
    for found in places:
        reached = {taken | place for taken in reached for place in found if not taken & place}
    return (1 << (board.columns * board.rows)) - 1 in reached


@pytest.mark.parametrize("category", ["tangram_puzzle", "tangram_puzzle_VSim"])
def test_whether_pieces_fill_the_board_is_what_brute_force_says(category):
    puzzles = some(category, 6)
    for puzzle in puzzles:
        assert says_yes(puzzle) == can_be_filled(puzzle.facts.board, puzzle.facts.pieces)
        assert sum(map(len, puzzle.facts.pieces)) == len(puzzle.facts.board.cells), "counting squares is no help"
        assert len(puzzle.steps) == len(puzzle.facts.pieces)
    assert sum(map(says_yes, puzzles)) == 3


# --- time: small steps of a simulation ----------------------------------------------------------------------------

def simulated(law: str, time: float) -> tuple[float, ...]:
    """The state at a time, by adding up small steps of what changes it."""
    steps = 20_000
    dt = time / steps
    if law in ("fall", "throw"):
        x, y, vx, vy, pull = (50.0, 88.0, 0.0, 0.0, -9.0) if law == "fall" else (10.0, 14.0, 16.0, 34.0, -12.0)
        for _ in range(steps):
            x, y, vy = x + vx * dt, y + (vy + pull * dt / 2) * dt, vy + pull * dt
        return x, y
    if law == "swing":
        angle, speed, k = -40.0, 0.0, (2 * math.pi / 8) ** 2
        for _ in range(steps):
            speed -= k * angle * dt
            angle += speed * dt
        return (angle,)
    rates = {"hand": ((0, 50),), "rise": ((14, 13),), "orbit": ((0, 60), (100, 30)),
             "roll": ((16, 17), (0, math.degrees(17 / 13)))}[law]
    values = [start + rate * time for start, rate in rates]
    lengths = {"rise": (0,), "roll": (0,)}.get(law, ())  # the others are angles
    return tuple(value if n in lengths else value % 360 for n, value in enumerate(values))


@pytest.mark.parametrize("law", sorted(motion.LAWS))
def test_the_missing_frame_is_the_one_that_a_simulation_reaches(law):
    for n in range(6):
        puzzle = temporal.make(stream(SEED, law, n), difficulty=DIFFICULTIES[n % 3], law=law)
        facts, chosen = puzzle.facts, motion.LAWS[law]
        state = simulated(law, facts.start + facts.missing * chosen.dt)
        marks = chosen.marks(state)
        off = [max(math.dist(a, b) for a, b in zip(marks, chosen.marks(chosen.state(time)), strict=True))
               for time in facts.options]
        assert off[right(puzzle)] < 0.1
        assert all(far >= temporal.SEEN - 0.1 for place, far in enumerate(off) if place != right(puzzle))


# --- places: bearings from the camera -----------------------------------------------------------------------------

def test_the_right_view_shows_each_block_at_its_bearing_from_the_camera_and_no_other_view_does():
    for puzzle in some("Perspective", 4):
        facts = puzzle.facts
        angle = math.radians(facts.degrees)
        eye = perspective.FAR * math.cos(angle), perspective.FAR * math.sin(angle)
        wanted = []
        for block in facts.blocks:
            bearing = math.atan2(block.y - eye[1], block.x - eye[0]) - (angle + math.pi)
            wanted.append(-math.degrees(math.atan2(math.sin(bearing), math.cos(bearing))))  # to the right is positive
        worst = []
        for view in facts.options:
            camera = perspective.camera_of(view)
            shown = []
            for block in facts.blocks:
                x, _ = camera.project((block.x, block.y, block.tall / 2), (-100.0, -100.0, 100.0, 100.0))
                tangent = x / 100 * math.tan(math.radians(camera.wide / 2))
                shown.append(math.degrees(math.atan(-tangent if view.mirrored else tangent)))
            worst.append(max(abs(a - b) for a, b in zip(shown, wanted, strict=True)))
        assert worst[right(puzzle)] < 2.5, "the camera looks down a little"
        assert all(far > 6 for n, far in enumerate(worst) if n != right(puzzle))


# --- all of them --------------------------------------------------------------------------------------------------

def test_the_same_seed_makes_the_same_puzzles_and_another_seed_others():
    for category in ("2D_va", "folding_nets", "temporal", "attention"):
        again = making.several(category, 2, seed=SEED)
        assert [(p.facts, p.options, p.answer, p.question) for p in again] == [
            (p.facts, p.options, p.answer, p.question) for p in some(category)[:2]]
        assert again[0].pictures[-1].draw(1.0).tobytes() == some(category)[0].pictures[-1].draw(1.0).tobytes()
        assert making.make(category, 0, seed=SEED + 1).facts != again[0].facts


@pytest.mark.parametrize("base", BASES)
def test_a_puzzle_never_shows_its_last_step_and_its_pictures_fit_a_screen(base):
    puzzle = some(base + making.ENDING if base in making.SIMULATED else base, 2)[1]
    assert [bool(step.picture) for step in puzzle.steps][-1:] in ([], [False])
    assert (base in making.SIMULATED) == any(step.picture for step in puzzle.steps)
    for picture in puzzle.pictures:
        drawn = picture.draw(1.0)
        assert drawn.width <= 620 and drawn.height <= 400, picture.name
        assert len(drawn.getcolors(1 << 24)) > 3


@pytest.mark.parametrize("category", making.CATEGORIES)
def test_a_released_row_has_a_mark_for_each_picture_and_ends_in_its_options_where_they_are_not_drawn(category):
    simulated_row = category.endswith(making.ENDING)
    puzzle = some(category, 2)[1]
    row, files = released.released(puzzle, released.qid(category, 1), simulated=simulated_row)
    assert list(row) == ["qid", "question", "images", "answer", "other_info", "category"]
    assert row["question"].count(MARK) == len(row["images"]) == len(files)
    assert row["category"] == category and puzzle.difficulty in row["other_info"].split("_")
    options = lettered(row["question"])[1]
    assert [one["text"] for one in options] == ([text for _, text in puzzle.options] if puzzle.task in
                                                ("nets", "tangram") else [])
    assert row["answer"] in [letter for letter, _ in puzzle.options]
    if category.startswith(("2D_va", "3D_va")):
        assert row["question"] == " ".join([MARK] * 3)


def test_letters_of_yes_and_no_are_shuffled_and_right_answers_stand_at_every_place():
    assert {puzzle.options[0][1] for puzzle in some("folding_nets", 8)} == {"yes", "no"}
    assert {making.make("temporal", n, seed=SEED).answer for n in range(20)} == set("ABC")
    assert {making.make("attention", n, seed=SEED).answer for n in range(30)} == set("ABCD")


def test_more_puzzles_than_there_are_is_refused_with_the_category():
    with pytest.raises(Refused, match="attention"):
        making.several("attention", 200, seed=1)
