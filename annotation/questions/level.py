"""One of several named levels in order, the lowest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from annotation.questions.base import ScaleName, question_types
from annotation.questions.choice import OfOptions


class LevelQuestion(OfOptions):
    scale_name: ClassVar[ScaleName] = "ordinal"

    type: Literal["level"]

    @model_validator(mode="after")
    def _declared_order(self) -> Self:
        if self.options_from:
            raise ValueError("a level has its options in the protocol, the lowest first")
        if self.shuffle != "never":
            raise ValueError("levels stand in order and are never shuffled")
        return self

    def number_form(self, answer: Mapping[str, Any]) -> float | None:
        """The option's position, from 0."""
        if answer.get("na"):
            return None
        return float([option.value for option in self.options].index(answer["v"]))


question_types.add("level", LevelQuestion)
