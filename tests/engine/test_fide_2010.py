"""Rules that only FIDE's text of 1982-2010 has, on the roads that rate: reports and periods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import msgspec
import numpy as np
import pytest
from msgspec import UNSET

from arrocco.engine.batch import ListColumns, PeriodContext, rate_batch
from arrocco.engine.explain import steps_under
from arrocco.engine.month import PeriodBuilder, rate_month
from arrocco.engine.players import month_number, players_of_list
from arrocco.engine.pools import Pools
from arrocco.engine.publish import as_published, next_list, titled_without_rating
from arrocco.engine.rate_reports import rate_reports
from arrocco.laws.fide.standard_2010 import Fide2011
from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.laws.rating import Exclusion
from arrocco.records.ratinglist import ListedPlayer, RatingList
from arrocco.records.report import Entry, Facts, Game, Report, System
from arrocco.records.reportbatch import batch_of
from arrocco.records.timecontrol import parse_text
from arrocco.units import HalfPoints
from tests.engine.test_diff import Person, listed

OPENED, CLOSED = date(2011, 9, 1), date(2011, 11, 1)
NEW = 50
RIVALS = [Person(id_, 1880 + 10 * id_) for id_ in range(1, 10)]


def swiss(
    games: int, wins: int, start: date = date(2011, 9, 10), source: str = "t", first: int = 1
) -> Report:
    """A newcomer wins so many of so many games, one against each opponent from the first on."""
    rivals = range(first, first + games)
    return Report(
        source=source,
        name=source,
        start=start,
        end=start,
        system=System.SWISS,
        time_control=parse_text("120'"),
        entries=[*(Entry(n, f"Finto, {n}", n) for n in rivals), Entry(99, "Nuova, Ada", NEW)],
        games=[
            Game(n, 99, rival, HalfPoints(2 if n <= wins else 0), HalfPoints(0 if n <= wins else 2))
            for n, rival in enumerate(rivals, start=1)
        ],
    )


def publish(
    reports: Sequence[Report], affiliated: tuple[int, ...] = (), pools: Pools | None = None
) -> ListedPlayer:
    """The newcomer on the list after a period with these reports."""
    before = listed(*RIVALS)
    players = players_of_list(before)
    context = PeriodContext(
        "fide", {}, OPENED, CLOSED, ListColumns(players.id, players.rating), affiliated=affiliated
    )
    month = PeriodBuilder(context, players, pools or Pools())
    rated = rate_batch(context, batch_of(list(reports)), keep_sides=True)
    found, _ = next_list(rate_month(month, [rated]), before, month.newcomers)
    row = found.player(NEW)
    assert row is not None
    return row


class TestAffiliation:
    """7.14g: seven games suffice for a player of the IBCA, the ICSC or the IPCA."""

    @pytest.mark.parametrize(("games", "published"), [(6, False), (7, True), (8, True)])
    def test_7_14g_seven_games_make_a_first_rating(self, games: int, published: bool) -> None:
        assert publish([swiss(games, 4)]).rating is None
        assert (publish([swiss(games, 4)], (NEW,)).rating is not None) is published

    def test_7_14g_the_period_and_the_report_agree_and_say_why(self) -> None:
        rated = rate_reports("fide", [swiss(7, 4)], listed(*RIVALS), affiliated=(NEW,))
        (player,) = rated.newcomers()
        assert player.new_rating == publish([swiss(7, 4)], (NEW,)).rating
        steps = {(step.key, step.article) for step in steps_under(rated.period.law, player)}
        assert ("explain.first.affiliated", "7.14g") in steps

    def test_7_14g_nine_games_need_no_affiliation(self) -> None:
        rated = rate_reports("fide", [swiss(9, 4)], listed(*RIVALS), affiliated=(NEW,))
        (player,) = rated.newcomers()
        keys = {step.key for step in steps_under(rated.period.law, player)}
        assert "explain.first.affiliated" not in keys

    def test_7_14g_the_text_of_2024_has_no_such_rule(self) -> None:
        report = swiss(4, 3, date(2024, 5, 10))
        rated = rate_reports("fide", [report], listed(*RIVALS), affiliated=(NEW,))
        assert rated.newcomers()[0].new_rating is None


# --- 7.2: who is not on the list ------------------------------------------------------------------


def silent(*months: int, readings: dict[str, str] | None = None) -> RatingList:
    """The list on which players 1, 2 ... have not played for so many months; 0 is not known."""
    before = listed(*(Person(n, 1900, title="FM") for n in range(1, len(months) + 1)))
    players = players_of_list(before)
    closing = month_number(CLOSED)
    players.last_rated = np.array([closing - ago if ago else 0 for ago in months], dtype=np.int64)
    columns = ListColumns(players.id, players.rating)
    context = PeriodContext("fide", readings or {}, OPENED, CLOSED, columns)
    month = PeriodBuilder(context, players, Pools())
    outcome = rate_month(month, [rate_batch(context, batch_of([]), keep_sides=True)])
    return next_list(outcome, before, {})[0]


LAW = Fide2011()


class TestWhoIsNotOnTheList:
    def test_7_23b_inactive_for_two_more_years_and_then_off_the_list(self) -> None:
        found = silent(11, 12, 35, 36)
        assert found.flag.tolist() == ["", "i", "i", "ix"]
        assert as_published(LAW, found).id.tolist() == [1, 2, 3]
        assert found.rating.tolist() == [1900] * 4, "7.23: the rating still serves"

    def test_7_23b_who_is_not_known_to_have_played_stays_flagged(self) -> None:
        found = silent(0)
        assert found.flag.tolist() == ["i"]
        assert len(as_published(LAW, found)) == 1

    @pytest.mark.parametrize(
        ("reading", "flags"),
        [("without_games", ["", "i", "i", "ix"]), ("as_inactive", ["", "it", "i", "ix"])],
    )
    def test_7_24_twelve_months_among_the_top(self, reading: str, flags: list[str]) -> None:
        found = silent(11, 23, 24, 36, readings={"top_list": reading})
        assert found.flag.tolist() == flags

    def test_7_21_who_is_struck_off_is_named_once_more_and_then_unrated(self) -> None:
        people = [Person(1, 1203), *(Person(n, 1210) for n in range(2, 10))]
        report = swiss(8, 0, first=2)
        report.entries[-1] = Entry(99, "Finta, Una", 1)
        before = listed(*people)
        players = players_of_list(before)
        players.last_rated[:] = month_number(OPENED)
        context = PeriodContext("fide", {}, OPENED, CLOSED, ListColumns(players.id, players.rating))
        month = PeriodBuilder(context, players, Pools())
        rated = rate_batch(context, batch_of([report]), keep_sides=True)
        found, after = next_list(rate_month(month, [rated]), before, month.newcomers)
        assert (int(found.rating[0]), found.flag[0]) == (0, "d")
        assert 1 in as_published(LAW, found).id, "listed as struck off"
        again = PeriodContext(
            "fide", {}, CLOSED, date(2012, 1, 1), ListColumns(after.id, after.rating)
        )
        quiet = PeriodBuilder(again, after, Pools())
        outcome = rate_month(quiet, [rate_batch(again, batch_of([]), keep_sides=True)])
        then, _ = next_list(outcome, found, {})
        assert then.flag[0] == ""
        assert 1 not in as_published(LAW, then).id, "unrated like any other"

    def test_7_22_titled_players_without_a_rating_have_a_list_of_their_own(self) -> None:
        people = listed(Person(1, 2000, title="FM"), Person(2, title="WIM"), Person(3))
        assert as_published(LAW, people).id.tolist() == [1]
        assert titled_without_rating(LAW, people).id.tolist() == [2]

    def test_7_2_the_texts_since_2022_leave_nobody_out(self) -> None:
        people = listed(Person(1, 2000), Person(2, title="WIM"))
        assert as_published(Fide2024(), people) is people
        assert len(titled_without_rating(Fide2024(), people)) == 0

    def test_lists_of_format_1_have_no_marks(self) -> None:
        """Lists that were published before must come out to the same bytes."""
        before = listed(Person(1, 1900))
        players = players_of_list(before)
        players.last_rated[:] = month_number(CLOSED) - 40
        context = PeriodContext("fide", {}, OPENED, CLOSED, ListColumns(players.id, players.rating))
        month = PeriodBuilder(context, players, Pools())
        outcome = rate_month(month, [rate_batch(context, batch_of([]), keep_sides=True)])
        assert next_list(outcome, before, {}, marks=False)[0].flag.tolist() == ["i"]


# --- 6.2: stages of one event ---------------------------------------------------------------------


def stages(event: str) -> list[Report]:
    """A preliminary of which a newcomer has nothing, and a final with 4 of 7."""
    preliminary = swiss(2, 0, date(2011, 9, 3), "preliminary")
    final = swiss(7, 4, date(2011, 9, 10), "final", first=3)
    for report in (preliminary, final):
        report.facts.event = event or UNSET
    return [preliminary, final]


class TestStages:
    """6.2: results of preliminaries and of finals or play-offs are grouped."""

    def test_6_2_alone_the_preliminary_is_ignored_as_the_first_event(self) -> None:
        assert publish(stages("")).rating is None, "8.21: nothing in the first event; 7 are left"

    def test_6_2_grouped_the_event_has_its_nine_games(self) -> None:
        together = publish(stages("Trofeo"))
        assert together.rating is not None
        assert together.games == 9

    def test_6_2_reports_and_periods_agree(self) -> None:
        rated = rate_reports("fide", stages("Trofeo"), listed(*RIVALS))
        (player,) = rated.newcomers()
        assert player.new_rating == publish(stages("Trofeo")).rating

    def test_6_2_a_whole_event_without_a_point_is_ignored_in_all_its_stages(self) -> None:
        reports = [swiss(2, 0, date(2011, 9, 3), "one"), swiss(7, 0, source="two", first=3)]
        for report in reports:
            report.facts.event = "Trofeo"
        (player,) = rate_reports("fide", reports, listed(*RIVALS)).newcomers()
        assert player.new_rating is None
        reasons = {game.exclusion for event in player.events for game in event.games}
        assert reasons == {Exclusion.FIRST_EVENT_IGNORED}

    def test_6_2_the_text_of_2024_groups_nothing(self) -> None:
        reports = [
            swiss(1, 0, date(2024, 5, 3), "one"),
            swiss(5, 3, date(2024, 5, 10), "two", first=2),
        ]
        for report in reports:
            report.facts.event = "Trofeo"
        (player,) = rate_reports("fide", reports, listed(*RIVALS)).newcomers()
        first, _ = player.events
        assert {game.exclusion for game in first.games} == {Exclusion.FIRST_EVENT_IGNORED}


# --- 4.13: period by period -----------------------------------------------------------------------


def league(declared: date | None, system: System = System.TEAM) -> Report:
    """A league of two rounds, one in August under the list of July, one in September."""
    return Report(
        source="league",
        start=date(2011, 8, 20),
        end=date(2011, 9, 10),
        system=system,
        rounds=2,
        round_dates=(date(2011, 8, 20), date(2011, 9, 10)),
        time_control=parse_text("120'"),
        entries=[Entry(1, "Finto, Uno", 1), Entry(2, "Finto, Due", 2)],
        games=[Game(n, 1, 2, HalfPoints(2), HalfPoints(0)) for n in (1, 2)],
        facts=Facts(by_period=declared or UNSET, league=True),
    )


def opponents_met(report: Report) -> list[tuple[str, int, int]]:
    """By part of the tournament: its key, and both ratings that count in it."""
    now = listed(Person(1, 1900), Person(2, 2000))
    players = players_of_list(now)
    july = ListColumns(players.id, np.array([1850, 2100], dtype=np.int64))
    context = PeriodContext(
        "fide",
        {},
        OPENED,
        CLOSED,
        ListColumns(players.id, players.rating),
        earlier={date(2011, 7, 1): july},
    )
    rated = rate_batch(context, batch_of([report, swiss(2, 1)]), keep_sides=True)
    shown, own = rated.entries.shown.tolist(), rated.entries.own.tolist()
    found = []
    for white, black in zip(rated.games.white.tolist(), rated.games.black.tolist(), strict=True):
        tournament = rated.tournaments[int(rated.entries.tournament[white])]
        if tournament.key.startswith("league"):
            found.append((tournament.key, own[white], shown[black]))
    return sorted(found)


class TestPeriodByPeriod:
    """4.13: the ratings at the start, or, if chosen in time, those when the game is played."""

    def test_4_13_the_ratings_are_those_of_the_start(self) -> None:
        assert opponents_met(league(None)) == [("league", 1850, 2100)] * 2

    def test_4_13_chosen_before_the_first_round_each_game_has_its_list(self) -> None:
        assert opponents_met(league(date(2011, 8, 20))) == [
            ("league", 1850, 2100),
            ("league:2011-09-01", 1900, 2000),
        ]

    def test_4_13_chosen_too_late_it_changes_nothing(self) -> None:
        assert opponents_met(league(date(2011, 8, 21))) == [("league", 1850, 2100)] * 2

    def test_4_13_the_text_of_2024_has_no_such_choice(self) -> None:
        report = league(date(2024, 8, 20))
        report.start, report.end = date(2024, 8, 20), date(2024, 9, 10)
        report.round_dates = (report.start, report.end)
        context = PeriodContext(
            "fide",
            {},
            date(2024, 8, 1),
            date(2024, 9, 1),
            ListColumns(np.array([1, 2]), np.array([1900, 2000])),
        )
        assert len(rate_batch(context, batch_of([report])).tournaments) == 1

    def test_4_13_the_parts_are_one_event_of_a_newcomer(self) -> None:
        """8.21 looks at the whole tournament, not at what was played under one list."""
        report = swiss(9, 4, date(2011, 8, 20), "league")
        report.end, report.system = date(2011, 9, 20), System.TEAM
        report.games = [*report.games[4:], *report.games[:4]]  # nothing before September
        report.games = [replace(game, round=n) for n, game in enumerate(report.games, start=1)]
        report.round_dates = (date(2011, 8, 20),) * 5 + (date(2011, 9, 10),) * 4
        report.facts.by_period = date(2011, 8, 1)
        before = listed(*RIVALS)
        players = players_of_list(before)
        columns = ListColumns(players.id, players.rating)
        context = PeriodContext(
            "fide", {}, OPENED, CLOSED, columns, earlier={date(2011, 7, 1): columns}
        )
        month = PeriodBuilder(context, players, Pools())
        rated = rate_batch(context, batch_of([report]), keep_sides=True)
        assert len(rated.tournaments) == 2
        found, _ = next_list(rate_month(month, [rated]), before, month.newcomers)
        row = found.player(NEW)
        assert row is not None
        assert row.games == 9
        assert row.rating is not None


def test_facts_from_before_stages_keep_their_bytes() -> None:
    """The ledger hashes facts: what is not said is not written."""
    assert msgspec.to_builtins(Facts(official=True)).keys() == set(
        """
        official online hybrid league national_championship women_only world_team_event
        match_games match_waiver
    """.split()
    )
