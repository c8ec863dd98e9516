"""Work: one item at a time to annotate, to verify or to sign."""

from app.pages.work.page import WorkPage

__all__ = ["WorkPage"]
