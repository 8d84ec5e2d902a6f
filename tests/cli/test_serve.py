"""`arrocco serve` where it cannot serve; that it does is shown in tests/browser."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from arrocco.cli.main import program


@pytest.mark.parametrize(("language", "word"), [("en", "nothing can answer"), ("it", "nulla può")])
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
