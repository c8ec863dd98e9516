"""goldsmith release: freeze gold as a draft (0.N) or, with a version, as a final release."""

from __future__ import annotations

import argparse

from annotation import people
from annotation.store.opening import open_store
from app.cli import Call, Outcome
from app.verbs import project
from app.verbs.numbered import numbered
from app.verbs.preflight import words_of
from exports import preflight, release
from exports.about import read_about


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("version", nargs="?", metavar="VERSION", help="a final release; without it a draft")
    parser.add_argument("--note", default="", help="a sentence that is kept with the release")
    parser.add_argument("--leave-out-open", action="store_true", help="leave out items that wait for somebody")
    parser.add_argument("--about", metavar="FILE", help="YAML: licence, authors, intended use and so on, for the card")
    parser.add_argument("--strict", action="store_true", help="what is to be warned of stops a final release too")


def run(call: Call) -> Outcome:
    args = call.args
    with open_store(args.project) as store:
        with store.read() as session:
            by = people.acting(session, call.handle)
        report = release.draw_apart(store, args.version, by=by.id, note=args.note, leave_out_open=args.leave_out_open,
                                    strict=args.strict, about=read_about(args.about) if args.about else None,
                                    progress=call.progress)
    data = {"version": report.version, "kind": report.kind, "manifest_sha256": report.manifest_sha256,
            "items": report.items, "values": report.values, "findings": [one.plain() for one in report.findings],
            "not_searched": preflight.NOT_SEARCHED}
    lines = words_of(report.findings)
    lines.append(f"release {report.version} ({report.kind}): {numbered(report.items, 'item')}, "
                 f"{numbered(report.values, 'value')}"
                 if report.manifest_sha256 else "not released: what stops it stands above")
    return Outcome(data, lines, faults=not report.manifest_sha256)
