"""Any number of options; stored as a list in option order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from annotation.errors import N_, AnswerError
from annotation.questions.base import Checked, ScaleName, question_types
from annotation.questions.choice import OfOptions


class MultichoiceQuestion(OfOptions):
    scale_name: ClassVar[ScaleName] = "set"

    type: Literal["multichoice"]
    min: int = Field(0, ge=0)
    max: int | None = Field(None, ge=1)

    def check_value(self, answer: Mapping[str, Any], *, fields: Mapping[str, Any], element_value: Any) -> Checked:
        self.only(answer, "v")
        given = answer["v"]
        if not isinstance(given, (list, tuple)):
            raise AnswerError(N_("'{name}': {value} is not a list of options"), name=self.name,
                              value=repr(given)[:80], code="bad_type")
        chosen = [self.check_option(value, fields, element_value) for value in given]
        if len(set(chosen)) < len(chosen):
            raise AnswerError(N_("'{name}': an option is chosen twice"), name=self.name)
        if self.max is not None and len(chosen) > self.max:
            raise AnswerError(N_("'{name}': at most {max} options may be chosen"), name=self.name, max=self.max)
        known = [option.value for option in self.options_for(fields, element_value)]
        return {"v": [value for value in known if value in chosen]}

    def is_given(self, answer: Mapping[str, Any] | None, *, fields: Mapping[str, Any],
                 element_value: Any = None) -> bool:
        return answer is not None and len(answer.get("v") or ()) >= self.min

    def wanted(self, answer: Mapping[str, Any] | None) -> AnswerError:
        if self.min < 2:
            return super().wanted(answer)
        return AnswerError(N_("Choose at least {min} options."), min=self.min, code="missing_value")

    def values_of(self, answer: Mapping[str, Any]) -> frozenset[str]:
        return frozenset(answer["v"])


question_types.add("multichoice", MultichoiceQuestion)
