"""The gold rule dawid_skene: which answer is true with what probability, given people's error rates. Pure.

The error rates come from all items together and are counted at a moment (``gold_model``); the posterior of one item
needs them and the item's own votes, no more. So a submit costs what it costs under any rule, and the same facts
give the same gold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation.answers import Answer
from annotation.gold_votes import NA, NA_KEY, Vote, is_mostly_na, shared

THRESHOLD = 0.9
DIGITS = 6
LEAST = 1e-9  # the least probability of an error, so that one vote never outweighs all others

NOT_COUNTED = "people's error rates are not counted yet: recount the gold"
NEW_ANSWER = "somebody gave an answer that was new since the last count of error rates: recount the gold"
NOT_TOLD = "error rates cannot be told: {why}"


@dataclass(frozen=True, slots=True)
class GoldModel:
    """Error rates of one question. ``classes``: keys of votes, in order; ``shares`` of them among the items.

    ``people``: person (hex) -> rows true class, columns given class. ``na_is_class``: N/A is an answer like another.
    ``reason``: why there is none of this. ``answers``, ``newest``: how many answers it was counted from, and the
    last revision among them (hex): by these it is seen whether there are others now.
    """

    classes: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    people: Mapping[str, tuple[tuple[float, ...], ...]] = field(default_factory=dict)
    na_is_class: bool = False
    answers: int = 0
    newest: str | None = None
    reason: str | None = None

    def rates_of(self, person: str) -> tuple[tuple[float, ...], ...]:
        """A person's own, else, for one who has answered only since, the mean of all people's."""
        found = self.people.get(person)
        if found is not None or not self.people:
            return found or tuple(tuple(float(k == v) for v in range(len(self.classes)))
                                  for k in range(len(self.classes)))
        n, size = len(self.people), range(len(self.classes))
        return tuple(tuple(math.fsum(one[k][v] for one in self.people.values()) / n for v in size) for k in size)


@dataclass(frozen=True, slots=True)
class Judged:
    """``answer`` None: ``why``. ``waits``: only until the next count, so nobody has to decide it by hand."""

    answer: Answer | None
    probability: float | None = None
    why: str | None = None
    waits: bool = False


def judge(model: GoldModel | None, votes: Sequence[Vote], *, threshold: float) -> Judged:
    """The answer whose posterior probability is at least ``threshold`` (Dawid & Skene 1979, eq. 2.5).

    p(k | votes) is proportional to share_k times the product over votes of the probability that this person gives
    this answer where k is true. N/A is no vote, unless the question counts it as an answer; where most say
    N/A, that stands.
    """
    if model is None:
        return Judged(None, why=NOT_COUNTED, waits=True)
    if model.reason is not None:
        return Judged(None, why=NOT_TOLD.format(why=model.reason))
    counted = [vote for vote in votes if model.na_is_class or not vote.answer.get("na")]
    if not counted or (not model.na_is_class and is_mostly_na(votes)):
        return Judged(NA)
    if any(vote.key not in model.classes for vote in counted):
        return Judged(None, why=NEW_ANSWER, waits=True)
    posterior = posteriors(model, counted)
    best = max(range(len(posterior)), key=lambda k: (posterior[k], -k))
    probability = round(posterior[best], DIGITS)
    if probability < threshold:
        return Judged(None, probability, f"the most probable answer has a probability of {probability:.3f}; "
                                         f"the rule wants {threshold:g}")
    key = model.classes[best]
    same = [vote for vote in counted if vote.key == key]
    if same:
        return Judged(shared(same), probability)
    if key == NA_KEY:
        return Judged(NA, probability)
    return Judged(None, probability, "the most probable answer is one that nobody gave here")


def posteriors(model: GoldModel, votes: Sequence[Vote]) -> list[float]:
    """The probability of each class; they add up to 1. ``votes`` carry keys that are classes."""
    place = {key: k for k, key in enumerate(model.classes)}
    rates = {vote.person: model.rates_of(vote.person.hex) for vote in votes}
    logs = [math.log(max(share, LEAST)) + math.fsum(
        math.log(max(rates[vote.person][k][place[vote.key]], LEAST)) for vote in votes)
        for k, share in enumerate(model.shares)]
    top = max(logs)
    weights = [math.exp(one - top) for one in logs]
    total = math.fsum(weights)
    return [weight / total for weight in weights]
