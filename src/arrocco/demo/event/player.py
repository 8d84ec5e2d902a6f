"""A scripted player: enters, comes to the board, plays, gives up, agrees, loses the line."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import chess

from arrocco.demo.event.cast import FEDERATION, Invented, Session
from arrocco.demo.event.moves import balance, choose
from arrocco.demo.event.page import Message, Page, Refused, Where
from arrocco.hall.event.acts.consent import WORDS

HOPELESS = -1000
"""Material behind which one resigns, a pawn being 100."""
LEVEL = 150
"""Up to so much material one takes a draw."""
FIRST_OFFER, TIRED = 40, 90
"""Half moves after which draws are offered now and then, and after which everybody wants one."""
THINKING = (30, 80)
"""Milliseconds to think about a move: a page may send 20 messages a second."""
_AGAIN = 0.2
"""Seconds after which something refused is thought about again."""


@dataclass
class Tally:
    """What happens in all games together, for whoever watches."""

    moves: int = 0
    happened: Counter[str] = field(default_factory=Counter)


@dataclass
class Part:
    """What a player does besides playing, by round."""

    absent: frozenset[int] = frozenset()
    """Rounds to which the player does not come."""
    loses_line: frozenset[int] = frozenset()
    """Rounds in which the connection is lost for a while."""
    calls_from: int | None = None
    """The round from which on the arbiter is called, once."""


class DemoPlayer:
    """Somebody who plays the whole event."""

    def __init__(
        self,
        site: Where,
        event: str,
        person: Invented,
        session: Session,
        part: Part,
        tally: Tally,
        seed: int,
        thinking: tuple[int, int] = THINKING,
    ) -> None:
        self.person, self._event, self._account = person, event, str(session.account)
        self._part, self._tally, self._thinking = part, tally, thinking
        self._rng = random.Random(seed)
        self._page = Page(site, session.token, self._hear)
        self._news = asyncio.Event()
        self._is_over = False
        self._round, self._game, self._joined = 0, "", ""
        self._side = chess.WHITE
        self._board = chess.Board()
        self._ply, self._phase, self._offer = 0, "", ""
        self._asked = -1
        self._done: set[str] = set()

    # --- the event ------------------------------------------------------------------------------

    async def enter(self) -> None:
        """Opens the page of the event and enters (5.4)."""
        await self._page.open()
        one = self.person
        person: dict[str, Any] = {
            "account": self._account,
            "surname": one.surname,
            "name": one.name,
            "id": one.number,
            "federation": FEDERATION,
            "sex": one.sex,
            "birth": {"year": one.birth},
        }
        if one.rating is not None:
            person["rating"] = one.rating
        await self._page.command(self._event, "enter", person=person)
        await self._page.say(type="event", event=self._event)

    async def consent_to_video(self) -> None:
        """12.3 — before the first picture is sent."""
        await self._page.command(self._event, "consent_to_video", words=WORDS)

    async def follow(self) -> None:
        """Opens the page of an event that somebody else has entered the player in."""
        await self._page.open()
        await self._page.say(type="event", event=self._event)

    async def play(self) -> None:
        """Plays whatever comes until the event is closed."""
        while not self._is_over:
            await self._news.wait()
            self._news.clear()
            await self._come_to_the_board()
            if self._is_to_move():
                await asyncio.sleep(self._rng.randrange(*self._thinking) / 1000)
            if self._is_to_move():
                self._asked = self._ply
                try:
                    await self._act()
                except Refused:  # the game stands still or is over, or it was too much at once
                    self._asked = -1
                    await asyncio.sleep(_AGAIN)
                    self._news.set()
        await self._page.close()

    async def _come_to_the_board(self) -> None:
        if self._game == self._joined:
            return
        self._joined = self._game
        self._ply, self._phase, self._asked = 0, "", -1
        if self._round in self._part.absent:
            self._tally.happened["absent"] += 1
        else:
            await self._page.say(type="join", game=self._game)

    # --- what is heard --------------------------------------------------------------------------

    def _hear(self, message: Message) -> None:
        match message["type"]:
            case "event" if message["phase"] == "open" and message["game"]:
                self._round, self._game = message["round"], message["game"]
            case "event_update":
                self._hear_of_event(message["records"])
            case "view" if message["game"] == self._game:
                self._see(message["view"])
            case "update" if message["game"] == self._game:
                self._follow(message)
        self._news.set()

    def _hear_of_event(self, records: list[Message]) -> None:
        kinds = {record["type"] for record in records}
        if "round_opened" in kinds:
            self._later = asyncio.ensure_future(self._page.say(type="event", event=self._event))
        self._is_over |= "closed" in kinds

    def _see(self, view: Message) -> None:
        self._side = view["side"] == "white"
        self._board = chess.Board(view["fen"])
        self._ply, self._phase = len(view["moves"]), view["phase"]
        self._offer = (view["offer"] or {}).get("side", "")

    def _follow(self, update: Message) -> None:
        for event in update["events"]:
            if event["type"] == "moved" and event["ply"] == self._ply:
                self._board.push_uci(event["uci"])
                self._ply += 1
                self._tally.moves += self._board.turn is not self._side
        self._phase = update["phase"]
        self._offer = (update["offer"] or {}).get("side", "")

    # --- at the board ---------------------------------------------------------------------------

    def _is_to_move(self) -> bool:
        return (
            self._phase == "running"
            and self._game == self._joined
            and self._board.turn is self._side
            and self._asked != self._ply
        )

    async def _act(self) -> None:
        ahead = balance(self._board, self._side)
        if self._round in self._part.loses_line and self._is_due(f"line {self._round}", 4):
            await self._lose_line()
            return
        first = self._part.calls_from
        if first is not None and self._round >= first and self._is_due("call", 4):
            self._tally.happened["calls"] += 1
            text = "My opponent writes to me in another window."
            await self._command("call_arbiter", text=text)
            self._asked = -1  # the clocks stand until the arbiter lets them run: then the move
            return
        if self._offer and ahead <= LEVEL and self._ply >= FIRST_OFFER:
            self._tally.happened["draws_agreed"] += 1
            await self._command("accept_draw", at=self._ply)
            return
        if ahead <= HOPELESS or (self._ply > 2 * TIRED and ahead < -LEVEL):
            self._tally.happened["resigned"] += 1
            await self._command("resign")
            return
        if not self._offer and abs(ahead) <= LEVEL and self._wants_draw():
            self._tally.happened["draws_offered"] += 1
            await self._command("offer_draw", at=self._ply)
        move = choose(self._board, self.person.strength, self._rng)
        await self._command("move", uci=move.uci(), ply=self._ply)

    async def _command(self, kind: str, at: int | None = None, **fields: Any) -> None:
        await self._page.command_game(self._game, kind, fields, at=at)

    def _wants_draw(self) -> bool:
        if self._ply >= TIRED:
            return True
        return self._ply >= FIRST_OFFER and self._rng.randrange(8) == 0

    def _is_due(self, what: str, ply: int) -> bool:
        """Whether something is to be done now, from a ply on, and was not yet."""
        if self._ply < ply or what in self._done:
            return False
        self._done.add(what)
        return True

    async def _lose_line(self) -> None:
        """7.5 — the connection goes; the clock runs on; the player comes back to the same game."""
        self._tally.happened["lines_lost"] += 1
        await self._page.close()
        await asyncio.sleep(self._rng.randrange(400, 1200) / 1000)
        self._joined, self._phase = "", ""
        await self._page.open()
        await self._page.say(type="event", event=self._event)
