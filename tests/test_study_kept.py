"""What a project keeps of studies goes on under newer rules; right answers from gold are looked for when a text is."""

from __future__ import annotations

import hashlib
import json

import pytest
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit
from sqlalchemy import insert

from annotation import items
from annotation.items import CandidateItem
from annotation.protocol_fault_names import Found
from annotation.store.opening import open_store
from annotation.store.tables import StudyVersion
from annotation.store.types import now
from app import cli
from app.pages.studies import reading
from app.pages.studies.words import drawn_rows
from exports.release import draw
from exports.studies.writing import FORMATS, write_study
from studies import keeping, registering, showing, sittings, trial_rows
from studies.reading import StudyError
from studies.summaries import summarise
from tests import small_project as small
from tests import study_world as world
from tests.test_studies_page import studies_page, words
from tests.windows import opened, wait

OLD = {
    "more people than are allowed now": world.STUDY.replace("people: 4", "people: 200000"),
    "a key that is gone": world.STUDY + "music: none\n",
    "a word that is gone": world.STUDY.replace("strata: [kind]", "strata: [kind]\nvary: sometimes"),
    "a part that breaks a rule": world.STUDY.replace("deadline: 20}", "deadline: 20, too_fast: 30}"),
    "a part of another shape": world.STUDY.replace("deadline: 20}", "deadline: 20, least: soon}"),
}
GOLD = """\
id: from-gold
version: 1
title: From gold
protocol: small
question: verdict
correct: {gold: true}
conditions: [{name: bare, shows: [question]}, {name: helped, shows: [question, responses]}]
answers: {keys: [[f, j]]}
languages: {en: {debrief: Thank you.}}
"""


def keep(store, text):
    """As an older program kept it."""
    hash = hashlib.sha256(text.encode()).hexdigest()
    with store.write() as session:
        session.execute(insert(StudyVersion).values(hash=hash, text=text, release=None, at=now()))
    return hash


# --- newer rules ----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("what", OLD)
def test_a_study_from_before_a_rule_is_listed_sat_for_registered_and_exported(tmp_path, what):
    with world.make(tmp_path / "P.goldsmith") as store:
        with pytest.raises(StudyError):
            world.add(store, OLD[what])
        study = keep(store, OLD[what])
        with store.read() as session:
            (view,) = sittings.studies(session)
            assert (view.id, view.title, len(view.findings)) == ("with-help", "With and without help", 1)
            assert view.findings[0].line > 0 and sittings.load(session, study).hash == study
            assert reading.read_one(session, study).drawn.plan is not None
            checked = reading.check(session, OLD[what], kept=True)
            assert checked.faults == view.findings and checked.drawn.plan is not None
        with store.write() as session:
            registering.register(session, study, by=world.who(session))
        for _ in range(2):
            world.sit(store, study)
        with store.read() as session:
            assert showing.find_study(session, "with-help").completed == 2
            assert summarise((sat := trial_rows.read(session, study)).study, sat.rows).people == 2
            assert not registering.deviations(session, study)
            for format in FORMATS:
                assert write_study(session, study, str(tmp_path / format), format=format).rows


def test_what_stands_in_an_old_study_is_taken_as_it_stands_and_not_its_default(tmp_path):
    with world.make(tmp_path / "P.goldsmith") as store:
        many = keep(store, OLD["more people than are allowed now"])
        with store.read() as session:
            study = sittings.load(session, many)
        assert (study.people, study.trial.deadline, study.seed) == (200_000, 20, 11)


def test_the_command_line_lists_what_newer_rules_say(tmp_path, capsys):
    with world.make(tmp_path / "P.goldsmith") as store:
        keep(store, OLD["a key that is gone"])
    assert cli.main(["study", "list", str(tmp_path / "P.goldsmith"), "--as", "eve"]) == 0
    assert f"newer rule, line {len(world.STUDY.splitlines()) + 1}: music" in capsys.readouterr().out


def test_the_page_shows_newer_rules_as_findings_and_lets_people_sit(tmp_path, qtbot, monkeypatch):
    with world.make(tmp_path / "P.goldsmith") as store:
        world.add(store)
    monkeypatch.setattr("studies.reading.study_faults", lambda study: [
        Found(("seed",), "must be a prime")] if study.id == "with-help" else [])
    with opened(tmp_path / "P.goldsmith") as window:
        page = studies_page(window)
        said = words(page)
        assert "These rules are newer than this study" in said and "seed: must be a prime" in said
        assert page.findChild(QAbstractButton, "studies:begin").isEnabled() and "Trials in earnest" in said
        page.findChild(QPlainTextEdit, "studies:text").setPlainText(world.STUDY.replace("version: 1", "version: 2"))
        qtbot.waitUntil(lambda: "Checking the text" not in words(page))
        wait(window)
        assert "These rules are newer" not in words(page) and "must be a prime" in words(page) and not page.can_keep


# --- right answers from gold ----------------------------------------------------------------------------------

@pytest.fixture
def project(tmp_path):
    with small.make(tmp_path) as store:
        small.answer_all(store)
        with store.write() as session:
            draw(session, by=small.owner_of(session))
    return tmp_path / "Small.goldsmith"


def study(capsys, *said):
    code = cli.main(["study", *map(str, said), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_gold_without_a_release_is_a_fault_at_check_and_add_and_on_the_page(project, capsys, tmp_path, qtbot):
    file, named = tmp_path / "s.yaml", tmp_path / "named.yaml"
    file.write_text(GOLD, "utf-8")
    named.write_text(GOLD + "items: {release: '0.1'}\n", "utf-8")
    for where in ((), ("--project", project)):
        code, said = study(capsys, "check", file, *where)
        assert code == 1 and "no release is named" in said["faults"][0]["message"] and said["faults"][0]["line"] == 6
        assert study(capsys, "check", file, "--release", "0.1", *where)[0] == 0
        assert study(capsys, "check", named, *where)[0] == 0
    code, said = study(capsys, "add", project, file)
    assert code != 0 and "no release is named" in said["error"]["message"]
    with opened(project, person="owner-noether") as window:
        page = studies_page(window)
        page.begin_text(GOLD)
        qtbot.waitUntil(lambda: "no release is named" in words(page))
        assert not page.can_keep
        page.findChild(QPlainTextEdit, "studies:text").setPlainText(GOLD + "items: {release: '0.1'}\n")
        qtbot.waitUntil(lambda: page.can_keep)
        assert "Trials in earnest" in words(page) and "Without a right answer" not in words(page)
    assert study(capsys, "add", project, file, "--release", "0.1")[0] == 0
    with open_store(project) as store, store.read() as session:
        (view,) = sittings.studies(session)
        assert reading.check(session, GOLD, kept=True).faults == (), "it was added with a release"
        assert reading.read_one(session, view.hash).drawn.plan is not None


def test_items_without_a_right_answer_are_counted_beside_the_text(tmp_path):
    with world.make(tmp_path / "P.goldsmith", n=4) as store:
        with store.write() as session:
            items.upsert(session, [CandidateItem(key="bare", fields={"text": "x", "kind": "flat", "use": "main"},
                                                 tags=(("kind", "flat"), ("use", "main")))],
                         by=world.who(session, "demo"))
        with store.read() as session:
            checked = reading.check(session, world.STUDY)
        assert ("Without a right answer", "1") in drawn_rows(checked.study, checked.drawn)


def test_gold_that_the_release_does_not_have_is_a_fault(tmp_path, capsys):
    text = small.PROTOCOL.replace("  verdict: {rule: majority, min_people: 2}\n", "").replace(
        "  outcome: {from: gold}\n", "").replace("{metric: accuracy, question: verdict}, ", "")
    with small.make(tmp_path, text=text) as store:
        small.answer_all(store)
        with store.write() as session:
            draw(session, by=small.owner_of(session))
            with pytest.raises(StudyError, match="the release has no gold of 'verdict'"):
                keeping.add(session, GOLD, by=small.owner_of(session), release="0.1")
