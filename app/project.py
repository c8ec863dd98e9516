"""Opening a project for the window: the store, who acts, which pages he sees."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from annotation import people, protocol
from annotation.people import PersonView
from annotation.store import opening
from annotation.store.project import Store, meta


@dataclass(frozen=True, slots=True)
class Opened:
    """``pages`` are the names this person sees; ``note`` is a fault of the store that stays (or "")."""

    store: Store
    project: str
    title: str
    person: PersonView
    pages: tuple[str, ...]
    note: str = ""


def open_project(project: str, person: str | None = None, *, remembered: str | None = None) -> Opened:
    """Open ``project`` as ``person``; with nobody named, as the remembered one, else as its only owner."""
    store = opening.open_store(project)
    try:
        return sit_down(store, project, person, remembered=remembered)
    except BaseException:
        store.close()
        raise


def sit_down(store: Store, project: str, person: str | None, *, remembered: str | None = None) -> Opened:
    """Somebody takes the chair at an open project."""
    with store.read() as session:
        known = {view.handle: view for view in people.people(session)}
        handle = person or (remembered if remembered in known and known[remembered].active else None)
        if handle is None and sum("owner" in view.roles and view.active for view in known.values()) != 1:
            # At a window somebody can be chosen at once (Ctrl+Shift+U), so any owner will do to begin with.
            handle = next((h for h, view in known.items() if "owner" in view.roles and view.active), None)
        acting = people.acting(session, handle)
        title = meta(session).get("title") or Path(project).name
        return Opened(store, project, title, acting, people.pages(session, acting.id), store.note)


def everybody(store: Store) -> tuple[PersonView, ...]:
    """The people who can sit down."""
    with store.read() as session:
        return tuple(view for view in people.people(session) if view.active and view.kind == "human")


def shelf() -> list[tuple[str, str]]:
    """The protocols that come with Goldsmith: (id, title)."""
    return [(name, protocol.load(protocol.find(name)).title) for name in protocol.shelf()]


def make_project(folder: str, protocol_id: str, owner: str) -> str:
    """A new, empty project from a protocol of the shelf or a file; returns its path."""
    path = Path(folder)
    if path.suffix != ".goldsmith":
        path = path.with_name(path.name + ".goldsmith")
    opening.create(path, protocol=protocol.load(protocol.find(protocol_id)), title=path.stem, owner=owner).close()
    return str(path)

