"""Alembic's migrations of a project's schema; run by ``annotation.store.schema`` only."""
