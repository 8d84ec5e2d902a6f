"""Unusual changes of a draft lead to the draft's own receipt and to the tournament."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import html

from arrocco.desk import Office
from arrocco.office import unusual
from arrocco.office.roles import Role
from tests.desk.offices import player_id
from tests.web.conftest import LogIn
from tests.web.desk_office import *  # noqa: F403 - fixtures
from tests.web.desk_office import JULY, OPEN, good_file, people_in


@pytest.fixture
def draft(office: Office, monkeypatch: pytest.MonkeyPatch) -> int:
    """A draft of July in which every change is a jump, and every event one that gains."""
    monkeypatch.setattr(unusual, "JUMP_IN_K", 0)
    monkeypatch.setattr(unusual, "GAIN_PER_ENTRY", -1000)
    people = people_in(office)
    sent = office.reports.send(people.arbiter, OPEN, "torneo.trf", good_file())
    warnings = [i for i, one in enumerate(sent.findings) if one.severity == "warning"]
    if warnings:
        office.reports.answer(people.arbiter, sent.id, dict.fromkeys(warnings, "so it was"))
    office.reports.accept(people.administrator, sent.id)
    number = office.lists.enter_draft(people.administrator, "fide", JULY)
    office.lists.run_draft(number)
    return number


@pytest.mark.parametrize("language", ["en", "it"])
def test_unusual_changes_lead_to_receipt_and_tournament(
    logged_in: LogIn, draft: int, language: str
) -> None:
    client = logged_in(Role.RATING_ADMINISTRATOR)
    page: Any = html.fromstring(client.get(f"/{language}/desk/drafts/{draft}").text)
    links = page.xpath("//section[@aria-labelledby='unusual']//a/@href")
    receipts = [link for link in links if "/receipts/" in link]
    assert receipts
    assert f"/{language}/desk/tournaments/{OPEN}" in links
    assert not [link for link in links if f"/{language}/players/" in link], "they know no draft"
    shown = client.get(receipts[0])
    assert shown.status_code == 200
    assert "Torneo Aperto di Finta" in shown.text
    assert "/api/v1/players/" not in shown.text


def test_a_receipt_of_nobody_is_not_found_and_of_a_draft_not_for_everybody(
    logged_in: LogIn, draft: int
) -> None:
    boss, arbiter = logged_in(Role.RATING_ADMINISTRATOR), logged_in(Role.ARBITER)
    assert boss.get(f"/en/desk/drafts/{draft}/receipts/77").status_code == 404
    assert arbiter.get(f"/en/desk/drafts/{draft}/receipts/{player_id(1)}").status_code == 403
