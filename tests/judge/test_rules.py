"""One small case for each rule the judge knows, with the figure worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction

import pytest

from .build import against_all, event
from .coefficient import coefficient_2010, coefficient_2024, is_junior
from .italian import entry_rating, rio_band, rio_category, uisp_coefficient
from .judge import judge_period
from .records import JPlayer, JPlayerResult, JPoolResult, JResult, JTournament, Verdict, month_index
from .tables import (
    DP_DOWNWARDS,
    HIGHER_PERCENT,
    LAST_DIFFERENCES,
    dp_of,
    expected_score,
    half_away_from_zero,
    half_up,
    tenths_half_down,
)

MAY, JUNE = date(2024, 5, 1), date(2024, 6, 1)
JULY_2011, SEPTEMBER_2011 = date(2011, 7, 5), date(2011, 9, 1)


def june(
    players: list[JPlayer],
    *tournaments: JTournament,
    law: str = "fide_standard",
    edition: str = "2024-03-01",
    list_date: date = JUNE,
    readings: dict[str, str] | None = None,
) -> JResult:
    return judge_period(
        law, edition, readings or {}, list_date, {p.id: p for p in players}, list(tournaments)
    )


def rated(id_: int, rating: int, **state: object) -> JPlayer:
    return replace(JPlayer(id_, rating, games_total=50), **state)  # type: ignore[arg-type]


def verdicts(result: JResult, player: int) -> list[Verdict]:
    return [side.verdict for side in result.sides if side.player == player]


# --- tables and roundings -------------------------------------------------------------------------


def test_tables_have_every_row_and_mirror_each_other() -> None:
    assert len(LAST_DIFFERENCES) == 50
    assert len(DP_DOWNWARDS) == 101
    assert all(dp_of(p) == -dp_of(100 - p) for p in range(101))
    assert all(HIGHER_PERCENT[dp_of(p)] == p for p in range(50, 100))
    assert [HIGHER_PERCENT[d] for d in (0, 3, 4, 391, 392, 411, 412, 735, 736)] == [
        50,
        50,
        51,
        91,
        92,
        92,
        93,
        99,
        100,
    ]


def test_differences_are_cut_on_both_sides() -> None:
    assert expected_score(2500, 2000, 400) == (400, Fraction("0.92"))
    assert expected_score(2000, 2500, 400) == (-400, Fraction("0.08"))
    assert expected_score(1000, 2000, 735) == (-735, Fraction("0.01"))
    assert expected_score(2800, 2000, None) == (800, Fraction(1))


@pytest.mark.parametrize(
    ("value", "up", "away"),
    [("2.5", 3, 3), ("-2.5", -2, -3), ("-0.5", 0, -1), ("0.49", 0, 0), ("-2.51", -3, -3)],
)
def test_roundings(value: str, up: int, away: int) -> None:
    assert (half_up(Fraction(value)), half_away_from_zero(Fraction(value))) == (up, away)


@pytest.mark.parametrize(
    ("value", "tenths"), [("2.50", "2.5"), ("2.51", "2.5"), ("2.55", "2.5"), ("2.56", "2.6")]
)
def test_pa_falls_up_to_five_hundredths(value: str, tenths: str) -> None:
    assert tenths_half_down(Fraction(value)) == Fraction(tenths)


# --- 2024: K, 700, rounding -----------------------------------------------------------------------


def test_8_3_3_order_of_the_k_lines() -> None:
    junior = JPlayer(1, 2000, birth=date(2010, 1, 1), games_total=99)
    cases = [
        (replace(junior, ever_2400=True, games_total=3), 10),
        (junior, 40),
        (replace(junior, ever_2300=True), 20),
        (replace(junior, ever_2300=True, games_total=29), 40),
        (JPlayer(1, 2000, games_total=29), 40),
        (JPlayer(1, 2000, games_total=30), 20),
    ]
    assert [coefficient_2024(player, JUNE, "birthday") for player, _ in cases] == [
        k for _, k in cases
    ]


def test_8_56_order_of_the_k_lines() -> None:
    players = [JPlayer(1, 2450, games_total=5, ever_2400=True), JPlayer(1, 2000, games_total=29)]
    players.append(JPlayer(1, 2000, games_total=30, birth=date(2000, 1, 1)))
    assert [coefficient_2010(player) for player in players] == [10, 30, 15]


@pytest.mark.parametrize(
    ("birth", "year", "reading", "junior"),
    [
        (date(2006, 6, 1), None, "birthday", False),
        (date(2006, 6, 2), None, "birthday", True),
        (date(2006, 6, 1), None, "year_end", True),
        (date(2005, 12, 31), None, "year_end", False),
        (None, 2006, "birthday", True),
        (None, 2005, "birthday", False),
        (None, None, "birthday", False),
    ],
)
def test_juniors_until_the_birthday_or_the_end_of_the_year(
    birth: date | None, year: int | None, reading: str, junior: bool
) -> None:
    assert is_junior(JPlayer(1, birth=birth, birth_year=year), JUNE, reading) is junior


def test_k_is_that_of_the_list_that_opens_the_period() -> None:
    """Born on 15 May: 40 all through May, 20 on the list of June."""
    player = rated(1, 1900, birth=date(2006, 5, 15))
    game = event("t", MAY, {1: 1900, 2: 1900}, (1, "1", 2))
    outcome = june([player, rated(2, 1900)], game).players[1]
    assert (outcome.k, outcome.variation, outcome.k_printed) == (40, Fraction(20), 20)


@pytest.mark.parametrize(
    ("k", "n", "applied"),
    [
        (40, 17, 40),
        (40, 18, 38),
        (20, 35, 20),
        (20, 36, 19),
        (20, 39, 17),
        (10, 70, 10),
        (10, 71, 9),
    ],
)
def test_700_rule_over_the_whole_period(k: int, n: int, applied: int) -> None:
    first = event("a", MAY, {1: 2000, 2: 2000}, *[(1, "=", 2)] * (n - 5))
    second = event("b", MAY, {1: 2000, 2: 2000}, *[(1, "=", 2)] * 5)
    outcome = june([rated(1, 2000, k=k), rated(2, 2000)], first, second).players[1]
    assert (outcome.n, outcome.k, outcome.k_applied, outcome.k_printed) == (n, k, applied, 20)


@pytest.mark.parametrize(("reading", "change"), [("away_from_zero", -3), ("up", -2)])
def test_8_3_4_half_a_point_down(reading: str, change: int) -> None:
    """Draws at +7 and +63 are -.01 and -.09; a K of 25 on the list makes it -2.5."""
    game = event("t", MAY, {1: 2000, 2: 1993, 3: 1937}, (1, "=", 2), (1, "=", 3))
    players = [rated(1, 2000, k=25), rated(2, 1993), rated(3, 1937)]
    outcome = june(players, game, readings={"half_point_rounding": reading}).players[1]
    assert (outcome.variation, outcome.change) == (Fraction("-2.5"), change)


def test_a_new_rating_of_2400_or_2300_is_remembered() -> None:
    game = event("t", MAY, {1: 2395, 2: 2395}, (1, "1", 2))
    up = june([rated(1, 2395), rated(2, 2395)], game).players
    assert (up[1].new_rating, up[1].k_printed, up[1].after.ever_2400) == (2405, 10, True)
    down = june([up[1].after, up[2].after], event("u", MAY, {1: 2405, 2: 2385}, (1, "0", 2)))
    assert (down.players[1].k, down.players[1].new_rating) == (10, 2400)
    assert (up[2].after.ever_2300, up[2].after.ever_2400) == (True, False)


# --- 2024: what counts ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "start", "counted"),
    [
        (2650, date(2025, 10, 1), 450),
        (2649, date(2025, 10, 1), 400),
        (2650, date(2025, 9, 30), 400),
    ],
)
def test_full_difference_for_2650_in_tournaments_from_october_2025(
    own: int, start: date, counted: int
) -> None:
    opponent = own - 450
    game = event("t", start, {1: own, 2: opponent}, (1, "1", 2))
    players = [rated(1, own), rated(2, opponent)]
    result = june(players, game, edition="2025-10-01", list_date=date(2025, 11, 1))
    assert [side.counted_difference for side in result.sides] == [counted, -400]


def test_unplayed_and_fast_games_are_out_for_both() -> None:
    ratings: dict[int, int | None] = {1: 2400, 2: 1799, 3: 1800, 4: None}
    players = [rated(1, 2400), rated(2, 1799), rated(3, 1800), JPlayer(4)]
    games = [(1, "+", 2), (1, "1", 2), (2, "1", 3), (2, "1", 4)]
    for minutes, expected in (
        ((119, 0), ["unplayed", "too_fast", "counted", "opponent_unrated"]),
        ((89, 0), ["unplayed", "too_fast", "too_fast", "opponent_unrated"]),
        ((60, 0), ["unplayed", "too_fast", "too_fast", "opponent_unrated"]),
        ((59, 0), ["unplayed", "too_fast", "too_fast", "too_fast"]),
        ((90, 30), ["unplayed", "counted", "counted", "opponent_unrated"]),
    ):
        result = june(players, event("t", MAY, ratings, *games, minutes=minutes))
        assert verdicts(result, 2) == expected


def test_2010_minimum_time_looks_at_the_whole_field() -> None:
    ratings: dict[int, int | None] = {1: 1500, 2: 1500, 3: 2200}
    players = [rated(1, 1500), rated(2, 1500), rated(3, 2200)]
    result = june(
        players,
        event("t", JULY_2011, ratings, (1, "1", 2), minutes=(90, 0)),
        edition="2011-07-01",
        list_date=SEPTEMBER_2011,
    )
    assert verdicts(result, 1) == [Verdict.TOO_FAST]


def test_6_2_games_after_a_match_is_won_are_out_unless_waived() -> None:
    """Over 4 games: 2½ points after the third game."""
    games = [(1, "1", 2), (2, "0", 1), (1, "=", 2), (2, "1", 1)]
    match = event("m", MAY, {1: 2000, 2: 2000}, *games, system="match", match_games=4)
    players = [rated(1, 2000), rated(2, 2000)]
    assert verdicts(june(players, match), 1) == ["counted"] * 3 + ["match_decided"]
    waived = replace(match, match_waiver=True)
    assert verdicts(june(players, waived), 1) == ["counted"] * 4


def test_6_1_a_match_with_an_unrated_player_gives_nobody_anything() -> None:
    match = event("m", MAY, {1: 2000, 2: None}, (1, "0", 2), system="match")
    result = june([rated(1, 2000), JPlayer(2)], match)
    assert verdicts(result, 1) == verdicts(result, 2) == [Verdict.MATCH_UNRATED]
    assert not result.players[2].after.first_event_done


def test_600_points_apart_in_rapid_from_december_2024() -> None:
    ratings: dict[int, int | None] = {1: 2601, 2: 2001, 3: 2002, 4: 2600, 5: 2000}
    players = [rated(id_, rating or 0) for id_, rating in ratings.items()]
    games = [(1, "1", 2), (1, "1", 3), (4, "1", 5)]
    for start, expected in (
        (date(2024, 12, 1), ["gap_600", "counted", "counted"]),
        (date(2024, 11, 30), ["counted", "counted", "counted"]),
    ):
        result = june(
            players,
            event("t", start, ratings, *games, minutes=(15, 10)),
            law="fide_rapid",
            edition="2024-12-01",
            list_date=date(2025, 1, 1),
        )
        assert [side.verdict for side in result.sides[::2]] == expected


@pytest.mark.parametrize(
    ("law", "minutes", "verdict"),
    [
        ("fide_rapid", (10, 0), "too_fast"),
        ("fide_rapid", (10, 1), "counted"),
        ("fide_rapid", (60, 0), "too_slow"),
        ("fide_blitz", (3, 0), "too_fast"),
        ("fide_blitz", (3, 2), "counted"),
        ("fide_blitz", (10, 0), "counted"),
        ("fide_blitz", (10, 1), "too_slow"),
        ("rio_bullet", (1, 0), "counted"),
        ("rio_bullet", (2, 1), "counted"),
        ("rio_bullet", (3, 2), "too_slow"),
        ("rio_bullet", (0, 0), "too_fast"),
        ("rio_rapid", (59, 0), "counted"),
    ],
)
def test_time_classes(law: str, minutes: tuple[int, int], verdict: str) -> None:
    edition = "2025-04-12" if law.startswith("rio") else "2024-03-01"
    game = event("t", MAY, {1: 2000, 2: 2000}, (1, "1", 2), minutes=minutes)
    result = june([rated(1, 2000), rated(2, 2000)], game, law=law, edition=edition)
    assert verdicts(result, 1) == [verdict]


def test_rapid_with_unequal_times_is_out() -> None:
    game = event("t", MAY, {1: 2000, 2: 2000}, (1, "1", 2), minutes=(15, 5), equal_times=False)
    result = june([rated(1, 2000), rated(2, 2000)], game, law="fide_rapid")
    assert verdicts(result, 1) == [Verdict.UNEQUAL_TIMES]


def test_rapid_takes_a_standard_rating_where_there_is_no_rapid_one() -> None:
    game = event(
        "t", MAY, {1: None, 2: 1700}, (1, "1", 2), minutes=(15, 5), standard_ratings={1: 1700}
    )
    waiting = (JPoolResult(month_index(JUNE) - 1, "old", n=2, opponent_sum=3000, half=2),)
    players = [JPlayer(1, standard=1710, pool=waiting), rated(2, 1700)]
    players.append(JPlayer(3, standard=1900, pool=waiting))
    result = june(players, game, law="fide_rapid")
    assert verdicts(result, 1) == verdicts(result, 2) == [Verdict.COUNTED]
    outcome = result.players[1]
    assert (outcome.base, outcome.k, outcome.new_rating) == (1710, 40, 1730)
    assert (outcome.after.pool, outcome.after.games_total) == ((), 1)
    assert result.players[3].new_rating is None
    assert result.players[3].after.pool == waiting


def test_8_2_4_rated_since_the_start_counts_one_side_only() -> None:
    late = event("t", date(2024, 4, 20), {1: None, 2: 1800, 3: None}, (1, "1", 2), (1, "1", 3))
    result = june([JPlayer(1, 1750, games_total=9), rated(2, 1800), JPlayer(3)], late)
    assert verdicts(result, 1) == [Verdict.COUNTED, Verdict.OPPONENT_UNRATED]
    assert verdicts(result, 2) == verdicts(result, 3) == [Verdict.ONE_SIDED]
    assert result.players[1].variation == 40 * (1 - Fraction("0.43"))


def test_delisted_since_the_start_is_pooled_and_his_opponents_count_him() -> None:
    late = event("t", date(2024, 4, 20), {1: 1402, 2: 1500}, (1, "0", 2))
    result = june([JPlayer(1, None, games_total=60, first_event_done=True), rated(2, 1500)], late)
    assert verdicts(result, 1) == [Verdict.POOLED]
    assert result.players[1].after.pool == (
        JPoolResult(month_index(JUNE) - 1, "t", n=1, opponent_sum=1500, half=0),
    )
    assert result.players[2].variation == 20 * (1 - Fraction("0.63"))


def test_ratings_at_the_start_and_base_of_the_previous_list() -> None:
    late = event("t", date(2024, 4, 20), {1: 1900, 2: 1900}, (1, "1", 2))
    outcome = june([rated(1, 1950), rated(2, 1800)], late).players
    assert (outcome[1].new_rating, outcome[2].new_rating) == (1960, 1790)


# --- 2024: first ratings --------------------------------------------------------------------------


def newcomer(results: str, rating: int = 1800) -> JPlayerResult:
    opponents = list(range(10, 10 + len(results)))
    ratings: dict[int, int | None] = dict.fromkeys(opponents, rating)
    tournament = event("t", MAY, ratings | {1: None}, *against_all(1, results, opponents))
    players = [rated(id_, rating) for id_ in opponents]
    return june([JPlayer(1), *players], tournament).players[1]


def test_8_2_2_p_on_a_tie_goes_up() -> None:
    """Two points of six: 3/8 is .375, so .38 and -87."""
    initial = newcomer("110000").initial
    assert initial is not None
    assert (initial.p, initial.dp, initial.initial) == (38, -87, 1713)


def test_8_2_3_at_most_2200_and_at_least_1400_with_five_games() -> None:
    assert newcomer("1111111111", 2400).new_rating == 2200
    assert newcomer("1111").new_rating is None
    low = newcomer("=00000000000", 1450)
    assert low.initial is not None
    assert (low.initial.n, low.initial.initial, low.new_rating) == (12, 1149, None)
    assert [result.n for result in low.after.pool] == [12]


@pytest.mark.parametrize(("zero", "pooled"), [("against_rated", False), ("whole_event", True)])
def test_8_2_1_zero_in_the_first_event(zero: str, pooled: bool) -> None:
    """He loses to the rated player and beats an unrated one."""
    game = event("t", MAY, {1: None, 2: 1800, 3: None}, (1, "0", 2), (1, "1", 3))
    result = june(
        [JPlayer(1), rated(2, 1800), JPlayer(3)], game, readings={"zero_first_event": zero}
    )
    assert verdicts(result, 1)[0] == (Verdict.POOLED if pooled else Verdict.FIRST_EVENT_IGNORED)
    assert result.players[1].after.first_event_done
    assert not result.players[3].after.first_event_done


@pytest.mark.parametrize(("repeated", "kept"), [("first_only", 1), ("until_score", 0)])
def test_a_second_zero(repeated: str, kept: int) -> None:
    ratings: dict[int, int | None] = {1: None, 2: 1800}
    first = event("b", MAY, ratings, (1, "0", 2))
    second = event("a", date(2024, 5, 9), ratings, (1, "0", 2))
    result = june([JPlayer(1), rated(2, 1800)], second, first, readings={"repeated_zero": repeated})
    assert len(result.players[1].after.pool) == kept
    assert result.sides[0].tournament == "b"
    assert result.players[1].after.first_event_done is (repeated == "first_only")


def test_pool_of_26_lists_and_its_two_readings() -> None:
    def result_of(months_ago: int) -> JPoolResult:
        return JPoolResult(month_index(JUNE) - months_ago, str(months_ago), 3, 5400, 3)

    player = JPlayer(1, pool=(result_of(26), result_of(25), result_of(3)), first_event_done=True)
    slides = june([player]).players[1]
    assert slides.initial is not None
    assert (slides.initial.n, slides.new_rating, slides.after.games_total) == (6, 1800, 6)
    assert june([player], readings={"unrated_pool": "reset"}).players[1].initial is None
    whole = replace(player, pool=player.pool[1:])
    assert june([whole], readings={"unrated_pool": "reset"}).players[1].new_rating == 1800


def test_7_2_1_below_1400_starts_again_with_an_empty_pool() -> None:
    game = event("t", MAY, {1: 1405, 2: 1405}, (1, "0", 2))
    outcome = june([rated(1, 1405, ever_2300=True), rated(2, 1405)], game).players[1]
    assert (outcome.new_rating, outcome.delisted, outcome.change) == (None, True, -10)
    after = outcome.after
    assert (after.pool, after.games_total, after.ever_2300, after.k) == ((), 0, True, None)
    assert not after.first_event_done


@pytest.mark.parametrize(
    ("edition", "list_date", "floor"),
    [("2024-03-01", JUNE, 1400), ("2011-07-01", SEPTEMBER_2011, 1200)],
)
def test_exactly_the_floor_stays_listed(edition: str, list_date: date, floor: int) -> None:
    players = [rated(1, floor), rated(2, floor - 1)]
    result = june(players, edition=edition, list_date=list_date)
    assert [result.players[id_].delisted for id_ in (1, 2)] == [False, True]


@pytest.mark.parametrize(("opponent_sum", "published"), [(10172, 1400), (10171, None)])
def test_first_rating_of_exactly_1400_is_published(
    opponent_sum: int, published: int | None
) -> None:
    """No point in six: 1/8 is .125, so .13 and -322; a mean of 1721.5 gives 1399.5, so 1400."""
    pool = (JPoolResult(month_index(JUNE), "t", n=6, opponent_sum=opponent_sum, half=0),)
    outcome = june([JPlayer(1, pool=pool, first_event_done=True)]).players[1]
    assert outcome.new_rating == published


def test_7_2_2_inactive_after_twelve_lists_without_a_game() -> None:
    month = month_index(JUNE)
    players = [rated(1, 1800, last_rated_month=month - 11), rated(2, 1800)]
    players += [rated(3, 1800, last_rated_month=month - 12), rated(4, 1800, last_rated_month=1)]
    result = june(players, event("t", MAY, {4: 1800, 2: 1800}, (4, "=", 2)))
    assert [result.players[id_].inactive for id_ in (1, 2, 3, 4)] == [False, False, True, False]


# --- 2010 -----------------------------------------------------------------------------------------


def september_2011(players: list[JPlayer], *tournaments: JTournament) -> JResult:
    return june(players, *tournaments, edition="2011-07-01", list_date=SEPTEMBER_2011)


def test_8_57_rounds_the_rating_and_not_the_change() -> None:
    game = event("t", JULY_2011, {1: 2000, 2: 1993}, (1, "=", 2))
    outcome = september_2011([rated(1, 2000, k=50), rated(2, 1993)], game).players[1]
    assert (outcome.variation, outcome.change) == (Fraction("-0.5"), 0)


def test_8_23_fifteen_for_each_half_point_and_no_maximum() -> None:
    opponents = list(range(10, 19))
    ratings: dict[int, int | None] = dict.fromkeys(opponents, 2400)
    games = against_all(1, "111111===", opponents)
    players = [rated(id_, 2400) for id_ in opponents]
    outcome = september_2011(
        [JPlayer(1), *players], event("t", JULY_2011, ratings | {1: None}, *games)
    )
    assert outcome.players[1].new_rating == 2400 + 6 * 15
    assert outcome.players[1].k_printed == 10


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        ("=00", "first_event_ignored"),
        ("11", "first_event_ignored"),
        ("100", "pooled"),
    ],
)
def test_8_21_first_event_needs_a_point_and_three_rated_opponents(
    results: str, verdict: str
) -> None:
    opponents = list(range(10, 10 + len(results)))
    ratings: dict[int, int | None] = dict.fromkeys(opponents, 2000)
    game = event("t", JULY_2011, ratings | {1: None}, *against_all(1, results, opponents))
    result = september_2011([JPlayer(1), *(rated(id_, 2000) for id_ in opponents)], game)
    assert set(verdicts(result, 1)) == {Verdict(verdict)}


def test_8_31_first_results_below_the_floor_are_ignored_until_one_is_kept() -> None:
    ratings: dict[int, int | None] = {1: None} | dict.fromkeys((10, 11, 12, 13, 14), 1300)
    bad = event("a", JULY_2011, ratings, *against_all(1, "10000", [10, 11, 12, 13, 14]))
    good = event("b", date(2011, 8, 1), ratings, *against_all(1, "110", [10, 11, 12]))
    zero = event("c", date(2011, 8, 9), ratings, *against_all(1, "0", [10]))
    players = [JPlayer(1), *(rated(id_, 1300) for id_ in (10, 11, 12, 13, 14))]
    result = september_2011(players, bad, good, zero)
    assert verdicts(result, 1) == ["below_floor_ignored"] * 5 + ["pooled"] * 4
    assert [kept.tournament for kept in result.players[1].after.pool] == ["b", "c"]


def test_7_14_seven_games_for_team_events_and_special_bodies() -> None:
    opponents = list(range(10, 17))
    ratings: dict[int, int | None] = dict.fromkeys(opponents, 2000)
    games = against_all(1, "1100===", opponents)
    plain = event("t", JULY_2011, ratings | {1: None}, *games, system="team")
    players = [rated(id_, 2000) for id_ in opponents]
    assert september_2011([JPlayer(1), *players], plain).players[1].new_rating is None
    team = replace(plain, world_team=True)
    assert september_2011([JPlayer(1), *players], team).players[1].new_rating == 2000
    member = JPlayer(1, special_body=True)
    assert september_2011([member, *players], plain).players[1].new_rating == 2000


def test_pool_of_24_months_and_a_round_robin_pooled_with_a_swiss() -> None:
    """9 round-robin games at Rc 2000 and 3 Swiss ones at 2200: Rc 2050, 4 of 12 with dp x 1."""
    month = month_index(SEPTEMBER_2011)
    old = JPoolResult(month - 24, "old", 9, 9 * 2500, 18)
    round_robin = JPoolResult(month - 22, "rr", 9, 9 * 2000, 6, round_robin_opponents=9)
    swiss = JPoolResult(month - 2, "s", 3, 3 * 2200, 2)
    outcome = september_2011([JPlayer(1, pool=(old, round_robin, swiss))]).players[1]
    assert outcome.new_rating == 2050 - 125
    alone = september_2011([JPlayer(1, pool=(round_robin,))]).players[1]
    assert alone.initial is not None
    assert alone.initial.unrounded == 2000 - 125 * Fraction(9, 10)


def small_round_robin(last: str) -> JTournament:
    """Four rated players of 2000 and two unrated; `last` is the result of 6 with White against 1.

    Player 5 scores three points, player 6 only what he gets from 1.
    """
    ratings: dict[int, int | None] = {1: 2000, 2: 2000, 3: 2000, 4: 2000, 5: None, 6: None}
    games = [(a, "=", b) for a in range(1, 5) for b in range(a + 1, 5)]
    games += [(5, "=", opponent) for opponent in range(1, 5)] + [(5, "1", 6)]
    games += [(6, "0", opponent) for opponent in range(2, 5)] + [(6, last, 1)]
    return event("rr", JULY_2011, ratings, *games, system="round_robin")


def round_robin_players() -> list[JPlayer]:
    return [rated(id_, 2000) for id_ in (1, 2, 3, 4)] + [JPlayer(5), JPlayer(6)]


def test_8_52_rated_players_count_games_against_unrated_in_a_complete_round_robin() -> None:
    result = september_2011(round_robin_players(), small_round_robin("1"))
    assert [result.players[id_].n for id_ in (1, 2, 3, 4)] == [5, 5, 5, 5]
    assert set(result.round_robins["rr"].ru_new) == {5, 6}
    assert set(verdicts(result, 5)) == {Verdict.POOLED}
    assert result.players[5].after.pool[0].n == 5


def test_6_43_an_unplayed_game_makes_it_a_swiss() -> None:
    result = september_2011(round_robin_players(), small_round_robin("+"))
    assert [result.players[id_].n for id_ in (1, 2, 3, 4)] == [3, 3, 3, 3]
    assert result.round_robins == {}
    assert result.players[5].after.pool == (
        JPoolResult(month_index(SEPTEMBER_2011), "rr", 4, 8000, 4),
    )


def test_6_1_half_a_point_in_the_first_event_is_taken_out_for_everyone() -> None:
    result = september_2011(round_robin_players(), small_round_robin("="))
    assert set(verdicts(result, 6)) == {Verdict.FIRST_EVENT_IGNORED}
    assert verdicts(result, 1).count(Verdict.OPPONENT_IGNORED) == 1
    assert [result.players[id_].n for id_ in (1, 2, 3, 4)] == [4, 4, 4, 4]
    table = result.round_robins["rr"]
    assert (table.n, table.ra, table.ru_new) == (4, 2000, {5: 2000})
    players = round_robin_players()
    players[5] = replace(players[5], first_event_done=True)
    again = september_2011(players, small_round_robin("="))
    assert set(again.round_robins["rr"].ru_new) == {5, 6}


def test_8_4_a_player_rated_since_leaves_the_round_robin_for_the_others() -> None:
    players = round_robin_players()
    players[5] = JPlayer(6, 1500, games_total=10)
    result = september_2011(players, small_round_robin("="))
    assert result.round_robins["rr"].n == 4
    assert verdicts(result, 6).count(Verdict.COUNTED) == 4
    assert verdicts(result, 1).count(Verdict.ONE_SIDED) == 1
    assert result.players[6].variation == 30 * (Fraction(1, 2) - 4 * Fraction("0.08"))


def test_double_round_robin_divides_by_opponents_not_by_games() -> None:
    """Ra = 2000 + 57 x 3/4 rounded; the unrated scores 4½ of 6, three half points above 50 %."""
    ratings: dict[int, int | None] = {1: 2000, 2: 2000, 3: None, 4: 2000}
    games = [(a, "=", b) for a in (1, 2, 4) for b in (1, 2, 4) if a != b]
    games += [(3, "1", b) for b in (1, 2, 4)] + [(b, "=", 3) for b in (1, 2, 4)]
    result = september_2011(
        [rated(1, 2000), rated(2, 2000), JPlayer(3), rated(4, 2000)],
        event("drr", JULY_2011, ratings, *games, system="double_round_robin"),
    )
    table = result.round_robins["drr"]
    assert (table.n, table.dpa) == (3, Fraction(-57))
    assert table.ra == half_up(2000 + 57 * Fraction(3, 4))
    assert table.ru_new == {3: table.ra + 3 * 15}
    assert result.players[3].after.pool[0].n == 6


# --- RIO and UISP ---------------------------------------------------------------------------------


def test_rio_rounds_pa_in_each_tournament() -> None:
    """At -39, .45 each time: two tournaments of one game give .4 + .4, one of two games .9."""
    ratings: dict[int, int | None] = {1: 1500, 2: 1539}
    apart = [event(id_, MAY, ratings, (1, "=", 2), minutes=(10, 5)) for id_ in "ab"]
    together = event("c", MAY, ratings, (1, "=", 2), (1, "=", 2), minutes=(10, 5))
    players = [rated(1, 1500), rated(2, 1539)]
    first = june(players, *apart, law="rio_rapid", edition="2025-04-12").players
    assert (first[1].expected, first[1].expected_unrounded) == (Fraction("0.8"), Fraction("0.9"))
    assert (first[1].new_rating, first[2].new_rating) == (1504, 1539)
    second = june(players, together, law="rio_rapid", edition="2025-04-12").players
    assert (second[1].new_rating, second[2].new_rating) == (1502, 1537)


def test_rio_categories_are_reached_and_kept() -> None:
    assert [
        rio_band(r) for r in (2200, 2199, 1999, 1799, 1599, 1499, 500)
    ] == "OM OCM 1O 2O 3O OA OA".split()
    assert rio_category("OCM", 1700, "kept") == "OCM"
    assert rio_category("OCM", 1700, "current") == "2O"
    assert rio_category("3O", 2200, "kept") == "OM"


def test_entry_ratings_in_each_law_s_order() -> None:
    known: dict[str, int | None] = {
        "fide_rapid": 1701,
        "fide_standard": 1702,
        "fide_blitz": 1703,
        "fsi": 1704,
        "elo_italia": 1705,
        "rapid_italia": 1706,
    }
    laws = ("rio_rapid", "rio_blitz", "rio_bullet", "uisp")
    assert [entry_rating(law, known) for law in laws] == [1701, 1703, 1703, 1702]
    assert [entry_rating(law, {}) for law in laws] == [999, 999, 999, 1440]
    assert entry_rating("uisp", known | {"fide_standard": None}) == 1705
    assert entry_rating("rio_blitz", {"fide_rapid": 1701, "fsi": 1704}) == 1704


@pytest.mark.parametrize(
    ("minutes", "online", "k"),
    [
        ((3, 0), False, None),
        ((3, 2), False, 10),
        ((10, 0), False, 10),
        ((10, 1), False, 20),
        ((30, 10), False, 30),
        ((29, 10), False, 20),
        ((30, 9), False, 20),
        ((59, 0), False, 20),
        ((60, 0), False, 30),
        ((5, 0), True, 5),
        ((15, 0), True, 10),
        ((90, 30), True, 15),
    ],
)
def test_uisp_coefficients(minutes: tuple[int, int], online: bool, k: int | None) -> None:
    assert uisp_coefficient(event("t", MAY, {}, minutes=minutes, online=online)) == k


@pytest.mark.parametrize(
    ("reading", "ratings"), [("published_integer", (1501, 1502)), ("carried", (1501, 1501))]
)
def test_uisp_half_points_of_rating(reading: str, ratings: tuple[int, int]) -> None:
    """Online blitz, K 5, a draw at -39: .5 - .4 gives half a point; 1500.5 is printed 1501."""
    players = [rated(1, 1500), rated(2, 1539)]
    printed = []
    for _ in range(2):
        game = event("t", MAY, {1: 1500, 2: 1539}, (1, "=", 2), minutes=(5, 0), online=True)
        result = june(
            players, game, law="uisp", edition="undated", readings={"uisp_decimals": reading}
        )
        assert result.players[1].variation == Fraction("0.5")
        printed.append(result.players[1].new_rating)
        players = [outcome.after for outcome in result.players.values()]
    assert tuple(printed) == ratings


def test_uisp_newcomer_starts_from_his_first_tournament() -> None:
    first = event("b", MAY, {1: 1440, 2: 1440}, (1, "1", 2))
    second = event("a", date(2024, 5, 20), {1: 1460, 2: 1440}, (1, "-", 2), (1, "=", 2))
    result = june([JPlayer(1), rated(2, 1440)], second, first, law="uisp", edition="undated")
    assert verdicts(result, 1) == ["counted", "unplayed", "counted"]
    outcome = result.players[1]
    assert (outcome.before, outcome.base, outcome.new_rating) == (None, 1440, 1455)


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("law", "edition", "readings"),
    [
        ("fide_standard", "2023-01-01", {}),
        ("chess", "2024-03-01", {}),
        ("fide_standard", "2024-03-01", {"junior_until": "never"}),
        ("fide_standard", "2024-03-01", {"colour": "red"}),
    ],
)
def test_unknown_laws_and_readings_are_refused(
    law: str, edition: str, readings: dict[str, str]
) -> None:
    with pytest.raises(ValueError):
        judge_period(law, edition, readings, JUNE, {}, [])


def test_a_start_before_the_text_is_refused() -> None:
    early = event("t", date(2024, 2, 29), {1: 1500, 2: 1500}, (1, "1", 2))
    with pytest.raises(ValueError, match="no regulation"):
        june([rated(1, 1500), rated(2, 1500)], early)


# --- 2024: interim reports ------------------------------------------------------------------------


def test_8_2_1_a_month_without_points_comes_back_with_the_first_point() -> None:
    months = [
        replace(
            event(f"m{n}", MAY + timedelta(days=n), {1: None, 2: 1700}, (1, score, 2)),
            interim_of="long",
        )
        for n, score in enumerate(("0", "0", "=", "0"))
    ]
    found = []
    for taken in range(1, 5):
        outcome = june([JPlayer(1), rated(2, 1700)], *months[:taken]).players[1]
        waiting = sum(result.n for result in outcome.after.pool if result.pointless_in)
        found.append((outcome.initial.n if outcome.initial else 0, waiting))
    assert found == [(0, 1), (0, 2), (3, 0), (4, 0)]


def test_8_2_1_a_point_elsewhere_brings_nothing_back() -> None:
    first = replace(event("m", MAY, {1: None, 2: 1700}, (1, "0", 2)), interim_of="long")
    later = event("t", MAY + timedelta(days=3), {1: None, 2: 1700}, (1, "=", 2))
    outcome = june([JPlayer(1), rated(2, 1700)], first, later).players[1]
    assert outcome.initial is not None
    assert outcome.initial.n == 1
