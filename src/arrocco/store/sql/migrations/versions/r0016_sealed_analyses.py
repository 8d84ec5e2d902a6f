"""What an engine has said of games is sealed, by row and by position (12.1).

Positions that were analysed before have no hashes of their own; their rows are sealed as they are.
"""

from alembic import op
from sqlalchemy import Column, MetaData, Table, Text, text

from arrocco.store.sql.seals import seal_all

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column and seals the rows."""
    op.add_column("watched_games", Column("chain", Text(), nullable=False, server_default=""))
    connection = op.get_bind()
    seal_all(connection, Table("watched_games", MetaData(), autoload_with=connection))


def downgrade() -> None:
    """The analyses stay, without seals."""
    op.drop_column("watched_games", "chain")
    op.execute(text("DELETE FROM seals WHERE name = :name").bindparams(name="watched_games"))
