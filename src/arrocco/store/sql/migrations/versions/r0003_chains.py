"""The hall's logs and the audit are chained by hashes, and the ends of all chains are kept.

What is there already is chained in the order of its keys: the audit by number, the records of an
event by stream and number.
"""

from itertools import islice
from typing import Any

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    bindparam,
    insert,
    select,
    update,
)

from arrocco.hall.chain import Head, seal
from arrocco.store.sql.audit import FIRST_HASH, SEALED, chained
from arrocco.store.sql.migrations.written_once import protect, unprotect

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_STREAM = String(64, collation="C").with_variant(String(64), "sqlite")
_KEYS = {"audit": "id", "hall_log": "stream, number"}
_ADDED: dict[str, dict[str, Any]] = {
    "audit": {"previous": String(64), "hash": String(64)},
    "hall_log": {"chain": _STREAM, "link": Integer(), "previous": String(64), "hash": String(64)},
}
_AT_ONCE = 2000


def upgrade() -> None:
    """Adds the columns, chains what is there and keeps where the chains end."""
    op.create_table(
        "chain_heads",
        Column("name", String(20), nullable=False),
        Column("number", BigInteger(), nullable=False),
        Column("hash", String(64), nullable=False),
        PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "hall_heads",
        Column("stream", _STREAM, nullable=False),
        Column("number", Integer(), nullable=False),
        Column("chain", _STREAM, nullable=False),
        Column("link", Integer(), nullable=False),
        Column("hash", String(64), nullable=False),
        PrimaryKeyConstraint("stream"),
    )
    for table, columns in _ADDED.items():
        unprotect(table)
        with op.batch_alter_table(table) as changed:
            for name, kind in columns.items():
                changed.add_column(Column(name, kind, nullable=True))
    connection = op.get_bind()
    _chain_audit(connection)
    _chain_hall(connection)
    _keep_end_of_ledger(connection)
    for table, columns in _ADDED.items():
        with op.batch_alter_table(table) as changed:
            for name, kind in columns.items():
                changed.alter_column(name, existing_type=kind, nullable=False)
            if table == "hall_log":
                changed.create_unique_constraint("hall_log_by_chain", ["chain", "link"])
        protect(table, _KEYS[table])


def downgrade() -> None:
    """Takes the chains away; what they were made of stays."""
    for table, columns in _ADDED.items():
        unprotect(table)
        with op.batch_alter_table(table) as changed:
            if table == "hall_log":
                changed.drop_constraint("hall_log_by_chain", type_="unique")
            for name in columns:
                changed.drop_column(name)
        protect(table, _KEYS[table])
    op.drop_table("hall_heads")
    op.drop_table("chain_heads")


def _chain_audit(connection: Connection) -> None:
    audit = _table(connection, "audit")
    change = (
        update(audit)
        .where(audit.c.id == bindparam("row"))
        .values(previous=bindparam("before"), hash=bindparam("sealed"))
    )
    number, previous = 0, FIRST_HASH
    while True:
        query = select(*(audit.c[name] for name in SEALED)).where(audit.c.id > number)
        rows = connection.execute(query.order_by(audit.c.id).limit(_AT_ONCE)).all()
        if not rows:
            break
        changes: list[dict[str, Any]] = []
        for row in rows:
            number = row.id
            digest = chained(list(row), previous)
            changes.append({"row": number, "before": previous, "sealed": digest})
            previous = digest
        connection.execute(change, changes)
    if number:
        _keep_end(connection, "audit", number, previous)


def _chain_hall(connection: Connection) -> None:
    log = _table(connection, "hall_log")
    change = (
        update(log)
        .where(log.c.stream == bindparam("of"), log.c.number == bindparam("at"))
        .values(
            chain=bindparam("in_chain"),
            link=bindparam("place"),
            previous=bindparam("before"),
            hash=bindparam("sealed"),
        )
    )
    heads: dict[str, Head] = {}
    last: dict[str, dict[str, Any]] = {}
    query = select(log.c.stream, log.c.number, log.c.body).order_by(log.c.stream, log.c.number)
    # All at once: what is changed while it is read may be read twice.
    rows = iter(connection.execute(query).all())
    while part := list(islice(rows, _AT_ONCE)):
        sealed, ends = seal(((row.stream, row.number, row.body) for row in part), heads.get)
        heads |= ends
        connection.execute(
            change,
            [
                {
                    "of": row.stream,
                    "at": row.number,
                    "in_chain": row.chain,
                    "place": row.link,
                    "before": row.previous,
                    "sealed": row.hash,
                }
                for row in sealed
            ],
        )
        for one in sealed:
            last[one.stream] = {
                "stream": one.stream,
                "number": one.number,
                "chain": one.chain,
                "link": one.link,
                "hash": one.hash,
            }
    if last:
        connection.execute(insert(_table(connection, "hall_heads")), list(last.values()))


def _keep_end_of_ledger(connection: Connection) -> None:
    ledger = _table(connection, "ledger")
    query = select(ledger.c.seq, ledger.c.hash).order_by(ledger.c.seq.desc()).limit(1)
    row = connection.execute(query).one_or_none()
    if row is not None:
        _keep_end(connection, "ledger", row.seq, row.hash)


def _keep_end(connection: Connection, name: str, number: int, digest: str) -> None:
    heads = _table(connection, "chain_heads")
    connection.execute(insert(heads).values(name=name, number=number, hash=digest))


def _table(connection: Connection, name: str) -> Table:
    return Table(name, MetaData(), autoload_with=connection)
