"""Faults of what is computed from answers: derive, gold rules and agreement."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.closed_answers import MOST_CLASSES, has_classes
from annotation.derive import across_and_names
from annotation.protocol_fault_names import Found, Path, condition_faults, groups_of, unknown, value_list_faults
from annotation.protocol_models import Protocol
from annotation.protocol_parts import CountOf, Derive, GoldRule

NUMBERS = frozenset({"interval"})
ORDERED = frozenset({"interval", "ordinal"})
# Which scales of measurement an operation, a rule or a metric is fit for.
OPERATION_SCALES = {"sum": NUMBERS, "mean": NUMBERS, "weighted": NUMBERS, "compare": ORDERED, "rank": ORDERED}
CLOSED = frozenset({"nominal", "ordinal", "interval", "set"})
RULE_SCALES = {"majority": CLOSED, "unanimous": CLOSED, "mean": NUMBERS, "median": ORDERED, "union": frozenset({"set"}),
               "dawid_skene": CLOSED - {"set"}}
ONE_VALUE = CLOSED - {"set"}
LEVELS = {"nominal": ("nominal",), "ordinal": ("nominal", "ordinal"),
          "interval": ("nominal", "ordinal", "interval", "ratio", "circular"), "set": ("nominal", "masi", "jaccard")}
# Names of agreement that are known, wait for a question type or stand elsewhere: what is said of them.
WAITING = {name: "comes later; it is not measured yet" for name in (
    "span_f1", "span_f1_overlap", "interval_iou", "krippendorff_alpha_u", "unitizing_u_alpha", "unitizing_binary",
    "unitizing_cu_alpha", "st_iou")} | {
    "bradley_terry": "is no coefficient of agreement; it stands with the preferences",
    "davidson": "is no coefficient of agreement; it stands with the preferences",
    "dawid_skene": "is no coefficient of agreement; it stands with the people, and is a rule of gold"}


WEIGHTED = frozenset({
    "percent_agreement", "percent_agreement_mean_pairwise", "fleiss_kappa", "scott_pi", "bennett_s_brennan_prediger",
    "gwet_ac2", "krippendorff_alpha_gwet_weights", "cohen_kappa", "conger_kappa", "light_kappa"})


def metric_scales(metric: str) -> frozenset[str]:
    """The scales of measurement that a metric of agreement is fit for."""
    if metric.startswith("icc") or metric in ("cronbach_alpha", "pearson", "mae", "mard", "mean_relative_difference"):
        return NUMBERS
    if metric in ("spearman", "kendall_w", "kendall_tau_b"):
        return ORDERED
    if metric in ("masi_distance", "jaccard_distance"):
        return frozenset({"set"})
    if metric in ("text_exact", "token_f1", "edit_ratio"):
        return frozenset({"text", *CLOSED})
    if metric in ("percent_agreement", "percent_agreement_mean_pairwise", "percent_vs_majority", "krippendorff_alpha"):
        return CLOSED
    return ONE_VALUE


def value_faults(protocol: Protocol) -> Iterator[Found]:
    derive = list(_derive(protocol))
    yield from derive
    if not derive:
        yield from _gold(protocol)
        yield from _agreement(protocol)


def _derive(protocol: Protocol) -> Iterator[Found]:
    known = [question.name for question in protocol.asked]
    for name, spec in protocol.derive.items():
        path: Path = ("derive", name, spec.operation)
        faults = list(_operation(protocol, path, spec, known))
        yield from faults
        if faults:
            return  # what is computed from this one would only repeat the fault
        known.append(name)


def _operation(protocol: Protocol, path: Path, spec: Derive, known: list[str]) -> Iterator[Found]:
    if spec.table is not None:
        for n, row in enumerate(spec.table):
            if row.if_ is not None:
                yield from condition_faults(protocol, (*path, n, "if"), row.if_, known)
    across, names = across_and_names(spec)
    bad = [name for name in names if name not in known]
    for name in bad if spec.table is None else ():
        later = name in protocol.derive
        yield Found((*path, "of"), f"'{name}' is derived further down; put it above" if later
                    else unknown("question", name, known))
    if bad:
        return
    fit = OPERATION_SCALES.get(spec.operation)
    for name in names if fit else ():
        if protocol.scale_of(name) not in (fit or ()):
            yield Found((*path, "of"), f"'{name}' is {_scale(protocol, name)}; {spec.operation} needs numbers")
    found = getattr(spec, spec.operation)
    if isinstance(found, CountOf):
        for name in found.of:
            yield from value_list_faults(protocol, (*path, "values"), name, found.values)
    lists = groups_of(protocol, names)
    if len(lists) > 1:
        yield Found(path, f"its questions repeat over different lists ({', '.join(lists)})")
    elif across is not None and lists != (across,):
        yield Found((*path, "across"), f"its questions do not repeat over '{across}'")


def _gold(protocol: Protocol) -> Iterator[Found]:
    for name, rule in protocol.gold.items():
        path: Path = ("gold", name)
        if name not in protocol.value_names:
            yield Found(path, unknown("question or derived value", name, protocol.value_names))
            continue
        if rule.from_ is not None:
            yield from _from_gold(protocol, path, name)
            continue
        yield from _rule(protocol, path, name, rule)


def _from_gold(protocol: Protocol, path: Path, name: str) -> Iterator[Found]:
    if name not in protocol.derive:
        yield Found((*path, "from"), f"'{name}' is asked and not derived; it needs a rule")
        return
    _across, names = across_and_names(protocol.derive[name])
    for inner in names:
        if inner not in protocol.gold:
            yield Found((*path, "from"), f"'{name}' is computed from '{inner}', which has no gold rule")


def _rule(protocol: Protocol, path: Path, name: str, rule: GoldRule) -> Iterator[Found]:
    for key, chosen in (("rule", rule.rule), ("else", rule.else_)):
        fit = RULE_SCALES.get(chosen or "")
        if fit is not None and protocol.scale_of(name) not in fit:
            yield Found((*path, key), f"the rule {chosen} does not fit '{name}', which is {_scale(protocol, name)}")
        if chosen == "dawid_skene" and not has_classes(protocol, name):
            yield Found((*path, key), f"the rule {chosen} wants the same 2 to {MOST_CLASSES} answers for every item, "
                                      f"which '{name}' does not have")
    if rule.min_people > protocol.workflow.people_per_item:
        yield Found((*path, "min_people"), f"wants {rule.min_people} people, but workflow.people_per_item is "
                                           f"{protocol.workflow.people_per_item}")
    if rule.rule == "adjudicated" and rule.else_ is None and "adjudicate" not in protocol.workflow.stages:
        yield Found((*path, "rule"), "nobody adjudicates: workflow.stages has no adjudicate")


def _agreement(protocol: Protocol) -> Iterator[Found]:
    for n, spec in enumerate(protocol.agreement):
        path: Path = ("agreement", n)
        if spec.question not in protocol.value_names:
            yield Found((*path, "question"), unknown("question or derived value", spec.question, protocol.value_names))
            continue
        scale = protocol.scale_of(spec.question)
        if spec.metric in WAITING:
            yield Found((*path, "metric"), f"{spec.metric} {WAITING[spec.metric]}", warning=True)
        elif scale not in metric_scales(spec.metric):
            yield Found((*path, "metric"),
                        f"{spec.metric} does not fit '{spec.question}', which is {_scale(protocol, spec.question)}")
        elif spec.weights is not None and spec.metric not in WEIGHTED:
            yield Found((*path, "weights"), f"{spec.metric} takes no weights")
        elif spec.level is not None and spec.metric != "krippendorff_alpha":
            yield Found((*path, "level"), f"{spec.metric} has no level")
        elif spec.level is not None and spec.level not in LEVELS[scale]:
            yield Found((*path, "level"), f"the level {spec.level} does not fit '{spec.question}', which is "
                                          f"{_scale(protocol, spec.question)}")


def _scale(protocol: Protocol, name: str) -> str:
    words = {"text": "free text", "set": "a set of options", "none": "no single value", "nominal": "nominal",
             "ordinal": "ordinal", "interval": "a number"}
    return words[protocol.scale_of(name)]


