"""One of several named levels, the least at the top."""

from __future__ import annotations

from typing import ClassVar

from app.questions.base import question_widgets
from app.questions.choice import ChoiceWidget


@question_widgets.register("level")
class LevelWidget(ChoiceWidget):
    stacked: ClassVar[bool] = True
