"""FIDE 2024 4, 9.1 — which games of two reports are the same."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from arrocco.office.corrections import moved_exclusion
from arrocco.office.ledger import GameExclusion
from arrocco.office.overlap import (
    differences,
    is_same_event,
    met_by_numbers,
    overlap,
    same_game,
)
from arrocco.records.report import Entry, Game, GameKind, Report, System
from arrocco.records.reportbatch import batch_of
from arrocco.runs.same_games import CountedOnce, marks_of
from arrocco.units import HalfPoints
from tests.desk.offices import played_anew, report, swiss

START = date(2025, 5, 8)
HALF, WIN, LOSS = HalfPoints(1), HalfPoints(2), HalfPoints(0)


def counted_from(made: Report, first: int) -> Report:
    games = [replace(game, round=game.round + first - 1) for game in made.games]
    return replace(made, games=games)


def test_9_1_names_days_and_rounds_do_not_matter() -> None:
    made = report(1, START)
    again = replace(counted_from(made, 3), name="Another", end=made.end, city="Elsewhere")
    assert overlap(made, again) == overlap(made, made)
    assert (overlap(made, again).shared, overlap(made, again).missing) == (28, 0)


def test_9_1_who_has_no_number_or_another_one_is_known_by_name() -> None:
    made = report(1, START)
    without = replace(made, entries=[replace(entry, id=None) for entry in made.entries])
    others = replace(made, entries=[replace(e, id=(e.id or 0) + 500) for e in made.entries])
    for one, other in ((made, without), (without, made), (made, others), (without, others)):
        assert overlap(one, other).shared == 28
    # A number that both have decides, whatever the names are.
    renamed = replace(made, entries=[replace(e, name=f"X{e.number}") for e in made.entries])
    assert overlap(made, renamed).shared == 28


def test_9_1_numbers_that_were_merged_are_one() -> None:
    made = report(1, START)
    new = {entry.id or 0: (entry.id or 0) + 500 for entry in made.entries}
    entries = [replace(e, id=new[e.id or 0], name=f"X{e.number}") for e in made.entries]
    assert overlap(made, replace(made, entries=entries), new).shared == 28


def drawn_match(start: date, first: int) -> Report:
    """Four draws of two, with changing colours."""
    games = [Game(first + n, 1 + n % 2, 2 - n % 2, HALF, HALF) for n in range(4)]
    entries = [Entry(1, "Finta, Ada", 99000001), Entry(2, "Finto, Bruno", 99000002)]
    return Report(
        name="Match", start=start, end=start + timedelta(days=20), entries=entries, games=games
    )


def test_4_two_parts_of_a_drawn_match_are_different_games() -> None:
    first, second = drawn_match(START, 1), drawn_match(START + timedelta(days=20), 5)
    assert is_same_event(first, second)  # by players, colours and results alone
    assert overlap(first, second).shared == 0
    whole = replace(first, end=second.end, games=[*first.games, *second.games])
    assert [overlap(part, whole).shared for part in (first, second)] == [4, 4]


def test_9_1_three_quarters_of_the_games_make_it_the_same_play() -> None:
    made = report(1, START)
    for turned, same in ((7, True), (8, False)):
        games = [
            replace(game, white_score=WIN, black_score=LOSS)
            if game.white_score != WIN
            else replace(game, white_score=LOSS, black_score=WIN)
            for game in made.games[:turned]
        ]
        again = replace(made, name="Another", games=[*games, *made.games[turned:]])
        assert is_same_event(made, again) is same


def short_match(*halves: int, name: str = "Match") -> Report:
    """As many games of two as results for White are given, with changing colours."""
    games = [
        Game(n, 1 + n % 2, 2 - n % 2, HalfPoints(half), HalfPoints(2 - half))
        for n, half in enumerate(halves, start=1)
    ]
    entries = [Entry(1, "Finta, Ada", 99000001), Entry(2, "Finto, Bruno", 99000002)]
    return Report(name=name, start=START, end=START, entries=entries, games=games)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (short_match(2, 1), True),
        (short_match(2, 1, name="Another"), False),  # the stronger may well win again
        (short_match(2, 0), True),  # one of two was put right
        (short_match(2, 0, name="Another"), False),
        (short_match(1, 0), False),
        (short_match(2), False),  # a single game may well be won twice
    ],
)
def test_9_1_two_games_of_one_name_are_the_same_where_one_of_them_agrees(
    other: Report, same: bool
) -> None:
    assert is_same_event(short_match(2, 1), other) is same
    assert is_same_event(other, short_match(2, 1)) is same
    batch = batch_of([replace(short_match(2, 1), source="a"), replace(other, source="b")])
    found = CountedOnce().repeated(marks_of(batch), lambda _: False)
    assert found == ({"b"} if same else set())


def test_9_1_of_one_name_half_of_the_results_are_enough_where_the_same_players_met() -> None:
    made = report(1, START)
    for turned, same in ((14, True), (15, False)):
        games = [
            replace(game, white_score=LOSS if game.white_score == WIN else WIN)
            for game in made.games[:turned]
        ]
        again = replace(made, games=[*games, *made.games[turned:]])
        assert is_same_event(made, again) is same
    games = [replace(made.games[0], white=made.games[1].white), *made.games[1:14]]
    turned_twice = [replace(game, white_score=LOSS) for game in made.games[14:]]
    again = replace(made, games=[*games, *turned_twice])
    assert not is_same_event(made, again), "others met"


def are_same(one: Report, other: Report) -> bool:
    """Whether two reports are of one play, as records and as the columns of a period."""
    batch = batch_of([replace(one, source="a"), replace(other, source="b")])
    repeated = CountedOnce().repeated(marks_of(batch), lambda _: False)
    same = is_same_event(one, other)
    assert same is is_same_event(other, one) is (repeated == {"b"})
    return same


@pytest.mark.parametrize("system", [System.SWISS, System.UNKNOWN])
def test_9_1_a_swiss_of_the_same_pairings_is_the_same_whatever_the_results(system: System) -> None:
    made = replace(swiss(1), system=system)
    assert are_same(made, played_anew(made))
    part = replace(made, games=[game for game in made.games if game.round <= 3])
    assert are_same(part, played_anew(made))
    # Who says that it was a round robin, or played in teams, does not change what it is.
    assert are_same(made, replace(played_anew(made), system=System.ROUND_ROBIN))


def test_9_1_a_quarter_of_the_boards_may_differ() -> None:
    made = swiss(1)
    anew = played_anew(made)
    for turned, same in ((7, True), (8, False)):
        games = [replace(game, white=game.black, black=game.white) for game in anew.games[:turned]]
        assert are_same(made, replace(anew, games=[*games, *anew.games[turned:]])) is same


def test_9_1_other_pairings_other_colours_or_rounds_are_another_event() -> None:
    made = swiss(1)
    assert not are_same(made, replace(swiss(2), name="Blitz"))
    turned = [replace(game, white=game.black, black=game.white) for game in made.games]
    assert not are_same(made, played_anew(replace(made, games=turned)))
    assert not are_same(made, played_anew(counted_from(made, 3)))


def test_9_1_where_pairings_follow_from_numbers_results_decide() -> None:
    """Two round robins, matches or knockouts of the same people on the same days are two."""
    everybody = replace(report(1, START), system=System.UNKNOWN)
    absent = [game for game in everybody.games if 3 not in (game.white, game.black)]
    for games in (everybody.games, [*everybody.games[:2], *absent]):
        made = replace(everybody, games=games)
        assert not are_same(made, played_anew(made))
    match = short_match(2, 1, 2, 0)
    assert not are_same(match, played_anew(match))
    made = swiss(1)
    in_teams = replace(made, system=System.TEAM)
    assert not are_same(in_teams, played_anew(in_teams))
    two_rounds = replace(made, games=[game for game in made.games if game.round <= 2])
    assert not are_same(two_rounds, played_anew(two_rounds))


def test_9_1_what_follows_from_numbers() -> None:
    everybody = [(a, b) for a in range(8) for b in range(a)]
    groups = [*everybody, *((a + 8, b + 8) for a, b in everybody)]
    sides = [(a, 8 + b) for a in range(4) for b in range(4)]
    knockout = [(n, n + 2**k) for k in range(4) for n in range(0, 16, 2 ** (k + 1))]
    for games in (everybody, everybody[7:], groups, sides, knockout, knockout * 2, []):
        assert met_by_numbers(games)
    drawn = [(game.white, game.black) for game in swiss(1).games]
    for games in (everybody[8:], drawn, [*drawn, (20, 21)]):
        assert not met_by_numbers(games)


def test_5_1_an_excluded_game_is_found_where_rounds_are_counted_otherwise() -> None:
    made = report(1, START)
    excluded = replace(made.games[5], kind=GameKind.FAIR_PLAY)
    games = [*made.games[:5], excluded, *made.games[6:]]
    before = replace(made, games=games)
    assert same_game(before, excluded, counted_from(made, 3)) == 5
    assert same_game(before, excluded, made) == 5
    change = GameExclusion(
        round=excluded.round,
        white=excluded.white,
        black=excluded.black,
        ground="fair_play",
        article="5.1",
    )
    moved = moved_exclusion(before, change, counted_from(made, 3))
    assert moved is not None
    assert (moved.round, moved.ground) == (excluded.round + 2, "fair_play")
    gone = replace(made, games=[*made.games[:5], *made.games[6:]])
    assert same_game(before, excluded, gone) is None


def test_9_1_a_result_is_the_difference_also_where_rounds_are_counted_otherwise() -> None:
    made = report(1, START)
    turned = [replace(made.games[0], white_score=HALF, black_score=HALF), *made.games[1:]]
    if made.games[0].white_score == HALF:
        turned[0] = replace(made.games[0], white_score=WIN, black_score=LOSS)
    after = counted_from(replace(made, games=turned), 2)
    assert [one.key for one in differences(made, after)] == ["office.difference.game"]
