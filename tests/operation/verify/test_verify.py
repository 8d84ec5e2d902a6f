"""`office verify` looks at everything, names what is damaged by game and record, and goes on."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from arrocco.cli.main import program
from arrocco.live.anchors import AnchoredLog
from arrocco.live.journal import Record
from arrocco.live.opening import log_reader
from arrocco.live.sqlite_log import SqliteLog
from arrocco.operation import state_file
from arrocco.operation.verify import MAX_OF_A_KIND
from arrocco.operation.verify.hall import HallCheck
from arrocco.operation.verify.hall_logs import FileLogs
from arrocco.store.sql.database import Database, sqlite_url
from tests.databases import *  # noqa: F403
from tests.operation.verify.furnished import BOARDS, furnish, without_triggers


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


def damage(folder: Path, *, is_running: bool = False) -> list[dict[str, Any]]:
    """The errors that are found; their words are there in both languages.

    Every look finds the same and changes nothing, unless somebody writes meanwhile.
    """
    before = contents(folder)
    code, found = verified(folder)
    errors = [one for one in found["findings"] if one["severity"] == "error"]
    assert (code, found["good"]) == ((1, False) if errors else (0, True))
    for language in ("en", "it"):
        arguments = ["office", "verify", "--office", str(folder), "--lang", language]
        said = CliRunner().invoke(program, arguments)
        assert said.exit_code == code, said.output
        assert "Traceback" not in said.output
    if not is_running:
        assert verified(folder) == (code, found)
        assert contents(folder) == before
    return errors


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """All files but the index of a write-ahead log, which SQLite makes anew when it likes."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {
        str(path): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in paths
        if not path.name.endswith("-shm")
    }


def keys(errors: list[dict[str, Any]]) -> list[str]:
    return [error["key"] for error in errors]


def test_an_office_that_nobody_touched_is_whole(folder: Path) -> None:
    code, found = verified(folder)
    assert (code, found["good"], found["findings"]) == (0, True, [])
    assert (found["events"], found["games"]) == (2, 2 * BOARDS + 1)
    assert found["records"] > 500
    assert found["audited"] > 80
    assert found["entries"] == 7


def test_the_players_of_events_are_known_by_name(folder: Path) -> None:
    """Recordings are told by them."""
    with closing(FileLogs(folder / "hall.sqlite")) as logs:
        recorded = HallCheck(logs, "hall.sqlite").run(None).recordings
    players = recorded["open"].players
    assert len(players) == 2 * BOARDS
    assert all("," in name for name in players.values())


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
    missing = {error["details"]["stream"]: error["details"]["first"] for error in errors}
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
    named = {error["details"].get("stream") for error in errors}
    assert "verify.page" in keys(errors) or "verify.not_a_database" in keys(errors)
    assert len(named) > 1, "the games are named too"
    assert {one["file"] for one in errors} == {"hall.sqlite"}


@pytest.mark.parametrize("seed", range(4))
def test_damaged_pages_of_the_office(folder: Path, seed: int) -> None:
    garbage_pages(folder / "office.sqlite", 10, seed)
    errors = damage(folder)
    assert "office.sqlite" in {error["file"] for error in errors}
    assert not any(one["file"] == "hall.sqlite" for one in errors)


@pytest.mark.parametrize("name", ["office.sqlite", "hall.sqlite"])
def test_a_file_that_is_no_database_any_more(folder: Path, name: str) -> None:
    path = folder / name
    path.write_bytes(b"no more" + path.read_bytes()[7:])
    errors = damage(folder)
    assert ("verify.not_a_database", name) in {(error["key"], error["file"]) for error in errors}


def test_a_hall_that_is_gone(folder: Path) -> None:
    for path in folder.glob("hall.sqlite*"):
        path.unlink()
    assert keys(damage(folder)) == ["verify.hall_missing"]


def test_files_that_nobody_names_are_told_and_are_no_damage(folder: Path) -> None:
    (folder / "lists" / "fide" / "other").mkdir()
    (folder / "notes.txt").write_text("whose?")
    (folder / state_file.FILE).write_bytes(b'{"\xff')  # a running server's, and nobody's data
    assert state_file.read_state(folder) is None
    code, found = verified(folder)
    assert (code, found["good"]) == (0, True)
    assert {one["file"] for one in found["findings"]} == {"lists/fide/other", "notes.txt"}


def test_findings_are_capped_by_kind_and_the_last_one_counts_the_others(folder: Path) -> None:
    for number in range(MAX_OF_A_KIND + 7):
        (folder / f"notes-{number}.txt").write_text("whose?")
    _, found = verified(folder)
    assert {one["key"] for one in found["findings"]} == {"verify.unnamed_file"}
    assert [one["more"] for one in found["findings"]] == [0] * (MAX_OF_A_KIND - 1) + [7]


@pytest.mark.parametrize("name", ["office.sqlite", "hall.sqlite"])
def test_triggers_that_somebody_took_away(folder: Path, name: str) -> None:
    with closing(sqlite3.connect(folder / name)) as connection:
        connection.execute("DROP TRIGGER hall_log_no_delete")
    (error,) = damage(folder)
    assert (error["key"], error["file"]) == ("verify.unprotected", name)


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        (
            (
                "UPDATE history SET rating = rating + 1"
                " WHERE rating = (SELECT max(rating) FROM history)"
            ),
            "history",
        ),
        ("UPDATE tournaments SET federation = 'FRA' WHERE id = 1", "tournaments"),
        ("UPDATE reports SET status = 'accepted' WHERE id = 1", "reports"),
        ("UPDATE publications SET players = players + 1", "publications"),
        ("UPDATE hall_events SET name = 'Another' WHERE id = 'cup'", "hall_events"),
        ("DELETE FROM rated_tournaments", "rated_tournaments"),
    ],
)
def test_rows_that_contradict_what_they_were_made_of(
    folder: Path, statement: str, table: str
) -> None:
    assert without_triggers(folder / "office.sqlite", statement)
    errors = damage(folder)
    assert {(one["key"], one["details"]["table"]) for one in errors} == {("verify.row", table)}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("replays/1/asked.json", "replay"),
        ("replays/1/players.parquet", "replay"),
        ("replays/1/hashes.json", "replay"),
        ("last-backup.json", "backup_record"),
        ("last-backup-failed.json", "backup_record"),
    ],
)
def test_records_of_replays_and_backups(folder: Path, name: str, key: str) -> None:
    path = folder / name
    whole = path.read_bytes()
    for data in (whole.replace(b"1", b"2"), whole.replace(b"e", b"\xe1"), b"{"):
        path.write_bytes(data)
        errors = damage(folder)
        assert {error["key"] for error in errors} == {f"verify.{key}"}
        assert name in {one["file"] for one in errors}


def test_a_damaged_write_ahead_log(folder: Path, tmp_path: Path) -> None:
    """What SQLite passes over in silence: acknowledged records that are gone."""
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
    from arrocco.operation.verify.opening import verify_folder
    from arrocco.store.sql.database import Database

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
    named = {
        (finding.key, finding.details.get("stream"), finding.details.get("first"))
        for finding in verify_folder(folder, url).findings
    }
    assert named == {
        ("verify.unprotected", None, None),
        ("verify.audit_missing", None, 21),
        ("verify.record_missing", "game:open-1-2", 0),
        ("verify.record_rewritten", "game:cup-1-3", 9),
    }


@pytest.fixture(scope="module")
def older_hall(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hall's file as it was when half of the games had been played: whole in itself."""
    path = tmp_path_factory.mktemp("older") / "hall.sqlite"
    with closing(sqlite3.connect(original / "hall.sqlite")) as hall:
        ends = dict(hall.execute("SELECT chain, max(link) / 2 FROM hall_log GROUP BY chain"))
        records = hall.execute(
            "SELECT stream, number, body, chain, link FROM hall_log ORDER BY chain, link"
        ).fetchall()
    log = SqliteLog(path)
    log.append([Record(r[0], r[1], r[2].encode()) for r in records if r[4] <= ends[r[3]]])
    log.close()
    return path


def test_an_older_hall_put_back_whole_is_found(folder: Path, older_hall: Path) -> None:
    for path in folder.glob("hall.sqlite*"):
        path.unlink()
    shutil.copyfile(older_hall, folder / "hall.sqlite")
    errors = damage(folder)
    assert {error["key"] for error in errors} == {"verify.anchor"}
    assert {one["file"] for one in errors} == {"hall.sqlite"}
    told = " ".join(one["text"] for one in errors)
    assert "event open" in told
    assert "event cup" in told


def test_an_older_hall_that_was_played_on_in_is_found_too(folder: Path, older_hall: Path) -> None:
    for path in folder.glob("hall.sqlite*"):
        path.unlink()
    shutil.copyfile(older_hall, folder / "hall.sqlite")
    database = Database(sqlite_url(folder))
    reader = log_reader(folder, database)
    at = datetime(2025, 7, 1, tzinfo=UTC)
    log = AnchoredLog(SqliteLog(folder / "hall.sqlite"), reader, database, lambda: at, every=0.1)
    for number in range(1000):  # past what was anchored
        log.append([Record("receipts:cup-1-1", number, b'["1","m%d"]' % number)])
    log.append([Record("event:third", 0, b"{}")])
    log.close()
    database.close()
    errors = damage(folder)
    anchored = [error["text"] for error in errors if error["key"] == "verify.anchor"]
    assert [text.partition(":")[0] for text in anchored][-2:] == ["event cup", "event open"]


def test_a_hall_that_goes_on_meanwhile_gives_no_false_alarm(folder: Path) -> None:
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
            assert damage(folder, is_running=True) == []
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
