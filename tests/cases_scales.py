"""Cases of numbers, ranks, sets, texts, spans and small tests: from their data to our functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.agreement import alpha_u, correlation, intervals, sets, unitizing
from annotation.agreement.cronbach import cronbach_alpha
from annotation.agreement.distance import limits_of_agreement
from annotation.agreement.icc import Icc, icc
from annotation.agreement.ranks import Concordance, kendall_w
from annotation.agreement.ratings import collapse, ratings_of
from annotation.agreement.report import measure
from annotation.agreement.spans import Span, interval_iou, span_f1
from annotation.agreement.tau import kendall_tau_b
from annotation.errors import N_, Refused
from tests.cases_data import Data, Params, Undefined, Unsupported, judged, place_of

Table = NDArray[np.float64]


def defined(value: Any, reason: str | None) -> Any:
    if value is None:
        raise Undefined(reason or "undefined")
    return value


def numbers(data: Data, params: Params) -> Table:
    """(items, people) of any table of numbers, NaN where missing; of some people only where ``raters`` names them."""
    rows_of = judged(data, params.get("raters") or None)
    items = {item: n for n, item in enumerate(dict.fromkeys(item for item, _, _ in rows_of))}
    people = {person: n for n, person in enumerate(dict.fromkeys(person for _, person, _ in rows_of))}
    found = np.full((len(items), len(people)), np.nan)
    for item, person, value in rows_of:
        if value is not None:
            found[items[item], people[person]] = float(value)
    return found


def _two(data: Data, params: Params) -> Table:
    found = numbers(data, params)
    if found.shape[1] != 2:
        raise Unsupported("this statistic is of two people; params.raters names them")
    return found


def _icc(data: Data, params: Params) -> Icc:
    form = params.get("form") or params.get("type") or params.get("model") or "ICC(2,1)"
    return icc(numbers(data, params), str(form), level=_level(params))


def _level(params: Params) -> float:
    level = params.get("confidence", params.get("ci_level", 0.95))
    return float(level) if level <= 1 else float(level) / 100.0


def _icc_part(*parts: str) -> Callable[[Data, Params], Any]:
    def compute(data: Data, params: Params) -> Any:
        found = _icc(data, params)
        values = [defined(getattr(found, part), found.reason) for part in parts]
        return values[0] if len(values) == 1 else values
    return compute


def _kendall(part: str) -> Callable[[Data, Params], Any]:
    def compute(data: Data, params: Params) -> Any:
        found: Concordance = kendall_w(numbers(data, params), tie_correction=params.get("tie_correction", True))
        return defined(getattr(found, part), found.reason)
    return compute


def _metric(name: str) -> Callable[[Data, Params], float]:
    def compute(data: Data, params: Params) -> float:
        table = numbers(data, params)
        rows = [(item, person, None if np.isnan(x) else float(x)) for item, row in enumerate(table)
                for person, x in enumerate(row)]
        found = measure(ratings_of(rows), name, replicates=0)
        return float(defined(found.value, found.reason))
    return compute


def _text(name: str) -> Callable[[Data, Params], float]:
    def compute(data: Data, params: Params) -> float:
        found = measure(ratings_of(judged(data)), name, replicates=0)
        return float(defined(found.value, found.reason))
    return compute


def _limits(data: Data, params: Params) -> list[float]:
    found = defined(limits_of_agreement(_two(data, params), level=_level(params)), "fewer than two items")
    return [found.low, found.high]


# Tests of proportions

def _discordant(data: Data, params: Params) -> tuple[int, int]:
    if "b" in params and "c" in params:
        return int(params["b"]), int(params["c"])
    if "counts" in data:
        counts = data["counts"]
    else:
        rows = judged(data)
        names = data.get("categories") or sorted({value for _, _, value in rows if value is not None}, key=str)
        by_item: dict[Any, list[Any]] = {}
        for item, _, value in rows:
            by_item.setdefault(item, []).append(value)
        counts = [[sum(pair == [one, other] for pair in by_item.values()) for other in names] for one in names]
    if len(counts) != 2:
        raise Unsupported("McNemar's test is for two categories")
    return int(counts[0][1]), int(counts[1][0])


def _mcnemar(data: Data, params: Params) -> float:
    found = intervals.mcnemar_chi2(*_discordant(data, params), continuity=params.get("continuity", False))
    return float(defined(found, "nothing is discordant"))


def _wilson(interval: Callable[..., tuple[float, float] | None]) -> Callable[[Data, Params], Any]:
    def compute(data: Data, params: Params) -> Any:
        if "x" in params:
            return list(defined(interval(params["x"], params["n"], level=_level(params)), "nothing was counted"))
        fields = data.get("fields", ["x", "n"])
        x, n = place_of(fields, "x", 0), place_of(fields, "n", 1)
        return [list(defined(interval(row[x], row[n], level=_level(params)), "nothing was counted"))
                for row in data["rows"]]
    return compute


# Sets

def distance_of(said: str | None) -> str:
    """Our name of a distance of sets that a case describes in its own words; without any: MASI."""
    text = (said or "masi").lower()
    if "2004" in text:
        return "masi_2004"
    if "dkpro" in text:
        return "masi_dkpro"
    if "masi" in text:
        return "masi"
    if "jaccard" in text:
        return "jaccard"
    if text in sets.DISTANCES:
        return text
    raise Unsupported(f"the distance {said} is not built")


def set_alpha(data: Data, params: Params) -> float:
    """krippendorff_alpha of a case whose values are sets, or whose level is a distance of sets."""
    level = str(params.get("level", "set")).lower()
    name = distance_of(params.get("distance") if level in ("set", "sets") else level)
    rows = judged(data, params.get("raters"))
    known = {frozenset(value if isinstance(value, (list, tuple, set, frozenset)) else [value])
             for _, _, value in rows if value is not None}
    place = {one: n for n, one in enumerate(sorted(known, key=lambda one: (len(one), sorted(map(str, one)))))}
    coded = ratings_of((item, person, None if value is None else place[frozenset(
        value if isinstance(value, (list, tuple, set, frozenset)) else [value])]) for item, person, value in rows)
    patterns = collapse(coded)
    if not len(patterns.count):
        raise Undefined("nobody judged the same item twice")
    ordered = list(place)
    statistic = sets.SetAlpha(patterns, [ordered[int(float(coded.labels[code]))] for code in patterns.used], name)
    value = float(statistic.evaluate(patterns.count.astype(np.float64)[None])[0])
    if not np.isfinite(value):
        raise Undefined("everyone always gave the same answer")
    return value


def _distances(name: str | None) -> Callable[[Data, Params], list[float]]:
    return lambda data, params: [sets.set_distance(one, other, name or distance_of(params.get("distance")))
                                 for one, other in data["pairs"]]


# Spans

def spans(data: Data) -> tuple[list[list[Span]], float, float]:
    """Spans of each observer, and where the stretch begins and how long it is."""
    if data["format"] != "spans":
        raise Unsupported(f"data of the format {data['format']} are no spans")
    fields = data.get("fields", ["begin", "length", "category"])
    at = {name: fields.index(name) for name in fields}
    begins = next(name for name in ("begin", "start") if name in at)
    category = next((name for name in ("category", "label", "value") if name in at), None)
    given = data["raters"].values() if isinstance(data["raters"], dict) else data["raters"]
    people = [[Span(float(row[at[begins]]),
                    float(row[at["end"]]) if "end" in at else float(row[at[begins]]) + float(row[at["length"]]),
                    "" if category is None else str(row[at[category]])) for row in rows] for rows in given]
    begin = float(data.get("continuum_begin", 0))
    end = data.get("continuum_end")
    last = max((one.end for rows in people for one in rows), default=begin)
    length = data.get("continuum_length", (last if end is None else end) - begin)
    return people, begin, float(length)


def _unitizing(kind: str) -> Callable[[Data, Params], float]:
    def compute(data: Data, params: Params) -> float:
        people, begin, length = spans(data)
        category = str(params["category"]) if kind == "ku" or "category" in params else None
        found = unitizing.unitizing_alpha(people, begin, length, "u" if kind == "ku" else kind, category=category)
        return float(defined(found, unitizing.NO_GAP_OR_SPAN))
    return compute


def _alpha_u(data: Data, params: Params) -> float:
    people, begin, length = spans(data)
    category = None if params.get("category") is None else str(params["category"])
    return float(defined(alpha_u.alpha_u(people, begin, length, category=category), unitizing.NO_GAP_OR_SPAN))


def _disagreement(of: Callable[..., float]) -> Callable[[Data, Params], float]:
    def compute(data: Data, params: Params) -> float:
        people, begin, length = spans(data)
        if len(people) < 2:
            raise Undefined("one person alone")
        names = unitizing.categories_of(people) if params.get("category") is None else [str(params["category"])]
        return sum(of(people, name, begin, length) for name in names)
    return compute


def _pairs_of_spans(of: Callable[..., float | None]) -> Callable[[Data, Params], float]:
    def compute(data: Data, params: Params) -> float:
        people, _, _ = spans(data)
        found = [of(people[i], people[j]) for i in range(len(people)) for j in range(i)]
        return float(np.mean([defined(one, "nobody marked anything") for one in found]))
    return compute


def left_out(alpha: Callable[[Data, Params], Any], data: Data, params: Params) -> Any:
    """``alpha`` without the item that params name (by index or name); without a name, for each item in turn."""
    rows = judged(data)
    items = list(dict.fromkeys(item for item, _, _ in rows))

    def without(item: Any) -> Any:
        kept = [[one, person, value] for one, person, value in rows if one != item]
        if not kept:
            raise Refused(N_("there is no other item"), code="bad_value")
        return alpha({**data, "format": "long", "fields": ["item", "rater", "label"], "rows": kept}, params)

    if params.get("dropped_item") is not None:
        return without(params["dropped_item"])
    if params.get("dropped_item_index") is not None:
        return without(items[params["dropped_item_index"]])
    return [without(item) for item in items]


STATISTICS: dict[str, Callable[[Data, Params], Any]] = {
    "icc": _icc_part("value"), "icc_ci95": _icc_part("low", "high"), "icc_ci": _icc_part("low", "high"),
    "icc_f": _icc_part("f"), "icc_p": _icc_part("p"), "icc_df": _icc_part("df1", "df2"),
    "cronbach_alpha": lambda data, params: defined(cronbach_alpha(numbers(data, params)), "the sums do not vary"),
    "kendall_w": _kendall("value"), "kendall_w_chi2": _kendall("chi2"), "kendall_w_p": _kendall("p"),
    "kendall_w_df": _kendall("df"), "mean_spearman_from_w": _kendall("mean_spearman"),
    "kendall_tau_b": lambda data, params: defined(kendall_tau_b(_two(data, params)), correlation.NO_VARIATION),
    "pearson": lambda data, params: defined(correlation.pearson(_two(data, params)), correlation.NO_VARIATION),
    "spearman": lambda data, params: defined(correlation.spearman(_two(data, params)), correlation.NO_VARIATION),
    "mae": _metric("mae"), "mard": _metric("mard"), "mean_relative_difference": _metric("mean_relative_difference"),
    "limits_of_agreement": _limits,
    "text_exact": _text("text_exact"), "token_f1": _text("token_f1"), "edit_ratio": _text("edit_ratio"),
    "mcnemar_chi2": _mcnemar, "mcnemar_p": lambda data, params: intervals.chi2_one_p(_mcnemar(data, params)),
    "mcnemar_exact_p": lambda data, params: intervals.mcnemar_exact(*_discordant(data, params)),
    "mcnemar_midp": lambda data, params: intervals.mcnemar_mid_p(*_discordant(data, params)),
    "wilson_ci95": _wilson(intervals.wilson), "wilson_ci95_continuity": _wilson(intervals.wilson_continuity),
    "masi_distance": _distances("masi"), "jaccard_distance": _distances("jaccard"), "set_distance": _distances(None),
    "krippendorff_alpha_u": _alpha_u, "alpha_u_category": _alpha_u,
    "alpha_u_observed_disagreement": _disagreement(alpha_u.observed_disagreement),
    "alpha_u_expected_disagreement": _disagreement(alpha_u.expected_disagreement),
    "unitizing_u_alpha": _unitizing("u"), "unitizing_binary": _unitizing("binary"),
    "unitizing_cu_alpha": _unitizing("cu"), "unitizing_ku_alpha": _unitizing("ku"),
    "span_f1": _pairs_of_spans(span_f1), "interval_iou": _pairs_of_spans(interval_iou),
    "span_f1_overlap": _pairs_of_spans(lambda one, other: span_f1(one, other, overlap=True)),
}
