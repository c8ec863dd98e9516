"""Cases of coefficients that correct for chance: any table of judgements, any weights, one row per name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.agreement import chance, each_answer, gwet_alpha, many_people, percent, standard_error, two_people
from annotation.agreement.asking import in_order, scale_of
from annotation.agreement.catalogue import metrics
from annotation.agreement.ratings import Patterns, Ratings, collapse
from annotation.agreement.report import NO_PAIRS
from annotation.agreement.scale import Scale
from annotation.agreement.standard_error import Estimate
from annotation.agreement.two_answers import two_answers
from annotation.agreement.weights import UNWEIGHTED, WEIGHTS, Weighting, from_disagreement, weighting_of
from tests.cases_data import Data, Params, Undefined, Unsupported, ratings

Table = NDArray[np.float64]


@dataclass(frozen=True)
class Given:
    """A case as a metric sees it."""

    ratings: Ratings
    patterns: Patterns
    scale: Scale
    weighting: Weighting
    custom: bool
    table: bool  # it came as a table of two people


def read(data: Data, params: Params, metric: str, *, least: int | None = None) -> Given:
    """The judgements as ``metric`` wants them, with the raters, categories and weights that ``params`` name."""
    row = metrics[metric]
    wanted = params.get("categories")
    if isinstance(wanted, (list, tuple)):
        data = {**data, "categories": list(wanted)}
    found = _categories(ratings(data, params.get("raters")), params)
    people = len(np.unique(found.person[found.code >= 0]))
    if people < row.people[0]:
        raise Undefined(f"{metric} needs {row.people[0]} people, and {people} judged")
    if row.people[1] is not None and people > row.people[1]:
        raise Undefined(f"{metric} is for {row.people[1]} people, and {people} judged")
    patterns = collapse(found, least=row.least if least is None else least, ordered=row.ordered)
    if not (patterns.size >= 2).any():
        raise Undefined(NO_PAIRS)
    weights = params.get("weights", UNWEIGHTED)
    named = _name(weights)
    scale = scale_of(found, patterns, None, named or UNWEIGHTED)
    labels = _options(scale)
    weighting = weighting_of(scale) if named else _custom(weights, labels, scale)
    return Given(found, patterns, scale, weighting, not named, data["format"] == "contingency_table")


def _categories(found: Ratings, params: Params) -> Ratings:
    """Values in their order with a number each: their own, else their place in the list of categories."""
    wanted = params.get("categories")
    present = np.unique(found.code[found.code >= 0]).tolist()
    labels, declared = found.labels, found.declared
    if isinstance(wanted, str):
        if "present" not in wanted:
            raise Unsupported(f"categories: {wanted}")
        declared = ()
    elif isinstance(wanted, int):
        known = list(dict.fromkeys([*declared, *(labels[c] for c in present)]))
        declared = (*known, *(f"#{n}" for n in range(wanted - len(known))))
    ranked = isinstance(wanted, str) and "rank" in wanted
    numbers: list[float | None] = list(found.numbers)
    if ranked or any(numbers[c] is None for c in present):
        if declared and not ranked and all(labels[c] in declared for c in present):
            numbers = [declared.index(label) + 1.0 if label in declared else None for label in labels]
        else:
            numbers = [present.index(c) + 1.0 if c in present else None for c in range(len(labels))]
    return in_order(replace(found, numbers=tuple(numbers), declared=declared))


def _name(weights: Any) -> str | None:
    """The name of weights however it is written, None for weights of one's own."""
    if weights is None:
        return UNWEIGHTED
    if not isinstance(weights, str):
        return None
    name = weights.lower().replace("(gwet)", "").replace("weights", "").replace("weighted", "").strip()
    name = {"identity": UNWEIGHTED, "un": UNWEIGHTED, "none": UNWEIGHTED, "nominal": UNWEIGHTED, "": UNWEIGHTED,
            "squared": "quadratic", "equal": "linear"}.get(name, name)
    return name if name in WEIGHTS else None


def _options(scale: Scale) -> list[str]:
    return list(dict.fromkeys([*scale.declared, *scale.labels]))


def _custom(weights: Any, labels: list[str], scale: Scale) -> Weighting:
    """``[[0, 1], [1, 0]]`` (disagreements where the diagonal is 0, else weights), in a list or in words, or sentences
    such as ``disagreement: A vs B 0.5, C vs other 0.7, else 1``; rows in the order of the categories."""
    text = weights if isinstance(weights, str) else ""
    found = re.search(r"\[\[.*\]\]", text, re.S)
    if found or isinstance(weights, list):
        matrix = np.array(json.loads(re.sub(r"(?<!\d)\.", "0.", found.group())) if found else weights, dtype=np.float64)
    elif re.match(r"\s*(custom\s+)?disagreements?\s*:", text):
        matrix = _in_words(text.split(":", 1)[1], labels)
    else:
        raise Unsupported(f"weights: {weights}")
    if matrix.shape != (len(labels), len(labels)):
        raise Unsupported(f"{matrix.shape} weights for {len(labels)} categories")
    whole = from_disagreement(matrix) if not np.diag(matrix).any() else matrix
    place = [labels.index(label) for label in scale.labels]
    return Weighting(whole[np.ix_(place, place)], len(labels), float(whole.sum()))


def _in_words(text: str, labels: list[str]) -> Table:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    rest = next((float(part.split()[1]) for part in parts if part.split()[0] == "else"), 1.0)
    matrix = np.full((len(labels), len(labels)), rest)
    for part in parts:
        said = re.fullmatch(r"(.+?)\s+vs\.?\s+(.+?)\s+([\d.]+)", part)
        if said is None:
            if part.split()[0] == "else":
                continue
            raise Unsupported(f"disagreement: {part}")
        one, other, value = said.group(1), said.group(2), float(said.group(3))
        for name in labels if other in ("other", "others", "rest", "any") else [other]:
            for a, b in ((one, name), (name, one)):
                matrix[labels.index(a), labels.index(b)] = value
    np.fill_diagonal(matrix, 0.0)
    return matrix


def _estimates() -> dict[str, Callable[[Patterns, Weighting], Estimate | None]]:
    def corrected(by: chance.Chance) -> Callable[[Patterns, Weighting], Estimate | None]:
        return lambda patterns, weighting: chance.estimate(by, patterns, weighting)

    return {
        "percent_agreement": percent.percent_estimate, "conger_kappa": many_people.conger_estimate,
        "krippendorff_alpha_gwet_weights": gwet_alpha.alpha_estimate,
        "fleiss_kappa": corrected(chance.by_shares), "scott_pi": corrected(chance.by_shares),
        "bennett_s_brennan_prediger": corrected(chance.by_categories),
        "randolph_kappa_free": corrected(chance.by_categories),
        "gwet_ac1": corrected(chance.by_chance_answers), "gwet_ac2": corrected(chance.by_chance_answers),
    }


ESTIMATES = _estimates()
VALUES = (*ESTIMATES, "cohen_kappa", "light_kappa_mean_pairwise_cohen", "percent_agreement_mean_pairwise")
SHORT = {"ac1": "gwet_ac1", "ac2": "gwet_ac2", "fleiss": "fleiss_kappa", "conger": "conger_kappa",
         "bp": "bennett_s_brennan_prediger", "brennan-prediger": "bennett_s_brennan_prediger", "scott": "scott_pi",
         "alpha": "krippendorff_alpha_gwet_weights", "percent": "percent_agreement"}


def value_of(metric: str) -> Callable[[Data, Params], float]:
    """From the same statistic that measures a project's answers; from the closed form for weights of one's own."""

    def value(data: Data, params: Params) -> float:
        case = read(data, params, metric)
        if case.custom:
            found = (two_people.kappa_with_errors(case.patterns, case.weighting) if metric == "cohen_kappa"
                     else ESTIMATES[metric](case.patterns, case.weighting))
            got = None if found is None else found.value
        else:
            row = metrics[metric]
            statistic = row.builds[None](case.patterns, case.scale)
            got = float(statistic.evaluate(case.patterns.count.astype(np.float64)[None])[0])
        if got is None or not np.isfinite(got):
            raise Undefined(metrics[metric].constant)
        return got

    return value


def estimate_of(metric: str, data: Data, params: Params) -> tuple[Estimate, Given]:
    # irrCAC's n counts items with a single answer for all but alpha, also for plain percent agreement.
    least = 1 if metric == "percent_agreement" else None
    case = read(data, params, metric, least=least)
    found = ESTIMATES[metric](case.patterns, case.weighting)
    if found is None:
        raise Undefined(metrics[metric].constant)
    if found.se is None:
        raise Undefined("one item only")
    return found, case


def gwet_se(metric: str) -> Callable[[Data, Params], float | None]:
    return lambda data, params: estimate_of(metric, data, params)[0].se


def table_se(metric: str) -> Callable[[Data, Params], float | None]:
    """The delta method's error: divisor n on a table of two people, Gwet's n - 1 elsewhere."""

    def se(data: Data, params: Params) -> float | None:
        found, case = estimate_of(metric, data, params)
        return found.large_sample_se if case.table else found.se

    return se


def t_interval(metric: str) -> Callable[[Data, Params], list[float]]:
    def interval(data: Data, params: Params) -> list[float]:
        found, case = estimate_of(metric, data, params)
        if case.table:
            found = replace(found, se=found.large_sample_se)
        return list(found.interval(params.get("level_of_confidence", 0.95)) or ())

    return interval


def cohen(part: str) -> Callable[[Data, Params], Any]:
    def compute(data: Data, params: Params) -> Any:
        case = read(data, params, "cohen_kappa")
        found = two_people.kappa_with_errors(case.patterns, case.weighting)
        if found.value is None or found.se is None:
            raise Undefined(chance.NO_VARIATION)
        if part == "ci":
            made = standard_error.normal_interval(found.value, found.se)
            return [made.low, made.high]
        return getattr(found, part)

    return compute


def _table(data: Data, params: Params) -> tuple[Table, list[str]]:
    """Counts of two people over the declared categories, in their order, or over those that occur."""
    case = read(data, params, "cohen_kappa")
    options = _options(case.scale)
    place = [options.index(label) for label in case.scale.labels]
    table = np.zeros((len(options), len(options)))
    table[np.ix_(place, place)] = two_people.table_of(case.patterns)
    return table, options


def _counts(data: Data, params: Params) -> tuple[Table, list[str]]:
    case = read(data, params, "fleiss_kappa")
    options = _options(case.scale)
    counts = np.zeros((len(case.patterns.size), len(options)))
    counts[:, [options.index(label) for label in case.scale.labels]] = case.patterns.shares()
    return np.repeat(counts, case.patterns.count, axis=0), options


def categories(source: Callable[[Data, Params], tuple[Table, list[str]]],
               function: Callable[[Table], tuple[float | None, ...]]) -> Callable[[Data, Params], Any]:
    """Of the category that ``params`` names, or a list in the order of the categories."""

    def compute(data: Data, params: Params) -> Any:
        table, options = source(data, params)
        values = function(table)
        if "category" not in params:
            return list(values)
        value = values[options.index(str(params["category"]))]
        if value is None:
            raise Undefined(chance.NO_VARIATION)
        return value

    return compute


def _two(part: str) -> Callable[[Data, Params], Any]:
    def compute(data: Data, params: Params) -> Any:
        table, options = _table(data, params)
        positive = params.get("positive", params.get("category"))
        if positive is not None:
            first = options.index(str(positive))
            table = each_answer.table_against_rest(table, first)
        value = getattr(two_answers(table), part)
        if value is None:
            raise Undefined("nobody gave this answer")
        return value

    return compute


def _expected(by: chance.Chance, metric: str) -> Callable[[Data, Params], float]:
    def compute(data: Data, params: Params) -> float:
        case = read(data, params, metric)
        return chance.expected_agreement(case.patterns, case.weighting, by)

    return compute


def _kappa_max(data: Data, params: Params) -> float:
    found = two_people.kappa_max(_table(data, params)[0])
    if found is None:
        raise Undefined(chance.NO_VARIATION)
    return found


def _z(data: Data, params: Params) -> float:
    found = chance.fleiss_z(read(data, params, "fleiss_kappa").patterns)
    if found is None:
        raise Undefined("the items have different numbers of answers, or nothing varies")
    return found


def _item_agreement(data: Data, params: Params) -> list[float | None]:
    case = read(data, params, "percent_agreement")
    out: list[float | None] = [None] * case.ratings.n_units
    each = percent.item_agreement(case.patterns, case.weighting)
    for unit, pattern in zip(case.patterns.units.tolist(), case.patterns.of_unit.tolist(), strict=True):
        out[unit] = float(each[pattern])
    return out


def _benchmark(data: Data, params: Params) -> list[float]:
    said = str(params.get("coefficient", "AC1")).lower()
    metric = SHORT.get(said, said)
    if metric not in ESTIMATES:
        raise Unsupported(f"coefficient: {said}")
    found, _ = estimate_of(metric, data, params)
    return [p for _, p in standard_error.benchmark_probabilities(found.value, found.se or 0.0)]


STATISTICS: dict[str, Callable[[Data, Params], Any]] = {
    **{name: value_of(name) for name in VALUES},
    **{f"{name}_se_gwet": gwet_se(name) for name in ESTIMATES},
    **{f"{name}_se": table_se(name) for name in ESTIMATES},
    **{f"{name}_ci95_t": t_interval(name) for name in ESTIMATES},
    "cohen_kappa_se_gwet": gwet_se("conger_kappa"),
    "cohen_kappa_ci95_t": t_interval("conger_kappa"),
    "cohen_kappa_se": cohen("se"),
    "cohen_kappa_se_h0": cohen("se_h0"),
    "cohen_kappa_ci95_normal": cohen("ci"),
    "cohen_kappa_max": _kappa_max,
    "cohen_kappa_category": categories(_table, each_answer.cohen_categories),
    "scott_pi_category": categories(_table, each_answer.scott_categories),
    "fleiss_kappa_category": categories(_counts, each_answer.fleiss_categories),
    "fleiss_kappa_z_h0": _z,
    "observed_agreement": value_of("percent_agreement"),
    "light_kappa": value_of("light_kappa_mean_pairwise_cohen"),
    "expected_agreement_cohen": cohen("expected"),
    "expected_agreement_fleiss": _expected(chance.by_shares, "fleiss_kappa"),
    "expected_agreement_scott": _expected(chance.by_shares, "scott_pi"),
    "expected_agreement_bennett_s_brennan_prediger": _expected(chance.by_categories, "bennett_s_brennan_prediger"),
    "expected_agreement_gwet_ac1": _expected(chance.by_chance_answers, "gwet_ac1"),
    "item_agreement": _item_agreement,
    "gwet_benchmark_cumprob_landis_koch": _benchmark,
    "prevalence_index": _two("prevalence"),
    "bias_index": _two("bias"),
    "pabak": _two("pabak"),
    "positive_agreement": _two("positive"),
    "negative_agreement": _two("negative"),
}
