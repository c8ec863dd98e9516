"""Trials leave the project: tables that pandas reads back to the same rows, BIDS, Psych-DS, and rows for the scorer."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from dataclasses import replace

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.errors import Refused, Unknown
from exports.studies import bids, trial_csv
from exports.studies.columns import columns_of, values_of
from exports.studies.writing import FORMATS, write_study
from studies import keeping, trial_rows
from studies.facts import Event, TrialRecord
from studies.summaries import summarise
from tests import study_world as world

NASTY = 'He said "yes, no"\nand\tleft; =1+1, ÄÖ €'


@pytest.fixture
def store(tmp_path):
    with world.make(tmp_path / "p.goldsmith") as made:
        yield made


@pytest.fixture
def study(store):
    return world.add(store, world.STUDY.replace("bare, shows", f"bare, label: {json.dumps(NASTY)}, shows"))


def sit(store, study, *, faster=1.0, comment="", demographics=None, state="completed", change=None, **more):
    """A sitting with times of its own: helped is ``faster`` times as quick; ``change`` may alter a record."""
    opened = world.begin(store, study, **more)
    facts = []
    for fact in world.whole(opened):
        if isinstance(fact, TrialRecord):
            planned = opened.plan.trial(fact.block, fact.position)
            rt = round((1_000_000 + 40_000 * fact.position) * (faster if planned.condition == "helped" else 1.0))
            fact = replace(fact, response=planned.correct, rt_us=rt, rt_receipt_us=rt + 900,
                           quality={**fact.quality, "preload_us": 1234, "onset_method": "raster"})
            fact = change(planned, fact) if change else fact
        elif fact.kind == "debrief":
            fact = Event("debrief", 30, {"comment": comment})
        facts.append(fact)
        if isinstance(fact, Event) and fact.kind == "consent" and demographics:
            facts.append(Event("demographics", 11, demographics))
    with store.write() as session:
        for seq, fact in enumerate(facts):
            keeping.append(session, opened.id, seq, fact)
    if state != "open":
        world.end(store, opened.id, state)
    return opened


def write(store, study, out, **more):
    with store.read() as session:
        return write_study(session, study, out, **more)


def read_rows(store, study, **more):
    with store.read() as session:
        return trial_rows.read(session, study, **more)


# --- the table of trials ------------------------------------------------------------------------------------------

def test_pandas_reads_back_the_same_rows(store, study, tmp_path):
    for _ in range(3):
        sit(store, study)
    written = write(store, study, tmp_path / "out")
    table = pandas.read_csv(tmp_path / "out" / "trials.csv")
    sat = read_rows(store, study)
    assert len(table) == written.rows == len(sat.rows) == 3 * (2 + 8)
    assert list(table.response_time) == [row.record.rt_us / 1e6 for row in sat.rows]
    assert list(table.response) == [row.record.response for row in sat.rows]
    assert Counter(table.block_type) == {"practice": 6, "main": 24}
    assert list(table.row_id) == list(range(1, 31))
    assert set(table.accuracy) == {1}
    assert table.response_time_receipt.gt(table.response_time).all()


def test_psychopy_7718_texts_with_quotes_commas_and_line_ends_stay_one_cell(store, study, tmp_path):
    """Also psychopy#129 (no delimiter at the end of a line), psychopy#2166 and psychojs#290 (no byte order mark)."""
    sit(store, study, demographics={"remark": NASTY})
    write(store, study, tmp_path / "out")
    raw = (tmp_path / "out" / "trials.csv").read_bytes()
    assert not raw.startswith(b"\xef\xbb\xbf"), "no byte order mark"
    assert b",\r\n" not in raw.split(b"\r\n", 1)[0] + b"\r\n", "no delimiter at the end of the header"
    with open(tmp_path / "out" / "trials.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, strict=True))
    assert len({len(row) for row in rows}) == 1
    words = json.loads((tmp_path / "out" / "trials.json").read_text("utf-8"))
    levels = next(column for column in words["columns"] if column["name"] == "condition")["levels"]
    assert levels["bare"] == NASTY


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20),
                         min_size=2, max_size=2), min_size=1, max_size=6))
def test_any_text_survives_the_table(rows):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "t.csv")
        trial_csv.put_csv(path, ["a", "b"], rows)
        with path.open(newline="", encoding="utf-8") as file:
            assert list(csv.reader(file, strict=True))[1:] == rows


def test_lab_js_258_every_column_says_what_it_is_in_which_unit(store, study, tmp_path):
    sit(store, study)
    write(store, study, tmp_path / "out")
    names = (tmp_path / "out" / "trials.csv").read_bytes().decode().split("\r\n")[0].split(",")
    said = {one["name"]: one for one in json.loads((tmp_path / "out" / "trials.json").read_text("utf-8"))["columns"]}
    assert list(said) == names
    assert said["response_time"]["unit"] == "s"
    assert all(one["description"] for one in said.values())


def test_jspsych_87_and_fract10_35_a_timeout_is_missing_and_never_the_deadline_and_keeps_what_was_right(
        store, study, tmp_path):
    def late(planned, fact):
        if fact.position != 0 or planned.kind != "main":
            return fact
        return replace(fact, outcome="timeout", response=None, rt_us=None, rt_receipt_us=None)

    sit(store, study, change=late)
    write(store, study, tmp_path / "out")
    table = pandas.read_csv(tmp_path / "out" / "trials.csv")
    (row,) = table[table.outcome == "timeout"].to_dict("records")
    assert pandas.isna(row["response_time"]) and row["accuracy"] == 0 and row["correct_response"] in ("yes", "no")
    assert json.loads(row["exclusion_flags"]) == ["timeout"]


def test_a_trial_shown_again_has_both_rows_and_one_stands(store, study, tmp_path):
    opened = world.begin(store, study)
    facts = world.whole(opened)
    at = next(n for n, fact in enumerate(facts) if isinstance(fact, TrialRecord) and fact.block == 1)
    broken = replace(facts[at], outcome="aborted", response=None, rt_us=None, rt_receipt_us=None,
                     quality={"flags": ["focus_lost"]})
    facts = [*facts[:at], broken, Event("started", 5, {"again": True}), replace(facts[at], attempt=2), *facts[at + 1:]]
    with store.write() as session:
        for seq, fact in enumerate(facts):
            keeping.append(session, opened.id, seq, fact)
    world.end(store, opened.id, "completed")
    sat = read_rows(store, study)
    twice = [row for row in sat.rows if (row.block, row.record.position) == (1, broken.position)]
    assert [(row.record.attempt, row.standing, row.resumed) for row in twice] == [(1, False, False), (2, True, True)]
    assert [row.resumed for row in sat.rows] == sorted(row.resumed for row in sat.rows), "from then on"


def test_pilots_and_what_was_withdrawn_or_broken_off_stay_out_and_are_counted(store, study, tmp_path):
    sit(store, study)
    sit(store, study, pilot=True)
    for state in ("withdrawn", "aborted", "open"):
        sit(store, study, state=state)
    written = write(store, study, tmp_path / "out")
    assert (written.participants, written.left_out) == (1, {"pilot": 1, "withdrawn": 1, "aborted": 1, "open": 1})
    pilots = write(store, study, tmp_path / "pilots", pilots=True)
    assert pilots.participants == 1
    assert set(pandas.read_csv(tmp_path / "pilots" / "trials.csv").pilot) == {True}


def test_nothing_to_write_and_an_unknown_format_are_refused_and_leave_no_folder(store, study, tmp_path):
    with pytest.raises(Refused, match="nobody has completed"):
        write(store, study, tmp_path / "out")
    sit(store, study)
    with pytest.raises(Unknown, match="spss"):
        write(store, study, tmp_path / "out", format="spss")
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.part").exists()


def test_what_people_said_about_themselves_stands_beside_them_and_free_comments_do_not(store, tmp_path):
    study = world.add(store, world.STUDY + "demographics:\n  - {name: age, text: Age, kind: number}\n"
                                           "  - {name: sex, text: Sex, kind: text}\n")
    sit(store, study, demographics={"age": 93, "sex": "none of yours"}, comment="I am Jo from the mill")
    for format in FORMATS:
        out = tmp_path / format
        write(store, study, out, format=format)
        assert not any(b"mill" in path.read_bytes() for path in out.rglob("*") if path.is_file())
    table = pandas.read_csv(tmp_path / "csv" / "participants.csv")
    assert table.age.tolist() == [89] and table.sex.tolist() == ["none of yours"]
    tsv = pandas.read_csv(tmp_path / "bids" / "participants.tsv", sep="\t", keep_default_na=False)
    assert tsv.sex.tolist() == ["n/a"], "the standard knows no such word"


# --- other formats ------------------------------------------------------------------------------------------------

def test_exptools2_14_bids_tables_hold_the_rules_of_the_standard(store, study, tmp_path):
    for _ in range(2):
        sit(store, study)
    write(store, study, tmp_path / "out", format="bids")
    out = tmp_path / "out"
    assert {"Name", "BIDSVersion"} <= set(json.loads((out / "dataset_description.json").read_text()))
    people = [line.split("\t") for line in (out / "participants.tsv").read_text("utf-8").splitlines()]
    assert people[0][0] == "participant_id" and all(re.fullmatch(r"sub-[A-Za-z0-9]+", row[0]) for row in people[1:])
    files = sorted(out.glob("sub-*/beh/*_beh.tsv"))
    assert [file.parent.parent.name for file in files] == [row[0] for row in people[1:]]
    for file in files:
        assert re.fullmatch(r"sub-[A-Za-z0-9]+_task-[A-Za-z0-9]+_beh\.tsv", file.name)
        lines = [line.split("\t") for line in file.read_text("utf-8").splitlines()]
        assert len({len(line) for line in lines}) == 1 and all(all(line) for line in lines), "no empty cell"
        assert len(set(lines[0])) == len(lines[0]) and lines[0][:2] == ["trial_type", "response_time"]
        assert not {"onset", "duration"} & set(lines[0])
        sidecar = json.loads(file.with_suffix(".json").read_text("utf-8"))
        assert set(lines[0]) <= set(sidecar) and sidecar["TaskName"]
        assert all(re.fullmatch(r"\d+(\.\d+)?|n/a", line[1]) for line in lines[1:])


def test_bids_names_the_pictures_that_a_condition_showed_and_has_each_file_once(tmp_path):
    with world.make_pictured(tmp_path / "p.goldsmith") as store:
        study = world.add(store, world.PICTURED)
        sit(store, study)
        write(store, study, tmp_path / "out", format="bids")
        pictures = {path.name: path.read_bytes() for path in (tmp_path / "out" / "stimuli").iterdir()}
        table = pandas.read_csv(next((tmp_path / "out").glob("sub-*/beh/*.tsv")), sep="\t", keep_default_na=False)
        helped, bare = (table[table.trial_type == name] for name in ("helped", "bare"))
        assert len(helped) and len(bare) and set(bare.stim_file) == {"n/a"} and set(bare.stim_files) == {"[]"}
        for first, both in zip(helped.stim_file, helped.stim_files, strict=True):
            named = json.loads(both)
            assert named[0] == first and len(named) == 2 and {first, *named} <= set(pictures)
        assert len(pictures) == len(set(pictures.values())) == len(set(helped.stim_file)) + 1, "the shared one once"
        sidecar = json.loads(next((tmp_path / "out").glob("sub-*/beh/*.json")).read_text("utf-8"))
        assert {"stim_file", "stim_files"} <= set(sidecar)
        gone = store.media.path(helped.stim_file.iloc[0].partition(".")[0])
        gone.unlink()
        write(store, study, tmp_path / "again", format="bids")
        table = pandas.read_csv(next((tmp_path / "again").glob("sub-*/beh/*.tsv")), sep="\t", keep_default_na=False)
        assert gone.name not in " ".join(table.stim_files) and (tmp_path / "again" / "stimuli").is_dir()
        assert "not in the project any more, so in no row: 1." in (tmp_path / "again" / "README.md").read_text()


def test_psych_ds_files_have_names_and_columns_that_the_standard_takes(store, study, tmp_path):
    for _ in range(2):
        sit(store, study)
    write(store, study, tmp_path / "out", format="psych-ds")
    said = json.loads((tmp_path / "out" / "dataset_description.json").read_text("utf-8"))
    assert said["@type"] == "Dataset" and {"name", "description", "variableMeasured"} <= set(said)
    known = {one["name"] for one in said["variableMeasured"]}
    assert len(known) == len(said["variableMeasured"])
    files = sorted((tmp_path / "out" / "data").iterdir())
    assert len(files) == 3
    for file in files:
        assert re.fullmatch(r"([a-z]+-[a-zA-Z0-9-]+)(_[a-z]+-[a-zA-Z0-9-]+)*_data\.csv", file.name)
        with file.open(newline="", encoding="utf-8") as opened:
            rows = list(csv.reader(opened, strict=True))
        assert len({len(row) for row in rows}) == 1 and set(rows[0]) <= known
        if "row_id" in rows[0]:
            ids = [row[rows[0].index("row_id")] for row in rows[1:]]
            assert len(set(ids)) == len(ids)


def test_people_stand_beside_models_by_their_answers(store, study, tmp_path):
    sit(store, study)
    write(store, study, tmp_path / "out", format="predictions")
    rows = [json.loads(line) for line in (tmp_path / "out" / "predictions.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) == 8 and {row["condition"] for row in rows} == {"bare", "helped"}
    assert {row["rater"] for row in rows} == {"p001"} and all(row["seconds"] > 0 for row in rows)
    assert len({row["id"] for row in rows}) == 8, "nobody saw an item twice"


# --- exclusions and figures ---------------------------------------------------------------------------------------

def test_the_declared_rule_marks_rows_and_takes_none_out_of_the_file(store, tmp_path):
    study = world.add(store, world.STUDY.replace("highest: 20", "highest: 1.2"))
    sit(store, study)
    sat = read_rows(store, study)
    slow = [row for row in sat.rows if "too_slow" in row.exclusions]
    assert slow and all(row.response_time > 1.2 for row in slow)
    assert all(row.response_time <= 1.2 for row in sat.rows if row.counts)
    write(store, study, tmp_path / "out")
    assert len(pandas.read_csv(tmp_path / "out" / "trials.csv")) == len(sat.rows)


@pytest.mark.parametrize("rule", ["sd", "mad"])
def test_one_wild_time_is_an_outlier_of_its_person_and_condition_alone(store, rule):
    study = world.add(store, world.STUDY.replace("rt: cutoffs, lowest: 0.2, highest: 20", f"rt: {rule}, width: 1.4"))
    wild = []

    def change(planned, fact):
        if planned.kind == "main" and planned.condition == "bare" and not wild:
            wild.append(planned.item)
            return replace(fact, rt_us=19_000_000, rt_receipt_us=19_000_001)
        return fact

    sit(store, study, change=change)
    sat = read_rows(store, study)
    assert wild[0] in {row.planned.item for row in sat.rows if "outlier" in row.exclusions}
    assert not any(row.exclusions for row in sat.rows if row.kind != "main")


def test_the_comparison_finds_how_much_faster_people_were_with_help(store, study):
    for n in range(6):
        sit(store, study, faster=0.5 + 0.01 * n)
    sat = read_rows(store, study)
    found = summarise(sat.study, sat.rows)
    assert [cell.condition for cell in found.cells] == ["bare", "helped"] and found.people == 6
    (one,) = found.compared
    assert 0.45 < one.ratio.low <= one.ratio.value <= one.ratio.high < 0.62
    assert one.seconds.high < 0 and one.accuracy.value == 0.0
    assert dict(found.sensitivity)["declared"] == one.ratio and len(found.sensitivity) == 6
    assert summarise(sat.study, sat.rows) == found, "the same seed, the same figures"


def test_one_person_says_nothing_about_others_and_no_answers_say_nothing(store, study):
    sit(store, study)
    sat = read_rows(store, study)
    found = summarise(sat.study, sat.rows)
    assert found.compared[0].ratio.low is None and "one participant" in found.compared[0].ratio.why
    assert found.cells[0].accuracy.method == "wilson (one participant)"
    empty = summarise(sat.study, [])
    assert empty.cells[0].accuracy.value is None and empty.cells[0].accuracy.why


def test_the_mean_of_a_cell_is_that_of_its_rows(store, study):
    for n in range(3):
        sit(store, study, faster=0.7 + n / 10)
    sat = read_rows(store, study)
    table = pandas.DataFrame([dict(zip([c.name for c in columns_of(sat)], values_of(columns_of(sat), row, n),
                                       strict=True)) for n, row in enumerate(sat.rows)])
    kept = table[(table.block_type == "main") & table.standing & (table.exclusion_flags == "[]")]
    import numpy

    for cell in summarise(sat.study, sat.rows).cells:
        times = kept[kept.condition == cell.condition].response_time
        assert cell.time.value == pytest.approx(float(numpy.exp(numpy.log(times).mean())))


def half_right(planned, fact):
    """Every other answer in earnest is wrong; in "helped" all are."""
    wrong = planned.kind == "main" and (planned.condition == "helped" or fact.position % 4 < 2)
    return replace(fact, response="yes" if planned.correct == "no" else "no") if wrong else fact


def test_each_figure_says_of_how_many_answers_it_is_and_what_is_missing_where_there_is_none(store, study):
    for _ in range(3):
        sit(store, study, change=half_right)
    sat = read_rows(store, study)
    found = summarise(sat.study, sat.rows)
    bare, helped = found.cells
    right = [row for row in sat.rows if row.kind == "main" and row.planned.condition == "bare" and row.correct]
    assert 0 < len(right) < bare.trials == bare.accuracy.n and bare.time.n == len(right)
    assert (helped.accuracy.n, helped.accuracy.value, helped.time.n) == (helped.trials, 0.0, 0)
    assert helped.time.why == "there is no right answer that counts" and helped.median is None
    (one,) = found.compared
    assert one.accuracy.n == bare.trials + helped.trials
    assert one.ratio.why == one.seconds.why == "in one of the two conditions there is no right answer that counts"


def test_a_comparison_counts_the_answers_of_both_conditions(store, study):
    for n in range(3):
        sit(store, study, faster=0.5 + n / 10)
    sat = read_rows(store, study)
    found = summarise(sat.study, sat.rows)
    used = sum(cell.time.n for cell in found.cells)
    assert used and found.compared[0].ratio.n == found.compared[0].seconds.n == used
    assert dict(found.sensitivity)["declared"].n == used


@given(st.lists(st.sampled_from(["p-1", "p1", "P1", "Ümit", "mit", "李", "王", "x"]) | st.text(min_size=1, max_size=6),
                unique=True))
def test_every_participant_has_a_label_of_letters_and_digits_that_no_other_has(handles):
    made = bids.labels(handles)
    assert list(made) == handles and all(re.fullmatch("[A-Za-z0-9]+", one) for one in made.values())
    assert len({one.casefold() for one in made.values()}) == len(handles)


def test_a_label_is_read_as_the_handle_where_that_is_possible():
    assert bids.labels(["p-1", "p2", "Ümit"]) == {"p-1": "p1", "p2": "p2", "Ümit": "Umit"}
    assert re.fullmatch("p1[0-9a-f]{6}", bids.labels(["p-1", "p1"])["p1"])


def test_answers_that_are_all_alike_have_no_interval(store, study):
    for _ in range(4):
        sit(store, study)  # everybody right, always
    sat = read_rows(store, study)
    found = summarise(sat.study, sat.rows)
    assert all((cell.accuracy.value, cell.accuracy.low) == (1.0, None) for cell in found.cells)
    assert all("alike" in cell.accuracy.why for cell in found.cells)
    assert found.cells[0].time.low is not None
