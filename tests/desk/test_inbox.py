"""What waits at the desk has its day, and what is told of a published list has names."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from arrocco.desk import Office
from arrocco.desk.inbox import InboxItem
from arrocco.office.records import ReportStatus
from arrocco.store.sql import follows, mails
from arrocco.store.sql.follows import Followed
from tests.desk.offices import (
    Clock,
    People,
    accepted,
    data_of,
    name_of,
    people_of,
    player_id,
    published,
    registration_of,
    report,
    write_opening,
)

MAY, JUNE = date(2025, 5, 1), date(2025, 6, 1)


@pytest.fixture
def people(small_office: Office, tmp_path: Path) -> People:
    """An office with a list of May."""
    found = people_of(small_office)
    opening = write_opening(tmp_path / "fide.csv")
    small_office.lists.import_list(found.administrator, "fide", MAY, opening)
    return found


def reports_of(office: Office, people: People) -> list[InboxItem]:
    return [one for one in office.inbox.of(people.administrator) if one.key == "reports"]


def test_reports_are_to_be_decided_before_the_list_they_can_be_on(
    small_office: Office, clock: Clock, people: People
) -> None:
    played = report(1, date(2025, 5, 8))
    assert played.start is not None
    assert played.end is not None
    clock.go_to(played.start - timedelta(days=40))
    number = small_office.tournaments.register(
        people.arbiter, registration_of(played, ("fide",))
    ).id
    assert reports_of(small_office, people) == []
    clock.go_to(played.end + timedelta(days=1))
    sent = small_office.reports.send(people.arbiter, number, "report.trf", data_of(played))
    assert sent.status is ReportStatus.SENT
    (waiting,) = reports_of(small_office, people)
    assert waiting.until is not None
    assert waiting.until.date() == JUNE
    assert not waiting.is_late
    clock.go_to(JUNE + timedelta(days=1))
    (waiting,) = reports_of(small_office, people)
    assert waiting.is_late, "the list is not out, so it still waits for this report"


def owed_by(office: Office, people: People) -> dict[str, InboxItem]:
    return {one.key: one for one in office.inbox.of(people.arbiter)}


def test_FIDE_7_1_3_a_missing_report_is_owed_until_the_last_day_for_its_first_list(
    small_office: Office, clock: Clock, people: People
) -> None:
    played = report(1, date(2025, 5, 8))
    assert played.start is not None
    assert played.end is not None
    clock.go_to(played.start - timedelta(days=40))
    number = small_office.tournaments.register(
        people.arbiter, registration_of(played, ("fide",))
    ).id
    clock.go_to(played.end)
    assert "missing" not in owed_by(small_office, people), "it is still being played"
    clock.go_to(played.end + timedelta(days=1))
    missing = owed_by(small_office, people)["missing"]
    assert missing.until is not None
    assert (missing.count, missing.until.date(), missing.is_late) == (1, date(2025, 5, 31), False)
    clock.go_to(date(2025, 5, 31))
    assert not owed_by(small_office, people)["missing"].is_late, "that day still counts"
    clock.go_to(JUNE)
    assert owed_by(small_office, people)["missing"].is_late
    (owed,) = small_office.owed_reports.missing(people.arbiter)
    assert (owed.tournament.id, owed.send_by) == (number, date(2025, 5, 31))
    small_office.settings.change(people.root, report_days=3)
    (owed,) = small_office.owed_reports.missing(people.arbiter)
    assert owed.send_by == date(2025, 5, 29)
    small_office.reports.send(people.arbiter, number, "report.trf", data_of(played))
    assert "missing" not in owed_by(small_office, people)


def test_a_report_that_came_back_or_was_withdrawn_is_owed_again(
    small_office: Office, clock: Clock, people: People
) -> None:
    played = report(1, date(2025, 5, 8))
    assert played.start is not None
    assert played.end is not None
    clock.go_to(played.start - timedelta(days=40))
    number = small_office.tournaments.register(
        people.arbiter, registration_of(played, ("fide",))
    ).id
    clock.go_to(played.end + timedelta(days=1))
    broken = data_of(played).replace(b"012 ", b"013 ")
    sent = small_office.reports.send(people.arbiter, number, "report.trf", broken)
    assert sent.status is ReportStatus.NEEDS_ANSWERS
    returned = owed_by(small_office, people)["returned"]
    assert returned.until is not None
    assert (returned.count, returned.until.date()) == (1, date(2025, 5, 31))
    assert small_office.owed_reports.came_back(people.arbiter) == {number: date(2025, 5, 31)}
    assert "returned" not in {one.key for one in small_office.inbox.of(people.administrator)}
    small_office.reports.withdraw(people.arbiter, sent.id, "the wrong file")
    owed = owed_by(small_office, people)
    assert "returned" not in owed
    assert owed["missing"].count == 1


def test_ones_own_claim_waits_where_one_sees_it(small_office: Office, people: People) -> None:
    assert "own_claim" not in owed_by(small_office, people)
    small_office.claims.ask(people.arbiter, player_id(2))
    claim = owed_by(small_office, people)["own_claim"]
    assert (claim.count, claim.path, claim.until) == (1, "/account/number", None)
    others = {one.key for one in small_office.inbox.of(people.administrator)}
    assert "own_claim" not in others
    small_office.claims.withdraw(people.arbiter)
    assert "own_claim" not in owed_by(small_office, people)


def test_who_follows_a_player_is_told_the_name(
    small_office: Office, clock: Clock, people: People
) -> None:
    accepted(small_office, clock, people, report(1, date(2025, 5, 8)), ("fide",))
    reader = people.arbiter
    assert reader.account is not None
    small_office.following.follow(reader, Followed.PLAYER, str(player_id(1)))
    published(small_office, people, "fide", JUNE)
    with small_office.desk.database.reading() as connection:
        assert follows.followed_players(connection) == [player_id(1)]
        told = [mail.params for mail in mails.newest(connection) if mail.kind == "followed"]
    assert len(told) == 1
    assert name_of(1) in told[0]
    assert str(player_id(1)) not in told[0].replace(f"/players/{player_id(1)}/", "")
