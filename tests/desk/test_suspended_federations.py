"""FIDE 2024 10.1, 2010 13.1 — federations that are suspended, with the days on which they are."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from arrocco.desk import Office
from arrocco.errors import Inconsistent
from arrocco.laws.systems import system_named
from arrocco.office.findings import finding_of
from arrocco.office.suspensions import Suspension, suspended_findings
from arrocco.records.report import Report
from arrocco.words import finding_text
from tests.desk.offices import Clock, data_of, people_of, registration_of, report, write_opening

START = date(2025, 5, 8)
BEFORE, LATER = START - timedelta(days=30), START + timedelta(days=30)


def with_guest() -> Report:
    made = report(1, START)
    made.entries[2].federation = "XIN"
    return made


@pytest.mark.parametrize(
    ("since", "until", "is_found"),
    [
        (BEFORE, None, True),
        (BEFORE, START, True),
        (BEFORE, START - timedelta(days=1), False),
        (START + timedelta(days=6), None, True),
        (START + timedelta(days=7), None, False),
    ],
)
def test_10_1_a_suspension_counts_on_its_days(
    since: date, until: date | None, is_found: bool
) -> None:
    mark = Suspension(federation="XIN", since=since, until=until)
    law = system_named("fide").edition_on(START)
    found = list(suspended_findings(with_guest(), "ITA", law, [mark]))
    expected = [("office.players_suspended", "10.1")] if is_found else []
    assert [(one.key, one.article) for one in found] == expected


@pytest.mark.parametrize("system", ["fide-rapid", "fide-blitz"])
def test_9_1_of_rapid_and_blitz_says_what_10_1_says(system: str) -> None:
    mark = Suspension(federation="XIN", since=BEFORE)
    law = system_named(system).edition_on(START)
    (one,) = suspended_findings(with_guest(), "ITA", law, [mark])
    assert (one.key, one.article) == ("office.players_suspended", "9.1")


def test_13_1_of_2010_and_the_tournaments_own_federation() -> None:
    made = with_guest()
    made.start, made.end = date(2012, 3, 1), date(2012, 3, 7)
    law = system_named("fide").edition_on(date(2012, 3, 1))
    mark = Suspension(federation="ITA", since=date(2012, 1, 1))
    found = list(suspended_findings(made, "ITA", law, [mark]))
    assert [(one.key, one.article) for one in found] == [
        ("office.tournament_suspended", "13.1"),
        ("office.players_suspended", "13.1"),
    ]
    assert found[1].details["count"] == len(made.entries) - 1
    uisp = system_named("uisp").edition_on(date(2025, 3, 1))
    assert list(suspended_findings(with_guest(), "ITA", uisp, [mark])) == []


def test_10_1_the_office_marks_it_and_finds_it_in_reports(
    small_office: Office, clock: Clock, tmp_path: Path
) -> None:
    people, made = people_of(small_office), with_guest()
    opening = write_opening(tmp_path / "fide.csv")
    small_office.lists.import_list(people.administrator, "fide", date(2025, 5, 1), opening)
    mark = Suspension(federation="XIN", since=BEFORE, until=LATER)
    small_office.settings.change(people.root, suspended=(mark,))
    clock.go_to(BEFORE)
    number = small_office.tournaments.register(people.arbiter, registration_of(made, ("fide",))).id
    clock.go_to(LATER)
    sent = small_office.reports.send(people.arbiter, number, "r.trf", data_of(made))
    (one,) = [finding for finding in sent.findings if finding.key == "office.players_suspended"]
    assert (one.severity, one.article) == ("warning", "10.1")
    for language in ("en", "it"):
        assert "XIN" in finding_text(language, finding_of(one))


def test_10_1_days_and_codes_that_cannot_be_are_refused(small_office: Office) -> None:
    root = people_of(small_office).root
    for mark in (
        Suspension(federation="XIN", since=LATER, until=BEFORE),
        Suspension(federation="xi", since=BEFORE),
    ):
        with pytest.raises(Inconsistent):
            small_office.settings.change(root, suspended=(mark,))
    many = tuple(Suspension(federation="XIN", since=BEFORE + timedelta(days=n)) for n in range(101))
    with pytest.raises(Inconsistent):
        small_office.settings.change(root, suspended=many)
