"""A whole correction through the engine: rated, corrected, rated again, carried, published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from arrocco.engine.assemble import assemble
from arrocco.engine.period import rate_period
from arrocco.engine.pools import Pools
from arrocco.engine.publish import next_list
from arrocco.laws.fide.standard_2024 import Fide2025
from arrocco.laws.rating import Tranche
from arrocco.office.carrying import Note
from arrocco.office.corrections import carry, corrected
from arrocco.office.ledger import CorrectionOf, IdCorrection, ResultCorrection
from arrocco.office.opening import Opening
from arrocco.records.report import Report
from tests.engine.checks import build
from tests.office.build import ADA, BRUNO, in_step, opening, result, row_of, state

LAW = Fide2025()
FEBRUARY, MARCH, APRIL, MAY = (date(2026, month, 1) for month in (2, 3, 4, 5))
RATED = range(99_000_003, 99_000_007)
Results = dict[int, tuple[Tranche, ...]]


def march() -> Opening:
    """Ada and Bruno unrated, Ada with two games from February; four players with 1800."""
    rated = [
        {
            "id": id_,
            "name": f"Numero {id_}",
            "rating": 1800,
            "completed_games": 50,
            "first_event": True,
            "last_rated": 24_314,
        }
        for id_ in RATED
    ]
    unrated = [{"id": ADA, "first_event": True}, {"id": BRUNO}]
    pool = result(FEBRUARY, "tournament:0", games=2, half=2)
    return opening([*unrated, *rated], {ADA: (pool,)}, MARCH)


def report(player: int = ADA) -> Report:
    """A player draws with three of the rated, and the fourth beats the first of them."""
    made = build.report(
        build.FIDE_2024, (None, 1800, 1800, 1800, 1800), start=date(2026, 3, 7), rounds=4
    )
    made.source = "tournament:1"
    made.games = [build.game(n, 1, n + 1) for n in (1, 2, 3)] + [build.game(4, 2, 5, 0)]
    for entry, id_ in zip(made.entries, (player, *RATED), strict=True):
        entry.id, entry.name = id_, f"Numero {id_}"
    return made


def rated(start: Opening, reports: Sequence[Report], list_date: date) -> tuple[Opening, Results]:
    """The next list, from the base of the players and what was published of opponents."""
    opened_on = LAW.list_in_force(date(list_date.year, list_date.month - 1, 1))
    assembled = assemble(reports, [LAW] * len(reports), start.listed, on=opened_on)
    pools = Pools(dict(start.pools.tranches))
    period = rate_period(
        LAW,
        list_date,
        assembled.tournaments,
        start.players,
        assembled.entries,
        assembled.games,
        pools,
        opened_on=opened_on,
    )
    outcome = period.outcome
    listed, players = next_list(outcome, start.listed, {})
    first = outcome.first_ratings
    results = {int(outcome.players.id[row]): first.by_row[row].tranches for row in first.published}
    return Opening(listed, players, outcome.pools), results


def carried(
    reported: Report, changes: Sequence[CorrectionOf], opening: Opening | None = None
) -> tuple[Opening, Opening, dict[int, Note]]:
    """The list of April as published, the one to open the next period, and what became of whom."""
    before, _ = rated(march(), [reported], APRIL)
    after, first_results = rated(march(), [corrected(reported, changes)], APRIL)
    made, impact = carry(
        before, after, opening or before, k_ratings=LAW.k_ratings(), first_results=first_results
    )
    in_step(made)
    return before, made, {player.id: player.note for player in impact.players}


def ratings(made: Opening) -> dict[int, int]:
    return dict(zip(made.players.id.tolist(), made.players.rating.tolist(), strict=True))


def test_a_wrong_number_put_right_gives_the_first_rating_on_the_next_list() -> None:
    published, start, notes = carried(report(BRUNO), [IdCorrection(entry=1, player=ADA)])
    assert ratings(published)[ADA] == 0
    assert notes == {ADA: Note.FIRST_RATING_APPEARS, BRUNO: Note.RESULTS}
    assert start.pools.of(BRUNO) == ()
    right, _ = rated(march(), [report(ADA)], APRIL)
    assert ratings(right)[ADA] > 0
    may, _ = rated(start, [], MAY)
    assert ratings(may) == ratings(right)
    assert state(may, ADA)["completed_games"] == state(right, ADA)["completed_games"] == 5
    assert not state(start, BRUNO)["first_event"]


def test_a_first_rating_given_by_mistake_is_withdrawn_and_its_results_stay() -> None:
    published, start, notes = carried(report(ADA), [IdCorrection(entry=1, player=BRUNO)])
    assert ratings(published)[ADA] > 0
    assert notes == {ADA: Note.FIRST_RATING_DISAPPEARS, BRUNO: Note.RESULTS}
    may, _ = rated(start, [], MAY)
    right, _ = rated(march(), [report(BRUNO)], APRIL)
    assert ratings(may) == ratings(right)
    assert [len(may.pools.of(player)) for player in (ADA, BRUNO)] == [1, 1]


@pytest.mark.parametrize("half", [1, 2])
def test_a_wrong_result_moves_both_players_on_the_next_list(half: int) -> None:
    wrong = ResultCorrection(round=4, white=2, black=5, white_half=half, black_half=2 - half)
    published, start, notes = carried(report(BRUNO), [wrong])
    assert set(notes.values()) == {Note.RATING}
    may, _ = rated(start, [], MAY)
    right, _ = rated(march(), [corrected(report(BRUNO), [wrong])], APRIL)
    assert ratings(may) == ratings(right)
    # The list that is out says what it said; so do those who meet these players meanwhile.
    assert ratings(published) != ratings(may)
    assert start.listed.rating.tolist() == published.listed.rating.tolist()
    assert sum(ratings(may).values()) == sum(ratings(published).values())


def test_a_game_that_was_not_played_is_counted_no_more() -> None:
    forfeit = ResultCorrection(round=4, white=2, black=5, white_half=0, black_half=2, played=False)
    published, start, _ = carried(report(BRUNO), [forfeit])
    first, last = RATED[0], RATED[-1]
    for player in (first, last):
        games = [state(made, player)["completed_games"] for made in (published, start)]
        assert games == [51, 50]
    assert ratings(start)[first] == ratings(start)[last] == 1800
    assert published.listed.rating[row_of(published, first)] < 1800
    # Without it they have not played in March.
    assert state(start, first)["last_rated"] == 24_314


def test_the_difference_comes_on_top_of_what_the_next_period_brings() -> None:
    draw = ResultCorrection(round=4, white=2, black=5, white_half=1, black_half=1)
    published, start, _ = carried(report(BRUNO), [draw])
    again = replace(report(BRUNO), source="tournament:2", start=date(2026, 4, 4))
    again = replace(again, end=again.start)
    plain, _ = rated(published, [again], MAY)
    moved, _ = rated(start, [again], MAY)
    for player in RATED:
        difference = ratings(start)[player] - ratings(published)[player]
        assert ratings(moved)[player] - ratings(plain)[player] == difference
