"""A sitting from its first screen to its last by real keys: what was pressed is what the store holds."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import sqlite3
import subprocess
import sys

import pytest
import shiboken6
from PIL import Image
from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from annotation import items, people, protocol
from annotation.errors import Refused
from annotation.store.opening import create
from app import cli
from app.parts.focus import stops as stops_of
from app.stage.kiosk import Stage, Wanted
from app.stage.on_screen import screen_of, screen_under
from app.stage.screens.card import CardScreen
from app.stage.screens.last import LastScreen
from app.stage.self_test import SelfTest, ShownTest, heard, spread
from app.stage.speaking import words_in
from app.stage.words_window import WordsWindow
from studies import sittings
from studies.facts import Event, TrialRecord
from tests import study_world as world
from tests.conftest import ROOT
from tests.participant import House
from tests.x_keys import injector

STUDY = """\
id: seen-and-helped
version: 1
title: Seen and helped
protocol: puzzles
question: fits
items: {where: {use: [main, practice, attention]}}
correct: {field: right}
conditions:
  - {name: bare, shows: [text]}
  - {name: helped, shows: [text, hint]}
strata: [kind]
task: kind
people: 4
blocks: {count: 2}
practice: {where: {use: [practice]}, items: 2, correct: 2, tries: 2}
attention: {where: {use: [attention]}, every: 3, allowed: 0}
trial:
  fixation: 0.02
  gap: [0.02, 0.03]
  deadline: 5
  confidence: {text: How sure are you?, levels: [Guessed, Rather sure, Certain]}
answers: {keys: [[f, j]]}
languages:
  en: {consent: Will you?, instructions: [Look., Answer.], break: A break., debrief: It was about help.}
  de: {consent: Wollen Sie?, instructions: [Schauen.], debrief: Danke.}
demographics:
  - {name: age, text: How old are you?, kind: number, minimum: 18, maximum: 99}
  - {name: hand, text: Which hand?, kind: choice, options: [Left, Right]}
calibration: {card: true, distance: true}
seed: 5
"""
BEFORE = {"calibration": lambda one: [one.press("space"), one.say("62"), one.press("return")],
          "demographics": lambda one: [one.say("34"), one.press("return"), one.press("2")]}


def make(place):
    store = world.make(place, n=4)
    with store.write() as session:
        world.add_items(session, ["look-1"], by=world.who(session, "demo"), use="attention")
    return store


@pytest.fixture
def house(qapp, tmp_path):
    made = House(tmp_path / "P.goldsmith", STUDY, make)
    yield made
    made.close()


def facts_of(house, sitting):
    with house.store.read() as session:
        return sittings.facts(session, sitting)


def view_of(house, number=0):
    with house.store.read() as session:
        return sittings.of_study(session, house.study)[number]


def records(facts):
    return [fact for fact in facts if isinstance(fact, TrialRecord)]


def event(facts, kind):
    return next(fact for fact in facts if isinstance(fact, Event) and fact.kind == kind)


COMMENT = {"debrief": lambda one: [one.press("2"), one.say("a call"), one.press("tab"), one.press("return")]}


def test_a_whole_sitting_by_keys_is_kept_as_it_was_pressed(house, qtbot):
    whole(house, house.sit(qtbot, does={**BEFORE, **COMMENT}))


@pytest.mark.xvfb
def test_a_whole_sitting_by_the_keys_of_an_x_server_full_screen(house, qtbot):
    with injector() as hands:
        if hands is None:
            pytest.skip("no keys can be pressed: libXtst is not installed")
        sitter = house.sit(qtbot, does={**BEFORE, **COMMENT}, hands=hands, full_screen=True, method=None, frames=120,
                           timeout=120_000)
    kept = whole(house, sitter)
    answered = [one for one in records(kept)]
    assert {one.quality["key_time_source"] for one in answered} == {"event"}
    assert not [one for one in answered if one.quality["extra_keys"] or one.quality["early_keys"]]


def whole(house, sitter):
    """Everything of the sitting is as it was pressed; returns its facts."""
    assert sitter.ended == "completed"
    kept = facts_of(house, sitter.stage.sitting)
    shown = records(kept)
    planned = {(b, p): trial for b, p, trial in sitter.runner.plan.each()}
    assert [(one.block, one.position) for one in shown] == list(planned)
    for one, (block, position, key) in zip(shown, sitter.pressed, strict=True):
        trial = planned[block, position]
        assert (one.block, one.position, one.outcome) == (block, position, "answered")
        assert one.response == trial.options[trial.keys.index(key)] == trial.correct
        assert one.quality["response_key"] == key and one.quality["response_device"] == "keyboard"
        assert 0 <= one.rt_us <= one.rt_receipt_us < 5_000_000
        in_earnest = sitter.runner.plan.blocks[block].kind == "main"
        assert one.quality.get("confidence") == (2 if in_earnest else None)
    assert {trial.condition for trial in planned.values()} == {"bare", "helped"}
    assert {trial.kind for trial in planned.values()} == {"practice", "main", "attention"}
    assert event(kept, "consent").data["agreed"] is True
    assert event(kept, "demographics").data == {"age": 34, "hand": "Right"}
    assert event(kept, "calibration").data["distance_cm"] == 62
    assert event(kept, "calibration").data["px_per_mm"] > 1
    assert event(kept, "debrief").data == {"went_wrong": True, "comment": "a call"}
    assert event(kept, "started").data["onset_method"] == sitter.stage.trials.method
    assert event(kept, "break_over").data["by"] == "key"
    assert [fact.kind for fact in kept if isinstance(fact, Event)].count("display_check") == 3
    view = view_of(house)
    assert (view.state, view.done, view.planned, view.pilot) == ("completed", view.planned, view.planned, False)
    return kept


# --- other ends -------------------------------------------------------------------------------------------------

SHORT = """\
id: short
version: 1
title: Short
protocol: puzzles
question: fits
items: {where: {use: [main]}}
correct: {field: right}
conditions:
  - {name: bare, shows: [text]}
  - {name: helped, shows: [text, hint]}
per_person: 2
people: 4
trial: {fixation: 0.02, gap: [0.02, 0.03], deadline: 20}
answers: {keys: [[f, j]]}
languages:
  en: {consent: Will you?, instructions: [Look.], debrief: It was about help.}
seed: 5
"""


@pytest.fixture
def short(qapp, tmp_path):
    made = House(tmp_path / "P.goldsmith", SHORT, lambda place: world.make(place, n=4))
    yield made
    made.close()


def leaves(one):
    """Esc twice on what is shown."""
    one.press("esc")
    QTimer.singleShot(50, one, lambda: one.press("esc"))  # in less than 2 ms it is a key that repeats


def stops(one):
    """On the page that asks: a reason, then the button that stops."""
    next(part for part in stops_of(one.stage.words.screen_shown()) if isinstance(part, QLineEdit)).setFocus()
    one.say("unwell")
    for key in ("return", "return"):
        one.press(key)


def test_who_declines_is_shown_nothing_and_keeps_nothing_but_that(short, qtbot):
    sitter = short.sit(qtbot, does={"consent": ["2"]})
    kept = facts_of(short, sitter.stage.sitting)
    assert sitter.ended == view_of(short).state == "withdrawn" and "sorry" in sitter.points
    assert not records(kept) and not event(kept, "refused_consent").data["agreed"]


def test_a_pilot_is_kept_apart_and_takes_no_place(short, qtbot):
    sitter = short.sit(qtbot, pilot=True)
    assert sitter.ended == "completed" and view_of(short).pilot
    with short.store.read() as session:
        counted = sittings.counts(session, short.study)
    assert (counted.completed, counted.pilots) == (0, 1)


def test_practice_that_is_not_passed_is_done_again_and_then_ends_with_thanks(house, qtbot):
    wrong = {"yes": "j", "no": "f"}
    sitter = house.sit(qtbot, does=BEFORE, answer=lambda planned: wrong[planned.correct])
    kept = facts_of(house, sitter.stage.sitting)
    assert sitter.ended == "excluded" and view_of(house).reason == "practice_failed"
    assert sitter.points.count("practice_begin") == 2 and sitter.points[-1] == "sorry"
    assert all(sitter.runner.plan.blocks[one.block].kind == "practice" for one in records(kept))
    assert "confidence" not in sitter.points


def test_psychopy_1562_and_1497_leaving_early_by_esc_loses_nothing_that_was_answered(short, qtbot):
    """psychopy#1562: nothing is written where it ends early; #1497: Esc, and no file; #1115: Esc adds nonsense."""
    turns = iter([None, leaves])

    def second_leaves(one):
        turn = next(turns)
        one.answer() if turn is None else turn(one)

    sitter = short.sit(qtbot, does={"onset": second_leaves, "leave": stops})
    kept = facts_of(short, sitter.stage.sitting)
    assert sitter.ended == "aborted" and view_of(short).reason == "unwell"
    first, second = records(kept)
    assert (first.outcome, first.response is not None) == ("answered", True)
    assert (second.outcome, second.response, second.rt_us) == ("aborted", None, None)
    assert event(kept, "aborted").data == {"by": "participant", "reason": "unwell"}
    assert set(second.quality) <= set(first.quality), "a trial that was broken off has no columns of its own"


def test_who_only_wanted_to_look_whether_he_can_stop_goes_on_where_he_was(short, qtbot):
    turns = iter([leaves])

    def first_leaves(one):
        turn = next(turns, None)
        turn(one) if turn else one.answer()

    sitter = short.sit(qtbot, does={"onset": first_leaves, "leave": ["esc"]})
    assert sitter.ended == "completed"
    assert [one.outcome for one in records(facts_of(short, sitter.stage.sitting))] == ["aborted", "answered"]


@pytest.mark.parametrize("at", ["onset", "display_check"])
def test_one_esc_before_the_trials_is_asked_about_when_nothing_is_timed(short, qtbot, at):
    turns = iter([True])

    def once(one):
        if next(turns, False):
            one.press("esc")
        if at == "onset":
            one.answer()

    sitter = short.sit(qtbot, does={at: once, "leave": ["esc"]})
    kept = facts_of(short, sitter.stage.sitting)
    assert sitter.ended == "completed" and sitter.points.count("leave") == 1
    assert (sitter.points.index("leave") > sitter.points.index("before_ack")) == (at == "onset")
    assert {one.outcome for one in records(kept)} == {"answered"}
    assert [one.quality["escape_keys"] for one in records(kept)] == [int(at == "onset")] + [0] * (
        len(records(kept)) - 1)
    assert event(kept, "escape_key")


def test_who_pressed_esc_once_can_stop_when_the_trial_is_over_and_the_trial_is_kept(short, qtbot):
    sitter = short.sit(qtbot, does={"onset": lambda one: [one.press("esc"), one.answer()], "leave": stops})
    kept = facts_of(short, sitter.stage.sitting)
    (only,) = records(kept)
    assert sitter.ended == "aborted" and only.outcome == "answered" and only.rt_us is not None


def test_an_experimenter_ends_a_sitting_and_says_why(short, qtbot):
    way_out = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    sitter = short.sit(qtbot, does={"block_begin": lambda one: one.press("e", way_out), "leave": stops})
    assert sitter.ended == "aborted"
    said = event(facts_of(short, sitter.stage.sitting), "aborted").data
    assert said == {"by": "experimenter", "reason": "unwell"}


def test_jspsych_3573_a_sitting_that_broke_off_goes_on_after_instructions_and_repeats_nothing(short, qtbot):
    """jsPsych#3573, lab.js#227, OpenSesame#57: a crash loses the sitting; resuming blindly a day later is wrong."""
    turns = iter([None])

    def then_crash(one):
        if next(turns, "crash") is None:
            one.answer()
        else:
            one.stage.runner.deleteLater()  # as a program that is gone: it says nothing, and ends nothing
            one.stage.trials.close()
            one.stage.words.close_for_good()
            one.ended = "gone"

    sitter = short.sit(qtbot, does={"onset": then_crash})
    sitting = sitter.stage.sitting
    assert view_of(short).state == "open" and len(records(facts_of(short, sitting))) == 1
    again = short.sit(qtbot, resume=True)
    assert again.ended == "completed" and again.stage.sitting == sitting
    assert again.points[0] == "resume" and again.points.count("onset") == 1
    first, second = records(facts_of(short, sitting))
    assert (first.position, second.position, second.attempt) == (0, 1, 2)
    assert second.quality["resumed"] is True and "resumed" not in first.quality


def test_jspsych_2050_nothing_more_is_shown_until_the_answer_is_on_disk(short, qtbot):
    """jsPsych#2050: sent on before the data were there. Here another program holds the store for a while."""
    holding = []

    def hold(one):
        if not holding:
            other = sqlite3.connect(short.store.folder / "project.db", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            holding.append(other)
        one.answer()

    def let_go_and_try_again(one):
        assert "This could not be saved" in one.stage.words.screen_shown().accessibleName()
        assert len(records(one.runner.facts)) == 0, "the screen after it is not shown"
        holding[0].execute("ROLLBACK")
        holding[0].close()
        one.press("return")

    sitter = short.sit(qtbot, does={"onset": hold, "not_kept": let_go_and_try_again})
    assert sitter.ended == "completed" and "not_kept" in sitter.points
    shown = records(facts_of(short, sitter.stage.sitting))
    assert [one.outcome for one in shown] == ["answered"] * 2


def test_where_there_are_several_languages_the_first_screen_asks(house, qtbot):
    stage = house.stage(language="")
    stage.open()
    qtbot.waitUntil(lambda: stage.words.screen_shown() is not None)
    began = []
    stage.began.connect(began.append)
    qtbot.waitUntil(stage.words.isActiveWindow)
    QTest.keyClick(stage.words.focusWidget(), Qt.Key.Key_2)
    qtbot.waitUntil(lambda: bool(began) and began[0].due is not None)
    assert began[0].plan.language == "de"
    qtbot.waitUntil(lambda: stage.words.screen_shown() is not None)
    assert "Wollen Sie?" in " ".join(part.accessibleName() for part in stage.words.findChildren(QWidget))
    stage.trials.close()
    stage.words.close_for_good()


def test_a_study_that_is_not_there_is_said_on_the_screen_and_to_the_command_line(short, qtbot):
    stage = Stage(short.jobs, Wanted("nothing"), by=short.by, full_screen=False)
    ended = []
    stage.ended.connect(ended.append)
    stage.open()
    qtbot.waitUntil(lambda: stage.words.screen_shown() is not None)
    assert "short" in str(stage.refused)
    QTest.keyClick(stage.words.screen_shown(), Qt.Key.Key_Return)
    assert ended == [""]
    stage.deleteLater()


# --- the command line -------------------------------------------------------------------------------------------

def test_opensesame_480_a_sitting_that_was_not_completed_is_not_reported_as_success(short, qtbot, capsys):
    """OpenSesame#480: a hard crash was reported as success. Here somebody declines: exit code 1, and the state."""
    project = str(short.store.folder)
    short.close()
    timer = QTimer()
    timer.timeout.connect(decline)
    timer.start(20)
    code = cli.main(["study", "run", project, "short", "--as", "eve", "--participant", "p-17", "--json"])
    timer.stop()
    told = json.loads(capsys.readouterr().out)
    assert code == 1 and told["ok"] is False
    assert (told["participant"], told["state"], told["done"]) == ("p-17", "withdrawn", 0)


def decline():
    """Press 2 and Return on whatever screen of words is in front."""
    for window in QApplication.topLevelWidgets():
        if isinstance(window, WordsWindow) and window.screen_shown() is not None and window.focusWidget() is not None:
            last = isinstance(window.screen_shown(), LastScreen)
            QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return if last else Qt.Key.Key_2)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
@pytest.mark.parametrize("words", [("run", "P.goldsmith", "short"), ("self-test",)])
def test_without_a_display_nothing_is_begun(words):
    env = {name: value for name, value in os.environ.items() if name not in cli.DISPLAYS}
    done = subprocess.run([sys.executable, "-m", "app", "study", *words, "--json"], capture_output=True, text=True,
                          env=env, cwd=ROOT, check=False)
    assert done.returncode == 3 and json.loads(done.stdout)["error"]["code"] == "no_display"


def test_the_self_test_presses_keys_times_frames_and_loses_none(qapp, capsys):
    code = cli.main(["study", "self-test", "--frames", "30", "--keys", "10", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["keys"]["sent"] == 10 and told["keys"]["lost"] == 0 and told["frames"]["frames"] == 30
    assert (code == 0) is told["good"] and told["verdict"]
    assert ["Keys pressed, lost", "10, 0"] in told["table"]
    errors = told["keys"]["stamp_ms"]
    assert abs(errors["mean"]) <= errors["p95"] <= errors["max"]
    assert f"95 % are off by at most {errors['p95']:.1f} ms" in told["verdict"]


@pytest.mark.parametrize("errors, said", [
    ([0.5] * 95 + [2.0] * 4 + [-8.0], "good: the mean error is 0.5 ms, and 95 % are off by at most 0.5 ms."),
    ([-0.5] * 9 + [8.0], "good: the mean error is 0.3 ms, and 95 % are off by at most 8.0 ms."),
    ([-5.0] * 20, "good enough for answers of a second and more: the mean error is −5.0 ms, and 95 % are off by at "
                  "most 5.0 ms."),
    ([40.0] * 20, "far off: the mean error is 40.0 ms, and 95 % are off by at most 40.0 ms.")])
def test_the_verdict_on_keys_says_no_more_than_was_measured(errors, said):
    found = spread(errors)
    assert sum(abs(one) <= found["p95"] for one in errors) >= 0.95 * len(errors)
    assert heard({"sent": len(errors), "lost": 0, "stamp_ms": found}) == f"Times of keys are {said}"


def test_the_self_test_shows_its_table_to_somebody_at_a_window(short, qtbot):
    shown = ShownTest(SelfTest(short.jobs, frames=30, keys=10, full_screen=False, method="raster"))
    with qtbot.waitSignal(shown.ended, timeout=20_000):
        shown.start()
        qtbot.waitUntil(lambda: shown.window.screen_shown() is not None, timeout=20_000)
        QTest.keyClick(shown.window.screen_shown(), Qt.Key.Key_Return)
    shown.deleteLater()


def test_the_self_test_of_a_sitting_is_kept_with_it(short, qtbot):
    sitter = short.sit(qtbot, self_test=True, does={"consent": ["2"]})
    kept = facts_of(short, sitter.stage.sitting)
    assert [fact.kind for fact in kept][:2] == ["self_test", "started"]
    assert kept[0].data["keys"]["lost"] == 0 and kept[0].data["frames"]["method"] == "raster_flush"


# --- pictures ---------------------------------------------------------------------------------------------------

def with_pictures(place):
    """Every item in earnest shows a picture, each a file of its own."""
    store = create(place, protocol=protocol.loads(world.PROTOCOL.replace(
        "questions:", "  - {name: picture, kind: image, label: Picture}\nquestions:")), title="P", owner="demo")
    with store.write() as session:
        owner = people.find(session, "demo").id
        people.add(session, "eve", roles=["experimenter"], by=owner)
        rows, kept = [], {}
        for n in range(4):
            put = store.media.put(png((40 * n, 90, 200)), name=f"{n}.png")
            kept[put.sha256] = put
            rows.append(items.CandidateItem(
                key=f"a{n}", fields={"text": f"text {n}", "kind": "flat", "use": "main",
                                     "picture": {"sha256": put.sha256, "path": f"{n}.png"}},
                secret={"right": "yes"}, media=(("picture", "", put.sha256, f"{n}.png"),)))
        items.upsert(session, rows, by=owner, media=kept)
    return store


def png(colour):
    out = io.BytesIO()
    Image.new("RGB", (60, 40), colour).save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def pictured(qapp, tmp_path):
    made = House(tmp_path / "P.goldsmith", SHORT.replace("shows: [text]", "shows: [text, picture]").replace(
        "[text, hint]", "[picture]"), with_pictures)
    yield made
    made.close()


def files_of(sitter, house):
    return [house.store.media.path(sha256) for _, view in sorted(sitter.runner.views.items())
            for sha256, _ in view.pictures]


def test_a_picture_that_is_missing_stops_a_sitting_before_anybody_has_begun(pictured, qtbot):
    """jsPsych#1393: half a picture was shown; psychopy PR#5716: another one. Here nothing is shown, and it is said."""
    for file in (pictured.store.folder / "media").rglob("*"):
        if file.is_file():
            file.unlink()
    sitter = pictured.sit(qtbot)
    assert sitter.points == ["cannot_show"] and sitter.ended == "aborted"
    view = view_of(pictured)
    assert "is missing" in view.reason
    with pictured.store.read() as session:
        assert sittings.counts(session, pictured.study).open == 0, "its place is free again"


def test_a_picture_that_goes_away_during_a_sitting_ends_nothing_but_the_trial(pictured, qtbot):
    gone = []

    def answer_and_lose(one):
        if not gone:
            gone.append(files_of(one, pictured)[1])
            gone.append(gone[0].read_bytes())
            gone[0].unlink()
        one.answer()

    sitter = pictured.sit(qtbot, does={"onset": answer_and_lose})
    assert "cannot_show" in sitter.points and sitter.ended == "open"
    gone[0].write_bytes(gone[1])
    again = pictured.sit(qtbot, resume=True)
    assert again.ended == "completed"
    assert {one.outcome for one in records(facts_of(pictured, again.stage.sitting))} <= {"answered", "aborted"}


# --- languages --------------------------------------------------------------------------------------------------

def test_a_german_study_speaks_german_throughout_and_the_program_english_afterwards(house, qtbot):
    seen = []
    sitter = house.sit(qtbot, language="de", does={
        "consent": lambda one: [seen.append(one.stage.words.screen_shown().accessibleName()), one.press("2")]})
    assert sitter.ended == "withdrawn" and seen == ["Möchten Sie teilnehmen?"]
    assert QCoreApplication.translate("ConsentScreen", "Do you want to take part?") == "Do you want to take part?"


@pytest.mark.parametrize("language", [file.stem for file in (ROOT / "resources/stage-words").glob("*.json")])
def test_a_language_of_the_stage_has_every_sentence_with_its_values(language):
    said = words_in(language)
    missing = [text for text in sentences() if text not in said]
    assert not missing
    for text, other in said.items():
        assert set(re.findall(r"{(\w+)}", text)) == set(re.findall(r"{(\w+)}", other)), text


def sentences():
    """What participants may read: every text in ``tr(..)`` of the stage, but for the self-test."""
    for file in (ROOT / "app/stage").rglob("*.py"):
        if file.name in ("self_test.py", "measured.py"):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and "tr" in (getattr(node.func, "attr", ""), getattr(node.func, "id", "")):
                yield from (part.value for part in ast.walk(node.args[0])
                            if isinstance(part, ast.Constant) and isinstance(part.value, str))


def test_the_end_of_a_window_takes_no_screen_along(qapp):
    """PySide makes what ``widget.screen()`` returns a child of the widget: the second sitting found no screen."""
    window = WordsWindow()
    window.show()
    screen = screen_under(window)
    card = CardScreen(parent=window)
    card.show()
    window.close_for_good()
    shiboken6.delete(window)
    assert shiboken6.isValid(screen) and screen_of(1) is screen
    with pytest.raises(Refused, match="no screen 9"):
        screen_of(9)
