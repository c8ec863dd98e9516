"""Which coefficients of which questions are wanted: as the protocol says, or as somebody asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.agreement.asking import ELSEWHERE
from annotation.agreement.metric import metrics
from annotation.agreement.report import find_metric
from annotation.agreement.result import Result
from annotation.errors import N_, Refused, Unknown
from annotation.protocol import Protocol

DEFAULT = "krippendorff_alpha"


@dataclass(frozen=True, slots=True)
class Asked:
    """One coefficient of one question; None leaves level and weights to the question and the metric."""

    question: str
    metric: str
    level: str | None = None
    weights: str | None = None
    later: bool = False  # the protocol names a metric that is not built yet


def asked_of(protocol: Protocol, questions: Sequence[str], wanted: Sequence[str], level: str | None,
             weights: str | None) -> list[Asked]:
    """All that is to be computed, question by question. Refused or Unknown for what cannot be."""
    for name in questions:
        if name not in protocol.value_names:
            raise Unknown(N_("The protocol has no question '{name}'. There are: {known}."), name=name,
                          known=", ".join(protocol.value_names))
    found = [find_metric(name) for name in wanted]
    if weights is not None and wanted and not any(one.weights for one in found):
        raise Refused(N_("{metric} takes no weights"), code="bad_value", metric=", ".join(wanted))
    taking = {one.name for one in found if one.weights}
    named = [Asked(spec.question, str(spec.metric), spec.level, spec.weights, str(spec.metric) not in metrics)
             for spec in protocol.agreement]
    if wanted:
        names = questions or tuple(dict.fromkeys(spec.question for spec in named)) or protocol.value_names
        # Weights are for those among several metrics that take any.
        chosen = [Asked(name, one, level, weights if one in taking else None) for name in names for one in wanted]
        return chosen
    if questions:
        chosen = [one for name in questions
                  for one in ([spec for spec in named if spec.question == name] or [Asked(name, DEFAULT)])]
    else:
        chosen = named or [Asked(name, DEFAULT) for name in protocol.value_names
                           if protocol.scale_of(name) in ("nominal", "ordinal", "interval")]
    return [Asked(one.question, one.metric, level or one.level,
                  (weights or one.weights) if not one.later and metrics[one.metric].weights else None, one.later)
            for one in chosen]


def comes_later(asked: Asked) -> Result:
    """A result without a value, for a name that a protocol may use and that is not built or is no coefficient."""
    option = ELSEWHERE.get(asked.metric)
    reason = (f"{asked.metric} comes later" if option is None
              else f"{asked.metric} is no coefficient of agreement; goldsmith agreement {option} shows it")
    return Result(question=asked.question, metric=asked.metric, value=None, n_items=0, n_people=0, n_judgements=0,
                  n_missing=0, reason=reason)
