"""FIDE 2024 4, 9.1 and 0.4 — each game counts once, and what was refused is not rated."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from arrocco.errors import Illegal
from arrocco.office.records import ReportStatus, SentReport, Tournament, TournamentStatus
from arrocco.report import Report
from arrocco.wiring.office import Office
from tests.wiring.office.offices import (
    Clock,
    People,
    data_of,
    people_of,
    player_id,
    published,
    registration_of,
    report,
    write_opening,
)

MAY, JUNE = date(2025, 5, 1), date(2025, 6, 1)
START = date(2025, 5, 8)


@pytest.fixture
def people(small_office: Office, clock: Clock, tmp_path: Path) -> People:
    """An office with a list of May."""
    found = people_of(small_office)
    opening = write_opening(tmp_path / "fide.csv")
    small_office.lists.import_list(found.administrator, "fide", MAY, opening)
    return found


def registered(
    office: Office, clock: Clock, people: People, made: Report, systems: tuple[str, ...] = ("fide",)
) -> Tournament:
    assert made.start is not None
    assert made.end is not None
    clock.go_to(made.start - timedelta(days=40))
    tournament = office.tournaments.register(people.arbiter, registration_of(made, systems))
    clock.go_to(made.end + timedelta(days=2))
    return tournament


def send(office: Office, people: People, number: int, made: Report) -> SentReport:
    sent = office.reports.send(people.arbiter, number, "report.trf", data_of(made))
    if sent.status is not ReportStatus.NEEDS_ANSWERS:
        return sent
    warned = {i: "it was so" for i, f in enumerate(sent.findings) if f.severity == "warning"}
    return office.reports.answer(people.arbiter, sent.id, warned)


def keys(sent: SentReport) -> set[str]:
    return {finding.key for finding in sent.findings}


def games_of(office: Office, number: int) -> list[int]:
    """The games of a player on each list after the first."""
    return [row.games for row in office.people.history(player_id(number))["fide"] if row.games]


def one_day_longer(made: Report) -> Report:
    assert made.end is not None
    return replace(made, end=made.end + timedelta(days=1))


def test_9_1_a_report_sent_again_with_another_last_day_takes_the_place_of_the_first(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss, made = people.administrator, report(1, START)
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    small_office.reports.accept(boss, first.id)
    second = send(small_office, people, number, one_day_longer(made))
    assert "office.replaces" in keys(second)
    small_office.reports.accept(boss, second.id)
    assert small_office.reports.get(boss, first.id).status is ReportStatus.WITHDRAWN
    published(small_office, people, "fide", JUNE)
    assert games_of(small_office, 1) == [7]


def test_9_1_after_publication_the_same_games_are_a_correction(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, START)
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, first.id)
    published(small_office, people, "fide", JUNE)
    second = send(small_office, people, number, one_day_longer(made))
    assert second.status is ReportStatus.RETURNED
    assert "office.games_rated" in keys(second)
    with pytest.raises(Illegal):
        small_office.reports.accept(people.administrator, second.id)


def test_4_the_whole_report_takes_the_place_of_all_its_parts(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss, made = people.administrator, report(1, START)
    number = registered(small_office, clock, people, made).id
    half = START + timedelta(days=2)
    parts = [
        replace(made, end=half, games=[g for g in made.games if g.round <= 3]),
        replace(made, start=half, games=[g for g in made.games if g.round > 3]),
    ]
    sent = [send(small_office, people, number, part) for part in parts]
    for part in sent:
        small_office.reports.accept(boss, part.id)
    assert [small_office.reports.get(boss, one.id).status for one in sent] == [
        ReportStatus.ACCEPTED,
        ReportStatus.ACCEPTED,
    ]
    whole = send(small_office, people, number, made)
    small_office.reports.accept(boss, whole.id)
    assert [small_office.reports.get(boss, one.id).status for one in sent] == [
        ReportStatus.WITHDRAWN,
        ReportStatus.WITHDRAWN,
    ]
    published(small_office, people, "fide", JUNE)
    assert games_of(small_office, 1) == [7]


def test_9_1_a_report_that_lacks_games_of_the_accepted_one_asks_why(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, START)
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, first.id)
    shorter = replace(made, games=[game for game in made.games if game.round < 7])
    again = small_office.reports.send(people.arbiter, number, "report.trf", data_of(shorter))
    (finding,) = [f for f in again.findings if f.key == "office.replaces_with_fewer"]
    assert (finding.details["games"], finding.details["missing"]) == (24, 4)
    assert again.status in (ReportStatus.NEEDS_ANSWERS, ReportStatus.RETURNED)


def test_9_1_the_same_games_under_another_registration_are_refused(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, START)
    number = registered(small_office, clock, people, made).id
    other = registered(small_office, clock, people, replace(made, name="Another name")).id
    waiting = send(small_office, people, other, made)
    first = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, first.id)
    with pytest.raises(Illegal) as refused:  # it was sent before the other was accepted
        small_office.reports.accept(people.administrator, waiting.id)
    assert refused.value.key == "desk.refused.same_games_elsewhere"
    again = send(small_office, people, other, one_day_longer(made))
    assert again.status is ReportStatus.RETURNED
    assert "office.same_games_elsewhere" in keys(again)


def test_the_same_people_may_meet_again_on_the_same_days(
    small_office: Office, clock: Clock, people: People
) -> None:
    made, again = report(1, START), report(5, START, name="Another tournament")
    for one in (made, again):
        number = registered(small_office, clock, people, one).id
        sent = send(small_office, people, number, one)
        assert "office.same_games_elsewhere" not in keys(sent)
        small_office.reports.accept(people.administrator, sent.id)
    published(small_office, people, "fide", JUNE)
    assert games_of(small_office, 1) == [14]


@pytest.mark.parametrize("act", ["refuse", "cancel"])
def test_0_4_a_tournament_that_is_refused_or_cancelled_is_not_rated(
    small_office: Office, clock: Clock, people: People, act: str
) -> None:
    made = report(1, START)
    number = registered(small_office, clock, people, made).id
    sent = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, sent.id)
    change = getattr(small_office.tournaments, act)
    changed = change(people.administrator, number, "it never took place")
    assert changed.status in (TournamentStatus.REFUSED, TournamentStatus.CANCELLED)
    kept = small_office.reports.get(people.administrator, sent.id)
    assert (kept.status, kept.note) == (ReportStatus.WITHDRAWN, "it never took place")
    published(small_office, people, "fide", JUNE)
    assert games_of(small_office, 1) == []


def test_0_4_what_is_on_a_published_list_is_not_refused_in_silence(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, START)
    number = registered(small_office, clock, people, made).id
    sent = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, sent.id)
    published(small_office, people, "fide", JUNE)
    with pytest.raises(Illegal) as refused:
        small_office.tournaments.refuse(people.administrator, number, "no arbiter")
    assert refused.value.key == "desk.refused.rated_already"
    tournament = small_office.tournaments.get(people.administrator, number)
    assert tournament.status is TournamentStatus.REGISTERED
