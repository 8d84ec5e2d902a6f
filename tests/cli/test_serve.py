"""`arrocco serve` where it cannot serve; that it does is shown in tests/browser."""

from __future__ import annotations

import socket
import time
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from arrocco.cli.main import program
from tests.running_server import running_server


@pytest.mark.parametrize(
    ("language", "word"), [("en", "cannot listen"), ("it", "il server non può")]
)
def test_an_address_that_is_taken_is_refused_in_words(
    tmp_path: Path, language: str, word: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        args = ["serve", "--office", str(tmp_path / "o"), "--port", str(port), "--lang", language]
        result = CliRunner().invoke(program, args)
    assert result.exit_code == 1
    assert word in result.output
    assert str(port) in result.output
    assert not (tmp_path / "o").exists(), "nothing is made where nothing can be served"


def test_an_address_that_is_none_is_refused_in_words(tmp_path: Path) -> None:
    args = ["serve", "--office", str(tmp_path / "o"), "--host", "256.0.0.1", "--lang", "en"]
    result = CliRunner().invoke(program, args)
    assert result.exit_code == 1
    assert "256.0.0.1" in result.output


def test_one_command_makes_an_office_and_serves_its_first_link(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        command = ["office", "init", "--email", "head@example.org", "--serve", "--port", str(port)]
        refused = CliRunner().invoke(program, [*command, "--office", str(tmp_path / "o")])
    assert refused.exit_code == 1
    assert not (tmp_path / "o").exists()
    with running_server(tmp_path / "o", command=command) as server:
        address, _, path = server.address.partition("/en/")
        assert address == f"http://localhost:{port}"
        server.address = address.replace("localhost", "127.0.0.1")
        with closing(socket.socket()) as asking:  # the link is printed before the port is open
            until = time.monotonic() + 60
            while asking.connect_ex(("127.0.0.1", port)) and time.monotonic() < until:
                time.sleep(0.1)
        page = server.status_of(f"/en/{path}", 200, 60)
    assert "head@example.org" in page.text
