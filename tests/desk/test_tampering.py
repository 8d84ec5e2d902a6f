"""Whoever changes a report, a list or the ledger behind the office's back is found out."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner
from sqlalchemy import text

from arrocco.cli.main import program
from arrocco.desk import Office, passwords
from arrocco.errors import Inconsistent
from arrocco.operation.verify import verify_office
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


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An office with three lists of FIDE, closed."""
    folder = tmp_path_factory.mktemp("original")
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", PasswordHasher(1, 64, 1))
        office = Office.open(folder / "office", now=clock)
        people = people_of(office)
        boss = people.administrator
        office.lists.import_list(boss, "fide", MAY, write_opening(folder / "fide.csv"))
        accepted(office, clock, people, report(1, date(2025, 5, 8)), ("fide",))
        published(office, people, "fide", JUNE)
        accepted(office, clock, people, report(2, date(2025, 6, 8)), ("fide",))
        published(office, people, "fide", JULY)
        office.close()
    return folder / "office"


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    """A copy of it to lay hands on."""
    return Path(shutil.copytree(original, tmp_path / "office"))


def verdicts(folder: Path) -> dict[date, set[str]]:
    """By list: the keys of what verification finds."""
    office = Office.open(folder)
    try:
        return {
            one.list_date: {finding.key.removeprefix("desk.verify.") for finding in one.findings}
            for one in office.lists.verify_all()
        }
    finally:
        office.close()


def append_a_byte(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def sql(folder: Path, *statements: str) -> None:
    """Changes the database as somebody with its file could; the triggers are in the way first."""
    office = Office.open(folder)
    with office.desk.database.writing() as connection:
        triggers = connection.execute(text("SELECT name FROM sqlite_master WHERE type='trigger'"))
        for name in triggers.scalars().all():
            connection.execute(text(f"DROP TRIGGER {name}"))
        for statement in statements:
            assert connection.execute(text(statement)).rowcount == 1, statement
    office.close()


def test_an_office_that_nobody_touched_is_good(folder: Path) -> None:
    assert verdicts(folder) == {MAY: set(), JUNE: set(), JULY: set()}


@pytest.mark.parametrize("name", ["list.txt", "list.parquet", "state.parquet", "summary.json"])
def test_a_changed_file_of_a_list(folder: Path, name: str) -> None:
    path = folder / "lists" / "fide" / "2025-06-01" / name
    append_a_byte(path)
    found = verdicts(folder)
    assert found[MAY] == set()
    assert "changed" in found[JUNE]
    assert "changed" in found[JULY], "the list that opened its period is another"


def test_a_file_too_few_and_one_too_many(folder: Path) -> None:
    june = folder / "lists" / "fide" / "2025-06-01"
    (june / "list.csv").unlink()
    (june / "list.pdf").write_bytes(b"%PDF")
    assert verdicts(folder)[JUNE] == {"missing", "extra"}


def test_a_list_exchanged_for_another_with_its_hashes_in_the_ledger(folder: Path) -> None:
    """Even who could seal the ledger anew would have to change the reports as well."""
    from arrocco.desk.folders import hashes
    from arrocco.office.ledger import FIRST_HASH, ListPublished, chained, encoded
    from arrocco.store.sql import ledger

    june = folder / "lists" / "fide" / "2025-06-01"
    text_file = june / "list.txt"
    text_file.write_bytes(text_file.read_bytes().replace(b"2168", b"2468"))
    office = Office.open(folder)
    with office.desk.database.reading() as connection:
        entries = list(ledger.read(connection))
    office.close()
    statements, previous = [], FIRST_HASH
    for one in entries:
        entry = one.entry
        if isinstance(entry, ListPublished) and entry.list_date == JUNE:
            entry.files.update(hashes(june))
        sealed = chained(one.seq, one.at, one.by, entry, previous)
        body = encoded(entry).decode().replace("'", "''").replace(":", r"\:")
        statements.append(
            f"UPDATE ledger SET body='{body}', previous='{previous}', hash='{sealed}' "
            f"WHERE seq={one.seq}"
        )
        previous = sealed
    statements.append(f"UPDATE chain_heads SET hash='{previous}' WHERE name='ledger'")
    sql(folder, *statements)
    found = verdicts(folder)
    assert found[JUNE] == {"differs"}


def test_a_changed_report(folder: Path) -> None:
    office = Office.open(folder)
    (blob,) = [
        name for name in office.desk.blobs.all() if b"Torneo Finto 1" in office.desk.blobs.get(name)
    ]
    path = office.desk.blobs.path(blob)
    office.close()
    data = path.read_bytes()
    path.write_bytes(data.replace(b"Torneo Finto 1", b"Torneo Finto 7"))
    found = verdicts(folder)
    assert found == {MAY: set(), JUNE: {"refused"}, JULY: set()}
    path.unlink()
    assert verdicts(folder)[JUNE] == {"refused"}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger SET body=replace(body, '2025-06-01', '2025-06-02') WHERE seq=4",
        'UPDATE ledger SET "by"="by"+1 WHERE seq=3',
        "UPDATE ledger SET hash=replace(hash, substr(hash, 1, 4), 'zzzz') WHERE seq=5",
        "DELETE FROM ledger WHERE seq=4",
    ],
)
def test_a_changed_row_of_the_ledger(folder: Path, statement: str) -> None:
    sql(folder, statement)
    assert set(map(frozenset, verdicts(folder).values())) == {frozenset({"chain"})}


# --- from the command line ------------------------------------------------------------------------


def run(*args: object) -> tuple[int, dict[str, object]]:
    result = CliRunner().invoke(program, [str(arg) for arg in (*args, "--json")])
    return result.exit_code, json.loads(result.stdout)


def test_the_commands_tell_and_exit_accordingly(folder: Path) -> None:
    assert run("list", "verify", "fide", "2025-06-01", "--office", folder)[0] == 0
    code, found = run("office", "verify", "--office", folder)
    assert (code, found["good"], found["entries"]) == (0, True, 9)
    append_a_byte(folder / "lists" / "fide" / "2025-06-01" / "list.xml")
    assert run("list", "verify", "--all", "--office", folder)[0] == 1
    code, found = run("office", "verify", "--office", folder)
    assert (code, found["good"]) == (1, False)
    assert run("list", "verify", "fide", "2024-01-01", "--office", folder)[0] == 1
    assert CliRunner().invoke(program, ["list", "verify", "fide"]).exit_code == 2


def test_a_backup_gives_the_same_office_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARROCCO_DATABASE", raising=False)
    archive, restored = tmp_path / "backup.zip", tmp_path / "restored"
    assert run("office", "backup", archive, "--office", folder)[0] == 0
    assert run("office", "restore", archive, "--office", restored)[0] == 0
    assert verdicts(restored) == {MAY: set(), JUNE: set(), JULY: set()}
    for day in ("2025-05-01", "2025-06-01", "2025-07-01"):
        kept = folder_bytes(folder / "lists" / "fide" / day)
        assert folder_bytes(restored / "lists" / "fide" / day) == kept
    _, before = run("office", "status", "--office", folder)
    _, after = run("office", "status", "--office", restored)
    for name in ("folder", "database", "last_backup", "alarms"):
        assert after.pop(name) != before.pop(name)
    assert after == before


def test_a_folder_that_is_no_office_is_left_alone(tmp_path: Path) -> None:
    code, found = run("office", "status", "--office", tmp_path / "nothing")
    assert (code, found["key"]) == (1, "desk.refused.not_an_office")
    assert not (tmp_path / "nothing").exists()
    with pytest.raises(Inconsistent):
        Office.open(tmp_path, create=False)


def test_soundness_finds_a_lost_report(folder: Path) -> None:
    office = Office.open(folder)
    blob = next(iter(office.desk.blobs.all()))
    office.desk.blobs.path(blob).unlink()
    found = verify_office(office.folder, office.desk.database)
    office.close()
    assert [finding.key for finding in found.findings] == ["store.refused.blob_missing"]
