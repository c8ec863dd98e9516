"""People, Preferences and Machines on the page Agreement: keys in; accessible text, plots, items, files out."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QWidget

from annotation import judgements, people, rating_items, review
from annotation.adjudicator_check import adjudicator_check
from annotation.answers import Slot
from annotation.rating_machines import machine_reports
from annotation.rating_people import people_report
from annotation.rating_preferences import preference_reports
from annotation.store.opening import open_store
from app import figures, lived_in
from app.pages.agreement.people_reading import read_people
from app.pages.agreement.preference_rows import measures
from app.parts.chip import Chip
from app.plots.view import PlotView
from tests import results_world, worlds
from tests.rating_world import add_item, again, give, item_of, who
from tests.results_world import CTRL, SHIFT, answer_the_dialog, focused, item_keys, key, table, texts
from tests.test_work_fit import SIZES, faults_at_rest
from tests.windows import opened, shown, wait


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("pairs") / "Pairs.goldsmith"
    lived_in.make_pairs(path)
    return path


@pytest.fixture
def project(template: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(template, tmp_path / "Päärs.goldsmith"))


def look(window, section: str) -> QWidget:
    window.activateWindow()
    window.go("agreement", section=section)
    wait(window)
    return window.page()


def plot(window, name: str) -> PlotView:
    found = window.findChild(PlotView, name)
    assert found is not None
    return found


def words(window) -> str:
    return "\n".join(one.text() for one in shown(window.page()) if isinstance(one, QLabel))


def words_of(window, name: str) -> str:
    return window.findChild(QLabel, name).text()


def choose(window, name: str, value: str) -> None:
    """Choose in a list by keys."""
    field = window.findChild(QComboBox, name)
    field.setFocus()
    at = field.findText(value)
    assert at >= 0, [field.itemText(n) for n in range(field.count())]
    while field.currentIndex() != at:
        key(window, Qt.Key.Key_Down if field.currentIndex() < at else Qt.Key.Key_Up)


def press_mark(window, name: str, beginning: str) -> None:
    """Press the mark of a plot that a reader is told of by these words."""
    view = plot(window, name)
    for _ in range(200):  # a plot is drawn beside the window, and anew when more is known
        at = [mark.says for mark in view.marks()]
        if any(said.startswith(beginning) for said in at):
            break
        QTest.qWait(30)
    found = next((n for n, said in enumerate(at) if said.startswith(beginning)), None)
    assert found is not None, at
    view.mark_buttons()[found].setFocus()
    key(window, Qt.Key.Key_Return)


def keys_of(store, items) -> set[str]:
    from sqlalchemy import select  # what the page shows is compared with the rows themselves

    from annotation.store.tables import Item
    with store.read() as session:
        return set(session.scalars(select(Item.key).where(Item.id.in_(items))))


def numbers(window, file: Path) -> list[dict[str, str]]:
    answer_the_dialog(str(file))
    key(window, (Qt.Key.Key_S, CTRL))
    return list(csv.DictReader(io.StringIO(file.read_text("utf-8-sig"))))


# --- people -----------------------------------------------------------------------------------------------------

def test_a_row_a_person_says_what_the_report_says(project):
    with open_store(project, read_only=True) as store, store.read() as session:
        reports = people_report(session, ["rating"])
    with opened(project) as window:
        look(window, "people")
        rows, said, missing = texts(window, "people:table"), words_of(window, "people:details"), words_of(
            window, "people:missing")
        method = words_of(window, "people:method")
    ana = next(one for one in reports if one.handle == "ana")
    on, at = ana.questions[0], [one.handle for one in reports].index("ana")
    assert [row[0] for row in rows] == ["Person: ana", "Person: ben", "Person: cem", "Person: judge-a. machine"]
    assert rows[at][1] == f"Answered: {ana.answered}" == "Answered: 80"
    assert rows[at][6] == (f"With the majority: {figures.value(on.majority.value)}. "
                           f"{figures.interval(on.majority.ci)}")
    assert rows[at][7].startswith(f"Competence: {figures.with_interval(on.competence.value, on.competence.ci)}")
    assert f"{on.majority.count} of {on.majority.n}" in said and "Pace: half of 80 turns" in said
    assert "nothing was asked again" in missing and "no such item was answered" in missing
    assert "Wilson" in method and "500 draws, seed 0" in method and "Dawid and Skene (1979)" in method


def test_another_question_and_another_measure_are_chosen_by_keys(project):
    with opened(project) as window:
        look(window, "people")
        choose(window, "people:measure", "Competence (Dawid–Skene)")
        wait(window)
        assert plot(window, "people:compared").plot().title.startswith("Competence")
        choose(window, "people:question", "Which answer is better?")
        assert "“Which answer is better?”" in words_of(window, "people:sentence")
        assert "Competence (Dawid–Skene), person by person: the question has no fixed list" in words(window)
        choose(window, "people:measure", "Gold checks right")
        assert plot(window, "people:compared").plot() is None
        assert "Gold checks right, person by person: no such item was answered." in words(window)


def test_a_row_leads_to_the_items_on_which_the_person_differs_from_the_others(project):
    with opened(project) as window:
        look(window, "people")
        store = window.opened().store
        with store.read() as session:
            found = judgements.judgements(session, "rating")
            beside = rating_items.beside_others(found, who(session, "ben"), {who(session, "judge-a")})
        wanted = keys_of(store, beside.items())
        table(window, "people:table").setFocus()
        key(window, Qt.Key.Key_Down, Qt.Key.Key_Return)
        assert window.page().name == "items"
        assert set(item_keys(window)) == wanted and wanted


def test_a_cell_of_the_confusion_leads_to_its_items(project):
    with opened(project) as window:
        look(window, "people")
        store = window.opened().store
        with store.read() as session:
            found = judgements.judgements(session, "rating")
            beside = rating_items.beside_others(found, who(session, "ana"), {who(session, "judge-a")})
        kept = beside.shown(12)
        cells = beside.counts(kept)
        others, said = next((o, s) for o in range(len(kept)) for s in range(len(kept)) if o != s and cells[o, s])
        others, said = int(kept[others]), int(kept[said])
        assert cells.sum() == ((beside.mine >= 0) & (beside.others >= 0)).sum()
        press_mark(window, "people:confusion",
                   f"most others said: {beside.labels[others]}, ana said: {beside.labels[said]}")
        assert set(item_keys(window)) == keys_of(store, beside.items(said, others))


def test_the_majority_of_the_others_is_that_of_the_report_for_everybody(template):
    with open_store(template, read_only=True) as store, store.read() as session:
        machines = {who(session, "judge-a")}
        for question in ("rating", "preference"):
            found = judgements.judgements(session, question)
            for report in people_report(session, [question], competence=False):
                beside = rating_items.beside_others(found, report.person, machines)
                both = (beside.mine >= 0) & (beside.others >= 0)
                share = report.questions[0].majority
                assert (int((beside.mine == beside.others)[both].sum()), int(both.sum())) == (share.count, share.n)


def test_whoever_may_not_see_people_is_given_nobody_elses_numbers(template):
    with open_store(template, read_only=True) as store:
        with store.read() as session:
            ana = who(session, "ana")
        found = read_people(store, only=ana, competence=False, progress=lambda *_: None, cancelled=lambda: False)
    assert [one.handle for one in found.reports] == ["ana"] and found.hides_others


def test_checks_and_repeats_stand_with_their_counts_and_lead_to_the_items_that_went_wrong(tmp_path):
    questions = "  - {name: colour, type: choice, text: Which colour?, options: [{value: red}, {value: blue}]}\n"
    text = worlds.text("stages: [annotate], people_per_item: 2", questions=questions)
    with worlds.make(tmp_path / "W.goldsmith", text, n=2) as store:
        for n, expected in enumerate(("red", "blue", "red")):
            add_item(store, f"check{n}", {"text": "t"}, kind="gold_check", expected={"colour": {"v": expected}})
            give(store, "ana", f"check{n}", {"colour": {"v": "red"}}, ms=1000)
        for handle in ("ana", "ben"):
            for item in ("a0", "a1"):
                give(store, handle, item, {"colour": {"v": "red"}}, ms=5000)
        again(store, "ana", "a0", {"colour": {"v": "red"}})
        again(store, "ana", "a1", {"colour": {"v": "blue"}})
    with opened(tmp_path / "W.goldsmith") as window:
        look(window, "people")
        row = texts(window, "people:table")[0]
        assert row[4] == "Checks: 0.67. 2 of 3" and row[5] == "Repeats: 0.50. 1 of 2"
        choose(window, "people:measure", "Same answer when asked again")
        wait(window)
        press_mark(window, "people:compared", "ana")
        assert item_keys(window) == ["a1"]


# --- second decisions -------------------------------------------------------------------------------------------

def decided_once(folder: Path) -> Path:
    questions = "  - {name: colour, type: choice, text: Which colour?, options: [{value: red}, {value: blue}]}\n"
    text = worlds.text("stages: [annotate, adjudicate], people_per_item: 2", questions=questions)
    with worlds.make(folder / "W.goldsmith", text, n=2) as made:
        with made.write() as session:
            for handle in ("dr-curie", "dr-eva"):
                people.add(session, handle, roles=["adjudicator"], by=who(session, "demo"))
        for item in ("a0", "a1"):
            give(made, "ana", item, {"colour": {"v": "red"}})
            give(made, "ben", item, {"colour": {"v": "blue"}})
            with made.write() as session:
                review.adjudicate(session, item_of(session, item), {Slot("colour"): {"v": "red"}},
                                  by=who(session, "dr-curie"))
    return folder / "W.goldsmith"


def test_a_second_adjudicator_decides_again_by_keys_and_people_say_how_far_two_agree(tmp_path):
    project = decided_once(tmp_path)
    with opened(project, person="dr-eva") as window:
        window.activateWindow()
        window.go("adjudicate")
        wait(window)
        button = next(one for one in shown(window.page()) if isinstance(one, QAbstractButton)
                      and one.text() == "Decide 2 again, blind")
        button.setFocus()
        key(window, Qt.Key.Key_Space)
        assert "that decision stands" in words(window)
        for _ in range(2):
            key(window, Qt.Key.Key_1, (Qt.Key.Key_Return, CTRL))
        assert "again, blind" not in words(window) and "that decision stands" not in words(window)
        assert "Nothing waits for a decision" in words(window)
    with open_store(project, read_only=True) as store, store.read() as session:
        [check] = adjudicator_check(session)
        assert check.same.n == 2
    with opened(project) as window:
        look(window, "people")
        [row] = texts(window, "people:second")
        assert row[0] == f"Question: Which colour?. dr-curie and dr-eva: {check.same.count} of 2"
        assert row[2].startswith(f"Same decision: {figures.value(check.same.value)}")
        table(window, "people:second").setFocus()
        key(window, Qt.Key.Key_Return)
        assert set(item_keys(window)) <= {"a0", "a1"} and item_keys(window)


# --- preferences ------------------------------------------------------------------------------------------------

def test_a_row_a_measure_has_value_interval_method_and_a_sentence(project):
    with open_store(project, read_only=True) as store, store.read() as session:
        report = preference_reports(session)[0]
    with opened(project) as window:
        look(window, "preferences")
        rows, method = texts(window, "preferences:table"), words_of(window, "preferences:method")
        said = words_of(window, "preferences:sentence")
    first, effect, swap = rows[0], rows[1], rows[2]
    share = report.position.first
    assert first[0].startswith(f"Measure: What stood first won. What stood first won {share.count} of {share.n}")
    assert first[2:] == [f"Value: {figures.value(share.value)}", f"95 % interval: {figures.interval(share.ci)}. Wilson",
                         f"Of: {share.count} of {share.n}"]
    assert effect[1] == "Value and interval: log odds, 0 is no effect" and effect[3].endswith("Wald")
    assert swap[1] == f"Value and interval: {report.swap.same.reason}"
    by = {row.name: row for row in measures(report)}
    three = report.violations[0]
    assert (f"By TrustJudge’s kinds {three.circular} hold a circle and {three.equality} break equality; their triads "
            f"by ties: {three.by_ties[0]} without") in by["ntr_3"].sentence
    assert "BCa bootstrap over items, 2,000 draws, seed 0" in method and "named by ids of responses" in method
    best = report.strengths[0].rows[0]
    assert f"Preferred most is {best.name}, worth {figures.with_interval(best.worth, best.worth_ci)}" in said


def test_the_measure_that_is_current_is_shown_judge_by_judge_and_leads_to_items(project):
    with open_store(project, read_only=True) as store, store.read() as session:
        report = preference_reports(session)[0]
    with opened(project) as window:
        look(window, "preferences")
        rows = plot(window, "preferences:judges").plot().rows
        assert [row.label for row in rows] == ["All", "ana", "ben", "cem"]
        assert rows[2].value == report.people[1].position.first.value
        table(window, "preferences:table").setFocus()
        key(window, *[Qt.Key.Key_Down] * 6)
        assert plot(window, "preferences:judges").plot().title.startswith("Sets of 3")
        assert "TrustJudge" in words_of(window, "preferences:details")
        kinds = plot(window, "preferences:kinds").plot()
        assert [cell.value for cell in kinds.cells[0]] == [
            report.violations[0].bad.count, report.violations[0].circular, report.violations[0].equality,
            *report.violations[0].by_ties]
        press_mark(window, "preferences:strengths", "Davidson")
        assert len(item_keys(window)) == 3 * lived_in.PROMPTS and all(
            report.strengths[1].rows[0].name in one for one in item_keys(window))


def test_judgements_of_machines_stand_apart(project):
    with opened(project) as window:
        look(window, "preferences")
        people_said = words_of(window, "preferences:sentence")
        choose(window, "preferences:which", "Of machines")
        assert "48 pairs were judged by machines" in words_of(window, "preferences:sentence") != people_said
        assert "nobody knows what stood first" in words_of(window, "preferences:method")
        assert texts(window, "preferences:table")[0][1] == (
            "Value and interval: no pair whose order is known was decided")


# --- machines ---------------------------------------------------------------------------------------------------

def test_a_machine_stands_beside_people_the_majority_and_gold(project):
    with open_store(project, read_only=True) as store, store.read() as session:
        report = machine_reports(session)[0]
    by = {(one.kind, one.against): one for one in report.against if one.metric == "krippendorff_alpha"}
    with opened(project) as window:
        look(window, "machines")
        row = texts(window, "machines:table")[0]
        each = plot(window, "machines:against").plot()
        method = words_of(window, "machines:method")
        choose(window, "machines:metric", "MAE")
        mae = words_of(window, "machines:method")
    assert row[0] == "Machine and question: judge-a (simulated). How good is the answer?"
    assert row[2] == ("With people: {}. {}".format(figures.value(by["people", "people"].value),
                                                   figures.interval(by["people", "people"].ci)))
    gap = by["difference", "difference"]
    assert row[5] == f"Difference: {figures.value(gap.value)}. {figures.interval(gap.ci)}"
    assert [one.label for one in each.rows] == ["people, on the whole", "ana", "ben", "cem", "the majority", "gold"]
    assert each.reference == by["people_each_other", "people_each_other"].value
    assert "What is called simulated comes from no model." in method and "above 0 the machine is further" in mae


def predictions(folder: Path, *, key_of: str = "question", note: str = "") -> Path:
    rows = [{"item": f"p{n}-{name}", key_of: "rating", "answer": value, "model": "model-z"}
            for n in range(1, 9) for name, value in lived_in.SYSTEMS.items()]
    if note:
        rows[0]["note"] = note
    file = folder / "vorhersagen ü.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return file


def test_a_file_of_predictions_is_chosen_compared_and_taken_out_by_keys(project, tmp_path):
    file = predictions(tmp_path, note="simulated: from no model")
    with opened(project) as window:
        look(window, "machines")
        button = window.findChild(QAbstractButton, "machines:choose")
        button.setFocus()
        answer_the_dialog(str(file))
        key(window, Qt.Key.Key_Space)
        rows = [row[0] for row in texts(window, "machines:table")]
        assert "Machine and question: model-z (simulated). How good is the answer?" in rows
        chip = next(one for one in shown(window.page()) if isinstance(one, Chip))
        assert chip.accessibleName() == "Take out vorhersagen ü.jsonl"
        chip.setFocus()
        key(window, Qt.Key.Key_Space)
        assert not any("model-z" in row[0] for row in texts(window, "machines:table"))


def drop(window, *files: Path) -> None:
    view = window.page().current_view()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    enter = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
                            Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(view, QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
                                            Qt.KeyboardModifier.NoModifier))
    wait(window)


def test_a_dropped_file_without_questions_asks_for_one_and_a_broken_one_is_told(project, tmp_path):
    file = predictions(tmp_path, key_of="other")
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"item": "nowhere", "question": "rating", "answer": 3}\n', "utf-8")
    with opened(project) as window:
        look(window, "machines")
        drop(window, file)
        said = words(window)
        assert "was left out: its rows name no question: choose one under Question." in said
        choose(window, "machines:question", "How good is the answer?")
        assert [row[0].partition(". ")[0] for row in texts(window, "machines:table")] == [
            "Machine and question: judge-a (simulated)", "Machine and question: model-z"]
        drop(window, broken)
        assert "broken.jsonl was left out" in words(window) and "there is no item 'nowhere'" in words(window)
        assert len(texts(window, "machines:table")) == 2


def test_a_machine_and_a_person_lead_to_the_items_on_which_they_differ(project):
    with opened(project) as window:
        look(window, "machines")
        store = window.opened().store
        with store.read() as session:
            found = judgements.judgements(session, "rating")
            said = {handle: {found.units[int(u)][0]: found.ratings.labels[c] for u, p, c in zip(
                found.ratings.unit, found.ratings.person, found.ratings.code, strict=True)
                if found.people[int(p)] == who(session, handle)} for handle in ("ana", "judge-a")}
        wanted = {item for item, value in said["ana"].items() if said["judge-a"].get(item, value) != value}
        press_mark(window, "machines:against", "Each person, ana")
        assert set(item_keys(window)) == keys_of(store, wanted) and wanted


def test_differences_by_slice(project):
    with opened(project) as window:
        look(window, "machines")
        choose(window, "machines:by", "Pass")
        assert [row.label for row in plot(window, "machines:slices").plot().rows] == ["All items", "rating"]


# --- all of them ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("section", "beginning", "columns"), [
    ("people", "| Person ", {"person", "question", "measure", "value", "low", "high", "n", "median_seconds"}),
    ("preferences", "| Measure ", {"question", "judged_by", "judge_or_candidate", "measure", "method"}),
    ("machines", "| Machine ", {"machine", "simulated", "kind", "against", "metric", "value", "reason"})])
def test_what_is_shown_is_taken_away_as_markdown_latex_and_numbers(project, tmp_path, section, beginning, columns):
    with opened(project) as window:
        look(window, section)
        key(window, (Qt.Key.Key_C, CTRL | SHIFT))
        copied = QGuiApplication.clipboard().text()
        key(window, (Qt.Key.Key_L, CTRL | SHIFT))
        latex = QGuiApplication.clipboard().text()
        rows = numbers(window, tmp_path / f"{section}.csv")
    assert copied.startswith(beginning) and "95 % intervals" in copied
    assert latex.startswith("% needs \\usepackage{booktabs}") and latex.count("&") % latex.count(r"\\") == 0
    assert columns <= rows[0].keys() and len(rows) > 8


def test_the_sections_are_reached_by_keys(project):
    with opened(project) as window:
        look(window, "questions")
        titles = []
        for _ in range(4):
            key(window, (Qt.Key.Key_PageDown, CTRL))
            titles.append(type(window.page().current_view()).__name__)
    assert titles == ["PeopleView", "PreferencesView", "MachinesView", "QuestionsView"]


def test_nothing_to_show_is_said_with_a_way_on(tmp_path):
    with opened(results_world.make(tmp_path, said=False)) as window:
        look(window, "people")
        assert "Nobody has answered yet" in words(window)
        look(window, "preferences")
        assert "This protocol compares no pairs" in words(window)
        assert "See the protocol" in [one.text() for one in shown(window.page()) if isinstance(one, QAbstractButton)]
        look(window, "machines")
        assert "No machine has answered here yet. Add a file of predictions" in words(window)
        assert table(window, "machines:table").isHidden()
        window.findChild(QAbstractButton, "machines:choose").setFocus()
        assert focused().text() == "Add predictions"


@pytest.mark.parametrize("section", ["people", "preferences", "machines"])
def test_every_size_and_theme_fits(project, tmp_path, section):
    faults: list[str] = []
    with opened(project) as window:
        page: Any = look(window, section)
        if section == "machines":
            drop(window, predictions(tmp_path))
        for theme in ("light", "dark", "contrast"):
            page.context.settings.set("theme", theme)
            for size, text in SIZES if theme == "light" else SIZES[2:3]:
                page.context.settings.set("text_size", text)
                window.resize(*size)
                wait(window)
                faults += [f"{theme} {size} {text} %: {fault}" for fault in faults_at_rest(page)]
                assert window.size().toTuple() == size
        page.context.settings.set("text_size", 100)
        page.context.settings.set("theme", "light")
    assert faults == []


@pytest.mark.parametrize("section", ["people", "preferences", "machines"])
def test_tab_goes_down_the_section_and_f6_begins_with_its_table(project, section):
    with opened(project) as window:
        look(window, section)
        table(window, f"{section}:table").setFocus()
        top = focused().mapTo(window, QPoint(0, 0)).y()
        key(window, Qt.Key.Key_Tab)
        assert focused().accessibleName().startswith("Copy: ") and focused().mapTo(window, QPoint(0, 0)).y() > top
        key(window, (Qt.Key.Key_Backtab, SHIFT))
        assert focused() is table(window, f"{section}:table")
        key(window, (Qt.Key.Key_Backtab, SHIFT))
        assert isinstance(focused(), QComboBox)
        window.page().focus_first()
        assert focused() is table(window, f"{section}:table")
