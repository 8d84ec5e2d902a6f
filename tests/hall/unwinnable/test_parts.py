"""The parts the verdict rests on: moves, bounds and counts, each against the chess library."""

from __future__ import annotations

from random import Random

import chess
import pytest
from hypothesis import HealthCheck, assume, given, settings

from arrocco.hall.unwinnable.analysis import Reason, analyse
from arrocco.hall.unwinnable.guides import TO_THE_CORNER
from arrocco.hall.unwinnable.material import cannot_mate
from arrocco.hall.unwinnable.mates import may_be_mated
from arrocco.hall.unwinnable.position import from_board, move_of, successors
from arrocco.hall.unwinnable.reach import saturate
from arrocco.hall.unwinnable.roaming import Roaming
from arrocco.hall.unwinnable.search import Budget
from arrocco.hall.unwinnable.tempo import Tempo
from tests.hall.unwinnable import brute_force
from tests.hall.unwinnable.positions import small_positions
from tests.judge.unwinnable.potential import Potential
from tests.judge.unwinnable.race import Race
from tests.judge.unwinnable.search import Search, key_of, search

TRICKY = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN2/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K1R1 b Qkq - 0 1",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
]
SOME = settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


@pytest.mark.parametrize("fen", [fen.replace("3PN2/", "3PN3/") for fen in TRICKY])
@pytest.mark.parametrize("winner", chess.COLORS)
def test_moves_and_keys_are_those_of_the_chess_library(fen: str, winner: chess.Color) -> None:
    rng = Random(fen)
    for _ in range(6):
        board = chess.Board(fen)
        for _ in range(25):
            position = from_board(board, winner)
            following = {move_of(move, winner): after for move, after in successors(position)}
            assert set(following) == set(board.legal_moves)
            for move, after in following.items():
                board.push(move)
                assert key_of(after) == key_of(from_board(board, winner))
                board.pop()
            if not following:
                break
            board.push(rng.choice(sorted(following, key=str)))


class TestReach:
    @SOME
    @given(board=small_positions())
    def test_no_legal_series_of_moves_leaves_the_bound(self, board: chess.Board) -> None:
        assume(board.is_valid())
        reach = saturate(from_board(board, chess.WHITE))
        ever = {chess.WHITE: 0, chess.BLACK: 0}
        for piece in reach.pieces:
            ever[piece.white] |= piece.squares | piece.promoted
        rng = Random(board.fen())
        for _ in range(40):
            moves = sorted(board.legal_moves, key=str)
            if not moves:
                break
            board.push(rng.choice(moves))
            for color in chess.COLORS:
                assert not board.occupied_co[color] & ~ever[color]
                king = board.king(color)
                assert king is not None
                assert reach.king(color).squares >> king & 1


class TestTempo:
    """Black's king is walled in on b8 and Black has only steps of pawns."""

    def test_a_side_with_a_last_step_runs_out(self) -> None:
        board = chess.Board("1k6/1P6/BP6/1P6/7p/8/7P/7K b - - 0 1")
        assert Tempo().runs_out(from_board(board, chess.WHITE))

    def test_the_first_move_of_a_pawn_may_be_of_two_squares(self) -> None:
        # White's free pawn needs five moves. Black's h-pawn has four steps, the f-pawn one more.
        four = chess.Board("1k6/1P5p/BP6/1P6/8/8/3P3P/K7 b - - 0 1")
        five = chess.Board("1k6/1P5p/BP6/1P3p2/8/5P2/3P3P/K7 b - - 0 1")
        assert Tempo().runs_out(from_board(four, chess.WHITE))
        assert not Tempo().runs_out(from_board(five, chess.WHITE))

    def test_what_is_claimed_is_what_brute_force_finds(self) -> None:
        rng = Random(8)
        claimed = 0
        while claimed < 12:
            board = chess.Board("1k6/1P6/BP6/1P6/8/8/8/8 b - - 0 1")
            for file in rng.sample((3, 5, 7), rng.choice((1, 2))):
                white = rng.randrange(1, 5)
                for rank, color in ((white, chess.WHITE), (rng.randrange(white + 1, 7), False)):
                    board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, color))
            king = rng.choice([n for n in chess.SQUARES if board.piece_at(n) is None])
            board.set_piece_at(king, chess.Piece(chess.KING, chess.WHITE))
            if board.is_valid() and Tempo().runs_out(from_board(board, chess.WHITE)):
                claimed += 1
                for side in chess.COLORS:
                    assert brute_force.can_mate(board, side, most=400) is not True


class TestRoaming:
    @pytest.mark.parametrize(
        "fen",
        [
            "8/b1b5/k6p/5p1P/5p2/5PpK/6P1/3b4 w - - 0 1",
            "8/b3b3/k6p/5p1P/5p2/5PpK/6P1/8 w - - 0 1",
        ],
    )
    def test_a_king_that_takes_the_last_move_only_stalemates(self, fen: str) -> None:
        position = from_board(chess.Board(fen), chess.BLACK)
        reach = saturate(position)
        bishops_of_both_colours = "3b4" in fen
        assert may_be_mated(reach)
        assert Roaming(position, reach, Tempo()).may_be_mated(600) is bishops_of_both_colours

    @SOME
    @given(board=small_positions())
    def test_never_hides_a_mate_that_is_found(self, board: chess.Board) -> None:
        assume(board.is_valid())
        for side in chess.COLORS:
            position = from_board(board, side)
            outcome = analyse(position)
            if outcome.reason is Reason.LINE:
                reach = saturate(position)
                assert not cannot_mate(position)
                assert may_be_mated(reach)
                assert Roaming(position, reach, Tempo()).may_be_mated(2000)


class TestRace:
    """Black's king is walled in on b8; White's has to take a pawn while Black still has steps."""

    @pytest.mark.parametrize(
        "fen",
        [
            "1k6/1P1p3p/BP5p/1P6/3K4/8/3P3P/8 b - - 0 1",
            "1k6/1P1p1p1p/BP6/1P6/4K3/8/3P1P1P/8 w - - 0 1",
        ],
    )
    def test_leads_straight_to_a_mate(self, fen: str) -> None:
        board = chess.Board(fen)
        position = from_board(board, chess.WHITE)
        found = search(position, Race(position, locked=False), Budget(5_000), Tempo())
        assert found.line is not None
        for move in found.line:
            board.push(move_of(move, chess.WHITE))
        assert board.is_checkmate()

    def test_counts_the_moves_until_a_pawn_promotes(self) -> None:
        # The king takes on h3 in two moves, leaves the file, and the pawn needs five moves.
        board = chess.Board("1k6/1P6/BP6/1P6/3p4/3P3p/5K1P/8 w - - 0 1")
        position = from_board(board, chess.WHITE)
        towards, away = (
            next(move for move, _ in successors(position) if str(move_of(move, True)) == text)
            for text in ("f2g3", "f2e1")
        )
        nearer, further = Race(position, locked=False).rate(position, [towards, away], 0)
        assert nearer < further


def test_an_interrupted_search_goes_on_to_the_same_end() -> None:
    position = from_board(chess.Board("8/8/3k4/8/8/3K4/6Q1/8 b - - 0 1"), chess.WHITE)
    whole = search(position, Potential(TO_THE_CORNER), Budget(10_000), Tempo())
    parts = Search(position, Potential(TO_THE_CORNER), Tempo())
    while parts.line is None:
        parts.go_on(Budget(50))
    assert whole.line == parts.line
