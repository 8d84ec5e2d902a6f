"""What waits in the hall stands in the inbox: a board for its player, calls for the arbiter."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime, timedelta

from litestar import Litestar

from arrocco.desk import Office
from arrocco.hall.game import Phase
from arrocco.hall.game import commands as c
from arrocco.live.hall import Hall
from arrocco.office.roles import Role
from arrocco.web.pages.hall_common import ZONE
from arrocco.words import say
from tests.web.conftest import Client, LogIn
from tests.web.offices import PASSWORD
from tests.web.test_hall_pages import announce, app, asked, end_the_game, enter_both, logged_in
from tests.web.visits import all_of, posted

__all__ = ["app", "logged_in"]
NAME = "Trofeo delle Piante"


def told(key: str) -> str:
    return say("en", f"inbox.item.{key}", event=NAME)


def first_player(app: Litestar, office: Office, logged_in: LogIn) -> Client:
    client = logged_in(Role.PUBLIC)
    client.cookies.set(
        app.state.cookies.session, office.accounts.log_in("p1@example.org", PASSWORD)
    )
    return client


def inbox_of(client: Client) -> dict[str, str]:
    """What waits, by its words, and where it leads."""
    page = client.get("/en/desk").text
    words = all_of(page, "//main//tbody//th/a/text()")
    return dict(zip(words, all_of(page, "//main//tbody//th/a/@href"), strict=True))


def call(hall: Hall, event: str, arbiter: Client) -> None:
    """White of board 1 calls the arbiter (11.1)."""

    async def calling() -> None:
        room = await hall.find_room(f"{event}-1-1")
        assert room is not None
        while room.state.phase is Phase.WAITING:
            await asyncio.sleep(0.05)
        white = room.state.white.player.id
        await room.answer(c.Connect(by=white))
        assert (await room.answer(c.CallArbiter(by=white, text="?"))).refusal is None

    arbiter.blocking_portal.call(calling)


def test_a_player_is_led_to_the_board_and_the_arbiter_to_the_call(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter, other = logged_in(Role.ARBITER), logged_in(Role.RATING_ADMINISTRATOR)
    event = announce(arbiter)
    name = event.removeprefix("/en/hall/")
    enter_both(office, arbiter, event)
    player = first_player(app, office, logged_in)
    assert inbox_of(player) == {}, "an entry alone is no work"

    asked(arbiter, event, "pair_round")
    assert inbox_of(player) == {told("own_pairing"): event}
    asked(arbiter, event, "open_round")
    assert inbox_of(player) == {told("own_game"): f"/en/hall/game/{name}-1-1"}
    assert told("calls") not in inbox_of(arbiter)

    call(app.state.live, name, arbiter)
    assert inbox_of(arbiter)[told("calls")] == f"/en/hall/{name}/wall"
    assert inbox_of(other).keys().isdisjoint({told("calls"), told("own_game")})

    end_the_game(app.state.live, name, arbiter)
    for _ in range(600):  # the board tells the event by itself
        if not inbox_of(player):
            break
        time.sleep(0.05)
    assert inbox_of(player) == {}
    assert told("calls") not in inbox_of(arbiter), "a game that is over has its calls on the wall"


def test_a_round_with_a_stated_start_is_told_to_its_players(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    player = first_player(app, office, logged_in)
    start = f"{datetime.now(ZONE) + timedelta(hours=2):%Y-%m-%dT%H:%M}"
    assert posted(arbiter, f"{event}/schedule", {"start_1": start}).status_code == 303
    assert inbox_of(player) == {told("own_round"): event}
    assert start[11:] in player.get("/en/desk").text, "the hour is told, not the day alone"
