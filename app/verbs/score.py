"""goldsmith score: score predictions against a bundle, with baselines if wanted."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from annotation.errors import N_, Refused, Where
from app.cli import Call, Outcome, Usage
from exports.scorer.score import named_files, score
from exports.scorer.table import table


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bundle", metavar="BUNDLE")
    parser.add_argument("files", nargs="*", metavar="[NAME=]FILE")
    parser.add_argument("--metric")
    parser.add_argument("--out", metavar="FILE", help="write the JSON there as well")
    parser.add_argument("--baselines", action="store_true", help="add oracle, anti-oracle and constant answers")


def run(call: Call) -> Outcome:
    args = call.args
    if not args.files and not args.baselines:
        raise Usage(N_("score wants prediction files, or --baselines"))
    data = score(args.bundle, named_files(args.files), metric=args.metric, baselines=args.baselines)
    if args.out:
        text = json.dumps({"ok": True, "schema": "goldsmith/score/1", **data}, ensure_ascii=False, indent=1)
        try:
            Path(args.out).write_text(text + "\n", encoding="utf-8")
        except OSError as fault:
            raise Refused(N_("{file} cannot be written: {why}"), code="unwritable", where=Where(file=args.out),
                          file=args.out, why=fault.strerror or "unknown") from None
    return Outcome(data, table(data).splitlines())
