"""One batch against the lists: which rating counts for whom, and what leaves the batch."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from arrocco.engine.batch import ListColumns, PeriodContext, RatedBatch, rate_batch
from arrocco.engine.month import NewPlayer, PeriodBuilder, sums_of
from arrocco.engine.players import unrated_players
from arrocco.engine.pools import Pools
from arrocco.errors import Inconsistent
from arrocco.records.report import Entry, Facts, Game, GameKind, Report, System
from arrocco.records.reportbatch import batch_of, empty_batch
from arrocco.records.timecontrol import parse_text
from arrocco.units import HalfPoints, Rating

MAY, JUNE, APRIL = date(2024, 5, 1), date(2024, 6, 1), date(2024, 4, 1)


def columns(ratings: dict[int, int]) -> ListColumns:
    ids = np.array(sorted(ratings), dtype=np.int64)
    return ListColumns(ids, np.array([ratings[id_] for id_ in ids.tolist()], dtype=np.int64))


def context(
    now: dict[int, int], before: dict[int, int] | None = None, law: str = "fide", kind: str = ""
) -> PeriodContext:
    earlier = {} if before is None else {APRIL: columns(before)}
    return PeriodContext(law, {}, MAY, JUNE, columns(now), earlier, kind=kind)


def tournament(
    players: list[int | None],
    games: list[tuple[int, int, int]],
    start: date = date(2024, 5, 10),
    control: str = "90'+30\"",
    system: System = System.SWISS,
    kind: GameKind = GameKind.PLAYED,
    facts: Facts | None = None,
) -> Report:
    """Games are White, Black (counted from 0) and White's half points."""
    return Report(
        source=f"{start}{games}",
        start=start,
        end=start,
        system=system,
        time_control=parse_text(control),
        facts=facts or Facts(),
        entries=[Entry(n, f"P{id_}", id_, Rating(999)) for n, id_ in enumerate(players)],
        games=[
            Game(number, white, black, HalfPoints(half), HalfPoints(2 - half), kind)
            for number, (white, black, half) in enumerate(games, start=1)
        ],
    )


def rated(context: PeriodContext, *reports: Report) -> RatedBatch:
    return rate_batch(context, batch_of(list(reports)), keep_sides=True)


class TestWhichRatingCounts:
    def test_the_list_counts_not_the_report(self) -> None:
        found = rated(context({1: 1500, 2: 1600}), tournament([1, 2], [(0, 1, 2)]))
        assert found.entries.shown.tolist() == found.entries.own.tolist() == [1500, 1600]
        assert found.sums.expected.tolist() == [36, 64]

    def test_a_late_tournament_uses_the_list_in_force_at_its_start(self) -> None:
        late = tournament([1, 2], [(0, 1, 2)], start=date(2024, 4, 20))
        found = rated(context({1: 1500, 2: 1600}, {1: 1550, 2: 1550}), late)
        assert found.entries.shown.tolist() == [1550, 1550]
        assert found.sums.expected.tolist() == [50, 50]

    def test_each_tournament_of_a_batch_has_its_own_list(self) -> None:
        found = rated(
            context({1: 1500, 2: 1600}, {1: 1550, 2: 1550}),
            tournament([1, 2], [(0, 1, 2)]),
            tournament([2, 1], [(0, 1, 2)], start=date(2024, 4, 20)),
            tournament([1, 2], [(0, 1, 2)], start=date(2024, 5, 1)),
        )
        assert found.entries.shown.tolist() == [1500, 1600, 1550, 1550, 1500, 1600]

    def test_listed_since_the_start_counts_for_the_player_only(self) -> None:
        late = tournament([1, 2], [(0, 1, 2)], start=date(2024, 4, 20))
        found = rated(context({1: 1500, 2: 1600}, {1: 1550, 2: 0}), late)
        assert found.entries.shown.tolist() == [1550, 0]
        assert found.entries.own.tolist() == [1550, 1600]
        assert found.sums.games.tolist() == [0, 1]
        assert found.excluded == {"one_sided": 1}

    def test_delisted_since_the_start_counts_for_the_opponent(self) -> None:
        late = tournament([1, 2], [(0, 1, 2)], start=date(2024, 4, 20))
        found = rated(context({1: 1500, 2: 0}, {1: 1550, 2: 1410}), late)
        assert found.sums.games.tolist() == [1, 0]
        assert found.sums.pool_games.tolist() == [0, 1]

    def test_a_list_that_is_missing_is_named(self) -> None:
        late = tournament([1, 2], [(0, 1, 2)], start=date(2024, 4, 20))
        with pytest.raises(Inconsistent, match="2024-04-01"):
            rated(context({1: 1500, 2: 1600}), late)

    def test_who_entered_since_had_the_rating_on_entry(self) -> None:
        uisp = context({1: 1500, 2: 1600}, law="uisp")
        uisp = replace(
            uisp,
            opened_on=date(2024, 4, 1),
            list_date=date(2024, 7, 1),
            earlier={date(2024, 1, 1): columns({1: 1480})},
            entry_lists={"fide": columns({2: 1700})},
        )
        late = tournament([1, 2], [(0, 1, 2)], start=date(2024, 3, 20), control="15'")
        found = rated(uisp, late)
        assert found.entries.shown.tolist() == found.entries.own.tolist() == [1480, 1700]
        assert found.sums.games.tolist() == [1, 1]

    def test_an_impossible_rating_is_named(self) -> None:
        with pytest.raises(Inconsistent, match=r"player 2 .*4000"):
            rated(context({1: 1500, 2: 4000}), tournament([1, 2], [(0, 1, 2)]))


class TestWhoIsNew:
    def test_newcomers_follow_the_list_in_order_of_id(self) -> None:
        found = rated(context({5: 1500}), tournament([9, 5, 2], [(0, 1, 2), (1, 2, 2)]))
        assert found.newcomers.tolist() == [2, 9]
        assert found.entries.player.tolist() == [2, 0, 1]

    def test_entries_without_an_id_are_counted_and_kept_nowhere(self) -> None:
        setting = context({5: 1500})
        found = rated(setting, tournament([None, 5, None], [(0, 1, 2), (1, 2, 2)]))
        assert found.without_id == 2
        assert found.newcomers.tolist() == []
        assert found.events == {}
        assert found.excluded == {"opponent_unrated": 2, "own_unrated": 2}
        assert sums_of(setting, found).totals.id.tolist() == []

    def test_without_an_id_and_without_unrated_opponents_still_count(self) -> None:
        setting = context({5: 1500}, law="uisp")
        found = rated(setting, tournament([None, 5], [(0, 1, 2)], control="15'"))
        assert found.sums.games.tolist() == [1, 1]
        assert sums_of(setting, found).totals.id.tolist() == [5]

    def test_the_fullest_words_win_however_reports_are_cut(self) -> None:
        people = [
            Entry(0, "Zeta, Anna", 9, federation="ITA", sex="w"),
            Entry(0, "", 9),
            Entry(0, "Alfa, Anna", 9, federation="ITA"),
            Entry(0, "Beta, Anna", 9, federation="ITA", sex="w"),
        ]
        setting = context({5: 1500})
        made = [
            replace(tournament([9], []), source=str(n), entries=[one])
            for n, one in enumerate(people)
        ]
        together, apart = (
            PeriodBuilder(setting, unrated_players(np.array([5]), np.array([0])), Pools())
            for _ in "12"
        )
        together.add(sums_of(setting, rated(setting, *made)))
        for one in reversed(made):
            apart.add(sums_of(setting, rated(setting, one)))
        assert together.newcomers == apart.newcomers
        assert together.newcomers[9] == NewPlayer(9, "Beta, Anna", "ITA", "w", "", 0)


class TestWhatIsExcluded:
    def test_games_not_played(self) -> None:
        forfeit = tournament([1, 2], [(0, 1, 2)], kind=GameKind.FORFEIT)
        assert rated(context({1: 1500, 2: 1600}), forfeit).excluded == {"unplayed": 2}

    def test_too_fast_for_the_two_and_not_for_others(self) -> None:
        ratings = {1: 2450, 2: 1500, 3: 1510}
        fast = tournament([1, 2, 3], [(0, 1, 2), (1, 2, 2)], control="60'")
        found = rated(context(ratings), fast)
        assert found.excluded == {"too_fast": 2}
        assert found.sums.games.tolist() == [0, 1, 1]

    def test_a_match_that_was_decided(self) -> None:
        won = [(0, 1, 2), (1, 0, 0), (0, 1, 2), (1, 0, 1)]
        match = tournament([1, 2], won, system=System.MATCH, facts=Facts(match_games=4))
        found = rated(context({1: 1500, 2: 1600}), match)
        assert found.excluded == {"match_decided": 2}
        assert found.sums.games.tolist() == [3, 3]

    def test_a_match_with_somebody_unrated(self) -> None:
        match = tournament([1, 2], [(0, 1, 2)], system=System.MATCH)
        assert rated(context({1: 1500}), match).excluded == {"match_unrated": 2}

    def test_matches_and_others_in_one_batch_do_not_mix(self) -> None:
        match = tournament([3, 4], [(0, 1, 2)], system=System.MATCH)
        open_ = tournament([1, 2], [(0, 1, 2)])
        found = rated(context({1: 1500, 2: 1600, 3: 1700}), open_, match, open_)
        assert found.sums.games.tolist() == [1, 1, 0, 0, 1, 1]


def test_an_empty_batch_leaves_nothing() -> None:
    setting = context({1: 1500})
    found = rate_batch(setting, empty_batch())
    sums = sums_of(setting, found)
    assert (sums.entries, sums.games, sums.tournaments) == (0, 0, [])
    assert found.totals.games.tolist() == [0]


def test_an_empty_list_has_no_ratings() -> None:
    found = rated(context({}), tournament([1, 2], [(0, 1, 2)]))
    assert found.entries.own.tolist() == [0, 0]
    assert found.newcomers.tolist() == [1, 2]
    assert found.excluded == {"both_unrated": 2}


def test_two_entries_of_one_player_in_a_tournament_both_count() -> None:
    setting = context({1: 1500, 2: 1600})
    found = rated(setting, tournament([1, 2, 1], [(0, 1, 2), (1, 2, 2)]))
    totals = sums_of(setting, found).totals
    assert dict(zip(totals.id.tolist(), totals.games.tolist(), strict=True)) == {1: 2, 2: 2}


def test_each_tournament_is_under_the_edition_of_its_start() -> None:
    setting = replace(
        context({1: 2700, 2: 2000}),
        opened_on=date(2025, 10, 1),
        list_date=date(2025, 11, 1),
        earlier={date(2025, 9, 1): columns({1: 2700, 2: 2000})},
    )
    new = tournament([1, 2], [(0, 1, 2)], start=date(2025, 10, 5))
    old = tournament([1, 2], [(0, 1, 2)], start=date(2025, 9, 20))
    found = rated(setting, new, old)
    assert [t.law.edition for t in found.tournaments] == ["2025-10-01", "2024-03-01"]
    assert found.sums.expected.tolist() == [99, 8, 92, 8]  # 700 apart: in full, and cut at 400
