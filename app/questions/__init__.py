"""One widget per question type, under the same file names as the types themselves."""

from app.questions import choice, edit, level, multichoice, number, pairwise, scale, text, verdict  # noqa: F401
from app.questions.base import Asked, QuestionWidget, question_widgets

__all__ = ["Asked", "QuestionWidget", "question_widgets"]
