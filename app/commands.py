"""Commands: one declaration from which the action, menu, tooltip, palette row and shortcut help are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])

MENUS = ("File", "Edit", "Item", "View", "Go", "Help")
GROUPS = ("answering", "moving", "looking")


@dataclass(frozen=True, slots=True)
class Command:
    """``keys`` always carry Ctrl or Alt or are F-keys or Esc; bare letters and digits belong to forms.

    ``when`` names an attribute or method of the owner that says whether it can be done now, ``why`` one that says in
    a sentence why it cannot (its keys then say that at the foot of the page, or nothing if it is ""); ``group`` is its
    column in the shortcut help; ``icon`` a name of the tokens (default: the last part of the id, if there is one).
    """

    id: str
    text: str
    menu: str
    keys: str
    when: str
    icon: str
    group: str
    method: str
    why: str = ""


def command(id: str, text: str, *, menu: str = "", keys: str = "", when: str = "", icon: str = "",
            group: str = "", why: str = "") -> Callable[[Method], Method]:
    """Mark a method of a page or of the window as a command; ``actions.add_actions`` binds it."""
    if menu and menu not in MENUS:
        raise ValueError(f"there is no menu {menu!r}")
    if keys and not _is_command_key(keys):
        raise ValueError(f"{id}: {keys!r} belongs to forms, a command carries Ctrl or Alt or is an F-key")

    def mark(method: Method) -> Method:
        made = Command(id, text, menu, keys, when, icon, group or _group_of(id, menu), method.__name__, why)
        method.__command__ = made  # type: ignore[attr-defined]
        return method

    return mark


def commands_of(owner: object) -> tuple[Command, ...]:
    """The commands of a page or window class, in the order of their declaration, base classes first."""
    found: dict[str, Command] = {}
    for cls in reversed(type(owner).__mro__ if not isinstance(owner, type) else owner.__mro__):
        for value in vars(cls).values():
            declared = getattr(value, "__command__", None)
            if isinstance(declared, Command):
                found[declared.id] = declared
    return tuple(found.values())


def _is_command_key(keys: str) -> bool:
    last = keys.split("+")[-1]
    return "Ctrl+" in keys or "Alt+" in keys or keys == "Esc" or (last[:1] == "F" and last[1:].isdigit())


def _group_of(id: str, menu: str) -> str:
    if menu == "Go" or id.startswith("go."):
        return "moving"
    return "looking" if menu in ("View", "Help") else "answering"
