"""goldsmith verify: check a bundle or a project, offline, and name each fault."""

from __future__ import annotations

import argparse

from app.cli import Call, Outcome
from app.verbs.numbered import numbered
from exports import verify


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="BUNDLE|PROJECT", help="a folder")
    parser.add_argument("--manifest-sha256", metavar="H", help="the checksum that its manifest must have")
    parser.add_argument("--same-as", metavar="BUNDLE", help="of an anonymous bundle: the named one it is made from")
    parser.add_argument("--release", metavar="VERSION", help="of a project: check this release alone")


def run(call: Call) -> Outcome:
    args = call.args
    report = verify.verify(args.target, manifest_sha256=args.manifest_sha256, same_as=args.same_as,
                           release=args.release)
    faults = [{"code": f.code, "file": f.file, "line": f.line, "id": f.id, "message": f.message}
              for f in report.faults]
    checked = {"files": report.files, "rows": report.rows, "tombstones": report.tombstones}
    data = {"kind": report.kind, "checked": checked, "faults": faults}
    lines = [":".join(str(part) for part in (f["file"], f["line"]) if part is not None) + f": {f['code']}: "
             f"{f['message']}" for f in faults]
    stones = f", {report.tombstones:,} of them tombstones" if report.tombstones else ""
    files, rows = ("picture", "event") if report.kind == "project" else ("file", "row")
    lines.append(f"{numbered(report.files, files)}, {numbered(report.rows, rows)} checked{stones}, "
                 f"{numbered(len(faults), 'fault')}")
    return Outcome(data, lines, faults=bool(faults))
