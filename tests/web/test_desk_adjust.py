"""Adjusting a list through the page: offered only where there is one, done once."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.office.roles import Role
from arrocco.words import LANGUAGES, Language, say
from tests.desk.offices import write_opening
from tests.web.conftest import LogIn
from tests.web.html import faults_of
from tests.web.visits import posted

BOSS = Role.RATING_ADMINISTRATOR
MARCH = date(2024, 3, 1)
SENT = {"system": "fide", "list_date": MARCH.isoformat(), "reason": "the Council's decision"}


@pytest.fixture
def listed(office: Office, tmp_path: Path) -> Office:
    boss = operator(BOSS)
    office.lists.import_list(boss, "fide", MARCH, write_opening(tmp_path / "march.csv"))
    return office


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_whom_it_would_move(
    logged_in: LogIn, listed: Office, language: Language
) -> None:
    client = logged_in(BOSS)
    assert f"/{language}/desk/lists/adjust" in client.get(f"/{language}/desk/lists").text
    page = client.get(f"/{language}/desk/lists/adjust")
    assert page.status_code == 200
    assert faults_of(page.text) == []
    assert say(language, "desk_pages.adjust.moves", players=9, points="852") in page.text
    assert "1540" in page.text
    assert "1724" in page.text


def test_it_is_entered_once(logged_in: LogIn, listed: Office) -> None:
    client = logged_in(BOSS)
    without = posted(client, "/en/desk/lists/adjust", SENT | {"reason": ""})
    assert without.status_code == 422
    assert posted(client, "/en/desk/lists/adjust", SENT).status_code == 303
    assert say("en", "desk_pages.adjust.none") in client.get("/en/desk/lists/adjust").text
    assert "/en/desk/lists/adjust" not in client.get("/en/desk/lists").text
    again = posted(client, "/en/desk/lists/adjust", SENT)
    assert again.status_code >= 400
    assert "was adjusted already" in again.text


def test_others_may_not(logged_in: LogIn, listed: Office) -> None:
    for role in (Role.ARBITER, Role.FEDERATION_OFFICER, Role.PLAYER):
        client = logged_in(role)
        assert client.get("/en/desk/lists/adjust").status_code == 403
        assert posted(client, "/en/desk/lists/adjust", SENT).status_code == 403
    assert listed.adjustments.open()
