"""Windows for tests: a project of a few items, made through the verbs, and a wait until all is shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget

from annotation import importing, people, protocol
from annotation.store import opening
from app import gui
from app.window import Window
from tests.kept import made_once

PEOPLE = (("ana", ("annotator",)), ("ben", ("annotator",)), ("cem", ("annotator",)),
          ("dr-eva", ("verifier", "physician")))


@made_once
def make_project(folder: Path, *, protocol_id: str = "cancer-myth-verify", n: int = 12) -> Path:
    """A project with ``n`` items, an owner ``demo`` and PEOPLE."""
    path = folder / "P.goldsmith"
    chosen = protocol.load(protocol.find(protocol_id))
    fields = [field.name for field in chosen.fields if field.kind in ("text", "markdown")]
    rows = [{"id": f"cm-{k:04d}", **{name: f"{name} of item {k}" for name in fields}} for k in range(n)]
    file = folder / "items.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with opening.create(path, protocol=chosen, title="Cancer presuppositions", owner="demo") as store:
        with store.read() as session:
            by = people.find(session, "demo").id
        if n:
            importing.import_file(store, file, by=by)
        with store.write() as session:
            for handle, roles in PEOPLE:
                people.add(session, handle, roles=roles, by=by)
    return path


@contextmanager
def opened(project: Path, *, person: str | None = "demo", size: tuple[int, int] = (1280, 720)) -> Iterator[Window]:
    """A shown window; closed at the end, and its jobs with it."""
    window = gui.open_window(project, person=person)
    assert isinstance(window, Window)
    try:
        window.resize(*size)
        wait(window)
        yield window
    finally:
        window.close()
        window.deleteLater()
        QApplication.sendPostedEvents()


def wait(window: Window) -> None:
    """Until every result has come back and been laid out."""
    from app.pictures import settle

    settle(window)


def shown(widget: QWidget) -> list[QWidget]:
    """Every visible widget below one."""
    return [child for child in widget.findChildren(QWidget) if child.isVisible()]
