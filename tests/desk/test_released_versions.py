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
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from sqlalchemy import Connection, inspect, text

from arrocco.cli.main import program
from arrocco.desk import Office
from arrocco.office.ledger import ReadingChosen
from arrocco.store import office_folder
from arrocco.store.sql import ledger, seals
from arrocco.store.sql import tables as t
from arrocco.store.sql.database import Database, sqlite_url
from arrocco.store.sql.migrate import HEAD, RELEASES, revision
from tests.databases import *  # noqa: F403 - fixtures
from tests.desk.offices import PASSWORD

CASES = Path(__file__).parents[1] / "cases" / "offices"
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


def without(found: dict[str, Any], *apart: str) -> dict[str, Any]:
    """What was found but some tables and their seals."""
    columns, rows = found["seals"]
    kept = [row for row in rows if row.split("'")[1] not in apart]
    rest = {name: value for name, value in found.items() if name not in apart}
    return rest | {"seals": (columns, kept)}


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
    assert {finding["key"] for listed in lists for finding in listed["findings"]} <= _IN_FORM_ONLY


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
    apart = ("office", "alembic_version")
    assert without(shape_and_rows(made), *apart) == without(forward, *apart)
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
    apart = ("office", "sessions", "login_failures", "drafts")  # what is no part of a backup
    assert without(ours, *apart) == without(theirs, *apart)


def append_reading(connection: Connection) -> None:
    chosen = ReadingChosen(
        law="rio",
        reading="rated_score",
        choice="as_played",
        from_list=date(2026, 12, 1),
        reason="test",
    )
    ledger.append(connection, datetime(2026, 11, 19, tzinfo=UTC), 1, chosen)


def make_committee(connection: Connection) -> None:
    seals.update(connection, t.accounts, t.accounts.c.id == 1, values={"role": "committee"})


def add_factor(connection: Connection) -> None:
    factor = {"account": 1, "kind": "totp", "name": "x", "secret": "x", "counter": 0}
    seals.insert(connection, t.second_factors, factor | {"created_at": "2026-11-19"})


@EACH
@BOTH
def test_what_going_back_would_lose_is_told_and_nothing_done(made: Path, version: str) -> None:
    run(made, "office", "migrate")
    for put, key, told in (
        (add_factor, "sql.refused.loses", "second_factors 1"),
        (append_reading, "desk.refused.unread_there", "reading_chosen 1"),
        (make_committee, "desk.refused.unread_there", "committee 1"),
    ):
        with closing(database_of(made)) as database, database.writing() as connection:
            put(connection)
        before = shape_and_rows(made)
        refused = run(made, "office", "migrate", "--to", version, status=1)
        assert refused["key"] == key
        assert told in refused["refused"]
        assert shape_and_rows(made) == before
    run(made, "office", "migrate", "--to", version, "--anyway")
    assert shape_and_rows(made)["revision"] == RELEASES[version]
    run(made, "office", "migrate")
    assert run(made, "office", "verify")["good"]


def test_lists_of_format_1_come_out_the_same_and_new_ones_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An office of FIDE lists, made before there was `highest_published`.

    It has a printed K that tells of 2400, a correction and a merger that takes 2400 along.
    """
    monkeypatch.setattr(os, "fsync", lambda _: None)
    folder = tmp_path / "office"
    with tarfile.open(CASES / "format-1.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    files = files_of(folder)
    with closing(Office.open(folder)) as office:
        found = office.lists.verify_all()
        assert len(found) == 3
        assert {finding.key for each in found for finding in each.findings} <= _IN_FORM_ONLY
        august, who = date(2025, 8, 1), "rating_administrator@example.org"
        boss = office.accounts.asker_of(office.accounts.log_in(who, PASSWORD, "192.0.2.1"))
        number = office.lists.enter_draft(boss, "fide", august)
        assert office.lists.run_draft(number).failure is None
        office.lists.publish(boss, number, before_closing=True)
        state = pq.read_table(office.lists.folder("fide", august) / "state.parquet")
        assert "highest_published" in state.column_names
        columns = (state[name].to_pylist() for name in ("id", "highest_published"))
        kept = dict(zip(*columns, strict=True))
        assert kept[99_000_109] == 2400, "all that the flag of the list before told"
        found = office.lists.verify_all()
        assert len(found) == 4
        assert {one.key for each in found for one in each.findings} <= _IN_FORM_ONLY
    assert {name: data for name, data in files_of(folder).items() if name in files} == files


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
