"""The format "bundle": the gold bundle itself (docs/bundle.md)."""

from exports.writers.registry import BundleFormat, writers

writers.add("bundle", BundleFormat())
