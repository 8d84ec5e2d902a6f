"""Random games to their very end, against a count of ends made another way."""

from __future__ import annotations

from random import Random

import chess
import pytest

from arrocco.hall.game import Phase, fold
from arrocco.hall.game import commands as c
from arrocco.hall.game.log import dump, load
from tests.hall.game.table import Table, player_to_move

STARTS = {
    "the whole board": chess.STARTING_FEN,
    "a rook against a rook": "4k3/8/8/8/8/8/3r4/R3K2R w KQ - 0 1",
    "pawns about to promote": "8/1P4k1/8/8/8/8/1K4p1/8 w - - 0 1",
    "a queen against a king": "7k/8/8/8/8/8/8/KQ6 w - - 0 1",
    "knights that can only return": "7k/7p/7P/8/8/p7/P7/KN5n w - - 0 1",
}


def expected_end(board: chess.Board) -> str:
    """How a board with its whole history ends the game, in the order of the regulation."""
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material():
        return "dead_position"
    if board.is_repetition(3):
        return "repetition"
    if board.halfmove_clock >= 100:
        return "fifty_moves"
    return ""


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("start", STARTS)
def test_2_1_2_2_a_game_ends_exactly_when_it_must(start: str, seed: int) -> None:
    random = Random(f"{start} {seed}")
    table = Table("3600+10").set_up(STARTS[start])
    board = chess.Board(STARTS[start])
    end = ""
    while not end and len(board.move_stack) < 300:
        move = random.choice(list(board.legal_moves))
        mover = player_to_move(table.state)
        table.later(10).granted(c.Move(by=mover, uci=move.uci(), ply=table.state.ply))
        board.push(move)
        end = expected_end(board)
        assert table.state.board.fen() == board.fen()
        assert table.state.board.board_fen() == board.board_fen()
        assert (table.state.phase is Phase.ENDED) == bool(end), board.fen()
    if end:
        assert table.end[1] == end
    if start == "the whole board":
        assert fold(load(dump(table.log))) == table.state


def test_random_games_end_in_every_way() -> None:
    """The starts above are worth their time only if they reach the ends they are there for."""
    ends = set()
    for start, fen in STARTS.items():
        for seed in range(8):
            random, board = Random(f"{start} {seed}"), chess.Board(fen)
            while not expected_end(board) and len(board.move_stack) < 300:
                board.push(random.choice(list(board.legal_moves)))
            ends.add(expected_end(board))
    assert ends >= {"checkmate", "dead_position", "repetition", "fifty_moves", "stalemate"}
