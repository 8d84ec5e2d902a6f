"""The moves of a position are those that the rules of chess allow, all of them and no others."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import pytest

from arrocco.hall.game import legal
from arrocco.hall.game.position import Board

POSITIONS = {
    "castling on both sides, pins, promotions near": (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    ),
    "castling through an attacked square": "4k2r/8/8/8/8/5r2/8/R3K2R w KQk - 0 1",
    "castling long with only the knight's square attacked": "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
    "castling out of check": "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1",
    "en passant that uncovers the king along the rank": "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",
    "en passant that uncovers the king on a diagonal": "7k/8/5b2/3pP3/8/8/1K6/8 w - d6 0 2",
    "en passant takes the pawn that gives check": "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "en passant by either of two pawns": "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2",
    "a double check": "4k3/8/8/8/1b2r3/8/3P4/4K2R w K - 0 1",
    "a check that can be blocked, taken or left": "4k3/8/8/8/4r3/8/2N5/2BRK3 w - - 0 1",
    "a king that cannot step back along the line of check": "4k3/8/8/8/r3K3/8/8/8 w - - 0 1",
    "pinned pieces on every line": "3r1k2/8/1b3q2/8/3B4/2NK1R1r/2P5/5b2 w - - 0 1",
    "a pinned pawn that can take, and one that can only step": (
        "2r1k3/8/7b/8/8/2P1P3/3P4/2K5 w - - 0 1"
    ),
    "promotions, also with a capture": "1n6/P1P5/3k4/8/8/8/5p1p/K5N1 b - - 0 1",
    "promotion while pinned along the rank": "7k/r1PK4/8/8/8/8/8/8 w - - 0 1",
    "checkmate": "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
    "stalemate": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
}


@pytest.mark.parametrize("fen", POSITIONS.values(), ids=POSITIONS.keys())
def test_a_position_and_its_mirror_image_have_the_moves_of_the_rules(fen: str) -> None:
    for board in (chess.Board(fen), chess.Board(fen).mirror()):
        assert board.is_valid()
        _check(board)


def test_every_position_of_random_games_has_the_moves_of_the_rules() -> None:
    rng = random.Random(20)
    for _ in range(20):
        board = Board()
        for _ in range(200):
            moves = _check(board)
            if not moves:
                break
            board = board.after(rng.choice(moves))


def test_a_board_after_a_move_is_another_one_and_the_first_stays_as_it_was() -> None:
    board = Board()
    before = board.fen()
    known = board.legal, board.key
    after = board.after("e2e4")
    played = chess.Board()
    played.push_uci("e2e4")
    assert after.fen() == played.fen()
    assert (board.fen(), board.legal, board.key) == (before, *known)
    assert after.legal != board.legal
    assert after.key != board.key
    assert not after.move_stack
    assert after.is_valid()


def test_moves_are_found_by_the_compiled_core() -> None:
    assert legal.fastest() is not legal.by_library


def test_moves_are_found_by_the_chess_library_where_there_is_no_core(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(legal, "find_core", lambda: None)
    legal.fastest.cache_clear()
    try:
        assert legal.fastest() is legal.by_library
    finally:
        legal.fastest.cache_clear()


def test_a_core_of_earlier_sources_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "old.so").write_bytes(b"")
    monkeypatch.setattr(legal, "find_core", object)
    monkeypatch.setattr(legal, "LIBRARY", tmp_path / "old.so")
    legal.fastest.cache_clear()
    try:
        assert legal.fastest() is legal.by_library
    finally:
        legal.fastest.cache_clear()


def _check(board: chess.Board) -> tuple[str, ...]:
    """Compiled or not, they are those of the chess library."""
    rules = sorted(move.uci() for move in board.legal_moves)
    assert sorted(legal.by_library(board)) == rules, board.fen()
    found = legal.fastest()(board)
    assert sorted(found) == rules, board.fen()
    return found
