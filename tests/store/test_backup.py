"""A backup holds all of an office, whatever database it lives in, and every damage is noticed."""

from __future__ import annotations

import hashlib
import json
import stat
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest
from msgspec.structs import replace

import arrocco
from arrocco.errors import Inconsistent, Malformed, Refusal
from arrocco.live.journal import Record
from arrocco.live.sqlite_log import SqliteLog
from arrocco.office.ledger import ListImported, ListPublished, ReportAccepted
from arrocco.office.records import DraftStatus
from arrocco.operation.verify.seals import check_seals
from arrocco.records.report import Facts
from arrocco.store import hall_file, office_folder
from arrocco.store.backup import MANIFEST, backup
from arrocco.store.backup_rows import LEFT_OUT, kept_tables, lines_of
from arrocco.store.blobs import Blobs
from arrocco.store.restore import check, restore
from arrocco.store.sql import (
    accounts,
    assignments,
    audit,
    devices,
    drafts,
    hall_events,
    hall_log,
    history,
    ledger,
    office_id,
    publications,
    rated_tournaments,
    refusal_counts,
    sessions,
    throttle,
)
from arrocco.store.sql.database import Database, DatabaseRefusal, sqlite_url
from arrocco.store.sql.migrate import migrate
from arrocco.store.sql.named_blobs import NAMED_BY
from arrocco.words import LANGUAGES
from tests.databases import *  # noqa: F403
from tests.store.sql.people import HOUR, LIST, NOW, a_report, a_tournament, an_account, an_entry

OFFICE = "0123456789abcdef" * 2
KINDS = ("sqlite", "postgresql")
FILES = {"list.parquet": b"PAR1" + bytes(5000), "list.txt": "così\n".encode() * 100}


def furnish(folder: Path, database: Database) -> None:
    """An office with something in every table."""
    blobs = Blobs(folder / "blobs")
    report_blob, import_blob = blobs.put(b"a report"), blobs.put(b"a list from elsewhere")
    blobs.put(b"nobody names this")
    listed = folder / "lists" / "fide" / LIST.isoformat()
    listed.mkdir(parents=True)
    for name, data in FILES.items():
        (listed / name).write_bytes(data)
    (folder / "lists" / "fide" / "2026-05-01").mkdir()  # not published: no row names it
    (folder / "lists" / "fide" / "2026-05-01" / "list.txt").write_text("not out")
    (folder / "lists" / "uisp").mkdir()
    (folder / "lists" / "uisp" / f"{LIST}.csv").write_text("id,name,rating\n")
    office_folder.write_id(folder, OFFICE)
    with database.writing() as connection:
        office_id.put(connection, OFFICE, NOW)
        anna = an_account(connection)
        sessions.start(connection, anna.id, NOW, NOW + HOUR)
        throttle.put_off(connection, "x", NOW + HOUR)
        devices.remember(connection, "", anna.id, NOW)
        refusal_counts.add(connection, NOW, "log_in", "x", anna.id)
        tournament = a_tournament(connection, anna.id)
        report = a_report(connection, tournament, report_blob)
        assignments.add(connection, report.id, {"fide": LIST})
        audit.append(
            connection, at=NOW, account=anna.id, role="x", action="y", outcome="z", details={"à": 1}
        )
        for entry in (
            an_entry(1),
            ReportAccepted(
                tournament=tournament.id,
                report=report.id,
                blob=report_blob,
                file_name="a.trf",
                facts=Facts(),
                received=LIST,
                lists={"fide": LIST},
            ),
            ListImported(system="uisp", list_date=LIST, blob=import_blob, file_name="l.csv"),
            ListPublished(
                system="fide",
                list_date=LIST,
                opened_on=LIST,
                edition="x",
                files={name: hashlib.sha256(data).hexdigest() for name, data in FILES.items()},
            ),
        ):
            last = ledger.append(connection, NOW, anna.id, entry)
        for system in ("fide", "uisp"):
            publications.add(
                connection,
                publications.Publication(
                    system=system,
                    list_date=LIST,
                    seq=last.seq,
                    published_at=NOW,
                    players=2,
                    body='{"è":1}',
                ),
            )
        for status in (DraftStatus.READY, DraftStatus.PUBLISHED):
            draft = drafts.add(
                connection,
                system="fide",
                list_date=LIST,
                made_by=anna.id,
                made_at=NOW,
                ledger_seq=1,
            )
            drafts.settle(connection, draft.id, status, was=[DraftStatus.RUNNING])
        changes = [history.Change(99_000_001, 1500, 3, 9, 20), history.Change(99_000_002, None)]
        history.add(connection, "fide", LIST, changes)
        rated_tournaments.add(connection, "fide", LIST, {tournament.id: 0})
        hall_events.add(
            connection,
            hall_events.HallEvent(
                id="e", name="E", owner=anna.id, status="open", start=LIST, created_at=NOW
            ),
        )
        records = [("event:e", number, f"{{ì{number}}}") for number in range(3)]
        if not database.is_sqlite:
            hall_log.append(connection, records)
            return
    hall_file.load(
        hall_file.hall_file(folder),
        "hall_log",
        [
            json.dumps({"stream": stream, "number": number, "body": body}).encode()
            for stream, number, body in records
        ],
    )


def rows_of(database: Database, folder: Path) -> dict[str, list[bytes]]:
    """All rows of an office; those of the hall from where the hall has them."""
    with database.reading() as connection:
        rows = {table.name: list(lines_of(connection, table)) for table in kept_tables()}
    with hall_file.snapshot(hall_file.hall_file(folder)) as logs:
        if logs is not None:
            for table in hall_file.TABLES:
                assert rows[table] == []
                rows[table] = list(hall_file.lines_of(logs, table))
    return rows


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(("office.", "hall."))
    }


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Database]]:
    """An office in SQLite that tests only read."""
    folder = tmp_path_factory.mktemp("office")
    database = Database(sqlite_url(folder))
    migrate(database)
    furnish(folder, database)
    yield folder, database
    database.close()


@pytest.fixture(scope="module")
def archive(office: tuple[Path, Database], tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("archive") / "office.zip"
    backup(*office, target)
    return target


# --- there and back -------------------------------------------------------------------------------


MAY_BE_EMPTY = set(
    """
    invitations api_keys claims follows invitation_links mail_choices office_settings
    player_addresses questions recovery_codes second_factors webhooks championships
    championship_events watched_games committee_members filing_papers committee_records
    dismissed_alarms player_files
""".split()
)
"""What the office of these tests has none of; that every table is carried is seen elsewhere."""


@pytest.mark.parametrize("kind", KINDS)
def test_an_office_comes_back_whole_in_either_database(
    database: Database, empty_url: Callable[[str], str], kind: str, tmp_path: Path
) -> None:
    furnish(tmp_path / "office", database)
    expected = rows_of(database, tmp_path / "office")
    assert {name for name, rows in expected.items() if not rows} <= MAY_BE_EMPTY
    made = backup(tmp_path / "office", database, tmp_path / "office.zip")
    url = empty_url(kind)
    assert restore(tmp_path / "office.zip", tmp_path / "new", url) == made
    restored = Database(url)
    expected["drafts"][0] = expected["drafts"][0].replace(b'"ready"', b'"discarded"')
    found = rows_of(restored, tmp_path / "new")
    changed = set(expected.pop("seals")) ^ set(found.pop("seals"))
    assert len(changed) == 2, "the draft that is no longer ready is sealed anew"
    assert all(b'"drafts","key":"[1]"' in seal for seal in changed)
    assert found == expected
    assert list(check_seals(restored)) == []
    assert hall_file.hall_file(tmp_path / "new").exists() is (kind == "sqlite")

    kept = files_of(tmp_path / "office")
    left = [name for name in kept if "2026-05-01" in name]
    left += [name for name, data in kept.items() if data == b"nobody names this"]
    assert len(left) == 2
    assert files_of(tmp_path / "new") == {n: data for n, data in kept.items() if n not in left}

    with restored.writing() as connection:  # and it goes on from there
        assert ledger.check_chain(connection) == 4
        assert ledger.append(connection, NOW, 1, an_entry(1)).seq == 5
        assert an_account(connection, "b@example.org").id > 1
        assert (
            audit.append(connection, at=NOW, account=None, role="", action="", outcome="")
            == len(expected["audit"]) + 1
        )
    restored.close()


def test_without_an_address_the_database_is_in_the_folder(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()  # an empty one is as good as none
    restore(archive, tmp_path / "new")
    restore(archive, tmp_path / "other", sqlite_url(tmp_path / "other"))
    for name in ("new", "other"):
        restored = Database(sqlite_url(tmp_path / name))
        with restored.reading() as connection:
            assert accounts.count(connection) == 1
        restored.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "other"]
    assert not (tmp_path / "new" / "rows").exists()


def test_sessions_stay_behind(archive: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        assert not any(name in str(opened.namelist()) for name in LEFT_OUT)
    restore(archive, tmp_path / "new")
    restored = Database(sqlite_url(tmp_path / "new"))
    with restored.reading() as connection:
        for name in LEFT_OUT:
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar() == 0
    restored.close()


def test_the_same_office_gives_the_same_archive_for_its_owner_alone(
    office: tuple[Path, Database], archive: Path, tmp_path: Path
) -> None:
    backup(*office, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    assert check(archive).files.keys() >= {"rows/ledger.jsonl"}


def test_a_backup_is_of_one_moment_while_the_office_runs(
    database: Database, tmp_path: Path
) -> None:
    furnish(tmp_path / "office", database)
    blobs, stop, failures = Blobs(tmp_path / "office" / "blobs"), Event(), []
    with database.reading() as connection:
        tournament = ledger.get(connection, 2)
    assert tournament is not None
    logs = SqliteLog(hall_file.hall_file(tmp_path / "office"))

    def go_on() -> None:
        number = 0
        try:
            while not stop.is_set():
                number += 1
                blob = blobs.put(str(number).encode())
                entry = replace(tournament.entry, blob=blob)
                with database.writing() as connection:
                    ledger.append(connection, NOW, 1, entry)
                    if not database.is_sqlite:
                        hall_log.append(connection, [("event:e", 100 + number, "x")])
                if database.is_sqlite:
                    logs.append([Record("event:e", 100 + number, b"x")])
        except Exception as error:
            failures.append(error)

    thread = Thread(target=go_on)
    thread.start()
    try:
        for number in range(3):
            target = tmp_path / f"{number}.zip"
            made = backup(tmp_path / "office", database, target)
            restore(target, tmp_path / f"new{number}")
            # Each entry went in with a record of the hall: the archive has both or neither. With
            # SQLite the record follows the entry, and the logs are asked for first by a hair.
            ahead = (made.rows["ledger"] - 4) - (made.rows["hall_log"] - 3)
            assert ahead >= 0 if database.is_sqlite else ahead == 0
    finally:
        stop.set()
        thread.join()
        logs.close()
    assert not failures


# --- what is in the way ---------------------------------------------------------------------------


def test_nothing_is_written_over(
    office: tuple[Path, Database], archive: Path, tmp_path: Path
) -> None:
    before = archive.read_bytes()
    with pytest.raises(Inconsistent) as refused:
        backup(*office, archive)
    assert refused.value.key == "store.backup.in_the_way"
    assert archive.read_bytes() == before
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes").write_text("mine")
    with pytest.raises(Inconsistent):
        restore(archive, tmp_path / "full")
    with pytest.raises(Inconsistent):
        restore(archive, tmp_path / "full" / "notes")
    assert (tmp_path / "full" / "notes").read_text() == "mine"


def test_a_database_with_rows_is_left_alone(
    database: Database, database_url: str, archive: Path, tmp_path: Path
) -> None:
    with database.writing() as connection:
        an_account(connection)
    with pytest.raises(Inconsistent) as refused:
        restore(archive, tmp_path / "new", database_url)
    assert refused.value.key == "store.backup.in_the_way"
    assert list(tmp_path.iterdir()) == []
    with database.reading() as connection:
        assert ledger.head(connection) is None


@pytest.mark.parametrize("damage", ["blob", "missing blob", "list", "missing list"])
def test_a_damaged_office_is_not_backed_up_in_silence(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "office"
    folder.mkdir()
    database = Database(sqlite_url(folder))
    migrate(database)
    furnish(folder, database)
    listed = folder / "lists" / "fide" / LIST.isoformat() / "list.txt"
    blobs = Blobs(folder / "blobs")
    blob = blobs.path(hashlib.sha256(b"a report").hexdigest())
    path = blob if "blob" in damage else listed
    path.unlink()
    if "missing" not in damage:
        path.write_bytes(b"something else")
    with pytest.raises(Inconsistent) as refused:
        backup(folder, database, tmp_path / "office.zip")
    for language in LANGUAGES:
        assert refused.value.said(language)[1]
    assert [one.name for one in tmp_path.iterdir()] == ["office"]
    database.close()


# --- damaged and made-up archives -----------------------------------------------------------------


def refused_with_nothing_left(archive: Path, tmp_path: Path) -> Refusal:
    """Restores into a place of its own and shows that nothing came of it."""
    place = tmp_path / "place"
    place.mkdir()
    with pytest.raises(Refusal) as refused:
        restore(archive, place / "new")
    assert list(place.iterdir()) == []
    place.rmdir()
    for language in LANGUAGES:
        assert all(refused.value.said(language))
    return refused.value


def rewritten(archive: Path, target: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """The archive with other files in it, and a manifest that is what `change` made of it."""
    with zipfile.ZipFile(archive) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    change(files)
    with zipfile.ZipFile(target, "w") as made:
        for name, data in files.items():
            made.writestr(name, data)
    return target


def with_manifest(files: dict[str, bytes], name: str, data: bytes) -> None:
    """Puts a file in, named in the manifest as if it belonged there."""
    files[name] = data
    manifest = json.loads(files[MANIFEST])
    manifest["files"][name] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
    files[MANIFEST] = json.dumps(manifest).encode()


def test_any_byte_changed_is_noticed_or_makes_no_difference(archive: Path, tmp_path: Path) -> None:
    rng, data = Random(4), archive.read_bytes()
    noticed = 0
    with zipfile.ZipFile(archive) as opened:
        names = set(opened.namelist())
    damaged = tmp_path / "damaged.zip"
    for _ in range(150):
        place = rng.randrange(len(data))
        damaged.write_bytes(
            data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :]
        )
        try:
            assert check(damaged).files.keys() | {MANIFEST} == names
        except Malformed:
            noticed += 1
    assert noticed > 75


@pytest.mark.parametrize("share", [0, 1, 30, 70, 99])
def test_a_cut_archive_is_refused(archive: Path, tmp_path: Path, share: int) -> None:
    data = archive.read_bytes()
    cut = tmp_path / "cut.zip"
    cut.write_bytes(data[: len(data) * share // 100])
    assert refused_with_nothing_left(cut, tmp_path).key == "store.backup.damaged"


def test_an_archive_that_is_not_there_is_refused(tmp_path: Path) -> None:
    refused = refused_with_nothing_left(tmp_path / "nowhere.zip", tmp_path)
    assert refused.key == "store.backup.unreadable"


@pytest.mark.parametrize(
    "name",
    [
        *"../evil /etc/evil lists/../../evil lists/fide/2026-04-01/../../../evil".split(),
        *"blobs/ab/../../../evil lists/fide/2026-04-01/..".split(),
        *"lists/fide/2026-04-01/.hidden rows/../evil.jsonl office.sqlite".split(),
        "lists\\fide\\x",
        "lists/fide/2026-04-01/a/b",
        "rows/ledger.jsonl\n",
    ],
)
def test_no_name_leads_out_of_the_folder(archive: Path, tmp_path: Path, name: str) -> None:
    made = rewritten(
        archive, tmp_path / "made.zip", lambda files: with_manifest(files, name, b"evil")
    )
    refused = refused_with_nothing_left(made, tmp_path)
    assert refused.key in ("store.backup.strange_name", "store.backup.damaged")
    assert not list(tmp_path.rglob("*evil*"))


def changed_manifest(**changes: object) -> Callable[[dict[str, bytes]], None]:
    def change(files: dict[str, bytes]) -> None:
        files[MANIFEST] = json.dumps(json.loads(files[MANIFEST]) | changes).encode()

    return change


def replaced(name: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], None]:
    """Changes a file and its hash alike, as somebody who knows the format would."""

    def change(files: dict[str, bytes]) -> None:
        assert old in files[name]
        with_manifest(files, name, files[name].replace(old, new))

    return change


def without(name: str) -> Callable[[dict[str, bytes]], None]:
    return lambda files: files.__delitem__(name)


BLOB = hashlib.sha256(b"a report").hexdigest()
MADE_UP: dict[str, tuple[Callable[[dict[str, bytes]], None], str]] = {
    "no manifest": (without(MANIFEST), "store.backup.damaged"),
    "a manifest of something": (changed_manifest(files=3), "store.backup.damaged"),
    "another format": (changed_manifest(format=2), "store.backup.other_format"),
    "a later revision": (changed_manifest(revision="9999"), "sql.refused.newer"),
    "a file too many": (lambda files: files.update(x=b""), "store.backup.damaged"),
    "a file too few": (without("rows/audit.jsonl"), "store.backup.damaged"),
    "other bytes": (
        lambda files: files.update({"rows/audit.jsonl": b"x" * len(files["rows/audit.jsonl"])}),
        "store.backup.damaged",
    ),
    "a blob of another name": (
        replaced(f"blobs/{BLOB[:2]}/{BLOB[2:]}", b"a report", b"b report"),
        "store.backup.damaged",
    ),
    "a touched ledger": (
        replaced("rows/ledger.jsonl", b"a.trf", b"b.trf"),
        "sql.refused.chain_broken",
    ),
    "a row too few": (
        lambda files: with_manifest(files, "rows/history.jsonl", b""),
        "store.backup.damaged",
    ),
    "a row of another table": (
        replaced("rows/history.jsonl", b'"k"', b'"kk"'),
        "store.backup.damaged",
    ),
    "a row that names nobody": (
        replaced("rows/tournaments.jsonl", b'"registered_by":1,', b'"registered_by":9,'),
        "store.backup.damaged",
    ),
    "a row that is none": (
        lambda files: with_manifest(files, "rows/history.jsonl", b"x\ny\n"),
        "store.backup.damaged",
    ),
    "sessions": (
        lambda files: with_manifest(files, "rows/sessions.jsonl", b""),
        "store.backup.damaged",
    ),
}


@pytest.mark.parametrize("what", MADE_UP)
def test_a_made_up_archive_is_refused(archive: Path, tmp_path: Path, what: str) -> None:
    change, key = MADE_UP[what]
    made = rewritten(archive, tmp_path / "made.zip", change)
    assert refused_with_nothing_left(made, tmp_path).key == key


@pytest.mark.parametrize("what", ["a touched ledger", "a row that names nobody"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_database_elsewhere_stays_empty_where_it_fails(
    archive: Path, tmp_path: Path, empty_url: Callable[[str], str], kind: str, what: str
) -> None:
    made = rewritten(archive, tmp_path / "made.zip", MADE_UP[what][0])
    url = empty_url(kind)
    with pytest.raises(Refusal):
        restore(made, tmp_path / "new", url)
    restore(archive, tmp_path / "new", url)  # so another archive can still go in
    restored = Database(url)
    with restored.reading() as connection:
        assert accounts.count(connection) == 1
    restored.close()


def test_a_database_that_cannot_be_reached_leaves_nothing(archive: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    with pytest.raises(DatabaseRefusal):
        restore(archive, place / "new", f"postgresql://x@/x?host={tmp_path}")
    assert list(place.iterdir()) == []


def test_whoever_keeps_files_is_known_to_backups() -> None:
    """Files that rows elsewhere name would be left out, and gone once a backup is restored."""
    root = Path(arrocco.__file__).parent
    keepers = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if "blobs.put(" in path.read_text("utf-8") and "demo" not in path.parts
    }
    # The first is the ledger's, the second the table `reports`, and so on in `NAMED_BY`.
    known = ["desk/lists.py", "desk/reports.py", "desk/filing_papers.py", "desk/cases.py"]
    assert keepers == set(known)
    assert list(NAMED_BY) == ["reports", "filing_papers", "committee_records"]
