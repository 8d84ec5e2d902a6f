"""One bit flipped in any file of an office is found by `office verify`, which names the file."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from arrocco.errors import Refusal
from arrocco.findings import Finding, Severity
from arrocco.live.journal import Record
from arrocco.live.sqlite_log import SqliteLog
from arrocco.operation.verify.databases import connect
from arrocco.operation.verify.opening import verify_folder
from arrocco.store.list_view_build import VERSION as _VIEWS
from arrocco.store.office_folder import ID_FILE, read_id
from arrocco.store.restore import check
from arrocco.store.sql import seals
from arrocco.store.sql.database import Database, sqlite_url
from arrocco.store.sql.tables import throttle
from arrocco.words import LANGUAGES, finding_advice, finding_text
from tests.operation.verify.furnished import furnish

assert _VIEWS >= 3, "views have hashes of their own"

SAMPLE, SOAK = 3, 60
OFFICE = "office" + ".sqlite"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = furnish(tmp_path_factory.mktemp("furnished") / "office")
    for name in ("office.sqlite", "hall.sqlite"):
        with closing(sqlite3.connect(folder / name)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return folder


@pytest.fixture(scope="module")
def office(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which every test puts right what it has damaged."""
    return Path(shutil.copytree(original, tmp_path_factory.mktemp("copied") / "office"))


@pytest.fixture(scope="module")
def killed(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same office as a killed server leaves it: its last writes stand in logs of SQLite."""
    folder = Path(shutil.copytree(original, tmp_path_factory.mktemp("written") / "office"))
    log, database = SqliteLog(folder / "hall.sqlite"), Database(sqlite_url(folder))
    with closing(log), closing(database):
        for number in range(9):
            log.append([Record("receipts:cup-1-1", number, b'["1","m%d"]' % number)])
            with database.writing() as connection:
                seals.insert(connection, throttle, {"subject": f"x{number}", "until": "2025-06-21"})
        left = shutil.copytree(folder, tmp_path_factory.mktemp("killed") / "office")
    for path in left.glob("*-shm"):
        path.unlink()
    return Path(left)


def kind_of(path: Path) -> str:
    """The kind of a file of the office."""
    part = path.parts[0]
    if part == "lists":
        return f"list {path.name}"
    if part == "views":
        return "statistics" if path.parts[1] == "statistics" else f"view {path.name}"
    if part == "replays":
        return f"replay {path.name}"
    if part == "video":
        return f"recording {path.suffix}"
    return {"blobs": "blob", "drafts": "draft", "backups": "backup"}.get(part, part)


def files_of(office: Path) -> dict[str, list[Path]]:
    """The files that hold something, by kind."""
    found: dict[str, list[Path]] = {}
    for path in sorted(office.rglob("*")):
        name = path.relative_to(office)
        is_lock = path.suffix == ".lock" or path.name.endswith("-shm")
        if path.is_file() and path.stat().st_size and not is_lock:
            found.setdefault(kind_of(name), []).append(name)
    return found


def flipped(path: Path, rng: Random) -> tuple[int, int]:
    """Flips one bit; which."""
    data = bytearray(path.read_bytes())
    place, bit = rng.randrange(len(data)), rng.randrange(8)
    data[place] ^= 1 << bit
    _replace(path, bytes(data))
    return place, bit


def _replace(path: Path, data: bytes) -> None:
    name = path.name.removesuffix("-wal")
    path.with_name(f"{name}-shm").unlink(missing_ok=True)
    if path.suffix == ".sqlite":
        path.with_name(f"{name}-wal").unlink(missing_ok=True)
    path.write_bytes(data)
    os.utime(path)


def told(office: Path) -> list[Finding]:
    """What is found, each with its words; a refusal to go on counts as found too."""
    try:
        found = verify_folder(office).findings
    except Refusal as refusal:
        found = (Finding(Severity.ERROR, refusal.key, details=refusal.details),)
    for finding in found:
        for language in LANGUAGES:
            assert finding_text(language, finding)
            assert finding_advice(language, finding)
    return [finding for finding in found if finding.is_error]


def names(findings: list[Finding], file: Path) -> bool:
    """Whether one of the findings tells which file it is.

    Where a hash in the office's database does not fit a file, either may be the damaged one.
    """
    if file.name == OFFICE and any(finding.place.file for finding in findings):
        return True
    if file.name == ID_FILE and findings[0].key == "desk.refused.other_office":
        return True  # it tells the ids of folder and database, which differ
    text = " ".join(f"{one.place.file} {finding_text('en', one)} {one.details}" for one in findings)
    is_blob = file.parts[0] == "blobs" and f"{file.parts[1]}{file.parts[2]}" in text
    is_recording = file.parts[0] == "video" and str(file.with_suffix("")) in text
    return str(file) in text or file.name in text or is_blob or is_recording


def dump_of(path: Path) -> list[object] | None:
    """All rows of a database; `None` where they cannot be read."""
    rows: list[object] = []
    with suppress(sqlite3.Error), closing(connect(path)) as connection:
        connection.text_factory = bytes
        tables = connection.execute(
            "SELECT name, type, tbl_name, sql FROM sqlite_master ORDER BY name"
        ).fetchall()
        for name, kind, _, _ in tables:
            if kind == b"table":
                rows += [name, *_rows(connection, name.decode())]
        return rows
    return None


def _rows(connection: sqlite3.Connection, table: str) -> list[str]:
    return sorted(map(repr, connection.execute(f"SELECT * FROM {table}")))


def is_harmless(office: Path, original: Path, file: Path) -> bool:
    """Whether a flipped bit says nothing: all rows, or all that a backup holds, are the same."""
    if ".sqlite" in file.name:
        database = file.with_name(file.name.removesuffix("-wal"))
        return dump_of(office / database) == dump_of(original / database)
    if file.name == ID_FILE:  # blanks at its end say nothing
        return read_id(office) == read_id(original)
    if file.suffix == ".zip":
        with suppress(Refusal):
            return check(office / file) == check(original / file)
    return False


def check_flips(office: Path, original: Path, kind: str, times: int, seed: str) -> None:
    rng = Random(f"{kind} {seed}")
    found = 0
    for _ in range(times):
        file = rng.choice(files_of(original)[kind])
        place = flipped(office / file, rng)
        try:
            findings = told(office)
            if findings:
                found += 1
                assert names(findings, file), (file, place, findings)
            else:
                assert is_harmless(office, original, file), (file, place)
        finally:
            _replace(office / file, (original / file).read_bytes())
    _note(kind, times, found)
    assert found or ".sqlite" in file.name or file.suffix == ".zip"
    assert told(office) == []


def _note(kind: str, times: int, found: int) -> None:
    """Adds a line to the file that ``ARROCCO_FLIPS_LOG`` names."""
    name = os.environ.get("ARROCCO_FLIPS_LOG", "")
    if name:
        with Path(name).open("a") as log:
            log.write(f"{kind}: {times} flips, {found} found, {times - found} said nothing\n")


KINDS = (
    *"blob draft backup statistics office.sqlite hall.sqlite office-id office-key".split(),
    *"last-backup.json last-backup-failed.json restored.json engine-trouble.json".split(),
    *(f"recording {suffix}" for suffix in (".webm", ".mjr", ".slices", ".json")),
    "list list.parquet",
    "list list.csv",
    "list list.txt",
    "list list.xml",
    "list state.parquet",
    "list summary.json",
    "view view.json",
    "view rows.arrow",
    "view ids.arrow",
    "view words.arrow",
    "view postings.arrow",
    "replay asked.json",
    "replay how-far.json",
    "replay ended.json",
    "replay players.parquet",
    "replay hashes.json",
)

LOGS = ("office.sqlite-wal", "hall.sqlite-wal")
"""What SQLite itself passes over in silence where it is damaged."""


def test_every_kind_of_file_is_tried(original: Path) -> None:
    kinds = set(files_of(original))
    assert set(KINDS) <= kinds
    assert {kind for kind in kinds if not kind.startswith("list ")} <= set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_flipped_bit_is_found_and_its_file_named(office: Path, original: Path, kind: str) -> None:
    check_flips(office, original, kind, SAMPLE, "sample")


def test_a_flipped_bit_in_what_a_killed_server_left(killed: Path, tmp_path: Path) -> None:
    office = Path(shutil.copytree(killed, tmp_path / "office"))
    for kind in LOGS:
        check_flips(office, killed, kind, SAMPLE, "sample")


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_many_flipped_bits(office: Path, original: Path, kind: str) -> None:
    check_flips(office, original, kind, SOAK * (10 if kind.endswith(".sqlite") else 1), "soak")


@pytest.mark.soak
@pytest.mark.parametrize("kind", LOGS)
def test_many_flipped_bits_in_what_a_killed_server_left(
    killed: Path, tmp_path: Path, kind: str
) -> None:
    office = Path(shutil.copytree(killed, tmp_path / "office"))
    check_flips(office, killed, kind, SOAK, "soak")
