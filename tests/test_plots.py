"""Plots as a person meets them: pictures that fit and can be read, marks under keys, files that hold what they say."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu

from annotation.errors import Refused
from app import theme
from app.jobs import Jobs
from app.parts.buttons import CapButton
from app.plots import style, taking
from app.plots.comparisons import differences, worths
from app.plots.forest import Forest, Row
from app.plots.grid import Cell, Grid, confusion
from app.plots.lines import Line, Lines, Point
from app.plots.shares import Shares
from app.plots.sheet import MOST_ROWS, nice_step, ticks
from app.plots.view import PlotView
from app.settings import Settings

PEOPLE = ("P1", "P2", "P3")
FOREST = Forest("By slice", (
    Row("All items", 0.78, (0.71, 0.84), 120, stands_out=True), Row("Diagnosis", 0.88, (0.76, 0.96), 26),
    Row("Costs of $x_1$ & $y\\frac$ in <b>a place with a very long name that nobody can read to its end</b>", 0.2),
    Row("Rare", None, n=1, reason="everybody gave the same answer")), note="Krippendorff's α", reference=0.78)
PAIRS = Grid("By pair", PEOPLE, PEOPLE, (
    (None, Cell(0.81, 24), Cell(0.33, 4)), (Cell(0.81, 24), None, Cell(-0.12, 22)),
    (Cell(0.33, 4), Cell(-0.12, 22), None)), note="α")
CONFUSED = confusion("What they said", ("supported", "partially supported", "cannot say"),
                     ((30, 4, 0), (6, 20, 1.5), (0, 0, 0)), down="P1", across="P2")
WEEKS = Lines("By week", ("3 Mar", "10 Mar", "17 Mar", "24 Mar"), tuple(
    Line(f"P{n}", (Point(0.7, (0.6, 0.8), 24), None, Point(0.5 + n / 20, None, 9), Point(None, reason="too few")),
         stands_out=n == 2) for n in range(3)), reference=0.67)
MANY = Lines("By week", ("3 Mar", "10 Mar"), tuple(
    Line(f"Person {n}", (Point(0.5), Point(n / 10))) for n in range(9)))
SHARES = Shares("What the answers did", ("Correct", "Partly", "Misled"),
                (("Physicians", (93, 10, 10)), ("Nobody", (0, 0, 0))), is_rising=True)
PLOTS = {"forest": FOREST, "pairs": PAIRS, "confusion": CONFUSED, "lines": WEEKS, "many lines": MANY, "shares": SHARES,
         "differences": differences("Differences", [Row("A", 0.1, (0.02, 0.18), 9), Row("B", -0.04, (-0.1, 0.03), 7)]),
         "signed": Grid("Signed", PEOPLE, PEOPLE, PAIRS.cells, kind="signed", high=0.5),
         "worths": worths("Worth", [Row("X", 0.6, (0.5, 0.7), 80), Row("Y", 0.4, (0.3, 0.5), 80)], equal=0.5),
         "no rows": Forest("Nothing", ()), "no cells": Grid("Nothing", (), (), ())}
_shown: list[PlotView] = []  # kept: Python would free a window without a parent at any moment, also on the pool
LOOKS = [("light", 1.0), ("dark", 1.0), ("contrast", 1.0), ("light", 2.0), ("dark", 0.85)]


class _Store:
    """Plots read no store."""

    def stop_reads(self) -> None:
        return None


@pytest.fixture
def jobs(qapp):
    made = Jobs(_Store())
    yield made
    made.close()


@pytest.fixture
def shown(qapp, qtbot, jobs):
    """Shows a plot in a window of its own, and waits until it is drawn."""
    theme.apply(qapp, "light", 1.0)

    def show(plot, width=560):
        view = PlotView(jobs, Settings())
        _shown.append(view)
        qtbot.addWidget(view)
        view.resize(width, 500)
        with qtbot.waitSignal(view.drawn, timeout=30_000):
            view.show_plot(plot)
            view.show()
        qtbot.waitUntil(view.isActiveWindow)
        return view

    yield show
    theme.apply(qapp, "light", 1.0)


# --- the pictures -------------------------------------------------------------------------------------------

def texts(drawing):
    """Every text of a figure with its extent in pixels from the upper left corner."""
    from matplotlib.text import Text

    drawing.figure.set_dpi(style.DPI)
    with drawing.style.worn():
        drawing.figure.draw_without_rendering()
        for text in drawing.figure.findobj(Text):
            if text.get_text() and text.get_visible():
                box = text.get_window_extent()
                yield text, box.x0, drawing.height - box.y1, box.x1, drawing.height - box.y0


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize("name", PLOTS)
def test_nothing_is_cut_at_any_text_size(name, look):
    plot, chosen = PLOTS[name], style.of(*look)
    for width in (460, 900):
        for part in plot.parts(chosen, width):
            drawing = part.draw(chosen, width)
            assert (drawing.width, drawing.height) == (width, part.height(chosen, width))
            out = [(text.get_text(), box) for text, *box in texts(drawing)
                   if box[0] < -2 or box[1] < -3 or box[2] > width + 2 or box[3] > drawing.height + 3]
            assert not out
            for mark in drawing.marks:
                left, top, wide, tall = mark.box
                assert left >= -12 and top >= -12 and left + wide <= width + 12 and top + tall <= drawing.height + 12


@pytest.mark.parametrize("name", PLOTS)
def test_texts_do_not_stand_on_each_other_at_large_text(name):
    chosen = style.of("light", 2.0)
    for part in PLOTS[name].parts(chosen, 900):
        boxes = [(text.get_text(), box) for text, *box in texts(part.draw(chosen, 900))]
        for n, (one, a) in enumerate(boxes):
            for other, b in boxes[n + 1:]:
                across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
                assert across < 3 or down < 8, (one, other)


@pytest.mark.parametrize("look", ["light", "dark", "contrast"])
@pytest.mark.parametrize("name", PLOTS)
def test_words_can_be_read(name, look):
    """Against the page, or in a cell against its fill: 4.5 to 1."""
    from matplotlib.colors import to_hex
    from matplotlib.patches import Rectangle

    chosen = style.of(look)
    drawing = PLOTS[name].draw(chosen, 600)
    fills = [(patch.get_window_extent(), to_hex(patch.get_facecolor())) for patch in drawing.figure.artists
             if isinstance(patch, Rectangle) and patch.get_facecolor()[3] > 0]
    for text, left, top, right, bottom in texts(drawing):
        x, y = (left + right) / 2, drawing.height - (top + bottom) / 2
        ground = [fill for box, fill in fills if box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1]
        assert style.contrast(to_hex(text.get_color()), (ground or [chosen["page"]])[-1]) >= 4.5, text.get_text()


def test_one_of_two_inks_is_readable_on_every_shade():
    for look in ("light", "dark", "contrast"):
        chosen = style.of(look)
        for n in range(-100, 101):
            for ground in (chosen.shade(n / 100), chosen.lean(n / 100)):
                assert style.contrast(chosen.ink_on(ground), ground) >= 4.5


def test_the_scale_of_colours_is_the_same_for_every_project():
    chosen = style.of("light")
    alone = Grid("", ("a",), ("b",), ((Cell(0.6, 9),),))
    assert alone.fill(chosen, Cell(0.6, 9)) == PAIRS.fill(chosen, Cell(0.6, 9)) == chosen.shade(0.5)
    assert PAIRS.fill(chosen, Cell(-0.9, 9)) == chosen.shade(0) and PAIRS.fill(chosen, Cell(1, 9)) == chosen.shade(1)


def test_a_pair_with_few_items_has_no_number_and_says_why():
    drawing = PAIRS.draw(style.of("light"), 500)
    printed = [text.get_text() for text, *_ in texts(drawing)]
    assert printed.count("0.81") == 2 and "n 24" in printed and "−0.12" in printed
    assert not {"0.33", "n 4"} & set(printed)
    assert printed.count("·") == 3
    says = {mark.index: mark.says for mark in drawing.marks}
    assert says[2] == "P1 and P3: too few items, n 4"
    assert says[1] == "P1 and P2: 0.81, n 24" and set(says) == {1, 2, 3, 5, 6, 7}


def test_a_value_that_is_undefined_has_its_reason_in_the_picture():
    drawing = FOREST.draw(style.of("light"), 640)
    assert "everybody gave the same answer" in [text.get_text() for text, *_ in texts(drawing)]
    assert [mark.says for mark in drawing.marks][1::2] == [
        "Diagnosis: 0.88 (0.76 to 0.96), n 26", "Rare: everybody gave the same answer"]


def test_other_peoples_words_are_no_formulas():
    row = Row("$\\undefined{ and\nmore\x00", 0.5, (0.4, 0.6), 9)
    drawing = Forest("$\\frac$", (row,)).draw(style.on_paper(), 640)
    drawing.pixels()
    assert "$\\undefined{ and more" in [text.get_text() for text, *_ in texts(drawing)]


def test_a_scale_grows_until_every_interval_is_inside():
    low, high = Forest("", (Row("a", -0.2, (-0.73, 0.1)), Row("b", 1.2, (1.0, 1.31)))).scale()
    assert low <= -0.73 and high >= 1.31
    assert Forest("", (Row("a", 0.5),)).scale() == (0.0, 1.0)
    assert Forest("", ()).scale() == (0.0, 1.0)
    low, high = differences("", [Row("a", 0.1, (-0.05, 0.25))]).scale()
    assert low == -high and high >= 0.25


def test_ticks_are_round_numbers():
    assert nice_step(1.0, 5) == 0.2 and nice_step(0.7, 5) == 0.2 and nice_step(30, 4) == 10
    assert ticks(0.2, 1.0, 5) == (pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0]), 1)


def test_the_dot_is_where_its_value_is():
    """The row's own pixels: the middle of its dark pixels lies where the axis says 0.5."""
    plot = Forest("", (Row("", 0.5),), low=0.0, high=1.0)
    drawing = plot.draw(style.of("light"), 600)
    axes = drawing.figure.axes[0]
    data, width, _ = drawing.pixels()
    image = QImage(data, width, drawing.height, QImage.Format.Format_RGBA8888)
    _, top, _, tall = drawing.marks[0].box
    at = round(axes.transData.transform((0.5, 0))[0])
    assert image.pixelColor(at, round(top + tall / 2)).name().upper() == style.of("light")["ink"]
    assert image.pixelColor(at + 30, round(top + tall / 2)).name().upper() == style.of("light")["page"]


@pytest.mark.parametrize("size", [1.0, 2.0])
def test_a_dot_at_the_end_of_the_scale_stands_clear_of_its_name(size):
    plot = Forest("", (Row("Always wrong", -1.0), Row("people", -1.0, (-1.0, -0.9), stands_out=True)), low=-1.0)
    drawing = plot.draw(style.of("light", size), 900)
    names = {text.get_text(): box[2] for text, *box in texts(drawing)}
    data, width, _ = drawing.pixels()
    image = QImage(data, width, drawing.height, QImage.Format.Format_RGBA8888)
    for mark, name in zip(drawing.marks, ("Always wrong", "people"), strict=True):
        middle = round(mark.box[1] + mark.box[3] / 2)
        beyond = range(round(names[name]) + 1, round(names[name]) + round(7 * size))
        assert {image.pixelColor(at, y).name().upper() for at in beyond for y in (middle - 2, middle, middle + 2)} == {
            style.of("light")["page"]}


def test_the_persons_own_matplotlib_settings_are_left_alone_and_change_nothing():
    import matplotlib

    before = FOREST.draw(style.of("light"), 500).pixels()
    with matplotlib.rc_context({"font.size": 30, "axes.grid": False, "lines.linewidth": 9}):
        assert FOREST.draw(style.of("light"), 500).pixels() == before
        assert matplotlib.rcParams["font.size"] == 30


def test_two_threads_draw_what_one_draws():
    wanted = {name: PLOTS[name].draw(style.of("dark"), 500).pixels() for name in ("forest", "lines")}
    found = {}
    threads = [threading.Thread(target=lambda name=name: found.update(
        {name: PLOTS[name].draw(style.of("dark"), 500).pixels()})) for name in wanted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == wanted


# --- the files ----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", PLOTS)
def test_every_plot_becomes_every_file(name, tmp_path):
    for kind in taking.KINDS:
        file = taking.save(PLOTS[name], tmp_path / f"plot.{kind}")
        assert file.stat().st_size > 20
    assert sorted(file.name for file in tmp_path.iterdir()) == ["plot.csv", "plot.pdf", "plot.png", "plot.svg"]


def test_the_texts_of_an_svg_are_text(tmp_path):
    written = taking.save(FOREST, tmp_path / "a.svg").read_text("utf-8")
    found = [words for words in re.findall(r"<text[^>]*>([^<]*)</text>", written)]
    assert {"By slice", "Diagnosis", "0.88", "0.76 to 0.96", "everybody gave the same answer"} <= set(found)
    assert "Inter" in written and "<dc:date>" not in written


def test_a_pdf_holds_its_fonts_and_words(tmp_path):
    from PySide6.QtPdf import QPdfDocument

    file = taking.save(FOREST, tmp_path / "a.pdf")
    data = file.read_bytes()
    assert data.startswith(b"%PDF") and b"/Type3" in data and b"FontFile2" not in data  # Inter has CFF outlines
    document = QPdfDocument()
    document.load(str(file))
    assert "0.76 to 0.96" in document.getAllText(0).text()
    document.close()


def test_a_png_has_300_dots_an_inch_on_white(tmp_path):
    image = QImage(str(taking.save(PAIRS, tmp_path / "a.png")))
    wide = PAIRS.paper_width(style.on_paper())
    assert image.width() == round(wide * 300 / 96) and round(image.dotsPerMeterX() / 39.37) == 300
    assert image.pixelColor(image.width() - 1, image.height() - 1).name() == "#ffffff"


def test_a_very_long_plot_is_one_picture_that_can_still_be_opened():
    long = Forest("Long", tuple(Row(f"Row {n}", 0.5, (0.4, 0.6), n) for n in range(1500)))
    drawing = taking.on_page(long)
    assert drawing.dots < 300
    assert drawing.height * drawing.dots / 96 < 65_536
    assert len(drawing.marks) == 1500


def test_numbers_are_saved_in_full(tmp_path):
    precise = Forest("", (Row("a, b", 0.123456789, (0.1, 0.2), 12), Row("c", None, reason="why")))
    rows = list(csv.DictReader(io.StringIO(taking.save(precise, tmp_path / "a.csv").read_text("utf-8-sig"))))
    assert rows[0] == {"group": "", "label": "a, b", "value": "0.123456789", "low": "0.1", "high": "0.2", "n": "12",
                       "reason": ""}
    assert rows[1]["value"] == "" and rows[1]["reason"] == "why"
    grid = list(csv.DictReader(io.StringIO(taking.as_bytes(PAIRS, "csv").decode("utf-8-sig"))))
    assert len(grid) == 6 and grid[0]["value"] == "0.81"
    shares = list(csv.DictReader(io.StringIO(taking.as_bytes(SHARES, "csv").decode("utf-8-sig"))))
    assert float(shares[0]["share"]) == pytest.approx(93 / 113) and shares[3]["share"] == ""


def test_what_cannot_be_written_is_said_and_leaves_nothing(tmp_path):
    (tmp_path / "a.svg").mkdir()
    with pytest.raises(Refused, match=r"a\.svg cannot be written: "):
        taking.save(FOREST, tmp_path / "a.svg")
    with pytest.raises(Refused, match="cannot be written"):
        taking.save(FOREST, tmp_path / "nowhere" / "a.svg")
    with pytest.raises(Refused, match="should end in"):
        taking.save(FOREST, tmp_path / "a.docx")
    assert [file.name for file in tmp_path.iterdir()] == ["a.svg"]


# --- on the screen ------------------------------------------------------------------------------------------

def focused():
    return QGuiApplication.focusObject()


def press(key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(focused(), key, modifiers)


def test_tab_reaches_the_plot_once_and_arrows_go_from_mark_to_mark(shown, qtbot):
    view = shown(PAIRS)
    by_tab = [button for button in view.mark_buttons() if button.focusPolicy() == Qt.FocusPolicy.StrongFocus]
    assert len(by_tab) == 1
    by_tab[0].setFocus()
    names = [focused().accessibleName()]
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_End, Qt.Key.Key_Down,
                Qt.Key.Key_Home):
        press(key)
        names.append(focused().accessibleName())
    assert names == ["P1 and P2: 0.81, n 24", "P1 and P3: too few items, n 4", "P2 and P3: −0.12, n 22",
                     "P2 and P1: 0.81, n 24", "P2 and P1: 0.81, n 24", "P3 and P2: −0.12, n 22",
                     "P3 and P2: −0.12, n 22", "P1 and P2: 0.81, n 24"]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_key_on_a_mark_opens_what_is_behind_it(shown, qtbot, key):
    view = shown(PAIRS)
    view.mark_buttons()[0].setFocus()
    press(Qt.Key.Key_Down)
    with qtbot.waitSignal(view.marked) as got:
        press(key)
    assert got.args == [3] and focused().accessibleName() == "P2 and P1: 0.81, n 24"


def test_a_click_on_a_row_opens_it(shown, qtbot):
    view = shown(FOREST)
    row = view.mark_buttons()[3]
    with qtbot.waitSignal(view.marked) as got:
        qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
    assert got.args == [3] and row.toolTip() == "Rare: everybody gave the same answer"


def test_the_mark_with_the_focus_has_a_ring(shown):
    view = shown(PAIRS)
    button = view.mark_buttons()[1]
    before = view.grab().toImage()
    button.setFocus()
    after = view.grab().toImage()
    corner = button.mapTo(view, button.rect().topLeft())
    for step in (0, 1):
        at = corner.x() + step, corner.y() + button.height() // 2
        assert after.pixelColor(*at) != before.pixelColor(*at)
        assert after.pixelColor(*at).name().upper() == style.of("light")["ink"]


def test_the_picture_follows_theme_text_size_and_width(shown, qtbot, qapp):
    view = shown(FOREST)
    assert view.image().pixelColor(0, 0).name().upper() == style.of("light")["page"]
    height = view.image().height()
    with qtbot.waitSignal(view.drawn, timeout=30_000):
        theme.apply(qapp, "dark", 2.0)
    assert view.image().pixelColor(0, 0).name().upper() == style.of("dark")["page"]
    assert view.image().height() > 1.4 * height
    with qtbot.waitSignal(view.drawn, timeout=30_000):
        view.resize(800, 600)
    assert view.image().width() == view.width()
    assert view.mark_buttons()[0].width() == view.image().width()


def test_the_focus_stays_on_its_mark_when_the_picture_is_drawn_anew(shown, qtbot):
    view = shown(FOREST)
    view.mark_buttons()[1].setFocus()
    with qtbot.waitSignal(view.drawn, timeout=30_000):
        view.resize(700, 500)
    assert focused().accessibleName().startswith("Diagnosis")


def test_a_long_plot_is_shown_in_parts_and_says_so(shown, qtbot):
    rows = tuple(Row(f"Row {n}", 0.5, (0.4, 0.6), 9) for n in range(2 * MOST_ROWS + 7))
    view = shown(Forest("Long", rows))
    assert view.where() == "Rows 1 to 40 of 87" and len(view.marks()) == MOST_ROWS
    view.mark_buttons()[0].setFocus()
    with qtbot.waitSignal(view.drawn, timeout=30_000):
        press(Qt.Key.Key_PageDown)
    with qtbot.waitSignal(view.drawn, timeout=30_000):
        press(Qt.Key.Key_PageDown)
    assert view.where() == "Rows 81 to 87 of 87"
    assert [mark.index for mark in view.marks()] == list(range(80, 87))


def test_the_parts_of_a_wide_grid_hold_every_cell_once():
    people = tuple(f"Person {n}" for n in range(31))
    grid = Grid("", people, people, tuple(tuple(
        None if n == m else Cell(0.5, 9) for m in range(31)) for n in range(31)))
    chosen = style.of("light", 2.0)
    marks = [mark.index for part in grid.parts(chosen, 700) for mark in part.draw(chosen, 700).marks]
    assert sorted(marks) == [n * 31 + m for n in range(31) for m in range(31) if n != m]


def test_without_a_plot_a_sentence_stands_there(shown, qtbot):
    view = shown(FOREST)
    view.show_plot(None, "No slice has two judgements yet.")
    assert not view.marks() and view.image().isNull()
    words = [part.text() for part in view.findChildren(QLabel) if part.isVisible() and part.text()]
    assert words == ["No slice has two judgements yet."]


def test_copy_puts_the_picture_on_the_clipboard(shown, qtbot):
    view = shown(FOREST)
    QGuiApplication.clipboard().clear()
    view.mark_buttons()[0].setFocus()
    press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(view.said()), timeout=30_000)
    image = QGuiApplication.clipboard().image()
    assert image.width() == 2000 and image.pixelColor(1999, 0).name() == "#ffffff"


@pytest.mark.qt_log_ignore("does not support grabbing", extend=True)
def test_saving_by_the_menu_remembers_the_folder(shown, qtbot, tmp_path, monkeypatch):
    asked = []

    def choose(_parent, _title, offered, _kinds):
        asked.append(offered)
        return str(tmp_path / "mine"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    view = shown(FOREST)
    button = next(one for one in view.findChildren(CapButton) if one.accessibleName() == "Save as: By slice")
    button.setFocus()
    press(Qt.Key.Key_Return)
    menu = view.findChild(QMenu)
    qtbot.waitUntil(menu.isVisible)
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(view.said()), timeout=30_000)
    assert view.said() == f"Saved to {tmp_path / 'mine.pdf'}."
    assert (tmp_path / "mine.pdf").read_bytes().startswith(b"%PDF")
    assert Settings().get("plot_folder") == str(tmp_path)
    view.save_csv()
    assert asked[1] == str(tmp_path / "by-slice.csv")


def test_a_file_that_cannot_be_written_is_said_below_the_plot(shown, qtbot, tmp_path, monkeypatch):
    target = tmp_path / "nowhere" / "a.png"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    view = shown(FOREST)
    view.save_png()
    qtbot.waitUntil(lambda: bool(view.said()), timeout=30_000)
    assert view.said() == f"{target} cannot be written: No such file or directory"


def test_a_plot_that_was_replaced_while_it_was_drawn_is_not_shown(shown, qtbot, jobs):
    view = shown(FOREST)
    view.resize(600, 500)
    view.show_plot(SHARES)
    with qtbot.waitSignal(jobs.idle, timeout=30_000):
        pass
    qtbot.waitUntil(lambda: [mark.says for mark in view.marks()][:1] == ["Physicians, Correct: 82 %, 93 of 113"],
                    timeout=30_000)


def test_no_window_loads_matplotlib():
    """Neither the window nor the module of the view: only a plot that is drawn does."""
    code = "import sys; import app.window, app.plots.view; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent.parent).returncode == 0


@pytest.mark.parametrize("scale", (1.0, 2.0))
def test_the_dot_of_a_row_stands_at_the_middle_of_its_words(scale):
    plot = Forest("", (Row("H", 0.5), Row("H", 0.5)), low=0.0, high=1.0)
    pixels, wide, high = plot.draw(style.of("light", scale), 500).pixels(2.0)
    dark = (numpy.frombuffer(pixels, "uint8").reshape(high, wide, 4)[:, :, :3] < 80).all(axis=2)
    dark = dark[:high // 2 if scale == 1.0 else round(high * 0.55)]
    columns = numpy.flatnonzero(dark.any(axis=0))
    groups = numpy.split(columns, numpy.flatnonzero(numpy.diff(columns) > 20) + 1)
    middles = [numpy.flatnonzero(dark[:, group].any(axis=1)) for group in groups]
    word, dot, value = [(found[0] + found[-1]) / 2 for found in middles]
    assert abs(word - dot) <= 1 and abs(value - dot) <= 1, (word, dot, value)  # half a pixel
