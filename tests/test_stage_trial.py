"""The window of timed trials: what stands on the screen, which keys and presses answer, and what is told of trouble."""

from __future__ import annotations

import gc
import math

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QCursor, QKeyEvent, QWindow
from PySide6.QtTest import QTest

from app import theme
from app.stage import compose
from studies.model_parts import Reveal, TrialSpec
from studies.timing import Clocks, monotonic_us
from tests.trial_stage import FOUR, PATIENCE_MS, Pictures, picture, stage, text, view


@pytest.fixture(autouse=True)
def _look(qapp):
    theme.apply(qapp, "light", 1.0)


@pytest.fixture
def media(tmp_path):
    return Pictures(tmp_path)


@pytest.fixture
def one(qtbot, media):
    with stage(qtbot, media) as made:
        yield made


def press(stage, key, *, release=True):
    QTest.keyPress(stage.window.surface, key)
    if release:
        QTest.keyRelease(stage.window.surface, key)


# --- answers ----------------------------------------------------------------------------------------------------

def test_a_key_answers_and_its_time_is_counted_from_the_onset(one, media):
    run = one.play(view(picture(media.draw(300, 200)), options=FOUR))
    press(one, Qt.Key.Key_3)
    record = one.record()
    assert (record.outcome, record.response) == ("answered", "v2")
    assert record.quality["response_device"] == "keyboard"
    assert record.quality["onset_method"] == one.window.method
    assert record.quality["preload_us"] > 0
    assert record.quality["onset_frame_interval_us"] > 0
    assert record.quality["dropped_frames"] >= 0
    onset = next(at for name, at in one.swaps if name == "screen:1")
    assert run.onset_us == onset
    assert 0 <= record.rt_us <= record.rt_receipt_us < PATIENCE_MS * 1000
    assert one.points == ["fixation", "preload", "onset", "key_down"]


def test_a_key_of_no_option_is_counted_and_answers_nothing(one, media):
    one.play(view(text("words")))
    press(one, Qt.Key.Key_9)
    press(one, Qt.Key.Key_1)
    record = one.record()
    assert (record.response, record.quality["extra_keys"]) == ("v0", 1)
    assert [event.kind for event in one.events] == ["extra_key"]


def test_a_key_held_from_one_trial_to_the_next_answers_only_the_first(one):
    # psychopy#6853: the response time went to the wrong trial where a key was held across trials.
    shown = view(text("words"))
    one.play(shown)
    press(one, Qt.Key.Key_1, release=False)
    assert one.record().response == "v0"
    one.play(shown)
    press(one, Qt.Key.Key_1, release=False)
    press(one, Qt.Key.Key_2)
    record = one.record()
    assert (record.response, record.quality["held_keys"]) == ("v1", 1)


def test_a_key_that_went_down_in_another_window_answers_nothing_by_its_repeats(one):
    one.play(view(text("words")))
    QCoreApplication.sendEvent(one.window.surface, QKeyEvent(
        QEvent.Type.KeyPress, Qt.Key.Key_1, Qt.KeyboardModifier.NoModifier, "1", True))
    assert not one.records
    press(one, Qt.Key.Key_2)
    assert one.record().quality["held_keys"] == 1


def test_the_deadline_ends_a_trial_and_takes_the_stimulus_away(one, media):
    one.play(view(picture(media.draw(300, 200))), TrialSpec(deadline=0.1))
    record = one.record()
    assert (record.outcome, record.response, record.rt_us) == ("timeout", None, None)
    shown = [name for name, _ in one.swaps]
    assert shown.index("blank", shown.index("screen:1")) > 0


def test_esc_twice_aborts_and_once_does_not(one, qtbot):
    one.play(view(text("words")))
    press(one, Qt.Key.Key_Escape)
    qtbot.wait(20)
    assert not one.records
    with qtbot.waitSignal(one.window.abort_asked, timeout=PATIENCE_MS):
        press(one, Qt.Key.Key_Escape)
    record = one.record()
    assert record.outcome == "aborted" and record.quality["escape_keys"] == 2


def test_one_esc_draws_nothing_leaves_the_time_alone_and_is_counted(one, qtbot):
    one.play(view(text("words")))
    before, swaps = one.grab(), len(one.swaps)
    press(one, Qt.Key.Key_Escape)
    qtbot.wait(20)
    assert one.grab() == before and {name for name, _ in one.swaps[swaps:]} <= {"screen:1"} and not one.records
    press(one, Qt.Key.Key_1)
    record = one.record()
    assert (record.outcome, record.response, record.quality["escape_keys"]) == ("answered", "v0", 1)
    assert record.quality["extra_keys"] == record.quality["early_keys"] == 0


# --- what stands on the screen ----------------------------------------------------------------------------------

def test_at_its_onset_the_screen_shows_the_composed_frame_to_the_pixel(one, media):
    # psychopy#4757, PR#5716: the first use did not show the image; jsPsych#1393: one was shown half transmitted;
    # jsPsych#1548, #2926: preloaded ones were loaded again and flashed.
    shown = view(picture(media.draw(640, 400)), options=FOUR)
    wanted = compose.frames(shown, media, one.window.device, None).images["screen:1"]
    grabbed = []
    one.window.reached.connect(lambda point: grabbed.append(one.grab()) if point == "onset" else None)
    one.play(shown)
    assert grabbed[0].convertToFormat(wanted.format()) == wanted
    press(one, Qt.Key.Key_1)
    one.record()


def test_nothing_is_put_between_fixation_and_stimulus(one, media):
    # jsPsych#218: a gap that was a default delayed the image.
    one.play(view(picture(media.draw(300, 200))), fixation=0.1)
    fixed, shown = (next(at for name, at in one.swaps if name == wanted) for wanted in ("fixation", "screen:1"))
    assert 99_000 <= shown - fixed < 300_000
    press(one, Qt.Key.Key_1)
    one.record()


def test_a_trial_may_begin_before_its_pictures_are_there_and_waits_for_them(one, media):
    shown = view(picture(media.draw(2000, 1500)))
    one.window.prepare(shown)
    one.run(shown, fixation=0.001, ready=False)
    one.qtbot.waitUntil(lambda: "onset" in one.points, timeout=PATIENCE_MS)
    press(one, Qt.Key.Key_2)
    assert one.record().quality["preload_us"] > 0
    assert one.points[:3] == ["fixation", "preload", "onset"]


def test_a_staged_trial_reveals_its_screens_and_counts_from_the_last(one, media):
    names = [{"question"}, {"question", "image"}, {"question", "image", "options"}]
    shown = view(picture(media.draw(300, 200)), screens=names, goes_on=[1])
    spec = TrialSpec(reveal=(Reveal(shows=("question",)), Reveal(shows=("fields",), seconds=0.1),
                             Reveal(shows=("options",))))
    one.prepare(shown)
    run = one.run(shown, spec)
    one.qtbot.waitUntil(lambda: any(name == "screen:1" for name, _ in one.swaps), timeout=PATIENCE_MS)
    press(one, Qt.Key.Key_1)
    press(one, Qt.Key.Key_Space)
    one.qtbot.waitUntil(lambda: "onset" in one.points, timeout=PATIENCE_MS)
    press(one, Qt.Key.Key_2)
    record = one.record()
    assert (record.response, record.quality["early_keys"], len(record.quality["screens_us"])) == ("v1", 1, 3)
    first = {name: at for name, at in reversed(one.swaps)}
    assert first["screen:3"] - first["screen:2"] >= 99_000
    assert run.onset_us == first["screen:3"]


def test_the_first_trial_is_warmed_up(one, qtbot):
    # Rigbox#45: logs were incomplete unless five seconds of warming up came first.
    with qtbot.waitSignal(one.window.warmed, timeout=PATIENCE_MS) as warmed:
        one.window.warm_up(60)
    assert warmed.args[0].frames == 60
    assert {name for name, _ in one.swaps} == {"blank", "fixation", "dummy"}
    with qtbot.waitSignal(one.window.measured, timeout=PATIENCE_MS) as measured:
        one.window.measure(40)
    seen = measured.args[0]
    assert seen.frames == 40
    assert seen.median_us > 0
    with qtbot.waitSignal(one.window.key_pressed, timeout=PATIENCE_MS) as key:
        press(one, Qt.Key.Key_F)
    assert key.args == ["f"]


# --- quiet ------------------------------------------------------------------------------------------------------

def test_in_a_trial_no_rubbish_is_collected_and_no_long_job_runs(one):
    ran = []
    one.play(view(text("words")))
    assert not gc.isenabled()
    one.jobs.work(one.window, lambda _progress, _cancelled: ran.append(1))
    one.qtbot.wait(100)
    assert not ran
    press(one, Qt.Key.Key_1)
    one.record()
    assert gc.isenabled()
    one.qtbot.waitUntil(lambda: bool(ran), timeout=PATIENCE_MS)


# --- troubles ---------------------------------------------------------------------------------------------------

def test_keys_typed_elsewhere_answer_nothing_and_the_lost_focus_is_told(one, qtbot):
    # psychopy#1731: another window took the focus; psychopy_tobii_infant#8: keys went into the editor.
    one.play(view(text("words")))
    other = QWindow()
    other.show()
    other.requestActivate()
    qtbot.waitUntil(other.isActive, timeout=PATIENCE_MS)
    press(one, Qt.Key.Key_1)  # an event on the way while the focus is elsewhere
    QTest.keyClick(other, Qt.Key.Key_1)
    assert not one.records
    other.close()
    with qtbot.waitSignal(one.window.opened, timeout=PATIENCE_MS):
        one.window.bring_forward()
    press(one, Qt.Key.Key_2)
    record = one.record()
    assert (record.response, record.quality["flags"]) == ("v1", ["focus_lost"])
    assert record.quality["focus_lost_us"] > 0
    assert [event.kind for event in one.events] == ["focus_lost", "focus_back"]


def test_a_trial_that_begins_without_the_focus_says_so(one, qtbot):
    other = QWindow()
    other.show()
    other.requestActivate()
    qtbot.waitUntil(other.isActive, timeout=PATIENCE_MS)
    one.play(view(text("words")), TrialSpec(deadline=0.05))
    assert "focus_lost" in one.record().quality["flags"]
    other.close()


def test_a_minimised_window_pauses_the_trial_where_the_study_says_so(one):
    one.play(view(text("words")), policy="pause")
    one.window.surface.showMinimized()
    record = one.record()
    assert record.outcome == "aborted"
    assert "paused" in record.quality["flags"]


def test_another_scale_of_the_screen_is_told(one):
    one.play(view(text("words")), TrialSpec(deadline=0.1))
    QCoreApplication.sendEvent(one.window.surface, QEvent(QEvent.Type.DevicePixelRatioChange))
    assert one.record().quality["flags"] == ["scale_changed"]


def test_a_window_that_no_longer_fills_the_screen_is_told(qtbot, media):
    with stage(qtbot, media, full_screen=True) as one:
        one.play(view(text("words")), TrialSpec(deadline=0.1))
        one.window.surface.showNormal()
        assert one.record().quality["flags"] == ["full_screen_left"]


def test_a_machine_that_slept_within_a_trial_is_told(qtbot, media):
    slept = [0]
    clocks = Clocks(boot=lambda: monotonic_us() + slept[0], wall=lambda: monotonic_us() + slept[0])
    with stage(qtbot, media, clocks=clocks) as one:
        one.play(view(text("words")))
        slept[0] = 3_600_000_000
        press(one, Qt.Key.Key_1)
        record = one.record()
    assert record.quality["flags"] == ["suspended"]
    assert abs(record.quality["suspended_us"] - 3_600_000_000) < 1000


def test_a_wish_to_close_the_window_is_a_wish_to_leave_and_closes_nothing(one, qtbot):
    one.play(view(text("words")))
    with qtbot.waitSignal(one.window.abort_asked, timeout=PATIENCE_MS):
        one.window.surface.close()
    assert one.record().outcome == "aborted"
    assert one.window.surface.isVisible()


# --- the pointer ------------------------------------------------------------------------------------------------

def test_the_pointer_begins_equally_far_from_every_option_and_its_press_answers(one, media):
    shown = view(picture(media.draw(300, 200)), options=FOUR, pointer=True)
    frames = compose.frames(shown, media, one.window.device, None)
    x, y = frames.home
    far = [math.hypot(t.x + t.width / 2 - x, t.y + t.height / 2 - y) for t in frames.targets]
    assert max(far) - min(far) < 1
    one.play(shown)
    at = one.window.surface.mapFromGlobal(QCursor.pos())
    assert abs(at.x() - x) <= 1
    assert abs(at.y() - y) <= 1
    QTest.mouseClick(one.window.surface, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
    assert not one.records  # on no option
    target = frames.targets[2]
    QTest.mouseClick(one.window.surface, Qt.MouseButton.LeftButton,
                     pos=QPoint(round(target.x + 5), round(target.y + 5)))
    record = one.record()
    assert (record.response, record.quality["response_device"]) == ("v2", "pointer")
    assert record.quality["pointer_recentred"]


def test_without_pointer_answers_a_press_does_nothing_and_no_pointer_is_seen(one):
    one.play(view(text("words")))
    QTest.mouseClick(one.window.surface, Qt.MouseButton.LeftButton, pos=QPoint(640, 400))
    assert one.window.surface.cursor().shape() == Qt.CursorShape.BlankCursor
    assert not one.records
    press(one, Qt.Key.Key_1)
    one.record()
