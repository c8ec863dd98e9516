"""Scripted people who do a whole job by keys, and the command line beside them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QLineEdit, QTextBrowser, QWidget

from app import cli
from tests.desk import CTRL, Desk

ANNOTATORS = ("ana", "ben", "cem")
ADJUDICATOR = "dora"
OWNER = "demo"
REASON = "The source says so"

Script = Callable[[Desk, str], None]  # the keys of one person at the item with this key, up to the submit


class CommandLine:
    """``goldsmith WORDS --json`` in this process; every answer is one strict JSON object."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str | Path, exit: int = 0) -> dict[str, Any]:
        self._capsys.readouterr()
        code = cli.main([*map(str, words), "--json"])
        answer: dict[str, Any] = json.loads(self._capsys.readouterr().out)
        assert code == exit, answer
        assert answer["ok"] is (code == 0)
        return answer


def make_project(run: CommandLine, project: Path, protocol: str) -> None:
    """A project with three annotators, an adjudicator and an owner."""
    run("new", project, "--protocol", protocol, "--as", OWNER)
    for handle in ANNOTATORS:
        run("people", project, "add", handle, "--role", "annotator", "--as", OWNER)
    run("people", project, "add", ADJUDICATOR, "--role", "adjudicator", "--as", OWNER)


# --- people ---------------------------------------------------------------------------------------------------


def answer_items(qtbot: Any, project: Path, person: str, keys: Collection[str], script: Script, *,
                 stop_after: int | None = None) -> tuple[float, float, int]:
    """All items of one person's queue, which are ``keys`` and no others; or the first so many of them.

    Returns the seconds from the first to the last, by the clock and of processor, and the number of items.
    """
    left = set(keys)
    least = 0 if stop_after is None else len(left) - stop_after
    with Desk(qtbot, project, person) as desk:
        desk.wait(lambda: desk.item is not None)
        begun, busy = time.perf_counter(), time.process_time()
        while len(left) > least:
            desk.wait(lambda: desk.item in left)
            assert desk.item is not None
            key = desk.item
            left.remove(key)
            script(desk, key)
        desk.wait(lambda: desk.item in left if left else desk.item is None)
        return time.perf_counter() - begun, time.process_time() - busy, len(keys) - least


def decide_cases(qtbot: Any, project: Path, keys: Collection[str], wanted: Callable[[Desk, str], str]) -> None:
    """Adjudicate ``keys`` and no others: take the answer that says ``wanted(desk, key)``, type a reason, confirm."""
    left = set(keys)
    with Desk(qtbot, project, ADJUDICATOR, page="adjudicate") as desk:
        while left:
            desk.wait(lambda: desk.item in left)
            assert desk.item is not None
            key = desk.item
            left.remove(key)
            desk.press(str(column_that_says(desk, wanted(desk, key))))
            go_to(desk, "adjudicate:reason")
            desk.keys(f"{REASON}\n")
        desk.wait(lambda: desk.item is None)


def column_that_says(desk: Desk, said: str) -> int:
    """The number of the answer on Adjudicate in which ``said`` stands, as a screen reader would read it."""
    desk.wait(lambda: names_that_begin(desk, "Answer 1: "))
    for n in range(1, len(ANNOTATORS) + 1):
        if any(said in name for name in names_that_begin(desk, f"Answer {n}: ")):
            return n
    raise AssertionError(f"no answer says {said}: {names_that_begin(desk, 'Answer ')}")


def names_that_begin(desk: Desk, words: str) -> list[str]:
    """Accessible names of what is seen on the page."""
    return [name for widget in desk.page.findChildren(QWidget)
            if (name := widget.accessibleName()).startswith(words) and widget.isVisible()]


def text_of(desk: Desk, name: str) -> str:
    """What the text with this accessible name says."""
    [found] = [box for box in desk.page.findChildren(QTextBrowser) if box.accessibleName() == name and box.isVisible()]
    return found.toPlainText()


def letter_of(desk: Desk, label: str, source: str) -> str:
    """Under which letter this Markdown is shown, of the texts with ``label`` and a letter as accessible names."""
    wanted = QTextDocument()
    wanted.setMarkdown(source, QTextDocument.MarkdownFeature.MarkdownDialectGitHub
                       | QTextDocument.MarkdownFeature.MarkdownNoHTML)
    desk.wait(lambda: names_that_begin(desk, f"{label} B"))
    [letter] = [one for one in "AB" if text_of(desk, f"{label} {one}") == wanted.toPlainText()]
    return letter


def go_to(desk: Desk, name: str) -> None:
    """Press Tab until the widget of this name, or something in it, has the focus."""
    for _ in range(12):
        wanted, focus = desk.find(name), QApplication.focusWidget()
        if focus is not None and (focus is wanted or wanted.isAncestorOf(focus)):
            return
        desk.press(Qt.Key.Key_Tab)
    raise AssertionError(f"Tab does not come to {name}")


def go_to_end(desk: Desk) -> None:
    """To the end of the box that has the focus."""
    desk.press(Qt.Key.Key_End, CTRL if not isinstance(desk.focus(), QLineEdit) else Qt.KeyboardModifier.NoModifier)


def side_of(desk: Desk, question: str, candidate: str) -> str:
    """"left" or "right": where a candidate of a pair stands now, by the accessible name of its option."""
    name = desk.find(f"q:{question}={candidate}").accessibleName()
    return {"Left is better": "left", "Right is better": "right"}[name]


def digit_of(desk: Desk, question: str, answer: str, *, ties: Sequence[str]) -> str:
    """The digit that chooses a candidate or a tie of a pair: the sides are 1 and 2, the ties follow."""
    if answer in ties:
        return str(3 + ties.index(answer))
    return {"left": "1", "right": "2"}[side_of(desk, question, answer)]


def say_pace(what: str, paces: Sequence[tuple[float, float, int]]) -> None:
    """How long an item took, for whoever runs the test with -s."""
    clock, busy, items = (sum(column) for column in zip(*paces, strict=True))
    print(f"{what}: {1000 * clock / items:.0f} ms an item by keys ({1000 * busy / items:.0f} ms of processor), "
          f"{items} items of {len(paces)} people", file=sys.__stderr__)
