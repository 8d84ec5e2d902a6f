"""Every working page in both languages: complete, valid, and shown to those whose task it is."""

from __future__ import annotations

import pytest

from arrocco.desk import Office
from arrocco.office.roles import Role
from tests.desk.offices import player_id
from tests.web.conftest import Client, LogIn
from tests.web.desk_office import *  # noqa: F403 - fixtures
from tests.web.desk_office import (
    JULY,
    LATE,
    OPEN,
    RATED,
    RATED_REPORT,
    file_with_error,
    file_with_warning,
    people_in,
)
from tests.web.html import faults_of

BOSS, ARBITER, OFFICER = Role.RATING_ADMINISTRATOR, Role.ARBITER, Role.FEDERATION_OFFICER
PAGES = [
    (ARBITER, "/desk/tournaments"),
    (ARBITER, "/desk/tournaments?q=nessuno"),
    (ARBITER, "/desk/tournaments/new"),
    (ARBITER, f"/desk/tournaments/{OPEN}"),
    (ARBITER, f"/desk/tournaments/{OPEN}/report"),
    (ARBITER, f"/desk/tournaments/{RATED}"),
    (ARBITER, f"/desk/reports/{RATED_REPORT}"),
    (OFFICER, "/desk/tournaments"),
    (OFFICER, f"/desk/tournaments/{LATE}"),
    (OFFICER, "/desk/people"),
    (OFFICER, "/desk/people?q=altavilla&system=fide"),
    (OFFICER, f"/desk/people/{player_id(1)}"),
    (OFFICER, f"/desk/people/merge?kept={player_id(1)}&left={player_id(2)}"),
    (BOSS, "/desk/tournaments"),
    (BOSS, "/desk/registrations"),
    (BOSS, f"/desk/tournaments/{LATE}"),
    (BOSS, "/desk/reports"),
    (BOSS, "/desk/lists"),
    (BOSS, "/desk/lists/import"),
    (BOSS, "/desk/corrections"),
    (BOSS, f"/desk/corrections/{RATED_REPORT}"),
    (BOSS, f"/desk/corrections/{RATED_REPORT}?games=2&fix=1-1-8&fix=2-3-4&entry=5"),
]


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_page_is_valid_in_both_languages(logged_in: LogIn, language: str) -> None:
    clients = {role: logged_in(role) for role in (BOSS, ARBITER, OFFICER)}
    for role, path in PAGES:
        answer = clients[role].get(f"/{language}{path}")
        assert answer.status_code == 200, path
        assert faults_of(answer.text) == [], path


@pytest.mark.parametrize("language", ["en", "it"])
def test_pages_of_reports_and_drafts_are_valid(
    logged_in: LogIn, office: Office, language: str
) -> None:
    people = people_in(office)
    returned = office.reports.send(people.arbiter, OPEN, "a.trf", file_with_error())
    arbiter, boss = logged_in(ARBITER), logged_in(BOSS)
    pages = [(arbiter, f"/desk/reports/{returned.id}"), (arbiter, "/desk/tournaments")]
    assert _faults(pages, language) == []
    warned = office.reports.send(people.arbiter, OPEN, "b.trf", file_with_warning())
    assert _faults([(arbiter, f"/desk/reports/{warned.id}")], language) == []
    warnings = [n for n, one in enumerate(warned.findings) if one.severity == "warning"]
    office.reports.answer(people.arbiter, warned.id, dict.fromkeys(warnings, "she stood in"))
    office.reports.accept(people.administrator, warned.id)
    number = office.lists.enter_draft(people.administrator, "fide", JULY)
    running = boss.get(f"/{language}/desk/drafts/{number}")
    assert faults_of(running.text) == []
    assert "data-hx-get" in running.text
    office.lists.run_draft(number)
    draft = f"/desk/drafts/{number}"
    kinds = ("new", "delisted", "inactive", "active", "promoted", "k_limited", "k", "changed")
    shown = [draft, *(f"{draft}/players/{kind}" for kind in kinds), f"/desk/reports/{warned.id}"]
    assert _faults([(boss, path) for path in shown], language) == []


def _faults(pages: list[tuple[Client, str]], language: str) -> list[str]:
    found = []
    for client, path in pages:
        answer = client.get(f"/{language}{path}")
        found += [] if answer.status_code == 200 else [f"{path}: {answer.status_code}"]
        found += [f"{path}: {fault}" for fault in faults_of(answer.text)]
    return found


@pytest.mark.parametrize(
    ("role", "tasks"),
    [
        (ARBITER, {"/desk/tournaments/new", "/desk/tournaments"}),
        (OFFICER, {"/desk/tournaments/new", "/desk/tournaments", "/desk/people"}),
        (BOSS, {"/desk/registrations", "/desk/reports", "/desk/lists", "/desk/corrections"}),
        (Role.PLAYER, set()),
    ],
)
def test_the_desk_leads_everybody_to_their_tasks(
    logged_in: LogIn, role: Role, tasks: set[str]
) -> None:
    client = logged_in(role)
    if not tasks:
        assert "/desk/" not in client.get("/it").text
        return
    assert 'href="/it/desk"' in client.get("/it").text
    page = client.get("/it/desk").text
    for path in tasks:
        assert f'href="/it{path}"' in page


@pytest.mark.parametrize("number", ["9" * 25, str(1 << 63), "-1", "999"])
def test_a_number_that_nothing_has_names_no_page(logged_in: LogIn, number: str) -> None:
    client = logged_in(BOSS)
    for part in ("people", "tournaments", "reports", "drafts", "corrections"):
        assert client.get(f"/it/desk/{part}/{number}").status_code == 404, part
