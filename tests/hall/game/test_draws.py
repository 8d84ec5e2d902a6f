"""Offers of a draw (2.2e, 2.3): they stand, cannot be taken back, and are refused by a move."""

from __future__ import annotations

import pytest

from arrocco.hall.game import Phase
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.state import Offer
from tests.hall.game.table import BLACK, START, WHITE, Table


class TestOffer:
    def test_2_3_it_stands_beside_the_move(self) -> None:
        table = Table().play("e2e4 e7e5")
        assert table.granted(c.OfferDraw(by="bea")) == (
            e.DrawOffered(at=table.now, side=BLACK, ply=2),
        )
        assert table.state.offer == Offer(BLACK, 2)

    def test_2_3_it_stands_through_the_offerers_own_move(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.OfferDraw(by="ada"))
        assert [type(event) for event in table.move("g1f3")] == [e.Moved]
        assert table.state.offer == Offer(WHITE, 2)

    def test_2_3_the_opponents_move_refuses_it(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.OfferDraw(by="ada"))
        table.move("g1f3")
        refusal, moved = table.move("b8c6")
        assert refusal == e.DrawRefused(at=table.now, side=BLACK, ply=3)
        assert isinstance(moved, e.Moved)
        assert table.state.offer is None
        assert table.refusal(c.AcceptDraw(by="bea")) == ("no_draw_offered", "2.3")

    def test_2_3_it_cannot_be_withdrawn(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.OfferDraw(by="ada"))
        assert table.refusal(c.WithdrawOffer(by="ada")) == ("offer_not_withdrawn", "2.3")
        assert table.state.offer == Offer(WHITE, 2)

    def test_2_3_it_is_not_made_twice(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.OfferDraw(by="ada"))
        assert table.refusal(c.OfferDraw(by="ada")) == ("draw_already_offered", "2.3")

    def test_2_3_it_is_not_answered_with_an_offer(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.OfferDraw(by="ada"))
        assert table.refusal(c.OfferDraw(by="bea")) == ("draw_offer_stands", "2.3")

    def test_2_3_it_can_be_made_again_once_refused(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.OfferDraw(by="bea"))
        table.play("g1f3")
        table.granted(c.OfferDraw(by="bea"))
        assert table.state.offers == (Offer(BLACK, 2), Offer(BLACK, 3))

    def test_2_3_the_end_overtakes_it(self) -> None:
        table = Table().play("f2f3 e7e5 g2g4")
        table.granted(c.OfferDraw(by="ada"))
        table.move("d8h4")
        assert table.end == ((0, 2), "checkmate", "2.1b")
        assert table.state.offer is None

    def test_2_3_an_illegal_move_refuses_nothing(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.OfferDraw(by="bea"))
        table.wish(c.Move(by="ada", uci="e4e5", ply=2))
        assert table.state.offer == Offer(BLACK, 2)

    def test_2_3_it_outlives_a_lost_connection(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.OfferDraw(by="ada"))
        table.disconnect(WHITE)
        table.granted(c.AcceptDraw(by="bea"))
        assert table.end == ((1, 1), "agreement", "2.2e")


class TestAgreement:
    def test_2_2e_both_agree(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.OfferDraw(by="ada"))
        accepted, ended = table.granted(c.AcceptDraw(by="bea"))
        assert accepted == e.DrawAccepted(at=table.now, side=BLACK)
        assert isinstance(ended, e.Ended)
        assert table.end == ((1, 1), "agreement", "2.2e")

    @pytest.mark.parametrize("moves", ["", "e2e4"])
    def test_2_2e_not_before_each_has_made_a_move(self, moves: str) -> None:
        table = Table().play(moves)
        table.granted(c.OfferDraw(by="ada"))
        assert table.refusal(c.AcceptDraw(by="bea")) == ("draw_before_moves", "2.2e")
        assert table.state.phase is Phase.RUNNING

    def test_2_2e_an_early_offer_counts_from_the_moment_each_has_moved(self) -> None:
        table = Table().play("e2e4")
        table.granted(c.OfferDraw(by="bea"))
        table.play("e7e5")
        table.granted(c.AcceptDraw(by="ada"))
        assert table.end == ((1, 1), "agreement", "2.2e")

    def test_2_2e_nobody_accepts_their_own_offer(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(c.OfferDraw(by="ada"))
        assert table.refusal(c.AcceptDraw(by="ada")) == ("no_draw_offered", "2.3")

    def test_2_2e_it_is_agreed_in_a_pause_too(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.pause()
        table.granted(c.OfferDraw(by="ada"))
        table.granted(c.AcceptDraw(by="bea"))
        assert table.end == ((1, 1), "agreement", "2.2e")

    def test_2_2e_not_when_the_time_is_over(self) -> None:
        table = Table("180").play("e2e4 e7e5", think=0)
        table.granted(c.OfferDraw(by="bea"))
        table.now = START + 180_000
        assert table.refusal(c.AcceptDraw(by="ada")) == ("game_over", "2")
        assert table.end == ((0, 2), "time", "2.1c")

    @pytest.mark.parametrize("wish", [c.OfferDraw, c.AcceptDraw, c.WithdrawOffer, c.Resign])
    def test_2_2e_only_the_players_agree(self, wish: type[c.PlayerCommand]) -> None:
        table = Table().play("e2e4 e7e5")
        assert table.refusal(wish(by="eve")) == ("not_seated", "")
