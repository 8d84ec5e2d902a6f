"""The players as reported: ids, ratings, and those without a rating."""

from __future__ import annotations

import pytest

from arrocco.findings import Severity
from arrocco.laws.fide.standard_2010 import Fide2012
from arrocco.laws.rating import RatingLaw
from arrocco.report import System
from arrocco.units import Rating
from tests.engine.checks.build import (
    FIDE_2010,
    FIDE_2024,
    RAPID,
    RIO,
    UISP,
    all_play_all,
    control,
    game,
    judge,
    keys,
    report,
    the,
)


@pytest.mark.parametrize(("law", "rating"), [(FIDE_2024, 1900), (UISP, None), (RIO, None)])
def test_a_missing_id_of_a_rated_player_is_a_warning_on_its_line(
    law: RatingLaw, rating: int | None
) -> None:
    made = report(law, (1950, rating))
    made.entries[1].id = None
    finding = the(judge(made, law), "id_missing")
    assert (finding.severity, finding.place.line) == (Severity.WARNING, 12)
    assert finding.details["player"] == "Betulla, Bruno"


def test_unrated_players_without_ids_are_one_note() -> None:
    made = report(FIDE_2024, (1950, None, None, None))
    made.entries[1].id = made.entries[2].id = None
    made.entries[2].name = ""
    found = judge(made, FIDE_2024)
    finding = the(found, "unrated_without_id")
    assert (finding.severity, finding.place.line) == (Severity.NOTE, None)
    assert finding.details == {"count": 2, "players": "Betulla, Bruno; 3"}
    assert "id_missing" not in keys(found)


def test_an_id_given_twice_is_an_error_at_the_second() -> None:
    made = report(FIDE_2024, (1950, 1900, 1850))
    made.entries[2].id = made.entries[0].id
    finding = the(judge(made, FIDE_2024), "id_repeated")
    assert (finding.severity, finding.place.line) == (Severity.ERROR, 13)
    assert (finding.details["other"], finding.details["other_number"]) == ("Abete, Anna", 1)


def test_two_players_without_ids_are_not_the_same() -> None:
    made = report(FIDE_2024)
    for entry in made.entries:
        entry.id = None
    assert "id_repeated" not in keys(judge(made, FIDE_2024))


def test_a_player_without_a_name_is_told_by_the_number() -> None:
    made = report(FIDE_2024)
    for entry in made.entries:
        entry.name, entry.id = "", 99_000_001
    finding = the(judge(made, FIDE_2024), "id_repeated")
    assert (finding.details["player"], finding.details["other"]) == ("-", "1")


@pytest.mark.parametrize(
    ("law", "rating", "key", "article"),
    [
        (FIDE_2024, 3000, None, ""),
        (FIDE_2024, 3001, "rating_too_high", ""),
        (FIDE_2024, 1400, None, ""),
        (FIDE_2024, 1399, "rating_below_floor", "7.1.2"),
        (FIDE_2010, 1200, None, ""),
        (FIDE_2010, 1199, "rating_below_floor", "0.6"),
        (RAPID, 1399, "rating_below_floor", "6.1.2"),
        (RIO, 999, None, ""),
        (UISP, 3001, "rating_too_high", ""),
    ],
)
def test_ratings_nobody_has(law: RatingLaw, rating: int, key: str | None, article: str) -> None:
    made = report(law, (1950, 1900, rating))
    found = judge(made, law)
    assert keys(found) & {"rating_too_high", "rating_below_floor"} == ({key} if key else set())
    if key is not None:
        finding = the(found, key)
        assert (finding.severity, finding.article) == (Severity.WARNING, article)
        assert finding.place.line == 13


def test_the_floor_is_the_edition_s() -> None:
    made = report(FIDE_2010, (1950, 1199))
    assert "rating_below_floor" not in keys(judge(made, Fide2012()))


# --- the unrated ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("score", "ignored"), [(0, True), (1, False)])
def test_8_2_1_nothing_against_rated_opponents_is_ignored_in_a_first_event(
    score: int, ignored: bool
) -> None:
    made = report(FIDE_2024, (1950, None, None), games=[game(1, 2, 1, score), game(1, 2, 3, 2)])
    found = judge(made, FIDE_2024)
    finding = the(found, "first_ratings")
    assert (finding.severity, finding.article) == (Severity.NOTE, "7.1.4")
    assert finding.details == {"count": 1, "players": "Betulla, Bruno"}
    assert ("first_event_ignored" in keys(found)) is ignored
    if ignored:
        assert the(found, "first_event_ignored").article == "8.2.1"


def test_games_among_the_unrated_lead_to_no_rating() -> None:
    found = judge(report(FIDE_2024, (None, None)), FIDE_2024)
    assert not keys(found) & {"first_ratings", "first_event_ignored"}


def test_games_too_fast_lead_to_no_rating() -> None:
    made = report(FIDE_2024, (2400, None))
    made.time_control = None
    assert "first_ratings" in keys(judge(made, FIDE_2024))
    made.time_control = control("60'")
    assert "first_ratings" not in keys(judge(made, FIDE_2024))


@pytest.mark.parametrize(
    ("scores", "ignored"), [((1, 1, 0), False), ((1, 0, 0), True), ((2, 2), True)]
)
def test_2010_8_21_one_point_and_three_rated_opponents(
    scores: tuple[int, ...], ignored: bool
) -> None:
    made = report(FIDE_2010, (1700, 1700, 1700, None))
    made.games = [game(n, 4, n, score) for n, score in enumerate(scores, start=1)]
    found = judge(made, FIDE_2010)
    assert ("first_event_ignored" in keys(found)) is ignored
    if ignored:
        assert the(found, "first_event_ignored").article == "8.21"


@pytest.mark.parametrize("played", [True, False])
def test_2010_8_21b_in_a_round_robin_points_against_everyone_count(played: bool) -> None:
    # Against the four rated the last player has nothing, against the other unrated one a win.
    made = report(FIDE_2010, (1700, 1700, 1700, 1700, None, None), system=System.ROUND_ROBIN)
    games = [
        game(g.round, g.white, g.black, 0 if {g.white, g.black} == {5, 6} else 2)
        for g in all_play_all(6)
    ]
    made.games = games if played else games[1:]
    found = judge(made, FIDE_2010)
    ignored = the(found, "first_event_ignored").details["players"]
    assert ignored == ("Edera, Elsa" if played else "Edera, Elsa; Faggio, Fabio")


@pytest.mark.parametrize("law", [RIO, UISP], ids=["rio", "uisp"])
def test_where_everyone_has_a_rating_nobody_is_unrated(law: RatingLaw) -> None:
    made = report(law, (1950, None))
    made.entries[0].rating = Rating(1950)
    assert not keys(judge(made, law)) & {"first_ratings", "first_event_ignored"}
