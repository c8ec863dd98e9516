"""Texts of items that try to reach out of the window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QColor, QImage

from app.errors import report_of
from app.parts.reading import ReadingText


@pytest.mark.parametrize("text", ["![x]({url})", "![x]({path})", "[![x]({url})](http://example.invalid)"])
def test_a_picture_of_this_machine_is_not_shown_because_a_text_names_it(qtbot: Any, tmp_path: Path, text: str) -> None:
    red = QColor(255, 0, 0)
    picture = QImage(200, 200, QImage.Format.Format_RGB32)
    picture.fill(red)
    path = tmp_path / "own.png"
    assert picture.save(str(path))
    shown = ReadingText()
    qtbot.addWidget(shown)
    shown.resize(400, 400)
    shown.show_markdown(text.format(url=path.as_uri(), path=path))
    shown.show()
    seen = shown.grab().toImage()
    assert not any(seen.pixelColor(x, y) == red for x in range(0, 400, 5) for y in range(0, 400, 5))


def test_the_report_of_a_bug_says_where_and_quotes_nothing() -> None:
    given = " ".join(("as", "Ana", "Lovelace", "said"))

    def inner() -> None:
        raise KeyError(given)

    try:
        try:
            inner()
        except KeyError as fault:
            raise ValueError(given) from fault
    except ValueError as error:
        report = report_of(error)
    assert given not in report
    assert "KeyError" in report and "ValueError" in report and "in inner" in report
