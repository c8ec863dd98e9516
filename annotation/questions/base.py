"""What every question type shares: its YAML keys, its options, and how an answer is checked and written as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from annotation.canonical import check_text
from annotation.errors import N_, AnswerError, Refused
from annotation.protocol_base import Label, Model, Name, Value, Values
from annotation.registry import Registry

ScaleName = Literal["nominal", "ordinal", "interval", "text", "set", "none"]
Shuffle = Literal["never", "per_person", "per_item"]
Checked = dict[str, Any]  # an answer in the form in which it is stored


class Option(Model):
    """``label`` is what people read (the value in words where it is left out); ``key`` is a single letter."""

    value: Value
    label: Label = ""
    hint: Label = ""
    routes: Literal["another", "adjudicate"] | None = Field(
        None, description="where an item goes that got this answer: to another person, or to adjudication"
    )
    key: str | None = Field(None, pattern=r"^[A-Za-z]$", description="a letter that chooses this option")

    @model_validator(mode="before")
    @classmethod
    def _label_from_value(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and data.get("value") and not data.get("label"):
            return {**data, "label": in_words(data["value"])}
        return data


class Question(Model):
    """``scale`` is the scale of measurement of its answers."""

    scale_name: ClassVar[ScaleName] = "none"

    name: Name
    text: Label = Field(min_length=1)
    hint: Label = ""
    required: bool = True
    show_if: dict[str, Values] = {}

    @property
    def scale(self) -> ScaleName:
        return self.scale_name

    def options_for(self, fields: Mapping[str, Any], element_value: Any = None, *,
                    order: Sequence[str] | None = None) -> tuple[Option, ...]:
        """The options to show, in ``order`` where one is given; ``key`` is the letter, else the digit."""
        return ()

    def check(self, answer: Mapping[str, Any], *, fields: Mapping[str, Any], element_value: Any = None) -> Checked:
        """The normalised answer, or AnswerError."""
        if not isinstance(answer, Mapping):
            raise AnswerError(N_("'{name}': an answer is an object with v"), name=self.name)
        if answer.get("na") is True and "v" not in answer:
            return self.check_na()
        if answer.get("v") is None:
            raise AnswerError(N_("'{name}': the answer is empty"), name=self.name, code="missing_value")
        return self.check_value(answer, fields=fields, element_value=element_value)

    def check_na(self) -> dict[str, Any]:
        raise AnswerError(N_("'{name}' does not allow N/A"), name=self.name)

    def check_value(self, answer: Mapping[str, Any], *, fields: Mapping[str, Any], element_value: Any) -> Checked:
        raise TypeError(f"{type(self).__name__} lacks check_value")

    def only(self, answer: Mapping[str, Any], *keys: str) -> None:
        """AnswerError where ``answer`` holds another key than ``keys``."""
        for key in answer:
            if key not in keys:
                raise AnswerError(N_("'{name}': an answer has no '{key}'"), name=self.name, key=key)

    def is_given(self, answer: Mapping[str, Any] | None, *, fields: Mapping[str, Any],
                 element_value: Any = None) -> bool:
        """Whether ``answer`` counts as an answer (a repair that repeats its source does not)."""
        return answer is not None

    def wanted(self, answer: Mapping[str, Any] | None) -> AnswerError:
        """What is still wanted where ``is_given`` is False, as a sentence to whoever answers."""
        return AnswerError(N_("This question has no answer yet."), code="missing_value")

    def values_of(self, answer: Mapping[str, Any]) -> frozenset[str]:
        """The texts that a ``show_if`` or a check may name for this answer; ``na`` for N/A."""
        return frozenset({"na" if answer.get("na") else self.text_form(answer)})

    def text_form(self, answer: Mapping[str, Any]) -> str:
        """The answer as one text, for tables and comparison; empty for N/A."""
        return "" if answer.get("na") else number_text(answer["v"])

    def number_form(self, answer: Mapping[str, Any]) -> float | None:
        """The answer as a number where it has one."""
        return None


question_types: Registry[type[Question]] = Registry("question type")


def in_words(value: str) -> str:
    """An option's value as a label: ``no_false_presupposition`` -> ``No false presupposition``."""
    words = value.replace("_", " ")
    return words[:1].upper() + words[1:]


def number_text(value: Any) -> str:
    """A value as text: whole numbers without a point, lists as JSON."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def text_value(name: str, value: Any) -> str:
    """``value`` if it is a text that can be stored, else AnswerError."""
    if not isinstance(value, str):
        raise AnswerError(N_("'{name}': {value} is not a text"), name=name, value=repr(value)[:80], code="bad_type")
    try:
        return check_text(value)
    except Refused as fault:
        raise AnswerError(N_("'{name}': {why}"), name=name, why=str(fault), code=fault.code) from None


def with_keys(options: Sequence[Option], order: Sequence[str] | None = None) -> tuple[Option, ...]:
    """``options`` in ``order``, each with its letter or, for the first ten, its digit (the tenth has 0)."""
    if order:
        rank = {value: n for n, value in enumerate(order)}
        options = sorted(options, key=lambda option: rank.get(option.value, len(rank)))
    return tuple(
        option if option.key else option.model_copy(update={"key": str((n + 1) % 10) if n < 10 else None})
        for n, option in enumerate(options)
    )


def element_options(value: Any) -> tuple[Option, ...]:
    """The elements of a list field (``candidates``, ``steps``) as options: id and text."""
    found = value if isinstance(value, (list, tuple)) else ()
    return tuple(Option(value=element["id"], label=element.get("text") or element["id"]) for element in found)
