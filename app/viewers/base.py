"""What every viewer is: a widget that shows one field of an item, read-only."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from annotation.registry import Registry
from app import theme


class PictureSource(Protocol):
    """Where viewers get decoded pictures: at once if in the cache, else later on the GUI thread."""

    def ask(self, owner: QObject, sha256: str, then: Any) -> None: ...


class Viewer(QWidget):
    """``place`` says where it stands: in the reading ``column``, in the ``head`` as a chip, or as a ``fill`` of all
    the room beside the answers. ``takes_keys`` is true for one that takes arrows while it has the focus."""

    place: ClassVar[str] = "column"
    takes_keys: ClassVar[bool] = False
    abreast = 1  # how many things of one size stand side by side in it

    def show_field(self, field: Any, value: Any, media: PictureSource | None) -> None:
        """Show ``value`` (as stored) of ``field``; called again for the next item."""
        raise TypeError("every viewer has its own show_field")

    def set_order(self, order: tuple[str, ...]) -> None:
        """The display order of the elements, where the field has elements and the task an order."""

    def show_chosen(self, element: str | None) -> None:
        """Say at the element itself that it is the chosen one."""

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(1, super().minimumSizeHint().height())


class LabelledViewer(Viewer):
    """A field of the reading column: its label above, its value below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = QLabel(self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setWordWrap(True)
        theme.dress(self.label, "label", "ink2")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(theme.space("xxs"))
        self.column.addWidget(self.label)

    def set_label(self, field: Any) -> None:
        self.label.setText(label_of(field))


def label_of(field: Any) -> str:
    """What a person reads above a field: its label, else its name as words."""
    return field.label or field.name.replace("_", " ").capitalize()


viewers: Registry[type[Viewer]] = Registry("field kind")
