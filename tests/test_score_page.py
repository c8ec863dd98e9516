"""Score through its window: keys in; accessible text, store and files out."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget

from annotation import people
from annotation.store.opening import open_store
from app import figures
from tests.results_world import (
    CTRL,
    SHIFT,
    answer_the_dialog,
    go,
    key,
    make,
    texts,
    type_into,
)
from tests.windows import make_project, opened, shown, wait


@pytest.fixture
def project(tmp_path):
    return make(tmp_path)


@pytest.fixture
def bundle(project, tmp_path):
    """A draft of the project as a bundle, and two files of predictions for it."""
    from exports import release
    from exports.bundle import write_bundle

    with open_store(project) as store:
        with store.write() as session:
            release.draw(session, None, by=people.find(session, "demo").id)
        with store.read() as session:
            write_bundle(session, tmp_path / "bundle")
    answers = {"careful": ["red", "red", "red", "blue", "blue", "blue"], "hasty": ["red"] * 6}
    golden = {row["id"]: row["answer"] for row in map(json.loads, (tmp_path / "bundle/public/gold.jsonl").read_text(
        "utf-8").splitlines()) if row["question"] == "colour"}
    items = sorted((row["key"], row["id"]) for row in map(json.loads, (
        tmp_path / "bundle/public/items.jsonl").read_text("utf-8").splitlines()))
    for name, said in answers.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(
            json.dumps({"id": public, "answer": said[int(key[1:])]}) + "\n" for key, public in items
            if public in golden), "utf-8")
    return tmp_path / "bundle"


def test_predictions_are_scored_beside_baselines_by_keys(project, bundle, tmp_path):
    with opened(project) as window:
        page = go(window, Qt.Key.Key_8)
        assert "No bundle yet" in " ".join(one.text() for one in shown(page) if isinstance(one, QLabel))
        type_into(window, "score:bundle", str(bundle))
        key(window, Qt.Key.Key_Return)
        for name in ("careful", "hasty"):
            type_into(window, "score:predictions", str(tmp_path / f"{name}.jsonl"))
            key(window, Qt.Key.Key_Return)
        rows = texts(window, "score:results")
        sentence = window.findChild(QLabel, "score:sentence").text()
        assert [row[0] for row in rows] == ["Who answered: careful", "Who answered: hasty",
                                            "Who answered: Always right", *[row[0] for row in rows[3:]]]
        assert {"Who answered: Always “red”", "Who answered: Always wrong"} <= {row[0] for row in rows}
        assert rows[0][2] == "Score: 1.00" and sentence.startswith("careful reaches Accuracy 1.00")
        assert [row[0] for row in texts(window, "score:slices")] == ["Slice: even", "Slice: odd"]
        key(window, (Qt.Key.Key_C, CTRL | SHIFT))
        assert "| careful " in QGuiApplication.clipboard().text()
        answer_the_dialog(str(tmp_path / "scores.json"))
        key(window, (Qt.Key.Key_S, CTRL))
        window.findChild(QWidget, "score:baselines").setFocus()
        key(window, Qt.Key.Key_Space)
        assert len(texts(window, "score:results")) == 2
        window.findChild(QWidget, "file:hasty").setFocus()
        key(window, Qt.Key.Key_Delete)
        assert [row[0] for row in texts(window, "score:results")] == ["Who answered: careful"]
    saved = json.loads((tmp_path / "scores.json").read_text("utf-8"))
    assert saved["schema"] == "goldsmith/score/1"
    assert [one["system"] for one in saved["systems"]][:2] == ["careful", "hasty"]


def test_a_faulty_file_is_named_with_line_and_key_and_the_others_are_scored(project, bundle, tmp_path):
    broken = tmp_path / "broken.jsonl"
    first = (tmp_path / "hasty.jsonl").read_text("utf-8").splitlines()[0]
    broken.write_text(first + '\n{"id": "nobody", "answer": "red"}\n', "utf-8")
    with opened(project) as window:
        go(window, Qt.Key.Key_8)
        window.go("score", bundle=str(bundle), files=[str(tmp_path / "careful.jsonl"), str(broken)])
        wait(window)
        line = window.findChild(QWidget, "score:fault:broken")
        assert line.isVisible()
        assert line.text() == "broken.jsonl, line 2, key id: the bundle has no item 'nobody'. The file is not scored."
        assert texts(window, "score:results")[0][0] == "Who answered: careful"
        broken.write_text((tmp_path / "hasty.jsonl").read_text("utf-8"), "utf-8")
        key(window, Qt.Key.Key_F5)
        assert window.findChild(QWidget, "score:fault:broken") is None or not window.findChild(
            QWidget, "score:fault:broken").isVisible()
        assert "Who answered: broken" in [row[0] for row in texts(window, "score:results")]


def test_a_folder_that_is_no_bundle_and_a_file_that_is_not_there_are_said_at_their_fields(project, tmp_path):
    with opened(project) as window:
        page = go(window, Qt.Key.Key_8)
        type_into(window, "score:bundle", str(tmp_path))
        key(window, Qt.Key.Key_Return)
        said = [one.text() for one in shown(page) if isinstance(one, QLabel)]
        assert any("is no bundle: it holds no manifest.json" in text for text in said)
        type_into(window, "score:predictions", str(tmp_path / "gone.jsonl"))
        key(window, Qt.Key.Key_Return)
        assert any("There is no file" in one.text() for one in shown(page) if isinstance(one, QLabel))


def test_the_bundle_exported_last_is_scored_by_itself(project, tmp_path):
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        type_into(window, "gold:path", str(tmp_path / "mine"))
        key(window, (Qt.Key.Key_E, CTRL | SHIFT))
        wait(window)
        go(window, Qt.Key.Key_8)
        assert window.findChild(QLineEdit, "score:bundle").text() == str(tmp_path / "mine")
        assert "Who answered: Always right" in [row[0] for row in texts(window, "score:results")]


def test_figures_are_said_with_a_minus_and_in_words():
    assert figures.value(-0.184) == "−0.18"
    assert figures.value(-0.001) == "0.00"
    assert figures.value(None) == "–"
    assert figures.interval((-0.28, 0.5)) == "−0.28 to 0.50"
    assert figures.scale_of([0.3, None, 0.9]) == (0.0, 1.0)
    assert figures.scale_of([-0.04, 1.0]) == pytest.approx((-0.2, 1.0))
    assert figures.overlap((0.1, 0.4), (0.4, 0.9)) and not figures.overlap((0.1, 0.3), (0.4, 0.9))


def test_an_empty_project_tells_what_to_do_next(tmp_path):
    with opened(make_project(tmp_path, n=0)) as window:
        for digit, words in ((Qt.Key.Key_6, "No items yet"), (Qt.Key.Key_7, "No gold yet"),
                             (Qt.Key.Key_8, "No bundle yet")):
            page = go(window, digit)
            assert words in [one.text() for one in shown(page) if isinstance(one, QLabel)]
            assert any(isinstance(one, QAbstractButton) for one in shown(page))
