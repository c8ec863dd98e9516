"""One file per question type: the YAML it allows, how an answer is checked, its scale."""

from annotation.questions.base import Option, Question, question_types
from annotation.questions.choice import ChoiceQuestion
from annotation.questions.edit import EditQuestion
from annotation.questions.level import LevelQuestion
from annotation.questions.multichoice import MultichoiceQuestion
from annotation.questions.number import NumberQuestion
from annotation.questions.pairwise import PairwiseQuestion
from annotation.questions.scale import ScaleQuestion
from annotation.questions.text import TextQuestion
from annotation.questions.verdict import VerdictQuestion

__all__ = [
    "ChoiceQuestion", "EditQuestion", "LevelQuestion", "MultichoiceQuestion", "NumberQuestion", "Option",
    "PairwiseQuestion", "Question", "ScaleQuestion", "TextQuestion", "VerdictQuestion", "question_types",
]
