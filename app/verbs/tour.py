"""goldsmith tour: the whole job on demo data through the real windows, each step compared."""

from __future__ import annotations

import argparse

from app.cli import Call, Outcome


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", required=True, metavar="DIR", help="a new or empty folder")
    parser.add_argument("--without", metavar="HANDLE", help="leave out this person's key presses")


def run(call: Call) -> Outcome:
    from app.tour.drive import tour  # Qt: only the tour and the window load it

    data = tour(call.args.out, without=call.args.without, say=call.say)
    lines = [f"{'ok  ' if step['agrees'] else 'FAIL'} {step['name']:<14} {step['reported']}" for step in data["steps"]]
    lines.append(f"{data['seconds']:.1f} s; the bundle, scores and pictures are in {call.args.out}")
    return Outcome(data, lines, faults=bool(data["failed"]))
