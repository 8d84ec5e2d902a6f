"""Reports on their way: whose they are, what replaces what, when it is too late."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from arrocco.desk import Office
from arrocco.errors import Illegal, Malformed
from arrocco.findings import MAX_OF_A_KIND
from arrocco.office.cutoff import NoList
from arrocco.office.findings import finding_of
from arrocco.office.records import (
    ReportStatus,
    SentReport,
    Tournament,
    TournamentStatus,
)
from arrocco.office.roles import Asker, Forbidden, Role
from arrocco.records.report import Report
from arrocco.words import finding_text
from tests.desk.offices import (
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
from tests.work import growth

MAY, JUNE = date(2025, 5, 1), date(2025, 6, 1)


@pytest.fixture
def people(small_office: Office, clock: Clock, tmp_path: Path) -> People:
    """An office with a list of May, at the end of it."""
    found = people_of(small_office)
    opening = write_opening(tmp_path / "fide.csv")
    small_office.lists.import_list(found.administrator, "fide", MAY, opening)
    return found


def registered(office: Office, clock: Clock, people: People, made: Report) -> Tournament:
    assert made.start is not None
    assert made.end is not None
    clock.go_to(made.start - timedelta(days=40))
    found = office.tournaments.register(people.arbiter, registration_of(made, ("fide",)))
    clock.go_to(made.end + timedelta(days=1))
    return found


def send(office: Office, people: People, number: int, made: Report) -> SentReport:
    sent = office.reports.send(people.arbiter, number, "report.trf", data_of(made))
    if sent.status is not ReportStatus.NEEDS_ANSWERS:
        return sent
    warned = {i: "it was so" for i, f in enumerate(sent.findings) if f.severity == "warning"}
    return office.reports.answer(people.arbiter, sent.id, warned)


def test_checking_changes_nothing_and_says_what_sending_would(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, date(2025, 5, 8))
    number = registered(small_office, clock, people, made).id
    checked = small_office.reports.check(people.arbiter, number, "r.trf", data_of(made))
    assert checked.lists == {"fide": JUNE}
    assert small_office.reports.of_tournament(people.arbiter, number) == []
    sent = small_office.reports.send(people.arbiter, number, "r.trf", data_of(made))
    assert sent.status is checked.status
    assert small_office.reports.content(people.arbiter, sent.id) == data_of(made)
    lied = replace(made, entries=[replace(e, rating=None) for e in made.entries])
    again = small_office.reports.check(people.arbiter, number, "r.trf", data_of(lied))
    assert {adjustment.counted for adjustment in again.adjustments["fide"]} > {"2210", "2125"}


def test_a_file_that_is_no_report_is_refused(
    small_office: Office, clock: Clock, people: People
) -> None:
    number = registered(small_office, clock, people, report(1, date(2025, 5, 8))).id
    for data in (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), b"hello", b"\x00" * 500):
        with pytest.raises(Malformed):
            small_office.reports.send(people.arbiter, number, "r.trf", data)
    assert small_office.reports.of_tournament(people.arbiter, number) == []


def test_belong_to_who_registered_the_tournament_and_to_the_federation(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, date(2025, 5, 8))
    number = registered(small_office, clock, people, made).id
    sent = send(small_office, people, number, made)
    root = people.root
    token = small_office.accounts.invite(root, "other@example.org", Role.ARBITER)
    other = Asker(
        account=small_office.accounts.accept_invitation(token, "Altra Finta", "dodici......"),
        role=Role.ARBITER,
    )
    abroad = Asker(account=people.officer.account, role=Role.FEDERATION_OFFICER, federation="SMR")
    for asker in (other, abroad, people.player, people.public, people.root):
        with pytest.raises(Forbidden):
            small_office.reports.get(asker, sent.id)
        with pytest.raises(Forbidden):
            small_office.reports.send(asker, number, "r.trf", data_of(made))
        with pytest.raises(Forbidden):
            small_office.reports.accept(asker, sent.id)
    assert small_office.reports.get(people.officer, sent.id).id == sent.id
    with pytest.raises(Forbidden):
        small_office.reports.accept(people.arbiter, sent.id)
    assert small_office.tournaments.mine(people.arbiter)[0] == 1
    assert small_office.tournaments.mine(other)[0] == 0
    assert small_office.reports.waiting(people.administrator)[0] == 1
    public = small_office.tournaments.public(number)
    assert (public.report_received, public.rated) == (False, ())


def test_a_new_version_takes_the_place_of_the_old(
    small_office: Office, clock: Clock, people: People, tmp_path: Path
) -> None:
    boss = people.administrator
    made = report(1, date(2025, 5, 8))
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    second = send(small_office, people, number, report(2, date(2025, 5, 8), name=made.name))
    assert small_office.reports.get(boss, first.id).status is ReportStatus.SUPERSEDED
    assert second.version == 2
    small_office.reports.accept(boss, second.id)
    third = send(small_office, people, number, report(3, date(2025, 5, 8), name=made.name))
    small_office.reports.accept(boss, third.id)
    assert small_office.reports.get(boss, second.id).status is ReportStatus.SUPERSEDED
    assert small_office.reports.lists(boss, second.id) == {}
    clock.go_to(JUNE)
    published(small_office, people, "fide", JUNE)
    draft = small_office.lists.calendar("fide")[0]
    assert draft.waiting == 0
    assert small_office.reports.get(boss, third.id).status is ReportStatus.RATED
    fourth = send(small_office, people, number, made)
    assert fourth.status is ReportStatus.SENT, "offered as a correction"
    assert "office.corrects_rated" in {finding.key for finding in fourth.findings}
    small_office.reports.reject(boss, fourth.id, "it was rated already")
    rated = small_office.tournaments.public(number).rated
    assert [(one.system, one.list_date, one.row) for one in rated] == [("fide", JUNE, 0)]


def test_withdrawn_before_its_list_it_is_on_none(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss = people.administrator
    made = report(1, date(2025, 5, 8))
    number = registered(small_office, clock, people, made).id
    sent = send(small_office, people, number, made)
    small_office.reports.accept(boss, sent.id)
    with pytest.raises(Forbidden):
        small_office.reports.withdraw(people.arbiter, sent.id, "oh")
    small_office.reports.withdraw(boss, sent.id, "played without an arbiter")
    published(small_office, people, "fide", JUNE)
    (latest, _) = small_office.lists.published("fide")
    assert '"reports":0' in latest.body
    assert {row.games for row in small_office.people.history(player_id(1))["fide"]} == {0}


def test_what_comes_too_late_is_on_no_list(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, date(2025, 5, 8))
    number = registered(small_office, clock, people, made).id
    clock.go_to(date(2026, 5, 1))
    checked = small_office.reports.check(people.arbiter, number, "r.trf", data_of(made))
    assert checked.lists in ({}, {"fide": NoList.TOO_LATE})


def test_no_report_without_a_registration_that_stands(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, date(2025, 5, 8))
    number = registered(small_office, clock, people, made).id
    refused = small_office.tournaments.refuse(people.administrator, number, "no arbiter")
    assert refused.status is TournamentStatus.REFUSED
    with pytest.raises(Illegal) as no:
        small_office.reports.send(people.arbiter, number, "r.trf", data_of(made))
    assert no.value.key == "desk.refused.not_registered"
    assert "refused" in no.value.message
    small_office.tournaments.appeal(people.arbiter, number, "there was one")
    small_office.tournaments.decide_appeal(people.administrator, number, True, "so there was")
    small_office.reports.send(people.arbiter, number, "r.trf", data_of(made))


def test_checking_a_hostile_report_is_linear_and_what_is_kept_of_it_small(
    small_office: Office, clock: Clock, people: People
) -> None:
    """100 KB of record 240 took a minute: every finding was compared with every other."""
    made = report(1, date(2025, 5, 8))
    number = registered(small_office, clock, people, made).id

    def hostile(lines: int) -> bytes:
        return data_of(made) + "\r\n".join([f"240 F   1 {'  x  ' * 30}".rstrip()] * lines).encode()

    def check(data: bytes) -> None:
        small_office.reports.check(people.arbiter, number, "report.trf", data)

    assert growth(check, hostile(20), hostile(40)) < 1.25
    sent = small_office.reports.send(people.arbiter, number, "report.trf", hostile(200))
    assert sent.status is ReportStatus.NEEDS_ANSWERS
    wrong = [finding for finding in sent.findings if finding.key == "trf.field_not_a_number"]
    assert len(wrong) == MAX_OF_A_KIND
    assert sum(1 + one.more for one in wrong) == 200 * 30
    assert len(sent.findings) < 2 * MAX_OF_A_KIND
    again = small_office.reports.get(people.arbiter, sent.id)
    assert again.findings == sent.findings
    assert finding_text("en", finding_of(wrong[-1])).endswith("(and 5900 more)")
    assert finding_text("it", finding_of(wrong[-1])).endswith("(e altri 5900)")
