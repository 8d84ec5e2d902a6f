"""Every test here that asks for `database` runs on SQLite and on PostgreSQL."""

from tests.databases import *  # noqa: F403
