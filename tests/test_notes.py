"""Flags and queries: raised, answered, closed, taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy.orm import Session

from annotation import notes, people, undo
from annotation.errors import Refused, Unknown
from annotation.store.ids import new_id
from annotation.store.project import Store
from tests import small_project
from tests.small_project import item_of


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with small_project.make(tmp_path, n=3) as made:
        yield made


def who(session: Session, handle: str = "ana-lovelace") -> UUID:
    return people.find(session, handle).id


def test_a_flag_stands_once_until_it_is_taken_back_and_comes_again_by_redo(store: Store) -> None:
    with store.write() as session:
        item, ana = item_of(session, "key-01"), who(session)
        done = notes.flag(session, item, person=ana, text=" odd \n")
        assert [(one.key, one.handle, one.text) for one in notes.flags(session)] == [("key-01", "ana-lovelace", "odd")]
        with pytest.raises(Refused, match="already"):
            notes.flag(session, item, person=ana)
        notes.flag(session, item, person=who(session, "ben-turing"))
        assert notes.count_flags(session) == 1
        back = undo.apply(session, done.undo, person=ana)
        assert [one.handle for one in notes.flags(session, item=item)] == ["ben-turing"]
        undo.apply(session, back.undo, person=ana)
        assert {one.handle for one in notes.flags(session)} == {"ana-lovelace", "ben-turing"}
        notes.unflag(session, item, person=ana)
        with pytest.raises(Refused, match="not flagged"):
            notes.unflag(session, item, person=ana)


def test_a_query_is_asked_answered_closed_and_opened_again(store: Store) -> None:
    with store.write() as session:
        ana, owner = who(session), small_project.owner_of(session)
        asked = notes.open_query(session, item_of(session, "key-01"), person=ana, text="Which year?",
                                 question="verdict")
        (query,) = notes.queries(session, person=ana)
        assert (query.key, query.question, query.closed, query.waits_for_asker) == ("key-01", "verdict", False, False)
        notes.answer_query(session, asked.value, by=owner, text="2025")
        (query,) = notes.queries(session, person=ana, only_open=True)
        assert query.waits_for_asker and [m.text for m in query.messages] == ["Which year?", "2025"]
        closed = notes.answer_query(session, asked.value, by=ana, closes=True)
        assert notes.queries(session, only_open=True) == () and notes.count_queries(session) == (0, 1)
        undo.apply(session, closed.undo, person=ana)
        assert notes.count_queries(session) == (1, 0)
        assert notes.queries(session, person=owner) == ()
        assert len(notes.queries(session, item=item_of(session, "key-01"))) == 1


def test_asking_can_be_undone_until_somebody_has_answered(store: Store) -> None:
    with store.write() as session:
        ana = who(session)
        item = item_of(session, "key-01")
        first = notes.open_query(session, item, person=ana, text="Hm?")
        undo.apply(session, first.undo, person=ana)
        assert notes.count_queries(session) == (0, 1)
        second = notes.open_query(session, item, person=ana, text="And now?")
        notes.answer_query(session, second.value, by=small_project.owner_of(session), text="Yes")
        with pytest.raises(Refused, match="answered since"):
            undo.apply(session, second.undo, person=ana)


def test_what_is_no_note_is_refused_in_words(store: Store) -> None:
    with store.write() as session:
        ana, item = who(session), item_of(session, "key-01")
        with pytest.raises(Refused, match="needs words"):
            notes.open_query(session, item, person=ana, text="  ")
        with pytest.raises(Unknown, match="no question"):
            notes.open_query(session, item, person=ana, text="x", question="nope")
        with pytest.raises(Unknown, match="no item"):
            notes.flag(session, new_id(), person=ana)
        with pytest.raises(Refused, match="at most"):
            notes.flag(session, item, person=ana, text="x" * (notes.LIMIT + 1))
        assert notes.flags(session) == () and notes.queries(session) == ()
