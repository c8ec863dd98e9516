"""Frames of trials: all that is shown fits and stands at fixed places, pictures are whole; or it is refused."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms
from PySide6.QtGui import QColor, QImage
from ruamel.yaml import YAML

from annotation import protocol
from annotation.errors import Refused
from app import theme
from app.stage import compose, preload
from app.stage.compose import Device
from app.stage.layout import place, settle
from app.stage.pictures import Picture
from app.stage.texts import LEAST_PX, Words
from app.stage.view import Part, view_of
from studies.model import Study
from studies.plan import PlannedTrial
from tests import study_world
from tests.trial_stage import FOUR, LOREM, PATIENCE_MS, Pictures, encoded, picture, pictures, stage, text, view

SMALL = Device(1280, 720, 1.0)


@pytest.fixture(autouse=True)
def _look(qapp):
    theme.apply(qapp, "light", 1.0)


@pytest.fixture
def media(tmp_path):
    return Pictures(tmp_path)


def laid_out(shown, media, device=SMALL, setting=None):
    sizes = {key: file.size() for key, file in compose.fetch(shown, media).items()}
    return place(shown, sizes, device.room, setting or settle([(shown, sizes)], device.room))


def pixels(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(np.int16)


def box_of(image: QImage, color: str) -> tuple[int, int, int, int]:
    """The pixels of about this colour: left, top, right, bottom."""
    wanted = QColor(color)
    near = np.abs(pixels(image) - [wanted.red(), wanted.green(), wanted.blue()]).max(axis=2) < 12
    rows, columns = np.where(near.any(axis=1))[0], np.where(near.any(axis=0))[0]
    return columns[0], rows[0], columns[-1] + 1, rows[-1] + 1


def steps(media, n, name="steps"):
    return Part(name, "steps", "", [
        {"id": str(k), "text": f"Fold face {k} up along the edge that it shares with face {k + 1}.",
         "figure": media.draw(300, 300, (255, 220, 100 + 20 * k))} for k in range(n)])


def cases(media):
    square = media.draw(300, 300)
    return {
        "one picture": view(picture(media.draw(600, 400)), options=FOUR),
        "a large one": view(picture(media.draw(3000, 2000)), options=FOUR),
        "a wide one": view(picture(media.draw(2000, 400)), options=("Yes", "No"), keys="fj"),
        "a tall one": view(picture(media.draw(400, 2000)), options=FOUR),
        **{f"{n} pictures": view(pictures([media.draw(400, 300, (200, 20 * k, 90)) for k in range(n)]), options=FOUR)
           for n in range(2, 9)},
        "named pictures": view(*(picture(square, name, label) for name, label in
                                 (("r", "Reference"), ("a", "Candidate A"), ("b", "Candidate B"))), options="AB"),
        "steps": view(text("Which net folds to this cube?"), steps(media, 5)),
        "a text": view(text(LOREM * 12), options=("Yes", "No", "Unsure")),
        "a long text": view(text(LOREM * 30), options=("Yes", "No", "Unsure")),
        "texts": view(text(LOREM * 4, label="Claim"), Part("steps", "steps", "Steps", [
            {"id": str(k), "text": "What is done in this step. " * 3} for k in range(6)])),
        "Markdown and a table": view(text("# Head\n\nSome **bold** text.\n\n- one\n- two", kind="markdown"),
                                     text("Name,Value\nPSA,4.2\nGleason,7", "t", kind="table")),
        "long options": view(picture(media.draw(600, 400)), options=[f"{LOREM}{n}" for n in range(4)]),
        "nine options": view(picture(media.draw(600, 400)), options=[f"Option {n}" for n in range(9)]),
        "a long question": view(picture(media.draw(600, 400)), question=LOREM * 2),
        "pointer": view(picture(media.draw(600, 400)), options=FOUR, pointer=True),
        "pointer, six": view(picture(media.draw(600, 400)), options=[f"Option {n}" for n in range(6)], pointer=True),
    }


def overlap(a, b):
    return (min(a.x + a.width, b.x + b.width) - max(a.x, b.x) > 1
            and min(a.y + a.height, b.y + b.height) - max(a.y, b.y) > 1)


@pytest.mark.parametrize("scale", [0.85, 1.0, 2.0])
def test_every_kind_of_trial_fits_a_small_screen_without_scrolling(qapp, media, scale):
    theme.apply(qapp, "light", scale)
    for name, shown in cases(media).items():
        layout = laid_out(shown, media)
        for piece in layout.pieces:
            assert piece.x >= 0, name
            assert piece.y >= 0, name
            assert piece.x + piece.width <= 1281, (name, piece)
            assert piece.y + piece.height <= 721, (name, piece)
        for a, b in itertools.combinations(layout.pieces, 2):
            assert not overlap(a, b), (name, a, b)
        assert len(layout.targets) == len(shown.options), name
        shown_pictures = [piece.picture for piece in layout.pieces if piece.picture]
        assert len(shown_pictures) >= len(shown.pictures), name


def test_much_to_read_stands_beside_pictures_that_it_would_leave_no_room(qapp, media):
    theme.apply(qapp, "light", 1.0)
    both = pictures([media.draw(600, 500), media.draw(1300, 360)])
    shown = view(text(LOREM * 8), both, steps(media, 3), options=FOUR)
    layout = laid_out(shown, media)
    told = next(piece for piece in layout.pieces if piece.name == "text")
    drawn = [piece for piece in layout.pieces if piece.picture]
    assert all(piece.x >= told.x + told.width for piece in drawn), "beside it"
    assert min(piece.y for piece in drawn) < told.y + told.height, "from the top, whatever the length of the text"
    assert min(max(piece.width, piece.height) for piece in drawn) >= 96


def test_steps_share_the_width_in_even_columns(qapp, media):
    theme.apply(qapp, "light", 1.0)
    layout = laid_out(view(steps(media, 5), options="AB"), media)
    said = [piece for piece in layout.pieces if piece.name == "steps" and piece.words]
    assert len({round(piece.width) for piece in said}) == 1
    rows = {}
    for piece in said:
        rows.setdefault(round(piece.y), []).append(round(piece.x))
    first = next(iter(rows.values()))
    assert all(places == first[:len(places)] for places in rows.values())


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_picture_with_many_steps_stands_under_the_question_where_steps_get_larger_so(qapp, media, scale):
    theme.apply(qapp, "light", scale)
    first = picture(media.draw(580, 480), name="net")
    told = text("Six squares hang together. They may be folded along the sides they share. Do they make a cube?")
    folded = Part("steps", "steps", "", [
        {"id": str(n), "text": "Fold square 3 up by 90° along the side it shares with square 1.",
         **({"figure": media.draw(580, 520 + n)} if n < 4 else {})} for n in range(5)])
    layout = laid_out(view(told, first, folded, options=("yes", "no")), media)
    net, *drawn = [piece for piece in layout.pieces if piece.picture]
    question = next(piece for piece in layout.pieces if piece.name == "text")
    assert net.x == question.x and net.y > question.y + question.height
    assert all(piece.x > net.x + net.width for piece in drawn) and min(piece.width for piece in drawn) >= 220
    assert question.words.defaultFont().pixelSize() >= 14
    assert not any(overlap(a, b) for a, b in itertools.combinations(layout.pieces, 2))


def test_a_wide_picture_under_the_question_has_its_room(qapp, media):
    theme.apply(qapp, "light", 1.0)
    wide = picture(media.draw(920, 460), name="board")
    laid = Part("steps", "steps", "", [{"id": str(n), "text": "Piece 1 is laid on the board.",
                                        "figure": media.draw(440, 280 + n)} for n in range(2)])
    layout = laid_out(view(text("Can the pieces fill the board?"), wide, laid, options=("yes", "no")), media)
    assert not any(overlap(a, b) for a, b in itertools.combinations(layout.pieces, 2))


def test_no_text_is_set_below_its_floor(qapp, media):
    theme.apply(qapp, "light", 2.0)
    layout = laid_out(cases(media)["a long text"], media)
    px = {piece.words.defaultFont().pixelSize() for piece in layout.pieces if piece.words and piece.name == "text"}
    assert LEAST_PX["reading"] <= min(px) < theme.text_px("reading")


def test_what_cannot_fit_is_refused_before_the_sitting_with_the_items_name(qtbot, media):
    views = [view(text("short"), item="a-1"), view(text(LOREM * 200), item="b-2")]
    assert "'b-2' does not fit on this screen (1280 × 720)" in str(refused_by(qtbot, media, views))


def refused_by(qtbot, media, views):
    faults, done, told = [], [], []
    with stage(qtbot, media) as one:
        one.window.check_all(views, then=lambda: done.append(1), failed=faults.append,
                             progressed=lambda n, of: told.append((n, of)))
        qtbot.waitUntil(lambda: bool(faults or done), timeout=PATIENCE_MS)
    return faults[0] if faults else told


def test_all_trials_are_checked_with_progress(qtbot, media):
    views = [view(picture(media.draw(200, 200, (n, 0, 0))), item=f"i-{n}") for n in range(5)]
    assert refused_by(qtbot, media, views)[-1] == (5, 5)


@pytest.mark.parametrize("fault", ["missing", "never there", "half", "changed", "no picture"])
def test_a_picture_that_is_not_whole_is_refused_with_item_and_file(qtbot, media, fault):
    # jsPsych#1393: half-transmitted images were shown.
    good = encoded(Image.effect_noise((400, 300), 80), "JPEG")
    reference = media.put({"half": good[: len(good) // 2], "no picture": b"GIF, or so"}.get(fault, good), "net-7.jpg")
    if fault == "missing":
        media.path(reference["sha256"]).unlink()
    elif fault == "never there":
        reference["sha256"] = None
    elif fault == "changed":
        media.path(reference["sha256"]).write_bytes(encoded(Image.new("L", (400, 300)), "JPEG"))
    views = [view(picture(media.draw(200, 200)), item="fine"), view(picture(reference), item="cube-12")]
    said = str(refused_by(qtbot, media, views))
    assert "'cube-12'" in said
    assert "net-7.jpg" in said


def test_all_trials_of_a_sitting_have_the_same_places(media):
    views = [view(picture(media.draw(*size)), options=options, item=str(size))
             for size, options in (((600, 400), FOUR), ((300, 300), FOUR[:2]), ((200, 500), FOUR[:3]))]
    sizes = preload.read_all(views, media, lambda *_: None, lambda: False)
    setting = settle([(one, sizes) for one in views], SMALL.room)
    layouts = [laid_out(one, media, setting=setting) for one in views]
    assert len({(layout.targets[0].x, layout.targets[0].y) for layout in layouts}) == 1
    for name in ("question", "image"):
        assert len({(piece.x, piece.y) for layout in layouts for piece in layout.pieces if piece.name == name}) == 1


def test_a_stimulus_is_as_large_on_every_scale_of_the_screen(media):
    # psychopy#2489, #5101, #3650: at 125 % and on Retina screens stimuli had another size.
    shown = view(picture(media.put(encoded(Image.new("RGB", (600, 400), "#3060c0")))), options=FOUR)
    boxes = {}
    for ratio in (1.0, 1.25, 1.5, 2.0):
        device = Device(round(1280 * ratio), round(720 * ratio), ratio)
        image = compose.frames(shown, media, device, None).images["screen:1"]
        assert (image.width(), image.height()) == (device.width, device.height)
        boxes[ratio] = [edge / ratio for edge in box_of(image, "#3060c0")]
    for box in boxes.values():
        assert max(abs(a - b) for a, b in zip(box, boxes[1.0], strict=True)) <= 1
    left, top, right, bottom = boxes[1.0]
    assert (right - left, bottom - top) == (600, 400)


_SCALED = """
import sys
from PySide6.QtWidgets import QApplication
app = QApplication([])
from types import SimpleNamespace
from app import theme
from app.jobs import Jobs
from app.stage.trial_window import TrialWindow
theme.apply(app, "light", 1.0)
jobs = Jobs(SimpleNamespace(stop_reads=lambda: None))
window = TrialWindow(app.primaryScreen(), jobs, None)
window.opened.connect(app.quit)
window.open()
app.exec()
device = window.device
print(device.width, device.height, device.ratio, round(device.room.width))
window.close()
jobs.close()
"""


def test_a_window_on_a_scaled_screen_has_the_pixels_of_the_device():
    done = subprocess.run([sys.executable, "-c", _SCALED], cwd=Path(__file__).resolve().parent.parent, text=True,
                          capture_output=True, check=True, timeout=60,
                          env={**os.environ, "QT_SCALE_FACTOR": "2", "QT_QPA_PLATFORM": "offscreen"})
    assert done.stdout.split() == ["800", "800", "2.0", "400"]


# --- pictures ---------------------------------------------------------------------------------------------------

def shown_at(media, data, size):
    reference = media.put(data)
    return Picture(media.path(reference["sha256"]), sha256=reference["sha256"], path="p", item="i").shown_at(size)


def test_what_is_transparent_is_white_in_every_theme(qapp, media):
    image = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    image.paste((200, 0, 0, 255), (0, 0, 20, 40))
    for look in ("light", "dark", "contrast"):
        theme.apply(qapp, look, 1.0)
        made = shown_at(media, encoded(image), (40, 40))
        assert made.pixelColor(30, 20).name() == "#ffffff"
        assert made.pixelColor(5, 20).name() == "#c80000"


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_stands_as_its_camera_was_held(media, orientation):
    turns = {1: (), 2: ("FLIP_LEFT_RIGHT",), 3: ("ROTATE_180",), 4: ("FLIP_TOP_BOTTOM",), 5: ("TRANSPOSE",),
             6: ("ROTATE_90",), 7: ("TRANSVERSE",), 8: ("ROTATE_270",)}
    upright = Image.new("RGB", (80, 40), "#3060c0")
    upright.paste((192, 32, 32), (0, 0, 10, 10))
    kept = upright
    for turn in turns[orientation]:  # as the sensor saw it
        kept = kept.transpose(Image.Transpose[turn])
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = encoded(kept, "PNG", exif=exif)
    reference = media.put(data)
    file = Picture(media.path(reference["sha256"]), sha256=reference["sha256"], path="p", item="i")
    assert file.size() == (80, 40)
    made = file.shown_at((80, 40))
    assert (made.width(), made.height()) == (80, 40)
    assert made.pixelColor(3, 3).name() == "#c02020"
    assert made.pixelColor(70, 30).name() == "#3060c0"


def test_colours_of_another_space_are_brought_into_srgb(media):
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    plain = Image.new("RGB", (8, 8), (200, 100, 50))
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert shown_at(media, encoded(plain, icc_profile=profile), (8, 8)).pixelColor(4, 4).name() == "#c86432"
    # A profile that does not fit its picture is left out of account.
    assert shown_at(media, encoded(plain, icc_profile=lab), (8, 8)).pixelColor(4, 4).name() == "#c86432"
    cmyk = Image.new("CMYK", (8, 8), (0, 255, 255, 0))
    red = shown_at(media, encoded(cmyk, "TIFF"), (8, 8)).pixelColor(4, 4)
    assert red.red() > 200 > 60 > red.green()


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "I;16"])
def test_every_kind_of_pixel_is_read(media, mode):
    if mode == "I;16":
        image = Image.fromarray(np.full((8, 8), 257 * 128, np.uint16))
    else:
        image = Image.new("L", (8, 8), 128 if mode != "1" else 255).convert(mode)
    made = shown_at(media, encoded(image), (8, 8)).pixelColor(4, 4)
    assert abs(made.green() - (255 if mode == "1" else 128)) <= 1


def test_a_picture_of_fifty_megapixels_is_decoded_scaled(media):
    data = encoded(Image.new("RGB", (8660, 5774), "#3060c0"), "JPEG", quality=50)
    made = shown_at(media, data, (866, 577))
    assert made.sizeInBytes() == 866 * 577 * 4
    assert abs(made.pixelColor(400, 300).blue() - 0xC0) < 4


def test_scaling_keeps_the_mean_of_a_fine_pattern(media):
    chessboard = np.indices((512, 512)).sum(axis=0) % 2 * 255
    made = pixels(shown_at(media, encoded(Image.fromarray(chessboard.astype(np.uint8))), (100, 100)))
    assert abs(made.mean() - 127.5) < 2
    assert made[10:-10, 10:-10].std() < 4


# --- languages --------------------------------------------------------------------------------------------------

def test_a_question_from_right_to_left_turns_the_whole_trial_round(media):
    shown = view(picture(media.draw(600, 400)), options=("على الرصيف", "أمام المخبز"), question="أين يقف أقرب شخص؟")
    layout = laid_out(shown, media)
    image = next(piece for piece in layout.pieces if piece.picture)
    assert all(target.x + target.width < image.x for target in layout.targets)
    caps = [piece for piece in layout.pieces if piece.cap]
    words = [piece for piece in layout.pieces if piece.words and piece.name == "options"]
    assert all(cap.x >= word.x + word.width for cap, word in zip(caps, words, strict=True))
    frame = pixels(compose.frames(shown, media, SMALL, None).images["screen:1"])
    question = next(piece for piece in layout.pieces if piece.name == "question")
    band = frame[round(question.y):round(question.y + question.height)]
    inked = np.where((np.abs(band - band[0, 0]).max(axis=2) > 60).any(axis=0))[0]
    assert inked[-1] > question.x + question.width - 12  # flush right


def test_markdown_of_an_item_loads_nothing_and_shows_no_html(tmp_path):
    words = Words(f"![x](file://{tmp_path}/secret.png) <script>x</script> a", kind="markdown")
    assert words.height_at(400) < 60
    assert "<script>" in words.toPlainText()


def test_a_screen_of_a_staged_trial_shows_what_has_come_up_to_it(media):
    shown = view(picture(media.draw(600, 400)), options=FOUR, goes_on=[1],
                 screens=[{"question"}, {"question", "image"}, {"question", "image", "options"}])
    images = compose.frames(shown, media, SMALL, None).images
    one, two, three = (pixels(images[f"screen:{n}"]) for n in (1, 2, 3))
    layout = laid_out(shown, media)
    image = next(piece for piece in layout.pieces if piece.picture)
    middle = round(image.y + image.height / 2), round(image.x + image.width / 2)
    assert tuple(one[middle]) != tuple(two[middle])
    target = layout.targets[0]
    area = slice(round(target.y), round(target.y + target.height)), slice(round(target.x), round(target.x + 60))
    page = two[0, 0]
    assert (two[area] == page).all()
    assert (three[area] != page).any()
    assert (one[640:] != page).any()  # the key that goes on
    assert (two[640:] == page).all()
    assert (three[640:] == page).all()


def test_a_file_that_went_away_is_told_when_its_trial_is_prepared(qtbot, media):
    reference = media.draw(200, 200, name="gone.png")
    media.path(reference["sha256"]).unlink()
    with stage(qtbot, media) as one, qtbot.waitSignal(one.window.refused, timeout=PATIENCE_MS) as told:
        one.window.prepare(view(picture(reference), item="cube-3"))
    assert isinstance(told.args[0], Refused)
    assert "gone.png" in str(told.args[0])


# --- from study and item to what is shown -----------------------------------------------------------------------

SHOWN = PlannedTrial("i", "v", "a-1", "helped", "main", ("no", "yes"), ("f", "j"), "yes", 0, 0, {})
FIELDS = {"text": "What it is", "hint": "Look twice", "kind": "flat", "right": "yes"}


def shown_of(fields=FIELDS, **changes):
    study = Study.model_validate({**YAML(typ="safe").load(study_world.STUDY), **changes})
    return view_of(study, protocol.loads(study_world.PROTOCOL), SHOWN, fields)


def test_a_trial_shows_its_conditions_fields_and_its_options_in_the_planned_order():
    shown = shown_of()
    assert (shown.item, shown.question) == ("a-1", "Does it fit?")
    assert [part.name for part in shown.parts] == ["text", "hint"]
    assert [(choice.value, choice.key) for choice in shown.options] == [("no", "f"), ("yes", "j")]
    assert shown.screens == (frozenset({"question", "options", "text", "hint"}),)


def test_a_private_field_is_never_shown():
    shown = shown_of(conditions=[{"name": "helped", "shows": ["text", "right"]}], analysis={})
    assert [part.name for part in shown.parts] == ["text"]


def test_screens_of_a_staged_trial_add_up_and_say_which_key_goes_on():
    shown = shown_of(trial={"reveal": [{"shows": ["text"]}, {"shows": ["fields", "question"], "seconds": 1},
                                       {"shows": ["options"]}]})
    assert shown.screens == (frozenset({"text"}), frozenset({"text", "hint", "question"}),
                             frozenset({"text", "hint", "question", "options"}))
    assert shown.goes_on == {1}


def test_a_field_without_a_value_takes_no_room():
    assert [part.name for part in shown_of({"text": "What it is", "hint": ""}).parts] == ["text"]


def test_a_long_line_of_code_in_a_trial_goes_on_below(qapp) -> None:
    code = "    for name in os.listdir(directory): print(os.path.join(directory, name), 'and more')"
    words = Words(f"```\n{code}\n```", kind="markdown")
    one_line = words.height_at(words.natural_width())
    assert words.height_at(420) >= 2 * one_line and words.idealWidth() <= 420
    assert words.toPlainText() == code
