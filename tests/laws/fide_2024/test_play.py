"""1, 3, 5 and 6 — the time each player needs, the hours of a day, unplayed games and matches."""

from __future__ import annotations

import pytest

from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.laws.rating import Exclusion
from arrocco.records.report import GameKind
from arrocco.records.timecontrol import Period, TimeControl, parse_code

LAW = Fide2024()


def minutes(white: int, black: int | None = None) -> TimeControl:
    return TimeControl((Period(60 * white),), (Period(60 * (white if black is None else black)),))


class TestMinimumTime:
    """1.1."""

    @pytest.mark.parametrize(
        ("one", "other", "least"),
        [
            (1799, 1799, 60),
            (1799, 1400, 60),
            (None, 1799, 60),
            (None, None, 60),
            (1800, 1400, 90),
            (1800, None, 90),
            (1800, 1800, 90),
            (2399, 1799, 90),
            (2399, 2399, 90),
            (2399, None, 90),
            (2400, 1400, 120),
            (2400, None, 120),
            (2400, 2399, 120),
            (2850, 2850, 120),
        ],
    )
    def test_the_higher_rated_decides_and_unrated_is_below_1800(
        self, one: int | None, other: int | None, least: int
    ) -> None:
        assert LAW.minimum_minutes(one, other) == least
        assert LAW.minimum_minutes(other, one) == least

    @pytest.mark.parametrize(
        ("code", "own", "opponent", "excluded"),
        [
            ("3600", 1799, 1500, False),
            ("3599", 1799, 1500, True),
            ("1800+30", 1799, None, False),  # 30 minutes and 60 times 30 seconds: an hour
            ("1799+30", 1799, None, True),
            ("3600", 1800, 1500, True),
            ("3600+30", 1800, 1500, False),  # 90 minutes
            ("3599+30", 1800, 1500, True),
            ("5400", 2399, None, False),
            ("5400", 2400, None, True),
            ("5400+30", 2400, None, False),  # 120 minutes
            ("5399+30", 2400, None, True),
            ("5400+30", 2850, 2850, False),
            ("40/5400+30:1800+30", 2850, 2850, False),
        ],
    )
    def test_a_faster_game_is_not_rated(
        self, code: str, own: int, opponent: int | None, excluded: bool
    ) -> None:
        expected = Exclusion.TOO_FAST if excluded else None
        assert LAW.excluded_by_time(parse_code(code), own, opponent) is expected
        assert LAW.excluded_by_time(parse_code(code), opponent, own) is expected

    def test_each_player_needs_the_time(self) -> None:
        assert LAW.excluded_by_time(minutes(90, 89), 1900, 1900) is Exclusion.TOO_FAST
        assert LAW.excluded_by_time(minutes(89, 90), 1900, 1900) is Exclusion.TOO_FAST
        assert LAW.excluded_by_time(minutes(90, 120), 1900, 1900) is None

    def test_the_article_that_excludes_it(self) -> None:
        assert LAW.exclusion_article(Exclusion.TOO_FAST) == "1.1"


class TestFirstControl:
    """1.2."""

    @pytest.mark.parametrize(
        ("code", "is_valid"),
        [
            ("5400+30", True),  # no count of moves
            ("29/5400:3600", False),
            ("30/5400:3600", True),
            ("40/5400+30:1800+30", True),
            ("40/5400:20/3600:900", True),  # only the first control counts
        ],
    )
    def test_it_has_at_least_30_moves(self, code: str, is_valid: bool) -> None:
        assert LAW.first_control_is_valid(parse_code(code)) is is_valid


class TestHoursOfPlay:
    """3."""

    @pytest.mark.parametrize(
        ("code", "rounds", "is_legal"),
        [
            ("5400+30", 3, True),  # 3 times 4 hours: exactly 12
            ("5400+30", 4, False),
            ("5401+30", 3, False),
            ("3600", 6, True),
            ("3600", 7, False),
            ("7200+30", 2, True),  # 10 hours
            ("7200+30", 3, False),
            ("5400+30", 1, True),
        ],
    )
    def test_a_day_has_at_most_12(self, code: str, rounds: int, is_legal: bool) -> None:
        assert LAW.day_is_within_limit(parse_code(code), rounds) is is_legal

    def test_both_players_times_make_the_round(self) -> None:
        assert LAW.day_is_within_limit(minutes(100, 140), 3)
        assert not LAW.day_is_within_limit(minutes(100, 141), 3)


class TestUnplayedGames:
    """5.1."""

    def test_only_games_on_the_board_count(self) -> None:
        assert [kind for kind in GameKind if LAW.is_played(kind)] == [GameKind.PLAYED]
        assert LAW.exclusion_article(Exclusion.UNPLAYED) == "5.1"


class TestMatches:
    """6."""

    def test_with_an_unrated_player_is_not_rated(self) -> None:
        assert LAW.match_is_rated(1500, 2000)
        assert not LAW.match_is_rated(1500, None)
        assert not LAW.match_is_rated(None, 1500)
        assert not LAW.match_is_rated(None, None)

    WIN, DRAW, LOSS = (2, 0), (1, 1), (0, 2)

    @pytest.mark.parametrize(
        ("scores", "games", "rated"),
        [
            ([WIN, WIN, WIN, DRAW], 4, 3),  # 2.5 of 4 needed: 2 is not enough, 3 is
            ([WIN, WIN, DRAW, LOSS], 4, 3),  # 2.5
            ([LOSS, LOSS, LOSS, WIN], 4, 3),  # the other side wins
            ([WIN, LOSS, WIN, LOSS], 4, 4),  # drawn: all
            ([WIN, WIN, LOSS, LOSS], 4, 4),  # 2 of 4 is only half
            ([DRAW] * 12, 12, 12),
            ([WIN] * 7 + [LOSS] * 5, 12, 7),  # 6.5 needed
            ([WIN] * 6 + [DRAW] + [LOSS] * 5, 12, 7),
            ([WIN, WIN, LOSS], 3, 2),
            ([WIN], 1, 1),
            ([], 4, 0),
            ([WIN, DRAW], 6, 2),  # stopped early
        ],
    )
    def test_games_after_the_decision_are_not_rated(
        self, scores: list[tuple[int, int]], games: int, rated: int
    ) -> None:
        assert LAW.games_rated_in_match(scores, games) == rated

    def test_unless_their_rating_was_asked_for_before(self) -> None:
        scores = [self.WIN] * 3 + [self.DRAW]
        assert LAW.games_rated_in_match(scores, 4, waiver=True) == 4
        assert LAW.games_rated_in_match(scores, 4, waiver=False) == 3
