"""Draws that can be made again: one stream a purpose, so that a new purpose moves no other."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


class Stream:
    """Draws named by seed and purpose.

    Only ``getrandbits`` is taken from Python (the Mersenne twister, which does not change); ``shuffle`` and
    ``randrange`` have been made otherwise from one version to the next.
    """

    def __init__(self, seed: int, *purpose: str | int) -> None:
        named = "/".join(map(str, ("goldsmith", seed, *purpose)))
        self._bits = random.Random(int.from_bytes(hashlib.sha256(named.encode()).digest(), "big"))

    def below(self, limit: int) -> int:
        """A whole number from 0 up to but without ``limit``, each as likely."""
        if limit < 1:
            raise ValueError("there is no number below")
        width = (limit - 1).bit_length()
        while (drawn := self._bits.getrandbits(width) if width else 0) >= limit:
            pass
        return drawn

    def between(self, least: int, most: int) -> int:
        """A whole number from ``least`` to ``most``, both included."""
        return least + self.below(most - least + 1)

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """Fisher and Yates (1938), in the form of Durstenfeld (1964)."""
        found = list(things)
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found
