"""The next list: who is on it, and what it prints of everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from arrocco.engine.batch import ListColumns, PeriodContext, rate_batch
from arrocco.engine.month import PeriodBuilder, rate_month
from arrocco.engine.players import Players, month_number, players_of_list
from arrocco.engine.pools import Pools
from arrocco.engine.publish import next_list
from arrocco.laws.rating import Tranche
from arrocco.records.ratinglist import UNKNOWN, ListedPlayer, RatingList
from arrocco.records.report import Birth, Entry, Game, Report
from arrocco.records.reportbatch import batch_of
from arrocco.records.timecontrol import parse_text
from arrocco.units import HalfPoints
from tests.engine.test_diff import Person, listed

OPENED, CLOSED = date(2024, 5, 1), date(2024, 6, 1)


def report(entries: Sequence[Entry], *games: tuple[int, int, int]) -> Report:
    """Games are White, Black and White's half points."""
    return Report(
        source="t",
        start=date(2024, 5, 10),
        end=date(2024, 5, 12),
        time_control=parse_text("90'+30\""),
        entries=list(entries),
        games=[
            Game(n, white, black, HalfPoints(half), HalfPoints(2 - half))
            for n, (white, black, half) in enumerate(games, start=1)
        ],
    )


def publish(
    before: RatingList,
    *reports: Report,
    law: str = "fide",
    pools: Pools | None = None,
    months_ago: int = 0,
) -> tuple[RatingList, Players]:
    """The list after a period in which these reports came in."""
    players = players_of_list(before)
    players.last_rated = np.where(players.rating > 0, month_number(OPENED) - months_ago, 0)
    columns = ListColumns(players.id, players.rating)
    context = PeriodContext(law, {}, OPENED, CLOSED, columns)
    month = PeriodBuilder(context, players, pools or Pools())
    outcome = rate_month(month, [rate_batch(context, batch_of(list(reports)))])
    return next_list(outcome, before, month.newcomers)


def player(found: RatingList, id_: int) -> ListedPlayer:
    row = found.player(id_)
    assert row is not None
    return row


RATED = [Person(id_, 1500 + 100 * id_, 20) for id_ in range(1, 8)]


class TestWhoIsOnIt:
    def test_everybody_stays_and_newcomers_join_in_order(self) -> None:
        before = listed(*RATED, Person(30))
        found, after = publish(before, report([Entry(1, "Nuova", 20), Entry(2, "", 1)], (1, 2, 2)))
        assert found.id.tolist() == [1, 2, 3, 4, 5, 6, 7, 20, 30]
        assert np.array_equal(after.id, found.id)
        assert (found.on, found.system) == (CLOSED, before.system)

    def test_a_newcomer_has_the_words_of_the_report(self) -> None:
        new = Entry(1, "Nuova, Anna", 20, None, "FRA", "w", "wf", Birth(2001, 2, 3))
        found, _ = publish(listed(*RATED), report([new, Entry(2, "Altro", 1)], (1, 2, 2)))
        row = player(found, 20)
        assert (row.name, row.federation, row.sex, row.title) == ("Nuova, Anna", "FRA", "F", "wf")
        assert row.birth == Birth(2001, 2, 3)
        assert row.flag == "w"

    def test_a_listed_player_keeps_the_words_of_the_list(self) -> None:
        new = [Entry(1, "Un altro nome", 1, None, "FRA", "w"), Entry(2, "", 2)]
        found, _ = publish(listed(*RATED), report(new, (1, 2, 2)))
        assert player(found, 1).name == "Finto, Uno"
        assert player(found, 1).federation == "ITA"

    def test_further_columns_stay(self) -> None:
        before = listed(*RATED)
        before.extra = {"w_title": np.array([f"W{n}" for n in range(7)], dtype=object)}
        new = [Entry(1, "Nuova", 4 * 10**6), Entry(2, "", 2)]
        found, _ = publish(before, report(new, (1, 2, 2)))
        assert found.extra["w_title"].tolist() == [*(f"W{n}" for n in range(7)), ""]

    def test_without_reports_nothing_changes(self) -> None:
        before = listed(*RATED, Person(30))
        found, _ = publish(before)
        assert found.rating.tolist() == before.rating.tolist()
        assert found.games.tolist() == [0] * 8


class TestWhatItPrints:
    def test_ratings_and_games(self) -> None:
        people = [Entry(n, "", n) for n in (1, 2, 3)]
        found, _ = publish(listed(*RATED), report(people, (1, 2, 2), (2, 3, 0), (1, 3, 1)))
        assert [player(found, n).games for n in (1, 2, 3, 4)] == [2, 2, 2, 0]
        assert player(found, 1).rating == 1600 + 18  # 20 × (1.50 - 0.36 - 0.24)
        assert player(found, 4).rating == 1900

    def test_k_is_that_of_the_new_rating_and_nobody_unrated_has_one(self) -> None:
        people = [Entry(n, "", n) for n in (1, 2)]
        before = listed(Person(1, 2396, 20), Person(2, 2390, 20), Person(3, 0, 40))
        found, after = publish(before, report(people, (1, 2, 2)))
        assert player(found, 1).rating == 2406
        assert [player(found, n).k for n in (1, 2, 3)] == [10, 20, None]
        assert after.k.tolist() == [10, 20, UNKNOWN]

    def test_who_falls_below_the_floor_stays_without_a_rating(self) -> None:
        people = [Entry(n, "", n) for n in (1, 2)]
        before = listed(Person(1, 1402, 20), Person(2, 1450, 20))
        found, after = publish(before, report(people, (1, 2, 0)))
        assert player(found, 1).rating is None
        assert player(found, 1).k is None
        assert after.first_event.tolist() == [False, True]
        assert after.completed_games.tolist() == [0, 31]

    def test_7_1_2_a_first_rating_shows_the_games_of_the_period(self) -> None:
        pools = Pools({20: (Tranche(month_number(OPENED), "old", 3, 4800, 3),)})
        people = [Entry(1, "", 20), Entry(2, "", 1), Entry(3, "", 2)]
        before = listed(*RATED, Person(20))
        found, after = publish(before, report(people, (1, 2, 1), (1, 3, 1)), pools=pools)
        row = player(found, 20)
        assert row.rating is not None
        assert (row.games, row.k) == (2, 40)
        assert after.completed_games[-1] == 5

    @pytest.mark.parametrize(
        ("months_ago", "flags"),
        [(0, ["", "w"]), (10, ["", "w"]), (11, ["i", "wi"]), (30, ["i", "wi"])],
    )
    def test_inactive_after_a_year_without_games(self, months_ago: int, flags: list[str]) -> None:
        before = listed(*RATED[:2])
        before.sex = np.array(["M", "F"], dtype=object)
        found, _ = publish(before, months_ago=months_ago)
        assert found.flag.tolist() == flags

    def test_one_game_makes_active_again(self) -> None:
        people = [Entry(n, "", n) for n in (1, 2)]
        found, after = publish(listed(*RATED), report(people, (1, 2, 2)), months_ago=30)
        assert [player(found, n).is_inactive for n in (1, 2, 3)] == [False, False, True]
        assert after.last_rated[0] == month_number(CLOSED)

    def test_nobody_unrated_is_inactive(self) -> None:
        found, _ = publish(listed(Person(1)), months_ago=30)
        assert found.flag.tolist() == [""]


def test_where_tournaments_have_k_the_list_prints_none() -> None:
    before = listed(Person(1, 1500), Person(2, 1600))
    people = [Entry(n, "", n) for n in (1, 2)]
    made = replace(report(people, (1, 2, 2)), time_control=parse_text("15'"))
    found, _ = publish(before, made, law="uisp")
    assert found.k.tolist() == [UNKNOWN, UNKNOWN]
    assert found.flag.tolist() == ["", ""]
