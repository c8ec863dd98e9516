"""One viewer per field kind."""

from app.viewers import candidates, image, images, markdown, number, steps, table, tag, text  # noqa: F401
from app.viewers.base import LabelledViewer, PictureSource, Viewer, label_of, viewers

__all__ = ["LabelledViewer", "PictureSource", "Viewer", "label_of", "viewers"]
