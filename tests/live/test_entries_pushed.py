"""Entries and check-ins reach whoever has the page of an event open, without asking again."""

from __future__ import annotations

from typing import Any

from arrocco.hall.event.acts.entries import CheckIn, Enter
from tests.live.stage import ORGANISER, Client, Stage, event, person, run


def kinds(updates: list[dict[str, Any]]) -> list[str]:
    return [record["type"] for update in updates for record in update.get("records", ())]


async def watching(stage: Stage, account: str = "") -> Client:
    client = stage.connect(account)
    client.say(type="event", event="open")
    await client.hear()
    return client


def test_5_4_entries_and_check_ins_are_told_to_all_who_follow_the_event() -> None:
    async def play(stage: Stage) -> None:
        room = await event(stage, check_in=True)
        watchers = [await watching(stage), await watching(stage, "1"), await watching(stage, "2")]
        assert not (await room.ask(Enter(by=ORGANISER, person=person(9)))).objections
        await stage.time.pass_by(5000)
        entry = room.state.entry_of("9")
        assert entry is not None
        for client in watchers:
            assert kinds(await client.hear()) == ["entries_changed"]
        assert not (await room.ask(CheckIn(by="9", entry=entry.id))).objections
        await stage.time.pass_by(5000)
        for client in watchers:
            assert kinds(await client.hear()) == ["entries_changed"]
        await stage.time.pass_by(5000)
        for client in watchers:
            assert await client.hear() == [], "nothing is told twice"

    run(play)
