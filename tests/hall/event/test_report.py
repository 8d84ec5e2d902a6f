"""What leaves the hall: a report that is rated at once, TRF files, and the games in PGN."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal, cast

import pytest

from arrocco.engine.rate_reports import rate_reports
from arrocco.findings import Severity
from arrocco.formats.trf import from_report, read_report
from arrocco.hall.event import to_report
from arrocco.hall.event.acts.committee import CarryOutDecision
from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.acts.results import CorrectResult, TakeResult
from arrocco.hall.event.acts.sanctions import Impose
from arrocco.hall.event.records import PairingSystem
from arrocco.laws.hall import OnlineRating
from arrocco.laws.online.sanctions import Scope
from arrocco.laws.registry import editions
from arrocco.records.report import ByeKind, GameKind, System
from tests.hall.event.desk import (
    CHIEF,
    DRAW,
    FORFEIT,
    HELPER,
    LAWS,
    LOSS,
    WIN,
    Desk,
    as_decided,
    person,
    result,
)
from tests.hall.event.test_tiebreaks import event

RIO = LAWS.rio
AS_PLAYED = cast(OnlineRating, editions("rio")[-1](rated_score="as_played"))


def test_the_report_has_the_facts_of_the_event() -> None:
    desk = Desk(4)
    desk.appoint(HELPER, "Anna Aiuto")
    desk.pair().play(WIN, DRAW).later(days=1).pair().play(WIN, LOSS).end("rain")
    report = to_report(desk.state)
    assert (report.name, report.city, report.federation) == ("Trofeo delle Piante", "Online", "ITA")
    assert (report.start, report.end) == (date(2026, 11, 14), date(2026, 11, 15))
    assert report.round_dates == (date(2026, 11, 14), date(2026, 11, 15))
    assert (report.chief_arbiter, report.deputies) == ("Carla Capo", ("Anna Aiuto",))
    assert report.system is System.SWISS
    assert report.time_control is not None
    assert report.time_control.code == "180+2"
    assert report.rounds == 2
    assert report.facts.online
    first = report.entry(1)
    assert first is not None
    assert (first.name, first.id, first.rating) == ("Abete, Ada", 99_000_001, 2050)


def test_games_forfeits_and_byes_are_all_there() -> None:
    report = to_report(event().state)
    played = {(g.round, g.white, g.black): (g.white_score, g.black_score) for g in report.games}
    assert played == {
        (1, 1, 2): (2, 0),
        (1, 3, 4): (1, 1),
        (2, 2, 3): (2, 0),
        (2, 6, 1): (0, 2),
        (2, 4, 5): (2, 0),
        (3, 1, 3): (1, 1),
        (3, 4, 2): (0, 2),
    }
    kinds = {(g.round, g.white): g.kind for g in report.games}
    assert kinds.pop((2, 4)) is GameKind.FORFEIT
    assert set(kinds.values()) == {GameKind.PLAYED}
    assert {(b.round, b.entry): b.kind for b in report.byes} == {
        (1, 5): ByeKind.HALF_POINT,
        (1, 6): ByeKind.PAIRING_ALLOCATED,
        (3, 5): ByeKind.ZERO_POINT,
        (3, 6): ByeKind.ZERO_POINT,
    }
    assert [(e.points, e.rank) for e in report.entries] == [
        (25, 1),
        (20, 2),
        (10, 4),
        (15, 3),
        (5, 6),
        (10, 4),
    ]


def test_it_is_rated_under_rio_at_once() -> None:
    """By hand: 1 expects .57 + .81 + .64 = 2.02, so 2.0; 4 expects .43 + .36 = .79, so .8."""
    held = {99_000_000 + n: (2100 - 50 * n, "fsi") for n in range(1, 7)}
    rated = rate_reports("rio", [to_report(event().state, RIO)], None, entry_ratings=held)
    new = {row.id - 99_000_000: (row.n, row.new_rating) for row in rated.players()}
    assert new[1] == (3, 2050 + 10)
    assert new[4] == (2, 1900 - 6)
    assert new[5] == (0, 1850)


@pytest.mark.parametrize("version", ["trf16", "trf26"])
def test_it_is_written_as_a_trf_that_reads_back_without_errors(
    version: Literal["trf16", "trf26"],
) -> None:
    report = to_report(event().state)
    back, findings = read_report(from_report(report, version), "event.trf")
    assert [finding for finding in findings if finding.severity is not Severity.NOTE] == []
    assert [(e.number, e.name, e.points, e.rank) for e in back.entries] == [
        (e.number, e.name, e.points, e.rank) for e in report.entries
    ]
    assert len(back.games) == len(report.games)
    assert back.round_dates == report.round_dates


@pytest.mark.parametrize("rio", [RIO, AS_PLAYED], ids=["as_decided", "as_played"])
def test_the_file_that_is_handed_over_raises_no_findings_about_itself(rio: OnlineRating) -> None:
    excluded = Desk(4).pair().play(WIN, DRAW)
    excluded.impose("6.9f", 1, round=1, points=LOSS)
    excluded.impose("6.9j", 1, scope=Scope.TOURNAMENT)
    for state in (event().state, excluded.state):
        report = to_report(state, rio)
        back, findings = read_report(from_report(report, "trf26"), "event.trf")
        assert findings == []
        assert [(e.points, e.rank) for e in back.entries] == [
            (e.points, e.rank) for e in report.entries
        ]


def test_a_late_entry_has_the_rounds_before_as_byes_without_points() -> None:
    desk = Desk(4, late_entries_until=2).pair().play(WIN, WIN)
    desk.granted(Enter(by=CHIEF, person=person(5, rating=1000)))
    desk.pair().play(*[WIN] * 2)
    report = to_report(desk.state)
    assert (1, 5, ByeKind.ZERO_POINT) in [(b.round, b.entry, b.kind) for b in report.byes]
    assert read_report(from_report(report, "trf26"), "x")[1] == []


def test_15_1_the_rating_takes_what_was_decided_unless_read_otherwise() -> None:
    desk = Desk(2).pair().play(WIN)
    desk.impose("6.9f", 1, round=1, points=LOSS)
    desk.impose("6.9j", 1, scope=Scope.TOURNAMENT)
    (decided,) = to_report(desk.state).games
    (rated,) = to_report(desk.state, RIO).games
    (read_otherwise,) = to_report(desk.state, AS_PLAYED).games
    assert (decided.white_score, decided.black_score) == (0, 2)
    assert rated == decided
    assert (read_otherwise.white_score, read_otherwise.black_score) == (2, 0)
    excluded = to_report(desk.state).entries[0]
    assert (excluded.points, excluded.rank) == (0, None)


@pytest.mark.parametrize("article", ["5.9", "5.10", "6.9f", "9.2", "13.3"])
def test_15_1_a_fault_found_during_play_or_after_mate_has_the_same_effect_on_ratings(
    article: str,
) -> None:
    lost = TakeResult(by="", round=1, board=1, result=result(LOSS), article=article)
    during = Desk(2).pair().open()
    after = Desk(2).pair().open().take(1, WIN)
    for desk in (during, after):
        desk.granted(lost)
    assert to_report(during.state, RIO).games == to_report(after.state, RIO).games
    (game,) = to_report(after.state, RIO).games
    assert (game.white_score, game.black_score) == (0, 2)


@pytest.mark.parametrize("article", ["6.9f", "13.5b"])
def test_12_13_nothing_is_given_to_opponents_of_who_was_excluded_before(article: str) -> None:
    desk = Desk(2).pair().play(WIN)
    desk.impose("6.9i", 1, scope=Scope.TOURNAMENT)
    given: dict[str, Any] = {
        "by": CHIEF,
        "article": article,
        "entry": 1,
        "reason": "an engine",
        "round": 1,
    }
    assert desk.refusal(as_decided(Impose(**given, points=LOSS))) == (
        "opponent_of_excluded",
        "12.13",
    )
    corrected = CorrectResult(
        by=CHIEF, round=1, board=1, points=LOSS, article="13.3", reason="an engine", against=1
    )
    together = CarryOutDecision(by="", case=1, correct=corrected)
    assert desk.refusal(together) == ("opponent_of_excluded", "12.13")
    desk.granted(as_decided(Impose(**given, points=(0, 0))))
    (game,) = to_report(desk.state, RIO).games
    assert (game.white_score, game.black_score) == (0, 0)


def test_12_13_who_had_won_by_the_fault_before_the_exclusion_keeps_it() -> None:
    desk = Desk(2).pair().play(WIN)
    desk.impose("6.9f", 1, round=1, points=LOSS)
    desk.impose("6.9i", 1, scope=Scope.TOURNAMENT)
    assert desk.points() == {2: 10}


def test_11_4_a_corrected_result_is_what_was_played() -> None:
    desk = Desk(2).pair().play(DRAW)
    desk.granted(
        CorrectResult(by=CHIEF, round=1, board=1, points=WIN, article="11.4", reason="mate")
    )
    (game,) = to_report(desk.state, RIO).games
    assert (game.white_score, game.black_score) == (2, 0)


def test_rounds_not_begun_and_games_not_over_are_not_reported() -> None:
    desk = Desk(4).pair().open().take(1, WIN)
    assert [game.round for game in to_report(desk.state).games] == [1]
    desk.take(2, WIN).close().pair()
    report = to_report(desk.state)
    assert report.rounds == 1
    assert {game.round for game in report.games} == {1}


def test_a_round_robin_names_its_system_and_its_free_rounds() -> None:
    desk = Desk(3, system=PairingSystem.ROUND_ROBIN)
    for _ in range(3):
        desk.pair().play(WIN)
    report = to_report(desk.end().state)
    assert report.system is System.ROUND_ROBIN
    assert [bye.kind for bye in report.byes] == [ByeKind.ZERO_POINT] * 3
    assert read_report(from_report(report, "trf26"), "x")[1] == []


def test_both_absent_is_reported_as_a_forfeit_of_both() -> None:
    desk = Desk(2).pair().open().take(1, (0, 0), FORFEIT).close()
    (game,) = to_report(desk.state).games
    assert (game.white_score, game.black_score, game.kind) == (0, 0, GameKind.FORFEIT)
    assert b"-" in from_report(to_report(desk.state), "trf16")
