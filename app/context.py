"""What a page is given of the world around it: the store's door, the jobs, the person, and ways to go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.jobs import Jobs
from app.settings import Settings

if TYPE_CHECKING:
    from annotation.people import PersonView


def _nowhere(_page: str, **_where: object) -> None:
    return None


def _silent(_text: str) -> None:
    return None


@dataclass(slots=True)
class Context:
    """``go("items", state="open")`` opens a page with a place on it; ``status(text)`` says a few words in the
    status line; ``store`` is handed to jobs and to ``store.media``, nothing else is done with it on a page."""

    store: Any
    jobs: Jobs
    person: PersonView
    settings: Settings
    go: Callable[..., None] = field(default=_nowhere)
    status: Callable[[str], None] = field(default=_silent)
    open_project: Callable[[str], None] = field(default=_silent)
    project: str = ""
    title: str = ""
