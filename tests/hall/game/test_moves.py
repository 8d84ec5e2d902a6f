"""Moves: legal ones only, at their ply, by whoever may make them."""

from __future__ import annotations

import pytest

from arrocco.hall.game import Phase, fold
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.acts.allow_assistant import AllowAssistant, AssistantAllowed
from arrocco.hall.game.acts.withdraw import Withdraw
from tests.hall.game.table import ADA, ARBITER, BEA, BLACK, START, WHITE, Table


def move(by: str, uci: str, ply: int) -> c.Move:
    return c.Move(by=by, uci=uci, ply=ply)


class TestLegal:
    def test_1_1_a_legal_move_is_made_and_written_down(self) -> None:
        table = Table()
        events = table.later(4_000).move("e2e4")
        assert events == (
            e.Moved(
                at=START + 4_000,
                side=WHITE,
                ply=0,
                uci="e2e4",
                spent=4_000,
                white=178_000,
                black=180_000,
            ),
        )
        assert table.state.board.fen().startswith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b")

    @pytest.mark.parametrize("uci", ["e2e5", "e7e5", "e1g1", "a1a3", "e2e4q"])
    def test_1_1_an_illegal_move_is_refused_and_changes_nothing(self, uci: str) -> None:
        table = Table()
        before = table.state
        assert table.refusal(move("ada", uci, 0)) == ("illegal_move", "1.1")
        assert table.state == before

    @pytest.mark.parametrize("uci", ["", "0000", "e4", "e2e9", "Q@e4", "e2e4e5", "E2E4", "x" * 999])
    def test_1_1_what_is_no_move_is_refused(self, uci: str) -> None:
        assert Table().refusal(move("ada", uci, 0)) == ("not_a_move", "1.1")

    def test_1_1_castling_is_written_in_one_way(self) -> None:
        table = Table().play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5")
        (moved,) = table.move("e1h1")
        assert isinstance(moved, e.Moved)
        assert moved.uci == "e1g1"

    def test_1_1_a_pinned_piece_stays(self) -> None:
        table = Table().play("e2e4 e7e5 d2d4 f8b4")
        assert table.refusal(move("ada", "d4d5", 4)) == ("illegal_move", "1.1")


class TestTurn:
    def test_1_3_2_only_the_player_to_move_moves(self) -> None:
        table = Table()
        assert table.refusal(move("bea", "e7e5", 0)) == ("not_your_turn", "1.3.2")

    def test_1_3_2_a_move_meant_for_another_ply_is_refused(self) -> None:
        table = Table().play("e2e4 e7e5")
        assert table.refusal(move("ada", "g1f3", 0)) == ("wrong_ply", "1.3.2")
        assert table.refusal(move("ada", "g1f3", 4)) == ("wrong_ply", "1.3.2")
        assert table.refusal(move("ada", "g1f3", -1)) == ("wrong_ply", "1.3.2")

    def test_1_3_2_a_move_sent_twice_is_made_once(self) -> None:
        table = Table().play("e2e4")
        assert table.refusal(move("ada", "e2e4", 0)) == ("already_played", "1.3.2")
        assert table.state.ply == 1

    def test_1_3_2_who_does_not_play_does_not_move(self) -> None:
        assert Table().refusal(move("eve", "e2e4", 0)) == ("not_seated", "")
        assert Table().refusal(move("", "e2e4", 0)) == ("not_seated", "")

    def test_1_3_2_no_move_before_the_start(self) -> None:
        table = Table(started=False)
        assert table.refusal(move("ada", "e2e4", 0)) == ("not_started", "1.3.5")

    def test_1_3_2_no_move_after_the_end(self) -> None:
        table = Table()
        table.granted(c.Resign(by="bea"))
        assert table.refusal(move("ada", "e2e4", 0)) == ("game_over", "2")

    def test_1_3_2_no_move_in_a_pause(self) -> None:
        table = Table()
        table.pause()
        assert table.refusal(move("ada", "e2e4", 0)) == ("paused", "11.6")

    def test_1_3_2_the_clock_of_the_mover_stops_and_the_other_starts(self) -> None:
        table = Table().play("e2e4", think=5_000).later(3_000)
        assert table.left(WHITE) == 177_000
        assert table.left(BLACK) == 177_000

    def test_1_3_2_a_moment_before_the_last_event_counts_as_that_moment(self) -> None:
        table = Table().play("e2e4", think=5_000)
        table.now = 0
        (moved,) = table.move("e7e5")
        assert isinstance(moved, e.Moved)
        assert (moved.at, moved.spent) == (START + 5_000, 0)


class TestTime:
    def test_1_3_4_a_move_that_comes_when_the_time_is_over_comes_too_late(self) -> None:
        table = Table("180").later(180_000)
        decision = table.wish(move("ada", "e2e4", 0))
        assert decision.refusal is not None
        assert decision.refusal.key == "hall.game_over"
        assert [type(event) for event in decision.events] == [e.Flagged, e.Ended]
        assert table.end == ((0, 2), "time", "2.1c")
        assert table.state.ply == 0

    def test_1_3_4_a_late_timer_does_not_move_the_fall_of_the_flag(self) -> None:
        table = Table("180").later(500_000)
        events = table.wish(move("ada", "e2e4", 0)).events
        assert {event.at for event in events} == {START + 180_000}

    def test_1_3_4_a_move_in_the_last_millisecond_counts(self) -> None:
        table = Table("180").later(179_999)
        table.move("e2e4")
        assert table.left(WHITE) == 1


class TestPromotion:
    FEN = "8/4P1k1/8/8/8/8/4p1K1/8 w - - 0 1"

    def test_1_2b_without_the_setting_the_piece_must_be_given(self) -> None:
        table = Table().set_up(self.FEN)
        assert table.refusal(move("ada", "e7e8", 0)) == ("promotion_needed", "1.2b")

    @pytest.mark.parametrize("piece", "qrbn")
    def test_1_2b_every_piece_can_be_chosen(self, piece: str) -> None:
        table = Table().set_up(self.FEN)
        table.move(f"e7e8{piece}")
        assert str(table.state.board.piece_at(60)) == piece.upper()

    @pytest.mark.parametrize("piece", "kp")
    def test_1_2b_no_pawn_becomes_a_king_or_a_pawn(self, piece: str) -> None:
        table = Table().set_up(self.FEN)
        assert table.refusal(move("ada", f"e7e8{piece}", 0))[0] in ("illegal_move", "not_a_move")

    def test_1_2b_with_the_setting_it_is_a_queen(self) -> None:
        table = Table().set_up(self.FEN)
        assert table.granted(c.SetAutoQueen(by="ada", on=True)) == (
            e.AutoQueenSet(at=START, side=WHITE, on=True),
        )
        (moved,) = table.move("e7e8")
        assert isinstance(moved, e.Moved)
        assert moved.uci == "e7e8q"

    def test_1_2b_a_promotion_sent_twice_without_its_piece_is_made_once(self) -> None:
        table = Table().set_up(self.FEN)
        table.granted(c.SetAutoQueen(by="ada", on=True))
        table.move("e7e8")
        assert table.refusal(move("ada", "e7e8", 0)) == ("already_played", "1.3.2")

    def test_1_2b_where_the_queen_is_set_a_knight_that_is_sent_is_a_queen(self) -> None:
        table = Table().set_up(self.FEN)
        table.granted(c.SetAutoQueen(by="ada", on=True))
        table.move("e7e8n")
        assert str(table.state.board.piece_at(60)) == "Q"

    def test_1_2b_the_setting_is_of_one_player_and_can_be_undone(self) -> None:
        table = Table()
        table.granted(c.SetAutoQueen(by="ada", on=True))
        assert not table.state.black.auto_queen
        assert table.granted(c.SetAutoQueen(by="ada", on=True)) == ()
        table.granted(c.SetAutoQueen(by="ada", on=False))
        assert not table.state.white.auto_queen

    def test_1_2b_the_setting_promotes_nothing_but_pawns(self) -> None:
        table = Table().set_up("8/4R1k1/8/8/8/8/4p1K1/8 w - - 0 1")
        table.granted(c.SetAutoQueen(by="ada", on=True))
        table.move("e7e8")
        assert str(table.state.board.piece_at(60)) == "R"


class TestAssistant:
    def allow(self, table: Table, assistant: str = "zoe") -> tuple[e.Event, ...]:
        return table.granted(
            AllowAssistant(by=ARBITER, reason="a broken arm", side=WHITE, assistant=assistant)
        )

    def test_1_2_an_assistant_the_arbiter_accepts_moves_for_the_player(self) -> None:
        table = Table()
        (allowed,) = self.allow(table)
        assert isinstance(allowed, AssistantAllowed)
        assert allowed.article == "1.2"
        (moved,) = table.granted(move("zoe", "e2e4", 0))
        assert isinstance(moved, e.Moved)
        assert (moved.side, moved.assistant) == (WHITE, "zoe")

    def test_1_2_nobody_else_does(self) -> None:
        assert Table().refusal(move("zoe", "e2e4", 0)) == ("not_seated", "")

    def test_1_2_the_player_can_still_move(self) -> None:
        table = Table()
        self.allow(table)
        (moved,) = table.move("e2e4")
        assert isinstance(moved, e.Moved)
        assert moved.assistant == ""

    def test_1_2_no_arbiter_is_an_assistant_and_so_shut_out_of_the_game(self) -> None:
        table = Table()
        own = AllowAssistant(by=ARBITER, reason="x", side=WHITE, assistant=ARBITER)
        assert table.refusal(own) == ("assistant_not_free", "1.2")
        table.pause()

    def test_1_2_an_assistant_moves_for_one_side_only(self) -> None:
        table = Table().play("e2e4")
        self.allow(table)
        assert table.refusal(move("zoe", "e7e5", 1)) == ("not_your_turn", "1.3.2")

    @pytest.mark.parametrize("wish", [c.Resign, c.OfferDraw, c.AcceptDraw, c.WithdrawOffer])
    def test_1_2_an_assistant_does_nothing_but_move(self, wish: type[c.PlayerCommand]) -> None:
        table = Table()
        self.allow(table)
        assert table.refusal(wish(by="zoe")) == ("assistant_only_moves", "1.2")

    @pytest.mark.parametrize("assistant", ["", ADA.id, BEA.id])
    def test_1_2_no_player_is_an_assistant_in_the_same_game(self, assistant: str) -> None:
        act = AllowAssistant(by=ARBITER, reason="help", side=WHITE, assistant=assistant)
        assert Table().refusal(act) == ("assistant_not_free", "1.2")

    def test_1_2_nobody_assists_both(self) -> None:
        table = Table()
        self.allow(table)
        act = AllowAssistant(by=ARBITER, reason="help", side=BLACK, assistant="zoe")
        assert table.refusal(act) == ("assistant_not_free", "1.2")

    def test_1_2_the_permission_can_be_withdrawn(self) -> None:
        table = Table()
        self.allow(table)
        number = table.state.number - 1
        table.granted(Withdraw(by=ARBITER, reason="the arm is well", corrects=number))
        assert table.refusal(move("zoe", "e2e4", 0)) == ("not_seated", "")

    def test_1_2_withdrawing_an_old_permission_leaves_the_new_one(self) -> None:
        table = Table()
        self.allow(table)
        first = table.state.number - 1
        self.allow(table, "kim")
        table.granted(Withdraw(by=ARBITER, reason="replaced", corrects=first))
        assert table.state.white.assistant == "kim"


def test_1_2_all_moves_and_clocks_can_be_told_from_the_log_alone() -> None:
    table = Table().play("e2e4 e7e5 g1f3 b8c6", think=2_500)
    told = fold(table.log)
    assert told == table.state
    assert [move.uci for move in told.moves] == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert [(move.white, move.black) for move in told.moves][-1] == (179_000, 179_000)


def test_a_state_is_never_changed_by_what_comes_after_it() -> None:
    table = Table().play("e2e4")
    early, fen = table.state, table.state.board.fen()
    table.play("e7e5 g1f3")
    assert early.board.fen() == fen
    assert early.ply == 1
    assert early.phase is Phase.RUNNING
