"""Gold: what stands in the way of a release, the answers that stand, releases and the bundles made of them."""

from app.pages.gold.page import GoldPage

__all__ = ["GoldPage"]
