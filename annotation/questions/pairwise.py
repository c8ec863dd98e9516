"""The better of two candidates, with declared ties and an optional strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from annotation.errors import N_, AnswerError
from annotation.protocol_base import Label, Name
from annotation.questions.base import (
    Checked,
    Option,
    Question,
    ScaleName,
    Shuffle,
    question_types,
    text_value,
    with_keys,
)

Tie = Literal["tie", "both_good", "both_bad"]
TIES = ("tie", "both_good", "both_bad")


class PairwiseQuestion(Question):
    """An answer is a candidate's id or a tie; what stood left or right is the task's order, never the value."""

    scale_name: ClassVar[ScaleName] = "nominal"

    type: Literal["pairwise"]
    on: Name = Field(description="the candidates field; its two elements are compared")
    ties: tuple[Tie, ...] = ()
    strength: int | None = Field(None, ge=2, le=9, description="how much better, 1 to n")
    strength_labels: tuple[Label, ...] = ()
    left: Label = "Left is better"
    right: Label = "Right is better"
    tie_labels: dict[str, Label] = {}
    shuffle: Shuffle = "per_person"

    def candidates(self, fields: Mapping[str, Any]) -> tuple[str, ...]:
        found = fields.get(self.on)
        return tuple(element["id"] for element in found) if isinstance(found, (list, tuple)) else ()

    def options_for(self, fields: Mapping[str, Any], element_value: Any = None, *,
                    order: Sequence[str] | None = None) -> tuple[Option, ...]:
        """Left and right (by ``order``, else as imported), then the ties in the protocol's order."""
        ids = self.candidates(fields)
        if order:
            ids = tuple(sorted(ids, key=lambda i: order.index(i) if i in order else len(order)))
        sides = [Option(value=i, label=label) for i, label in zip(ids, (self.left, self.right), strict=False)]
        words = {"tie": "About the same", "both_good": "Both good", "both_bad": "Both bad"}
        return with_keys([*sides, *(Option(value=t, label=self.tie_labels.get(t, words[t])) for t in self.ties)])

    def check_value(self, answer: Mapping[str, Any], *, fields: Mapping[str, Any], element_value: Any) -> Checked:
        self.only(answer, "v", "strength")
        value = text_value(self.name, answer["v"])
        ids = self.candidates(fields)
        if value not in ids and value not in self.ties:
            raise AnswerError(N_("'{name}': '{value}' is none of {known}"), name=self.name, value=value[:80],
                              known=", ".join((*ids, *self.ties)))
        strength = answer.get("strength")
        if strength is None:
            return {"v": value}
        if self.strength is None or value in self.ties:
            raise AnswerError(N_("'{name}': '{value}' has no strength"), name=self.name, value=value)
        if isinstance(strength, bool) or not isinstance(strength, int) or not 1 <= strength <= self.strength:
            raise AnswerError(N_("'{name}': the strength is a whole number from 1 to {most}"), name=self.name,
                              most=self.strength)
        return {"v": value, "strength": strength}


question_types.add("pairwise", PairwiseQuestion)
