"""The page Agreement through its window: keys in; accessible text, plots, clipboard and files out."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QWidget
from sklearn.metrics import cohen_kappa_score

from annotation import answers_in, judgements, people, trail
from annotation.agreement.beside import Share
from annotation.agreement.ratings import ratings_of
from annotation.agreement.result import Result
from annotation.agreement.two_answers import paradox
from annotation.disputed import disputed
from annotation.done import Done
from annotation.store.opening import open_store
from app import figures
from app.pages.agreement import meaning, names, paper
from app.pages.agreement.comparing import SliceDifferences
from app.pages.agreement.details import pairs_shown
from app.pages.agreement.meaning import Beside
from app.pages.agreement.reading import Asked, Row
from app.pages.agreement.sections import Nothing, Section, SectionView, Way
from app.parts.tabs import Tab
from app.plots.view import PlotView
from tests.results_world import COLOURS, CTRL, SHIFT, answer_the_dialog, focused, go, item_keys, key, make, table, texts
from tests.test_work_fit import SIZES, faults_at_rest
from tests.windows import opened, shown, wait


@pytest.fixture
def project(tmp_path):
    return make(tmp_path)


def plot(window, name: str) -> PlotView:
    found = window.findChild(PlotView, name)
    assert found is not None
    return found


def says(window, name: str) -> list[str]:
    """What a reader is told of every mark of a plot."""
    return [mark.says for mark in plot(window, name).marks()]


def words(window) -> str:
    return "\n".join(one.text() for one in shown(window.page()) if isinstance(one, QLabel))


def choose(window, name: str, value: str) -> None:
    """Choose in a list by keys, as a person does who knows what it is called."""
    field = next(one for one in shown(window.page()) if isinstance(one, QComboBox) and one.accessibleName() == name)
    field.setFocus()
    at = field.findText(value)
    assert at >= 0, [field.itemText(n) for n in range(field.count())]
    while field.currentIndex() != at:
        key(window, Qt.Key.Key_Down if field.currentIndex() < at else Qt.Key.Key_Up)


# --- the rows ---------------------------------------------------------------------------------------------------

def test_a_row_a_question_says_what_the_verb_says(project):
    with open_store(project, read_only=True) as store, store.read() as session:
        alpha, percent, undefined = judgements.agreement(session)
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        rows = texts(window, "agreement:results")
        sentence = window.findChild(QLabel, "agreement:sentence").text()
    gap = 100 * (1 - alpha.value)
    assert rows[0] == [
        f"Question: Which colour?. Differences are {gap:.0f} % of what chance would give",
        "Coefficient: Krippendorff’s α. nominal",
        f"Value and interval: {figures.with_interval(alpha.value, alpha.ci)}", f"Value: {alpha.value:.2f}",
        f"95 % interval: {figures.interval(alpha.ci)}. BCa, 10,000 draws", f"Percent: {100 * percent.value:.1f}",
        "Items: 6", "People: 2"]
    assert rows[0][5] == "Percent: 83.3"
    assert undefined.value is None and len(rows) == 2  # percent agreement has a column, not a row
    assert rows[1][2] == "Value and interval: everyone always gave the same answer"
    assert sentence.startswith(f"On “Which colour?” agreement is {alpha.value:.2f}")


def test_the_method_and_the_reason_stand_in_words(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        said = words(window)
        assert "BCa bootstrap over items, 10,000 draws, seed 0" in said
        assert "people must see to themselves" in said
        assert "Krippendorff (2018)" in said  # a scale has its source
        table(window, "agreement:results").setFocus()
        key(window, Qt.Key.Key_Down)
        details = window.findChild(QLabel, "agreement:details").text()
        assert "Krippendorff (2018)" not in words(window)  # nothing to read by it
    assert "is undefined: everyone always gave the same answer; chance agreement is 1" in details


def test_the_jackknife_is_there_at_once_and_gives_way_to_the_bootstrap(project):
    seen = []
    with opened(project) as window:
        window.activateWindow()
        key(window, (Qt.Key.Key_6, Qt.KeyboardModifier.AltModifier))
        model = table(window, "agreement:results").model()
        model.dataChanged.connect(lambda *_: seen.append(texts(window, "agreement:results")[0][4]))
        model.modelReset.connect(lambda: seen.append(texts(window, "agreement:results")[0][4]))
        choose(window, "Coefficient", "Percent agreement")
        assert "jackknife" in seen[0] and seen[0] != seen[-1]
        assert seen[-1].endswith("BCa, 10,000 draws")


def test_newer_numbers_come_without_a_flicker(tmp_path):
    project = make(tmp_path, all_of_them=False)
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        results = table(window, "agreement:results")
        assert texts(window, "agreement:results")[0][6] == "Items: 5"
        results.setFocus()
        key(window, Qt.Key.Key_Down)
        resets = []
        results.model().modelReset.connect(lambda: resets.append(1))
        late = tmp_path / "late.jsonl"
        late.write_text("".join(json.dumps({"item": "a5", "person": who, "question": q, "answer": v}) + "\n"
                                for who in COLOURS for q, v in (("colour", "blue"), ("sure", "high"))), "utf-8")

        def bring(_progress, _cancelled):
            answers_in.import_answers(window.opened().store, late, by=window.opened().person.id)
            return Done("Answers", frozenset({"answers"}))

        window.jobs().store_work(window, bring)
        wait(window)
        wait(window)
        assert texts(window, "agreement:results")[0][6] == "Items: 6"
        assert resets == [] and results.currentIndex().row() == 1 and results.hasFocus()


# --- choices ----------------------------------------------------------------------------------------------------

def test_another_coefficient_is_chosen_by_keys_remembered_and_taken_back(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        choose(window, "Interval", "jackknife, Fisher z")
        assert texts(window, "agreement:results")[0][4].endswith("jackknife")
        choose(window, "Coefficient", "Gwet’s AC1")
        row = texts(window, "agreement:results")[0]
        assert row[1] == "Coefficient: Gwet’s AC1. chosen here" and row[4].endswith("jackknife")
        assert "the protocol names Krippendorff’s α (nominal), Percent agreement" in words(window)
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        assert texts(window, "agreement:results")[0][1] == "Coefficient: Gwet’s AC1. chosen here"
        assert texts(window, "agreement:results")[1][1] == "Coefficient: Krippendorff’s α. ordinal"
        next(b for b in shown(window.page()) if isinstance(b, QAbstractButton)
             and b.text() == "As the protocol says").setFocus()
        key(window, Qt.Key.Key_Return)
        row = texts(window, "agreement:results")[0]
        assert row[1] == "Coefficient: Krippendorff’s α. nominal" and row[4].endswith("BCa, 10,000 draws")


def test_only_what_suits_the_question_is_offered(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)

        def offered(name: str) -> list[str]:
            return [field.itemText(n) for field in shown(window.page()) if isinstance(field, QComboBox)
                    and field.accessibleName() == name for n in range(field.count())]

        assert offered("Level of measurement") == ["nominal"] and offered("Weights") == []
        assert "MAE" not in offered("Coefficient")
        table(window, "agreement:results").setFocus()
        key(window, Qt.Key.Key_Down)
        assert {"ordinal", "nominal", "interval"} <= set(offered("Level of measurement"))
        assert "MAE" in offered("Coefficient")


# --- below the rows ---------------------------------------------------------------------------------------------

def test_plots_and_disputed_items_follow_the_row(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        assert [one.partition(":")[0] for one in says(window, "agreement:slices")] == ["All items", "even", "odd"]
        assert len(says(window, "agreement:pairs")) == 2  # two people, either way round
        assert any("5" in one for one in says(window, "agreement:confusion"))
        assert texts(window, "agreement:disputed") == [
            ["Item: a2", "Answers: 1 of 2 gave the most frequent answer", "What people say: 1 Blue, 1 Red"]]
        table(window, "agreement:results").setFocus()
        key(window, Qt.Key.Key_Down)
        assert texts(window, "agreement:disputed") == []
        assert says(window, "agreement:confusion") == []


@pytest.mark.parametrize(("name", "keys", "found"), [
    ("agreement:results", [], ["a2"]), ("agreement:disputed", [], ["a2"]),
    ("agreement:slices", [Qt.Key.Key_Down], ["a0", "a2", "a4"]), ("agreement:pairs", [], ["a2"]),
    ("agreement:confusion", [Qt.Key.Key_Right], ["a2"]),
])
def test_enter_leads_from_every_number_to_its_items(project, name, keys, found):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        part = window.findChild(QWidget, name)
        if isinstance(part, PlotView):
            part.mark_buttons()[0].setFocus()
        else:
            part.setFocus()
        key(window, *keys, Qt.Key.Key_Return)
        assert window.page().name == "items"
        assert item_keys(window) == found


def test_one_key_leads_from_a_disputed_item_to_its_adjudication(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        key(window, Qt.Key.Key_F4)
        assert window.page().name == "adjudicate"
        assert "a2" in words(window)


def test_slices_are_weeks_versions_and_groups_of_people_too(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        choose(window, "Slices by", "Week")
        [week] = says(window, "agreement:slices")
        assert plot(window, "agreement:slices").plot().title == "Week by week" and ", n 6" in week
        plot(window, "agreement:slices").mark_buttons()[0].setFocus()
        key(window, Qt.Key.Key_Return)
        assert len(item_keys(window)) == 6
        go(window, Qt.Key.Key_6)
        choose(window, "Slices by", "Version of the protocol")
        assert says(window, "agreement:slices")[1].startswith("two-questions 1: ")
        choose(window, "Slices by", "Group of people")
        assert says(window, "agreement:slices")[1].startswith("annotator: ")
        choose(window, "Slices by", "Leaving one person out")
        assert says(window, "agreement:slices")[1].startswith("without ana: nobody judged the same item twice")
        plot(window, "agreement:slices").mark_buttons()[1].setFocus()
        key(window, Qt.Key.Key_Return)
        assert item_keys(window) == ["a2"]  # where ana differs from somebody


def test_slices_are_compared_when_asked_for(tmp_path):
    with opened(make(tmp_path)) as window:
        go(window, Qt.Key.Key_6)
        assert plot(window, "agreement:differences").plot() is None
        next(b for b in shown(window.page()) if isinstance(b, QAbstractButton)
             and b.text() == "Compare the slices").setFocus()
        key(window, Qt.Key.Key_Return)
        [said] = says(window, "agreement:differences")
        assert said.startswith("even less odd")
        plot(window, "agreement:differences").mark_buttons()[0].setFocus()
        key(window, Qt.Key.Key_Return)
        assert window.page().name == "items" and len(item_keys(window)) == 6


def test_a_comparison_that_runs_begins_anew_when_newer_numbers_come(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        compared = window.findChild(SliceDifferences)
        window.jobs().hold()
        compared.ask.setFocus()
        QTest.keyClick(compared.ask, Qt.Key.Key_Return)
        compared.show_details(compared._details)  # what comes after each answer
        window.jobs().release()
        wait(window)
        [said] = says(window, "agreement:differences")
        assert said.startswith("even less odd")


def test_another_program_says_what_it_makes_of_the_same_answers(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        value = table(window, "agreement:results").model().row(0).result.value
        said = window.findChild(QLabel, "agreement:opinion").text()
        assert said.startswith("Second opinion of krippendorff ") and f"{value:.6f}" in said
        assert said.endswith("no difference in nine decimals.")
        choose(window, "Coefficient", "Gwet’s AC1")
        assert window.findChild(QLabel, "agreement:opinion").text() == (
            "Second opinion: no other program here computes Gwet’s AC1.")


def test_no_slices_is_remembered(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        choose(window, "Slices by", "No slices")
        assert says(window, "agreement:slices") == []
        assert "Choose a field" in words(window)
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        assert says(window, "agreement:slices") == []


# --- taking away ------------------------------------------------------------------------------------------------

def test_the_table_is_copied_as_markdown_and_latex_and_saved_as_csv(project, tmp_path):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        key(window, (Qt.Key.Key_C, CTRL | SHIFT))
        copied = QGuiApplication.clipboard().text()
        key(window, (Qt.Key.Key_L, CTRL | SHIFT))
        latex = QGuiApplication.clipboard().text()
        target = tmp_path / "numbers ü.csv"
        answer_the_dialog(str(target))
        key(window, (Qt.Key.Key_S, CTRL))
        said = window.page().said()
    assert copied.splitlines()[0].startswith("| Question ") and "Krippendorff’s α, ordinal" in copied
    assert "BCa bootstrap" in copied
    assert r"\toprule" in latex and r"Krippendorff's $\alpha$, nominal" in latex and r"95 \% intervals" in latex
    rows = list(csv.DictReader(io.StringIO(target.read_bytes().decode("utf-8-sig"))))
    assert [row["metric"] for row in rows[:2]] == ["krippendorff_alpha", "krippendorff_alpha"]
    assert float(rows[0]["percent_agreement"]) == pytest.approx(5 / 6)
    assert rows[1]["value"] == "" and rows[1]["reason"].startswith("everyone always")
    assert [row["slice"] for row in rows[2:]] == ["topic=even", "topic=odd"]
    assert str(target) in said


def test_the_paragraph_on_methods_has_the_facts_of_the_project(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        key(window, (Qt.Key.Key_M, CTRL | SHIFT))
        copied = QGuiApplication.clipboard().text()
        assert window.findChild(QLabel, "agreement:methods").text().replace("\u00a0", " ") == copied
        shown_value = texts(window, "agreement:results")[0][3].removeprefix("Value: ")
    assert copied.startswith("6 items were judged independently by 2 people (median 2 per item; 0 % of judgements "
                             "missing).")
    assert f"Krippendorff’s α, nominal, was {shown_value} (95 % BCa interval" in copied
    assert "percent agreement 83 %" in copied and "10,000 draws" in copied and "people taken as fixed" in copied
    assert "rule “majority”" in copied


def test_latex_escapes_what_latex_reads():
    assert paper.escaped("a_b & 5 % {x} −1 “α”") == r"a\_b \& 5 \% \{x\} $-$1 ``$\alpha$''"


# --- sentences --------------------------------------------------------------------------------------------------

def result(value: float | None, **more) -> Result:
    given = {"question": "colour", "metric": "krippendorff_alpha", "level": "nominal", "n_items": 100, "n_people": 3,
             "n_judgements": 300, "n_missing": 0, **more}
    return Result(value=value, **given)


@pytest.mark.parametrize(("one", "said"), [
    (result(0.54), "Differences are 46 % of what chance would give"), (result(1.0), "People never differ"),
    (result(0.998), "Differences are 0.2 % of what chance would give"),
    (result(-0.1), "Differences are as frequent as by chance, or more so"),
    (result(0.8, metric="percent_agreement", level=None), "Of 100 pairs of answers to an item 80 are equal"),
    (result(None, reason="nobody has answered"), "Nobody has answered"),
    (result(0.7, metric="icc_2_k", level=None), "70 % of the variance of the answers lies between items"),
])
def test_a_value_is_a_plain_sentence(one, said):
    assert meaning.meaning(one) == said


def test_no_scale_stands_without_its_source(protocol_of_two):
    assert meaning.scale(result(0.7)).startswith("Krippendorff (2018)")
    assert meaning.scale(result(0.7, metric="icc", level=None)).startswith("Koo & Li (2016)")
    assert meaning.scale(result(0.7, metric="cohen_kappa", level=None)) == ""


def test_the_paradox_of_prevalence_is_said_where_it_makes_the_value(protocol_of_two):
    skewed = Beside(paradox=paradox(np.array([[90.0, 5.0], [5.0, 0.0]]), ("red", "blue")))
    [said] = meaning.cautions(protocol_of_two, result(-0.05, ci=(-0.1, 0.4)), skewed)
    assert "“Red”" in said and "PABAK" in said and "Feinstein & Cicchetti 1990" in said and "0.80" in said
    assert meaning.cautions(protocol_of_two, result(-0.05, ci=(-0.1, 0.9)), skewed) == []  # too few items to say so
    assert meaning.cautions(protocol_of_two, result(0.1, ci=(0.0, 0.2), metric="gwet_ac1", level=None), skewed) == []
    assert meaning.cautions(protocol_of_two, result(0.8, ci=(0.7, 0.9)), Beside()) == []


def test_notes_of_the_engine_become_warnings_but_for_whom_they_speak(protocol_of_two):
    note = ("3 of 11 items carry another answer than 'red'; with fewer than 5 no interval holds what it says; "
            "the interval is for these 3 people: other items")
    one = result(0.5, ci=(0.2, 0.8), note=note)
    assert meaning.cautions(protocol_of_two, one, Beside()) == [
        "3 of 11 items carry another answer than 'red'; with fewer than 5 no interval holds what it says."]
    assert meaning.people(one) == "The interval is for these 3 people: other items."


def test_the_mean_stands_beside_a_coefficient_of_numbers(protocol_of_two):
    many = Beside(tuple(Share(str(n), 10, 0.1, 10) for n in range(10)), per_item=3.0, mean=4.5, spread=2.9)
    assert meaning.given(protocol_of_two, result(0.5, level="interval"), many) == (
        "Mean of the answers 4.50, standard deviation 2.90.")
    row = Row(Asked("colour", "krippendorff_alpha", "interval"), result(0.5, level="interval"), many)
    assert "mean answer 4.50" in paper.methods(protocol_of_two, (row,))


@pytest.mark.parametrize(("name", "said"), [
    ("icc_3_k", "ICC(3,k)"), ("percent_agreement", "Percent agreement"), ("gwet_ac2", "Gwet’s AC2"),
    ("something_new", "Something new")])
def test_metrics_are_called_as_people_call_them(name, said):
    assert names.metric_name(name) == said


@pytest.fixture
def protocol_of_two():
    from annotation import protocol
    from tests.results_world import PROTOCOL

    return protocol.loads(PROTOCOL)


def test_disputed_items_come_with_their_votes(project):
    with open_store(project, read_only=True) as store, store.read() as session:
        found = disputed(session, judgements.judgements(session, "colour", by="topic"))
        odd = disputed(session, judgements.judgements(session, "colour", by="topic"), by="odd")
    assert (found.judged, found.differing) == (6, 1)
    assert [(row.key, dict(row.votes), row.differ) for row in found.rows] == [("a2", {"red": 1, "blue": 1}, 1.0)]
    assert (odd.judged, odd.differing, odd.items) == (3, 0, ())


# --- the frame --------------------------------------------------------------------------------------------------

class Other(SectionView):
    """A section that has something to show only when it was read twice."""

    made: list[SectionView] = []

    def __init__(self, context, parent=None):
        super().__init__(context, parent)
        self.read = 0
        self.label = QLabel(self)
        Other.made.append(self)

    def reads(self):
        self.read += 1
        return (lambda store, progress, cancelled: self.read,)

    def empty(self, found):
        return Nothing("Nothing here", "Read it again.", (Way("Home", "home", "home", {}),)) if found < 2 else None

    def show_found(self, found):
        self.label.setText(f"read {found} times")


@pytest.fixture
def two_sections(monkeypatch):
    from app.pages.agreement.page import AgreementPage

    Other.made = []
    monkeypatch.setattr(AgreementPage, "sections", (AgreementPage.sections[0], Section("other", "Other", Other)))


def test_sections_are_made_when_first_looked_at_and_reached_by_keys(project, two_sections):
    with opened(project) as window:
        page = go(window, Qt.Key.Key_6)
        tabs = [one for one in shown(page) if isinstance(one, Tab)]
        assert [one.text() for one in tabs] == ["Questions", "Other"] and Other.made == []
        tabs[0].setFocus()
        key(window, Qt.Key.Key_Right)
        assert tabs[1].isChecked() and tabs[1].hasFocus()
        assert len(Other.made) == 1 and "Nothing here" in words(window)
        key(window, Qt.Key.Key_F5)
        assert "read 2 times" in words(window)
        key(window, (Qt.Key.Key_PageUp, CTRL))
        assert tabs[0].isChecked() and "On “Which colour?”" in words(window)
        key(window, (Qt.Key.Key_PageDown, CTRL))
        assert len(Other.made) == 1 and "read 3 times" in words(window)


def test_nothing_to_give_away_is_no_command(project, two_sections):
    with opened(project) as window:
        page = go(window, Qt.Key.Key_6)
        assert page.action("agreement.copy").isEnabled()
        page.show_section(1)
        wait(window)
        assert not page.action("agreement.copy").isEnabled() and not page.action("agreement.adjudicate").isEnabled()


def test_somebody_who_answers_is_told_that_what_he_was_shown_is_recorded(project):
    with open_store(project) as store, store.write() as session:
        people.set_roles(session, "ana", add=("researcher",), by=people.find(session, "demo").id)
    for told in (True, False):  # once
        with opened(project, person="ana") as window:
            go(window, Qt.Key.Key_6)
            assert texts(window, "agreement:results")
            assert ("You answer in this project too" in window.page().said()) is told
    with open_store(project, read_only=True) as store, store.read() as session:
        assert trail.was_revealed(session, people.find(session, "ana").id)
        assert not trail.was_revealed(session, people.find(session, "demo").id)


def test_nobody_judged_twice_is_an_empty_page_with_a_way_on(tmp_path):
    with opened(make(tmp_path, said=False)) as window:
        go(window, Qt.Key.Key_6)
        assert "Nobody judged the same item twice yet" in words(window)
        assert focused().text() == "Assign people"
        key(window, Qt.Key.Key_Return)
        assert window.page().name == "people"


def test_the_page_fits_every_size_and_every_stop_has_a_name(project, two_sections):
    faults = []
    with opened(project) as window:
        page = go(window, Qt.Key.Key_6)
        settings = page.context.settings
        try:
            for size, text in SIZES:
                settings.set("text_size", text)
                window.resize(*size)
                wait(window)
                faults += [f"{size} {text} %: {one}" for one in faults_at_rest(page)]
                assert window.size().toTuple() == size
        finally:
            settings.set("text_size", 100)
    assert faults == []


def test_the_grid_of_pairs_takes_the_weights_of_its_row() -> None:
    table = [[1, 2, 1], [2, 2, 3], [3, 5, 3], [4, 4, 5], [5, 1, 5], [2, 3, 2]]
    ratings = ratings_of([(item, person, value) for item, row in enumerate(table) for person, value in enumerate(row)])
    plain, weighted = ([pair.result.value for pair in pairs_shown(ratings, Asked("q", "cohen_kappa", weights=weights))]
                       for weights in (None, "quadratic"))
    columns = list(zip(*table, strict=True))
    for found, weights in ((plain, None), (weighted, "quadratic")):
        other = [cohen_kappa_score(columns[a], columns[b], weights=weights, labels=[1, 2, 3, 4, 5])
                 for a, b in ((0, 1), (0, 2), (1, 2))]
        assert found == pytest.approx(other)
