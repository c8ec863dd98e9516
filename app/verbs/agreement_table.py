"""The table of goldsmith agreement --table: its options, reading it, and its coefficients."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from annotation.agreement.asking import find_metric, needs_order
from annotation.agreement.metric import weights_for
from annotation.agreement.ratings import Ratings
from annotation.agreement.report import measure
from annotation.agreement.resampling import Progress
from annotation.agreement.result import Result
from annotation.agreement.slices import guarded, measure_slices
from annotation.errors import N_
from annotation.judged_table import JudgedTable, read_long, read_wide
from app.cli import Usage

DEFAULT = "krippendorff_alpha"
OPTIONS = {"item": "--item", "rater": "--rater", "value": "--value", "wide": "--wide", "raters": "--raters",
           "cluster": "--cluster", "order": "--order"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--table", type=Path, metavar="FILE", help="a CSV, TSV, JSON, JSONL or parquet file"
                        " instead of PROJECT")
    parser.add_argument("--item", metavar="COL", help="the column that names the item")
    parser.add_argument("--rater", metavar="COL", help="the column that names who answered")
    parser.add_argument("--value", metavar="COL", help="a row per judgement: item, rater, value")
    parser.add_argument("--wide", nargs="+", metavar="COL", help="a column per person instead")
    parser.add_argument("--raters", metavar="A,B,..", help="the same, with commas")
    parser.add_argument("--cluster", metavar="COL", help="items with one value of it are drawn together")
    parser.add_argument("--order", metavar="LOW,..,HIGH", help="the values in their order, where they are words")


def refuse_without_table(args: argparse.Namespace) -> None:
    for name, option in OPTIONS.items():
        if getattr(args, name) is not None:
            raise Usage(N_("{option} is for a table (--table FILE)"), option=option)


def read(args: argparse.Namespace) -> JudgedTable:
    order = _words(args.order, "--order") if args.order is not None else ()
    wide = args.wide or (_words(args.raters, "--raters") if args.raters is not None else None)
    if wide is not None:
        if args.rater is not None or args.value is not None or (args.wide and args.raters):
            raise Usage(N_("a table has --item, --rater and --value, or a column per person: --wide or --raters"))
        _once(wide, "--wide" if args.wide else "--raters")
        return read_wide(args.table, raters=wide, item=args.item, by=args.by, cluster=args.cluster, order=order)
    missing = [option for name, option in OPTIONS.items() if name in ("item", "rater", "value")
               and getattr(args, name) is None]
    if missing:
        raise Usage(N_("{missing} is missing: a table has --item, --rater and --value, or a column per person "
                       "(--raters A,B)"), missing=", ".join(missing))
    return read_long(args.table, item=args.item, rater=args.rater, value=args.value, by=args.by, cluster=args.cluster,
                     order=order)


def measured(args: argparse.Namespace, table: JudgedTable, *, progress: Progress) -> list[Result]:
    """The coefficients of all rows, and of the slices. Refused, with the cell, where a value does not suit."""
    names = args.metric or [DEFAULT]
    found = [find_metric(name) for name in names]
    taking = [metric for metric in found if metric.weights]
    if args.weights is not None and not taking:
        weights_for(found[0], args.weights)  # which refuses
    out: list[Result] = []
    for metric in found:
        weights = args.weights if metric.weights else None
        level = args.level if None not in metric.builds else None
        needs = needs_order(metric, level or ("nominal" if None not in metric.builds else None),
                            weights_for(metric, weights))
        table.check(level, weights, needs_numbers=needs)
        how = {"level": level, "weights": weights, "interval": args.interval or "bca", "seed": args.seed,
               "replicates": args.replicates}

        def one(ratings: Ratings, name: str = metric.name, how: dict[str, object] = how) -> Result:
            return measure(ratings, name, **how)  # type: ignore[arg-type]

        out.append(one(table.ratings))
        out += [replace(guarded(one(part), args.least), by={"field": args.by, "value": value})
                for value, part in table.slices.items()]
        if table.ratings.slices:
            out += measure_slices(table.ratings, metric.name, args.by, **how, least=args.least,  # type: ignore[arg-type]
                                  progress=progress)
    return out


def _words(text: str, option: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in text.split(","))
    if not all(words):
        raise Usage(N_("{option} wants names with commas between them"), option=option)
    _once(words, option)
    return words


def _once(words: tuple[str, ...] | list[str], option: str) -> None:
    for n, word in enumerate(words):
        if word in words[:n]:
            raise Usage(N_("{option} names '{name}' twice"), option=option, name=word)
