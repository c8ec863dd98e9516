"""goldsmith release: freeze gold as a draft (0.N) or, with a version, as a final release."""

from __future__ import annotations

import argparse

from annotation import people
from app.cli import Call, Outcome
from app.verbs import project
from exports import release


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("version", nargs="?", metavar="VERSION", help="a final release; without it a draft")
    parser.add_argument("--note", default="")
    parser.add_argument("--leave-out-open", action="store_true", help="leave out items that wait for somebody")


def run(call: Call) -> Outcome:
    args = call.args
    with project.writing(call) as (_, session, by):
        people.require_right(session, by.id, "release")
        report = release.draw(session, args.version, by=by.id, note=args.note, leave_out_open=args.leave_out_open)
    data = {"version": report.version, "kind": report.kind, "manifest_sha256": report.manifest_sha256,
            "items": report.items, "values": report.values,
            "findings": [{"code": f.code, "items": list(f.items), "message": f.message} for f in report.findings]}
    lines = [f"{f.code}: {f.message}" for f in report.findings]
    lines.append(f"release {report.version} ({report.kind}): {report.items:,} items, {report.values:,} values"
                 if report.manifest_sha256 else "not released: the findings above stand in the way")
    return Outcome(data, lines, faults=not report.manifest_sha256)
