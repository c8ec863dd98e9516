"""Opens the project that a verb names, for reading or for writing, and finds who acts."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from sqlalchemy.orm import Session

from annotation import people, revealing
from annotation.errors import N_, StoreLocked
from annotation.people import PersonView
from annotation.store.opening import open_store
from annotation.store.project import Store
from app.cli import Call, Usage


def argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", help="a folder NAME.goldsmith, or postgresql+psycopg://...")


@contextmanager
def reading(call: Call, right: str | None = None) -> Iterator[tuple[Store, Session]]:
    """To read, no ``--as`` is needed; whoever is named must be there and have the ``right``."""
    with open_store(call.args.project, read_only=True) as store, store.read() as session:
        check_right(session, call, right)
        yield store, session


@contextmanager
def showing(call: Call, right: str) -> Iterator[tuple[Store, Session]]:
    """``reading`` of what comes from others: that it is shown to whom ``--as`` names is recorded first, if he answers
    in this project. (Who is not named cannot be recorded.) StoreLocked where another program writes just then.
    """
    if call.handle is not None:
        with reading(call, right) as (_, session):
            person = people.find(session, call.handle)
            is_new = revealing.is_to_be_recorded(session, person.id)
        if is_new:
            with open_store(call.args.project) as store:
                try:
                    revealing.reveal_results(store, person.id)
                except StoreLocked as why:
                    raise StoreLocked(N_("'{handle}' answers in this project, so it is recorded first that these "
                                         "results are seen: {why}"), handle=call.handle, why=str(why)) from None
    with reading(call, right) as found:
        yield found


def check_right(session: Session, call: Call, right: str | None) -> None:
    """NotAllowed where the person whom ``--as`` names lacks this right; Unknown where there is no such person."""
    if call.handle is not None:
        person = people.acting(session, call.handle)
        if right is not None:
            people.require_right(session, person.id, right)


@contextmanager
def writing(call: Call) -> Iterator[tuple[Store, Session, PersonView]]:
    """One transaction: all of it is kept, or nothing."""
    with open_store(call.args.project) as store, store.write() as session:
        yield store, session, people.acting(session, call.handle)


def an_id(text: str) -> UUID:
    """An id as the lists print it: 32 hex digits."""
    try:
        return UUID(text)
    except ValueError:
        raise Usage(N_("'{text}' is no id"), text=text[:80]) from None
