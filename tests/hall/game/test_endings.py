"""How games end by themselves (1.3.4, 2.1, 2.2)."""

from __future__ import annotations

import chess
import pytest

from arrocco.hall.game import Judge, Phase
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.records import Channel
from arrocco.laws.online.score import Scoring
from tests.hall.game.table import (
    BLACK,
    LAW,
    START,
    WHITE,
    Table,
    can_always_mate,
    can_never_mate,
    nobody_knows,
)

KNIGHTS_OUT_AND_BACK = "g1f3 g8f6 f3g1 f6g8"


def only(color: chess.Color) -> Judge:
    """A judge who knows that only that colour can mate."""
    return Judge(
        lambda _, asked: asked == color, LAW, lambda _, asked: f"proof {chess.COLOR_NAMES[asked]}"
    )


class TestWins:
    def test_2_1a_resignation(self) -> None:
        table = Table().play("e2e4 e7e5")
        resigned, ended = table.granted(c.Resign(by="ada"))
        assert resigned == e.Resigned(at=table.now, side=WHITE)
        assert isinstance(ended, e.Ended)
        assert ended.side is WHITE
        assert table.end == ((0, 2), "resignation", "2.1a")

    def test_2_1a_one_may_resign_in_the_opponents_turn(self) -> None:
        table = Table().play("e2e4")
        table.granted(c.Resign(by="ada"))
        assert table.end == ((0, 2), "resignation", "2.1a")

    def test_2_1a_nobody_resigns_before_the_start_or_after_the_end(self) -> None:
        table = Table(started=False)
        assert table.refusal(c.Resign(by="ada")) == ("not_started", "1.3.5")
        table = Table()
        table.granted(c.Resign(by="ada"))
        assert table.refusal(c.Resign(by="bea")) == ("game_over", "2")

    def test_2_1b_checkmate(self) -> None:
        table = Table().play("f2f3 e7e5 g2g4 d8h4")
        assert table.end == ((0, 2), "checkmate", "2.1b")
        assert table.state.clock.running is None

    def test_2_1b_mate_comes_before_the_third_repetition_and_the_fifty_moves(self) -> None:
        table = Table().set_up("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80")
        table.move("a1a8")
        assert table.end == ((2, 0), "checkmate", "2.1b")

    def test_2_1c_the_time_is_over(self) -> None:
        table = Table("180").play("e2e4")
        flagged, ended = table.wake()
        assert flagged == e.Flagged(at=START + 181_000, side=BLACK)
        assert ended.at == START + 181_000
        assert table.end == ((2, 0), "time", "2.1c")
        assert table.left(BLACK) == 0


class TestTime:
    def test_1_3_4_a_draw_where_the_opponent_cannot_mate(self) -> None:
        table = Table("180", judge=only(chess.WHITE))
        table.wake()
        outcome = table.state.outcome
        assert outcome is not None
        assert outcome.proof == "proof black"
        assert outcome.side is WHITE
        assert table.end == ((1, 1), "time_without_mate", "1.3.4")

    def test_1_3_4_only_the_opponent_is_asked(self) -> None:
        table = Table("180", judge=only(chess.BLACK))
        table.wake()
        assert table.end == ((0, 2), "time", "2.1c")

    def test_1_3_4_not_known_counts_as_possible_and_the_arbiter_is_told(self) -> None:
        table = Table("180", judge=Judge(nobody_knows, LAW))
        _, note, _ = table.wake()
        assert note == e.Note(at=START + 180_000, key="hall.mate_unknown")
        assert table.state.notes == (note,)
        assert table.end == ((0, 2), "time", "2.1c")

    def test_1_3_4_a_lone_king_does_not_win_on_time(self) -> None:
        table = Table("180").set_up("8/8/4k3/8/8/3Q4/8/4K3 w - - 0 1")
        table.wake()
        assert table.end == ((1, 1), "time_without_mate", "1.3.4")

    def test_2_3_an_offer_that_stands_is_no_draw_when_the_flag_falls(self) -> None:
        for offers in ("ada", "bea"):
            table = Table("180").play("e2e4 e7e5")
            table.granted(c.OfferDraw(by=offers))
            table.wake()
            assert table.end == ((0, 2), "time", "2.1c")


class TestStalemate:
    def test_2_2a_no_legal_move_without_check_is_a_draw(self) -> None:
        table = Table(judge=Judge(can_always_mate, LAW)).set_up("7k/8/8/6Q1/8/8/8/K7 w - - 0 1")
        table.move("g5g6")
        assert table.end == ((1, 1), "stalemate", "2.2a")


class TestRepetition:
    def test_2_2b_the_third_appearance_ends_the_game_by_itself(self) -> None:
        table = Table().play(KNIGHTS_OUT_AND_BACK)
        assert table.state.phase is Phase.RUNNING
        table.play(KNIGHTS_OUT_AND_BACK)
        assert table.end == ((1, 1), "repetition", "2.2b")
        assert table.state.ply == 8

    def test_2_2b_appearances_need_not_follow_each_other(self) -> None:
        table = Table().play(KNIGHTS_OUT_AND_BACK)
        table.play("b1c3 b8c6 c3b1 c6b8")
        assert table.end == ((1, 1), "repetition", "2.2b")

    def test_2_2b_another_right_to_castle_is_another_position(self) -> None:
        table = Table().play("e2e4 e7e5 e1e2 e8e7 e2e1 e7e8")
        table.play("e1e2 e8e7 e2e1 e7e8")
        # The white king is on e2 for the third time, but the first time Black could still castle.
        table.play("e1e2")
        assert table.state.phase is Phase.RUNNING
        table.play("e8e7")
        assert table.end == ((1, 1), "repetition", "2.2b")

    def test_2_2b_an_en_passant_that_is_possible_makes_another_position(self) -> None:
        possible = Table().play("e2e4 a7a6 e4e5 d7d5").play("g1f3 b8c6 f3g1 c6b8")
        possible.play("g1f3 b8c6 f3g1 c6b8")
        assert possible.state.phase is Phase.RUNNING
        possible.play("g1f3")
        assert possible.end == ((1, 1), "repetition", "2.2b")

    def test_2_2b_an_en_passant_that_is_not_possible_makes_none(self) -> None:
        table = Table().play("e2e4").play("g8f6 g1f3 f6g8 f3g1").play("g8f6 g1f3 f6g8 f3g1")
        assert table.end == ((1, 1), "repetition", "2.2b")

    def test_2_2b_another_side_to_move_is_another_position(self) -> None:
        # The queens lose a move on both sides: the same squares, once with Black to move.
        table = Table().play("d2d4 d7d5 d1d3 d8d6 d3d1 d6d7 d1d2 d7d8 d2d1")
        assert table.state.phase is Phase.RUNNING
        assert max(table.state.seen.values()) == 1


class TestFiftyMoves:
    def test_2_2c_the_hundredth_half_move_without_progress_ends_the_game(self) -> None:
        table = Table().set_up("7k/8/8/8/8/8/R7/K7 w - - 98 90")
        table.move("a2b2")
        assert table.state.phase is Phase.RUNNING
        table.move("h8g8")
        assert table.end == ((1, 1), "fifty_moves", "2.2c")

    @pytest.mark.parametrize("uci", ["b2b3", "a2a7"])
    def test_2_2c_a_pawn_move_or_a_capture_begins_the_count_anew(self, uci: str) -> None:
        table = Table().set_up("7k/p7/8/8/8/8/RP6/K7 w - - 99 90")
        table.move(uci)
        assert table.state.phase is Phase.RUNNING


class TestDeadPosition:
    def test_2_2d_a_capture_that_leaves_bare_kings_ends_the_game(self) -> None:
        table = Table().set_up("8/8/4k3/8/8/3q4/4K3/8 w - - 0 1")
        table.move("e2d3")
        assert table.end == ((1, 1), "dead_position", "2.2d")

    def test_2_2d_both_must_be_unable_to_mate(self) -> None:
        table = Table(judge=only(chess.BLACK)).set_up("8/8/4k3/8/8/3q4/4K3/7N w - - 0 1")
        table.move("e2d3")
        assert table.state.phase is Phase.RUNNING

    def test_2_2d_not_known_is_not_dead(self) -> None:
        table = Table(judge=Judge(nobody_knows, LAW)).set_up("8/8/4k3/8/8/3q4/4K3/8 w - - 0 1")
        table.move("e2d3")
        assert table.state.phase is Phase.RUNNING

    def test_2_2d_the_proof_stands_in_the_log(self) -> None:
        judge = Judge(
            can_never_mate, LAW, lambda _, color: f"no mate by {chess.COLOR_NAMES[color]}"
        )
        table = Table(judge=judge).set_up("8/8/4k3/8/8/3q4/4K3/8 w - - 0 1")
        table.move("e2d3")
        outcome = table.state.outcome
        assert outcome is not None
        assert sorted(outcome.proof.splitlines()) == ["no mate by black", "no mate by white"]

    @pytest.mark.parametrize(
        ("fen", "uci"),
        [
            ("8/8/4k3/8/8/3q4/4K3/8 w - - 0 1", "e2d3"),  # bare kings
            ("4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/3K4 w - - 0 1", "d1d2"),  # a wall of pawns
            ("k7/2K5/1P6/8/8/8/8/8 w - - 0 1", "b6b7"),  # all that is left is forced
        ],
    )
    def test_2_2d_a_judge_is_asked_where_a_position_could_be_dead(self, fen: str, uci: str) -> None:
        table = Table(judge=Judge(can_never_mate, LAW)).set_up(fen)
        table.move(uci)
        assert table.end == ((1, 1), "dead_position", "2.2d")

    def test_2_2d_no_judge_is_troubled_with_positions_full_of_moves(self) -> None:
        asked = []

        def asking(board: chess.Board, color: chess.Color) -> bool | None:
            asked.append(board.fen())
            return True

        Table(judge=Judge(asking, LAW)).play("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 f7f6")
        assert asked == []

    def test_2_2d_a_judge_who_plays_with_the_board_does_no_harm(self) -> None:
        def clumsy(board: chess.Board, color: chess.Color) -> bool | None:
            board.clear()
            return True

        table = Table(judge=Judge(clumsy, LAW)).set_up("8/8/4k3/8/8/3q4/4K3/7N w - - 0 1")
        table.move("e2d3")
        assert table.state.board.fen().startswith("8/8/4k3/8/8/3K4/8/7N")


def test_the_end_clears_offers_premoves_and_deadlines() -> None:
    table = Table(reconnection_limit=60_000).play("e2e4 e7e5")
    table.granted(c.OfferDraw(by="ada"))
    table.granted(c.SetPremove(by="bea", uci="b8c6", ply=3))
    table.disconnect(BLACK, Channel.PLATFORM)
    table.granted(c.Resign(by="ada"))
    state = table.state
    assert (state.offer, state.black.premove, state.black.reconnect_by) == (None, None, None)
    assert state.clock.running is None


class TestScores:
    def test_3_1_an_events_own_scoring_is_used(self) -> None:
        table = Table("180", scoring=Scoring(win=3, draw=1, loss=0))
        table.wake()
        assert table.state.outcome is not None
        assert table.state.outcome.scores == (0, 3)
        assert table.state.outcome.half_points == (0, 2)
