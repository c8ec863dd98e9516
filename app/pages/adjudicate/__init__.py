"""Adjudicate: the answers side by side, people hidden; one is taken, with a reason."""

from app.pages.adjudicate.page import AdjudicatePage

__all__ = ["AdjudicatePage"]
