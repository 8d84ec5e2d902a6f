"""The players as reported: ids, ratings, and those without a rating."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arrocco.findings import Severity
from arrocco.laws.fide.standard_2010 import Fide2012
from arrocco.laws.rating import RatingLaw
from arrocco.laws.rio.edition_2025 import Rio2025
from arrocco.records.report import Birth, GameKind, NationalRecord, System
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


@pytest.mark.parametrize(("law", "rating"), [(FIDE_2024, 1900), (UISP, None)])
def test_a_missing_id_of_a_rated_player_is_a_warning_on_its_line(
    law: RatingLaw, rating: int | None
) -> None:
    made = report(law, (1950, rating))
    made.entries[1].id = None
    finding = the(judge(made, law), "id_missing")
    assert (finding.severity, finding.place.line) == (Severity.WARNING, 12)
    assert finding.details["player"] == "Betulla, Bruno"


def test_rio_14_1_who_plays_is_known_by_a_number() -> None:
    made = report(RIO, (1950, None, 1700), online=True)
    made.entries[1].id = None
    found = judge(made, RIO)
    finding = the(found, "member_unknown")
    assert (finding.severity, finding.place.line) == (Severity.ERROR, 12)
    assert (finding.article, finding.details["player"]) == ("14.1", "Betulla, Bruno")
    assert "id_missing" not in keys(found)
    made.entries[1].national = (NationalRecord("ITA", None, 123_456),)
    assert "member_unknown" in keys(judge(made, RIO)), "the list goes by the other number"


def test_rio_14_1_who_did_not_play_is_only_warned_of() -> None:
    made = report(RIO, (1950, None, 1700), online=True)
    made.entries[1].id = None
    made.games = [
        replace(one, kind=GameKind.FORFEIT) if 2 in (one.white, one.black) else one
        for one in made.games
    ]
    found = judge(made, RIO)
    assert the(found, "id_missing").severity is Severity.WARNING
    assert "member_unknown" not in keys(found)


def test_rio_14_1_membership_can_be_read_as_not_asked() -> None:
    """As lists before the reading had a name were made."""
    made = report(RIO, (1950, None), online=True)
    made.entries[1].id = None
    assert the(judge(made, Rio2025(membership="not_asked")), "id_missing")
    (reading,) = [one for one in Rio2025.READINGS if one.name == "membership"]
    assert (reading.default, reading.before) == ("by_number", "not_asked")


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


@pytest.mark.parametrize("law", [FIDE_2010, FIDE_2024, RAPID, RIO, UISP])
def test_one_number_on_two_entries_is_an_error_under_every_law(law: RatingLaw) -> None:
    made = report(law, (1950, 1900, 1850, 1800))
    assert "id_repeated" not in keys(judge(made, law))
    made.entries[3].id = made.entries[1].id
    assert the(judge(made, law), "id_repeated").severity is Severity.ERROR


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


@pytest.mark.parametrize("law", [FIDE_2024, FIDE_2010, RIO, UISP])
def test_players_without_federation_are_told_once(law: RatingLaw) -> None:
    made = report(law)
    for entry in made.entries:
        entry.federation = "ITA"
    assert "federation_missing" not in keys(judge(made, law))
    made.entries[1].federation = "  "
    finding = the(judge(made, law), "federation_missing")
    assert (finding.severity, finding.details["count"]) == (Severity.WARNING, 1)
    assert finding.place == made.entries[1].place


@pytest.mark.parametrize(
    ("years_before", "told"), [(-1, True), (0, False), (115, False), (116, True)]
)
def test_nobody_is_born_in_1850(years_before: int, told: bool) -> None:
    made = report(FIDE_2024)
    assert made.start is not None
    made.entries[0].birth = Birth(made.start.year - years_before)
    assert ("birth_implausible" in keys(judge(made, FIDE_2024))) is told
