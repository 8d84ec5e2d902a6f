"""Invented reports: what real ones obey they obey, and every kind of thing happens in them."""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import pairwise

import numpy as np
import pytest

from arrocco.demo.generate import Federation, GeneratedBatch, batch, federation, reports
from arrocco.demo.generate.plan import plan
from arrocco.demo.generate.pools import pools_of
from arrocco.errors import Illegal
from arrocco.laws.rating import Exclusion
from arrocco.records.report import ByeKind, GameKind, Report, System
from arrocco.records.reportbatch import Kind, report_at
from tests.demo.whole import whole_report, whole_reports

GAMES = 40_000
LAWS = ("fide", "fide-rapid", "fide-blitz", "rio", "uisp")


@pytest.fixture(scope="module")
def made() -> Federation:
    return federation(6000, 11)


@pytest.fixture(scope="module")
def batches(made: Federation) -> list[GeneratedBatch]:
    return list(reports(made, GAMES))


@pytest.fixture(scope="module")
def every(batches: list[GeneratedBatch]) -> list[Report]:
    return whole_reports(batches)


# --- how many -----------------------------------------------------------------------------------


def test_the_games_come_to_about_what_was_asked_for(batches: list[GeneratedBatch]) -> None:
    assert sum(len(b.tournaments) for b in batches) == GAMES // 200
    assert 97 * GAMES <= 100 * sum(len(b.games) for b in batches) <= 103 * GAMES


@pytest.mark.parametrize(("games", "tournaments"), [(40, 1), (400, 20), (9000, 10), (3000, 40)])
def test_games_and_tournaments_can_both_be_asked_for(
    made: Federation, games: int, tournaments: int
) -> None:
    (only,) = reports(made, games, tournaments=tournaments)
    assert len(only.tournaments) == tournaments
    assert 0.8 * games <= len(only.games) <= 1.2 * games


@pytest.mark.parametrize(("games", "tournaments"), [(19, 1), (1700, 1), (399, 20), (30_000, 10)])
def test_an_impossible_number_of_games_is_refused_at_once(
    made: Federation, games: int, tournaments: int
) -> None:
    with pytest.raises(Illegal, match=f"{games} games"):
        reports(made, games, tournaments=tournaments)


# --- who plays ----------------------------------------------------------------------------------


def test_entries_show_the_list_in_force_at_the_start(
    made: Federation, batches: list[GeneratedBatch]
) -> None:
    lists = {listed.on: listed for listed in made.lists}
    used = Counter(day for b in batches for day in b.list_dates)
    assert set(used) == set(lists)
    assert used[date(2024, 5, 1)] > 8 * (used[date(2024, 4, 1)] + used[date(2024, 3, 1)])
    for b in batches:
        for index, on in enumerate(b.list_dates):
            listed, report = lists[on], report_at(b, index)
            for entry in report.entries:
                player = None if entry.id is None else listed.player(entry.id)
                if player is None:
                    assert entry.rating is None
                    continue
                assert (entry.name, entry.rating) == (player.name, player.rating)
                assert (entry.federation, entry.title) == (player.federation, player.title)
                assert entry.sex == ("w" if player.sex == "F" else "m")
                assert (
                    entry.birth is None
                    or player.birth is None
                    or (entry.birth.year == player.birth.year)
                )


def test_nobody_is_entered_twice_in_a_tournament(every: list[Report]) -> None:
    for report in every:
        ids = [entry.id for entry in report.entries if entry.id]
        assert len(ids) == len(set(ids))
        numbers = [entry.number for entry in report.entries]
        assert numbers == list(range(1, len(numbers) + 1))


def test_five_to_fifteen_in_a_hundred_are_unrated_and_a_few_have_no_number(
    batches: list[GeneratedBatch],
) -> None:
    rating = np.concatenate([b.entries.rating for b in batches])
    ids = np.concatenate([b.entries.id for b in batches])
    assert 5 < 100 * (rating == 0).sum() / len(rating) < 15
    assert 0 < (ids == 0).sum() < len(ids) / 100
    assert (rating[ids == 0] == 0).all()


def test_new_players_have_numbers_no_list_has_and_no_two_the_same(
    made: Federation, batches: list[GeneratedBatch]
) -> None:
    ids = np.concatenate([b.entries.id for b in batches])
    new = ids[ids > made.id[-1]]
    assert len(new) > 20
    assert len(np.unique(new)) == len(new)


def test_starting_numbers_follow_the_rating_in_swiss_tournaments(every: list[Report]) -> None:
    for report in every:
        if report.system is System.SWISS:
            ratings = [entry.rating or 0 for entry in report.entries]
            assert ratings == sorted(ratings, reverse=True)


# --- games and byes -----------------------------------------------------------------------------


def test_everybody_has_one_game_or_one_bye_in_every_round(every: list[Report]) -> None:
    for report in every:
        seen = Counter((bye.round, bye.entry) for bye in report.byes)
        for game in report.games:
            seen.update([(game.round, game.white), (game.round, game.black)])
        expected = {
            (round_, entry.number)
            for round_ in range(1, report.rounds + 1)
            for entry in report.entries
        }
        assert set(seen) == expected
        assert set(seen.values()) == {1}


def test_nobody_meets_anybody_twice_but_in_double_round_robins_and_matches(
    every: list[Report],
) -> None:
    for report in every:
        met = Counter(frozenset((game.white, game.black)) for game in report.games)
        players, times = len(report.entries), max(met.values())
        match report.system:
            case System.MATCH:
                assert players == 2
                assert times == report.rounds == report.facts.match_games
            case System.DOUBLE_ROUND_ROBIN:
                assert set(met.values()) == {2}
                assert len(met) == players * (players - 1) // 2
            case System.ROUND_ROBIN:
                assert set(met.values()) == {1}
                assert len(met) == players * (players - 1) // 2
            case _:
                assert times == 1


def test_colours_turn_in_the_second_half_of_a_double_round_robin(every: list[Report]) -> None:
    doubles = [report for report in every if report.system is System.DOUBLE_ROUND_ROBIN]
    assert doubles
    for report in doubles:
        pairs = {(game.white, game.black) for game in report.games}
        assert len(pairs) == len(report.games)


def test_team_mates_never_meet(every: list[Report]) -> None:
    teams = [report for report in every if report.system is System.TEAM]
    assert teams
    for report in teams:
        opponents: dict[int, set[int]] = {}
        for game in report.games:
            opponents.setdefault(game.white, set()).add(game.black)
            opponents.setdefault(game.black, set()).add(game.white)
        # Board 1 of the first team, whatever the size of a team: the next numbers are its mates.
        assert not opponents[1] & {2, 3, 4}


def test_all_kinds_of_results_and_byes_occur(batches: list[GeneratedBatch]) -> None:
    results: Counter[tuple[int, int, int]] = Counter()
    codes: Counter[int] = Counter()
    for b in batches:
        games = b.games
        columns = (games.kind.tolist(), games.white_half.tolist(), games.black_half.tolist())
        results.update(zip(*columns, strict=True))
        codes.update(b.byes.code.tolist())
    played, forfeit, short = (
        {(white, black) for kind, white, black in results if kind == wanted}
        for wanted in (Kind.PLAYED, Kind.FORFEIT, Kind.SHORT)
    )
    assert {(2, 0), (1, 1), (0, 2)} <= played <= {(2, 0), (1, 1), (0, 2), (0, 0)}
    assert forfeit == {(2, 0), (0, 2), (0, 0)}
    assert short
    assert short <= {(2, 0), (1, 1), (0, 2)}
    assert set(codes) == {0, 1, 2, 3}
    draws = sum(count for (kind, white, _), count in results.items() if not kind and white == 1)
    assert 0.12 < draws / results.total() < 0.35
    assert 0.005 < sum(n for key, n in results.items() if key[0] == Kind.FORFEIT) / GAMES < 0.03


def test_the_stronger_score_more_and_white_a_little(batches: list[GeneratedBatch]) -> None:
    differences, halves = [], []
    for b in batches:
        rating, games = b.entries.rating, b.games
        both = (rating[games.white] > 0) & (rating[games.black] > 0) & (games.kind == Kind.PLAYED)
        differences.append(rating[games.white[both]] - rating[games.black[both]])
        halves.append(games.white_half[both])
    difference, half = np.concatenate(differences), np.concatenate(halves)
    assert 1.0 < half[np.abs(difference) < 20].mean() < 1.2
    assert 1.45 < half[(difference > 180) & (difference < 220)].mean() < 1.7
    assert half[difference < -400].mean() < 0.3


def test_round_robins_are_now_complete_now_not(every: list[Report]) -> None:
    robins = [r for r in every if r.system is System.ROUND_ROBIN]
    complete = [all(game.kind is GameKind.PLAYED for game in report.games) for report in robins]
    assert any(complete)
    assert not all(complete)


def test_at_most_one_pairing_allocated_bye_for_a_player_and_in_a_round(every: list[Report]) -> None:
    for report in every:
        byes = [bye for bye in report.byes if bye.kind is ByeKind.PAIRING_ALLOCATED]
        assert len({bye.round for bye in byes}) == len(byes)
        assert len({bye.entry for bye in byes}) == len(byes)


def test_points_are_those_of_games_and_byes_and_ranks_follow_them(every: list[Report]) -> None:
    worth = {ByeKind.HALF_POINT: 1, ByeKind.ZERO_POINT: 0}
    for report in every:
        halves: Counter[int] = Counter()
        for game in report.games:
            halves[game.white] += game.white_score
            halves[game.black] += game.black_score
        for bye in report.byes:
            halves[bye.entry] += worth.get(bye.kind, 2)
        assert all(entry.points == 5 * halves[entry.number] for entry in report.entries)
        by_rank = sorted(report.entries, key=lambda entry: entry.rank or 0)
        assert [entry.rank for entry in by_rank] == list(range(1, len(by_rank) + 1))
        assert all((a.points or 0) >= (b.points or 0) for a, b in pairwise(by_rank))


def test_swiss_pairs_are_of_near_scores(every: list[Report]) -> None:
    """From round 3 on the average gap between opponents' scores stays well below a point."""
    gaps = []
    for report in every:
        if report.system is not System.SWISS or len(report.entries) < 30:
            continue
        score: Counter[int] = Counter()
        for round_ in range(1, report.rounds + 1):
            now = [game for game in report.games if game.round == round_]
            if round_ >= 3:
                gaps += [abs(score[game.white] - score[game.black]) for game in now]
            for game in now:
                score[game.white] += game.white_score
                score[game.black] += game.black_score
            for bye in report.byes:
                if bye.round == round_ and bye.kind is not ByeKind.ZERO_POINT:
                    score[bye.entry] += 1 if bye.kind is ByeKind.HALF_POINT else 2
    assert sum(gaps) / len(gaps) < 0.5


# --- days and time controls ---------------------------------------------------------------------


@pytest.mark.parametrize("law", LAWS)
def test_tournaments_start_under_their_list_and_end_before_the_period_closes(law: str) -> None:
    made = federation(400, 3, law=law)
    calendar = made.calendar
    for b in reports(made, 12_000):
        for head, on in zip(b.tournaments, b.list_dates, strict=True):
            number = calendar.lists.index(on)
            assert calendar.begins[number] <= head.start <= calendar.ends[number]
            assert head.start <= head.end <= calendar.ends[0]
            assert (head.end - head.start).days < 30
            if head.round_dates:
                assert (head.round_dates[0], head.round_dates[-1]) == (head.start, head.end)
                assert len(head.round_dates) == head.rounds


@pytest.mark.parametrize("law", LAWS)
def test_every_law_has_time_controls_it_rates(law: str) -> None:
    made = federation(400, 3, law=law)
    edition, controls = made.edition, made.profile.time_controls
    reasons = [edition.excluded_by_time(control, 1500, 1500) for control in controls]
    weights = list(made.profile.controls.values())
    rated = sum(w for w, reason in zip(weights, reasons, strict=True) if reason is None)
    assert rated / sum(weights) > 0.9
    if edition.K_FROM_TOURNAMENT:
        for control in controls:
            assert edition.tournament_coefficient(control, online=made.profile.online).k > 0
    if law == "fide":
        strong = [edition.excluded_by_time(control, 2450, 2450) for control in controls]
        assert strong.count(Exclusion.TOO_FAST) >= 4
    if law == "fide-blitz":
        assert {Exclusion.WRONG_CLASS, Exclusion.UNEQUAL_TIMES} <= set(reasons)


# --- the same again -----------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_games(
    made: Federation, batches: list[GeneratedBatch]
) -> None:
    for one, other in zip(batches, reports(federation(6000, 11), GAMES), strict=True):
        assert one.tournaments == other.tournaments
        for columns in ("entries", "games", "byes"):
            mine, yours = vars(getattr(one, columns)), vars(getattr(other, columns))
            assert all((mine[name] == yours[name]).all() for name in mine)
    (first, *_) = reports(federation(6000, 12), GAMES)
    assert first.games.white_half.tolist() != batches[0].games.white_half.tolist()


def test_a_batch_does_not_depend_on_those_before_it(
    made: Federation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Batches made in any order, so by any number of hands, are the same."""
    monkeypatch.setattr(batch, "PER_BATCH", 20)
    forwards = list(reports(made, 12_000))
    assert len(forwards) == 3
    pools = pools_of(made)
    planned = plan(made, pools, 12_000, None)
    for number in (2, 0, 1):
        alone = batch._batch(made, pools, planned, 20 * number)
        assert alone.games.black.tolist() == forwards[number].games.black.tolist()
        assert alone.tournaments == forwards[number].tournaments


def test_every_system_can_be_alone_in_a_batch(
    made: Federation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "PER_BATCH", 1)
    systems = {report.tournaments[0].system for report in reports(made, 5000, tournaments=100)}
    assert len(systems) == 5


@pytest.mark.parametrize("seed", range(3))
def test_a_small_federation_plays_as_well(seed: int) -> None:
    small = federation(90, seed)
    (only,) = reports(small, 3000)
    assert 2500 < len(only.games) < 3500
    assert max(len(report.entries) for report in whole_reports([only])) < 30
    for index in range(len(only.tournaments)):
        assert whole_report(only, index).games
