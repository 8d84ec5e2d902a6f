"""Each number of each edition is changed in a trial: a computation or a check must change.

A number that `law diff` shows and nothing reads would be a rule that only looks like one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from arrocco.laws import registry
from arrocco.laws.edition import edition_name
from tests.laws.values import checks as c
from tests.laws.values import online as o
from tests.laws.values import periods as p
from tests.laws.values.trial import Case, Scenario, World, registered

_SCENARIOS: dict[str, Scenario | tuple[Scenario, int]] = {
    # --- K
    "K_NEW": p.new_player,
    "K_NEW_GAMES": p.at_end_of_new,
    "K_NORMAL": p.normal_player,
    "K_TOP": p.top_player,
    "K_TOP_RATING": p.top_player,
    "K_JUNIOR": p.junior,
    "K_JUNIOR_AGE": p.grown_up_today,
    "K_JUNIOR_RATING": p.strong_junior,
    "K_TIMES_GAMES": (p.as_many_games_as_fit, -1),
    "K_ALL": p.normal_player,
    "K": p.normal_player,
    "K_BLITZ": p.at_control("3'+2\""),
    "K_RAPID": p.at_control("15'"),
    "K_STANDARD": p.at_control("90'"),
    "K_STANDARD_MINUTES": p.at_the_shortest_standard,
    "K_STANDARD_INCREMENT": p.at_the_shortest_standard,
    "ONLINE_DIVISOR": p.at_control("90'", online=True),
    "ADJUSTED_BELOW": (p.adjusted, 50),
    "ADJUSTED_PERCENT": p.adjusted,
    # --- differences
    "DIFFERENCE_CAP": (p.far_apart, 50),
    "FULL_DIFFERENCE_RATING": p.strongest_against_weak,
    "GAP": p.exactly_the_gap,
    "GAP_TOP_PLAYER": p.just_above_the_gap_rating,
    # --- first ratings
    "HYPOTHETICAL_OPPONENTS": p.first_rating,
    "HYPOTHETICAL_RATING": (p.first_rating, 50),
    "INITIAL_CAP": p.first_rating_of_perfect_score,
    "HALF_POINT_STEP": p.first_rating,
    "POINTS_PER_HALF_POINT": p.first_rating,
    "FIRST_RATING_GAMES": p.first_rating,
    "FIRST_RATING_GAMES_REDUCED": p.first_rating_from_team_event,
    "FIRST_EVENT_HALF_POINTS": p.one_point_in_the_first_event,
    "FIRST_EVENT_RATED_OPPONENTS": p.few_opponents_in_the_first_event,
    "POOL_MONTHS": (p.oldest_result_that_pools, -1),
    "ENTRY_RATING": p.somebody_enters,
    # --- who is on a list
    "FLOOR": p.at_the_floor,
    "INACTIVE_AFTER": p.silent_for_the_year,
    "LISTED_AS_INACTIVE": p.silent_until_off_the_list,
    "TOP_LIST_MONTHS": p.silent_until_off_the_top,
    "MASTER_RATING": c.category("MASTER_RATING"),
    "CANDIDATE_MASTER_RATING": c.category("CANDIDATE_MASTER_RATING"),
    "FIRST_NATIONAL_RATING": c.category("FIRST_NATIONAL_RATING"),
    "SECOND_NATIONAL_RATING": c.category("SECOND_NATIONAL_RATING"),
    "THIRD_NATIONAL_RATING": c.category("THIRD_NATIONAL_RATING"),
    # --- which list, and when
    "MONTHS_PER_LIST": c.lists_to_come,
    "MONTHS_PER_MONTHLY_LIST": c.first_monthly_lists,
    "CLOSING_DAYS": c.ending_on_closing_day,
    "OFFICIAL_CLOSING_DAYS": c.official_ending_on_closing_day,
    "LAST_LIST": c.announced,
    "EMISSION_DAYS": c.due_today,
    # --- registration
    "NOTICE": c.announced,
    "NOTICE_MONTHS": c.announced,
    "LONG_NOTICE": c.with_a_top_player,
    "TOP_PLAYER": c.with_a_top_player,
    "TOP_WOMAN": c.with_a_top_woman,
    "APPEAL_DAYS": c.refusal,
    "INTERIM_REPORTS_AFTER": (c.lasting("INTERIM_REPORTS_AFTER"), -1),
    "LONGEST_TOURNAMENT": (c.lasting("LONGEST_TOURNAMENT"), -1),
    # --- time of play
    "HIGH_BAND": c.minutes_of("MIDDLE_BAND_MINUTES", band="HIGH_BAND"),
    "MIDDLE_BAND": c.minutes_of("LOW_BAND_MINUTES", band="MIDDLE_BAND"),
    "HIGH_BAND_MINUTES": c.minutes_of("HIGH_BAND_MINUTES", band="HIGH_BAND"),
    "MIDDLE_BAND_MINUTES": c.minutes_of("MIDDLE_BAND_MINUTES", band="MIDDLE_BAND"),
    "LOW_BAND_MINUTES": c.minutes_of("LOW_BAND_MINUTES"),
    "FIRST_CONTROL_MOVES": c.first_control,
    "HOURS_PER_DAY": (c.as_many_hours_as_allowed, -1),
    "GAMES_PER_DAY": (c.as_many_games_as_allowed, -1),
    "ROUNDS_PER_DAY": (c.as_many_rounds_as_allowed, -1),
    "MORE_THAN_MINUTES": c.just_more_than("MORE_THAN_MINUTES"),
    "LESS_THAN_MINUTES": c.minutes_of("LESS_THAN_MINUTES"),
    "AT_MOST_MINUTES": (c.minutes_of("AT_MOST_MINUTES"), -1),
    "RAPID_MORE_THAN": c.event_at("RAPID_MORE_THAN", '+1"'),
    "RAPID_LESS_THAN": c.event_at("RAPID_LESS_THAN"),
    "BLITZ_MORE_THAN": c.event_at("BLITZ_MORE_THAN", '+1"'),
    "BLITZ_AT_MOST": (c.event_at("BLITZ_AT_MOST"), -1),
    "BULLET_AT_LEAST": c.event_at("BULLET_AT_LEAST"),
    "BULLET_AT_MOST": (c.event_at("BULLET_AT_MOST"), -1),
    # --- round robins
    "RATED_SHARE": (c.one_third_rated, -1),
    "SMALL_EVENT": c.smallest_event_that_is_not_small,
    "SMALL_EVENT_RATED": c.small_event,
    "DOUBLE_PLAYERS": c.double_round_robin,
    "DOUBLE_RATED": c.double_round_robin,
    "CHAMPIONSHIP_MEN": c.championship,
    "CHAMPIONSHIP_WOMEN": c.womens_championship,
    # --- online
    "REPETITIONS": o.third_time,
    "MOVES_WITHOUT_PROGRESS": o.fifty_moves,
    "MOVES_BEFORE_AGREEMENT": o.agreed_at_once,
    "WRONG_COLOURS_MOVES": o.wrong_colours,
    "COMPLAINT_HOURS": o.validated_at_once,
    "APPEAL_HOURS": o.time_to_appeal,
    "APPEAL_FEE": o.appeal_that_was_paid,
    "REVOCATION_FACTOR": o.payment_that_was_revoked,
    "COMMITTEE_MEMBERS": o.two_votes_of_the_committee,
}
"""Where each number is seen, and where 1 more would not do, by how much it is changed."""

_ELSEWHERE: dict[tuple[str, str], Scenario] = {
    ("uisp", "CLOSING_DAYS"): c.received_on_closing_day,
}
"""Where one regulation uses a number otherwise than the others."""

NOT_SEEN: dict[str, str] = {
    "AMATEUR_RATING": "RIO 14.7f: the lowest category; who falls below it is still an amateur",
    "STABLE_AFTER_K_TOP": "FIDE 2010 12.3: told for information, decides nothing",
    "STABLE_AFTER_K_NORMAL": "FIDE 2010 12.3: told for information, decides nothing",
    "STABLE_AFTER_K_NEW": "FIDE 2010 12.3: told for information, decides nothing",
}
"""Numbers that nothing depends on today, each with the reason."""


def _worlds() -> Iterator[World]:
    for law in registry.REGULATIONS:
        for edition in registry.texts(law):
            yield World(law, edition)


def _cases() -> Iterator[Case]:
    for world in _worlds():
        for name, value in world.edition.values():
            found = _ELSEWHERE.get((world.law, name)) or _SCENARIOS.get(name)
            if found is None:  # named below, or the last test says that it is missing
                continue
            scenario, step = found if isinstance(found, tuple) else (found, 1)
            yield Case(world, name, value, scenario, step)


@cache
def _as_written(scenario: Scenario, world: World) -> object:
    return scenario(world)


@pytest.mark.parametrize(
    "case",
    list(_cases()),
    ids=lambda case: f"{case.world.law} {edition_name(case.world.edition)} {case.name}",
)
def test_a_trial_edition_with_another_number_comes_out_otherwise(case: Case) -> None:
    before = _as_written(case.scenario, case.world)
    with registered(case.trial(), instead_of=case.world.edition):
        assert type(case.world.text()).__name__.startswith("Trial")
        after = case.scenario(case.world)
    assert after != before, f"{case.name} ({case.value.article}) decides nothing"


def test_numbers_that_decide_nothing_are_few_and_exist() -> None:
    every = {name for world in _worlds() for name, _ in world.edition.values()}
    assert len(NOT_SEEN) <= 10
    assert set(NOT_SEEN) <= every
    assert every - set(NOT_SEEN) == set(_SCENARIOS), "a scenario for each number, and no other"
