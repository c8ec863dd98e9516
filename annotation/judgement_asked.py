"""Which coefficients of which questions are wanted: as the protocol says, or as somebody asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from annotation.agreement.asking import ELSEWHERE
from annotation.agreement.metric import metrics
from annotation.agreement.report import find_metric
from annotation.agreement.result import Result
from annotation.errors import N_, Refused, Unknown
from annotation.judgement_view import counts_na
from annotation.protocol import Protocol

DEFAULT = "krippendorff_alpha"
OF_TEXTS = "token_f1"


@dataclass(frozen=True, slots=True)
class Asked:
    """One coefficient of one question; None leaves level and weights to the question and the metric."""

    question: str
    metric: str
    level: str | None = None
    weights: str | None = None
    later: bool = False  # the protocol names a metric that is not built yet
    named: bool = False  # by the protocol or by default, and not by whoever asks


def named_of(protocol: Protocol) -> list[Asked]:
    """What is computed where nobody asks for anything else: the protocol's ``agreement``; without any, alpha of every
    question and derived value on a scale; where there is none, how far the words of free answers agree.
    """
    if protocol.agreement:
        return [_leveled(protocol, Asked(spec.question, str(spec.metric), spec.level, spec.weights,
                                         str(spec.metric) not in metrics, True)) for spec in protocol.agreement]
    found = [_default(protocol, name) for name in protocol.value_names
             if protocol.scale_of(name) in ("nominal", "ordinal", "interval", "set")]
    return found or [Asked(name, OF_TEXTS, named=True) for name in protocol.value_names
                     if protocol.scale_of(name) == "text"]


def _default(protocol: Protocol, question: str) -> Asked:
    level = "masi" if protocol.scale_of(question) == "set" else None
    return _leveled(protocol, Asked(question, DEFAULT, level, named=True))


def _leveled(protocol: Protocol, asked: Asked) -> Asked:
    """N/A that is an answer of its own has no place in an order: such a question is nominal unless a level is named."""
    if asked.level is not None or asked.later or not counts_na(protocol, asked.question):
        return asked
    return replace(asked, level="nominal") if "nominal" in metrics[asked.metric].builds else asked


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
    named = named_of(protocol)
    if wanted:
        names = questions or (tuple(dict.fromkeys(spec.question for spec in named)) if protocol.agreement else
                              protocol.value_names)
        # Weights are for those among several metrics that take any.
        chosen = [Asked(name, one, level, weights if one in taking else None) for name in names for one in wanted]
        return chosen
    if questions:
        chosen = [one for name in questions for one in (
            [spec for spec in named if spec.question == name and protocol.agreement] or [_default(protocol, name)])]
    else:
        chosen = named
    return [replace(one, level=level or one.level, named=level is None and weights is None,
                    weights=(weights or one.weights) if not one.later and metrics[one.metric].weights else None)
            for one in chosen]


def without_value(asked: Asked, reason: str) -> Result:
    """A result that says in words why what the protocol asks for cannot be computed on these answers."""
    return Result(question=asked.question, metric=asked.metric, value=None, n_items=0, n_people=0, n_judgements=0,
                  n_missing=0, level=asked.level, weights=asked.weights, reason=reason)


def comes_later(asked: Asked) -> Result:
    """A result without a value, for a name that a protocol may use and that is not built or is no coefficient."""
    option = ELSEWHERE.get(asked.metric)
    reason = (f"{asked.metric} comes later" if option is None
              else f"{asked.metric} is no coefficient of agreement; goldsmith agreement {option} shows it")
    return without_value(replace(asked, level=None, weights=None), reason)
