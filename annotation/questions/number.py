"""A number with its unit, range and decimals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from annotation.errors import N_, AnswerError
from annotation.protocol_base import Label
from annotation.questions.base import Checked, Question, ScaleName, number_text, question_types
from annotation.questions.scale import finite


class NumberQuestion(Question):
    scale_name: ClassVar[ScaleName] = "interval"

    type: Literal["number"]
    unit: Label = ""
    min: int | float | None = None
    max: int | float | None = None
    decimals: int = Field(0, ge=0, le=9)

    @model_validator(mode="after")
    def _range(self) -> Self:
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError("min must not be above max")
        return self

    def check_value(self, answer: Mapping[str, Any], *, fields: Mapping[str, Any], element_value: Any) -> Checked:
        self.only(answer, "v")
        value = finite(self.name, answer["v"])
        if self.min is not None and value < self.min:
            raise AnswerError(N_("'{name}': {value} is below {min}"), name=self.name, value=number_text(value),
                              min=number_text(self.min))
        if self.max is not None and value > self.max:
            raise AnswerError(N_("'{name}': {value} is above {max}"), name=self.name, value=number_text(value),
                              max=number_text(self.max))
        rounded = round(value, self.decimals)
        if abs(rounded - value) > 1e-9 * max(1.0, abs(value)):
            raise AnswerError(N_("'{name}': {value} has more than {decimals} decimals"), name=self.name,
                              value=number_text(value), decimals=self.decimals)
        return {"v": int(rounded) if float(rounded).is_integer() else rounded}

    def number_form(self, answer: Mapping[str, Any]) -> float | None:
        return None if answer.get("na") else float(answer["v"])


question_types.add("number", NumberQuestion)
