"""Many rows at once by PostgreSQL's COPY, with the same exceptions as any other statement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError


def copy_rows(
    connection: Connection, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> int:
    """Writes rows, given in the order of `columns`; how many. Only PostgreSQL can do this."""
    import psycopg

    quoted = ", ".join(f'"{column}"' for column in columns)
    statement = f'COPY "{table}" ({quoted}) FROM STDIN'
    driver: Any = connection.connection
    count = 0
    try:
        with driver.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
                count += 1
    except psycopg.Error as error:
        raise DBAPIError.instance(statement, None, error, psycopg.Error) from error
    return count
