"""Preflight: every finding with a project that shows it and one that does not, and the laws of the detectors."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from annotation import notes, people, tasks
from annotation.errors import Refused
from exports import preflight, release
from exports.preflight import identifying, kinds
from exports.preflight.near_pictures import ALIKE, look_at, near_pictures
from exports.preflight.near_texts import folded, near_texts
from exports.preflight.options_seen import number_of, same_said
from tests import quiz, small_project
from tests.quiz import Row, fair, found, make

LONG = "What does the second paragraph of the report say about the colour of the willow by the river in spring?"


def test_a_fair_quiz_has_no_finding_but_that_one_person_answered_each(tmp_path: Path) -> None:
    with make(tmp_path, fair()) as store:
        assert set(found(store)) == {"one_person_each"}


def test_findings_say_their_weight_their_items_and_what_was_seen_and_no_text(tmp_path: Path) -> None:
    rows = [*fair(), Row("Write to ana@hospital.org about the grove and the heath?", ["amber one", "basin two"], 0)]
    with make(tmp_path, rows) as store:
        one = found(store)["email"]
    assert (one.severity, one.theme, one.state, one.items) == ("bad", "identifying", "stops", ("q040",))
    assert one.message == "1 item holds an e-mail address" and one.evidence == {"where": {"question": 1}}
    assert "hospital" not in str(one.plain())


def test_every_kind_of_finding_has_sentences_for_one_and_for_many() -> None:
    for code in kinds:
        assert kinds[code].sentence(1) and "{" not in kinds[code].sentence(2), code
    assert not kinds["missing_media"].can_waive and not kinds["no_gold"].can_waive


# --- weak -----------------------------------------------------------------------------------------------------

def test_low_agreement_single_answers_and_flags_are_weak(tmp_path: Path) -> None:
    with small_project.make(tmp_path, n=4) as store:
        small_project.answer_all(store)
        with store.write() as session:
            ana = people.find(session, small_project.HANDLES[0]).id
            notes.flag(session, small_project.item_of(session, "key-02"), person=ana, text="odd")
            small_project.adjudicate(session, "key-03", {  # decided: no longer weak
                small_project.Slot("verdict"): {"v": "no"}, small_project.Slot("better"): {"v": "c1"}})
        seen = found(store)
        assert seen["low_agreement"].items == ("key-01",)  # two against one
        assert seen["low_agreement"].evidence["values"] == {"better": 1, "verdict": 1}
        assert seen["flagged"].items == ("key-02",) and "single_answer" not in seen
    text = small_project.PROTOCOL.replace("min_people: 2", "min_people: 1")
    (tmp_path / "two").mkdir()
    with small_project.make(tmp_path / "two", n=2, text=text) as store:
        with store.write() as session:
            ana = people.find(session, small_project.HANDLES[0]).id
            task = tasks.next_task(session, ana)
            assert task is not None
            tasks.submit(session, task.id, small_project.said(task.key, 0), active_ms=1)
        assert found(store)["single_answer"].items == (task.key,)


# --- duplicated -----------------------------------------------------------------------------------------------

def test_equal_items_are_duplicates_and_with_other_gold_they_stop(tmp_path: Path) -> None:
    rows = [*fair(), Row(LONG, ["green leaf", "grey stone"], 0), Row(LONG.upper() + "!", ["green  leaf", "grey stone"],
                                                                     0),
            Row("Which way?", ["left hand", "right hand"], 0), Row("which WAY", ["left hand", "right hand"], 1)]
    with make(tmp_path, rows) as store:
        seen = found(store)
    assert seen["duplicate"].items == ("q040", "q041", "q042", "q043") and seen["duplicate"].severity == "warn"
    assert seen["duplicate_conflict"].items == ("q042", "q043") and seen["duplicate_conflict"].state == "stops"
    assert "near_text" not in seen


def test_nearly_equal_texts_are_found_but_not_within_a_cluster_nor_with_other_pictures(tmp_path: Path) -> None:
    near = LONG.replace("spring", "winter")
    rows = [*fair(), Row(LONG, words="x"), Row(near, words="y")]
    with make(tmp_path, rows) as store:
        one = found(store)["near_text"]
        assert one.items == ("q040", "q041") and one.evidence["pairs"][0][:2] == ["q040", "q041"]
    apart: list[list[Row]] = [
        [Row(LONG, words="x", cluster="one"), Row(near, words="y", cluster="one")],
        [Row(LONG, words="x", picture=quiz.picture(1)), Row(near, words="y", picture=quiz.picture(2))]]
    for n, rows in enumerate(apart):
        (tmp_path / str(n)).mkdir()
        with make(tmp_path / str(n), rows) as store:
            assert "near_text" not in found(store)


def test_pictures_that_look_alike_are_found_scaled_and_compressed(tmp_path: Path) -> None:
    rows = [Row(f"What is this {word}?", words="a", picture=quiz.picture(n)) for n, word in enumerate(quiz.WORDS)]
    rows += [Row("Seen before?", words="b", picture=quiz.picture(5, size=(320, 240), quality=60))]
    with make(tmp_path, rows) as store:
        assert found(store)["near_picture"].items == ("q005", "q025")
        assert found(store)["unlicensed_media"].items == tuple(f"q{n:03d}" for n in range(26))


# --- leaking --------------------------------------------------------------------------------------------------

def test_the_answer_in_the_question_is_seen_and_a_question_that_lists_its_options_is_not(tmp_path: Path) -> None:
    rows = [Row("The blue heron lives by the inlet. Who lives there?", ["blue heron", "red fox"], 0),
            Row("Is it the amber grove or the cedar marsh that burns?", ["amber grove", "cedar marsh"], 1),
            Row("How many are 17 and 25?", words="42"), Row("Take 42 away: what is left of 43?", words="42"),
            Row("Who lives there? " + "ocean stone " * 80 + "the grey owl", ["grey owl", "red fox"], 0)]
    with make(tmp_path, rows) as store:
        assert found(store)["answer_in_question"].items == ("q000", "q003")


def test_the_longest_option_is_seen_where_it_is_right_too_often(tmp_path: Path) -> None:
    rng = random.Random(1)
    rows = []
    for i in range(40):
        options = [" ".join(rng.choices(quiz.WORDS, k=2)) for _ in range(4)]
        options[i % 4] = " ".join(rng.choices(quiz.WORDS, k=9))
        rows.append(Row(quiz.sentence(rng), options, i % 4))
    with make(tmp_path, rows) as store:
        one = found(store)["longest_option"]
    assert len(one.items) == 40 and one.evidence["expected"] == 10.0 and one.evidence["p"] < 1e-9


def test_an_answer_that_stands_first_too_often_is_seen(tmp_path: Path) -> None:
    rows = fair()
    for n, row in enumerate(rows):
        row.right = 0 if n % 3 else n % 4
    with make(tmp_path, rows) as store:
        one = found(store)["answer_position"]
    assert one.evidence["counts"]["4"][0] == sum(row.right == 0 for row in rows) == len(one.items)
    assert one.evidence["p"] < 0.001 and one.evidence["df"] == 3


def test_an_answer_that_alone_ends_with_a_full_stop_is_seen(tmp_path: Path) -> None:
    rows = fair()
    for row in rows:
        row.options = [text + "." if n == row.right else text for n, text in enumerate(row.options)]
    with make(tmp_path, rows) as store:
        seen = found(store)
    assert seen["option_style"].evidence["style"] == "full stop" and len(seen["option_style"].items) == 40


def test_a_wrong_option_that_says_the_same_is_seen(tmp_path: Path) -> None:
    rows = [*fair(8), Row("How much?", ["0.5", "1/2", "3"], 0), Row("Which?", ["the old willow tree", "Willow, old",
                                                                              "a fox"], 2),
            Row("Where?", ["in the north valley", "In the north valley!", "at sea"], 0)]
    with make(tmp_path, rows) as store:
        assert found(store)["distractor_overlap"].items == ("q008", "q010")


@pytest.mark.parametrize(("one", "other", "same"), [
    ("50 %", "0.5", True), ("1,000", "1000", True), ("-3", "3", False), ("1/3", "0.333", False),
    ("Paris", "paris.", True), ("the red house", "red house the", False),
    ("the red house is old", "old is the red house", True), ("increases risk", "not increases risk", False),
    ("increases risk", "it increases risk", True), ("A", "B", False), ("+", "-", False), ("5 mg", "5 ml", False)])
def test_what_says_the_same(one: str, other: str, same: bool) -> None:
    assert same_said(one, other) is same_said(other, one) is same


def test_numbers_are_read_as_fractions() -> None:
    assert number_of("12.5%") == number_of("1/8") and number_of("−2") == -2
    assert [number_of(text) for text in ("", "1/0", "x1", "1 2")] == [None] * 4


def test_the_longer_candidate_is_told_as_information(tmp_path: Path) -> None:
    text = quiz.PROTOCOL.replace("type: choice, text: Which is right?, options_from: options, required: false",
                                 "type: pairwise, text: Which is better?, on: options, required: false").replace(
                                     "metric: accuracy", "metric: pairs")
    rng = random.Random(5)
    rows = []
    for n in range(30):
        pair = [" ".join(rng.choices(quiz.WORDS, k=12)), "short one"]
        rows.append(Row(quiz.sentence(rng), pair[::-1] if n % 2 else pair, n % 2))
    with make(tmp_path, rows, text=text) as store:
        seen = found(store)
    assert (seen["longer_preferred"].severity, len(seen["longer_preferred"].items)) == ("info", 30)
    assert "answer_position" not in seen and "longest_option" not in seen


def test_clusters_and_pictures_that_splits_would_part_are_seen_with_several_splits_only(tmp_path: Path) -> None:
    rows = [Row("One?", words="a", cluster="Scene 1"), Row("Two?", words="b", cluster="scene  1"),
            Row("Three?", words="c", picture=quiz.picture(1)), Row("Four?", words="d", picture=quiz.picture(1)),
            Row("Five?", words="e", picture=quiz.picture(2), cluster="k"),
            Row("Six?", words="f", picture=quiz.picture(2), cluster="k")]
    with make(tmp_path, rows) as store:
        seen = found(store)
        assert seen["split_cluster"].items == ("q000", "q001") and seen["split_picture"].items == ("q002", "q003")
    (tmp_path / "one").mkdir()
    with make(tmp_path / "one", rows, text=quiz.PROTOCOL.replace("{dev: 0.3, test: 0.7}", "{test: 1}")) as store:
        assert not {"split_cluster", "split_picture"} & set(found(store))


# --- identifying ----------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("code", "text"), [
    ("email", "mail to j.doe+x@sub.hospital.org now"), ("phone", "call +49 (0)30 1234567"), ("phone", "(555) 234-5678"),
    ("phone", "030 / 123 45 67"), ("record_number", "MRN: 00123456"), ("record_number", "patient number A-77812"),
    ("record_number", "Fallnummer 20231177"), ("record_number", "SSN 123-45-6789"), ("ip_address", "from 10.11.12.13"),
    ("ip_address", "at 2001:db8::ff00:42:8329.")])
def test_patterns_find_what_points_at_a_person(code: str, text: str) -> None:
    assert [name for name, holds in identifying.PATTERNS.items() if holds(text)] == [code]


@pytest.mark.parametrize("text", [
    "write to name@example.com", "the year 2024, 12 of 345 people", "pi is 3.14159265358979", "ISBN 978-3-16-148410-0",
    "version 1.2.3.4", "at 127.0.0.1", "10:20:30", "a::b", "@home", "1,234,567.89", "case 3 of 4",
    "the patient's record", "12.345.678.900", "2026-11-30", "p < 0.0001 (n = 1000000)", "00:01:02:03",
    "the record number of guests"])
def test_patterns_leave_common_texts_alone(text: str) -> None:
    assert [name for name, holds in identifying.PATTERNS.items() if holds(text)] == []


def test_people_of_the_project_are_found_in_what_leaves_and_private_fields_do_not_leave(tmp_path: Path) -> None:
    rows = [Row("What did Ada  Lovelace write?", words="x"), Row("As ana-lovelace said?", words="x"),
            Row("Who wrote it?", words="ada lovelace"), Row("Lovelace lived where?", words="x"),
            Row("Who?", words="x", origin="Ada Lovelace, ada@hospital.org")]
    with make(tmp_path, rows) as store:
        seen = found(store)
    assert seen["own_person"].items == ("q000", "q001", "q002") and "email" not in seen
    assert "not searched" in preflight.NOT_SEARCHED


def test_free_text_is_searched_where_it_is_published(tmp_path: Path) -> None:
    with small_project.make(tmp_path, n=2, text=small_project.PROTOCOL.replace(
            "export:\n", "export:\n  free_text: public\n")) as store:
        small_project.answer_all(store)
        one = found(store)["own_person"]
    assert one.items == ("key-00", "key-01") and one.evidence == {"where": {"free text": 2}}


def test_metadata_left_in_pictures_is_named(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x013B] = 1, "A Photographer"
    plain = Image.Exif()
    plain[0x0112] = 6
    rows = [Row("One?", words="a", picture=quiz.picture(1, quality=90, exif=exif)),
            Row("Two?", words="b", picture=quiz.picture(2, quality=90, exif=plain))]
    with make(tmp_path, rows) as store:
        one = found(store)["picture_metadata"]
    assert one.items == ("q000",) and one.evidence == {"names": ["EXIF Artist"]}
    exif.get_ifd(0x8825)[1] = "N"
    placed = quiz.picture(1, quality=90, exif=exif)
    assert look_at(placed).place and not look_at(quiz.picture(1)).place


# --- laws -----------------------------------------------------------------------------------------------------

@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(0, 3))
def test_seeded_near_copies_are_found_and_random_texts_are_not(seed: int, changed: int) -> None:
    rng = random.Random(seed)
    texts = [" ".join("".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(3, 9))) for _ in range(40))
             for _ in range(120)]
    copies = {}
    for at in rng.sample(range(120), 8):
        words = texts[at].split()
        for k in rng.sample(range(40), changed):
            words[k] = "other"
        copies[len(texts)] = at
        texts.append(" ".join(words))
    wanted = {(at, copy) for copy, at in copies.items()}
    seen = near_texts(texts)
    pairs = {(a, b) for a, b, _ in seen}
    exact = {(a, b) for a, b in wanted if _similar(texts[a], texts[b]) >= 0.85}
    assert exact <= pairs <= wanted
    assert all(value == pytest.approx(_similar(texts[a], texts[b])) for a, b, value in seen)


def _similar(one: str, other: str) -> float:
    a, b = ({text[k:k + 5] for k in range(len(text) - 4)} for text in (one, other))
    return len(a & b) / len(a | b)


@given(st.lists(st.text(max_size=60), max_size=12))
def test_any_texts_can_be_compared(texts: list[str]) -> None:
    listed = [folded(text) for text in texts]
    for a, b, value in near_texts(listed):
        assert a < b and 0.85 <= value <= 1


def test_a_group_of_many_alike_texts_is_linked_without_every_pair() -> None:
    base = folded(LONG)
    texts = [base[:-3] + f"{n:03d}" for n in range(300)]
    seen = near_texts(texts)
    assert {n for a, b, _ in seen for n in (a, b)} == set(range(300)) and len(seen) < 600


@settings(max_examples=10)
@given(st.integers(0, 1000))
def test_scaled_and_compressed_pictures_look_alike_and_others_do_not(seed: int) -> None:
    looks = [look_at(quiz.picture(seed * 7 + n)).look for n in range(30)]
    looks += [look_at(quiz.picture(seed * 7, size=(300, 225), quality=70, noise=6)).look, None]
    kept = [one for one in looks if one is not None]
    assert len(kept) == 31
    assert [(a, b) for a, b, bits in near_pictures(kept) if bits <= ALIKE] == [(0, 30)]


def test_a_flat_picture_has_no_look() -> None:
    assert look_at(small_project.picture()).look is None and look_at(b"no picture").look is None


# --- cancel and size ------------------------------------------------------------------------------------------

def test_the_look_can_be_stopped_and_tells_how_far_it_is(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with make(tmp_path, fair(12)) as store, store.read() as session:
        release.examine(session, progress=lambda done, of: told.append((done, of)))
        assert told[-1][0] == told[-1][1] > 0 and [one for one, _ in told] == sorted(one for one, _ in told)
        with pytest.raises(Refused, match="was stopped") as stopped:
            release.examine(session, cancelled=lambda: True)
    assert stopped.value.code == "cancelled"


def test_twenty_thousand_texts_take_no_more_than_some_seconds() -> None:
    rng = random.Random(2)
    texts: list[Any] = [" ".join(rng.choices(quiz.WORDS, k=30)) for _ in range(20_000)]
    texts += [texts[7] + " more"]
    start = time.perf_counter()
    assert (7, 20_000) in {(a, b) for a, b, _ in near_texts(texts)}
    assert time.perf_counter() - start < 20
