"""Steps: which screens of words stand for what is due in a sitting, and what is kept of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QCoreApplication

from app.stage.screens.ask import AskScreen
from app.stage.screens.base import WordScreen
from app.stage.screens.begin import BeginScreen
from app.stage.screens.card import CardScreen
from app.stage.screens.consent import ConsentScreen
from app.stage.screens.debrief import DebriefScreen
from app.stage.screens.language import LanguageScreen
from app.stage.screens.last import LastScreen
from app.stage.screens.pages import PagesScreen
from app.stage.screens.rating import RatingScreen
from app.stage.screens.rest import BreakScreen
from app.stage.screens.verdict import VerdictScreen
from app.stage.view import TrialView
from studies.model import Study
from studies.plan import Plan
from studies.sitting import Screen

Make = Callable[[], WordScreen]


def tr(text: str) -> str:
    return QCoreApplication.translate("stage", text)


@dataclass(frozen=True, slots=True)
class Step:
    """One screen; what it says is kept under ``name`` (its ``value``), or, without a name, as it is."""

    make: Make
    name: str = ""


@dataclass(frozen=True, slots=True)
class Around:
    """What the screens of a sitting are made of. ``done`` of ``of`` trials in earnest are over."""

    study: Study
    plan: Plan
    language: str
    views: Sequence[TrialView] = field(default=())
    done: int = 0
    of: int = 0


def kept(steps: Sequence[Step], said: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the event of a screen holds, after all of its steps."""
    data: dict[str, Any] = {}
    for step, one in zip(steps, said, strict=True):
        data |= {step.name: one["value"]} if step.name else one
    return data


def keys_of(around: Around) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The keys that answer, and what each chooses: said only where it is the same in every trial."""
    choices = [view.options for view in around.views]
    longest = max(choices, key=len, default=())
    same = all([(c.key, c.text) for c in one] == [(c.key, c.text) for c in longest] for one in choices)
    return tuple(c.key for c in longest), tuple(c.text for c in longest) if same else ()


def steps_of(screen: Screen, around: Around) -> list[Step]:
    """The screens for what is due, in order; what belongs to the window of trials has none."""
    makers: dict[str, Callable[[Screen, Around], list[Step]]] = {
        "language": _language, "consent": _consent, "calibration": _calibration, "demographics": _demographics,
        "instructions": _instructions, "practice_begin": _practice, "block_begin": _block, "feedback": _feedback,
        "confidence": _confidence, "break": _break, "practice_verdict": _verdict, "resume": _resume,
        "debrief": _debrief, "goodbye": _goodbye, "sorry": _sorry}
    return makers[screen.kind](screen, around)


# --- before anything is shown -------------------------------------------------------------------------------

def _language(_screen: Screen, around: Around) -> list[Step]:
    return [Step(lambda: LanguageScreen(tuple(around.study.languages)))]


def _consent(_screen: Screen, around: Around) -> list[Step]:
    text = around.study.words(around.language).consent
    return [Step(lambda: ConsentScreen(text, language=around.language))]


def _calibration(_screen: Screen, around: Around) -> list[Step]:
    wanted = around.study.calibration
    steps = [Step(CardScreen)] if wanted.card else []
    if wanted.distance:
        steps.append(Step(lambda: AskScreen(
            tr("How far are your eyes from the screen?"), kind="number", unit=tr("cm"), minimum=10, maximum=500,
            note=tr("Sit as you will sit throughout. An outstretched arm is about 60 to 70 cm.")), "distance_cm"))
    return steps


def _demographics(_screen: Screen, around: Around) -> list[Step]:
    asked = around.study.demographics

    def ask(n: int) -> Step:
        one = asked[n]
        place = tr("{n} of {of}").format(n=n + 1, of=len(asked)) if len(asked) > 1 else ""
        return Step(lambda: AskScreen(one.text, kind=one.kind, options=one.options, minimum=one.minimum,
                                      maximum=one.maximum, place=place), one.name)

    return [ask(n) for n in range(len(asked))]


def _instructions(_screen: Screen, around: Around) -> list[Step]:
    keys, words = keys_of(around)
    pages = around.study.words(around.language).instructions
    return [Step(lambda: PagesScreen(tr("How it goes"), pages, keys=keys, words=words))]


# --- around the trials --------------------------------------------------------------------------------------

def _practice(screen: Screen, around: Around) -> list[Step]:
    n, again = len(around.plan.blocks[screen.block].trials), int(screen.data.get("try", 1)) > 1
    practice = around.study.practice
    said = [tr("{n} trials to try it. They do not count.").format(n=n) if n > 1
            else tr("One trial to try it. It does not count.")]
    if practice is not None and practice.feedback:
        said.append(tr("After each you see whether it was right."))
    if practice is not None and practice.correct is not None:
        said.append(tr("It goes on once {n} are right.").format(n=practice.correct) if practice.correct > 1
                    else tr("It goes on once one is right."))
    keys, words = keys_of(around)
    text = around.study.words(around.language).practice
    return [Step(lambda: BeginScreen(tr("Practice once more") if again else tr("Practice first"), text=text,
                                     said=said, keys=keys, words=words, button=tr("Begin")))]


def _block(screen: Screen, around: Around) -> list[Step]:
    number, of = int(screen.data.get("number", 1)), int(screen.data.get("of", 1))
    n = len(around.plan.blocks[screen.block].trials)
    heading = tr("Part {n} of {of}").format(n=number, of=of) if of > 1 else tr("Now it begins")
    said = [tr("{n} trials. It begins when you press Space.").format(n=n) if n > 1
            else tr("One trial. It begins when you press Space.")]
    keys, words = keys_of(around)
    text = around.study.words(around.language).block
    return [Step(lambda: BeginScreen(heading, text=text, said=said, keys=keys, words=words, button=tr("Begin")))]


def _feedback(screen: Screen, around: Around) -> list[Step]:
    planned = around.plan.trial(screen.block, screen.position)
    late = screen.data.get("outcome") == "timeout"
    right = None if late else bool(screen.data["correct"])
    was = next((choice.text for view in around.views if view.item == planned.key for choice in view.options
                if choice.value == planned.correct), "")
    seconds = float(screen.data.get("seconds") or 0)
    return [Step(lambda: VerdictScreen(right, was=was, seconds=seconds))]


def _confidence(screen: Screen, _around: Around) -> list[Step]:
    return [Step(lambda: RatingScreen(screen.data["text"], screen.data["levels"]))]


def _break(screen: Screen, around: Around) -> list[Step]:
    text = around.study.words(around.language).break_
    return [Step(lambda: BreakScreen(around.done, around.of, text=text, least=float(screen.data.get("least") or 0),
                                     most=screen.data.get("most")))]


def _verdict(screen: Screen, around: Around) -> list[Step]:
    data = screen.data
    counted = tr("{correct} of {of} were right.").format(correct=data["correct"], of=data["of"])
    if data["passed"]:
        return [Step(lambda: BeginScreen(tr("Practice is over"), said=[counted, tr("From here on it counts.")],
                                         button=tr("Go on")))]
    wanted = (tr("{wanted} are wanted.").format(wanted=data["wanted"]) if int(data["wanted"]) > 1
              else tr("One is wanted."))
    if screen.fact == "practice_again":
        left = int(data["tries"]) - int(data["try"])
        more = tr("Try it once more; this is the last time.") if left == 1 else tr("Try it once more.")
        return [Step(lambda: BeginScreen(tr("Not yet"), said=[f"{counted} {wanted}", more], button=tr("Try again")))]
    return [Step(lambda: BeginScreen(tr("Practice is over"), said=[f"{counted} {wanted}"], button=tr("Go on")))]


def _resume(screen: Screen, around: Around) -> list[Step]:
    words = around.study.words(around.language)
    keys, said = keys_of(around)
    if screen.data.get("why") == "paused":
        return [Step(lambda: BeginScreen(tr("Paused"), said=[tr(
            "Something came between. That trial does not count; it will be shown again. Go on when you can see the "
            "whole screen and nothing disturbs you.")], keys=keys, words=said, button=tr("Go on")))]
    first = tr("{done} of {of} are done and saved. Nothing is lost, and nothing that you have answered comes again.\n\n"
               "Please read once more how it goes.").format(done=around.done, of=around.of)
    return [Step(lambda: PagesScreen(tr("Welcome back"), words.instructions, first=first, keys=keys, words=said))]


# --- after them ---------------------------------------------------------------------------------------------

def _debrief(_screen: Screen, around: Around) -> list[Step]:
    return [Step(lambda: DebriefScreen(around.study.words(around.language).debrief))]


def _goodbye(screen: Screen, around: Around) -> list[Step]:
    if screen.data.get("state") == "completed":
        return [Step(lambda: LastScreen(tr("Thank you"), tr("Everything is saved. You may close this window.")))]
    if screen.data.get("reason") == "attention":
        return [Step(lambda: LastScreen(tr("Thank you"), tr("This was the end. You may close this window.")))]
    return [Step(lambda: LastScreen(tr("Stopped"), tr(
        "Thank you for what you did. What you answered up to now is saved. You may close this window.")))]


def _sorry(screen: Screen, around: Around) -> list[Step]:
    own = around.study.words(around.language).sorry
    declined = screen.data.get("reason") == "refused_consent"
    text = own or (tr("You have not agreed, so the study does not begin. Nothing is kept but that. You may close "
                      "this window.") if declined else
                   tr("Practice is needed for what follows, so it ends here. You did nothing wrong. You may close "
                      "this window."))
    return [Step(lambda: LastScreen(tr("Thank you all the same"), text))]
