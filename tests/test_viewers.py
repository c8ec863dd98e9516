"""Viewers: one per field kind; pictures are upright, bounded, decoded beside the GUI thread, and missed by name."""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PySide6.QtCore import QObject, QSize, Qt, QUrl
from PySide6.QtGui import QFontMetricsF, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from annotation.errors import Refused
from annotation.fields import Field, kinds
from annotation.questions import question_types
from app import theme
from app.item import pictures
from app.parts.reading import ReadingText
from app.questions import question_widgets
from app.viewers import viewers
from app.viewers.canvas import Canvas
from app.viewers.image import ImageViewer
from app.viewers.markdown import MarkdownViewer
from app.viewers.table import read_rows


class Media:
    """Answers at once with one picture."""

    def __init__(self, image: Any) -> None:
        self.image = image

    def ask(self, _owner: QObject, _sha256: str, then: Any) -> None:
        then(self.image)


def test_every_question_type_has_a_widget_and_every_field_kind_a_viewer() -> None:
    assert set(question_widgets) == set(question_types)
    assert set(viewers) == set(kinds)


def test_a_missing_picture_is_named_in_its_place(qtbot) -> None:
    viewer = ImageViewer()
    qtbot.addWidget(viewer)
    viewer.show_field(Field(name="photo", kind="image"), {"sha256": None, "path": "street/ä.png"}, None)
    assert viewer.view.canvas.accessibleName() == "Photo: The picture street/ä.png is missing"


def test_a_late_picture_of_an_earlier_item_is_dropped(qtbot) -> None:
    late: list[Any] = []

    class Slow:
        def ask(self, _owner: QObject, sha256: str, then: Any) -> None:
            late.append((sha256, then))

    viewer = ImageViewer()
    qtbot.addWidget(viewer)
    field = Field(name="photo", kind="image")
    for name in ("a", "b"):
        viewer.show_field(field, {"sha256": name * 64, "path": name}, Slow())
    late[1][1](QImage(30, 20, QImage.Format.Format_RGB32))
    late[0][1](QImage(10, 10, QImage.Format.Format_RGB32))
    assert viewer.view.canvas.pixel_size.toTuple() == (30, 20)


def test_a_canvas_is_fitted_zoomed_turned_and_moved_by_keys(qtbot) -> None:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.resize(400, 300)
    canvas.show_image(QImage(1600, 800, QImage.Format.Format_RGB32))
    canvas.show()
    fitted = canvas.zoom
    assert 1600 * fitted <= 400 and 800 * fitted <= 300
    QTest.keyClick(canvas, Qt.Key.Key_Plus)
    assert canvas.zoom > fitted
    QTest.keyClick(canvas, Qt.Key.Key_R)
    assert canvas.angle == 90 and canvas.pixel_size.toTuple() == (800, 1600)
    for key in (Qt.Key.Key_Plus, Qt.Key.Key_Plus, Qt.Key.Key_Plus, Qt.Key.Key_Plus):
        QTest.keyClick(canvas, key)
    before = canvas.grab().toImage()
    QTest.keyClick(canvas, Qt.Key.Key_Down)
    QTest.keyClick(canvas, Qt.Key.Key_0)
    assert canvas.zoom == pytest.approx((300 - 48) / 1600)
    assert before.size() == canvas.grab().toImage().size()


def test_zoom_ends_at_the_fitted_picture_and_at_sixteen_times(qtbot) -> None:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.resize(400, 300)
    canvas.show_image(QImage(1600, 800, QImage.Format.Format_RGB32))
    least = canvas.zoom
    for _ in range(40):
        canvas.zoom_by(2)
    assert canvas.zoom == 16
    for _ in range(40):
        canvas.zoom_by(0.5)
    assert canvas.zoom == least


def test_a_picture_is_upright_and_says_nothing_of_its_metadata(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned a quarter
    exif[0x010E] = "at home"
    out = io.BytesIO()
    Image.new("RGB", (40, 20), (200, 0, 0)).save(out, "JPEG", exif=exif)
    (tmp_path / "turned.jpg").write_bytes(out.getvalue())
    image = pictures.decode(tmp_path / "turned.jpg")
    assert (image.width(), image.height()) == (20, 40)
    assert all(image.text(key) == "" for key in image.textKeys())


def test_a_picture_too_large_and_a_file_that_is_none_are_sentences(tmp_path: Path, monkeypatch) -> None:
    Image.new("RGB", (400, 300)).save(tmp_path / "large.png")
    monkeypatch.setattr(pictures, "MOST_PIXELS", 100_000)
    with pytest.raises(Refused, match="400 x 300 pixels"):
        pictures.decode(tmp_path / "large.png")
    (tmp_path / "none.png").write_bytes(b"no picture")
    with pytest.raises(Refused, match="cannot be read"):
        pictures.decode(tmp_path / "none.png")


def test_pictures_of_an_item_are_found_wherever_they_stand() -> None:
    fields = {"a": {"sha256": "1" * 64, "path": "a"}, "text": "x", "gone": {"sha256": None, "path": "b"},
              "views": [{"id": "1", "name": "left", "image": {"sha256": "2" * 64, "path": "c"}}]}
    assert list(pictures.media_of(fields)) == ["1" * 64, "2" * 64]


def test_markdown_shows_no_html_and_fetches_nothing(qtbot) -> None:
    viewer = MarkdownViewer()
    qtbot.addWidget(viewer)
    viewer.show_field(Field(name="answer", kind="markdown"), "**bold** <b>tag</b> ![x](file:///etc/hostname)", None)
    text = viewer.text.toPlainText()
    assert "<b>tag</b>" in text and "bold" in text and "**" not in text
    # An empty picture, not None: for None Qt would open the file itself.
    found = viewer.text.loadResource(2, QUrl("file:///etc/hostname"))
    assert found.size() == QSize(1, 1) and found.pixelColor(0, 0).alpha() == 0


def test_a_table_has_a_head_and_rows_of_any_length() -> None:
    assert read_rows("a,b\n1,2,3\n\n4\n") == (["a", "b", ""], [["1", "2", "3"], ["4"]])
    assert read_rows("") == ([], [])


CODE = """\
def sizes(directory):
    for name in os.listdir(directory): yield os.path.getsize(os.path.join(directory, name)), name.casefold()
\tprint(directory)

        return_value.append(averylongnameofafunctionthathasnospacesinit(andanargument,withoutanyspaces,atall))"""


@pytest.mark.parametrize("factor", [1.0, 2.0])
@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_long_line_of_code_goes_on_below_and_is_told_from_a_line_of_its_own(qtbot, name: str, factor: float) -> None:
    theme.apply(QApplication.instance(), name, factor)
    try:
        viewer = MarkdownViewer()
        qtbot.addWidget(viewer)
        viewer.show_field(Field(name="answer", kind="markdown"),
                          f"Some code:\n\n```python\n{CODE}\n```\n\nThat is all.", None)
        viewer.resize(480, viewer.heightForWidth(480))
        viewer.show()
        text, document = viewer.text, viewer.text.document()
        assert text.horizontalScrollBar().maximum() == 0 and document.size().width() <= text.width()
        wide, seen = QFontMetricsF(theme.font_at("code", theme.text_px("reading"))).horizontalAdvance("0"), []
        block = document.begin().next()
        while block.next().isValid():
            lines = [block.layout().lineAt(n) for n in range(block.layout().lineCount())]
            words = block.text().replace("\u00a0", " ")
            inside = len(words) - len(words.lstrip())
            seen.append(words)
            for line in lines:
                assert line.x() + line.naturalTextWidth() <= text.width() + 1, words
            assert [round(line.x()) for line in lines[1:]] == [round((inside + 2) * wide)] * (len(lines) - 1)
            assert all(_ink(text, document, block, line) for line in lines[1:])  # the arrow before it
            block = block.next()
        assert seen == CODE.replace("\t", " " * 4).split("\n")
        assert document.begin().next().next().layout().lineCount() > 1
        text.selectAll()
        text.copy()
        assert QApplication.clipboard().text().split("\n") == ["Some code:", *seen, "That is all."]
    finally:
        theme.apply(QApplication.instance(), "light", 1.0)


def _ink(text: Any, document: Any, block: Any, line: Any) -> bool:
    """Whether something is drawn just before this line."""
    image = text.grab().toImage()
    top = round(document.documentLayout().blockBoundingRect(block).top() + line.y())
    paper = image.pixel(0, 0)
    return any(image.pixel(x, y) != paper for x in range(round(line.x()) - 16, round(line.x()) - 2)
               for y in range(top, top + round(line.height())))


def test_lines_of_code_stand_as_close_as_other_lines_and_are_mono_also_where_they_are_only_set_in(qtbot) -> None:
    text = ReadingText()
    qtbot.addWidget(text)
    text.show_markdown("Above.\n\n    first\n    second\n\nBelow.")
    first = text.document().begin().next()
    assert (first.text(), first.next().text()) == ("first", "second")
    assert first.blockFormat().topMargin() > 0 == first.next().blockFormat().topMargin()
    assert first.begin().fragment().charFormat().fontFamilies() == theme.font("code").families()
