"""FIDE 2024 0.4, 5.1, 9.1 — corrections, annulments and refusals on the command line."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from click.testing import CliRunner

from arrocco.cli.main import program
from arrocco.desk import Office
from arrocco.office.records import ReportStatus, TournamentStatus
from tests.desk.offices import Clock, People, accepted, published, report
from tests.desk.test_counted_once import JUNE, START, one_day_longer, registered, send
from tests.desk.test_counted_once import people as people


def run(office: Office, *given: str) -> Any:
    folder = ["--office", str(office.folder), "--json"]
    result = CliRunner().invoke(program, ["office", *given, *folder], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_0_4_a_published_tournament_is_annulled(
    small_office: Office, clock: Clock, people: People
) -> None:
    sent = accepted(small_office, clock, people, report(1, START), ("fide",))
    published(small_office, people, "fide", JUNE)
    shown = run(small_office, "annul", str(sent.tournament))
    assert not shown["entered"]
    assert len(shown["players"]["fide"]) == 8
    assert small_office.reports.get(people.administrator, sent.id).status is ReportStatus.RATED
    assert run(small_office, "annul", str(sent.tournament), "--reason", "not played")["entered"]
    assert small_office.reports.get(people.administrator, sent.id).status is ReportStatus.ANNULLED


def test_9_1_and_5_1_a_report_sent_again_and_an_excluded_game(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, START)
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, first.id)
    game = made.games[0]
    excluded = f"1:{game.white}-{game.black}=fair_play"
    told = run(small_office, "correct", str(first.id), "--exclude", excluded, "--reason", "x")
    assert told["entered"]
    published(small_office, people, "fide", JUNE)
    second = send(small_office, people, number, one_day_longer(made))
    shown = run(small_office, "correct", str(second.id))
    assert shown["lists"] == {"fide": "2025-07-01"}
    assert run(small_office, "correct", str(second.id), "--reason", "wrong day")["entered"]
    fixed = small_office.corrections.as_corrected(people.administrator, first.id)
    assert fixed.games[0].kind == "fair_play"  # the exclusion stays with its game
    assert made.end is not None
    assert fixed.end == made.end + timedelta(days=1)


def test_0_4_a_tournament_is_refused(small_office: Office, clock: Clock, people: People) -> None:
    sent = accepted(small_office, clock, people, report(1, START), ("fide",))
    told = run(small_office, "refuse", str(sent.tournament), "--reason", "no arbiter")
    assert told["status"] == TournamentStatus.REFUSED
    assert small_office.reports.get(people.administrator, sent.id).status is ReportStatus.WITHDRAWN


def test_a_wrong_exclusion_is_refused_in_words(small_office: Office) -> None:
    given = ["office", "correct", "1", "--exclude", "5-2", "--office", str(small_office.folder)]
    result = CliRunner().invoke(program, given)
    assert result.exit_code == 1
    assert "5-2" in result.output
