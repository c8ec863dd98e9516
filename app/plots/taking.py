"""Taking a plot away: as a picture on the clipboard, as a file (SVG, PDF, PNG), and its numbers as CSV.

Pure but for the writing; none of it needs a window, so that it runs on the pool.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImage

from annotation.errors import N_, Refused, Where
from app import figures
from app.plots.sheet import DPI, Drawing, Plot, one_line
from app.plots.style import on_paper

KINDS = ("svg", "pdf", "png", "csv")
_METRE = 39.3701     # inches


def on_page(plot: Plot) -> Drawing:
    """The whole plot as it is copied and saved: light, on white, with its title."""
    style = on_paper()
    return plot.draw(style, plot.paper_width(style))


def as_bytes(plot: Plot, kind: str) -> bytes:
    """The contents of a file of one of KINDS."""
    if kind == "csv":
        return figures.as_csv(*plot.table())
    return on_page(plot).as_file(kind)


def as_image(plot: Plot) -> QImage:
    """The picture that is copied, which knows its 300 dots per inch."""
    drawing = on_page(plot)
    data, width, height = drawing.pixels(drawing.dots / DPI)
    image = QImage(data, width, height, QImage.Format.Format_RGBA8888).copy()
    for set_dots in (image.setDotsPerMeterX, image.setDotsPerMeterY):
        set_dots(round(drawing.dots * _METRE))
    return image


def save(plot: Plot, file: Path) -> Path:
    """Write the file that its ending asks for, all of it or nothing; Refused where that cannot be."""
    kind = file.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise Refused(N_("{file} should end in .svg, .pdf, .png or .csv"), code="bad_ending",
                      where=Where(file=str(file)), file=str(file))
    data = as_bytes(plot, kind)
    beside = file.with_name(f".{file.name}.part")
    try:
        beside.write_bytes(data)
        beside.replace(file)
    except OSError as fault:
        with suppress(OSError):  # the folder itself is gone or closed to us, which the sentence says
            beside.unlink(missing_ok=True)
        raise Refused(N_("{file} cannot be written: {why}"), code="unwritable", where=Where(file=str(file)),
                      file=str(file), why=fault.strerror or str(fault)) from fault
    return file


def file_name(plot: Plot, kind: str) -> str:
    """A name that every system takes: the title in small letters."""
    words = re.sub(r"[^\w]+", "-", one_line(plot.title).lower()).strip("-_")[:60]
    return f"{words or QCoreApplication.translate('plots', 'plot')}.{kind}"
