"""1.3.4, 2.2d, 7.7 — can a side still mate by any legal series of moves?"""

from __future__ import annotations

import chess
import pytest
from hypothesis import HealthCheck, assume, given, settings

from arrocco.errors import Malformed
from arrocco.hall.game.decision import Judge
from arrocco.hall.game.position import is_dead
from arrocco.hall.unwinnable import Verdict, can_mate, judge, proof_in
from arrocco.hall.unwinnable.position import from_board
from arrocco.hall.unwinnable.reach import saturate
from arrocco.hall.unwinnable.search import Budget, Search
from arrocco.hall.unwinnable.tempo import Tempo
from arrocco.words import LANGUAGES
from tests.hall.game.table import LAW
from tests.hall.unwinnable import brute_force
from tests.hall.unwinnable.positions import Known, known, small_positions, walled_positions
from tests.judge.unwinnable import search as judge_search
from tests.judge.unwinnable.opening import Opening

Begin = type[Search] | type[judge_search.Search]
WALL_OPEN_IN_PASSING = "4k3/8/1p1p4/1PpPp1p1/2P1P1P1/8/8/4K3 w - c6 0 1"


def assert_mates(board: chess.Board, verdict: Verdict) -> None:
    """The line is legal by the chess library and ends in mate by the side."""
    end = board.copy()
    for move in verdict.mating_line:
        assert move in end.legal_moves
        end.push(move)
    assert end.is_checkmate()
    assert end.turn != verdict.side


@pytest.mark.parametrize("position", known(), ids=lambda position: position.fen)
class TestKnownPosition:
    def test_1_3_4_is_judged_for_each_side(self, position: Known) -> None:
        board = chess.Board(position.fen)
        for side, expected in ((chess.WHITE, position.white), (chess.BLACK, position.black)):
            verdict = judge(board, side)
            assert verdict.can_mate is expected
            if expected:
                assert_mates(board, verdict)
            else:
                assert verdict.mating_line == ()

    def test_is_judged_the_same_with_colours_exchanged(self, position: Known) -> None:
        mirrored = chess.Board(position.fen).mirror()
        assert judge(mirrored, chess.BLACK).can_mate is position.white
        assert judge(mirrored, chess.WHITE).can_mate is position.black


def assert_like_brute_force(board: chess.Board, most: int) -> None:
    for side in chess.COLORS:
        verdict = judge(board, side)
        if verdict.can_mate:
            assert_mates(board, verdict)
        elif verdict.can_mate is False:
            assert brute_force.can_mate(board, side, most=most) is not True


def assert_wall_holds(board: chess.Board, begin: Begin, work: int) -> None:
    """No search finds a mate behind a wall that was said to hold."""
    for side in chess.COLORS:
        if judge(board, side).reason_key in ("unwinnable.squares", "unwinnable.forced"):
            position = from_board(board, side)
            for white in chess.COLORS:
                found = begin(position, Opening(saturate(position), white=white), Tempo())
                found.go_on(Budget(work))
                assert found.line is None


def some(examples: int) -> settings:
    """So many examples, however seldom they are valid."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )


class TestSoundness:
    @some(90)
    @given(board=small_positions())
    def test_every_answer_is_that_of_brute_force(self, board: chess.Board) -> None:
        assume(board.is_valid())
        assert_like_brute_force(board, 300)

    @pytest.mark.soak
    @some(4_000)
    @given(board=small_positions())
    def test_thousands_of_answers_are_those_of_brute_force(self, board: chess.Board) -> None:
        assume(board.is_valid())
        assert_like_brute_force(board, 3_000)

    @some(200)
    @given(board=walled_positions())
    def test_no_search_finds_a_mate_behind_a_wall_that_was_said_to_hold(
        self, board: chess.Board
    ) -> None:
        assume(board.is_valid())
        assert_wall_holds(board, judge_search.Search, 15_000)

    @pytest.mark.soak
    @some(10_000)
    @given(board=walled_positions())
    def test_thousands_of_walls_hold_against_long_searches(self, board: chess.Board) -> None:
        assume(board.is_valid())
        assert_wall_holds(board, Search, 300_000)

    @pytest.mark.parametrize(
        "fen",
        [
            "5k2/5P2/5K2/8/8/8/8/8 b - - 0 1",
            "8/8/8/8/1p6/kP6/p7/K7 w - - 0 1",
            "1k6/1P3p1p/BP6/1P6/5P1P/8/8/1K6 b - - 0 1",
            "1k6/1P6/BP6/1P6/7p/8/7P/7K w - - 0 1",
            "1k6/1P6/BP1p1K1p/1P6/8/3P4/7P/8 b - - 0 1",
            "1k6/1P5p/BP3p2/1P6/3K4/5P1P/8/8 b - - 0 1",
        ],
    )
    def test_positions_with_few_others_after_them_are_judged_like_brute_force(
        self, fen: str
    ) -> None:
        board = chess.Board(fen)
        for side in chess.COLORS:
            expected = brute_force.can_mate(board, side, most=3000)
            assert expected is not None
            assert judge(board, side).can_mate is expected

    def test_taking_in_passing_opens_a_wall(self) -> None:
        board = chess.Board(WALL_OPEN_IN_PASSING)
        verdict = judge(board, chess.WHITE)
        assert verdict.can_mate
        assert board.is_en_passant(verdict.mating_line[0])
        board.ep_square = None
        assert judge(board, chess.WHITE).can_mate is False

    def test_castling_may_be_the_mate(self) -> None:
        board = chess.Board("8/8/8/8/8/7p/5p1P/R3K2k w Q - 0 1")
        verdict = judge(board, chess.WHITE)
        assert verdict.can_mate
        assert_mates(board, verdict)


class TestVerdict:
    def test_is_the_same_whenever_it_is_asked(self) -> None:
        fen = "8/4k3/8/3n4/8/2K5/4B3/8 w - - 0 1"
        assert judge(fen, chess.WHITE) == judge(chess.Board(fen), chess.WHITE)

    def test_of_a_mate_on_the_board_needs_no_line(self) -> None:
        verdict = judge("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", chess.WHITE)
        assert (verdict.can_mate, verdict.mating_line) == (True, ())
        assert verdict.said("en") == "White has mated."

    @pytest.mark.parametrize(
        ("fen", "winner"),
        [
            ("8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1", chess.BLACK),
            ("8/8/8/8/8/1k6/b1b5/RKR5 w - - 0 1", chess.BLACK),
            ("5B2/7r/5K1k/7r/8/4B3/8/8 b - - 0 1", chess.WHITE),
        ],
    )
    def test_of_a_mate_on_the_board_comes_before_what_material_can_do(
        self, fen: str, winner: chess.Color
    ) -> None:
        """2.2d — two bishops of one square colour mate by a check that no move gives."""
        verdict = judge(fen, winner)
        assert (verdict.can_mate, verdict.reason_key) == (True, "unwinnable.mate")
        assert judge(fen, not winner).can_mate is False
        assert judge(chess.Board(fen).mirror(), not winner).can_mate is True

    def test_of_yes_shows_the_moves(self) -> None:
        verdict = judge("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", chess.WHITE)
        assert verdict.said("en") == "White can mate, with both sides helping: 1. Qg7#"

    @pytest.mark.parametrize(
        ("fen", "reason"),
        [
            ("8/8/3k4/8/8/3K4/6N1/8 b - - 0 1", "material"),
            ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", "squares"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "exhausted"),
            ("4kb2/8/8/p1p1p1p1/P1P1P1P1/8/6q1/7K w - - 0 1", "forced"),
        ],
    )
    def test_of_no_names_its_reason_in_both_languages(self, fen: str, reason: str) -> None:
        verdict = judge(fen, chess.WHITE)
        assert verdict.can_mate is False
        assert verdict.reason_key == f"unwinnable.{reason}"
        said = {verdict.said(language) for language in LANGUAGES}
        assert len(said) == len(LANGUAGES)
        assert not any("{" in text for text in said)

    @pytest.mark.parametrize(
        "fen",
        [
            "no position",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
            "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/3P4/8/8/8/4K3 w - c6 0 1",
        ],
    )
    def test_is_refused_for_what_is_no_position(self, fen: str) -> None:
        with pytest.raises(Malformed) as refused:
            judge(fen, chess.WHITE)
        assert refused.value.key == "unwinnable.not_a_position"


class TestInAGame:
    JUDGE = Judge(can_mate, LAW, proof_in("en"))

    def test_2_2d_a_wall_is_dead(self) -> None:
        assert is_dead(chess.Board("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1"), can_mate)
        assert not is_dead(chess.Board(), can_mate)

    def test_1_3_4_the_proof_is_told_for_the_colour_asked(self) -> None:
        board = chess.Board("8/8/3k4/8/8/3K4/6Q1/8 b - - 0 1")
        assert self.JUDGE.can_mate(board, chess.WHITE)
        assert "#" in self.JUDGE.proof_of(board, chess.WHITE)
        assert self.JUDGE.can_mate(board, chess.BLACK) is False
        assert self.JUDGE.proof_of(board, chess.BLACK).startswith("Black cannot mate")
