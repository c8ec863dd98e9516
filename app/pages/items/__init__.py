"""The Items page: the table of all items, what happened to one, and the way in for new ones."""

from app.pages.items.page import ItemsPage

__all__ = ["ItemsPage"]
