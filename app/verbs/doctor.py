"""goldsmith doctor: check this installation and, if one is named, a project."""

from __future__ import annotations

import argparse

from annotation import doctor
from annotation.store.opening import open_store
from app.cli import Call, Outcome
from app.verbs import project
from studies import checking


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", nargs="?", metavar="PROJECT",
                        help="a folder NAME.goldsmith, or postgresql+psycopg://...")
    parser.add_argument("--rebuild", action="store_true", help="write the derived tables anew")


def run(call: Call) -> Outcome:
    data = doctor.doctor(None)
    if call.args.project:
        with open_store(call.args.project, read_only=not call.args.rebuild) as store:
            with store.read() as session:
                project.check_right(session, call, "doctor" if call.args.rebuild else None)
            data = doctor.doctor(store, rebuild=call.args.rebuild)
            with store.read() as session:
                data["faults"] += checking.faults(session)
    lines = [f"Python {data['python']}, Qt {data['qt']}, SQLite {data['sqlite']}"]
    if call.args.project:
        lines.append(f"integrity {data['integrity']}; {data['events']['n']:,} events, chain {data['events']['chain']}; "
                     f"{data['revisions']:,} revisions")
    lines += [f"{fault['code']}: {fault['message']}" for fault in data["faults"]]
    return Outcome(data, lines, faults=bool(data["faults"]))
