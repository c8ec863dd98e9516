"""goldsmith study demo: a project of puzzles with timed studies in it, ready to be run."""

from __future__ import annotations

import argparse
from pathlib import Path

from annotation.errors import N_
from app.cli import Call, Outcome, Usage


def add_deed(deeds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    demo = deeds.add_parser("demo", help="a project of puzzles with two studies, ready to run", allow_abbrev=False)
    demo.add_argument("--out", required=True, metavar="DIR", help="a new or empty folder")
    demo.add_argument("--per", type=int, default=6, metavar="N", help="puzzles of each of the eight kinds (6)")
    demo.add_argument("--seed", type=int, default=1, metavar="S", help="another seed makes other puzzles (1)")


def run(call: Call) -> Outcome:
    from studies.puzzles import demo  # the drawing of puzzles is needed by this deed alone

    args = call.args
    if args.per < 1:
        raise Usage(N_("--per is 1 or more"))
    made = demo.make(Path(args.out), per=args.per, seed=args.seed, progress=call.progress)
    file = Path(args.out) / "stare.jsonl"
    lines = [f"made {made.project} with {made.items} items, and {file} with {made.released_rows} rows",
             f"next: goldsmith study run {made.project} {made.studies[0][0]} --pilot"]
    return Outcome({"out": args.out, "project": str(made.project), "items": made.items,
                    "released": str(file), "released_rows": made.released_rows,
                    "studies": [{"id": name, "hash": hash_} for name, hash_ in made.studies]}, lines)
