"""Reads the rows of a parquet file in batches, so that memory does not grow with the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from annotation.errors import N_, Refused, Where
from annotation.reading.record import Record

BATCH = 1000


def table(path: Path) -> tuple[tuple[str, ...], int, Callable[[], Iterator[Record]], Callable[[], Any]]:
    """Column names, number of rows, the rows, and what closes the file."""
    # pyarrow costs about 150 ms to import and is needed for this format alone.
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as fault:
        raise Refused(N_("'{file}' is no readable parquet file: {what}"), code="bad_value",
                      where=Where(file=path.name), file=path.name, what=str(fault).splitlines()[0][:200]) from None
    names = tuple(file.schema_arrow.names)

    def rows() -> Iterator[Record]:
        number = 0
        try:
            for batch in file.iter_batches(batch_size=BATCH):
                for row in batch.to_pylist():
                    number += 1
                    yield Record(number, {name: _plain(value) for name, value in row.items()}, number)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as fault:
            raise Refused(N_("'{file}' cannot be read on: {what}"), code="bad_value",
                          where=Where(file=path.name, line=number + 1), file=path.name,
                          what=str(fault).splitlines()[0][:200]) from None

    return names, file.metadata.num_rows, rows, file.close


def _plain(value: Any) -> Any:
    """Arrow's values as JSON has them: times as ISO-8601, decimals as written; bytes stay (embedded pictures)."""
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value
