"""One option of several; the options stand in the protocol or, with ``options_from``, in the item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from annotation.errors import N_, AnswerError
from annotation.protocol_base import Name
from annotation.questions.base import (
    Checked,
    Option,
    Question,
    ScaleName,
    Shuffle,
    element_options,
    question_types,
    text_value,
    with_keys,
)


class OfOptions(Question):
    """What choice, multichoice and level share."""

    options: tuple[Option, ...] = ()
    options_from: Name | None = Field(None, description="a candidates or steps field: 2 to 6 options, other per item")
    shuffle: Shuffle = "never"
    answer_map: str | None = Field(
        None, pattern=r"^(index0|index1|letter|text|[^{}]*(\{(letter|text|index0|index1|value)\}[^{}]*)+)$",
        description="how an answer is written: index0, index1, letter, text, or a template as '{letter}. {text}'",
    )

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if bool(self.options) == bool(self.options_from):
            raise ValueError("needs options or options_from (and not both)")
        if self.options and len(self.options) < 2:
            raise ValueError("needs at least two options")
        return self

    def options_for(self, fields: Mapping[str, Any], element_value: Any = None, *,
                    order: Sequence[str] | None = None) -> tuple[Option, ...]:
        found = element_options(fields.get(self.options_from)) if self.options_from else self.options
        return with_keys(found, order)

    def check_option(self, value: Any, fields: Mapping[str, Any], element_value: Any) -> str:
        text = text_value(self.name, value)
        known = [option.value for option in self.options_for(fields, element_value)]
        if text not in known:
            raise AnswerError(N_("'{name}': '{value}' is none of {known}"), name=self.name, value=text[:80],
                              known=", ".join(known))
        return text

    def check_value(self, answer: Mapping[str, Any], *, fields: Mapping[str, Any], element_value: Any) -> Checked:
        self.only(answer, "v")
        return {"v": self.check_option(answer["v"], fields, element_value)}


class ChoiceQuestion(OfOptions):
    scale_name: ClassVar[ScaleName] = "nominal"

    type: Literal["choice"]


question_types.add("choice", ChoiceQuestion)
