"""Screens of words of a sitting: each by its keys alone, and what each says of itself is what is kept."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app import theme
from app.parts.focus import stops
from app.parts.text import WrapLabel
from app.stage.screens.ask import AskScreen
from app.stage.screens.begin import BeginScreen
from app.stage.screens.card import CARD_MM, Card, CardScreen
from app.stage.screens.consent import ConsentScreen, text_hash
from app.stage.screens.debrief import DebriefScreen
from app.stage.screens.fault import FaultScreen
from app.stage.screens.language import LanguageScreen
from app.stage.screens.last import LastScreen
from app.stage.screens.leave import LeaveScreen
from app.stage.screens.measured import MeasuredScreen
from app.stage.screens.pages import PagesScreen
from app.stage.screens.rating import RatingScreen
from app.stage.screens.rest import BreakScreen
from app.stage.screens.verdict import VerdictScreen
from app.stage.words_window import WordsWindow
from studies.model_parts import FREE_TEXT

LONG = "\n\n".join(["You may stop at any time, without a reason and without any loss, whatever it is."] * 40)
LEVELS = ("Guessed", "Not sure", "Certain")
ALL = {
    "language": lambda: LanguageScreen(("en", "de")),
    "consent": lambda: ConsentScreen("We keep your answers and their times."),
    "long consent": lambda: ConsentScreen(LONG),
    "card": CardScreen,
    "number": lambda: AskScreen("How old are you?", kind="number", unit="years", minimum=18, maximum=120),
    "choice": lambda: AskScreen("Which hand do you write with?", kind="choice", options=("Left", "Right", "Both")),
    "text": lambda: AskScreen("What did you study?"),
    "pages": lambda: PagesScreen("How it goes", ("First.", "Second, and " + LONG[:400]), keys=("f", "j"),
                                 words=("Yes, the same", "No, another one")),
    "begin": lambda: BeginScreen("Practice first", text="Try it.", said=["4 trials"], keys=("1", "2", "3", "4")),
    "break": lambda: BreakScreen(36, 72),
    "verdict": lambda: VerdictScreen(False, was="Yes, the same"),
    "rating": lambda: RatingScreen("How sure are you?", LEVELS),
    "debrief": lambda: DebriefScreen("We wanted to know whether it helps."),
    "last": lambda: LastScreen("Thank you", "You may close this window."),
    "leave": LeaveScreen,
    "fault": lambda: FaultScreen("This could not be saved", "The disk is full.", "Call somebody.", again="Try again"),
    "measured": lambda: MeasuredScreen("All is well.", [("Frames", "300"), ("Keys", "100")], good=True),
}


@pytest.fixture
def window(qtbot):
    made = WordsWindow(pilot=True)
    qtbot.addWidget(made, before_close_func=lambda window: window.close_for_good())
    made.resize(1280, 720)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def shown(window, qtbot):
    """``shown(screen)``: on the window, laid out, and a list that fills with what it says."""
    def put(screen):
        said = []
        window.show_screen(screen, said.append)
        qtbot.waitUntil(lambda: screen.isVisible() and screen.width() == window.width())
        QTest.qWait(1)
        return said

    return put


@pytest.fixture
def text_size(qapp):
    yield lambda percent: theme.apply(qapp, "light", percent / 100)
    theme.apply(qapp, "light", 1.0)


def press(key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def type_in(text):
    QTest.keyClicks(QApplication.focusWidget(), text)


# --- consent ----------------------------------------------------------------------------------------------------

def test_consent_is_given_by_its_own_key_and_keeps_which_wording_it_was_given_to(shown):
    screen = ConsentScreen("We keep your answers.", language="en")
    said = shown(screen)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Y):
        QTest.keyClick(screen, key)
    QTest.keyClick(screen, Qt.Key.Key_Space)
    assert not said
    press(Qt.Key.Key_1)
    assert said[0]["agreed"] and said[0]["text_sha256"] == text_hash("We keep your answers.")
    assert said[0]["language"] == "en" and said[0]["utc"].endswith("+00:00")


def test_nobody_agrees_to_a_text_before_its_end_was_to_be_seen(shown):
    screen = ConsentScreen(LONG)
    said = shown(screen)
    press(Qt.Key.Key_1)
    assert not said and "Read to the end first." in words_of(screen)
    for _ in range(40):
        QTest.keyClick(screen, Qt.Key.Key_PageDown)
    press(Qt.Key.Key_1)
    assert said and said[0]["agreed"]


def test_one_may_decline_at_once(shown):
    said = shown(ConsentScreen(LONG))
    press(Qt.Key.Key_2)
    assert said[0]["agreed"] is False


# --- the screen's size ------------------------------------------------------------------------------------------

def test_the_card_is_made_as_large_as_a_real_one_by_arrows(shown):
    screen = CardScreen(px_per_mm=4)
    said = shown(screen)
    card = screen.findChild(Card)
    before = card.card().width()
    for _ in range(3):
        press(Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    press(Qt.Key.Key_Left)
    assert card.card().width() == pytest.approx(before + 29)
    press(Qt.Key.Key_Space)
    ratio = screen.devicePixelRatioF()
    assert said[0]["px_per_mm"] == pytest.approx((before + 29) / CARD_MM[0] * ratio, abs=1e-3)


def test_the_card_follows_the_pointer_and_keeps_its_proportions(shown):
    screen = CardScreen(px_per_mm=4)
    shown(screen)
    card = screen.findChild(Card)
    corner = card.card().bottomRight().toPoint()
    QTest.mousePress(card, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, corner)
    QTest.mouseMove(card, corner + QPoint(40, 3))
    QTest.mouseRelease(card, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, corner + QPoint(40, 3))
    now = card.card()
    assert now.right() == pytest.approx(corner.x() + 40, abs=1)
    assert now.width() / now.height() == pytest.approx(CARD_MM[0] / CARD_MM[1])


def test_who_has_no_card_leaves_it_out(shown):
    said = shown(CardScreen())
    press(Qt.Key.Key_0)
    assert said[0]["px_per_mm"] is None


# --- questions --------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("typed", "kept"), [("34", 34), ("34,5", 34.5), ("  60 ", 60), ("", None)])
def test_a_number_is_kept_as_a_number_and_nothing_as_nothing(shown, typed, kept):
    said = shown(ALL["number"]())
    type_in(typed)
    press(Qt.Key.Key_Return)
    assert said == [{"value": kept}]


@pytest.mark.parametrize("typed", ["old", "17", "1e999", "nan", "--3"])
def test_what_is_no_number_in_range_is_said_in_place_and_may_be_left_out(shown, typed):
    screen = ALL["number"]()
    said = shown(screen)
    type_in(typed)
    press(Qt.Key.Key_Return)
    assert not said and any("leave this out" in words for words in words_of(screen).split("\n"))
    QTest.mouseClick(button(screen, "Leave this out"), Qt.MouseButton.LeftButton)
    assert said == [{"value": None}]


@pytest.mark.parametrize(("key", "kept"), [(Qt.Key.Key_2, "Right"), (Qt.Key.Key_0, None)])
def test_options_are_chosen_by_digits_and_left_out_by_nought(shown, key, kept):
    said = shown(ALL["choice"]())
    press(key)
    assert said == [{"value": kept}]


def test_a_digit_that_no_option_has_does_nothing(shown):
    said = shown(ALL["choice"]())
    press(Qt.Key.Key_7)
    assert not said


# --- instructions -----------------------------------------------------------------------------------------------

def test_pages_are_turned_with_space_and_backspace(shown):
    screen = PagesScreen("How it goes", ("First page.", "Second page."), keys=("f", "j"))
    said = shown(screen)
    press(Qt.Key.Key_Space)
    assert "Second page." in words_of(screen) and "First page." not in words_of(screen)
    press(Qt.Key.Key_Backspace)
    assert "First page." in words_of(screen)
    for _ in range(2):
        press(Qt.Key.Key_Space)
    assert said == [{"pages": 2}]


def test_the_buttons_stand_still_from_page_to_page(shown, qtbot):
    screen = ALL["pages"]()
    shown(screen)
    before = button(screen, "Go on").mapTo(screen, QPoint())
    press(Qt.Key.Key_Space)
    QTest.qWait(1)
    assert "Second" in words_of(screen)
    assert button(screen, "Go on").mapTo(screen, QPoint()) == before


def test_space_shows_the_rest_of_a_long_page_before_it_turns_it(shown):
    screen = PagesScreen("How it goes", (LONG,))
    said = shown(screen)
    press(Qt.Key.Key_Space)
    assert not said
    for _ in range(40):
        if not said:
            press(Qt.Key.Key_Space)
    assert said == [{"pages": 1}]


def test_the_keys_to_press_are_told_to_readers_with_what_they_choose(shown):
    screen = ALL["pages"]()
    shown(screen)
    press(Qt.Key.Key_Space)
    assert "F: Yes, the same, J: No, another one" in words_of(screen)


# --- breaks -----------------------------------------------------------------------------------------------------

def test_a_break_says_where_one_is_and_that_nothing_is_timed(shown):
    screen = BreakScreen(36, 72)
    said = shown(screen)
    assert "Half way: 36 of 72" in words_of(screen) and "nothing you do now is timed" in words_of(screen)
    press(Qt.Key.Key_Space)
    assert said[0]["by"] == "key"


def test_a_break_lasts_its_least_time_and_ends_by_itself_after_its_most(shown, qtbot):
    screen = BreakScreen(1, 3, least=0.2, most=0.5)
    said = shown(screen)
    QTest.keyClick(screen, Qt.Key.Key_Space)
    assert not said and "You can go on in" in words_of(screen)
    qtbot.waitUntil(lambda: bool(said), timeout=3000)
    assert said[0]["by"] == "time" and said[0]["seconds"] >= 0.5


# --- after an answer --------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("right", "word"), [(True, "Right"), (False, "Wrong"), (None, "Too late")])
def test_right_and_wrong_are_words_before_they_are_colours(shown, right, word):
    screen = VerdictScreen(right, was="No, another")
    said = shown(screen)
    assert screen.accessibleName() == word and word in words_of(screen)
    assert ("It was: No, another" in words_of(screen)) is (not right)
    press(Qt.Key.Key_Space)
    assert said == [{}]


def test_a_verdict_with_a_time_goes_by_itself(shown, qtbot):
    said = shown(VerdictScreen(True, seconds=0.05))
    qtbot.waitUntil(lambda: said == [{}], timeout=3000)


def test_confidence_is_a_digit(shown):
    said = shown(RatingScreen("How sure are you?", LEVELS))
    press(Qt.Key.Key_3)
    press(Qt.Key.Key_2)
    assert said == [{"level": 3}]


# --- the end ----------------------------------------------------------------------------------------------------

def test_a_debrief_takes_what_went_wrong_in_ones_own_words(shown):
    screen = ALL["debrief"]()
    said = shown(screen)
    press(Qt.Key.Key_2)
    assert "What happened?" in words_of(screen)
    type_in("a call, at trial 1 or 2")
    press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert said == [{"went_wrong": True, "comment": "a call, at trial 1 or 2"}]


def test_plain_return_and_space_choose_the_option_that_has_the_focus_and_never_finish(shown):
    screen = ALL["debrief"]()
    said = shown(screen)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Enter):
        press(key)
        assert screen._no.isChecked() and not said
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Return)
    assert screen._yes.isChecked() and not screen._no.isChecked() and not said, "the comment is still to be written"
    type_in("a call")
    press(Qt.Key.Key_Return)
    assert not said, "a new line"
    press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert said == [{"went_wrong": True, "comment": "a call"}]


def test_return_finishes_a_debrief_on_its_button_alone(shown):
    screen = ALL["debrief"]()
    said = shown(screen)
    QTest.keyClick(screen, Qt.Key.Key_Space)
    screen._comment.setFocus()
    press(Qt.Key.Key_Return)
    assert not said
    screen._send.setFocus()
    press(Qt.Key.Key_Return)
    assert said == [{"went_wrong": None, "comment": ""}]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
@pytest.mark.parametrize("name, kept", [("language", {"language": "de"}), ("choice", {"value": "Right"}),
                                        ("rating", {"level": 2})])
def test_return_and_space_choose_the_option_that_has_the_focus(shown, name, kept, key):
    screen = ALL[name]()
    said = shown(screen)
    screen.options[0].setFocus()
    press(Qt.Key.Key_Tab)
    press(key)
    assert said == [kept]


def test_nothing_of_a_debrief_has_to_be_said(shown):
    said = shown(ALL["debrief"]())
    press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert said == [{"went_wrong": None, "comment": ""}]


@pytest.mark.parametrize("name, field, send, kept", [
    ("debrief", lambda screen: screen._comment, lambda: press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier),
     lambda text: {"went_wrong": None, "comment": text}),
    ("text", lambda screen: screen._field, lambda: press(Qt.Key.Key_Return), lambda text: {"value": text}),
    ("leave", lambda screen: screen._reason, lambda: [press(Qt.Key.Key_Return), press(Qt.Key.Key_Return)],
     lambda text: {"stop": True, "reason": text})])
def test_a_text_longer_than_can_be_kept_is_told_and_never_cut(shown, name, field, send, kept):
    screen = ALL[name]()
    said, field = shown(screen), field(screen)
    field.setFocus()
    QApplication.clipboard().setText("ä" * (FREE_TEXT + 1))
    field.paste()
    assert "too long to be kept: 2,001 characters" in words_of(screen)
    assert "2,001 characters" in field.accessibleDescription()
    send()
    assert not said, "it stays as it was written, to be shortened"
    field.setFocus()
    press(Qt.Key.Key_Backspace)
    assert "2,000 of 2,000 characters" in words_of(screen) and "too long" not in words_of(screen)
    send()
    assert said == [kept("ä" * FREE_TEXT)]


def test_return_in_the_reason_leaves_nobody_by_accident(shown):
    screen = LeaveScreen()
    said = shown(screen)
    next(part for part in stops(screen) if part.accessibleName().startswith("Your reason")).setFocus()
    type_in("tired")
    press(Qt.Key.Key_Return)
    assert not said
    press(Qt.Key.Key_Return)
    assert said == [{"stop": True, "reason": "tired"}]


# --- the window -------------------------------------------------------------------------------------------------

def test_esc_once_says_what_esc_twice_does(window, shown, qtbot):
    shown(ALL["break"]())
    press(Qt.Key.Key_Escape)
    assert "To stop, press Esc once more" in words_of(window)
    with qtbot.waitSignal(window.leave_asked):
        press(Qt.Key.Key_Escape)


def test_another_key_between_two_esc_means_that_nobody_leaves(window, shown, qtbot):
    shown(ALL["choice"]())
    with qtbot.assertNotEmitted(window.leave_asked):
        for key in (Qt.Key.Key_Escape, Qt.Key.Key_X, Qt.Key.Key_Escape):
            press(key)


def test_closing_the_window_asks_and_does_not_close(window, shown, qtbot):
    shown(ALL["begin"]())
    with qtbot.waitSignal(window.leave_asked):
        window.close()
    assert window.isVisible()


def test_a_key_that_is_held_goes_on_once(window, shown):
    """psychopy#6853 on paper: a key that is still down must not press through the screens that follow."""
    said = shown(BeginScreen("One"))
    hold(window, Qt.Key.Key_Space, scan=65, repeats=0)
    more = shown(BeginScreen("Two"))
    hold(window, Qt.Key.Key_Space, scan=65, repeats=20, from_ms=1_030)
    assert said == [{}] and not more


def hold(window, key, *, scan, repeats, from_ms=1_000):
    """Auto-repeats as X11 sends them: pairs of release and press with one stamp, every third without Qt's mark."""
    def event(kind, at, *, marked=False):
        made = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, scan, 0, 0, " ", marked)
        made.setTimestamp(at)
        QApplication.sendEvent(window.windowHandle(), made)

    if not repeats:
        event(QEvent.Type.KeyPress, from_ms)
    for n in range(repeats):
        marked = n % 3 > 0
        event(QEvent.Type.KeyRelease, from_ms + 30 * n, marked=marked)
        event(QEvent.Type.KeyPress, from_ms + 30 * n, marked=marked)
    if not repeats:
        event(QEvent.Type.KeyRelease, from_ms + 30)
        event(QEvent.Type.KeyPress, from_ms + 30)


# --- all of them ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", ALL)
def test_a_pilot_says_on_every_screen_that_it_does_not_count(window, shown, name):
    shown(ALL[name]())
    assert "Pilot: this sitting does not count" in words_of(window)


@pytest.mark.parametrize("name", ALL)
def test_whatever_takes_the_focus_has_a_name_and_something_has_it(shown, name):
    screen = ALL[name]()
    shown(screen)
    assert screen.accessibleName()
    assert not [type(part).__name__ for part in stops(screen) if not part.accessibleName()]
    focused = QApplication.focusWidget()
    assert focused is not None and (focused is screen or screen.isAncestorOf(focused))


@pytest.mark.parametrize("percent", [100, 200])
@pytest.mark.parametrize("name", ALL)
def test_nothing_is_cut_on_a_small_screen_with_large_text(shown, text_size, name, percent):
    text_size(percent)
    screen = ALL[name]()
    shown(screen)
    for part in screen.findChildren(QLabel):
        if part.isVisible() and part.text() and not isinstance(part, WrapLabel):
            assert part.sizeHint().width() <= part.width() + 1, part.text()
    for part in stops(screen):
        right = part.mapTo(screen, QPoint(part.width(), 0)).x()
        assert right <= screen.width() and part.width() >= part.minimumSizeHint().width(), part.accessibleName()
    foot = [part for part in stops(screen) if part.mapTo(screen, QPoint(0, part.height())).y() > screen.height()]
    assert not foot or screen.has_more, [part.accessibleName() for part in foot]


def words_of(part):
    """What is to be read on it, and what readers are told."""
    found = []
    for child in part.findChildren(QWidget):
        if child.isVisible():
            found += [child.accessibleName(), child.text() if isinstance(child, QLabel) else ""]
    return "\n".join(found)


def button(screen, text):
    return next(part for part in screen.findChildren(QWidget) if part.accessibleName() == text)
