"""The Dutch system: single rules on small fields, and what must hold in every event."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from arrocco.hall.pairing.dutch import pair_round
from arrocco.hall.pairing.records import Field, NoPairing, Past, Player, RoundPairing
from arrocco.laws.online.side import Side
from tests.hall.pairing.random_events import Habits, Paired, play

W, B = Side.WHITE, Side.BLACK
WIN, DRAW, LOSS = 10, 5, 0


def field(histories: dict[int, list[Past]], rounds: int = 9, **more: object) -> Field:
    players = tuple(Player(number, tuple(own)) for number, own in histories.items())
    return Field(players, rounds, **more)  # type: ignore[arg-type]


def newcomers(count: int) -> dict[int, list[Past]]:
    return {number: [] for number in range(1, count + 1)}


def played(*games: tuple[int, int, int]) -> dict[int, list[Past]]:
    """One round of games: White, Black and White's points."""
    found: dict[int, list[Past]] = {}
    for white, black, points in games:
        found[white] = [Past(black, W, points)]
        found[black] = [Past(white, B, 10 - points)]
    return dict(sorted(found.items()))


class TestFirstRound:
    def test_upper_half_meets_lower_half_with_colours_in_turn(self) -> None:
        assert pair_round(field(newcomers(8))).boards == ((1, 5), (6, 2), (3, 7), (8, 4))

    def test_initial_colour_is_that_of_the_first(self) -> None:
        boards = pair_round(field(newcomers(4), initial_colour=B)).boards
        assert boards == ((3, 1), (2, 4))

    def test_last_of_an_odd_number_has_the_bye(self) -> None:
        pairing = pair_round(field(newcomers(7)))
        assert pairing.boards == ((1, 4), (5, 2), (3, 6))
        assert pairing.bye == 7

    def test_absent_players_are_left_out(self) -> None:
        pairing = pair_round(field(newcomers(6), absent=frozenset({1, 4})))
        assert pairing.boards == ((2, 5), (6, 3))  # C.04.2 2.4: player 2 holds the number 1
        assert pairing.bye is None

    def test_forbidden_pairs_do_not_meet_whatever_their_order(self) -> None:
        for pair in ((1, 3), (3, 1)):
            boards = pair_round(field(newcomers(4), forbidden=frozenset({pair}))).boards
            assert boards == ((1, 4), (3, 2))

    def test_nobody_to_pair(self) -> None:
        everybody = frozenset({1, 2})
        assert pair_round(field(newcomers(2), absent=everybody)) == RoundPairing((), None)

    def test_one_alone_has_the_bye(self) -> None:
        assert pair_round(field(newcomers(1))) == RoundPairing((), 1)


class TestCriteria:
    def test_C1_nobody_meets_twice(self) -> None:
        boards = pair_round(field(played((1, 3, DRAW), (4, 2, DRAW)))).boards
        assert {frozenset(board) for board in boards} == {frozenset({1, 2}), frozenset({3, 4})}

    def test_C1_an_unplayed_game_may_be_played_later(self) -> None:
        past = {1: [Past(2, None, WIN)], 2: [Past(1, None, LOSS)]}
        assert set(pair_round(field(past)).boards[0]) == {1, 2}

    def test_C1_no_opponent_left(self) -> None:
        with pytest.raises(NoPairing) as refused:
            pair_round(field(played((1, 2, WIN))))
        assert refused.value.key == "event.no_pairing"
        assert "1.9.3" in refused.value.said("it")[0]

    def test_C2_one_with_a_bye_has_no_other(self) -> None:
        past = {**played((1, 2, WIN)), 3: [Past(points=WIN, allocated_bye=True)]}
        assert pair_round(field(past)).bye == 2

    def test_C2_one_with_a_full_point_for_nothing_has_no_bye(self) -> None:
        past = {**played((1, 2, DRAW)), 3: [Past(points=WIN)], 4: [], 5: []}
        past[4], past[5] = [Past(5, None, WIN)], [Past(4, None, LOSS)]
        assert pair_round(field(past)).bye == 5

    def test_C2_half_a_point_for_nothing_does_not_bar(self) -> None:
        past = {**played((1, 4, WIN), (2, 5, WIN)), 3: [Past(points=DRAW)]}
        assert pair_round(field(past, absent=frozenset({4, 5}))).bye == 3

    def test_C3_two_in_absolute_want_of_a_colour_do_not_meet(self) -> None:
        # 1 and 2, the leaders, both had White twice
        past = {
            1: [Past(5, W, WIN), Past(6, W, WIN)],
            2: [Past(6, W, WIN), Past(5, W, WIN)],
            3: [Past(7, W, DRAW), Past(8, B, DRAW)],
            4: [Past(8, W, DRAW), Past(7, B, DRAW)],
            5: [Past(1, B, LOSS), Past(2, B, LOSS)],
            6: [Past(2, B, LOSS), Past(1, B, LOSS)],
            7: [Past(3, B, DRAW), Past(4, W, DRAW)],
            8: [Past(4, B, DRAW), Past(3, W, DRAW)],
        }
        away = frozenset({5, 6, 7, 8})
        assert pair_round(field(past, absent=away)).boards == ((3, 1), (4, 2))
        # but as topscorers of the last round they meet
        last = pair_round(field(past, rounds=3, absent=away)).boards
        assert {1, 2} in [set(board) for board in last]

    def test_C5_the_bye_goes_to_the_lowest_score_though_pairs_are_lost_above(self) -> None:
        past = {
            1: [Past(4, W, WIN), Past(2, B, WIN)],
            2: [Past(5, B, WIN), Past(1, W, LOSS)],
            3: [Past(6, W, WIN), Past(4, B, WIN)],
            4: [Past(1, B, LOSS), Past(3, W, LOSS)],
            5: [Past(2, W, LOSS), Past(6, B, WIN)],
            6: [Past(3, B, LOSS), Past(5, W, LOSS)],
        }
        pairing = pair_round(field(past, rounds=3, absent=frozenset({4})))
        assert pairing.boards == ((1, 5), (3, 2))
        assert pairing.bye == 6

    def test_C9_the_bye_goes_to_one_who_has_played(self) -> None:
        past = {**played((1, 3, WIN), (4, 2, LOSS)), 5: [Past()]}
        pairing = pair_round(field(past, rounds=3))
        assert pairing.boards == ((2, 1), (3, 5))
        assert pairing.bye == 4

    def test_C12_colours_alternate_where_they_can(self) -> None:
        past = played((1, 5, WIN), (6, 2, LOSS), (3, 7, WIN), (8, 4, LOSS))
        # winners 1 and 3 had White, 2 and 4 Black; losers 5 and 7 Black, 6 and 8 White
        boards = pair_round(field(past)).boards
        assert boards == ((4, 1), (2, 3), (5, 8), (7, 6))

    def test_C14_a_downfloat_is_not_repeated_the_next_round(self) -> None:
        # Three leaders; 3 would float down by number, but did so in the round before.
        past = {
            1: [Past(8, W, WIN), Past(5, B, WIN)],
            2: [Past(9, W, WIN), Past(6, B, WIN)],
            3: [Past(10, W, WIN), Past(7, B, WIN)],
            4: [Past(points=WIN), Past()],
            5: [Past(points=WIN), Past(1, W, LOSS)],
            6: [Past(points=WIN), Past(2, W, LOSS)],
            7: [Past(), Past(3, W, LOSS)],
            8: [Past(1, B, LOSS), Past()],
            9: [Past(2, B, LOSS), Past()],
            10: [Past(3, B, LOSS), Past()],
        }
        boards = pair_round(field(past, absent=frozenset(range(5, 11)))).boards
        assert [set(board) for board in boards] == [{1, 3}, {2, 4}]
        past[7] = [Past(points=WIN), Past(3, W, LOSS)]  # had 7 won, 3 would not have floated
        boards = pair_round(field(past, absent=frozenset(range(5, 11)))).boards
        assert [set(board) for board in boards] == [{1, 2}, {3, 4}]


class TestColours:
    def test_the_stronger_want_is_granted(self) -> None:
        # 1 had White and Black (mild want of White), 2 only Black (strong want of White)
        past = {
            1: [Past(3, W, WIN), Past(4, B, DRAW)],
            2: [Past(points=WIN), Past(3, B, DRAW)],
            3: [Past(1, B, LOSS), Past(2, W, DRAW)],
            4: [Past(points=DRAW), Past(1, W, DRAW)],
        }
        assert (2, 1) in pair_round(field(past)).boards

    def test_equal_wants_alternate_from_the_last_difference(self) -> None:
        past = {
            1: [Past(3, W, WIN), Past(4, B, WIN), Past(5, W, WIN), Past(6, B, DRAW)],
            2: [Past(4, B, WIN), Past(3, W, WIN), Past(6, W, DRAW), Past(5, B, WIN)],
            3: [Past(1, B, LOSS), Past(2, B, LOSS), Past(4, W, WIN), Past(points=DRAW)],
            4: [Past(2, W, LOSS), Past(1, W, LOSS), Past(3, B, LOSS), Past(points=DRAW)],
            5: [Past(6, W, DRAW), Past(points=DRAW), Past(1, B, LOSS), Past(2, W, LOSS)],
            6: [Past(5, B, DRAW), Past(points=DRAW), Past(2, B, DRAW), Past(1, W, DRAW)],
        }
        # both want White as mildly; in round 2 Player 1 had Black and Player 2 White
        assert (1, 2) in pair_round(field(past)).boards

    def test_a_colour_that_was_paired_but_not_played_does_not_count(self) -> None:
        past = {1: [Past(3, None, WIN)], 2: [Past(4, W, WIN)], 3: [Past(1)], 4: [Past(2, B)]}
        assert (1, 2) in pair_round(field(past)).boards


# --- what holds in every event --------------------------------------------------------------------


def check_absolute_criteria(paired: Paired) -> None:
    pairing, before = paired.pairing, {p.number: p for p in paired.field.players}
    assert pairing is not None
    named = [number for board in pairing.boards for number in board]
    if pairing.bye is not None:
        named.append(pairing.bye)
        own = before[pairing.bye].past
        assert not any(
            past.allocated_bye or (past.points >= 10 and not past.played) for past in own
        )
    assert sorted(named) == sorted(set(before) - paired.field.absent)
    last = len(paired.field.players[0].past) + 1 == paired.field.rounds
    for white, black in pairing.boards:
        assert not any(past.opponent == black and past.played for past in before[white].past)
        assert (white, black) not in paired.field.forbidden
        assert (black, white) not in paired.field.forbidden
        if not last:
            for number, colour in ((white, W), (black, B)):
                check_colours([*(p.colour for p in before[number].past if p.colour), colour])


def check_colours(colours: list[Side]) -> None:
    assert abs(colours.count(W) - colours.count(B)) <= 2
    assert not any(
        one is other is third
        for (one, other), third in zip(pairwise(colours), colours[2:], strict=False)
    )


@pytest.mark.parametrize("seed", range(12))
def test_forty_players_nine_rounds(seed: int) -> None:
    rounds = list(play(Random(seed), 40, 9))
    assert len(rounds) == 9
    for paired in rounds:
        check_absolute_criteria(paired)


@pytest.mark.parametrize("seed", range(12))
def test_forty_players_with_byes_forfeits_and_forbidden_pairs(seed: int) -> None:
    habits = Habits(absent=5, forfeit=5, half=30, forbidden_pairs=10)
    rounds = list(play(Random(100 + seed), 40, 9, habits))
    assert len(rounds) == 9
    for paired in rounds:
        check_absolute_criteria(paired)


def test_boards_stand_by_score() -> None:
    *_, paired = play(Random(5), 30, 6)
    score = {p.number: sum(past.points for past in p.past) for p in paired.field.players}
    assert paired.pairing is not None
    tops = [max(score[white], score[black]) for white, black in paired.pairing.boards]
    assert tops == sorted(tops, reverse=True)


def test_the_same_field_is_always_paired_alike() -> None:
    *_, paired = play(Random(7), 60, 6)
    shuffled = list(paired.field.players)
    Random(1).shuffle(shuffled)
    again = Field(tuple(shuffled), 6, initial_colour=paired.field.initial_colour)
    assert pair_round(again) == paired.pairing
