"""What metrics, levels, weights and methods of intervals are called on the page Agreement and in what it gives away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.agreement.result import Result

_APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
# Proper names and symbols: the same in every language.
_METRICS = {
    "krippendorff_alpha": f"Krippendorff{_APOSTROPHE}s α", "krippendorff_alpha_u": f"Krippendorff{_APOSTROPHE}s αᵤ",
    "cohen_kappa": f"Cohen{_APOSTROPHE}s κ", "fleiss_kappa": f"Fleiss{_APOSTROPHE} κ",
    "scott_pi": f"Scott{_APOSTROPHE}s π", "conger_kappa": f"Conger{_APOSTROPHE}s κ",
    "light_kappa": f"Light{_APOSTROPHE}s κ", "bennett_s_brennan_prediger": "Brennan–Prediger κ",
    "randolph_kappa_free": f"Randolph{_APOSTROPHE}s κ", "gwet_ac1": f"Gwet{_APOSTROPHE}s AC1",
    "gwet_ac2": f"Gwet{_APOSTROPHE}s AC2", "icc": "ICC(2,1)", "kendall_w": f"Kendall{_APOSTROPHE}s W",
    "kendall_tau_b": f"Kendall{_APOSTROPHE}s τ-b", "pearson": f"Pearson{_APOSTROPHE}s r",
    "spearman": f"Spearman{_APOSTROPHE}s ρ", "cronbach_alpha": f"Cronbach{_APOSTROPHE}s α",
    "mae": "MAE", "mard": "MARD", "pabak": "PABAK", "span_f1": "Span F1",
    "krippendorff_alpha_gwet_weights": f"Krippendorff{_APOSTROPHE}s α by Gwet{_APOSTROPHE}s weights",
}
_CHANCE = frozenset({
    "krippendorff_alpha", "krippendorff_alpha_u", "cohen_kappa", "fleiss_kappa", "scott_pi", "conger_kappa",
    "light_kappa", "bennett_s_brennan_prediger", "randolph_kappa_free", "gwet_ac1", "gwet_ac2", "pabak",
    "krippendorff_alpha_gwet_weights",
})


def _tr(text: str) -> str:
    return QCoreApplication.translate("agreement", text)


def metric_name(name: str) -> str:
    """"Krippendorff’s α", "Percent agreement", "ICC(2,k)"."""
    if name in _METRICS:
        return _METRICS[name]
    if name.startswith("icc_"):
        return f"ICC({name.removeprefix('icc_').replace('_', ',')})"
    return name.replace("_", " ").capitalize()


def metric(result: Result) -> str:
    """The metric with its level and weights: "Krippendorff’s α, ordinal", "Cohen’s κ, quadratic weights"."""
    return ", ".join(filter(None, (metric_name(result.metric), rest_of_metric(result))))


def rest_of_metric(result: Result) -> str:
    """The level and the weights alone."""
    parts = [level(result.level)] if result.level else []
    if result.weights and result.weights != "unweighted":
        parts.append(_tr("{weights} weights").format(weights=result.weights))
    return ", ".join(parts)


def symbol(result: Result) -> str:
    """The metric as short as it can be said: "α nominal", "AC1"."""
    name = metric_name(result.metric)
    short = name.rpartition(f"{_APOSTROPHE}s ")[2] or name
    return " ".join(filter(None, (short, rest_of_metric(result))))


def level(name: str) -> str:
    """A level by its word; MASI and Jaccard are names."""
    words = {"masi": "MASI", "jaccard": "Jaccard", "nominal": _tr("nominal"), "ordinal": _tr("ordinal"),
             "interval": _tr("interval"), "ratio": _tr("ratio"), "circular": _tr("circular")}
    return words.get(name, name.replace("_", " "))


def weights(name: str) -> str:
    return _tr("no weights") if name == "unweighted" else _tr("{weights} weights").format(weights=name)


def corrects_chance(metric: str) -> bool:
    """Whether 1 less the value is observed over expected disagreement."""
    return metric in _CHANCE


def method(name: str) -> str:
    """The method of an interval, as it stands beside every number."""
    words: dict[str, Callable[[], str]] = {
        "bootstrap_bca_items": lambda: _tr("BCa bootstrap over items"),
        "bootstrap_bca_clusters": lambda: _tr("BCa bootstrap over clusters of items"),
        "bootstrap_percentile_items": lambda: _tr("percentile bootstrap over items"),
        "bootstrap_percentile_clusters": lambda: _tr("percentile bootstrap over clusters of items"),
        "bootstrap_krippendorff": lambda: _tr("Krippendorff’s bootstrap of pairs (too narrow)"),
        "jackknife_z_items": lambda: _tr("jackknife over items with Fisher z"),
        "jackknife_z_clusters": lambda: _tr("jackknife over clusters of items with Fisher z"),
    }
    return words[name]() if name in words else name.replace("_", " ")


def short_method(name: str) -> str:
    """"BCa", "jackknife z"."""
    for part, words in (("bca", "BCa"), ("percentile", _tr("percentile")), ("jackknife", _tr("jackknife")),
                        ("krippendorff", _tr("Krippendorff’s bootstrap")), ("gwet", "Gwet"), ("wilson", "Wilson"),
                        ("analytic", _tr("closed form"))):
        if part in name:
            return words
    return name.replace("_", " ")


def interval_kind(name: str) -> str:
    """What an interval is asked for by."""
    words = {"bca": _tr("BCa bootstrap"), "percentile": _tr("percentile bootstrap"),
             "jackknife": _tr("jackknife, Fisher z"), "analytic": _tr("closed form"),
             "krippendorff": _tr("Krippendorff’s bootstrap")}
    return words.get(name, name.replace("_", " "))


def is_bootstrap(name: str) -> bool:
    return name.startswith("bootstrap")


def question(protocol: Any, name: str) -> str:
    """The question as it is asked; a derived value by its name."""
    if protocol.has_question(name):
        return str(protocol.question(name).text)
    return _tr("{name} (derived)").format(name=name.replace("_", " ").capitalize())


def said(protocol: Any, name: str, value: str) -> str:
    """A value by the words that people chose it by."""
    if protocol.has_question(name):
        for option in getattr(protocol.question(name), "options", None) or ():
            if option.value == value:
                return str(option.label or option.value)
    return value
