"""Ids made by the client: UUIDv7 (RFC 9562), so that saves are idempotent and packs merge as a set union."""

from __future__ import annotations

import os
import threading
import time
from struct import Struct, unpack
from uuid import UUID

_lock = threading.Lock()
_last = 0


def new_id() -> UUID:
    """A new UUIDv7; strictly increasing within this process (12 bits below the millisecond)."""
    global _last
    with _lock:
        tick = time.time_ns() * 4096 // 1_000_000  # ms since 1970 with 12 binary places
        _last = max(tick, _last + 1)
        tick = _last
    millis, below = tick >> 12, tick & 0xFFF
    tail = int.from_bytes(os.urandom(8), "big") & ((1 << 62) - 1)
    return UUID(int=(millis << 80) | (0x7 << 76) | (below << 64) | (0b10 << 62) | tail)


def new_ids(count: int) -> list[bytes]:
    """``count`` new ids at once, as 16 bytes each and in rising order."""
    global _last
    with _lock:
        first = max(time.time_ns() * 4096 // 1_000_000, _last + 1)
        _last = first + count
    tails = unpack(f">{count}Q", os.urandom(8 * count))
    return [_pack((tick >> 12) << 16 | 0x7000 | (tick & 0xFFF), tail & _TAIL | _VARIANT)
            for tick, tail in enumerate(tails, first)]


_TAIL = (1 << 62) - 1
_VARIANT = 0b10 << 62
_pack = Struct(">QQ").pack
