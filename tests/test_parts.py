"""Parts of pages: text that ends at whole lines, heads that keep their title, choices and tables at every text size."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import theme
from app.parts.buttons import CapButton
from app.parts.code import CodeView
from app.parts.empty import Empty
from app.parts.field import Choice, Field, Labelled, TextField, beside
from app.parts.line import LineInPlace
from app.parts.scroll import Curtain, into_sight, scroll_area
from app.parts.sided import scroll_column
from app.parts.table import Column, RowsModel, Table
from app.parts.text import PageHead, label

LONG = "How much faster people become where a hint of one line stands beside the sentence that they judge"


@pytest.fixture(autouse=True)
def _as_before(qapp):
    yield
    theme.apply(qapp, "light", 1.0)


def shown(qtbot, part: QWidget, width: int, height: int) -> QWidget:
    around = QWidget()
    qtbot.addWidget(around)
    box = QVBoxLayout(around)
    box.setContentsMargins(0, 0, 0, 0)
    box.addWidget(part)
    around.resize(width, height)
    around.show()
    qtbot.waitExposed(around)
    qtbot.wait(50)
    return around


@pytest.mark.parametrize("scale", [1.0, 1.3, 2.0])
@pytest.mark.parametrize("height", [151, 167, 380])
def test_code_ends_at_a_whole_line_wherever_it_is_scrolled(qapp, qtbot, scale, height):
    theme.apply(qapp, "light", scale)
    code = CodeView("code")
    code.setPlainText("\n".join(f"line {n}" for n in range(80)))
    around = shown(qtbot, code, 400, height)
    assert around.isVisible()
    for value in (0, 7):
        code.verticalScrollBar().setValue(value)
        first = code.firstVisibleBlock()
        top = code.blockBoundingGeometry(first).translated(code.contentOffset()).top()
        tall = first.layout().lineAt(0).height()
        assert (code.viewport().height() - top) % tall == 0
    assert not code.horizontalScrollBar().isVisible()


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_head_keeps_its_title_beside_a_long_choice(qapp, qtbot, scale):
    theme.apply(qapp, "light", scale)
    head, choice = PageHead("Studies", "a project"), Choice("Study", [("a", LONG)])
    head.add(choice)
    around = shown(qtbot, head, 740, 100)
    assert around.isVisible()
    assert head._label.width() >= theme.metrics("title").horizontalAdvance("Studies")
    assert choice.x() + choice.width() <= head.width()
    choice.grab()
    assert choice.toolTip() == LONG


def test_a_fitted_table_is_fitted_again_when_the_text_grows(qapp, qtbot):
    theme.apply(qapp, "light", 1.0)
    table = Table("rows", RowsModel([Column("name", "Name", cell=str)]))
    around = shown(qtbot, table, 400, 800)
    assert around.isVisible()
    table.rows_model().set_rows(["one", "two", "three"])
    table.fit_rows()
    theme.apply(qapp, "light", 2.0)
    qtbot.wait(50)
    assert table.verticalScrollBar().maximum() == 0
    assert table.viewport().height() >= 3 * table.verticalHeader().defaultSectionSize()


def test_a_label_that_the_edge_would_cut_is_covered(qtbot):
    inner = QWidget()
    column = QVBoxLayout(inner)
    rows = [label(f"row {n}") for n in range(40)]
    for row in rows:
        column.addWidget(row)
    area = scroll_area(inner)
    curtain = Curtain(area)
    around = shown(qtbot, area, 300, 205)
    assert around.isVisible()
    for value in range(0, 40, 7):
        area.verticalScrollBar().setValue(value)
        end = area.viewport().height() - (curtain.height() if curtain.isVisible() else 0)
        cut = [row for row in rows if 0 < row.mapTo(area.viewport(), row.rect().topLeft()).y() < end - 1
               and row.mapTo(area.viewport(), row.rect().bottomLeft()).y() > end]
        assert cut == []


def test_ways_on_of_an_empty_page_stand_whole_in_the_largest_text(qapp, qtbot):
    theme.apply(qapp, "light", 2.0)
    ways = [CapButton("Begin with the example", icon="studies"), CapButton("Open a file", icon="open")]
    around = shown(qtbot, Empty("studies", "No study yet", LONG, ways), 1180, 640)
    assert around.isVisible()
    assert all(way.width() >= way.sizeHint().width() for way in ways)
    assert not ways[0].geometry().intersects(ways[1].geometry())


def test_the_height_of_a_wrapping_label_follows_its_text_its_width_and_the_size_of_letters(qapp, qtbot):
    theme.apply(qapp, "light", 1.0)
    one = label("word " * 40, "body", wrap=True)
    qtbot.addWidget(one)
    wide, narrow = one.heightForWidth(600), one.heightForWidth(200)
    assert wide < narrow == one.heightForWidth(200)
    one.setText("word " * 80)
    longer = one.heightForWidth(200)
    assert longer > narrow
    theme.apply(qapp, "light", 2.0)
    theme.dress(one)
    assert one.heightForWidth(200) > 2 * longer
    theme.apply(qapp, "light", 1.0)
    theme.dress(one)
    assert one.heightForWidth(200) == longer


def test_a_page_that_scrolls_ends_with_a_whole_row_of_its_table_after_every_step(qapp, qtbot):
    theme.apply(qapp, "light", 2.0)
    inside = QWidget()
    table = Table("rows", RowsModel([Column("name", "Name", cell=str)]))
    table.rows_model().set_rows([f"MMM {n}" for n in range(40)])
    table.fit_rows()
    QVBoxLayout(inside).addWidget(table)
    page = scroll_column(inside)
    qtbot.addWidget(page)
    page.resize(500, 400)
    page.show()
    qtbot.waitExposed(page)

    def is_blank(row: int) -> bool:
        """Whether nothing is written in the part of a row that is seen."""
        page.repaint()
        picture = page.viewport().grab().toImage()
        top = table.viewport().mapTo(page.viewport(), table.viewport().rect().topLeft()).y()
        begin = top + table.rowViewportPosition(row)
        end = min(begin + table.rowHeight(row) - 1, picture.height())
        assert begin < end
        return {picture.pixelColor(x, y).name().upper() for x in range(20, 200) for y in range(begin, end)} == {
            theme.color("page").name().upper()}

    try:
        for value in (0, 17, 40, 61, 3):
            page.verticalScrollBar().setValue(value)
            qapp.sendPostedEvents()
            bottom = page.viewport().height() - 1
            last = table.rowAt(table.viewport().mapFrom(page.viewport(), page.viewport().rect().bottomLeft()).y())
            cut = table.viewport().mapTo(page.viewport(), table.viewport().rect().topLeft()).y()
            whole = cut + table.rowViewportPosition(last) + table.rowHeight(last) <= bottom + 2
            assert is_blank(last) != whole and not is_blank(last - 1)
        page.activateWindow()
        table.setFocus()
        qtbot.waitUntil(table.hasFocus)
        table.setCurrentIndex(table.model().index(last, 0))
        assert not is_blank(last)  # where the focus is something is to be seen
    finally:
        theme.apply(qapp, "light", 1.0)


@pytest.mark.parametrize("scale", (1.0, 1.3, 2.0))
@pytest.mark.parametrize("words", ("0.1", "English", "All questions", "With the others’ majority"))
def test_a_choice_that_has_its_room_says_its_words_to_the_end(qapp, qtbot, scale, words):
    theme.apply(qapp, "light", scale)
    choice = Choice("One of a few", [("a", words)])
    qtbot.addWidget(choice)
    choice.resize(choice.sizeHint())
    choice.grab()  # words that were cut are in the tooltip
    assert choice.toolTip() == ""


def test_the_current_row_stays_in_sight_where_something_opens_below_the_table(qtbot):
    table = Table("Rows", RowsModel([Column("name", "Name")]))
    table.rows_model().set_rows([str(n) for n in range(30)])
    around = shown(qtbot, table, 300, 600)
    table.setCurrentIndex(table.model().index(12, 0))
    around.resize(300, 200)
    qtbot.waitUntil(lambda: table.height() <= 200)
    seen = table.visualRect(table.currentIndex())
    assert seen.top() >= 0 and seen.bottom() <= table.viewport().height()


def test_a_subtitle_of_which_less_than_half_has_room_is_left_out(qapp, qtbot):
    theme.apply(qapp, "light", 1.0)
    head = PageHead("Studies", "Demo: spatial puzzles, timed")
    around = shown(qtbot, head, 160, 100)
    assert "Demo" not in head._label.text() and head._label.toolTip() == "Demo: spatial puzzles, timed"
    around.resize(270, 100)
    qtbot.waitUntil(lambda: "Demo: spatial" in head._label.text())


def test_the_fault_of_a_field_beside_a_button_runs_on_below_both(qtbot):
    labelled, button = Labelled("File", Field("File")), CapButton("Choose")
    around = shown(qtbot, beside(labelled, button), 260, 300)
    assert around.isVisible()
    labelled.set_fault("There is no such file, and this sentence is longer than the field.")
    qtbot.waitUntil(labelled._below.isVisible)
    qtbot.waitUntil(lambda: labelled._below.geometry().right() >= button.geometry().right())
    assert abs(button.geometry().center().y() - labelled.field.geometry().center().y()) <= 1


def test_what_has_just_been_said_at_the_foot_of_a_page_is_scrolled_to(qtbot):
    page, line = QWidget(), LineInPlace()
    column = QVBoxLayout(page)
    for part in (label("\n".join(["a line"] * 40)), line):
        column.addWidget(part)
    around = shown(qtbot, scroll_column(page), 400, 300)
    assert around.isVisible()
    into_sight(line)
    line.say("good", "Release 0.1, 12 items, was written to a folder, and what it holds was read back. " * 2)
    qtbot.waitUntil(lambda: line.isVisible() and line.visibleRegion().boundingRect() == line.rect())


def test_a_field_of_several_lines_scrolls_only_up_and_down(qapp, qtbot):
    field = TextField("Comment", lines=3)
    around = shown(qtbot, field, 400, 90)
    assert around.isVisible()
    field.setPlainText("a word and another " * 100)
    qtbot.waitUntil(lambda: field.verticalScrollBar().isVisible())
    assert not field.horizontalScrollBar().isVisible()
