"""What somebody chose on the page Agreement, kept for each project in the settings of this machine."""

from __future__ import annotations

import json
from typing import Any

from app.context import Context
from app.pages.agreement.reading import Asked

CHOICES, CUT = "agreement_choices", "agreement_by"


class Remembered:
    """Choices by question, and the field that results are cut by. What cannot be read is as if nothing was chosen."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def choices(self) -> dict[str, dict[str, Any]]:
        return {question: chosen for question, chosen in self._kept(CHOICES).items() if isinstance(chosen, dict)}

    def choose(self, asked: Asked) -> None:
        self._keep(CHOICES, {**self.choices(), asked.question: asked.to_dict()})

    def unchoose(self, question: str) -> None:
        self._keep(CHOICES, {name: one for name, one in self.choices().items() if name != question})

    def cut(self, default: str) -> str:
        found = self._kept(CUT).get("by", default)
        return found if isinstance(found, str) else default

    def set_cut(self, by: str) -> None:
        self._keep(CUT, {"by": by})

    def _kept(self, name: str) -> dict[str, Any]:
        try:
            found = json.loads(self._context.settings.get(name).get(self._context.project, "{}"))
        except (TypeError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _keep(self, name: str, values: dict[str, Any]) -> None:
        kept = self._context.settings.get(name)
        self._context.settings.set(name, {**kept, self._context.project: json.dumps(values)})
