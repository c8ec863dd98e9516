"""goldsmith people: list people, add one, change roles."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from annotation import people, rights
from annotation.people import PersonView
from app.cli import Call, Outcome
from app.verbs import project

ROLES = f"may be given several times: {', '.join(rights.ROLES)}"


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)
    deeds = parser.add_subparsers(dest="deed", metavar="add|role")
    add = deeds.add_parser("add", help="add a person", allow_abbrev=False)
    add.add_argument("person", metavar="HANDLE", help="a short name without spaces, such as ana")
    add.add_argument("--name", default="", help="the full name")
    add.add_argument("--role", action="append", default=[], choices=rights.ROLES, metavar="ROLE", help=ROLES)
    add.add_argument("--kind", choices=("human", "machine"), default="human",
                     help="human (default), or machine: a model or a judge")
    role = deeds.add_parser("role", help="change roles", allow_abbrev=False)
    role.add_argument("person", metavar="HANDLE", help="whose roles change")
    role.add_argument("--add", action="append", default=[], choices=rights.ROLES, metavar="ROLE", help=ROLES)
    role.add_argument("--remove", action="append", default=[], choices=rights.ROLES, metavar="ROLE", help=ROLES)


def run(call: Call) -> Outcome:
    args = call.args
    if args.deed is None:
        with project.reading(call) as (_, session):
            return _shown(people.people(session))
    with project.writing(call) as (_, session, by):
        people.require_right(session, by.id, "people")
        if args.deed == "add":
            people.add(session, args.person, name=args.name, roles=tuple(args.role), kind=args.kind, by=by.id)
        else:
            people.set_roles(session, args.person, add=tuple(args.add), remove=tuple(args.remove), by=by.id)
        return _shown(people.people(session))


def _shown(everyone: Sequence[PersonView]) -> Outcome:
    rows: list[dict[str, Any]] = [
        {"handle": p.handle, "name": p.name, "kind": p.kind, "roles": sorted(p.roles), "active": p.active,
         "submitted": p.submitted, "skipped": p.skipped} for p in everyone]
    lines = [f"{r['handle']:<16} {', '.join(r['roles']):<36} {r['submitted']:>7,} submitted  {r['name']}".rstrip()
             for r in rows]
    return Outcome({"people": rows}, lines)
