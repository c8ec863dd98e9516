"""A small project whose results are known, and hands and eyes for the pages that show them."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from annotation import answers_in, people
from app.parts.table import Table
from tests.kept import made_once
from tests.windows import wait

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PROTOCOL = """\
id: two-questions
version: 1
title: Two questions
fields:
  - {name: text, kind: text, label: Text, required: true}
  - {name: topic, kind: tag, label: Topic}
  - {name: maker, kind: text, private: true}
questions:
  - {name: colour, type: choice, text: Which colour?, options: [{value: red, label: Red}, {value: blue, label: Blue}]}
  - {name: sure, type: level, text: How sure?, options: [{value: low}, {value: mid}, {value: high}]}
workflow: {stages: [annotate], people_per_item: 2, blind: true}
gold: {colour: {rule: majority, min_people: 2}, sure: {rule: majority, min_people: 2}}
agreement:
  - {question: colour, metric: krippendorff_alpha, level: nominal}
  - {question: colour, metric: percent_agreement}
  - {question: sure, metric: krippendorff_alpha, level: ordinal}
export: {scorer: {metric: accuracy, question: colour}}
"""
# colour: they differ on a2 alone; "sure" is always the same, so that alpha is undefined.
COLOURS = {"ana": "red red red blue blue blue".split(), "ben": "red red blue blue blue blue".split()}


@made_once
def make(folder: Path, *, said: bool = True, all_of_them: bool = True) -> Path:
    """Six items in two topics, answered by ana and ben from a file (``all_of_them`` off: a5 is left open)."""
    from annotation import importing, protocol
    from annotation.store import opening

    path = folder / "Results ümlaut.goldsmith"
    rows = [{"id": f"a{n}", "text": f"text {n}", "topic": "even" if n % 2 == 0 else "odd", "maker": "model-x"}
            for n in range(6)]
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with opening.create(path, protocol=protocol.loads(PROTOCOL), title="Two questions", owner="demo") as store:
        with store.read() as session:
            by = people.find(session, "demo").id
        importing.import_file(store, folder / "items.jsonl", by=by)
        with store.write() as session:
            for handle in COLOURS:
                people.add(session, handle, roles=("annotator",), by=by)
        if said:
            given = [{"item": f"a{n}", "person": who, "question": question, "answer": value}
                     for who, colours in COLOURS.items() for n, colour in enumerate(colours)
                     for question, value in (("colour", colour), ("sure", "high")) if n < 5 or all_of_them]
            (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in given), "utf-8")
            report = answers_in.import_answers(store, folder / "answers.jsonl", by=by)
            assert report.refused == 0, report.refusals
    return path


def focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def key(window, *keys) -> None:
    """One key press after another, each to what has the focus: a Qt key or (key, modifiers)."""
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    for one in keys:
        pressed, with_keys = one if isinstance(one, tuple) else (one, Qt.KeyboardModifier.NoModifier)
        QTest.keyClick(QApplication.focusWidget() or window, pressed, with_keys)
    wait(window)


def go(window, digit) -> QWidget:
    window.activateWindow()
    key(window, (digit, Qt.KeyboardModifier.AltModifier))
    return window.page()


def table(window, name: str):
    return window.findChild(QWidget, name)


def texts(window, name: str) -> list[list[str]]:
    """What a reader is told of every cell of a table."""
    model = table(window, name).model()
    role = Qt.ItemDataRole.AccessibleTextRole
    return [[model.data(model.index(row, column), role) for column in range(model.columnCount())]
            for row in range(model.rowCount())]


def item_keys(window) -> list[str]:
    """The keys of the items that the page Items lists."""
    model = next(one for one in window.page().findChildren(Table) if one.accessibleName() == "Items").model()
    column = next(n for n in range(model.columnCount()) if model.headerData(n, Qt.Orientation.Horizontal) == "Key")
    return [model.data(model.index(row, column)) for row in range(model.rowCount())]


def type_into(window, name: str, text: str) -> None:
    field = window.findChild(QLineEdit, name)
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_A, CTRL)
    QGuiApplication.clipboard().setText(text)  # pasted: QTest cannot press an umlaut
    QTest.keyClick(field, Qt.Key.Key_V, CTRL)


def answer_the_dialog(text: str) -> None:
    """Type a path into the file dialog that comes next, and press Enter."""
    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        if dialog is None:
            QTimer.singleShot(20, answer)
            return
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        field.setText(text)
        QTest.keyClick(field, Qt.Key.Key_Return)

    QTimer.singleShot(20, answer)
