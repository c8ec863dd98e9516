"""One file a format: ``write(session, out, version=.., private=..) -> Exported``; importing this registers them all."""

from exports.writers import bundle, delimited, hugging_face, inspect_task, jsonl, parquet
from exports.writers.registry import writers

__all__ = ["bundle", "delimited", "hugging_face", "inspect_task", "jsonl", "parquet", "writers"]
