"""The file of a study: every fault with its line, whether it fits a protocol, its schema, and its documentation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import jsonschema
import pytest
from pydantic import BaseModel

from annotation import protocol
from annotation.errors import Fault, ProtocolError, Unknown
from annotation.protocol_models import Protocol
from studies.design import design, plan_for
from studies.model import Study
from studies.order_check import faults
from studies.reading import SHELF, StudyError, check_fits, read_study, shelf, shelf_text
from studies.schema import schema_text
from tests.study_designs import some_items

ROOT = Path(__file__).resolve().parent.parent
DOCS = (ROOT / "docs/studies.md").read_text("utf-8").split("## The file of a study")[1].split("\n## ")[0]
EXAMPLES = re.findall(r"```yaml\n(.*?)```", DOCS, re.S)
BASE = """\
id: base
version: 1
title: Base
question: answer
conditions:
  - {name: plain, shows: [picture]}
  - {name: steps, shows: [picture, pictures]}
languages:
  en: {consent: Hello}
"""
PROTOCOL = """\
id: shapes
version: 1
title: Shapes
fields:
  - {name: picture, kind: image}
  - {name: pictures, kind: images}
  - {name: replies, kind: candidates}
  - {name: task, kind: tag}
  - {name: truth, kind: text, private: true}
questions:
  - {name: answer, type: choice, text: Can it?, options: [{value: "yes"}, {value: "no"}, {value: perhaps}]}
  - {name: sure, type: level, text: How sure?, options: [{value: low}, {value: high}]}
  - {name: note, type: text, text: Why?, required: false}
  - group: each
    for_each: replies
    questions:
      - {name: good, type: choice, text: Good?, options: [{value: "yes"}, {value: "no"}]}
"""


def said(text: str) -> list[str]:
    """Every fault of a study's file as the command line prints it."""
    with pytest.raises(StudyError) as refused:
        read_study(text, file="s.yaml")
    assert all(isinstance(fault, Fault) for fault in refused.value.faults)
    return [str(fault) for fault in refused.value.faults]


def misfits(more: str, change: tuple[str, str] = ("", "")) -> list[str]:
    study = read_study(BASE.replace(*change) + more, file="s.yaml")
    return [str(fault) for fault in check_fits(study, protocol.loads(PROTOCOL), file="s.yaml")]


# --- reading ------------------------------------------------------------------------------------------------------


def test_a_study_is_read_with_its_text_and_hash() -> None:
    study = read_study(BASE)
    assert (study.text, study.id, study.words("de").consent) == (BASE, "base", "Hello")
    assert read_study(study.text).hash == study.hash != read_study(BASE + "seed: 1\n").hash
    assert read_study("\ufeff" + BASE.replace("\n", "\r\n")).hash == study.hash


@pytest.mark.parametrize(("change", "expected"), [
    (("title: Base\n", ""), "s.yaml:1: study: needs 'title'"),
    (("version: 1", "version: one"), "s.yaml:2: version: 'one' is not a whole number"),
    (("title: Base", "titel: Base"), "s.yaml:3: titel: unknown key 'titel'; did you mean 'title'?"),
    (("title: Base", "title: Base\nreveal: []"), "s.yaml:4: reveal: unknown key 'reveal'"),
    (("title: Base", "title: Base\nprotocol: [a]"), "s.yaml:4: protocol: wants a text"),
    (("name: plain", "name: Plain"), "s.yaml:6: conditions.0.name: 'Plain' is not allowed; it must match "
                                     "^[a-z][a-z0-9_]*$"),
    (("name: steps", "name: plain"), "s.yaml:7: conditions.1.name: the condition 'plain' stands twice"),
    (("[picture, pictures]", "[]"), "s.yaml:7: conditions.1.shows: needs at least 1"),
    (("[picture, pictures]", "[picture, picture]"), "s.yaml:7: conditions.1.shows.1: the field 'picture' stands twice"),
    (("en:", "English:"), "s.yaml:9: languages.English: 'English' is not allowed; it must match"),
])
def test_a_fault_of_form_is_told_with_its_line(change, expected: str) -> None:
    assert any(one.startswith(expected) for one in said(BASE.replace(*change)))


@pytest.mark.parametrize(("more", "expected"), [
    ("trial: {gap: [1]}", "s.yaml:10: trial.gap: needs at least 2"),
    ("trial: {gap: [1, 2, 3]}", "s.yaml:10: trial.gap: takes at most 2"),
    ("trial: {gap: [2, 1]}", "s.yaml:10: trial: gap is [least, most]"),
    ("trial: {deadline: soon}", "s.yaml:10: trial.deadline: 'soon' is not a number"),
    ("trial: {clock: 2}", "s.yaml:10: trial: clock names a screen that reveal does not have"),
    ("trial: {deadline: 1, too_fast: 1}", "s.yaml:10: trial.too_fast: must be below the deadline"),
    ("trial: {reveal: [{shows: [picturs, options]}]}",
     "s.yaml:10: trial.reveal.0.shows.0: there is no part of a screen 'picturs'; did you mean 'pictures'?"),
    ("trial: {reveal: [{shows: [fields]}, {shows: [options, picture]}]}",
     "s.yaml:10: trial.reveal.1.shows.1: 'picture' already stands on this screen or an earlier one; screens add up"),
    ("trial: {reveal: [{shows: [fields]}]}", "s.yaml:10: trial.reveal: no screen shows the options"),
    ("trial: {feedback: 1}", "s.yaml:10: trial.feedback: needs the right answers; say under correct where they stand"),
    ("strata: [task, task]", "s.yaml:10: strata.1: the field 'task' stands twice"),
    ("strata: [correct]", "s.yaml:10: strata.0: needs the right answers"),
    ("order: {max_run: [{of: correct, most: 3}]}", "s.yaml:10: order.max_run.0.of: needs the right answers"),
    ("order: {max_run: [{of: task, most: 3}, {of: task, most: 2}]}",
     "s.yaml:10: order.max_run.1.of: the rule for 'task' stands twice"),
    ("order: {conditions: blocked, max_run: [{of: condition, most: 3}]}",
     "s.yaml:10: order.max_run.0: 'condition' cannot change from trial to trial: conditions are blocked"),
    ("vary: between\norder: {max_run: [{of: condition, most: 3}]}",
     "s.yaml:11: order.max_run.0: 'condition' cannot change from trial to trial: a person has one condition"),
    ("blocks: {by: task}\norder: {min_distance: [{of: task, least: 2}]}",
     "s.yaml:11: order.min_distance.0: 'task' cannot change from trial to trial: there is a block for each"),
    ("vary: between\norder: {conditions: blocked}", "s.yaml:11: order.conditions: with vary: between a person has one"),
    ("blocks: {by: task, count: 2}", "s.yaml:10: blocks.count: blocks are made by 'task'; leave count out"),
    ("blocks: {break_least: 9, break_most: 3}", "s.yaml:10: blocks.break_most: is less than break_least"),
    ("practice: {where: {}}", "s.yaml:10: practice.where: takes every item"),
    ("items: {where: {task: []}}", "s.yaml:10: items.where.task: the list of values is empty"),
    ("practice: {where: {task: [x]}, correct: 2}", "s.yaml:10: practice.correct: needs the right answers"),
    ("attention: {where: {task: [x]}, allowed: 0}", "s.yaml:10: attention.allowed: needs the right answers"),
    ("correct: {field: truth, gold: true}", "s.yaml:10: correct: names a field, or says gold: true (and not both)"),
    ("exclusion: {accuracy_below: 0.5}", "s.yaml:10: exclusion.accuracy_below: needs the right answers"),
    ("exclusion: {rt: cutoffs}", "s.yaml:10: exclusion.rt: cutoffs needs lowest or highest"),
    ("exclusion: {rt: cutoffs, lowest: 3, highest: 2}", "s.yaml:10: exclusion.highest: must be above lowest"),
    ("exclusion: {lowest: 0.2}", "s.yaml:10: exclusion.lowest: leaves nothing out while rt is none"),
    ("exclusion: {rt: none, highest: 9}", "s.yaml:10: exclusion.highest: leaves nothing out while rt is none"),
    ("exclusion: {rt: cutoffs, lowest: 1, log: true}", "s.yaml:10: exclusion.log: goes with rt: sd or rt: mad"),
    ("trial: {reveal: [{shows: [fields, options], seconds: 2}]}",
     "s.yaml:10: trial.reveal.0.seconds: the last screen stays until the answer"),
    ("trial: {reveal: [{shows: [fields]}, {shows: [options]}]}\nanswers: {keys: [[f, j, k], [f, space, j]]}",
     "s.yaml:11: answers.keys.1: Space turns the screens of reveal"),
    ("trial: {clock: 2, deadline: 3, reveal: [{shows: [fields]}, {shows: [question], seconds: 3}, {shows: [options]}]}",
     "s.yaml:10: trial.deadline: ends the trial before its last screen, which comes 3 seconds after"),
    ("trial: {confidence: {text: Sure?, levels: [low, low]}}",
     "s.yaml:10: trial.confidence.levels.1: the level 'low' stands twice"),
    ("analysis: {outcome: accuracy}", "s.yaml:10: analysis.outcome: needs the right answers"),
    ("analysis: {compare: [plain, plain]}", "s.yaml:10: analysis.compare: compares a condition with itself"),
    ("analysis: {compare: [plain, none]}", "s.yaml:10: analysis.compare.1: there is no condition 'none'"),
    ("answers: {keys: [[f, f]]}", "s.yaml:10: answers: each set has two keys or more, all different"),
    ("answers: {keys: [[f, escape]]}", "s.yaml:10: answers.keys.0.1: 'escape' is not allowed"),
    ("demographics: [{name: age, text: Age?, kind: choice}]",
     "s.yaml:10: demographics.0.kind: a choice needs two different options or more"),
    ("demographics: [{name: hand, text: Hand?, kind: choice, options: [a, b, a]}]",
     "s.yaml:10: demographics.0.options.2: the option 'a' stands twice"),
    ("demographics: [{name: age, text: ''}]", "s.yaml:10: demographics.0.text: "),
    ("demographics: [{name: age, text: Age?, kind: number, maximum: 1e999}]",
     "s.yaml:10: demographics.0.maximum: must be a finite number"),
    ("demographics: [{name: age, text: Age?, options: [a, b]}]", "s.yaml:10: demographics.0.options: only a choice"),
    ("demographics: [{name: age, text: Age?, minimum: 1}]", "s.yaml:10: demographics.0: only a number has minimum"),
    ("demographics: [{name: age, text: Age?, kind: number, minimum: 9, maximum: 1}]",
     "s.yaml:10: demographics.0.maximum: is less than minimum"),
    ("demographics: [{name: age, text: A}, {name: age, text: B}]",
     "s.yaml:10: demographics.1.name: the question 'age' stands twice"),
    ("source: &a x\nprotocol: *a", "s.yaml:10: yaml: anchors (&a) are not allowed"),
    ("---\nid: x", "s.yaml:10: yaml: a second document begins here; a study is one document"),
])
def test_a_rule_that_cannot_hold_is_told_with_its_line(more: str, expected: str) -> None:
    assert any(one.startswith(expected) for one in said(BASE + more + "\n")), said(BASE + more + "\n")


def test_all_faults_are_told_at_once_in_the_order_of_the_file() -> None:
    found = said(BASE.replace("version: 1", "version: 0") + "people: none\ntrial: {gap: [2, 1], colour: red}\n")
    assert found == ["s.yaml:2: version: must be greater than or equal to 1",
                     "s.yaml:10: people: 'none' is not a whole number",
                     "s.yaml:11: trial: gap is [least, most]",
                     "s.yaml:11: trial.colour: unknown key 'colour'; there are fixation, gap, deadline, least, "
                     "too_fast, reveal, clock, ends_on_answer, feedback, confidence"]
    assert issubclass(StudyError, ProtocolError)


@pytest.mark.parametrize("text", ["", "   \n", "[]", "7", "\tx: 1", "id: \x07", "a: b: c", "{", "- id: x"])
def test_what_is_no_study_at_all_is_one_readable_fault(text: str) -> None:
    assert all(re.match(r"s\.yaml:\d+: (yaml|study): ", one) for one in said(text)) and len(said(text)) == 1


# --- fitting ------------------------------------------------------------------------------------------------------


def test_a_study_that_fits_has_no_fault() -> None:
    more = "correct: {field: truth}\nstrata: [task, correct]\ntask: task\nprotocol: shapes\n"
    assert misfits(more) == []


@pytest.mark.parametrize(("more", "change", "expected"), [
    ("protocol: other", ("", ""), "s.yaml:10: protocol: the study is for the protocol 'other'; this one is 'shapes'"),
    ("", ("question: answer", "question: anwser"),
     "s.yaml:4: question: there is no question with options 'anwser'; did you mean 'answer'?"),
    ("", ("question: answer", "question: note"),
     "s.yaml:4: question: 'note' is neither choice nor level; a trial has one answer of several"),
    ("", ("question: answer", "question: good"), "s.yaml:4: question: 'good' repeats over 'replies'; a trial has one"),
    ("answers: {option_order: shuffled}", ("question: answer", "question: sure"),
     "s.yaml:10: answers.option_order: the levels of 'sure' stand in order; write as_given"),
    ("answers: {keys: [[f, j]]}", ("", ""), "s.yaml:10: answers.keys.0: has 2 keys for the 3 options of 'answer'"),
    ("", ("[picture, pictures]", "[picture, pictrues]"),
     "s.yaml:7: conditions.1.shows.1: there is no field 'pictrues'; did you mean 'pictures'?"),
    ("", ("[picture, pictures]", "[picture, truth]"),
     "s.yaml:7: conditions.1.shows.1: the field 'truth' is private and never shown"),
    ("strata: [tusk]", ("", ""), "s.yaml:10: strata.0: there is no field 'tusk'; did you mean 'task'?"),
    ("strata: [truth]", ("", ""), "s.yaml:10: strata.0: the field 'truth' is private; a stratum needs one that is"),
    ("family: picture", ("", ""), "s.yaml:10: family: the field 'picture' is of kind image; family needs"),
    ("task: tusk", ("", ""), "s.yaml:10: task: there is no field 'tusk'"),
    ("blocks: {by: tusk}", ("", ""), "s.yaml:10: blocks.by: there is no field 'tusk'"),
    ("order: {max_run: [{of: tusk, most: 2}]}", ("", ""), "s.yaml:10: order.max_run.0.of: there is no field 'tusk'"),
    ("order: {min_distance: [{of: tusk, least: 2}]}", ("", ""), "s.yaml:10: order.min_distance.0.of: there is no"),
    ("items: {where: {tusk: [x]}}", ("", ""), "s.yaml:10: items.where.tusk: there is no field 'tusk'"),
    ("practice: {where: {tusk: [x]}}", ("", ""), "s.yaml:10: practice.where.tusk: there is no field 'tusk'"),
    ("attention: {where: {tusk: [x]}}", ("", ""), "s.yaml:10: attention.where.tusk: there is no field 'tusk'"),
    ("", ("shows: [picture]}", "shows: [picture], where: {tusk: [x]}}"),
     "s.yaml:6: conditions.0.where.tusk: there is no field 'tusk'"),
    ("correct: {field: trut}", ("", ""), "s.yaml:10: correct.field: there is no field 'trut'; did you mean 'truth'?"),
    ("correct: {field: replies}", ("", ""), "s.yaml:10: correct.field: the field 'replies' is of kind candidates"),
    ("correct: {field: task}", ("[picture, pictures]", "[picture, task]"),
     "s.yaml:7: conditions.1.shows: 'task' holds the right answer and would be shown"),
])
def test_a_name_that_leads_nowhere_in_the_protocol_is_told_with_its_line(more, change, expected: str) -> None:
    found = misfits(more + "\n", change)
    assert len(found) == 1 and found[0].startswith(expected), found


# --- shelf, schema, documentation ---------------------------------------------------------------------------------


def test_the_studies_of_the_shelf_are_read_by_id() -> None:
    assert [study.id for study in shelf()] == sorted(path.stem for path in SHELF.glob("*.yaml"))
    assert all(read_study(shelf_text(study.id)).hash == study.hash for study in shelf())
    with pytest.raises(Unknown, match="There is no study 'nothing'"):
        shelf_text("nothing")


@pytest.mark.parametrize("study", shelf(), ids=lambda study: study.id)
def test_a_study_of_the_shelf_fits_the_protocol_it_names(study: Study) -> None:
    if study.protocol in protocol.shelf():
        assert check_fits(study, protocol.load(protocol.find(study.protocol))) == ()


def test_the_schema_in_the_repository_is_the_one_the_models_give() -> None:
    stored = (SHELF / "schema.json").read_text()
    assert stored == schema_text(), "python -m studies.schema > resources/studies/schema.json"


def test_the_schema_accepts_the_example_and_refuses_an_unknown_key() -> None:
    said_ = read_study(EXAMPLES[0]).model_dump(mode="json", by_alias=True, exclude_unset=True)
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    jsonschema.Draft202012Validator.check_schema(json.loads(schema_text()))
    assert [error.message for error in validator.iter_errors(said_)] == []
    assert list(validator.iter_errors({**said_, "colour": "red"}))


def test_the_example_of_the_documentation_fits_its_protocol_and_makes_plans() -> None:
    study, shapes = read_study(EXAMPLES[0]), protocol.loads(EXAMPLES[1])
    assert isinstance(shapes, Protocol) and check_fits(study, shapes) == ()
    items = some_items(study, 210, task=lambda n: n % 4, shape=lambda n: n // 3,
                       use=lambda n: "practice" if n < 6 else "check" if n < 10 else "main")
    made = design(study, items)
    for number in range(6):
        plan = plan_for(study, made, list_no=number % len(made.lists), number=number, seed=number, pilot=False,
                        language="en")
        assert faults(plan, study) == () and [len(block.trials) for block in plan.blocks] == [4, 25, 25]


def _keys(model: type[BaseModel]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield field.alias or name
        for inner in _models(field.annotation):
            yield from _keys(inner)


def _models(want: object) -> Iterator[type[BaseModel]]:
    if isinstance(want, type) and issubclass(want, BaseModel):
        yield want
    for inner in get_args(want):
        yield from _models(inner)


def test_every_key_of_the_file_is_explained() -> None:
    prose = re.sub(r"```yaml\n.*?```", "", DOCS, flags=re.S)
    told = {word for code in re.findall(r"`([^`]+)`", prose) for word in re.findall(r"[a-z_]+", code)}
    assert set(_keys(Study)) - told == set()
