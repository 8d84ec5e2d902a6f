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
from arrocco.store.list_view_build import VERSION as _VIEWS
from arrocco.store.office_folder import ID_FILE, read_id
from arrocco.store.restore import check
from arrocco.wiring.verify.opening import verify_folder
from arrocco.words import LANGUAGES, finding_advice, finding_text
from tests.wiring.verify.furnished import furnish

assert _VIEWS >= 3, "views have hashes of their own"

SAMPLE, SOAK = 3, 60
OFFICE = "office" + ".sqlite"
NOT_SEALED = frozenset({
    "accounts", "invitations", "sessions", "login_failures", "drafts", "assignments", "office",
    "tournaments.record", "reports.record", "publications.published_at", "publications.body",
    "hall_events.status", "alembic_version",
})  # fmt: skip
"""Tables and columns that nothing else tells of: a letter changed in them may stay unseen."""


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


def kind_of(path: Path) -> str:
    """The kind of a file of the office."""
    part = path.parts[0]
    if part == "lists":
        return f"list {path.name}"
    if part == "views":
        return "statistics" if path.parts[1] == "statistics" else f"view {path.name}"
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
    for beside in (f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(beside).unlink(missing_ok=True)
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
    if file.name == OFFICE and any(one.place.file for one in findings):
        return True
    if file.name == ID_FILE and findings[0].key == "desk.refused.other_office":
        return True  # it tells the ids of folder and database, which differ
    text = " ".join(f"{one.place.file} {finding_text('en', one)} {one.details}" for one in findings)
    is_blob = file.parts[0] == "blobs" and f"{file.parts[1]}{file.parts[2]}" in text
    return str(file) in text or file.name in text or is_blob


def dump_of(path: Path, without: frozenset[str] = frozenset()) -> list[object] | None:
    """All rows of a database; `None` where they cannot be read."""
    rows: list[object] = []
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        tables = connection.execute(
            "SELECT name, type, tbl_name, sql FROM sqlite_master ORDER BY name"
        ).fetchall()
        for name, kind, _, _ in tables:
            if kind == b"table" and name.decode() not in without:
                rows += [name, *_rows(connection, name.decode(), without)]
        return rows
    return None


def _rows(connection: sqlite3.Connection, table: str, without: frozenset[str]) -> list[str]:
    columns = [row[1].decode() for row in connection.execute(f"PRAGMA table_info({table})")]
    asked = ", ".join(f'"{name}"' for name in columns if f"{table}.{name}" not in without)
    return sorted(map(repr, connection.execute(f"SELECT {asked} FROM {table}")))


def is_harmless(office: Path, original: Path, file: Path) -> bool:
    """Whether a flipped bit says nothing: all rows, or all that a backup holds, are the same."""
    if file.suffix == ".sqlite":
        same = dump_of(original / file, NOT_SEALED)
        return dump_of(office / file, NOT_SEALED) == same
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
    assert found or file.suffix in (".sqlite", ".zip")
    assert told(office) == []


KINDS = (
    "blob", "draft", "backup", "statistics", "office.sqlite", "hall.sqlite", "office-id",
    "list list.parquet", "list list.csv", "list list.txt", "list list.xml", "list state.parquet",
    "list summary.json", "view view.json", "view rows.arrow", "view ids.arrow",
    "view words.arrow", "view postings.arrow",
)  # fmt: skip


def test_every_kind_of_file_is_tried(original: Path) -> None:
    kinds = set(files_of(original))
    assert set(KINDS) <= kinds
    assert {kind for kind in kinds if not kind.startswith("list ")} <= set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_flipped_bit_is_found_and_its_file_named(office: Path, original: Path, kind: str) -> None:
    check_flips(office, original, kind, SAMPLE, "sample")


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_many_flipped_bits(office: Path, original: Path, kind: str) -> None:
    check_flips(office, original, kind, SOAK * (10 if kind.endswith(".sqlite") else 1), "soak")
