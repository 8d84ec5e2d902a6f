"""Messages become wishes of whoever is connected, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.errors import Malformed
from arrocco.hall.game import commands as c
from arrocco.hall.game.acts.clock_time import AddTime
from arrocco.hall.game.wire import read_arbiter_command, read_player_command
from arrocco.laws.online.side import Side


def message(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


def test_a_wish_is_of_whoever_is_connected() -> None:
    assert read_player_command(message(type="move", uci="e2e4", ply=0), "ada") == c.Move(
        by="ada", uci="e2e4", ply=0
    )
    act = message(type="add_time", reason="noise", side="black", time=5)
    assert read_arbiter_command(act, "arb") == AddTime(
        by="arb", reason="noise", side=Side.BLACK, time=5
    )


@pytest.mark.parametrize("read", [read_player_command, read_arbiter_command])
def test_nobody_says_who_they_are(read: Any) -> None:
    with pytest.raises(Malformed, match="sender"):
        read(message(type="resign", by="bea"), "ada")


@pytest.mark.parametrize(
    "data",
    [
        rb'{"type":"resign","\u0062y":"bea"}',
        rb'{"b\u0079":"bea","type":"resign"}',
        b'{"type":"resign","by" :"bea"}',
        b'{"by":"bea","by":"ada","type":"resign"}',
    ],
)
def test_nobody_says_who_they_are_however_they_write_it(data: bytes) -> None:
    with pytest.raises(Malformed, match="sender"):
        read_player_command(data, "ada")


@pytest.mark.parametrize("text", ['by "by" by', "back\\slash", "line\nline", "plain", "è"])
def test_what_is_written_is_read_whatever_is_in_it(text: str) -> None:
    for data in (
        message(type="call_arbiter", text=text),
        b" " + message(text=text, type="call_arbiter"),
    ):
        assert read_player_command(data, 'a"d\\a') == c.CallArbiter(by='a"d\\a', text=text)


@pytest.mark.parametrize("kind", ["pause", "declare_result", "start", "connect", "disconnect"])
def test_a_player_cannot_ask_for_what_is_not_a_players(kind: str) -> None:
    wish = message(type=kind, reason="x", scores=[2, 0])
    with pytest.raises(Malformed):
        read_player_command(wish, "ada")


@pytest.mark.parametrize("kind", ["move", "resign", "connect", "disconnect"])
def test_an_arbiter_cannot_ask_for_what_is_a_players(kind: str) -> None:
    with pytest.raises(Malformed):
        read_arbiter_command(message(type=kind, uci="e2e4", ply=0), "arb")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[1]",
        b"{}",
        b"\xff",
        b"[" * 9_999,
        message(type="move"),
        message(type="move", uci=5, ply=0),
        message(type="move", uci="e2e4", ply="0"),
        message(type="move", uci="e2e4", ply=0, more=1),
        message(type="call_arbiter", text="x" * 20_000),
    ],
)
def test_anything_else_is_refused_with_advice(data: bytes) -> None:
    for read in (read_player_command, read_arbiter_command):
        with pytest.raises(Malformed) as refusal:
            read(data, "ada")
        assert refusal.value.advice


@given(st.binary(max_size=60) | st.text(max_size=40).map(str.encode))
def test_no_message_breaks_the_reader(data: bytes) -> None:
    for read in (read_player_command, read_arbiter_command):
        with pytest.raises(Malformed):
            read(data, "ada")
