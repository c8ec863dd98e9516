"""Real files from the shared data go the whole way: import, keys of three people, decisions, bundle, verify, score.

Every item is answered by every person with key presses; only of the 110 items of trustjudge each person answers the
first 40 of his queue so, and the rest comes in by the verb ``answers``. What people say is written down here as a plan,
so that gold, agreement and scores are computed twice: by the program, and here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.desk import Desk
from tests.driver import (
    ANNOTATORS,
    OWNER,
    REASON,
    CommandLine,
    answer_items,
    decide_cases,
    digit_of,
    go_to,
    go_to_end,
    letter_of,
    make_project,
    say_pace,
    side_of,
)
from tests.outcome import (
    Bundle,
    agrees,
    bundle_of,
    decided_in_order,
    headline,
    lines,
    majority,
    orders,
    plan_of,
    reasons,
    shares,
    sides,
    votes_on,
    without_majority,
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


# --- (a) and (d): question-answer pairs ------------------------------------------------------------------------------

VERDICTS = ("keep", "repair", "reject")
MENDED = " (mended)"
# The fourth has no majority; the seventh is a repair by majority, whose text has to be decided.
QA_VOTES = (
    ("keep", "keep", "keep"), ("keep", "keep", "keep"), ("keep", "keep", "reject"), ("keep", "repair", "reject"),
    ("keep", "keep", "keep"), ("keep", "keep", "keep"), ("repair", "repair", "keep"), ("reject", "reject", "reject"),
    ("keep", "keep", "keep"), ("keep", "reject", "reject"))


def check_pair(said: Mapping[str, str]) -> Callable[[Desk, str], None]:
    """Keep is one key; a repair mends the text at its end; a rejection has a flag and a reason."""
    def script(desk: Desk, key: str) -> None:
        verdict = said[key]
        desk.keys(str(VERDICTS.index(verdict) + 1))
        if verdict != "keep":
            desk.keys("4")  # the flag "Answer is wrong"
        if verdict == "repair":
            go_to(desk, "q:repaired")
            go_to_end(desk)
            desk.keys(MENDED)
        if verdict == "reject":
            go_to(desk, "q:verdict=reason")
            desk.keys("no")
        desk.keys("\n")
    return script


def check_the_pairs(qtbot: Any, run: CommandLine, project: Path, answers: Mapping[str, str]) -> Bundle:
    """From answers by keys to scores, in a project of qa-check whose items are ``answers`` (key -> answer)."""
    keys = sorted(answers, key=int)
    plan = plan_of(QA_VOTES, keys)
    say_pace(project.stem, [answer_items(qtbot, project, person, keys, check_pair(plan[person]))
                            for person in ANNOTATORS])
    undecided = without_majority(plan)
    repairs = [key for key in keys if majority(votes_on(plan, key)) == "repair"]
    decided = dict(zip(undecided, VERDICTS, strict=True))  # each verdict is taken once
    assert run("status", project)["adjudication"] == {"due": 6, "done": 0}
    words = {key: f"Can this pair be released?: {verdict.capitalize()}" for key, verdict in decided.items()}
    decide_cases(qtbot, project, undecided + repairs, lambda _desk, key: words.get(key, MENDED.strip()))

    gold = {key: decided.get(key) or majority(votes_on(plan, key)) for key in keys}
    agrees(run, project, "verdict", plan, level="nominal")
    bundle = bundle_of(run, project, project.parent / "out", run("release", project, "1.0", "--as", OWNER))
    assert {row["item"]: row["answer"] for row in run("gold", project, "--question", "verdict")["gold"]} == gold
    kept = dict(gold)
    assert bundle.of("verdict") == kept
    assert bundle.of("repaired") == {key: answers[key] + MENDED for key in keys if gold[key] == "repair"}
    assert {key: item["fields"]["answer"] for key, item in bundle.items.items()} == {key: answers[key] for key in kept}
    assert {row["key"] for row in bundle.adjudications} == {*undecided, *repairs} & kept.keys()
    assert reasons(project) == dict.fromkeys([*undecided, *repairs], REASON)
    scores = run("score", project.parent / "out", "--baselines")
    assert headline(scores, "accuracy", "verdict") == pytest.approx(shares(kept, VERDICTS))
    return bundle


def read_mt_bench(shared: Path) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The questions, and key -> reference answer of those that have one."""
    references = lines(shared / "data/mt-bench/reference_answer.gpt-4.jsonl")
    return (lines(shared / "data/mt-bench/question.jsonl"),
            {str(row["question_id"]): row["choices"][0]["turns"][0] for row in references})


def test_questions_joined_with_their_reference_answers_are_checked(qtbot, run, shared: Path, tmp_path: Path) -> None:
    questions, answers = read_mt_bench(shared)
    project, refused = tmp_path / "joined.goldsmith", tmp_path / "refused.jsonl"
    make_project(run, project, "qa-check")
    report = run("import", project, shared / "data/mt-bench/question.jsonl", "--recipe", "mt-bench", "--with",
                 f"answers={shared / 'data/mt-bench/reference_answer.gpt-4.jsonl'}", "--refused", refused,
                 "--as", OWNER, exit=1)
    assert (report["records"], report["rows"], report["accepted"], report["refused"]) == (80, 80, 30, 50)
    bare = [(n, row) for n, row in enumerate(questions, 1) if str(row["question_id"]) not in answers]
    assert [(one["code"], one["file"], one["line"], one["value"]) for one in report["refusals"]] == [
        ("no_partner", "question.jsonl", n, str(row["question_id"])) for n, row in bare]
    assert [one["row"] for one in lines(refused)] == [row for _n, row in bare]
    assert (len(bare), report["refused_file"]) == (50, str(refused))

    bundle = check_the_pairs(qtbot, run, project, answers)
    asked = {str(row["question_id"]): row for row in questions}
    for key, item in bundle.items.items():
        assert item["fields"]["question"] == asked[key]["turns"][0]
        assert item["slices"] == {"category": asked[key]["category"]}


def test_a_parquet_file_goes_the_same_way_and_its_nulls_are_missing(qtbot, run, shared: Path, tmp_path: Path) -> None:
    import pandas as pd  # used by this test alone

    questions, answers = read_mt_bench(shared)
    project, refused = tmp_path / "parquet.goldsmith", tmp_path / "refused.jsonl"
    table = pd.DataFrame([{"question_id": row["question_id"], "question": row["turns"][0], "category": row["category"],
                           "answer": answers.get(str(row["question_id"]))} for row in questions])
    table.to_parquet(tmp_path / "pairs.parquet")
    make_project(run, project, "qa-check")
    report = run("import", project, tmp_path / "pairs.parquet", "--recipe", "qa-check", "--refused", refused,
                 "--as", OWNER, exit=1)
    assert (report["format"], report["records"], report["accepted"], report["refused"]) == ("parquet", 80, 30, 50)
    assert {(one["code"], one["file"]) for one in report["refusals"]} == {("missing_value", "pairs.parquet")}
    assert [one["row"]["question_id"] for one in lines(refused)] == [
        row["question_id"] for row in questions if str(row["question_id"]) not in answers]
    check_the_pairs(qtbot, run, project, answers)


# --- (b): ratings and pairs over the same answers ------------------------------------------------------------------

RATINGS = ((1, 1, 1), (2, 2, 3), (4, 3, 5), (5, 5, 5), (4, 4, 2), (1, 2, 3), (3, 3, 3))
CHOICES = (("c1", "c1", "c1"), ("c2", "c2", "c2"), ("c1", "c2", "c1"), ("c2", "c2", "tie"), ("c1", "c2", "tie"),
           ("c2", "c2", "c2"), ("tie", "tie", "c1"), ("c1", "c1", "c1"), ("c1", "c1", "tie"))


def test_two_lines_become_ratings_and_pairs_of_the_same_answers(qtbot, run, shared: Path, tmp_path: Path) -> None:
    project, out = tmp_path / "trust.goldsmith", tmp_path / "out"
    make_project(run, project, "trustjudge")
    file = shared / "data/trustjudge/filtered_selected_answers_with_category.jsonl"
    report = run("import", project, file, "--recipe", "trustjudge-answers", "--as", OWNER)
    assert (report["records"], report["rows"], report["accepted"]) == (2, 110, 110)
    ids = [str(row["question_id"]) for row in lines(file)]
    rated = [f"{id}-{n}" for id in ids for n in range(1, 11)]
    paired = [f"{id}-{a}-{b}" for id in ids for a in range(1, 11) for b in range(a + 1, 11)]
    assert (len(rated), len(paired)) == (20, 90)

    ratings, choices = plan_of(RATINGS, rated), plan_of(CHOICES, paired)
    pressed: set[tuple[str, str]] = set()
    seen: dict[tuple[str, str], str] = {}

    def script(person: str) -> Callable[[Desk, str], None]:
        def answer(desk: Desk, key: str) -> None:
            pressed.add((key, person))
            if key in ratings[person]:
                desk.keys(f"{ratings[person][key]}\n")
            else:
                seen[key, person] = side_of(desk, "preference", "c1")
                desk.keys(digit_of(desk, "preference", choices[person][key], ties=["tie"]) + "\n")
        return answer

    say_pace(project.stem, [answer_items(qtbot, project, person, rated + paired, script(person), stop_after=40)
                            for person in ANNOTATORS])
    stored = orders(project, "responses")
    assert set(seen.values()) == {"left", "right"} and len(seen) < len(pressed), "both sides, and both passes"
    assert {turn: stored[turn] for turn in seen} == {
        turn: ["c1", "c2"] if side == "left" else ["c2", "c1"] for turn, side in seen.items()}
    rest_of = [{"item": key, "person": person, "question": question, "answer": plan[person][key]}
               for question, plan in {"rating": ratings, "preference": choices}.items()
               for person in ANNOTATORS for key in plan[person] if (key, person) not in pressed]
    (tmp_path / "rest.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rest_of), "utf-8")
    rest = run("answers", project, tmp_path / "rest.jsonl", "--as", OWNER)
    assert (rest["accepted"], rest["revisions"], len(pressed)) == (210, 210, 120)
    undecided = without_majority(choices)
    assert len(undecided) == 10
    placed: dict[str, str] = {}

    def second(desk: Desk, key: str) -> str:
        placed[key] = letter_of(desk, "Answers", _text_of(file, key, "c2"))
        return f"Which answer is better?: {placed[key]} is better"

    decide_cases(qtbot, project, undecided, second)
    assert set(placed.values()) == {"A", "B"}
    assert decided_in_order(project, "responses") == {
        key: ["c1", "c2"] if letter == "B" else ["c2", "c1"] for key, letter in placed.items()}

    wanted = {key: majority(votes_on(choices, key)) or "c2" for key in paired}
    agrees(run, project, "rating", ratings, level="ordinal")
    agrees(run, project, "preference", choices, level="nominal")
    bundle = bundle_of(run, project, out, run("release", project, "1.0", "--as", OWNER))
    medians = {key: sorted(votes_on(ratings, key))[1] for key in rated}
    assert bundle.of("rating") == medians
    assert bundle.by_text("preference", "responses", ties=("tie",)) == {
        key: _text_of(file, key, value) for key, value in wanted.items()}
    scores = run("score", out, "--baselines")
    assert headline(scores, "accuracy", "rating") == pytest.approx(shares(medians, (1, 2, 3, 4, 5)))
    assert headline(scores, "pairs", "preference") == pytest.approx(sides(bundle, "preference", ("tie",)))


def _text_of(file: Path, key: str, value: str) -> str:
    id, first, second = key.split("-")
    [texts] = [[text for answer in row["answers"] for text in answer["text"]] for row in lines(file)
               if str(row["question_id"]) == id]
    return {"c1": texts[int(first) - 1], "c2": texts[int(second) - 1]}.get(value, value)
