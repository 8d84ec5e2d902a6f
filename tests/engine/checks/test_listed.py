"""The players against the list: who is unknown, who is another, what differs."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from arrocco.engine.checks.listed import MAX_SEARCHED
from arrocco.findings import Severity
from arrocco.laws.rating import RatingLaw
from arrocco.records.report import Birth
from arrocco.units import Rating
from tests.engine.checks.build import (
    FIDE_2010,
    FIDE_2024,
    RAPID,
    RIO,
    UISP,
    entries,
    judge,
    keys,
    list_of,
    objections,
    rating_list,
    report,
    the,
)

DIFFERENCES = set(
    """
    rating_differs rating_stands_in name_differs birth_differs federation_differs sex_differs
    title_differs not_on_list new_to_list
""".split()
)


def test_a_report_that_agrees_with_its_list_says_nothing() -> None:
    made = report(FIDE_2024)
    assert not keys(judge(made, FIDE_2024, list_of(made))) & DIFFERENCES


def test_without_a_list_nothing_is_compared() -> None:
    assert not keys(judge(report(FIDE_2024), FIDE_2024)) & DIFFERENCES


# --- ratings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reported", "listed", "shown"), [(1950, 1951, 1951), (1950, 0, "-"), (None, 1900, 1900)]
)
def test_another_rating_than_the_list_s(
    reported: int | None, listed: int, shown: int | str
) -> None:
    made = report(FIDE_2024, (1950, reported))
    finding = the(judge(made, FIDE_2024, list_of(made, {}, {"rating": listed})), "rating_differs")
    assert (finding.severity, finding.article) == (Severity.WARNING, "8.3.1")
    assert (finding.place.line, finding.details["listed"]) == (12, shown)


def test_the_article_is_the_edition_s() -> None:
    made = report(FIDE_2010)
    found = judge(made, FIDE_2010, list_of(made, {"rating": 1}))
    assert the(found, "rating_differs").article == "8.51"


def test_in_rapid_a_standard_rating_may_stand_in_for_none_but_not_for_another() -> None:
    made = report(RAPID)
    none = judge(made, RAPID, list_of(made, {"rating": 0}))
    assert the(none, "rating_stands_in").severity is Severity.NOTE
    assert the(none, "rating_stands_in").article == "7.2.1"
    assert "rating_differs" not in keys(none)
    other = judge(made, RAPID, list_of(made, {"rating": 1500}))
    assert "rating_differs" in objections(other)


@pytest.mark.parametrize("law", [RIO, UISP], ids=["rio", "uisp"])
def test_a_report_to_rio_or_uisp_may_show_another_body_s_rating(law: RatingLaw) -> None:
    made = report(law)
    assert objections(judge(made, law, list_of(made, {"rating": 1234}))) == set()


# --- persons --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "differs"),
    [
        ("Abete, Anna", False),
        ("ABETE, A.", False),
        ("Abété, Anna", False),
        ("Abeti, Anna", False),
        ("Anna Abete", False),
        ("Abete-Rossi, Anna", False),
        ("Quercia, Anna", True),
        ("Quercia, Ugo", True),
        ("", False),
    ],
)
def test_a_name_quite_unlike_the_list_s(listed: str, differs: bool) -> None:
    made = report(FIDE_2024)
    found = judge(made, FIDE_2024, list_of(made, {"name": listed}))
    assert ("name_differs" in objections(found)) is differs


@pytest.mark.parametrize(
    ("birth", "listed", "differs"),
    [
        (Birth(1987), 19870000, False),
        (Birth(1987), 19880000, True),
        (Birth(1987, 5, 17), 19870000, False),
        (Birth(1987, 5, 17), 19870517, False),
        (Birth(1987, 5, 17), 19870518, True),
        (Birth(1987, 5, 17), 19870617, True),
        (Birth(1987, 5, 17), 19860000, True),
        (None, 19870517, False),
        (Birth(1987), 0, False),
    ],
)
def test_another_birth_than_the_list_s_as_far_as_both_tell(
    birth: Birth | None, listed: int, differs: bool
) -> None:
    made = report(FIDE_2024)
    made.entries[0].birth = birth
    found = judge(made, FIDE_2024, list_of(made, {"birth": listed}))
    assert ("birth_differs" in objections(found)) is differs


@pytest.mark.parametrize(
    ("key", "field", "reported", "listed", "differs"),
    [
        ("federation_differs", "federation", "ITA", "FID", True),
        ("federation_differs", "federation", "ita", "ITA", False),
        ("federation_differs", "federation", "", "ITA", False),
        ("sex_differs", "sex", "m", "F", True),
        ("sex_differs", "sex", "w", "F", False),
        ("sex_differs", "sex", "m", "M", False),
        ("sex_differs", "sex", "m", "", False),
        ("title_differs", "title", "FM", "IM", True),
        ("title_differs", "title", "IM", "IM", False),
        ("title_differs", "title", "IM", "", False),
    ],
)
def test_other_particulars_are_only_noted(
    key: str, field: str, reported: str, listed: str, differs: bool
) -> None:
    made = report(FIDE_2024)
    setattr(made.entries[0], field, reported)
    found = judge(made, FIDE_2024, list_of(made, {field: listed}))
    assert (key in keys(found)) is differs
    if differs:
        assert the(found, key).severity is Severity.NOTE
        assert the(found, key).place.line == 11


# --- unknown players ------------------------------------------------------------------------------


def unknown(
    name: str, player: int, *rows: dict[str, Any], rating: int | None = 1950
) -> tuple[str, Severity, str]:
    """Key, severity and suggestions for a player whom a list of these rows does not have."""
    made = report(FIDE_2024, (rating, 1900))
    made.entries[0].name, made.entries[0].id = name, player
    second = {"id": 99_000_002, "name": "Betulla, Bruno", "rating": 1900}
    found = judge(made, FIDE_2024, rating_list(*rows, second))
    (finding,) = [one for one in found if one.key.startswith(("check.not_on", "check.new_to"))]
    assert finding.place.line == 11
    perhaps = finding.details.get("perhaps", "")
    return finding.key.removeprefix("check."), finding.severity, perhaps


def test_a_rated_player_the_list_does_not_have_is_an_error() -> None:
    assert unknown("Abete, Anna", 99_100_000) == ("not_on_list", Severity.ERROR, "")


def test_an_unrated_player_the_list_does_not_have_is_new() -> None:
    assert unknown("Abete, Anna", 99_100_000, rating=None) == ("new_to_list", Severity.NOTE, "")


@pytest.mark.parametrize("law", [RIO, UISP], ids=["rio", "uisp"])
def test_where_players_enter_with_a_rating_the_unknown_are_new_in_one_note(law: RatingLaw) -> None:
    finding = the(judge(report(law), law, rating_list()), "new_to_list")
    assert finding.severity is Severity.NOTE
    assert finding.details == {
        "count": 2,
        "players": "Abete, Anna 99000001; Betulla, Bruno 99000002",
    }


def test_the_same_name_is_suggested_whatever_its_number() -> None:
    row = {"id": 12_345_678, "name": "Abete, Anna", "federation": "ITA", "birth": 19870000}
    key, severity, perhaps = unknown("ABETE, Anna", 99_100_000, row)
    assert (key, severity) == ("not_on_list_perhaps", Severity.ERROR)
    assert perhaps == "Abete, Anna 12345678 (ITA, 1987)"
    assert unknown("Abete, Anna", 99_100_000, row, rating=None)[0] == "new_to_list_perhaps"


@pytest.mark.parametrize("near", [99_100_001, 9_910_000, 991_000_000, 99_010_000, 89_100_000])
def test_a_number_one_slip_away_is_suggested_if_the_name_is_like(near: int) -> None:
    like = {"id": near, "name": "Abete, A."}
    unlike = {"id": 99_100_009, "name": "Quercia, Ugo"}
    assert unknown("Abete, Anna", 99_100_000, like, unlike)[2] == f"Abete, A. {near}"


def test_another_given_name_of_the_same_surname_is_not_suggested() -> None:
    row = {"id": 12_345_678, "name": "Abete, Ferdinando"}
    assert unknown("Abete, Anna", 99_100_000, row)[0] == "not_on_list"


def test_at_most_three_are_suggested_the_likest_first() -> None:
    names = ["Abete, Annina", "Abete, Anna", "Abete, Annab", "Abete, Annac", "Abete, Annad"]
    rows = [{"id": 12_000_000 + n, "name": name} for n, name in enumerate(names)]
    perhaps = unknown("Abete, Anna", 99_100_000, *rows)[2].split("; ")
    assert perhaps[0] == "Abete, Anna 12000001"
    assert len(perhaps) == 3


def test_the_search_is_bounded_but_everyone_is_named() -> None:
    made = report(FIDE_2024)
    made.entries = entries([1900] * (MAX_SEARCHED + 5))
    rows = [{"id": 1_000_000 + n, "name": entry.name} for n, entry in enumerate(made.entries)]
    found = judge(made, FIDE_2024, rating_list(*rows))
    assert sum(one.key == "check.not_on_list_perhaps" for one in found) == MAX_SEARCHED
    assert sum(one.key == "check.not_on_list" for one in found) == 5


def test_a_player_without_an_id_is_not_looked_for() -> None:
    made = report(FIDE_2024)
    made.entries[0].id = None
    found = judge(made, FIDE_2024, list_of(report(FIDE_2024), on=date(2024, 5, 1)))
    assert not keys(found) & DIFFERENCES


def test_an_empty_list_has_nobody() -> None:
    made = report(FIDE_2024, (1950, 1900))
    made.entries[0].rating = Rating(1950)
    found = judge(made, FIDE_2024, rating_list())
    assert sum(one.key == "check.not_on_list" for one in found) == 2
