# SPDX-License-Identifier: Apache-2.0
"""The one way in which a value becomes bytes that are stored and hashed.

Canonical JSON: keys sorted by code point, no spaces, UTF-8, shortest floats; NaN, infinities,
lone surrogates and U+0000 are refused (a text with one of these cannot be stored on PostgreSQL
or hashed the same everywhere).
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

from annotation.errors import N_, Refused


def dumps(value: Any) -> str:
    """Canonical JSON text of ``value``; raises Refused for what has none."""
    _check(value)
    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def loads(text: str) -> Any:
    """The value of canonical JSON text."""
    return json.loads(text)


def sha256(value: Any) -> str:
    """SHA-256 (64 hex digits) of the canonical JSON of ``value``."""
    return hashlib.sha256(dumps(value).encode()).hexdigest()


def check_text(text: str) -> str:
    """``text`` itself, or Refused where it holds a lone surrogate or U+0000."""
    if "\x00" in text:
        raise Refused(N_("the text holds the character U+0000, which cannot be stored"), code="not_unicode")
    try:
        text.encode()
    except UnicodeEncodeError as fault:
        raise Refused(N_("the text holds half of a character (a lone surrogate, U+{point})"), code="not_unicode",
                      point=f"{ord(text[fault.start]):04X}") from None
    return text


def _check(value: Any) -> None:
    if isinstance(value, str):
        check_text(value)
    elif isinstance(value, float) and not math.isfinite(value):
        raise Refused(N_("{value} is not a finite number"), code="not_finite", value=value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise TypeError(f"canonical JSON wants text keys, not {type(key).__name__}")
            check_text(key)
            _check(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            _check(inner)
