"""goldsmith backup: copy a project's store into one file, while it is in use."""

from __future__ import annotations

import argparse

from annotation.store import backup
from annotation.store.opening import open_store
from app.cli import Call, Outcome
from app.verbs import project


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("file", metavar="FILE", help="the copy to make")


def run(call: Call) -> Outcome:
    with open_store(call.args.project, read_only=True) as store:
        with store.read() as session:
            project.check_right(session, call, "backup")
        made = backup.back_up(store, call.args.file)
    data = {"file": call.args.file, "bytes": made.bytes, "sha256": made.sha256}
    return Outcome(data, [f"copied {made.bytes:,} bytes to {call.args.file}"])
