"""The games of invented tournaments: nobody meets anybody twice, colours and byes are shared."""

from __future__ import annotations

from collections import Counter
from datetime import date
from random import Random

import pytest

from arrocco.demo.year import games as playing
from arrocco.demo.year.clock import Agenda, moment
from arrocco.demo.year.year_builder import month_of_story
from arrocco.records.report import Game, GameKind


def pairs(games: list[Game]) -> Counter[tuple[int, int]]:
    return Counter((min(game.white, game.black), max(game.white, game.black)) for game in games)


@pytest.mark.parametrize(("size", "rounds"), [(10, 5), (11, 5), (18, 9), (23, 9), (44, 9)])
@pytest.mark.parametrize("seed", range(5))
def test_in_a_swiss_everybody_plays_every_round_and_nobody_meets_twice(
    size: int, rounds: int, seed: int
) -> None:
    rng = Random(seed)
    games, byes = playing.swiss(rng, [2300 - 30 * n for n in range(size)], rounds)
    # C.04.1 2: who did not come to a game can be paired with the same opponent again.
    played = [game for game in games if game.kind is GameKind.PLAYED]
    assert max(pairs(played).values()) == 1
    for round_ in range(1, rounds + 1):
        here = [n for one in games if one.round == round_ for n in (one.white, one.black)]
        here += [bye.entry for bye in byes if bye.round == round_]
        assert sorted(here) == list(range(1, size + 1))
    assert max(Counter(one.entry for one in byes).values(), default=0) <= 1


def test_the_leader_meets_somebody_near_in_the_last_round() -> None:
    """A leader with eight points met one far below: whoever was left over."""
    for seed in range(5):
        games, _ = playing.swiss(Random(seed), [2300 - 25 * n for n in range(36)], 9)
        score: Counter[int] = Counter()
        for game in games:
            if game.round < 9:
                score[game.white] += game.white_score
                score[game.black] += game.black_score
        leader = max(score, key=lambda number: (score[number], -number))
        (last,) = [one for one in games if one.round == 9 and leader in (one.white, one.black)]
        other = last.black if last.white == leader else last.white
        assert score[leader] - score[other] <= 4  # two points


def test_a_round_robin_has_every_pair_once() -> None:
    games, _ = playing.round_robin(Random(1), [2000] * 8)
    assert len(pairs(games)) == 28 == len(games)
    whites = Counter(game.white for game in games)
    assert all(3 <= whites[number] <= 4 for number in range(1, 9))


def test_a_match_ends_when_it_is_decided() -> None:
    lengths = set()
    for seed in range(30):
        games, _ = playing.match(Random(seed), [2500, 1700], 6)
        won = Counter[int]()
        for game in games[:-1]:
            won[game.white] += game.white_score
            won[game.black] += game.black_score
        assert max(won.values()) <= 6, "nobody had more than half of the points before the end"
        lengths.add(len(games))
    assert min(lengths) == 4


def test_where_outsiders_win_everything_the_second_half_has_all_points() -> None:
    games, _ = playing.upsets([2400] * 6 + [1600] * 6, 6)
    assert max(pairs(games).values()) == 1
    assert all((game.white > 6) == (game.white_score == 2) for game in games)


def test_the_stronger_score_more_and_draws_happen() -> None:
    rng = Random(3)
    games = [playing.play(rng, [2000, 1800], 1, 1, 2) for _ in range(4000)]
    share = sum(int(one.white_score) for one in games) / 2 / len(games)
    assert 0.76 <= share <= 0.83, "expected 0.79 with the first move"
    assert sum(game.white_score == 1 for game in games) > 500


def test_acts_are_done_in_the_order_of_their_moments_until_the_end() -> None:
    first, last = moment(date(2025, 5, 1), 8), moment(date(2025, 5, 3), 8)
    agenda, done = Agenda(first, last), []
    agenda.add(moment(date(2025, 5, 2), 9), lambda: done.append(("b", agenda.day)))
    agenda.add(moment(date(2025, 5, 4), 9), lambda: done.append(("never", agenda.day)))

    def early() -> None:
        done.append(("a", agenda.day))
        agenda.add(moment(date(2025, 4, 1), 9), lambda: done.append(("at once", agenda.day)))

    agenda.add(moment(date(2025, 5, 1), 9), early)
    agenda.run()
    day = date(2025, 5, 1)
    assert done == [("a", day), ("at once", day), ("b", date(2025, 5, 2))]
    assert agenda() == last


def test_stories_of_a_whole_year_find_a_month_in_a_shorter_one() -> None:
    assert [month_of_story(month, 12) for month in range(1, 13)] == list(range(1, 13))
    assert {month_of_story(month, 2) for month in range(1, 13)} == {1, 2}
    assert month_of_story(6, 2) == 1
