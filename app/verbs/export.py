"""goldsmith export: write a release as a gold bundle, or in the format of another program."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from annotation import people
from annotation.errors import N_
from annotation.store.opening import open_store
from app.cli import Call, Outcome, Usage
from app.verbs import project
from app.verbs.numbered import numbered
from exports import release, writers
from exports.blind import write_anonymous
from exports.bundle import write_bundle


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", help="a project, or a bundle folder")
    parser.add_argument("out", metavar="OUT", help="a new or empty folder")
    parser.add_argument("--release", metavar="VERSION", help="which release; the newest, if left out")
    parser.add_argument("--format", default="bundle", metavar="NAME", help=", ".join(writers.writers))
    parser.add_argument("--private", action="store_true",
                        help="with private fields and held-out answers, in private/ (bundle only)")
    parser.add_argument("--anonymous", action="store_true", help="for double-blind review (bundle only)")


def run(call: Call) -> Outcome:
    args = call.args
    write = _writer(call)
    if "://" not in args.project and Path(args.project, "manifest.json").is_file():
        _only_projects(call)
        return _told(args, write.from_bundle(args.project, args.out))
    version = args.release
    with project.reading(call, "export") as (_, session):
        version = version or release.newest(session)
    if version is None:
        with open_store(args.project) as store:
            with store.read() as session:
                by = people.acting(session, call.handle).id
            seen = release.look_apart(store, by=by)
            with store.write() as session:
                people.require_right(session, by, "release")
                version = release.draw(session, None, by=by, examined=seen.still(session)).version
                written = write(session, args.out, version=version, private=args.private)  # refused: no draft either
    else:
        with open_store(args.project, read_only=True) as store, store.read() as session:
            written = write(session, args.out, version=version, private=args.private)
    return _told(args, written)


def _writer(call: Call) -> Any:
    """The format that was asked for; bundles tell how far they are."""
    args = call.args
    if args.anonymous:
        if args.format != "bundle" or args.private:
            raise Usage(N_("--anonymous is for the format bundle, and goes without --private"))
        return lambda session, out, version, private: write_anonymous(session, out, version=version,
                                                                      progress=call.progress)
    if args.format == "bundle" and not Path(args.project, "manifest.json").is_file():
        return lambda session, out, version, private: write_bundle(session, out, version=version, private=private,
                                                                   progress=call.progress)
    return writers.writers[args.format]


def _only_projects(call: Call) -> None:
    """A bundle is one release and has no private fields to give."""
    for option in ("release", "private", "anonymous"):
        if getattr(call.args, option):
            raise Usage(N_("--{option} is for projects; {bundle} is a bundle"), option=option, bundle=call.args.project)


def _told(args: argparse.Namespace, written: Any) -> Outcome:
    data = {"out": args.out, "format": args.format, "release": written.release, "items": written.items,
            "manifest_sha256": written.manifest_sha256,
            "files": [{"path": f.path, "sha256": f.sha256, "bytes": f.bytes, "rows": f.rows} for f in written.files]}
    lines = [f"wrote release {written.release}, {numbered(written.items, 'item')}, to {args.out}"]
    if args.format != "bundle":
        data |= {"cannot": list(written.cannot), "left_out": dict(written.left_out), "read_back": written.read_back}
        lines += [f"read back: {written.read_back:,} rows as in the bundle",
                  *(f"left out: {n:,} {WHY.get(code, code)}" for code, n in written.left_out),
                  *(f"not in it: {one}" for one in written.cannot)]
    return Outcome(data, lines)


WHY = {"not_kept": "items that export.keep of the protocol does not keep", "na": "gold answers that are N/A",
       "no_gold": "items without public gold for any task"}
