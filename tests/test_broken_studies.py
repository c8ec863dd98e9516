"""What broke the results and exports of studies once: rows that counted twice, people who were lost, names that hid others."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pandas
import pytest

from annotation.errors import Refused
from exports.studies import bids
from exports.studies.columns import free_names
from studies import keeping, participants
from studies.facts import TrialRecord
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
def test_two_participants_whose_files_would_have_one_name_are_refused_and_none_is_lost(store, tmp_path, format, other):
    study = world.add(store, world.STUDY)
    for handle in ("ö" if other == "ä" else "ab", other):
        with store.write() as session:
            participants.make(session, by=world.who(session), handle=handle)
        sit(store, study, participant=handle)
    with pytest.raises(Refused, match="two participants"):
        write(store, study, tmp_path / "out", format=format)
    assert not (tmp_path / "out").exists()
    assert write(store, study, tmp_path / "csv").participants == 2


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


def world_of(place, text):
    from annotation import items, people, protocol
    from annotation.items import CandidateItem
    from annotation.store.opening import create

    store = create(place / "q.goldsmith", protocol=protocol.loads(text), title="Puzzles", owner="eve")
    with store.write() as session:
        owner = people.find(session, "eve").id
        items.upsert(session, [CandidateItem(
            key=f"{use}{n}", fields={"text": "x", "kind": "flat", "use": use, **{name: f"of {name}" for name in FIELDS}},
            secret={"right": "yes"}) for use in ("main", "practice") for n in range(2)], by=owner)
    return store


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
