"""Rounds: pairing by system and by hand, opening together, delaying, closing."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arrocco.hall.event import Phase
from arrocco.hall.event import commands as c
from arrocco.hall.event import events as e
from arrocco.hall.event.records import PairingSystem
from arrocco.hall.event.rules import Supervision
from arrocco.hall.pairing import berger
from arrocco.laws.online.sanctions import Scope
from arrocco.report import ByeKind, GameKind
from tests.hall.event.desk import CHIEF, DRAW, FORFEIT, LOSS, ORGANISER, START, WIN, Desk, result

ROUND_ROBIN, DOUBLE = PairingSystem.ROUND_ROBIN, PairingSystem.DOUBLE_ROUND_ROBIN
MANUAL = PairingSystem.MANUAL


class TestSwiss:
    def test_the_first_round_is_the_upper_half_against_the_lower(self) -> None:
        assert Desk(6).pair().boards == [(1, 4), (5, 2), (3, 6)]

    def test_winners_meet_winners(self) -> None:
        desk = Desk(4).pair().play(WIN, LOSS).pair()
        assert [set(board) for board in desk.boards] == [{1, 2}, {3, 4}]

    def test_the_bye_goes_to_the_lowest_and_is_worth_a_win(self) -> None:
        desk = Desk(5).pair()
        assert desk.state.rounds[0].byes == {5: ByeKind.PAIRING_ALLOCATED}
        assert desk.play(WIN, LOSS).points()[5] == 10

    def test_the_allocated_bye_gives_what_the_rules_say(self) -> None:
        assert Desk(3, bye_points=5).pair().play(WIN).points()[3] == 5

    def test_forbidden_pairs_do_not_meet(self) -> None:
        desk = Desk(4)
        desk.granted(c.ForbidPair(by=ORGANISER, one=3, other=1, reason="sisters"))
        assert desk.pair().boards != Desk(4).pair().boards
        assert (1, 3) not in desk.boards
        assert desk.refusal(c.ForbidPair(by=CHIEF, one=1, other=3, reason="x"))[0] == (
            "pair_already_forbidden"
        )
        desk.granted(c.AllowPair(by=ORGANISER, one=1, other=3))
        assert desk.refusal(c.AllowPair(by=ORGANISER, one=1, other=3))[0] == "pair_not_forbidden"
        for one, other in ((1, 1), (1, 9)):
            wish = c.ForbidPair(by=CHIEF, one=one, other=other, reason="x")
            assert desk.refusal(wish)[0] == "two_entries_needed"
        assert desk.refusal(c.ForbidPair(by=CHIEF, one=1, other=2, reason=" "))[0] == (
            "reason_needed"
        )

    def test_1_9_3_where_the_rules_allow_no_pairing_the_arbiter_pairs_by_hand(self) -> None:
        desk = Desk(2, rounds=2).pair().play(WIN)
        assert desk.refusal(c.PairRound(by=CHIEF)) == ("no_pairing", "C.04.3 1.9.3")
        wish = c.PairByHand(by=CHIEF, boards=((2, 1),))
        assert desk.refusal(wish) == ("manual_met_before", "C.04.3 C1")
        desk.granted(c.PairByHand(by=CHIEF, boards=((2, 1),), reason="there are only two"))
        assert desk.state.rounds[1].by_hand

    def test_who_forfeited_against_each_other_can_meet_again(self) -> None:
        desk = Desk(2, rounds=2).pair().open().take(1, WIN, FORFEIT).close()
        assert sorted(desk.pair().boards[0]) == [1, 2]


class TestByHand:
    @pytest.mark.parametrize(
        ("boards", "bye", "key"),
        [
            (((1, 2), (3, 3)), None, "manual_paired_twice"),
            (((1, 2),), None, "manual_left_out"),
            (((1, 2), (3, 9)), None, "no_such_entry"),
            ((), None, "too_few_players"),
        ],
    )
    def test_a_reason_does_not_help_where_there_is_no_round(
        self, boards: tuple[tuple[int, int], ...], bye: int | None, key: str
    ) -> None:
        wish = c.PairByHand(by=CHIEF, boards=boards, bye=bye, reason="because")
        assert Desk(4).refusal(wish)[0] == key

    def test_absent_players_are_not_paired(self) -> None:
        desk = Desk(4)
        desk.granted(c.RequestBye(by="p4", entry=4, round=1))
        wish = c.PairByHand(by=CHIEF, boards=((1, 2), (3, 4)), reason="because")
        assert desk.refusal(wish)[0] == "manual_not_present"

    def test_where_all_rounds_are_by_hand_only_forbidden_pairs_need_a_reason(self) -> None:
        desk = Desk(2, system=MANUAL, rounds=4)
        assert desk.refusal(c.PairRound(by=CHIEF))[0] == "pair_by_hand"
        for _ in range(3):
            desk.granted(c.PairByHand(by=CHIEF, boards=((1, 2),)))
            desk.play(WIN)
        desk.granted(c.ForbidPair(by=CHIEF, one=1, other=2, reason="quarrel"))
        assert desk.refusal(c.PairByHand(by=CHIEF, boards=((1, 2),)))[0] == (
            "manual_forbidden_pair"
        )


class TestRoundRobin:
    @pytest.mark.parametrize(
        ("players", "system"), [(4, ROUND_ROBIN), (5, ROUND_ROBIN), (3, DOUBLE)]
    )
    def test_it_follows_the_berger_table_to_its_end(
        self, players: int, system: PairingSystem
    ) -> None:
        desk = Desk(players, system=system)
        cycles = 2 if system is DOUBLE else 1
        for number, round_ in enumerate(berger.table(players, cycles), start=1):
            desk.pair()
            assert tuple(desk.boards) == round_.boards
            assert desk.state.rounds[-1].byes == (
                {} if round_.bye is None else {round_.bye: ByeKind.ZERO_POINT}
            )
            assert desk.state.announced_rounds == berger.rounds_of(players, cycles)
            desk.play(*[DRAW] * len(round_.boards))
            assert number == len(desk.state.rounds)
        assert desk.refusal(c.PairRound(by=CHIEF))[0] == "no_more_rounds"

    def test_numbers_can_be_drawn_by_lot_before_the_first_round(self) -> None:
        desk = Desk(4, system=ROUND_ROBIN)
        assert desk.refusal(c.PairRound(by=CHIEF, order=(4, 3, 2)))[0] == "lots_incomplete"
        desk.granted(c.PairRound(by=CHIEF, order=(4, 3, 2, 1)))
        assert desk.boards == [(4, 1), (3, 2)]
        desk.play(DRAW, DRAW)
        assert desk.refusal(c.PairRound(by=CHIEF, order=(1, 2, 3, 4)))[0] == "no_lots_now"
        assert desk.refusal(c.PairByHand(by=CHIEF, boards=((1, 2), (3, 4))))[0] == "table_stands"

    def test_who_has_withdrawn_loses_by_forfeit_when_the_round_opens(self) -> None:
        desk = Desk(4, system=ROUND_ROBIN).pair().play(DRAW, DRAW)
        desk.granted(c.WithdrawEntry(by="p4", entry=4))
        desk.pair().open()
        (board,) = [one for one in desk.state.rounds[1].boards if 4 in one.players]
        assert board.result is not None
        assert board.result.kind is GameKind.FORFEIT
        assert board.result.points[board.players.index(4)] == 0
        assert sum(board.result.points) == 10

    def test_c_05_games_of_who_leaves_before_half_do_not_count_in_the_standings(self) -> None:
        desk = Desk(4, system=ROUND_ROBIN).pair().play(LOSS, DRAW)
        assert desk.points() == {1: 0, 2: 5, 3: 5, 4: 10}
        desk.granted(c.WithdrawEntry(by="p4", entry=4))
        assert desk.points() == {1: 0, 2: 5, 3: 5, 4: 0}

    def test_too_few_or_too_many_have_no_table(self) -> None:
        assert Desk(2, system=ROUND_ROBIN).refusal(c.PairRound(by=CHIEF)) == (
            "no_berger_table",
            "C.05",
        )
        wish = c.ForbidPair(by=CHIEF, one=1, other=2, reason="x")
        assert Desk(2, system=ROUND_ROBIN).refusal(wish) == ("everybody_meets", "C.05")


class TestOpening:
    def test_all_games_begin_together_and_not_before_the_time_that_was_said(self) -> None:
        desk = Desk(4)
        starts = START + timedelta(minutes=10)
        desk.granted(c.PairRound(by=CHIEF, starts=starts))
        assert desk.refusal(c.OpenRound(by=CHIEF))[0] == "round_not_due"
        assert desk.later(minutes=10).open().state.rounds[0].opened == starts

    def test_a_round_is_delayed_for_everybody_and_with_a_reason(self) -> None:
        desk = Desk(4)
        starts = START + timedelta(minutes=10)
        desk.granted(c.PairRound(by=CHIEF, starts=starts))
        for wish, key in (
            (c.DelayRound(by=CHIEF, starts=starts, reason="x"), "not_later"),
            (c.DelayRound(by=CHIEF, starts=START - timedelta(days=1), reason="x"), "not_later"),
            (
                c.DelayRound(by=CHIEF, starts=starts + timedelta(hours=1), reason=""),
                "reason_needed",
            ),
        ):
            assert desk.refusal(wish)[0] == key
        desk.granted(c.DelayRound(by=ORGANISER, starts=starts + timedelta(hours=1), reason="rain"))
        assert desk.later(minutes=30).refusal(c.OpenRound(by=CHIEF))[0] == "round_not_due"
        assert desk.later(minutes=40).open().state.rounds[0].phase is Phase.OPEN

    def test_who_leaves_between_pairing_and_start_forfeits(self) -> None:
        desk = Desk(6).pair()
        desk.granted(c.WithdrawEntry(by="p1", entry=1))
        desk.impose("6.9j", 2, scope=Scope.TOURNAMENT)
        desk.open()
        forfeited = [board.result for board in desk.state.rounds[0].boards]
        assert forfeited == [result(LOSS, FORFEIT), result(WIN, FORFEIT), None]

    def test_a_round_does_not_start_in_the_past(self) -> None:
        wish = c.PairRound(by=CHIEF, starts=START - timedelta(seconds=1))
        assert Desk(4).refusal(wish)[0] == "starts_in_the_past"

    def test_a_pairing_is_withdrawn_only_before_its_round(self) -> None:
        desk = Desk(4).pair()
        assert desk.refusal(c.WithdrawPairing(by=CHIEF, reason=""))[0] == "reason_needed"
        desk.granted(c.WithdrawPairing(by=CHIEF, reason="a player came"))
        assert desk.state.rounds == ()
        desk.pair().open()
        assert desk.refusal(c.WithdrawPairing(by=CHIEF, reason="late"))[0] == "no_round_to_open"

    def test_rounds_come_one_after_the_other(self) -> None:
        desk = Desk(4)
        assert desk.refusal(c.OpenRound(by=CHIEF))[0] == "no_round_to_open"
        assert desk.refusal(c.CloseRound(by=CHIEF))[0] == "no_round_to_close"
        desk.pair()
        assert desk.refusal(c.PairRound(by=CHIEF))[0] == "round_not_closed"
        desk.open().take(1, WIN)
        decision = desk.ask(c.CloseRound(by=CHIEF))
        assert decision.refusal is not None
        assert decision.refusal.details == {"round": 1, "boards": (2,)}
        desk.take(2, WIN)
        desk.granted(c.CloseRound(by=""))
        for _ in range(2):
            desk.pair().play(WIN, WIN)
        assert desk.refusal(c.PairRound(by=CHIEF)) == ("no_more_rounds", "C.04.1 1")


class TestSample:
    def desk(self) -> Desk:
        return Desk(6, supervision=Supervision.SAMPLE, sample=2)

    def test_a_round_waits_for_its_sample_which_anybody_can_draw_again(self) -> None:
        desk, again, other = self.desk().pair(), self.desk().pair(), self.desk().pair()
        assert desk.refusal(c.OpenRound(by=CHIEF)) == ("sample_not_drawn", "9.1")
        (drawn,) = desk.granted(c.DrawSample(by=CHIEF, seed="12 40 77"))
        assert isinstance(drawn, e.SampleDrawn)
        assert len(set(drawn.entries)) == 2
        assert again.granted(c.DrawSample(by=CHIEF, seed="12 40 77")) == (drawn,)
        seeds = {other.ask(c.DrawSample(by=CHIEF, seed="0")).events}
        assert seeds != {(drawn,)}
        assert desk.refusal(c.DrawSample(by=CHIEF, seed="1")) == ("sample_is_drawn", "9.1")
        desk.open()

    def test_there_is_none_where_the_rules_have_none(self) -> None:
        assert Desk(4).pair().refusal(c.DrawSample(by=CHIEF, seed="1")) == ("no_sample", "9.1")
        assert self.desk().pair().refusal(c.DrawSample(by=CHIEF, seed=" "))[0] == "seed_needed"
