"""Readers of predictions that the scorer alone lacks, by the ending of the file."""

from __future__ import annotations

from exports.packed_logs import log_rows
from exports.parquet_predictions import parquet_rows
from exports.scorer.options import Reader

READERS: dict[str, Reader] = {".parquet": parquet_rows, ".pq": parquet_rows, ".eval": log_rows}
