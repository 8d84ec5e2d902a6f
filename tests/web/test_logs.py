"""What a running server writes down: every request once, every defect whole, nobody's secrets."""

from __future__ import annotations

import json
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.office.roles import Role
from tests.running_server import RunningServer, running_server
from tests.web.offices import PASSWORD, email_of, fill, logged_in_cookie
from tests.web.visits import all_of

DEFECT = """
from arrocco.desk.lists import Lists
def latest(self, system):
    raise ValueError("broken for mario.bianchi@example.org with token=%s" % ("aZ9_" * 11))
Lists.latest = latest
"""
"""Makes the home page fail, with what must not be logged in the words of its failure."""
SCRAPER = "metrics-secret-0123456789abcdefABCDEF"
ADMIN = Role.SYSTEM_ADMINISTRATOR
UTC_MILLISECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture(scope="module")
def secrets() -> dict[str, str]:
    return {}


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, secrets: dict[str, str]
) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("logged") / "office"
    with closing(Office.open(folder)) as office:
        fill(office)
        secrets["session"] = logged_in_cookie(office, ADMIN)
        secrets["invitation"] = office.accounts.invite(
            operator(ADMIN), "invited@example.org", Role.PLAYER, "", 99000002
        )
    access = folder.with_name("access.log")
    options = ("--log-format", "json", "--access-log", str(access))
    environment = {"ARROCCO_METRICS_TOKEN": SCRAPER}
    defect = tmp_path_factory.mktemp("defect")  # in each process of the server
    (defect / "sitecustomize.py").write_text(f"exec({DEFECT!r})")  # no source to be shown
    environment["PYTHONPATH"] = f"{defect}:{os.environ.get('PYTHONPATH', '')}".rstrip(":")
    with running_server(folder, *options, environment=environment) as running:
        running.access = access  # type: ignore[attr-defined]
        yield running


def access_lines(server: RunningServer) -> list[dict[str, Any]]:
    text: str = server.access.read_text()  # type: ignore[attr-defined]
    return [json.loads(line) for line in text.splitlines()]


def line_of(server: RunningServer, answer: httpx.Response) -> dict[str, Any]:
    """The line of a request; it is written soon after the answer is sent."""
    wanted, until = answer.headers["x-request-id"], time.monotonic() + 10
    while time.monotonic() < until:
        for line in access_lines(server):
            if line["request_id"] == wanted:
                return line
        time.sleep(0.05)
    raise AssertionError(f"no line of {wanted}")


def test_a_request_is_one_line_of_the_access_log(server: RunningServer) -> None:
    answer = server.get("/en/players/99000001?q=somebody")
    line = line_of(server, answer)
    assert UTC_MILLISECONDS.fullmatch(line["time"])
    assert line["method"] == "GET"
    assert line["route"] == "/{language}/players/{player}"
    assert line["path"] == "/en/players/99000001"
    assert line["status"] == answer.status_code
    assert line["bytes"] == int(answer.headers["content-length"])
    assert 0 < line["ms"] < 20_000
    assert line["address"] == "127.0.0.0"
    ids = [line["request_id"] for line in access_lines(server)]
    assert len(ids) == len(set(ids))


def test_the_access_log_is_for_its_owner_alone(server: RunningServer) -> None:
    file: Path = server.access  # type: ignore[attr-defined]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_defect_is_logged_whole_under_the_number_the_page_shows(server: RunningServer) -> None:
    answer = server.get("/it")
    assert answer.status_code == 500
    number = answer.headers["x-request-id"]
    assert number in answer.text
    line_of(server, answer)  # written by the same thread, after it
    records = [line for line in server.log() if line.get("request_id") == number]
    (record,) = [line for line in records if "exception" in line]
    assert record["level"] == "error"
    assert record["route"] == "/{language}"
    assert "Traceback" in record["exception"]
    assert "broken for [hidden]" in record["exception"]
    assert UTC_MILLISECONDS.fullmatch(record["time"])


def test_what_a_client_sends_can_end_no_line(server: RunningServer) -> None:
    answer = server.get("/en/none%0A%7B%22level%22:%22forged%22%7D%0D")
    assert "forged" in line_of(server, answer)["path"]
    assert all(line["level"] != "forged" for line in access_lines(server))


def test_no_secret_is_ever_written(server: RunningServer, secrets: dict[str, str]) -> None:
    with httpx.Client(base_url=server.address, timeout=60) as client:
        leave_secrets(client, secrets)
    server.get("/en", cookies={"arrocco_session": secrets["session"]})
    scraped = server.get("/metricss", headers={"authorization": f"Bearer {SCRAPER}"})
    assert line_of(server, scraped)["status"] == 404
    written = server.stderr.read_text() + server.access.read_text()  # type: ignore[attr-defined]
    assert len(access_lines(server)) >= 6
    for name, secret in secrets.items():
        assert secret not in written, name
    for secret in (PASSWORD, "quite wrong here", SCRAPER, "@example.org", "mario.", "aZ9_"):
        assert secret not in written, secret


def leave_secrets(client: httpx.Client, secrets: dict[str, str]) -> None:
    """Logs in, wrongly and rightly, and looks at an invitation."""
    page = client.get("/en/log-in")
    secrets["form"] = all_of(page.text, "//input[@name='form_token']/@value")[0]
    secrets["visit"] = client.cookies["arrocco_visit"]
    sent = {"form_token": secrets["form"], "email": email_of(ADMIN)}
    assert client.post("/en/log-in", data=sent | {"password": "quite wrong here"}).status_code < 500
    assert client.post("/en/log-in", data=sent | {"password": PASSWORD}).status_code == 303
    secrets["new session"] = client.cookies["arrocco_session"]
    assert client.get(f"/en/invitation?token={secrets['invitation']}").status_code == 200
    client.get(f"/en/{secrets['invitation']}/somebody@example.org")


def test_text_for_people_and_no_addresses(tmp_path: Path) -> None:
    folder = tmp_path / "office"
    options = ("--access-log", "-", "--access-log-addresses", "none")
    with running_server(folder, *options) as server:
        answer = server.get("/en/law")
    number = answer.headers["x-request-id"]
    (line,) = [line for line in server.stderr.read_text().splitlines() if number in line]
    moment, address, method, path, status, *_ = line.split()
    assert UTC_MILLISECONDS.fullmatch(moment)
    assert (address, method, path, status) == ("-", "GET", "/en/law", "200")


def test_without_being_asked_for_there_is_no_access_log(tmp_path: Path) -> None:
    with running_server(tmp_path / "office") as server:
        server.get("/en/law")
    assert server.stderr.read_text() == ""
