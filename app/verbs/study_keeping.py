"""What goldsmith study does beside sitting: texts are checked and kept, studies registered, trials exported."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotation.errors import N_, Fault, Refused, Unknown, Where
from app.cli import Call, Outcome
from app.verbs import project
from app.verbs.numbered import numbered
from exports.studies.writing import FORMATS, write_study
from studies import keeping, registering, showing, sittings, trial_rows
from studies.model import Study
from studies.picking import find_release
from studies.project_fit import project_faults, release_faults
from studies.reading import StudyError, fault_at, read_study, shelf, shelf_text, told
from studies.summaries import Estimate, Summary, summarise

ENDS = ("aborted", "withdrawn", "excluded")


def add_deeds(deeds: Any) -> None:
    """The sub-verbs of this file."""
    def deed(name: str, help: str, *, study: bool = True) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = deeds.add_parser(name, help=help, allow_abbrev=False)
        project.argument(parser)
        if study:
            parser.add_argument("study", metavar="STUDY", help="its id, or the first digits of its hash")
        return parser

    deed("list", "the studies of a project", study=False)
    check = deeds.add_parser("check", help="all faults of a study's file", allow_abbrev=False)
    check.add_argument("file", metavar="FILE", help="a study's file (YAML), or the id of one that comes along")
    check.add_argument("--project", metavar="PROJECT", help="hold it against this project's protocol, too")
    check.add_argument("--release", metavar="VERSION", help="with items of this release (default: as the file says)")
    add = deed("add", "keep a study in the project", study=False)
    add.add_argument("file", metavar="FILE", help="a study's file (YAML), or the id of one that comes along")
    add.add_argument("--release", metavar="VERSION", help="items of this release (default: as the file says)")
    register = deed("register", "freeze design, lists, rule, analysis and number of people, dated and hashed")
    register.add_argument("--out", metavar="FILE", help="write the document as well: .md for people, else JSON")
    deed("sittings", "who sat, and what happened")
    end = deed("end", "a sitting is broken off, withdrawn or excluded")
    end.add_argument("participant", metavar="HANDLE", help="whose sitting")
    end.add_argument("state", choices=ENDS, help="what becomes of it")
    end.add_argument("--reason", default="", metavar="T", help="kept with it; say nothing that names a person")
    results = deed("results", "accuracy and times in each condition, with intervals")
    results.add_argument("--pilots", action="store_true", help="of the pilots alone")
    export = deed("export", "write the trials into a new folder")
    export.add_argument("out", metavar="OUT", help="a new or empty folder")
    export.add_argument("--format", default="csv", metavar="NAME", help=", ".join(FORMATS))
    export.add_argument("--pilots", action="store_true", help="the pilots alone")


def text_of(name: str) -> str:
    """The text of a file, or of a study that comes with the program. Refused where there is neither."""
    path = Path(name)
    if not path.is_file():
        known = [study.id for study in shelf()]
        if name in known:
            return shelf_text(name)
        raise Refused(N_("{file} is no file, and no study that comes along: {known}"), code="not_found", file=name,
                      known=", ".join(known), where=Where(file=name))
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise Refused(N_("{file} cannot be read: {why}"), code="unreadable", file=name, why=str(fault),
                      where=Where(file=name)) from None


# --- texts ----------------------------------------------------------------------------------------------------

def check(call: Call) -> Outcome:
    args = call.args
    text = text_of(args.file)
    faults: tuple[Fault, ...] = ()
    study = None
    try:
        study = read_study(text, file=args.file)
        if args.project:
            with project.reading(call) as (_, session):
                faults = _held_against(session, study, args.release, file=args.file)
        else:
            faults = told(study, release_faults(study, args.release or study.items.release), file=args.file)
    except StudyError as error:
        faults = tuple(error.faults)
    said = [asdict(fault) for fault in faults]
    lines = [f"{fault.file or args.file}:{fault.line}: {fault.path}: {fault.message}" for fault in faults]
    return Outcome({"faults": said, "study": None if study is None else {"id": study.id, "version": study.version}},
                   lines or [f"{args.file}: no fault"], faults=bool(faults))


def _held_against(session: Any, study: Study, release: str | None, *, file: str) -> tuple[Fault, ...]:
    try:
        found = find_release(session, release or study.items.release)
    except Unknown as error:
        if release:
            raise
        raise fault_at(study, ("items", "release"), str(error), file=file) from None
    return project_faults(session, study, found, file=file)


def add(call: Call) -> Outcome:
    text = text_of(call.args.file)
    with project.writing(call) as (_, session, by):
        hash = keeping.add(session, text, by=by.id, release=call.args.release, file=call.args.file).value
        study = sittings.load(session, hash)
    return Outcome({"study": study.id, "version": study.version, "hash": hash},
                   [f"{study.id} version {study.version} is kept ({hash[:8]})"])


def listed(call: Call) -> Outcome:
    with project.reading(call, "study") as (_, session):
        rows: list[dict[str, Any]] = [
            {"id": view.id, "version": view.version, "hash": view.hash, "title": view.title,
             "release": view.release or None, "wanted": view.wanted, "completed": view.completed,
             "open": view.open, "pilots": view.pilots, "registered": view.registered,
             "findings": [asdict(one) for one in view.findings]} for view in sittings.studies(session)]
    return Outcome({"studies": rows, "shelf": [{"id": one.id, "title": one.title} for one in shelf()]},
                   [line for row in rows for line in (
                       f"{row['id']:<24} {row['version']:>3}  {row['completed']} of {row['wanted']} completed, "
                       f"{row['open']} under way, {numbered(row['pilots'], 'pilot')}"
                       f"{', registered' if row['registered'] else ''}",
                       *(f"    newer rule, line {one['line']}: {one['path']}: {one['message']}"
                         for one in row["findings"]))])


def register(call: Call) -> Outcome:
    args = call.args
    with project.writing(call) as (_, session, by):
        hash = showing.find_study(session, args.study).hash
        document = registering.registered(session, hash)
        if document is None or not args.out:
            document = registering.register(session, hash, by=by.id).value
    if args.out:
        text = document.markdown if args.out.endswith(".md") else document.text
        try:
            Path(args.out).write_text(text, "utf-8")
        except OSError as fault:
            raise Refused(N_("{file} cannot be written: {why}"), code="not_writable", file=args.out,
                          why=fault.strerror or "unknown", where=Where(file=args.out)) from None
    at = document.at.isoformat() if document.at is not None else None
    return Outcome({"study": args.study, "sha256": document.sha256, "at": at, "out": args.out},
                   [f"registered {at}: {document.sha256}"])


# --- sittings -------------------------------------------------------------------------------------------------

def sat(call: Call) -> Outcome:
    with project.reading(call, "study") as (_, session):
        hash = showing.find_study(session, call.args.study).hash
        rows: list[dict[str, Any]] = [
            {"participant": one.participant, "state": one.state, "pilot": one.pilot, "list": one.list_no + 1,
             "done": one.done, "planned": one.planned, "flags": list(one.flags), "reason": one.reason,
                 "at": one.at.isoformat()} for one in sittings.of_study(session, hash)]
        deviations = [str(one) for one in registering.deviations(session, hash)]
    return Outcome({"sittings": rows, "deviations": deviations}, [
        *(f"{row['participant']:<10} {row['state']:<10} list {row['list']:>3}  {row['done']} of {row['planned']}  "
          f"{'pilot ' if row['pilot'] else ''}{', '.join(row['flags'])}".rstrip() for row in rows),
        *(f"otherwise than registered: {one}" for one in deviations)])


def end(call: Call) -> Outcome:
    args = call.args
    with project.writing(call) as (_, session, by):
        hash = showing.find_study(session, args.study).hash
        found = [one for one in sittings.of_study(session, hash) if one.participant == args.participant]
        if not found:
            raise Refused(N_("'{handle}' has not sat for this study"), code="unknown", handle=args.participant)
        keeping.end(session, _meant(found, args.state).id, args.state, args.reason, by=by.id)
    return Outcome({"participant": args.participant, "state": args.state}, [f"{args.participant}: {args.state}"])


def _meant(found: Sequence[sittings.SittingView], state: str) -> sittings.SittingView:
    """Of several sittings of one person the last that can become this, one that counts before a pilot."""
    can = [one for one in found if state in keeping.NEXT[one.state]] or found
    return max(can, key=lambda one: (not one.pilot, one.at))


def results(call: Call) -> Outcome:
    with project.reading(call, "study") as (_, session):
        hash = showing.find_study(session, call.args.study).hash
        sat_ = trial_rows.read(session, hash, pilots=call.args.pilots)
        found = summarise(sat_.study, sat_.rows)
        deviations = [str(one) for one in registering.deviations(session, hash)]
    data = {**asdict(found), "left_out": sat_.left_out, "deviations": deviations}
    data["sensitivity"] = [{"rule": name, **asdict(one)} for name, one in found.sensitivity]
    return Outcome(data, _lines(found))


def _lines(found: Summary) -> list[str]:
    lines = [f"{numbered(found.people, 'person', 'people')}, {numbered(found.trials, 'trial')} in earnest"]
    for cell in found.cells:
        median = "" if cell.median is None else f", median {cell.median:.2f}"
        lines.append(f"{cell.condition:<20} {numbered(cell.trials, 'trial')}   right {_counted(cell.accuracy)}   "
                     f"seconds {_said(cell.time)}{median}{_n(cell.time)}")
    for one in found.compared:
        lines.append(f"{one.second} against {one.first}: ratio of times {_counted(one.ratio)}, seconds "
                     f"{_counted(one.seconds)}, accuracy {_counted(one.accuracy)}")
    return lines


def _counted(one: Estimate) -> str:
    return _said(one) + _n(one)


def _n(one: Estimate) -> str:
    return "" if one.value is None else f", n {one.n:,}"


def _said(one: Estimate) -> str:
    if one.value is None:
        return f"– ({one.why})"
    return f"{one.value:.3f}" + ("" if one.low is None or one.high is None else f" ({one.low:.3f} to {one.high:.3f})")


# --- exporting ------------------------------------------------------------------------------------------------

def export(call: Call) -> Outcome:
    args = call.args
    with project.reading(call, "export") as (_, session):
        written = write_study(session, showing.find_study(session, args.study).hash, args.out, format=args.format,
                              pilots=args.pilots)
    data = {"out": written.out, "format": written.format, "rows": written.rows, "participants": written.participants,
            "left_out": written.left_out,
            "files": [{"path": path, "sha256": sha256, "bytes": size} for path, sha256, size in written.files]}
    left = ", ".join(f"{n} {name}" for name, n in sorted(written.left_out.items()))
    return Outcome(data, [f"{numbered(written.rows, 'row')} of {numbered(written.participants, 'participant')} in "
                          f"{written.out}",
                          *([f"not in it: {left}"] if left else [])])


DEEDS = {"list": listed, "check": check, "add": add, "register": register, "sittings": sat, "end": end,
         "results": results, "export": export}
