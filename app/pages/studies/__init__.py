"""The page Studies: design, sittings and results of timed human studies."""

from app.pages.studies.page import StudiesPage

__all__ = ["StudiesPage"]
