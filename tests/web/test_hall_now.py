"""What is being played now, on the home page: boards as those who look on may see them."""

from __future__ import annotations

import asyncio
import time

from litestar import Litestar

from arrocco.desk import Office
from arrocco.hall.game import Phase
from arrocco.hall.game import commands as c
from arrocco.live.hall import Hall
from arrocco.office.roles import Role
from tests.web.conftest import Client, LogIn
from tests.web.html import faults_of
from tests.web.test_hall_pages import announce, app, asked, end_the_game, enter_both, logged_in

__all__ = ["app", "logged_in"]


def begin(hall: Hall, event: str, arbiter: Client) -> None:
    """Both players of board 1 come, and White moves."""

    async def play() -> None:
        room = await hall.find_room(f"{event}-1-1")
        assert room is not None
        while room.state.phase is Phase.WAITING:
            await asyncio.sleep(0.05)
        white, black = room.state.white.player.id, room.state.black.player.id
        for player in (white, black):
            await room.answer(c.Connect(by=player))
        assert (await room.answer(c.Move(by=white, uci="e2e4", ply=0))).refusal is None

    arbiter.blocking_portal.call(play)


def test_a_round_that_is_played_is_on_the_home_page_and_leaves_it(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter, public = logged_in(Role.ARBITER), logged_in(Role.PUBLIC)
    event = announce(arbiter)
    name = event.removeprefix("/en/hall/")
    enter_both(office, arbiter, event)
    assert public.get("/en/hall/now").text.strip() == ""
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    begin(app.state.live, name, arbiter)
    shown = public.get("/en/hall/now").text
    assert f"/en/hall/game/{name}-1-1" in shown
    assert shown.count("<piece ") == 32
    end_the_game(app.state.live, name, arbiter)
    assert public.get("/it/hall/now").text.strip() == ""


def test_who_has_finished_is_told_so_and_not_sent_to_the_board_again(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter, player = logged_in(Role.ARBITER), logged_in(Role.FEDERATION_OFFICER)
    event = announce(arbiter)
    asked(player, event, "enter")
    enter_both(office, arbiter, event)
    asked(arbiter, event, "pair_by_hand", boards="3 1\n2")
    asked(arbiter, event, "open_round")
    page = player.get(event).text
    assert "Go to your board (no. 1)" in page
    assert "own-finished" not in page
    end_the_game(app.state.live, event.removeprefix("/en/hall/"), arbiter)
    until = time.monotonic() + 30
    while "own-finished" not in player.get(event).text:  # the event is told of the end
        assert time.monotonic() < until
        time.sleep(0.1)
    for language, is_over in (
        ("en", "Your game of round 1 is over: 0–1."),
        ("it", "è finita: 0–1."),
    ):
        page = player.get(f"/{language}{event[3:]}").text
        assert is_over in page
        assert "(no. 1)" not in page
        assert "(n. 1)" not in page
        assert not faults_of(page)
