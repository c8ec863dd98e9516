"""Faults of how the work goes and what leaves: workflow, export, scorer and the model's part."""

from __future__ import annotations

import re
from collections.abc import Iterator

from annotation.protocol_fault_form import questions_with_paths
from annotation.protocol_fault_names import Found, Path, public_field, twice, unknown, value_list_faults
from annotation.protocol_models import Protocol
from annotation.questions.pairwise import PairwiseQuestion

STAGE_ORDER = ("annotate", "verify", "adjudicate", "sign")
SCORED = {
    "accuracy": frozenset({"nominal", "ordinal", "interval", "set"}),
    **dict.fromkeys(("disclosure", "disclosure_upstream"), frozenset({"ordinal"})),
    **dict.fromkeys(("macro_f1", "f1", "circular", "stare"), frozenset({"nominal", "ordinal"})),
    **dict.fromkeys(("mra", "mra_lt", "rmse", "mae", "median_ae", "relative_accuracy", "delta_accuracy"),
                    frozenset({"interval"})),
}
OF_PAIRS = frozenset({"pairs", "consistent_accuracy", "editreward_verdicts", "conflict_ratio", "non_transitivity"})
_PLACE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_SPLIT = re.compile(r"^[a-z][a-z0-9_-]*$")


def use_faults(protocol: Protocol) -> Iterator[Found]:
    yield from _workflow(protocol)
    yield from _export(protocol)
    yield from _scorers(protocol)
    yield from _model(protocol)


def _workflow(protocol: Protocol) -> Iterator[Found]:
    work = protocol.workflow
    path: Path = ("workflow", "stages")
    yield from twice((((*path, n), stage) for n, stage in enumerate(work.stages)), "stage")
    if "annotate" not in work.stages:
        yield Found(path, "needs the stage annotate")
    if list(work.stages) != sorted(work.stages, key=STAGE_ORDER.index):
        yield Found(path, f"the stages come in the order {', '.join(STAGE_ORDER)}")
    for name in ("verify", "adjudicate", "sign"):
        if name in work.model_fields_set and name not in work.stages:
            yield Found(("workflow", name), f"workflow.stages has no {name}")
    yield from twice(((("workflow", "skip", n, "value"), s.value) for n, s in enumerate(work.skip)), "skip reason")
    if "adjudicate" not in work.stages:
        routed: list[tuple[Path, str | None]] = [
            (("workflow", "skip", n, "routes"), s.routes)
            for n, s in enumerate(work.skip) if "skip" in work.model_fields_set]
        routed += [((*place, "options", n, "routes"), option.routes)
                   for place, question, _group in questions_with_paths(protocol)
                   for n, option in enumerate(getattr(question, "options", ()))]
        for place, route in routed:
            if route == "adjudicate":
                yield Found(place, "nobody adjudicates: workflow.stages has no adjudicate")
    elif not protocol.gold:
        yield Found(path, "there is nothing to adjudicate: no value has a gold rule", warning=True)


def _export(protocol: Protocol) -> Iterator[Found]:
    export = protocol.export
    for name, values in export.keep.items():
        path: Path = ("export", "keep", name)
        yield from _needs_gold(protocol, path, name)
        if name in protocol.value_names:
            yield from value_list_faults(protocol, path, name, values)
    for column, source in export.columns.items():
        for part in source.split("|"):
            yield from _column(protocol, ("export", "columns", column), part.strip())
    for name, share in export.splits.items():
        if not _SPLIT.match(name) or not 0 <= share <= 1:
            yield Found(("export", "splits", name), "a split is a word with a share from 0 to 1")
    if abs(sum(export.splits.values()) - 1) > 1e-9:
        yield Found(("export", "splits"), f"the shares of the splits add up to {sum(export.splits.values()):g}, not 1")
    for n, name in enumerate(export.held_out):
        if name not in export.splits:
            yield Found(("export", "held_out", n), f"there is no split '{name}'; there are {', '.join(export.splits)}")


def _column(protocol: Protocol, path: Path, source: str) -> Iterator[Found]:
    start, _, name = source.partition(".")
    if start == "gold" and name:
        yield from _needs_gold(protocol, path, name)
    elif start == "item" and name:
        if name == "key":
            return
        if not protocol.has_field(name):
            yield Found(path, unknown("field", name, (field.name for field in protocol.fields)))
        elif protocol.field(name).private:
            yield Found(path, f"the field '{name}' is private; it leaves only in private/ of a bundle")
    else:
        yield Found(path, f"'{source}' is neither item.key, item.<field> nor gold.<value>")


def _needs_gold(protocol: Protocol, path: Path, name: str) -> Iterator[Found]:
    if name not in protocol.value_names:
        yield Found(path, unknown("question or derived value", name, protocol.value_names))
    elif name not in protocol.gold:
        yield Found(path, f"'{name}' is used here and has no gold rule")


def _scorers(protocol: Protocol) -> Iterator[Found]:
    is_list = isinstance(protocol.export.scorer, tuple)
    for n, spec in enumerate(protocol.scorers()):
        path: Path = ("export", "scorer", n) if is_list else ("export", "scorer")
        if spec.question is None:
            if spec.metric != "presupposition":
                yield Found(path, f"say which question {spec.metric} is for: "
                                  f"{{metric: {spec.metric}, question: ..}}")
            continue
        faults = list(_needs_gold(protocol, path, spec.question))
        yield from faults
        if not faults and not _fits(protocol, spec.metric, spec.question):
            yield Found(path, f"{spec.metric} does not fit '{spec.question}'")


def _fits(protocol: Protocol, metric: str, name: str) -> bool:
    if metric in OF_PAIRS:
        if name in protocol.derive:
            return protocol.derive[name].compare is not None
        return isinstance(protocol.question(name), PairwiseQuestion)
    fit = SCORED.get(metric)
    return fit is None or protocol.scale_of(name) in fit


def _model(protocol: Protocol) -> Iterator[Found]:
    if protocol.model is None:
        return
    known = {field.name for field in protocol.fields if not field.private}
    for key in ("prompt", "system", "judge_prompt"):
        for name in _PLACE.findall(getattr(protocol.model, key)):
            if protocol.has_field(name) and name not in known:
                yield Found(("model", key), f"the field '{name}' is private and must not be given to a model")
            elif name not in known | {"options", "answer", "response"}:
                yield Found(("model", key), unknown("field", name, sorted(known)), warning=True)
    media = frozenset({"image", "images", "candidates", "steps"})
    for n, name in enumerate(protocol.model.media_order):
        yield from public_field(protocol, ("model", "media_order", n), name, media, "media_order")
