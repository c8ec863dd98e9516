"""The house's front door: a key press becomes a stored row, an agreement value and an exported line.

Two people answer three items by real key presses in real windows; nothing here reaches behind the
windows until the answers are on disk. The second test breaks each hop on the way and expects red.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QWidget
from sqlalchemy import select

from annotation import judgements
from annotation.done import Done
from annotation.store.opening import open_store
from annotation.store.tables import AnswerRow, Item, Person, Revision
from app import cli, gui

PROTOCOL = """\
id: two-colours
version: 1
title: Two colours
fields:
  - {name: text, kind: text, label: Text, required: true}
questions:
  - {name: colour, type: choice, text: Which colour is named?, options: [{value: red}, {value: blue}]}
workflow: {stages: [annotate], people_per_item: 2, blind: true}
gold: {colour: {rule: majority, min_people: 2}}
agreement: [{question: colour, metric: krippendorff_alpha, level: nominal}]
export: {scorer: {metric: accuracy, question: colour}}
"""
ITEMS = [{"id": "a1", "text": "a red door"}, {"id": "a2", "text": "a blue door"}, {"id": "a3", "text": "a door"}]
# The third item is where they differ: alpha = 1 - 5 * 2 / (2 * 3 * 3) = 4/9 (red, red, red, blue, blue, blue).
SAID = {"ana": {"a1": "red", "a2": "blue", "a3": "red"}, "ben": {"a1": "red", "a2": "blue", "a3": "blue"}}
DIGIT = {"red": Qt.Key.Key_1, "blue": Qt.Key.Key_2}
PATIENCE_MS = 30_000


def command(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    capsys.readouterr()
    code = cli.main([*words, "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert code == 0, answer
    return answer


def shown_key(window: QMainWindow) -> str | None:
    page = window.findChild(QWidget, "page:work")
    label = page.findChild(QLabel, "item:key") if page else None
    return label.text() if label is not None and label.isVisible() else None


def answer_all(qtbot, project: Path, person: str, patience: int) -> None:
    window = gui.open_window(str(project), person=person)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(window.isActiveWindow, timeout=patience)  # a window that is not active yet has no shortcuts
    QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)  # go.work
    left = dict(SAID[person])
    while left:
        qtbot.waitUntil(lambda: shown_key(window) in left, timeout=patience)
        value = left.pop(shown_key(window))
        QTest.keyClick(QApplication.focusWidget() or window, DIGIT[value])
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: shown_key(window) is None, timeout=patience)
    window.close()


def one_answer(qtbot, capsys, folder: Path, patience: int = PATIENCE_MS) -> None:
    project = folder / "P.goldsmith"
    (folder / "two.yaml").write_text(PROTOCOL, "utf-8")
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ITEMS), "utf-8")
    command(capsys, "new", str(project), "--protocol", str(folder / "two.yaml"), "--as", "demo")
    command(capsys, "import", str(project), str(folder / "items.jsonl"), "--as", "demo")
    for person in SAID:
        command(capsys, "people", str(project), "add", person, "--role", "annotator", "--as", "demo")
    for person in SAID:
        answer_all(qtbot, project, person, patience)

    with open_store(project, read_only=True) as store, store.read() as session:
        rows = session.execute(
            select(Person.handle, Item.key, AnswerRow.question, AnswerRow.value_text, AnswerRow.counts)
            .join(Person, Person.id == AnswerRow.person).join(Item, Item.id == AnswerRow.item)).all()
        saved = session.execute(select(Revision.answers_json)).scalars().all()
    assert sorted(rows) == sorted((h, k, "colour", v, True) for h, said in SAID.items() for k, v in said.items())
    assert sorted(a["colour"]["v"] for a in saved) == ["blue"] * 3 + ["red"] * 3

    [alpha] = command(capsys, "agreement", str(project), "--question", "colour", "--metric", "krippendorff_alpha",
                      "--level", "nominal")["results"]
    assert alpha["value"] == pytest.approx(4 / 9)
    assert (alpha["n_items"], alpha["n_people"], alpha["n_judgements"]) == (3, 2, 6)

    command(capsys, "export", str(project), str(folder / "out"), "--as", "demo")
    gold = [json.loads(line) for line in (folder / "out/public/gold.jsonl").read_text("utf-8").splitlines()]
    items = [json.loads(line) for line in (folder / "out/public/items.jsonl").read_text("utf-8").splitlines()]
    keys = {item["id"]: item["key"] for item in items}
    assert {keys[row["id"]]: row["answer"] for row in gold} == {"a1": "red", "a2": "blue"}


def test_one_answer_goes_from_the_finger_to_the_file(qtbot, capsys, tmp_path):
    one_answer(qtbot, capsys, tmp_path)



def _break_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.questions.choice.ChoiceWidget._choose", lambda self, n: None)


def _break_draft(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.draft.Draft.answer", lambda self, slot, answer, **_more: None)


def _break_submit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.tasks.submit", lambda session, task, answers, **_more: Done("Submit"))


def _break_judgements(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = judgements.judgements
    monkeypatch.setattr("annotation.judgements.judgements",
                        lambda session, question, **more: whole(session, question, **{**more, "stages": ("verify",)}))


def _break_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exports.rows.Rows._gold", lambda self, item, version, found: [])


HOPS = {"the widget's signal": _break_signal, "the draft": _break_draft, "submit": _break_submit,
        "the judgements query": _break_judgements, "the writer": _break_writer}


@pytest.mark.parametrize("hop", HOPS)
def test_a_break_at_any_hop_is_seen(hop, qtbot, capsys, tmp_path, monkeypatch):
    HOPS[hop](monkeypatch)
    early = hop in ("the widget's signal", "the draft", "submit")
    with pytest.raises((AssertionError, qtbot.TimeoutError)):
        one_answer(qtbot, capsys, tmp_path, patience=1500 if early else PATIENCE_MS)
