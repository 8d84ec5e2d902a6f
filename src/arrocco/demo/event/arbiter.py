"""The scripted chief arbiter: announces, checks in, pairs, opens and closes, and steps in."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

import msgspec

from arrocco.demo.event.cast import FEDERATION, Session
from arrocco.demo.event.page import Message, Page, Refused, Where
from arrocco.demo.event.player import Tally
from arrocco.hall.event import Rules
from arrocco.hall.event.records import TieBreak

NAME = "Ferrastri, Ulda"
TIME_CONTROL = "180+2"
_PACE = 0.03
"""Seconds between commands of a kind: a page may not say everything at once."""
_PAUSE = 0.5

Boards = dict[str, Message]


def rules(rounds: int, tolerance: timedelta) -> Rules:
    """The rules of the event: all that the regulation wants said beforehand (1.3.3)."""
    return Rules(
        rounds=rounds,
        time_control=TIME_CONTROL,
        tolerance=tolerance,
        disconnection_rule="The clock runs on; who is not back before the flag falls loses (7.5).",
        check_in=True,
        call_stops_clocks=True,
        tie_breaks=(TieBreak.BUCHHOLZ_CUT_1, TieBreak.BUCHHOLZ, TieBreak.WINS),
    )


class Arbiter:
    """The organiser and chief arbiter."""

    def __init__(self, site: Where, event: str, session: Session, tally: Tally, seed: int) -> None:
        self._event, self._account, self._tally = event, str(session.account), tally
        self._page = Page(site, session.token, self._hear)
        self._rng = random.Random(seed)
        self._news = asyncio.Condition()
        self._round = 0
        self._count = 0
        self._results: dict[int, Message] = {}
        self._missed: list[int] = []
        self._boards: Boards = {}
        self._views: dict[str, Message] = {}
        self._telling: set[asyncio.Task[None]] = set()

    @property
    def running(self) -> int:
        """How many games of the round are not over."""
        return self._count - len(self._results)

    # --- before the first round -----------------------------------------------------------------

    async def announce(self, rounds: int, tolerance: timedelta) -> None:
        """Says the rules, takes the office of chief arbiter, opens the wall."""
        await self._page.open()
        stated = msgspec.to_builtins(rules(rounds, tolerance))
        await self._ask("set_rules", rules=stated)
        chief = {"account": self._account, "name": NAME, "chief": True}
        await self._ask("appoint_arbiter", arbiter=chief)
        await self._page.say(type="event", event=self._event)
        await self._page.say(type="wall", event=self._event)

    async def check_in(self, entries: int) -> None:
        """Finds everybody there."""
        for entry in range(1, entries + 1):
            await self._ask("check_in", entry=entry)
            await asyncio.sleep(_PACE)

    # --- a round --------------------------------------------------------------------------------

    async def play_round(self, number: int, acts: frozenset[str]) -> None:
        """Pairs, opens, steps in as the script says, and closes once all results are there.

        An act that found no occasion in a round is to be asked for again in the next one.
        """
        self._round, self._count, self._results, self._boards = number, 0, {}, {}
        while self._missed:  # who stayed away has written and will play on
            await self._ask("check_in", entry=self._missed.pop())
        await self._ask("pair_round")
        await self._ask("open_round")
        await self._page.say(type="event", event=self._event)
        scripted = {"resume": self._pause_a_game, "warn": self._warn_somebody}
        busy = [asyncio.create_task(do()) for act, do in scripted.items() if act in acts]
        busy.append(asyncio.create_task(self._answer_calls()))
        try:
            await self._until(lambda: self._count > 0 and self.running == 0)
            if "correct_result" in acts:
                await self._correct_a_result()
        finally:
            for task in busy:
                task.cancel()
            await asyncio.gather(*busy, return_exceptions=True)
        await self._ask("close_round")

    async def close_event(self) -> None:
        await self._ask("close_event")

    async def validate(self) -> None:
        """12.9 — validates the standings, once complaints can no longer come."""
        await self._ask("validate")

    async def go(self) -> None:
        await self._page.close()

    async def _ask(self, kind: str, **fields: Any) -> None:
        await self._page.command(self._event, kind, **fields)

    # --- what is heard --------------------------------------------------------------------------

    def _hear(self, message: Message) -> None:
        match message["type"]:
            case "event" if message["round"] == self._round:
                self._count = len(message["boards"])
                for board in message["boards"]:
                    if board.get("result"):
                        self._results[board["board"]] = board["result"]
            case "event_update":
                for record in message["records"]:
                    if record["type"] == "stayed_away":
                        self._missed += record["entries"]
                    if record["type"] in ("result_taken", "result_corrected"):
                        self._results[record["board"]] = record["result"]
            case "wall":
                self._boards |= {board["game"]: board for board in message["boards"]}
            case "view":
                self._views[message["game"]] = message["view"]
        task = asyncio.ensure_future(self._tell())
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def _until(self, seen: Callable[[], bool]) -> None:
        async with self._news:
            await self._news.wait_for(seen)

    # --- stepping in ----------------------------------------------------------------------------

    async def _act(self, game: str, kind: str, **fields: Any) -> None:
        await self._page.command_game(game, kind, fields)
        self._tally.happened[f"act_{kind}"] += 1

    def _under_way(self) -> list[str]:
        """Games with both players there that have begun."""
        return [
            game
            for game, board in self._boards.items()
            if board["round"] == self._round
            and board["phase"] == "running"
            and all(board["connected"])
            and board["last"]
        ]

    async def _pause_a_game(self) -> None:
        """11.6, 6.5 — stops a game, gives time to the player who was disturbed, lets it go on."""
        while True:
            await self._until(lambda: bool(self._under_way()))
            game = self._rng.choice(self._under_way())
            try:
                reason = "The picture of the board froze for both players."
                await self._act(game, "pause", reason=reason)
                await asyncio.sleep(_PAUSE)
                reason = "Black was disturbed while thinking."
                await self._act(game, "add_time", side="black", time=30_000, reason=reason)
                await self._act(game, "resume", reason="Both see the board again.")
                return
            except Refused:  # it has ended meanwhile: another one
                await asyncio.sleep(0.1)

    async def _warn_somebody(self) -> None:
        """6.9a — an official warning."""
        await self._until(lambda: bool(self._under_way()))
        game = self._rng.choice(self._under_way())
        reason = "Spoke to somebody in the room during the game."
        await self._act(game, "warn", side="white", reason=reason)

    async def _answer_calls(self) -> None:
        """11.1 — comes to whoever calls; the clocks stood meanwhile and run again afterwards."""
        while True:
            await self._until(lambda: any(board["calls"] for board in self._boards.values()))
            calling = [game for game, board in self._boards.items() if board["calls"]]
            for game in calling:
                with suppress(Refused):
                    await self._answer(game)
                self._boards[game]["calls"] = 0

    async def _answer(self, game: str) -> None:
        self._views.pop(game, None)
        await self._page.say(type="join", game=game)
        await self._until(lambda: game in self._views)
        view = self._views[game]
        for call in view["calls"]:
            if not call["answered"]:
                reason = "The opponent was told to stop."
                number = call["number"]
                await self._act(game, "answer_call", call=number, founded=True, reason=reason)
        if view["phase"] == "paused":
            await self._act(game, "resume", article="6.8", reason="The call is answered.")
        await self._page.say(type="leave", game=game)

    async def _correct_a_result(self) -> None:
        """6.9f — a won game is lost after all; for the rating it stays as played (12.13)."""
        won = [
            (board, result["points"])
            for board, result in sorted(self._results.items())
            if result["kind"] == "played" and sorted(result["points"]) == [0, 10]
        ]
        if not won:
            return
        board, points = won[0]
        winner = "white" if points[0] else "black"
        await self._act(
            f"{self._event}-{self._round}-{board}",
            "correct_result",
            scores=points[::-1],
            against=winner,
            article="6.9f",
            reason="After the game the winner was found with a second screen.",
        )
        await self._until(lambda: self._results[board]["points"] == points[::-1])


def announcement(event: str, name: str, start: date, end: date) -> dict[str, Any]:
    """The body of the request for a new event."""
    return {
        "type": "create",
        "event": event,
        "name": name,
        "site": "Online",
        "federation": FEDERATION,
        "start": start.isoformat(),
        "end": end.isoformat(),
    }
