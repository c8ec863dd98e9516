"""The format "bundle": the gold bundle itself (docs/bundle.md)."""

from exports.bundle import write_bundle
from exports.writers.registry import writers

writers.add("bundle", write_bundle)
