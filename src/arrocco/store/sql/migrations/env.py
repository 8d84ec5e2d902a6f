"""Runs migrations on the connection that `arrocco.store.sql.migrate` hands over."""

from alembic import context

from arrocco.store.sql.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    compare_type=True,
    transactional_ddl=True,  # so it is in SQLite too, where transactions begin by our word
)
with context.begin_transaction():
    context.run_migrations()
