"""Short real games over sockets, for events whose pages a browser shows meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from arrocco.hall.game import fold
from arrocco.hall.game.log import decode
from arrocco.live.log_reader import SqliteLogReader
from arrocco.store.hall_file import hall_file
from tests.serving import Page, Server

WHITE_MATES = ("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7")
BLACK_MATES = ("f2f3", "e7e5", "g2g4", "d8h4")
DRAWN = ("g1f3", "g8f6", "f3g1", "f6g8")
"""Until the first position has come three times (2.2b)."""
GAMES: Mapping[str, Sequence[str]] = {
    "1–0": WHITE_MATES,
    "0–1": BLACK_MATES,
    "½–½": DRAWN * 2,
}
WAIT = 120


def play_all(
    server: Server,
    token_of: Callable[[str], str],
    results: Mapping[str, str],
    without: tuple[str, str] | None = None,
) -> None:
    """Plays games to the results that are wanted, by name of the game, all at the same time.

    `without` names a game, and the account of who does not come to it: the other one waits there.
    """

    async def all_play() -> None:
        games = [_play(server, token_of, game, GAMES[one]) for game, one in results.items()]
        if without is not None:
            games.append(_wait_alone(server, token_of, *without))
        await asyncio.gather(*games)

    with ThreadPoolExecutor(1) as thread:  # a browser's driver has a loop in this one
        thread.submit(asyncio.run, all_play()).result(WAIT)


def seats(server: Server, game: str) -> tuple[str, str]:
    """The accounts of White and Black, from the game's log."""
    logs = SqliteLogReader(hall_file(server.folder))
    try:
        state = fold([decode(line) for line in logs.read(f"game:{game}")])
    finally:
        logs.close()
    return state.white.player.id, state.black.player.id


async def _wait_alone(
    server: Server, token_of: Callable[[str], str], game: str, absent: str
) -> None:
    [present] = [one for one in seats(server, game) if one != absent]
    page = Page(server, token_of(present))
    await page.open()
    view = await page.join(game)
    while view["view"]["phase"] != "ended":
        view = await page.hear("view")
    await page.close()


async def _play(
    server: Server, token_of: Callable[[str], str], game: str, moves: Sequence[str]
) -> None:
    pages = [Page(server, token_of(account)) for account in seats(server, game)]
    for page in pages:
        await page.open()
    views = [await page.join(game) for page in pages]
    while views[0]["view"]["phase"] == "waiting":
        views[0] = await pages[0].hear("view")
    for ply, uci in enumerate(moves):
        answer = await pages[ply % 2].ask(game, type="move", uci=uci, ply=ply)
        assert answer["type"] == "done", (game, ply, answer)
    for page in pages:
        await page.close()
