"""Amending a registration in an office: who may, until when, and what becomes of its reports."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import msgspec
import pytest

from arrocco.desk import Office
from arrocco.errors import Refusal
from arrocco.office.records import ReportStatus, RoundTime
from arrocco.office.roles import Forbidden
from tests.desk.conftest import *  # noqa: F403 - fixtures
from tests.desk.offices import Clock, People, data_of, registration_of, report

S = ReportStatus


def registered(office: Office, people: People) -> int:
    played = report(3, date(2025, 5, 20), name="Torneo da Cambiare")
    return office.tournaments.register(people.arbiter, registration_of(played, ("fide",))).id


def test_a_report_that_came_back_is_checked_again_under_the_amended_registration(
    office: Office, people: People, clock: Clock
) -> None:
    number = registered(office, people)
    clock.go_to(date(2025, 6, 2))
    played = report(3, date(2025, 5, 20), name="Torneo da Cambiare")
    longer = replace(played, end=date(2025, 5, 28))
    sent = office.reports.send(people.arbiter, number, "a.trf", data_of(longer))
    assert "office.days_differ" in {finding.key for finding in sent.findings}
    before = office.tournaments.get(people.arbiter, number).registration
    after = msgspec.structs.replace(before, end=date(2025, 5, 28))
    changed = office.tournaments.amend(people.arbiter, number, after, "one day more")
    assert changed.registration.end == date(2025, 5, 28)
    assert changed.amendments[0].before == before
    assert office.tournaments.get(people.arbiter, number) == changed
    again = office.reports.get(people.arbiter, sent.id)
    assert "office.days_differ" not in {one.key for one in again.findings}
    row = office.audit.page(people.administrator, action="amend_tournament")[0]
    assert row.details["changed"] == ["end"]
    assert row.details["reports_checked_again"] == [sent.id]


def test_an_accepted_report_ends_it_and_a_withdrawn_one_does_not(
    office: Office, people: People, clock: Clock
) -> None:
    number = registered(office, people)
    clock.go_to(date(2025, 6, 2))
    played = report(3, date(2025, 5, 20), name="Torneo da Cambiare")
    sent = office.reports.send(people.arbiter, number, "a.trf", data_of(played))
    warnings = [i for i, one in enumerate(sent.findings) if one.severity == "warning"]
    if warnings:
        office.reports.answer(people.arbiter, sent.id, dict.fromkeys(warnings, "so it was"))
    office.reports.accept(people.administrator, sent.id)
    before = office.tournaments.get(people.arbiter, number).registration
    after = msgspec.structs.replace(before, top_rating=2300)
    with pytest.raises(Refusal) as refusal:
        office.tournaments.amend(people.arbiter, number, after, "stronger")
    assert refusal.value.key == "office.refused.amended_too_late"
    office.reports.withdraw(people.administrator, sent.id, "not to be rated yet")
    assert office.tournaments.amend(people.arbiter, number, after, "stronger").amendments


def test_only_whose_it_is_amends_it(office: Office, people: People) -> None:
    number = registered(office, people)
    before = office.tournaments.get(people.arbiter, number).registration
    after = msgspec.structs.replace(before, schedule=(RoundTime(before.start),) * 2)
    for stranger in (people.public, people.player, people.root):
        with pytest.raises(Forbidden):
            office.tournaments.amend(stranger, number, after, "because")
    assert office.tournaments.amend(people.officer, number, after, "fewer rounds").amendments
