"""Keep, repair or reject, with flags and a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from annotation.errors import N_, AnswerError
from annotation.protocol_base import Label
from annotation.questions.base import Checked, Option, Question, ScaleName, question_types, text_value, with_keys

Verdict = Literal["keep", "repair", "reject"]
VERDICTS: tuple[Verdict, ...] = ("keep", "repair", "reject")


class VerdictQuestion(Question):
    scale_name: ClassVar[ScaleName] = "nominal"

    type: Literal["verdict"]
    flags: tuple[Option, ...] = Field((), description="what is wrong; several may be given with repair and reject")
    flags_on: tuple[Verdict, ...] = Field((), description="the verdicts that need at least one flag")
    reason_on: tuple[Verdict, ...] = Field((), description="the verdicts that need a reason in words")
    labels: dict[str, Label] = {}
    max_chars: int = Field(2_000, ge=1, le=200_000)

    @model_validator(mode="after")
    def _flags_exist(self) -> Self:
        if self.flags_on and not self.flags:
            raise ValueError("flags_on needs flags")
        if any(key not in VERDICTS for key in self.labels):
            raise ValueError("labels are for keep, repair and reject")
        return self

    def options_for(self, fields: Mapping[str, Any], element_value: Any = None, *,
                    order: Sequence[str] | None = None) -> tuple[Option, ...]:
        return with_keys([Option(value=value, label=self.labels.get(value, "")) for value in VERDICTS])

    def flag_options(self) -> tuple[Option, ...]:
        return self.flags

    def check_value(self, answer: Mapping[str, Any], *, fields: Mapping[str, Any], element_value: Any) -> Checked:
        self.only(answer, "v", "flags", "reason")
        value = text_value(self.name, answer["v"])
        if value not in VERDICTS:
            raise AnswerError(N_("'{name}': '{value}' is none of {known}"), name=self.name, value=value[:80],
                              known=", ".join(VERDICTS))
        checked: dict[str, Any] = {"v": value}
        if flags := self._check_flags(answer.get("flags"), value):
            checked["flags"] = flags
        if reason := self._check_reason(answer.get("reason")):
            checked["reason"] = reason
        return checked

    def _check_flags(self, given: Any, verdict: str) -> list[str]:
        if given is None:
            return []
        if not isinstance(given, (list, tuple)):
            raise AnswerError(N_("'{name}': flags are a list"), name=self.name, code="bad_type")
        known = [option.value for option in self.flags]
        for flag in given:
            if flag not in known:
                raise AnswerError(N_("'{name}': '{value}' is no flag; there are {known}"), name=self.name,
                                  value=str(flag)[:80], known=", ".join(known) or "none")
        if given and verdict == "keep":
            raise AnswerError(N_("'{name}': what is kept has no flags"), name=self.name)
        return [flag for flag in known if flag in given]

    def _check_reason(self, given: Any) -> str:
        if given is None:
            return ""
        reason = text_value(self.name, given)
        if len(reason) > self.max_chars:
            raise AnswerError(N_("'{name}' is longer than {limit} characters"), name=self.name, limit=self.max_chars,
                              code="too_long")
        return reason if reason.strip() else ""

    def is_given(self, answer: Mapping[str, Any] | None, *, fields: Mapping[str, Any],
                 element_value: Any = None) -> bool:
        """A verdict is given when the flags and the reason that it needs are there too."""
        if answer is None:
            return False
        if answer["v"] in self.flags_on and not answer.get("flags"):
            return False
        return not (answer["v"] in self.reason_on and not answer.get("reason"))

    def wanted(self, answer: Mapping[str, Any] | None) -> AnswerError:
        if answer is not None and answer["v"] in self.flags_on and not answer.get("flags"):
            return AnswerError(N_("Say what is wrong: choose at least one of the marks."), code="missing_value")
        if answer is not None and answer["v"] in self.reason_on:
            return AnswerError(N_("Give the reason in words."), code="missing_value")
        return super().wanted(answer)


question_types.add("verdict", VerdictQuestion)
