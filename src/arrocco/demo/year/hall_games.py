"""Games of an invented evening in the hall: real logs of real moves, to a given result."""

from __future__ import annotations

from random import Random

import chess

from arrocco.hall.game import Command, Judge, State, apply, begin, create, decide
from arrocco.hall.game import commands as asked
from arrocco.hall.game.events import Created, Event
from arrocco.hall.unwinnable import can_mate
from arrocco.laws.hall import laws_held_under

LEAST_PLIES, MAX_PLIES = 24, 60
_TO_THE_BOARD = 3_000
_FASTEST, _SLOWEST = 900, 5_500
"""Milliseconds a move takes: a blitz game of sixty half moves is over in some minutes."""


class InventedGame:
    """Plays one game: some moves, then a resignation or a draw that both agree on."""

    def __init__(self, created: Created, rng: Random) -> None:
        (first,) = create(created).events
        self.log: list[Event] = [first]
        self.state: State = begin(created)
        self._rng = rng
        self._now = created.at
        self._judge = Judge(can_mate, laws_held_under(created.day).online)

    def play(self, white_half: int) -> State:
        """Plays until White has so many half points."""
        created = self.state.created
        players = {chess.WHITE: created.white.id, chess.BLACK: created.black.id}
        for player in players.values():
            self._ask(asked.Connect(by=player), 400)
        self._ask(asked.Start(by=""), _TO_THE_BOARD)
        for ply in range(self._rng.randint(LEAST_PLIES, MAX_PLIES)):
            move = self._move(self.state.board)
            if move is None:
                break
            mover = players[self.state.board.turn]
            think = self._rng.randint(_FASTEST, _SLOWEST)
            self._ask(asked.Move(by=mover, uci=move.uci(), ply=ply), think)
        self._end(players, white_half)
        return self.state

    def _move(self, board: chess.Board) -> chess.Move | None:
        """A move after which the game goes on; captures are liked."""
        moves = list(board.legal_moves)
        self._rng.shuffle(moves)
        moves.sort(key=lambda move: not board.is_capture(move) or self._rng.random() < 0.5)
        for move in moves:
            after = board.copy(stack=False)
            after.push(move)
            if after.is_game_over() or len(after.piece_map()) < 8:
                continue
            return move
        return None

    def _end(self, players: dict[chess.Color, str], white_half: int) -> None:
        if white_half == 1:
            self._ask(asked.OfferDraw(by=players[chess.WHITE]), 500)
            self._ask(asked.AcceptDraw(by=players[chess.BLACK]), 900)
        else:
            loser = chess.BLACK if white_half else chess.WHITE
            self._ask(asked.Resign(by=players[loser]), 800)

    def _ask(self, command: Command, later: int) -> None:
        self._now += later
        decision = decide(self.state, command, self._now, self._judge)
        assert decision.refusal is None, (command, decision.refusal)
        for event in decision.events:
            self.log.append(event)
            self.state = apply(self.state, event)
