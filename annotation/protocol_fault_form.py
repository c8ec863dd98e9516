"""Faults of the form itself: fields, questions, options, show_if, groups and checks."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.protocol_base import Empty
from annotation.protocol_fault_names import Found, Path, condition_faults, groups_of, public_field, twice, unknown
from annotation.protocol_models import Group, Protocol
from annotation.questions.base import Option, Question
from annotation.questions.choice import OfOptions
from annotation.questions.edit import EditQuestion
from annotation.questions.multichoice import MultichoiceQuestion
from annotation.questions.pairwise import TIES, PairwiseQuestion
from annotation.questions.verdict import VerdictQuestion

LISTS = frozenset({"candidates", "steps", "images"})


def form_faults(protocol: Protocol) -> Iterator[Found]:
    yield from _fields(protocol)
    yield from _names(protocol)
    for path, question, group in questions_with_paths(protocol):
        yield from _question(protocol, path, question)
        yield from _show_if(protocol, path, question, group)
    for n, entry in enumerate(protocol.questions):
        if isinstance(entry, Group):
            yield from public_field(protocol, ("questions", n, "for_each"), entry.for_each, LISTS, "a group")
    yield from _checks(protocol)


def questions_with_paths(protocol: Protocol) -> Iterator[tuple[Path, Question, Group | None]]:
    """Every question with its path in the file and its group."""
    for n, entry in enumerate(protocol.questions):
        if isinstance(entry, Group):
            for m, question in enumerate(entry.questions):
                yield ("questions", n, "questions", m), question, entry
        else:
            yield ("questions", n), entry, None


def _fields(protocol: Protocol) -> Iterator[Found]:
    yield from twice(((("fields", n, "name"), f.name) for n, f in enumerate(protocol.fields)), "field")
    for n, field in enumerate(protocol.fields):
        if field.name == "key":
            yield Found(("fields", n, "name"), "'key' is the item's own key (item.key) and cannot be a field")
    if all(field.private for field in protocol.fields):
        yield Found(("fields",), "every field is private; people need something to see")


def _names(protocol: Protocol) -> Iterator[Found]:
    named = [((*path, "name"), question.name) for path, question, _group in questions_with_paths(protocol)]
    yield from twice(named, "question")
    asked = {name for _path, name in named}
    for name in protocol.derive:
        if name in asked:
            yield Found(("derive", name), f"'{name}' is a question already; a derived value needs its own name")
    yield from twice(((("questions", n, "group"), entry.group) for n, entry in enumerate(protocol.questions)
                      if isinstance(entry, Group)), "group")


def _question(protocol: Protocol, path: Path, question: Question) -> Iterator[Found]:
    if isinstance(question, OfOptions):
        yield from _options(question.options, (*path, "options"))
        if question.options_from is not None:
            yield from public_field(protocol, (*path, "options_from"), question.options_from,
                                    frozenset({"candidates", "steps"}), "options_from")
    if isinstance(question, MultichoiceQuestion):
        most = len(question.options) if question.options else question.min
        if question.min > (question.max if question.max is not None else most):
            yield Found((*path, "min"), "min is above the number of options that may be chosen")
    if isinstance(question, EditQuestion):
        yield from public_field(protocol, (*path, "on"), question.on, frozenset({"text", "markdown"}), "edit")
    if isinstance(question, PairwiseQuestion):
        yield from _pairwise(protocol, path, question)
    if isinstance(question, VerdictQuestion):
        yield from _options(question.flags, (*path, "flags"))


def _pairwise(protocol: Protocol, path: Path, question: PairwiseQuestion) -> Iterator[Found]:
    yield from public_field(protocol, (*path, "on"), question.on, frozenset({"candidates"}), "pairwise")
    yield from twice((((*path, "ties", n), tie) for n, tie in enumerate(question.ties)), "tie")
    if "tie" in question.ties and len(question.ties) > 1:
        yield Found((*path, "ties"), "'tie' stands for both_good and both_bad; use it alone, or the other two")
    for name in question.tie_labels:
        if name not in question.ties:
            yield Found((*path, "tie_labels", name), unknown("tie", name, question.ties or TIES))
    if question.strength_labels and len(question.strength_labels) != (question.strength or 0):
        yield Found((*path, "strength_labels"), f"needs {question.strength or 0} labels, one for each strength")
    if protocol.has_field(question.on) and protocol.field(question.on).shuffle not in ("never", question.shuffle):
        yield Found((*path, "shuffle"), f"the field '{question.on}' is shuffled in another way")


def _options(options: tuple[Option, ...], path: Path) -> Iterator[Found]:
    yield from twice((((*path, n, "value"), option.value) for n, option in enumerate(options)), "option")
    yield from twice((((*path, n, "key"), option.key.upper()) for n, option in enumerate(options) if option.key),
                     "key")


def _show_if(protocol: Protocol, path: Path, question: Question, group: Group | None) -> Iterator[Found]:
    earlier: dict[str, Group | None] = {}
    for _path, other, its_group in questions_with_paths(protocol):
        if other.name == question.name:
            break
        earlier[other.name] = its_group
    known = set(earlier)
    for name in question.show_if:
        here = (*path, "show_if", name)
        if name == question.name:
            yield Found(here, "a question cannot depend on itself")
        elif protocol.has_question(name) and name not in earlier:
            yield Found(here, f"'{name}' comes later in the file; show_if looks at earlier questions")
        elif name in protocol.derive:
            yield Found(here, f"'{name}' is a derived value; show_if looks at questions and at the item")
        elif earlier.get(name) is not None and earlier[name] is not group:
            yield Found(here, f"'{name}' is asked once for every element of a group; it cannot decide here")
        else:
            yield from condition_faults(protocol, (*path, "show_if"), {name: question.show_if[name]}, known)


def _checks(protocol: Protocol) -> Iterator[Found]:
    names = tuple(question.name for question in protocol.asked)
    for n, check in enumerate(protocol.checks):
        path: Path = ("checks", n)
        conditions = {("iff", m): c for m, c in enumerate(check.iff)} if check.iff is not None else {
            ("if",): check.if_ or {}, ("then",): check.then or {}}
        for place, condition in conditions.items():
            yield from condition_faults(protocol, (*path, *place), condition, names)
        named = [name for condition in conditions.values() for name in condition]
        if len(groups_of(protocol, named)) > 1:
            yield Found(path, "a check may look at the questions of one group only")
        if all(name.startswith("item.") for name in named):
            yield Found(path, "a check needs at least one question")
        for place, condition in conditions.items():
            for name, wanted in condition.items():
                if isinstance(wanted, Empty) and protocol.has_question(name) and protocol.question(name).required:
                    yield Found((*path, *place, name),
                                f"'{name}' is required and never left empty; make it required: false", warning=True)


