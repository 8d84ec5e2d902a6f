"""What a correction carries into the next period: the reading of NOTES.md, edge by edge."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.engine.players import month_number
from arrocco.laws.rating import Tranche
from arrocco.office.carrying import ImpactOnPlayer, Note, carry
from arrocco.office.opening import Opening
from arrocco.records.ratinglist import UNKNOWN
from arrocco.words import LANGUAGES, say
from tests.office.build import ADA, BRUNO, CARLA, DINO, in_step, opening, result, row_of, state

MARCH, APRIL, MAY = (date(2026, month, 1) for month in (3, 4, 5))
K_RATINGS = (2300, 2400)
NOW, LATER = month_number(APRIL), month_number(MAY)
OTHER = {"id": DINO, "name": "Dattero, Dino", "rating": 1700, "k": 20, "completed_games": 80}


def row(**values: Any) -> dict[str, Any]:
    """Ada on a list: rated 1800 after 40 games, the last of them on the list of April."""
    usual = {
        "id": ADA,
        "name": "Abete, Anna",
        "rating": 1800,
        "games": 9,
        "k": 20,
        "completed_games": 40,
        "last_rated": NOW,
        "first_event": True,
    }
    return usual | values


def unrated(**values: Any) -> dict[str, Any]:
    usual = {"rating": 0, "k": UNKNOWN, "completed_games": 0, "games": 0, "first_event": True}
    return row(**usual | values)


def carried(
    before: list[dict[str, Any]],
    after: list[dict[str, Any]],
    latest: list[dict[str, Any]] | None = None,
    pools: tuple[Any, Any, Any] = (None, None, None),
    **given: Any,
) -> tuple[Opening, ImpactOnPlayer]:
    """Carries the difference of the only player touched; Dino is on every list and untouched."""
    was = opening([*before, OTHER], pools[0], APRIL)
    now = opening([*after, OTHER], pools[1], APRIL)
    last = pools[0] if pools[2] is None else pools[2]
    on = opening([*(before if latest is None else latest), OTHER], last, MAY)
    untouched = {player: state(on, player) for player in on.players.id.tolist() if player == DINO}
    published = on.listed.rating.tolist()
    made, impact = carry(was, now, on, k_ratings=K_RATINGS, **given)
    in_step(made)
    assert state(made, DINO) == untouched[DINO]
    assert on.listed.rating.tolist() == published
    (player,) = impact.players
    for language in LANGUAGES:
        assert say(language, player.key)
    assert impact.points == (player.base_after or 0) - (player.base_before or 0)
    return made, player


def test_nothing_is_carried_where_nothing_differs() -> None:
    same = opening([row(), OTHER], {ADA: (result(APRIL),)}, APRIL)
    made, impact = carry(same, same.copy(), same, k_ratings=K_RATINGS)
    assert impact.players == ()
    assert state(made, ADA) == state(same, ADA)


def test_a_rating_moves_by_the_difference_whatever_has_happened_since() -> None:
    latest = [row(rating=1843, completed_games=52, last_rated=LATER)]
    made, impact = carried(
        [row(rating=1800)], [row(rating=1790, games=10, completed_games=41)], latest
    )
    assert state(made, ADA)["rating"] == 1833
    assert state(made, ADA)["completed_games"] == 53
    assert (impact.note, impact.name) == (Note.RATING, "Abete, Anna")
    assert (impact.rating_before, impact.rating_after) == (1800, 1790)
    assert (impact.games_before, impact.games_after) == (9, 10)
    assert (impact.base_before, impact.base_after) == (1843, 1833)


def test_what_was_published_stays_for_opponents() -> None:
    made, _ = carried([row(rating=1800)], [row(rating=1790)])
    at = row_of(made, ADA)
    assert made.listed.rating[at] == 1800
    assert made.players.rating[at] == 1790


def test_UISP_II_3_carried_decimals_move_too() -> None:
    made, impact = carried(
        [row(rating=1800, decimals=20)],
        [row(rating=1800, decimals=-30)],
        [row(rating=1810, decimals=40)],
    )
    assert (state(made, ADA)["rating"], state(made, ADA)["decimals"]) == (1810, -10)
    assert impact.note is Note.RESULTS


def test_K_is_derived_anew_where_its_reasons_changed() -> None:
    made, _ = carried([row(completed_games=30)], [row(completed_games=29)])
    assert state(made, ADA)["k"] == UNKNOWN
    made, _ = carried([row()], [row(rating=1790)])
    assert state(made, ADA)["k"] == 20


def test_a_rating_stays_a_rating_until_the_next_list_looks_at_the_floor() -> None:
    made, _ = carried([row(rating=2400)], [row(rating=1000)], [row(rating=1400)])
    assert state(made, ADA)["rating"] == 1


# --- ratings reached ------------------------------------------------------------------------------


def test_a_rating_reached_without_the_mistake_is_reached() -> None:
    made, _ = carried(
        [row(rating=2390, highest_published=2390)],
        [row(rating=2405, highest_published=2405)],
        [row(rating=2380, highest_published=2390)],
    )
    assert state(made, ADA)["highest_published"] == 2405
    assert state(made, ADA)["k"] == UNKNOWN


def test_a_rating_reached_through_the_mistake_only_is_reached_no_more() -> None:
    before = [row(rating=2410, highest_published=2410)]
    after = [row(rating=2390, highest_published=2395)]
    made, _ = carried(before, after)
    assert state(made, ADA)["highest_published"] == 2395
    assert state(made, ADA)["k"] == UNKNOWN


@pytest.mark.parametrize(("since", "reached"), [(2420, True), (2419, False)])
def test_a_list_since_that_reaches_it_all_the_same_keeps_it(since: int, reached: bool) -> None:
    before = [row(rating=2410, highest_published=2410)]
    after = [row(rating=2390, highest_published=2390)]
    latest = [row(rating=2380, highest_published=since)]
    between = opening([row(rating=since), OTHER]).listed
    made, _ = carried(before, after, latest, later=[between])
    assert state(made, ADA)["highest_published"] == since - 20
    assert (since - 20 >= 2400) is reached


# --- first ratings --------------------------------------------------------------------------------


def pool(*results: Tranche) -> dict[int, tuple[Tranche, ...]]:
    return {ADA: results} if results else {}


def test_results_towards_a_first_rating_are_put_right() -> None:
    wrong, right = result(APRIL, half=5), result(APRIL, half=3)
    old, since = result(MARCH, "tournament:0"), result(MAY, "tournament:2")
    pools = pool(old, wrong), pool(old, right), pool(old, wrong, since)
    made, impact = carried([unrated()], [unrated()], [unrated(last_rated=LATER)], pools)
    assert made.pools.of(ADA) == (old, right, since)
    assert impact.note is Note.RESULTS


def test_a_result_that_goes_leaves_no_empty_pool() -> None:
    pools = pool(result(APRIL)), pool(), pool(result(APRIL))
    made, _ = carried([unrated()], [unrated(last_rated=0, first_event=False)], None, pools)
    assert ADA not in made.pools.tranches
    assert state(made, ADA)["last_rated"] == 0
    assert not state(made, ADA)["first_event"]


def test_a_first_rating_that_appears_is_left_to_the_next_list() -> None:
    old, new = result(MARCH, "tournament:0"), result(APRIL)
    since = result(MAY, "tournament:2")
    pools = pool(old), pool(), pool(old, since)
    made, impact = carried(
        [unrated()],
        [row(rating=1650, completed_games=6)],
        [unrated(last_rated=LATER)],
        pools,
        first_results={ADA: (old, new)},
    )
    assert impact.note is Note.FIRST_RATING_APPEARS
    assert made.pools.of(ADA) == (old, new, since)
    # Rating and games are that list's to give.
    assert (state(made, ADA)["rating"], state(made, ADA)["completed_games"]) == (0, 0)


def test_a_rating_on_entry_or_wrongly_taken_off_is_set_at_once() -> None:
    made, impact = carried(
        [unrated(completed_games=40)],
        [row(rating=1405, completed_games=41)],
        [unrated(completed_games=40)],
        (pool(), pool(), pool(result(MAY))),
    )
    assert impact.note is Note.FIRST_RATING_APPEARS
    assert (state(made, ADA)["rating"], state(made, ADA)["completed_games"]) == (1405, 41)
    assert made.listed.rating[row_of(made, ADA)] == 1405
    assert made.pools.of(ADA) == ()


def test_a_first_rating_that_disappears_is_withdrawn() -> None:
    left = result(APRIL, games=4)
    latest = [row(rating=1700, completed_games=12, last_rated=LATER)]
    made, impact = carried(
        [row(rating=1650, completed_games=5)], [unrated()], latest, (pool(), pool(left), pool())
    )
    assert impact.note is Note.FIRST_RATING_DISAPPEARS
    assert (impact.base_before, impact.base_after) == (1700, None)
    assert (state(made, ADA)["rating"], state(made, ADA)["completed_games"]) == (0, 7)
    assert made.pools.of(ADA) == (left,)
    assert state(made, ADA)["last_rated"] == LATER
    # Opponents of the open period meet what was published.
    assert made.listed.rating[row_of(made, ADA)] == 1700


def test_a_first_rating_given_since_stands_with_its_games_put_right() -> None:
    wrong, right = result(APRIL, games=3), result(APRIL, games=2)
    latest = [row(rating=1600, completed_games=5, last_rated=LATER)]
    made, impact = carried([unrated()], [unrated()], latest, (pool(wrong), pool(right), pool()))
    assert impact.note is Note.RATED_SINCE
    assert (state(made, ADA)["rating"], state(made, ADA)["completed_games"]) == (1600, 4)
    assert made.pools.of(ADA) == ()


def test_a_first_rating_that_would_have_come_earlier_changes_nothing_since() -> None:
    latest = [row(rating=1600, completed_games=8, last_rated=LATER)]
    made, impact = carried(
        [unrated()],
        [row(rating=1650, completed_games=5)],
        latest,
        first_results={ADA: (result(APRIL),)},
    )
    assert impact.note is Note.RATED_SINCE
    assert (state(made, ADA)["rating"], state(made, ADA)["completed_games"]) == (1600, 8)


# --- those who are no longer what they were -------------------------------------------------------


def test_delisted_since_there_is_no_rating_to_move() -> None:
    latest = [unrated(completed_games=50, last_rated=LATER)]
    made, impact = carried([row()], [row(rating=1830, completed_games=41)], latest)
    assert impact.note is Note.DELISTED_SINCE
    assert (impact.base_before, impact.base_after) == (None, None)
    assert (state(made, ADA)["rating"], state(made, ADA)["completed_games"]) == (0, 51)


def test_merged_since_the_difference_goes_to_the_number_kept() -> None:
    latest = [row(id=BRUNO, rating=1900, completed_games=70)]
    made, impact = carried([row()], [row(rating=1810)], latest, merged={ADA: BRUNO})
    assert made.row(ADA) is None
    assert state(made, BRUNO)["rating"] == 1910
    assert (impact.id, impact.merged_into, impact.note) == (ADA, BRUNO, Note.RATING)


def test_who_is_no_longer_on_the_list_stays_off_it() -> None:
    made, impact = carried([row()], [row(rating=1810)], [])
    assert impact.note is Note.LEFT_SINCE
    assert made.row(ADA) is None


def test_who_comes_onto_the_list_brings_what_the_period_gave() -> None:
    new = unrated(id=CARLA, name="Cedro, Carla", birth=20_050_000)
    made, impact = carried([], [new], [], (pool(), {CARLA: (result(APRIL),)}, pool()))
    assert (impact.note, impact.name) == (Note.JOINS, "Cedro, Carla")
    assert made.pools.of(CARLA) == (result(APRIL),)
    assert state(made, CARLA)["last_rated"] == NOW
    assert (state(made, CARLA)["birth"], state(made, CARLA)["completed_games"]) == (20_050_000, 0)
    at = row_of(made, CARLA)
    assert (made.listed.name[at], made.listed.rating[at]) == ("Cedro, Carla", 0)


def test_who_comes_onto_the_list_with_a_rating_on_entry_has_it_at_once() -> None:
    made, impact = carried([], [row(id=CARLA, rating=1452, completed_games=5)], [])
    assert impact.note is Note.FIRST_RATING_APPEARS
    assert (state(made, CARLA)["rating"], state(made, CARLA)["completed_games"]) == (1452, 5)
    assert made.listed.rating[row_of(made, CARLA)] == 1452


def test_who_was_on_the_list_through_the_mistake_stays_without_rating() -> None:
    made, impact = carried([row(id=CARLA, rating=1450, completed_games=5)], [])
    assert impact.note is Note.FIRST_RATING_DISAPPEARS
    assert (state(made, CARLA)["rating"], state(made, CARLA)["completed_games"]) == (0, 0)
    assert state(made, CARLA)["last_rated"] == 0


@pytest.mark.parametrize(("since", "expected"), [(NOW, NOW - 3), (LATER, LATER)])
def test_the_last_list_with_a_game_is_taken_back_unless_there_is_a_later_one(
    since: int, expected: int
) -> None:
    made, _ = carried([row()], [row(last_rated=NOW - 3)], [row(last_rated=since)])
    assert state(made, ADA)["last_rated"] == expected


def test_a_game_that_was_missing_makes_a_player_active() -> None:
    made, _ = carried([row(last_rated=NOW - 20)], [row(last_rated=NOW)])
    assert state(made, ADA)["last_rated"] == NOW


# --- in general -----------------------------------------------------------------------------------


def rated(rating: int, once: int, **values: Any) -> dict[str, Any]:
    """Ada with a rating, who has reached this one and another one before."""
    highest = max(rating, once)
    return row(rating=rating, highest_published=highest, **values)


RATED = st.builds(
    rated,
    rating=st.integers(1400, 2500),
    once=st.integers(1400, 2500),
    completed_games=st.integers(0, 60),
    last_rated=st.sampled_from([NOW, NOW - 5]),
    decimals=st.integers(-50, 50),
)
UNRATED = st.builds(
    unrated, last_rated=st.sampled_from([0, NOW]), decimals=st.just(0), highest_published=st.just(0)
)
POOLS = st.lists(
    st.builds(result, st.sampled_from([MARCH, APRIL]), st.sampled_from("xy"), st.integers(1, 4)),
    max_size=3,
    unique=True,
).map(lambda found: tuple(sorted(found, key=lambda one: one.month)))


@given(st.one_of(RATED, UNRATED), st.one_of(RATED, UNRATED), POOLS, POOLS)
def test_with_nothing_since_the_next_period_opens_as_if_there_had_been_no_mistake(
    was: dict[str, Any],
    now: dict[str, Any],
    pool_was: tuple[Tranche, ...],
    pool_now: tuple[Tranche, ...],
) -> None:
    before = opening([was], pool() if was["rating"] else pool(*pool_was), APRIL)
    after = opening([now], pool() if now["rating"] else pool(*pool_now), APRIL)
    made, _ = carry(before, after, before, k_ratings=K_RATINGS)
    in_step(made)
    found, expected = state(made, ADA), state(after, ADA)
    for one in (found, expected):
        one.pop("k")
    assert found == expected
    assert sorted(made.pools.of(ADA), key=repr) == sorted(after.pools.of(ADA), key=repr)


@given(
    st.lists(RATED, min_size=2, max_size=2),
    st.integers(-300, 300),
    st.integers(0, 30),
)
def test_a_correction_taken_back_leaves_no_trace(
    states: list[dict[str, Any]], change: int, games: int
) -> None:
    was, now = states
    latest = row(
        rating=max(500, was["rating"] + change),
        completed_games=was["completed_games"] + games,
        last_rated=LATER,
    )
    before, after = opening([was], on=APRIL), opening([now], on=APRIL)
    start = opening([latest], on=MAY)
    there, _ = carry(before, after, start, k_ratings=K_RATINGS)
    back, _ = carry(after, before, there, k_ratings=K_RATINGS)
    if state(there, ADA)["rating"] > 1:
        for name in ("rating", "completed_games", "last_rated", "decimals"):
            assert state(back, ADA)[name] == state(start, ADA)[name], name
