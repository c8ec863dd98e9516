"""goldsmith protocols: list the shelf, show a protocol, check files."""

from __future__ import annotations

import argparse
from typing import Any

from annotation import protocol, recipes
from annotation.errors import Fault
from annotation.protocol import Protocol
from app.cli import Call, Outcome


def arguments(parser: argparse.ArgumentParser) -> None:
    deeds = parser.add_subparsers(dest="deed", required=True, metavar="list|show|check")
    deeds.add_parser("list", help="the protocols of the shelf", allow_abbrev=False)
    show = deeds.add_parser("show", help="one protocol", allow_abbrev=False)
    show.add_argument("id", metavar="ID", help="as `protocols list` calls it")
    check = deeds.add_parser("check", help="all faults of protocol files", allow_abbrev=False)
    check.add_argument("files", nargs="+", metavar="FILE", help="YAML files")


def run(call: Call) -> Outcome:
    if call.args.deed == "list":
        rows = [_row(protocol.load(protocol.find(name))) for name in protocol.shelf()]
        return Outcome({"protocols": rows}, [f"{r['id']:<24} {r['version']:>3}  {r['title']}" for r in rows])
    if call.args.deed == "show":
        shown = protocol.load(protocol.find(call.args.id))
        return Outcome({"text": shown.text, "protocol": _row(shown)}, shown.text.splitlines())
    reports = [protocol.check(file) for file in call.args.files]
    faults = [fault for report in reports for fault in report.faults]
    warnings = [warning for report in reports for warning in report.warnings]
    data = {"faults": [_fault(f) for f in faults], "warnings": [_fault(w) for w in warnings]}
    lines = [*map(str, faults), *(f"{w.file}:{w.line}: {w.path}: warning: {w.message}" for w in warnings)]
    if not lines:
        lines = [f"{file}: no faults" for file in call.args.files]
    return Outcome(data, lines, faults=bool(faults))


def _row(shown: Protocol) -> dict[str, Any]:
    return {
        "id": shown.id, "version": shown.version, "title": shown.title, "source": shown.source,
        "stages": list(shown.workflow.stages), "fields": [f.name for f in shown.fields],
        "questions": [q.name for q in shown.asked], "recipes": list(recipes.for_protocol(shown.id)),
        "sample": f"samples/{shown.id}" if protocol.sample(shown.id) else None,
    }


def _fault(fault: Fault) -> dict[str, Any]:
    return {"file": fault.file, "line": fault.line, "column": fault.column, "path": fault.path,
            "message": fault.message}
