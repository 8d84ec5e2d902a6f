"""A folder and a database that are not of one office refuse each other, and nothing is lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner

from arrocco.cli.main import program
from arrocco.desk import Office, passwords
from arrocco.errors import Inconsistent, Refusal
from arrocco.store import office_folder
from arrocco.store.backup import backup
from arrocco.store.restore import restore
from arrocco.store.sql.database import Database, DatabaseRefusal, sqlite_url
from arrocco.store.sql.migrate import RELEASES, migrate
from arrocco.words import LANGUAGES
from tests.desk.offices import (
    Clock,
    accepted,
    folder_bytes,
    people_of,
    published,
    report,
    write_opening,
)

MAY, JUNE, JULY = (date(2025, month, 1) for month in (5, 6, 7))
LOOKING = (
    ("office", "status"),
    ("office", "verify"),
    ("list", "verify", "--all"),
    ("office", "backup", "BACKUP"),
)
WRITING = (
    ("office", "invite", "a@example.org", "arbiter"),
    ("office", "init", "--email", "a@example.org"),
    ("office", "migrate"),
)


def key_of(said: dict[str, Any]) -> str:
    """Why a command refused; `office verify` names it among what it finds, and goes on."""
    refused = [one["key"] for one in said["findings"] if one["key"].startswith("desk.refused.")]
    return str(said.get("key") or refused[0])


def run(folder: Path, *args: str) -> tuple[int, dict[str, Any]]:
    named = [str(folder.parent / "made.zip") if arg == "BACKUP" else arg for arg in args]
    result = CliRunner().invoke(program, [*named, "--office", str(folder), "--json"])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, json.loads(result.stdout)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Clock]:
    """A folder with the office below and what is beside it, and when it was finished."""
    place, clock = tmp_path_factory.mktemp("made"), Clock()
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("ARROCCO_DATABASE", raising=False)
        patch.setattr(passwords, "_HASHER", PasswordHasher(1, 64, 1))
        with closing(Office.open(place / "office", now=clock)) as office:
            people = people_of(office)
            office.lists.import_list(
                people.administrator, "fide", MAY, write_opening(place / "fide.csv")
            )
            keep(place / "office", place / "may.sqlite")
            accepted(office, clock, people, report(1, date(2025, 5, 8)), ("fide",))
            published(office, people, "fide", JUNE)
            keep(place / "office", place / "june.sqlite")
            accepted(office, clock, people, report(2, date(2025, 6, 8)), ("fide",))
            published(office, people, "fide", JULY)
    return place, clock


@pytest.fixture
def furnished(
    made: tuple[Path, Clock], tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """An office with three lists; beside it, its database as it was after the first and second."""
    monkeypatch.delenv("ARROCCO_DATABASE", raising=False)
    place, finished = made
    shutil.copytree(place, tmp_path, dirs_exist_ok=True)
    clock.at = finished.at
    return tmp_path / "office"


def keep(folder: Path, target: Path) -> None:
    put_back(folder / "office.sqlite", target)


def put_back(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as older, closing(sqlite3.connect(target)) as database:
        older.backup(database)


def kept(folder: Path) -> dict[str, bytes]:
    """Everything an office holds that cannot be had again."""
    found = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for part in ("lists", "blobs")
        for path in sorted((folder / part).rglob("*"))
        if path.is_file()
    }
    assert len(found) > 20
    return found


@pytest.mark.parametrize("args", [*LOOKING, *WRITING])
@pytest.mark.parametrize("wrong", ["none", "empty", "older", "another's"])
def test_a_wrong_database_is_refused_and_every_list_stays(
    furnished: Path, monkeypatch: pytest.MonkeyPatch, wrong: str, args: tuple[str, ...]
) -> None:
    before, place = kept(furnished), furnished.parent
    url = f"sqlite:///{place / 'wrong.sqlite'}"
    if wrong == "empty":
        made = Database(url)
        migrate(made)
        made.close()
    elif wrong == "older":
        (place / "may.sqlite").rename(place / "wrong.sqlite")
    elif wrong == "another's":
        Office.open(place / "another", database=url).close()
    monkeypatch.setenv("ARROCCO_DATABASE", url)
    code, said = run(furnished, *args)
    assert code == 1, said
    keys = {"older": "unknown_lists", "another's": "other_office"}
    assert key_of(said) == f"desk.refused.{keys.get(wrong, 'empty_database')}"
    assert said.get("advice") or all(one["do"] for one in said["findings"])
    assert kept(furnished) == before
    assert not (place / "made.zip").exists()
    assert not (furnished / "set-aside").exists()
    if wrong == "none":
        assert not (place / "wrong.sqlite").exists(), "a database is not made either"
    monkeypatch.delenv("ARROCCO_DATABASE")
    assert run(furnished, "office", "verify")[0] == 0


def test_a_refusal_names_what_differs_in_both_languages(furnished: Path, tmp_path: Path) -> None:
    with pytest.raises(Inconsistent) as refused:
        Office.open(furnished, database=f"sqlite:///{tmp_path / 'may.sqlite'}")
    for language in LANGUAGES:
        message, advice = refused.value.said(language)
        assert "fide 2025-06-01" in message
        assert "fide 2025-07-01" in message
        assert "ARROCCO_DATABASE" in advice
        assert "set-aside" in advice
    url = f"sqlite:///{tmp_path / 'another.sqlite'}"
    Office.open(tmp_path / "another", database=url).close()
    with pytest.raises(Inconsistent) as refused:
        Office.open(furnished, database=url)
    message, _ = refused.value.said("en")
    for folder in (furnished, tmp_path / "another"):
        assert str(office_folder.read_id(folder)) in message


def test_an_office_in_postgresql_looked_at_without_its_address_loses_nothing(
    tmp_path: Path,
    empty_url: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
    furnished: Path,
) -> None:
    """What happened: `office status` without ARROCCO_DATABASE took every published list away."""
    database = Database(sqlite_url(furnished))
    backup(furnished, database, tmp_path / "office.zip")
    database.close()
    url = empty_url("postgresql")
    restore(tmp_path / "office.zip", tmp_path / "served", url)
    Office.open(tmp_path / "served", database=url).close()
    before = kept(tmp_path / "served")
    for args in (*LOOKING, *WRITING):
        code, said = run(tmp_path / "served", *args)
        assert (code, said["key"]) == (1, "desk.refused.empty_database")
    assert kept(tmp_path / "served") == before
    assert not (tmp_path / "served" / "office.sqlite").exists()
    monkeypatch.setenv("ARROCCO_DATABASE", url)
    for args in LOOKING:
        assert run(tmp_path / "served", *args)[0] == 0


def test_somebody_may_decide_to_go_on_with_an_older_database(furnished: Path) -> None:
    july = folder_bytes(furnished / "lists" / "fide" / "2025-07-01")
    put_back(furnished.parent / "june.sqlite", furnished / "office.sqlite")
    code, said = run(furnished, "office", "status")
    assert (code, said["key"]) == (1, "desk.refused.unknown_lists")
    code, said = run(furnished, "office", "set-aside")
    assert code == 0
    lists = [one for one in said["moved"] if one["reason"] == "unknown_list"]
    assert [listed["path"] for listed in lists] == ["lists/fide/2025-07-01"]
    assert folder_bytes(furnished / lists[0]["kept_in"]) == july
    code, said = run(furnished, "office", "status")
    assert (code, said["systems"][0]["latest"], said["set_aside"]) == (0, "2025-06-01", 1)
    assert run(furnished, "list", "verify", "--all")[0] == 0
    assert run(furnished, "office", "set-aside") == (0, {"moved": []})


def test_a_list_that_is_out_and_not_there_is_named(furnished: Path) -> None:
    shutil.move(furnished / "lists" / "fide" / "2025-06-01", furnished.parent / "june")
    for args in (*LOOKING, *WRITING):
        code, said = run(furnished, *args)
        assert (code, key_of(said)) == (1, "desk.refused.missing_lists")
        assert "fide 2025-06-01" in json.dumps(said)
    shutil.move(furnished.parent / "june", furnished / "lists" / "fide" / "2025-06-01")
    assert run(furnished, "office", "status")[0] == 0


def test_a_new_office_is_made_only_where_both_are_empty(
    furnished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    init = ("office", "init", "--email", "a@example.org")
    monkeypatch.setenv("ARROCCO_DATABASE", sqlite_url(furnished))
    code, said = run(tmp_path / "new", *init)
    assert (code, key_of(said)) == (1, "desk.refused.missing_lists")
    assert not (tmp_path / "new").exists()
    url = f"sqlite:///{tmp_path / 'accounts.sqlite'}"
    monkeypatch.setenv("ARROCCO_DATABASE", url)
    assert run(tmp_path / "first", *init)[0] == 0
    code, said = run(tmp_path / "second", *init)
    assert (code, said["key"]) == (1, "desk.refused.folder_is_none")
    assert not (tmp_path / "second").exists()


def test_an_office_whose_making_was_stopped_is_made(tmp_path: Path, clock: Clock) -> None:
    with closing(Office.open(tmp_path / "office", now=clock)):
        pass
    office_id = office_folder.read_id(tmp_path / "office")
    url = f"sqlite:///{(tmp_path / 'office' / 'office.sqlite').rename(tmp_path / 'x.sqlite')}"
    shutil.rmtree(tmp_path / "office")
    with closing(Office.open(tmp_path / "office", database=url, now=clock)):
        assert office_folder.read_id(tmp_path / "office") == office_id


def test_looking_changes_nothing(furnished: Path) -> None:
    (furnished / "lists" / "fide" / ".2025-08-01.abc.part").mkdir()
    shutil.rmtree(furnished / "views")

    def everything() -> dict[str, object]:
        return {
            path.relative_to(furnished).as_posix(): path.stat().st_mtime_ns
            for path in furnished.rglob("*")
            if not path.name.endswith(("-shm", "-wal"))  # readers of SQLite share these
        }

    before = everything()
    for args in LOOKING:
        assert run(furnished, *args)[0] == 0
    after = everything()
    for name in ("last-backup.json", ".backup.lock"):  # that a backup was made is written down
        after.pop(name)
    assert after == before


def test_looking_at_an_older_database_is_refused_and_says_what_to_do(furnished: Path) -> None:
    database = Database(sqlite_url(furnished))
    migrate(database, RELEASES["0.1.0"])
    database.close()
    for args in LOOKING:
        code, said = run(furnished, *args)
        assert (code, said["key"]) == (1, "sql.refused.older")
        assert "arrocco office migrate" in said["advice"]
    assert run(furnished, "office", "migrate")[0] == 0
    assert run(furnished, "office", "status")[0] == 0


def test_what_only_looks_cannot_write(furnished: Path) -> None:
    with closing(Office.open_to_read(furnished)) as office:
        with pytest.raises(DatabaseRefusal), office.desk.database.writing():
            pass
        with pytest.raises(Refusal):
            office.accounts.invite_first("a@example.org")


def test_everything_is_for_the_owner_alone_whatever_the_mask(
    tmp_path: Path, clock: Clock, furnished: Path
) -> None:
    def open_ones() -> list[Path]:
        return [
            path
            for path in (furnished, *furnished.rglob("*"))
            if stat.S_IMODE(path.stat().st_mode) & 0o077
        ]

    with closing(Office.open(furnished, now=clock)):
        assert {path.name for path in furnished.iterdir()} >= {"office.sqlite", "office.sqlite-wal"}
        assert open_ones() == []
    for path in (furnished, *furnished.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    _, said = run(furnished, "office", "status")
    assert said["open_to_others"] > 30
    code, verified = run(furnished, "office", "verify")
    assert code == 0, "a warning is no damage"
    assert [one["key"] for one in verified["findings"]] == ["desk.verify.open_to_others"]
    Office.open(furnished, now=clock).close()
    assert open_ones() == []
    assert run(furnished, "office", "status")[1]["open_to_others"] == 0


def test_a_backup_of_nothing_is_refused(tmp_path: Path) -> None:
    Office.open(tmp_path / "office").close()
    code, said = run(tmp_path / "office", "office", "backup", "BACKUP")
    assert (code, said["key"]) == (1, "store.backup.nothing")
    assert not (tmp_path / "made.zip").exists()


def test_a_backup_of_two_offices_is_refused(furnished: Path, tmp_path: Path) -> None:
    database = Database(sqlite_url(furnished))
    office_folder.write_id(furnished, office_folder.new_id())
    with pytest.raises(Inconsistent) as refused:
        backup(furnished, database, tmp_path / "office.zip")
    assert refused.value.key == "store.backup.other_office"
    assert not (tmp_path / "office.zip").exists()
    database.close()


def test_a_restored_office_keeps_its_id(furnished: Path, tmp_path: Path) -> None:
    assert run(furnished, "office", "backup", "BACKUP")[0] == 0
    assert run(tmp_path / "again", "office", "restore", str(tmp_path / "made.zip"))[0] == 0
    assert office_folder.read_id(tmp_path / "again") == office_folder.read_id(furnished)
    modes = {stat.S_IMODE(p.stat().st_mode) & 0o077 for p in (tmp_path / "again").rglob("*")}
    assert modes == {0}
