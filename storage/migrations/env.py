"""What Alembic runs for each command: the connection comes from `storage.schema`, the tables from `storage.tables`."""

from __future__ import annotations

from alembic import context

from storage.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite can alter little: batch mode copies the table
    transactional_ddl=True,
    transaction_per_migration=False,
)
context.run_migrations()
