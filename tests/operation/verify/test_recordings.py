"""`office verify` looks at recordings too: by event, player, source and slice."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arrocco.cli.main import program
from arrocco.operation.verify.hall import EventRecordings
from arrocco.operation.verify.recordings import check_recordings
from arrocco.store import backup_record
from arrocco.video.erasure import erase
from arrocco.video.recordings import FOLDER
from arrocco.words import finding_text
from tests.video.slices import slices
from tests.video.test_recording_commands import EVENT, office

__all__ = ["office"]

FILM, LIST = "1-camera-1.webm", "1-camera-1.slices"


def verified(folder: Path) -> tuple[int, list[dict[str, Any]]]:
    result = CliRunner().invoke(program, ["office", "verify", "--office", str(folder), "--json"])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    findings = json.loads(result.stdout)["findings"]
    for language in ("en", "it"):
        arguments = ["office", "verify", "--office", str(folder), "--lang", language]
        said = CliRunner().invoke(program, arguments)
        assert (said.exit_code, "{" in said.output) == (result.exit_code, False), said.output
    return result.exit_code, findings


def kept(office: Path) -> Path:
    return office / FOLDER / EVENT


def test_recordings_that_nobody_touched_are_whole(office: Path) -> None:
    assert verified(office) == (0, [])


@pytest.mark.parametrize("number", [0, 3, 7])
def test_a_changed_byte_is_named_by_event_player_source_and_slice(
    office: Path, number: int
) -> None:
    data = bytearray((kept(office) / FILM).read_bytes())
    data[sum(map(len, slices("camera")[:number])) + 5] ^= 1
    (kept(office) / FILM).write_bytes(data)
    code, (found,) = verified(office)
    assert (code, found["key"]) == (1, "verify.recording_changed")
    assert found["file"] == f"{FOLDER}/{EVENT}/1-camera-1"
    assert f"event open, camera of player 1: slice {number} of recording" in found["text"]


def test_a_player_is_named_where_the_log_of_the_event_can_be_read(office: Path) -> None:
    (kept(office) / LIST).unlink()
    logs = {EVENT: EventRecordings([], {1: "Prova, Una"})}
    (found,) = check_recordings(office, logs, {EVENT})
    assert "camera of player 1 (Prova, Una)" in finding_text("en", found)
    assert "telecamera del giocatore 1 (Prova, Una)" in finding_text("it", found)


def test_a_slice_that_was_cut_out_with_its_line(office: Path) -> None:
    data, lines = slices("camera"), (kept(office) / LIST).read_bytes().splitlines(keepends=True)
    (kept(office) / FILM).write_bytes(b"".join([*data[:4], *data[5:]]))
    (kept(office) / LIST).write_bytes(b"".join([*lines[:4], *lines[5:]]))
    code, (found,) = verified(office)
    assert (code, found["key"], found["details"]["slice"]) == (1, "verify.recording_list", 4)


def test_the_end_that_was_cut_off_is_missed_by_the_log_of_the_hall(office: Path) -> None:
    lines = (kept(office) / LIST).read_bytes().splitlines(keepends=True)
    (kept(office) / FILM).write_bytes(b"".join(slices("camera")[:6]))
    (kept(office) / LIST).write_bytes(b"".join(lines[:6]))
    code, (found,) = verified(office)
    assert (code, found["key"], found["details"]["slice"]) == (1, "verify.recording_missing", 6)


@pytest.mark.parametrize("name", [FILM, LIST])
def test_every_bit_that_flips_is_found(office: Path, name: str) -> None:
    path = kept(office) / name
    whole = path.read_bytes()
    for at in range(0, len(whole), max(1, len(whole) // 40)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        result = CliRunner().invoke(program, ["recording", "verify", "--office", str(office)])
        assert result.exit_code == 1, at
    path.write_bytes(whole)
    assert verified(office)[0] == 0


@pytest.mark.parametrize(("name", "key"), [(FILM, "missing"), (LIST, "no_list"), ("", "missing")])
def test_files_that_are_gone(office: Path, name: str, key: str) -> None:
    if name:
        (kept(office) / name).unlink()
    else:
        shutil.rmtree(office / FOLDER)
    code, (found,) = verified(office)
    assert (code, found["key"]) == (1, f"verify.recording_{key}")
    assert found["details"]["slice"] == 0


def test_12_3_what_was_erased_is_no_damage(office: Path) -> None:
    erase(office / FOLDER, EVENT, "2026-11-20T12:00:00Z", "dora", "announced")
    assert verified(office) == (0, [])
    (kept(office) / FILM).write_bytes(b"back again")
    code, (found,) = verified(office)
    assert (code, found["key"]) == (0, "verify.recording_not_erased")


def test_a_damaged_certificate_is_named(office: Path) -> None:
    erase(office / FOLDER, EVENT, "2026-11-20T12:00:00Z", "dora", "announced")
    (kept(office) / "erased.json").write_bytes(b"{")
    code, (found,) = verified(office)
    assert (code, found["key"]) == (1, "recording.certificate_damaged")


def test_recordings_of_nobody_are_told_and_left_alone(office: Path) -> None:
    shutil.copytree(kept(office), office / FOLDER / "elsewhere")
    (kept(office) / "notes.txt").write_text("whose?")
    before = sorted((office / FOLDER).rglob("*"))
    code, found = verified(office)
    by_key = {one["key"]: one["file"] for one in found}
    assert by_key["verify.recordings_unknown"] == f"{FOLDER}/elsewhere"
    assert by_key["verify.unnamed_file"] == f"{FOLDER}/{EVENT}/notes.txt"
    assert code == 1, "they are of another event: their first hash is not that of this one"
    assert sorted((office / FOLDER).rglob("*")) == before


def test_a_slice_that_is_being_written_is_no_damage(office: Path) -> None:
    with (kept(office) / FILM).open("ab") as film:
        film.write(b"half a slice")
    code, (found,) = verified(office)
    assert (code, found["key"]) == (0, "verify.recording_unfinished")


def test_a_restored_office_says_that_backups_have_no_recordings(
    office: Path, tmp_path: Path
) -> None:
    archive, restored = tmp_path / "backup.zip", tmp_path / "restored"
    for words in (
        ["backup", str(archive), "--check", "--office", str(office)],
        ["restore", str(archive), "--office", str(restored)],
    ):
        result = CliRunner().invoke(program, ["office", *words])
        assert result.exit_code == 0, result.output
    code, (found,) = verified(restored)
    assert (code, found["key"]) == (0, "verify.recordings_not_restored")
    assert found["details"]["count"] == 1
    shutil.copytree(office / FOLDER, restored / FOLDER)
    assert verified(restored) == (0, [])
    (kept(restored) / LIST).unlink()
    assert verified(restored)[0] == 1
    assert not list(check_recordings(tmp_path, {}, None))
    (restored / backup_record.RESTORED).write_bytes(b"{")
    assert "verify.restored_record" in {one["key"] for one in verified(restored)[1]}
