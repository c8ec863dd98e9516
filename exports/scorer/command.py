# SPDX-License-Identifier: Apache-2.0
"""The arguments of a score, for ``goldsmith score`` and for ``scorer.pyz``, and the latter's own main."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import Any

from annotation.errors import Refused, beside_its_place
from exports.scorer.agreed import share_of
from exports.scorer.options import Options, Reader
from exports.scorer.outputs import FORMATS, write
from exports.scorer.progress import Line
from exports.scorer.score import named_files, score


def arguments(parser: argparse.ArgumentParser) -> None:
    usual = Options()
    parser.add_argument("bundle", metavar="BUNDLE")
    parser.add_argument("files", nargs="*", metavar="[NAME=]FILE")
    parser.add_argument("--metric")
    parser.add_argument("--baselines", action="store_true", help="add oracle, anti-oracle and constant answers")
    parser.add_argument("--against", metavar="BUNDLE2", help="another version of the gold, side by side")
    parser.add_argument("--extract", metavar="RULE", action="append", default=[],
                        help="how answers are read: exact, letter, last-line, index0, index1, regex:PATTERN; in turn")
    parser.add_argument("--least", type=_at_least(1), default=usual.least, metavar="N",
                        help="smaller slices have no number")
    parser.add_argument("--agreed", metavar="K/N", action="append", default=[],
                        help="also over the items where at least K of N people agreed")
    parser.add_argument("--shelf-life", metavar="WEAK,STRONG", type=_pair,
                        help="judges trained on weak and on strong generators")
    parser.add_argument("--held-out", action="store_true",
                        help="against the private gold; no slice from which a small one could be computed")
    parser.add_argument("--no-comparisons", action="store_true", help="do not compare the systems with each other")
    parser.add_argument("--replicates", type=_at_least(100), default=usual.replicates, metavar="N")
    parser.add_argument("--seed", type=_at_least(0), default=usual.seed, metavar="N")
    parser.add_argument("--out", metavar="FILE", action="append", default=[],
                        help="write there as well: .json, .md, .tex, .html")
    parser.add_argument("--format", choices=tuple(FORMATS), help="of what is written, or printed without --out")


def computed(args: argparse.Namespace, readers: Mapping[str, Reader] | None = None, *,
             quiet: bool = False) -> tuple[dict[str, Any], str]:
    """The report, and what is to be printed of it; files of ``--out`` are written. A terminal is told what it is at."""
    line = Line(sys.stderr, quiet=quiet)
    try:
        return _computed(args, readers, line)
    finally:
        line.clear()


def _computed(args: argparse.Namespace, readers: Mapping[str, Reader] | None,
              line: Line) -> tuple[dict[str, Any], str]:
    options = Options(extract=tuple(args.extract), least=args.least, agreed=tuple(map(share_of, args.agreed)),
                      compare=not args.no_comparisons, shelf_life=args.shelf_life, held_out=args.held_out,
                      replicates=args.replicates, seed=args.seed, readers=readers or {}, tell=line)
    report = score(args.bundle, named_files(args.files), metric=args.metric, baselines=args.baselines,
                   against=args.against, options=options)
    for file in args.out:
        line(f"writing {file}")
        write(report, file, args.format)
    return report, FORMATS[args.format if args.format and not args.out else "md"](report)


def main(argv: list[str] | None = None) -> int:
    """The numbers of ``goldsmith score``; exit 0, 2 for usage, 3 for files that are refused, 130 for Ctrl+C."""
    parser = argparse.ArgumentParser(prog="scorer.pyz", description="Scores predictions against a bundle.")
    arguments(parser)
    parser.add_argument("--json", action="store_true", help="strict JSON instead of tables")
    args = parser.parse_intermixed_args(argv)  # files may stand after options, as in: BUNDLE --baselines FILE
    if not args.files and not args.baselines:
        parser.error("prediction files, or --baselines, are wanted")
    try:
        report, text = computed(args)
    except Refused as fault:
        where = ":".join(str(part) for part in (fault.where.file, fault.where.line) if part is not None)
        print(f"{where}: {beside_its_place(str(fault), fault.where.line)}" if where else str(fault), file=sys.stderr)
        return fault.exit_code
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.write(FORMATS["json"](report) if args.json else text)
    return 0


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text[:20]} is no whole number from {least} on")
        return int(text)
    return number


def _pair(text: str) -> tuple[str, str]:
    weak, _, strong = text.partition(",")
    if not weak or not strong:
        raise argparse.ArgumentTypeError("two names of systems are wanted: WEAK,STRONG")
    return weak, strong
