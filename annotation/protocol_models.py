"""Protocol: what is shown, what is asked, who checks it, and what the answers become."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Annotated, Any

from pydantic import Discriminator, PrivateAttr, StringConstraints, Tag
from pydantic import Field as Key

from annotation import canonical
from annotation.errors import N_, Unknown
from annotation.fields import Field
from annotation.protocol_base import Label, Model, Name, Text
from annotation.protocol_parts import (
    AgreementSpec,
    Check,
    Derive,
    Export,
    GoldRule,
    ModelPart,
    Proof,
    Quality,
    ScorerSpec,
    Workflow,
)
from annotation.questions import (
    ChoiceQuestion,
    EditQuestion,
    LevelQuestion,
    MultichoiceQuestion,
    NumberQuestion,
    PairwiseQuestion,
    Question,
    ScaleQuestion,
    TextQuestion,
    VerdictQuestion,
)
from annotation.questions.base import ScaleName

AnyQuestion = Annotated[
    ChoiceQuestion | MultichoiceQuestion | LevelQuestion | ScaleQuestion | NumberQuestion | TextQuestion
    | EditQuestion | PairwiseQuestion | VerdictQuestion,
    Key(discriminator="type"),
]


class Group(Model):
    """Questions that repeat for every element of a list field."""

    group: Name
    for_each: Name
    questions: tuple[AnyQuestion, ...] = Key(min_length=1)


def _kind_of_entry(entry: Any) -> str:
    has_group = "group" in entry if isinstance(entry, dict) else hasattr(entry, "group")
    return "group" if has_group else "question"


Entry = Annotated[
    Annotated[AnyQuestion, Tag("question")] | Annotated[Group, Tag("group")], Discriminator(_kind_of_entry)
]


class Protocol(Model):
    """A protocol as read from its file; ``text`` is the file's text."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$", max_length=64)]
    version: int = Key(ge=1)
    title: Label = Key(min_length=1)
    source: Label = ""
    guidelines: Text = ""
    fields: tuple[Field, ...] = Key(min_length=1)
    questions: tuple[Entry, ...] = Key(min_length=1)
    checks: tuple[Check, ...] = ()
    derive: dict[Name, Derive] = {}
    workflow: Workflow = Workflow()
    gold: dict[Name, GoldRule] = {}
    agreement: tuple[AgreementSpec, ...] = ()
    quality: Quality = Quality()
    export: Export = Export()
    proof: Proof = Proof()
    model: ModelPart | None = None

    _text: str = PrivateAttr(default="")

    @property
    def text(self) -> str:
        return self._text

    @cached_property
    def hash(self) -> str:
        """Of everything: the SHA-256 of the file's text."""
        return hashlib.sha256(self._text.encode()).hexdigest()

    @cached_property
    def form_hash(self) -> str:
        """Of what an answer means: fields, questions, options, checks (the letter keys of options apart)."""
        said = self.model_dump(mode="json", by_alias=True, exclude_defaults=True,
                               include={"fields", "questions", "checks"})
        return canonical.sha256(_without_keys(said))

    @cached_property
    def guideline_hash(self) -> str:
        return hashlib.sha256(self.guidelines.encode()).hexdigest()

    @cached_property
    def asked(self) -> tuple[Question, ...]:
        """Every question, those of groups included, in the order of the file."""
        return tuple(q for entry in self.questions
                     for q in (entry.questions if isinstance(entry, Group) else (entry,)))

    @cached_property
    def _by_name(self) -> dict[str, Question]:
        return {question.name: question for question in self.asked}

    @cached_property
    def _groups(self) -> dict[str, Group]:
        return {q.name: entry for entry in self.questions if isinstance(entry, Group) for q in entry.questions}

    @cached_property
    def _fields(self) -> dict[str, Field]:
        return {field.name: field for field in self.fields}

    def field(self, name: str) -> Field:
        if name not in self._fields:
            raise Unknown(N_("The protocol has no field '{name}'"), name=name)
        return self._fields[name]

    def question(self, name: str) -> Question:
        if name not in self._by_name:
            raise Unknown(N_("The protocol has no question '{name}'"), name=name)
        return self._by_name[name]

    def has_question(self, name: str) -> bool:
        return name in self._by_name

    def has_field(self, name: str) -> bool:
        return name in self._fields

    def group_of(self, name: str) -> Group | None:
        """The group of a question; None for a question outside groups and for a derived value."""
        return self._groups.get(name)

    @cached_property
    def value_names(self) -> tuple[str, ...]:
        """Names of everything that has a value: questions, then derived values."""
        return (*self._by_name, *self.derive)

    def scale_of(self, name: str) -> ScaleName:
        """The scale of measurement of a question or a derived value."""
        if name in self._by_name:
            return self._by_name[name].scale
        if name not in self.derive:
            raise Unknown(N_("The protocol has no value '{name}'"), name=name)
        operation = self.derive[name].operation
        if operation in ("table", "compare", "any", "all"):
            return "nominal"
        return "none" if operation == "rank" else "interval"

    def options_of(self, name: str) -> tuple[str, ...]:
        """The declared values of a question or a derived value, in order; () where there is no closed list.

        Pairwise: the declared ties only, since candidates differ from item to item.
        """
        if name in self._by_name:
            return tuple(option.value for option in self._by_name[name].options_for({}) if option.value != "na")
        derive = self.derive.get(name)
        if derive is None:
            return ()
        if derive.table is not None:
            return tuple(dict.fromkeys(str(row.value or row.otherwise) for row in derive.table))
        return ("yes", "no") if derive.operation in ("any", "all") else ()

    def scorers(self) -> tuple[ScorerSpec, ...]:
        """``export.scorer`` as a list of metric and question; a bare name where one question alone fits gets it."""
        given = self.export.scorer
        listed = () if given is None else given if isinstance(given, tuple) else (given,)
        return tuple(self._scorer(spec) for spec in listed)

    def _scorer(self, spec: str | ScorerSpec) -> ScorerSpec:
        found = spec if isinstance(spec, ScorerSpec) else ScorerSpec.model_validate({"metric": spec})
        if found.question is None and found.metric != "presupposition" and len(self.gold) == 1:
            return found.model_copy(update={"question": next(iter(self.gold))})
        return found


def _without_keys(value: Any) -> Any:
    """A dump without the ``key`` of options: which letter chooses an option does not change what it means."""
    if isinstance(value, dict):
        return {name: _without_keys(inner) for name, inner in value.items()
                if not (name == "key" and "value" in value)}
    return [_without_keys(inner) for inner in value] if isinstance(value, (list, tuple)) else value
