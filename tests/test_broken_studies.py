"""What broke results and exports of studies once: rows that counted twice, people who were lost, names in doubt."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy
import pandas
import pytest

from annotation.errors import Refused
from annotation.store.opening import open_store
from app import cli
from exports.studies import bids
from exports.studies.columns import free_names
from studies import keeping, participants, sittings
from studies.facts import Event, TrialRecord
from studies.summaries import _difference, _Grid, summarise
from tests import study_world as world
from tests.test_study_exports import read_rows, sit, write


@pytest.fixture
def store(tmp_path):
    with world.make(tmp_path / "p.goldsmith") as made:
        yield made


def table(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file, strict=True, delimiter="\t" if path.suffix == ".tsv" else ","))


# --- which showing counts -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("ways", ["da", "dba", "bda", "dda", "ddb", "dbb", "bbb"])
def test_however_often_a_trial_was_broken_off_between_at_most_one_showing_of_it_counts(store, ways):
    """d: disturbed and answered, b: broken off, a: answered."""
    study = world.add(store, world.STUDY + "trouble: {policy: repeat}\n")
    opened = world.begin(store, study)
    facts = world.whole(opened)
    at = next(n for n, fact in enumerate(facts) if isinstance(fact, TrialRecord) and fact.block == 1)
    again = [replace(facts[at], attempt=n) if way == "a" else
             replace(facts[at], attempt=n, quality={"flags": ["focus_lost"]}) if way == "d" else
             replace(facts[at], attempt=n, outcome="aborted", response=None, rt_us=None, rt_receipt_us=None)
             for n, way in enumerate(ways, 1)]
    with store.write() as session:
        for seq, fact in enumerate([*facts[:at], again[0], *facts[at + 1:-2], *again[1:], *facts[-2:]]):
            keeping.append(session, opened.id, seq, fact)
    world.end(store, opened.id, "completed")
    shown = [row for row in read_rows(store, study).rows
             if (row.block, row.record.position) == (1, facts[at].position)]
    last = max((n for n, way in enumerate(ways, 1) if way != "b"), default=0)
    assert [row.record.attempt for row in shown if row.standing] == [last] * bool(last)


# --- figures ------------------------------------------------------------------------------------------------------

def slow(seconds):
    return lambda planned, fact: replace(fact, rt_us=round(seconds * 1e6), rt_receipt_us=round(seconds * 1e6))


def test_one_participant_in_a_condition_says_nothing_about_others_however_many_the_other_has(store):
    study = world.add(store, world.STUDY + "vary: between\n")
    for n in range(3):
        sit(store, study, change=slow(1 + n / 10))
    sat = read_rows(store, study)
    found = summarise(sat.study, sat.rows)
    assert [cell.people for cell in found.cells] == [2, 1]
    (one,) = found.compared
    assert {(part.low, part.why) for part in (one.ratio, one.seconds, one.accuracy)} == {
        (None, "one participant says nothing about others")}
    assert found.cells[0].time.low is not None and found.cells[1].time.low is None
    sit(store, study)
    sat = read_rows(store, study)
    assert summarise(sat.study, sat.rows).compared[0].ratio.low is not None


def test_between_people_the_intervals_hold_the_truth_about_as_often_as_they_say():
    drawn, held = numpy.random.default_rng(5), 0
    for _ in range(120):
        times = drawn.normal(0, 0.3, 16)[:, None] + drawn.normal(0, 0.2, 20) + drawn.normal(0, 0.4, (16, 20))
        group = numpy.arange(16)[:, None] < 8
        grids = [_Grid(times * of, numpy.ones((16, 20)) * of) for of in (group, ~group)]
        one = _difference(grids, "diff", 300, int(drawn.integers(1 << 30)))
        held += one.low <= 0 <= one.high
    assert 0.87 <= held / 120 <= 1.0


def test_under_every_rule_people_who_missed_attention_checks_stay_out(store):
    study = world.add(store, world.STUDY.replace("[main, practice]", "[main, practice, other]")
                      + "attention: {where: {use: [other]}, every: 5, allowed: 0}\n")

    def missed(right):
        return lambda planned, fact: replace(fact, response="no" if planned.kind == "attention" and not right
                                             else planned.correct)

    for n in range(4):
        sit(store, study, faster=0.5 if n else 3.0, change=missed(right=n > 0))
    sat = read_rows(store, study)
    found = summarise(sat.study, sat.rows)
    assert {row.participant for row in sat.rows if "attention" in row.exclusions} == {"p001"}
    assert dict(found.sensitivity)["declared"] == found.compared[0].ratio
    assert all(one.value < 0.7 for _, one in found.sensitivity)


def test_times_of_an_untimed_study_are_in_the_file_and_in_no_figure(store, tmp_path):
    study = world.add(store, world.STUDY + "timed: false\n")
    for _ in range(2):
        sit(store, study)
    sat = read_rows(store, study)
    found = summarise(sat.study, sat.rows)
    assert {(cell.time.value, cell.median) for cell in found.cells} == {(None, None)}
    assert found.compared[0].ratio.value is None and found.compared[0].accuracy.value == 0.0
    assert all(row.response_time for row in sat.rows)


# --- people -------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("format", ["csv", "bids", "psych-ds"])
def test_who_sat_for_two_pilots_is_one_participant(store, tmp_path, format):
    study = world.add(store, world.STUDY)
    sit(store, study, pilot=True)
    (first,) = read_rows(store, study, pilots=True).participants
    sit(store, study, pilot=True, participant=first.handle)
    written = write(store, study, tmp_path / "out", format=format, pilots=True)
    (people,) = (path for path in (tmp_path / "out").rglob("*participants*") if path.suffix != ".json")
    assert (written.participants, written.rows, len(table(people))) == (1, 20, 2)


@pytest.mark.parametrize("format", ["bids", "psych-ds"])
@pytest.mark.parametrize("other", ["a.b", "A-B", "ä"])
def test_two_participants_of_like_handles_have_files_of_their_own_and_none_is_lost(store, tmp_path, format, other):
    study = world.add(store, world.STUDY)
    for handle in ("ö" if other == "ä" else "ab", other):
        with store.write() as session:
            participants.make(session, by=world.who(session), handle=handle)
        sit(store, study, participant=handle)
    written = write(store, study, tmp_path / "out", format=format)
    assert written.participants == 2
    tables = [path for path in (tmp_path / "out").rglob("*_beh.tsv" if format == "bids" else "*_data.csv")
              if "participants" not in path.name]
    assert len({str(path).casefold() for path in tables}) == 2
    assert sum(len(table(path)) - 1 for path in tables) == written.rows  # less the head


# --- names of columns ---------------------------------------------------------------------------------------------

ASKED = ("participant_id", "language", "species", "said_species", "display_verdict", "pixels_per_mm", "condition")


def test_a_question_about_people_never_takes_the_place_of_a_column_of_ours(store, tmp_path):
    study = world.add(store, world.STUDY + "demographics:\n" + "".join(
        f"  - {{name: {name}, text: About {name}}}\n" for name in ASKED))
    sit(store, study, demographics={name: f"said to {name}" for name in ASKED})
    for format, pattern in (("csv", "participants.csv"), ("bids", "participants.tsv"), ("psych-ds", "*participants*")):
        write(store, study, tmp_path / format, format=format)
        (path,) = (tmp_path / format).rglob(pattern)
        head, row = table(path)
        assert len(set(head)) == len(head)
        assert row[0] in ("p001", "sub-p001") and row[head.index("language")] == "en"
        assert {f"said to {name}" for name in ASKED} <= set(row)
        said = [one for one in (tmp_path / format).rglob("*.json") if "About species" in one.read_text("utf-8")]
        assert said, "and each is described"


def test_fields_of_items_called_as_columns_of_a_standard_are_told_apart_from_them(tmp_path):
    text = world.PROTOCOL.replace("questions:", "".join(
        f"  - {{name: {name}, kind: tag}}\n" for name in FIELDS) + "questions:")
    study = world.STUDY.replace("strata: [kind]", f"strata: [kind, {', '.join(FIELDS)}]")
    with world_of(tmp_path, text) as store:
        added = world.add(store, study)
        sit(store, added)
        for format, pattern in (("csv", "trials.csv"), ("bids", "*_beh.tsv"), ("psych-ds", "*subject*")):
            write(store, added, tmp_path / format, format=format)
            (path,) = (tmp_path / format).rglob(pattern)
            head, *rows = table(path)
            assert len(set(head)) == len(head)
            assert {f"of {name}" for name in FIELDS} <= set(rows[0])
            if format == "bids":
                assert not {"onset", "duration", "stim_file"} & set(head)
                assert {row[head.index("trial_type")] for row in rows} == {"bare", "helped"}
                assert set(head) <= set(json.loads(path.with_suffix(".json").read_text("utf-8")))


FIELDS = ("trial_type", "item_trial_type", "stim_file", "onset", "duration", "seed", "item_seed")


def world_of(place, text, **called):
    """Two items of each use, with ``FIELDS``; ``called`` gives other names to use and kind."""
    from annotation import items, people, protocol
    from annotation.items import CandidateItem
    from annotation.store.opening import create

    store = create(place / "q.goldsmith", protocol=protocol.loads(text), title="Puzzles", owner="eve")
    with store.write() as session:
        owner = people.find(session, "eve").id
        items.upsert(session, [CandidateItem(
            key=f"{use}{n}", secret={"right": "yes"}, fields={"text": "x", **fields(use, called)})
            for use in ("main", "practice") for n in range(2)], by=owner)
    return store


def fields(use, called):
    named = {name: "flat" if old == "kind" else use for name, old in called.items()}
    return named or {"kind": "flat", "use": use, **{name: f"of {name}" for name in FIELDS}}


def test_every_name_gets_a_column_and_no_two_the_same():
    assert free_names(["b", "a", "x_a"], ["a"], "x_") == {"b": "b", "a": "x_x_a", "x_a": "x_a"}
    assert list(free_names(["a", "c"], ["a"], "x_")) == ["a", "c"], "in their order"


# --- cells --------------------------------------------------------------------------------------------------------

def test_a_cell_that_begins_with_a_quote_swallows_no_other_cell(tmp_path):
    rows = [['"a', "b"], ['say "so"', 'x"'], ['"', '""'], ["=1+1", "n\ta\r\nb"]]
    bids.put_tsv(tmp_path / "t.tsv", ["one", "two"], rows)
    read = pandas.read_csv(tmp_path / "t.tsv", sep="\t", keep_default_na=False)
    assert read.to_numpy().tolist() == [*rows[:3], ["=1+1", "n a b"]]


@pytest.mark.parametrize(("said", "kept"), [("95", "89"), ("44", "44"), ("1e3", "89"), ("90+", "90+"), (120, "89"),
                                            (None, ""), ("nan", "nan")])
def test_an_age_that_was_said_as_a_text_is_capped_as_one_that_was_said_as_a_number(store, tmp_path, said, kept):
    study = world.add(store, world.STUDY + "demographics: [{name: age, text: Age}]\n")
    sit(store, study, demographics={"age": said})
    write(store, study, tmp_path / "out")
    head, row = table(tmp_path / "out" / "participants.csv")
    assert row[head.index("age")] == kept


# --- names of fields ----------------------------------------------------------------------------------------------

def test_fields_of_items_that_are_called_condition_and_correct_are_fields_wherever_a_field_is_meant(tmp_path):
    text = world.PROTOCOL.replace("name: use,", "name: correct,").replace("name: kind,", "name: condition,")
    study = world.STUDY.replace("use: ", "correct: ").replace("strata: [kind]", "strata: [correct]").replace(
        "task: kind", "task: condition\nblocks: {by: condition}")
    with world_of(tmp_path, text, correct="use", condition="kind") as store:
        sit(store, world.add(store, study))
        write(store, study_hash(store), tmp_path / "out")
        head, *rows = table(tmp_path / "out" / "trials.csv")
    kinds = [row[head.index("block_type")] for row in rows]
    assert sorted(kinds) == ["main", "main", "practice", "practice"]
    assert {row[head.index("task")] for row in rows} == {"flat"}
    assert {row[head.index("condition")] for row in rows} == {"bare", "helped"}


def study_hash(store):
    with store.read() as session:
        return sittings.studies(session)[0].hash


# --- what is kept, and what becomes of it -------------------------------------------------------------------------

@pytest.mark.parametrize("text", ["half \ud83d of it", "nothing\0here"])
def test_a_text_that_nothing_can_hold_is_refused_in_words_and_the_sitting_goes_on(store, text):
    opened = world.begin(store, world.add(store, world.STUDY))
    with pytest.raises(Refused, match="the text holds"):
        world.append(store, opened.id, 0, Event("debrief", 1, {"comment": text}))
    world.append(store, opened.id, 0, Event("debrief", 1, {"comment": "whole 😀"}))
    assert world.facts(store, opened.id) == (Event("debrief", 1, {"comment": "whole 😀"}),)


@pytest.mark.parametrize("more", [{"response": "yes"}, {"rt_us": 5}, {"rt_receipt_us": 5}])
def test_nobody_answers_out_of_time(store, more):
    opened = world.begin(store, world.add(store, world.STUDY))
    late = {"outcome": "timeout", "response": None, "rt_us": None, "rt_receipt_us": None}
    with pytest.raises(ValueError, match="no response and no time"):
        world.append(store, opened.id, 0, world.trial(opened, 0, 0, **late | more))
    world.append(store, opened.id, 0, world.trial(opened, 0, 0, **late))


def test_who_sat_in_earnest_and_then_for_a_pilot_is_excluded_where_it_counts(tmp_path, capsys):
    place = tmp_path / "p.goldsmith"
    with world.make(place) as store:
        study = world.add(store, world.STUDY)
        opened = sit(store, study)
        sit(store, study, participant=opened.participant, pilot=True)
        open_ = sit(store, study, participant=opened.participant, pilot=True, state="open")
    for state in ("excluded", "aborted"):
        assert cli.main(["study", "end", str(place), "with-help", opened.participant, state, "--as", "eve"]) == 0
    with open_store(place) as store, store.read() as session:
        seen = {(one.pilot, one.state) for one in sittings.of_study(session, study)}
        assert sittings.open_sitting(session, open_.id).state == "aborted"
    assert seen == {(False, "excluded"), (True, "completed"), (True, "aborted")}
