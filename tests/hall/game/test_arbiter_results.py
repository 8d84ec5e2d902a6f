"""Declared, corrected and sanctioned results (3.2, 5.9, 5.10, 6.9d-f, 9.2, 11.3, 11.4)."""

from __future__ import annotations

import chess
import pytest

from arrocco.hall.game import Judge, Phase
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.acts.change_points import ChangePoints, PointsChanged
from arrocco.hall.game.acts.results import (
    CorrectResult,
    DeclareResult,
    ResultCorrected,
    ResultDeclared,
)
from arrocco.hall.game.acts.withdraw import Withdraw, Withdrawn
from arrocco.laws.online.score import Scoring
from arrocco.laws.online.side import Side
from tests.hall.game.table import (
    ARBITER,
    BLACK,
    LAW,
    WHITE,
    Table,
    can_always_mate,
    can_never_mate,
    nobody_knows,
)

Pair = tuple[int, int]


def declare(scores: Pair, article: str = "6.9f", against: Side | None = WHITE) -> DeclareResult:
    return DeclareResult(by=ARBITER, reason="seen", scores=scores, article=article, against=against)


def correct(scores: Pair, article: str = "11.4", against: Side | None = None) -> CorrectResult:
    return CorrectResult(by=ARBITER, reason="seen", scores=scores, article=article, against=against)


def points(side: Side, scores: Pair, article: str) -> ChangePoints:
    return ChangePoints(by=ARBITER, reason="insult", side=side, scores=scores, article=article)


class TestDeclaring:
    @pytest.mark.parametrize("article", ["6.9f", "5.9", "5.10", "9.2", "13.3"])
    def test_a_game_is_declared_lost(self, article: str) -> None:
        table = Table().play("e2e4 e7e5")
        declared, ended = table.granted(declare((0, 2), article))
        assert isinstance(declared, ResultDeclared)
        assert isinstance(ended, e.Ended)
        assert (declared.article, declared.reason, ended.side) == (article, "seen", WHITE)
        assert table.end == ((0, 2), "arbiter", article)
        assert table.state.clock.running is None

    @pytest.mark.parametrize("opponent", [0, 1, 2])
    def test_6_9f_the_arbiter_decides_the_opponents_score(self, opponent: int) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(declare((opponent, 0), against=BLACK))
        assert table.end == ((opponent, 0), "arbiter", "6.9f")

    def test_6_9f_the_culprit_has_the_score_of_a_loss(self) -> None:
        assert Table().refusal(declare((1, 1))) == ("objection.not_lost", "6.9f")

    def test_5_9_the_opponent_wins(self) -> None:
        assert Table().refusal(declare((0, 1), "5.9")) == ("opponent_wins", "5.9")

    @pytest.mark.parametrize("scores", [(0, 2), (0, 1), (0, 0)])
    def test_5_10_the_arbiter_decides_the_score_of_the_opponent(self, scores: Pair) -> None:
        table = Table()
        assert table.refusal(declare((1, 1), "5.10")) == ("objection.not_lost", "5.10")
        table.granted(declare(scores, "5.10"))
        assert table.end == (scores, "arbiter", "5.10")

    def test_the_culprit_must_be_named(self) -> None:
        assert Table().refusal(declare((0, 2), against=None)) == ("player_needed", "6.9f")

    @pytest.mark.parametrize("scores", [(2, 1), (2, 2), (3, 0), (-1, 0), (1, 2)])
    def test_3_2_only_normal_scores(self, scores: Pair) -> None:
        assert Table().refusal(declare(scores)) == ("objection.score_not_legal", "3.2")

    def test_3_2_in_the_scoring_of_the_event(self) -> None:
        table = Table(scoring=Scoring(win=3, draw=1, loss=0))
        assert table.refusal(declare((0, 2))) == ("objection.score_not_legal", "3.2")
        table.granted(declare((0, 3)))
        assert table.end == ((0, 2), "arbiter", "6.9f")

    def test_2_1a_a_resignation_said_to_the_arbiter(self) -> None:
        table = Table().play("e2e4")
        assert table.refusal(declare((0, 1), "2.1a")) == ("opponent_wins", "2.1a")
        table.granted(declare((0, 2), "2.1a"))
        assert table.end == ((0, 2), "resignation", "2.1a")

    def test_2_2e_an_agreement_said_to_the_arbiter(self) -> None:
        table = Table().play("e2e4")
        assert table.refusal(declare((1, 1), "2.2e", None)) == ("draw_before_moves", "2.2e")
        table.play("e7e5")
        table.granted(declare((1, 1), "2.2e", None))
        assert table.end == ((1, 1), "agreement", "2.2e")

    def test_a_game_is_lost_even_before_it_starts_but_not_drawn(self) -> None:
        table = Table(started=False)
        assert table.refusal(declare((1, 1), "11.3", None)) == ("not_started", "11.3")
        table.granted(declare((0, 2)))
        assert table.state.phase is Phase.ENDED

    def test_a_game_that_is_over_is_corrected_not_declared(self) -> None:
        table = Table()
        table.granted(c.Resign(by="ada"))
        assert table.refusal(declare((0, 2))) == ("game_over", "6.9f")


class TestMissingDraw:
    def test_11_3_a_dead_position_the_server_did_not_see(self) -> None:
        table = Table(judge=Judge(nobody_knows, LAW)).play("e2e4 e7e5")
        table.granted(declare((1, 1), "11.3", None))
        assert table.end == ((1, 1), "arbiter", "11.3")

    def test_11_3_not_where_mate_is_known_to_be_possible(self) -> None:
        table = Table(judge=Judge(can_always_mate, LAW)).play("e2e4 e7e5")
        assert table.refusal(declare((1, 1), "11.3", None)) == ("no_draw_to_declare", "11.3")

    def test_11_3_nothing_but_a_draw(self) -> None:
        table = Table(judge=Judge(nobody_knows, LAW)).play("e2e4 e7e5")
        assert table.refusal(declare((0, 2), "11.3", None)) == ("not_a_draw", "11.3")


class TestWrongDraw:
    def dead(self, judge: Judge) -> Table:
        table = Table(judge=Judge(can_never_mate, LAW)).set_up("8/8/4k3/8/8/3q4/4K3/8 w - - 0 1")
        table.move("e2d3")
        assert table.end == ((1, 1), "dead_position", "2.2d")
        table.judge = judge
        return table

    def test_11_4_it_is_undone_where_mate_is_possible(self) -> None:
        table = self.dead(Judge(can_always_mate, LAW))
        number = table.state.number - 1
        (corrected,) = table.granted(correct((2, 0)))
        assert isinstance(corrected, ResultCorrected)
        assert (corrected.corrects, corrected.before, corrected.scores) == (number, (1, 1), (2, 0))
        assert table.end == ((2, 0), "dead_position", "11.4")

    def test_11_4_it_is_undone_where_nobody_knows(self) -> None:
        self.dead(Judge(nobody_knows, LAW)).granted(correct((2, 0)))

    def test_11_4_it_stands_where_no_series_of_moves_mates(self) -> None:
        table = self.dead(Judge(can_never_mate, LAW))
        assert table.refusal(correct((2, 0))) == ("automatic_draw_stands", "11.4")

    def test_11_4_a_draw_on_time_asks_only_about_the_opponent(self) -> None:
        table = Table("180", judge=Judge(can_never_mate, LAW))
        table.wake()
        assert table.end == ((1, 1), "time_without_mate", "1.3.4")
        table.judge = Judge(lambda _, color: color == chess.WHITE, LAW)
        assert table.refusal(correct((0, 2))) == ("automatic_draw_stands", "11.4")
        table.judge = Judge(lambda _, color: color == chess.BLACK, LAW)
        table.granted(correct((0, 2)))
        assert table.end == ((0, 2), "time_without_mate", "11.4")

    def test_11_4_a_repetition_stands_whatever_the_material(self) -> None:
        table = Table().play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")
        assert table.refusal(correct((2, 0))) == ("automatic_draw_stands", "11.4")

    def test_11_4_an_agreement_and_a_win_are_no_draws_of_the_server(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.OfferDraw(by="ada"))
        table.granted(c.AcceptDraw(by="bea"))
        assert table.refusal(correct((2, 0))) == ("not_automatic_draw", "11.4")
        table = Table()
        table.granted(c.Resign(by="ada"))
        assert table.refusal(correct((1, 1))) == ("not_automatic_draw", "11.4")

    def test_11_4_a_correction_is_not_the_servers(self) -> None:
        table = self.dead(Judge(can_always_mate, LAW))
        table.granted(correct((2, 0)))
        assert table.refusal(correct((0, 2))) == ("not_automatic_draw", "11.4")


class TestMissedDraw:
    """11.3 — a draw that was due when the game ended in another way."""

    def test_11_3_a_resignation_in_a_dead_position_is_a_draw(self) -> None:
        table = Table(judge=Judge(nobody_knows, LAW)).play("e2e4 e7e5")
        table.granted(c.Resign(by="ada"))
        table.granted(correct((1, 1), "11.3"))
        assert table.end == ((1, 1), "resignation", "11.3")

    def test_11_3_not_where_mate_is_known_to_be_possible(self) -> None:
        table = Table(judge=Judge(can_always_mate, LAW)).play("e2e4 e7e5")
        table.granted(c.Resign(by="ada"))
        assert table.refusal(correct((1, 1), "11.3")) == ("no_draw_to_declare", "11.3")

    def test_11_3_not_where_mate_is_on_the_board(self) -> None:
        table = Table(judge=Judge(nobody_knows, LAW)).play("f2f3 e7e5 g2g4 d8h4")
        assert table.refusal(correct((1, 1), "11.3")) == ("no_draw_to_declare", "11.3")

    @pytest.mark.parametrize(
        ("winner_can_mate", "key"), [(None, ""), (False, ""), (True, "winner_can_mate")]
    )
    @pytest.mark.parametrize("reason", ["time", "disconnection"])
    def test_1_3_4_7_7_a_loss_on_time_asks_only_about_the_winner(
        self, reason: str, winner_can_mate: bool | None, key: str
    ) -> None:
        table = Table("180", judge=Judge(nobody_knows, LAW), reconnection_limit=1_000)
        if reason == "disconnection":
            table.disconnect(WHITE)
        table.wake()
        assert table.end[:2] == ((0, 2), reason)
        table.judge = Judge(lambda _, color: True if color == chess.WHITE else winner_can_mate, LAW)
        assert table.refusal(correct((1, 1), "11.3")) == ("no_draw_to_declare", "11.3")
        if key:
            assert table.refusal(correct((1, 1), "1.3.4")) == (key, "1.3.4")
        else:
            table.granted(correct((1, 1), "1.3.4"))
        assert table.end[0] == ((0, 2) if key else (1, 1))

    def test_1_3_4_nothing_but_a_draw_and_only_of_a_loss_on_time(self) -> None:
        table = Table("180", judge=Judge(nobody_knows, LAW))
        table.wake()
        assert table.refusal(correct((2, 0), "1.3.4")) == ("not_a_draw", "1.3.4")
        table = Table(judge=Judge(nobody_knows, LAW))
        table.granted(c.Resign(by="ada"))
        assert table.refusal(correct((1, 1), "1.3.4")) == ("not_lost_on_time", "1.3.4")


class TestCorrecting:
    def test_an_appeal_changes_the_result(self) -> None:
        table = Table()
        table.granted(c.Resign(by="ada"))
        table.granted(correct((1, 1), "5.16"))
        assert table.end == ((1, 1), "resignation", "5.16")

    def test_13_3_a_game_is_lost_after_its_end(self) -> None:
        table = Table()
        table.granted(c.Resign(by="ada"))
        table.granted(correct((0, 0), "13.3", BLACK))
        assert table.end == ((0, 0), "resignation", "13.3")

    def test_13_5b_the_committee_changes_the_score(self) -> None:
        table = Table()
        table.granted(c.Resign(by="ada"))
        table.granted(correct((0, 1), "13.5b"))
        assert table.end == ((0, 1), "resignation", "13.5b")

    def test_3_2_only_normal_scores(self) -> None:
        table = Table()
        table.granted(c.Resign(by="ada"))
        refusal = table.refusal(correct((2, 2), "5.16"))
        assert refusal == ("objection.score_not_legal", "3.2")

    def test_a_result_is_not_corrected_to_itself(self) -> None:
        table = Table()
        table.granted(c.Resign(by="ada"))
        assert table.refusal(correct((0, 2), "5.16")) == ("same_result", "5.16")

    def test_a_game_that_goes_on_has_no_result_to_correct(self) -> None:
        assert Table().refusal(correct((0, 2), "5.16")) == ("game_not_over", "5.16")

    def test_the_last_correction_can_be_withdrawn_and_only_the_last(self) -> None:
        table = Table()
        table.granted(c.Resign(by="ada"))
        table.granted(correct((1, 1), "5.16"))
        first = table.state.number - 1
        table.granted(correct((2, 0), "5.16"))
        second = table.state.number - 1
        withdraw_first = Withdraw(by=ARBITER, reason="a mistake", corrects=first)
        assert table.refusal(withdraw_first) == ("not_withdrawable", "5.16")
        table.granted(Withdraw(by=ARBITER, reason="a mistake", corrects=second))
        assert table.end[0] == (1, 1)
        assert table.refusal(Withdraw(by=ARBITER, reason="x", corrects=second))[0] == "no_such_act"


class TestPoints:
    def lost_by_white(self) -> Table:
        table = Table().play("e2e4 e7e5")
        table.granted(c.Resign(by="ada"))
        return table

    def test_6_9_d_the_opponents_points_go_up(self) -> None:
        table = self.lost_by_white()
        table.granted(correct((0, 0), "6.9f", BLACK))
        (changed,) = table.granted(points(BLACK, (1, 0), "6.9d"))
        assert isinstance(changed, PointsChanged)
        assert (changed.before, changed.scores, changed.side) == ((0, 0), (1, 0), BLACK)
        assert table.end[0] == (1, 0)

    def test_6_9_d_never_above_what_a_game_is_worth(self) -> None:
        table = self.lost_by_white()
        assert table.refusal(points(BLACK, (2, 2), "6.9d")) == ("objection.score_not_legal", "3.2")

    def test_6_9_d_must_raise_and_leave_the_culprit_alone(self) -> None:
        table = self.lost_by_white()
        table.granted(correct((1, 1), "5.16"))
        assert table.refusal(points(BLACK, (1, 1), "6.9d"))[0] == "objection.opponent_not_raised"
        assert table.refusal(points(BLACK, (2, 0), "6.9d"))[0] == "objection.own_score_changed"

    def test_6_9_e_the_culprits_points_go_down(self) -> None:
        table = self.lost_by_white()
        table.granted(points(BLACK, (0, 1), "6.9e"))
        assert table.end[0] == (0, 1)

    def test_6_9_e_must_lower_and_leave_the_opponent_alone(self) -> None:
        table = self.lost_by_white()
        assert table.refusal(points(BLACK, (0, 2), "6.9e"))[0] == "objection.own_not_reduced"
        assert table.refusal(points(BLACK, (1, 1), "6.9e"))[0] == "objection.opponent_changed"

    def test_6_9_only_after_the_end(self) -> None:
        assert Table().refusal(points(BLACK, (0, 1), "6.9e")) == ("game_not_over", "6.9e")

    def test_6_9_it_can_be_withdrawn(self) -> None:
        table = self.lost_by_white()
        table.granted(points(BLACK, (0, 1), "6.9e"))
        (back,) = table.granted(
            Withdraw(by=ARBITER, reason="another player", corrects=table.state.number - 1)
        )
        assert isinstance(back, Withdrawn)
        assert (back.scores, back.side, back.article) == ((0, 2), BLACK, "6.9e")
        assert table.end[0] == (0, 2)
