"""Online and hybrid events, round robins, matches, and games that do not count."""

from __future__ import annotations

import pytest

from arrocco.findings import Severity
from arrocco.laws.rating import RatingLaw
from arrocco.records.report import GameKind, System
from tests.engine.checks.build import (
    BLITZ,
    FIDE_2010,
    FIDE_2024,
    RAPID,
    RAPID_BEFORE_DECEMBER,
    RIO,
    UISP,
    all_play_all,
    game,
    judge,
    keys,
    objections,
    report,
    the,
)

# --- where it was played --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("law", "online", "key", "article"),
    [
        (RIO, False, "not_online", "14.1"),
        (RIO, True, None, ""),
        (FIDE_2024, True, "online_not_rated", "2.1"),
        (FIDE_2024, False, None, ""),
        (FIDE_2010, True, "online_not_rated", "2.1"),
        (RAPID, True, "online_not_rated", "2.1"),
        (BLITZ, True, "online_not_rated", "2.1"),
        (UISP, True, None, ""),
        (UISP, False, None, ""),
    ],
)
def test_a_law_rates_the_games_it_is_for(
    law: RatingLaw, online: bool, key: str | None, article: str
) -> None:
    found = judge(report(law, online=online), law)
    assert objections(found) == ({key} if key else set())
    if key is not None:
        severity = Severity.ERROR
        assert (the(found, key).severity, the(found, key).article) == (severity, article)


@pytest.mark.parametrize(
    ("law", "articles"),
    [(FIDE_2024, ["0.2", "9.4"]), (RAPID, ["0.2", "8.4"]), (FIDE_2010, []), (UISP, [])],
)
def test_a_hybrid_event_needs_approval_and_its_games(law: RatingLaw, articles: list[str]) -> None:
    found = judge(report(law, hybrid=True), law)
    hybrid = [one.article for one in found if one.key.startswith("check.hybrid")]
    assert hybrid == articles
    assert len(objections(found)) == len(articles)
    assert not keys(judge(report(law), law)) & {"hybrid_approval", "hybrid_games_file"}


# --- round robins of the 2010 text ----------------------------------------------------------------


def rated_of(players: int, rated: int) -> list[int | None]:
    return [1700] * rated + [None] * (players - rated)


@pytest.mark.parametrize(
    ("players", "rated", "refusal", "article"),
    [
        (10, 4, None, ""),
        (10, 3, "under_one_third_rated", "6.3"),
        (12, 4, None, ""),
        (12, 3, "under_one_third_rated", "6.3"),
        (9, 4, None, ""),
        (9, 3, "under_four_rated", "6.31"),
    ],
)
def test_2010_6_3_enough_rated_players(
    players: int, rated: int, refusal: str | None, article: str
) -> None:
    made = report(FIDE_2010, rated_of(players, rated), system=System.ROUND_ROBIN)
    made.games = all_play_all(players)
    found = judge(made, FIDE_2010)
    assert objections(found) == ({f"round_robin.{refusal}"} if refusal else set())
    if refusal is not None:
        finding = the(found, f"round_robin.{refusal}")
        assert (finding.severity, finding.article) == (Severity.ERROR, article)
        assert (finding.details["players"], finding.details["rated"]) == (players, rated)
        assert finding.details["needed"] in dict(FIDE_2010.values()).values()


@pytest.mark.parametrize(
    ("players", "rated", "refusal"),
    [
        (6, 4, None),
        (6, 3, "double_under_four_rated"),
        (5, 4, "double_under_six_players"),
        (5, 5, None),
    ],
)
def test_2010_6_32_double_round_robins(players: int, rated: int, refusal: str | None) -> None:
    made = report(FIDE_2010, rated_of(players, rated), system=System.DOUBLE_ROUND_ROBIN)
    made.games = all_play_all(players, 2)
    found = judge(made, FIDE_2010)
    assert objections(found) == ({f"round_robin.{refusal}"} if refusal else set())


@pytest.mark.parametrize(
    ("rated", "women", "women_only", "refusal"),
    [
        (3, 0, False, None),
        (2, 0, False, "championship_under_three_rated"),
        (3, 1, False, "championship_under_three_rated"),
        (2, 2, True, None),
        (1, 1, True, "womens_championship_under_two_rated"),
    ],
)
def test_2010_6_33_national_championships(
    rated: int, women: int, women_only: bool, refusal: str | None
) -> None:
    made = report(
        FIDE_2010,
        rated_of(10, rated),
        system=System.ROUND_ROBIN,
        national_championship=True,
        women_only=women_only,
    )
    made.games = all_play_all(10)
    for entry in made.entries[:women]:
        entry.sex = "w"
    found = judge(made, FIDE_2010)
    assert objections(found) == ({f"round_robin.{refusal}"} if refusal else set())
    if refusal is not None:
        assert the(found, f"round_robin.{refusal}").article == "6.33"


@pytest.mark.parametrize("law", [FIDE_2024, UISP], ids=["2024", "uisp"])
def test_later_texts_ask_nothing_of_a_round_robin(law: RatingLaw) -> None:
    made = report(law, rated_of(9, 1), system=System.ROUND_ROBIN)
    assert objections(judge(made, law)) == set()


def test_2010_6_3_asks_nothing_of_a_swiss() -> None:
    made = report(FIDE_2010, rated_of(9, 1), system=System.SWISS)
    assert objections(judge(made, FIDE_2010)) == set()


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_2010_6_43_a_round_robin_with_unplayed_games_is_a_swiss(missing: int) -> None:
    made = report(FIDE_2010, rated_of(6, 6), system=System.ROUND_ROBIN)
    games = all_play_all(6)
    # One game is lost by forfeit, a second one was never paired.
    if missing:
        games[0] = game(1, 1, 2, 2, GameKind.FORFEIT)
    made.games = games[: len(games) - (missing > 1)]
    found = judge(made, FIDE_2010)
    assert ("rated_as_swiss" in keys(found)) is (missing > 0)
    if missing:
        finding = the(found, "rated_as_swiss")
        assert (finding.severity, finding.article) == (Severity.NOTE, "6.43")
        assert finding.details == {"missing": missing}


@pytest.mark.parametrize("played", ["all", "one forfeited", "one never paired"])
def test_2010_6_43_as_a_swiss_it_is_free_of_6_3(played: str) -> None:
    """One rated player of six: too few for a round robin, nothing to say of a Swiss."""
    made = report(FIDE_2010, rated_of(6, 1), system=System.ROUND_ROBIN)
    made.games = all_play_all(6)
    if played == "one forfeited":
        made.games[0] = game(1, 1, 2, 2, GameKind.FORFEIT)
    elif played == "one never paired":
        del made.games[0]
    found = judge(made, FIDE_2010)
    refused = {key for key in keys(found) if key.startswith("round_robin.")}
    assert bool(refused) is (played == "all")
    assert ("rated_as_swiss" in keys(found)) is (played != "all")


# --- matches --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("law", "article"), [(FIDE_2024, "6.1"), (FIDE_2010, "6.6"), (RAPID, "5.1")]
)
@pytest.mark.parametrize("rating", [1900, None])
def test_a_match_with_an_unrated_player(law: RatingLaw, article: str, rating: int | None) -> None:
    found = judge(report(law, (1950, rating), system=System.MATCH, match_games=1), law)
    assert ("match_unrated" in keys(found)) is (rating is None)
    if rating is None:
        finding = the(found, "match_unrated")
        assert (finding.severity, finding.article) == (Severity.ERROR, article)
        assert finding.details["players"] == "Betulla, Bruno -"


def test_outside_matches_an_unrated_player_is_welcome() -> None:
    assert "match_unrated" not in keys(judge(report(FIDE_2024, (1950, None)), FIDE_2024))


@pytest.mark.parametrize(
    ("law", "article"), [(FIDE_2024, "6.2"), (FIDE_2010, "6.5"), (RAPID, "5.2")]
)
@pytest.mark.parametrize(("games", "after"), [(3, 0), (4, 1)])
def test_games_after_a_match_is_decided(
    law: RatingLaw, article: str, games: int, after: int
) -> None:
    # Over four games three wins in a row decide; the fourth game comes too late.
    made = report(law, system=System.MATCH, match_games=4, rounds=games)
    made.games = [game(round_, 1, 2, 2) for round_ in range(1, games + 1)]
    found = judge(made, law)
    assert ("match_decided" in keys(found)) is (after > 0)
    if after:
        finding = the(found, "match_decided")
        assert (finding.severity, finding.article) == (Severity.WARNING, article)
        assert (finding.details["count"], finding.details["length"]) == (1, 4)
        assert finding.details["games"].startswith("4. Abete")


@pytest.mark.parametrize(("law", "told"), [(FIDE_2024, False), (FIDE_2010, True)])
def test_a_waiver_holds_where_the_text_has_one(law: RatingLaw, told: bool) -> None:
    made = report(law, system=System.MATCH, match_games=4, match_waiver=True)
    made.games = [game(round_, 1, 2, 2) for round_ in range(1, 5)]
    assert ("match_decided" in keys(judge(made, law))) is told


# --- games that do not count ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("law", "article"),
    [
        (FIDE_2024, "5.1"),
        (FIDE_2010, "5.1"),
        (RAPID, "4.1"),
        (RIO, "Premessa (FIDE 5.1)"),
        (UISP, "I.6"),
    ],
)
def test_unplayed_games_are_counted(law: RatingLaw, article: str) -> None:
    assert "unplayed" not in keys(judge(report(law), law))
    made = report(law)
    made.games += [
        game(2, 1, 2, 2, GameKind.FORFEIT),
        game(3, 1, 2, 0, GameKind.FORFEIT),
        game(4, 1, 2, 1, GameKind.SHORT),
    ]
    finding = the(judge(made, law), "unplayed")
    assert (finding.severity, finding.article) == (Severity.NOTE, article)
    assert finding.details == {"count": 3, "forfeits": 2, "short": 1}


@pytest.mark.parametrize(
    ("law", "ratings", "told"),
    [
        (RAPID, (2601, 2001), True),
        (RAPID, (2601, 2002), False),
        (RAPID, (2600, 2000), False),
        (RAPID, (2601, None), False),
        (RAPID_BEFORE_DECEMBER, (2601, 2001), False),
        (FIDE_2024, (2601, 2001), False),
    ],
)
def test_ratings_too_far_apart(law: RatingLaw, ratings: tuple[int | None, ...], told: bool) -> None:
    found = judge(report(law, ratings), law)
    assert ("rating_gap" in keys(found)) is told
    if told:
        finding = the(found, "rating_gap")
        assert (finding.severity, finding.article) == (Severity.NOTE, "7.3.1")
        assert finding.details["count"] == 1
