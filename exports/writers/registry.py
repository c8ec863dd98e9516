"""The table of formats, apart from the package so that its members can register."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotation.registry import Registry

Writer = Callable[..., Any]  # (session, out, *, version=None, private=False) -> Written

writers: Registry[Writer] = Registry("format")
