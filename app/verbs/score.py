"""goldsmith score: score predictions against a bundle, with baselines and another version if wanted."""

from __future__ import annotations

import argparse

from annotation.errors import N_
from app.cli import Call, Outcome, Usage
from exports.parquet_predictions import parquet_rows
from exports.scorer.agreed import share_of
from exports.scorer.outputs import FORMATS, write
from exports.scorer.score import Options, named_files, score

READERS = {".parquet": parquet_rows, ".pq": parquet_rows}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bundle", metavar="BUNDLE")
    parser.add_argument("files", nargs="*", metavar="[NAME=]FILE")
    parser.add_argument("--metric")
    parser.add_argument("--out", metavar="FILE", action="append", default=[],
                        help="write there as well: .json, .md, .tex, .html")
    parser.add_argument("--format", choices=tuple(FORMATS), help="of what is written, or printed without --out")
    parser.add_argument("--baselines", action="store_true", help="add oracle, anti-oracle and constant answers")
    parser.add_argument("--against", metavar="BUNDLE2", help="another version of the gold, side by side")
    parser.add_argument("--extract", metavar="RULE", action="append", default=[],
                        help="how answers are read: exact, letter, last-line, index0, index1, regex:PATTERN; in turn")
    parser.add_argument("--least", type=int, default=Options().least, metavar="N", help="smaller slices have no number")
    parser.add_argument("--agreed", metavar="K/N", action="append", default=[],
                        help="also over the items where at least K of N people agreed")
    parser.add_argument("--shelf-life", metavar="WEAK,STRONG", help="judges trained on weak and on strong generators")
    parser.add_argument("--held-out", action="store_true",
                        help="against the private gold; no slice from which a small one could be computed")
    parser.add_argument("--no-comparisons", action="store_true", help="do not compare the systems with each other")
    parser.add_argument("--replicates", type=int, default=Options().replicates, metavar="N")
    parser.add_argument("--seed", type=int, default=Options().seed, metavar="N")


def run(call: Call) -> Outcome:
    args = call.args
    if not args.files and not args.baselines:
        raise Usage(N_("score wants prediction files, or --baselines"))
    data = score(args.bundle, named_files(args.files), metric=args.metric, baselines=args.baselines,
                 against=args.against, options=_options(args))
    for file in args.out:
        write(data, file, args.format)
    shown = args.format if args.format and not args.out else "md"
    return Outcome(data, FORMATS[shown](data).rstrip("\n").split("\n"))


def _options(args: argparse.Namespace) -> Options:
    for name, value, least in (("--least", args.least, 1), ("--replicates", args.replicates, 100),
                               ("--seed", args.seed, 0)):
        if value < least:
            raise Usage(N_("{name} is {value}, and must be at least {least}"), name=name, value=value, least=least)
    pair = None
    if args.shelf_life:
        weak, _, strong = args.shelf_life.partition(",")
        if not weak or not strong:
            raise Usage(N_("--shelf-life wants two names of systems: WEAK,STRONG"))
        pair = (weak, strong)
    return Options(extract=tuple(args.extract), least=args.least, agreed=tuple(map(share_of, args.agreed)),
                   compare=not args.no_comparisons, shelf_life=pair, held_out=args.held_out,
                   replicates=args.replicates, seed=args.seed, readers=READERS)
