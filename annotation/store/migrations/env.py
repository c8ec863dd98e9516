"""Runs the migrations on the connection that ``schema.upgrade`` hands over."""

from alembic import context

from annotation.store.tables import Base

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=Base.metadata,
                  render_as_batch=connection.dialect.name == "sqlite", transactional_ddl=False)
context.run_migrations()
