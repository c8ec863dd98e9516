"""Stale items: what was said of the old text is kept, or whoever said it is asked again; both can be taken back."""

import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QTableView
from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import caches, finding, history, items, people, review, stale, status, tasks, trail, undo
from annotation.errors import NotAllowed, Refused
from annotation.items import CandidateItem
from annotation.store.project import Store
from annotation.store.tables import AnswerRow, DraftRow, Event, Item, Revision, Task
from app import cli
from tests import worlds
from tests.windows import opened, shown, wait

ROLES = {"ana": ["annotator"], "ben": ["annotator"], "dr-eva": ["physician"], "rex": ["researcher"]}
FLOW = "stages: [annotate, adjudicate, sign], people_per_item: 2, adjudicate: {when: no_value, role: adjudicator}"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Two items, a0 answered alike and a1 answered differently; then both get another text."""
    with worlds.make(tmp_path / "w.goldsmith", worlds.text(FLOW), n=2, roles=ROLES) as store:
        with store.write() as session:
            for handle, second in (("ana", "red"), ("ben", "blue")):
                for colours in ({"a0": "red", "a1": second},) * 2:
                    task = tasks.next_task(session, who(session, handle))
                    assert task is not None
                    tasks.submit(session, task.id, {"colour": {"v": colours[task.key]}}, active_ms=2000)
        yield store


def who(session: Session, handle: str) -> UUID:
    return people.find(session, handle).id


def item_of(session: Session, key: str = "a0") -> UUID:
    return finding.item_of_key(session, key)


def change(session: Session, text: str, key: str = "a0") -> None:
    items.upsert(session, [CandidateItem(key=key, folded=key, fields={"text": text})], by=who(session, "demo"))


def state(session: Session, key: str = "a0") -> str:
    return str(session.scalar(select(Item.state).where(Item.key == key)))


def answers(session: Session, key: str = "a0") -> int:
    return sum(one.kind == "answer" for one in history.history(session, item_of(session, key)))


def are_caches_right(session: Session) -> bool:
    return not any(caches.differing(session).values())


def test_what_is_still_valid_stands_until_the_text_changes_again(store: Store) -> None:
    with store.write() as session:
        change(session, "the same, better written")
        assert state(session) == "stale"
        done = stale.still_valid(session, item_of(session), by=who(session, "rex"), reason="a comma")
        assert state(session) == "active" and done.label == "Still valid"
        assert status.stages(session, store.protocol)["annotate"]["judgements"] == 4
        with pytest.raises(Refused, match="not stale"):
            stale.still_valid(session, item_of(session), by=who(session, "rex"))
        change(session, "another thing")
        assert state(session) == "stale"
        change(session, "the same, better written")
        assert state(session) == "active", "the text for which it was said came back"


def test_still_valid_is_taken_back_and_given_again_by_undo_also_after_a_restart(store: Store) -> None:
    with store.write() as session:
        change(session, "new words")
        rex = who(session, "rex")
        done = stale.still_valid(session, item_of(session), by=rex)
        [found] = undo.recent(session, rex, store.device)
        assert found.undo == done.undo
        back = undo.apply(session, found.undo, person=rex)
        assert state(session) == "stale" and undo.recent(session, rex, store.device) == ()
        with pytest.raises(Refused, match="taken back"):
            undo.apply(session, done.undo, person=rex)
        undo.apply(session, back.undo, person=rex)
        assert state(session) == "active"
        assert [row[0] for row in session.execute(select(Event.verb).where(Event.person == rex).order_by(Event.seq))
                ] == ["still_valid", "not_still_valid", "still_valid"]


def test_whoever_answered_is_asked_again_with_his_answers_as_a_draft(store: Store) -> None:
    with store.write() as session:
        change(session, "new words")
        done = stale.ask_again(session, item_of(session), by=who(session, "demo"))
        assert (state(session), done.value) == ("active", 2)
        assert status.stages(session, store.protocol)["annotate"]["judgements"] == 2
        for handle in ("ana", "ben"):
            task = tasks.next_task(session, who(session, handle))
            assert task is not None and task.key == "a0"
            assert task.fields["text"] == "new words" and task.answers == {"colour": {"v": "red"}}
            tasks.submit(session, task.id, {"colour": {"v": "blue"}}, active_ms=1000)
            assert tasks.next_task(session, who(session, handle)) is None
        assert state(session) == "active" and answers(session) == 4
        assert are_caches_right(session)
        assert status.stages(session, store.protocol)["annotate"]["judgements"] == 4


def test_asking_again_is_taken_back_until_somebody_has_begun(store: Store) -> None:
    with store.write() as session:
        change(session, "new words")
        owner = who(session, "demo")
        done = stale.ask_again(session, item_of(session), by=owner)
        assert undo.recent(session, owner, store.device)[-1].undo == done.undo
        again = undo.apply(session, done.undo, person=owner)
        assert state(session) == "stale" and session.scalars(select(DraftRow.task)).all() == []
        assert are_caches_right(session)
        assert status.stages(session, store.protocol)["annotate"]["judgements"] == 4
        undo.apply(session, again.undo, person=owner)
        assert state(session) == "active" and tasks.next_task(session, who(session, "ana")) is not None
        with pytest.raises(Refused, match="begun to answer"):
            undo.apply(session, done.undo, person=owner)


def test_a_decision_about_the_old_text_goes_and_comes_back_with_its_author(store: Store) -> None:
    with store.write() as session:
        item, owner = item_of(session, "a1"), who(session, "demo")
        case = review.adjudication_case(session, item, person=owner)
        [slot] = [row.slot for row in case.rows if row.slot.question == "colour"]
        review.adjudicate(session, item, {slot: {"v": "red"}}, by=owner, reason="")
        change(session, "new words", "a1")
        done = stale.ask_again(session, item, by=owner)
        assert state(session, "a1") == "active"
        assert review.adjudication_queue(session, owner) == ()
        assert are_caches_right(session)
        undo.apply(session, done.undo, person=who(session, "rex"))
        assert state(session, "a1") == "stale"
        assert are_caches_right(session)
        assert [entry.person for entry in history.history(session, item) if entry.kind == "decided"] == ["demo", "demo"]


def standing(session: Session) -> list[tuple[UUID, str | None, bool]]:
    return [tuple(row) for row in session.execute(
        select(AnswerRow.person, AnswerRow.value_text, AnswerRow.counts).where(AnswerRow.item == item_of(session))
        .order_by(AnswerRow.person))]


def correct_and_take_back(session: Session, ana: UUID) -> None:
    [given] = session.scalars(select(Revision.id).where(Revision.person == ana).join(Task, Task.id == Revision.task)
                              .where(Task.item == item_of(session)))
    done = tasks.submit(session, tasks.reopen(session, given, person=ana).id, {"colour": {"v": "blue"}})
    undo.apply(session, done.undo, person=ana)


def see_results(session: Session, ana: UUID) -> None:
    trail.reveal(session, ana)


@pytest.mark.parametrize(("before", "after"), [(correct_and_take_back, None), (None, see_results), (None, None)])
def test_what_stood_stands_again_as_it_was_when_asking_again_is_taken_back(
        store: Store, before: Any, after: Any) -> None:
    with store.write() as session:
        ana, owner = who(session, "ana"), who(session, "demo")
        if before:
            before(session, ana)
        stood = standing(session)
        change(session, "new words")
        done = stale.ask_again(session, item_of(session), by=owner)
        if after:
            after(session, ana)
        assert undo.recent(session, owner, store.device)[-1].undo == done.undo
        undo.apply(session, done.undo, person=owner)
        assert standing(session) == stood and state(session) == "stale" and are_caches_right(session)


def test_a_draft_that_was_begun_and_left_is_not_lost_when_asking_again_is_taken_back(store: Store) -> None:
    with store.write() as session:
        change(session, "new words")
        done = stale.ask_again(session, item_of(session), by=who(session, "demo"))
        task = tasks.next_task(session, who(session, "ana"))
        assert task is not None
        tasks.save_draft(session, task.id, {"colour": {"v": "blue"}, "why": {"v": "at length"}})
        tasks.give_back(session, task.id)
        with pytest.raises(Refused, match="begun to answer"):
            undo.apply(session, done.undo, person=who(session, "demo"))
        assert session.scalar(select(DraftRow.answers_json).where(DraftRow.task == task.id))["colour"] == {"v": "blue"}


def test_what_was_signed_since_is_not_made_stale_by_an_undo(store: Store) -> None:
    with store.write() as session:
        change(session, "new words")
        done = stale.still_valid(session, item_of(session), by=who(session, "rex"))
        review.sign(session, item_of(session), by=who(session, "dr-eva"), name_entered="dr-eva")
        with pytest.raises(Refused, match="signed since"):
            undo.apply(session, done.undo, person=who(session, "rex"))
        assert state(session) == "active"


@pytest.mark.parametrize("verb", [stale.still_valid, stale.ask_again])
def test_what_cannot_be_settled_is_refused_in_a_sentence(store: Store, verb: Any) -> None:
    with store.write() as session:
        with pytest.raises(Refused, match="not stale"):
            verb(session, item_of(session), by=who(session, "demo"))
        review.sign(session, item_of(session), by=who(session, "dr-eva"), name_entered="dr-eva")
        change(session, "new words")
        with pytest.raises(Refused, match="signed"):
            verb(session, item_of(session), by=who(session, "demo"))
        for handle in ("ana", "dr-eva"):
            with pytest.raises(NotAllowed):
                verb(session, item_of(session), by=who(session, handle))


# --- the command line and the page Items ------------------------------------------------------------

def test_the_command_line_lists_keeps_and_asks_again(store: Store, tmp_path: Path) -> None:
    with store.write() as session:
        for key in ("a0", "a1"):
            change(session, "new words", key)
    store.close()
    project = str(tmp_path / "w.goldsmith")

    def run(*words: str) -> tuple[int, dict[str, Any]]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = cli.main(["stale", project, *words, "--json"])
        return code, json.loads(out.getvalue())

    assert run()[1]["stale"] == ["a0", "a1"]
    for wrong in (["--item", "a0"], ["--still-valid"], ["--ask-again", "--item", "a0", "--all"]):
        assert run(*wrong)[0] == 2
    code, said = run("--still-valid", "--item", "a0", "--reason", "a comma", "--as", "rex")
    assert (code, said["stale"], said["settled"], said["asked"]) == (0, ["a1"], ["a0"], 0)
    assert run("--still-valid", "--item", "a1", "--item", "a0", "--as", "rex")[0] == 3
    assert run()[1]["stale"] == ["a1"], "one was refused, so nothing was changed"
    assert run("--ask-again", "--all", "--as", "ana")[0] == 2
    code, said = run("--ask-again", "--all", "--as", "demo")
    assert (code, said["stale"], said["settled"], said["asked"]) == (0, [], ["a1"], 2)


def buttons(window: Any) -> list[str]:
    return [one.text() for one in shown(window.page()) if isinstance(one, QAbstractButton)
            and one.text() in ("Still valid", "Ask again")]


def open_first(window: Any) -> None:
    window.go("items", state="stale")
    wait(window)
    table = next(one for one in shown(window.page()) if isinstance(one, QTableView))
    table.setCurrentIndex(table.model().index(0, 0))
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Return)
    wait(window)


def words(window: Any) -> str:
    return "\n".join(one.text() for one in shown(window.page()) if isinstance(one, QLabel))


@pytest.mark.parametrize(("button", "said"), [("Still valid", "What was said of a0 is still valid."),
                                              ("Ask again", "Whoever answered a0 is asked again.")])
def test_beside_a_stale_item_stand_both_ways_and_undo_takes_them_back(
        store: Store, tmp_path: Path, button: str, said: str) -> None:
    with store.write() as session:
        change(session, "new words")
    store.close()
    with opened(tmp_path / "w.goldsmith", person="rex") as window:
        open_first(window)
        assert buttons(window) == ["Still valid", "Ask again"]
        assert "What stands was said of a text that this item no longer has." in words(window)
        next(one for one in shown(window.page()) if isinstance(one, QAbstractButton) and one.text() == button).click()
        wait(window)
        assert buttons(window) == [] and said in window.page().said()
        assert ("rex said that what was answered is still valid" if button == "Still valid"
                else "rex took an answer back") in words(window)
        QTest.keyClick(QApplication.focusWidget(), "z", Qt.KeyboardModifier.ControlModifier)
        wait(window)
        assert buttons(window) == ["Still valid", "Ask again"]


def test_whoever_may_not_settle_it_or_finds_it_signed_is_told_so(store: Store, tmp_path: Path) -> None:
    with store.write() as session:
        people.add(session, "exa", roles=["experimenter"], by=who(session, "demo"))
        review.sign(session, item_of(session), by=who(session, "dr-eva"), name_entered="dr-eva")
        change(session, "new words")
        change(session, "new words", "a1")
    store.close()
    with opened(tmp_path / "w.goldsmith", person="demo") as window:
        open_first(window)
        assert buttons(window) == [] and "the signature has to be taken back first" in words(window)
    with opened(tmp_path / "w.goldsmith", person="exa") as window:
        window.go("items", key="a1")
        open_first(window)
        table = next(one for one in shown(window.page()) if isinstance(one, QTableView))
        table.setCurrentIndex(table.model().index(1, 0))
        QTest.keyClick(table, Qt.Key.Key_Return)
        wait(window)
        assert buttons(window) == [] and "A researcher or the owner says" in words(window)
