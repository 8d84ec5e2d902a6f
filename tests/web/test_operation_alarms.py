"""An alarm of a real server, everywhere it is told: log, command, numbers, page, command line."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arrocco.cli.main import program
from arrocco.desk import Office
from arrocco.office.roles import Role
from arrocco.operation.settings import Limit, OperationSettings
from tests.running_server import RunningServer, running_server
from tests.web.apps import app_of
from tests.web.conftest import Browser, LogIn
from tests.web.html import faults_of
from tests.web.offices import fill, logged_in_cookie
from tests.web.visits import all_of

MOVED_CLOCK = """
import pathlib, time
from arrocco.live.time_watch import ClockWatch
place = pathlib.Path({place!r})
def date():
    return time.time() + (float(place.read_text()) if place.exists() else 0.0)
ClockWatch.__init__.__defaults__ = (date, time.monotonic)
"""
"""A machine whose date can be set: the server reads it where it reads the machine's."""


def until(is_so: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.2)
    return True


def status_of(folder: Path, **environment: str) -> dict[str, Any]:
    args = ["office", "status", "--office", str(folder), "--json", "--lang", "en"]
    result = CliRunner(env=environment).invoke(program, args)
    assert result.exit_code == 0, result.output
    said: dict[str, Any] = json.loads(result.output)
    return said


def test_a_disk_below_its_limit_is_told_everywhere(tmp_path: Path) -> None:
    folder, told = tmp_path / "office", tmp_path / "told"
    with closing(Office.open(folder)) as office:
        fill(office)
        session = logged_in_cookie(office, Role.SYSTEM_ADMINISTRATOR)
    script = tmp_path / "tell.py"
    script.write_text(
        f"import os\nopen({str(told)!r}, 'a').write(os.environ['ARROCCO_ALARM_KEY'] + '\\n')\n"
    )
    environment = {
        "ARROCCO_ALARM_DISK_FREE": "100%",
        "ARROCCO_ALARM_COMMAND": f"{sys.executable} {script}",
    }
    with running_server(folder, "--log-format", "json", environment=environment) as server:
        assert server.get("/ready").json()["alarms"] == ["disk_low"]
        assert server.get("/ready").status_code == 200, "there is space left"
        assert 'arrocco_alarm{alarm="disk_low"} 1.0' in server.get("/metrics").text
        page = server.get("/it/operation", cookies={"arrocco_session": session})
        assert "GB liberi sul disco dell&#39;ufficio" in page.text
        home = server.get("/en", cookies={"arrocco_session": session})
        assert "1 alarm." in home.text
        assert "1 alarm." not in server.get("/en").text, "the public is not told"
        assert until(lambda: told.exists() and told.read_text() == "disk_low\n")
        lines = [line for line in server.log() if line.get("alarm") == "disk_low"]
        assert [(line["state"], line["level"]) for line in lines] == [("raised", "warning")]
        said = status_of(folder)  # with other limits: the disk is not low for this one
        assert said["server"] == site_of(server)
        keys = [alarm["key"] for alarm in status_of(folder, **environment)["alarms"]]
        assert keys == ["disk_low"]
    assert status_of(folder)["server"] is None


def test_a_date_that_is_set_is_told_by_the_server_and_the_command_line(tmp_path: Path) -> None:
    folder, date = tmp_path / "office", tmp_path / "date"
    patch = tmp_path / "patch"
    patch.mkdir()
    (patch / "sitecustomize.py").write_text(MOVED_CLOCK.format(place=str(date)))
    path = f"{patch}:{os.environ.get('PYTHONPATH', '')}".rstrip(":")
    options = ("--log-format", "json")
    with running_server(folder, *options, environment={"PYTHONPATH": path}) as server:
        assert server.get("/ready").json()["alarms"] == []
        date.write_text("7200")
        assert until(lambda: server.get("/ready").json()["alarms"] == ["clock_jump"])
        both = 'arrocco_clock_jumps_total{process="hall"} 1.0'
        assert until(lambda: both in server.get("/metrics").text)
        text = server.get("/metrics").text
        assert 'arrocco_clock_jumps_total{process="site"} 1.0' in text
        jump = next(line for line in text.splitlines() if line.startswith("arrocco_clock_jump_s"))
        assert float(jump.split()[-1]) == pytest.approx(7200, abs=1)
        jumped = {one["process"] for one in server.log() if "jumped by +7200" in one["message"]}
        assert jumped == {"site", "hall"}
        assert until(lambda: bool(status_of(folder)["alarms"]))
        (alarm,) = status_of(folder)["alarms"]
        assert alarm["key"] == "clock_jump"
        assert "7200" in alarm["text"]


def test_a_hall_that_does_not_answer_and_answers_again(tmp_path: Path) -> None:
    folder = tmp_path / "office"
    with running_server(folder, "--log-format", "json") as server:
        assert server.status_of("/ready", 200).json()["checks"]["hall"] == "ok"
        assert 'arrocco_process_memory_bytes{process="hall"}' in server.get("/metrics").text
        hall = part_of(server, "hall_process")
        os.kill(hall, signal.SIGSTOP)
        try:
            answer = server.status_of("/ready", 503)
            assert answer.json()["checks"]["hall"] != "ok"
            assert answer.json()["checks"]["database"] == "ok"
            assert until(lambda: "hall_silent" in server.get("/ready").json()["alarms"])
            assert server.get("/health").status_code == 200
        finally:
            os.kill(hall, signal.SIGCONT)
        assert server.status_of("/ready", 200).status_code == 200
        assert until(lambda: "hall_silent" not in server.get("/ready").json()["alarms"])
        assert until(lambda: states_of(server, "hall_silent") == ["raised", "cleared"])


def states_of(server: RunningServer, alarm: str) -> list[str]:
    """What the log tells of an alarm; the line comes a little after the state."""
    return [line["state"] for line in server.log() if line.get("alarm") == alarm]


def part_of(server: RunningServer, name: str) -> int:
    """The process of a part of a server."""
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if folder.name.isdigit() and name in (folder / "cmdline").read_text():
                parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
                if int(parent) == server.pid:
                    return int(folder.name)
    raise AssertionError(f"there is no {name}")


def site_of(server: RunningServer) -> int:
    return part_of(server, "site_process")


def test_the_page_is_for_the_system_administrator(logged_in: LogIn) -> None:
    answer = logged_in(Role.SYSTEM_ADMINISTRATOR).get("/en/operation")
    assert answer.status_code == 200
    assert "No alarms." in answer.text
    for role in (Role.RATING_ADMINISTRATOR, Role.PLAYER):
        assert logged_in(role).get("/en/operation").status_code == 403


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_page_with_an_alarm_is_valid(office: Office, browser: Browser, language: str) -> None:
    settings = OperationSettings(disk_free=Limit(share=1.0))
    app = app_of(office, settings=settings)
    client = browser(app=app)
    session = logged_in_cookie(office, Role.SYSTEM_ADMINISTRATOR)
    client.cookies.set(app.state.cookies.session, session)
    answer = client.get(f"/{language}/operation")
    assert faults_of(answer.text) == []
    assert "GB" in answer.text
    waits = all_of(client.get(f"/{language}/desk").text, "//main//tbody//th/a/@href")
    assert f"/{language}/operation" in waits, "its inbox tells of it"
