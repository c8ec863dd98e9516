"""Study: items in conditions, shown to people in an order, with a clock; as read from its file."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field as Key
from pydantic import PrivateAttr, StringConstraints

from annotation.errors import Fault
from annotation.protocol_base import Label, Model, Name
from studies.model_parts import (
    Analysis,
    Answers,
    Attention,
    Blocks,
    Calibration,
    Condition,
    Correct,
    Demographic,
    Exclusion,
    Items,
    Language,
    Order,
    Practice,
    TrialSpec,
    Trouble,
    Words,
)


class Study(Model):
    """A study as read from its file (``studies.reading``); ``text`` is the file's text, ``hash`` its SHA-256."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$", max_length=64)]
    version: int = Key(ge=1)
    title: Label = Key(min_length=1)
    source: Label = ""
    protocol: Label = Key("", description="the id of the protocol whose items are shown")
    question: Name = Key(description="the protocol's question (choice or level) that is answered")
    items: Items = Items()
    correct: Correct | None = None
    conditions: tuple[Condition, ...] = Key(min_length=1, max_length=12)
    vary: Literal["within", "between"] = "within"
    strata: tuple[Name, ...] = Key((), description="fields; every list has the conditions balanced in each stratum")
    task: Name | None = Key(None, description="the field that is called task in the exports")
    family: Name | None = Key(None, description="the field that tells which items show one and the same thing")
    per_person: int | None = Key(None, ge=1, description="trials in earnest a person; None: all items")
    people: int = Key(20, ge=1, le=100_000, description="how many completed sittings are wanted")
    order: Order = Order()
    blocks: Blocks = Blocks()
    practice: Practice | None = None
    attention: Attention | None = None
    timed: bool = Key(True, description="false: an untimed baseline; times are kept and not analysed")
    trial: TrialSpec = TrialSpec()
    answers: Answers = Answers()
    languages: dict[Language, Words] = Key(min_length=1)
    demographics: tuple[Demographic, ...] = ()
    calibration: Calibration = Calibration()
    trouble: Trouble = Trouble()
    exclusion: Exclusion = Exclusion()
    analysis: Analysis = Analysis()
    seed: int = Key(0, ge=0, le=2**31 - 1)

    _text: str = PrivateAttr(default="")
    _findings: tuple[Fault, ...] = PrivateAttr(default=())

    @property
    def text(self) -> str:
        return self._text

    @property
    def findings(self) -> tuple[Fault, ...]:
        """What rules that are newer than it say of a text that a project keeps; it stays as it was kept."""
        return self._findings

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of the file's text: which study it was that somebody sat for."""
        return hashlib.sha256(self._text.encode()).hexdigest()

    def words(self, language: str) -> Words:
        """In this language, else in the first of the file."""
        return self.languages.get(language) or next(iter(self.languages.values()))

    def condition(self, name: str) -> Condition:
        return next(condition for condition in self.conditions if condition.name == name)
