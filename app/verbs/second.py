"""goldsmith second: decide again, without sight of it, what another adjudicator decided."""

from __future__ import annotations

import argparse
from typing import Any

from annotation import assign, canonical, people, second_adjudication, second_in
from annotation.adjudication_case import Case
from annotation.answers import Answer, Slot
from annotation.errors import N_
from annotation.store.opening import open_store
from app.cli import Call, Outcome, Usage
from app.verbs import project
from app.verbs.numbered import numbered
from app.verbs.refusals import refusal_lines


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    parser.add_argument("file", nargs="?", metavar="FILE",
                        help="decisions: CSV, TSV, JSONL or parquet; without it, what may be decided again is listed")
    parser.add_argument("--share", type=_share, default=1.0, metavar="X",
                        help="of the items, 0 to 1, drawn once and for all; 1, if left out")
    parser.add_argument("--show", action="append", default=[], metavar="KEY",
                        help="open the case of this item; that it was before you is recorded")
    parser.add_argument("--strict", action="store_true", help="refuse the whole file if one row is refused")
    parser.add_argument("--refused", metavar="FILE", help="where refused rows go")


def run(call: Call) -> Outcome:
    args = call.args
    if args.file is not None and (args.show or args.share != 1.0):
        raise Usage(N_("FILE goes without --show and --share"))
    if args.file is not None:
        return _taken(call)
    if args.show:
        with project.writing(call) as (_, session, by):
            return _told([second_adjudication.open_second(session, item, person=by.id)
                          for item in assign.find_keys(session, args.show)])
    with project.reading(call) as (_, session):
        by = people.acting(session, call.handle)
        queue = second_adjudication.second_queue(session, by.id, share=args.share, limit=10**9)
    due = [{"item": one.key, "slots": [_slot(slot) for slot in sorted(one.decided, key=str)]} for one in queue]
    return Outcome({"due": due}, [f"{numbered(len(due), 'item')} to decide again", *(
        f"{one.key}: {', '.join(sorted(map(str, one.decided)))}" for one in queue)])


def _taken(call: Call) -> Outcome:
    args = call.args
    with open_store(args.project) as store:
        with store.read() as session:
            by = people.acting(session, call.handle)
        data = second_in.import_second(store, args.file, by=by.id, strict=args.strict, refused=args.refused,
                                       progress=call.progress).as_json()
    lines = [f"{numbered(data['rows'], 'row')}: {data['accepted']:,} accepted in "
             f"{numbered(data['decisions'], 'decision')}, {data['refused']:,} refused", *refusal_lines(data)]
    return Outcome(data, lines, faults=bool(data["refused"]))


def _told(cases: list[Case]) -> Outcome:
    found: list[dict[str, Any]] = []
    lines = []
    for case in cases:
        found.append({"item": case.key, "fields": dict(case.fields), "slots": [_slot(slot) for slot in case.due],
                      "answers": [{"n": one.n, "stage": one.stage, "answers": one.answers} for one in case.answers],
                      "reason_required": case.reason_required})
        lines.append(f"{case.key}: decide {', '.join(map(str, case.due))}"
                     + (" (with a reason)" if case.reason_required else ""))
        for name, value in case.fields.items():
            if value is not None:
                lines += _indented(f"  {name}: ", value if isinstance(value, str) else canonical.dumps(value))
        for row in case.rows:
            lines.append(f"  {row.slot}: {' '.join(row.text.split())}")
            for one, cell in zip(case.answers, row.cells, strict=True):
                lines += _indented(f"    {one.n}: ", _said(cell))
    return Outcome({"cases": found}, lines)


def _said(answer: Answer | None) -> str:
    """The whole answer: its value as a file of decisions takes it, then what belongs to it (flags, a reason)."""
    if answer is None:
        return "-"
    value = "N/A" if answer.get("na") else _text(answer.get("v"))
    return "\n".join([value, *(f"{key}: {_text(more)}" for key, more in sorted(answer.items())
                               if key not in ("v", "na") and more)])


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _indented(head: str, text: str) -> list[str]:
    """A text of any number of lines, each below the first as far in as where that begins."""
    first, *more = text.splitlines() or [""]
    return [head + first, *(" " * len(head) + line for line in more)]


def _slot(slot: Slot) -> dict[str, str | None]:
    return {"element": slot.element, "question": slot.question}


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise argparse.ArgumentTypeError(f"{text[:20]} is no share from 0 to 1")
    return share
