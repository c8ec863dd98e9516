"""Salted commitments: what is kept back is fixed when a release is drawn, and can be proved later."""

from __future__ import annotations

import hashlib
import hmac


def secret(salt: str, *parts: str) -> str:
    """256 bits (64 hex digits) from a release's salt: the same for every export of it, and no clue to any other."""
    return hmac.new(salt.encode(), "\x1f".join(("commitment", *parts)).encode(), hashlib.sha256).hexdigest()


def commitment(salt: str, data: bytes) -> str:
    """SHA-256 (hex) of the salt's 32 bytes and ``data``."""
    return hashlib.sha256(bytes.fromhex(salt) + data).hexdigest()
