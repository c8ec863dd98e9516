"""Logs of Inspect that are packed with Zstandard, for the scorer, which itself knows the standard library alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from exports.scorer.inspect_logs import zip_rows
from exports.scorer.lines import read_bytes


def log_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number, row) of every sample, as ``exports.scorer.inspect_logs`` makes them."""
    return zip_rows(read_bytes(path), str(path), _unpacked)


def _unpacked(data: bytes, size: int) -> bytes:
    """Zstandard by pyarrow, which the program has for parquet anyway; ValueError where the bytes are broken."""
    # pyarrow takes a third of a second to load, and few scores need it.
    import pyarrow

    try:
        with pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "zstd") as stream:
            found: bytes = stream.read(size + 1)
    except (pyarrow.ArrowException, OSError) as fault:
        raise ValueError(str(fault).splitlines()[0][:200]) from None
    if len(found) != size:
        raise ValueError("the size differs")
    return found
