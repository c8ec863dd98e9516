"""Score: predictions against a bundle, beside baselines, per slice."""

from app.pages.score.page import ScorePage

__all__ = ["ScorePage"]
