"""A number on a scale with anchors, and N/A where the protocol has it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from annotation.errors import N_, AnswerError
from annotation.protocol_base import Label, Model
from annotation.questions.base import Checked, Option, Question, ScaleName, number_text, question_types, with_keys


class NotApplicable(Model):
    """``agreement``: whether N/A counts as a missing value or as a category of its own."""

    label: Label = "N/A"
    agreement: Literal["missing", "category"] = "missing"


class ScaleQuestion(Question):
    scale_name: ClassVar[ScaleName] = "interval"

    type: Literal["scale"]
    min: int | float
    max: int | float
    step: int | float = Field(1, gt=0)
    anchors: dict[str, Label] = Field({}, description="what a value means, as {\"1\": Harmful, \"5\": Helpful}")
    na: NotApplicable | None = None
    display: Literal["keys", "slider"] = "keys"

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.min >= self.max:
            raise ValueError("min must be below max")
        if (self.max - self.min) / self.step > 1000:
            raise ValueError("has more than 1000 steps; use a number")
        off = [anchor for anchor in self.anchors if anchor not in {number_text(value) for value in self.points}]
        if off:
            raise ValueError(f"the anchor '{off[0]}' is no point of the scale")
        return self

    @property
    def points(self) -> tuple[int | float, ...]:
        """Every value of the scale, the lowest first."""
        count = math.floor((self.max - self.min) / self.step + 1e-9) + 1
        return tuple(_tidy(self.min + n * self.step) for n in range(count))

    def options_for(self, fields: Mapping[str, Any], element_value: Any = None, *,
                    order: Sequence[str] | None = None) -> tuple[Option, ...]:
        """The points as options (value = the number as text), N/A last with the value ``na``."""
        points = [Option(value=text, label=self.anchors.get(text, text)) for text in map(number_text, self.points)]
        if self.na is not None:
            points.append(Option(value="na", label=self.na.label))
        return with_keys(points)

    def check_na(self) -> dict[str, Any]:
        return {"na": True} if self.na is not None else super().check_na()

    def check_value(self, answer: Mapping[str, Any], *, fields: Mapping[str, Any], element_value: Any) -> Checked:
        self.only(answer, "v")
        value = finite(self.name, answer["v"])
        steps = (value - self.min) / self.step
        if not self.min <= value <= self.max or abs(steps - round(steps)) > 1e-6:
            raise AnswerError(N_("'{name}': {value} is no point of the scale from {min} to {max}"), name=self.name,
                              value=number_text(value), min=number_text(self.min), max=number_text(self.max))
        return {"v": _tidy(self.min + round(steps) * self.step)}

    def number_form(self, answer: Mapping[str, Any]) -> float | None:
        return None if answer.get("na") else float(answer["v"])


def finite(name: str, value: Any) -> int | float:
    """``value`` if it is a finite number (true and false are none), else AnswerError."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise AnswerError(N_("'{name}': {value} is not a number"), name=name, value=repr(value)[:80], code="bad_type")
    if isinstance(value, float) and not math.isfinite(value):
        raise AnswerError(N_("'{name}': {value} is not a finite number"), name=name, value=str(value),
                          code="not_finite")
    if abs(value) > 1e15:
        raise AnswerError(N_("'{name}': the number is too large"), name=name)
    return value


def _tidy(value: int | float) -> int | float:
    """Whole numbers as int; else without the dust of binary fractions."""
    rounded = round(value, 9)
    return int(rounded) if float(rounded).is_integer() else rounded


question_types.add("scale", ScaleQuestion)
