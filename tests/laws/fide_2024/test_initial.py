"""8.2 — the first rating: two drawn games against 1800, the cap, the floor, the first event."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.laws.fide.standard_2024 import Fide2024

LAW = Fide2024()


class TestInitialRating:
    def test_a_first_rating_as_published(self) -> None:
        # 1902, 1877, 1884, 2012 and 1832: half, half, one, nothing, one.
        initial = LAW.initial_rating(5, 1902 + 1877 + 1884 + 2012 + 1832, 6)
        assert initial.games == 5
        assert initial.half_points == 6
        assert initial.average_hundredths == 187243
        assert initial.percent == 57
        assert initial.dp == 50
        assert initial.rating == 1922
        assert initial.reasons == ("two_draws",)

    @pytest.mark.parametrize(
        ("games", "half_points", "percent", "dp"),
        [
            (6, 4, 38, -87),  # 3 of 8 with the two draws: .375, not .37
            (6, 8, 63, 95),  # 5 of 8: .625
            (6, 0, 13, -322),  # 1 of 8: .125
            (6, 12, 88, 336),  # 7 of 8: .875
            (14, 1, 9, -383),  # 1.5 of 16: .09375, no tie
            (38, 0, 3, -538),  # 1 of 40: .025
            (38, 1, 4, -501),  # 1.5 of 40: .0375
            (5, 0, 14, -309),  # 1 of 7: .1428
            (5, 10, 86, 309),
            (5, 5, 50, 0),
        ],
    )
    def test_the_score_goes_to_the_nearest_hundredth_with_ties_up(
        self, games: int, half_points: int, percent: int, dp: int
    ) -> None:
        initial = LAW.initial_rating(games, 1800 * games, half_points)
        assert (initial.percent, initial.dp) == (percent, dp)
        assert initial.rating == min(1800 + dp, 2200)

    @pytest.mark.parametrize(
        ("sum_of_ratings", "rating"),
        [
            (1800 * 6 + 3, 1800),  # 1800.375
            (1800 * 6 + 4, 1801),  # 1800.5 upwards
            (1800 * 6 - 4, 1800),  # 1799.5 upwards
            (1800 * 6 - 5, 1799),  # 1799.375
        ],
    )
    def test_half_a_point_is_rounded_up(self, sum_of_ratings: int, rating: int) -> None:
        assert LAW.initial_rating(6, sum_of_ratings, 6).rating == rating

    @pytest.mark.parametrize(
        ("sum_of_ratings", "rating", "is_capped"),
        [
            (10183, 2199, False),  # average 1969 and dp 230
            (10190, 2200, False),  # exactly 2200
            (10193, 2200, False),  # 2200.43
            (10194, 2200, True),  # 2200.57 would round to 2201
            (5 * 2400, 2200, True),
        ],
    )
    def test_no_first_rating_is_above_2200(
        self, sum_of_ratings: int, rating: int, is_capped: bool
    ) -> None:
        initial = LAW.initial_rating(5, sum_of_ratings, 9)  # with two draws 5.5 of 7: .79
        assert initial.dp == 230
        assert initial.rating == rating
        assert initial.reasons == (("two_draws", "cap") if is_capped else ("two_draws",))

    def test_two_draws_against_1800_pull_towards_1800(self) -> None:
        assert LAW.initial_rating(5, 5 * 1500, 5).rating == 1586
        assert LAW.initial_rating(5, 5 * 2100, 5).rating == 2014

    @given(st.integers(5, 60), st.integers(1400, 2600), st.data())
    def test_a_better_score_is_never_a_lower_rating(
        self, games: int, opponents: int, data: st.DataObject
    ) -> None:
        half_points = data.draw(st.integers(0, 2 * games - 1))
        lower = LAW.initial_rating(games, games * opponents, half_points)
        higher = LAW.initial_rating(games, games * opponents, half_points + 1)
        assert lower.rating <= higher.rating <= 2200


class TestPublication:
    @pytest.mark.parametrize(
        ("games", "rating", "is_published"),
        [
            (4, 1800, False),
            (5, 1800, True),
            (6, 1800, True),
            (5, 1399, False),
            (5, 1400, True),
            (50, 1399, False),
        ],
    )
    def test_a_first_rating_needs_five_games_and_1400(
        self, games: int, rating: int, is_published: bool
    ) -> None:
        assert LAW.first_rating_is_published(games, rating) is is_published

    @pytest.mark.parametrize(("rating", "stays"), [(1399, False), (1400, True), (1401, True)])
    def test_below_1400_a_player_leaves_the_list(self, rating: int, stays: bool) -> None:
        assert LAW.is_published(rating) is stays
        assert LAW.is_delisted(rating) is not stays


class TestFirstEvent:
    def test_zero_in_the_first_event_is_ignored(self) -> None:
        assert LAW.first_event_is_ignored(0, 0, is_first=True)

    def test_half_a_point_against_rated_counts(self) -> None:
        assert not LAW.first_event_is_ignored(1, 1, is_first=True)

    def test_by_default_points_against_unrated_do_not_save_it(self) -> None:
        assert LAW.first_event_is_ignored(0, 6, is_first=True)

    def test_read_over_the_whole_event_they_do(self) -> None:
        whole = Fide2024(zero_first_event="whole_event")
        assert not whole.first_event_is_ignored(0, 6, is_first=True)
        assert whole.first_event_is_ignored(0, 0, is_first=True)

    def test_by_default_a_second_zero_counts(self) -> None:
        assert not LAW.first_event_is_ignored(0, 0, is_first=False)

    def test_read_until_the_first_point_it_does_not(self) -> None:
        until_score = Fide2024(repeated_zero="until_score")
        assert until_score.first_event_is_ignored(0, 0, is_first=False)
        assert until_score.first_event_is_ignored(0, 0, is_first=True)
        assert not until_score.first_event_is_ignored(0, 0, is_first=False, has_scored=True)
        assert not until_score.first_event_is_ignored(1, 1, is_first=False)

    def test_the_reading_tells_whether_later_events_are_looked_at(self) -> None:
        assert LAW.first_event_ends_the_search
        assert not Fide2024(repeated_zero="until_score").first_event_ends_the_search
