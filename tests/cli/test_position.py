"""`arrocco position judge`: yes with a line, no with a reason, in text and JSON."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from arrocco.cli.main import program

QUEEN = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"
WALL = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - -"


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")


def judge(*args: str) -> Result:
    return CliRunner().invoke(program, ["position", "judge", *args], prog_name="arrocco")


def test_both_sides_are_judged() -> None:
    result = judge(QUEEN)
    assert result.exit_code == 0
    white, black = result.stdout.splitlines()
    assert white == "White can mate, with both sides helping: 1. Qg7#"
    assert black.startswith("Black cannot mate: ")


def test_one_side_is_judged() -> None:
    assert len(judge(QUEEN, "--side", "black").stdout.splitlines()) == 1


def test_2_2d_a_dead_position_is_said_to_be_dead() -> None:
    assert judge(WALL).stdout.splitlines()[2] == "The position is dead: the game is drawn (2.2d)."


def test_italian_sentences_begin_with_a_capital() -> None:
    lines = judge(WALL, "--lang", "it").stdout.splitlines()
    assert lines[0].startswith("Il Bianco non può dare matto: ")
    assert lines[2] == "La posizione è morta: la partita è patta (2.2d)."


def test_json_has_the_verdict_its_key_and_the_line() -> None:
    found = json.loads(judge(QUEEN, "--json").stdout)
    assert found["fen"] == QUEEN
    assert found["dead"] is False
    white, black = found["verdicts"]
    assert white["side"] == "white"
    assert white["can_mate"] is True
    assert white["line"] == ["g5g7"]
    assert (black["can_mate"], black["key"]) == (False, "unwinnable.material")
    assert "dead" not in json.loads(judge(QUEEN, "--json", "--side", "white").stdout)


def test_what_is_no_position_is_refused() -> None:
    result = judge("nothing")
    assert result.exit_code == 1
    assert "nothing is not a legal position" in result.stderr
