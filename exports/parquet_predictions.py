"""Predictions in parquet files, for the scorer, which itself knows numpy alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from annotation.canonical import check_text
from annotation.errors import N_, Refused, Where

BATCH = 20_000  # rows at once


def parquet_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number from 1, row); an empty cell says nothing. Refused for what is no parquet file, and for numbers that are
    not finite.
    """
    # pyarrow takes a third of a second to load, and few scores need it.
    import pyarrow
    import pyarrow.parquet

    file = str(path)
    try:
        table = pyarrow.parquet.ParquetFile(path)
        names = table.schema_arrow.names
    except (pyarrow.ArrowException, OSError) as fault:
        raise Refused(N_("{name} cannot be read as parquet: {why}"), code="unreadable", name=path.name,
                      why=str(fault).splitlines()[0][:200], where=Where(file=file)) from None
    if "id" not in names:
        raise Refused(N_("there is no column 'id'; the columns are {names}"), code="missing_value",
                      names=", ".join(names)[:200], where=Where(file=file, key="id"))
    number = 0
    try:
        for batch in table.iter_batches(BATCH):
            for row in batch.to_pylist():
                number += 1
                yield number, {key: _plain(value, file, number, key) for key, value in row.items() if value is not None}
    except (pyarrow.ArrowException, OSError) as fault:
        raise Refused(N_("{name} breaks off after row {row}: {why}"), code="unreadable", name=path.name, row=number,
                      why=str(fault).splitlines()[0][:200], where=Where(file=file, line=number + 1)) from None


def _plain(value: Any, file: str, number: int, key: str) -> Any:
    """Values as JSON would have them; a structure's empty fields are left out."""
    if isinstance(value, str):
        try:
            return check_text(value)
        except Refused as fault:
            raise fault.at(file=file, line=number, key=key) from None
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            raise Refused(N_("row {row}: {value} is not a finite number"), code="not_finite", row=number,
                          value=str(value), where=Where(file=file, line=number, key=key, value=str(value)))
        return float(value)
    if isinstance(value, dict):
        return {name: _plain(one, file, number, key) for name, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_plain(one, file, number, key) for one in value]
    if isinstance(value, (bool, int)):
        return value
    return str(value)
