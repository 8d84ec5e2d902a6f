"""A printed K tells of the past; where the law derives the same, the law gives the reason."""

from __future__ import annotations

from datetime import date
from itertools import product

import numpy as np
import pytest

from arrocco.engine.calculator import Played, calculate_change
from arrocco.engine.outcome import GIVEN, coefficients
from arrocco.engine.players import ASSUMED_GAMES, Players, unrated_players
from arrocco.engine.printed_k import k_left_to_law, past_told_by_k
from arrocco.laws.edition import Legal
from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.laws.rating import PlayerFacts, RatingLaw
from arrocco.laws.registry import editions
from arrocco.records.ratinglist import UNKNOWN, birth_from_number

LAWS = [edition() for law in ("fide", "fide-rapid", "fide-blitz") for edition in editions(law)]
RATINGS = (0, 1450, 2299, 2300, 2399, 2400, 2700)
BIRTHS = (0, 19800000, 20100215)
KS = (UNKNOWN, 10, 15, 20, 25, 30, 33, 40)


def on(law: RatingLaw) -> date:
    start = law.in_force.start
    assert start is not None
    return start


def a_list() -> Players:
    """Everybody a list can show: every rating beside every K and birth."""
    rows = list(product(RATINGS, BIRTHS, KS))
    players = unrated_players(
        np.arange(1, len(rows) + 1), np.array([birth for _, birth, _ in rows])
    )
    players.rating = np.array([rating for rating, _, _ in rows])
    players.k = np.array([k for _, _, k in rows])
    players.completed_games = np.where(players.rating > 0, ASSUMED_GAMES, 0)
    players.highest_published = players.rating.copy()
    return players


def possible(law: RatingLaw, rating: int, birth: int) -> set[int]:
    """Every K that some past gives a player with this rating."""
    return {
        law.coefficient(PlayerFacts(games, max(once, rating), birth_from_number(birth)), on(law)).k
        for games in (0, 30)
        for once in (0, 2300, 2400)
    }


@pytest.mark.parametrize("law", LAWS, ids=lambda law: f"{law.law} {law.edition}")
def test_k_is_explained_wherever_a_past_explains_it(law: RatingLaw) -> None:
    before = a_list()
    told = k_left_to_law(law, past_told_by_k(law, before, on(law)), on(law))
    k, reasons, reason = coefficients(law, told, on(law))
    explained = 0
    for row, (rating, birth, printed) in enumerate(product(RATINGS, BIRTHS, KS)):
        if printed == UNKNOWN or not rating:
            continue
        assert k[row] == printed
        is_given = reasons[reason[row]] == GIVEN
        assert is_given == (printed not in possible(law, rating, birth)), (rating, birth, printed)
        explained += not is_given
    assert explained > 10


@pytest.mark.parametrize("law", LAWS[:1], ids=lambda law: f"{law.law} {law.edition}")
def test_nothing_is_made_up_where_k_agrees_or_is_not_told(law: RatingLaw) -> None:
    before = a_list()
    derived, _, _ = coefficients(law, k_left_to_law(law, before, on(law)), on(law))
    agrees = (before.k == UNKNOWN) | (before.k == derived) | (before.rating == 0)
    kept = a_list()
    told = past_told_by_k(law, kept, on(law))
    for name in ("completed_games", "highest_published"):
        one, other = getattr(told, name), getattr(before, name)
        assert np.array_equal(one[before.k == UNKNOWN], other[before.k == UNKNOWN])
        assert np.array_equal(one[before.rating == 0], other[before.rating == 0])
        assert np.array_equal(getattr(kept, name), other), "the players given stay as they are"
    assert agrees.any()


def test_where_tournaments_have_k_players_stay_as_they_are() -> None:
    law = editions("uisp")[0]()
    players = a_list()
    assert past_told_by_k(law, players, date(2024, 5, 1)) is players
    assert k_left_to_law(law, players, date(2024, 5, 1)) is players


def test_who_is_listed_is_past_the_first_games_of_any_edition() -> None:
    """8.3.3 — an edition that asks for more games makes nobody of a list new again."""
    law = type("Longer", (Fide2024,), {"K_NEW_GAMES": Legal(40, "8.3.3", "games")})()
    players = unrated_players(np.array([1, 2]), np.zeros(2, dtype=np.int64))
    players.rating = np.array([1900, 0])
    players.completed_games = np.array([ASSUMED_GAMES, 0])
    told = past_told_by_k(law, players, date(2024, 5, 1))
    assert told.completed_games.tolist() == [40, 0]
    assert coefficients(law, told, date(2024, 5, 1))[0].tolist()[0] == law.K_NORMAL
    rows, _ = calculate_change(law, date(2024, 5, 1), 1900, [Played(1900, 1)])
    assert rows.events[0].k == law.K_NORMAL
