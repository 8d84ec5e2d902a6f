"""What must hold of any computation: sides, order, and an explanation that adds up."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arrocco.engine.calculator import Played, calculate_change
from arrocco.laws.rating import RatingLaw
from arrocco.laws.registry import LAWS, edition_in_force, editions
from arrocco.records.timecontrol import parse_text

ON = date(2025, 11, 1)
ALL_EDITIONS = [edition for law in LAWS for edition in editions(law)]
ratings = st.integers(1000, 2900)
games = st.lists(st.builds(Played, ratings, st.integers(0, 2)), min_size=1, max_size=40)


def law_named(name: str) -> RatingLaw:
    return edition_in_force(name, ON)()


@pytest.mark.parametrize("edition", ALL_EDITIONS, ids=lambda e: f"{e.law}-{e.__name__}")
@given(one=ratings, other=ratings)
@settings(max_examples=150)
def test_the_two_sides_of_a_game_expect_the_whole_point(
    edition: type[RatingLaw], one: int, other: int
) -> None:
    law = edition()
    if law.is_capped(one) != law.is_capped(other):
        return  # 8.3.1 of 2025 looks at each player's own rating, so the two sides may differ
    first = law.expected_score(law.counted_difference(one, other))
    second = law.expected_score(law.counted_difference(other, one))
    assert first + second == 100


@given(rating=ratings, played=games, data=st.data())
@settings(max_examples=60)
def test_the_order_of_games_changes_nothing(
    rating: int, played: list[Played], data: st.DataObject
) -> None:
    law = law_named("fide")
    shuffled = data.draw(st.permutations(played))
    one, _ = calculate_change(law, ON, rating, played, k=20)
    other, _ = calculate_change(law, ON, rating, shuffled, k=20)
    assert (one.n, one.expected, one.variation, one.change) == (
        other.n,
        other.expected,
        other.variation,
        other.change,
    )


@pytest.mark.parametrize("name", LAWS)
@given(rating=ratings, played=games)
@settings(max_examples=60)
def test_the_rows_of_the_explanation_add_up_to_the_result(
    name: str, rating: int, played: list[Played]
) -> None:
    law = law_named(name)
    control = parse_text("5+3" if name == "rio" else "30+10")
    rows, steps = calculate_change(law, ON, rating, played, control=control)
    counted = [game for event in rows.events for game in event.games if game.exclusion is None]
    assert rows.n == len(counted)
    assert rows.half_points == sum(game.half_points for game in counted)
    assert rows.expected_unrounded == sum(game.expected or 0 for game in counted)
    assert (
        sum(game.delta or 0 for game in counted) == 50 * rows.half_points - rows.expected_unrounded
    )
    assert rows.expected == sum(law.expected_points(e.expected_unrounded) for e in rows.events)
    assert rows.variation == sum(event.k * event.delta for event in rows.events)
    assert rows.change == law.new_rating(rating, rows.variation) - rating
    assert [step.article for step in steps if not step.article] == []
