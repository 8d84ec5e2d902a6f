"""Premoves (1.2a): held by the server, bound to a ply, free of time, nobody else's business."""

from __future__ import annotations

import pytest

from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.acts.resume_from_position import ResumeFromPosition
from arrocco.hall.game.records import Channel, Cleared
from tests.hall.game.table import ARBITER, BLACK, START, WHITE, Table


def premove(by: str, uci: str, ply: int) -> c.SetPremove:
    return c.SetPremove(by=by, uci=uci, ply=ply)


class TestPremove:
    def test_1_2a_it_is_played_at_once_and_takes_no_time(self) -> None:
        table = Table()
        assert table.granted(premove("bea", "e7e5", 1)) == (
            e.PremoveSet(at=START, side=BLACK, ply=1, uci="e7e5"),
        )
        moved, executed, answer = table.later(7_000).move("e2e4")
        assert isinstance(moved, e.Moved)
        assert executed == e.PremoveExecuted(at=START + 7_000, side=BLACK, ply=1, uci="e7e5")
        assert answer == e.Moved(
            at=START + 7_000,
            side=BLACK,
            ply=1,
            uci="e7e5",
            spent=0,
            white=175_000,
            black=182_000,
            premove=True,
        )
        assert table.state.black.premove is None
        assert table.state.turn is WHITE

    def test_1_2a_one_that_has_become_illegal_is_dropped(self) -> None:
        table = Table().play("e2e4 d7d5")
        table.granted(premove("bea", "d5e4", 3))
        moved, cleared = table.move("e4e5")
        assert isinstance(moved, e.Moved)
        assert cleared == e.PremoveCleared(at=table.now, side=BLACK, ply=3, why=Cleared.ILLEGAL)
        assert table.state.black.premove is None
        assert table.state.turn is BLACK

    def test_1_2a_it_never_fires_a_turn_later(self) -> None:
        table = Table().play("e2e4 d7d5")
        table.granted(premove("bea", "d5e4", 3))
        table.move("g1f3")
        assert table.state.moves[-1].uci == "d5e4"
        table.play("b1c3")
        assert table.state.turn is BLACK

    def test_1_2a_the_last_one_chosen_counts(self) -> None:
        table = Table()
        table.granted(premove("bea", "e7e5", 1))
        table.granted(premove("bea", "c7c5", 1))
        table.move("e2e4")
        assert table.state.moves[-1].uci == "c7c5"

    def test_1_2a_it_can_be_taken_back(self) -> None:
        table = Table()
        table.granted(premove("bea", "e7e5", 1))
        assert table.granted(c.ClearPremove(by="bea")) == (
            e.PremoveCleared(at=START, side=BLACK, ply=1, why=Cleared.PLAYER),
        )
        table.move("e2e4")
        assert table.state.ply == 1
        assert table.refusal(c.ClearPremove(by="bea")) == ("no_premove", "1.2a")
        assert table.refusal(c.ClearPremove(by="eve")) == ("not_seated", "")

    @pytest.mark.parametrize("ply", [0, 2, 3, -1])
    def test_1_2a_it_is_for_the_very_next_ply(self, ply: int) -> None:
        assert Table().refusal(premove("bea", "e7e5", ply)) == ("wrong_ply", "1.2a")

    def test_1_2a_one_that_comes_after_the_opponents_move_is_an_ordinary_move(self) -> None:
        table = Table().play("e2e4").later(300)
        (moved,) = table.granted(premove("bea", "e7e5", 1))
        assert isinstance(moved, e.Moved)
        assert (moved.spent, moved.premove) == (300, False)

    def test_1_2a_one_that_comes_too_late_and_is_illegal_is_refused(self) -> None:
        table = Table().play("e2e4")
        assert table.refusal(premove("bea", "e7e4", 1)) == ("illegal_move", "1.1")

    def test_1_2a_none_in_ones_own_turn_for_later(self) -> None:
        assert Table().refusal(premove("ada", "g1f3", 2)) == ("wrong_ply", "1.3.2")

    @pytest.mark.parametrize(
        "uci", ["e2e4", "e3e4", "e7e4", "a8b7", "g8g6", "e8e6", "e7e5q", "e7d8", "e7e7", "f8f5"]
    )
    def test_1_2a_what_can_never_become_legal_is_refused(self, uci: str) -> None:
        assert Table().refusal(premove("bea", uci, 1))[0] in ("premove_impossible", "not_a_move")

    @pytest.mark.parametrize(
        "uci", ["e7e6", "e7e5", "e7d6", "a8a1", "c8g4", "d8h4", "d8d1", "b8c6", "e8g8", "e8c8"]
    )
    def test_1_2a_what_might_become_legal_is_held(self, uci: str) -> None:
        table = Table()
        table.granted(premove("bea", uci, 1))
        assert table.state.black.premove is not None

    def test_1_2a_a_capture_of_ones_own_piece_waits_for_it_to_be_taken(self) -> None:
        table = Table().play("e2e4 d7d5")
        table.granted(premove("bea", "d8d5", 3))
        table.move("e4d5")
        assert table.state.moves[-1].uci == "d8d5"

    def test_1_2a_it_ends_the_game_where_it_mates(self) -> None:
        table = Table().play("f2f3 e7e5")
        table.granted(premove("bea", "d8h4", 3))
        table.move("g2g4")
        assert table.end == ((0, 2), "checkmate", "2.1b")

    def test_1_2a_it_is_not_played_after_the_end(self) -> None:
        table = Table().play("e2e4 e7e5 f1c4 b8c6 d1h5 g8f6")
        table.granted(premove("bea", "f6h5", 7))
        table.move("h5f7")
        assert table.end == ((2, 0), "checkmate", "2.1b")
        assert table.state.ply == 7
        assert table.state.black.premove is None

    def test_1_2a_it_needs_its_promotion_or_the_setting(self) -> None:
        fen = "8/8/8/1k6/8/8/4p2K/8 w - - 0 1"
        table = Table().set_up(fen)
        assert table.refusal(premove("bea", "e2e1", 1)) == ("promotion_needed", "1.2b")
        table.granted(c.SetAutoQueen(by="bea", on=True))
        table.granted(premove("bea", "e2e1", 1))
        table.move("h2g2")
        assert table.state.moves[-1].uci == "e2e1q"

    def test_1_2a_playing_it_refuses_the_offer_of_the_move_before(self) -> None:
        table = Table().play("e2e4 e7e5")
        table.granted(premove("bea", "b8c6", 3))
        table.granted(c.OfferDraw(by="ada"))
        kinds = [type(event) for event in table.move("g1f3")]
        assert kinds == [e.Moved, e.PremoveExecuted, e.DrawRefused, e.Moved]
        assert table.state.offer is None


class TestDisconnected:
    def test_7_5_it_survives_a_lost_connection(self) -> None:
        table = Table()
        table.granted(premove("bea", "e7e5", 1))
        table.disconnect(BLACK)
        table.later(2_000).move("e2e4")
        assert table.state.moves[-1].uci == "e7e5"
        assert table.left(BLACK) == 182_000

    def test_7_5_none_can_be_chosen_while_gone(self) -> None:
        table = Table()
        table.disconnect(BLACK)
        assert table.refusal(premove("bea", "e7e5", 1)) == ("not_connected", "7.3")


class TestOffTheVideoConference:
    def test_9_1f_nothing_moves_for_a_player_who_is_on_the_platform_only(self) -> None:
        table = Table(vcs_required=True)
        table.granted(premove("bea", "e7e5", 1))
        table.disconnect(BLACK, Channel.VCS)
        table.move("e2e4")
        assert table.state.ply == 1

    def test_9_1f_it_waits_and_is_played_by_who_is_back(self) -> None:
        table = Table(vcs_required=True)
        table.granted(premove("bea", "e7e5", 1))
        table.disconnect(BLACK, Channel.VCS)
        table.move("e2e4")
        table.granted(c.Connect(by="bea", channel=Channel.VCS))
        assert table.state.moves[-1].uci == "e7e5"

    def test_9_1f_another_move_takes_the_place_of_one_that_waited(self) -> None:
        table = Table(vcs_required=True)
        table.granted(premove("bea", "e7e5", 1))
        table.disconnect(BLACK, Channel.VCS)
        table.move("e2e4")
        table.granted(c.ClearPremove(by="bea"))
        table.granted(c.Connect(by="bea", channel=Channel.VCS))
        assert table.state.ply == 1
        table.move("d7d5")
        assert table.state.moves[-1].uci == "d7d5"

    def test_9_1f_one_that_has_lost_both_keeps_the_premove(self) -> None:
        table = Table(vcs_required=True)
        table.granted(premove("bea", "e7e5", 1))
        table.disconnect(BLACK, Channel.VCS)
        table.disconnect(BLACK)
        table.move("e2e4")
        assert table.state.moves[-1].uci == "e7e5"

    def test_9_1f_none_can_be_chosen_off_the_video_conference(self) -> None:
        table = Table(vcs_required=True)
        table.disconnect(BLACK, Channel.VCS)
        assert table.refusal(premove("bea", "e7e5", 1)) == ("off_vcs", "9.1f")


def test_11_6_none_can_be_chosen_in_a_pause_and_a_held_one_waits() -> None:
    table = Table()
    table.granted(premove("bea", "e7e5", 1))
    table.pause()
    assert table.refusal(premove("bea", "c7c5", 1)) == ("paused", "11.6")
    table.later(5_000).resume()
    table.move("e2e4")
    assert table.state.moves[-1].uci == "e7e5"


def test_6_8_going_back_drops_it() -> None:
    table = Table().play("e2e4 e7e5")
    table.granted(premove("bea", "b8c6", 3))
    table.granted(ResumeFromPosition(by=ARBITER, reason="wrong board", ply=0))
    assert table.state.black.premove is None
