"""``python3 dev.py coverage``: how often an interval holds the true value, by simulation (minutes, so by hand).

Every data set comes from a population whose alpha is known exactly. An item has a true value, drawn from the shares p.
Each of three people gives it with probability a, else draws a value from p. Two people's answers are then the same
draw with probability a^2 and independent else, so the observed disagreement is (1 - a^2) times the expected one and
alpha = a^2 at every level of measurement. In clusters of ten items, a cluster has its own shares (Dirichlet with mean
p and strength s) and its own a: alpha = 1 - (1 - E a^2) s / (s + 1).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from annotation.agreement.ratings import Floats, Ints, Ratings
from annotation.agreement.report import measure

PEOPLE = 3
PER_CLUSTER = 10
STRENGTH = 4.0             # of the Dirichlet distribution of a cluster's shares
SKILLS = (0.95, 0.85, 0.6)  # a of a cluster, each as likely
METHODS = ("bca", "percentile", "jackknife", "analytic", "krippendorff")


@dataclass(frozen=True, slots=True)
class Design:
    """A population: ``shares`` of the values, the level of alpha, whether items come in clusters."""

    name: str
    shares: tuple[float, ...]
    level: str
    clustered: bool = False
    skill: float = 0.8

    @property
    def truth(self) -> float:
        if not self.clustered:
            return self.skill ** 2
        mean = sum(a * a for a in SKILLS) / len(SKILLS)
        return 1.0 - (1.0 - mean) * STRENGTH / (STRENGTH + 1.0)

    def draw(self, rng: np.random.Generator, n: int) -> Ratings:
        """``n`` items, each judged by all three people."""
        p = np.array(self.shares)
        if self.clustered:
            clusters = n // PER_CLUSTER
            cluster = np.repeat(np.arange(clusters), PER_CLUSTER)
            ends = np.cumsum(rng.dirichlet(STRENGTH * p, clusters), axis=1)[cluster]
            skill = rng.choice(SKILLS, clusters)[cluster][:, None]
        else:
            cluster, ends, skill = None, np.broadcast_to(np.cumsum(p), (n, len(p))), np.full((n, 1), self.skill)
        true = _values(rng.random((n, 1)), ends)
        said = np.where(rng.random((n, PEOPLE)) < skill, true, _values(rng.random((n, PEOPLE)), ends))
        return Ratings(
            unit=np.repeat(np.arange(n), PEOPLE), person=np.tile(np.arange(PEOPLE), n), code=said.ravel(),
            labels=tuple(str(k) for k in range(len(p))), numbers=tuple(float(k) for k in range(len(p))), n_units=n,
            block=cluster, scale=self.level, clustered=self.clustered)


def _values(at: Floats, ends: Floats) -> Ints:
    """The value whose share of the unit interval holds each number; ``ends`` (n, V) are the upper ends."""
    return (at[:, :, None] >= ends[:, None, :-1]).sum(axis=2)


DESIGNS = (
    Design("nominal .40 .35 .25", (0.40, 0.35, 0.25), "nominal"),
    Design("nominal .90 .07 .03", (0.90, 0.07, 0.03), "nominal"),
    Design("ordinal, five values", (0.10, 0.20, 0.40, 0.20, 0.10), "ordinal"),
    Design("nominal, clusters of 10", (0.40, 0.35, 0.25), "nominal", clustered=True),
    Design("ordinal, clusters of 10", (0.10, 0.20, 0.40, 0.20, 0.10), "ordinal", clustered=True),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """``held``: data sets whose interval held the truth; ``none``: those without an interval (they count as missed
    in ``share`` only where ``of_all`` is asked)."""

    design: str
    n: int
    method: str
    sets: int
    held: int
    none: int
    width: float

    @property
    def share(self) -> float:
        return self.held / max(1, self.sets - self.none)


def cells(designs: tuple[Design, ...], sizes: list[int], methods: list[str], *, sets: int, draws: int,
          seed: int) -> Iterator[Cell]:
    for design in designs:
        for n in sizes:
            for method in methods:
                if method == "analytic" and design.level != "nominal":
                    continue  # a closed form is there for fixed weights only
                if method in ("analytic", "krippendorff") and design.clustered:
                    continue  # both know items alone
                yield _cell(design, n, method, sets=sets, draws=draws, seed=seed)


def _cell(design: Design, n: int, method: str, *, sets: int, draws: int, seed: int) -> Cell:
    held = none = 0
    width = 0.0
    metric = "krippendorff_alpha_gwet_weights" if method == "analytic" else "krippendorff_alpha"
    level = None if method == "analytic" else design.level
    for number in range(sets):
        ratings = design.draw(np.random.default_rng([seed, n, number]), n)
        result = measure(ratings, metric, level=level, interval=method, replicates=draws, seed=number)
        if result.ci is None:
            none += 1
            continue
        held += result.ci[0] <= design.truth <= result.ci[1]
        width += result.ci[1] - result.ci[0]
    return Cell(design.name, n, method, sets, held, none, width / max(1, sets - none))


def table(found: list[Cell], *, sets: int, draws: int, command: str) -> str:
    """Markdown: a row per design and n, a column per method; in brackets the sets that had no interval."""
    methods = [method for method in METHODS if any(cell.method == method for cell in found)]
    lines = ["| population | n | " + " | ".join(methods) + " |", "|---|---:|" + "---:|" * len(methods)]
    by = {(cell.design, cell.n, cell.method): cell for cell in found}
    for design, n in dict.fromkeys((cell.design, cell.n) for cell in found):
        shown = []
        for method in methods:
            cell = by.get((design, n, method))
            shown.append("" if cell is None else f"{100 * cell.share:.1f}"
                         + (f" ({100 * cell.none / cell.sets:.1f} % without)" if cell.none else ""))
        lines.append(f"| {design} | {n} | " + " | ".join(shown) + " |")
    noise = 100 * 1.96 * (0.95 * 0.05 / sets) ** 0.5
    lines += ["", f"`{command}`; {sets:,} data sets a cell (sampling error about {noise:.1f} points), {draws:,} "
              "resamples each; per cent of the intervals that hold the true value, 95 wanted."]
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="dev.py coverage", description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=4000, help="data sets a cell")
    parser.add_argument("--draws", type=int, default=2000, help="resamples for each")
    parser.add_argument("--n", type=int, nargs="+", default=[50, 200, 1000], help="items")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--designs", nargs="+", metavar="WORD", help="only designs whose name holds one of the words")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    designs = tuple(d for d in DESIGNS if not args.designs or any(word in d.name for word in args.designs))
    begun, found = time.perf_counter(), []
    for cell in cells(designs, args.n, args.methods, sets=args.sets, draws=args.draws, seed=args.seed):
        found.append(cell)
        print(f"{cell.design}, n {cell.n}, {cell.method}: {100 * cell.share:.1f} %, mean width {cell.width:.3f}, "
              f"{cell.none} without ({time.perf_counter() - begun:.0f} s)", file=sys.stderr, flush=True)
    command = "python3 dev.py coverage" + (f" {' '.join(argv)}" if argv else "")
    if args.json:
        print(json.dumps({"cells": [{"design": c.design, "n": c.n, "method": c.method, "sets": c.sets, "held": c.held,
                                     "none": c.none, "share": c.share, "width": c.width} for c in found]}))
    else:
        print(table(found, sets=args.sets, draws=args.draws, command=command))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
