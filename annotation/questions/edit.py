"""A text of the item, changed by the person; the answer is the full new text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from annotation.errors import N_, AnswerError
from annotation.protocol_base import Name
from annotation.questions.base import Checked, Question, ScaleName, question_types, text_value


class EditQuestion(Question):
    scale_name: ClassVar[ScaleName] = "text"

    type: Literal["edit"]
    on: Name = Field(description="the text or markdown field that the answer begins with")
    max_chars: int = Field(50_000, ge=1, le=200_000)

    def source(self, fields: Mapping[str, Any], element_value: Any = None) -> str:
        """The text that the box begins with; empty where the item has none."""
        found = fields.get(self.on)
        return found if isinstance(found, str) else ""

    def check_value(self, answer: Mapping[str, Any], *, fields: Mapping[str, Any], element_value: Any) -> Checked:
        self.only(answer, "v")
        text = text_value(self.name, answer["v"])
        if not text.strip():
            raise AnswerError(N_("'{name}': the answer is empty"), name=self.name, code="missing_value")
        if len(text) > self.max_chars:
            raise AnswerError(N_("'{name}' is longer than {limit} characters"), name=self.name, limit=self.max_chars,
                              code="too_long")
        return {"v": text}

    def is_given(self, answer: Mapping[str, Any] | None, *, fields: Mapping[str, Any],
                 element_value: Any = None) -> bool:
        """An edit that repeats its source word for word is no repair."""
        return answer is not None and answer.get("v") != self.source(fields, element_value)

    def wanted(self, answer: Mapping[str, Any] | None) -> AnswerError:
        return AnswerError(N_("The text is as it was: change it, or answer otherwise above.") if self.show_if
                           else N_("The text is as it was: change it."), code="missing_value")


question_types.add("edit", EditQuestion)
