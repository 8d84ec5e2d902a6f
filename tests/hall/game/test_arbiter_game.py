"""Going back, playing again, the right colours (6.8, 11.2), and calls (11.1)."""

from __future__ import annotations

from random import Random

import chess
import pytest

from arrocco.hall.game import GameRole, Judge, Phase, view_for
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.acts.answer_call import AnswerCall, CallAnswered
from arrocco.hall.game.acts.clock_time import AddTime
from arrocco.hall.game.acts.new_game import CorrectColours, NewGame, Replay
from arrocco.hall.game.acts.resume_from_position import ResumeFromPosition
from arrocco.hall.game.acts.warn import Warn
from arrocco.hall.game.acts.withdraw import Withdraw, Withdrawn
from arrocco.hall.game.state import Call, Earlier
from arrocco.hall.game.view import PlayerView
from arrocco.laws.online.side import Side
from tests.hall.game.table import (
    ADA,
    ARBITER,
    BEA,
    BLACK,
    LAW,
    START,
    WHITE,
    Table,
    by_material,
    can_never_mate,
)

NINETEEN = (
    "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6 a3a4 a6a5 c3c4"
)


def back_to(ply: int, clocks: tuple[int, int] | None = None) -> ResumeFromPosition:
    return ResumeFromPosition(by=ARBITER, reason="a mouse slip", ply=ply, clocks=clocks)


REPLAY = Replay(by=ARBITER, reason="the server was down")
COLOURS = CorrectColours(by=ARBITER, reason="paired the other way")


def fifty_moves() -> list[str]:
    """Fifty moves of both without a pawn or a capture, and no position twice."""
    board, seen, lots = chess.Board(), set[str](), Random(1)
    for _ in range(100):
        moves = list(board.legal_moves)
        for move in lots.sample(moves, len(moves)):
            is_quiet = not board.is_zeroing(move) and not board.gives_check(move)
            board.push(move)
            if is_quiet and board.epd() not in seen:
                seen.add(board.epd())
                break
            board.pop()
    assert board.halfmove_clock == 100
    return [move.uci() for move in board.move_stack]


class TestGoingBack:
    def test_6_8_the_position_the_moves_and_the_clocks_are_those_of_then(self) -> None:
        table = Table("180+2").play("e2e4 e7e5 g1f3 b8c6", think=10_000)
        table.granted(back_to(2))
        state = table.state
        assert [move.uci for move in state.moves] == ["e2e4", "e7e5"]
        assert state.board.fen().startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w")
        assert (table.left(WHITE), table.left(BLACK)) == (172_000, 172_000)
        assert state.phase is Phase.PAUSED

    def test_6_8_the_arbiter_then_lets_the_clocks_run(self) -> None:
        table = Table("180").play("e2e4 e7e5", think=10_000)
        table.granted(back_to(1))
        table.later(60_000).resume()
        assert table.state.turn is BLACK
        table.later(5_000).move("c7c5")
        assert table.left(BLACK) == 175_000

    def test_6_8_the_arbiter_may_say_what_the_clocks_show(self) -> None:
        table = Table("180").play("e2e4 e7e5")
        table.granted(back_to(1, (100_000, 90_000)))
        assert (table.left(WHITE), table.left(BLACK)) == (100_000, 90_000)

    def test_6_8_a_game_that_ended_goes_on(self) -> None:
        table = Table("180").play("e2e4 e7e5")
        table.granted(c.Resign(by="ada"))
        table.granted(back_to(2))
        assert table.state.outcome is None
        table.resume()
        table.play("g1f3")
        assert table.state.phase is Phase.RUNNING

    def test_6_8_after_a_fallen_flag_the_clocks_must_be_given(self) -> None:
        table = Table("180").play("e2e4")
        table.wake()
        assert table.refusal(back_to(1)) == ("clocks_needed", "6.8")
        table.granted(back_to(1, (60_000, 60_000)))
        assert table.state.flagged is None
        table.resume()
        table.play("e7e5")

    def test_6_8_no_clock_is_given_nothing(self) -> None:
        table = Table().play("e2e4")
        assert table.refusal(back_to(1, (0, 60_000))) == ("objection.no_time_given", "6.8")
        assert table.refusal(back_to(1, (60_000, 10**12))) == ("time_too_long", "6.8")

    @pytest.mark.parametrize("ply", [-1, 3])
    def test_6_8_only_positions_of_the_game(self, ply: int) -> None:
        table = Table().play("e2e4 e7e5")
        assert table.refusal(back_to(ply)) == ("no_such_position", "6.8")

    def test_6_8_not_to_a_position_without_moves(self) -> None:
        table = Table().play("f2f3 e7e5 g2g4 d8h4")
        assert table.refusal(back_to(4)) == ("no_moves_there", "6.8")
        table.granted(back_to(3))

    def test_6_8_not_before_the_start(self) -> None:
        assert Table(started=False).refusal(back_to(0)) == ("not_started", "6.8")

    def test_6_8_a_period_that_was_passed_is_to_be_passed_again(self) -> None:
        table = Table("2/60:30").play("e2e4 e7e5 g1f3 b8c6", think=1_000)
        assert table.left(WHITE) == 88_000
        table.granted(back_to(2))
        assert table.left(WHITE) == 59_000
        table.resume()
        table.later(1_000).move("f1c4")
        assert table.left(WHITE) == 88_000

    def test_6_8_repetitions_are_counted_from_the_moves_that_remain(self) -> None:
        table = Table().play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1")
        table.granted(back_to(4))
        table.resume()
        table.play("g1f3 g8f6 f3g1 f6g8")
        assert table.end == ((1, 1), "repetition", "2.2b")

    def test_6_8_offers_after_the_position_are_forgotten(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.OfferDraw(by="bea"))
        table.granted(back_to(1))
        assert (table.state.offer, table.state.offers) == (None, ())

    def test_2_3_6_8_an_offer_that_stood_then_still_stands(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.OfferDraw(by="ada"))
        table.play("g1f3")
        table.granted(back_to(2))
        assert table.refusal(c.WithdrawOffer(by="ada")) == ("offer_not_withdrawn", "2.3")
        table.granted(c.AcceptDraw(by="bea"))
        assert table.end == ((1, 1), "agreement", "2.2e")

    def test_2_3_6_8_but_not_before_it_was_made(self) -> None:
        table = Table().play("e2e4 e7e5 g1f3")
        table.granted(c.OfferDraw(by="ada"))
        table.granted(back_to(2))
        assert table.refusal(c.AcceptDraw(by="bea")) == ("no_draw_offered", "2.3")

    def test_2_2b_6_8_not_to_the_position_that_drew_the_game(self) -> None:
        table = Table().play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")
        assert table.end == ((1, 1), "repetition", "2.2b")
        assert table.refusal(back_to(8)) == ("drawn_there", "6.8")
        table.granted(back_to(7))

    def test_2_2c_6_8_nor_to_the_fiftieth_move(self) -> None:
        table = Table("9000").play(" ".join(fifty_moves()))
        assert table.end == ((1, 1), "fifty_moves", "2.2c")
        assert table.refusal(back_to(table.state.ply)) == ("drawn_there", "6.8")

    def test_11_4_whether_a_position_was_dead_is_the_arbiters_to_say(self) -> None:
        table = Table(judge=Judge(can_never_mate, LAW)).play("e2e4 e7e5")
        table.granted(back_to(2))
        assert table.state.phase is Phase.PAUSED

    def test_6_8_who_forfeited_has_a_tolerance_again(self) -> None:
        table = Table(there=(WHITE,), tolerance=60_000)
        table.wake()
        table.later(10_000).granted(back_to(0, (180_000, 180_000)))
        table.resume()
        table.later(60_000).connect(BLACK)
        assert table.state.phase is Phase.RUNNING

    def test_6_8_who_is_gone_has_the_whole_limit_again(self) -> None:
        table = Table(reconnection_limit=20_000).play("e2e4")
        table.disconnect(BLACK)
        table.wake()
        table.granted(back_to(1))
        table.later(5_000).resume()
        assert table.state.black.reconnect_by == table.now + 20_000


class TestReplay:
    def test_6_8_everything_begins_anew_with_the_same_colours(self) -> None:
        table = Table("180").play("e2e4 e7e5", think=10_000)
        moves = table.state.moves
        (new,) = table.granted(REPLAY)
        assert isinstance(new, NewGame)
        assert (new.article, new.swapped) == ("6.8", False)
        state = table.state
        assert (state.phase, state.ply, state.started) == (Phase.WAITING, 0, None)
        assert (table.left(WHITE), table.left(BLACK)) == (180_000, 180_000)
        assert state.earlier == (Earlier(ADA, BEA, moves),)

    def test_6_8_it_is_started_again(self) -> None:
        table = Table("180").play("e2e4")
        table.granted(REPLAY)
        table.later(5_000).granted(c.Start(by=ARBITER))
        table.play("d2d4 d7d5")
        assert table.state.white.joined == START + 6_000
        assert table.state.seen != {}

    def test_6_8_also_of_a_game_that_ended(self) -> None:
        table = Table()
        table.granted(c.Resign(by="ada"))
        table.granted(REPLAY)
        assert table.state.outcome is None

    def test_6_8_not_before_the_start(self) -> None:
        assert Table(started=False).refusal(REPLAY) == ("not_started", "6.8")


class TestColours:
    def test_11_2_before_ten_moves_a_new_game_with_the_right_colours(self) -> None:
        table = Table("W300-B240").play("e2e4 e7e5", think=10_000)
        (new,) = table.granted(COLOURS)
        assert isinstance(new, NewGame)
        assert (new.article, new.swapped) == ("11.2", True)
        assert (table.state.white.player, table.state.black.player) == (BEA, ADA)
        assert (table.left(WHITE), table.left(BLACK)) == (300_000, 240_000)
        table.granted(c.Start(by=ARBITER))
        table.granted(c.Move(by="bea", uci="d2d4", ply=0))

    def test_11_2_nine_moves_of_one_and_ten_of_the_other_are_not_ten_of_both(self) -> None:
        table = Table().play(NINETEEN)
        assert (table.state.moves_by(WHITE), table.state.moves_by(BLACK)) == (10, 9)
        table.granted(COLOURS)

    def test_11_2_after_ten_moves_of_both_the_game_goes_on(self) -> None:
        table = Table().play(NINETEEN + " c6c5")
        assert table.state.ply == 20
        assert table.refusal(COLOURS) == ("wrong_colours_go_on", "11.2")

    def test_11_2_the_result_of_a_game_that_ended_stands(self) -> None:
        table = Table().play("f2f3 e7e5 g2g4 d8h4")
        assert table.refusal(COLOURS) == ("wrong_colours_result_stands", "11.2")

    def test_11_2_unless_the_law_is_read_the_other_way(self) -> None:
        judge = Judge(by_material, law=type(LAW)(wrong_colours_ended="new_game"))
        table = Table(judge=judge).play("f2f3 e7e5 g2g4 d8h4")
        table.granted(COLOURS)
        assert table.state.phase is Phase.WAITING

    def test_11_2_what_belongs_to_a_player_goes_with_the_player(self) -> None:
        table = Table()
        table.granted(c.SetAutoQueen(by="ada", on=True))
        warn = Warn(by=ARBITER, reason="spoke", side=WHITE)
        table.granted(warn)
        number = table.state.number - 1
        table.granted(COLOURS)
        assert (table.state.white.auto_queen, table.state.black.auto_queen) == (False, True)
        ada, bea = (
            view_for(table.state, role, table.now) for role in (GameRole.BLACK, GameRole.WHITE)
        )
        assert isinstance(ada, PlayerView)
        assert isinstance(bea, PlayerView)
        assert number in [act.number for act in ada.acts]
        assert number not in [one.number for one in bea.acts]
        (withdrawn,) = table.granted(Withdraw(by=ARBITER, reason="unheard", corrects=number))
        assert isinstance(withdrawn, Withdrawn)
        assert withdrawn.side is BLACK


class TestCalls:
    def test_11_1_a_player_calls_and_the_arbiter_answers(self) -> None:
        table = Table()
        assert table.granted(c.CallArbiter(by="bea", text=" noise! ")) == (
            e.ArbiterCalled(at=START, side=BLACK, text="noise!"),
        )
        number = table.state.number - 1
        assert table.state.calls == (Call(number, "bea", START, "noise!"),)
        (answered,) = table.granted(
            AnswerCall(by=ARBITER, reason="it was the neighbours", call=number, founded=True)
        )
        assert isinstance(answered, CallAnswered)
        assert (answered.side, answered.founded, answered.article) == (BLACK, True, "11.1")
        assert table.state.calls[0].answered

    def test_11_1_one_open_call_is_enough(self) -> None:
        table = Table()
        table.granted(c.CallArbiter(by="bea"))
        assert table.refusal(c.CallArbiter(by="bea")) == ("call_open", "11.1")
        table.granted(c.CallArbiter(by="ada"))

    def test_11_1_a_call_is_answered_once(self) -> None:
        table = Table()
        table.granted(c.CallArbiter(by="bea"))
        answer = AnswerCall(by=ARBITER, reason="no", call=table.state.number - 1, founded=False)
        table.granted(answer)
        assert table.refusal(answer) == ("no_such_call", "11.1")
        table.granted(c.CallArbiter(by="bea"))

    def test_11_1_the_clock_runs_on(self) -> None:
        table = Table("180")
        table.granted(c.CallArbiter(by="ada"))
        assert table.later(9_000).left(WHITE) == 171_000

    def test_11_1_a_text_has_an_end(self) -> None:
        assert Table().refusal(c.CallArbiter(by="ada", text="x" * 2_001)) == ("text_too_long", "")

    def test_11_1_who_does_not_play_does_not_call(self) -> None:
        assert Table().refusal(c.CallArbiter(by="eve")) == ("not_seated", "")

    def test_11_1_it_is_answered_to_the_caller_whatever_the_colour_now(self) -> None:
        table = Table()
        table.granted(c.CallArbiter(by="bea"))
        number = table.state.number - 1
        table.granted(COLOURS)
        answer = AnswerCall(by=ARBITER, reason="seen", call=number, founded=True)
        (answered,) = table.granted(answer)
        assert isinstance(answered, CallAnswered)
        assert answered.side is WHITE


class TestNotes:
    def test_an_arbiter_writes_something_down(self) -> None:
        table = Table()
        note = c.AddNote(by=ARBITER, text=" camera moved ")
        assert table.granted(note) == (e.Note(at=START, by=ARBITER, text="camera moved"),)

    def test_empty_and_endless_ones_are_refused(self) -> None:
        assert Table().refusal(c.AddNote(by=ARBITER, text=" ")) == ("text_needed", "")
        assert Table().refusal(c.AddNote(by=ARBITER, text="x" * 2_001)) == ("text_too_long", "")
        assert Table().refusal(c.AddNote(by="ada", text="x")) == ("arbiter_is_player", "")


@pytest.mark.parametrize("side", list(Side))
def test_6_8_time_given_before_going_back_is_part_of_the_clocks_of_later_moves(side: Side) -> None:
    table = Table("180")
    table.granted(AddTime(by=ARBITER, reason="noise", side=side, time=60_000))
    table.play("e2e4 e7e5", think=0)
    table.granted(back_to(1))
    assert table.left(side) == 240_000
