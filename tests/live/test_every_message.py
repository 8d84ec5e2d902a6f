"""6.3, 12.3 — every message of the hall's socket, said by everybody: only who may is answered."""

from __future__ import annotations

from functools import partial
from typing import Any, get_args

import pytest

from arrocco.hall.event.acts.consent import WORDS
from arrocco.hall.event.rules import Supervision
from arrocco.live import messages as m
from tests.live.stage import (
    CHIEF,
    HELPER,
    ORGANISER,
    STRANGER,
    Client,
    Stage,
    event,
    open_round,
    run,
    start_round,
)

FIRST = "open-1-1"
PLAYER, OTHER, NOBODY = "1", "3", ""
"""A player of the first board, one of the second, which is the assistant's, and nobody at all."""
EVERYBODY = {CHIEF, HELPER, ORGANISER, PLAYER, OTHER, STRANGER, NOBODY}
ARBITERS, OFFICIALS = {CHIEF, HELPER}, {CHIEF, ORGANISER}
WARN = {"type": "warn", "side": "white", "reason": "noise"}
RESIGN, PAUSE = {"type": "resign"}, {"type": "pause", "reason": ""}
SAID: list[tuple[dict[str, Any], set[str]]] = [
    ({"type": "ping", "id": "1"}, EVERYBODY),
    ({"type": "join", "game": FIRST}, EVERYBODY),
    ({"type": "event", "event": "open"}, EVERYBODY),
    ({"type": "wall", "event": "open"}, ARBITERS),
    ({"type": "game_command", "id": "1", "game": FIRST, "command": WARN}, {CHIEF}),
    ({"type": "game_command", "id": "1", "game": FIRST, "command": RESIGN}, {PLAYER}),
    ({"type": "wall_command", "id": "1", "event": "open", "command": PAUSE}, ARBITERS),
    # The names these had first, which programs of others still say.
    ({"type": "wish", "id": "1", "game": FIRST, "wish": WARN}, {CHIEF}),
    ({"type": "wish", "id": "1", "game": FIRST, "wish": RESIGN}, {PLAYER}),
    ({"type": "wall_wish", "id": "1", "event": "open", "wish": PAUSE}, ARBITERS),
    ({"type": "chat", "id": "1", "event": "open", "text": "hello"}, {PLAYER, OTHER}),
    ({"type": "chat", "id": "1", "event": "open", "text": "hello", "entry": 1}, {CHIEF, PLAYER}),
]
COMMANDS: list[tuple[dict[str, Any], set[str]]] = [
    ({"type": "announce", "text": "Welcome."}, OFFICIALS),
    ({"type": "set_joining_time", "joining": "2099-01-01T10:00:00Z"}, ARBITERS),
    ({"type": "record_room_check", "entry": 1, "point": "room", "in_order": True}, {CHIEF}),
    ({"type": "record_room_check", "entry": 3, "point": "room", "in_order": True}, ARBITERS),
    ({"type": "announce_absence", "entry": 1}, {CHIEF, HELPER, ORGANISER, PLAYER}),
    ({"type": "note_joined", "entry": 1}, set()),
    ({"type": "file_complaint", "text": "the clock"}, set()),  # 12.9
    (
        {"type": "waive_check", "round": 1, "board": 1, "reason": "x", "moves": 0},
        set(),
    ),
    (
        {
            "type": "watch_recording",
            "capacity": "committee",
            "recording": "1-room-1",
            "reason": "x",
        },
        set(),
    ),
    (
        {"type": "begin_talk", "talk": "0" * 16, "entries": [1], "why": "conduct"},
        set(),
    ),
    ({"type": "end_talk", "talk": "0" * 16}, set()),
    ({"type": "take_back", "round": 1, "board": 1, "white": 1}, set()),
    ({"type": "consent_to_video", "words": WORDS}, {PLAYER, OTHER}),
]
SAID += [
    ({"type": "command", "id": "1", "event": "open", "command": command}, who)
    for command, who in COMMANDS
]
UNANSWERED = {"leave", "boards"}
"""Leaving is not answered; boards for onlookers have tests of their own, with what each may see."""


def test_every_kind_of_message_is_here() -> None:
    kinds = {kind.__struct_config__.tag for kind in get_args(m.Said)}
    assert kinds - UNANSWERED == {said["type"] for said, _ in SAID}


@pytest.mark.parametrize(("said", "who"), SAID, ids=range(len(SAID)))
def test_6_3_only_who_may_is_answered(said: dict[str, Any], who: set[str]) -> None:
    async def play(account: str, stage: Stage) -> list[dict[str, Any]]:
        room = await event(stage, supervision=Supervision.FULL)
        await open_round(stage, room)
        await start_round(stage)
        client: Client = stage.connect(account)
        await client.hear()
        client.say(**said)
        return await client.hear()

    for account in EVERYBODY:
        heard = run(partial(play, account))
        kinds = [one["type"] for one in heard]
        if account in who:
            assert kinds, (account, said)
            assert "refused" not in kinds, (account, heard)
        else:
            assert set(kinds) == {"refused"}, (account, heard)
