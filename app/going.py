"""The pages there are, in the order of the rail, and a command for each: Alt with a digit, studies (timed) with T."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from app.commands import command
from app.i18n import QT_TRANSLATE_NOOP


@dataclass(frozen=True, slots=True)
class PagePlace:
    """``group`` is its group in the rail, or the name of the page whose row it shares."""

    name: str
    title: str
    keys: str
    group: str


PLACES = (
    PagePlace("home", QT_TRANSLATE_NOOP("commands", "Home"), "Alt+1", "do"),
    PagePlace("work", QT_TRANSLATE_NOOP("commands", "Work"), "Alt+2", "do"),
    PagePlace("answers", QT_TRANSLATE_NOOP("commands", "My answers"), "Alt+3", "work"),
    PagePlace("adjudicate", QT_TRANSLATE_NOOP("commands", "Adjudicate"), "Alt+4", "do"),
    PagePlace("items", QT_TRANSLATE_NOOP("commands", "Items"), "Alt+5", "look"),
    PagePlace("agreement", QT_TRANSLATE_NOOP("commands", "Agreement"), "Alt+6", "look"),
    PagePlace("studies", QT_TRANSLATE_NOOP("commands", "Studies"), "Alt+T", "look"),
    PagePlace("gold", QT_TRANSLATE_NOOP("commands", "Gold"), "Alt+7", "look"),
    PagePlace("score", QT_TRANSLATE_NOOP("commands", "Score"), "Alt+8", "look"),
    PagePlace("people", QT_TRANSLATE_NOOP("commands", "People"), "Alt+9", "keep"),
    PagePlace("protocol", QT_TRANSLATE_NOOP("commands", "Protocol"), "Alt+0", "keep"),
    PagePlace("preferences", QT_TRANSLATE_NOOP("commands", "Preferences"), "Alt+-", "foot"),
)
NAMES = frozenset(place.name for place in PLACES)
GROUPS = ("do", "look", "keep", "foot")
ICONS = {"answers": "my_answers"}


def _goes(place: PagePlace) -> Callable[..., None]:
    def go(self: Any) -> None:
        self.go(place.name)

    go.__name__ = f"go_{place.name}"
    icon = ICONS.get(place.name, place.name)
    return command(f"go.{place.name}", place.title, menu="Go", keys=place.keys, when=f"sees_{place.name}",
                   icon=icon)(go)


class Going:
    """The window's commands ``go.PAGE``; ``sees`` says whether the person may."""

    def sees(self, page: str) -> bool:
        raise AssertionError("the window knows who sits before it")


for _place in PLACES:
    setattr(Going, f"go_{_place.name}", _goes(_place))
    setattr(Going, f"sees_{_place.name}", property(lambda self, name=_place.name: self.sees(name)))


def page_class(name: str) -> type[Any]:
    """The page of a module of app.pages; imported when it is first opened, so that the start stays fast."""
    module = import_module(f"app.pages.{name}")
    for value in vars(module).values():
        if isinstance(value, type) and getattr(value, "name", "") == name:
            return value
    raise LookupError(f"app.pages.{name} has no page of this name")
