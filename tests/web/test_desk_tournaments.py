"""Registering tournaments and what becomes of them, through the pages alone."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from lxml import html

from arrocco.desk import Office
from arrocco.office.records import TournamentStatus
from arrocco.office.roles import Role
from tests.desk.offices import Clock
from tests.web.conftest import LogIn
from tests.web.desk_office import *  # noqa: F403 - fixtures
from tests.web.desk_office import FOREIGN, LATE, OPEN, RATED, people_in
from tests.web.visits import all_of, posted

BOSS, ARBITER, OFFICER = Role.RATING_ADMINISTRATOR, Role.ARBITER, Role.FEDERATION_OFFICER
NEW = "/en/desk/tournaments/new"
ANNOUNCED: dict[str, Any] = {
    "name": "Festival di Prova",
    "city": "Provetta",
    "federation": "ITA",
    "systems": "fide",
    "start": "2025-09-01",
    "end": "2025-09-05",
    "rounds": "5",
    "time_control": "90'+30\"",
    "pairing": "swiss",
    "chief_arbiter": "Arbitra, Finta",
}


def count(office: Office) -> int:
    return office.tournaments.mine(people_in(office).administrator)[0]


def refused_in_log(office: Office) -> set[tuple[str, str]]:
    """What was refused, and to what, as the audit log has it."""
    rows = office.audit.page(people_in(office).administrator, outcome="refused")
    return {(row.action, row.subject) for row in rows}


def test_assessing_shows_what_the_law_computes_and_keeps_nothing(
    logged_in: LogIn, office: Office
) -> None:
    before = count(office)
    sent = ANNOUNCED | {"do": "assess", "top_rating": "2710"}
    answer = posted(logged_in(ARBITER), NEW, sent)
    assert answer.status_code == 200
    for seen in ("0.2.1", "2 Aug 2025", "1 Oct 2025", "30 Sept 2025", "90 minutes for the whole"):
        assert seen in answer.text, seen
    assert count(office) == before


def test_rounds_without_rows_are_spread_over_the_days(logged_in: LogIn) -> None:
    sent = {"do": "rows", "start": "2025-09-01", "end": "2025-09-03", "rounds": "5"}
    page: Any = html.fromstring(posted(logged_in(ARBITER), NEW, sent).text)
    days = [page.xpath(f"//input[@name='day_{n}']/@value")[0] for n in range(1, 6)]
    assert [day[-2:] for day in days] == ["01", "01", "02", "02", "03"]


def test_what_is_written_in_the_rows_is_kept(logged_in: LogIn, office: Office) -> None:
    sent = ANNOUNCED | {"do": "register", "day_2": "2025-09-01", "hour_2": "16:30"}
    sent |= {"facts": ["official", "league", "by_period"], "match_games": "", "top_woman": "2200"}
    sent |= {"event": "Campionato, finale e preliminari"}
    answer = posted(logged_in(ARBITER), NEW, sent)
    assert answer.status_code == 303
    made = office.tournaments.get(
        people_in(office).arbiter, int(answer.headers["location"].rpartition("/")[2])
    )
    planned = [(one.day.day, one.hour) for one in made.registration.schedule]
    assert planned == [(1, ""), (1, "16:30"), (3, ""), (4, ""), (5, "")]
    assert (made.registration.facts.official, made.registration.facts.league) == (True, True)
    assert made.registration.top_woman == 2200
    assert made.registration.facts.event == "Campionato, finale e preliminari"
    assert made.registration.facts.by_period == office.desk.now().date(), (
        "4.13: the day it was said"
    )


@pytest.mark.parametrize(
    ("forged", "field"),
    [
        ({"rounds": "1000000000"}, "rounds"),
        ({"rounds": "-3"}, "rounds"),
        ({"start": "2025-13-40"}, "start"),
        ({"end": "2025-08-01"}, "end"),
        ({"day_1": "never"}, "day_1"),
        ({"day_1": "2031-01-01"}, "schedule"),
        ({"hour_1": "25:99"}, "schedule"),
        ({"pairing": "roulette"}, "pairing"),
        ({"time_control": "as long as it takes"}, "time_control"),
        ({"federation": "<b>"}, "federation"),
        ({"name": "x" * 301}, "name"),
        ({"systems": ""}, "systems"),
        ({"systems": ["fide", "../elo"]}, "systems"),
        ({"systems": ["fide", "fide"]}, "systems"),
        ({"top_rating": "99999"}, "top_rating"),
        ({"facts": ["online", "hybrid"]}, "facts"),
    ],
)
def test_a_forged_field_is_told_under_it_and_changes_nothing(
    logged_in: LogIn, office: Office, forged: dict[str, Any], field: str
) -> None:
    before = count(office)
    answer = posted(logged_in(ARBITER), NEW, ANNOUNCED | forged | {"do": "register"})
    assert answer.status_code == 422
    page = html.fromstring(answer.text)
    assert page.xpath("//p[@class='wrong']"), field
    assert count(office) == before


def test_a_tournament_no_law_can_rate_is_not_registered(logged_in: LogIn, office: Office) -> None:
    before = count(office)
    sent = ANNOUNCED | {"time_control": "5+3", "do": "register"}
    answer = posted(logged_in(ARBITER), NEW, sent)
    assert answer.status_code == 422
    assert "cannot rate this tournament" in answer.text
    assert count(office) == before


def test_an_officer_registers_only_for_their_own_federation(
    logged_in: LogIn, office: Office
) -> None:
    before = count(office)
    client = logged_in(OFFICER)
    answer = posted(client, NEW, ANNOUNCED | {"federation": "FRA", "do": "register"})
    assert answer.status_code == 403
    assert count(office) == before
    assert ("register_tournament", "") in refused_in_log(office)
    assert posted(client, NEW, ANNOUNCED | {"do": "register"}).status_code == 303
    assert count(office) == before + 1


@pytest.mark.parametrize("role", [ARBITER, OFFICER])
def test_the_file_of_anothers_tournament_is_closed_and_the_attempt_logged(
    logged_in: LogIn, office: Office, role: Role
) -> None:
    client = logged_in(role)
    boss = people_in(office).administrator
    before = office.tournaments.get(boss, FOREIGN)
    for path in (f"/en/desk/tournaments/{FOREIGN}", f"/en/desk/tournaments/{FOREIGN}/report"):
        assert client.get(path).status_code == 403
    acts = {"cancel": {"cancel_reason": "because"}, "appeal": {"appeal": "please"}}
    for act, sent in acts.items():
        answer = posted(client, f"/en/desk/tournaments/{FOREIGN}/{act}", sent)
        assert answer.status_code == 403, act
    logged = refused_in_log(office)
    for action in ("see_tournament", "cancel_tournament", "appeal_refusal"):
        assert (action, f"tournament:{FOREIGN}") in logged
    assert office.tournaments.get(boss, FOREIGN) == before


def test_an_arbiter_cannot_approve_their_own_registration(logged_in: LogIn, office: Office) -> None:
    sent = {"needed": "qc", "granted_by": "myself", "granted_on": "2025-06-29"}
    answer = posted(logged_in(ARBITER), f"/en/desk/tournaments/{LATE}/approve", sent)
    assert answer.status_code == 403
    found = office.tournaments.get(people_in(office).arbiter, LATE)
    assert found.status is TournamentStatus.AWAITING_APPROVAL


def test_an_approval_is_recorded_with_whose_it_was(logged_in: LogIn, office: Office) -> None:
    client, path = logged_in(BOSS), f"/en/desk/tournaments/{LATE}/approve"
    sent = {"needed": "qc", "granted_by": "Presidente Finta", "granted_on": "2025-06-20"}
    assert posted(client, path, sent | {"granted_by": ""}).status_code == 422
    assert posted(client, path, sent | {"needed": "nobody"}).status_code == 409
    assert posted(client, path, sent).status_code == 303
    found = office.tournaments.get(people_in(office).arbiter, LATE)
    assert found.status is TournamentStatus.REGISTERED
    assert "Presidente Finta" in client.get(f"/en/desk/tournaments/{LATE}").text


def test_cancelling_wants_a_reason_and_closes_the_file(logged_in: LogIn, office: Office) -> None:
    client, path = logged_in(ARBITER), f"/it/desk/tournaments/{OPEN}/cancel"
    assert posted(client, path, {}).status_code == 422
    assert posted(client, path, {"cancel_reason": "Sala allagata"}).status_code == 303
    page = client.get(f"/it/desk/tournaments/{OPEN}").text
    assert "Sala allagata" in page
    assert f"/it/desk/tournaments/{OPEN}/report" not in page


def test_a_list_of_tournaments_is_searched_and_filtered(logged_in: LogIn) -> None:
    client = logged_in(ARBITER)
    assert "Torneo Tardivo" in client.get("/en/desk/tournaments?q=tardivo").text
    page = client.get("/en/desk/tournaments?status=awaiting_approval").text
    assert "Torneo Tardivo" in page
    assert "Torneo Aperto" not in page
    assert client.get("/en/desk/tournaments?status=%27&page=-1").status_code == 200
    assert "Fausseville" not in client.get("/en/desk/tournaments").text
    page = client.get("/en/desk/tournaments").text
    (row,) = all_of(page, f"//tr[.//a[@href='/en/desk/tournaments/{RATED}']]")
    assert "rated" in str(row.text_content())
    assert "registered" not in str(row.text_content())


@pytest.mark.parametrize(("language", "by"), [("en", "30 Jun 2025"), ("it", "30 giu 2025")])
def test_what_is_owed_stands_first_with_its_day_and_the_way_to_send_it(
    logged_in: LogIn, office: Office, clock: Clock, language: str, by: str
) -> None:
    client = logged_in(ARBITER)
    path = f"/{language}/desk/tournaments"
    page: Any = html.fromstring(client.get(path).text)
    (row,) = page.xpath("//section[@aria-labelledby='missing']//tbody/tr")
    assert row.xpath("string(td[2])") == by
    assert row.xpath("td/a/@href") == [f"{path}/{OPEN}/report"]
    assert client.get(row.xpath("td/a/@href")[0]).status_code == 200
    inbox: Any = html.fromstring(client.get(f"/{language}/desk").text)
    (until,) = inbox.xpath("//main//tr[th/a[contains(., 'rapporto') or contains(., 'report')]]")
    assert by in until.xpath("string(td[last()])")
    clock.go_to(date(2025, 7, 1))
    late: Any = html.fromstring(logged_in(ARBITER).get(path).text)
    (row,) = late.xpath("//section[@aria-labelledby='missing']//tbody/tr")
    assert "✕" in row.xpath("string(td[2])")
    assert not html.fromstring(logged_in(BOSS).get(path).text).xpath("//*[@id='missing']")
