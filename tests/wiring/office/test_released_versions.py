"""Offices made by each released version: forward, back and forward again, with nothing lost.

`tests/cases/offices` has what each version has left: its folder (``.tar.xz``) and a backup that it
made (``.zip``). A new release adds its own, made by the program of that version.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import inspect, text

from arrocco.cli.main import program
from arrocco.store import office_folder
from arrocco.store.sql.database import Database, sqlite_url
from arrocco.store.sql.migrate import HEAD, RELEASES, revision
from arrocco.wiring.office import Office
from tests.databases import *  # noqa: F403 - fixtures

CASES = Path(__file__).parents[2] / "cases" / "offices"
BOTH = pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
EACH = pytest.mark.parametrize("version", RELEASES)
_IN_FORM_ONLY = {"desk.verify.differs_in_form"}
"""What a later Parquet library writes otherwise, with the same rows."""


def run(folder: Path, *args: str, status: int = 0) -> dict[str, Any]:
    result = CliRunner().invoke(program, [*args, "--office", str(folder), "--json"])
    assert result.exit_code == status, (result.output, result.exception)
    return dict(json.loads(result.stdout))


@pytest.fixture
def made(
    tmp_path: Path,
    kind: str,
    version: str,
    empty_url: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """The office of a version, as it was left; in PostgreSQL it comes from the version's backup."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.delenv("ARROCCO_DATABASE", raising=False)
    folder = tmp_path / "office"
    if kind == "sqlite":
        with tarfile.open(CASES / f"office-{version}.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        return folder
    monkeypatch.setenv("ARROCCO_DATABASE", empty_url(kind))
    run(folder, "office", "restore", str(CASES / f"office-{version}.zip"))
    run(folder, "office", "migrate", "--to", version)  # as it was while that version ran
    (folder / "office-id").unlink()
    return folder


def database_of(folder: Path) -> Database:
    return Database(os.environ.get("ARROCCO_DATABASE") or sqlite_url(folder))


def shape_and_rows(folder: Path) -> dict[str, Any]:
    """Every table with its columns and rows, the hall's own file as well."""
    found: dict[str, Any] = {}
    database = database_of(folder)
    with closing(database), database.reading() as connection:
        found["revision"] = revision(connection)
        for table in sorted(inspect(connection).get_table_names()):
            columns = [column["name"] for column in inspect(connection).get_columns(table)]
            names = ", ".join(f'"{name}"' for name in columns)
            rows = connection.execute(text(f'SELECT {names} FROM "{table}"')).all()
            found[table] = columns, sorted(map(repr, rows))
    hall = folder / "hall.sqlite"
    if hall.exists():
        with closing(sqlite3.connect(hall)) as logs:
            cursor = logs.execute("SELECT * FROM hall_log ORDER BY stream, number")
            found["hall"] = [column[0] for column in cursor.description], cursor.fetchall()
            tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            found["hall tables"] = logs.execute(tables).fetchall()
    return found


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for part in ("lists", "blobs")
        for path in sorted((folder / part).rglob("*"))
        if path.is_file()
    }


def require_whole(folder: Path) -> None:
    """Everything is as that version published it, and every list comes out the same again."""
    assert run(folder, "office", "verify")["good"]
    result = CliRunner().invoke(
        program, ["list", "verify", "--all", "--office", str(folder), "--json"]
    )
    lists = json.loads(result.stdout)["lists"]
    assert len(lists) == 2
    assert {finding["key"] for one in lists for finding in one["findings"]} <= _IN_FORM_ONLY


@EACH
@BOTH
def test_an_office_goes_forward_back_and_forward_again(made: Path, version: str) -> None:
    before, files = shape_and_rows(made), files_of(made)
    assert before["revision"] == RELEASES[version]
    assert len(files) == 19
    log = "hall" if "hall" in before else "hall_log"
    assert len(before[log][1]) == 809, "the hall's logs are part of it"
    refused = run(made, "office", "status", status=1)
    assert refused["key"] == "sql.refused.older"
    assert shape_and_rows(made) == before

    moved = run(made, "office", "migrate")
    assert moved == {"before": RELEASES[version], "after": HEAD}
    forward = shape_and_rows(made)
    assert forward["revision"] == HEAD
    require_whole(made)
    assert files_of(made) == files
    office = office_folder.read_id(made)

    moved = run(made, "office", "migrate", "--to", version)
    assert moved == {"before": HEAD, "after": RELEASES[version]}
    assert shape_and_rows(made) == before, "as if nothing had happened"
    assert files_of(made) == files

    run(made, "office", "migrate")
    again = shape_and_rows(made)
    for name in ("office", "alembic_version"):
        again.pop(name), forward.pop(name)
    assert again == forward
    assert office_folder.read_id(made) == office, "the folder has kept the id"
    require_whole(made)


@EACH
@BOTH
def test_starting_the_new_program_is_enough(made: Path, version: str) -> None:
    files = files_of(made)
    Office.open(made).close()
    require_whole(made)
    assert files_of(made) == files
    assert not made.stat().st_mode & 0o077
    assert run(made, "office", "status")["open_to_others"] == 0


@EACH
@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_backup_of_that_version_is_the_same_office(
    made: Path, version: str, tmp_path: Path
) -> None:
    run(made, "office", "migrate")
    run(tmp_path / "restored", "office", "restore", str(CASES / f"office-{version}.zip"))
    require_whole(tmp_path / "restored")
    assert files_of(tmp_path / "restored") == files_of(made)
    ours, theirs = shape_and_rows(made), shape_and_rows(tmp_path / "restored")
    apart = {"office", "sessions", "login_failures", "drafts"}  # what is no part of a backup
    for name in ours.keys() - apart:
        assert ours[name] == theirs[name], name


def test_a_program_of_an_unknown_version_is_refused(tmp_path: Path) -> None:
    version = next(iter(RELEASES))
    with tarfile.open(CASES / f"office-{version}.tar.xz") as archive:
        archive.extractall(tmp_path / "office", filter="data")
    for wanted in ("9.9.9", "9999", "x"):
        refused = run(tmp_path / "office", "office", "migrate", "--to", wanted, status=1)
        assert refused["key"] == "desk.refused.no_version"
        assert version in refused["advice"]
    shutil.rmtree(tmp_path / "office")
    refused = run(tmp_path / "office", "office", "migrate", status=1)
    assert refused["key"] == "desk.refused.not_an_office"
