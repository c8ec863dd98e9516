"""The parts of a study's file: conditions, order, blocks, practice, the trial's clockwork, answers, words, rules."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field as Key
from pydantic import StringConstraints, model_validator

from annotation.protocol_base import Label, Model, Name, Text, Value

Seconds = Annotated[float, Key(ge=0, le=86_400)]
Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")]
KeyName = Annotated[str, StringConstraints(pattern=r"^([a-z0-9]|space|return|left|right|up|down)$")]
Finite = Annotated[float, Key(allow_inf_nan=False)]
Tags = dict[Name, tuple[Value, ...]]
FREE_TEXT = 2_000  # characters of one text that somebody writes in a sitting; no more is taken, and nothing is cut


class Items(Model):
    """``where``: fields whose value must be one of a list. From a release, its version; else what is active now."""

    release: Label = ""
    where: Tags = {}


class Correct(Model):
    """Where the right answer of an item stands: in a field (private, as a rule), or in the release's gold."""

    field: Name | None = None
    gold: bool = False

    @model_validator(mode="after")
    def _one(self) -> Correct:
        if bool(self.field) == self.gold:
            raise ValueError("names a field, or says gold: true (and not both)")
        return self


class Condition(Model):
    """A named view of an item: the fields that are shown, in this order."""

    name: Name
    label: Label = ""
    shows: tuple[Name, ...] = Key(min_length=1)
    where: Tags = Key({}, description="the items that can be seen so; others take the other conditions")


class MaxRun(Model):
    """No more than ``most`` in a row of one value of ``of``: condition, correct, or a field."""

    of: Name
    most: int = Key(ge=1, le=100)


class MinDistance(Model):
    """At least ``least`` trials from one to the next with the same value of a field; 2 = never adjacent."""

    of: Name
    least: int = Key(ge=2, le=100)


class Order(Model):
    """``mixed``: conditions are interleaved. ``blocked``: one block a condition, in the order of a Latin square."""

    conditions: Literal["mixed", "blocked"] = "mixed"
    max_run: tuple[MaxRun, ...] = ()
    min_distance: tuple[MinDistance, ...] = ()
    tries: int = Key(200, ge=1, le=10_000, description="how often the search begins anew before it gives up")


class Blocks(Model):
    """``count`` blocks of nearly equal length, or one for every value of the field ``by``; a break between two."""

    count: int = Key(1, ge=1, le=100)
    by: Name | None = None
    break_least: Seconds = 0
    break_most: Seconds | None = Key(None, description="the next block begins by itself")


class Practice(Model):
    """Items that match ``where`` are kept for practice and never shown in earnest."""

    where: Tags
    items: int = Key(4, ge=1, le=100)
    feedback: bool = True
    correct: int | None = Key(None, ge=1, description="so many right, or practice is done again")
    tries: int = Key(3, ge=1, le=20, description="then the sitting ends, with thanks")

    @model_validator(mode="after")
    def _reachable(self) -> Practice:
        if self.correct is not None and self.correct > self.items:
            raise ValueError("correct cannot be more than items")
        return self


class Attention(Model):
    """Items that match ``where`` come in between, one after every ``every`` trials; kept out of the analysis."""

    where: Tags
    every: int = Key(24, ge=2)
    allowed: int | None = Key(None, ge=0, description="more wrong ones than this exclude the sitting")


class Reveal(Model):
    """One screen of a trial: the fields and options that come with it; it ends by a key, or after ``seconds``."""

    shows: tuple[Name, ...] = Key(min_length=1, description="question, fields (all), options, or single fields")
    seconds: Seconds | None = Key(None, description="None: Space goes on")


class Confidence(Model):
    """Asked after the answer, outside the response time."""

    text: Label = Key(min_length=1)
    levels: tuple[Label, ...] = Key(min_length=2, max_length=9)


class TrialSpec(Model):
    """The clockwork of one trial; all times in seconds. Staged screens add up; without ``reveal`` all is one screen.

    The clock starts with the onset of screen ``clock`` (from 1; None: the last). An answer is taken from that
    screen on and, with ``least``, not before so many seconds of it.
    """

    fixation: Seconds = 0.5
    gap: tuple[Seconds, ...] = Key((0.5, 0.5), min_length=2, max_length=2, description="least and most")
    deadline: Seconds | None = None
    least: Seconds = 0
    too_fast: Seconds = Key(0, description="an answer before this is kept and flagged")
    reveal: tuple[Reveal, ...] = ()
    clock: int | None = Key(None, ge=1)
    ends_on_answer: bool = Key(True, description="else the stimulus stays until the deadline")
    feedback: Seconds = Key(0, description="in earnest trials; practice has its own")
    confidence: Confidence | None = None

    @model_validator(mode="after")
    def _fitting(self) -> TrialSpec:
        if self.gap[0] > self.gap[1]:
            raise ValueError("gap is [least, most]")
        if self.clock is not None and self.clock > max(1, len(self.reveal)):
            raise ValueError("clock names a screen that reveal does not have")
        if not self.ends_on_answer and self.deadline is None:
            raise ValueError("ends_on_answer: false needs a deadline")
        if self.deadline is not None and self.least >= self.deadline:
            raise ValueError("least must be below the deadline")
        return self


class Answers(Model):
    """Keys by the position of an option as shown; several sets are given to people in turn (counterbalanced)."""

    keys: tuple[tuple[KeyName, ...], ...] = (("1", "2", "3", "4", "5", "6", "7", "8", "9"),)
    pointer: bool = Key(False, description="options can also be pressed with the pointer")
    option_order: Literal["as_given", "shuffled", "balanced"] = "as_given"

    @model_validator(mode="after")
    def _different(self) -> Answers:
        if not self.keys or any(len(set(keys)) != len(keys) or len(keys) < 2 for keys in self.keys):
            raise ValueError("each set has two keys or more, all different")
        return self


class Words(Model):
    """What people read, in one language. Markdown; pages of instructions are turned with Space."""

    consent: Text = ""
    instructions: tuple[Text, ...] = ()
    practice: Text = ""
    block: Text = ""
    break_: Text = Key("", alias="break")
    debrief: Text = ""
    sorry: Text = Key("", description="where practice was not passed or consent not given")


class Demographic(Model):
    """Asked once, may always be left out. ``options``: one of; else a number, or a text of up to 2,000 characters."""

    name: Name
    text: Label = Key(min_length=1)
    kind: Literal["choice", "number", "text"] = "text"
    options: tuple[Label, ...] = ()
    minimum: Finite | None = None
    maximum: Finite | None = None


class Calibration(Model):
    """The size of the screen by a bank card held against it, and how far away one sits (cm, as said)."""

    card: bool = False
    distance: bool = False


class Trouble(Model):
    """What a trial does whose window lost the focus, was covered, changed its screen, or slept."""

    policy: Literal["flag", "repeat", "pause"] = "flag"


class Exclusion(Model):
    """Declared beforehand. ``rt``: which response times are left out, within participant and condition."""

    rt: Literal["none", "cutoffs", "sd", "mad"] = "none"
    lowest: Seconds | None = None
    highest: Seconds | None = None
    width: float = Key(2.5, gt=0, le=10)
    log: bool = False
    accuracy_below: float | None = Key(None, ge=0, le=1, description="a sitting with less is left out")


class Analysis(Model):
    """The primary analysis, declared beforehand."""

    outcome: Literal["response_time", "accuracy"] = "response_time"
    compare: tuple[Name, ...] | None = Key(None, min_length=2, max_length=2)
    method: Label = "paired by participant and item, crossed bootstrap, 95 %"
    correct_only: bool = True
