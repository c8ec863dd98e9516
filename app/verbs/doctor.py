"""goldsmith doctor: check this installation and, if one is named, a project."""

from __future__ import annotations

import argparse
import platform
import sqlite3
from importlib import metadata
from typing import Any

from annotation import doctor
from annotation.store.opening import open_store
from app.cli import Call, Outcome


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", nargs="?", metavar="PROJECT")
    parser.add_argument("--rebuild", action="store_true", help="write the derived tables anew")


def run(call: Call) -> Outcome:
    qt = metadata.version("pyside6")
    data: dict[str, Any] = {"python": platform.python_version(), "qt": qt, "sqlite": sqlite3.sqlite_version,
                            "faults": []}
    if qt.startswith("6.12.0") and platform.python_version_tuple() < ("3", "12"):
        data["faults"].append({"code": "broken_qt", "message": "PySide6 6.12.0 aborts on Python before 3.12"})
    lines = [f"Python {data['python']}, Qt {qt}, SQLite {data['sqlite']}"]
    if call.args.project:
        with open_store(call.args.project, read_only=not call.args.rebuild) as store:
            found = doctor.doctor(store, rebuild=call.args.rebuild)
        data |= found | {"faults": data["faults"] + found["faults"]}
        lines.append(f"integrity {data['integrity']}; {data['events']['n']:,} events, chain {data['events']['chain']}; "
                     f"{data['revisions']:,} revisions")
    lines += [f"{fault['code']}: {fault['message']}" for fault in data["faults"]]
    return Outcome(data, lines, faults=bool(data["faults"]))
