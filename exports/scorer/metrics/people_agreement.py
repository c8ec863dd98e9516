# SPDX-License-Identifier: Apache-2.0
"""Agreement as a score: how far a system agrees with each person, beyond chance, without any gold between them.

kappa = 1 - d_o / d_e, where d_o is the mean difference of the system's answer from each person's answer to the same
item (every item weighs the same), and d_e that of its answers from people's answers to any item: the cross-replication
kappa of Wong, Paritosh and Aroyo (2021, arXiv 2106.07393) with the system as one replication. The setting ``level`` is
nominal (any other answer is 1 off) or interval (squared difference of numbers, or of the places of options).
An answer that is missing, refused or unreadable differs from everybody as much as answers can; for that an interval
question without options needs the setting ``range`` ([lowest, highest]).

No answer at all is worth 0, as much as chance; who answers contrary to people is below. 1 can only be reached where
people are of one mind, so beside the value stand ``people_kappa`` (each person in the place of the system, against the
others, the mean: what a person reaches), ``people_alpha`` (Krippendorff's alpha of people alone), ``alpha_with`` (the
same with the system as one more; its missing answers as an answer of their own if nominal, else only where it answered)
and ``kappa_by_person`` (Cohen's, on equal answers).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from annotation.errors import N_, Refused
from exports.scorer.coefficients import alpha, cohen_kappa
from exports.scorer.judging import refused
from exports.scorer.metric import Floats, Metric, Parts, Reply, Row, Sums, Unit, is_number, metrics, ratio
from exports.scorer.metrics import accuracy
from exports.scorer.people import answers

LEVELS = ("nominal", "interval")
NO_ANSWER = "\N{EMPTY SET}"


def level(unit: Unit) -> str:
    return str(unit.settings.get("level", "nominal"))


def value_of(unit: Unit, answer: Any) -> Any:
    """An answer as it is compared: an option or a text, or a number for interval; None for one that is neither."""
    if level(unit) == "nominal":
        return answer if isinstance(answer, str) else float(answer) if is_number(answer) else None
    if unit.choices:
        return float(unit.options.index(answer)) if answer in unit.options else None
    return float(answer) if is_number(answer) else None


def people(unit: Unit) -> dict[str, Any]:
    """What each person answered, as it is compared."""
    read = {person: value_of(unit, answer) for person, answer in answers(unit).items()}
    return {person: value for person, value in read.items() if value is not None}


def farthest(unit: Unit) -> float:
    """The squared range of an interval question."""
    if unit.choices:
        return float(len(unit.options) - 1) ** 2
    low, high = unit.settings["range"]
    return float(high - low) ** 2


def system(unit: Unit, reply: Reply) -> Any:
    return value_of(unit, reply.value) if reply.status == "given" else None


def parts(unit: Unit, reply: Reply) -> Parts:
    """``same`` is the mean share of people who gave the system's answer."""
    said, them = system(unit, reply), list(people(unit).values())
    if not them:
        return {"without_people": (1.0, 1.0)}
    n, answered = len(them), float(said is not None)
    found: dict[str, tuple[float, float]] = {"same": (sum(one == said for one in them) / n, 1.0),
                                             "without_people": (0.0, 1.0)}
    if level(unit) == "nominal":
        found["_apart"] = (1.0 - found["same"][0], 1.0)
        for value in dict.fromkeys(them):
            found[f"_people:{value}"] = (them.count(value) / n, 0.0)
        return found if said is None else {**found, f"_system:{said}": (1.0, 0.0)}
    apart = farthest(unit) if said is None else sum((said - one) ** 2 for one in them) / n
    x = 0.0 if said is None else said
    return {**found, "_apart": (apart, 1.0), "_none": (1.0 - answered, 1.0), "_far": (farthest(unit), 1.0),
            "_x": (x, answered), "_xx": (x * x, answered), "_y": (sum(them) / n, 1.0),
            "_yy": (sum(one * one for one in them) / n, 1.0)}


def finish(sums: Sums) -> Mapping[str, Floats]:
    """Undefined where everybody always says the same."""
    if "_apart" not in sums:
        return {}
    n = sums["_apart"][:, 1]
    observed = ratio(sums["_apart"])
    if "_y" in sums:
        x, xx, y, yy = (np.nan_to_num(ratio(sums[name])) for name in ("_x", "_xx", "_y", "_yy"))
        none = ratio(sums["_none"])
        expected = (1.0 - none) * (xx + yy - 2.0 * x * y) + none * ratio(sums["_far"])
    else:
        alike = np.zeros(len(n))
        for name, said in sums.items():
            if name.startswith("_system:") and (them := f"_people:{name.removeprefix('_system:')}") in sums:
                alike += said[:, 0] * sums[them][:, 0]
        expected = 1.0 - np.divide(alike, n * n, out=np.full(len(n), np.nan), where=n > 0)
    return {"kappa": 1.0 - np.divide(observed, expected, out=np.full(len(n), np.nan), where=expected > 1e-12)}


def kappa(units: Sequence[Unit], said: Sequence[Any], them: Sequence[Mapping[str, Any]]) -> float | None:
    """The same figure for one who says ``said`` against ``them``, over the units that both answered."""
    sums: dict[str, list[float]] = {}
    for unit, one, some in zip(units, said, them, strict=True):
        if one is not None and some:
            for name, (above, below) in _parts_of(unit, one, some).items():
                total = sums.setdefault(name, [0.0, 0.0])
                total[0] += above
                total[1] += below
    found = finish({name: np.asarray([total]) for name, total in sums.items()}).get("kappa")
    return None if found is None or not np.isfinite(found[0]) else float(found[0])


def _parts_of(unit: Unit, said: Any, them: Mapping[str, Any]) -> Parts:
    values = list(them.values())
    n = len(values)
    if level(unit) == "nominal":
        return {"_apart": (sum(one != said for one in values) / n, 1.0), f"_system:{said}": (1.0, 0.0),
                **{f"_people:{value}": (values.count(value) / n, 0.0) for value in values}}
    return {"_apart": (sum((said - one) ** 2 for one in values) / n, 1.0), "_none": (0.0, 1.0), "_far": (0.0, 1.0),
            "_x": (said, 1.0), "_xx": (said * said, 1.0), "_y": (sum(values) / n, 1.0),
            "_yy": (sum(one * one for one in values) / n, 1.0)}


def beside(units: Sequence[Unit], replies: Sequence[Sequence[Reply]]) -> Mapping[str, Any]:
    """Of several rows for a unit the first."""
    if not units:
        return {}
    them = [people(unit) for unit in units]
    said = [system(unit, some[0]) if some else None for unit, some in zip(units, replies, strict=True)]
    everybody = sorted({person for some in them for person in some})
    of_person: dict[str, list[int]] = {person: [] for person in everybody}
    for place, some in enumerate(them):
        for person in some:
            of_person[person].append(place)
    each = [kappa([units[place] for place in places], [them[place][person] for place in places],
                  [{other: value for other, value in them[place].items() if other != person} for place in places])
            for person, places in of_person.items()]
    defined = [one for one in each if one is not None]
    kind = level(units[0])
    with_it = [[*some.values(), one if one is not None else NO_ANSWER]
               for some, one in zip(them, said, strict=True) if some and (one is not None or kind == "nominal")]
    pairs = {person: [(them[place][person], said[place] if said[place] is not None else NO_ANSWER)
                      for place in places] for person, places in of_person.items()}
    return {"people_kappa": sum(defined) / len(defined) if defined else None,
            "people_alpha": alpha([list(some.values()) for some in them], kind), "alpha_with": alpha(with_it, kind),
            "kappa_by_person": {person: cohen_kappa(some) for person, some in pairs.items()}}


def oracle(unit: Unit) -> Row:
    """The most frequent answer of people (of two, the one that was given first); the mean of numbers for interval."""
    given_ = [one for one in answers(unit).values() if value_of(unit, one) is not None]
    if not given_:
        return {"answer": unit.gold}
    if level(unit) == "interval" and not unit.choices:
        return {"answer": sum(given_) / len(given_)}
    return {"answer": max(given_, key=given_.count)}


def check(units: Sequence[Unit]) -> None:
    """A known level, a range where one is needed, and somebody's answers."""
    for unit in units[:1]:  # settings are the same for all units of a metric
        span = unit.settings.get("range")
        if level(unit) not in LEVELS:
            raise Refused(N_("people_agreement: the setting 'level' is '{value}', and not nominal or interval"),
                          code="bad_field", value=level(unit)[:80])
        if level(unit) == "interval" and not unit.choices and not (
                isinstance(span, list) and len(span) == 2 and all(map(is_number, span)) and span[0] < span[1]):
            raise Refused(N_("people_agreement: numbers need the setting 'range', the lowest and the highest; it is "
                             "'{value}'"), code="bad_field", value=str(span)[:80])
    if units and not any(people(unit) for unit in units):
        raise Refused(N_("the bundle holds no answers of people to '{question}' that could be compared"),
                      code="no_annotations", question=units[0].question)


metrics.add("people_agreement", Metric(
    name="people_agreement", best=1.0, worst=0.0, headline="kappa", asks=True, proportion=False,
    sums=frozenset({"without_people"}), read=accuracy.read, parts=parts, finish=finish, beside=beside, oracle=oracle,
    anti=refused, constants=accuracy.constants, check=check,
))
