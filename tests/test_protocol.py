"""Protocols: the shelf loads, texts stay as written, every fault is said with its line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import jsonschema
import pytest

from annotation import protocol, protocol_parts, recipes
from annotation.agreement.asking import ELSEWHERE
from annotation.agreement.catalogue import metrics
from annotation.errors import ProtocolError, Unknown
from annotation.protocol_fault_values import WEIGHTED
from annotation.protocol_schema import schema_text

ROOT = Path(__file__).resolve().parent.parent
SHELF = ("cancer-myth-score", "cancer-myth-verify", "preference-pair", "qa-check", "trustjudge", "vlm-geoprivacy")
BASE = """\
id: base
version: 1
title: Base
fields:
  - {name: q, kind: text, required: true}
  - {name: kind, kind: tag}
  - {name: replies, kind: candidates}
  - {name: secret, kind: text, private: true}
questions:
  - {name: a, type: choice, text: A?, options: [{value: one}, {value: two}]}
  - {name: b, type: scale, text: B?, min: 1, max: 5}
  - {name: c, type: text, text: C?, required: false}
"""


def said(text: str) -> list[str]:
    """Every fault of ``text`` as the command line prints it."""
    return [str(fault) for fault in protocol.check_text(text, "p.yaml").faults]


def test_the_shelf_holds_the_six_protocols() -> None:
    assert set(protocol.shelf()) >= set(SHELF)


@pytest.mark.parametrize("name", SHELF)
def test_a_shelf_protocol_loads_without_fault_or_warning(name: str) -> None:
    report = protocol.check(protocol.find(name))
    assert (report.faults, report.warnings) == ((), ())
    assert report.protocol is not None and report.protocol.id == name
    assert protocol.loads(report.protocol.text).hash == report.protocol.hash
    assert report.protocol.scorers() and report.protocol.workflow.people_per_item == 3


@pytest.mark.parametrize("name", SHELF)
def test_a_shelf_protocol_has_a_sample_with_a_line_of_readme_and_a_recipe(name: str) -> None:
    folder = protocol.sample(name)
    assert folder is not None and len((folder / "README.md").read_text().splitlines()) == 1
    assert name in recipes.for_protocol(name)


@pytest.mark.parametrize("name", recipes.shelf())
def test_a_recipe_fills_only_fields_of_its_protocol(name: str) -> None:
    recipe, text = recipes.load(recipes.find(name))
    assert recipe.id == name
    recipes.check_against(recipe, protocol.load(protocol.find(recipe.for_)), text=text)


def test_the_schema_in_the_repository_is_the_one_the_models_give() -> None:
    stored = (protocol.SHELF / "schema.json").read_text()
    assert stored == schema_text(), "python -m annotation.protocol_schema > resources/protocols/schema.json"


@pytest.mark.parametrize("name", SHELF)
def test_the_schema_accepts_the_shelf_and_refuses_an_unknown_key(name: str) -> None:
    made = protocol.load(protocol.find(name)).model_dump(mode="json", by_alias=True, exclude_unset=True)
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    assert [error.message for error in validator.iter_errors(made)] == []
    assert list(validator.iter_errors({**made, "colour": "red"}))


@pytest.mark.parametrize("written", ["false", "True", "~", "null", "007", "1e3", "2026-11-30", "0x1F", ".5", "1_000"])
def test_a_value_is_the_text_that_stands_in_the_file(written: str) -> None:
    text = BASE.replace("{value: two}", f"{{value: {written}}}")
    report = protocol.check_text(text, "p.yaml")
    assert report.faults == () and report.protocol is not None
    assert report.protocol.options_of("a") == ("one", written)
    warning = report.warnings[0]
    assert (warning.line, "put it in quotes" in warning.message) == (10, True)
    quoted = protocol.check_text(BASE.replace("{value: two}", f'{{value: "{written}"}}'))
    assert quoted.warnings == () and quoted.protocol is not None
    assert quoted.protocol.options_of("a") == ("one", written)


def test_values_of_show_if_and_names_are_texts_too() -> None:
    text = BASE + '  - {name: d, type: text, text: 12, show_if: {b: [5, "4"], item.kind: [007]}}\n'
    report = protocol.check_text(text, "p.yaml")
    assert report.protocol is not None and report.protocol.question("d").show_if == {
        "b": ("5", "4"), "item.kind": ("007",)}
    assert report.protocol.question("d").text == "12"
    assert [w.path for w in report.warnings] == ["questions.3.text", "questions.3.show_if.b.0",
                                                 "questions.3.show_if.item.kind.0"]


@pytest.mark.parametrize(("change", "expected"), [
    (("type: text,", "type: txt,"), "p.yaml:12: questions.2.type: unknown question type 'txt'; did you mean 'text'?"),
    (("type: text,", "type: spans,"), "p.yaml:12: questions.2.type: question type 'spans' comes later; "
                                      "this version does not have it yet"),
    (("kind: candidates", "kind: video"), "p.yaml:7: fields.2.kind: 'video' comes later; "
                                          "this version does not have it yet"),
    (("required: true", "requird: true"), "p.yaml:5: fields.0.requird: unknown key 'requird'; "
                                          "did you mean 'required'?"),
    (("version: 1", "version: one"), "p.yaml:2: version: 'one' is not a whole number"),
    (("version: 1", "version: 0"), "p.yaml:2: version: must be greater than or equal to 1"),
    (("title: Base\n", ""), "p.yaml:1: protocol: needs 'title'"),
    (("title: Base", "title: [x]"), "p.yaml:3: title: wants a text"),
    (("name: a,", "name: on,"), "p.yaml:10: questions.0.name: 'on' is kept for other uses and cannot be a name"),
    (("name: a,", "name: Ärger,"), "p.yaml:10: questions.0.name: 'Ärger' is not allowed; it must match "
                                   "^[a-z][a-z0-9_]*$"),
    (("name: b,", "name: a,"), "p.yaml:11: questions.1.name: the question 'a' stands twice"),
    (("{value: two}", "{value: one}"), "p.yaml:10: questions.0.options.1.value: the option 'one' stands twice"),
    (("[{value: one}, {value: two}]", "[{value: one, key: x}, {value: two, key: X}]"),
     "p.yaml:10: questions.0.options.1.key: the key 'X' stands twice"),
    (("required: false", "show_if: {aa: [one]}"), "p.yaml:12: questions.2.show_if.aa: there is no question 'aa'; "
                                                  "did you mean 'a'?"),
    (("required: false", "show_if: {a: [three]}"), "p.yaml:12: questions.2.show_if.a.0: there is no value of 'a' "
                                                   "'three'; there are one, two"),
    (("required: false", "show_if: {item.secret: [x]}"), "p.yaml:12: questions.2.show_if.item.secret: the field "
                                                         "'secret' is private; a condition needs one that is shown"),
    (("text: A?,", "text: A?, show_if: {b: [\"1\"]},"), "p.yaml:10: questions.0.show_if.b: 'b' comes later in the "
                                                        "file; show_if looks at earlier questions"),
    (("options: [{value: one}, {value: two}]", "options_from: q"),
     "p.yaml:10: questions.0.options_from: the field 'q' is of kind text; options_from needs candidates or steps"),
    (("max: 5", "max: 1"), "p.yaml:11: questions.1: min must be below max"),
    (("max: 5", "max: five"), "p.yaml:11: questions.1.max: 'five' is not a number"),
])
def test_a_fault_is_said_with_its_line_and_path(change: tuple[str, str], expected: str) -> None:
    assert expected in said(BASE.replace(*change, 1))


@pytest.mark.parametrize(("more", "expected"), [
    ("gold: {a: {rule: mean}}", "gold.a.rule: the rule mean does not fit 'a', which is nominal"),
    ("gold: {c: {rule: dawid_skene}}", "gold.c.rule: the rule dawid_skene does not fit 'c', which is free text"),
    ("gold: {a: {rule: majority, threshold: 0.8}}", "gold.a: threshold belongs to the rule dawid_skene"),
    ("gold: {a: {rule: dawid_skene, threshold: 0.4}}", "gold.a.threshold: "),
    ("gold: {a: {rule: majority, min_people: 3}}",
     "gold.a.min_people: wants 3 people, but workflow.people_per_item is 1"),
    ("gold: {a: {from: gold}}", "gold.a.from: 'a' is asked and not derived; it needs a rule"),
    ("gold: {a: {rule: adjudicated}}", "gold.a.rule: nobody adjudicates: workflow.stages has no adjudicate"),
    ("gold: {z: {rule: first}}", "gold.z: there is no question or derived value 'z'; there are a, b, c"),
    ("agreement: [{question: c, metric: krippendorff_alpha}]",
     "agreement.0.metric: krippendorff_alpha does not fit 'c', which is free text"),
    ("agreement: [{question: a, metric: krippendorff_alpha, level: interval}]",
     "agreement.0.level: the level interval does not fit 'a', which is nominal"),
    ("agreement: [{question: a, metric: kappa}]", "agreement.0.metric: 'kappa' is not known here; "),
    ("export: {scorer: accuracy}", "export.scorer: say which question accuracy is for: "),
    ("export: {scorer: {metric: accuracy, question: a}}", "export.scorer: 'a' is used here and has no gold rule"),
    ("export: {keep: {a: [one]}}", "export.keep.a: 'a' is used here and has no gold rule"),
    ("export: {columns: {x: item.secret}}",
     "export.columns.x: the field 'secret' is private; it leaves only in private/ of a bundle"),
    ("export: {columns: {x: gold.a}}", "export.columns.x: 'a' is used here and has no gold rule"),
    ("export: {splits: {test: 0.4}}", "export.splits: the shares of the splits add up to 0.4, not 1"),
    ("workflow: {stages: [verify]}", "workflow.stages: needs the stage annotate"),
    ("workflow: {stages: [annotate, grade]}", "workflow.stages.1: 'grade' comes later; "),
    ("workflow: {sign: {role: physicist}}", "workflow.sign.role: 'physicist' is not known here; "
                                            "did you mean 'physician'?"),
    ("workflow: {sign: {role: physician}}", "workflow.sign: workflow.stages has no sign"),
    ("derive: {a: {sum: {of: [b]}}}", "derive.a: 'a' is a question already; a derived value needs its own name"),
    ("derive: {s: {sum: {of: [a]}}}", "derive.s.sum.of: 'a' is nominal; sum needs numbers"),
    ("derive: {s: {sum: {of: [b]}, mean: {of: [b]}}}", "derive.s: needs exactly one of table, sum, "),
    ("derive: {s: {compare: {of: b, across: replies}}}",
     "derive.s.compare.across: its questions do not repeat over 'replies'"),
    ("checks: [{if: {a: [one]}}]", "checks.0: a check is {if: .., then: ..} or {iff: [.., ..]}"),
    ("checks: [{iff: [{a: [one]}, {z: [x]}]}]", "checks.0.iff.1.z: there is no question 'z'; there are "),
    ("model: {prompt: \"{secret}\"}",
     "model.prompt: the field 'secret' is private and must not be given to a model"),
    ("forms: {open: [a]}", "forms: unknown key 'forms'"),
])
def test_a_rule_that_does_not_fit_is_said_with_its_line(more: str, expected: str) -> None:
    faults = said(BASE + more + "\n")
    if more.startswith("forms"):
        expected = "forms: key 'forms' comes later; this version does not have it yet"
    assert any(fault.startswith(f"p.yaml:13: {expected}") for fault in faults), faults


def test_all_faults_are_said_at_once_in_the_order_of_the_file() -> None:
    text = BASE.replace("version: 1", "version: x").replace("kind: tag", "kind: tga").replace("max: 5", "max: z")
    assert [fault.split(":")[1] for fault in said(text)] == ["2", "6", "11"]
    with pytest.raises(ProtocolError) as caught:
        protocol.loads(text)
    assert len(caught.value.faults) == 3 and "(and 2 more)" in str(caught.value)


@pytest.mark.parametrize(("text", "line", "words"), [
    ("a: &x 1\nb: *x\n", 1, "anchors"),
    ("a: 1\nb: *x\n", 2, "aliases"),
    ("a: {b: 1}\n<<: {c: 1}\n", 2, "merge keys"),
    ("id: a\nid: b\n", 2, "the key 'id' stands twice (first in line 1)"),
    ("id: !!python/object:os.system x\n", 1, "tags"),
    ("id: a\n---\nid: b\n", 2, "a second document"),
    ("id: [a\n", 2, "this is not YAML"),
    ("id: a\n\tb: c\n", 2, "this is not YAML"),
    ('id: "\\ud800"\n', 1, "lone surrogate"),
    ("id: a\nb: \x07\n", 2, "U+0007"),
    ("id: a\nb: \x00\n", 2, "U+0000"),
    ('id: "\\UFFFFFFFF"\n', 1, "this is not YAML"),
    ("", 1, "the file is empty"),
    (" \n\n", 1, "the file is empty"),
    ("[" * 100_000, 1, "nested more than"),
    ("? [a]\n: b\n", 1, "cannot be a key"),
    ("just words\n", 1, "wants keys with values"),
    ("# only a remark\n", 1, "the file is empty"),
])
def test_what_is_no_plain_yaml_is_refused_with_its_line(text: str, line: int, words: str) -> None:
    faults = protocol.check_text(text, "p.yaml").faults
    assert [fault for fault in faults if fault.line == line and words in fault.message], faults


@pytest.mark.parametrize(("content", "words"), [
    (b"", "empty"), (b"\xff\xfei\x00d\x00", "UTF-16"), (b"id: a\ntitle: \xe9t\xe9\n", "not UTF-8 (byte 0xE9)"),
    (b"x" * (1 << 21), "larger than 1024 KiB"), (b"\x89PNG\r\n\x1a\n\x00", "not UTF-8"),
])
def test_a_file_that_is_no_text_is_one_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "p.yaml").write_bytes(content)
    faults = protocol.check(tmp_path / "p.yaml").faults
    assert len(faults) == 1 and words in faults[0].message and str(tmp_path) not in str(faults[0])


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_bytes(b"\xef\xbb\xbf" + BASE.replace("\n", "\r\n").encode())
    assert protocol.load(tmp_path / "p.yaml").hash == protocol.loads(BASE).hash


def test_a_missing_file_and_an_unknown_id_are_said() -> None:
    assert "cannot be read" in protocol.check("/nowhere/p.yaml").faults[0].message
    with pytest.raises(Unknown, match="cancer-myth-verify"):
        protocol.find("cancer-myth")


def test_form_hash_covers_what_an_answer_means_and_nothing_else() -> None:
    first = protocol.loads(BASE)
    same = protocol.loads(BASE.replace("{value: one}", "{value: one, key: O}") + "guidelines: New words\n")
    other = protocol.loads(BASE.replace("{value: two}", "{value: two, label: Deux}"))
    assert same.form_hash == first.form_hash and same.hash != first.hash
    assert same.guideline_hash != first.guideline_hash
    assert other.form_hash != first.form_hash


def test_a_later_metric_is_a_warning_and_the_protocol_works() -> None:
    report = protocol.check_text(BASE + "agreement: [{question: a, metric: st_iou}]\n", "p.yaml")
    assert report.protocol is not None and [w.line for w in report.warnings] == [13]
    assert "comes later" in report.warnings[0].message


def _examples() -> list[str]:
    return re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "protocols.md").read_text(), re.S)


def test_the_examples_of_the_docs_load() -> None:
    base, *parts = _examples()
    assert len(parts) >= 4
    protocol.loads(base)
    for part in parts:
        keys = re.findall(r"^(\w+):", part, re.M)
        kept = [section for section in re.split(r"(?m)^(?=\w)", base) if section.split(":")[0] not in keys]
        report = protocol.check_text("".join(kept) + part, "docs/protocols.md")
        assert [str(f) for f in (*report.faults, *report.warnings)] == []


def test_the_names_of_agreement_are_those_of_the_engine() -> None:
    known = set(get_args(protocol_parts.AgreementMetric))
    assert set(metrics) - known == {"light_kappa_mean_pairwise_cohen", "bias_index"}  # an old name; two people alone
    assert known - set(metrics) == {"st_iou", *ELSEWHERE}
    assert {name for name in metrics if metrics[name].weights} - {"light_kappa_mean_pairwise_cohen"} == WEIGHTED
    assert set(get_args(protocol_parts.AgreementLevel)) == set(metrics["krippendorff_alpha"].builds)
    assert set(get_args(protocol_parts.AgreementWeights)) == set(metrics["gwet_ac2"].weights)


@pytest.mark.parametrize(("spec", "words"), [
    ("metric: gwet_ac1, weights: linear", "gwet_ac1 takes no weights"),
    ("metric: gwet_ac1, level: nominal", "gwet_ac1 has no level"),
    ("metric: icc", "icc does not fit"),
    ("metric: krippendorff_alpha, level: masi", "the level masi does not fit"),
    ("metric: krippendorff_alpha, level: ratio", "the level ratio does not fit"),
    ("metric: span_f1", "comes later"),
    ("metric: bradley_terry", "stands with the preferences"),
    ("metric: gwet_ac2, weights: linear", ""), ("metric: cohen_kappa", ""), ("metric: krippendorff_alpha", ""),
])
def test_a_metric_of_agreement_must_fit_its_question(spec, words) -> None:
    report = protocol.check_text(BASE + f"agreement: [{{question: a, {spec}}}]\n", "p.yaml")
    told = " ".join(fault.message for fault in (*report.faults, *report.warnings))
    assert words in told if words else not told
