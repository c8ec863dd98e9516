"""One file a format: ``write(session, out, version=.., private=..) -> Written``; importing this registers them all."""

from exports.writers import bundle
from exports.writers.registry import writers

__all__ = ["bundle", "writers"]
