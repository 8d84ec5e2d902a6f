"""A table to play at in tests: two invented players, an arbiter, a time that only tests move."""

from __future__ import annotations

from typing import Any

import chess
from msgspec.structs import replace

from arrocco.hall.game import (
    Decision,
    Judge,
    Phase,
    State,
    apply,
    begin,
    create,
    decide,
    next_deadline,
    on_deadline,
)
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.acts.pause import Pause, Resume
from arrocco.hall.game.decide import Command
from arrocco.hall.game.position import Board, key
from arrocco.hall.game.records import Channel, Rules, SeatedPlayer
from arrocco.laws.hall import laws_held_under
from arrocco.laws.online.side import Side
from arrocco.words import LANGUAGES, finding_advice, finding_text

WHITE, BLACK = Side.WHITE, Side.BLACK
ADA, BEA = SeatedPlayer("ada", "Adani, Ada", "WFM", 2105), SeatedPlayer("bea", "Belli, Bea")
ARBITER = "arbiter"
LAW = laws_held_under(None).online
IDS = {WHITE: ADA.id, BLACK: BEA.id}
START = 1_000_000
"""The moment at which tables start their game."""


def can_always_mate(board: chess.Board, color: chess.Color) -> bool | None:
    return True


def can_never_mate(board: chess.Board, color: chess.Color) -> bool | None:
    return False


def nobody_knows(board: chess.Board, color: chess.Color) -> bool | None:
    return None


def by_material(board: chess.Board, color: chess.Color) -> bool | None:
    """Enough for tests: a side that has not the material cannot mate."""
    return not board.has_insufficient_material(color)


def created(control: str = "180+2", at: int = 0, **rules: Any) -> e.Created:
    given = {"tolerance": 600_000, **rules}
    return e.Created(
        at=at, game="g1", white=ADA, black=BEA, control=control, rules=Rules(**given), round=3
    )


class Table:
    """A game in progress; `now` moves only when told to."""

    def __init__(
        self,
        control: str = "180+2",
        *,
        judge: Judge | None = None,
        there: tuple[Side, ...] = (WHITE, BLACK),
        started: bool = True,
        **rules: Any,
    ) -> None:
        self.judge = judge or Judge(by_material, LAW)
        decision = create(created(control, **rules))
        assert decision.refusal is None
        self.log: list[e.Event] = list(decision.events)
        self.state: State = begin(created(control, **rules))
        self.now = START - 1000
        for side in there:
            self.wish(c.Connect(by=IDS[side]))
            if rules.get("vcs_required"):
                self.wish(c.Connect(by=IDS[side], channel=Channel.VCS))
        self.now = START
        if started:
            self.wish(c.Start(by=ARBITER))

    # --- wishes --------------------------------------------------------------------------------

    def wish(self, command: Command) -> Decision:
        """Decides, and does what was decided; every refusal can be said in both languages."""
        decision = decide(self.state, command, self.now, self.judge)
        self.happen(decision.events)
        if decision.refusal is not None:
            for language in LANGUAGES:
                assert "{" not in finding_text(language, decision.refusal)
                assert finding_advice(language, decision.refusal)
        return decision

    def happen(self, events: tuple[e.Event, ...]) -> tuple[e.Event, ...]:
        for event in events:
            self.state = apply(self.state, event)
            self.log.append(event)
        return events

    def refusal(self, command: Command) -> tuple[str, str]:
        """The key and the article with which a wish is refused."""
        decision = self.wish(command)
        assert decision.refusal is not None, f"{command} was granted: {decision.events}"
        return decision.refusal.key.removeprefix("hall."), decision.refusal.article

    def granted(self, command: Command) -> tuple[e.Event, ...]:
        """The events a wish brings about."""
        decision = self.wish(command)
        assert decision.refusal is None, f"{command} was refused: {decision.refusal}"
        return decision.events

    # --- play ----------------------------------------------------------------------------------

    def later(self, milliseconds: int) -> Table:
        self.now += milliseconds
        return self

    def move(self, uci: str) -> tuple[e.Event, ...]:
        """The player to move plays, now."""
        return self.granted(c.Move(by=player_to_move(self.state), uci=uci, ply=self.state.ply))

    def play(self, moves: str, think: int = 1000) -> Table:
        """Plays moves in turn, thinking so long over each."""
        for uci in moves.split():
            self.later(think).move(uci)
        return self

    def connect(self, side: Side, channel: Channel = Channel.PLATFORM) -> tuple[e.Event, ...]:
        return self.granted(c.Connect(by=IDS[side], channel=channel))

    def disconnect(self, side: Side, channel: Channel = Channel.PLATFORM) -> tuple[e.Event, ...]:
        return self.granted(c.Disconnect(by=IDS[side], channel=channel))

    def pause(self) -> tuple[e.Event, ...]:
        return self.granted(Pause(by=ARBITER, reason="a power cut"))

    def resume(self) -> tuple[e.Event, ...]:
        return self.granted(Resume(by=ARBITER, reason="light again"))

    def wake(self) -> tuple[e.Event, ...]:
        """Goes to the next deadline and lets time do its part."""
        deadline = next_deadline(self.state, self.now)
        assert deadline is not None, "nothing is due"
        self.now = max(self.now, deadline.at)
        return self.happen(on_deadline(self.state, self.now, self.judge))

    def set_up(self, fen: str) -> Table:
        """Puts a position on the board, as if it had come about."""
        board = Board(fen)
        self.state = replace(self.state, board=board, seen={key(board): 1})
        return self

    # --- looking -------------------------------------------------------------------------------

    def left(self, side: Side) -> int:
        return self.state.clock.remaining(side, self.now)

    @property
    def end(self) -> tuple[tuple[int, int], str, str]:
        """The half points, the reason and the article of the end."""
        outcome = self.state.outcome
        assert outcome is not None, f"the game is {self.state.phase}"
        assert self.state.phase is Phase.ENDED
        return outcome.half_points, outcome.reason.value, outcome.article


def player_to_move(state: State) -> str:
    """Who is to move, whichever colours the players have."""
    return state.seat(state.turn).player.id
