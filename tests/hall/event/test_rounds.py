"""Rounds: pairing by system and by hand, opening together, delaying, closing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec.structs import replace

from arrocco.hall.event import Phase, fold
from arrocco.hall.event.acts.byes import RequestBye
from arrocco.hall.event.acts.entries import CheckIn, CorrectPerson, Enter, WithdrawEntry
from arrocco.hall.event.acts.forbidden_pairs import AllowPair, ForbidPair
from arrocco.hall.event.acts.pairing import PairByHand, PairRound, WithdrawPairing
from arrocco.hall.event.acts.rounds import (
    CloseRound,
    DelayRound,
    DrawSample,
    OpenRound,
    SampleDrawn,
)
from arrocco.hall.event.log import dump, load
from arrocco.hall.event.pairing_reasons import explained_round
from arrocco.hall.event.records import PairingSystem
from arrocco.hall.event.rules import Supervision
from arrocco.hall.pairing import berger
from arrocco.laws.online.sanctions import Scope
from arrocco.records.report import ByeKind, GameKind
from tests.hall.event.desk import (
    CHIEF,
    DRAW,
    FORFEIT,
    LOSS,
    ORGANISER,
    START,
    WIN,
    Desk,
    person,
    result,
)

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
        desk.granted(ForbidPair(by=ORGANISER, one=3, other=1, reason="sisters"))
        assert desk.pair().boards != Desk(4).pair().boards
        assert (1, 3) not in desk.boards
        assert desk.refusal(ForbidPair(by=CHIEF, one=1, other=3, reason="x"))[0] == (
            "pair_already_forbidden"
        )
        desk.granted(AllowPair(by=ORGANISER, one=1, other=3))
        assert desk.refusal(AllowPair(by=ORGANISER, one=1, other=3))[0] == "pair_not_forbidden"
        for one, other in ((1, 1), (1, 9)):
            wish = ForbidPair(by=CHIEF, one=one, other=other, reason="x")
            assert desk.refusal(wish)[0] == "two_entries_needed"
        assert desk.refusal(ForbidPair(by=CHIEF, one=1, other=2, reason=" "))[0] == (
            "reason_needed"
        )

    def test_1_9_3_where_the_rules_allow_no_pairing_the_arbiter_pairs_by_hand(self) -> None:
        desk = Desk(2, rounds=2).pair().play(WIN)
        assert desk.refusal(PairRound(by=CHIEF)) == ("no_pairing", "C.04.3 1.9.3")
        wish = PairByHand(by=CHIEF, boards=((2, 1),))
        assert desk.refusal(wish) == ("manual_met_before", "C.04.3 C1")
        desk.granted(PairByHand(by=CHIEF, boards=((2, 1),), reason="there are only two"))
        assert desk.state.rounds[1].by_hand

    def test_who_forfeited_against_each_other_can_meet_again(self) -> None:
        desk = Desk(2, rounds=2).pair().open().take(1, WIN, FORFEIT).close()
        assert desk.refusal(PairRound(by=CHIEF))[0] == "too_few_players"
        desk.granted(CheckIn(by=CHIEF, entry=2))
        assert sorted(desk.pair().boards[0]) == [1, 2]

    def test_c042_2_4_who_is_not_there_holds_no_number_until_arrival(self) -> None:
        desk = Desk(6, check_in=True)
        for entry in range(2, 7):
            desk.granted(CheckIn(by=CHIEF, entry=entry))
        desk.pair()
        assert desk.state.order == (2, 3, 4, 5, 6, 1)
        assert desk.boards == [(2, 4), (5, 3)]  # the second of the list has the number 1
        desk.play(WIN, LOSS)
        desk.granted(CheckIn(by=CHIEF, entry=1))
        desk.pair()
        assert desk.state.order == (1, 2, 3, 4, 5, 6)

    def test_c042_2_4_a_bye_asked_for_in_the_first_round_is_no_arrival(self) -> None:
        desk = Desk(4, half_point_byes=1)
        desk.granted(RequestBye(by=CHIEF, entry=1, round=1, kind=ByeKind.HALF_POINT))
        assert desk.pair().state.order == (2, 3, 4, 1)
        assert desk.boards == [(2, 3)]

    def test_c042_2_5_a_late_entry_gets_a_number_that_fits_also_from_the_fifth_round(self) -> None:
        desk = Desk(8, rounds=6, late_entries_until=6)
        for _ in range(4):
            desk.pair().play(DRAW, DRAW, DRAW, DRAW)
        fits_after_3 = person(9, rating=2100 - 50 * 3 - 10)
        desk.granted(Enter(by=ORGANISER, person=fits_after_3))
        lower = replace(desk.state.entries[4].person, rating=1000)
        desk.granted(CorrectPerson(by=ORGANISER, entry=5, person=lower))
        assert desk.pair().state.order == (1, 2, 3, 9, 4, 5, 6, 7, 8)  # the others keep theirs

    def test_a_no_show_is_not_present_for_the_next_round(self) -> None:
        desk = Desk(4, check_in=True)
        for entry in range(1, 5):
            desk.granted(CheckIn(by=CHIEF, entry=entry))
        desk.pair().open().take(1, WIN, FORFEIT).take(2, DRAW).close()
        assert desk.state.entries[2].checked_in is False
        desk.pair()
        assert desk.state.rounds[1].byes[3] is ByeKind.ZERO_POINT
        assert fold(load(dump(desk.log))) == desk.state


class TestReasons:
    def test_every_round_of_a_swiss_says_why_also_after_a_withdrawn_pairing(self) -> None:
        desk = Desk(7).pair()
        desk.granted(WithdrawPairing(by=CHIEF, reason="one more"))
        desk.granted(Enter(by=ORGANISER, person=person(8)))
        desk.pair().play(WIN, LOSS, DRAW, WIN).pair()
        for number in (1, 2):
            found = explained_round(desk.log, number)
            assert found is not None
            assert len(found.boards) == 4
            assert all(board.reasons for board in found.boards)
        assert explained_round(desk.log, 3) is None

    def test_a_round_paired_by_hand_has_no_reasons(self) -> None:
        assert explained_round(Desk(2).by_hand((2, 1)).log, 1) is None


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
        wish = PairByHand(by=CHIEF, boards=boards, bye=bye, reason="because")
        assert Desk(4).refusal(wish)[0] == key

    def test_absent_players_are_not_paired(self) -> None:
        desk = Desk(4)
        desk.granted(RequestBye(by="p4", entry=4, round=1))
        wish = PairByHand(by=CHIEF, boards=((1, 2), (3, 4)), reason="because")
        assert desk.refusal(wish)[0] == "manual_not_present"

    def test_where_all_rounds_are_by_hand_only_forbidden_pairs_need_a_reason(self) -> None:
        desk = Desk(2, system=MANUAL, rounds=4)
        assert desk.refusal(PairRound(by=CHIEF))[0] == "pair_by_hand"
        for _ in range(3):
            desk.granted(PairByHand(by=CHIEF, boards=((1, 2),)))
            desk.play(WIN)
        desk.granted(ForbidPair(by=CHIEF, one=1, other=2, reason="quarrel"))
        assert desk.refusal(PairByHand(by=CHIEF, boards=((1, 2),)))[0] == ("manual_forbidden_pair")


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
        assert desk.refusal(PairRound(by=CHIEF))[0] == "no_more_rounds"

    def test_numbers_can_be_drawn_by_lot_before_the_first_round(self) -> None:
        desk = Desk(4, system=ROUND_ROBIN)
        assert desk.refusal(PairRound(by=CHIEF, order=(4, 3, 2)))[0] == "lots_incomplete"
        desk.granted(PairRound(by=CHIEF, order=(4, 3, 2, 1)))
        assert desk.boards == [(4, 1), (3, 2)]
        desk.play(DRAW, DRAW)
        assert desk.refusal(PairRound(by=CHIEF, order=(1, 2, 3, 4)))[0] == "no_lots_now"
        assert desk.refusal(PairByHand(by=CHIEF, boards=((1, 2), (3, 4))))[0] == "table_stands"

    def test_who_has_withdrawn_loses_by_forfeit_when_the_round_opens(self) -> None:
        desk = Desk(4, system=ROUND_ROBIN).pair().play(DRAW, DRAW)
        desk.granted(WithdrawEntry(by="p4", entry=4))
        desk.pair().open()
        (board,) = [one for one in desk.state.rounds[1].boards if 4 in one.players]
        assert board.result is not None
        assert board.result.kind is GameKind.FORFEIT
        assert board.result.points[board.players.index(4)] == 0
        assert sum(board.result.points) == 10

    def test_c_05_games_of_who_leaves_before_half_do_not_count_in_the_standings(self) -> None:
        desk = Desk(4, system=ROUND_ROBIN).pair().play(LOSS, DRAW)
        assert desk.points() == {1: 0, 2: 5, 3: 5, 4: 10}
        desk.granted(WithdrawEntry(by="p4", entry=4))
        assert desk.points() == {1: 0, 2: 5, 3: 5, 4: 0}

    def test_too_few_or_too_many_have_no_table(self) -> None:
        assert Desk(2, system=ROUND_ROBIN).refusal(PairRound(by=CHIEF)) == (
            "no_berger_table",
            "C.05",
        )
        wish = ForbidPair(by=CHIEF, one=1, other=2, reason="x")
        assert Desk(2, system=ROUND_ROBIN).refusal(wish) == ("everybody_meets", "C.05")


class TestOpening:
    def test_all_games_begin_together_and_not_before_the_time_that_was_said(self) -> None:
        desk = Desk(4)
        starts = START + timedelta(minutes=10)
        desk.granted(PairRound(by=CHIEF, starts=starts))
        assert desk.refusal(OpenRound(by=CHIEF))[0] == "round_not_due"
        assert desk.later(minutes=10).open().state.rounds[0].opened == starts

    def test_a_round_is_delayed_for_everybody_and_with_a_reason(self) -> None:
        desk = Desk(4)
        starts = START + timedelta(minutes=10)
        desk.granted(PairRound(by=CHIEF, starts=starts))
        for wish, key in (
            (DelayRound(by=CHIEF, starts=starts, reason="x"), "not_later"),
            (DelayRound(by=CHIEF, starts=START - timedelta(days=1), reason="x"), "not_later"),
            (
                DelayRound(by=CHIEF, starts=starts + timedelta(hours=1), reason=""),
                "reason_needed",
            ),
        ):
            assert desk.refusal(wish)[0] == key
        desk.granted(DelayRound(by=ORGANISER, starts=starts + timedelta(hours=1), reason="rain"))
        assert desk.later(minutes=30).refusal(OpenRound(by=CHIEF))[0] == "round_not_due"
        assert desk.later(minutes=40).open().state.rounds[0].phase is Phase.OPEN

    def test_who_leaves_between_pairing_and_start_forfeits(self) -> None:
        desk = Desk(6).pair()
        desk.granted(WithdrawEntry(by="p1", entry=1))
        desk.impose("6.9j", 2, scope=Scope.TOURNAMENT)
        desk.open()
        forfeited = [board.result for board in desk.state.rounds[0].boards]
        assert forfeited == [result(LOSS, FORFEIT), result(WIN, FORFEIT), None]

    def test_a_round_does_not_start_in_the_past(self) -> None:
        wish = PairRound(by=CHIEF, starts=START - timedelta(seconds=1))
        assert Desk(4).refusal(wish)[0] == "starts_in_the_past"

    def test_a_pairing_is_withdrawn_only_before_its_round(self) -> None:
        desk = Desk(4).pair()
        assert desk.refusal(WithdrawPairing(by=CHIEF, reason=""))[0] == "reason_needed"
        desk.granted(WithdrawPairing(by=CHIEF, reason="a player came"))
        assert desk.state.rounds == ()
        desk.pair().open()
        assert desk.refusal(WithdrawPairing(by=CHIEF, reason="late"))[0] == "no_round_to_open"

    def test_rounds_come_one_after_the_other(self) -> None:
        desk = Desk(4)
        assert desk.refusal(OpenRound(by=CHIEF))[0] == "no_round_to_open"
        assert desk.refusal(CloseRound(by=CHIEF))[0] == "no_round_to_close"
        desk.pair()
        assert desk.refusal(PairRound(by=CHIEF))[0] == "round_not_closed"
        desk.open().take(1, WIN)
        decision = desk.ask(CloseRound(by=CHIEF))
        assert decision.refusal is not None
        assert decision.refusal.details == {"round": 1, "boards": (2,)}
        desk.take(2, WIN)
        desk.granted(CloseRound(by=""))
        for _ in range(2):
            desk.pair().play(WIN, WIN)
        assert desk.refusal(PairRound(by=CHIEF)) == ("no_more_rounds", "C.04.1 1")


class TestSample:
    def desk(self) -> Desk:
        return Desk(6, supervision=Supervision.SAMPLE, sample=2)

    def test_a_round_waits_for_its_sample_which_anybody_can_draw_again(self) -> None:
        desk, again, other = self.desk().pair(), self.desk().pair(), self.desk().pair()
        assert desk.refusal(OpenRound(by=CHIEF)) == ("sample_not_drawn", "9.1")
        (drawn,) = desk.granted(DrawSample(by=CHIEF, seed="12 40 77"))
        assert isinstance(drawn, SampleDrawn)
        assert len(set(drawn.entries)) == 2
        assert again.granted(DrawSample(by=CHIEF, seed="12 40 77")) == (drawn,)
        seeds = {other.ask(DrawSample(by=CHIEF, seed="0")).events}
        assert seeds != {(drawn,)}
        assert desk.refusal(DrawSample(by=CHIEF, seed="1")) == ("sample_is_drawn", "9.1")
        desk.open()

    def test_there_is_none_where_the_rules_have_none(self) -> None:
        assert Desk(4).pair().refusal(DrawSample(by=CHIEF, seed="1")) == ("no_sample", "9.1")
        assert self.desk().pair().refusal(DrawSample(by=CHIEF, seed=" "))[0] == "seed_needed"
