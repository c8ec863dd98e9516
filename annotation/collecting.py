# SPDX-License-Identifier: Apache-2.0
"""Memory while rows stream by. Carried inside the scorer, so it imports nothing of the project."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collecting() -> Iterator[None]:
    """No search for circles among objects: rows form none, and looking at each again takes a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
