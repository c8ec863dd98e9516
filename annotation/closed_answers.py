"""Which questions have one closed list of answers for every item: what a model of people's errors needs."""

from __future__ import annotations

from annotation.protocol_models import Protocol
from annotation.questions.choice import OfOptions
from annotation.questions.pairwise import PairwiseQuestion

MOST_CLASSES = 30


def has_classes(protocol: Protocol, name: str) -> bool:
    """Whether every item offers the same 2 to 30 answers (a pair's candidates, and options from a field, differ)."""
    if protocol.scale_of(name) not in ("nominal", "ordinal", "interval"):
        return False
    if protocol.has_question(name):
        question = protocol.question(name)
        if isinstance(question, PairwiseQuestion) or (isinstance(question, OfOptions) and question.options_from):
            return False
    return 1 < len(protocol.options_of(name)) <= MOST_CLASSES
