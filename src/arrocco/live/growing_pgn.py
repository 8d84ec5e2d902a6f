"""The games of an event in PGN while they are played, as late as those who look on see them (5.17).

For broadcast tools, which ask again every few seconds: of a game whose log has not grown nothing is
read again, and nothing at all is read twice within a second.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field

from arrocco.hall.event.games import game_id
from arrocco.hall.event.state import Phase as RoundPhase
from arrocco.hall.game import Phase, State, apply, fold, to_pgn
from arrocco.hall.game.frames import frame_shown
from arrocco.hall.game.log import decode
from arrocco.live.reader import EventReader, HallReader

MAX_EVENTS = 20
FRESH = 1000
"""Milliseconds for which what was written is good enough for the next who asks."""


@dataclass(frozen=True)
class GamesFile:
    """A file of games, with what a client needs to ask whether it has changed."""

    data: bytes
    tag: str
    changed: int
    """The moment since when it is so, as far as this server knows."""


@dataclass
class _Kept:
    """What is known of one event."""

    texts: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Of each game that spectators have seen all of: the number of its log's end, and its PGN."""
    files: dict[int, tuple[int, GamesFile]] = field(default_factory=dict)
    """By round, 0 for all: when it was looked at last, and what it was."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class GrowingPgn:
    """The files of the events that were asked for lately."""

    def __init__(self, hall: HallReader) -> None:
        self._hall = hall
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    async def file(self, event: EventReader, round_number: int = 0) -> GamesFile:
        """The games of a round, or of all rounds, that spectators have seen begin."""
        kept = self._kept.setdefault(event.id, _Kept())
        self._kept.move_to_end(event.id)
        while len(self._kept) > MAX_EVENTS:
            self._kept.popitem(last=False)
        async with kept.lock:  # of many who ask at once, one reads
            now = self._hall.time.now()
            known = kept.files.get(round_number)
            if known is not None and now - known[0] < FRESH:
                return known[1]
            data = "\n".join(await self._texts(event, kept, round_number, now)).encode()
            tag = hashlib.sha256(data).hexdigest()[:32]
            file = GamesFile(data, tag, now)
            if known is not None and known[1].tag == tag:
                file = known[1]
            kept.files[round_number] = now, file
            return file

    async def _texts(
        self, event: EventReader, kept: _Kept, round_number: int, now: int
    ) -> list[str]:
        state = event.state
        ends = await self._hall.numbers(f"game:{event.id}-")
        texts = []
        for round_ in state.rounds:
            if round_.phase is RoundPhase.PAIRED or round_number not in (0, round_.number):
                continue
            for board in range(1, len(round_.boards) + 1):
                game = game_id(state, round_.number, board)
                end = ends.get(f"game:{game}")
                if end is None:
                    continue
                known = kept.texts.get(game)
                if known is None or known[0] != end:
                    text, is_all = await self._text(game, now)
                    if is_all:
                        kept.texts[game] = end, text
                else:
                    text = known[1]
                if text:
                    texts.append(text)
        return texts

    async def _text(self, game: str, now: int) -> tuple[str, bool]:
        """A game as spectators see it now, and whether that is all there is to see."""
        reader = await self._hall.find_game(game)
        if reader is None:
            return "", False
        state = reader.state
        frame = frame_shown(state, now)
        if frame is None or (
            frame is state.frames[-1] and state.last_at + state.rules.spectator_delay <= now
        ):
            seen, is_all = state, True
        else:
            lines = await self._hall.read(reader.stream)
            seen, is_all = _as_of(lines, frame.at, frame.made), False
        return ("" if seen.phase is Phase.WAITING else to_pgn(seen)), is_all


def _as_of(lines: list[bytes], moment: int, made: int) -> State:
    """The game as it was at a moment, with no more moves made than so many."""
    events = [decode(line) for line in lines]
    state = fold(events[:1])
    for event in events[1:]:
        if event.at > moment:
            break
        later = apply(state, event)
        if later.made > made:
            break
        state = later
    return state
