"""goldsmith export: write a release as a gold bundle."""

from __future__ import annotations

import argparse

from annotation import people
from annotation.store.opening import open_store
from app.cli import Call, Outcome
from app.verbs import project
from exports import release, writers


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT")
    parser.add_argument("out", metavar="OUT", help="a new or empty folder")
    parser.add_argument("--release", metavar="VERSION")
    parser.add_argument("--format", default="bundle")
    parser.add_argument("--private", action="store_true", help="with the private fields, in private/")


def run(call: Call) -> Outcome:
    args = call.args
    write = writers.writers[args.format]
    version = args.release
    with project.reading(call, "export") as (_, session):
        version = version or release.newest(session)
    if version is None:
        with open_store(args.project) as store, store.write() as session:
            by = people.acting(session, call.handle)
            people.require_right(session, by.id, "release")
            version = release.draw(session, None, by=by.id).version
            written = write(session, args.out, version=version, private=args.private)  # refused: no draft either
    else:
        with open_store(args.project, read_only=True) as store, store.read() as session:
            written = write(session, args.out, version=version, private=args.private)
    data = {"out": args.out, "format": args.format, "release": version, "items": written.items,
            "manifest_sha256": written.manifest_sha256,
            "files": [{"path": f.path, "sha256": f.sha256, "bytes": f.bytes, "rows": f.rows} for f in written.files]}
    return Outcome(data, [f"wrote release {version}, {written.items:,} items, to {args.out}"])
