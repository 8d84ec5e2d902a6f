"""`arrocco recording`: what is on the disk against the hall's log, and what is erased when."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from arrocco.cli.main import program
from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.hall.event.creation import Create
from arrocco.office.roles import Role
from arrocco.video.engine import Engine
from arrocco.video.erasure import Certificate
from arrocco.video.recordings import FOLDER, Recordings
from arrocco.video.segments import Segments
from arrocco.video.settings import VideoSettings
from arrocco.wiring import hall_of
from tests.serving import make_office
from tests.video.slices import Sender, slices
from tests.video.test_engine import Ear

EVENT = "open"


@pytest.fixture
def office(tmp_path: Path) -> Path:
    """An office with an event of which something was recorded, and whose log has the last hash."""
    folder = tmp_path / "office"
    make_office(folder, 0)
    with closing(Office.open(folder)) as opened:
        engine = Engine(
            Segments(Recordings(folder / FOLDER, VideoSettings(keep_free=0))), lambda: 1
        )
        session = engine.join(EVENT, "a1", 1, "Prova1", Ear(), needs_screen=True)
        begun = engine.begin(session, "camera")
        assert begun is not None
        sender = Sender(begun)
        for data in slices("camera"):
            engine.take(session, *sender.next(data))
        heads = engine.take_heads()[EVENT]
        engine.close()

        async def kept() -> None:
            hall = hall_of(opened)
            await hall.start()
            day = date(2026, 11, 18)
            await hall.create_event(Create(by="1", event=EVENT, name="Open", start=day, end=day))
            await hall.keep_heads(EVENT, heads)
            await hall.stop()

        asyncio.run(kept())
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(program, ["recording", *words])


def test_recordings_that_are_whole(office: Path) -> None:
    result = run("verify", "--office", str(office), "--json")
    assert result.exit_code == 0, result.output
    (one,) = json.loads(result.output)["recordings"]
    assert (one["recording"], one["slices"], one["damage"]) == ("1-camera-1", 8, None)


def test_recordings_are_written_as_films(office: Path, tmp_path: Path) -> None:
    films = tmp_path / "films"
    result = run(
        "export", EVENT, "--to", str(films), "--office", str(office), "--reason", "case 7", "--json"
    )
    assert result.exit_code == 0, result.output
    (one,) = json.loads(result.output)["files"]
    kept = office / FOLDER / EVENT / "1-camera-1.webm"
    assert one == {"recording": "1-camera-1", "bytes": kept.stat().st_size}
    assert (films / "1-camera-1.webm").read_bytes() == kept.read_bytes()


def test_an_event_without_recordings_says_so(office: Path, tmp_path: Path) -> None:
    result = run(
        "export",
        "none",
        "--to",
        str(tmp_path),
        "--office",
        str(office),
        "--reason",
        "case 7",
        "--lang",
        "en",
    )
    assert "no recordings" in result.output


def test_12_3_every_export_has_its_reason_in_the_audit_log(office: Path, tmp_path: Path) -> None:
    films = tmp_path / "films"
    words = ["export", EVENT, "--to", str(films), "--office", str(office)]
    for refused in (run(*words), run(*words, "--reason", "  ")):
        assert refused.exit_code != 0
        assert not films.exists()
    assert run(*words, "--reason", "case 7, for the committee").exit_code == 0
    with closing(Office.open(office)) as opened:
        lines = opened.audit.page(operator(Role.SYSTEM_ADMINISTRATOR), limit=9)
    (line,) = [one for one in lines if one.action == "export_recordings"]
    assert (line.subject, line.details["reason"]) == (EVENT, "case 7, for the committee")
    assert line.details["recordings"] == ["1-camera-1"]


def test_a_changed_byte_names_its_slice(office: Path) -> None:
    path = office / FOLDER / EVENT / "1-camera-1.webm"
    data = bytearray(path.read_bytes())
    data[len(slices("camera")[0]) + 5] ^= 1
    path.write_bytes(data)
    result = run("verify", EVENT, "--office", str(office))
    assert result.exit_code == 1
    assert "open/1-camera-1: slice 1 is not as it was sent" in result.output


def test_a_recording_that_is_gone_is_missed_by_the_log(office: Path) -> None:
    for path in (office / FOLDER / EVENT).iterdir():
        path.unlink()
    result = run("verify", EVENT, "--office", str(office))
    assert result.exit_code == 1
    assert "missing from slice 0 on" in result.output


def test_12_3_nothing_is_erased_before_the_standings_are_validated(office: Path) -> None:
    result = run("erase", EVENT, "--reason", "announced", "--office", str(office))
    assert result.exit_code == 1
    assert "not validated" in result.output
    assert run("verify", "--office", str(office)).exit_code == 0


def test_12_3_a_certificate_stays_of_what_was_erased(office: Path) -> None:
    from arrocco.video.erasure import erase

    at = f"{date(2026, 11, 18) + timedelta(days=2)}T12:00:00Z"
    for _ in range(2):  # again after a crash: what was erased stays in the certificate
        certificate = erase(office / FOLDER, EVENT, at, "dora", "announced")
    kept = office / FOLDER / EVENT / "erased.json"
    assert msgspec.json.decode(kept.read_bytes(), type=Certificate) == certificate
    assert [(recording.recording, recording.was_whole) for recording in certificate.recordings] == [
        ("1-camera-1", True)
    ]
    assert [path.name for path in kept.parent.iterdir()] == ["erased.json"]
    assert run("verify", "--office", str(office)).exit_code == 0
