"""Parts of pages: text that ends at whole lines, heads that keep their title, choices and tables at every text size."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import theme
from app.parts.buttons import CapButton
from app.parts.code import CodeView
from app.parts.empty import Empty
from app.parts.field import Choice
from app.parts.scroll import Curtain, scroll_area
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
