"""8.3.3 — which K a player has, in which order its lines apply, and the limit of 700."""

from __future__ import annotations

from datetime import date

import pytest

from arrocco.laws.fide.standard_2024 import Fide2024, Fide2025
from arrocco.laws.rating import PlayerFacts
from arrocco.records.report import Birth

LAW = Fide2024()
YEAR_END = Fide2024(junior_until="year_end")
LIST = date(2024, 5, 1)
ADULT = Birth(1980, 6, 15)
CHILD = Birth(2012, 6, 15)


def k(
    games: int = 100,
    *,
    highest: int = 0,
    birth: Birth | None = ADULT,
    law: Fide2024 = LAW,
    on: date = LIST,
) -> tuple[int, str]:
    return law.coefficient(PlayerFacts(games, highest, birth), on)


class TestLines:
    @pytest.mark.parametrize(
        ("games", "expected"),
        [
            (0, (40, "new_player")),
            (5, (40, "new_player")),
            (29, (40, "new_player")),
            (30, (20, "below_top")),
            (31, (20, "below_top")),
        ],
    )
    def test_a_new_player_has_40_until_30_games(
        self, games: int, expected: tuple[int, str]
    ) -> None:
        assert k(games) == expected

    def test_an_established_adult_has_20(self) -> None:
        assert k() == (20, "below_top")
        assert k(highest=2399) == (20, "below_top")

    def test_once_2400_was_published_it_is_10_for_ever(self) -> None:
        assert k(highest=2400) == (10, "top_reached")

    def test_a_junior_below_2300_has_40(self) -> None:
        assert k(birth=CHILD) == (40, "junior")
        assert k(highest=2299, birth=CHILD) == (40, "junior")

    def test_unknown_birth_is_no_junior(self) -> None:
        assert k(birth=None) == (20, "below_top")


class TestPrecedence:
    """Where two lines fit, published lists show: 2400 first, then juniors, then new players."""

    def test_2400_beats_a_new_player(self) -> None:
        assert k(3, highest=2400) == (10, "top_reached")

    def test_2400_beats_a_junior(self) -> None:
        assert k(highest=2400, birth=CHILD) == (10, "top_reached")
        assert k(3, highest=2400, birth=CHILD) == (10, "top_reached")

    def test_a_new_junior_is_a_junior(self) -> None:
        assert k(3, birth=CHILD) == (40, "junior")

    def test_a_junior_who_once_had_2300_keeps_20_even_when_back_below(self) -> None:
        assert k(highest=2300, birth=CHILD) == (20, "below_top")

    def test_a_new_junior_who_once_had_2300_is_still_new(self) -> None:
        assert k(29, highest=2399, birth=CHILD) == (40, "new_player")
        assert k(30, highest=2399, birth=CHILD) == (20, "below_top")


class TestJuniorUntil:
    @pytest.mark.parametrize(
        ("on", "by_birthday", "by_year_end"),
        [
            (date(2024, 5, 1), True, True),
            (date(2026, 6, 14), True, True),  # the day before
            (date(2026, 6, 15), False, True),  # the 18th birthday
            (date(2026, 7, 1), False, True),
            (date(2026, 12, 31), False, True),
            (date(2027, 1, 1), False, False),
        ],
    )
    def test_the_18th_birthday_or_the_end_of_its_year(
        self, on: date, by_birthday: bool, by_year_end: bool
    ) -> None:
        birth = Birth(2008, 6, 15)
        assert LAW.is_junior(birth, on) is by_birthday
        assert YEAR_END.is_junior(birth, on) is by_year_end

    def test_a_birthday_on_the_day_of_the_list_ends_it_with_that_list(self) -> None:
        assert LAW.is_junior(Birth(2006, 5, 1), LIST) is False
        assert LAW.is_junior(Birth(2006, 5, 2), LIST) is True

    @pytest.mark.parametrize(
        ("on", "is_junior"),
        [(date(2026, 2, 28), True), (date(2026, 3, 1), False)],
    )
    def test_who_was_born_on_29_february_turns_18_on_1_march(
        self, on: date, is_junior: bool
    ) -> None:
        # 18 years after a leap year there is never a 29 February (2100 and its kind apart).
        assert LAW.is_junior(Birth(2008, 2, 29), on) is is_junior

    def test_who_was_born_on_29_february_stays_junior_to_the_year_end_reading(self) -> None:
        assert YEAR_END.is_junior(Birth(2008, 2, 29), date(2026, 12, 1))
        assert not YEAR_END.is_junior(Birth(2008, 2, 29), date(2027, 1, 1))

    @pytest.mark.parametrize("law", [LAW, YEAR_END])
    @pytest.mark.parametrize("birth", [Birth(2008), Birth(2008, 6)])
    def test_with_only_the_year_known_it_is_the_end_of_the_year(
        self, law: Fide2024, birth: Birth
    ) -> None:
        assert law.is_junior(birth, date(2026, 12, 1)) is True
        assert law.is_junior(birth, date(2027, 1, 1)) is False

    def test_the_reading_reaches_k(self) -> None:
        born, on = Birth(2008, 6, 15), date(2026, 9, 1)
        assert k(birth=born, on=on) == (20, "below_top")
        assert k(birth=born, on=on, law=YEAR_END) == (40, "junior")

    def test_the_amended_edition_reads_the_same(self) -> None:
        assert Fide2025().is_junior(Birth(2008, 6, 15), date(2026, 6, 14))
        assert not Fide2025().is_junior(Birth(2008, 6, 15), date(2026, 6, 15))


class TestLimitOf700:
    @pytest.mark.parametrize(
        ("k", "games", "applied"),
        [
            (40, 0, 40),
            (40, 1, 40),
            (40, 17, 40),
            (40, 18, 38),
            (40, 19, 36),
            (20, 35, 20),
            (20, 36, 19),
            (20, 39, 17),
            (10, 70, 10),
            (10, 71, 9),
            (40, 350, 2),
            (40, 351, 1),
            (40, 700, 1),
            (40, 701, 0),
        ],
    )
    def test_k_times_the_games_never_exceeds_it(self, k: int, games: int, applied: int) -> None:
        assert LAW.applied_coefficient(k, games) == applied

    @pytest.mark.parametrize("k", [10, 20, 40])
    def test_the_applied_k_is_the_largest_that_fits(self, k: int) -> None:
        for games in range(1, 200):
            applied = LAW.applied_coefficient(k, games)
            assert applied <= k
            assert applied * games <= 700
            assert applied == k or (applied + 1) * games > 700
