"""Fresh databases for tests: SQLite in a file, PostgreSQL in a private cluster without a port.

Use the fixture `database` by importing it in a test module or a `conftest.py`:
``from tests.databases import *``. Each test gets an empty office, migrated, in both databases.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from arrocco.store.sql.database import Database
from arrocco.store.sql.migrate import migrate
from arrocco.store.sql.tables import metadata

__all__ = ["database", "database_url", "empty_url", "migrated_sqlite", "postgres", "sqlite_folder"]

TEMPLATE = "arrocco_template"
USER = "postgres"
_numbers = count(1)
_FROM_ONE_AGAIN = "SELECT setval(seqrelid, 1, false) FROM pg_sequence"
_SHAPE = (
    "SELECT attrelid, attname, atttypid FROM pg_attribute WHERE attrelid > 16383 ORDER BY 1, 2",
    "SELECT tgrelid, tgname, tgenabled FROM pg_trigger ORDER BY 1, 2",
    "SELECT conrelid, conname FROM pg_constraint ORDER BY 1, 2",
    "SELECT indexrelid FROM pg_index ORDER BY 1",
    "SELECT version_num FROM alembic_version",
)


class Cluster:
    """A PostgreSQL server of this test process alone, reached through a socket in its folder."""

    def __init__(self, folder: Path, binaries: Path) -> None:
        self.folder, self.binaries = folder, binaries
        self.data = folder / "data"
        self.clean: list[str] = []
        self.shape = ""

    def start(self) -> None:
        self._run("initdb", "-D", str(self.data), "-U", USER, "-A", "trust", "-E", "UTF8", "-N")
        self.launch()
        self.create(TEMPLATE, "template0")
        made = Database(self.url(TEMPLATE))
        migrate(made)
        made.close()

    def launch(self) -> None:
        """Starts the server, also once more after it was stopped."""
        settings = (
            f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off"
            " -c synchronous_commit=off -c full_page_writes=off -c max_connections=60"
            " -c shared_buffers=32MB"
        )
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.data), "-l", log, "-w", "-o", settings, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-m", "immediate", "-w", "stop")

    def url(self, name: str) -> str:
        return f"postgresql+psycopg://{USER}@/{name}?host={self.folder}"

    def lend(self) -> str:
        """The name of a database with all tables and nothing in them.

        One that a test gave back as it got it serves the next: to make one takes long.
        """
        if not self.clean:
            self.clean.append(f"test_{next(_numbers)}")
            self.create(self.clean[-1], TEMPLATE)
            self.shape = self.shape or self._shape(self.clean[-1])
        return self.clean.pop()

    def take_back(self, name: str) -> None:
        """Empties a database for the next test; one whose tables a test has changed is dropped."""
        engine = create_engine(self.url(name))
        try:
            with engine.begin() as connection:
                connection.execute(text("SET LOCAL lock_timeout = '2s'"))
                connection.execute(text("SET LOCAL session_replication_role = replica"))
                for table in metadata.sorted_tables:  # for few rows faster than TRUNCATE
                    connection.execute(table.delete())
                connection.execute(text(_FROM_ONE_AGAIN))
            is_clean = self._shape(name) == self.shape
        except DBAPIError:
            is_clean = False
        engine.dispose()
        if is_clean:
            self.clean.append(name)
        else:
            self.drop(name)

    def _shape(self, name: str) -> str:
        """The columns, triggers and revision of a database in one text."""
        engine = create_engine(self.url(name))
        try:
            with engine.connect() as connection:
                return str([connection.execute(text(question)).all() for question in _SHAPE])
        finally:
            engine.dispose()

    def create(self, name: str, template: str) -> None:
        self.administer(f"CREATE DATABASE {name} TEMPLATE {template}")

    def drop(self, name: str) -> None:
        self.administer(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def administer(self, statement: str) -> None:
        """Has something done that is not of one database alone."""
        engine = create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(statement))
        engine.dispose()

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.binaries / program), *arguments]
        if os.geteuid() == 0:  # the server refuses to be run by root
            command = ["runuser", "-u", USER, "--", *command]
        done = subprocess.run(
            command,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stdout.strip()[-500:]}")


def _in_memory() -> Path | None:
    """A folder in memory, where there is one with room: nothing is waited for on a disk."""
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK):
        return memory if shutil.disk_usage(memory).free > 1 << 30 else None
    return None


def _binaries() -> Path | None:
    """Where the server is: the newest one installed, or the one on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[4]))
    there = found[-1] if found else shutil.which("initdb")
    return Path(there).parent if there else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """The server; under several test processes each has its own."""
    with cluster() as started:
        yield started


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A server for whoever needs one alone, to stop it."""
    binaries = _binaries()
    if binaries is None:
        pytest.skip("NOT TESTED ON POSTGRESQL: there is no initdb here; install postgresql")
    # Not below pytest's own folder: that one is closed to the user the server runs as, and the
    # path of a socket must be short.
    folder = Path(tempfile.mkdtemp(prefix="arrocco-pg-", dir=_in_memory()))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, USER)
        made = Cluster(folder, binaries)
        try:
            made.start()
        except (RuntimeError, OSError, LookupError, subprocess.SubprocessError) as error:
            pytest.skip(f"NOT TESTED ON POSTGRESQL: the server does not start: {error}")
        try:
            yield made
        finally:
            made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def sqlite_folder() -> Iterator[Path]:
    """Where the SQLite files of the tests are."""
    with tempfile.TemporaryDirectory(prefix="arrocco-sqlite-", dir=_in_memory()) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def migrated_sqlite(sqlite_folder: Path) -> Path:
    """A SQLite file to copy: the migrations run once for all tests."""
    path = sqlite_folder / "template.sqlite"
    made = Database(f"sqlite:///{path}")
    migrate(made)
    made.close()
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a database with all tables and nothing in them."""
    if request.param == "sqlite":
        migrated: Path = request.getfixturevalue("migrated_sqlite")
        copied = migrated.with_name(f"test_{next(_numbers)}.sqlite")
        shutil.copyfile(migrated, copied)
        yield f"sqlite:///{copied}"
        _remove_sqlite(copied)
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    name = cluster.lend()
    yield cluster.url(name)
    cluster.take_back(name)


def _remove_sqlite(file: Path) -> None:
    for path in file.parent.glob(f"{file.name}*"):
        path.unlink()


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A database with all tables and nothing in them."""
    opened = Database(database_url)
    yield opened
    opened.close()


@pytest.fixture
def empty_url(
    request: pytest.FixtureRequest, sqlite_folder: Path
) -> Iterator[Callable[[str], str]]:
    """Makes databases without any table: ``empty_url("sqlite")``, ``empty_url("postgresql")``."""
    made: list[str] = []

    def make(kind: str) -> str:
        name = f"empty_{next(_numbers)}"
        if kind == "sqlite":
            return f"sqlite:///{sqlite_folder / name}.sqlite"
        cluster: Cluster = request.getfixturevalue("postgres")
        made.append(name)
        cluster.create(name, "template0")
        return cluster.url(name)

    yield make
    for name in made:
        request.getfixturevalue("postgres").drop(name)
