"""Corrections through the API: told first, entered with a reason, only by who may."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from arrocco.desk import Office
from arrocco.office.ledger import Correction, ErrorsWaived, GameExclusion
from arrocco.office.records import ReportStatus, TournamentStatus
from arrocco.office.roles import Role
from arrocco.records.report import Report
from arrocco.store.sql import ledger
from arrocco.units import HalfPoints
from tests.desk.offices import data_of, player_id, report
from tests.web.conftest import Client, LogIn
from tests.web.desk_office import *  # noqa: F403 - fixtures
from tests.web.desk_office import MAY, OPEN, RATED, RATED_REPORT, people_in, played

API = "/api/v1"
BOSS, ARBITER = Role.RATING_ADMINISTRATOR, Role.ARBITER


def ask(client: Client, path: str, record: dict[str, Any], status: int = 200) -> Any:
    token = client.get(f"{API}/session").json()["form_token"]
    answer = client.post(f"{API}{path}", headers={"x-form-token": token}, json=record)
    assert answer.status_code == status, answer.text
    return answer.json()


def with_another_result() -> Report:
    """The rated report with another result of its first game."""
    made = report(1, MAY.replace(day=8))
    game = made.games[0]
    half = HalfPoints(1) if game.white_score != 1 else HalfPoints(2)
    made.games[0] = replace(game, white_score=half, black_score=HalfPoints(2 - half))
    for entry in made.entries:
        entry.points = None
    return made


def test_9_1_a_report_sent_after_publication_is_entered_as_a_correction(
    logged_in: LogIn, office: Office
) -> None:
    people = people_in(office)
    made = with_another_result()
    game = made.games[0]
    sent = office.reports.send(people.arbiter, RATED, "again.trf", data_of(made))
    path, boss = f"/reports/{sent.id}/correct", logged_in(BOSS)
    told = ask(boss, path, {})
    assert not told["entered"]
    assert {one["id"] for one in told["players"]["fide"]} >= {
        made.entries[game.white - 1].id,
        made.entries[game.black - 1].id,
    }
    assert office.reports.get(people.arbiter, sent.id).status is not ReportStatus.CORRECTION
    assert ask(boss, path, {"reason": "a wrong result"})["entered"]
    assert office.reports.get(people.arbiter, sent.id).status is ReportStatus.CORRECTION
    ask(logged_in(ARBITER), path, {"reason": "mine"}, 403)


def test_9_1_the_same_games_with_another_last_day_are_told_and_count_once(
    logged_in: LogIn, office: Office
) -> None:
    """Before and after publication: what is accepted takes the place of the first one."""
    arbiter, people = logged_in(ARBITER), people_in(office)
    token = arbiter.get(f"{API}/session").json()["form_token"]

    def asked(tournament: int, made: Report, way: str) -> Any:
        file = {"file": ("again.trf", data_of(made))}
        path = f"{API}/tournaments/{tournament}/reports{way}"
        answer = arbiter.post(path, headers={"x-form-token": token}, files=file)
        assert answer.status_code == 200, answer.text
        return answer.json()

    rated = report(1, MAY.replace(day=8))
    assert rated.end is not None
    rated.end += timedelta(days=1)
    keys = {one["key"] for one in asked(RATED, rated, "/check")["findings"]}
    assert "office.corrects_rated" in keys

    def accepted(made: Report) -> None:
        sent = office.reports.get(people.arbiter, asked(OPEN, made, "")["report"])
        warned = {
            index: "so it was"
            for index, found in enumerate(sent.findings)
            if found.severity == "warning"
        }
        if warned:
            office.reports.answer(people.arbiter, sent.id, warned)
        office.reports.accept(people.administrator, sent.id)

    first = played()
    accepted(first)
    assert first.end is not None
    first.end += timedelta(days=1)
    told = {one["key"] for one in asked(OPEN, first, "/check")["findings"]}
    assert "office.replaces" in told
    accepted(first)
    statuses = [one.status for one in office.reports.of_tournament(people.administrator, OPEN)]
    assert statuses.count(ReportStatus.ACCEPTED) == 1


def test_errors_that_a_correction_brings_are_told_and_waived(
    logged_in: LogIn, office: Office
) -> None:
    boss, path = logged_in(BOSS), f"/reports/{RATED_REPORT}/corrections"
    change = {"players": [{"entry": 3, "player": player_id(90)}]}
    told = ask(boss, path, change)
    assert [error["key"] for error in told["errors"]] == ["check.not_on_list"]
    entered = change | {"reason": "namesake"}
    refused = ask(boss, path, entered, 422)
    assert [error["key"] for error in refused["findings"]]
    waiver = {"key": "check.not_on_list", "reason": "known to the federation"}
    assert ask(boss, path, entered | {"waivers": [waiver]})["entered"]
    with office.desk.database.reading() as connection:
        (waived,) = ledger.of_kind(connection, ErrorsWaived)
    assert isinstance(waived.entry, ErrorsWaived)
    assert waived.entry.report == RATED_REPORT


def test_9_1_errors_of_a_correction_are_waived_one_by_one(logged_in: LogIn, office: Office) -> None:
    """Its seven rounds stand on one day, which 3 does not allow."""
    people = people_in(office)
    made = with_another_result()
    assert made.start is not None
    made.round_dates = (made.start,) * made.rounds
    sent = office.reports.send(people.arbiter, RATED, "again.trf", data_of(made))
    assert sent.status is ReportStatus.RETURNED
    path, boss = f"/reports/{sent.id}/correct", logged_in(BOSS)
    shown = boss.get(f"/desk/reports/{sent.id}").text
    assert f"/desk/reports/{sent.id}/correct" in shown
    assert f"/desk/reports/{sent.id}/accept" not in shown
    form = boss.get(f"/desk/reports/{sent.id}/correct").text
    assert 'name="waive_0"' in form
    reason = {"reason": "so many rounds were played"}
    ask(boss, path, reason, 422)
    ask(boss, path, reason | {"waivers": [{"key": "check.id_repeated", "reason": "x"}]}, 409)
    found = office.reports.get(people.arbiter, sent.id).findings
    warned = {n: "so it was" for n, one in enumerate(found) if one.severity == "warning"}
    office.reports.answer(people.arbiter, sent.id, warned)
    waivers = [{"key": "check.hours_in_a_day", "reason": "agreed"}]
    assert ask(boss, path, reason | {"waivers": waivers})["entered"]
    assert office.reports.get(people.arbiter, sent.id).status is ReportStatus.CORRECTION


def test_0_4_a_published_tournament_is_annulled(logged_in: LogIn, office: Office) -> None:
    path, boss = f"/tournaments/{RATED}/annul", logged_in(BOSS)
    told = ask(boss, path, {})
    assert not told["entered"]
    assert len(told["players"]["fide"]) == 8
    people = people_in(office)
    assert office.reports.get(people.arbiter, RATED_REPORT).status is ReportStatus.RATED
    assert ask(boss, path, {"reason": "it was never played"})["entered"]
    assert office.reports.get(people.arbiter, RATED_REPORT).status is ReportStatus.ANNULLED
    ask(logged_in(ARBITER), path, {"reason": "mine"}, 403)


def test_0_4_a_tournament_is_refused(logged_in: LogIn, office: Office) -> None:
    path = f"/tournaments/{OPEN}/refuse"
    ask(logged_in(ARBITER), path, {"reason": "mine"}, 403)
    told = ask(logged_in(BOSS), path, {"reason": "no licensed arbiter"})
    assert (told["tournament"], told["status"]) == (OPEN, "refused")
    assert told["appeal_until"] is not None
    found = office.tournaments.get(people_in(office).administrator, OPEN)
    assert found.status is TournamentStatus.REFUSED


def test_5_1_one_game_is_excluded_with_its_ground_and_article(
    logged_in: LogIn, office: Office
) -> None:
    game = report(1, MAY.replace(day=8)).games[0]
    change = {
        "round": game.round,
        "white": game.white,
        "black": game.black,
        "ground": "fair_play",
        "article": "5.1",
    }
    path, boss = f"/reports/{RATED_REPORT}/corrections", logged_in(BOSS)
    told = ask(boss, path, {"exclusions": [change]})
    assert not told["entered"]
    assert ask(boss, path, {"exclusions": [change], "reason": "a ruling"})["entered"]
    with office.desk.database.reading() as connection:
        entered = [one.entry for one in ledger.of_kind(connection, Correction)]
    (found,) = [one for one in entered if isinstance(one, Correction)]
    assert [type(one) for one in found.changes] == [GameExclusion]
    ask(boss, path, {"exclusions": [change | {"ground": "weather"}], "reason": "x"}, 400)
    ask(logged_in(ARBITER), path, {"exclusions": [change], "reason": "mine"}, 403)
