"""Judgements: what is kept in memory, and what a server counts, is what a new reading gives."""

from __future__ import annotations

import random
from collections import defaultdict
from uuid import UUID

import pytest
from sqlalchemy import insert, select, update

from annotation import caches, judgements, people, protocol, tasks, trail, undo, withdrawing
from annotation.agreement.ratings import Ratings
from annotation.agreement.report import measure
from annotation.disputed import disputed
from annotation.errors import Refused, Unknown
from annotation.judgement_counts import counted, measure_counts
from annotation.store.opening import open_store
from annotation.store.project import Store
from annotation.store.tables import AnswerRow, Item, Meta, ProtocolVersion, Revision
from annotation.store.types import now
from tests import small_project, worlds

COLOURS = ("red", "blue", "unsure")
Plain = dict[tuple[UUID, str | None], list[tuple[UUID, str]]]
FOUR = ("ana", "ben", "cem", "dan")
TEXT = worlds.text("stages: [annotate, verify], people_per_item: 3, verify: {only: all, shows: nothing}").replace(
    "workflow:", "agreement: [{question: colour, metric: krippendorff_alpha}]\nworkflow:")


def plain(found: judgements.Judgements) -> Plain:
    """By unit who gave which value, whatever the numbers are."""
    out: Plain = defaultdict(list)
    ratings = found.ratings
    for unit, person, code in zip(ratings.unit, ratings.person, ratings.code, strict=True):
        out[found.units[int(unit)]].append((found.people[int(person)], ratings.labels[code] if code >= 0 else "-"))
    return {unit: sorted(said) for unit, said in out.items()}


def anew(store: Store, question: str = "colour", **more) -> tuple[Plain, tuple]:
    """Through another door, which remembers nothing."""
    with open_store(store.url, read_only=True) as other, other.read() as session:
        found = judgements.judgements(session, question, **more)
        assert found.ratings.n_units == len(found.units) == len(plain(found))  # no number that nothing bears
        assert len(found.people) == len({person for said in plain(found).values() for person, _ in said})
        return plain(found), (found.stages, found.people, found.ratings.labels)


def by_hand(store: Store, question: str, stages: tuple[str, ...] = judgements.STAGES) -> Plain:
    """From the rows themselves, one after the other."""
    out: Plain = defaultdict(list)
    with store.read() as session:
        gone = set(session.scalars(select(Item.id).where(Item.state == "withdrawn")))
        for row in session.scalars(select(AnswerRow).where(AnswerRow.question == question)):
            if (row.counts and row.repeat_no == 0 and row.stage in stages and row.item not in gone
                    and row.form_hash == store.protocol.form_hash):
                out[row.item, row.element or None].append((row.person, "-" if row.na else row.value_text))
    return {unit: sorted(said) for unit, said in out.items()}


# --- what is kept ------------------------------------------------------------------------------------------------

class Doings:
    """Random people at work; every step is one of the program's own verbs, some of them taken back at once."""

    def __init__(self, store: Store, seed: int) -> None:
        self.store, self.rng, self.done = store, random.Random(seed), []

    def step(self) -> str:
        name = self.rng.choice(["submit"] * 4 + ["again", "withdraw", "undo", "undo", "reveal", "skip", "roll_back",
                                                 "more_items", "protocol", "others"])
        try:
            getattr(self, f"_{name}")()
        except Refused:
            return f"{name} refused"
        return name

    def _person(self, session) -> UUID:
        return worlds.who(session, self.rng.choice(FOUR))

    def _submit(self) -> None:
        with self.store.write() as session:
            task = tasks.next_task(session, self._person(session))
            if task is not None:
                self.done.append(tasks.submit(session, task.id, worlds.say(self.rng.choice(COLOURS))))

    def _mine(self, session):
        rows = session.execute(select(Revision.id, Revision.task, Revision.person)).all()
        return self.rng.choice(rows) if rows else None

    def _again(self) -> None:
        with self.store.write() as session:
            if (one := self._mine(session)) is not None:
                self.done.append(tasks.submit(session, one.task, worlds.say(self.rng.choice(COLOURS))))

    def _withdraw(self) -> None:
        with self.store.write() as session:
            if (one := self._mine(session)) is not None:
                self.done.append(withdrawing.withdraw(session, one.id, person=one.person, reason="tired"))

    def _undo(self) -> None:
        if not self.done:
            return
        last = self.done.pop()
        if last.undo is None:
            return
        with self.store.write() as session:
            for person in session.scalars(select(Revision.person).distinct()).all():
                try:
                    with session.begin_nested():
                        self.done.append(undo.apply(session, last.undo, person=person))
                    return
                except Refused:
                    continue

    def _reveal(self) -> None:
        with self.store.write() as session:
            item = self.rng.choice([None, *session.scalars(select(Item.id)).all()])
            trail.reveal(session, self._person(session), item=item)

    def _skip(self) -> None:
        with self.store.write() as session:
            task = tasks.next_task(session, self._person(session))
            if task is not None:
                self.done.append(tasks.skip(session, task.id, reason="later"))

    def _roll_back(self) -> None:
        """An answer that is read before its transaction fails, so that its line of the trail is written twice."""
        with pytest.raises(ZeroDivisionError), self.store.write() as session:
            task = tasks.next_task(session, self._person(session))
            if task is not None:
                tasks.submit(session, task.id, worlds.say("blue"))
            judgements.judgements(session, "colour")
            raise ZeroDivisionError

    def _more_items(self) -> None:
        with self.store.write() as session:
            there = len(session.execute(select(Item.id)).all())
            worlds.add_items(session, [f"b{there}"], by=worlds.who(session, "demo"))

    def _others(self) -> None:
        with self.store.write() as session:
            there = len(people.people(session))
            people.add(session, f"p{there}", roles=["annotator"], by=worlds.who(session, "demo"))

    def _protocol(self) -> None:
        """Another version; one in three means something else by its answers."""
        old = self.store.protocol
        text = old.text.replace(f"version: {old.version}", f"version: {old.version + 1}")
        if self.rng.random() < 0.3:
            text = text.replace("Which colour", "Which  colour") if "Which  " not in text else text.replace(
                "Which  colour", "Which colour")
        new = protocol.loads(text)
        with self.store.write() as session:
            session.execute(insert(ProtocolVersion).values(
                hash=new.hash, form_hash=new.form_hash, id=new.id, version=new.version, text=new.text, at=now(),
                by=worlds.who(session, "demo")))
            session.execute(update(Meta).where(Meta.key == "protocol").values(value=new.hash))


@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_is_what_a_new_reading_gives_after_whatever_people_do(tmp_path, seed):
    with worlds.make(tmp_path / "P.goldsmith", TEXT, n=5,
                     roles={one: ["annotator", "verifier"] for one in FOUR}) as store:
        doings = Doings(store, seed)
        seen = 0
        for number in range(40):
            steps = [doings.step() for _ in range(doings.rng.choice((1, 1, 1, 4)))]
            with store.read() as session:
                live = judgements.judgements(session, "colour")
                result, = judgements.agreement(session, ["colour"], replicates=0)
                tags = judgements.judgements(session, "colour", by="topic") if len(live.units) else None
            kept, facts = anew(store)
            assert (plain(live), (live.stages, live.people, live.ratings.labels)) == (kept, facts), (number, steps)
            assert kept == by_hand(store, "colour"), (number, steps)
            assert result == _fresh_result(store), (number, steps)
            if tags is not None:
                _check_tags(store, tags)
            seen += len(kept)
        assert seen > 40


def _fresh_result(store: Store):
    with open_store(store.url, read_only=True) as other, other.read() as session:
        return judgements.agreement(session, ["colour"], replicates=0)[0]


def _check_tags(store: Store, found: judgements.Judgements) -> None:
    with store.read() as session:
        keys = dict(session.execute(select(Item.id, Item.key)).all())
    for value, units in found.ratings.slices.items():
        odd = {int(keys[found.units[int(u)][0]][1:]) % 2 for u in units}
        assert odd == {0 if value == "even" else 1}
    assert sum(map(len, found.ratings.slices.values())) == len(found.units)


def test_where_nothing_was_touched_the_same_object_is_given_again(tmp_path):
    with worlds.make(tmp_path / "P.goldsmith", TEXT, n=3) as store:
        worlds.answer(store, "ana")
        with store.read() as session:
            first = judgements.judgements(session, "colour")
        with store.write() as session:
            people.add(session, "eva", roles=["annotator"], by=worlds.who(session, "demo"))
        with store.read() as session:
            assert judgements.judgements(session, "colour") is first
        worlds.answer(store, "ben", "blue")
        with store.read() as session:
            assert judgements.judgements(session, "colour") is not first


def test_after_a_submit_only_the_touched_item_is_read(tmp_path, monkeypatch):
    with worlds.make(tmp_path / "P.goldsmith", TEXT, n=3) as store:
        worlds.answer(store, "ana")
        with store.read() as session:
            judgements.judgements(session, "colour")
        monkeypatch.setattr("annotation.judgement_cache.read_rows", lambda *_: pytest.fail("all was read"))
        worlds.answer(store, "ben", "blue")
        with store.read() as session:
            assert len(judgements.judgements(session, "colour").people) == 2


def test_a_mended_cache_is_read_anew(tmp_path):
    with worlds.make(tmp_path / "P.goldsmith", TEXT, n=2) as store:
        worlds.answer(store, "ana")
        with store.write() as session:
            session.execute(update(AnswerRow).values(value_text="blue"))
        with store.read() as session:
            assert judgements.judgements(session, "colour").ratings.labels == ("blue",)
        with store.write() as session:
            caches.rebuild(session)
        with store.read() as session:
            assert judgements.judgements(session, "colour").ratings.labels == ("red",)


def test_the_memory_keeps_to_its_budget(tmp_path, monkeypatch):
    monkeypatch.setattr("annotation.judgement_cache.BUDGET", 20)
    with small_project.make(tmp_path, n=4) as store:
        small_project.answer_all(store)
        with store.read() as session:
            for question in ("verdict", "score", "better", "outcome"):
                judgements.judgements(session, question)
        kept = store.memory["judgements"][0]
        assert [name for _, name in kept] == ["outcome"] or sum(len(one.rows.unit) for one in kept.values()) <= 20


# --- what a server counts ------------------------------------------------------------------------------------------

def canonical(ratings: Ratings) -> list[tuple[tuple[tuple[int, int], ...], int]]:
    """How many units show which (person, value)s."""
    units = defaultdict(list)
    for unit, person, code in zip(ratings.unit.tolist(), ratings.person.tolist(), ratings.code.tolist(), strict=True):
        units[unit].append((person, code))
    counts = defaultdict(int)
    for said in units.values():
        counts[tuple(sorted(said))] += 1
    return sorted(counts.items())


def worked(place, n: int = 12) -> Store:
    store = worlds.make(place, TEXT, n=n, roles={one: ["annotator", "verifier"] for one in FOUR})
    rng = random.Random(7)
    for handle in FOUR:
        while worlds.take(store, handle) is not None and rng.random() < 0.95:
            worlds.answer(store, handle, rng.choice(COLOURS))
    return store


def test_what_the_database_counts_is_what_reading_gives(place):
    with worked(place) as store, store.read() as session:
        for stages in (("annotate", "verify"), ("annotate",), ("verify",)):
            found = counted(session, store.protocol, "colour", stages=stages)
            read = judgements.judgements(session, "colour", stages=stages)
            assert found.stages == read.stages and found.labels == read.ratings.labels
            assert tuple(sorted(set(found.people))) == read.people
            assert canonical(found.ratings()) == canonical(read.ratings)
            assert found.count.sum() == len(read.units) > 0
            for metric, level in (("krippendorff_alpha", "nominal"), ("percent_agreement", None), ("gwet_ac1", None),
                                  ("conger_kappa", None)):
                one = measure_counts(found, metric, level=level, replicates=200)
                assert one == measure(read.ratings, metric, level=level, replicates=200)


def test_slices_are_counted_in_the_same_group_by(place):
    with worked(place) as store, store.read() as session:
        found = counted(session, store.protocol, "colour", stages=judgements.STAGES, by="topic").ratings()
        read = judgements.judgements(session, "colour", by="topic").ratings
        assert set(found.slices) == set(read.slices) == {"even", "odd"}
        assert canonical(found) == canonical(read)
        for value in found.slices:
            assert canonical(found.of_units(found.slices[value])) == canonical(read.of_units(read.slices[value]))


def test_agreement_counted_by_a_server_is_agreement_of_the_answers(place):
    with worked(place) as store:
        with store.read() as session:
            counts = judgements.agreement(session, ["colour"], by="topic", replicates=200)
            judgements.judgements(session, "colour")
        with store.read() as session:
            assert judgements.agreement(session, ["colour"], by="topic", replicates=200) == counts
        with open_store(store.url, read_only=True) as other:
            with other.read() as session:
                assert judgements.agreement(session, ["colour"], by="topic", replicates=200) == counts
            with store.write() as session:
                person = worlds.who(session, "ana")
                mine = next(one for one in tasks.mine(session, person))
                withdrawing.withdraw(session, mine.revision, person=person)
            with store.read() as session, other.read() as elsewhere:
                after, = judgements.agreement(session, ["colour"], replicates=0)
                assert judgements.agreement(elsewhere, ["colour"], replicates=0) == (after,)
            assert after.n_judgements < counts[0].n_judgements


def test_many_people_take_more_than_one_number(tmp_path, monkeypatch):
    monkeypatch.setattr("annotation.judgement_counts.BITS", 5)  # two digits to a number
    with worked(tmp_path / "P.goldsmith") as store, store.read() as session:
        found = counted(session, store.protocol, "colour", stages=("annotate",))
        read = judgements.judgements(session, "colour", stages=("annotate",)).ratings
        assert canonical(found.ratings()) == canonical(read)
        monkeypatch.setattr("annotation.judgement_counts.MOST_SUMS", 1)
        assert counted(session, store.protocol, "colour", stages=("annotate",)) is None


def test_groups_clusters_and_derived_values_are_read_and_not_counted(tmp_path):
    with small_project.make(tmp_path, n=3) as store:
        small_project.answer_all(store)
        with store.read() as session:
            assert counted(session, store.protocol, "score", stages=judgements.STAGES) is None
            assert counted(session, store.protocol, "outcome", stages=judgements.STAGES) is None
            assert counted(session, store.protocol, "verdict", stages=judgements.STAGES) is not None
        with store.write() as session:
            session.execute(update(Item).values(cluster="one"))
        with store.read() as session:
            assert counted(session, store.protocol, "verdict", stages=judgements.STAGES) is None


# --- slices ----------------------------------------------------------------------------------------------------------

def test_weeks_versions_and_groups_of_people_are_slices_of_answers(place):
    with worked(place) as store, store.read() as session:
        whole = judgements.judgements(session, "colour")
        week, = judgements.slices(session, "colour", "week").values()
        version, = judgements.slices(session, "colour", "protocol").items()
        groups = judgements.slices(session, "colour", "person-group")
        assert canonical(week) == canonical(whole.ratings) == canonical(version[1]) and version[0] == "world 1"
        assert set(groups) == {"annotator", "verifier"}  # the owner answered nothing
        assert canonical(groups["verifier"]) == canonical(whole.ratings)
        results = judgements.agreement(session, ["colour"], by="week", replicates=50)
        assert results[1].by["value"].startswith("20") and "-W" in results[1].by["value"]
        assert results[1].value == results[0].value


def test_a_public_field_makes_slices_and_a_private_one_none(place, tmp_path):
    with worked(place) as store, store.read() as session:
        found = judgements.judgements(session, "colour", by="text").ratings.slices
        assert all(value.startswith("text of a") for value in found)
        assert sum(map(len, found.values())) == judgements.judgements(session, "colour").ratings.n_units
    with small_project.make(tmp_path, n=1) as small:
        small_project.answer_all(small)
        with small.read() as session, pytest.raises(Unknown, match="not a tag"):
            judgements.agreement(session, ["verdict"], by="generator")


def test_a_slice_of_few_items_has_a_value_and_no_interval(tmp_path):
    with worked(tmp_path / "P.goldsmith") as store, store.read() as session:
        whole, *parts = judgements.agreement(session, ["colour"], by="topic", replicates=50)
        assert whole.ci is not None
        assert all(part.value is not None and part.ci is None and "fewer than 20" in part.reason for part in parts)
        whole, *parts = judgements.agreement(session, ["colour"], by="topic", replicates=50, least=2)
        assert all(part.ci is not None for part in parts)


def test_stages_and_several_metrics_can_be_asked_for(tmp_path):
    with worked(tmp_path / "P.goldsmith") as store, store.read() as session:
        results = judgements.agreement(session, ["colour"], metric=("percent_agreement", "gwet_ac1"), replicates=0,
                                       stages=("annotate",))
        assert [(one.metric, one.stage) for one in results] == [("percent_agreement", "annotate"),
                                                                ("gwet_ac1", "annotate")]
        with pytest.raises(Unknown, match="no judgements at the stage 'sign'"):
            judgements.agreement(session, ["colour"], stages=("sign",))
        with pytest.raises(Refused, match="takes no weights"):
            judgements.agreement(session, ["colour"], metric="pabak", weights="linear")


def test_what_a_question_offers_is_declared(tmp_path):
    with small_project.make(tmp_path, n=2) as store:
        small_project.answer_all(store)
        with store.read() as session:
            declared = {name: judgements.judgements(session, name).ratings.declared for name in
                        ("verdict", "score", "better", "outcome", "note")}
    assert declared == {"verdict": ("yes", "no"), "score": ("1", "2", "3", "4", "5"), "better": (),
                        "outcome": ("keep", "drop"), "note": ()}


def test_disputed_items_are_those_of_the_numbers(tmp_path):
    with worked(tmp_path / "P.goldsmith") as store, store.read() as session:
        found = judgements.judgements(session, "colour")
        dispute = disputed(session, found)
        hand = {item for (item, _), said in by_hand(store, "colour").items() if len({v for _, v in said}) > 1}
        assert set(dispute.items) == hand and dispute.differing == len(hand) > 0


def test_a_field_with_very_many_values_makes_no_slices(tmp_path, monkeypatch):
    with worked(tmp_path / "P.goldsmith") as store, store.read() as session:
        monkeypatch.setattr("annotation.judgement_slices.MOST", 2)
        with pytest.raises(Refused, match="different values; at most 2"):
            judgements.judgements(session, "colour", by="text")
        assert set(judgements.judgements(session, "colour", by="topic").ratings.slices) == {"even", "odd"}


def test_units_are_read_like_a_tuple(tmp_path):
    with worked(tmp_path / "P.goldsmith") as store, store.read() as session:
        units = judgements.judgements(session, "colour").units
        listed = list(units)
        assert len(set(listed)) == len(units) and units[-1] == listed[-1] and units[1:3] == listed[1:3]
        with pytest.raises(IndexError):
            units[len(units)]
