"""Whether a study fits a protocol: each name leads to a question or a field that can be used so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from annotation.protocol import Protocol
from annotation.protocol_fault_names import TEXT_KINDS, Found, Path, public_field, unknown
from annotation.questions.choice import OfOptions
from studies.design_parts import CONDITION, CORRECT
from studies.model import Study


def protocol_faults(study: Study, protocol: Protocol) -> Iterator[Found]:
    """Every name or kind of ``study`` that ``protocol`` does not have."""
    if study.protocol and study.protocol != protocol.id:
        yield Found(("protocol",), f"the study is for the protocol '{study.protocol}'; this one is '{protocol.id}'")
    yield from _question(study, protocol)
    yield from _shown(study, protocol)
    for path, name, use in _facets(study):
        yield from public_field(protocol, path, name, TEXT_KINDS, use)
    yield from _correct(study, protocol)


def _question(study: Study, protocol: Protocol) -> Iterator[Found]:
    path: Path = ("question",)
    fitting = {q.name: q for q in protocol.asked if isinstance(q, OfOptions) and q.type != "multichoice"}  # type: ignore[attr-defined]
    question = fitting.get(study.question)
    if question is None:
        known = protocol.has_question(study.question)
        yield Found(path, f"'{study.question}' is neither choice nor level; a trial has one answer of several" if known
                    else unknown("question with options", study.question, fitting))
        return
    group = protocol.group_of(study.question)
    if group is not None:
        yield Found(path, f"'{study.question}' repeats over '{group.for_each}'; a trial has one answer")
    if study.answers.option_order != "as_given" and question.scale == "ordinal":
        yield Found(("answers", "option_order"), f"the levels of '{study.question}' stand in order; write as_given")
    for n, keys in enumerate(study.answers.keys):
        if len(keys) < len(question.options):
            yield Found(("answers", "keys", n), f"has {len(keys)} keys for the {len(question.options)} options of "
                                                f"'{study.question}'")


def _shown(study: Study, protocol: Protocol) -> Iterator[Found]:
    for n, condition in enumerate(study.conditions):
        for m, name in enumerate(condition.shows):
            path: Path = ("conditions", n, "shows", m)
            if not protocol.has_field(name):
                yield Found(path, unknown("field", name, (field.name for field in protocol.fields)))
            elif protocol.field(name).private:
                yield Found(path, f"the field '{name}' is private and never shown")


def _facets(study: Study) -> Iterator[tuple[Path, str, str]]:
    """(path, field, use) of every field that items are chosen, ordered or grouped by."""
    wheres: list[tuple[Path, Mapping[str, object]]] = [(("items", "where"), study.items.where)]
    wheres += [(("conditions", n, "where"), condition.where) for n, condition in enumerate(study.conditions)]
    wheres += [(("practice", "where"), study.practice.where)] if study.practice else []
    wheres += [(("attention", "where"), study.attention.where)] if study.attention else []
    for path, where in wheres:
        for name in where:
            yield (*path, name), name, "where"
    if study.task:
        yield ("task",), study.task, "task"
    if study.family:
        yield ("family",), study.family, "family"
    if study.blocks.by:
        yield ("blocks", "by"), study.blocks.by, "a block"
    for n, name in enumerate(study.strata):
        if name != CORRECT:
            yield ("strata", n), name, "a stratum"
    for n, run in enumerate(study.order.max_run):
        if run.of not in (CONDITION, CORRECT):
            yield ("order", "max_run", n, "of"), run.of, "max_run"
    for n, gap in enumerate(study.order.min_distance):
        if gap.of not in (CONDITION, CORRECT):
            yield ("order", "min_distance", n, "of"), gap.of, "min_distance"


def _correct(study: Study, protocol: Protocol) -> Iterator[Found]:
    name = study.correct.field if study.correct else None
    if name is None:
        return
    path: Path = ("correct", "field")
    if not protocol.has_field(name):
        yield Found(path, unknown("field", name, (field.name for field in protocol.fields)))
    elif protocol.field(name).kind not in TEXT_KINDS:
        yield Found(path, f"the field '{name}' is of kind {protocol.field(name).kind}; an option's value is a text")
    for n, condition in enumerate(study.conditions):
        if name in condition.shows:
            yield Found(("conditions", n, "shows"), f"'{name}' holds the right answer and would be shown")
