"""Free text, one line or several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from annotation.errors import N_, AnswerError
from annotation.questions.base import Checked, Question, ScaleName, question_types, text_value


class TextQuestion(Question):
    scale_name: ClassVar[ScaleName] = "text"

    type: Literal["text"]
    size: Literal["short", "long"] = Field("long", description="short: one line, Enter submits; long: several lines")
    max_chars: int = Field(10_000, ge=1, le=200_000)

    def check_value(self, answer: Mapping[str, Any], *, fields: Mapping[str, Any], element_value: Any) -> Checked:
        self.only(answer, "v")
        text = text_value(self.name, answer["v"])
        if not text.strip():
            raise AnswerError(N_("'{name}': the answer is empty"), name=self.name, code="missing_value")
        if len(text) > self.max_chars:
            raise AnswerError(N_("'{name}' is longer than {limit} characters"), name=self.name, limit=self.max_chars,
                              code="too_long")
        if self.size == "short" and ("\n" in text or "\r" in text):
            raise AnswerError(N_("'{name}' is one line"), name=self.name)
        return {"v": text}


question_types.add("text", TextQuestion)
