# SPDX-License-Identifier: Apache-2.0
"""A table of named things; an unknown name is answered with the known ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Generic, TypeVar

from annotation.errors import N_, Unknown

T = TypeVar("T")


class Registry(Generic[T]):
    """``kind`` is the word for one thing in sentences, as "question type"."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._things: dict[str, T] = {}

    def add(self, name: str, thing: T) -> T:
        if name in self._things:
            raise ValueError(f"{self.kind} {name!r} is registered twice")
        self._things[name] = thing
        return thing

    def register(self, name: str) -> Callable[[T], T]:
        """As a decorator: ``@registry.register("choice")``."""
        return lambda thing: self.add(name, thing)

    def __getitem__(self, name: str) -> T:
        try:
            return self._things[name]
        except KeyError:
            near = get_close_matches(name, self._things, 1)
            raise Unknown(
                N_("There is no {kind} '{name}'. Did you mean '{near}'?") if near
                else N_("There is no {kind} '{name}'. There are: {known}."),
                kind=self.kind, name=name, near=near[0] if near else "", known=", ".join(sorted(self._things)),
            ) from None

    def __contains__(self, name: object) -> bool:
        return name in self._things

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)
