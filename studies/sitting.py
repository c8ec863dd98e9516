"""Sitting: which screen is due, a pure fold over the facts of one sitting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from studies.facts import Event, Fact, TrialRecord
from studies.model import Study
from studies.plan import Plan
from studies.trial_run import DISTURBING

Kind = Literal[
    "language", "consent", "calibration", "demographics", "instructions", "warm_up", "display_check",
    "practice_begin", "block_begin", "trial", "feedback", "confidence", "break", "practice_verdict", "resume",
    "debrief", "goodbye", "sorry"]

SHOWINGS = 3  # a trial that is disturbed each time is shown so often, and then stays as it is
# What is said once before anything is shown, in this order: the kind of the screen is the kind of its event.
BEFORE: tuple[Kind, ...] = ("language", "consent", "calibration", "demographics", "instructions")
# Facts that are told as they happen and complete no screen.
ASIDES = frozenset({"focus_lost", "focus_back", "minimised", "screen_changed", "scale_changed", "full_screen_left",
                    "suspended", "clock_jump", "extra_key", "early_key", "held_key", "escape_key", "note", "self_test"})
_ENDED = {"aborted": "aborted", "withdrawn": "withdrawn", "excluded": "excluded", "refused_consent": "withdrawn",
          "practice_failed": "excluded"}


@dataclass(frozen=True, slots=True)
class Screen:
    """What is due. ``fact``: the kind of the event that completes it; "" for a trial, which its record completes.

    ``data`` by kind - language: language (the plan's; whoever knows it already keeps the fact at once);
    practice_begin: try, tries; block_begin: number, of; trial: resumed, seen (it was begun
    before and not finished), number, of (counted over the block); feedback: correct, seconds (None: Space);
    confidence: text, levels; break: number, of, least, most; practice_verdict: passed, correct, of, wanted, try,
    tries; resume: why ("again": the program was started again; "paused"); goodbye and sorry: state, reason, over.
    ``block`` and ``position`` are -1 where the screen belongs to none.
    """

    kind: Kind
    block: int = -1
    position: int = -1
    attempt: int = 1
    data: dict[str, Any] = field(default_factory=dict)
    fact: str = ""

    @property
    def last(self) -> bool:
        """Nothing follows; ``data["state"]`` says how the sitting ended, ``data["over"]`` that this is kept."""
        return self.kind in ("goodbye", "sorry")

    def done(self, at_us: int, **data: Any) -> Event:
        """The event that completes it, with what was said on it."""
        place = {"block": self.block} if self.block >= 0 else {}
        return Event(self.fact, at_us, {**place, **data})

    def begun(self, at_us: int) -> Event:
        """Kept before a trial is shown, so that a machine that dies in it does not hide that it was seen."""
        return Event("trial_begun", at_us, {"block": self.block, "position": self.position, "attempt": self.attempt})


def opening(facts: Iterable[Fact], at_us: int) -> Event:
    """The first fact of every process that shows this sitting; the second and later ones lead to a resume screen."""
    again = any(isinstance(fact, Event) and fact.kind == "started" for fact in facts)
    return Event("started", at_us, {"again": again})


def due(study: Study, plan: Plan, facts: Iterable[Fact]) -> Screen:
    """The screen that follows ``facts``; after the end it stays the last one, with ``data["over"]``."""
    fold = Fold(study, plan)
    for fact in facts:
        fold.take(fact)
    return fold.due()


def confidence(study: Study, plan: Plan, record: TrialRecord) -> Screen | None:
    """Asked between the end of a trial and its keeping; the answer is ``record.quality["confidence"]``, from 1."""
    asked = study.trial.confidence
    if asked is None or record.outcome != "answered" or plan.blocks[record.block].kind != "main":
        return None
    return Screen("confidence", record.block, record.position, record.attempt,
                  {"text": asked.text, "levels": asked.levels})


def language(study: Study, plan: Plan, facts: Iterable[Fact]) -> str:
    """Chosen in the sitting, else the plan's, else the first of the file."""
    said = plan.language or next(iter(study.languages))
    for fact in facts:
        if isinstance(fact, Event) and fact.kind == "language":
            said = str(fact.data.get("language", said))
    return said


class _BlockState:
    """The trials of one block that are still to be shown, in order; a disturbed one goes to the end."""

    def __init__(self, length: int) -> None:
        self.begun = False
        self.rested = False
        self.again(length)

    def again(self, length: int) -> None:
        self.queue = list(range(length))
        self.records: dict[int, TrialRecord] = {}
        self.passed = False


class Fold:
    """The state of a sitting after the facts taken so far; ``due`` may be asked after each."""

    def __init__(self, study: Study, plan: Plan) -> None:
        self.study, self.plan = study, plan
        self._said: set[str] = set()
        self._language = plan.language or next(iter(study.languages))
        self._starts = 0
        self._resume = self._paused = False
        self._warm = False
        self._checked = -1  # the block before which the display was last checked by this process
        self._blocks = [_BlockState(len(block.trials)) for block in plan.blocks]
        self._tries = 1
        self._showings: Counter[tuple[int, int]] = Counter()  # the attempts known of, finished or not
        self._finished: Counter[tuple[int, int]] = Counter()  # the last attempt with a record
        self._kept: Counter[tuple[int, int]] = Counter()
        self._last: TrialRecord | None = None
        self._ended: tuple[str, str] | None = None
        self._over = False

    # --- facts -------------------------------------------------------------------------------------------------

    def take(self, fact: Fact) -> None:
        if isinstance(fact, TrialRecord):
            self._take_record(fact)
            return
        kind, data = fact.kind, fact.data
        if kind in ASIDES:
            return
        if kind != "paused":
            self._last = None
        if kind in _ENDED and self._ended is None:
            self._ended = (kind, str(data.get("reason", "")))
        elif kind == "ended":
            self._over = True
        elif kind == "started":
            self._starts += 1
            begun = any(state.begun for state in self._blocks)
            self._resume = self._starts > 1 and begun and self._block < len(self._blocks)
            self._warm, self._checked, self._paused = False, -1, False
        elif kind == "resumed":
            self._resume = self._paused = False
        elif kind == "paused":
            self._paused = True
        elif kind == "went_on":
            self._paused = False
        elif kind == "warm_up":
            self._warm = True
        elif kind == "display_check":
            self._checked = self._block
        elif kind == "trial_begun":
            place = (int(data["block"]), int(data["position"]))
            self._showings[place] = max(self._showings[place], int(data.get("attempt", 1)))
        elif kind in ("block_begun", "break_over", "practice_passed", "practice_again"):
            self._take_block(kind, int(data.get("block", self._block)))
        else:
            self._said.add(kind)
            self._language = str(data.get("language", self._language)) if kind == "language" else self._language

    def _take_block(self, kind: str, number: int) -> None:
        if not 0 <= number < len(self._blocks):
            return
        state = self._blocks[number]
        if kind == "block_begun":
            state.begun = True
        elif kind == "break_over":
            state.rested = True
        elif kind == "practice_passed":
            state.passed = True
        else:
            self._tries += 1
            state.begun = False
            state.again(len(self.plan.blocks[number].trials))

    def _take_record(self, record: TrialRecord) -> None:
        place = (record.block, record.position)
        self._kept[place] += 1
        self._showings[place] = max(self._showings[place], record.attempt)
        self._finished[place] = record.attempt
        self._last = record
        state = self._blocks[record.block]
        state.records[record.position] = record
        if record.position in state.queue:
            state.queue.remove(record.position)
            if self._again(record):
                state.queue.append(record.position)
        if self.study.trouble.policy == "pause" and "paused" in record.quality.get("flags", ()):
            self._paused = True

    def _again(self, record: TrialRecord) -> bool:
        """Policy repeat and pause: a trial that was aborted or disturbed is shown again, ``SHOWINGS`` times in all."""
        if self.study.trouble.policy == "flag" or self._kept[record.block, record.position] >= SHOWINGS:
            return False
        return record.outcome == "aborted" or bool(DISTURBING & set(record.quality.get("flags", ())))

    # --- what is due -------------------------------------------------------------------------------------------

    @property
    def _block(self) -> int:
        """The first block that is not finished; the number of blocks where all are."""
        for number, state in enumerate(self._blocks):
            if state.queue or (self._judged(number) and not state.passed):
                return number
        return len(self._blocks)

    def _judged(self, number: int) -> bool:
        """The block is practice with a criterion."""
        practice = self.study.practice
        return self.plan.blocks[number].kind == "practice" and practice is not None and practice.correct is not None

    def due(self) -> Screen:
        ended = self._end_screen()
        if ended is not None:
            return ended
        if self._resume:
            return Screen("resume", data={"why": "again"}, fact="resumed")
        before = self._before()
        if before is not None:
            return Screen(before, data={"language": self._language} if before == "language" else {}, fact=before)
        if self._paused:
            return Screen("resume", data={"why": "paused"}, fact="went_on")
        feedback = self._feedback()
        if feedback is not None:
            return feedback
        number = self._block
        if number == len(self._blocks):
            return self._closing()
        if not self._warm:
            return Screen("warm_up", fact="warm_up")
        return self._in_block(number)

    def _end_screen(self) -> Screen | None:
        if self._ended is None:
            return self._goodbye() if self._over else None
        kind, reason = self._ended
        shown: Kind = "sorry" if kind in ("refused_consent", "practice_failed") else "goodbye"
        return Screen(shown, data={"state": _ENDED[kind], "reason": reason or kind, "over": self._over}, fact="ended")

    def _before(self) -> Kind | None:
        words = self.study.words(self._language)
        calibration = self.study.calibration
        wanted = {"language": len(self.study.languages) > 1,
                  "consent": bool(words.consent), "calibration": calibration.card or calibration.distance,
                  "demographics": bool(self.study.demographics), "instructions": bool(words.instructions)}
        return next((kind for kind in BEFORE if wanted[kind] and kind not in self._said), None)

    def _feedback(self) -> Screen | None:
        """Only while the trial is the last thing that happened: nobody is told a day later."""
        record = self._last
        if record is None or record.outcome == "aborted" or not 0 <= record.block < len(self._blocks):
            return None
        planned = self.plan.trial(record.block, record.position)
        if self.plan.blocks[record.block].kind == "practice":
            wanted, seconds = bool(self.study.practice and self.study.practice.feedback), None
        else:
            wanted, seconds = self.study.trial.feedback > 0, self.study.trial.feedback
        if not wanted or planned.correct is None:
            return None
        return Screen("feedback", record.block, record.position, record.attempt,
                      {"correct": record.response == planned.correct, "outcome": record.outcome, "seconds": seconds},
                      "feedback")

    def _in_block(self, number: int) -> Screen:
        block, state = self.plan.blocks[number], self._blocks[number]
        main = [n for n, other in enumerate(self.plan.blocks) if other.kind == "main"]
        place = {"number": main.index(number) + 1, "of": len(main)} if block.kind == "main" else {}
        if place.get("number", 1) > 1 and not state.rested and not state.begun:
            rest = self.study.blocks
            return Screen("break", number, data={**place, "least": rest.break_least, "most": rest.break_most},
                          fact="break_over")
        if self._checked != number:
            return Screen("display_check", number, fact="display_check")
        if not state.begun:
            if block.kind == "main":
                return Screen("block_begin", number, data=dict(place), fact="block_begun")
            tries = self.study.practice.tries if self.study.practice else 1
            return Screen("practice_begin", number, data={"try": self._tries, "tries": tries}, fact="block_begun")
        if state.queue:
            position = state.queue[0]
            shown = self._showings[number, position]
            return Screen("trial", number, position, shown + 1,
                          {"resumed": self._starts > 1, "seen": shown > self._finished[number, position],
                           "number": len(block.trials) - len(state.queue) + 1, "of": len(block.trials)})
        return self._verdict(number)

    def _verdict(self, number: int) -> Screen:
        practice = self.study.practice
        assert practice is not None and practice.correct is not None
        trials, records = self.plan.blocks[number].trials, self._blocks[number].records
        right = sum(record.response is not None and record.response == trials[position].correct
                    for position, record in records.items())
        passed = right >= practice.correct
        fact = ("practice_passed" if passed
                else "practice_again" if self._tries < practice.tries else "practice_failed")
        return Screen("practice_verdict", number, data={
            "passed": passed, "correct": right, "of": len(trials), "wanted": practice.correct, "try": self._tries,
            "tries": practice.tries}, fact=fact)

    def _closing(self) -> Screen:
        if "debrief" not in self._said:
            return Screen("debrief", fact="debrief")
        return self._goodbye()

    def _goodbye(self) -> Screen:
        failed = self._attention_failed()
        return Screen("goodbye", data={"state": "excluded" if failed else "completed",
                                       "reason": "attention" if failed else "", "over": self._over}, fact="ended")

    def _attention_failed(self) -> bool:
        attention = self.study.attention
        if attention is None or attention.allowed is None:
            return False
        wrong = sum(trial.kind == "attention" and trial.correct is not None
                    and self._blocks[b].records[p].response != trial.correct
                    for b, p, trial in self.plan.each() if p in self._blocks[b].records)
        return wrong > attention.allowed
