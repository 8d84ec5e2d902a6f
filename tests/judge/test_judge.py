"""The judge against figures an authority has published and examples a text works out."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from .build import event
from .judge import judge_period
from .records import JPlayer, JResult, JTournament

CASES = Path(__file__).parent.parent / "cases"
PERIODS: list[dict[str, Any]] = json.loads(
    (CASES / "fide_2024_published_periods.json").read_text("utf-8")
)["cases"]
FIRST: list[dict[str, Any]] = json.loads(
    (CASES / "fide_2024_first_rating.json").read_text("utf-8")
)["cases"]
RESULT = {"1": "1", "0.5": "=", "0": "0"}


def case_tournaments(case: dict[str, Any]) -> list[JTournament]:
    tournaments = []
    for number, played in enumerate(case["events"]):
        opponents = {100 * number + at: game[0] for at, game in enumerate(played["games"], 10)}
        games = [
            (1, RESULT[game[2]], 100 * number + at) for at, game in enumerate(played["games"], 10)
        ]
        tournaments.append(
            event(
                str(number),
                date.fromisoformat(played["start"]),
                {1: played["rating"]} | opponents,
                *games,
            )
        )
    return tournaments


def case_result(case: dict[str, Any], edition: str) -> JResult:
    tournaments = case_tournaments(case)
    players = {
        id_: JPlayer(id_, rating, 20, games_total=100)
        for tournament in tournaments
        for id_, rating in tournament.ratings.items()
    }
    k = case["k_on_lists"][sorted(case["ratings_on_lists"])[-2]]
    players[1] = JPlayer(1, case["base"], k, games_total=100)
    list_date = date.fromisoformat(case["list"])
    return judge_period("fide_standard", edition, {}, list_date, players, tournaments)


@pytest.mark.parametrize("case", PERIODS, ids=[case["id"] for case in PERIODS])
def test_published_periods_come_out_to_the_hundredth(case: dict[str, Any]) -> None:
    edition = "2024-03-01" if case["list"] < "2025-10" else "2025-10-01"
    result = case_result(case, edition)
    player = result.players[1]
    for number, played in enumerate(case["events"]):
        printed, sums = played["expected"], player.sums[number]
        changes = [
            side.score - (side.expected or 0)
            for side in result.sides
            if side.tournament == str(number) and side.player == 1
        ]
        assert changes == [Fraction(change) for change in printed["game_changes"]]
        assert (sums.n, sums.score) == (printed["n"], Fraction(printed["score"]))
        assert sums.score - sums.expected == Fraction(printed["sum"])
        assert (sums.k, sums.variation) == (played["k_applied"], Fraction(printed["variation"]))
    printed = case["expected"]
    assert player.n == printed["n"]
    assert player.variation == Fraction(printed["variation"])
    assert player.change == printed["change"]
    more = 1 if printed.get("new_rating_is_one_more_than_computed") else 0
    assert player.new_rating == printed["new_rating"] - more


def test_full_differences_from_2650_on_are_what_tells_the_october_2025_edition() -> None:
    case = PERIODS[0]
    assert case_result(case, "2025-10-01").players[1].variation == Fraction("-2.5")
    capped = case_result(case, "2024-03-01").players[1]
    assert capped.variation == 10 * (Fraction("4.5") - (4 * Fraction("0.92") + Fraction("0.86")))


@pytest.mark.parametrize("case", FIRST, ids=[case["id"] for case in FIRST])
def test_published_first_rating(case: dict[str, Any]) -> None:
    opponents = {10 + at: game[0] for at, game in enumerate(case["games"])}
    games = [(1, RESULT[game[1]], 10 + at) for at, game in enumerate(case["games"])]
    players = {id_: JPlayer(id_, rating, games_total=99) for id_, rating in opponents.items()}
    result = judge_period(
        "fide_standard",
        "2025-10-01",
        {},
        date.fromisoformat(case["list"]),
        players | {1: JPlayer(1)},
        [event("t", date(2025, 11, 1), {1: None} | opponents, *games)],
    )
    player = result.players[1]
    assert player.initial is not None
    assert (player.initial.average, player.initial.p) == (Fraction(13107, 7), 57)
    assert player.new_rating == case["expected"]["rating"]
    assert player.k_printed == case["expected"]["k"]
    assert player.games_in_period == case["expected"]["games_on_list"]
    assert all(result.players[id_].n == 0 for id_ in opponents)


# --- 2010, 8.34 -----------------------------------------------------------------------------------


def test_8_34_twelve_games_over_three_lists_make_2199() -> None:
    """3 games at 2220 with 1 point, 5 at 2150 with 3, 4 at 2200 with 2½."""
    tranches = [
        (date(2011, 9, 1), 2220, "0=="),
        (date(2011, 11, 1), 2150, "11100"),
        (date(2012, 1, 1), 2200, "11=0"),
    ]
    player = JPlayer(1)
    ratings: list[tuple[int, int, int | None]] = []
    for list_date, average, results in tranches:
        opponents: dict[int, int | None] = {10 + at: average for at in range(len(results))}
        games = [(1, result, 10 + at) for at, result in enumerate(results)]
        players = {id_: JPlayer(id_, average, games_total=99) for id_ in opponents} | {1: player}
        start = date(2011, 7, 5) if not ratings else date(2011, 9, 5)
        tournament = event(f"t{list_date}", start, opponents | {1: None}, *games)
        result = judge_period("fide_standard", "2011-07-01", {}, list_date, players, [tournament])
        initial = result.players[1].initial
        assert initial is not None
        ratings.append((initial.n, initial.initial, result.players[1].new_rating))
        player = result.players[1].after
    assert ratings == [(3, 2095, None), (8, 2176, None), (12, 2199, 2199)]
    assert player.games_total == 12
    assert player.pool == ()


# --- 2010, 8.58 -----------------------------------------------------------------------------------

A, B, C, D, E, F, G, H, I, J = range(1, 11)  # noqa: E741
RATINGS: dict[int, int | None] = {
    A: 2600,
    B: 2500,
    C: None,
    D: 2400,
    E: None,
    F: 2150,
    G: 2300,
    H: None,
    I: None,
    J: 2300,
}


def table_8_58() -> JTournament:
    """A table with the printed points: each beats all below, but J beats A and E beats B."""
    games = []
    for white in range(1, 11):
        for black in range(white + 1, 11):
            games.append((white, "0" if (white, black) in {(A, J), (B, E)} else "1", black))
    return event("rr", date(2011, 7, 5), RATINGS, *games, system="round_robin")


def result_8_58(players: dict[int, JPlayer]) -> JResult:
    return judge_period(
        "fide_standard", "2011-07-01", {}, date(2011, 9, 1), players, [table_8_58()]
    )


def players_8_58() -> dict[int, JPlayer]:
    return {id_: JPlayer(id_, rating, games_total=100) for id_, rating in RATINGS.items()}


def test_8_58_the_unrated_get_the_printed_ratings() -> None:
    result = result_8_58({id_: replace(p, games_total=0) for id_, p in players_8_58().items()})
    table = result.round_robins["rr"]
    assert (table.n, table.rar, table.dpa, table.ra) == (9, Fraction(2375), Fraction("29.5"), 2348)
    assert table.first == {C: 2423, E: 2393, H: 2150, I: 2032}
    assert table.rc_new == {C: 2348, E: 2348, H: 2342, I: 2322}
    assert table.ru_new == {C: 2423, E: 2393, H: 2144, I: 2006}
    assert {p: result.players[p].new_rating for p in table.first} == table.ru_new
    points = {A: 8, B: 7, C: 7, D: 6, E: 6, F: 4, G: 3, H: 2, I: 1, J: 1}
    for player, score in points.items():
        outcome = result.players[player]
        assert (outcome.initial.score if outcome.initial else outcome.score) == score


def test_8_58_expected_points_as_printed_but_for_the_erratum_in_row_f() -> None:
    """F is printed with 2.52, which takes I at 2032 for this row alone; at 2006 it is 2.55."""
    result = result_8_58(players_8_58())
    expected = {p: result.players[p].expected for p, rating in RATINGS.items() if rating}
    assert expected == {
        A: Fraction("7.36"),
        B: Fraction("6.48"),
        D: Fraction("5.40"),
        F: Fraction("2.55"),
        G: Fraction("4.21"),
        J: Fraction("4.21"),
    }
    against_i = next(s for s in result.sides if (s.player, s.opponent) == (F, I))
    assert (against_i.difference, against_i.expected) == (144, Fraction("0.69"))


def test_8_58_changes_as_printed_with_the_k_of_20_and_30_it_was_printed_with() -> None:
    """F is printed with 44.3; 1.45 x 30 is 43.5."""
    k = {A: 20, B: 20, D: 20, F: 30, G: 30, J: 30}
    result = result_8_58({id_: replace(p, k=k.get(id_)) for id_, p in players_8_58().items()})
    assert {p: result.players[p].variation for p in k} == {
        A: Fraction("12.8"),
        B: Fraction("10.4"),
        D: 12,
        F: Fraction("43.5"),
        G: Fraction("-36.3"),
        J: Fraction("-96.3"),
    }


def test_8_58_changes_with_the_k_of_8_56() -> None:
    result = result_8_58(players_8_58())
    assert {p: result.players[p].variation for p, rating in RATINGS.items() if rating} == {
        A: Fraction("6.4"),
        B: Fraction("5.2"),
        D: 6,
        F: Fraction("21.75"),
        G: Fraction("-18.15"),
        J: Fraction("-48.15"),
    }
    assert [result.players[p].new_rating for p in (A, B, D, F, G, J)] == [
        2606,
        2505,
        2406,
        2172,
        2282,
        2252,
    ]
