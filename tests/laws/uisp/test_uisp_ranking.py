"""UISP, part I: periods, receipt, late lists, entry ratings."""

from datetime import date

import pytest

from arrocco.laws.publications import Publications
from arrocco.laws.rating import Exclusion
from arrocco.laws.registry import edition_in_force
from arrocco.laws.uisp.edition_undated import Uisp
from arrocco.records.report import GameKind

UISP = Uisp()


@pytest.mark.parametrize(
    ("day", "this", "following", "before"),
    [
        (date(2025, 1, 1), date(2025, 1, 1), date(2025, 4, 1), date(2024, 10, 1)),
        (date(2025, 3, 31), date(2025, 1, 1), date(2025, 4, 1), date(2024, 10, 1)),
        (date(2025, 4, 1), date(2025, 4, 1), date(2025, 7, 1), date(2025, 1, 1)),
        (date(2025, 6, 30), date(2025, 4, 1), date(2025, 7, 1), date(2025, 1, 1)),
        (date(2025, 7, 1), date(2025, 7, 1), date(2025, 10, 1), date(2025, 4, 1)),
        (date(2025, 9, 30), date(2025, 7, 1), date(2025, 10, 1), date(2025, 4, 1)),
        (date(2025, 10, 1), date(2025, 10, 1), date(2026, 1, 1), date(2025, 7, 1)),
        (date(2025, 12, 31), date(2025, 10, 1), date(2026, 1, 1), date(2025, 7, 1)),
    ],
)
def test_I_2_a_ranking_for_every_quarter(
    day: date, this: date, following: date, before: date
) -> None:
    assert UISP.list_in_force(day) == this
    assert UISP.next_list(day) == following
    assert UISP.previous_list(day) == before


@pytest.mark.parametrize(
    ("emission", "in_time"),
    [
        (date(2025, 4, 1), True),
        (date(2025, 4, 10), True),
        (date(2025, 4, 11), False),
        (date(2025, 6, 30), False),
        (date(2025, 7, 1), True),
    ],
)
def test_I_2_a_ranking_appears_in_the_first_10_days(emission: date, in_time: bool) -> None:
    assert UISP.emission_is_in_time(emission) is in_time
    assert UISP.emission_is_in_time(emission, date(2025, 4, 1)) is (emission <= date(2025, 4, 10))


RECEIPTS = [
    # received, emissions known, the ranking that counts it
    (date(2025, 3, 22), [], date(2025, 4, 1)),
    (date(2025, 3, 23), [], date(2025, 7, 1)),
    (date(2025, 4, 1), [], date(2025, 7, 1)),
    (date(2025, 12, 22), [], date(2026, 1, 1)),
    (date(2025, 12, 23), [], date(2026, 4, 1)),
    (date(2025, 3, 28), [date(2025, 4, 7)], date(2025, 4, 7)),
    (date(2025, 3, 29), [date(2025, 4, 7)], date(2025, 7, 1)),
    (date(2025, 3, 29), [date(2025, 4, 7), date(2025, 7, 9)], date(2025, 7, 9)),
    (date(2025, 6, 29), [date(2025, 4, 7), date(2025, 7, 9)], date(2025, 7, 9)),
    (date(2025, 6, 30), [date(2025, 4, 7), date(2025, 7, 9)], date(2025, 10, 1)),
    (date(2025, 3, 1), [date(2025, 1, 5)], date(2025, 4, 1)),
    # the list of April came out in late May: it counts what was received ten days before that
    (date(2025, 5, 10), [date(2025, 1, 5), date(2025, 5, 20)], date(2025, 5, 20)),
    (date(2025, 5, 11), [date(2025, 1, 5), date(2025, 5, 20)], date(2025, 7, 1)),
]


@pytest.mark.parametrize(("received", "emissions", "counted_on"), RECEIPTS)
def test_I_2_receipt_by_the_tenth_day_before_the_ranking(
    received: date, emissions: list[date], counted_on: date
) -> None:
    assert UISP.period_of_receipt(received, Publications(emissions)) == counted_on


def test_I_2_without_emissions_the_nominal_dates_hold() -> None:
    assert UISP.closing_date(date(2025, 4, 1)) == date(2025, 3, 22)
    assert UISP.period_of_receipt(date(2025, 3, 22)) == date(2025, 4, 1)
    assert UISP.period_of_receipt(date(2025, 3, 23)) == date(2025, 7, 1)


def test_I_3_ratings_are_fixed_for_the_period() -> None:
    assert UISP.ratings_are_fixed_in_period()


@pytest.mark.parametrize(
    ("start", "in_force"),
    [
        (date(2025, 1, 4), None),
        (date(2025, 1, 5), date(2025, 1, 5)),
        (date(2025, 4, 1), date(2025, 1, 5)),
        (date(2025, 4, 19), date(2025, 1, 5)),
        (date(2025, 4, 20), date(2025, 4, 20)),
        (date(2025, 12, 31), date(2025, 4, 20)),
    ],
)
def test_I_4_a_late_ranking_leaves_the_one_before_in_force(
    start: date, in_force: date | None
) -> None:
    lists = Publications([date(2025, 1, 5), date(2025, 4, 20)])
    assert UISP.list_published_by(start, lists) == in_force


@pytest.mark.parametrize(
    ("reading", "used"),
    [("at_start", date(2025, 1, 1)), ("of_period", date(2025, 4, 1))],
)
def test_I_4_a_tournament_received_late_uses_the_ratings_of_its_start(
    reading: str, used: date
) -> None:
    law = Uisp(late_tournaments=reading)
    counted_on = law.period_of_receipt(date(2025, 3, 30))
    assert counted_on == date(2025, 7, 1)
    assert law.ratings_used(date(2025, 3, 20), counted_on) == used
    published = Publications([date(2025, 1, 7), date(2025, 4, 9)])
    days_late = {date(2025, 1, 1): date(2025, 1, 7), date(2025, 4, 1): date(2025, 4, 9)}
    assert law.ratings_used(date(2025, 3, 20), counted_on, published) == days_late[used]


ENTRIES = [
    (
        {"fide": 1900, "fsi": 1850, "fide-rapid": 1800, "fsi-rapid": 1750, "fide-blitz": 1700},
        1900,
        "fide",
    ),
    (
        {"fide": None, "fsi": 1850, "fide-rapid": 1800, "fsi-rapid": 1750, "fide-blitz": 1700},
        1850,
        "fsi",
    ),
    ({"fide-rapid": 1800, "fsi-rapid": 1750, "fide-blitz": 1700}, 1800, "fide-rapid"),
    ({"fsi-rapid": 1750, "fide-blitz": 1700}, 1750, "fsi-rapid"),
    ({"fide-blitz": 1700}, 1700, "fide-blitz"),
    ({"fsi-blitz": 1650}, 1440, "none"),
    ({}, 1440, "none"),
]


@pytest.mark.parametrize(("held", "rating", "source"), ENTRIES)
def test_I_5_entry_rating_in_the_order_of_the_text(
    held: dict[str, int | None], rating: int, source: str
) -> None:
    assert UISP.entry_rating(held) == (rating, source)


def test_I_5_without_lists() -> None:
    assert UISP.entry_rating_without_lists() == (1440, "none")


def test_I_6_unplayed_games_do_not_count() -> None:
    assert [kind for kind in GameKind if UISP.is_played(kind)] == [GameKind.PLAYED]
    assert UISP.exclusion_article(Exclusion.UNPLAYED) == "I.6"


@pytest.mark.parametrize("day", [date(1990, 1, 1), date(2025, 1, 1), date(9998, 12, 31)])
def test_the_undated_text_is_in_force_on_every_day(day: date) -> None:
    assert edition_in_force("uisp", day) is Uisp
    assert UISP.edition == "undated"
