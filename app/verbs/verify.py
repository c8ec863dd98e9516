"""goldsmith verify: check a bundle or a project, offline, and name each fault."""

from __future__ import annotations

import argparse

from app.cli import Call, Outcome
from exports import verify


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="BUNDLE|PROJECT")
    parser.add_argument("--manifest-sha256", metavar="H")


def run(call: Call) -> Outcome:
    report = verify.verify(call.args.target, manifest_sha256=call.args.manifest_sha256)
    faults = [{"code": f.code, "file": f.file, "line": f.line, "id": f.id, "message": f.message}
              for f in report.faults]
    checked = {"files": report.files, "rows": report.rows, "tombstones": report.tombstones}
    data = {"kind": report.kind, "checked": checked, "faults": faults}
    lines = [":".join(str(part) for part in (f["file"], f["line"]) if part is not None) + f": {f['code']}: "
             f"{f['message']}" for f in faults]
    stones = f", {report.tombstones:,} of them tombstones" if report.tombstones else ""
    lines.append(f"{report.files:,} files, {report.rows:,} rows checked{stones}, {len(faults):,} faults")
    return Outcome(data, lines, faults=bool(faults))
