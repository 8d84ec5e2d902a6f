"""Tie-breaks by FIDE Handbook C.07, on a small event whose figures were worked out by hand.

The event, by entry (points in tenths):

    round 1: 1-2 1-0, 3-4 draw; 5 has a half-point bye, 6 the allocated bye
    round 2: 2-3 1-0, 6-1 0-1, 4-5 forfeited by 5
    round 3: 1-3 draw, 4-2 0-1; 5 has withdrawn, 6 asked for a zero-point bye

    points:            1: 25   2: 20   3: 10   4: 15   5:  5   6: 10
    for the opponents: 1: 25   2: 20   3: 10   4: 15   5: 10   6: 15   (16.3)

5's two byes have nothing but unplayed rounds of 5's own after them, 6's last one is in the last
round: those three count as draws for the opponents.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from arrocco.hall.event import direct_encounter
from arrocco.hall.event import tiebreaks as t
from arrocco.hall.event.acts.byes import RequestBye
from arrocco.hall.event.acts.entries import Enter, WithdrawEntry
from arrocco.hall.event.cards import Cards, Slot, SlotKind
from arrocco.hall.event.records import PairingSystem, TieBreak
from arrocco.hall.event.rules import TENTHS
from arrocco.hall.event.standings import results_of, shown, standings
from arrocco.laws.online.side import Side
from arrocco.records.report import ByeKind
from tests.hall.event.desk import DRAW, FORFEIT, LOSS, ORGANISER, WIN, Desk, person


@cache
def event(*tie_breaks: TieBreak) -> Desk:
    desk = Desk(6, system=PairingSystem.MANUAL, rounds=3, half_point_byes=1, tie_breaks=tie_breaks)
    desk.granted(RequestBye(by="p5", entry=5, round=1, kind=ByeKind.HALF_POINT))
    desk.by_hand((1, 2), (3, 4), bye=6).play(WIN, DRAW)
    desk.by_hand((2, 3), (6, 1), (4, 5)).open()
    desk.take(1, WIN).take(2, LOSS).take(3, WIN, FORFEIT).close()
    desk.granted(WithdrawEntry(by="p5", entry=5))
    desk.granted(RequestBye(by="p6", entry=6, round=3))
    return desk.by_hand((1, 3), (4, 2)).play(DRAW, LOSS)


BY_HAND: dict[Callable[[t.Results, int], int], tuple[int, ...]] = {
    t.wins: (2, 2, 0, 1, 0, 1),
    t.games_won: (2, 2, 0, 0, 0, 0),
    t.games_with_black: (1, 2, 2, 1, 0, 0),
    t.games_won_with_black: (1, 1, 0, 0, 0, 0),
    t.progressive: (55, 30, 20, 35, 15, 30),
    t.buchholz: (20 + 15 + 10, 25 + 10 + 15, 15 + 20 + 25, 10 + 10 + 20, 5 + 5 + 5, 10 + 25 + 10),
    t.buchholz_cut_1: (35, 40, 45, 30, 10, 35),
    t.buchholz_median: (15, 15, 20, 10, 5, 10),
    t.sonneborn_berger: (400, 250, 200, 150, 25, 100),
    t.average_rating: (1917, 1967, 1983, 1975, 0, 2050),
    t.performance: (1917 + 273, 1967 + 125, 1983 - 125, 1975 - 193, 0, 2050 - 800),
}


@pytest.mark.parametrize("tie_break", BY_HAND, ids=lambda one: one.__name__)
def test_figures_worked_out_by_hand(tie_break: Callable[[t.Results, int], int]) -> None:
    results = results_of(event().state)
    assert [tie_break(results, entry) for entry in range(1, 7)] == list(BY_HAND[tie_break])


def test_16_3_scores_as_they_count_for_opponents() -> None:
    results = results_of(event().state)
    assert results.scores == {1: 25, 2: 20, 3: 10, 4: 15, 5: 5, 6: 10}
    assert results.adjusted == {1: 25, 2: 20, 3: 10, 4: 15, 5: 10, 6: 15}


def test_every_tie_break_has_its_figures() -> None:
    assert set(t.VALUES.values()) == set(BY_HAND)
    assert {*t.VALUES, TieBreak.DIRECT_ENCOUNTER} == set(TieBreak)


def test_the_order_of_the_tie_breaks_is_a_rule_of_the_event() -> None:
    cut = event(TieBreak.BUCHHOLZ_CUT_1, TieBreak.WINS)
    wins = event(TieBreak.WINS, TieBreak.BUCHHOLZ_CUT_1)
    assert cut.ranks() == {1: 1, 2: 2, 4: 3, 3: 4, 6: 5, 5: 6}
    assert wins.ranks() == {1: 1, 2: 2, 4: 3, 6: 4, 3: 5, 5: 6}
    assert wins.standing(6).values == (1, 35)


def test_whom_nothing_tells_apart_shares_a_place() -> None:
    assert event().ranks() == {1: 1, 2: 2, 4: 3, 3: 4, 6: 4, 5: 6}
    assert [standing.entry for standing in standings(event().state)] == [1, 2, 4, 3, 6, 5]


def test_values_are_shown_as_standings_print_them() -> None:
    assert shown(TieBreak.BUCHHOLZ, 125) == "12.5"
    assert shown(TieBreak.SONNEBORN_BERGER, 1675) == "16.75"
    assert shown(TieBreak.PERFORMANCE, 2190) == "2190"


# --- single articles ------------------------------------------------------------------------------

RESULTS = {"1": (10, 0), "=": (5, 5), "0": (0, 10)}


def crosstable(players: str, *games: str, round_robin: bool = False) -> t.Results:
    """Games as ``AB1``: A had White against B and won; ``AB+`` is a win by forfeit."""
    slots: dict[str, list[Slot]] = {player: [] for player in players}
    for number, game in enumerate(games, start=1):
        white, black, score = tuple(game)
        if score == "+":
            slots[white].append(Slot(number, SlotKind.FORFEIT_WIN, 10, 2, ord(black), Side.WHITE))
            slots[black].append(Slot(number, SlotKind.FORFEIT_LOSS, 0, 0, ord(white), Side.BLACK))
            continue
        points = RESULTS[score]
        for player, opponent, side, own in (
            (white, black, Side.WHITE, points[0]),
            (black, white, Side.BLACK, points[1]),
        ):
            slot = Slot(number, SlotKind.PLAYED, own, own // 5, ord(opponent), side)
            slots[player].append(slot)
    cards: Cards = {ord(player): tuple(own) for player, own in slots.items()}
    return t.Results(cards, TENTHS, dict.fromkeys(cards, 1500), round_robin)


def split(results: t.Results, tied: str) -> list[str]:
    parts = direct_encounter.split(results, [ord(player) for player in tied])
    return ["".join(chr(entry) for entry in part) for part in parts]


class TestDirectEncounter6:
    def test_6_2_points_against_each_other_decide_where_all_have_met(self) -> None:
        assert split(crosstable("ABC", "AB1", "BC1", "CA="), "CBA") == ["A", "B", "C"]

    def test_6_2_a_circle_leaves_all_tied(self) -> None:
        assert split(crosstable("ABC", "AB1", "BC1", "CA1"), "ABC") == ["ABC"]

    def test_6_2_it_is_asked_again_of_those_who_are_still_equal(self) -> None:
        table = crosstable("ABCD", "AB1", "AC0", "AD1", "BC1", "BD1", "CD0")
        assert direct_encounter.encounter_points(table, [65, 66, 67, 68]) == {
            65: 20,
            66: 20,
            67: 10,
            68: 10,
        }
        assert split(table, "ABCD") == ["A", "B", "D", "C"]

    def test_6_3_who_is_first_whatever_the_missing_games_bring_is_first(self) -> None:
        assert split(crosstable("ABC", "AB1", "AC1"), "BCA") == ["A", "BC"]

    def test_6_3_nobody_is_where_the_missing_games_could_change_it(self) -> None:
        assert split(crosstable("ABC", "AB1"), "ABC") == ["ABC"]
        assert split(crosstable("ABC", "AB1", "CA="), "ABC") == ["ABC"]

    def test_6_3_it_is_asked_again_of_those_left_after_the_first(self) -> None:
        """A beat all; of the others only C and D met, and B drew with both."""
        table = crosstable("ABCD", "AB1", "AC1", "AD1", "BC=", "BD=", "CD1")
        assert split(table, "ABCD") == ["A", "C", "B", "D"]
        fewer = crosstable("ABCDE", "AB1", "AC1", "AD1", "AE1", "CD1", "BC=")
        assert split(fewer, "ABCDE") == ["A", "BCDE"]

    def test_6_1_1_forfeits_are_no_encounters_but_in_a_round_robin(self) -> None:
        assert split(crosstable("AB", "AB+"), "BA") == ["BA"]
        assert split(crosstable("AB", "AB+", round_robin=True), "BA") == ["A", "B"]

    def test_6_1_2_who_met_several_times_has_the_average_of_it(self) -> None:
        """A and B met three times, 2-1 for A; against C, met once, B won and A drew."""
        table = crosstable("ABC", "AB1", "BA0", "AB0", "BC1", "AC=")
        assert direct_encounter.encounter_points(table, [65, 66, 67]) == {65: 12, 66: 13, 67: 5}
        assert split(table, "ABC") == ["B", "A", "C"]

    def test_only_players_tied_on_all_before_are_compared(self) -> None:
        desk = event(TieBreak.WINS, TieBreak.DIRECT_ENCOUNTER)
        assert desk.ranks()[6] == 4


def card(*slots: Slot) -> t.Results:
    """A player 1 with these rounds against opponents 2 (nothing), 3 (one point), 4 (all)."""
    others = {2: 0, 3: 10, 4: 30}
    cards: Cards = {1: slots}
    for entry, points in others.items():
        cards[entry] = (Slot(1, SlotKind.PLAYED, points, 0, 9, Side.WHITE),)
    return t.Results(cards, TENTHS, {1: 1500, 2: 1400, 3: 1500, 4: 1601})


def won(opponent: int) -> Slot:
    return Slot(1, SlotKind.PLAYED, 10, 2, opponent, Side.WHITE)


class TestUnplayedRounds16:
    def test_16_4_2_a_bye_meets_a_dummy_of_ones_own_score_up_to_draws_in_all_rounds(self) -> None:
        bye = Slot(3, SlotKind.ALLOCATED_BYE, 10, 2)
        assert t.buchholz(card(won(2), won(3), bye), 1) == 0 + 10 + 15

    def test_16_4_1_a_forfeit_up_to_the_score_of_who_did_not_come(self) -> None:
        win = Slot(3, SlotKind.FORFEIT_WIN, 10, 2, 3, Side.WHITE)
        assert t.buchholz(card(won(2), won(4), win), 1) == 0 + 30 + 10

    def test_16_5_1_cut_1_takes_a_round_of_choice_before_a_weaker_opponent(self) -> None:
        asked = Slot(3, SlotKind.HALF_POINT_BYE, 5, 1)
        allocated = Slot(3, SlotKind.ALLOCATED_BYE, 10, 2)
        assert t.buchholz_cut_1(card(won(2), won(4), asked), 1) == 0 + 30
        assert t.buchholz_cut_1(card(won(2), won(4), allocated), 1) == 30 + 15

    def test_a_round_robin_counts_forfeits_against_the_opponent_and_free_rounds_not(self) -> None:
        table = crosstable("ABC", "AB+", "AC=", "BC1", round_robin=True)
        free = Slot(3, SlotKind.ZERO_POINT_BYE)
        table = t.Results({**table.cards, 65: (*table.cards[65], free)}, TENTHS, {}, True)
        assert t.sonneborn_berger(table, 65) == 10 * 10 + 5 * 5

    def test_a_game_that_goes_on_does_not_count_yet(self) -> None:
        pending = Slot(2, SlotKind.PENDING, opponent=4, side=Side.BLACK)
        results = card(won(3), pending)
        assert (t.buchholz(results, 1), t.games_with_black(results, 1)) == (10, 0)


class TestRatings10:
    def test_10_1_a_half_is_rounded_up(self) -> None:
        assert t.average_rating(card(won(3), won(4)), 1) == 1551

    def test_14_2_who_has_no_rating_counts_as_999_or_as_the_rules_say(self) -> None:
        assert results_of(_unrated().state).ratings[1] == 999
        assert results_of(_unrated(rating_of_unrated=1200).state).ratings[1] == 1200


def _unrated(**rules: int) -> Desk:
    desk = Desk(**rules)
    desk.granted(Enter(by=ORGANISER, person=person(1, rating=None)))
    return desk
