"""Which law is in force on which day: no gap is filled, no day has two laws."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import groupby

import pytest

from arrocco.dates import Interval
from arrocco.errors import Illegal, NoLawInForce, Refusal
from arrocco.laws import registry
from arrocco.laws.edition import Edition, edition_name
from arrocco.laws.rating import RatingLaw

FIRST, LAST = date(2009, 1, 1), date(2030, 12, 31)
DAYS = [FIRST + timedelta(days=n) for n in range((LAST - FIRST).days + 1)]


def _name_in_force(law: str, day: date) -> str | None:
    try:
        return edition_name(registry.edition_in_force(law, day))
    except NoLawInForce:
        return None


@pytest.mark.parametrize("law", registry.LAWS)
def test_no_day_has_two_editions_and_what_is_in_force_is_what_contains_the_day(law: str) -> None:
    editions = registry.editions(law)
    assert editions
    for day in DAYS:
        containing = [edition_name(edition) for edition in editions if day in edition.in_force]
        name = _name_in_force(law, day)
        assert containing == ([] if name is None else [name]), day


@pytest.mark.parametrize("law", registry.LAWS)
def test_editions_stand_oldest_first_and_belong_to_their_law(law: str) -> None:
    editions = registry.editions(law)
    starts = [edition.in_force.start for edition in editions]
    assert all(edition.law == law for edition in editions)
    assert all(issubclass(edition, RatingLaw) for edition in editions)
    if len(starts) > 1:
        dated = [start for start in starts if start is not None]
        assert dated == starts
        assert dated == sorted(set(dated))


@pytest.mark.parametrize(
    ("law", "stretches"),
    [
        (
            "fide",
            [
                (None, "2009-01-01", "2011-06-30"),
                ("2011-07-01", "2011-07-01", "2012-06-30"),
                ("2012-07-01", "2012-07-01", "2014-06-30"),
                (None, "2014-07-01", "2021-12-31"),
                ("2022-01-01", "2022-01-01", "2023-12-24"),
                ("2023-12-25", "2023-12-25", "2024-02-29"),
                ("2024-03-01", "2024-03-01", "2025-09-30"),
                ("2025-10-01", "2025-10-01", "2030-12-31"),
            ],
        ),
        *(
            (
                law,
                [
                    (None, "2009-01-01", "2021-12-31"),
                    ("2022-01-01", "2022-01-01", "2022-09-30"),
                    ("2022-10-01", "2022-10-01", "2024-02-29"),
                    ("2024-03-01", "2024-03-01", "2024-11-30"),
                    ("2024-12-01", "2024-12-01", "2030-12-31"),
                ],
            )
            for law in ("fide-rapid", "fide-blitz")
        ),
        ("rio", [(None, "2009-01-01", "2025-04-11"), ("2025-04-12", "2025-04-12", "2030-12-31")]),
        ("uisp", [("undated", "2009-01-01", "2030-12-31")]),
    ],
)
def test_every_day_of_22_years_has_the_edition_that_was_in_force(
    law: str, stretches: list[tuple[str | None, str, str]]
) -> None:
    found = []
    for name, group in groupby(DAYS, key=lambda day: _name_in_force(law, day)):
        days = list(group)
        found.append((name, days[0].isoformat(), days[-1].isoformat()))
    assert found == stretches


def test_the_sweep_leaves_no_law_out() -> None:
    assert set(registry.LAWS) == {"fide", "fide-rapid", "fide-blitz", "rio", "uisp"}
    assert set(registry.REGULATIONS) == {*registry.LAWS, "online"}


class TestADayOutsideEveryEdition:
    def test_is_refused_naming_the_neighbours(self) -> None:
        with pytest.raises(NoLawInForce) as refused:
            registry.edition_in_force("fide", date(2020, 1, 1))
        assert "fide" in refused.value.message
        assert "2020-01-01" in refused.value.message
        nearest = refused.value.advice.partition("; all editions")[0]
        assert "2012-07-01 (" in nearest
        assert "2022-01-01 (" in nearest
        assert "2011-07-01 (" not in nearest
        assert "2025-10-01 (" not in nearest

    def test_lists_all_editions_there_are(self) -> None:
        with pytest.raises(NoLawInForce) as refused:
            registry.edition_in_force("fide", date(2020, 1, 1))
        for edition in registry.editions("fide"):
            assert edition_name(edition) in refused.value.advice

    def test_on_the_very_day_an_edition_ended_it_is_still_the_nearest(self) -> None:
        nearest = registry.nearest_editions("fide", date(2014, 7, 1))
        assert [edition_name(edition) for edition in nearest] == ["2012-07-01", "2022-01-01"]

    def test_before_the_first_names_the_first(self) -> None:
        assert [edition_name(e) for e in registry.nearest_editions("rio", date(2000, 1, 1))] == [
            "2025-04-12"
        ]

    def test_the_refusal_is_a_lookup_error_too(self) -> None:
        with pytest.raises(LookupError):
            registry.edition_in_force("rio", date(2000, 1, 1))


def test_no_edition_is_missing_the_day_before_and_present_on_its_first() -> None:
    for law in registry.LAWS:
        for edition in registry.editions(law):
            start, end = edition.in_force.start, edition.in_force.end
            if start is not None:
                assert registry.edition_in_force(law, start) is edition
                assert _name_in_force(law, start - timedelta(days=1)) != edition_name(edition)
            if end is not None:
                assert registry.edition_in_force(law, end - timedelta(days=1)) is edition
                assert _name_in_force(law, end) != edition_name(edition)


def test_an_unknown_law_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(Illegal) as refused:
        registry.editions("fida")
    assert "'fida'" in refused.value.message
    for law in registry.LAWS:
        assert law in refused.value.advice


class TestAnEditionByName:
    def test_is_found_by_its_first_day(self) -> None:
        for law in registry.LAWS:
            for edition in registry.editions(law):
                assert registry.edition_named(law, edition_name(edition)) is edition

    @pytest.mark.parametrize("name", ["2024-03-02", "2024", "", "undated"])
    def test_is_refused_on_any_other_day(self, name: str) -> None:
        with pytest.raises(Refusal) as refused:
            registry.edition_named("fide", name)
        assert "2024-03-01" in refused.value.advice


class TestEditionsThatOverlap:
    @staticmethod
    def _edition(start: date | None, end: date | None) -> type[Edition]:
        return type("Invented", (Edition,), {"law": "invented", "in_force": Interval(start, end)})

    @pytest.mark.parametrize(
        ("earlier_end", "later_start"),
        [
            (date(2020, 1, 2), date(2020, 1, 1)),  # one day twice
            (date(2020, 1, 1), None),  # the later has always been
        ],
    )
    def test_are_found_out(self, earlier_end: date | None, later_start: date | None) -> None:
        earlier = self._edition(date(2019, 1, 1), earlier_end)
        later = self._edition(later_start, date(2021, 1, 1))
        with pytest.raises(AssertionError, match="overlap"):
            registry._in_sequence("invented", (earlier, later))

    def test_one_without_an_end_holds_until_the_next(self) -> None:
        newest = self._edition(date(2019, 1, 1), None)
        coming = self._edition(date(2020, 1, 1), None)
        assert registry._in_sequence("invented", (coming, newest)) == (newest, coming)
        assert newest.in_force == Interval(date(2019, 1, 1), date(2020, 1, 1))
        assert coming.in_force.end is None

    def test_may_touch_or_leave_a_gap(self) -> None:
        first = self._edition(date(2019, 1, 1), date(2020, 1, 1))
        for start in (date(2020, 1, 1), date(2022, 1, 1)):
            registry._in_sequence("invented", (first, self._edition(start, None)))


class TestARegulationThatRatesNoGames:
    def test_is_read_like_any_other(self) -> None:
        edition = registry.text_in_force("online", date(2025, 4, 12))
        assert edition_name(edition) == "2025-04-12"
        assert registry.text_named("online", "2025-04-12") is edition

    def test_rates_nothing(self) -> None:
        with pytest.raises(Illegal):
            registry.edition_in_force("online", date(2025, 4, 12))

    def test_is_refused_before_its_day(self) -> None:
        with pytest.raises(NoLawInForce, match="2025-04-11"):
            registry.text_in_force("online", date(2025, 4, 11))
