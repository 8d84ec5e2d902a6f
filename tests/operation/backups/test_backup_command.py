"""`office backup` to files, folders and buckets: whole, checked, encrypted, pruned, and back."""

from __future__ import annotations

import json
import sqlite3
import stat
import zipfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyrage
import pytest
from click.testing import CliRunner
from pyarrow import fs

from arrocco.cli.main import program
from arrocco.operation.backups import create
from arrocco.store import office_folder
from arrocco.store.backup import backup as write_backup
from arrocco.store.backup_record import LastBackup, failed_backup, last_backup, note_backup
from tests.desk.offices import folder_bytes

JUNE = "lists/fide/2025-06-01"


def run(folder: Path, *args: object, status: int = 0) -> dict[str, Any]:
    given = ["office", *map(str, args), "--office", str(folder), "--json"]
    result = CliRunner().invoke(program, given)
    assert result.exit_code == status, (result.output, result.exception)
    return dict(json.loads(result.stdout)) if result.stdout.startswith("{") else {}


@pytest.fixture
def key(tmp_path: Path) -> tuple[str, Path]:
    """A public key, and the file of the private one, as `age-keygen` writes it."""
    identity = pyrage.x25519.Identity.generate()
    file = tmp_path / "key.txt"
    file.write_text(f"# created: today\n# public key: {identity.to_public()}\n{identity}\n")
    return str(identity.to_public()), file


def test_a_backup_gets_a_name_of_its_office_and_moment(folder: Path, tmp_path: Path) -> None:
    made = run(folder, "backup", "--to", tmp_path / "kept", "--check")
    file = Path(made["file"])
    assert file.parent == tmp_path / "kept"
    assert str(office_folder.read_id(folder)) in file.name
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert list(file.parent.iterdir()) == [file], "nothing is left of what was on the way"
    assert (made["checked"], made["encrypted"], made["bytes"]) == (True, False, file.stat().st_size)
    noted = last_backup(folder)
    assert noted is not None
    assert (noted.file, noted.bytes, noted.sha256) == (str(file), made["bytes"], made["sha256"])
    status = run(folder, "status")
    assert status["last_backup"]["file"] == str(file)
    run(tmp_path / "again", "restore", file)
    assert folder_bytes(tmp_path / "again" / JUNE) == folder_bytes(folder / JUNE)
    run(tmp_path / "again", "verify")


def test_a_folder_as_file_is_as_good(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    assert Path(run(folder, "backup", tmp_path / "kept")["file"]).parent == tmp_path / "kept"


def test_an_encrypted_backup_opens_only_with_its_key(
    folder: Path, tmp_path: Path, key: tuple[str, Path]
) -> None:
    recipient, identity = key
    made = run(folder, "backup", "--to", tmp_path / "k", "--encrypt-to", recipient, "--check")
    file = Path(made["file"])
    assert file.name.endswith(".zip.age")
    assert not zipfile.is_zipfile(file)
    assert file.read_bytes().startswith(b"age-encryption.org/v1")
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    refused = run(tmp_path / "again", "restore", file, status=1)
    assert refused["key"] == "store.backup.needs_identity"
    other = tmp_path / "other.txt"
    other.write_text(str(pyrage.x25519.Identity.generate()))
    refused = run(tmp_path / "again", "restore", file, "--identity", other, status=1)
    assert refused["key"] == "store.backup.not_decrypted"
    assert not (tmp_path / "again").exists()
    run(tmp_path / "again", "restore", file, "--identity", identity)
    assert folder_bytes(tmp_path / "again" / JUNE) == folder_bytes(folder / JUNE)
    for where in (folder, tmp_path / "k"):
        for path in where.rglob("*"):
            assert not path.is_file() or b"AGE-SECRET-KEY" not in path.read_bytes()


@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_a_damaged_encrypted_backup_is_refused(
    folder: Path, tmp_path: Path, key: tuple[str, Path], damage: str
) -> None:
    recipient, identity = key
    run(folder, "backup", tmp_path / "x.age", "--encrypt-to", recipient)
    data = bytearray((tmp_path / "x.age").read_bytes())
    if damage == "cut":
        del data[-100:]
    else:
        data[len(data) // 2] ^= 1
    (tmp_path / "x.age").write_bytes(data)
    run(tmp_path / "again", "restore", tmp_path / "x.age", "--identity", identity, status=1)
    assert not (tmp_path / "again").exists()
    assert not list(tmp_path.glob(".arrocco-restore-*"))


@pytest.mark.parametrize("recipient", ["age1nonsense", "me@example.org", "ssh-ed25519 AAAA"])
def test_nobody_to_encrypt_to_is_refused_before_anything_is_written(
    folder: Path, tmp_path: Path, recipient: str
) -> None:
    args = ("backup", "--to", tmp_path / "kept", "--encrypt-to", recipient)
    assert run(folder, *args, status=1)["key"] == "store.backup.no_recipient"
    assert not (tmp_path / "kept").exists()


def test_a_private_key_given_by_mistake_is_not_repeated(folder: Path, tmp_path: Path) -> None:
    secret = str(pyrage.x25519.Identity.generate())
    result = CliRunner().invoke(
        program,
        ["office", "backup", str(tmp_path / "x"), "--encrypt-to", secret, "--office", str(folder)],
    )
    assert result.exit_code == 1
    assert secret[20:] not in result.output
    assert secret[20:] not in (folder / "last-backup-failed.json").read_text("utf-8")


def test_what_is_kept_is_pruned_by_office_and_never_the_newest(
    folder: Path, tmp_path: Path
) -> None:
    place = tmp_path / "kept"
    place.mkdir()
    office, other = office_folder.read_id(folder), office_folder.new_id()
    old = [f"arrocco-{office}-2025010{day}T000000000Z.zip" for day in range(1, 5)]
    ahead = f"arrocco-{office}-29990101T000000000Z.zip"  # made while the clock was wrong
    strange = [
        f"arrocco-{other}-20250101T000000000Z.zip",
        "notes.txt",
        f"arrocco-{office}.zip",
        f"arrocco-{office}-20250101T000000000Z.zip.part",
    ]
    for name in (*old, ahead, *strange):
        (place / name).write_bytes(b"x")
    made = run(folder, "backup", "--to", place, "--keep", 3)
    newest = Path(made["file"]).name
    assert set(made["removed"]) == set(old[:-1])
    assert {path.name for path in place.iterdir()} == {newest, old[-1], ahead, *strange}
    made = run(folder, "backup", "--to", place, "--keep", 1, "--check")
    assert {path.name for path in place.iterdir()} == {Path(made["file"]).name, *strange}


def test_a_backup_that_fails_prunes_nothing_and_is_written_down(
    folder: Path, tmp_path: Path
) -> None:
    good = run(folder, "backup", "--to", tmp_path / "kept")
    lost = next((folder / JUNE).glob("*.parquet"))
    lost.write_bytes(b"damaged")
    refused = run(folder, "backup", "--to", tmp_path / "kept", "--keep", 1, "--check", status=1)
    assert refused["key"] == "store.backup.list_damaged"
    assert [str(path) for path in (tmp_path / "kept").iterdir()] == [good["file"]]
    failed = failed_backup(folder)
    assert failed is not None
    assert failed.key == "store.backup.list_damaged"
    result = CliRunner().invoke(program, ["office", "status", "--office", str(folder)])
    assert result.output.count("backup_failed") == 1
    assert failed.text in result.output


def test_status_tells_of_an_old_backup_once_and_by_the_setting_of_its_alarm(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = datetime.now(UTC) - timedelta(hours=30)
    note_backup(folder, LastBackup(at=at, file="elsewhere.zip"))

    def said() -> str:
        arguments = ["office", "status", "--office", str(folder), "--lang", "en"]
        return CliRunner().invoke(program, arguments).output

    assert said().count("30 hours old") == 1
    monkeypatch.setenv("ARROCCO_ALARM_BACKUP_HOURS", "48")
    assert "hours old" not in said()


def test_what_does_not_come_back_whole_is_no_backup(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive is made whole and spoiled before it is checked."""

    def spoiled(*args: Any) -> Any:
        manifest = write_backup(*args)
        with zipfile.ZipFile(args[2]) as archive:
            name = next(one for one in archive.namelist() if one.startswith("blobs/"))
            at = archive.getinfo(name).header_offset + 200
        data = bytearray(args[2].read_bytes())
        data[at] ^= 0xFF
        args[2].write_bytes(data)
        return manifest

    monkeypatch.setattr(create, "backup", spoiled)
    run(folder, "backup", "--to", tmp_path / "kept")  # nobody looks
    refused = run(folder, "backup", "--to", tmp_path / "checked", "--check", status=1)
    assert refused["key"] == "store.backup.damaged"
    assert list((tmp_path / "checked").iterdir()) == []


def test_damage_of_the_office_itself_neither_stops_backups_nor_pushes_good_ones_out(
    folder: Path, tmp_path: Path
) -> None:
    good = run(folder, "backup", "--to", tmp_path / "kept", "--check", "--keep", 1)
    assert good["damage"] == []
    with closing(sqlite3.connect(folder / "office.sqlite")) as database:
        for trigger in ("audit_no_update", "audit_no_replace"):
            database.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        database.execute("UPDATE audit SET action = 'nothing' WHERE id = 3")
        database.commit()
    made = run(folder, "backup", "--to", tmp_path / "kept", "--check", "--keep", 1)
    assert made["damage"]
    assert made["removed"] == []
    assert {str(path) for path in (tmp_path / "kept").iterdir()} == {good["file"], made["file"]}
    last = last_backup(folder)
    assert last is not None
    assert last.damage == len(made["damage"])


def test_two_backups_at_once_are_not_made(folder: Path, tmp_path: Path) -> None:
    with create._alone(folder):
        refused = run(folder, "backup", "--to", tmp_path / "kept", status=1)
    assert refused["key"] == "desk.refused.backup_under_way"


@pytest.mark.parametrize("args", [[], ["x.zip", "--to", "y"], ["x.zip", "--keep", "2"]])
def test_misuse_is_told(folder: Path, args: list[str]) -> None:
    result = CliRunner().invoke(program, ["office", "backup", *args, "--office", str(folder)])
    assert result.exit_code == 2


# --- a store that speaks S3 -----------------------------------------------------------------------


def test_there_and_back_by_way_of_a_bucket(
    folder: Path, tmp_path: Path, bucket: tuple[str, fs.S3FileSystem], key: tuple[str, Path]
) -> None:
    name, files = bucket
    recipient, identity = key
    place = f"s3://{name}/offices/one"
    office = office_folder.read_id(folder)
    for day in (1, 2):
        with files.open_output_stream(
            f"{name}/offices/one/arrocco-{office}-2025010{day}T000000000Z.zip"
        ) as old:
            old.write(b"x")
    with files.open_output_stream(f"{name}/offices/one/notes.txt") as notes:
        notes.write(b"mine")
    args = ("backup", "--to", place, "--encrypt-to", recipient, "--check", "--keep", 2)
    made = run(folder, *args)
    assert made["removed"] == [f"arrocco-{office}-20250101T000000000Z.zip"]
    there = {info.base_name for info in files.get_file_info(fs.FileSelector(f"{name}/offices/one"))}
    assert len(there) == 3
    assert "notes.txt" in there
    with files.open_input_stream(made["file"].removeprefix("s3://")) as stored:
        assert stored.read().startswith(b"age-encryption.org/v1")
    run(tmp_path / "again", "restore", made["file"], "--identity", identity)
    assert folder_bytes(tmp_path / "again" / JUNE) == folder_bytes(folder / JUNE)
    run(tmp_path / "again", "verify")


def test_a_bucket_that_is_not_there_is_told(
    folder: Path, tmp_path: Path, bucket: tuple[str, fs.S3FileSystem]
) -> None:
    refused = run(folder, "backup", "--to", "s3://no-such-bucket-here", status=1)
    assert refused["key"] == "store.backup.place"
    assert failed_backup(folder) is not None
    refused = run(tmp_path / "new", "restore", f"s3://{bucket[0]}/nothing.zip", status=1)
    assert refused["key"] == "store.backup.place"
    assert run(folder, "backup", "--to", "s3://", status=1)["key"] == "store.backup.no_bucket"
