"""How an address asks for the rows of a list, by the law of that list."""

from __future__ import annotations

from datetime import date

import pytest

from arrocco.web.pages.public_asking import asked_for

FIDE_2010, FIDE_2024 = date(2012, 3, 1), date(2024, 5, 1)
NO_LAW = date(2018, 1, 1)


@pytest.mark.parametrize(
    ("on", "left_out"), [(FIDE_2010, True), (FIDE_2024, False), (NO_LAW, False)]
)
def test_7_24_the_top_players_are_without_the_long_inactive(on: date, left_out: bool) -> None:
    assert asked_for({"top": "10"}, "fide", on).filters.top_only is left_out
    assert asked_for({}, "fide", on).filters.top_only is False


@pytest.mark.parametrize(
    ("on", "left_out"), [(FIDE_2010, True), (FIDE_2024, False), (NO_LAW, False)]
)
def test_7_23b_the_list_of_a_federation_has_only_the_active(on: date, left_out: bool) -> None:
    assert asked_for({"federation": "ITA"}, "fide", on).filters.active_only is left_out
    assert asked_for({}, "fide", on).filters.active_only is False


def test_a_list_that_is_only_asked_about_newcomers_has_no_law() -> None:
    assert asked_for({"top": "10"}, "fsi", FIDE_2010).filters.top_only is False
