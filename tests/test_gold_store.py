"""Gold and judgements in a project: kept in line with the facts, and mended where they are not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import delete, update

from annotation import gold, judgements, people, tasks, withdrawing
from annotation.answers import Slot
from annotation.errors import Refused, Unknown
from annotation.store.project import Store
from annotation.store.tables import AnswerRow, Gold
from annotation.votes import read_facts
from tests import small_project


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with small_project.make(tmp_path) as made:
        small_project.answer_all(made)
        yield made


def test_gold_of_a_project_is_what_its_people_said(store: Store) -> None:
    with store.read() as session:
        found = {(g.key, g.question, g.element): g for g in gold.gold(session)}
        assert gold.missing(session) == ()
    assert found["key-00", "verdict", None].answer == {"v": "yes"}
    assert found["key-00", "verdict", None].agreement == 1.0
    odd = found["key-01", "verdict", None]
    assert (odd.answer, odd.n, odd.standing, odd.signed) == ({"v": "yes"}, 3, "rule", False)
    assert odd.agreement == pytest.approx(1 / 3)
    assert found["key-00", "score", "c1"].answer == {"v": 3}
    assert found["key-00", "outcome", None].answer == {"v": "keep"}


def test_judgements_are_the_stored_answers_and_agreement_their_numbers(store: Store) -> None:
    with store.read() as session:
        found = judgements.judgements(session, "verdict", by="topic")
        assert found.stages == ("annotate",) and len(found.units) == 10 and len(found.people) == 3
        assert {value: len(found.items_of(by=value)) for value in ("even", "odd")} == {"even": 5, "odd": 5}
        whole, even, odd = judgements.agreement(session, ["verdict"], metric="percent_agreement", by="topic",
                                                replicates=100)
        scores = judgements.agreement(session, ["score"], metric="krippendorff_alpha", replicates=100)
    # Five items with all pairs equal, five with one of three.
    assert whole.value == pytest.approx((5 + 5 / 3) / 10)
    assert (even.value, odd.value) == (1.0, pytest.approx(1 / 3))
    assert (odd.by, odd.stage, odd.protocol) == ({"field": "topic", "value": "odd"}, "annotate", "small 3")
    # A group: 20 elements of 10 items, drawn item by item.
    assert scores[0].n_items == 20 and scores[0].level == "interval"
    assert scores[0].ci_method == "bootstrap_bca_items"


def test_an_unknown_question_or_tag_is_unknown_and_a_later_metric_is_refused(store: Store) -> None:
    with store.read() as session:
        with pytest.raises(Unknown, match="verdikt"):
            judgements.agreement(session, ["verdikt"])
        with pytest.raises(Unknown, match="not a tag"):
            judgements.agreement(session, by="verdict")
        with pytest.raises(Refused, match="comes later"):
            judgements.agreement(session, ["verdict"], metric="st_iou")


def test_a_withdrawn_answer_leaves_gold_and_agreement(store: Store) -> None:
    with store.write() as session:
        cem = people.find(session, "cem-hopper").id
        for mine in tasks.mine(session, cem):
            withdrawing.withdraw(session, mine.revision, person=cem, reason="was tired")
    with store.read() as session:
        assert {g.agreement for g in gold.gold(session, "verdict")} == {1.0}
        assert judgements.agreement(session, ["verdict"], metric="percent_agreement")[0].n_people == 2


def test_what_is_missing_is_what_settling_every_item_anew_says(tmp_path: Path) -> None:
    """The short cut for untouched and for complete items must not change the list."""
    text = small_project.PROTOCOL.replace("gold:\n", "gold:\n  note: {rule: adjudicated}\n").replace(
        "text: How good?,", "text: How good?, show_if: {verdict: [\"yes\"]},")
    answers = {("key-01", 0): {**small_project.said("key-01", 0), "verdict": {"v": "no"}},
               ("key-04", 0): small_project.said("key-04", 1), ("key-02", 0): small_project.said("key-02", 1),
               ("key-03", 2): {**small_project.said("key-03", 2), "verdict": {"v": "no"}}}
    for change in answers.values():  # the group is asked of those who say yes
        if change["verdict"]["v"] == "no":
            change.pop("score")
    with small_project.make(tmp_path, n=10, text=text) as made:
        odd = {(f"key-{i:02d}", 2): {name: one for name, one in small_project.said(f"key-{i:02d}", 2).items()
                                     if name != "score"} for i in (5, 7, 9)}
        small_project.answer_all(made, besides=("key-06",), change={**odd, **answers})
        with made.write() as session:
            first = people.find(session, "ana-lovelace").id
            mine = next(one for one in tasks.mine(session, first) if one.key == "key-08")
            withdrawing.withdraw(session, mine.revision, person=first)
        with made.read() as session:
            proto = made.protocol
            items = [small_project.item_of(session, f"key-{i:02d}") for i in range(10)]
            slow = [(facts.key, slot.question, slot.element, why) for facts in read_facts(session, proto, items)
                    for slot, why in gold.settled(proto, facts).missing.items()]
            quick = [(one.key, one.question, one.element, one.why) for one in gold.missing(session)]
    assert not {key for key, *_ in quick} & {"key-02", "key-04"}
    assert sorted(quick, key=str) == sorted(slow, key=str)
    assert {key for key, *_ in quick} >= {"key-00", "key-06"}


def test_a_verifier_who_sees_the_standing_value_repairs_it_and_counts_for_nothing(tmp_path: Path) -> None:
    text = small_project.PROTOCOL.replace("[annotate, adjudicate], people_per_item: 3",
                                          "[annotate, verify, adjudicate], people_per_item: 2, "
                                          "verify: {only: all, shows: standing}")
    with small_project.make(tmp_path, n=2, text=text) as made, made.write() as session:
        for handle in small_project.HANDLES[:2]:
            person = people.find(session, handle).id
            while (task := tasks.next_task(session, person)) is not None:
                tasks.submit(session, task.id, {**small_project.said(task.key, 0), "verdict": {"v": "yes"}})
        people.add(session, "vera", roles=["verifier"], by=small_project.owner_of(session))
        vera = people.find(session, "vera").id
        while (task := tasks.next_task(session, vera)) is not None:
            assert task.standing is not None and task.standing["verdict"] == {"v": "yes"}
            changed = {"verdict": {"v": "no"}} if task.key == "key-01" else {}
            tasks.submit(session, task.id, {**task.standing, **changed})
        found = {(g.key, g.question): (g.answer["v"], g.standing) for g in gold.gold(session) if g.element is None}
        assert found["key-00", "verdict"] == ("yes", "rule")
        assert found["key-01", "verdict"] == ("no", "repair") and found["key-01", "outcome"] == ("drop", "repair")
        assert found["key-01", "better"][1] == "rule"
        assert judgements.agreement(session, ["verdict"], metric="percent_agreement")[0].n_people == 2
        assert gold.count_differing(session) == 0


def test_doctor_finds_rows_that_are_not_what_the_facts_give_and_mends_them(store: Store) -> None:
    with store.write() as session:
        assert gold.count_differing(session) == 0
        before = gold.gold(session)
        first = small_project.item_of(session, "key-00")
        session.execute(update(Gold).where(Gold.item == first, Gold.question == "verdict").values(n=99))
        session.execute(delete(Gold).where(Gold.item == small_project.item_of(session, "key-01")))
        assert gold.count_differing(session) == 1 + 5
        assert gold.rebuild(session) == 6
        assert gold.count_differing(session) == 0 and gold.gold(session) == before


def test_what_does_not_count_is_neither_a_judgement_nor_a_vote(store: Store) -> None:
    with store.write() as session:
        item = small_project.item_of(session, "key-00")
        session.execute(update(AnswerRow).where(AnswerRow.item == item).values(counts=False))
        assert len(judgements.judgements(session, "verdict").units) == 9
        assert gold.refresh(session, item).values == 0
        assert gold.undecided_slots(session, item) == (
            Slot("verdict"), Slot("better"), Slot("score", "c1"), Slot("score", "c2"))
