"""From protocol to widgets: the only matchmaker between question types and their widgets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from annotation.answers import Slot
from annotation.draft import Draft
from annotation.form import all_slots, order_slots
from app import theme
from app.asking import ask
from app.parts.focus import stops
from app.parts.option import OptionButton
from app.questions import Asked, QuestionWidget, question_widgets
from app.questions.base import EMPTY, FILLED, NEEDED, is_text_box, press_key, printed, text_of
from app.questions.place import Place

MANY = 7  # from so many questions on they fold


class Form(QWidget):
    """The questions of one item. ``render`` paints a draft; nothing of an answer is kept here.

    Layouts: ``list`` (one below the other; seven and more fold), ``single`` (one at a time), ``bar`` (text at the
    left of its options, under a pair).
    """

    answered = Signal(object, object)  # Slot, answer as stored or None
    submitted = Signal()               # Enter in a one-line box
    rearranged = Signal()              # another question is open now
    box_left = Signal()                # the focus went out of a text box

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._places: dict[Slot, Place] = {}
        self._signatures: dict[Slot, Any] = {}
        self._layout = "list"
        self._current: Slot | None = None
        self._visible: tuple[Slot, ...] = ()
        self._missing: tuple[Slot, ...] = ()
        self._draft: Draft | None = None
        self._faults: dict[Slot, str] = {}
        self._protocol: Any = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.space("l") + theme.space("xs"))
        self._column.addStretch(1)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow_focus)

    # --- building -------------------------------------------------------------------------------------------

    def set_item(self, protocol: Any, fields: Mapping[str, Any], order: Mapping[str, Any] | None = None) -> None:
        """Make the questions of an item; widgets that would come out the same are kept."""
        order = order or {}
        slots = order_slots(protocol, all_slots(protocol, fields), order)
        signatures = {slot: ask(protocol, fields, order, slot) for slot in slots}
        same = protocol is self._protocol and list(signatures) == list(self._signatures)
        keep = {slot for slot in slots if same and signatures[slot] == self._signatures[slot]}
        if set(slots) != keep:
            for slot, place in list(self._places.items()):
                self._column.removeWidget(place)
                if slot not in keep:
                    place.hide()
                    place.setParent(None)
                    place.deleteLater()
                    del self._places[slot]
            for n, slot in enumerate(slots):
                if slot not in self._places:
                    asked, heading = signatures[slot]
                    self._places[slot] = self._make(asked, heading)
                self._column.insertWidget(n, self._places[slot])
            self._places = {slot: self._places[slot] for slot in slots}
        self._protocol, self._signatures = protocol, signatures
        self._current, self._draft, self._faults = None, None, {}
        for place in self._places.values():
            place.question.show_fault("")
            place.question.say_standing(None)
            place.question.reset()

    def _make(self, asked: Asked, heading: str) -> Place:
        question = question_widgets[asked.question.type](asked)
        question.set_bar(self._bar_width)
        place = Place(question, heading)
        slot = asked.slot
        question.answered.connect(lambda answer: self.answered.emit(slot, answer))
        question.submitted.connect(self.submitted)
        place.row.clicked.connect(lambda: self.go_to(slot))
        return place

    @property
    def in_order(self) -> list[Place]:
        return list(self._places.values())

    @property
    def wants_bar(self) -> bool:
        """Whether a question asks for the bar at the foot, and all of them have room there."""
        questions = [self._places[slot].question for slot in self._visible]
        return any(question.in_bar for question in questions) and len(questions) <= 3

    @property
    def _bar_width(self) -> int:
        return theme.wide(theme.size("rail")) if self._layout == "bar" else 0

    def set_layout(self, name: str) -> None:
        if name != self._layout:
            self._layout = name
            self._column.setSpacing(theme.space("xs") if name == "bar" else theme.space("l") + theme.space("xs"))
            for place in self._places.values():
                place.question.set_bar(self._bar_width)
            self._arrange()

    def say_standing(self, standing: Mapping[str, Any] | None) -> None:
        """Show the answers that stand, where the stage shows them."""
        from_slot = {} if standing is None else standing
        for slot, place in self._places.items():
            found = from_slot.get(slot.question)
            if slot.element is not None and isinstance(found, Mapping):
                found = found.get(slot.element)
            is_answer = isinstance(found, Mapping) and ("v" in found or "na" in found)
            place.question.say_standing(found if is_answer else None)

    # --- painting a draft -----------------------------------------------------------------------------------

    def render(self, draft: Draft) -> None:  # type: ignore[override]
        """Paint the draft: answers, what is asked now, faults and conflicts."""
        self._draft, held = draft, self._focused_slot()
        self._visible, self._missing = draft.visible, draft.missing
        said = {slot: ("bad", text) for slot, text in self._faults.items()}
        for conflict in draft.conflicts:
            later = max(conflict.slots, key=self._visible.index, default=None)
            if later is not None:
                said.setdefault(later, ("bad" if conflict.level == "block" else "warn", self._say_conflict(conflict)))
        for slot in self._visible:
            question = self._places[slot].question
            answer = draft.get(slot)
            if slot not in self._faults or answer is not None:
                question.render_answer(answer)
            level, sentence = said.get(slot, ("bad", ""))
            question.show_fault(sentence, level)
        self._arrange()
        if held is not None and held not in self._visible:  # else the focus is on whatever button comes next
            self.focus_first_open()

    def _say_conflict(self, conflict: Any) -> str:
        names = [str(self._visible.index(slot) + 1) for slot in conflict.slots]
        if len(names) < 2 or all(name in re.findall(r"\d+", conflict.sentence) for name in names):
            return conflict.sentence
        return tr("Questions {numbers}: {sentence}").format(numbers=f" {tr('and')} ".join(sorted(names, key=int)),
                                                            sentence=conflict.sentence)

    def show_fault(self, slot: Slot, sentence: str) -> None:
        """A sentence under a question until its next answer; empty takes it away."""
        if sentence:
            self._faults[slot] = sentence
        else:
            self._faults.pop(slot, None)

    def fault_of(self, slot: Slot) -> str:
        return self._faults.get(slot, "")

    def clear_faults(self) -> None:
        self._faults.clear()

    @property
    def has_faults(self) -> bool:
        return bool(self._faults)

    @property
    def folds(self) -> bool:
        """Whether answered questions are folded to rows now."""
        return self._layout == "list" and len(self._visible) >= MANY

    def _arrange(self) -> None:
        if self._draft is None:
            return
        folds, single = self.folds, self._layout == "single"
        if self._current not in self._visible:
            self._current = self._first_without_answer()
        self._column.setSpacing(0 if folds else theme.space("xs") if self._layout == "bar"
                                else theme.space("l") + theme.space("xs"))
        heading = ""
        for slot, place in self._places.items():
            is_asked = slot in self._visible
            is_open = is_asked and (not (folds or single) or slot == self._current)
            place.setVisible(is_asked and (not single or is_open))
            if not is_asked:
                continue
            number = self._visible.index(slot) + 1
            if folds:
                answer = self._draft.get(slot)
                place.row.show_question(number, text_of(place.question.asked.question),
                                        place.question.say(answer) if answer else "",
                                        is_last=number == len(self._visible))
            place.stand(folds=folds, is_open=is_open, number=number)
            place.heading.setVisible(bool(place.heading.text()) and (single or place.heading.text() != heading))
            heading = place.heading.text()
            of = tr("{n} of {all}").format(n=number, all=len(self._visible))
            place.question.say_remark(of if single and len(self._visible) > 1 else "")
        self._show_which_digits_work()

    def _show_which_digits_work(self) -> None:
        now = self.shown_question
        for slot in self._visible:
            question = self._places[slot].question
            for button in question.findChildren(OptionButton):
                button.set_key_works(question is now)

    def _first_without_answer(self) -> Slot | None:
        if self._draft is None:
            return None
        begun = any(self._draft.get(slot) is not None for slot in self._visible)
        # Where all is answered that must be, the first question and not an optional note at the end.
        open_ones = self._missing or [slot for slot in self._visible if not begun and self._draft.get(slot) is None]
        return next(iter(open_ones), next(iter(self._visible), None))

    # --- keys and focus -------------------------------------------------------------------------------------

    def question(self, slot: Slot) -> QuestionWidget:
        return self._places[slot].question

    @property
    def shown_question(self) -> QuestionWidget | None:
        """The question that keys go to: the focused one, else the first without an answer."""
        slot = self._focused_slot()
        if slot is None and (self.folds or self._layout == "single"):
            slot = self._current
        if slot is None:
            slot = self._first_without_answer()
        return self._places[slot].question if slot is not None else None

    def _focused_slot(self) -> Slot | None:
        focus = QApplication.focusWidget()
        if focus is None or not self.isAncestorOf(focus):
            return None
        return next((slot for slot in self._visible if self._places[slot].isAncestorOf(focus)), None)

    def press(self, event: QKeyEvent) -> bool:
        """A bare digit or letter that no focused question took; False where it means nothing here."""
        first = self.shown_question
        if first is None:
            return False
        return (press_key(event, first.press, first.press_letter) or self._begin_text(first.slot, event)
                or press_key(event, lambda _digit: False, self._press_letter))

    def _press_letter(self, letter: str) -> bool:
        return any(self._places[slot].question.press_letter(letter) for slot in self._visible)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        leaves = event.key() == Qt.Key.Key_Escape and self._leave_text()
        if not leaves and not self.press(event):
            event.ignore()

    # --- texts that an answer opens -------------------------------------------------------------------------

    def _opened_boxes(self, slot: Slot) -> list[tuple[int, Slot, QWidget]]:
        """The text boxes that the answer to a question opened; the one that must still be filled comes first."""
        own = self._places[slot].question.opened_box()
        found = [] if own is None else [(own[0], slot, own[1])]
        opened = next((other for other in self._visible if slot.element in (None, other.element)
                       and slot.question in self._places[other].question.asked.question.show_if), None)
        box = self._places[opened].question.first_focus() if opened is not None else None
        if opened is not None and box is not None and is_text_box(box) and self._draft is not None:
            waits = FILLED if self._draft.get(opened) else NEEDED if opened in self._missing else EMPTY
            found.append((waits, opened, box))
        return sorted(found, key=lambda one: one[0])

    def lead_on(self, slot: Slot) -> None:
        """After an answer from its options: into the text that it opened, so that what is typed next is text."""
        if self._places[slot].question.takes_more_keys or is_text_box(QApplication.focusWidget()):
            return
        for _waits, opened, box in self._opened_boxes(slot)[:1]:
            self.go_to(opened)
            box.setFocus(Qt.FocusReason.OtherFocusReason)

    def _begin_text(self, slot: Slot, event: QKeyEvent) -> bool:
        """A sign that is no key of the question begins the text that its answer opened and that is still empty."""
        for waits, opened, box in self._opened_boxes(slot)[:1]:
            if waits != FILLED and printed(event):
                self.go_to(opened)
                box.setFocus(Qt.FocusReason.OtherFocusReason)
                QApplication.sendEvent(box, event)
                return True
        return False

    def _leave_text(self) -> bool:
        """Back from a text to the options of the question that opened it; False where none did."""
        box = QApplication.focusWidget()
        for slot in self._visible:
            if any(opened is box for _waits, _slot, opened in self._opened_boxes(slot)):
                self.go_to(slot)
                return True
        return False

    def go_to(self, slot: Slot) -> None:
        """Open a question and give it the focus."""
        if slot in self._visible:
            moved = slot != self._current
            self._current = slot
            self._arrange()
            if moved:
                self.rearranged.emit()
            self._places[slot].question.set_focus_first()

    def focus_first_open(self) -> None:
        slot = self._first_without_answer()
        if slot is not None:
            self.go_to(slot)

    def _follow_focus(self, old: QWidget | None, _new: QWidget | None) -> None:
        if old is not None and is_text_box(old) and self.isAncestorOf(old):
            self.box_left.emit()
        slot = self._focused_slot()
        if slot is not None and slot != self._current:
            self._current = slot
            self._arrange()
            self.rearranged.emit()
        elif self._draft is not None:
            self._show_which_digits_work()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: N802
        """Tab inside a question goes through its own stops, then to the next question that is asked."""
        slot = self._focused_slot()
        if slot is None or _has_stop_beyond(self._places[slot].question, next):
            return super().focusNextPrevChild(next)
        at = self._visible.index(slot) + (1 if next else -1)
        if not 0 <= at < len(self._visible):
            return super().focusNextPrevChild(next)
        self.go_to(self._visible[at])
        return True

    def restyle(self) -> None:
        self._arrange()


def _has_stop_beyond(question: QuestionWidget, forwards: bool) -> bool:
    inside, focus = stops(question), QApplication.focusWidget()
    return focus in inside and inside.index(focus) + (1 if forwards else -1) in range(len(inside))


def tr(text: str) -> str:
    return QCoreApplication.translate("form", text)
