"""`office verify` looks at everything, names what is damaged by game and record, and goes on."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from arrocco.cli.main import program
from tests.databases import *  # noqa: F403
from tests.wiring.verify.furnished import BOARDS, furnish, without_triggers


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnish(tmp_path_factory.mktemp("furnished") / "office")


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    """A copy to lay hands on."""
    return Path(shutil.copytree(original, tmp_path / "office"))


def verified(folder: Path) -> tuple[int, dict[str, Any]]:
    """The exit status and what was said, without a traceback."""
    result = CliRunner().invoke(program, ["office", "verify", "--office", str(folder), "--json"])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, json.loads(result.stdout)


def damage(folder: Path) -> list[dict[str, Any]]:
    """The errors that are found; their words are there in both languages."""
    with TemporaryDirectory() as beside:
        # SQLite may carry a write-ahead log over when it is opened: each looks at its own copy.
        copies = {
            language: shutil.copytree(folder, Path(beside) / language) for language in ("en", "it")
        }
        code, found = verified(folder)
        errors = [one for one in found["findings"] if one["severity"] == "error"]
        assert (code, found["good"]) == ((1, False) if errors else (0, True))
        for language, copy in copies.items():
            arguments = ["office", "verify", "--office", str(copy), "--lang", language]
            said = CliRunner().invoke(program, arguments)
            assert said.exit_code == code, said.output
            assert "Traceback" not in said.output
    return errors


def keys(errors: list[dict[str, Any]]) -> list[str]:
    return [one["key"] for one in errors]


def test_an_office_that_nobody_touched_is_whole(folder: Path) -> None:
    code, found = verified(folder)
    assert (code, found["good"], found["findings"]) == (0, True, [])
    assert (found["events"], found["games"]) == (2, 2 * BOARDS + 1)
    assert found["records"] > 500
    assert found["audited"] > 80
    assert found["entries"] == 4


def test_a_rewritten_move_is_named_by_game_and_record(folder: Path) -> None:
    touched = without_triggers(
        folder / "hall.sqlite",
        'UPDATE hall_log SET body = replace(body, \'"uci":"\', \'"uci":"a\')'
        " WHERE stream = 'game:open-1-3' AND number = 9",
    )
    assert touched == 1
    (error,) = damage(folder)
    assert error["key"] == "verify.record_rewritten"
    assert (error["details"]["stream"], error["details"]["first"]) == ("game:open-1-3", 9)
    assert "round 1, board 3 (game open-1-3): record 9" in error["text"]


def test_five_deleted_games_are_named_each(folder: Path) -> None:
    games = [f"open-1-{board}" for board in (1, 2, 3, 5, 8)]
    names = ", ".join(f"'game:{game}', 'receipts:{game}'" for game in games)
    assert without_triggers(
        folder / "hall.sqlite", f"DELETE FROM hall_log WHERE stream IN ({names})"
    )
    errors = damage(folder)
    assert set(keys(errors)) == {"verify.record_missing"}
    missing = {one["details"]["stream"]: one["details"]["first"] for one in errors}
    assert {f"game:{game}" for game in games} <= missing.keys()
    assert set(missing.values()) == {0}


def test_games_deleted_with_all_that_tells_of_their_ends(folder: Path) -> None:
    assert without_triggers(
        folder / "hall.sqlite",
        "DELETE FROM hall_log WHERE stream LIKE '%:open-1-3'",
        "DELETE FROM hall_heads WHERE stream LIKE '%:open-1-3'",
    )
    assert set(keys(damage(folder))) == {"verify.game_missing", "verify.chain_gap"}


def test_the_end_of_a_game_that_was_cut_off(folder: Path) -> None:
    assert without_triggers(
        folder / "hall.sqlite",
        "DELETE FROM hall_log WHERE stream = 'game:cup-1-8' AND number > 20",
    )
    errors = damage(folder)
    assert keys(errors) == ["verify.record_missing"]
    assert errors[0]["details"]["first"] == 21


def test_an_event_that_was_deleted_whole(folder: Path) -> None:
    assert without_triggers(folder / "hall.sqlite", "DELETE FROM hall_log WHERE chain = 'cup'")
    streams = {one["details"]["stream"] for one in damage(folder)}
    assert {"event:cup", "game:cup-1-1", f"game:cup-1-{BOARDS}"} <= streams


def test_a_record_that_was_sealed_anew_does_not_fit_its_neighbours(folder: Path) -> None:
    from arrocco.hall.chain import seal_of

    path = folder / "hall.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        row = connection.execute(
            "SELECT previous, chain, link, stream, number, body FROM hall_log"
            " WHERE stream = 'game:open-1-3' AND number = 9"
        ).fetchone()
    previous, chain, link, stream, number, written = row
    body = written.replace('"at":', '"at": ')
    digest = seal_of(previous, chain, link, stream, number, body)
    quoted = body.replace("'", "''")
    assert without_triggers(
        path,
        f"UPDATE hall_log SET body = '{quoted}', hash = '{digest}'"
        " WHERE stream = 'game:open-1-3' AND number = 9",
    )
    (error,) = damage(folder)
    assert error["key"] == "verify.record_out_of_order"


@pytest.mark.parametrize(
    ("which", "rows"), [("id BETWEEN 21 AND 70", (21, 70)), ("id > 40", (41, None))]
)
def test_fifty_deleted_rows_of_the_audit(
    folder: Path, which: str, rows: tuple[int, int | None]
) -> None:
    assert without_triggers(folder / "office.sqlite", f"DELETE FROM audit WHERE {which}") >= 50
    (error,) = damage(folder)
    assert error["key"] == "verify.audit_missing"
    assert error["details"]["first"] == rows[0]
    assert rows[1] is None or error["details"]["last"] == rows[1]


def test_a_rewritten_row_of_the_audit(folder: Path) -> None:
    statement = "UPDATE audit SET subject = 'thing:7' WHERE id = 33"
    assert without_triggers(folder / "office.sqlite", statement) == 1
    (error,) = damage(folder)
    assert (error["key"], error["details"]["first"]) == ("verify.audit_rewritten", 33)


def garbage_pages(path: Path, count: int, seed: int) -> None:
    """Overwrites pages of a file, any but the first, with noise."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    rng, data = Random(seed), bytearray(path.read_bytes())
    for page in rng.sample(range(1, len(data) // size), count):
        data[page * size : (page + 1) * size] = rng.randbytes(size)
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("seed", range(4))
def test_twenty_damaged_pages_of_the_hall(folder: Path, seed: int) -> None:
    garbage_pages(folder / "hall.sqlite", 20, seed)
    errors = damage(folder)
    named = {one["details"].get("stream") for one in errors}
    assert "verify.page" in keys(errors) or "verify.not_a_database" in keys(errors)
    assert len(named) > 1, "the games are named too"
    assert {one["file"] for one in errors} == {"hall.sqlite"}


@pytest.mark.parametrize("seed", range(4))
def test_damaged_pages_of_the_office(folder: Path, seed: int) -> None:
    garbage_pages(folder / "office.sqlite", 10, seed)
    errors = damage(folder)
    assert "office.sqlite" in {one["file"] for one in errors}
    assert not any(one["file"] == "hall.sqlite" for one in errors)


@pytest.mark.parametrize("name", ["office.sqlite", "hall.sqlite"])
def test_a_file_that_is_no_database_any_more(folder: Path, name: str) -> None:
    path = folder / name
    path.write_bytes(b"no more" + path.read_bytes()[7:])
    errors = damage(folder)
    assert ("verify.not_a_database", name) in {(one["key"], one["file"]) for one in errors}


def test_a_hall_that_is_gone(folder: Path) -> None:
    for path in folder.glob("hall.sqlite*"):
        path.unlink()
    assert keys(damage(folder)) == ["verify.hall_missing"]


def test_files_that_nobody_names_are_told_and_are_no_damage(folder: Path) -> None:
    (folder / "lists" / "fide" / "other").mkdir()
    (folder / "notes.txt").write_text("whose?")
    code, found = verified(folder)
    assert (code, found["good"]) == (0, True)
    assert {one["file"] for one in found["findings"]} == {"lists/fide/other", "notes.txt"}


@pytest.mark.parametrize("name", ["office.sqlite", "hall.sqlite"])
def test_triggers_that_somebody_took_away(folder: Path, name: str) -> None:
    with closing(sqlite3.connect(folder / name)) as connection:
        connection.execute("DROP TRIGGER hall_log_no_delete")
    (error,) = damage(folder)
    assert (error["key"], error["file"]) == ("verify.unprotected", name)


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("UPDATE history SET rating = rating + 1 WHERE rating = (SELECT max(rating) FROM history)",
         "history"),
        ("UPDATE tournaments SET federation = 'FRA' WHERE id = 1", "tournaments"),
        ("UPDATE reports SET status = 'accepted' WHERE id = 1", "reports"),
        ("UPDATE publications SET players = players + 1", "publications"),
        ("UPDATE hall_events SET name = 'Another' WHERE id = 'cup'", "hall_events"),
        ("DELETE FROM rated_tournaments", "rated_tournaments"),
    ],
)  # fmt: skip
def test_rows_that_contradict_what_they_were_made_of(
    folder: Path, statement: str, table: str
) -> None:
    assert without_triggers(folder / "office.sqlite", statement)
    errors = damage(folder)
    assert {(one["key"], one["details"]["table"]) for one in errors} == {("verify.row", table)}


def test_a_damaged_write_ahead_log(folder: Path, tmp_path: Path) -> None:
    """What SQLite passes over in silence: acknowledged records that are gone."""
    from arrocco.wiring.hall.journal import Record
    from arrocco.wiring.hall.sqlite_log import SqliteLog

    log = SqliteLog(folder / "hall.sqlite")
    body = b'["1","m%d"]'
    for number in range(4):
        log.append([Record("receipts:cup-1-1", number, body % number)])
    crashed = Path(shutil.copytree(folder, tmp_path / "crashed"))
    log.close()
    for path in crashed.glob("*-shm"):
        path.unlink()
    assert damage(crashed) == []
    wal = crashed / "hall.sqlite-wal"
    data = bytearray(wal.read_bytes())
    data[len(data) // 2] ^= 4
    wal.write_bytes(bytes(data))
    assert keys(damage(crashed)) == ["verify.wal"]


def test_an_office_on_postgresql(empty_url: Callable[[str], str], tmp_path: Path) -> None:
    from arrocco.store.sql.database import Database
    from arrocco.wiring.verify.opening import verify_folder

    url = empty_url("postgresql")
    folder = furnish(tmp_path / "office", url)
    found = verify_folder(folder, url)
    assert found.findings == ()
    assert (found.events, found.games) == (2, 2 * BOARDS + 1)
    database = Database(url)
    with database.writing() as connection:
        for table in ("hall_log", "audit"):
            connection.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER USER"))
        for statement in (
            "DELETE FROM audit WHERE id BETWEEN 21 AND 70",
            "DELETE FROM hall_log WHERE stream = 'game:open-1-2'",
            "UPDATE hall_log SET body = body || ' ' WHERE stream = 'game:cup-1-3' AND number = 9",
        ):
            assert connection.execute(text(statement)).rowcount
        connection.execute(text("ALTER TABLE audit ENABLE TRIGGER USER"))
    database.close()
    named = {(one.key, one.details.get("stream"), one.details.get("first"))
             for one in verify_folder(folder, url).findings}  # fmt: skip
    assert named == {
        ("verify.unprotected", None, None),
        ("verify.audit_missing", None, 21),
        ("verify.record_missing", "game:open-1-2", 0),
        ("verify.record_rewritten", "game:cup-1-3", 9),
    }


def test_a_hall_that_goes_on_meanwhile_gives_no_false_alarm(folder: Path) -> None:
    from threading import Event, Thread

    from arrocco.wiring.hall.journal import Record
    from arrocco.wiring.hall.sqlite_log import SqliteLog

    log, over, written = SqliteLog(folder / "hall.sqlite"), Event(), [0]

    def go_on() -> None:
        while not over.is_set():
            number = written[0]
            log.append(
                [
                    Record("receipts:cup-1-1", number, b'["1","m%d"]' % number),
                    Record("receipts:open-1-1", number, b'["1","m%d"]' % number),
                ]
            )
            written[0] += 1

    thread = Thread(target=go_on)
    thread.start()
    try:
        for _ in range(5):
            assert damage(folder) == []
    finally:
        over.set()
        thread.join()
        log.close()
    assert written[0] > 5


def test_the_last_backup_has_the_bytes_it_was_written_with(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "kept" / "one.zip"
    archive.parent.mkdir()
    arguments = ["office", "backup", str(archive), "--office", str(folder)]
    assert CliRunner().invoke(program, arguments).exit_code == 0
    assert damage(folder) == []
    archive.write_bytes(archive.read_bytes() + b" ")
    (error,) = damage(folder)
    assert (error["key"], error["file"]) == ("verify.backup_changed", str(archive))
